/// The same geometry in another order is no difference; what is changed in it is found all the same.

#include <algorithm>
#include <array>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "effigy/diff.hpp"

#include "gltf/rich_scene.hpp"
#include "reports.hpp"

namespace effigy::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> codes(const Scene& a, const Scene& b, const DiffOptions& options = {}) {
    const auto report = diff_scenes(a, b, options);
    EXPECT_TRUE(report) << to_string(report.error());
    return report ? codes_of(*report) : std::vector<std::string>();
}

/// `order[new] = old`; every primitive then reaches over all vertices.
void reorder_vertices(Mesh& mesh, const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> place(mesh.vertex_count);
    for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    for (Attribute& attribute : mesh.attributes) {
        const std::size_t stride = attribute.data.stride();
        Bytes bytes(order.size() * stride);
        for (std::size_t i = 0; i < order.size(); ++i)
            std::memcpy(bytes.data() + i * stride, attribute.data.bytes.data() + order[i] * stride, stride);
        attribute.data.bytes = std::move(bytes);
    }
    for (Primitive& primitive : mesh.primitives) {
        for (std::uint32_t& index : primitive.indices) index = place[index + primitive.first_vertex];
        primitive.first_vertex = 0;
        primitive.vertex_count = mesh.vertex_count;
    }
    for (MorphTarget& target : mesh.targets) {
        std::vector<std::size_t> by_place(target.indices.size());
        std::iota(by_place.begin(), by_place.end(), std::size_t{0});
        std::sort(by_place.begin(), by_place.end(),
                  [&](std::size_t a, std::size_t b) { return place[target.indices[a]] < place[target.indices[b]]; });
        MorphTarget moved{target.name, {}, {}, {}, {}};
        for (const std::size_t i : by_place) {
            moved.indices.push_back(place[target.indices[i]]);
            if (!target.positions.empty()) moved.positions.push_back(target.positions[i]);
            if (!target.normals.empty()) moved.normals.push_back(target.normals[i]);
        }
        target = std::move(moved);
    }
}

void shuffle_triangles(Primitive& primitive, std::mt19937& random) {
    if (primitive.indices.empty()) return;
    std::vector<std::array<std::uint32_t, 3>> triangles(primitive.indices.size() / 3);
    std::memcpy(triangles.data(), primitive.indices.data(), triangles.size() * 12);
    std::shuffle(triangles.begin(), triangles.end(), random);
    for (auto& triangle : triangles) {
        const auto turns = static_cast<std::ptrdiff_t>(random() % 3);
        std::rotate(triangle.begin(), triangle.begin() + turns, triangle.end());
    }
    std::memcpy(primitive.indices.data(), triangles.data(), triangles.size() * 12);
}

Scene shuffled_scene(std::uint32_t seed = 1) {
    std::mt19937 random(seed);
    Scene scene = rich_scene();
    for (Mesh& mesh : scene.meshes) {
        std::vector<std::uint32_t> order(mesh.vertex_count);
        std::iota(order.begin(), order.end(), 0U);
        std::shuffle(order.begin(), order.end(), random);
        reorder_vertices(mesh, order);
        for (Primitive& primitive : mesh.primitives) shuffle_triangles(primitive, random);
        std::shuffle(mesh.primitives.begin(), mesh.primitives.end(), random);
    }
    return scene;
}

DiffOptions exact() {
    DiffOptions options;
    options.tolerances = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    return options;
}

TEST(DiffShuffled, OrderIsNoMeaning) {
    for (std::uint32_t seed = 1; seed < 20; ++seed) {
        EXPECT_THAT(codes(rich_scene(), shuffled_scene(seed), exact()), IsEmpty());
        EXPECT_THAT(codes(rich_scene(), shuffled_scene(seed)), IsEmpty());
    }
}

TEST(DiffShuffled, StripsAreTriangles) {
    const Scene a = scene_of_all_topologies();
    Scene b = a;
    for (Primitive& primitive : b.meshes[0].primitives) {
        if (primitive.topology != Topology::triangle_strip) continue;
        primitive.topology = Topology::triangles;
        primitive.indices = {0, 3, 1, 3, 4, 1, 1, 4, 2};
    }
    EXPECT_THAT(codes(a, b, exact()), IsEmpty());
}

TEST(DiffShuffled, EachTriangleMayHaveVerticesOfItsOwn) {
    Scene split = rich_scene();
    Mesh& mesh = split.meshes[rich::static_mesh];
    std::vector<std::uint32_t> order(mesh.primitives[0].indices.begin(), mesh.primitives[0].indices.end());
    Accessor& positions = mesh.attributes[0].data;
    Bytes bytes(order.size() * 12);
    for (std::size_t i = 0; i < order.size(); ++i)
        std::memcpy(bytes.data() + i * 12, positions.bytes.data() + order[i] * 12, 12);
    positions.bytes = std::move(bytes);
    mesh.vertex_count = static_cast<std::uint32_t>(order.size());
    mesh.primitives[0].vertex_count = mesh.vertex_count;
    std::iota(mesh.primitives[0].indices.begin(), mesh.primitives[0].indices.end(), 0U);
    EXPECT_THAT(codes(rich_scene(), split, exact()), IsEmpty());
}

