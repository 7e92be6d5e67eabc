// Scenes and extras that anybody may have made: no crash, and whatever is written can be read and has no error.

#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "effigy/arp_scene.hpp"

#include "arp/from_scene/exact.hpp"
#include "contents.hpp"
#include "raw_arp.hpp"

namespace effigy::test::arp {
namespace {

Scene scene_of(const std::string& version) {
    auto file = effigy::arp::read(make(figure(version)));
    EXPECT_TRUE(file) << to_string(file.error());
    effigy::arp::SceneInput input;
    input.avatars.push_back({{"anna", 0, {}}, std::move(file->value), {}});
    auto scene = effigy::arp::to_scene(std::move(input));
    EXPECT_TRUE(scene) << to_string(scene.error());
    return std::move(scene->value);
}

/// What comes out of it, if anything, is an avatar that can be read.
void expect_sound(const Scene& scene) {
    effigy::arp::FromSceneOptions options;
    options.limits.memory = 256U << 20U;
    const auto files = effigy::arp::from_scene(scene, options);
    if (!files) {
        EXPECT_FALSE(files.error().code.empty());
        return;
    }
    const auto packed = effigy::arp::write_container(files->value.container);
    if (!packed) return;
    const auto read = effigy::arp::read_container(Bytes(*packed));
    ASSERT_TRUE(read) << to_string(read.error());
    const Report report = effigy::arp::check(read->value.avatar);
    for (const Diagnostic& finding : report.diagnostics())
        EXPECT_NE(finding.severity, Severity::error) << to_string(finding);
}

TEST(ArpFromSceneHostile, DamagedRecords) {
    std::mt19937 dice(7);
    const Scene whole = scene_of("3.1");
    for (int round = 0; round < 150; ++round) {
        Scene scene = whole;
        std::vector<std::string*> texts{&scene.asset_extras.json};
        for (Node& node : scene.nodes) texts.push_back(&node.extras.json);
        for (Mesh& mesh : scene.meshes) texts.push_back(&mesh.extras.json);
        for (Clip& clip : scene.clips) texts.push_back(&clip.extras.json);
        for (int hit = 0; hit < 6; ++hit) {
            std::string& text = *texts[dice() % texts.size()];
            if (text.empty()) continue;
            const std::size_t place = dice() % text.size();
            const std::string with = "0123456789-eE{}[]\",:Aztn";
            if (dice() % 8 == 0) {
                text.resize(place);
            } else {
                text[place] = with[dice() % with.size()];
            }
        }
        expect_sound(scene);
    }
}

TEST(ArpFromSceneHostile, DamagedExactness) {
    std::mt19937 dice(11);
    const Scene scene = scene_of("3.1");
    auto files = effigy::arp::from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    effigy::arp::File& file = files->value.container.avatar;
    const effigy::Bytes kept = effigy::arp::exact_mesh(file, file, 0);
    ASSERT_FALSE(kept.empty());
    for (int round = 0; round < 200; ++round) {
        effigy::Bytes damaged = kept;
        damaged[dice() % damaged.size()] ^= static_cast<std::byte>(1 + dice() % 255);
        effigy::arp::File copy = file;
        Budget budget({.memory = 64U << 20U}, 0);
        if (effigy::arp::restore_mesh(damaged, copy, 0, budget)) {
            EXPECT_FALSE(effigy::arp::check(copy).has_errors());
        }
    }
    Budget budget({.memory = 64U << 20U}, 0);
    for (const std::string_view text : {"", "AAAA", "no record", "////////////////////"}) {
        EXPECT_FALSE(effigy::arp::restore_mesh(bytes_of_text(text), file, 0, budget)) << text;
    }
}

TEST(ArpFromSceneHostile, OddScenes) {
    expect_sound({});
    Scene scene = scene_of("3.1");
    const auto spoil = [&](const auto& change) {
        Scene spoilt = scene;
        change(spoilt);
        expect_sound(spoilt);
    };
    spoil([](Scene& s) { s.nodes[1].parent = 2; });  // in a circle
    spoil([](Scene& s) { s.nodes[1].local.rotation = {0, 0, 0, 0}; });
    spoil([](Scene& s) { s.nodes[2].local.scale = {0, 0, 0}; });
    spoil([](Scene& s) { s.nodes[2].local.translation.x = std::numeric_limits<float>::quiet_NaN(); });
    spoil([](Scene& s) { s.skins[0].joints[1] = 4000; });
    spoil([](Scene& s) { s.skins[0].inverse_bind_matrices.resize(2); });
    spoil([](Scene& s) { s.skins[0].joints.clear(); });
    spoil([](Scene& s) { s.meshes[0].primitives[0].indices[3] = 70000; });
    spoil([](Scene& s) { s.meshes[0].primitives[0].material = 77; });
    spoil([](Scene& s) { s.meshes[0].targets[0].indices[0] = 70000; });
    spoil([](Scene& s) { s.meshes[0].attributes[0].data.bytes.resize(5); });
    spoil([](Scene& s) { s.clips[0].tracks[0].values.resize(3); });
    spoil([](Scene& s) { s.clips[0].tracks[0].times[0] = 1e30f; });
    spoil([](Scene& s) { s.clips[0].duration = 1e30f; });
    spoil([](Scene& s) {
        for (float& value : s.meshes[0].attributes[0].data.as<float>()) value *= 1e30f;
    });
}

TEST(ArpFromSceneHostile, TooManyVerticesAreRefused) {
    Scene scene;
    Mesh& mesh = scene.meshes.emplace_back();
    constexpr std::uint32_t side = 300;
    mesh.vertex_count = side * side;
    Attribute& position = mesh.attributes.emplace_back();
    position.data.element = ElementType::vec3;
    position.data.bytes.resize(std::size_t{side} * side * sizeof(Vec3));
    const auto places = position.data.as<Vec3>();
    Primitive& primitive = mesh.primitives.emplace_back();
    primitive.vertex_count = mesh.vertex_count;
    for (std::uint32_t i = 0; i < side * side; ++i) {
        places[i] = {static_cast<float>(i % side), static_cast<float>(i / side), 0};
        if (i % side + 1 < side && i / side + 1 < side)
            primitive.indices.insert(primitive.indices.end(), {i, i + 1, i + side, i + 1, i + side + 1, i + side});
    }
    scene.nodes.emplace_back().mesh = 0;
    const auto files = effigy::arp::from_scene(scene);
    ASSERT_FALSE(files);
    EXPECT_EQ(files.error().code, "arp-too-many-vertices");
    EXPECT_EQ(files.error().found, "90000 vertices");
}

}  // namespace
}  // namespace effigy::test::arp
