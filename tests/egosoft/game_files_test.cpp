/// A game's files: folders, catalogs and extensions over one another.

#include "effigy/game_files.hpp"

#include <map>
#include <sys/stat.h>

#include "effigy/component.hpp"

#include "egosoft/files.hpp"
#include "egosoft/game/surroundings.hpp"

namespace effigy::egosoft {
namespace {

using test::code_of;
using test::codes_of;
using test::Folder;
using test::text_of;
using test::utf16;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class GameFilesTest : public ::testing::Test {
protected:
    GameFiles open(const std::vector<std::string>& roots) {
        std::vector<std::filesystem::path> paths;
        for (const std::string& root : roots) paths.push_back(folder / root);
        auto opened = GameFiles::open(paths);
        if (!opened) {
            ADD_FAILURE() << to_string(opened.error());
            return {};
        }
        codes = codes_of(opened->report);
        return std::move(opened->value);
    }
    static std::string read(const GameFiles& files, std::string_view path) {
        const auto bytes = files.read(path);
        return bytes ? text_of(*bytes) : bytes.error().code;
    }
    static std::vector<std::string> paths(const std::vector<Listed>& list) {
        std::vector<std::string> names;
        for (const Listed& listed : list) names.push_back(listed.path);
        return names;
    }

    Folder folder;
    std::vector<std::string> codes;
};

TEST_F(GameFilesTest, OverrideOneAnother) {
    folder.write_catalog("game/01", {{"a", "1"}, {"b", "1"}, {"c", "1"}, {"d", "1"}, {"e", "1"}});
    folder.write_catalog("game/02", {{"b", "2"}, {"E", ""}});
    folder.write_catalog("game/10", {{"C", "10"}});
    folder.write_catalog("game/9", {{"c", "9"}, {"f", "9"}});
    folder.write_catalog("game/11_sig", {{"a", "sig"}});
    folder.write("game/d", "loose");
    const GameFiles files = open({"game"});
    EXPECT_THAT(codes, IsEmpty());
    EXPECT_EQ(read(files, "a"), "1");
    EXPECT_EQ(read(files, "b"), "2");
    EXPECT_EQ(read(files, "c"), "10");
    EXPECT_EQ(read(files, "d"), "loose");
    EXPECT_EQ(read(files, "e"), "file-missing");
    EXPECT_EQ(read(files, "f"), "9");
    EXPECT_EQ(files.find("b")->name, "b in 02.cat");
    const auto listed = paths(files.list("?"));
    EXPECT_THAT(listed, ElementsAre("a", "b", "C", "d", "f"));
}

TEST_F(GameFilesTest, HaveExtensions) {
    folder.write_catalog("game/01", {{"base", "base"}, {"kept", "base"}});
    folder.write("game/extensions/B_mod/content.xml", "<content id=\"the_b\"/>");
    folder.write_catalog("game/extensions/B_mod/subst_01", {{"base", "b"}});
    folder.write_catalog("game/extensions/B_mod/ext_01", {{"new", "b1"}, {"index/x", "b"}});
    folder.write_catalog("game/extensions/B_mod/ext_02", {{"new", "b2"}});
    folder.write_catalog("game/extensions/B_mod/ext_v100", {{"new", "b for another version"}});
    folder.write("game/extensions/a_mod/content.xml", "<content id=\"the_a\"/>");
    folder.write_catalog("game/extensions/a_mod/subst_01", {{"base", "a"}});
    folder.write("game/extensions/a_mod/loose", "a");
    const GameFiles files = open({"game"});
    EXPECT_EQ(read(files, "base"), "b");
    EXPECT_EQ(read(files, "kept"), "base");
    EXPECT_EQ(read(files, "new"), "file-missing");
    EXPECT_EQ(read(files, "extensions\\b_mod\\NEW"), "b2");
    EXPECT_EQ(read(files, "extensions/the_b/new"), "b2");
    EXPECT_EQ(read(files, "extensions/a_mod/loose"), "a");
    EXPECT_EQ(read(files, "extensions/a_mod/base"), "file-missing");
    EXPECT_THAT(paths(files.layers("base")), ElementsAre("base"));
    EXPECT_EQ(text_of(*files.read(files.layers("base")[0].location)), "b");
    EXPECT_THAT(paths(files.layers("index/x")), ElementsAre("extensions/b_mod/index/x"));
}

TEST_F(GameFilesTest, FindWhatAFolderOfTheWorkshopCallsByItsAuthorsName) {
    folder.write("game/assets/a", "game");
    folder.write("game/extensions/ws_77/content.xml", R"(<content id="other"/>)");
    folder.write_catalog("game/extensions/ws_77/ext_01", {{"assets/a", "mod"}, {"assets/b", "mod"}});
    const GameFiles files = open({"game"});
    EXPECT_EQ(read(files, "extensions/author_mod/assets/b"), "mod");
    EXPECT_EQ(read(files, "extensions/author_mod/assets/a"), "game") << "as before";
    EXPECT_EQ(read(files, "extensions/author_mod/assets/c"), "file-missing");
    EXPECT_EQ(read(files, "assets/b"), "file-missing");
}

TEST_F(GameFilesTest, LayExtensionsOverWhatTheyDependOn) {
    folder.write("game/index/x", "base");
    const auto write_mod = [&](const std::string& name, const std::string& content) {
        folder.write("game/extensions/" + name + "/content.xml", content);
        folder.write("game/extensions/" + name + "/index/x", name);
        folder.write_catalog("game/extensions/" + name + "/subst_01", {{"base", name}});
    };
    write_mod("a", R"(<content id="A_Mod"><dependency version="900"/><dependency id="THE_C"/></content>)");
    write_mod("b", R"(<content id="b"><dependency id="d" optional="true"/><dependency id="none"/></content>)");
    write_mod("c", R"(<content id="the_c"/>)");
    write_mod("d", "<content/>");
    write_mod("e", R"(<content><dependency id="f"/><dependency id="e"/></content>)");
    write_mod("f", R"(<content><dependency id="e"/></content>)");
    write_mod("g", "<content");
    const GameFiles files = open({"game"});
    std::vector<std::string> order;
    for (const Listed& layer : files.layers("index/x")) order.push_back(text_of(*files.read(layer.location)));
    EXPECT_THAT(order, ElementsAre("base", "c", "a", "d", "b", "g", "e", "f"));
    EXPECT_EQ(read(files, "base"), "f");
}

TEST_F(GameFilesTest, LayExtensionsInMemoryOverWhatTheyDependOn) {
    const std::map<std::string, std::string> contents{
        {"extensions/a/content.xml", R"(<content id="a"><dependency id="the_b"/></content>)"},
        {"extensions/a/index/x", "a"},
        {"extensions/b/content.xml", R"(<content id="the_b"/>)"},
        {"extensions/b/index/x", "b"}};
    Files memory;
    memory.read = [&](const std::string& name) -> Result<Bytes> { return test::bytes_of_text(contents.at(name)); };
    memory.list = [&] {
        std::vector<std::string> names;
        for (const auto& [name, text] : contents) names.push_back(name);
        return names;
    };
    GameFiles files;
    ASSERT_TRUE(files.add_files(memory, {}));
    EXPECT_THAT(paths(files.layers("index/x")), ElementsAre("extensions/b/index/x", "extensions/a/index/x"));
}

TEST_F(GameFilesTest, ListEachFileOnceAndNoCatalogs) {
    folder.write_catalog("game/01", {{"base", "base"}});
    folder.write("game/own.dat", "of no catalog");
    folder.write("game/extensions/mod/content.xml", "<content id=\"mod\"/>");
    folder.write_catalog("game/extensions/mod/ext_01", {{"new", "1"}});
    const GameFiles files = open({"game"});
    const auto all = ElementsAre("base", "extensions/mod/content.xml", "extensions/mod/new", "own.dat");
    EXPECT_THAT(paths(files.list()), all);
    EXPECT_EQ(files.list_layers().size(), 4U);
    for (const auto& entry : files.list_layers()) EXPECT_FALSE(entry.overridden) << entry.listed.path;
}

TEST_F(GameFilesTest, HaveExtensionsThatWereNamedThemselves) {
    folder.write("game/base", "base");
    folder.write("game/index/x", "base");
    folder.write("mod/content.xml", "<content id=\"The_Mod\"/>");
    folder.write("mod/assets/file", "mod");
    folder.write("mod/index/x", "mod");
    const GameFiles files = open({"game", "mod"});
    EXPECT_EQ(read(files, "assets/file"), "mod");
    EXPECT_EQ(read(files, "extensions/mod/assets/file"), "mod");
    EXPECT_EQ(read(files, "extensions/the_mod/assets/file"), "mod");
    EXPECT_EQ(read(files, "extensions/of_another_name/assets/file"), "mod");
    EXPECT_EQ(read(files, "base"), "base");
    EXPECT_EQ(read(files, "index/x"), "mod");
    EXPECT_EQ(files.layers("index/x").size(), 2U);
}

TEST_F(GameFilesTest, AreCatalogsOnTheirOwn) {
    folder.write_catalog("one", {{"a", "1"}, {"b", "1"}});
    folder.write_catalog("two", {{"a", "2"}, {"b", ""}});
    const GameFiles files = open({"one.cat", "two.cat"});
    EXPECT_EQ(read(files, "a"), "2");
    EXPECT_THAT(paths(files.list()), ElementsAre("a"));
    EXPECT_EQ(files.list_layers().size(), 4U);
    EXPECT_TRUE(files.list_layers("a")[0].overridden);
    EXPECT_TRUE(files.list_layers("b")[1].deletes);
    const GameFiles other = open({"two.cat", "one.cat", "two.cat"});
    EXPECT_EQ(read(other, "a"), "1");
    EXPECT_EQ(other.roots().size(), 2U);
}

TEST_F(GameFilesTest, HaveAnyCase) {
    folder.write("game/Assets/Units/Ship_X.XML", "ship");
    const GameFiles files = open({"game"});
    for (const char* path : {"Assets/Units/Ship_X.XML", "assets\\units\\ship_x.xml", "assets//./units/SHIP_X.xml"})
        EXPECT_EQ(read(files, path), "ship") << path;
    EXPECT_EQ(read(files, "assets/units"), "file-missing");
    EXPECT_EQ(read(files, "assets/units/ship_x.xml/more"), "file-missing");
    EXPECT_EQ(read(files, ""), "file-missing");
    folder.write("twins/A.xml", "upper");
    folder.write("twins/a.xml", "lower");
    folder.write("twins/Sub/x", "upper");
    folder.write("twins/sub/x", "lower");
    folder.write("twins/sub/y", "only lower");
    const GameFiles twins = open({"twins"});
    EXPECT_EQ(read(twins, "a.xml"), "upper");
    EXPECT_EQ(read(twins, "SUB/x"), "upper");
    EXPECT_EQ(read(twins, "sub/Y"), "only lower");
    EXPECT_THAT(paths(twins.list("*.xml")), ElementsAre("A.xml"));
    EXPECT_TRUE(twins.list_layers("*.xml")[0].overridden);
    EXPECT_EQ(twins.list_layers("*.xml")[1].listed.path, "A.xml");
}

TEST_F(GameFilesTest, NeverLeaveTheirRoots) {
    folder.write("secret", "secret");
    folder.write("game/inside", "inside");
    std::filesystem::create_symlink("../secret", folder / "game/link");
    std::filesystem::create_symlink("..", folder / "game/up");
    std::filesystem::create_symlink("inside", folder / "game/near");
    std::filesystem::create_symlink(".", folder / "game/ring");
    folder.write_catalog("game/01", {{"../secret", "x"}, {"/etc/passwd", "x"}, {"c:\\x", "x"}, {"ok", "ok"}});
    const GameFiles files = open({"game"});
    EXPECT_THAT(codes, ElementsAre("path-outside", "path-outside", "path-outside"));
    using namespace std::string_literals;
    for (const std::string& path : {"../secret"s, "a/../../secret"s, "/etc/passwd"s, "\\\\server\\x"s, "c:/x"s, "C:x"s,
                                    "inside\0"s, "link"s, "up/secret"s, std::string(5000, 'a')}) {
        EXPECT_EQ(read(files, path), "path-outside") << path;
        EXPECT_FALSE(files.find(path)) << path;
    }
    EXPECT_EQ(read(files, "near"), "inside");
    EXPECT_EQ(read(files, "ring/ring/inside"), "inside");
    EXPECT_EQ(read(files, "ok"), "ok");
    const auto all = paths(files.list());
    EXPECT_THAT(all, Contains("near"));
    EXPECT_THAT(all, ::testing::Not(Contains("link")));
    EXPECT_THAT(all, ::testing::Not(Contains("up/secret")));
}

/// Without care, each step of a path would double the ways to look.
TEST_F(GameFilesTest, EndInRingsOfManySpellings) {
    folder.write("game/inside", "inside");
    for (const char* name : {"ring", "Ring", "rIng", "riNg", "rinG"})
        std::filesystem::create_symlink(".", folder / "game" / name);
    const GameFiles files = open({"game"});
    std::string path;
    for (int step = 0; step < 35; ++step) path += "ring/";
    EXPECT_FALSE(files.find(path + "outside"));
    EXPECT_TRUE(files.find(path + "inside"));
}

TEST_F(GameFilesTest, LeaveOutExtensionsBehindLinks) {
    folder.write("elsewhere/content.xml", "<content id=\"x\"/>");
    std::filesystem::create_directories(folder / "game/extensions");
    std::filesystem::create_symlink(folder / "elsewhere", folder / "game/extensions/mod");
    const GameFiles files = open({"game"});
    EXPECT_THAT(codes, ElementsAre("path-outside"));
    EXPECT_EQ(read(files, "extensions/mod/content.xml"), "path-outside");
    EXPECT_NE(read(open({"game", "elsewhere"}), "content.xml"), "path-outside");
}

TEST_F(GameFilesTest, ReadPlainFilesOnly) {
    std::filesystem::create_directories(folder / "game");
    ASSERT_EQ(::mkfifo((folder / "game/pipe").c_str(), 0600), 0);
    const GameFiles files = open({"game"});
    EXPECT_EQ(read(files, "pipe"), "file-missing");
    EXPECT_EQ(code_of(files.read({folder / "game/pipe", "pipe", 0, 0, false})), "input-read");
}

TEST_F(GameFilesTest, ReportWhatIsWrong) {
    folder.write_catalog("game/01", {{"a", "hello"}, {"b", "world"}, {"B", "again"}});
    folder.write("game/01.dat", "hell0worl");
    const GameFiles files = open({"game"});
    EXPECT_THAT(codes, ElementsAre("catalog-duplicate", "catalog-data"));
    EXPECT_EQ(read(files, "a"), "catalog-md5");
    EXPECT_EQ(read(files, "b"), "catalog-data");
    EXPECT_EQ(code_of(GameFiles::open({folder / "none"})), "input-open");
    Limits limits;
    limits.memory = 3;
    folder.write("loose/a", "hello");
    EXPECT_EQ(code_of(GameFiles::open({folder / "loose"}, limits)->value.read("a")), "limit-memory");
}

TEST_F(GameFilesTest, AreFoundBelowChangesOfComponents) {
    const std::string component = "assets/ship.xml", index = "index/components.xml";
    const std::string change = R"(<diff><add sel="/components/component/connections"/></diff>)";
    const std::string whole = R"(<components><component name="ship"/></components>)";
    folder.write("game/" + component, whole);
    folder.write("game/" + index, "<index/>");
    folder.write("game/extensions/a/content.xml", "<content/>");
    folder.write("game/extensions/a/" + component, change);
    folder.write("game/extensions/a/" + index, R"(<diff><add sel="/index"/></diff>)");
    folder.write("mod/content.xml", "<content/>");
    folder.write("mod/" + component, change);
    const GameFiles files = open({"game", "mod"});
    EXPECT_EQ(read(files, component), change);
    const Surroundings around = surroundings_of({&files, nullptr});
    EXPECT_EQ(text_of(around.file(component)->bytes), whole);
    EXPECT_EQ(text_of(around.file(index)->bytes), "<index/>") << "of lists, the game's own";
}

TEST_F(GameFilesTest, FindComponents) {
    folder.write("game/index/components.xml",
                 "<index><entry name=\"ship_a\" value=\"assets\\ship_a\"/><entry name=\"ship_b\" "
                 "value=\"assets\\ship_b\"/></index>");
    folder.write("game/extensions/mod/content.xml", "<content id=\"mod\"/>");
    folder.write("game/extensions/mod/index/components.xml",
                 "<diff><replace sel=\"//entry[@name='ship_b']/@value\">extensions\\mod\\ship_b</replace>"
                 "<add sel=\"/index\"><entry name=\"bad\" value=\"..\\x\"/></add></diff>");
    const GameFiles files = open({"game"});
    EXPECT_EQ(find_component(files, "Ship_A"), "assets/ship_a.xml");
    EXPECT_EQ(find_component(files, "ship_b"), "extensions/mod/ship_b.xml");
    EXPECT_EQ(find_component(files, "bad"), "");
    EXPECT_EQ(find_component(files, "none"), "");
    EXPECT_EQ(find_component(GameFiles(), "ship_a"), "");
}

TEST_F(GameFilesTest, FindComponentsByConditions) {
    const std::string change =
        "<diff><add sel=\"/index\" if=\"not(/index/entry[@name='hatch'])\">"
        "<entry name=\"hatch\" value=\"extensions\\mod\\hatch\"/></add>"
        "<add sel=\"/index\" if=\"not(/index/entry[@name='lid'])\"><entry name=\"lid\" value=\"a\\lid\"/>"
        "<entry name=\"key\" value=\"a\\key\"/></add>"
        "<add sel=\"/index\" if=\"//entry[@name='lid']\"><entry name=\"pin\" value=\"a\\pin\"/></add>"
        "<remove sel=\"//entry[@name='lid']\"/>"
        "<add sel=\"/index\" if=\"//entry[@name='lid']\"><entry name=\"nut\" value=\"a\\nut\"/></add>"
        "<add sel=\"/index\" if=\"$x\"><entry name=\"odd\" value=\"a\\odd\"/></add></diff>";
    folder.write("game/index/components.xml", "<index><entry name=\"hatch\" value=\"assets\\hatch\"/></index>");
    folder.write("game/extensions/mod/content.xml", "<content id=\"mod\"/>");
    for (const std::string& text : {change, utf16(change)}) {  // of the second, no places are known
        folder.write("game/extensions/mod/index/components.xml", text);
        const GameFiles files = open({"game"});
        EXPECT_EQ(find_component(files, "hatch"), "assets/hatch.xml");
        EXPECT_EQ(find_component(files, "key"), "a/key.xml") << "asked once for all that is in a change";
        EXPECT_EQ(find_component(files, "pin"), "a/pin.xml");
        EXPECT_EQ(find_component(files, "lid"), "");
        EXPECT_EQ(find_component(files, "nut"), "") << "what is removed is not there";
        EXPECT_EQ(find_component(files, "odd"), "");
    }
}

TEST_F(GameFilesTest, FindTheirRoot) {
    folder.write("game/01.cat", "");
    folder.write("game/assets/units/x.xml", "");
    folder.write("mod/content.xml", "<content/>");
    folder.write("mod/assets/x.xml", "");
    folder.write("plain/Assets/units/x.xml", "");
    folder.write("lone/x.xml", "");
    EXPECT_EQ(root_of(folder / "game/assets/units/x.xml"), folder / "game");
    EXPECT_EQ(root_of(folder / "mod/assets/x.xml"), folder / "mod");
    EXPECT_EQ(root_of(folder / "plain/Assets/units/x.xml"), folder / "plain");
    EXPECT_EQ(root_of(folder / "lone/x.xml"), folder / "lone");
}

TEST(GamePaths, AreNormal) {
    EXPECT_EQ(normal_path("Assets\\Units//X.xml"), "assets/units/x.xml");
    EXPECT_EQ(normal_path("./a/./b/"), "a/b");
    EXPECT_EQ(normal_path(""), "");
    EXPECT_EQ(normal_path("a..b/..c"), "a..b/..c");
    for (const char* path : {"..", "a/..", "../a", "a/../b", "/a", "\\a", "c:a", "C:\\a"})
        EXPECT_FALSE(normal_path(path)) << path;
}

TEST(GamePaths, MatchPatterns) {
    for (const auto& [pattern, path] : std::vector<std::pair<std::string, std::string>>{{"**", "a/b/c"},
                                                                                        {"a/**", "a/b/c"},
                                                                                        {"**/c", "a/b/c"},
                                                                                        {"**/c", "c"},
                                                                                        {"a/*/c", "a/b/c"},
                                                                                        {"*.xml", "x.xml"},
                                                                                        {"A\\B", "a/b"},
                                                                                        {"a?c", "abc"},
                                                                                        {"**.xml", "a/b.xml"},
                                                                                        {"a/**/c", "a/c"},
                                                                                        {"a/**/c", "a/b/b/c"},
                                                                                        {"*", "a"},
                                                                                        {"**/b/*.x", "a/b/b/c.x"},
                                                                                        {"*a*b*", "xaybz"},
                                                                                        {"**/a*/c", "a/ab/c"}}) {
        EXPECT_TRUE(matches(pattern, path)) << pattern << " " << path;
    }
    for (const auto& [pattern, path] : std::vector<std::pair<std::string, std::string>>{{"*", "a/b"},
                                                                                        {"*.xml", "a/x.xml"},
                                                                                        {"a?c", "a/c"},
                                                                                        {"a/**", "b/c"},
                                                                                        {"**/c", "a/xc"},
                                                                                        {"a", "ab"},
                                                                                        {"", "a"},
                                                                                        {"a/*", "a/b/c"},
                                                                                        {"**/b", "a/b/c"}}) {
        EXPECT_FALSE(matches(pattern, path)) << pattern << " " << path;
    }
    std::string hard;
    for (int i = 0; i < 100; ++i) hard += "*a**a";
    EXPECT_FALSE(matches(hard + "b", std::string(4000, 'a')));
}

}  // namespace
}  // namespace effigy::egosoft
