/// Morph targets added by their weights.

#include <gtest/gtest.h>
#include <vector>

#include "playback/support.hpp"

namespace effigy::playback {
namespace {

TEST(Morph, AddsWeightedOffsets) {
    const std::vector<Vec3> positions{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
    const std::vector<Vec3> normals{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::vector<Vec4> tangents{{1, 0, 0, 1}, {1, 0, 0, -1}, {1, 0, 0, 1}};
    std::vector<MorphTarget> targets(3);
    targets[0].indices = {0, 2};
    targets[0].positions = {{4, 0, 0}, {0, 8, 0}};
    targets[0].normals = {{0, 2, 0}, {0, 0, -2}};
    targets[1].indices = {1};
    targets[1].positions = {{1, 1, 1}};
    targets[1].tangents = {{0, 4, 0}};
    targets[2].indices = {0, 1, 2};
    targets[2].positions = {{not_a_number, 0, 0}, {0, 0, 0}, {0, 0, 0}};

    std::vector<Vec3> out_positions(3);
    std::vector<Vec3> out_normals(3);
    std::vector<Vec4> out_tangents(3);
    const std::vector<float> weights{0.5f, -1, 0};
    const MorphJob job{{positions, normals, tangents}, targets, weights, {out_positions, out_normals, out_tangents}};
    ASSERT_TRUE(job.run());
    EXPECT_EQ(out_positions, (std::vector<Vec3>{{2, 0, 0}, {0, 0, 0}, {2, 6, 2}}));
    EXPECT_EQ(out_normals, (std::vector<Vec3>{{1, 1, 0}, {0, 1, 0}, {0, 0, 0}}));
    EXPECT_EQ(out_tangents, (std::vector<Vec4>{{1, 0, 0, 1}, {1, -4, 0, -1}, {1, 0, 0, 1}}));
}

TEST(Morph, PositionsAlone) {
    const std::vector<Vec3> positions{{0, 0, 0}, {1, 1, 1}};
    std::vector<MorphTarget> targets(1);
    targets[0].indices = {1};
    targets[0].positions = {{1, 0, 0}};
    targets[0].normals = {{1, 0, 0}};
    targets[0].tangents = {{1, 0, 0}};
    const std::vector<float> weights{2};
    std::vector<Vec3> out(2);
    ASSERT_TRUE((MorphJob{{positions, {}, {}}, targets, weights, {out, {}, {}}}.run()));
    EXPECT_EQ(out, (std::vector<Vec3>{{0, 0, 0}, {3, 1, 1}}));
}

}  // namespace
}  // namespace effigy::playback
