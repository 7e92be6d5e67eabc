/// Models that come through Blender, with the settings of docs/gltf.md and with those that it comes with.

#include "blender/trip.hpp"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <tuple>

#include "effigy/diff.hpp"

#include "blender/compare.hpp"
#include "corpus/corpus.hpp"

namespace effigy::blender_test {
namespace {

using Parameter = std::tuple<std::string, Settings>;

class BlenderTrip : public ::testing::TestWithParam<Parameter> {
protected:
    void SetUp() override {
        if (!has_blender()) GTEST_SKIP() << "there is no Blender on this machine";
        const auto& [name, settings] = GetParam();
        trip_ = trip_of(name, settings);
        if (trip_ == nullptr && name.starts_with("Corpus")) GTEST_SKIP() << corpus::has_no("soldier of that name");
        ASSERT_NE(trip_, nullptr);
    }
    [[nodiscard]] const Trip& trip() const { return *trip_; }
    /// Whether vertices were moved to the pose of rest, for good.
    [[nodiscard]] bool binds_anew() const {
        return !trip().model.is_bound_at_rest && trip().settings == Settings::documented;
    }
    /// Of what is printed.
    [[nodiscard]] std::string title() const { return trip().model.name + ", " + name_of(trip().settings); }

private:
    const Trip* trip_ = nullptr;
};

std::string test_name(const ::testing::TestParamInfo<Parameter>& one) {
    return std::get<0>(one.param) + "_" + name_of(std::get<1>(one.param));
}

// --- with custom properties

class Blender : public BlenderTrip {};

TEST_P(Blender, KeepsTheSkeleton) {
    EXPECT_EQ(parents(trip().after), parents(trip().before));
    const Apart apart = rests_apart(trip().before, trip().after);
    EXPECT_LT(apart.place, 1e-4) << apart.where;
    EXPECT_LT(apart.turn, 1e-4) << apart.where;
    std::printf("blender: %s: rests at most %.2g apart\n", title().c_str(), std::max(apart.place, apart.turn));
}

/// The game's own motions on the model that came back. Clips in the model went through Blender's frames, of which there
/// are 24 in a second as it comes.
TEST_P(Blender, MovesAsBefore) {
    std::size_t clips = 0;
    const Scene before = scene_with(trip().original, trip()), after = scene_with(trip().back, trip());
    const double apart = bounds_apart(before, after, clips);
    const bool is_exact = !trip().model.motions.empty() && !binds_anew();
    EXPECT_LT(apart, is_exact ? 1e-4 : trip().settings == Settings::documented ? 5e-3 : 5e-2);
    EXPECT_GT(clips, 0u);
    std::printf("blender: %s: boxes at most %.2g of the model apart in %zu clips\n", title().c_str(), apart, clips);
}

TEST_P(Blender, KeepsLevelsAndCollision) {
    EXPECT_EQ(levels(trip().after), levels(trip().before));
    EXPECT_EQ(collision_meshes(trip().after), collision_meshes(trip().before));
}

TEST_P(Blender, LosesNothingInSilence) {
    for (const char* const code : {"gltf-properties-lost", "gltf-bones-turned", "gltf-colors-lost"}) {
        EXPECT_EQ(trip().report.count(code), 0u) << code;
    }
}

TEST_P(Blender, MakesSoundFiles) {
    const auto document = open_file(trip().back);
    ASSERT_TRUE(document) << to_string(document.error());
    CheckContext context;
    context.path = trip().back;
    EXPECT_EQ(document->value.check(context).count(Severity::error), 0u);
}

/// But for what docs/gltf.md says is lost. Clips are measured above.
TEST_P(Blender, MeansTheSame) {
    DiffOptions options;
    options.tolerances.position = 1e-4;
    options.ignore = {"normal", "morph", "extras", "attribute", "clip", "duration", "track", "light"};
    // Its exporter gives colours of corners to the wrong vertices, where they are not converted.
    if (trip().model.name == "Trader" && trip().settings == Settings::ticked) options.ignore.emplace_back("color");
    if (!trip().model.is_bound_at_rest) options.ignore.emplace_back("weight");  // of a few that have more than four
    if (binds_anew()) options.ignore.insert(options.ignore.end(), {"bind", "triangles", "position"});
    const auto differences = diff_scenes(trip().before, trip().after, options);
    ASSERT_TRUE(differences) << to_string(differences.error());
    for (const Diagnostic& one : differences->diagnostics()) {
        if (one.code == "diff-material" && one.found == "nothing") continue;  // no mesh uses it
        EXPECT_NE(one.severity, Severity::warning) << to_string(one);
    }
}

INSTANTIATE_TEST_SUITE_P(Trip, Blender,
                         ::testing::Combine(::testing::ValuesIn(model_names()),
                                            ::testing::Values(Settings::documented, Settings::ticked)),
                         test_name);

// --- without

class BlenderAsItComes : public BlenderTrip {};

TEST_P(BlenderAsItComes, KeepsNames) {
    const auto after = parents(trip().after);
    const Scene& before = trip().before;
    for (const Skin& skin : before.skins) {
        for (Index node : skin.joints) {
            for (; node != no_index; node = before.nodes[node].parent) {
                EXPECT_TRUE(after.contains(before.nodes[node].name)) << before.nodes[node].name;
            }
        }
    }
}

TEST_P(BlenderAsItComes, IsReportedWhereNamesTell) { EXPECT_EQ(trip().report.count("gltf-properties-lost"), 1u); }

INSTANTIATE_TEST_SUITE_P(Trip, BlenderAsItComes,
                         ::testing::Combine(::testing::Values("Figure", "Courier", "Trader", "CorpusPrussian",
                                                              "CorpusBritish"),
                                            ::testing::Values(Settings::as_it_comes)),
                         test_name);

}  // namespace
}  // namespace effigy::blender_test
