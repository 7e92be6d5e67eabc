// Attributes as numbers, influences, world matrices, tracks at any time.

#include <array>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "effigy/scene_access.hpp"

namespace effigy::test {
namespace {

template <class Stored>
void add(Mesh& mesh, Semantic semantic, ElementType element, ComponentType component, bool normalized,
         const std::vector<Stored>& values, std::uint32_t set = 0) {
    Attribute& attribute = mesh.attributes.emplace_back();
    attribute.semantic = semantic;
    attribute.set = set;
    attribute.data.element = element;
    attribute.data.component = component;
    attribute.data.normalized = normalized;
    attribute.data.bytes.resize(values.size() * sizeof(Stored));
    std::memcpy(attribute.data.bytes.data(), values.data(), attribute.data.bytes.size());
}

template <class Number>
std::vector<Number> all_of(const Mesh& mesh) {
    const NumberView<Number> view(&mesh.attributes.front());
    return {view.values().begin(), view.values().end()};
}

template <class Stored>
std::vector<double> numbers(ComponentType component, bool normalized, const std::vector<Stored>& values) {
    Mesh mesh;
    mesh.vertex_count = static_cast<std::uint32_t>(values.size());
    add(mesh, Semantic::custom, ElementType::scalar, component, normalized, values);
    const std::vector<float> floats = all_of<float>(mesh);
    const std::vector<double> doubles = all_of<double>(mesh);
    for (std::size_t i = 0; i < doubles.size(); ++i) EXPECT_EQ(floats[i], static_cast<float>(doubles[i]));
    return doubles;
}

TEST(Attributes, AreNumbersWhateverTheyAreStoredAs) {
    using List = std::vector<double>;
    EXPECT_EQ(numbers<std::int8_t>(ComponentType::i8, false, {-128, -1, 127}), (List{-128, -1, 127}));
    EXPECT_EQ(numbers<std::int8_t>(ComponentType::i8, true, {-128, -127, 0, 127}), (List{-1, -1, 0, 1}));
    EXPECT_EQ(numbers<std::uint8_t>(ComponentType::u8, false, {0, 255}), (List{0, 255}));
    EXPECT_EQ(numbers<std::uint8_t>(ComponentType::u8, true, {0, 51, 255}), (List{0, 51 / 255.0, 1}));
    EXPECT_EQ(numbers<std::int16_t>(ComponentType::i16, false, {-32768, 5}), (List{-32768, 5}));
    EXPECT_EQ(numbers<std::int16_t>(ComponentType::i16, true, {-32768, 32767}), (List{-1, 1}));
    EXPECT_EQ(numbers<std::uint16_t>(ComponentType::u16, false, {0, 65535}), (List{0, 65535}));
    EXPECT_EQ(numbers<std::uint16_t>(ComponentType::u16, true, {0, 65535}), (List{0, 1}));
    EXPECT_EQ(numbers<std::uint32_t>(ComponentType::u32, false, {7, 65536}), (List{7, 65536}));
    EXPECT_EQ(numbers<std::uint32_t>(ComponentType::u32, true, {0, 4294967295u}), (List{0, 1}));
    EXPECT_EQ(numbers<float>(ComponentType::f32, false, {-1.5f, 3e8f}), (List{-1.5, 3e8f}));
    EXPECT_EQ(numbers<float>(ComponentType::f32, true, {-1.5f, 300}), (List{-1.5, 300}));
}

TEST(Attributes, AreWholeNumbersWhereTheyCanBe) {
    Mesh mesh;
    mesh.vertex_count = 5;
    add<float>(mesh, Semantic::custom, ElementType::scalar, ComponentType::f32, false, {3, 0.5f, -1, 1e30f, NAN});
    EXPECT_EQ(all_of<std::uint32_t>(mesh), (std::vector<std::uint32_t>{3, no_index, no_index, no_index, no_index}));
    mesh.attributes.clear();
    add<std::int16_t>(mesh, Semantic::custom, ElementType::scalar, ComponentType::i16, true, {3, -1, 0, 9, 32767});
    EXPECT_EQ(all_of<std::uint32_t>(mesh), (std::vector<std::uint32_t>{3, no_index, 0, 9, 32767}));
}

TEST(Attributes, AreNotCopiedWhereTheTypeIsTheOneAskedFor) {
    Mesh mesh;
    mesh.vertex_count = 1;
    add<float>(mesh, Semantic::position, ElementType::vec3, ComponentType::f32, false, {1, 2, 3});
    FloatView view(mesh, Semantic::position);
    EXPECT_EQ(view.values().data(), mesh.attributes[0].data.as<float>().data());
    EXPECT_EQ(view[0][2], 3);
    const NumberView<double> copy(mesh, Semantic::position);
    EXPECT_EQ(copy.width(), 3u);
    EXPECT_EQ(copy[0][1], 2.0);
    const FloatView moved = std::move(view);
    EXPECT_EQ(moved[0][0], 1);
}

TEST(Attributes, MustHaveOneElementForEachVertex) {
    Mesh mesh;
    mesh.vertex_count = 2;
    add<float>(mesh, Semantic::texcoord, ElementType::vec2, ComponentType::f32, false, {1, 2, 3, 4}, 1);
    add<float>(mesh, Semantic::position, ElementType::vec3, ComponentType::f32, false, {1, 2, 3});
    mesh.attributes.emplace_back().semantic = Semantic::custom;
    mesh.attributes.back().custom_name = "_A";
    mesh.attributes.back().data.component = static_cast<ComponentType>(7);
    EXPECT_EQ(find_attribute(mesh, Semantic::texcoord, 1), &mesh.attributes[0]);
    EXPECT_EQ(find_attribute(mesh, Semantic::texcoord), nullptr);
    EXPECT_EQ(find_attribute(mesh, Semantic::position), nullptr);
    EXPECT_EQ(find_attribute(mesh, "_A"), nullptr);
    EXPECT_TRUE(FloatView(mesh, Semantic::position).empty());
    mesh.vertex_count = 0;
    mesh.attributes.back().data.component = ComponentType::f32;
    EXPECT_EQ(find_attribute(mesh, "_A"), &mesh.attributes[2]);
}

TEST(Attributes, AreWidenedAndCut) {
    Mesh mesh;
    mesh.vertex_count = 2;
    add<std::uint8_t>(mesh, Semantic::color, ElementType::vec3, ComponentType::u8, true, {255, 0, 0, 0, 255, 0});
    std::vector<float> colors(8, 1.0f), pairs(4, 7.0f);
    read_numbers<float>(mesh.attributes[0].data, colors, 4);
    read_numbers<float>(mesh.attributes[0].data, pairs, 2);
    EXPECT_EQ(colors, (std::vector<float>{1, 0, 0, 1, 0, 1, 0, 1}));
    EXPECT_EQ(pairs, (std::vector<float>{1, 0, 0, 1}));
}

Mesh weighted(const std::vector<std::uint16_t>& joints, const std::vector<float>& weights) {
    Mesh mesh;
    mesh.vertex_count = 1;
    for (std::uint32_t set = 0; set < joints.size() / 4; ++set) {
        const auto first = static_cast<std::ptrdiff_t>(4 * set);
        add<std::uint16_t>(mesh, Semantic::joints, ElementType::vec4, ComponentType::u16, false,
                           {joints.begin() + first, joints.begin() + first + 4}, set);
        add<float>(mesh, Semantic::weights, ElementType::vec4, ComponentType::f32, false,
                   {weights.begin() + first, weights.begin() + first + 4}, set);
    }
    return mesh;
}

using Pairs = std::vector<std::pair<std::uint32_t, double>>;
Pairs pairs(std::span<const VertexInfluence> list) {
    Pairs result;
    for (const VertexInfluence& one : list) result.emplace_back(one.joint, one.weight);
    return result;
}

TEST(Influences, AreThoseOfAllSets) {
    const float infinity = std::numeric_limits<float>::infinity();
    const Mesh mesh = weighted({0, 1, 2, 9, 3, 1, 0, 2}, {0.125f, 0.25f, 0, 0.5f, 0.25f, 0.5f, -1, infinity});
    InfluenceReader reader(mesh, 4);
    EXPECT_EQ(pairs(reader.all(0)), (Pairs{{0, 0.125}, {1, 0.25}, {3, 0.25}, {1, 0.5}}));
    EXPECT_EQ(pairs(reader.heaviest(0, 8)), (Pairs{{1, 0.75}, {3, 0.25}, {0, 0.125}}));
    EXPECT_EQ(reader.dropped(), 0u);
    EXPECT_EQ(pairs(reader.heaviest(0, 8, InfluenceReader::Order::stored)), (Pairs{{0, 0.125}, {1, 0.75}, {3, 0.25}}));
    EXPECT_EQ(pairs(reader.heaviest(0, 1, InfluenceReader::Order::stored)), (Pairs{{1, 0.75}}));
    EXPECT_EQ(reader.dropped(), 2u);
    EXPECT_DOUBLE_EQ(reader.dropped_weight(), 1.0 / 3);
    InfluenceReader joined(mesh, 4, {5, 6, 7, 5});
    EXPECT_EQ(pairs(joined.heaviest(0, 8)), (Pairs{{1, 0.75}, {0, 0.375}}));
    EXPECT_TRUE(InfluenceReader(Mesh(), 4).empty());
}

TEST(Worlds, FollowParentsWhereverTheyStand) {
    Scene scene;
    scene.nodes.resize(5);
    scene.nodes[0].local.translation = {1, 0, 0};
    scene.nodes[2].local.scale = {2, 2, 2};
    scene.nodes[2].local.rotation = {0, 0, 3, 3};  // a right angle about Z, and not of unit length
    add_child(scene, 2, 0);
    scene.nodes[1].parent = 3;  // in a circle, and node 4 below it
    scene.nodes[3].parent = 1;
    scene.nodes[4].parent = 3;
    EXPECT_EQ(parents_first(scene), (std::vector<Index>{2, 0}));
    const auto worlds = world_matrices(scene);
    ASSERT_EQ(worlds.size(), 5u);
    EXPECT_NEAR(worlds[0][12], 0, 1e-15);
    EXPECT_NEAR(worlds[0][13], 2, 1e-15);
    EXPECT_EQ(worlds[4][0], 1);
}

TEST(Worlds, WithoutNumbersAreThoseOfTheParent) {
    Scene scene;
    scene.nodes.resize(3);
    scene.nodes[0].local.translation = {5, 0, 0};
    scene.nodes[1].local.translation.y = std::numeric_limits<float>::quiet_NaN();
    scene.nodes[2].matrix = Mat4{};
    scene.nodes[2].matrix->m[5] = std::numeric_limits<float>::infinity();
    add_child(scene, 0, 1);
    add_child(scene, 0, 2);
    scene.nodes[0].local.rotation = {0, 0, 0, 0};
    const auto worlds = world_matrices(scene);
    EXPECT_EQ(worlds[1], worlds[0]);
    EXPECT_EQ(worlds[2], worlds[0]);
    EXPECT_EQ(worlds[0][12], 5);
    EXPECT_EQ(worlds[0][0], 1);
}

Track rotation_track() {
    Track track;
    track.node = 0;
    track.path = TrackPath::rotation;
    track.times = {1, 2};
    const float half = std::sqrt(0.5f);
    track.values = {0, 0, 0, 1, 0, 0, half, half};  // a right angle about Z
    return track;
}

double degrees(const TrackSampler& sampler, double time) {
    std::array<double, 4> q{};
    sampler.at(time, q);
    return 2 * std::atan2(q[2], q[3]) * 180 / 3.14159265358979323846;
}

TEST(TrackSampler, GoesByTheRulesOfTheClip) {
    const Track track = rotation_track();
    const double straight =
        2 * std::atan2(0.25 * std::sqrt(0.5), 0.75 + 0.25 * std::sqrt(0.5)) * 180 / 3.14159265358979;
    const TrackSampler arc(track, 4, {RotationRule::slerp, false});
    const TrackSampler line(track, 4, {RotationRule::nlerp, true});
    const TrackSampler angle(track, 4, {RotationRule::by_angle, false});
    EXPECT_NEAR(degrees(arc, 1.25), 22.5, 1e-5);
    EXPECT_NEAR(degrees(line, 1.25), straight, 1e-5);
    EXPECT_NEAR(degrees(angle, 1.25), straight, 1e-5);
    EXPECT_GT(22.5 - straight, 0.5);
    EXPECT_NEAR(degrees(arc, 0.5), 0, 1e-5);
    EXPECT_NEAR(degrees(line, 0.5), 90, 1e-5);
    EXPECT_NEAR(degrees(line, 7), 90, 1e-5);
}

TEST(TrackSampler, StepsAndBends) {
    Track track;
    track.interpolation = Interpolation::step;
    track.times = {0, 0.1f};
    track.values = {1, 2, 3, 4, 5, 6};
    std::array<double, 3> out{};
    const auto at = [&](double time) {
        TrackSampler(track, 3, {}).at(time, out);
        return out[0];
    };
    EXPECT_EQ(at(0.0999), 1);
    EXPECT_EQ(at(0.1), 4);  // the float lies beyond
    track.interpolation = Interpolation::cubic_spline;
    track.times = {0, 2};
    track.values = {0, 0, 0, 1, 0, 0, 3, 0, 0, 5, 0, 0, 2, 0, 0, 0, 0, 0};
    EXPECT_EQ(at(0), 1);
    EXPECT_DOUBLE_EQ(at(1), 0.5 * 1 + 0.5 * 2 + 2 * (0.125 * 3 - 0.125 * 5));
    EXPECT_EQ(at(2), 2);
}

TEST(TrackSampler, KnowsWhichTracksCanBeUsed) {
    Scene scene;
    scene.nodes.resize(1);
    Track track = rotation_track();
    EXPECT_EQ(value_width(scene, track), 4u);
    const auto spoilt = [&](auto change) {
        Track copy = track;
        change(copy);
        return value_width(scene, copy);
    };
    EXPECT_EQ(spoilt([](Track& t) { t.node = 1; }), 0u);
    EXPECT_EQ(spoilt([](Track& t) { t.times[1] = 1; }), 0u);
    EXPECT_EQ(spoilt([](Track& t) { t.times[1] = NAN; }), 0u);
    EXPECT_EQ(spoilt([](Track& t) { t.values[1] = INFINITY; }), 0u);
    EXPECT_EQ(spoilt([](Track& t) { t.values.pop_back(); }), 0u);
    EXPECT_EQ(spoilt([](Track& t) { t.path = TrackPath::weights; }), 0u);
    EXPECT_EQ(spoilt([](Track& t) { t.interpolation = Interpolation::cubic_spline; }), 0u);
    scene.nodes[0].mesh = 0;
    scene.meshes.emplace_back().targets.resize(4);
    EXPECT_EQ(spoilt([](Track& t) { t.path = TrackPath::weights; }), 4u);
}

}  // namespace
}  // namespace effigy::test
