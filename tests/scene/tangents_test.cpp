/// Tangents that are made from texture coordinates.

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "effigy/textures.hpp"

namespace effigy {
namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
float dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec3 xyz(const Vec4& v) { return {v.x, v.y, v.z}; }

template <class T>
Attribute make_attribute(Semantic semantic, ElementType element, const std::vector<T>& values, std::uint32_t set = 0) {
    Attribute attribute;
    attribute.semantic = semantic;
    attribute.set = set;
    attribute.data.element = element;
    attribute.data.bytes.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(attribute.data.bytes.data(), values.data(), attribute.data.bytes.size());
    return attribute;
}

struct Vertices {
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;
    std::vector<Vec2> texcoords;
};

/// A mesh with one primitive of all its vertices, and a material with a normal map.
Scene make_scene(const Vertices& vertices, const std::vector<std::uint32_t>& indices) {
    Scene scene;
    scene.images.push_back({"bump", "image/png", Bytes(1), {}});
    scene.materials.emplace_back().name = "bumpy";
    scene.materials[0].normal_texture.image = 0;
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.name = "body";
    mesh.vertex_count = static_cast<std::uint32_t>(vertices.positions.size());
    mesh.attributes.push_back(make_attribute(Semantic::position, ElementType::vec3, vertices.positions));
    mesh.attributes.push_back(make_attribute(Semantic::normal, ElementType::vec3, vertices.normals));
    mesh.attributes.push_back(make_attribute(Semantic::texcoord, ElementType::vec2, vertices.texcoords));
    mesh.primitives.push_back({0, mesh.vertex_count, {indices.begin(), indices.end()}, 0});
    return scene;
}

const std::vector<std::uint32_t> quad_indices{0, 1, 2, 0, 2, 3};

/// A unit square in the plane z = 0 that faces +Z. Without `mirrored`, its picture stands upright for who looks at it:
/// u runs right, v down.
Vertices make_quad(bool mirrored = false) {
    Vertices quad;
    quad.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    quad.normals.assign(4, {0, 0, 1});
    for (const Vec3& p : quad.positions) quad.texcoords.push_back({mirrored ? 1 - p.x : p.x, 1 - p.y});
    return quad;
}

/// A sphere of `columns` x `rows` quads; the seam is doubled, and so are the poles.
std::pair<Vertices, std::vector<std::uint32_t>> make_sphere(std::uint32_t columns, std::uint32_t rows) {
    std::pair<Vertices, std::vector<std::uint32_t>> result;
    auto& [sphere, indices] = result;
    for (std::uint32_t row = 0; row <= rows; ++row) {
        for (std::uint32_t column = 0; column <= columns; ++column) {
            const float u = static_cast<float>(column) / static_cast<float>(columns);
            const float v = static_cast<float>(row) / static_cast<float>(rows);
            const float longitude = 2 * std::numbers::pi_v<float> * u;
            const float colatitude = std::numbers::pi_v<float> * v;
            const Vec3 p{std::sin(colatitude) * std::sin(longitude), std::cos(colatitude),
                         std::sin(colatitude) * std::cos(longitude)};
            sphere.positions.push_back({3 * p.x, 3 * p.y, 3 * p.z});
            sphere.normals.push_back(p);
            sphere.texcoords.push_back({u, v});
        }
    }
    for (std::uint32_t row = 0; row < rows; ++row) {
        for (std::uint32_t column = 0; column < columns; ++column) {
            const std::uint32_t a = row * (columns + 1) + column;
            const std::uint32_t b = a + columns + 1;
            for (const std::uint32_t index : {a, b, a + 1, a + 1, b, b + 1}) indices.push_back(index);
        }
    }
    return result;
}

std::span<const Vec4> tangents_of(const Mesh& mesh) {
    for (const Attribute& attribute : mesh.attributes) {
        if (attribute.semantic == Semantic::tangent) return attribute.data.as<Vec4>();
    }
    return {};
}

void expect_valid_tangents(const Mesh& mesh, const std::vector<Vec3>& normals) {
    const std::span<const Vec4> tangents = tangents_of(mesh);
    ASSERT_EQ(tangents.size(), mesh.vertex_count);
    for (std::size_t i = 0; i < tangents.size(); ++i) {
        EXPECT_NEAR(dot(xyz(tangents[i]), xyz(tangents[i])), 1, 1e-5) << i;
        EXPECT_NEAR(dot(xyz(tangents[i]), normals[i]), 0, 1e-5) << i;
        EXPECT_EQ(std::abs(tangents[i].w), 1.0f) << i;
    }
}

void expect_near(const Vec3& found, const Vec3& expected, float tolerance = 1e-5f) {
    EXPECT_NEAR(found.x, expected.x, tolerance);
    EXPECT_NEAR(found.y, expected.y, tolerance);
    EXPECT_NEAR(found.z, expected.z, tolerance);
}

Vec3 bitangent_of(const Vec3& normal, const Vec4& tangent) {
    const Vec3 product = cross(normal, xyz(tangent));
    return {product.x * tangent.w, product.y * tangent.w, product.z * tangent.w};
}

TEST(Tangents, UprightPictureOnAPlane) {
    Scene scene = make_scene(make_quad(), quad_indices);
    const Report report = generate_missing_tangents(scene);
    ASSERT_EQ(report.diagnostics().size(), 1u);
    EXPECT_EQ(report.diagnostics()[0].code, "tangents-generated");
    EXPECT_EQ(report.diagnostics()[0].severity, Severity::info);
    EXPECT_EQ(report.diagnostics()[0].path, "meshes");
    ASSERT_EQ(tangents_of(scene.meshes[0]).size(), 4u);
    for (const Vec4& tangent : tangents_of(scene.meshes[0])) {
        EXPECT_EQ(tangent, (Vec4{1, 0, 0, 1}));
        expect_near(bitangent_of({0, 0, 1}, tangent), {0, 1, 0});  // up in the picture
    }
}

TEST(Tangents, MirroredPictureTurnsTheSign) {
    Scene scene = make_scene(make_quad(true), quad_indices);
    (void)generate_missing_tangents(scene);
    ASSERT_EQ(tangents_of(scene.meshes[0]).size(), 4u);
    for (const Vec4& tangent : tangents_of(scene.meshes[0])) {
        EXPECT_EQ(tangent, (Vec4{-1, 0, 0, -1}));
        expect_near(bitangent_of({0, 0, 1}, tangent), {0, 1, 0});
    }
}

TEST(Tangents, ShearedPictureKeepsUAndBecomesOrthogonal) {
    Vertices quad = make_quad();
    const Vec3 leaning{std::sqrt(0.5f), 0, std::sqrt(0.5f)};
    quad.normals.assign(4, leaning);
    for (Vec2& uv : quad.texcoords) uv = {3 * uv.x, uv.y + 0.5f * uv.x};
    // Along +u with v constant: dP/du = (1, 0.5) / 3, and up the picture is +Y.
    Scene scene = make_scene(quad, quad_indices);
    (void)generate_missing_tangents(scene);
    expect_valid_tangents(scene.meshes[0], quad.normals);
    // (2, 1, 0) less its part along the normal is (1, 1, -1).
    const float third = 1 / std::sqrt(3.0f);
    for (const Vec4& tangent : tangents_of(scene.meshes[0])) {
        expect_near(xyz(tangent), {third, third, -third});
        EXPECT_GT(bitangent_of(leaning, tangent).y, 0);
    }
}

TEST(Tangents, SphereFollowsItsParallels) {
    const std::uint32_t columns = 48;
    const std::uint32_t rows = 24;
    const auto [sphere, indices] = make_sphere(columns, rows);
    Scene scene = make_scene(sphere, indices);
    (void)generate_missing_tangents(scene);
    expect_valid_tangents(scene.meshes[0], sphere.normals);
    const std::span<const Vec4> tangents = tangents_of(scene.meshes[0]);
    for (std::uint32_t row = 1; row < rows; ++row) {
        for (std::uint32_t column = 1; column < columns; ++column) {
            const std::size_t i = row * (columns + 1) + column;
            const Vec3& n = sphere.normals[i];
            const float radius = std::hypot(n.x, n.z);
            expect_near(xyz(tangents[i]), {n.z / radius, 0, -n.x / radius}, 0.02f);
            EXPECT_EQ(tangents[i].w, 1.0f);
            EXPECT_GT(bitangent_of(n, tangents[i]).y, 0);
        }
    }
}

TEST(Tangents, CutOfThePolygonDoesNotShow) {
    // The four corners of a quad, fanned from a vertex in its middle, against two triangles: the same directions.
    Vertices quad = make_quad();
    quad.positions.push_back({0.2f, 0.7f, 0});
    quad.normals.push_back({0, 0, 1});
    quad.texcoords.push_back({0.2f, 0.3f});
    Scene scene = make_scene(quad, {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4});
    (void)generate_missing_tangents(scene);
    for (const Vec4& tangent : tangents_of(scene.meshes[0])) expect_near(xyz(tangent), {1, 0, 0});
}

TEST(Tangents, WeldedSeamOfAMirroredPictureGoesByV) {
    // Two triangles that share the edge x = 0; u runs away from it on both sides.
    Vertices wings;
    wings.positions = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {-1, 0, 0}};
    wings.normals.assign(4, {0, 0, 1});
    for (const Vec3& p : wings.positions) wings.texcoords.push_back({std::abs(p.x), 1 - p.y});
    Scene scene = make_scene(wings, {0, 2, 1, 0, 1, 3});
    const Report report = generate_missing_tangents(scene);
    expect_valid_tangents(scene.meshes[0], wings.normals);
    const std::span<const Vec4> tangents = tangents_of(scene.meshes[0]);
    for (const Vec4& tangent : tangents) expect_near(bitangent_of({0, 0, 1}, tangent), {0, 1, 0});
    EXPECT_EQ(tangents[2].w, 1.0f);
    EXPECT_EQ(tangents[3].w, -1.0f);
    EXPECT_EQ(report.diagnostics().at(0).found.find("vertices"), std::string::npos);
}

