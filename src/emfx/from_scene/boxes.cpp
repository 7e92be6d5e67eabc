/// Boxes of nodes whose own are not known: along the node's axes, around all vertices that follow it.

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "emfx/from_scene/build.hpp"
#include "scene/rest_bounds.hpp"

namespace effigy::emfx::bridge {
namespace {

template <class T>
std::span<const T> layer_of(const xac::Mesh& mesh, xac::LayerType type) {
    const auto found = std::ranges::find(mesh.layers, type, &xac::VertexLayer::type);
    return found == mesh.layers.end() ? std::span<const T>() : found->as<T>();
}

/// The space of the file is that of the scene, mirrored.
glm::dvec3 flipped(const glm::dvec3& v) { return {v.x, v.y, -v.z}; }

/// Vertices of a skinned mesh stand in the world, those of others in the space of their node.
void add_followers(const NativeMesh& native, std::span<const std::optional<glm::dmat4>> inverses,
                   std::vector<RestBounds>& ranges) {
    const xac::Mesh& mesh = native.mesh;
    const auto places = layer_of<Vec3>(mesh, xac::LayerType::position);
    if (!native.skinning) {
        for (const Vec3& place : places) ranges[mesh.node].add(wide(place));
        return;
    }
    const auto& table = native.skinning->ranges;
    const auto& influences = native.skinning->influences;
    const auto originals = layer_of<std::uint32_t>(mesh, xac::LayerType::original_vertex);
    for (std::size_t i = 0; i < std::min(places.size(), originals.size()); ++i) {
        if (originals[i] >= table.size()) continue;
        const glm::dvec4 place(flipped(wide(places[i])), 1);
        const auto [first, count] = table[originals[i]];
        const std::uint64_t end = std::min<std::uint64_t>(first + std::uint64_t{count}, influences.size());
        for (std::size_t k = first; k < end; ++k) {
            const auto& [weight, node, padding] = influences[k];
            if (!(weight > 0) || node >= ranges.size() || !inverses[node]) continue;
            ranges[node].add(flipped(glm::dvec3(*inverses[node] * place)));
        }
    }
}

}  // namespace

void add_boxes(Build& build) {
    if (std::ranges::all_of(build.nodes, &ActorNode::has_box)) return;
    FileParts& file = build.files.front();
    std::vector<RestBounds> ranges(build.nodes.size());
    std::vector<std::optional<glm::dmat4>> inverses;
    for (const ActorNode& node : build.nodes) inverses.push_back(inverse_affine(node.world, 1e-30));
    for (const NativeMesh& one : file.meshes) {
        if (one.mesh.is_collision != 0 || one.mesh.lod != 0 || one.mesh.node >= ranges.size()) continue;
        add_followers(one, inverses, ranges);
    }
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (build.nodes[i].has_box || ranges[i].is_empty()) continue;
        const auto& [low, high] = ranges[i];
        const Vec3 half = narrow((high - low) / 2.0), middle = narrow((low + high) / 2.0);
        file.nodes[i].box = {1, 0, 0, half.x, 0, 1, 0, half.y, 0, 0, 1, half.z, middle.x, middle.y, middle.z, 1};
    }
}

}  // namespace effigy::emfx::bridge
