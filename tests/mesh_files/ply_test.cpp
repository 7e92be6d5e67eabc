/// PLY files that are written.

#include "effigy/ply.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "effigy/poser.hpp"

#include "mesh_files/readers.hpp"
#include "mesh_files/scenes.hpp"
#include "temporary_folder.hpp"

namespace effigy::test {
namespace {

using ::testing::ElementsAre;

class PlyFile : public ::testing::Test {
protected:
    Ply written(const Scene& scene) {
        const auto done = ply::write_file(scene, folder_ / "figure.ply");
        if (!done) {
            ADD_FAILURE() << to_string(done.error());
            return {};
        }
        return read_ply(folder_ / "figure.ply");
    }

    TemporaryFolder folder_;
};

TEST_F(PlyFile, HoldsTheRestPoseWhereThePoserHasIt) {
    const Scene scene = figure();
    const Ply ply = written(scene);
    const auto poser = playback::Poser::make(scene);
    ASSERT_TRUE(poser);
    std::size_t count = 0;
    for (const playback::PosedMesh& mesh : poser->meshes()) {
        for (const Vec3& position : mesh.vertices.positions) {
            EXPECT_EQ(static_cast<float>(ply.at(count, "x")), position.x);
            EXPECT_EQ(static_cast<float>(ply.at(count, "y")), position.y);
            EXPECT_EQ(static_cast<float>(ply.at(count, "z")), position.z);
            ++count;
        }
    }
    EXPECT_EQ(count, ply.vertices.size());
}

TEST_F(PlyFile, SkinsMorphsAndMirrors) {
    const Ply ply = written(figure());
    ASSERT_EQ(ply.vertices.size(), 18u);
    EXPECT_EQ(ply.at(0, "y"), 2);
    EXPECT_EQ(ply.at(0, "z"), 0.5);
    EXPECT_EQ(ply.at(6 + 1, "x"), 4);
    EXPECT_THAT(ply.faces, ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3, 4, 5), ElementsAre(6, 8, 7),
                                       ElementsAre(9, 11, 10), ElementsAre(12, 13, 14), ElementsAre(15, 16, 17)));
}

TEST_F(PlyFile, GivesAllVerticesWhatSomeHave) {
    const Ply ply = written(figure());
    EXPECT_THAT(ply.properties,
                ElementsAre("x", "y", "z", "nx", "ny", "nz", "s", "t", "red", "green", "blue", "alpha"));
    EXPECT_EQ(ply.at(0, "nz"), 1);
    EXPECT_EQ(ply.at(6, "nz"), 1) << "a mesh without normals, mirrored, has those of its faces";
    EXPECT_EQ(ply.at(6, "nx"), 0);
    EXPECT_EQ(ply.at(12, "nz"), 1);
    EXPECT_EQ(ply.at(2, "s"), 1);
    EXPECT_EQ(ply.at(2, "t"), 1) << "t grows upwards";
    EXPECT_EQ(ply.at(0, "t"), 0);
    EXPECT_EQ(ply.at(6, "s"), 0);
    EXPECT_EQ(ply.at(0, "green"), 255) << "a mesh without colours is white";
}

// Linear light becomes sRGB: 0.2 is 0.4845 of full.
TEST_F(PlyFile, EncodesColors) {
    const Ply ply = written(figure());
    EXPECT_EQ(ply.at(6 + 1, "red"), 255);
    EXPECT_EQ(ply.at(6 + 1, "green"), 0);
    EXPECT_EQ(ply.at(6 + 1, "blue"), 124);
    EXPECT_EQ(ply.at(6 + 5, "blue"), 255);
    EXPECT_EQ(ply.at(6 + 1, "alpha"), 255);
}

TEST_F(PlyFile, ClampsColors) {
    Scene scene = figure();
    const std::vector<float> colors{2, -1, 0.5f, 0.5f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7};
    scene.meshes[1].attributes[1] = attribute(Semantic::color, 0, ElementType::vec4, ComponentType::f32, colors);
    const Ply ply = written(scene);
    EXPECT_EQ(ply.at(6, "red"), 255);
    EXPECT_EQ(ply.at(6, "green"), 0);
    EXPECT_EQ(ply.at(6, "blue"), 188);
    EXPECT_EQ(ply.at(6, "alpha"), 128);
    EXPECT_EQ(ply.at(11, "alpha"), 255);
}

TEST_F(PlyFile, HasOnlyTheProperties) {
    Scene scene;
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    scene.meshes = {square()};
    const Ply ply = written(scene);
    EXPECT_THAT(ply.properties, ElementsAre("x", "y", "z"));
    EXPECT_EQ(ply.vertices.size(), 6u);
    EXPECT_EQ(ply.faces.size(), 2u);
}

TEST_F(PlyFile, HoldsAnEmptyScene) {
    const Ply ply = written({});
    EXPECT_TRUE(ply.vertices.empty());
    EXPECT_TRUE(ply.faces.empty());
}

TEST_F(PlyFile, HoldsTrianglesOfEveryTopology) {
    for (const float side : {1.0f, -1.0f}) {
        Scene scene = squares_of_all_topologies();
        scene.nodes[0].local.scale = {side, 1, 1};
        const Ply ply = written(scene);
        ASSERT_EQ(ply.faces.size(), 5u);
        for (const auto& [a, b, c] : ply.faces) {
            const auto along = [&](std::int32_t from, std::int32_t to, const char* axis) {
                return ply.at(static_cast<std::size_t>(to), axis) - ply.at(static_cast<std::size_t>(from), axis);
            };
            EXPECT_EQ(along(a, b, "x") * along(a, c, "y") - along(a, b, "y") * along(a, c, "x"), 1);
        }
    }
    const Report report = ply::losses(squares_of_all_topologies());
    ASSERT_EQ(report.diagnostics().size(), 1u);
    EXPECT_THAT(report.diagnostics()[0].message, ::testing::HasSubstr("3 groups of lines or points are left out"));
}

TEST_F(PlyFile, SaysWhatIsLost) {
    const Report report = ply::losses(figure());
    EXPECT_EQ(report.count("ply-lost"), report.diagnostics().size());
    const auto says = [&](const char* words) {
        return std::any_of(report.diagnostics().begin(), report.diagnostics().end(),
                           [&](const Diagnostic& d) { return d.message.find(words) != std::string::npos; });
    };
    for (const char* words : {"1 clip is", "1 skin is", "1 morph target is", "3 materials are", "4 images are"})
        EXPECT_TRUE(says(words)) << words;
    EXPECT_FALSE(says("colours"));
}

TEST_F(PlyFile, RefusesNumbersThatAreNotFinite) {
    Scene scene = figure();
    scene.meshes[1].attributes[0].data.as<float>()[0] = std::numeric_limits<float>::infinity();
    const auto result = ply::write_file(scene, folder_ / "figure.ply");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "output-not-finite");
    EXPECT_EQ(count_files(folder_.path()), 0u);
}

TEST_F(PlyFile, RefusesIndicesAstray) {
    Scene scene = figure();
    scene.meshes[1].primitives[0].indices[2] = 99;
    const auto result = ply::write_file(scene, folder_ / "figure.ply");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "output-scene");
    EXPECT_EQ(count_files(folder_.path()), 0u);
}

}  // namespace
}  // namespace effigy::test