TEST(Tangents, WithoutADirectionAnyUnitVectorWillDo) {
    Vertices quad = make_quad();
    quad.texcoords.assign(4, {0.5f, 0.5f});
    quad.normals = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0.6f, 0.8f, 0}};
    Scene scene = make_scene(quad, quad_indices);
    const Report report = generate_missing_tangents(scene);
    expect_valid_tangents(scene.meshes[0], quad.normals);
    EXPECT_EQ(report.count("tangents-generated"), 1u);
    EXPECT_NE(report.diagnostics().at(0).found.find("; 4 vertices"), std::string::npos);
}

TEST(Tangents, PrimitivesCountFromTheirFirstVertexAndUseTheirOwnSet) {
    Vertices two = make_quad();
    const Vertices mirrored = make_quad(true);
    two.positions.insert(two.positions.end(), mirrored.positions.begin(), mirrored.positions.end());
    two.normals.insert(two.normals.end(), mirrored.normals.begin(), mirrored.normals.end());
    two.texcoords.resize(8, {0, 0});
    Scene scene = make_scene(two, quad_indices);
    std::vector<Vec2> second_set(4, Vec2{0, 0});
    second_set.insert(second_set.end(), mirrored.texcoords.begin(), mirrored.texcoords.end());
    scene.meshes[0].attributes.push_back(make_attribute(Semantic::texcoord, ElementType::vec2, second_set, 1));
    scene.materials.push_back(scene.materials[0]);
    scene.materials[1].normal_texture.texcoord = 1;
    scene.meshes[0].primitives = {{0, 4, {quad_indices.begin(), quad_indices.end()}, 0},
                                  {4, 4, {quad_indices.begin(), quad_indices.end()}, 1}};
    const Report report = generate_missing_tangents(scene);
    EXPECT_EQ(report.diagnostics().size(), 1u);
    const std::span<const Vec4> tangents = tangents_of(scene.meshes[0]);
    ASSERT_EQ(tangents.size(), 8u);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(tangents[i].x, i < 4 ? 1.0f : -1.0f) << i;
}

