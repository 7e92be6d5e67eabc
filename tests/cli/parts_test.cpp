/// Models that hang on others, and scenes that are taken apart again.

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;

class CliParts : public Cli {};

/// The name of the node that has a node as its child.
std::string parent_of(const Json& gltf, std::size_t child) {
    for (const Json& node : gltf["nodes"]) {
        const Json children = node.value("children", Json::array());
        if (std::find(children.begin(), children.end(), Json(child)) != children.end()) return node["name"];
    }
    return "";
}

TEST_F(CliParts, HangOnNodesAndComeOffAgain) {
    expect_success(
        "effigy convert soldier.xac walk.xsm --attach hair.xac@ARM --attach 'trader.x42@body' -o a.glb "
        "--textures gfx -q");
    const Json gltf = glb_json(content("a.glb"));
    const Json plain = glb_json((expect_success("effigy convert soldier.xac walk.xsm -o b.glb -q"), content("b.glb")));
    ASSERT_GT(gltf["nodes"].size(), plain["nodes"].size());
    EXPECT_EQ(parent_of(gltf, plain["nodes"].size()), "arm");
    // Every file as it was, byte for byte; what there is of another format goes to the same as a new file.
    const Outcome split = expect_success("effigy convert a.glb -o out/soldier.xac --split");
    EXPECT_THAT(split.out, HasSubstr("hair.xac"));
    EXPECT_EQ(content("out/soldier.xac"), content("soldier.xac"));
    EXPECT_EQ(content("out/hair.xac"), content("hair.xac"));
    EXPECT_TRUE(exists("out/soldier_walk.xsm"));
    EXPECT_TRUE(exists("out/trader.xac"));
    // A scene that is not written to a game comes apart as well.
    expect_success("mkdir parts && effigy convert a.glb -o parts/soldier.glb --split -q");
    expect_success("effigy convert parts/trader.glb -o parts/trader.x42 -q");
    EXPECT_TRUE(content("parts/trader.x42") == content("trader.x42"));
}

/// A .gltf as modelling programs leave it: what is said of the whole is gone.
TEST_F(CliParts, AreKnownByTheirNodesAlone) {
    expect_success("effigy convert soldier.xac --attach hair.xac@arm -o a.gltf --textures gfx -q");
    Json gltf = Json::parse(content("a.gltf"));
    gltf["asset"].erase("extras");
    write("a.gltf", gltf.dump());
    expect_success("effigy convert a.gltf -o out/soldier.xac --split -q");
    expect_success("effigy diff hair.xac out/hair.xac --ignore extras");
    expect_success("effigy diff soldier.xac out/soldier.xac --ignore extras");
}

TEST_F(CliParts, HangInTheGameAsWell) {
    expect_success("effigy convert soldier.xac --attach hair.xac@arm -o soldier.glb --textures gfx -q");
    expect_success("effigy convert soldier.glb -o mod/ --target victoria2 --split -q");
    const std::string text = content("mod/interface/hair.gfx");
    EXPECT_THAT(text, HasSubstr("name = \"hair\"\r\n"));
    EXPECT_THAT(text, HasSubstr("attach = { name = \"hair\" node = \"arm\" attachId = 1 }\r\n"));
}

TEST_F(CliParts, ThatJoinedByNamesComeApartAsWell) {
    expect_success("effigy convert body.xac hair.xac walk.xsm -o joined.glb --textures gfx -q");
    expect_success("effigy convert joined.glb -o out/body.xac --split -q");
    EXPECT_EQ(content("out/body.xac"), content("body.xac"));
    expect_success("effigy diff hair.xac out/hair.xac --ignore extras");
}

TEST_F(CliParts, WantNodesThatAreThere) {
    expect_failure("effigy convert soldier.xac --attach hair.xac@amr -o a.glb", 2, {"amr", "arm"});
    expect_failure("effigy convert soldier.xac --attach hair.xac -o a.glb", 2, {"FILE@NODE"});
    expect_failure("effigy convert soldier.xac --attach gone.xac@arm -o a.glb", 3, {"gone.xac"});
    expect_success("effigy convert soldier.xac -o a.glb -q");
    expect_failure("effigy convert a.glb -o b.xac --split", 2, {"--split"});
}

TEST_F(CliParts, AreDrawn) {
    expect_success("effigy render soldier.xac --attach hair.xac@arm -o a.png --size 32 --samples 1 -q");
    expect_success("effigy render soldier.xac -o b.png --size 32 --samples 1 -q");
    EXPECT_NE(content("a.png"), content("b.png"));
}

}  // namespace
}  // namespace effigy::test
