/// Influences of vertices, in batches by their number.

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

#include "playback/support.hpp"

namespace effigy::playback {
namespace {

template <class T>
void add_attribute(Mesh& mesh, Semantic semantic, std::uint32_t set, ComponentType component,
                   const std::vector<T>& values, bool normalized = false) {
    Attribute attribute;
    attribute.semantic = semantic;
    attribute.set = set;
    attribute.data.element = ElementType::vec4;
    attribute.data.component = component;
    attribute.data.normalized = normalized;
    attribute.data.bytes.resize(values.size() * sizeof(T));
    std::memcpy(attribute.data.bytes.data(), values.data(), attribute.data.bytes.size());
    mesh.attributes.push_back(std::move(attribute));
}

/// Vertex 0 has two influences, 1 none, 2 one, 3 four, 4 two.
Mesh make_mesh() {
    Mesh mesh;
    mesh.vertex_count = 5;
    add_attribute<std::uint8_t>(mesh, Semantic::joints, 0, ComponentType::u8,
                                {1, 2, 200, 0, 3, 3, 3, 3, 0, 7, 0, 0, 4, 3, 2, 1, 0, 0, 5, 6});
    add_attribute<float>(mesh, Semantic::weights, 0, ComponentType::f32,
                         {0.25f, 0.5f, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0.4f, 0.3f, 0.2f, 0.1f, 0, 0, 0.75f, -0.25f});
    return mesh;
}

template <class T>
std::vector<T> copied(std::span<const T> values) {
    return {values.begin(), values.end()};
}

TEST(Influences, BatchesByNumberWithoutIdleInfluences) {
    const Result<Influences> made = make_influences(make_mesh(), 8);
    ASSERT_TRUE(made) << to_string(made.error());
    ASSERT_EQ(made->batches.size(), 3u);
    const InfluenceBatch& single = made->batches[0];
    EXPECT_EQ(single.influences, 1u);
    EXPECT_EQ(copied(single.vertices), (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(copied(single.joints), (std::vector<std::uint16_t>{0, 7}));
    EXPECT_EQ(copied(single.weights), (std::vector<float>{1, 1}));
    const InfluenceBatch& pairs = made->batches[1];
    EXPECT_EQ(pairs.influences, 2u);
    EXPECT_EQ(copied(pairs.vertices), (std::vector<std::uint32_t>{0, 4}));
    EXPECT_EQ(copied(pairs.joints), (std::vector<std::uint16_t>{1, 2, 5, 6}));
    EXPECT_EQ(copied(pairs.weights), (std::vector<float>{0.25f, 0.5f, 0.75f, -0.25f}));
    const InfluenceBatch& four = made->batches[2];
    EXPECT_EQ(four.influences, 4u);
    EXPECT_EQ(copied(four.vertices), (std::vector<std::uint32_t>{3}));
    EXPECT_EQ(copied(four.joints), (std::vector<std::uint16_t>{4, 3, 2, 1}));
}

TEST(Influences, AnySetsAndTypes) {
    Mesh mesh;
    mesh.vertex_count = 2;
    add_attribute<std::uint16_t>(mesh, Semantic::joints, 1, ComponentType::u16, {500, 0, 0, 0, 1, 2, 3, 4});
    add_attribute<std::uint8_t>(mesh, Semantic::weights, 1, ComponentType::u8, {255, 0, 0, 0, 51, 51, 51, 51}, true);
    add_attribute<std::uint32_t>(mesh, Semantic::joints, 0, ComponentType::u32, {9, 0, 0, 0, 8, 7, 6, 5});
    add_attribute<std::uint16_t>(mesh, Semantic::weights, 0, ComponentType::u16,
                                 {65535, 0, 0, 0, 13107, 13107, 13107, 13107}, true);
    const Result<Influences> made = make_influences(mesh, 501);
    ASSERT_TRUE(made) << to_string(made.error());
    ASSERT_EQ(made->batches.size(), 2u);
    EXPECT_EQ(made->batches[0].influences, 2u);
    EXPECT_EQ(copied(made->batches[0].joints), (std::vector<std::uint16_t>{9, 500}));
    EXPECT_EQ(made->batches[1].influences, 8u);
    EXPECT_EQ(copied(made->batches[1].joints), (std::vector<std::uint16_t>{8, 7, 6, 5, 1, 2, 3, 4}));
    for (const float weight : made->batches[1].weights) EXPECT_FLOAT_EQ(weight, 0.2f);
}

TEST(Influences, MovedAlongWithTheirBatches) {
    Result<Influences> made = make_influences(make_mesh(), 8);
    ASSERT_TRUE(made);
    const Influences moved = std::move(*made);
    EXPECT_EQ(moved.batches[0].vertices.data(), moved.vertices.data());
    EXPECT_EQ(moved.batches[0].joints.data(), moved.joints.data());
}

TEST(Influences, WithoutAnyEveryVertexFollowsTheFirstJoint) {
    Mesh mesh;
    mesh.vertex_count = 3;
    const Result<Influences> made = make_influences(mesh, 1);
    ASSERT_TRUE(made);
    ASSERT_EQ(made->batches.size(), 1u);
    EXPECT_EQ(copied(made->batches[0].vertices), (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(copied(made->batches[0].joints), (std::vector<std::uint16_t>{0, 0, 0}));
    mesh.vertex_count = 0;
    EXPECT_TRUE(make_influences(mesh, 0));
}

std::string code_of(const Mesh& mesh, std::size_t joints) {
    const Result<Influences> made = make_influences(mesh, joints);
    return made ? "none" : made.error().code;
}

TEST(Influences, RefusesWhatContradictsItself) {
    EXPECT_EQ(code_of(make_mesh(), 8), "none");
    EXPECT_EQ(code_of(make_mesh(), 7), "playback-index");
    EXPECT_EQ(code_of(make_mesh(), 0), "playback-size");

    Mesh mesh = make_mesh();
    mesh.attributes.pop_back();
    EXPECT_EQ(code_of(mesh, 8), "playback-size");
    mesh = make_mesh();
    mesh.attributes.erase(mesh.attributes.begin());
    EXPECT_EQ(code_of(mesh, 8), "playback-size");
    mesh = make_mesh();
    mesh.attributes[1].set = 1;
    EXPECT_EQ(code_of(mesh, 8), "playback-size");
    for (const std::size_t attribute : {0u, 1u}) {
        mesh = make_mesh();
        mesh.attributes[attribute].data.bytes.pop_back();
        EXPECT_EQ(code_of(mesh, 8), "playback-size");
    }
    mesh = make_mesh();
    mesh.attributes[0].data.element = ElementType::vec2;
    EXPECT_EQ(code_of(mesh, 8), "playback-size");
    mesh = make_mesh();
    mesh.attributes[0].data.component = ComponentType::f32;
    EXPECT_EQ(code_of(mesh, 8), "playback-value");
    mesh = make_mesh();
    mesh.attributes[1].data.component = ComponentType::u16;
    EXPECT_EQ(code_of(mesh, 8), "playback-value");
    mesh = make_mesh();
    mesh.attributes[1].data.as<float>()[0] = not_a_number;
    EXPECT_EQ(code_of(mesh, 8), "playback-value");
}

TEST(Influences, JointsThatDoNotFitAreRefusedHoweverManyThereAre) {
    Mesh mesh;
    mesh.vertex_count = 1;
    add_attribute<std::uint32_t>(mesh, Semantic::joints, 0, ComponentType::u32, {65536, 0, 0, 0});
    add_attribute<float>(mesh, Semantic::weights, 0, ComponentType::f32, {1, 0, 0, 0});
    EXPECT_EQ(code_of(mesh, 100000), "playback-index");
}

}  // namespace
}  // namespace effigy::playback
