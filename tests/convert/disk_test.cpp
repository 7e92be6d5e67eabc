/// What a disk may refuse: room, and the right to read.

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "effigy/effigy.hpp"

#include "gltf/glb.hpp"

namespace effigy::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Root may read everything: then somebody else looks.
class Anybody {
public:
    Anybody() : was_root_(::geteuid() == 0) {
        if (was_root_ && ::seteuid(65534) != 0) throw std::runtime_error("root cannot become anybody");
    }
    ~Anybody() {
        if (was_root_ && ::seteuid(0) != 0) std::abort();
    }
    Anybody(const Anybody&) = delete;
    Anybody& operator=(const Anybody&) = delete;

private:
    bool was_root_;
};

/// A folder that anybody may look into.
class Disk : public testing::Test {
protected:
    Disk() { fs::permissions(folder_.path(), fs::perms::others_all | fs::perms::group_all, fs::perm_options::add); }
    ~Disk() override {
        std::error_code ignored;
        for (const fs::path& closed : closed_) fs::permissions(closed, fs::perms::owner_all, ignored);
    }
    [[nodiscard]] fs::path path(const std::string& name) const { return folder_.path() / name; }
    void close(const std::string& name) {
        closed_.push_back(path(name));
        fs::permissions(path(name), fs::perms::none);
    }
    void write_actor() const { ASSERT_TRUE(save_scene(figure(), OutputFiles(path("a.xac")), {})); }

    /// A triangle with a texture that is only named.
    static Scene figure() {
        Scene scene;
        Mesh& mesh = scene.meshes.emplace_back();
        mesh.vertex_count = 3;
        const auto add = [&](Semantic semantic, ElementType element, const std::vector<float>& numbers) {
            Attribute& attribute = mesh.attributes.emplace_back();
            attribute.semantic = semantic;
            attribute.data.element = element;
            const auto bytes = std::as_bytes(std::span(numbers));
            attribute.data.bytes.assign(bytes.begin(), bytes.end());
        };
        add(Semantic::position, ElementType::vec3, {0, 0, 0, 1, 0, 0, 0, 1, 0});
        add(Semantic::texcoord, ElementType::vec2, {0, 0, 1, 0, 0, 1});
        mesh.primitives.push_back({0, 3, {0, 1, 2}, 0});
        scene.images.emplace_back().name = "skin";
        scene.materials.emplace_back().base_color_texture.image = 0;
        scene.nodes.emplace_back().name = "thing";
        scene.nodes.back().mesh = 0;
        return scene;
    }

    TemporaryFolder folder_;

private:
    std::vector<fs::path> closed_;
};

// A limit on the size of files fails a write in the middle, as a full disk does.
TEST_F(Disk, WithoutRoomNoFolderStays) {
    fs::create_directory(path("there"));
    struct rlimit old {};
    ::getrlimit(RLIMIT_FSIZE, &old);
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit small = old;
    small.rlim_cur = 16;
    ::setrlimit(RLIMIT_FSIZE, &small);
    const auto made = write_scene(figure(), path("there/ship.xml"));
    ::setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, old_handler);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, "output-write");
    EXPECT_TRUE(fs::is_empty(path("there")));
    ASSERT_TRUE(write_scene(figure(), path("there/ship.xml")));
    EXPECT_TRUE(fs::is_directory(path("there/ship_data")));
}

// Paradox's games have all textures in gfx/anims, whatever folder below it a model lies in.
TEST_F(Disk, TexturesLieAnywhereInAGamesFolder) {
    fs::create_directories(path("Mod/GFX/Anims/Attachments"));
    fs::create_directories(path("Mod/elsewhere"));
    const auto white = image::encode_png({1, 1, Bytes(4, std::byte{255}), false, {}});
    ASSERT_TRUE(white && write_bytes(path("Mod/GFX/Anims/skin.png"), *white));
    write_actor();
    const auto missing = [&](const char* folder) {
        const fs::path copy = path(folder) / "a.xac";
        fs::copy_file(path("a.xac"), copy);
        const auto loaded = load_scene({copy});
        return loaded ? loaded->report.count("texture-missing") : 99;
    };
    EXPECT_EQ(missing("Mod/GFX/Anims/Attachments"), 0U);
    EXPECT_EQ(missing("Mod/elsewhere"), 1U);
}

// Those in which what is drawn finds them are those in which nothing may be overwritten.
TEST_F(Disk, TexturesAreLookedForInOneListOfFolders) {
    fs::create_directories(path("Mod/GFX/Anims/Attachments"));
    ConvertOptions options;
    options.values.set("textures", path("own").string());
    const fs::path inner = path("Mod/GFX/Anims/Attachments");
    const std::vector<fs::path> wanted{path("own"), inner, path("Mod/GFX/Anims")};
    EXPECT_EQ(texture_folders({inner / "a.xac", "-"}, options), wanted);
}

