/// Levels of detail of single meshes: how many triangles, how far off, and what may not happen to them.

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "effigy/levels.hpp"
#include "effigy/scene_access.hpp"
#include "effigy/validate.hpp"

#include "levels/measure.hpp"
#include "levels/shapes.hpp"
#include "scene/attributes.hpp"

namespace effigy::test {
namespace {

using testing::IsEmpty;

struct Reduced {
    Scene scene;
    Report report;

    [[nodiscard]] const Mesh& base() const { return scene.meshes.front(); }
    [[nodiscard]] std::size_t count() const { return scene.nodes.front().lods.size(); }
    [[nodiscard]] const Mesh& level(std::size_t number) const {
        return scene.meshes[scene.nodes[scene.nodes.front().lods.at(number - 1)].mesh];
    }
};

Reduced reduce(Scene scene, const LevelOptions& options) {
    Reduced made{std::move(scene), {}};
    auto report = make_levels(made.scene, options);
    EXPECT_TRUE(report) << to_string(report.error());
    if (report) made.report = std::move(*report);
    EXPECT_FALSE(validate(made.scene).has_errors());
    return made;
}

Reduced reduce(Mesh mesh, std::vector<double> ratios = usual_level_ratios(4), double max_error = 0.1) {
    LevelOptions options;
    options.ratios = std::move(ratios);
    options.max_error = max_error;
    return reduce(scene_of(std::move(mesh)), options);
}

/// What is true of every level, whatever the shape.
void expect_sound(const Reduced& made, double farthest) {
    for (std::size_t i = 1; i <= made.count(); ++i) {
        SCOPED_TRACE("level " + std::to_string(i));
        EXPECT_THAT(strange_vertex(made.base(), made.level(i)), IsEmpty());
        EXPECT_EQ(turned_over(made.level(i)), 0u);
        EXPECT_EQ(crowded_edges(made.level(i)), 0u);
        EXPECT_LE(plain_distance(made.base(), made.level(i)), farthest);
    }
}

void expect_ratios(const Reduced& made, const std::vector<double>& ratios, double over = 1.05) {
    ASSERT_EQ(made.count(), ratios.size());
    const auto all = static_cast<double>(triangles_of(made.base()));
    for (std::size_t i = 1; i <= ratios.size(); ++i)
        EXPECT_LE(static_cast<double>(triangles_of(made.level(i))), over * ratios[i - 1] * all + 1) << i;
}

TEST(Levels, OfSpheresStayClosedAndNear) {
    for (const double bumps : {0.0, 0.05}) {
        const Reduced made = reduce(sphere(16, bumps));
        expect_ratios(made, usual_level_ratios(4));
        expect_sound(made, 0.16);
        EXPECT_LE(plain_distance(made.base(), made.level(1)), 0.04);
        for (std::size_t i = 1; i <= 3; ++i) EXPECT_THAT(open_edges(made.level(i)), IsEmpty());
        EXPECT_EQ(made.report.count("levels-made"), 1u);
        EXPECT_EQ(made.report.count("level-ratio"), 0u);
    }
}

/// How far the texture coordinates of a triangle are apart along u.
double widest(const Mesh& mesh) {
    const FloatView texcoords(mesh, Semantic::texcoord);
    double widest = 0;
    const auto& indices = mesh.primitives.front().indices;
    for (std::size_t i = 0; i < indices.size(); i += 3) {
        const auto u = [&](std::size_t k) { return texcoords[indices[i + k]][0]; };
        widest = std::max<double>(widest, std::max({u(0), u(1), u(2)}) - std::min({u(0), u(1), u(2)}));
    }
    return widest;
}

TEST(Levels, OfCylindersKeepTheSeamAndTheRims) {
    const Reduced made = reduce(cylinder(24));
    expect_ratios(made, usual_level_ratios(4));
    expect_sound(made, 0.08);
    for (std::size_t i = 1; i <= 3; ++i) {
        EXPECT_LT(widest(made.level(i)), 0.5) << "no triangle goes round across the seam";
        for (const auto& [a, b] : open_edges(made.level(i))) {
            EXPECT_TRUE((a.y == 0 && b.y == 0) || (a.y == 2 && b.y == 2)) << "open only where the cylinder ends";
        }
    }
}

TEST(Levels, OfTwoMaterialsHaveNoGapBetweenThem) {
    const Reduced made = reduce(in_two_materials(grid(24, 0.05)));
    expect_ratios(made, usual_level_ratios(4));
    expect_sound(made, 0.02);
    const auto is_outside = [](float v) { return v == 0 || v == 1; };
    for (std::size_t i = 1; i <= 3; ++i) {
        ASSERT_EQ(made.level(i).primitives.size(), 2u);
        for (const auto& [a, b] : open_edges(made.level(i))) {
            EXPECT_TRUE((is_outside(a.x) && a.x == b.x) || (is_outside(a.y) && a.y == b.y))
                << a.x << " " << a.y << " to " << b.x << " " << b.y;
        }
        const FloatView positions(made.level(i), Semantic::position);
        for (const Primitive& primitive : made.level(i).primitives) {
            for (std::uint32_t v = 0; v < primitive.vertex_count; ++v) {
                const float x = positions[primitive.first_vertex + v][0];
                EXPECT_TRUE(primitive.material == 0 ? x <= 0.5f : x >= 0.5f) << "each stays on its side";
            }
        }
    }
}

TEST(Levels, OfFlatGridsAreTwoTriangles) {
    const Reduced made = reduce(grid(16), {0.001});
    ASSERT_EQ(made.count(), 1u);
    EXPECT_EQ(triangles_of(made.level(1)), 2u);
    expect_sound(made, 1e-6);
}

/// The brightness of a mesh over the unit square.
double brightness(const Mesh& mesh, double x, double y) {
    const FloatView positions(mesh, Semantic::position), colors(mesh, Semantic::color);
    const auto& indices = mesh.primitives.front().indices;
    for (std::size_t i = 0; i < indices.size(); i += 3) {
        const auto a = positions[indices[i]], b = positions[indices[i + 1]], c = positions[indices[i + 2]];
        const double area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        const double v = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area;
        const double w = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area;
        if (v < -1e-9 || w < -1e-9 || v + w > 1 + 1e-9) continue;
        return colors[indices[i]][0] * (1 - v - w) + colors[indices[i + 1]][0] * v + colors[indices[i + 2]][0] * w;
    }
    return -1;
}

// A position alone says nothing about what is painted on a plate.
TEST(Levels, KeepVertexColors) {
    const auto painted = [](double u, double v) {
        const bool is_dark = std::abs(u - v) < 0.2;
        const float tint = is_dark ? 0.1f : 0.9f;
        return Corner{{static_cast<float>(u), static_cast<float>(v), 0}, {0, 0, 1}, {0, 0}, {tint, tint, tint, 1}};
    };
    const Reduced made = reduce(sheet(32, 32, painted, true), {0.25, 0.1});
    expect_ratios(made, {0.25, 0.1});
    expect_sound(made, 1e-6);
    for (std::size_t level = 1; level <= 2; ++level) {
        double sum = 0;
        int count = 0;
        for (double x = 0.01; x < 1; x += 0.049) {
            for (double y = 0.013; y < 1; y += 0.051, ++count)
                sum += std::abs(brightness(made.base(), x, y) - brightness(made.level(level), x, y));
        }
        EXPECT_LT(sum / count, level == 1 ? 0.005 : 0.03);
    }
}

TEST(Levels, OfFlatFacesGetAsSmallAsTheyShould) {
    const Reduced made = reduce(with_flat_faces(sphere(24)), {0.5, 0.25});
    expect_ratios(made, {0.5, 0.25});
    expect_sound(made, 0.04);
    for (std::size_t i = 1; i <= 2; ++i) EXPECT_THAT(open_edges(made.level(i)), IsEmpty());
}

std::vector<Vec3> bent(const Mesh& mesh) {
    const FloatView positions(mesh, Semantic::position), weights(mesh, Semantic::weights);
    std::vector<Vec3> places;
    for (std::uint32_t i = 0; i < mesh.vertex_count; ++i) {
        const auto p = positions[i];
        const float second = weights[i][1];
        // The second joint stands at x = 1 and turns from x to y.
        const Vec3 turned{1 - p[1], p[0] - 1, p[2]};
        places.push_back(
            {p[0] + second * (turned.x - p[0]), p[1] + second * (turned.y - p[1]), p[2] + second * (turned.z - p[2])});
    }
    return places;
}

Mesh at(Mesh mesh, const std::vector<Vec3>& places) {
    std::copy(places.begin(), places.end(), mesh.attributes.front().data.as<Vec3>().begin());
    return mesh;
}

TEST(Levels, OfSkinnedMeshesBendAlike) {
    LevelOptions options;
    options.ratios = usual_level_ratios(4);
    const Reduced made = reduce(skinned_tube(24), options);
    expect_ratios(made, options.ratios);
    expect_sound(made, 0.05);
    for (std::size_t i = 1; i <= 3; ++i) {
        EXPECT_EQ(made.scene.nodes[made.scene.nodes.front().lods[i - 1]].skin, 0u);
        EXPECT_LE(plain_distance(at(made.base(), bent(made.base())), at(made.level(i), bent(made.level(i)))),
                  i < 3 ? 0.04 : 0.08);
    }
}

TEST(Levels, AreNoFartherOffThanAllowed) {
    for (const double error : {0.001, 0.01, 0.03}) {
        const Reduced made = reduce(sphere(16, 0.03), {0.01}, error);
        EXPECT_EQ(made.report.count("level-ratio"), 1u);
        ASSERT_EQ(made.count(), error < 0.01 ? 0u : 1u);
        if (made.count() == 0) continue;
        const double size = 2 * 1.03;
        EXPECT_LE(plain_distance(made.base(), made.level(1)), 1.02 * error * size);
    }
    EXPECT_EQ(reduce(sphere(16), {0.5}, 0).count(), 0u);
}

TEST(Levels, AreMeasuredAsPlainly) {
    const Mesh a = sphere(10), b = sphere(9, 0.1);
    EXPECT_NEAR(surface_distance(a, b), plain_distance(a, b), 0.01);
    EXPECT_GE(surface_distance(a, b) + 1e-9, plain_distance(a, b));
    EXPECT_LT(surface_distance(a, a), 1e-9);
    EXPECT_EQ(surface_distance({}, {}), 0);
    EXPECT_TRUE(std::isinf(surface_distance(a, {})));
}

TEST(Levels, AreTheSameEveryTime) {
    const Reduced one = reduce(sphere(20, 0.05)), other = reduce(sphere(20, 0.05));
    ASSERT_EQ(one.scene.meshes.size(), other.scene.meshes.size());
    for (std::size_t i = 0; i < one.scene.meshes.size(); ++i) {
        const Mesh &a = one.scene.meshes[i], &b = other.scene.meshes[i];
        ASSERT_EQ(a.attributes.size(), b.attributes.size());
        for (std::size_t k = 0; k < a.attributes.size(); ++k)
            EXPECT_EQ(a.attributes[k].data.bytes, b.attributes[k].data.bytes);
        EXPECT_EQ(a.primitives.front().indices, b.primitives.front().indices);
    }
}

TEST(Levels, HaveTheUsualRatios) {
    EXPECT_THAT(usual_level_ratios(0), IsEmpty());
    EXPECT_THAT(usual_level_ratios(1), IsEmpty());
    EXPECT_THAT(usual_level_ratios(4), testing::ElementsAre(0.5, 0.25, 0.1));
    EXPECT_THAT(usual_level_ratios(6), testing::ElementsAre(0.5, 0.25, 0.1, 0.05, 0.025));
}

}  // namespace
}  // namespace effigy::test
