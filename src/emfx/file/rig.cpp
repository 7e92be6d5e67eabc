/// The names of actors and motions, and where they have their nodes.

#include "emfx/file/rig.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>
#include <variant>

#include "emfx/file/formats.hpp"

namespace effigy::emfx {
namespace {

std::optional<Vec3> place(const Vec3& position) {
    const bool is_finite = std::isfinite(position.x) && std::isfinite(position.y) && std::isfinite(position.z);
    return is_finite ? std::optional(position) : std::nullopt;
}

/// Props of all kinds have one of these, and nothing else that moves.
bool is_plain_name(std::string_view name) {
    constexpr std::array<std::string_view, 4> plain{"Root", "Root_M", "joint1", "Ship"};
    return std::find(plain.begin(), plain.end(), name) != plain.end();
}

void mark(std::vector<RigPart>& nodes, std::uint32_t node) {
    if (node < nodes.size()) nodes[node].moves = true;
}

void mark_moving(std::vector<RigPart>& nodes, const xac::File& file) {
    std::map<MeshKey, const xac::Skinning*> skinnings;
    for (const xac::Chunk& chunk : file.chunks) {
        const auto* skinning = std::get_if<xac::Skinning>(&chunk.record);
        if (skinning != nullptr) skinnings.try_emplace(key_of(*skinning), skinning);
    }
    for (const xac::Chunk& chunk : file.chunks) {
        const auto* mesh = std::get_if<xac::Mesh>(&chunk.record);
        if (mesh == nullptr || mesh->is_collision != 0 || mesh->lod != 0) continue;
        const auto found = skinnings.find(key_of(*mesh));
        if (found == skinnings.end()) {
            mark(nodes, mesh->node);
            continue;
        }
        // Many meshes may have one key, and a long table need not be read for each.
        const xac::Skinning* skinning = std::exchange(found->second, nullptr);
        if (skinning == nullptr) continue;
        const auto add = [&](const xac::Influence& influence) {
            if (influence.weight > 0) mark(nodes, influence.node);
        };
        std::for_each(skinning->influences.begin(), skinning->influences.end(), add);
        for (const xac::VertexInfluences& vertex : skinning->vertices)
            std::for_each(vertex.influences.begin(), vertex.influences.end(), add);
    }
}

template <class Info, class File>
std::string source_of(const File& file) {
    for (const auto& chunk : file.chunks) {
        if (const auto* info = std::get_if<Info>(&chunk.record)) return info->original_file;
    }
    return {};
}

template <class Submotion>
RigPart track_of(const Submotion& submotion) {
    return {submotion.node_name, has_movement(submotion), place(submotion.bind_pose_position)};
}
RigPart track_of(const xsm::Wavelet& motion, std::size_t node) {
    const xsm::WaveletSubmotion& submotion = motion.submotions[node];
    return {submotion.node_name, node < motion.mappings.size() && has_movement(motion.mappings[node]),
            place(submotion.bind_pose_position)};
}

}  // namespace

Rig rig_of(const xac::File& file) {
    Rig rig;
    for (const xac::Node* node : xac::nodes(file)) rig.nodes.push_back({node->name, false, place(node->position)});
    mark_moving(rig.nodes, file);
    for (const xac::Chunk& chunk : file.chunks) {
        for (const xac::MorphTarget& target : records_in(chunk.record, &xac::MorphTargets::targets))
            rig.targets.push_back({target.name, true, {}});
    }
    const auto moves = [](const RigPart& node) { return node.moves; };
    const auto only = std::find_if(rig.nodes.begin(), rig.nodes.end(), moves);
    rig.is_plain = std::count_if(rig.nodes.begin(), rig.nodes.end(), moves) == 1 && is_plain_name(only->name);
    // Tree of Savior's actors, which alone have such materials, are all of 3ds Max's biped.
    rig.shares_names = std::any_of(file.chunks.begin(), file.chunks.end(), [](const xac::Chunk& chunk) {
        return std::holds_alternative<xac::FxMaterial>(chunk.record);
    });
    rig.source = source_of<xac::Info>(file);
    return rig;
}

Rig rig_of(const xsm::File& file) {
    Rig rig;
    for (const xsm::Chunk& chunk : file.chunks) {
        const auto add = [&](const auto& record) {
            if constexpr (requires { record.mappings; }) {
                for (std::size_t i = 0; i < record.submotions.size(); ++i) rig.nodes.push_back(track_of(record, i));
            } else if constexpr (requires { record.submotions; }) {
                for (const auto& submotion : record.submotions) rig.nodes.push_back(track_of(submotion));
            } else if constexpr (requires { record.node_name; }) {
                rig.nodes.push_back(track_of(record));
            }
        };
        std::visit(add, chunk.record);
    }
    rig.source = source_of<MotionInfo>(file);
    return rig;
}

Rig rig_of(const xpm::File& file) {
    Rig rig;
    for (const xpm::Chunk& chunk : file.chunks) {
        const auto add = [&](const auto& record) {
            if constexpr (requires { record.submotions; }) {
                for (const auto& submotion : record.submotions) rig.targets.push_back({submotion.name, true, {}});
            } else if constexpr (requires { record.keys; }) {
                rig.targets.push_back({record.name, true, {}});
            }
        };
        std::visit(add, chunk.record);
    }
    rig.source = source_of<MotionInfo>(file);
    return rig;
}

}  // namespace effigy::emfx
