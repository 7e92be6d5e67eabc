/// OBJ and MTL files that are written.

#include "effigy/obj.hpp"

#include <algorithm>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "effigy/poser.hpp"

#include "contents.hpp"
#include "mesh_files/readers.hpp"
#include "mesh_files/scenes.hpp"
#include "obj/names.hpp"
#include "temporary_folder.hpp"

namespace effigy::test {
namespace {

using ::testing::ElementsAre;

class ObjFile : public ::testing::Test {
protected:
    Report write(const Scene& scene, const std::string& name = "figure.obj") {
        auto written = obj::write_file(scene, folder_ / name);
        if (!written) ADD_FAILURE() << to_string(written.error());
        return written ? std::move(*written) : Report();
    }

    Obj written(const Scene& scene) {
        (void)write(scene);
        return read_obj(folder_ / "figure.obj");
    }

    void expect_failure(const Scene& scene, const char* code, const char* path) {
        const auto result = obj::write_file(scene, folder_ / "broken.obj");
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, code);
        EXPECT_THAT(result.error().path, ::testing::HasSubstr(path));
        EXPECT_EQ(count_files(folder_.path()), 0u);
    }

    TemporaryFolder folder_;
};

double front_of(const Obj& obj, const ObjFace& face) {
    const auto& a = obj.positions[static_cast<std::size_t>(face.corners[0].position - 1)];
    const auto& b = obj.positions[static_cast<std::size_t>(face.corners[1].position - 1)];
    const auto& c = obj.positions[static_cast<std::size_t>(face.corners[2].position - 1)];
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

TEST_F(ObjFile, HoldsTheRestPoseWhereThePoserHasIt) {
    const Scene scene = figure();
    const Obj obj = written(scene);
    const auto poser = playback::Poser::make(scene);
    ASSERT_TRUE(poser);
    std::size_t count = 0;
    for (const playback::PosedMesh& mesh : poser->meshes()) {
        for (const Vec3& position : mesh.vertices.positions) {
            ASSERT_LT(count, obj.positions.size());
            EXPECT_EQ(static_cast<float>(obj.positions[count][0]), position.x);
            EXPECT_EQ(static_cast<float>(obj.positions[count][1]), position.y);
            EXPECT_EQ(static_cast<float>(obj.positions[count][2]), position.z);
            ++count;
        }
    }
    EXPECT_EQ(count, obj.positions.size());
    EXPECT_EQ(count, 18u);
}

// The same without the poser: the joint lifts by 2, the morph target bulges by 0.5, the mirror is at 5 - x.
TEST_F(ObjFile, SkinsMorphsAndMirrors) {
    const Obj obj = written(figure());
    ASSERT_EQ(obj.positions.size(), 18u);
    EXPECT_THAT(obj.positions[0], ElementsAre(0, 2, 0.5));
    EXPECT_THAT(obj.positions[2], ElementsAre(1, 3, 0));
    EXPECT_THAT(obj.positions[6 + 1], ElementsAre(4, 0, 0));
    EXPECT_THAT(obj.positions[12 + 2], ElementsAre(1, 1, 0));
}

TEST_F(ObjFile, KeepsFrontsInFront) {
    const Obj obj = written(figure());
    ASSERT_EQ(obj.faces.size(), 6u);
    for (const ObjFace& face : obj.faces) EXPECT_GT(front_of(obj, face), 0) << face.object;
}

TEST_F(ObjFile, NamesOnlyWhatThereIs) {
    const Obj obj = written(figure());
    EXPECT_EQ(obj.normals.size(), 12u);
    EXPECT_EQ(obj.texcoords.size(), 6u);
    for (const ObjFace& face : obj.faces) {
        ASSERT_EQ(face.corners.size(), 3u);
        for (const ObjCorner& corner : face.corners) {
            EXPECT_EQ(corner.texcoord != 0, face.object == obj.objects[0]);
            EXPECT_EQ(corner.normal != 0, face.object != obj.objects[1]);
        }
    }
    const ObjFace last = obj.faces.back();
    EXPECT_EQ(last.corners[2].position, 18);
    EXPECT_EQ(last.corners[2].normal, 12);
    const ObjFace second = obj.faces[1];
    EXPECT_EQ(second.corners[1].position, 5);
    EXPECT_EQ(second.corners[1].texcoord, 5);
    EXPECT_EQ(second.corners[1].normal, 5);
}

TEST_F(ObjFile, TurnsTextureCoordinatesUpwards) {
    const Obj obj = written(figure());
    ASSERT_EQ(obj.texcoords.size(), 6u);
    EXPECT_THAT(obj.texcoords[0], ElementsAre(0, 0));
    EXPECT_THAT(obj.texcoords[2], ElementsAre(1, 1));
    EXPECT_THAT(obj.texcoords[5], ElementsAre(0, 1));
}

TEST_F(ObjFile, TakesTheCoordinatesThatTheTextureUses) {
    Scene scene = figure();
    scene.materials[0].base_color_texture.texcoord = 1;
    const Obj obj = written(scene);
    ASSERT_EQ(obj.texcoords.size(), 6u);
    EXPECT_THAT(obj.texcoords[2], ElementsAre(0, 0));
    EXPECT_NEAR(obj.texcoords[3][0], 0.2, 1e-6);
}

TEST_F(ObjFile, MakesNamesOneWordAndUnique) {
    const Obj obj = written(figure());
    EXPECT_THAT(obj.objects, ElementsAre("left_arm__1", "left_arm_1", "mesh"));
    EXPECT_EQ(obj.faces_of("left_arm__1")[0].material, "red_cloth");
    EXPECT_EQ(obj.faces_of("left_arm__1")[1].material, "red_cloth_2");
    EXPECT_EQ(obj.faces_of("left_arm_1")[0].material, "(null)");
    EXPECT_EQ(obj.faces_of("mesh")[1].material, "red_cloth_2");
}

TEST_F(ObjFile, NamesNoObjectTwice) {
    Scene scene = figure();
    scene.nodes[1].name = scene.nodes[2].name = "arm 1";
    scene.nodes[3].name = "arm_1_2";
    EXPECT_THAT(written(scene).objects, ElementsAre("arm_1", "arm_1_2", "arm_1_2_2"));
}

TEST(ObjNames, ManyAlikeCostNoMoreThanOthers) {
    constexpr std::size_t count = 200000;
    obj::UniqueWords words;
    for (std::size_t i = 1; i < count; ++i) (void)words.add("arm", "mesh");
    EXPECT_EQ(words.add("arm", "mesh"), "arm_200000");
    EXPECT_EQ(words.add("arm_200000", "mesh"), "arm_200000_2");
}

TEST_F(ObjFile, DescribesMaterials) {
    const Obj obj = written(figure());
    EXPECT_THAT(obj.libraries, ElementsAre("figure.mtl"));
    const Mtl mtl = read_mtl(folder_ / "figure.mtl");
    ASSERT_EQ(mtl.size(), 2u);
    const auto& cloth = mtl.at("red_cloth");
    EXPECT_EQ(cloth.at("Kd"), "0.5 0.25 0.125");
    EXPECT_EQ(cloth.at("Ke"), "1 0.5 0");
    EXPECT_EQ(cloth.at("d"), "0.75");
    EXPECT_EQ(cloth.at("Pr"), "0.5");
    EXPECT_EQ(cloth.at("Ks"), "0.04 0.04 0.04");
    EXPECT_EQ(cloth.at("Ns"), "30");
    EXPECT_EQ(cloth.at("map_d"), cloth.at("map_Kd"));
    EXPECT_EQ(cloth.at("map_Bump"), "-bm 0.5 " + cloth.at("norm"));
    const auto& second = mtl.at("red_cloth_2");
    EXPECT_EQ(second.at("d"), "1") << "an opaque material lets nothing through";
    EXPECT_EQ(second.at("Ks"), "0 0 0");
    EXPECT_FALSE(second.contains("map_d"));
    EXPECT_FALSE(second.contains("map_Bump"));
    EXPECT_FALSE(second.contains("Ke"));
}

TEST_F(ObjFile, PutsImagesBesideIt) {
    (void)write(figure(), "my figure.obj");
    EXPECT_EQ(count_files(folder_.path()), 5u);
    const Mtl mtl = read_mtl(folder_ / "my figure.mtl");
    const auto& cloth = mtl.at("red_cloth");
    EXPECT_EQ(cloth.at("map_Kd"), "my_figure_skin____x.png");
    EXPECT_EQ(cloth.at("norm"), "my_figure_SKIN____x_2.png");
    EXPECT_EQ(mtl.at("red_cloth_2").at("map_Kd"), "my_figure_image3.jpg");
    EXPECT_EQ(read_text(folder_ / cloth.at("map_Kd")), std::string(5, '\1'));
    EXPECT_EQ(read_text(folder_ / cloth.at("norm")), std::string(5, '\2'));
    EXPECT_EQ(read_text(folder_ / "my_figure_image3.jpg"), std::string(5, '\4'));
}

TEST_F(ObjFile, NamesImagesThatAreElsewhere) {
    Scene scene = figure();
    scene.images[0] = {"far", "", {}, "gfx\\far away.png"};
    scene.images[3] = {"never loaded", "", {}, ""};
    (void)write(scene);
    const Mtl mtl = read_mtl(folder_ / "figure.mtl");
    EXPECT_EQ(mtl.at("red_cloth").at("map_Kd"), "gfx/far away.png");
    EXPECT_FALSE(mtl.at("red_cloth_2").contains("map_Kd"));
}

TEST_F(ObjFile, HoldsAnEmptyScene) {
    const Report report = write({});
    EXPECT_TRUE(report.empty());
    EXPECT_EQ(count_files(folder_.path()), 1u) << "no materials, no .mtl";
    const Obj obj = read_obj(folder_ / "figure.obj");
    EXPECT_TRUE(obj.positions.empty());
    EXPECT_TRUE(obj.libraries.empty());
}

TEST_F(ObjFile, WritesNumbersThatReadBackTheSame) {
    Scene scene;
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    scene.meshes = {square()};
    const std::vector<float> values{0.1f,  1.0f / 3, -1e-30f, 16777217.0f, 3.4e38f, -0.0f, 1, 2, 3,
                                    1e-7f, 5,        6,       7,           8,       9,     1, 2, 1e10f};
    std::memcpy(scene.meshes[0].attributes[0].data.bytes.data(), values.data(), values.size() * sizeof(float));
    const Obj obj = written(scene);
    ASSERT_EQ(obj.positions.size(), 6u);
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(static_cast<float>(obj.positions[i / 3][i % 3]), values[i]) << i;
    EXPECT_EQ(read_text(folder_ / "figure.obj").find("-0\n"), std::string::npos);
}

TEST_F(ObjFile, HoldsEveryTopology) {
    for (const float side : {1.0f, -1.0f}) {
        Scene scene = squares_of_all_topologies();
        scene.nodes[0].local.scale = {side, 1, 1};
        const Obj obj = written(scene);
        EXPECT_THAT(obj.points, ElementsAre(ElementsAre(1), ElementsAre(4)));
        EXPECT_THAT(obj.lines, ElementsAre(ElementsAre(1, 2), ElementsAre(3, 4), ElementsAre(1, 2, 3, 4, 1)));
        EXPECT_EQ(obj.faces.size(), 5u);
        for (const ObjFace& face : obj.faces) EXPECT_EQ(front_of(obj, face), 1);
    }
    EXPECT_TRUE(obj::losses(squares_of_all_topologies()).empty());
}

TEST_F(ObjFile, RefusesHalfATriangle) {
    Scene scene = squares_of_all_topologies();
    scene.meshes[0].primitives[4].indices.resize(2);
    expect_failure(scene, "output-scene", "primitives[4]");
}

TEST_F(ObjFile, SaysWhatIsLost) {
    const Report report = write(figure());
    const auto says = [&](const char* words, Severity severity) {
        return std::count_if(report.diagnostics().begin(), report.diagnostics().end(), [&](const Diagnostic& finding) {
            return finding.code == "obj-lost" && finding.severity == severity &&
                   finding.message.find(words) != std::string::npos;
        });
    };
    for (const char* words : {"1 clip is", "1 skin is", "1 morph target is", "1 further set of texture coordinates is",
                              "1 set of vertex colours is"})
        EXPECT_EQ(says(words, Severity::warning), 1) << words;
    for (const char* words : {"1 hidden mesh is", "1 node without a mesh is", "1 set of tangents"})
        EXPECT_EQ(says(words, Severity::info), 1) << words;
    EXPECT_EQ(report.diagnostics().size(), 8u);
    EXPECT_EQ(obj::losses(figure()).diagnostics().size(), 8u);
}

TEST_F(ObjFile, SaysThatNothingIsDrawn) {
    Scene scene;
    scene.nodes.resize(1);
    const Report report = write(scene);
    ASSERT_FALSE(report.empty());
    EXPECT_EQ(report.diagnostics().front().severity, Severity::warning);
    EXPECT_NE(report.diagnostics().front().message.find("no mesh is drawn"), std::string::npos);
}

TEST_F(ObjFile, SaysNothingWhereNothingIsLost) {
    Scene scene;
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    scene.meshes = {square()};
    EXPECT_TRUE(write(scene).empty());
}

TEST_F(ObjFile, RefusesNumbersThatAreNotFinite) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Scene scene = figure();
    scene.meshes[2].attributes[0].data.as<float>()[4] = nan;
    expect_failure(scene, "output-not-finite", "meshes[2]");
    scene = figure();
    scene.meshes[2].attributes[1].data.as<float>()[4] = std::numeric_limits<float>::infinity();
    expect_failure(scene, "output-not-finite", "NORMAL");
    scene = figure();
    for (Attribute& attribute : scene.meshes[0].attributes) {
        if (attribute.semantic == Semantic::texcoord && attribute.set == 0) attribute.data.as<float>()[0] = nan;
    }
    expect_failure(scene, "output-not-finite", "TEXCOORD_0");
    scene = figure();
    scene.materials[1].base_color.g = nan;
    expect_failure(scene, "output-not-finite", "materials[1]");
}

TEST_F(ObjFile, RefusesScenesThatContradictThemselves) {
    Scene scene = figure();
    scene.meshes[2].primitives[1].indices[0] = 3;
    expect_failure(scene, "output-scene", "meshes[2] / primitives[1] / indices");
    scene = figure();
    scene.meshes[2].primitives[1].vertex_count = 0xffffffffu;
    expect_failure(scene, "output-scene", "primitives[1]");
    scene = figure();
    scene.meshes[2].primitives[1].indices.push_back(0);
    expect_failure(scene, "output-scene", "indices");
    scene = figure();
    scene.meshes[2].primitives[0].material = 3;
    expect_failure(scene, "output-scene", "primitives[0]");
    scene = figure();
    scene.materials[0].base_color_texture.image = 4;
    expect_failure(scene, "output-scene", "materials[0]");
    scene = figure();
    scene.meshes[1].attributes[1].data.bytes.resize(3);
    expect_failure(scene, "output-scene", "COLOR_0");
}

TEST_F(ObjFile, LeavesNothingBehindIfAFileCannotBeWritten) {
    std::filesystem::create_directory(folder_ / "figure.mtl");
    const auto result = obj::write_file(figure(), folder_ / "figure.obj");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "output-create");
    EXPECT_EQ(count_files(folder_.path()), 1u);
}

TEST_F(ObjFile, IsTheSameOnEveryRun) {
    (void)write(figure(), "a.obj");
    const std::string first = read_text(folder_ / "a.obj") + read_text(folder_ / "a.mtl");
    (void)write(figure(), "a.obj");
    EXPECT_EQ(read_text(folder_ / "a.obj") + read_text(folder_ / "a.mtl"), first);
}

}  // namespace
}  // namespace effigy::test
