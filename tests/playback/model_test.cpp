/// Joints in the model's space, and matrices of skinning.

#include <gtest/gtest.h>
#include <vector>

#include "playback/support.hpp"

namespace effigy::playback {
namespace {

glm::dmat4 local_matrix(const Pose& pose, std::size_t joint) {
    const Quat q = pose.rotations[joint];
    glm::dmat4 matrix = glm::mat4_cast(glm::dquat(q.w, q.x, q.y, q.z));
    matrix[0] *= static_cast<double>(pose.scales[joint].x);
    matrix[1] *= static_cast<double>(pose.scales[joint].y);
    matrix[2] *= static_cast<double>(pose.scales[joint].z);
    matrix[3] = glm::dvec4(widened(pose.translations[joint]), 1);
    return matrix;
}

struct Case {
    Pose pose;
    std::vector<Index> parents;
    std::vector<MatrixJoint> matrices;
    std::vector<Mat4> expected;
};

Case make_case(std::size_t joints) {
    Random random(static_cast<std::uint32_t>(joints + 77));
    Case made;
    made.pose = make_pose(joints, random);
    std::vector<glm::dmat4> models;
    for (std::size_t i = 0; i < joints; ++i) {
        const std::size_t above = i == 0 ? 1 : random.below(i + 1);
        made.parents.push_back(i == 0 || above == i ? no_index : static_cast<Index>(above));
        glm::dmat4 local = local_matrix(made.pose, i);
        if (i % 6 == 5) {
            made.matrices.push_back({static_cast<Index>(i), random.matrix()});
            local = widened(made.matrices.back().matrix);
        }
        models.push_back(made.parents.back() == no_index ? local : models[above] * local);
        made.expected.push_back(narrowed(models.back()));
    }
    return made;
}

TEST(LocalToModel, AgreesWithDoublesForEveryNumberOfJoints) {
    for (std::size_t joints = 0; joints <= 40; ++joints) {
        const Case made = make_case(joints);
        for (const std::size_t shift : {0u, 1u, 3u}) {
            Guarded<Mat4> models(joints, shift, joints % 2 == 0);
            LocalToModelJob job{made.parents, made.pose.view(), made.matrices, models.span(), Kernel::scalar};
            ASSERT_TRUE(job.run());
            expect_near(models.span(), made.expected, 2e-4f);
            job.kernel = Kernel::vector;
            with_vectors([&] {
                std::fill(models.span().begin(), models.span().end(), Mat4());
                ASSERT_TRUE(job.run());
                expect_near(models.span(), made.expected, 2e-4f);
                EXPECT_TRUE(models.is_intact());
            });
        }
    }
}

TEST(LocalToModel, LongChainsStayExact) {
    constexpr std::size_t joints = 200;
    Pose pose;
    pose.resize(joints);
    std::vector<Index> parents(joints, no_index);
    for (std::size_t i = 0; i < joints; ++i) {
        pose.translations[i] = {0, 1, 0};
        pose.rotations[i] = turned({0, 0, 1}, 90);
        pose.scales[i] = {1, 1, 1};
        if (i != 0) parents[i] = static_cast<Index>(i - 1);
    }
    std::vector<Mat4> models(joints);
    ASSERT_TRUE((LocalToModelJob{parents, pose.view(), {}, models, Kernel::vector}.run()));
    // Four quarters of a turn lead back.
    expect_near(one(models[joints - 4]), one(models[0]), 1e-4f);
}

TEST(SkinMatrices, Products) {
    Random random(5);
    std::vector<Mat4> models;
    for (int i = 0; i < 20; ++i) models.push_back(random.matrix());
    for (std::size_t count = 0; count <= 20; ++count) {
        std::vector<Index> joints;
        std::vector<Mat4> binds;
        std::vector<Mat4> expected;
        for (std::size_t i = 0; i < count; ++i) {
            joints.push_back(random.below(models.size()));
            binds.push_back(random.matrix());
            expected.push_back(narrowed(widened(models[joints.back()]) * widened(binds.back())));
        }
        std::vector<Mat4> out(count);
        ASSERT_TRUE((SkinMatricesJob{models, joints, binds, out, Kernel::scalar}.run()));
        expect_near(out, expected, 1e-6f);
        with_vectors([&] {
            std::fill(out.begin(), out.end(), Mat4());
            ASSERT_TRUE((SkinMatricesJob{models, joints, binds, out, Kernel::vector}.run()));
            expect_near(out, expected, 1e-6f);
        });
    }
}

}  // namespace
}  // namespace effigy::playback
