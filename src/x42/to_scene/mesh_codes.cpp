/// A scene's mesh as the packed numbers that an X42 group would store for it.

#include "x42/to_scene/mesh_codes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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

}  // namespace effigy::x42::bridge
