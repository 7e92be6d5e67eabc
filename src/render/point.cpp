/// A point of a surface: interpolated attributes, base colour, detailed normal.

#include "point.hpp"

#include <algorithm>

#include "vectors.hpp"

namespace effigy::render {
namespace {

template <class T>
T interpolated(const Bulk<T>& values, const Triangle& triangle, const Hit& hit) noexcept {
    return values[triangle.a] * (1 - hit.u - hit.v) + values[triangle.b] * hit.u + values[triangle.c] * hit.v;
}

glm::vec4 sample(const Map& map, const Geometry& geometry, const Hit& hit, Encoding encoding) noexcept {
    return map.at(texcoord_at(geometry, hit, map.texcoord), encoding);
}

glm::vec4 base_color(const Model& model, const Surface& surface, const Hit& hit) noexcept {
    glm::vec4 color = surface.base;
    if (surface.base_map.used()) color *= sample(surface.base_map, model.geometry, hit, Encoding::srgb);
    if (!model.geometry.colors.empty() && !surface.collision) {
        color *= interpolated(model.geometry.colors, model.triangle(hit), hit);
    }
    return color;
}

float alpha_of(const Surface& surface, float raw) noexcept {
    switch (surface.alpha_mode) {
        case AlphaMode::mask:
            return raw >= surface.cutoff ? 1.0f : 0.0f;
        case AlphaMode::blend:
            return std::clamp(raw, 0.0f, 1.0f);
        case AlphaMode::opaque:
            break;
    }
    return 1;
}

/// The map's direction, in the frame of normal and tangent.
glm::vec3 detailed_normal(const Model& model, const Surface& surface, const Hit& hit, const glm::vec3& normal,
                          bool is_turned) noexcept {
    if (!surface.normal_map.used() || model.geometry.tangents.empty()) return normal;
    const glm::vec4 stored = interpolated(model.geometry.tangents, model.triangle(hit), hit);
    const glm::vec3 tangent = direction_or(glm::vec3(stored), glm::vec3(0));
    if (tangent == glm::vec3(0)) return normal;
    const glm::vec3 outward = is_turned ? -normal : normal;
    const glm::vec3 bitangent = glm::cross(outward, tangent) * (stored.w < 0 ? -1.0f : 1.0f);
    const glm::vec3 value = glm::vec3(sample(surface.normal_map, model.geometry, hit, Encoding::plain)) * 2.0f - 1.0f;
    const float strength = surface.normal_map.strength;
    const glm::vec3 turned = tangent * (value.x * strength) + bitangent * (value.y * strength) + outward * value.z;
    return direction_or(is_turned ? -turned : turned, normal);
}

}  // namespace

glm::vec3 face_normal(const Geometry& geometry, const Triangle& triangle) noexcept {
    const glm::vec3& a = geometry.positions[triangle.a];
    return glm::cross(geometry.positions[triangle.b] - a, geometry.positions[triangle.c] - a);
}

float raw_alpha(const Model& model, const Hit& hit) noexcept { return base_color(model, model.surface(hit), hit).a; }

glm::vec2 texcoord_at(const Geometry& geometry, const Hit& hit, std::uint32_t set) noexcept {
    return interpolated(geometry.texcoords[set], geometry.triangles[hit.triangle], hit);
}

glm::vec3 normal_at(const Geometry& geometry, const Hit& hit, const glm::vec3& direction) noexcept {
    const Triangle& triangle = geometry.triangles[hit.triangle];
    const glm::vec3 face = direction_or(face_normal(geometry, triangle), -glm::normalize(direction));
    const glm::vec3 normal = direction_or(interpolated(geometry.normals, triangle, hit), face);
    return glm::dot(face, direction) < 0 ? normal : -normal;
}

Point point_at(const Model& model, const Hit& hit, const glm::vec3& direction) noexcept {
    const Surface& surface = model.surface(hit);
    const Triangle& triangle = model.triangle(hit);
    const glm::vec4 base = base_color(model, surface, hit);
    Point point;
    point.color = glm::vec3(base);
    point.alpha = alpha_of(surface, base.a);
    point.normal = normal_at(model.geometry, hit, direction);
    point.detailed = detailed_normal(model, surface, hit, point.normal, !is_front(model.geometry, triangle, direction));
    point.metallic = surface.metallic;
    point.roughness = surface.roughness;
    if (surface.metallic_roughness_map.used()) {
        const glm::vec4 value = sample(surface.metallic_roughness_map, model.geometry, hit, Encoding::plain);
        point.metallic *= value.b;
        point.roughness *= value.g;
    }
    if (surface.occlusion_map.used()) {
        const float value = sample(surface.occlusion_map, model.geometry, hit, Encoding::plain).r;
        point.occlusion = 1 + surface.occlusion_map.strength * (value - 1);
    }
    point.emissive = surface.emissive;
    if (surface.emissive_map.used()) {
        point.emissive *= glm::vec3(sample(surface.emissive_map, model.geometry, hit, Encoding::srgb));
    }
    return point;
}

glm::vec3 lifted(const Geometry& geometry, const Hit& hit, bool is_front_side) noexcept {
    const Triangle& triangle = geometry.triangles[hit.triangle];
    const glm::vec3 flat = interpolated(geometry.positions, triangle, hit);
    const auto above = [&](std::uint32_t corner) {
        const glm::vec3 stored = direction_or(geometry.normals[corner], glm::vec3(0));
        const glm::vec3 normal = is_front_side ? stored : -stored;
        const float below = std::min(0.0f, glm::dot(flat - geometry.positions[corner], normal));
        return normal * -below;
    };
    return flat + above(triangle.a) * (1 - hit.u - hit.v) + above(triangle.b) * hit.u + above(triangle.c) * hit.v;
}

}  // namespace effigy::render
