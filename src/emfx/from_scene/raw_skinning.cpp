/// Skinning of meshes that nobody has edited: as it was, with the nodes' numbers of today.

#include <algorithm>
#include <cstring>
#include <utility>

#include "emfx/from_scene/build.hpp"
#include "emfx/to_scene/geometry.hpp"

namespace effigy::emfx::bridge {
namespace {

/// Below another parent, or in the place of another joint, an unedited node does not.
bool rests_in_bind(const glm::dmat4& world, const Mat4& inverse_bind) {
    if (is_close(bind_difference(world, inverse_bind), glm::dmat4(1), 1e-5)) return true;
    const auto bind = bind_of(inverse_bind);
    const bool has_inverse = inverse_affine(world, 1e-15).has_value();  // else to_scene() wrote none
    return !bind || !has_inverse || is_close(world, *bind, 1e-4);
}

/// Whether the joints still stand where they stood when the skin was bound.
bool has_old_binds(const Build& build, const MeshPlace& place) {
    if (place.skin == no_index) return true;
    const Skin& skin = build.scene.skins[place.skin];
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
        const std::uint32_t number = joint_number(build, skin.joints[i]);
        if (number >= build.nodes.size() || !build.nodes[number].is_raw_to_root) return false;
        // Nodes of levels of detail may have stood elsewhere from the start.
        const bool tells = place.file == 0 && i < skin.inverse_bind_matrices.size();
        if (tells && !rests_in_bind(joint_world(build, skin.joints[i], number), skin.inverse_bind_matrices[i]))
            return false;
    }
    return true;
}

// --- a table that the record has

/// Whether the skin's joints are the nodes of the table, as to_scene() lists them.
bool has_joints_of(const Build& build, const MeshPlace& place, std::span<const xac::Influence> influences) {
    if (place.skin == no_index) return true;
    const FileParts& file = build.files[place.file];
    const Numbering& numbering = file.numbering;
    const std::size_t count = numbering.old.empty() ? file.nodes.size() : numbering.old.size();
    std::vector<std::uint8_t> is_used(count);
    for (const xac::Influence& influence : influences) {
        if (counts_as_weight(influence.weight) && influence.node < count) is_used[influence.node] = 1;
    }
    const std::vector<Index>& joints = build.scene.skins[place.skin].joints;
    auto joint = joints.begin();
    for (std::uint32_t node = 0; node < count; ++node) {
        if (is_used[node] == 0) continue;
        if (joint == joints.end()) return false;
        if (numbering.of_old(node) != numbering.of_actor(joint_number(build, *joint++))) return false;
    }
    // Vertices that nothing moves follow the mesh's node, which is the last joint then.
    return joint == joints.end() || (joint + 1 == joints.end() && joint_number(build, *joint) == place.number);
}

/// The node's number of today; false if it has none.
bool set_node(xac::Influence& influence, std::uint32_t number) {
    influence.node = static_cast<std::uint16_t>(number);
    return number <= 0xffff;
}

bool take_table(const Build& build, const MeshPlace& place, const Json& table, std::uint32_t vertex_count,
                xac::Skinning& skinning) {
    auto influences = elements_at<xac::Influence>(table, "influences");
    auto ranges = elements_at<xac::InfluenceRange>(table, "ranges");
    if (!influences || !ranges || ranges->size() != vertex_count) return false;
    if (!has_joints_of(build, place, *influences)) return false;
    const Numbering& numbering = build.files[place.file].numbering;
    for (xac::Influence& influence : *influences) {
        if (!set_node(influence, numbering.of_old(influence.node))) return false;
    }
    skinning.influences = std::move(*influences);
    skinning.ranges = std::move(*ranges);
    return true;
}

// --- a table out of the scene's influences

/// Influences of vertices that nothing uses, in the order of the vertices.
struct Unused {
    Bulk<xac::InfluenceRange> ranges{};
    Bulk<xac::Influence> influences{};
    std::size_t next = 0, place = 0;  ///< in them

    bool read(const Json& record) {
        const Json* const json = member(record, "unused");
        if (json == nullptr) return true;
        auto some_ranges = elements_at<xac::InfluenceRange>(*json, "ranges");
        auto some_influences = elements_at<xac::Influence>(*json, "influences");
        if (!some_ranges || !some_influences) return false;
        ranges = std::move(*some_ranges);
        influences = std::move(*some_influences);
        return true;
    }

