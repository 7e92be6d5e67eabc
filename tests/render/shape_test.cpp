/// Silhouette, depth and normals of shapes that formulas describe.

#include <cmath>
#include <limits>
#include <optional>

#include "stage.hpp"

namespace effigy::render::test {
namespace {

constexpr std::uint32_t size = 96;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Seen {
    double depth;  ///< in lengths of the ray
    glm::dvec3 normal;
};

/// Where a ray meets the sphere of radius 1 around the origin.
std::optional<Seen> meet_sphere(const glm::dvec3& origin, const glm::dvec3& direction) {
    const double a = glm::dot(direction, direction);
    const double b = glm::dot(origin, direction);
    const double square = b * b - a * (glm::dot(origin, origin) - 1);
    if (square < 0) return std::nullopt;
    const double depth = (-b - std::sqrt(square)) / a;
    return Seen{depth, origin + direction * depth};
}

/// Where a ray from outside meets the cube from -1 to 1.
std::optional<Seen> meet_cube(const glm::dvec3& origin, const glm::dvec3& direction) {
    double enter = -infinity;
    double leave = infinity;
    glm::dvec3 normal(0);
    for (int axis = 0; axis < 3; ++axis) {
        const double low = (-1 - origin[axis]) / direction[axis];
        const double high = (1 - origin[axis]) / direction[axis];
        if (std::min(low, high) > enter) {
            enter = std::min(low, high);
            normal = glm::dvec3(0);
            normal[axis] = direction[axis] < 0 ? 1 : -1;
        }
        leave = std::min(leave, std::max(low, high));
    }
    if (enter > leave) return std::nullopt;
    return Seen{enter, normal};
}

Camera slanted_camera() {
    Camera camera;
    camera.position = {3.1f, 2.3f, 4.7f};
    camera.target = {0.2f, -0.1f, 0.1f};
    return camera;
}

/// Share of a pixel that a shape covers, by 16 x 16 rays.
template <class Meet>
double coverage(const Camera& camera, const Options& options, std::uint32_t x, std::uint32_t y, const Meet& meet) {
    int count = 0;
    for (int row = 0; row < 16; ++row) {
        for (int column = 0; column < 16; ++column) {
            const glm::dvec3 direction =
                pixel_direction(camera, options, x + (column + 0.5) / 16, y + (row + 0.5) / 16);
            if (meet(position_of(camera), direction)) ++count;
        }
    }
    return count / 256.0;
}

template <class Meet>
void compare_coverage(const Scene& scene, const Camera& camera, const Options& options, double tolerance,
                      const Meet& meet) {
    const Frame frame = draw(scene, camera, options);
    double found = 0;
    double expected = 0;
    double worst = 0;
    for (std::uint32_t y = 0; y < options.height; ++y) {
        for (std::uint32_t x = 0; x < options.width; ++x) {
            const double alpha = pixel(frame, x, y)[3] / 255.0;
            const double covered = coverage(camera, options, x, y, meet);
            found += alpha;
            expected += covered;
            worst = std::max(worst, std::abs(alpha - covered));
        }
    }
    EXPECT_GT(expected, 500);
    EXPECT_NEAR(found / expected, 1, 0.003);
    EXPECT_LT(worst, tolerance);
}

template <class Meet>
void compare_centers(const Scene& scene, const Camera& camera, double depth_tolerance, double normal_tolerance,
                     const Meet& meet) {
    const Options options = small(size, 1);
    const Frame frame = draw(scene, camera, options);
    int compared = 0;
    int differing = 0;  // whether anything is there at all; on the very edge it may
    for (std::uint32_t y = 0; y < size; ++y) {
        for (std::uint32_t x = 0; x < size; ++x) {
            const auto seen = meet(position_of(camera), pixel_direction(camera, options, x + 0.5, y + 0.5));
            const std::size_t i = std::size_t{y} * size + x;
            if (seen.has_value() != std::isfinite(frame.depth[i])) {
                ++differing;
                continue;
            }
            if (!seen) continue;
            ++compared;
            const Vec3& n = frame.normals[i];
            EXPECT_NEAR(frame.depth[i], seen->depth, depth_tolerance) << x << ", " << y;
            EXPECT_LT(glm::length(glm::dvec3(n.x, n.y, n.z) - seen->normal), normal_tolerance) << x << ", " << y;
        }
    }
    EXPECT_GT(compared, 500);
    EXPECT_LE(differing, 2);
}

class ShapeTest : public RenderTest {};

Scene sphere_scene() {
    Scene scene;
    add(scene, sphere(128, 256));
    return scene;
}

Scene cube_scene() {
    Scene scene;
    add(scene, cube());
    return scene;
}

TEST_F(ShapeTest, SphereHasTheAreaOfItsSilhouette) {
    Camera camera;
    camera.position = {0, 0, 5};
    const Options options = small(size, 16);
    const Frame frame = draw(sphere_scene(), camera, options);
    double area = 0;
    for (std::uint32_t y = 0; y < size; ++y) {
        for (std::uint32_t x = 0; x < size; ++x) area += pixel(frame, x, y)[3] / 255.0;
    }
    // The cone that touches the sphere, cut at distance 1, in pixels.
    const double pixel_size = 2 * std::tan(glm::radians(15.0)) / size;
    const double radius = 1 / std::sqrt(5.0 * 5.0 - 1) / pixel_size;
    EXPECT_NEAR(area / (3.14159265358979 * radius * radius), 1, 0.002);
}

TEST_F(ShapeTest, SphereCoversEachPixelAsItShould) {
    compare_coverage(sphere_scene(), slanted_camera(), small(64, 64), 0.08, meet_sphere);
}
TEST_F(ShapeTest, CubeCoversEachPixelAsItShould) {
    compare_coverage(cube_scene(), slanted_camera(), small(64, 64), 0.08, meet_cube);
}
TEST_F(ShapeTest, SphereHasTrueDepthsAndNormals) {
    // A chord of the tessellation lies up to 3e-4 below the sphere; seen at a grazing angle that is more.
    compare_centers(sphere_scene(), slanted_camera(), 0.03, 0.03, meet_sphere);
}
TEST_F(ShapeTest, CubeHasTrueDepthsAndNormals) {
    compare_centers(cube_scene(), slanted_camera(), 2e-5, 1e-5, meet_cube);
}

TEST_F(ShapeTest, PicturesNeedNotBeSquare) {
    Options options = small(64, 64);
    options.width = 100;
    compare_coverage(cube_scene(), slanted_camera(), options, 0.08, meet_cube);
}

TEST_F(ShapeTest, NormalsModeShowsNormals) {
    Options options = small(size, 1);
    options.shading = Shading::normals;
    const Frame frame = draw(sphere_scene(), slanted_camera(), options);
    for (std::uint32_t y = 0; y < size; y += 5) {
        for (std::uint32_t x = 0; x < size; x += 5) {
            const Vec3& n = frame.normals[std::size_t{y} * size + x];
            if (n == Vec3{}) continue;
            const auto byte = [](float value) { return static_cast<int>(std::lround((value * 0.5 + 0.5) * 255)); };
            expect_near(pixel(frame, x, y), {byte(n.x), byte(n.y), byte(n.z), 255}, 1);
        }
    }
}

TEST_F(ShapeTest, MirroredNodesAreSeenFromTheirFront) {
    Scene scene;
    const Index node = add(scene, cube());
    scene.nodes[node].local.scale = {-1, 1, 1};
    compare_centers(scene, slanted_camera(), 2e-5, 1e-5, meet_cube);
}

TEST_F(ShapeTest, ShapesWithoutNormalsAreFlat) {
    Scene scene;
    Shape shape = cube();
    shape.normals.clear();
    add(scene, shape);
    compare_centers(scene, slanted_camera(), 2e-5, 1e-5, meet_cube);
}

}  // namespace
}  // namespace effigy::render::test
