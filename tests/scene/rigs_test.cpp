/// Whether motions fit models, by names and places alone.

#include <gtest/gtest.h>

#include "effigy/rig.hpp"

namespace effigy::test {
namespace {

RigPart node(std::string name, Vec3 place = {0, 1, 0}) { return {std::move(name), true, place}; }
RigPart helper(std::string name) { return {std::move(name), false, Vec3{0, 1, 0}}; }

/// Twenty nodes that move what is shown, and two helpers.
Rig figure() {
    Rig rig;
    for (int i = 0; i < 20; ++i) rig.nodes.push_back(node("bone" + std::to_string(i)));
    rig.nodes.push_back(helper("muzzle"));
    rig.nodes.push_back(helper("flag"));
    return rig;
}

Rig without(Rig rig, std::size_t count) {
    rig.nodes.resize(rig.nodes.size() - count);
    return rig;
}

TEST(Rigs, ItsOwnMotionFits) {
    const Fit fit = fit_of(figure(), figure());
    EXPECT_TRUE(fit.fits());
    EXPECT_FALSE(fit.is_weak);
    EXPECT_EQ(fit.nodes, 20U) << "helpers need no track";
    EXPECT_EQ(fit.tracks, 22U);
    EXPECT_EQ(fit.tracks_found, 22U);
    EXPECT_EQ(fit.moving_tracks, 20U);
    EXPECT_EQ(fit.positions, 22U);
    EXPECT_EQ(fit.bind_distance, 0);
    EXPECT_EQ(fit.node_share(), 1);
    EXPECT_EQ(fit.track_share(), 1);
}

TEST(Rigs, AFewNodesMayLackATrack) {
    EXPECT_TRUE(fit_of(figure(), without(figure(), 2 + 3)).fits()) << "17 of 20";
    EXPECT_FALSE(fit_of(figure(), without(figure(), 2 + 4)).fits()) << "16 of 20";
}

TEST(Rigs, HalfOfWhatMovesMustHaveANode) {
    Rig motion = without(figure(), 2);
    for (int i = 0; i < 20; ++i) motion.nodes.push_back(node("stranger" + std::to_string(i)));
    EXPECT_TRUE(fit_of(figure(), motion).fits());
    motion.nodes.push_back(node("one too many"));
    EXPECT_FALSE(fit_of(figure(), motion).fits());
    motion.nodes.back().moves = false;
    EXPECT_TRUE(fit_of(figure(), motion).fits()) << "tracks without keys are left over from the scene";
}

TEST(Rigs, MoreIsWantedWhereFiguresShareNames) {
    Rig model = figure();
    model.shares_names = true;
    EXPECT_TRUE(fit_of(model, figure()).fits());
    EXPECT_TRUE(fit_of(model, without(figure(), 2 + 1)).fits()) << "19 of 20 nodes";
    EXPECT_FALSE(fit_of(model, without(figure(), 2 + 2)).fits()) << "18 of 20";
    Rig motion = without(figure(), 2);
    motion.nodes.push_back(node("stranger"));
    EXPECT_TRUE(fit_of(model, motion).fits()) << "20 of 21 tracks";
    motion.nodes.push_back(node("another"));
    EXPECT_FALSE(fit_of(model, motion).fits()) << "20 of 22";
}

TEST(Rigs, WhatFitsMostModelsIsWeak) {
    Rig still = figure();
    for (RigPart& track : still.nodes) track.moves = false;
    EXPECT_TRUE(fit_of(figure(), still).fits());
    EXPECT_TRUE(fit_of(figure(), still).is_weak);
    Rig prop;
    prop.nodes = {node("Root")};
    prop.is_plain = true;
    EXPECT_TRUE(fit_of(prop, prop).is_weak);
}

TEST(Rigs, StrangersDoNotFit) {
    Rig motion;
    motion.nodes = {node("wing")};
    EXPECT_FALSE(fit_of(figure(), motion).fits());
    EXPECT_FALSE(fit_of({}, motion).fits());
    EXPECT_FALSE(fit_of(figure(), {}).fits()) << "nothing is no motion";
}

TEST(Rigs, PlacesSayWhetherItIsTheSameSkeleton) {
    Rig motion = figure();
    for (std::size_t i = 0; i < 10; ++i) motion.nodes[i].position = Vec3{0, 2, 0};
    Fit fit = fit_of(figure(), motion);
    EXPECT_EQ(fit.positions_differing, 10U);
    EXPECT_FALSE(fit.has_other_skeleton()) << "10 of 22";
    EXPECT_EQ(fit.bind_distance, 0) << "the median";
    for (RigPart& track : motion.nodes) track.position = Vec3{0, 2, 0};
    fit = fit_of(figure(), motion);
    EXPECT_TRUE(fit.has_other_skeleton());
    EXPECT_DOUBLE_EQ(fit.bind_distance, 0.5) << "half of the longer one";
    EXPECT_TRUE(fit.fits()) << "names decide";
    for (RigPart& track : motion.nodes) track.position.reset();
    EXPECT_EQ(fit_of(figure(), motion).positions, 0U);
}

TEST(Rigs, MorphTargetsArePartsOfTheirOwn) {
    Rig face = figure(), talk;
    face.targets = {{"smile", true, {}}};
    talk.targets = {{"smile", true, {}}};
    EXPECT_TRUE(fit_of(face, talk).fits());
    talk.targets[0].name = "bone0";
    EXPECT_FALSE(fit_of(face, talk).fits()) << "that is a node";
}

}  // namespace
}  // namespace effigy::test