TEST(Tangents, NormalizedTexcoords) {
    Scene scene = make_scene(make_quad(), quad_indices);
    Attribute& texcoords = scene.meshes[0].attributes[2];
    texcoords =
        make_attribute<std::uint16_t>(Semantic::texcoord, ElementType::vec2, {0, 65535, 65535, 65535, 65535, 0, 0, 0});
    texcoords.data.component = ComponentType::u16;
    texcoords.data.normalized = true;
    (void)generate_missing_tangents(scene);
    ASSERT_EQ(tangents_of(scene.meshes[0]).size(), 4u);
    for (const Vec4& tangent : tangents_of(scene.meshes[0])) EXPECT_EQ(tangent, (Vec4{1, 0, 0, 1}));
}

TEST(Tangents, NothingToDo) {
    Scene without_normal_map = make_scene(make_quad(), quad_indices);
    without_normal_map.materials[0].normal_texture = {};
    EXPECT_TRUE(generate_missing_tangents(without_normal_map).empty());
    EXPECT_TRUE(tangents_of(without_normal_map.meshes[0]).empty());

    Scene with_tangents = make_scene(make_quad(), quad_indices);
    const std::vector<Vec4> own(4, Vec4{0, 1, 0, -1});
    with_tangents.meshes[0].attributes.push_back(make_attribute(Semantic::tangent, ElementType::vec4, own));
    EXPECT_TRUE(generate_missing_tangents(with_tangents).empty());
    EXPECT_EQ(with_tangents.meshes[0].attributes.size(), 4u);
    EXPECT_EQ(tangents_of(with_tangents.meshes[0])[0], own[0]);
    EXPECT_TRUE(with_tangents.materials[0].normal_texture.used());

    Scene empty;
    EXPECT_TRUE(generate_missing_tangents(empty).empty());
}

