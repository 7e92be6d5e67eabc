#pragma once
/// Whether a scene keeps its own rules and glTF's. After check_scene() every reference holds, every array has the
/// length it needs and every number outside the bulk data is finite; the bulk data's values are checked where they are
/// read anyway (meshes.cpp, animations.cpp).

#include <array>
#include <utility>

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy::gltf {

[[nodiscard]] Result<void> check_scene(const Scene& scene);

/// Part of check_scene(): the mesh with this number, against materials that are checked already.
[[nodiscard]] Result<void> check_mesh(const Scene& scene, std::size_t number);

/// The texture slots of a material and their names in glTF.
[[nodiscard]] inline std::array<std::pair<const char*, const TextureSlot*>, 5> texture_slots(const Material& material) {
    return {{{"baseColorTexture", &material.base_color_texture},
             {"metallicRoughnessTexture", &material.metallic_roughness_texture},
             {"normalTexture", &material.normal_texture},
             {"occlusionTexture", &material.occlusion_texture},
             {"emissiveTexture", &material.emissive_texture}}};
}

/// Images that were never loaded (only a name is known) cannot be written; neither can slots that use them.
[[nodiscard]] inline bool is_written(const Image& image) { return !image.bytes.empty() || !image.uri.empty(); }
[[nodiscard]] inline bool is_written(const Scene& scene, const TextureSlot& slot) {
    return slot.used() && is_written(scene.images[slot.image]);
}

/// Primitives without indices are legal in the scene and illegal in glTF.
[[nodiscard]] inline bool is_written(const Primitive& primitive) {
    return !primitive.indices.empty() && primitive.vertex_count != 0;
}

}  // namespace effigy::gltf