TEST(DiffShuffled, NodesMayStandInAnyOrder) {
    Scene a = rich_scene(), b = rich_scene();
    a.clips.clear();
    b.clips.clear();
    // The last two nodes change places.
    std::swap(b.nodes[rich::lod_node], b.nodes[rich::empty_mesh_node]);
    b.nodes[rich::static_node].lods = {rich::empty_mesh_node};
    EXPECT_THAT(codes(a, b, exact()), IsEmpty());
}

TEST(DiffShuffled, InfluencesMayStandInAnyOrder) {
    Scene scene = rich_scene();
    for (Attribute& attribute : scene.meshes[rich::body_mesh].attributes) {
        if (attribute.set != 0) continue;
        if (attribute.semantic == Semantic::joints) {
            for (std::size_t i = 0; i < attribute.data.bytes.size(); i += 4)
                std::swap(attribute.data.bytes[i], attribute.data.bytes[i + 1]);
        }
        if (attribute.semantic == Semantic::weights) {
            const auto weights = attribute.data.as<float>();
            for (std::size_t i = 0; i < weights.size(); i += 4) std::swap(weights[i], weights[i + 1]);
        }
    }
    EXPECT_THAT(codes(rich_scene(), scene, exact()), IsEmpty());
}

TEST(DiffShuffled, JointsGoByTheirNodes) {
    Scene scene = rich_scene();
    Skin& skin = scene.skins[0];
    std::swap(skin.joints[0], skin.joints[1]);
    std::swap(skin.inverse_bind_matrices[0], skin.inverse_bind_matrices[1]);
    for (Attribute& attribute : scene.meshes[rich::body_mesh].attributes) {
        if (attribute.semantic != Semantic::joints || attribute.set != 0) continue;
        for (std::byte& joint : attribute.data.bytes) {
            if (joint < std::byte{2}) joint ^= std::byte{1};
        }
    }
    EXPECT_THAT(codes(rich_scene(), scene, exact()), IsEmpty());
}

TEST(DiffShuffled, ChangesAreFound) {
    Scene normals = shuffled_scene();
    for (Attribute& attribute : normals.meshes[rich::body_mesh].attributes) {
        if (attribute.semantic == Semantic::normal) attribute.data.as<float>()[3 * 11] += 0.5f;
    }
    EXPECT_THAT(codes(rich_scene(), normals), ElementsAre("diff-normal"));
    Scene material = shuffled_scene();
    for (Primitive& primitive : material.meshes[rich::body_mesh].primitives) {
        if (primitive.material == 1) primitive.material = 3;
    }
    EXPECT_THAT(codes(rich_scene(), material), ElementsAre("diff-assignment"));
    Scene moved = shuffled_scene();
    for (Attribute& attribute : moved.meshes[rich::body_mesh].attributes) {
        if (attribute.semantic == Semantic::position) attribute.data.as<float>()[3 * 11] += 0.5f;
    }
    EXPECT_THAT(codes(rich_scene(), moved), ElementsAre("diff-triangles"));
}

TEST(DiffShuffled, NoiseWithinTheTolerancesIsNone) {
    Scene scene = shuffled_scene();
    std::mt19937 random(7);
    std::uniform_real_distribution<float> noise(-1, 1);
    for (Attribute& attribute : scene.meshes[rich::body_mesh].attributes) {
        if (attribute.semantic != Semantic::position && attribute.semantic != Semantic::normal) continue;
        const float most = attribute.semantic == Semantic::position ? 4e-5f : 0.007f;  // the mesh is 3.26 long
        for (float& value : attribute.data.as<float>()) value += most * noise(random);
    }
    EXPECT_THAT(codes(rich_scene(), scene), IsEmpty());
}

/// A wavy field of `side` times `side` squares.
Scene field(std::uint32_t side) {
    Scene scene;
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.vertex_count = (side + 1) * (side + 1);
    std::vector<float> places;
    for (std::uint32_t i = 0; i < mesh.vertex_count; ++i) {
        const auto x = static_cast<float>(i % (side + 1)), y = static_cast<float>(i / (side + 1));
        places.insert(places.end(), {x, y, 0.1f * x * y});
    }
    mesh.attributes = {
        {Semantic::position, 0, "", make_accessor(ElementType::vec3, ComponentType::f32, false, places)}};
    Primitive& primitive = mesh.primitives.emplace_back();
    primitive.vertex_count = mesh.vertex_count;
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            const std::uint32_t at = y * (side + 1) + x;
            for (const std::uint32_t index : {at, at + 1, at + side + 1, at + 1, at + side + 2, at + side + 1})
                primitive.indices.push_back(index);
        }
    }
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    return scene;
}

TEST(DiffShuffled, LargeMeshesTakeNoTimeForEachPair) {
    const Scene a = field(300);
    Scene b = field(300);
    std::mt19937 random(3);
    std::vector<std::uint32_t> order(b.meshes[0].vertex_count);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random);
    reorder_vertices(b.meshes[0], order);
    for (float& value : b.meshes[0].attributes[0].data.as<float>()) value += 1e-4f;  // nothing is equal to the bit
    EXPECT_THAT(codes(a, b), IsEmpty());
    for (float& value : b.meshes[0].attributes[0].data.as<float>()) value += 0.3f;
    EXPECT_THAT(codes(a, b), ElementsAre("diff-triangles"));
    // All in one spot.
    for (float& value : b.meshes[0].attributes[0].data.as<float>()) value = 0;
    EXPECT_THAT(codes(a, b), ElementsAre("diff-triangles"));
    EXPECT_THAT(codes(b, b), IsEmpty());
}

}  // namespace
}  // namespace effigy::test