    bool move_to(xac::Skinning& skinning, std::uint32_t vertex, const Numbering& numbering) {
        if (next == ranges.size() || ranges[next].first != vertex) return false;
        const std::uint32_t count = ranges[next++].count;
        if (count > influences.size() - place) return false;
        for (std::uint32_t i = 0; i < count; ++i) {
            xac::Influence& influence = influences[place++];
            if (!set_node(influence, numbering.of_old(influence.node))) return false;
            skinning.influences.push_back(influence);
        }
        return true;
    }
};

/// Puts a vertex that takes an entry of the table where its first influence will stand, or no_number; false if a vertex
/// takes one that is not there.
bool find_users(const xac::Mesh& mesh, Bulk<xac::InfluenceRange>& ranges) {
    ranges.assign(mesh.original_vertex_count, {no_number, 0});
    const auto layer = std::find_if(mesh.layers.begin(), mesh.layers.end(), [](const xac::VertexLayer& l) {
        return l.type == xac::LayerType::original_vertex && l.is_scale == 0 && l.element_size == 4;
    });
    for (std::uint32_t v = 0; v < mesh.vertex_count; ++v) {
        std::uint32_t original = v;
        if (layer != mesh.layers.end())
            std::memcpy(&original, &layer->data[std::size_t{v} * sizeof original], sizeof original);
        if (original >= ranges.size()) return false;
        if (ranges[original].first == no_number) ranges[original].first = v;
    }
    return true;
}

/// Whether palettes lack a node that moves vertices and have another one, which moves none.
bool is_in_place_of_others(const xac::Mesh& mesh, const xac::Skinning& skinning) {
    constexpr std::uint8_t is_listed = 1, moves = 2;
    std::vector<std::uint8_t> nodes(std::size_t{0xffff} + 1);
    for (const xac::Submesh& submesh : mesh.submeshes) {
        for (const std::uint32_t bone : submesh.bones) nodes[std::min(bone, std::uint32_t{0xffff})] |= is_listed;
    }
    for (const xac::Influence& influence : skinning.influences) nodes[influence.node] |= moves;
    const auto any = [&](std::uint8_t which) { return std::find(nodes.begin(), nodes.end(), which) != nodes.end(); };
    return any(is_listed) && any(moves);
}

void set_padding(const Json& record, xac::Skinning& skinning) {
    const std::optional<Bytes> padding = bytes_at(record, "influence_padding");
    if (!padding || padding->size() != 2 * skinning.influences.size()) return;
    for (std::size_t i = 0; i < skinning.influences.size(); ++i) {
        skinning.influences[i].padding = {std::to_integer<std::uint8_t>((*padding)[2 * i]),
                                          std::to_integer<std::uint8_t>((*padding)[2 * i + 1])};
    }
}

bool derive_table(Build& build, const MeshPlace& place, const Json& record, const xac::Mesh& mesh,
                  xac::Skinning& skinning) {
    const std::uint32_t count = mesh.original_vertex_count;
    if (!build.budget.take(count, sizeof(xac::InfluenceRange))) return false;
    Unused unused;
    if (!find_users(mesh, skinning.ranges) || !unused.read(record)) return false;
    const Numbering& numbering = build.files[place.file].numbering;
    const std::vector<Index>& joints = build.scene.skins[place.skin].joints;
    InfluenceReader reader(build.scene.meshes[place.mesh], joints.size());
    if (reader.empty()) return false;
    // Growing bit by bit would take twice the memory.
    const std::size_t most = reader.most() * std::min(count, mesh.vertex_count);
    if (!build.budget.take(most, sizeof(xac::Influence))) return false;
    skinning.influences.reserve(most);
    const auto add = [&](const VertexInfluence& one) {
        const std::uint32_t number = numbering.of_actor(joint_number(build, joints[one.joint]));
        skinning.influences.push_back({static_cast<float>(one.weight), static_cast<std::uint16_t>(number), {}});
        return number <= 0xffff;
    };
    for (std::uint32_t original = 0; original < count; ++original) {
        const auto first = static_cast<std::uint32_t>(skinning.influences.size());
        const std::uint32_t user = skinning.ranges[original].first;
        const bool done = user != no_number ? std::ranges::all_of(reader.all(user), add)
                                            : unused.move_to(skinning, original, numbering);
        if (!done) return false;
        skinning.ranges[original] = {first, static_cast<std::uint32_t>(skinning.influences.size()) - first};
    }
    if (is_in_place_of_others(mesh, skinning)) return false;
    set_padding(record, skinning);
    return true;
}

}  // namespace

std::optional<xac::Skinning> raw_skinning(Build& build, const MeshPlace& place, const Json& record,
                                          const xac::Mesh& mesh) {
    constexpr std::uint32_t all_fields = 4;
    xac::Skinning skinning;
    if (!read_record(build, record, all_fields, skinning) || !has_old_binds(build, place)) return std::nullopt;
    skinning.node = mesh.node;
    const Json* const table = member(record, "table");
    const bool is_filled = table != nullptr
                               ? take_table(build, place, *table, mesh.original_vertex_count, skinning)
                               : place.skin != no_index && derive_table(build, place, record, mesh, skinning);
    return is_filled ? std::optional(std::move(skinning)) : std::nullopt;
}

}  // namespace effigy::emfx::bridge
