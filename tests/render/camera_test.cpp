/// Cameras that frame bounds.

#include <algorithm>
#include <cmath>
#include <limits>

#include "stage.hpp"

namespace effigy::render::test {
namespace {

playback::Bounds bounds(Vec3 low, Vec3 high) {
    playback::Bounds result;
    result.low = low;
    result.high = high;
    result.empty = false;
    return result;
}

std::vector<Vec3> corners_of(const playback::Bounds& box) {
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) {
        corners.push_back({(i & 1) != 0 ? box.high.x : box.low.x, (i & 2) != 0 ? box.high.y : box.low.y,
                           (i & 4) != 0 ? box.high.z : box.low.z});
    }
    return corners;
}

/// How far the points reach, as part of half the picture: {across, along}.
std::pair<double, double> reach(const Camera& camera, const std::vector<Vec3>& points, float aspect) {
    const glm::dvec3 forward =
        glm::normalize(glm::dvec3(camera.target.x, camera.target.y, camera.target.z) - position_of(camera));
    const glm::dvec3 right = glm::normalize(glm::cross(forward, glm::dvec3(camera.up.x, camera.up.y, camera.up.z)));
    const glm::dvec3 up = glm::cross(right, forward);
    const double slope = std::tan(glm::radians(double{camera.field_of_view}) / 2);
    std::pair<double, double> most{0, 0};
    for (const Vec3& point : points) {
        const glm::dvec3 offset = glm::dvec3(point.x, point.y, point.z) - position_of(camera);
        const double depth = glm::dot(offset, forward);
        EXPECT_GT(depth, 0);
        most.first = std::max(most.first, std::abs(glm::dot(offset, right)) / depth / slope / std::max(aspect, 1.0f));
        most.second = std::max(most.second, std::abs(glm::dot(offset, up)) / depth / slope * std::min(aspect, 1.0f));
    }
    return most;
}

TEST(CameraTest, FramesTheBoxWithAMarginOfATwentieth) {
    const auto box = bounds({-0.5f, 0, -0.2f}, {0.7f, 1.8f, 0.3f});
    for (const float aspect : {1.0f, 2.0f, 0.4f}) {
        for (const View view : {View{0, 0}, View{90, 0}, View{33, 20}, View{0, 90}, View{200, -90}, View{-70, -35}}) {
            const auto [across, along] = reach(frame(box, view, aspect), corners_of(box), aspect);
            EXPECT_NEAR(std::max(across, along), 0.9, 1e-4) << view.yaw << ", " << view.pitch << ", " << aspect;
        }
    }
}

TEST(CameraTest, FramesVerticesRatherThanTheirBox) {
    Scene scene;
    Shape shape = sphere(16, 24);
    for (Vec3& point : shape.positions) point = {point.x * 4 + 100, point.y, point.z * 9};
    add(scene, shape);
    const auto poser = playback::Poser::make(scene);
    ASSERT_TRUE(poser);
    for (const float aspect : {1.0f, 2.0f, 0.4f}) {
        for (const View view : {View{0, 0}, View{33, 20}, View{-70, -35}}) {
            Framer framer(view, aspect);
            framer.add(*poser);
            const auto [across, along] = reach(framer.camera(), shape.positions, aspect);
            EXPECT_NEAR(std::max(across, along), 0.9, 1e-3) << view.yaw << ", " << view.pitch << ", " << aspect;
        }
    }
    const auto distance = [](const Camera& camera) { return glm::length(position_of(camera) - glm::dvec3(100, 0, 0)); };
    Framer framer({33, 20}, 1);
    framer.add(*poser);
    EXPECT_LT(distance(framer.camera()), 0.9 * distance(frame(poser->bounds(), {33, 20}, 1)));
}

TEST(CameraTest, FramersWithoutVerticesFallBack) {
    const Scene empty;
    const auto poser = playback::Poser::make(empty);
    ASSERT_TRUE(poser);
    Framer framer({0, 0}, 1);
    EXPECT_EQ(framer.camera().position, frame(playback::Bounds{}, {0, 0}, 1).position);
    framer.add(*poser);
    EXPECT_EQ(framer.camera().position, frame(playback::Bounds{}, {0, 0}, 1).position);
}

TEST(CameraTest, LooksFromWhereTheViewSays) {
    const auto box = bounds({-1, -1, -1}, {1, 1, 1});
    EXPECT_GT(frame(box, {0, 0}, 1).position.z, 3);
    EXPECT_GT(frame(box, {90, 0}, 1).position.x, 3);
    EXPECT_LT(frame(box, {180, 0}, 1).position.z, -3);
    EXPECT_GT(frame(box, {0, 90}, 1).position.y, 3);
}

TEST(CameraTest, BoxesWithoutSizeCanBeFramed) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (const playback::Bounds& box :
         {bounds({3, 4, 5}, {3, 4, 5}), bounds({0, 0, 0}, {0, 0, 0}), playback::Bounds{},
          bounds({-infinity, 0, 0}, {infinity, 1, 1}), bounds({NAN, 0, 0}, {1, 1, 1}), bounds({-1, 0, 0}, {1, 0, 0}),
          bounds({-1e20f, -1e20f, 0}, {1e20f, 1e20f, 1})}) {
        for (const View view : {View{0, 0}, View{90, 0}, View{0, 90}, View{NAN, 1e30f}}) {
            const Camera camera = frame(box, view, 1);
            for (const float value : {camera.position.x, camera.position.y, camera.position.z, camera.target.x}) {
                EXPECT_TRUE(std::isfinite(value));
            }
            EXPECT_NE(camera.position, camera.target);
        }
    }
}

}  // namespace
}  // namespace effigy::render::test