TEST(Tangents, WithoutTexcoordsTheNormalMapGoes) {
    Scene scene = make_scene(make_quad(), quad_indices);
    scene.meshes[0].attributes.pop_back();
    scene.images.insert(scene.images.begin(), {"unrelated", "image/png", Bytes(1), {}});
    scene.images.push_back({"color", "image/png", Bytes(1), {}});
    scene.materials[0].normal_texture.image = 1;
    scene.materials[0].base_color_texture.image = 2;
    const Report report = generate_missing_tangents(scene);
    ASSERT_EQ(report.diagnostics().size(), 1u);
    EXPECT_EQ(report.diagnostics()[0].code, "normal-map-without-uv");
    EXPECT_EQ(report.diagnostics()[0].severity, Severity::warning);
    EXPECT_TRUE(tangents_of(scene.meshes[0]).empty());
    EXPECT_EQ(scene.materials.size(), 1u);
    EXPECT_FALSE(scene.materials[0].normal_texture.used());
    ASSERT_EQ(scene.images.size(), 2u);  // only what the normal map left behind
    EXPECT_EQ(scene.images[scene.materials[0].base_color_texture.image].name, "color");
}

TEST(Tangents, WithoutNormalsTheNormalMapGoes) {
    Scene scene = make_scene(make_quad(), quad_indices);
    scene.meshes[0].attributes.erase(scene.meshes[0].attributes.begin() + 1);
    const Report report = generate_missing_tangents(scene);
    EXPECT_EQ(report.count("normal-map-without-normals"), 1u);
    EXPECT_FALSE(scene.materials[0].normal_texture.used());
}

