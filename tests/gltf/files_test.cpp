/// Files that are written for one scene, and their names.

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "effigy/gltf.hpp"

#include "gltf/glb.hpp"
#include "gltf/rich_scene.hpp"

namespace effigy::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Gltf load(const fs::path& path) {
    Gltf gltf;
    gltf.json = json::parse(read_text(path));
    gltf.binary = read_bytes(path.parent_path() / gltf.json["buffers"][0]["uri"].get<std::string>());
    EXPECT_EQ(gltf.json["buffers"][0]["byteLength"], gltf.binary.size());
    return gltf;
}

TEST(WriteFile, GlbFileIsTheGlbInMemory) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "scene.glb";
    const auto written = gltf::write_file(rich_scene(), path, {.fsync = true});
    ASSERT_TRUE(written) << to_string(written.error());
    const auto bytes = gltf::write_glb(rich_scene());
    ASSERT_TRUE(bytes);
    EXPECT_TRUE(std::equal(bytes->begin(), bytes->end(), read_bytes(path).begin()));
    EXPECT_EQ(fs::file_size(path), bytes->size());
    EXPECT_EQ(count_files(folder.path()), 1u);
}

TEST(WriteFile, GltfHasItsBufferAndImagesBeside) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "scene.GLTF";
    const Scene scene = rich_scene();
    const auto written = gltf::write_file(scene, path);
    ASSERT_TRUE(written) << to_string(written.error());
    EXPECT_EQ(count_files(folder.path()), 4u);
    const Gltf gltf = load(path);
    const auto glb = gltf::write_glb(scene);
    ASSERT_TRUE(glb);
    const Gltf other = parse_glb(*glb);
    const json& accessor = gltf.json["meshes"][0]["primitives"][1]["attributes"]["COLOR_1"];
    EXPECT_EQ(gltf.read(accessor), other.read(accessor));
    for (std::size_t i = 0; i < 2; ++i) {
        const std::string uri = gltf.json["images"][i]["uri"];
        EXPECT_EQ(uri.find_first_of("/\\"), std::string::npos);
        EXPECT_THAT(uri, ::testing::Not(::testing::HasSubstr("..")));
        EXPECT_THAT(uri, ::testing::EndsWith(".png"));
        const auto bytes = read_bytes(folder.path() / uri);
        ASSERT_EQ(bytes.size(), scene.images[i].bytes.size());
        EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), scene.images[i].bytes.begin()));
    }
    EXPECT_NE(gltf.json["images"][0]["uri"], gltf.json["images"][1]["uri"]);
}

TEST(WriteFile, GltfCanKeepImagesInItsBuffer) {
    const TemporaryFolder folder;
    const auto written = gltf::write_file(rich_scene(), folder.path() / "scene.gltf", {.embed_images = true});
    ASSERT_TRUE(written) << to_string(written.error());
    EXPECT_EQ(count_files(folder.path()), 2u);
    EXPECT_TRUE(load(folder.path() / "scene.gltf").json["images"][0].contains("bufferView"));
}

TEST(WriteFile, NamesOfImagesCannotLeaveTheFolder) {
    Scene scene;
    const Bytes bytes(4);
    for (const char* name : {"../../evil", "/etc/passwd", "C:\\x", "..", "", "\xff\xfe", "a b", "A b", "a:b"}) {
        scene.images.push_back({name, "image/jpeg", bytes, ""});
    }
    scene.images.push_back({std::string(1000, 'x'), "image/jpeg", bytes, ""});
    const TemporaryFolder folder;
    const fs::path inner = folder.path() / "inner";
    fs::create_directory(inner);
    const auto written = gltf::write_file(scene, inner / "s.gltf");
    ASSERT_TRUE(written) << to_string(written.error());
    EXPECT_EQ(count_files(folder.path()), 1u);
    EXPECT_EQ(count_files(inner), scene.images.size() + 1);
}

TEST(WriteFile, NameOfTheBufferIsEscapedInTheJson) {
    const TemporaryFolder folder;
    ASSERT_TRUE(gltf::write_file(rich_scene(), folder.path() / "h\xc3\xa9ro 100%.gltf"));
    EXPECT_TRUE(fs::exists(folder.path() / "h\xc3\xa9ro 100%.bin"));
    const json parsed = json::parse(read_text(folder.path() / "h\xc3\xa9ro 100%.gltf"));
    EXPECT_EQ(parsed["buffers"][0]["uri"], "h%C3%A9ro%20100%25.bin");
}

TEST(WriteFile, EveryRunWritesTheSameFiles) {
    const TemporaryFolder first;
    const TemporaryFolder second;
    ASSERT_TRUE(gltf::write_file(rich_scene(), first.path() / "s.gltf"));
    ASSERT_TRUE(gltf::write_file(rich_scene(), second.path() / "s.gltf"));
    for (const auto& entry : fs::directory_iterator(first.path())) {
        EXPECT_EQ(read_text(entry.path()), read_text(second.path() / entry.path().filename()));
    }
}

TEST(WriteFile, NothingAppearsIfOneFileOfSeveralCannotBeWritten) {
    const TemporaryFolder folder;
    fs::create_directory(folder.path() / "s.bin");
    const auto written = gltf::write_file(rich_scene(), folder.path() / "s.gltf");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, "output-create");
    EXPECT_EQ(written.error().file, (folder.path() / "s.bin").string());
    EXPECT_EQ(count_files(folder.path()), 1u);
}

TEST(WriteFile, BadSceneLeavesTheOldFileAlone) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "s.glb";
    std::ofstream(path) << "old";
    Scene scene = rich_scene();
    scene.skins[0].joints[0] = 99;
    ASSERT_FALSE(gltf::write_file(scene, path));
    EXPECT_EQ(read_text(path), "old");
    EXPECT_EQ(count_files(folder.path()), 1u);
}

}  // namespace
}  // namespace effigy::test
