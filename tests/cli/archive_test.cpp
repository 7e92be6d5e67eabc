/// ls, unpack and pack.

#include <sys/stat.h>

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class CliArchive : public Cli {
protected:
    [[nodiscard]] std::vector<std::string> listed(const std::string& arguments) const {
        std::vector<std::string> paths;
        for (const Json& entry : expect_success("effigy ls --json " + arguments).json())
            paths.push_back(entry["path"].get<std::string>());
        return paths;
    }
};

TEST_F(CliArchive, ListsFiles) {
    EXPECT_THAT(listed("01.cat"),
                ElementsAre("assets/units/old.xml", "Assets/Units/size_m/ship x.xml", "index/macros.xml"));
    EXPECT_THAT(listed("01.cat 02.cat"), ElementsAre("assets/units/size_m/ship x.xml", "index/macros.xml"));
    EXPECT_THAT(listed("02.cat 01.cat"),
                ElementsAre("assets/units/old.xml", "Assets/Units/size_m/ship x.xml", "index/macros.xml"));
    EXPECT_THAT(listed("01.cat 'INDEX/*' '**/old.xml'"), ElementsAre("assets/units/old.xml", "index/macros.xml"));
    EXPECT_EQ(listed("01.cat 02.cat --all").size(), 5U);
    const Outcome table = expect_success("effigy ls mod");
    EXPECT_THAT(table.out, HasSubstr("  assets/units/size_m/ship x.xml\n"));
}

TEST_F(CliArchive, ListsAllThereIsToKnow) {
    const Json json = expect_success("effigy ls 01.cat 02.cat --all --json '**/old.xml'").json();
    ASSERT_EQ(json.size(), 2U);
    EXPECT_EQ(json[0]["size"], 13);
    EXPECT_EQ(json[0]["md5"].get<std::string>().size(), 32U);
    EXPECT_EQ(json[0]["catalog"], "01.cat");
    EXPECT_EQ(json[0]["overridden"], true);
    EXPECT_EQ(json[1]["deleted"], true);
    const Outcome table = expect_success("effigy ls 01.cat 02.cat --all");
    EXPECT_THAT(table.out, HasSubstr("overridden"));
    EXPECT_THAT(table.out, HasSubstr("deleted"));
}

TEST_F(CliArchive, SaysWhatMatchesNothing) {
    expect_failure("effigy ls 01.cat old.xml", 2, {"old.xml", "did you mean '**/old.xml'?"});
    expect_failure("effigy ls 01.cat assets/units", 2, {"did you mean 'assets/units/**'?"});
    expect_failure("effigy ls 01.cat nothing", 2, {"nothing in the sources matches"});
    expect_failure("effigy ls missing.cat", 2, {"missing.cat"});
    expect_failure("effigy ls soldier.xac", 2, {"neither a catalog"});
    expect_failure("effigy unpack 01.cat nothing -o out", 2, {"nothing in the sources matches"});
    for (const auto& [command, code] : {std::pair("ls 01.cat nothing", "usage-no-match"),
                                        {"ls soldier.xac", "usage-no-archive"},
                                        {"unpack 01.cat nothing -o out", "usage-no-match"},
                                        {"pack nothing -o new.cat", "usage-option"}}) {
        const Outcome failed = expect_failure("effigy " + std::string(command) + " --json", 2);
        EXPECT_EQ(failed.json()["error"]["code"], code) << command;
    }
}

TEST_F(CliArchive, Unpacks) {
    const Outcome run = expect_success("effigy unpack 01.cat 02.cat -o out");
    EXPECT_THAT(run.out, HasSubstr("unpacked 2 files"));
    EXPECT_EQ(content("out/assets/units/size_m/ship x.xml"), content("mod/assets/units/size_m/ship x.xml"));
    EXPECT_FALSE(exists("out/assets/units/old.xml"));
    write("out/index/macros.xml", "mine");
    EXPECT_THAT(expect_success("effigy unpack 01.cat 02.cat -o out").out, HasSubstr("kept 2 files"));
    EXPECT_EQ(content("out/index/macros.xml"), "mine");
    const Json json = expect_success("effigy unpack 01.cat 'index/**' -o out --overwrite --json").json();
    EXPECT_EQ(json["files"], 1);
    EXPECT_EQ(content("out/index/macros.xml"), content("mod/index/macros.xml"));
}

TEST_F(CliArchive, LeavesNoEmptyFoldersOnAFullDisk) {
    const Outcome run = this->run("trap '' XFSZ; ulimit -f 0; exec effigy unpack 01.cat -o new/out >/dev/null 2>&1");
    EXPECT_EQ(run.code, 1);
    EXPECT_FALSE(exists("new"));
}