TEST(Tangents, OtherMeshesKeepTheirNormalMap) {
    Scene scene = make_scene(make_quad(), quad_indices);
    for (int i = 0; i < 2; ++i) {
        scene.meshes.push_back(scene.meshes[0]);
        scene.meshes.back().attributes.pop_back();
    }
    const Report report = generate_missing_tangents(scene);
    EXPECT_EQ(report.count("normal-map-without-uv"), 2u);
    EXPECT_EQ(report.count("tangents-generated"), 1u);
    ASSERT_EQ(scene.materials.size(), 2u);
    EXPECT_TRUE(scene.materials[0].normal_texture.used());
    EXPECT_FALSE(scene.materials[1].normal_texture.used());
    EXPECT_EQ(scene.meshes[0].primitives[0].material, 0u);
    EXPECT_EQ(scene.meshes[1].primitives[0].material, 1u);
    EXPECT_EQ(scene.meshes[2].primitives[0].material, 1u);
}

TEST(Tangents, TexcoordsOfAnotherTypeAreNotUsed) {
    Scene scene = make_scene(make_quad(), quad_indices);
    Attribute& texcoords = scene.meshes[0].attributes[2];
    texcoords = make_attribute<std::int16_t>(Semantic::texcoord, ElementType::vec2, {0, 1, 1, 1, 1, 0, 0, 0});
    texcoords.data.component = ComponentType::i16;
    EXPECT_EQ(generate_missing_tangents(scene).count("normal-map-without-uv"), 1u);
}

TEST(Tangents, NumbersThatAreNotFiniteDoNotSpread) {
    for (const float bad : {not_a_number, infinite, std::numeric_limits<float>::max(), 1e-45f}) {
        for (const std::size_t attribute : {0u, 1u, 2u}) {
            Scene scene = make_scene(make_quad(), quad_indices);
            scene.meshes[0].attributes[attribute].data.as<float>()[0] = bad;
            (void)generate_missing_tangents(scene);
            const std::span<const Vec4> tangents = tangents_of(scene.meshes[0]);
            ASSERT_EQ(tangents.size(), 4u);
            for (const Vec4& tangent : tangents) {
                EXPECT_NEAR(dot(xyz(tangent), xyz(tangent)), 1, 1e-5);
                EXPECT_EQ(std::abs(tangent.w), 1.0f);
            }
        }
    }
}

TEST(Tangents, BadIndicesAreHarmless) {
    Scene scene = make_scene(make_quad(), {0, 1, 2, 0, 2, 4, 0xffffffff, 1, 2, 3});
    Mesh& mesh = scene.meshes[0];
    mesh.primitives.push_back({2, 4, {0, 1, 3}, 0});
    mesh.primitives.push_back({0xffffffff, 0xffffffff, {0, 1, 2}, 0});
    mesh.primitives.push_back({0, 4, {0, 1, 2}, 99});
    mesh.primitives.push_back({0, 4, {0, 1, 2}, no_index});
    scene.materials[0].normal_texture.image = 99;
    scene.materials[0].base_color_texture.image = 98;
    EXPECT_EQ(generate_missing_tangents(scene).count("tangents-generated"), 1u);
    EXPECT_EQ(tangents_of(mesh).size(), 4u);
    EXPECT_EQ(tangents_of(mesh)[0], (Vec4{1, 0, 0, 1}));
}

TEST(Tangents, ArraysOfTheWrongLengthAreNotRead) {
    for (const std::size_t attribute : {0u, 1u, 2u}) {
        for (const int change : {-1, 1}) {
            Scene scene = make_scene(make_quad(), quad_indices);
            Bytes& bytes = scene.meshes[0].attributes[attribute].data.bytes;
            bytes.resize(static_cast<std::size_t>(static_cast<int>(bytes.size()) + 12 * change));
            (void)generate_missing_tangents(scene);
            EXPECT_TRUE(tangents_of(scene.meshes[0]).empty());
            EXPECT_FALSE(scene.materials[0].normal_texture.used());
        }
    }
    Scene scene = make_scene(make_quad(), quad_indices);
    scene.meshes[0].vertex_count = 0xffffffff;
    EXPECT_EQ(generate_missing_tangents(scene).count("tangents-generated"), 0u);
}

}  // namespace
}  // namespace effigy
