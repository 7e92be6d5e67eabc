/// Triangles of lists, strips and fans.

#include "scene/triangles.hpp"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

namespace effigy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Triangle = std::array<std::uint32_t, 3>;

Primitive make(Topology topology, const std::vector<std::uint32_t>& indices) {
    Primitive primitive;
    primitive.topology = topology;
    primitive.indices = {indices.begin(), indices.end()};
    return primitive;
}

Primitive turned(Primitive primitive) {
    reverse_winding(primitive);
    return primitive;
}

/// Each from its least vertex on, so that equal ones compare equal.
std::vector<Triangle> triangles(const Primitive& primitive) {
    std::vector<Triangle> found;
    for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        Triangle triangle{a, b, c};
        std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
        found.push_back(triangle);
    });
    EXPECT_EQ(found.size(), triangle_count(primitive));
    return found;
}

std::vector<Triangle> sorted(std::vector<Triangle> list) {
    std::sort(list.begin(), list.end());
    return list;
}

TEST(Triangles, OfLists) {
    EXPECT_THAT(triangles(make(Topology::triangles, {0, 1, 2, 2, 1, 3})),
                ElementsAre(Triangle{0, 1, 2}, Triangle{1, 3, 2}));
    // What a list has twice it keeps, as its file says so.
    EXPECT_EQ(triangles(make(Topology::triangles, {0, 0, 1, 5, 6})).size(), 1u);
}

// The numbers stand in the specification of glTF 2.0: 3.7.2.1.
TEST(Triangles, OfStripsTurnEverySecond) {
    EXPECT_THAT(triangles(make(Topology::triangle_strip, {0, 1, 2, 3, 4})),
                ElementsAre(Triangle{0, 1, 2}, Triangle{1, 3, 2}, Triangle{2, 3, 4}));
}

TEST(Triangles, OfStripsThatAreSewnTogether) {
    EXPECT_THAT(triangles(make(Topology::triangle_strip, {0, 1, 2, 2, 3, 3, 4, 5})),
                ElementsAre(Triangle{0, 1, 2}, Triangle{3, 5, 4}));
}

TEST(Triangles, OfFans) {
    EXPECT_THAT(triangles(make(Topology::triangle_fan, {0, 1, 2, 3})),
                ElementsAre(Triangle{0, 1, 2}, Triangle{0, 2, 3}));
}

TEST(Triangles, OfNothing) {
    for (const Topology topology : {Topology::points, Topology::lines, Topology::line_strip})
        EXPECT_THAT(triangles(make(topology, {0, 1, 2, 3})), IsEmpty());
    for (const Topology topology : {Topology::triangles, Topology::triangle_strip, Topology::triangle_fan}) {
        EXPECT_THAT(triangles(make(topology, {})), IsEmpty());
        EXPECT_THAT(triangles(make(topology, {0, 1})), IsEmpty());
    }
}

TEST(Triangles, AreWholeOrNot) {
    const auto whole = [](Topology topology) {
        std::vector<std::size_t> counts;
        for (std::size_t count = 0; count < 7; ++count)
            if (makes_whole(topology, count)) counts.push_back(count);
        return counts;
    };
    EXPECT_THAT(whole(Topology::points), ElementsAre(0, 1, 2, 3, 4, 5, 6));
    EXPECT_THAT(whole(Topology::lines), ElementsAre(0, 2, 4, 6));
    EXPECT_THAT(whole(Topology::line_strip), ElementsAre(0, 2, 3, 4, 5, 6));
    EXPECT_THAT(whole(Topology::triangles), ElementsAre(0, 3, 6));
    EXPECT_THAT(whole(Topology::triangle_strip), ElementsAre(0, 3, 4, 5, 6));
    EXPECT_THAT(whole(Topology::triangle_fan), ElementsAre(0, 3, 4, 5, 6));
}

TEST(Triangles, AreTurnedInEveryTopology) {
    const std::vector<std::uint32_t> six{0, 1, 2, 3, 4, 5}, five{0, 1, 2, 3, 4};
    for (const auto& [topology, indices] :
         {std::pair(Topology::triangles, six), std::pair(Topology::triangle_strip, six),
          std::pair(Topology::triangle_strip, five), std::pair(Topology::triangle_fan, six),
          std::pair(Topology::triangle_fan, five)}) {
        const Primitive primitive = make(topology, indices);
        std::vector<Triangle> other_way = triangles(primitive);
        for (Triangle& triangle : other_way) std::swap(triangle[1], triangle[2]);
        EXPECT_EQ(sorted(triangles(turned(primitive))), sorted(other_way)) << static_cast<int>(topology);
        EXPECT_TRUE(makes_whole(topology, turned(primitive).indices.size()));
    }
    for (const Topology topology : {Topology::points, Topology::lines, Topology::line_strip})
        EXPECT_THAT(turned(make(topology, six)).indices, ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_THAT(turned(make(Topology::triangle_fan, {})).indices, IsEmpty());
}

}  // namespace
}  // namespace effigy
