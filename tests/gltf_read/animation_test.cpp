/// Animations of glTF files.

#include <gtest/gtest.h>
#include <limits>

#include "effigy/gltf.hpp"

#include "gltf_read/models.hpp"
#include "gltf_read/reading.hpp"
#include "gltf_read/shapes.hpp"

namespace effigy::gltf_test {
namespace {

Floats list(const Bulk<float>& values) { return {values.begin(), values.end()}; }

/// A file of two nodes and one animation.
AssetBuilder animated(const json& animation, AssetBuilder builder) {
    builder.root["nodes"] = {{{"name", "a"}}, {{"matrix", {1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}}};
    builder.root["animations"].push_back(animation);
    return builder;
}

TEST(GltfAnimations, HaveEveryPathAndInterpolation) {
    const Scene scene = read_text(gltf_model("interpolation"));
    ASSERT_EQ(scene.clips.size(), 9u);
    const TrackPath paths[] = {TrackPath::scale, TrackPath::rotation, TrackPath::translation};
    const Interpolation interpolations[] = {Interpolation::step, Interpolation::linear, Interpolation::cubic_spline};
    for (std::size_t i = 0; i < 9; ++i) {
        ASSERT_EQ(scene.clips[i].tracks.size(), 1u);
        const Track& track = scene.clips[i].tracks[0];
        EXPECT_EQ(track.node, i);
        EXPECT_EQ(track.path, paths[i % 3]);
        EXPECT_EQ(track.interpolation, interpolations[i / 3]);
        EXPECT_EQ(list(track.times), (Floats{0, 0.5f, 1.25f, 2}));
        EXPECT_EQ(track.values.size(), 4u * (i % 3 == 1 ? 4 : 3) * (i / 3 == 2 ? 3 : 1));
        EXPECT_EQ(scene.clips[i].duration, 2);
        EXPECT_EQ(scene.clips[i].rules, ClipRules{});
    }
}

TEST(GltfAnimations, MoveWeights) {
    const Scene scene = read_text(gltf_model("simple_morph"));
    const Track& track = scene.clips.at(0).tracks.at(0);
    EXPECT_EQ(track.path, TrackPath::weights);
    EXPECT_EQ(list(track.values), (Floats{0, 0, 0, 1, 1, 1, 1, 0, 0, 0}));
}

TEST(GltfAnimations, TakeIntegersForFractions) {
    AssetBuilder builder;
    json clip;
    add_channel(builder, clip, 0, "rotation", {0, 1}, Floats(8));
    clip["samplers"][0]["output"] =
        add_numbers(builder, std::vector<std::int16_t>{0, 0, 0, 32767, 0, 0, -32767, 0}, 5122, "VEC4", 4, true);
    EXPECT_EQ(list(read_text(animated(clip, builder).glb()).clips[0].tracks.at(0).values),
              (Floats{0, 0, 0, 1, 0, 0, -1, 0}));
}

TEST(GltfAnimations, LeaveOutWhatTheSceneCannotMove) {
    AssetBuilder builder;
    json clip;
    const auto add = [&](std::size_t node, const char* path) {
        add_channel(builder, clip, node, path, {0, 1}, Floats(6));
    };
    add(0, "scale");
    add(0, "weights");
    add(1, "translation");  // of a node with a matrix
    add(0, "pointer");
    add(0, "translation");
    clip["channels"][4]["target"].erase("node");
    const auto loaded = load(animated(clip, builder).glb());
    EXPECT_EQ(loaded.value.clips[0].tracks.size(), 1u);
    EXPECT_EQ(loaded.report.count("gltf-channel-lost"), 4u);
    EXPECT_FALSE(written(loaded.value).empty());
}

TEST(GltfAnimations, TakeTheLastOfTwoChannels) {
    AssetBuilder builder;
    json clip;
    add_channel(builder, clip, 0, "scale", {0, 1}, {1, 1, 1, 2, 2, 2});
    add_channel(builder, clip, 0, "scale", {0, 3}, {3, 3, 3, 4, 4, 4});
    const auto loaded = load(animated(clip, builder).glb());
    ASSERT_EQ(loaded.value.clips[0].tracks.size(), 1u);
    EXPECT_EQ(loaded.value.clips[0].tracks[0].values.front(), 3);
    EXPECT_EQ(loaded.value.clips[0].duration, 3);
    EXPECT_EQ(loaded.report.count("gltf-channel-lost"), 1u);
}

TEST(GltfAnimations, MendKeys) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    AssetBuilder builder;
    json clip;
    add_channel(builder, clip, 0, "translation", {2, -1, 1, 1, nan}, {0, 0, 2, 0, 0, 0, 0, 0, 8, 0, nan, 1, 9, 9, 9});
    add_channel(builder, clip, 0, "rotation", {0, 1}, {0, 0, 0, 2, 0, 0, 0, 0});
    add_channel(builder, clip, 0, "scale", {0, 1, 2}, {1, 1, 1, 2, 2, 2, 3});
    const auto loaded = load(animated(clip, builder).glb());
    const auto& tracks = loaded.value.clips[0].tracks;
    ASSERT_EQ(tracks.size(), 3u);
    EXPECT_EQ(list(tracks[0].times), (Floats{0, 1, 2}));
    EXPECT_EQ(list(tracks[0].values), (Floats{0, 0, 0, 0, 0, 1, 0, 0, 2}));
    EXPECT_EQ(list(tracks[1].values), (Floats{0, 0, 0, 1, 0, 0, 0, 1}));
    EXPECT_EQ(list(tracks[2].times), (Floats{0, 1}));
    for (const char* const code : {"gltf-times", "gltf-rotation", "gltf-counts", "gltf-not-a-number"}) {
        EXPECT_EQ(loaded.report.count(code), 1u) << code;
    }
    EXPECT_FALSE(written(loaded.value).empty());
}

TEST(GltfAnimations, MustReferToWhatIsThere) {
    AssetBuilder builder;
    json good;
    add_channel(builder, good, 0, "scale", {0, 1}, Floats(6));
    const auto failure = [&](auto edit) {
        json clip = good;
        edit(clip);
        return code_of(try_to_read(animated(clip, builder).glb()));
    };
    EXPECT_EQ(failure([](json&) {}), "");
    EXPECT_EQ(failure([](json& clip) { clip["channels"][0]["sampler"] = 1; }), "gltf-reference");
    EXPECT_EQ(failure([](json& clip) { clip["channels"][0].erase("sampler"); }), "gltf-reference");
    EXPECT_EQ(failure([](json& clip) { clip["channels"][0]["target"]["node"] = 2; }), "gltf-reference");
    EXPECT_EQ(failure([](json& clip) { clip["samplers"][0].erase("input"); }), "gltf-reference");
    EXPECT_EQ(failure([](json& clip) { clip["samplers"][0]["output"] = 99; }), "gltf-reference");
}

TEST(GltfAnimations, OfUntouchedClipsLastAsLongAsTheySay) {
    Scene scene;
    scene.nodes.resize(1);
    Clip& clip = scene.clips.emplace_back();
    clip.extras.json = R"({"duration":0.5})";
    clip.tracks.push_back({0, TrackPath::scale, Interpolation::linear, {0, 2}, {1, 1, 1, 2, 2, 2}});
    EXPECT_EQ(read_text(written(scene)).clips.at(0).duration, 0.5f);
    clip.extras.json.clear();
    EXPECT_EQ(read_text(written(scene)).clips.at(0).duration, 2);
}

}  // namespace
}  // namespace effigy::gltf_test
