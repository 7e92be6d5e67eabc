#pragma once
/// Which nodes of a scene a poser shows.

#include <vector>

#include "effigy/playback.hpp"
#include "effigy/poser.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy::playback {

/// The nodes whose meshes are shown, each once, in the scene's order. All have a mesh that exists.
[[nodiscard]] Result<std::vector<Index>> drawn_nodes(const Scene& scene, const Skeleton& skeleton,
                                                     const PoserOptions& options);

}  // namespace effigy::playback
