/// Rigid vertices and normals against a computation in doubles.

#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <gtest/gtest.h>
#include <vector>

#include "playback/support.hpp"

namespace effigy::playback {
namespace {

TEST(Transform, AgreesWithDoublesForEveryNumberOfVertices) {
    Random random(21);
    for (std::size_t count = 0; count <= 70; ++count) {
        const Mat4 matrix = random.matrix();
        const glm::dmat4 wide = widened(matrix);
        const glm::dmat3 normal_matrix = glm::transpose(glm::inverse(glm::dmat3(wide)));
        std::vector<Vec3> positions, normals, expected_positions, expected_normals;
        std::vector<Vec4> tangents, expected_tangents;
        for (std::size_t i = 0; i < count; ++i) {
            positions.push_back(random.vector());
            normals.push_back(i % 9 == 8 ? Vec3() : random.vector());
            tangents.push_back(random.tangent());
            expected_positions.push_back(narrowed(glm::dvec3(wide * glm::dvec4(widened(positions[i]), 1))));
            expected_normals.push_back(narrowed(direction(normal_matrix * widened(normals[i]))));
            const glm::dvec3 t = direction(glm::dmat3(wide) * glm::dvec3(tangents[i].x, tangents[i].y, tangents[i].z));
            const Vec3 tangent = narrowed(t);
            expected_tangents.push_back({tangent.x, tangent.y, tangent.z, tangents[i].w});
        }
        const auto compare = [&](Kernel kernel) {
            Guarded<Vec3> out_positions(count, count % 3, count % 2 == 0);
            Guarded<Vec3> out_normals(count, (count + 1) % 3, count % 2 == 0);
            Guarded<Vec4> out_tangents(count, (count + 2) % 3, count % 2 == 0);
            const VertexSpan out{out_positions.span(), out_normals.span(), out_tangents.span()};
            ASSERT_TRUE((TransformJob{matrix, {positions, normals, tangents}, out, kernel}.run()));
            expect_near(out.positions, expected_positions, 1e-5f);
            expect_near(out.normals, expected_normals, 2e-5f);
            expect_near(out.tangents, expected_tangents, 2e-5f);
            EXPECT_TRUE(out_positions.is_intact() && out_normals.is_intact() && out_tangents.is_intact());
            // In place.
            std::copy(positions.begin(), positions.end(), out.positions.begin());
            std::copy(normals.begin(), normals.end(), out.normals.begin());
            std::copy(tangents.begin(), tangents.end(), out.tangents.begin());
            ASSERT_TRUE((TransformJob{matrix, out, out, kernel}.run()));
            expect_near(out.positions, expected_positions, 1e-5f);
            expect_near(out.normals, expected_normals, 2e-5f);
            expect_near(out.tangents, expected_tangents, 2e-5f);
        };
        compare(Kernel::scalar);
        with_vectors([&] { compare(Kernel::vector); });
    }
}

TEST(Transform, NormalsStayUprightOnWhatIsStretchedOrFlattened) {
    const std::vector<Vec3> positions{{0, 0, 0}};
    const std::vector<Vec3> normals{{0.6f, 0.8f, 0}};
    std::vector<Vec3> out_positions(1);
    std::vector<Vec3> out_normals(1);
    const auto normal_after = [&](const Mat4& matrix) {
        for (const Kernel kernel : {Kernel::scalar, Kernel::vector}) {
            EXPECT_TRUE(
                (TransformJob{matrix, {positions, normals, {}}, {out_positions, out_normals, {}}, kernel}.run()));
        }
        return out_normals[0];
    };
    // Twice as wide: the slope of the normal halves.
    expect_same(normal_after({{2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 5, 5, 1}}), narrowed(direction({0.3, 0.8, 0})));
    // Mirrored: with the surface.
    expect_same(normal_after({{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}), {-0.6f, 0.8f, 0});
    // Flattened: only one direction is left.
    expect_same(normal_after({{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}), {0, 1, 0});
    // Very small.
    expect_same(normal_after({{1e-15f, 0, 0, 0, 0, 1e-15f, 0, 0, 0, 0, 1e-15f, 0, 0, 0, 0, 1}}), {0.6f, 0.8f, 0});
    // Nothing left at all.
    expect_same(normal_after({{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}), {0, 0, 0});
}

}  // namespace
}  // namespace effigy::playback
