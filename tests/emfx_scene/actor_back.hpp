#pragma once
/// Actors there and back: what the tests of from_scene share.

#include <string>

#include "effigy/emfx_scene.hpp"

namespace actor_back {

using namespace effigy;

/// As the glTF reader would: everything with extras is as it was.
void set_untouched(Scene& scene, bool untouched = true);
/// Without any extras, as another tool would leave the scene.
void strip(Scene& scene);

[[nodiscard]] Scene scene_of(xac::File file, const emfx::SceneOptions& options = {});
/// Fails the test if that fails.
[[nodiscard]] Loaded<emfx::NativeFiles> files_of(const Scene& scene, const emfx::FromSceneOptions& options = {});
/// file -> scene -> untouched -> file
[[nodiscard]] xac::File round_trip(const xac::File& file);

/// Where two runs of bytes differ first, for messages; empty if nowhere.
[[nodiscard]] std::string difference(const Bytes& a, const Bytes& b);
/// Findings of check that the other file does not have.
[[nodiscard]] std::string findings(const xac::File& file);
/// The first level of detail that is embedded as an actor; null if there is none.
[[nodiscard]] const xac::File* level_of(const xac::File& file);

}  // namespace actor_back
