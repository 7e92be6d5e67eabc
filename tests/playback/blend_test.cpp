/// Poses blended by weights and masks.

#include <gtest/gtest.h>
#include <vector>

#include "playback/support.hpp"

namespace effigy::playback {
namespace {

const Transform rest_transform{{1, 1, 1}, {}, {1, 1, 1}};

/// One joint.
class Mixer {
public:
    Mixer() : rest_(make_pose(rest_transform)) {
        out_.resize(1);
        job_.rest = rest_.view();
        job_.pose = out_.span();
    }

    BlendLayer layer(const Transform& transform, float weight, std::span<const float> mask = {}) {
        poses_.push_back(make_pose(transform));
        return {poses_.back().view(), {}, weight, mask};
    }
    Transform run(const std::vector<BlendLayer>& layers, const std::vector<BlendLayer>& additive = {}) {
        job_.layers = layers;
        job_.additive = additive;
        const auto result = job_.run();
        EXPECT_TRUE(result);
        return {out_.translations[0], out_.rotations[0], out_.scales[0]};
    }

private:
    Pose rest_;
    Pose out_;
    std::vector<Pose> poses_;
    BlendJob job_;
};

TEST(Blend, MeanByWeights) {
    Mixer mixer;
    const auto a = mixer.layer({{0, 0, 0}, turned({0, 1, 0}, 20), {1, 1, 1}}, 3);
    const auto b = mixer.layer({{4, 8, -4}, turned({0, 1, 0}, 20), {3, 5, 9}}, 1);
    expect_same(mixer.run({a, b}), {{1, 2, -1}, turned({0, 1, 0}, 20), {1.5f, 2, 3}});
}

TEST(Blend, RotationsMeetOnTheNearerSide) {
    Mixer mixer;
    const Quat b = turned({0, 1, 0}, 50);
    const auto first = mixer.layer({{}, turned({0, 1, 0}, 10), {1, 1, 1}}, 0.5f);
    const auto second = mixer.layer({{}, {-b.x, -b.y, -b.z, -b.w}, {1, 1, 1}}, 0.5f);
    expect_same(mixer.run({first, second}).rotation, turned({0, 1, 0}, 30));
}

TEST(Blend, RestWhereThereIsNothing) {
    Mixer mixer;
    expect_same(mixer.run({}), rest_transform);
    expect_same(mixer.run({mixer.layer({{9, 9, 9}, turned({1, 0, 0}, 90), {9, 9, 9}}, 0)}), rest_transform);
}

TEST(Blend, RestFillsUpToTheThreshold) {
    Mixer mixer;
    const auto little = mixer.layer({{5, 5, 5}, {}, {1, 1, 1}}, 0.025f);
    expect_same(mixer.run({little}).translation, {2, 2, 2});
    const auto enough = mixer.layer({{5, 5, 5}, {}, {1, 1, 1}}, 0.1f);
    expect_same(mixer.run({enough}).translation, {5, 5, 5});
}

TEST(Blend, MasksAreFactorsOfTheWeight) {
    Mixer mixer;
    const std::vector<float> none{0};
    const std::vector<float> third{1.0f / 3};
    const auto a = mixer.layer({{8, 0, 0}, {}, {1, 1, 1}}, 1);
    const auto hidden = mixer.layer({{100, 100, 100}, {}, {1, 1, 1}}, 1, none);
    const auto partly = mixer.layer({{0, 4, 0}, {}, {1, 1, 1}}, 3, third);
    expect_same(mixer.run({a, hidden}).translation, {8, 0, 0});
    expect_same(mixer.run({a, partly}).translation, {4, 2, 0});
}

TEST(Blend, HiddenJointsCannotSpoilTheOthers) {
    Mixer mixer;
    const std::vector<float> none{0};
    const auto a = mixer.layer({{8, 0, 0}, {}, {1, 1, 1}}, 1);
    const auto broken = mixer.layer({{not_a_number, 0, 0}, {infinite, 0, 0, 0}, {1, 1, 1}}, 1, none);
    expect_same(mixer.run({a, broken}).translation, {8, 0, 0});
}

TEST(Blend, OppositeRotationsLeaveTheRest) {
    Mixer mixer;
    const auto nothing = mixer.layer({{}, {0, 0, 0, 0}, {1, 1, 1}}, 1);
    expect_same(mixer.run({nothing}).rotation, rest_transform.rotation);
}

TEST(Blend, AdditiveGoesOnTop) {
    Mixer mixer;
    const auto base = mixer.layer({{1, 2, 3}, turned({0, 1, 0}, 30), {2, 2, 2}}, 1);
    const auto difference = mixer.layer({{10, 0, 0}, turned({0, 1, 0}, 40), {1, 3, 1}}, 0.5f);
    expect_same(mixer.run({base}, {difference}), {{6, 2, 3}, turned({0, 1, 0}, 50), {2, 4, 2}});
}

TEST(Blend, AdditiveRotationComesAfterThePose) {
    Mixer mixer;
    const auto base = mixer.layer({{}, turned({1, 0, 0}, 90), {1, 1, 1}}, 1);
    const auto difference = mixer.layer({{}, turned({0, 0, 1}, 90), {1, 1, 1}}, 1);
    // +Y is turned to +Z by the base, which the turn round Z leaves where it is.
    const Quat q = mixer.run({base}, {difference}).rotation;
    const glm::dvec3 turned_y = glm::dquat(q.w, q.x, q.y, q.z) * glm::dvec3(0, 1, 0);
    expect_same(narrowed(turned_y), {0, 0, 1});
}

TEST(Blend, AdditivePartsTurnTheShorterWay) {
    Mixer mixer;
    const auto base = mixer.layer({{}, {}, {1, 1, 1}}, 1);
    const Quat turn = turned({0, 0, 1}, 40);
    const auto negated = mixer.layer({{}, {-turn.x, -turn.y, -turn.z, -turn.w}, {1, 1, 1}}, 0.25f);
    const auto twice = mixer.layer({{}, turn, {1, 1, 1}}, 2);
    expect_same(mixer.run({base}, {negated}).rotation, turned({0, 0, 1}, 10));
    expect_same(mixer.run({base}, {twice}).rotation, turned({0, 0, 1}, 80));
}

TEST(Blend, DifferenceAddedToItsReferenceIsThePose) {
    Random random(11);
    constexpr std::size_t joints = 9;
    const Pose reference = make_pose(joints, random);
    const Pose pose = make_pose(joints, random);
    Pose difference;
    difference.resize(joints);
    ASSERT_TRUE((DifferenceJob{pose.view(), reference.view(), difference.span()}.run()));

    Pose out;
    out.resize(joints);
    const BlendLayer base{reference.view(), {}, 1, {}};
    const BlendLayer on_top{difference.view(), {}, 1, {}};
    BlendJob job;
    job.layers = one(base);
    job.additive = one(on_top);
    job.rest = reference.view();
    job.pose = out.span();
    ASSERT_TRUE(job.run());
    for (std::size_t i = 0; i < joints; ++i) {
        expect_same(out.translations[i], pose.translations[i]);
        expect_same(out.rotations[i], pose.rotations[i], 2e-6f);
        expect_same(out.scales[i], pose.scales[i], 2e-6f);
    }
}

TEST(Blend, DifferenceMayTakeThePlaceOfThePose) {
    Pose pose = make_pose(Transform{{5, 6, 7}, turned({0, 1, 0}, 50), {2, 6, 0}});
    const Pose reference = make_pose(Transform{{1, 1, 1}, turned({0, 1, 0}, 20), {2, 2, 0}});
    ASSERT_TRUE((DifferenceJob{pose.view(), reference.view(), pose.span()}.run()));
    expect_same(pose.translations[0], {4, 5, 6});
    expect_same(pose.rotations[0], turned({0, 1, 0}, 30));
    expect_same(pose.scales[0], {1, 3, 1});
}

TEST(Blend, WeightsOfMorphTargets) {
    const std::vector<float> a{1, 0};
    const std::vector<float> b{0, 0.5f};
    const std::vector<float> plus{0.25f, -0.125f};
    const std::vector<float> rest_weights{0.5f, 1};
    std::vector<float> out(2);
    BlendJob job;
    job.rest_weights = rest_weights;
    job.weights = out;
    const std::vector<BlendLayer> layers{{{}, a, 3, {}}, {{}, b, 1, {}}, {{}, {}, 5, {}}};
    const std::vector<BlendLayer> additive{{{}, plus, 2, {}}};
    job.layers = layers;
    ASSERT_TRUE(job.run());
    EXPECT_EQ(out, (std::vector<float>{0.75f, 0.125f}));
    job.additive = additive;
    ASSERT_TRUE(job.run());
    EXPECT_EQ(out, (std::vector<float>{1.25f, -0.125f}));
    job.layers = {};
    job.additive = {};
    ASSERT_TRUE(job.run());
    expect_near(out, rest_weights, 1e-6f);
}

}  // namespace
}  // namespace effigy::playback
