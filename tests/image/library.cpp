/// The search for texture files by the names that games use.

#include <filesystem>
#include <gtest/gtest.h>
#include <string>

#include "effigy/image.hpp"

#include "temporary_folder.hpp"

namespace effigy::image::test {
namespace {

namespace fs = std::filesystem;

class LibraryTest : public testing::Test {
protected:
    fs::path add(const std::string& name) const {
        root_.write(name, name);
        return root_ / name;
    }
    [[nodiscard]] const fs::path& root() const { return root_.path(); }

private:
    effigy::test::TemporaryFolder root_;
};

TEST_F(LibraryTest, FindsWithoutRegardToCaseSlashesFoldersAndExtension) {
    const fs::path file = add("gfx/Anims/HAB_Diffuse_4.DDS");
    const Library library({root()});
    for (const char* name : {"HAB_Diffuse_4", "hab_diffuse_4", "HAB_DIFFUSE_4.dds", "hab_diffuse_4.tga",
                             "hab_diffuse_4.PSD", "gfx\\anims\\hab_diffuse_4.tga", "C:\\work/other/HAB_Diffuse_4"}) {
        EXPECT_EQ(library.find(name), file) << name;
    }
    for (const char* name : {"", "HAB_Diffuse", "gfx", "hab_diffuse_4/", ".dds", "x\\", "hab_diffuse_4.txt"}) {
        EXPECT_EQ(library.find(name), fs::path()) << name;
    }
}

TEST_F(LibraryTest, FindsGzippedTexturesUnderEitherName) {
    const fs::path bare = add("assets/textures/hull_diff.gz");
    const fs::path named = add("assets/textures/hull_normal.DDS.GZ");
    const Library library({root()});
    EXPECT_EQ(library.find("assets\\textures\\HULL_diff"), bare);
    EXPECT_EQ(library.find("hull_diff.dds"), bare);
    EXPECT_EQ(library.find("assets\\textures\\hull_normal"), named);
    const fs::path tga = add("assets/textures/hull_diff.tga");
    EXPECT_EQ(Library({root()}).find("hull_diff"), bare);
    EXPECT_EQ(Library({root()}).find("hull_diff.tga"), tga);
    const fs::path dds = add("assets/textures/hull_diff.dds");
    EXPECT_EQ(Library({root()}).find("hull_diff"), dds);
}

TEST_F(LibraryTest, PrefersTheVeryFileThenPngDdsTgaJpegWebp) {
    const fs::path webp = add("x.webp");
    EXPECT_EQ(Library({root()}).find("x.png"), webp);
    const fs::path jpeg = add("x.jpg");
    EXPECT_EQ(Library({root()}).find("x"), jpeg);
    const fs::path tga = add("x.tga");
    EXPECT_EQ(Library({root()}).find("x"), tga);
    const fs::path dds = add("x.dds");
    EXPECT_EQ(Library({root()}).find("x"), dds);
    const fs::path png = add("x.png");
    const Library library({root()});
    EXPECT_EQ(library.find("x"), png);
    EXPECT_EQ(library.find("X.TGA"), tga);
    EXPECT_EQ(library.find("x.dds"), dds);
    EXPECT_EQ(library.find("x.jpg"), jpeg);
    EXPECT_EQ(library.find("x.webp"), webp);
    EXPECT_EQ(library.find("x.jpeg"), png);
}

TEST_F(LibraryTest, TheFirstFolderDecides) {
    const fs::path modded = add("mod/x.dds");
    add("game/x.png");
    const fs::path other = add("game/y.png");
    const Library library({root() / "mod", root() / "game"});
    EXPECT_EQ(library.find("x.png"), modded);
    EXPECT_EQ(library.find("y"), other);
}

TEST_F(LibraryTest, TheFoldersInANameAreItsFile) {
    const fs::path abe = add("Models/Players/abe/body.png");
    const fs::path zed = add("Models/Players/Zed/body.dds");
    const fs::path other = add("old/abe/body.tga");
    const Library library({root()});
    EXPECT_EQ(library.find("models/players/zed/body"), zed);
    EXPECT_EQ(library.find("MODELS\\players\\abe\\body.tga"), abe);
    EXPECT_EQ(library.find("/home/me/zed/body.png"), zed);
    EXPECT_EQ(library.find("old/abe/body"), other);
    EXPECT_EQ(library.find("old/zed/body"), zed) << "counted from the file";
    EXPECT_EQ(library.find("models/body"), other) << "folders in between count as others";
    EXPECT_EQ(Library({root() / "Models/"}).find("models/players/zed/body"), zed);
    EXPECT_EQ(Library::of_names({"models/abe/body.png", "models/zed/body.png"}).find("zed/body"),
              "models/zed/body.png");
}

TEST_F(LibraryTest, AFileBesideTheModelCountsBeforeThoseInSubfolders) {
    add("backup/x.tga");
    const fs::path beside = add("x.webp");
    const Library library({root()});
    EXPECT_EQ(library.find("x"), beside);
    EXPECT_EQ(library.find("gfx/x.tga"), beside);
    EXPECT_EQ(library.find("backup/x"), root() / "backup/x.tga");
}

TEST_F(LibraryTest, EqualNamesAreOrderedByPath) {
    add("b/x.dds");
    const fs::path first = add("a/x.dds");
    add("c/x.dds");
    EXPECT_EQ(Library({root()}).find("x"), first);
}

TEST_F(LibraryTest, ADotThatStartsNoKnownExtensionBelongsToTheName) {
    const fs::path file = add("soldier.v2.dds");
    add("soldier.dds");
    const Library library({root()});
    EXPECT_EQ(library.find("soldier.v2"), file);
    EXPECT_EQ(library.find("soldier.v2.tga"), file);
    EXPECT_EQ(library.find("soldier.v3"), fs::path());
}

TEST_F(LibraryTest, OtherFilesAreNotTextures) {
    add("x.txt");
    add("x.xac");
    fs::create_directories(root() / "x.png");
    EXPECT_EQ(Library({root()}).find("x"), fs::path());
}

TEST_F(LibraryTest, LinksInACircleEnd) {
    const fs::path file = add("a/b/x.dds");
    std::error_code error;
    fs::create_directory_symlink(root(), root() / "a/b/up", error);
    if (error) GTEST_SKIP() << "no links here: " << error.message();
    fs::create_symlink(root() / "nowhere.dds", root() / "broken.dds", error);
    const Library library({root()});
    EXPECT_EQ(library.find("x"), file);
    EXPECT_EQ(library.find("broken"), fs::path());
}

TEST_F(LibraryTest, MissingFoldersHoldNothing) {
    const fs::path file = add("there/x.dds");
    EXPECT_EQ(Library({root() / "missing", file, root() / "there"}).find("x"), file);
    EXPECT_EQ(Library({}).find("x"), fs::path());
}

TEST_F(LibraryTest, CountsTheFoldersAboveTheOneThatIsSearched) {
    const fs::path beside = add("players/zed/body.png");
    add("players/zed/old/zed/body.png");
    for (const char* folder : {"players/zed", "players/./zed", "players/../players/zed"}) {
        const Library library({root() / folder});
        for (const char* name : {"models/players/zed/body", "players\\zed\\body", "./zed/./body"})
            EXPECT_EQ(library.find(name).lexically_normal(), beside) << folder << ", " << name;
    }
}

}  // namespace
}  // namespace effigy::image::test