TEST_F(CliArchive, RefusesDamagedFiles) {
    std::string data = content("01.dat");
    data[0] = '?';
    write("01.dat", data);
    const Outcome run = this->run("effigy unpack 01.cat -o out");
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("catalog-md5"));
    EXPECT_THAT(run.err, HasSubstr("--allow-damaged"));
    EXPECT_FALSE(exists("out/assets/units/old.xml"));
    EXPECT_TRUE(exists("out/index/macros.xml"));
    EXPECT_EQ(this->run("effigy unpack 01.cat -o out --allow-damaged").code, 1);
    EXPECT_EQ(content("out/assets/units/old.xml"), "?components/>");
    write("01.dat", data.substr(0, 5));
    const Outcome truncated = this->run("effigy unpack 01.cat -o other");
    EXPECT_EQ(truncated.code, 1);
    EXPECT_THAT(truncated.err, HasSubstr("catalog-data"));
}

TEST_F(CliArchive, RefusesPathsOfVeryManyFolders) {
    std::string path;
    for (int folder = 0; folder < 1900; ++folder) path += "d/";
    write("deep.dat", "xx");
    const std::string sum = "9dd4e461268c8034f5c8564e155c67a6";  // of "x"
    write("deep.cat", path + "f 1 1 " + sum + "\nsub/file.xml 1 1 " + sum + "\n");
    const Outcome run = this->run("effigy unpack deep.cat -o deep");
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("more than 100 folders"));
    EXPECT_FALSE(exists("deep/d"));
    EXPECT_EQ(content("deep/sub/file.xml"), "x");
}

TEST_F(CliArchive, WritesBelowItsFolderOnly) {
    write("evil.dat", "xx");
    const std::string sum = "9dd4e461268c8034f5c8564e155c67a6";  // of "x"
    write("evil.cat", "../out.xml 1 1 " + sum + "\nsub/file.xml 1 1 " + sum + "\n");
    const Outcome run = this->run("effigy unpack evil.cat -o evil");
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("path-outside"));
    EXPECT_FALSE(exists("out.xml"));
    EXPECT_EQ(content("evil/sub/file.xml"), "x");
    expect_success("mkdir -p trap elsewhere && ln -s ../elsewhere trap/sub");
    EXPECT_EQ(this->run("effigy unpack evil.cat -o trap").code, 1);
    EXPECT_FALSE(exists("elsewhere/file.xml"));
    expect_success("mkdir -p bait/sub && echo mine > victim && ln -s ../../victim bait/sub/file.xml");
    EXPECT_EQ(this->run("effigy unpack evil.cat -o bait --overwrite").code, 1);
    EXPECT_EQ(content("victim"), "mine\n");
}

TEST_F(CliArchive, PacksWhatUnpacksAgain) {
    write("mod/.hidden", "x");
    write("mod/empty.xml", "");
    expect_success("mkdir elsewhere && ln -s ../elsewhere mod/linked");
    const Outcome run = expect_success("effigy pack mod -o mod/ext_01.cat --delete assets/gone.xml");
    EXPECT_THAT(run.out, HasSubstr("packed 4 files"));
    EXPECT_THAT(run.err, HasSubstr("left out: .hidden"));
    EXPECT_THAT(run.err, HasSubstr("left out: empty.xml"));
    EXPECT_THAT(run.err, HasSubstr("left out: linked: a link to a folder"));
    const std::string catalog = content("mod/ext_01.cat"), data = content("mod/ext_01.dat");
    EXPECT_THAT(catalog, HasSubstr("assets/gone.xml 0 0 00000000000000000000000000000000\n"));
    expect_success("effigy pack mod -o mod/ext_01.cat --delete assets/gone.xml -q");
    EXPECT_EQ(content("mod/ext_01.cat"), catalog);
    EXPECT_EQ(content("mod/ext_01.dat"), data);
    EXPECT_THAT(listed("mod/ext_01.cat"), ElementsAre("assets/units/old.xml", "assets/units/size_m/ship x.xml",
                                                      "content.xml", "index/macros.xml"));
    expect_success("effigy unpack mod/ext_01.cat -o out");
    struct stat original {
    }, unpacked{};
    for (const char* name :
         {"assets/units/old.xml", "assets/units/size_m/ship x.xml", "content.xml", "index/macros.xml"}) {
        EXPECT_EQ(content(std::string("out/") + name), content(std::string("mod/") + name)) << name;
        ::stat((path("mod") / name).c_str(), &original);
        ::stat((path("out") / name).c_str(), &unpacked);
        EXPECT_EQ(unpacked.st_mtime, original.st_mtime) << name;
    }
    expect_success("effigy check mod/ext_01.cat");
}

