/// Motions that are adapted to another model's proportions.

#include <gtest/gtest.h>

#include "builders.hpp"

namespace {

using namespace builders;

/// hips (height 2) above knee, which stands 1 below.
ActorFile figure() { return ActorFile().nodes({node("hips", xac::no_node, {0, 2, 0}), node("knee", 0, {0, -1, 0})}); }

/// A motion that moves a node from where its own figure has it.
xsm::Submotion made_for(std::string name, Vec3 bind, std::vector<xsm::VectorKey> keys) {
    auto result = submotion(std::move(name));
    result.bind_pose_position = bind;
    result.pose_position = keys.front().value;
    result.position_keys.assign(keys.begin(), keys.end());
    return result;
}

emfx::SceneOptions retargeted() {
    emfx::SceneOptions options;
    options.retarget = true;
    return options;
}

std::vector<float> translations(const Scene& scene, const std::string& name) {
    const Track* track = find(scene.clips.at(0), find(scene, name), TrackPath::translation);
    return track == nullptr ? std::vector<float>{} : values(track->values);
}

xsm::File walk() {
    return motion({made_for("hips", {0, 4, 0}, {{{0, 4, 2}, 0}, {{1, 5, 6}, 1}}),
                   made_for("knee", {0, -3, 0}, {{{0, -3, 0}, 0}, {{0, -2, 1}, 1}})});
}

TEST(Retarget, PositionsStayAsTheyAreUnlessAsked) {
    const auto converted = convert(figure(), walk());
    EXPECT_EQ(translations(converted.value, "hips"), (std::vector<float>{0, 4, -2, 1, 5, -6}));
    EXPECT_EQ(converted.report.count("motion-retargeted"), 0u);
}

TEST(Retarget, TheTopmostNodeIsScaledByTheHeights) {
    const auto converted = convert(figure(), walk(), retargeted());
    EXPECT_EQ(translations(converted.value, "hips"), (std::vector<float>{0, 2, -1, 0.5f, 2.5f, -3}));
    EXPECT_EQ(converted.report.count("motion-retargeted"), 1u);
}

TEST(Retarget, OthersAreMovedByTheDifference) {
    const auto converted = convert(figure(), walk(), retargeted());
    EXPECT_EQ(translations(converted.value, "knee"), (std::vector<float>{0, -1, 0, 0, 0, -1}));
}

TEST(Retarget, ATopmostNodeWithoutHeightIsMovedAsWell) {
    auto file = motion({made_for("hips", {1, 0, 0}, {{{1, 0, 0}, 0}, {{1, 3, 0}, 1}})});
    const auto converted = convert(figure(), std::move(file), retargeted());
    EXPECT_EQ(translations(converted.value, "hips"), (std::vector<float>{0, 2, 0, 0, 5, 0}));
}

TEST(Retarget, ATopmostNodeAlmostWithoutHeightIsMovedAsWell) {
    for (const float height : {2e-5f, -1.0f, 0.1f}) {  // less than nothing, downwards, a twentieth
        auto file = motion({made_for("hips", {1, height, 0}, {{{1, height, 0}, 0}, {{1, 3, 0}, 1}})});
        const auto converted = convert(figure(), std::move(file), retargeted());
        const auto moved = translations(converted.value, "hips");
        ASSERT_EQ(moved.size(), 6u);
        EXPECT_EQ(moved[3], 0) << height;
        EXPECT_NEAR(moved[4], 5 - height, 1e-5) << height;
    }
}

TEST(Retarget, ScalesGetTheDifferenceAndTheirChain) {
    auto part = made_for("hips", {0, 2, 0}, {{{0, 2, 0}, 0}});
    part.bind_pose_scale = {1, 1, 1};
    part.pose_scale = {1, 1, 1};
    part.pose_rotation = turn({1, 2, 3}, 40);
    auto root = node("hips", xac::no_node, {0, 2, 0});
    root.scale = {1, 3, 1};
    const auto converted = convert(ActorFile(1).nodes({root}), motion({part}, 1), retargeted());
    const Clip& clip = converted.value.clips.at(0);
    auto posed = root;
    posed.rotation = part.pose_rotation;
    EXPECT_LT(difference(world(converted.value, clip, find(converted.value, "hips"), 0), expected_local(posed, 1)),
              1e-6)
        << "rotated first, then stretched: two nodes are needed because of the adapted scale";
}

TEST(Retarget, EqualBindPosesChangeNothing) {
    auto file = motion({made_for("hips", {0, 2, 0}, {{{0, 1, 0}, 0}, {{0, 3, 0}, 1}})});
    const auto converted = convert(figure(), std::move(file), retargeted());
    EXPECT_EQ(translations(converted.value, "hips"), (std::vector<float>{0, 1, 0, 0, 3, 0}));
    EXPECT_EQ(converted.report.count("motion-retargeted"), 0u);
}

TEST(Retarget, ClipsKnowTheEnginesRules) {
    const auto converted = convert(figure(), walk());
    EXPECT_EQ(converted.value.clips.at(0).rules, (ClipRules{RotationRule::nlerp, true}));
}

}  // namespace
