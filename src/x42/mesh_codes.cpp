#include "x42/mesh_codes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "x42/packing.hpp"

namespace effigy::x42::bridge {
namespace {

constexpr std::uint32_t full_weight = 255;  ///< as bytes say 1

template <class T>
double stored_number(const std::byte* place) noexcept {
    T value;
    std::memcpy(&value, place, sizeof value);
    return static_cast<double>(value);
}

double stored_number(const std::byte* place, ComponentType type) noexcept {
    switch (type) {
        case ComponentType::i8:
            return stored_number<std::int8_t>(place);
        case ComponentType::u8:
            return stored_number<std::uint8_t>(place);
        case ComponentType::i16:
            return stored_number<std::int16_t>(place);
        case ComponentType::u16:
            return stored_number<std::uint16_t>(place);
        case ComponentType::u32:
            return stored_number<std::uint32_t>(place);
        case ComponentType::f32:
            return stored_number<float>(place);
    }
    return 0;
}

double unit_of(const Accessor& accessor) noexcept {
    if (!accessor.normalized) return 1;
    switch (accessor.component) {
        case ComponentType::i8:
            return 127;
        case ComponentType::u8:
            return 255;
        case ComponentType::i16:
            return 32767;
        case ComponentType::u16:
            return 65535;
        default:
            return 1;
    }
}

const Attribute* find(const Mesh& mesh, Semantic semantic, std::uint32_t set) noexcept {
    for (const Attribute& attribute : mesh.attributes) {
        const bool is_it = attribute.semantic == semantic && attribute.set == set;
        if (is_it && attribute.data.count() == mesh.vertex_count && mesh.vertex_count != 0) return &attribute;
    }
    return nullptr;
}

glm::dvec3 as_vec3(const glm::dvec4& v) noexcept { return {v.x, v.y, v.z}; }

/// Whole numbers in the ratio of the weights that sum up to `full_weight`: what rounding down leaves goes to those that
/// lose most by it.
void share_out(std::span<const std::pair<double, std::uint32_t>> found, std::vector<Weight>& shares) {
    double sum = 0;
    for (const auto& [weight, joint] : found) sum += weight;
    std::uint32_t left = full_weight;
    for (const auto& [weight, joint] : found) {
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
            const double lost = found[i].first / sum * full_weight - shares[i].weight;
            if (lost <= largest) continue;
            largest = lost;
            most = i;
        }
        ++shares[most].weight;
    }
    std::erase_if(shares, [](const Weight& share) { return share.weight == 0; });
}

}  // namespace

Values::Values(const Mesh& mesh, Semantic semantic, std::uint32_t set) {
    const Attribute* const attribute = find(mesh, semantic, set);
    if (attribute == nullptr) return;
    accessor_ = &attribute->data;
    unit_ = unit_of(*accessor_);
    width_ = std::min<std::size_t>(component_count(accessor_->element), 4);
    stride_ = accessor_->stride();
}

glm::dvec4 Values::at(std::size_t vertex) const noexcept {
    glm::dvec4 result(0, 0, 0, 1);
    const std::byte* place = accessor_->bytes.data() + vertex * stride_;
    for (std::size_t i = 0; i < width_; ++i, place += component_size(accessor_->component)) {
        const double value = std::max(stored_number(place, accessor_->component) / unit_, unit_ == 1 ? -1e300 : -1.0);
        result[static_cast<int>(i)] = std::isfinite(value) ? value : 0;
    }
    return result;
}

Weights::Weights(const Mesh& mesh) {
    for (std::uint32_t set = 0;; ++set) {
        Values joints(mesh, Semantic::joints, set), weights(mesh, Semantic::weights, set);
        if (joints.empty() || weights.empty()) return;
        joints_.push_back(joints);
        weights_.push_back(weights);
    }
}

std::span<const Weight> Weights::at(std::size_t vertex, std::uint64_t& lost) {
    found_.clear();
    shares_.clear();
    for (std::size_t set = 0; set < joints_.size(); ++set) {
        const glm::dvec4 joints = joints_[set].at(vertex), weights = weights_[set].at(vertex);
        for (int i = 0; i < 4; ++i) {
            if (!(weights[i] > 0) || !(joints[i] >= 0) || joints[i] > 65535) continue;
            const auto joint = static_cast<std::uint32_t>(joints[i]);
            const auto same =
                std::find_if(found_.begin(), found_.end(), [&](auto& one) { return one.second == joint; });
            if (same != found_.end()) {
                same->first += weights[i];
            } else {
                found_.emplace_back(weights[i], joint);
            }
        }
    }
    if (found_.size() > most_weights) {
        ++lost;
        std::stable_sort(found_.begin(), found_.end(), [](auto& a, auto& b) { return a.first > b.first; });
        found_.resize(most_weights);
    }
    if (found_.empty()) {
        shares_.push_back({0, full_weight});
    } else {
        share_out(found_, shares_);
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
    const std::size_t most = std::min<std::size_t>(palette.size(), most_influences);
    for (std::size_t place = most; place-- > 0;) {
        if (palette[place] < joints) places[palette[place]] = static_cast<std::uint8_t>(place);
    }
    return places;
}

}  // namespace effigy::x42::bridge
