#pragma once
/// Meshes and animations made of scenes, held against what the scenes say.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <gtest/gtest.h>
#include <map>
#include <vector>

#include "effigy/poser.hpp"

#include "egosoft/check/check.hpp"
#include "egosoft/scene_builders.hpp"
#include "scene/triangles.hpp"

namespace builders {

/// The file and its report; fails the test if there is none, if it has findings, or if it does not come back from its
/// bytes as it is.
[[nodiscard]] inline Loaded<xmf::File> made_mesh(const Scene& scene, const egosoft::FromSceneOptions& options = {}) {
    auto made = egosoft::mesh_from_scene(scene, options);
    EXPECT_TRUE(made) << to_string(made.error());
    if (!made) return {};
    const Report findings = egosoft::check_mesh(made->value, options.collision);
    for (const Diagnostic& one : findings.diagnostics()) ADD_FAILURE() << to_string(one);
    const auto bytes = xmf::write(made->value);
    EXPECT_TRUE(bytes) << to_string(bytes.error());
    if (!bytes) return std::move(*made);
    const auto again = xmf::read(*bytes);
    EXPECT_TRUE(again && again->report.empty());
    if (again) made->value = again->value;
    return std::move(*made);
}

[[nodiscard]] inline glm::dvec3 wide_of(const Vec3& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// A corner of a triangle that is drawn.
struct Corner {
    glm::dvec3 position{0}, normal{0};
    Vec2 uv{};
    Index material = no_index;
};

[[nodiscard]] inline Vec2 uv_at(const Accessor& data, std::size_t vertex) {
    const auto scaled = [](auto values, float largest, std::size_t at) {
        return Vec2{static_cast<float>(values[2 * at]) / largest, static_cast<float>(values[2 * at + 1]) / largest};
    };
    if (data.component == ComponentType::u16) return scaled(data.as<std::uint16_t>(), 65535, vertex);
    if (data.component == ComponentType::u8) return scaled(data.as<std::uint8_t>(), 255, vertex);
    return data.as<Vec2>()[vertex];
}

/// The corners of all triangles at rest, without those that have no area: one material after the other, in the order
/// in which they occur.
[[nodiscard]] inline std::vector<Corner> corners_of(const Scene& scene) {
    auto poser = playback::Poser::make(scene);
    EXPECT_TRUE(poser) << to_string(poser.error());
    if (!poser) return {};
    std::vector<Corner> corners;
    for (const playback::PosedMesh& posed : poser->meshes()) {
        const Mesh& mesh = scene.meshes[posed.mesh];
        const Attribute* const uvs = find(mesh, Semantic::texcoord, 0);
        for (const Primitive& primitive : mesh.primitives) {
            for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                std::vector<Corner> three;
                for (const std::uint32_t i : {a, posed.mirrored ? c : b, posed.mirrored ? b : c}) {
                    const std::size_t vertex = primitive.first_vertex + i;
                    Corner& corner = three.emplace_back();
                    corner.position = wide_of(posed.vertices.positions[vertex]);
                    if (!posed.vertices.normals.empty()) corner.normal = wide_of(posed.vertices.normals[vertex]);
                    if (uvs != nullptr) corner.uv = uv_at(uvs->data, vertex);
                    corner.material = primitive.material;
                }
                const glm::dvec3 face =
                    glm::cross(three[1].position - three[0].position, three[2].position - three[0].position);
                if (glm::length(face) > 1e-12) corners.insert(corners.end(), three.begin(), three.end());
            });
        }
    }
    std::map<Index, std::size_t> ranks;
    for (const Corner& corner : corners) ranks.try_emplace(corner.material, ranks.size());
    std::stable_sort(corners.begin(), corners.end(),
                     [&](const Corner& a, const Corner& b) { return ranks[a.material] < ranks[b.material]; });
    return corners;
}

/// How far two lists of corners are apart.
struct Distances {
    double position = 0, normal = 0, uv = 0;  ///< normals: of each component
    std::size_t triangles = 0;
};
[[nodiscard]] inline Distances distances(const std::vector<Corner>& a, const std::vector<Corner>& b) {
    EXPECT_EQ(a.size(), b.size());
    Distances most;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        most.position = std::max(most.position, glm::distance(a[i].position, b[i].position));
        if (a[i].normal != glm::dvec3(0)) {
            const glm::dvec3 d = glm::abs(glm::normalize(a[i].normal) - b[i].normal);
            most.normal = std::max({most.normal, d.x, d.y, d.z});
        }
        most.uv = std::max({most.uv, static_cast<double>(std::fabs(a[i].uv.x - b[i].uv.x)),
                            static_cast<double>(std::fabs(a[i].uv.y - b[i].uv.y))});
    }
    most.triangles = a.size() / 3;
    return most;
}

}  // namespace builders
