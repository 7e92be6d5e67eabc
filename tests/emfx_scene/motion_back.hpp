#pragma once
/// Motions of a scene, without the rest of the way back.

#include <glm/mat4x4.hpp>

#include "effigy/emfx_scene.hpp"

namespace builders {

/// As the glTF reader does where nothing was edited.
void mark_untouched(effigy::Scene& scene);

/// The motions of a scene that was made of `actor`, or of none: nodes are found by the numbers in their extras, or
/// stand in the scene's order.
[[nodiscard]] effigy::emfx::NativeFiles motions_back(const effigy::Scene& scene, const effigy::xac::File* actor,
                                                     const effigy::emfx::FromSceneOptions& options = {},
                                                     effigy::Report* report = nullptr);

/// A node's transform at a moment of a clip, and one weight of its mesh: by the words of glTF and, for clips of EMotion
/// FX, of docs/formats/xsm.md.
[[nodiscard]] glm::dmat4 world_at(const effigy::Scene& scene, const effigy::Clip& clip, effigy::Index node,
                                  double time);
[[nodiscard]] double weight_at(const effigy::Scene& scene, const effigy::Clip& clip, effigy::Index node,
                               std::size_t target, double time);

[[nodiscard]] effigy::Bytes bytes_of_motion(const effigy::xsm::File& file);
[[nodiscard]] effigy::Bytes bytes_of_motion(const effigy::xpm::File& file);

}  // namespace builders
