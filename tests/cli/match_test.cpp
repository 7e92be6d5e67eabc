/// effigy match, and what conversions make of it.

#include "effigy/files.hpp"
#include "effigy/xsm.hpp"

#include "cli/fixtures.hpp"
#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Motions for the soldier and for somebody else, in folders.
class CliMatch : public Cli {
protected:
    CliMatch() {
        static_cast<void>(run("mkdir -p moves/more"));
        add("moves/soldier_march.xsm", {"root", "arm"});
        add("moves/more/march.xsm", {"root", "arm", "weapon"});
        add("moves/more/swim.xsm", {"fin", "tail"});
    }

    void add(const std::string& path, const std::vector<std::string>& names) {
        xsm::File file = walk();
        auto& list = std::get<xsm::Submotions>(file.chunks[1].record).submotions;
        const xsm::Submotion first = list[0];
        list.clear();
        for (const std::string& name : names) list.push_back(first), list.back().node_name = name;
        const auto bytes = xsm::write(file);
        ASSERT_TRUE(bytes);
        write(path, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    }
};

TEST_F(CliMatch, RanksMotionsForEachModel) {
    const Outcome result = expect_success("effigy match soldier.xac hair.xac moves");
    EXPECT_THAT(result.out, HasSubstr("soldier.xac: 2 of 3 motions fit\n"));
    EXPECT_THAT(result.out, HasSubstr("hair.xac: none of 3 motions fits\n"));
    const std::size_t own = result.out.find("moves/soldier_march.xsm"), other = result.out.find("moves/more/march.xsm");
    EXPECT_LT(own, other) << result.out;
    EXPECT_NE(other, std::string::npos);
    EXPECT_THAT(result.out, ::testing::ContainsRegex("  100 %     66 % +[0-9.]+ +[0-9.]+  moves/more/march"));
    EXPECT_THAT(result.out, Not(HasSubstr("swim")));
}

TEST_F(CliMatch, TakesEachFileOnceHoweverOftenItIsNamed) {
    const std::string once = expect_success("effigy match soldier.xac moves").out;
    EXPECT_EQ(expect_success("effigy match soldier.xac moves moves ./moves/more").out, once);
}

TEST_F(CliMatch, PrintsJson) {
    const Json json = expect_success("effigy match soldier.xac moves --json").json();
    EXPECT_EQ(json["effigy_match"], 1);
    EXPECT_EQ(json["motions"], 3);
    ASSERT_EQ(json["models"].size(), 1U);
    const Json& motions = json["models"][0]["motions"];
    ASSERT_EQ(motions.size(), 2U);
    EXPECT_EQ(motions[1]["file"], "moves/more/march.xsm");
    EXPECT_EQ(motions[1]["nodes"], 2);
    EXPECT_EQ(motions[1]["nodes_with_track"], 2);
    EXPECT_EQ(motions[1]["moving_tracks"], 3);
    EXPECT_EQ(motions[1]["moving_tracks_found"], 2);
    EXPECT_EQ(motions[1]["weak"], false);
}

TEST_F(CliMatch, SaysWhatAGameDeclares) {
    static_cast<void>(run("mkdir -p interface"));
    write("interface/units.gfx",
          "objectTypes = { EMFXActorType = { actorfile = \"gfx\\anims\\Soldier.xac\" move = "
          "\"gfx\\anims\\march.xsm\" } }");
    const Outcome result = expect_success("effigy match soldier.xac moves");
    EXPECT_THAT(result.out, HasSubstr("moves/more/march.xsm  (declared in units.gfx)\n"));
    EXPECT_LT(result.out.find("moves/more/march.xsm"), result.out.find("moves/soldier_march.xsm"));
    const Json motions = expect_success("effigy match soldier.xac moves --json").json()["models"][0]["motions"];
    EXPECT_EQ(motions[0]["declared"], "units.gfx");
    EXPECT_FALSE(motions[1].contains("declared"));
}

TEST_F(CliMatch, SaysWhatIsMissing) {
    expect_failure("effigy match moves", 3, {"no model"});
    expect_failure("effigy match soldier.xac", 3, {"no motion"});
    expect_failure("effigy match nowhere.xac soldier.xac moves", 3, {"nowhere.xac: error"});
    expect_failure("effigy match", 2, {"PATH"});
}

TEST_F(CliMatch, ConversionsTakeWhatFits) {
    const Outcome result = expect_success("effigy convert soldier.xac --motions moves -o soldier.glb --no-textures");
    EXPECT_THAT(result.out, HasSubstr("2 clips"));
    EXPECT_THAT(result.err, HasSubstr("2 of 3: soldier_march.xsm, march.xsm"));
    EXPECT_THAT(result.err, HasSubstr("[motions-taken]"));
    expect_failure("effigy convert soldier.xac --motions nowhere -o x.glb", 2, {"--motions", "nowhere"});
    expect_failure("effigy convert trader.x42 --motions moves -o x.glb", 2, {"--motions", "no input"});
    expect_failure("effigy convert nobody.xac --motions moves -o x.glb", 3, {"nobody.xac", "cannot be opened"});
    const Outcome none = expect_success("effigy convert hair.xac --motions moves -o hair.glb");
    EXPECT_THAT(none.err, HasSubstr("0 of 3"));
}

TEST_F(CliMatch, OnlyChosenClipsAreWritten) {
    const std::string convert = "effigy convert soldier.xac --motions moves -o soldier.glb --no-textures ";
    const auto clips = [&](const std::string& file) {
        const Json info = expect_success("effigy info --json " + file).json();
        std::vector<std::string> names;
        for (const Json& clip : info[0]["animations"]) names.push_back(clip["name"]);
        return names;
    };
    expect_success(convert + "--clips march");
    EXPECT_EQ(clips("soldier.glb"), std::vector<std::string>{"march"});
    expect_success(convert + "--clips march,soldier_march");
    EXPECT_EQ(clips("soldier.glb").size(), 2U);
    expect_success("effigy convert soldier.glb -o one.glb --clips march");
    EXPECT_EQ(clips("one.glb"), std::vector<std::string>{"march"}) << "which is no copy";
    expect_failure("effigy convert soldier.glb -o two.glb --clips march,wlak", 2,
                   {"no clip called wlak", "the clips are soldier_march, march"});
}

TEST_F(CliMatch, CompactFilesHaveNoRecordsAndTheSameClips) {
    expect_success("effigy convert soldier.xac --motions moves -o plain.glb --no-textures --no-records");
    const Outcome compact =
        expect_success("effigy convert soldier.xac --motions moves -o compact.glb --no-textures --compact");
    EXPECT_THAT(compact.out, HasSubstr("2 clips"));
    EXPECT_THAT(content("compact.glb"), Not(HasSubstr("\"effigy\"")));
    EXPECT_EQ(run("effigy diff plain.glb compact.glb").code, 0);
    expect_failure("effigy convert soldier.xac -o x.obj --compact", 2, {"--compact"});
}

TEST_F(CliMatch, PicturesMayShowWhatFits) {
    const Outcome result = run("effigy render soldier.xac --motions moves --clip march --time 0.5 --size 16 -o x.png");
    if (result.code == 0) {
        EXPECT_THAT(result.err, HasSubstr("[motions-taken]"));
    }
    expect_success("effigy pose soldier.xac --motions moves --clip march --time 0.5 -o posed.glb --no-textures");
}

}  // namespace
}  // namespace effigy::test
