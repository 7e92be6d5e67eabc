#pragma once
/// Two scenes as one.

#include <string>

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy {

/// All that `more` has stands beside what `scene` has. Names that both have get `name` in front in `more`, materials
/// and images that are the same are one, and records stay with the first scene that has any. If `more` only moves nodes
/// of names that `scene` has, its clips become clips of these, which otherwise stand as in `more`. The report says what
/// was changed.
[[nodiscard]] Report append_scene(Scene& scene, Scene more, const std::string& name);

/// The same without any of these changes, so that all of it can be found again.
void append_unchanged(Scene& scene, Scene more);

}  // namespace effigy