// The buffer of a glTF is no input, and yet nothing may replace it.
TEST_F(Disk, WhatAnInputRefersToStays) {
    ASSERT_TRUE(save_scene(figure(), OutputFiles(path("a.gltf"))));
    std::string text = read_text(path("a.gltf"));
    const std::string buffer = read_text(path("a.bin")) + "more";
    text.replace(text.find("a.bin"), 5, "c.bin");
    std::ofstream(path("b.gltf"), std::ios::binary) << text;
    std::ofstream(path("c.bin"), std::ios::binary) << buffer;
    const auto made = convert({path("b.gltf")}, path("c.gltf"));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, "output-kept");
    EXPECT_EQ(read_text(path("c.bin")), buffer);
    EXPECT_FALSE(fs::exists(path("c.gltf")));
    EXPECT_TRUE(convert({path("b.gltf")}, path("d.gltf")));
}

// Only Risen's own files have the head that files of such a name begin with.
TEST_F(Disk, NewFilesAreNotCalledAsRisensAre) {
    write_actor();
    const auto written = [&](const fs::path& from, const char* to) {
        const auto made = convert({from}, path(to));
        return made ? std::string() : made.error().code + " " + made.error().expected;
    };
    EXPECT_EQ(written(path("a.xac"), "a.glb"), "");
    for (const char* from : {"a.xac", "a.glb"}) {
        EXPECT_EQ(written(path(from), "new._xmac"), "emfx-wrapper .xac") << from;
        EXPECT_EQ(written(path(from), "new._XMAC"), "emfx-wrapper .xac") << from;
        EXPECT_FALSE(fs::exists(path("new._xmac"))) << from;
    }
    // One that has the head keeps it, as a copy and through glTF.
    auto bytes = read_bytes(path("a.xac"));
    ASSERT_FALSE(bytes.empty());
    const auto size = static_cast<std::uint32_t>(bytes.size());
    bytes.insert(bytes.begin(), 140, std::byte{7});
    std::memcpy(bytes.data() + 136, &size, sizeof size);
    ASSERT_TRUE(write_bytes(path("old._xmac"), bytes));
    EXPECT_EQ(written(path("old._xmac"), "copy._xmac"), "");
    EXPECT_EQ(written(path("old._xmac"), "old.glb"), "");
    EXPECT_EQ(written(path("old.glb"), "back._xmac"), "");
    EXPECT_EQ(read_bytes(path("copy._xmac")), bytes);
    EXPECT_EQ(read_bytes(path("back._xmac")), bytes);
}

TEST_F(Disk, FoldersStayWhereSomethingIsInThem) {
    {
        NewFolders folders;
        EXPECT_FALSE(folders.make(path("a/b/c")));
        EXPECT_FALSE(folders.make(path("d/e")));
        EXPECT_TRUE(fs::is_directory(path("a/b/c")));
        ASSERT_TRUE(write_bytes(path("a/b/file"), {}));
    }
    EXPECT_TRUE(fs::exists(path("a/b/file")));
    EXPECT_FALSE(fs::exists(path("a/b/c")));
    EXPECT_FALSE(fs::exists(path("d")));
}

TEST_F(Disk, ClosedInputsAreCalledSo) {
    write_actor();
    fs::create_directory(path("sub"));
    fs::copy_file(path("a.xac"), path("sub/a.xac"));
    close("a.xac"), close("sub");
    const Anybody reader;
    for (const char* name : {"a.xac", "sub/a.xac"}) {
        const auto loaded = load_scene({path(name)});
        ASSERT_FALSE(loaded) << name;
        EXPECT_EQ(loaded.error().code, "input-open") << name;
        EXPECT_THAT(loaded.error().message, HasSubstr("may not read")) << name;
        EXPECT_THAT(loaded.error().message, HasSubstr("chmod")) << name;
    }
}

TEST_F(Disk, ClosedFoldersAreCalledSo) {
    write_actor();
    fs::create_directories(path("gfx/inner"));
    close("gfx/inner");
    for (const char* name : {"textures", "motions"}) {
        ConvertOptions options;
        options.values.set(name, path("gfx").string());
        const Anybody reader;
        if (!fs::exists(path("a.xac"))) GTEST_SKIP() << "not everybody may look into the temporary folder";
        const auto loaded = load_scene({path("a.xac")}, options);
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        EXPECT_GE(loaded->report.count("folder-closed"), 1U) << name;
    }
    close("gfx");
    for (const char* name : {"textures", "motions"}) {
        ConvertOptions options;
        options.values.set(name, path("gfx").string());
        const Anybody reader;
        const auto loaded = load_scene({path("a.xac")}, options);
        ASSERT_FALSE(loaded);
        EXPECT_EQ(loaded.error().code, "usage-option");
        EXPECT_THAT(loaded.error().message, HasSubstr("may not be read")) << name;
    }
}

}  // namespace
}  // namespace effigy::test
