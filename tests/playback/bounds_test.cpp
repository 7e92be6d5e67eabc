/// Bounds of points.

#include <gtest/gtest.h>
#include <vector>

#include "playback/support.hpp"

namespace effigy::playback {
namespace {

TEST(Bounds, EmptyUntilThereIsAPoint) {
    Bounds bounds;
    bounds.add(std::span<const Vec3>());
    EXPECT_TRUE(bounds.empty);
    const std::vector<Vec3> broken{{not_a_number, 0, 0}, {0, infinite, 0}, {0, 0, -infinite}};
    bounds.add(broken);
    EXPECT_TRUE(bounds.empty);
    bounds.add(Bounds());
    EXPECT_TRUE(bounds.empty);
    const std::vector<Vec3> points{{1, 2, 3}};
    bounds.add(points);
    EXPECT_FALSE(bounds.empty);
    EXPECT_EQ(bounds.low, (Vec3{1, 2, 3}));
    EXPECT_EQ(bounds.high, (Vec3{1, 2, 3}));
}

TEST(Bounds, OfAnyNumberOfPoints) {
    with_vectors([] {
        Random random(8);
        for (std::size_t count = 1; count <= 70; ++count) {
            Guarded<Vec3> points(count, count % 3, false);
            Bounds expected{{2, 2, 2}, {-2, -2, -2}, false};
            for (Vec3& point : points.span()) {
                point = random.vector();
                expected.low = {std::min(expected.low.x, point.x), std::min(expected.low.y, point.y),
                                std::min(expected.low.z, point.z)};
                expected.high = {std::max(expected.high.x, point.x), std::max(expected.high.y, point.y),
                                 std::max(expected.high.z, point.z)};
            }
            Bounds found;
            found.add(points.span());
            EXPECT_EQ(found.low, expected.low);
            EXPECT_EQ(found.high, expected.high);
            if (count < 2) continue;
            points.span()[count / 2] = {5, not_a_number, 5};
            Bounds whole;
            whole.add(points.span());
            EXPECT_LE(whole.high.x, 1);
            whole.add(Bounds{{-9, 0, 0}, {9, 0, 0}, false});
            EXPECT_EQ(whole.high.x, 9);
            EXPECT_EQ(whole.low.x, -9);
        }
    });
}

}  // namespace
}  // namespace effigy::playback
