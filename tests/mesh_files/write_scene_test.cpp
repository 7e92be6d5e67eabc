/// Scenes written by the extension of their file.

#include <gtest/gtest.h>
#include <string>

#include "effigy/registry.hpp"

#include "contents.hpp"
#include "mesh_files/readers.hpp"
#include "mesh_files/scenes.hpp"
#include "temporary_folder.hpp"

namespace effigy::test {
namespace {

Scene one_square() {
    Scene scene;
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    scene.meshes = {square()};
    return scene;
}

TEST(WriteScene, GoesByTheExtension) {
    const TemporaryFolder folder;
    for (const char* name : {"a.glb", "a.gltf", "a.OBJ", "a.ply"})
        EXPECT_TRUE(write_scene(one_square(), folder / name)) << name;
    EXPECT_EQ(read_text(folder / "a.glb").substr(0, 4), "glTF");
    EXPECT_EQ(read_text(folder / "a.gltf").substr(0, 1), "{");
    EXPECT_EQ(read_obj(folder / "a.OBJ").positions.size(), 6u);
    EXPECT_EQ(read_ply(folder / "a.ply").vertices.size(), 6u);
}

TEST(WriteScene, RefusesOtherFormats) {
    const TemporaryFolder folder;
    for (const char* name : {"a.fbx", "a", "obj"}) {
        const auto result = write_scene(one_square(), folder / name);
        ASSERT_FALSE(result) << name;
        EXPECT_EQ(result.error().code, "unknown-format");
    }
    EXPECT_EQ(count_files(folder.path()), 0u);
}

TEST(WriteScene, SaysBeforehandWhatIsLost) {
    const TemporaryFolder folder;
    for (const char* name : {"a.glb", "a.obj", "a.ply"}) {
        const auto result = write_scene(figure(), folder / name);
        if (!result) continue;  // figure()'s pictures are none, which glTF may mind
        EXPECT_EQ(result->diagnostics().size(), scene_losses(figure(), folder / name).diagnostics().size()) << name;
    }
    EXPECT_GT(scene_losses(figure(), "a.obj").diagnostics().size(), 0u);
    EXPECT_TRUE(scene_losses(figure(), "a.glb").empty());
    EXPECT_TRUE(scene_losses(figure(), "-").empty());
}

TEST(WriteScene, EveryFormatThatIsListedIsWritten) {
    const TemporaryFolder folder;
    for (const FormatInfo& format : formats()) {
        if (format.role != Role::scene && format.family != "gltf") continue;
        const std::string name = "a." + std::string(format.extensions.front());
        EXPECT_TRUE(write_scene(one_square(), folder / name)) << name;
        EXPECT_TRUE(format.from_scene);
    }
}

}  // namespace
}  // namespace effigy::test
