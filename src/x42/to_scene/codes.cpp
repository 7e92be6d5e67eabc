/// Codes of vertices that packing a mesh again would not give back.

#include <cstring>

#include "x42/to_scene/geometry.hpp"
#include "x42/to_scene/mesh_codes.hpp"

namespace effigy::x42::bridge {
namespace {

/// The codes of a level's vertices as they stand in the file.
MeshCodes stored_codes(const File& file, const Level& level) {
    MeshCodes codes;
    const auto gather = [&](const auto& all, auto& some) {
        if (all.size() != file.vertices.size()) return;
        some.resize(level.vertex_count);
        each_vertex(level, [&](std::size_t to, std::size_t from) { some[to] = all[from]; });
    };
    gather(file.vertices, codes.positions);
    gather(file.normals, codes.normals);
    gather(file.tangents, codes.tangents);
    gather(file.texcoords, codes.texcoords);
    gather(file.colors, codes.colors);
    return codes;
}

template <class T>
bool same(const Bulk<T>& a, const Bulk<T>& b) noexcept {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

Bytes stored_blend(const File& file, const Level& level) {
    Bytes blend;
    for (const Piece& piece : level.pieces) {
        if (!piece.group->has_blend) continue;
        const auto first = file.blend.begin() + static_cast<std::ptrdiff_t>(piece.group->blend);
        const auto size = static_cast<std::ptrdiff_t>(blend_size(file.groups[piece.group->number]));
        blend.insert(blend.end(), first, first + size);
    }
    return blend;
}

Bytes packed_blend(const File& file, const Joints& joints, const Level& level, const Mesh& mesh) {
    Bytes blend;
    Weights weights(mesh);
    std::uint64_t lost = 0;
    for (const Piece& piece : level.pieces) {
        const Group& group = file.groups[piece.group->number];
        if (group.vertex_influences == 0 || group.vertex_influences > max_weights || weights.empty()) continue;
        std::vector<std::uint32_t> palette;
        for (std::size_t i = 0; i < std::min<std::size_t>(group.influence_count, max_influences); ++i) {
            const std::uint16_t place = group.influences[i];
            palette.push_back(place < joints.of_influences.size() ? joints.of_influences[place] : no_index);
        }
        const auto places = places_of(palette, joints.joint_count);
        for (std::uint32_t i = 0; i < piece.group->vertex_count; ++i) {
            append_blend(weights.at(std::size_t{piece.first_vertex} + i, lost), group.vertex_influences, places, blend);
        }
    }
    return blend;
}

}  // namespace

Json codes_record(const File& file, const Joints& joints, const Level& level, const Mesh& mesh) {
    Json json = Json::object();
    const MeshCodes packed = codes_of(mesh, file.header, file.pack), stored = stored_codes(file, level);
    const auto keep = [&](const char* name, const auto& again, const auto& codes) {
        if (!same(again, codes)) json[name] = json_bytes(bytes_of(codes));
    };
    keep("positions", packed.positions, stored.positions);
    keep("normals", packed.normals, stored.normals);
    keep("tangents", packed.tangents, stored.tangents);
    keep("texcoords", packed.texcoords, stored.texcoords);
    keep("colors", packed.colors, stored.colors);
    keep("blend", packed_blend(file, joints, level, mesh), stored_blend(file, level));
    return json;
}

}  // namespace effigy::x42::bridge
