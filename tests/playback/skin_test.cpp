/// Skinned vertices against a computation in doubles.

#include <gtest/gtest.h>
#include <vector>

#include "playback/support.hpp"

namespace effigy::playback {
namespace {

constexpr std::size_t matrix_count = 37;

/// Vertices that all have the same number of influences; every `step`th vertex is named by the batch.
struct Case {
    std::vector<Mat4> matrices;
    std::vector<Vec3> positions, normals;
    std::vector<Vec4> tangents;
    std::vector<std::uint32_t> vertices;
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    std::uint32_t influences = 0;

    [[nodiscard]] InfluenceBatch batch() const { return {influences, vertices, joints, weights}; }
    [[nodiscard]] VertexView view() const { return {positions, normals, tangents}; }
};

Case make_case(std::size_t count, std::uint32_t influences, std::size_t step) {
    Random random(static_cast<std::uint32_t>(count * 100 + influences));
    Case made;
    made.influences = influences;
    for (std::size_t i = 0; i < matrix_count; ++i) made.matrices.push_back(random.matrix());
    for (std::size_t i = 0; i < count; ++i) {
        made.positions.push_back(random.vector());
        made.normals.push_back(i % 11 == 10 ? Vec3() : random.vector());
        made.tangents.push_back(random.tangent());
        if (i % step != 0) continue;
        made.vertices.push_back(static_cast<std::uint32_t>(i));
        for (std::uint32_t k = 0; k < influences; ++k) {
            made.joints.push_back(static_cast<std::uint16_t>(random.below(matrix_count)));
            made.weights.push_back(random.number(0.1f, 1));
        }
    }
    return made;
}

struct Skinned {
    std::vector<Vec3> positions, normals;
    std::vector<Vec4> tangents;
};

/// In doubles; vertices that the batch does not name keep the guard's number.
Skinned skin_in_doubles(const Case& made, bool normalize = true) {
    constexpr float kept = Guarded<Vec3>::guard;
    const std::size_t count = made.positions.size();
    Skinned skinned{std::vector<Vec3>(count, {kept, kept, kept}), std::vector<Vec3>(count, {kept, kept, kept}),
                    std::vector<Vec4>(count, {kept, kept, kept, kept})};
    const auto turned = [&](const glm::dvec3& v) { return normalize ? direction(v) : v; };
    for (std::size_t i = 0; i < made.vertices.size(); ++i) {
        glm::dmat4 matrix(0);
        for (std::size_t k = i * made.influences; k < (i + 1) * made.influences; ++k) {
            matrix += static_cast<double>(made.weights[k]) * widened(made.matrices[made.joints[k]]);
        }
        const std::size_t v = made.vertices[i];
        const Vec4 t = made.tangents[v];
        const glm::dmat3 turn(matrix);
        skinned.positions[v] = narrowed(glm::dvec3(matrix * glm::dvec4(widened(made.positions[v]), 1)));
        skinned.normals[v] = narrowed(turned(turn * widened(made.normals[v])));
        const Vec3 tangent = narrowed(turned(turn * glm::dvec3(t.x, t.y, t.z)));
        skinned.tangents[v] = {tangent.x, tangent.y, tangent.z, t.w};
    }
    return skinned;
}

void compare(const Case& made, const Skinned& expected, bool has_normals, bool has_tangents, bool normalize,
             Kernel kernel) {
    const std::size_t count = made.positions.size();
    const bool guards = count % 2 == 0;
    Guarded<Vec3> positions(count, count % 3, guards);
    Guarded<Vec3> normals(has_normals ? count : 0, (count + 1) % 3, guards);
    Guarded<Vec4> tangents(has_tangents ? count : 0, (count + 2) % 3, guards);
    const InfluenceBatch batch = made.batch();
    SkinJob job;
    job.matrices = made.matrices;
    job.batches = one(batch);
    job.in = made.view();
    job.out = {positions.span(), normals.span(), tangents.span()};
    job.kernel = kernel;
    job.normalize = normalize;
    const auto result = job.run();
    ASSERT_TRUE(result) << to_string(result.error());
    expect_near(positions.span(), expected.positions, 2e-5f);
    if (has_normals) expect_near(normals.span(), expected.normals, 2e-5f);
    if (has_tangents) expect_near(tangents.span(), expected.tangents, 2e-5f);
    EXPECT_TRUE(positions.is_intact() && normals.is_intact() && tangents.is_intact());
}

void compare_all(const Case& made) {
    for (const bool normalize : {true, false}) {
        const Skinned expected = skin_in_doubles(made, normalize);
        for (const bool has_normals : {false, true}) {
            for (const bool has_tangents : {false, true}) {
                compare(made, expected, has_normals, has_tangents, normalize, Kernel::scalar);
                with_vectors([&] { compare(made, expected, has_normals, has_tangents, normalize, Kernel::vector); });
            }
        }
    }
}

TEST(Skin, AgreesWithDoublesForEveryNumberOfVertices) {
    for (std::size_t count = 1; count <= 70; ++count) compare_all(make_case(count, 4, 1));
}

TEST(Skin, AgreesWithDoublesForEveryNumberOfInfluences) {
    for (std::uint32_t influences = 1; influences <= 9; ++influences) {
        for (const std::size_t count : {1u, 2u, 3u, 17u, 63u, 64u, 65u, 130u})
            compare_all(make_case(count, influences, 1));
    }
}

TEST(Skin, VerticesThatNoBatchNamesStayUntouched) {
    for (const std::size_t step : {2u, 3u, 7u}) {
        for (const std::size_t count : {1u, 5u, 16u, 64u, 129u, 300u}) compare_all(make_case(count, 3, step));
    }
}

TEST(Skin, SeveralBatchesShareAMesh) {
    // Odd vertices have one influence, even ones two; both batches interleave in memory.
    constexpr std::size_t count = 101;
    const Case even = make_case(count, 2, 2);
    Case odd = make_case(count, 1, 2);
    odd.matrices = even.matrices;
    odd.positions = even.positions;
    odd.normals = even.normals;
    odd.tangents = even.tangents;
    odd.vertices.pop_back();
    odd.joints.pop_back();
    odd.weights.pop_back();
    for (std::uint32_t& vertex : odd.vertices) ++vertex;
    const Skinned first = skin_in_doubles(odd);
    const Skinned second = skin_in_doubles(even);
    const std::vector<InfluenceBatch> batches{odd.batch(), even.batch()};
    with_vectors([&] {
        std::vector<Vec3> positions(count);
        std::vector<Vec3> normals(count);
        std::vector<Vec4> tangents(count);
        SkinJob job;
        job.matrices = even.matrices;
        job.batches = batches;
        job.in = even.view();
        job.out = {positions, normals, tangents};
        ASSERT_TRUE(job.run());
        for (std::size_t i = 0; i < count; ++i) {
            const Skinned& expected = i % 2 == 0 ? second : first;
            expect_same(positions[i], expected.positions[i], 2e-5f);
            expect_same(normals[i], expected.normals[i], 2e-5f);
        }
    });
}

TEST(Skin, RunsOfVerticesWithGapsAndBatchesThatTouch) {
    // 0..63 in a row, then a gap, then a row again.
    Case made = make_case(200, 4, 1);
    std::erase_if(made.vertices, [](std::uint32_t v) { return v >= 64 && v < 90; });
    made.joints.resize(made.vertices.size() * 4);
    made.weights.resize(made.vertices.size() * 4);
    compare_all(made);
}

TEST(Skin, BadNumbersDoNoHarm) {
    Case made = make_case(20, 2, 1);
    made.positions[3] = {not_a_number, infinite, 0};
    made.normals[4] = {infinite, 0, 0};
    made.tangents[5] = {not_a_number, 0, 0, 1};
    made.normals[6] = {1e-30f, 0, 0};
    made.weights[14] = not_a_number;
    const InfluenceBatch batch = made.batch();
    with_vectors([&] {
        std::vector<Vec3> positions(20);
        std::vector<Vec3> normals(20);
        std::vector<Vec4> tangents(20);
        for (const Kernel kernel : {Kernel::scalar, Kernel::vector}) {
            ASSERT_TRUE(
                (SkinJob{made.matrices, one(batch), made.view(), {positions, normals, tangents}, kernel}.run()));
            EXPECT_TRUE(std::isnan(positions[3].x));
            EXPECT_TRUE(std::isfinite(positions[2].x) && std::isfinite(positions[8].x));
        }
    });
}

}  // namespace
}  // namespace effigy::playback
