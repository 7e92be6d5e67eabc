/// A scene's mesh as the packed numbers that an X42 group would store for it, and which of a file's codes it loses.

#include "x42/to_scene/mesh_codes.hpp"

#include <algorithm>
#include <cmath>

#include "core/json.hpp"
#include "core/lists.hpp"
#include "x42/to_scene/geometry.hpp"
#include "x42/to_scene/packing.hpp"

namespace effigy::x42::bridge {
namespace {

constexpr std::uint32_t full_weight = 255;  ///< as bytes say 1

glm::dvec3 as_vec3(const glm::dvec4& v) noexcept { return {v.x, v.y, v.z}; }

/// Whole numbers in the ratio of the weights that sum up to `full_weight`: what rounding down leaves goes to those that
/// lose most by it.
void share_out(std::span<const VertexInfluence> found, std::vector<Weight>& shares) {
    double sum = 0;
    for (const VertexInfluence& one : found) sum += one.weight;
    std::uint32_t left = full_weight;
    for (const auto& [joint, weight] : found) {
        // Bytes in floats are a little more or less than whole.
        const double exact = weight / sum * full_weight;
        const auto share = static_cast<std::uint32_t>(std::min(exact + 1e-6, static_cast<double>(left)));
        shares.push_back({joint, share});
        left -= share;
    }
    while (left-- > 0) {
        std::size_t most = 0;
        double largest = -1;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const double lost = found[i].weight / sum * full_weight - shares[i].weight;
            if (lost <= largest) continue;
            largest = lost;
            most = i;
        }
        ++shares[most].weight;
    }
    std::erase_if(shares, [](const Weight& share) { return share.weight == 0; });
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

glm::dvec4 Values::at(std::size_t vertex) const noexcept {
    glm::dvec4 result(0, 0, 0, 1);
    const std::span<const float> numbers = view_[vertex];
    for (std::size_t i = 0; i < std::min<std::size_t>(numbers.size(), 4); ++i)
        result[static_cast<int>(i)] = std::isfinite(numbers[i]) ? static_cast<double>(numbers[i]) : 0;
    return result;
}

std::span<const Weight> Weights::at(std::size_t vertex, std::uint64_t& lost) {
    shares_.clear();
    const auto found = reader_.heaviest(vertex, max_weights, InfluenceReader::Order::stored);
    lost += reader_.dropped() != 0 ? 1u : 0u;
    if (found.empty()) {
        shares_.push_back({0, full_weight});
    } else {
        share_out(found, shares_);
    }
    return shares_;
}

MeshCodes codes_of(const Mesh& mesh, const Header& header, const PackHeader& pack_header) {
    MeshCodes codes;
    const std::size_t count = mesh.vertex_count;
    const auto has = [&](std::uint16_t flag) { return (header.model_flags & flag) != 0; };
    const Values positions(mesh, Semantic::position), normals(mesh, Semantic::normal),
        tangents(mesh, Semantic::tangent), texcoords(mesh, Semantic::texcoord), colors(mesh, Semantic::color);
    for (std::size_t i = 0; i < count && !positions.empty(); ++i)
        codes.positions.push_back(pack(as_vec3(positions.at(i)), pack_header.vertex_positions));
    for (std::size_t i = 0; i < count && has(has_normals) && !normals.empty(); ++i)
        codes.normals.push_back(pack_normal(as_vec3(normals.at(i))));
    for (std::size_t i = 0; i < count && has(has_tangents) && !tangents.empty() && !normals.empty(); ++i) {
        const glm::dvec4 tangent = tangents.at(i);
        codes.tangents.push_back(pack_tangent(as_vec3(normals.at(i)), as_vec3(tangent), tangent.w));
    }
    for (std::size_t i = 0; i < count && has(has_texcoords) && !texcoords.empty(); ++i) {
        const glm::dvec4 place = texcoords.at(i);
        codes.texcoords.push_back({pack(place.x, pack_header.texcoords[0]), pack(place.y, pack_header.texcoords[1])});
    }
    for (std::size_t i = 0; i < count && has(has_colors) && !colors.empty(); ++i) {
        const glm::dvec4 color = glm::clamp(colors.at(i), 0.0, 1.0);
        PackedColor& packed = codes.colors.emplace_back();
        for (int k = 0; k < 4; ++k)
            packed[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(std::lround(color[k] * full_weight));
    }
    return codes;
}

bool has_points_only(const Mesh& mesh) noexcept {
    return !mesh.primitives.empty() &&
           std::all_of(mesh.primitives.begin(), mesh.primitives.end(),
                       [](const Primitive& primitive) { return primitive.topology == Topology::points; });
}

void append_blend(std::span<const Weight> weights, std::size_t terms, std::span<const std::uint8_t> places,
                  Bytes& blend) {
    for (std::size_t term = 0; term < terms; ++term) {
        const bool used = term < weights.size() && weights[term].joint < places.size();
        blend.push_back(static_cast<std::byte>(used ? places[weights[term].joint] : 0));
        if (term + 1 < terms) blend.push_back(static_cast<std::byte>(used ? weights[term].weight : 0));
    }
}

std::vector<std::uint8_t> places_of(std::span<const std::uint32_t> palette, std::size_t joints) {
    std::vector<std::uint8_t> places(joints, 0);
    const std::size_t most = std::min<std::size_t>(palette.size(), max_influences);
    for (std::size_t place = most; place-- > 0;) {
        if (palette[place] < joints) places[palette[place]] = static_cast<std::uint8_t>(place);
    }
    return places;
}

Json codes_record(const File& file, const Joints& joints, const Level& level, const Mesh& mesh) {
    Json json = Json::object();
    const MeshCodes packed = codes_of(mesh, file.header, file.pack);
    const auto keep = [&](const char* name, const auto& again, const auto& codes) {
        if (!same_bytes(again, codes)) json[name] = json_bytes(bytes_of(codes));
    };
    each_code(packed, file, [&](const char* name, const auto& again, const auto& all, bool) {
        std::remove_cvref_t<decltype(again)> stored;
        if (all.size() == file.vertices.size()) {
            stored.resize(level.vertex_count);
            each_vertex(level, [&](std::size_t to, std::size_t from) { stored[to] = all[from]; });
        }
        keep(name, again, stored);
    });
    keep("blend", packed_blend(file, joints, level, mesh), stored_blend(file, level));
    return json;
}

}  // namespace effigy::x42::bridge
