/// What the writer wrote, read and written again.

#include <gtest/gtest.h>
#include <string>

#include "effigy/gltf.hpp"
#include "effigy/hashes.hpp"

#include "gltf/glb.hpp"
#include "gltf/rich_scene.hpp"
#include "gltf_read/models.hpp"
#include "gltf_read/reading.hpp"

namespace effigy {
namespace {

using gltf_test::read_text;
using gltf_test::written;

TEST(GltfRoundtrip, GivesTheSameBytes) {
    for (const Scene& scene : {test::rich_scene(), test::scene_of_all_topologies()}) {
        const std::string once = written(scene);
        EXPECT_EQ(gltf_test::json_of(written(read_text(once))), gltf_test::json_of(once));
        EXPECT_TRUE(written(read_text(once)) == once) << "the buffer differs";
    }
}

TEST(GltfRoundtrip, GivesTheSameBytesForModelsOfOthers) {
    for (const auto& model : gltf_test::gltf_models()) {
        SCOPED_TRACE(model.name);
        const std::string once = written(read_text(model.glb));
        EXPECT_EQ(gltf_test::json_of(written(read_text(once))), gltf_test::json_of(once));
        EXPECT_TRUE(written(read_text(once)) == once) << "the buffer differs";
    }
}

TEST(GltfRoundtrip, KeepsWhatAProgramSets) {
    Scene scene = test::rich_scene();
    scene.facing = 45;
    scene.nodes[1].local.rotation = {0, 0, 0, 0.5F};
    for (Clip& clip : scene.clips) clip.duration = 7;
    for (const bool has_records : {true, false}) {
        for (Clip& clip : scene.clips) clip.extras = has_records ? clip.extras : Extras();
        const Scene back = read_text(written(scene));
        EXPECT_EQ(back.facing, 45);
        EXPECT_EQ(back.nodes[1].local.rotation, Quat{});
        ASSERT_FALSE(back.clips.empty());
        for (const Clip& clip : back.clips) EXPECT_EQ(clip.duration, 7) << clip.name << has_records;
    }
}

TEST(GltfRoundtrip, LeadsThroughSeveralFiles) {
    const test::TemporaryFolder folder;
    const Scene scene = test::rich_scene();
    for (const char* const name : {"scene.gltf", "scene.glb"}) {
        const auto path = folder.path() / name;
        ASSERT_TRUE(gltf::write_file(scene, path));
        const auto loaded = gltf::read_scene(path);
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        EXPECT_TRUE(written(loaded->value) == written(scene)) << name;
    }
    const auto missing = gltf::read_scene(folder.path() / "none.glb");
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().file.find("none.glb"), std::string::npos);
}

TEST(GltfRoundtrip, KnowsUntouchedObjects) {
    const Scene scene = read_text(written(test::rich_scene()));
    const Untouched untouched(scene);
    const auto expect_untouched = [&](const auto& objects) {
        std::size_t with_extras = 0;
        for (const auto& object : objects) {
            with_extras += object.extras.json.empty() ? 0 : 1;
            EXPECT_EQ(untouched(object), !object.extras.json.empty()) << object.name;
        }
        EXPECT_NE(with_extras, 0u);
    };
    expect_untouched(scene.nodes);
    expect_untouched(scene.meshes);
    expect_untouched(scene.skins);
    expect_untouched(scene.materials);
    expect_untouched(scene.lights);
    expect_untouched(scene.clips);
    EXPECT_FALSE(scene.asset_extras.json.empty());
}

}  // namespace
}  // namespace effigy