/// What only an older catalog holds would be gone with it.
TEST_F(CliArchive, PacksOverACatalogOnlyWhatItHolds) {
    expect_success("mkdir packed && effigy pack mod -o packed/ext_01.cat && cp mod/content.xml packed");
    expect_failure("effigy pack packed -o packed/ext_01.cat", 2,
                   {"assets/units/old.xml and 2 more", "effigy unpack packed/ext_01.cat -o packed", "--overwrite"});
    expect_failure("effigy pack mod 'index/*' -o packed/ext_01.cat", 2, {"--overwrite"});
    const std::string before = content("packed/ext_01.dat");
    expect_success("effigy unpack packed/ext_01.cat -o packed && effigy pack packed -o packed/ext_01.cat");
    EXPECT_EQ(content("packed/ext_01.dat"), before);
    expect_success("effigy pack packed 'index/*' -o packed/ext_01.cat --overwrite");
    EXPECT_THAT(listed("packed/ext_01.cat"), ElementsAre("index/macros.xml"));
}

TEST_F(CliArchive, PacksNothingOverInputs) {
    expect_failure("effigy pack mod -o mod/content.xml", 2, {".cat"});
    expect_failure("effigy pack missing -o x.cat", 2, {"missing"});
    expect_failure("effigy pack mod 'nothing/*' -o x.cat", 2, {"nothing to pack"});
    expect_failure("effigy pack mod -o x.cat --delete ../x", 1, {"path-outside"});
    expect_failure("effigy pack mod -o x.cat --delete content.xml", 1, {"pack-duplicate"});
    write("mod/notes.cat", "these are notes\n");
    expect_failure("effigy pack mod -o mod/notes.cat", 2, {"no catalog"});
    write("mod/table.dat", "1 2 3");
    expect_failure("effigy pack mod -o mod/table.cat", 2, {"without a catalog"});
    EXPECT_THAT(expect_success("effigy pack mod 'index/*' -o x.cat --json").json()["files"], 1);
}

TEST_F(CliArchive, ShowsAndCopiesTheirFiles) {
    const Json info = expect_success("effigy info 01.cat mod/assets/units/old.xml mod/index/macros.xml --json").json();
    EXPECT_EQ(info[0]["format"], "cat");
    EXPECT_EQ(info[0]["counts"]["entries"], 3);
    EXPECT_EQ(info[1]["format"], "component");
    EXPECT_EQ(info[2]["format"], "index");
    expect_success("effigy dump 01.cat --json -o dump.json && effigy build dump.json -o copy.cat");
    EXPECT_EQ(content("copy.cat"), content("01.cat"));
    const Outcome folder = expect_success("effigy info mod");
    EXPECT_THAT(folder.err, Not(HasSubstr("content.xml")));
}

TEST_F(CliArchive, NamesCollisionShapes) {
    write("part-hull.jcs", std::string("\0\0\0\0\6 and more", 14));
    EXPECT_EQ(expect_success("effigy info part-hull.jcs --json").json()[0]["shape"], "hull");
    expect_failure("effigy dump part-hull.jcs", 3, {"collision shape"});
    expect_failure("effigy convert part-hull.jcs -o x.glb", 2, {"of a .jcs, the .xmf"});
}

TEST_F(CliArchive, NamesWhatIsNoModel) {
    write("skin.gz", "\x1f\x8b and more");
    expect_failure("effigy info skin.gz", 3, {"the games' textures", "--textures"});
    write("other.xml", "<?xml version=\"1.0\"?><content/>");
    expect_failure("effigy info other.xml", 3, {"no component, material library"});
    write("bomb.xml", "<!DOCTYPE c [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><components>&b;</components>");
    expect_failure("effigy info bomb.xml", 1, {"xml-entity"});
}

TEST_F(CliArchive, TakesNoCatalogsContentForAFile) {
    expect_success("mkdir game");
    write("game/01.dat", "<?xml version=\"1.0\"?><index>\n\n not the end");
    write("game/01.cat", "index/a.xml 27 1 00000000000000000000000000000000\n");
    const Json checked = run("effigy check game --json").json();
    ASSERT_FALSE(checked["files"].empty());
    for (const Json& file : checked["files"]) EXPECT_EQ(file["file"], "game/01.cat");
}

TEST_F(CliArchive, UnpacksNothingThroughALink) {
    expect_success("mkdir -p linked/a elsewhere bait && ln -s ../elsewhere bait/a");
    for (const char* const name : {"linked/a/1.txt", "linked/a/2.txt", "linked/a/3.txt"}) write(name, name);
    expect_success("effigy pack linked -o linked.cat");
    const Outcome run = this->run("effigy unpack linked.cat -o bait -v");
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, HasSubstr("unpacked 0 files"));
    EXPECT_TRUE(std::filesystem::is_empty(path("elsewhere")));
}

}  // namespace
}  // namespace effigy::test
