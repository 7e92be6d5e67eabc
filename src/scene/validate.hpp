#pragma once
/// What conversions check of a scene before they read it, as steps of validate().

#include <cstdint>
#include <vector>

#include "effigy/result.hpp"
#include "effigy/scene.hpp"
#include "effigy/validate.hpp"

namespace effigy {

/// validate() without a look at vertices, indices and keys; its first finding. After it every reference holds, every
/// array has the length that it needs, every node is met once from the roots, and every number outside of the bulk data
/// is finite.
[[nodiscard]] Result<void> check_structure(const Scene& scene);

/// Every index is one of its primitive's vertices, and check_joints() of every mesh.
[[nodiscard]] Result<void> check_indices(const Scene& scene);

/// For each mesh the joints of the smallest skin that a node has for it, or no_index.
[[nodiscard]] std::vector<std::size_t> joint_counts(const Scene& scene);

/// Every joint that has a weight in a vertex of meshes[`number`] is one of its skin's `joints`.
[[nodiscard]] Result<void> check_joints(const Mesh& mesh, std::size_t number, std::size_t joints);

/// Weights of vertices that are negative or not finite: no format has such, so that they are left out.
[[nodiscard]] std::uint64_t count_bad_weights(const Mesh& mesh);
[[nodiscard]] std::uint64_t count_bad_weights(const Attribute& attribute);

/// Numbers that are not finite in places, directions, colours and morph targets, where writers put 0.
[[nodiscard]] std::uint64_t count_not_finite(const Mesh& mesh);

/// Times that are finite, rise and begin at 0 or later, and finite values, of tracks[`track`] in clips[`clip`].
[[nodiscard]] Result<void> check_keys(const Scene& scene, std::size_t clip, std::size_t track);

/// Part of validate(): all meshes, `with_values` or without bulk data.
void validate_meshes(const Scene& scene, bool with_values, Report& report);

/// Whether glTF lets an attribute be made of such elements.
[[nodiscard]] bool element_fits(Semantic semantic, ElementType element);
/// Whether it lets it be made of such numbers.
[[nodiscard]] bool type_fits(Semantic semantic, const Accessor& data);

/// Images that were never loaded (only a name is known) cannot be written; neither can slots that use them.
[[nodiscard]] inline bool is_written(const Image& image) { return !image.bytes.empty() || !image.uri.empty(); }
[[nodiscard]] inline bool is_written(const Scene& scene, const TextureSlot& slot) {
    return slot.image < scene.images.size() && is_written(scene.images[slot.image]);
}

}  // namespace effigy
