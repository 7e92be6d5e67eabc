/// Vertices of a mesh where they stand in the model: normals, tangents, weights and morph targets.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <span>

#include "scene/triangles.hpp"
#include "x42/from_scene/mesh_parts.hpp"

namespace effigy::x42::bridge {
namespace {

glm::dvec3 xyz(const glm::dvec4& v) noexcept { return {v.x, v.y, v.z}; }

glm::dvec3 unit_or(const glm::dvec3& v, const glm::dvec3& fallback) noexcept {
    const double length = glm::length(v);
    return length > 1e-12 && std::isfinite(length) ? v / length : fallback;
}

glm::dvec3 some_tangent(const glm::dvec3& n) noexcept {
    return unit_or(std::abs(n.x) > 0.7 ? glm::dvec3(-n.z, 0, n.x) : glm::dvec3(0, n.z, -n.y), {1, 0, 0});
}

/// As the material moves its texture.
glm::dvec2 placed(const glm::dvec4& place, const TextureSlot* slot) {
    if (slot == nullptr) return {place.x, place.y};
    const double sine = std::sin(static_cast<double>(slot->rotation)),
                 cosine = std::cos(static_cast<double>(slot->rotation));
    const double u = place.x * static_cast<double>(slot->scale.x), v = place.y * static_cast<double>(slot->scale.y);
    const glm::dvec2 moved(cosine * u + sine * v + static_cast<double>(slot->offset.x),
                           cosine * v - sine * u + static_cast<double>(slot->offset.y));
    return std::isfinite(moved.x) && std::isfinite(moved.y) ? moved : glm::dvec2(place.x, place.y);
}

}  // namespace

PartSource::PartSource(const Part& part, const Placement& placement)
    : mesh_(*part.mesh),
      placement_(placement),
      skinned_(part.skin != nullptr),
      positions_(mesh_, Semantic::position),
      normals_(mesh_, Semantic::normal),
      tangents_(mesh_, Semantic::tangent),
      colors_(mesh_, Semantic::color),
      weights_(mesh_) {
    if (!positions_.empty()) add_targets();
    if (normals_.empty() && !positions_.empty()) compute_normals();
}

const Values& PartSource::texcoords(std::uint32_t set) {
    const auto known = texcoords_.find(set);
    return known != texcoords_.end() ? known->second
                                     : texcoords_.try_emplace(set, mesh_, Semantic::texcoord, set).first->second;
}

glm::dvec3 PartSource::position(std::size_t number) const {
    const glm::dvec3 still = xyz(positions_.at(number));
    return moved_.empty() ? still : still + moved_[number];
}

glm::dvec3 PartSource::normal(std::size_t number) const {
    if (normals_.empty()) return computed_[number];
    const glm::dvec3 still = xyz(normals_.at(number));
    return rotated_.empty() ? still : still + rotated_[number];
}

void PartSource::add_targets() {
    for (std::size_t t = 0; t < std::min(mesh_.targets.size(), mesh_.weights.size()); ++t) {
        const effigy::MorphTarget& target = mesh_.targets[t];
        const auto weight = static_cast<double>(mesh_.weights[t]);
        if (weight == 0 || !std::isfinite(weight)) continue;
        const auto add = [&](const Bulk<Vec3>& offsets, std::vector<glm::dvec3>& sums) {
            sums.resize(mesh_.vertex_count, glm::dvec3(0));
            for (std::size_t i = 0; i < std::min(offsets.size(), target.indices.size()); ++i) {
                if (target.indices[i] >= mesh_.vertex_count) continue;
                const glm::dvec3 offset(offsets[i].x, offsets[i].y, offsets[i].z);
                sums[target.indices[i]] += weight * offset;
            }
        };
        add(target.positions, moved_);
        add(target.normals, rotated_);
    }
}

SourceVertex PartSource::at(std::uint32_t number, const Values& texcoords, const TextureSlot* slot) {
    SourceVertex result;
    ModelVertex& vertex = result.vertex;
    vertex.source = number;
    vertex.position = glm::dvec3(placement_.matrix * glm::dvec4(position(number), 1));
    vertex.normal = unit_or(placement_.normals * normal(number), {0, 1, 0});
    set_tangent(number, vertex);
    if (!texcoords.empty()) vertex.texcoord = placed(texcoords.at(number), slot);
    if (!colors_.empty()) {
        const glm::dvec4 color = glm::clamp(colors_.at(number), 0.0, 1.0);
        for (int i = 0; i < 4; ++i)
            vertex.color[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::lround(color[i] * 255));
    }
    set_weights(number, result.weights);
    return result;
}

void PartSource::set_tangent(std::uint32_t number, ModelVertex& vertex) const {
    const glm::dvec4 tangent = tangents_.empty() ? glm::dvec4(0, 0, 0, 1) : tangents_.at(number);
    vertex.tangent = unit_or(glm::dmat3(placement_.matrix) * xyz(tangent), some_tangent(vertex.normal));
    // Blender has tangents along the normal where texture coordinates have no extent.
    if (glm::length(glm::cross(vertex.normal, vertex.tangent)) < 1e-3) vertex.tangent = some_tangent(vertex.normal);
    vertex.side = (tangent.w < 0) != placement_.mirrored ? -1 : 1;
}

void PartSource::set_weights(std::uint32_t number, std::vector<Weight>& result) {
    if (placement_.influences.empty()) return;
    const Weight whole{0, 255};
    const bool has_weights = skinned_ && !weights_.empty();
    for (const Weight& weight : has_weights ? weights_.at(number, lost_) : std::span(&whole, 1)) {
        const std::size_t joint = std::min<std::size_t>(weight.joint, placement_.influences.size() - 1);
        const auto influence = static_cast<std::uint32_t>(placement_.influences[joint]);
        const auto same = std::find_if(result.begin(), result.end(), [&](auto& one) { return one.joint == influence; });
        if (same != result.end()) {
            same->weight += weight.weight;
        } else {
            result.push_back({influence, weight.weight});
        }
    }
}

void PartSource::compute_normals() {
    computed_.assign(mesh_.vertex_count, glm::dvec3(0));
    for (const Primitive& primitive : mesh_.primitives) {
        for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            const std::uint64_t first = primitive.first_vertex;
            if (first + std::max({a, b, c}) >= mesh_.vertex_count) return;
            const auto at = [&](std::uint32_t i) { return position(static_cast<std::size_t>(first + i)); };
            const glm::dvec3 face = glm::cross(at(b) - at(a), at(c) - at(a));
            for (const std::uint32_t i : {a, b, c}) computed_[static_cast<std::size_t>(first + i)] += face;
        });
    }
}

}  // namespace effigy::x42::bridge
