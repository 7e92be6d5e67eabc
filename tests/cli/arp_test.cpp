/// Signing avatars, as their users meet them.

#include <set>

#include "effigy/render.hpp"

#include "arp/raw_arp.hpp"
#include "arp/raw_zip.hpp"
#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// One stream with two signs, the last object empty.
constexpr const char* hello_json = R"({"signIndex":0,"gloss":"HELLO","baseFrameIndex":0,"frames":[
{"time":0,"duration":40,"morphs":[{"id4cc":"jawd","amount":1.2}],"bones":[{"id4cc":"ROOT","trans":[0,0,0],
"rot":[0,0,0.7071,0.7071]},{"id4cc":"LWRI","trans":[2.5,0,0],"rot":[0,0,0,1]}]},
{"time":40,"duration":40,"morphs":[],"bones":[{"id4cc":"LWRI","rot":[0.7071,0,0,0.7071]}]}]}
{"signIndex":1,"gloss":"YOU","baseFrameIndex":2,"frames":[
{"time":80,"duration":40,"morphs":[],"bones":[{"id4cc":"LWRI","rot":[0,0,0,1]}]}]}
{}
)";

class CliArp : public Cli {
protected:
    void SetUp() override {
        std::filesystem::create_directories(path("avatar"));
        write("avatar/signer.jarp", text_of(arp::make(arp::figure())));
    }

    [[nodiscard]] Json glb(const std::string& name) const { return glb_json(content(name)); }

    [[nodiscard]] std::vector<std::string> names(const Json& list) const {
        std::vector<std::string> result;
        for (const Json& entry : list) result.push_back(entry["name"]);
        return result;
    }

    [[nodiscard]] std::vector<std::string> clips_of(const std::string& name) const {
        const Json json = glb(name);
        return json.contains("animations") ? names(json["animations"]) : std::vector<std::string>();
    }

    /// A container with the figure, and whatever else.
    void write_jar(const std::string& name, const std::vector<RawZipEntry>& others) const {
        std::vector<RawZipEntry> entries{deflated("signer/avatardef.jarp", text_of(arp::make(arp::figure())))};
        entries.insert(entries.end(), others.begin(), others.end());
        write(name, text_of(raw_zip(entries)));
    }

    /// Codes of all findings, as often as they were said.
    [[nodiscard]] static std::multiset<std::string> codes(const Json& checked) {
        std::multiset<std::string> result;
        for (const Json& file : checked["files"]) {
            for (const Json& finding : file["findings"]) result.insert(finding["code"].get<std::string>());
        }
        return result;
    }
};

TEST_F(CliArp, InfoSaysWhatAnAvatarHas) {
    const Outcome text = expect_success("effigy info avatar/signer.jarp");
    EXPECT_THAT(text.out,
                AllOf(HasSubstr("pose recovered"), HasSubstr("LUPA, parent LCLR"), HasSubstr("version: 3.1")));
    const Json avatar = expect_success("effigy info avatar/signer.jarp --json").json();
    const Json jar = expect_success("effigy info signer.jar --json").json();
    EXPECT_THAT(expect_success("effigy info signer.jar").out, HasSubstr("signer/skin.png"));
    EXPECT_THAT(avatar.dump(), AllOf(HasSubstr("\"jarp\""), HasSubstr("\"jawd\"")));
    EXPECT_THAT(jar.dump(), AllOf(HasSubstr("\"signer/avatardef.jarp\""), HasSubstr("\"jawd\"")));
}

TEST_F(CliArp, SoundAvatarsPassTheCheck) {
    expect_success("effigy check signer.jar avatar/signer.jarp --severity error");
    const auto found = codes(expect_success("effigy check signer.jar --json").json());
    EXPECT_THAT(found, Not(Contains(HasSubstr("container-"))));
}

TEST_F(CliArp, NothingIsSaidTwice) {
    const std::string whole = content("avatar/signer.jarp");
    write("cut.jarp", whole.substr(0, 3 * whole.size() / 4));
    write("long.jarp", whole + "more");
    auto odd = arp::figure();
    odd.form.bone_strings = true;
    write("odd.jarp", text_of(arp::make(odd)));
    const auto found = [&](const std::string& name) { return codes(run("effigy check " + name + " --json").json()); };
    for (const char* name : {"cut.jarp", "long.jarp", "odd.jarp"}) {
        const auto all = found(name);
        for (const std::string& code : all) EXPECT_EQ(all.count(code), 1U) << name << " " << code;
    }
    EXPECT_EQ(found("cut.jarp").count("truncated"), 1U);
    EXPECT_EQ(found("cut.jarp").count("arp-missing"), 0U);
    EXPECT_EQ(found("long.jarp").count("arp-trailing"), 1U);
    EXPECT_EQ(found("odd.jarp").count("arp-layout-other"), 1U);
    EXPECT_EQ(found("odd.jarp").count("arp-layout"), 0U);
    EXPECT_EQ(run("effigy check cut.jarp").code, 1);
}

TEST_F(CliArp, AContainerHasAllThatAnAvatarNeeds) {
    const Outcome outcome = expect_success("effigy convert signer.jar -o signer.glb");
    EXPECT_THAT(outcome.out, HasSubstr("wrote signer.glb"));
    EXPECT_THAT(outcome.err, Not(HasSubstr("texture-missing")));
    const Json json = glb("signer.glb");
    ASSERT_EQ(json["images"].size(), 1U);
    EXPECT_TRUE(json["images"][0].contains("bufferView"));
    EXPECT_THAT(json["meshes"][0]["extras"]["targetNames"], ElementsAre("jawd", "eylc", "mo"));
    EXPECT_THAT(clips_of("signer.glb"), ElementsAre("ambient"));
    EXPECT_TRUE(json["meshes"][0]["primitives"][0]["attributes"].contains("_ORIGINAL_VERTEX"));
}

TEST_F(CliArp, FoldersInContainersAreCalledAsTheseAre) {
    expect_success("effigy convert signer.jar -o signer.glb --no-records -q");
    for (const auto& [name, folder] : {std::pair("my.pia", "my.pia"), std::pair("Zo\xc3\xab.2", "Zo_.2")}) {
        const std::string jar = std::string(name) + ".jar", inside = std::string(folder) + "/";
        expect_success("effigy convert signer.glb -o " + jar + " -q");
        const std::string info = expect_success("effigy info " + jar).out;
        EXPECT_THAT(info, HasSubstr(inside + "avatardef.jarp"));
        EXPECT_THAT(info, HasSubstr(inside + folder + ".png"));
        EXPECT_THAT(expect_success("effigy convert " + jar + " -o it.jarp -q && effigy dump it.jarp").out,
                    HasSubstr(std::string(folder) + ".png"));
    }
}

TEST_F(CliArp, OldAvatarsWithImagesGetTheFlagsOfPictures) {
    arp::Description old = arp::small_figure("2.1");
    old.embedded = 1;
    old.image = arp::old_image(4, 4);
    write("old.arp", text_of(arp::make(old)));
    expect_success("effigy convert old.arp -o old.glb -q && effigy convert old.glb -o same.jarp -q");
    expect_success("cmp old.arp same.jarp");
    expect_success("effigy convert old.arp -o bare.glb --no-records -q && effigy convert bare.glb -o new.jarp -q");
    const std::string dump = expect_success("effigy dump new.jarp --json").out;
    EXPECT_THAT(Json::parse(dump).dump(), HasSubstr("[0,0,1,0,0,0,0,0,0,0,0,0]"));
}

TEST_F(CliArp, ExtrasHoldWhatGoesBack) {
    expect_success("effigy convert signer.jar hello.cas.xml -o signer.glb");
    const Json json = glb("signer.glb");
    const Json& extras = json["asset"]["extras"]["effigy"];
    EXPECT_EQ(extras["source"]["version"], "3.1");
    const Json& beside = json["nodes"][0]["extras"]["effigy"]["beside"];
    EXPECT_EQ(beside["config"][0]["fan"], "0.6");
    EXPECT_EQ(beside["skeleton"]["joints"][0]["features"][0]["name"], "T-CS");
    EXPECT_EQ(beside["skeleton"]["joints"][1]["parent"], 0);
    EXPECT_THAT(beside["files"], Contains("signer/asd.xml"));
    EXPECT_THAT(extras["humanoid"], Contains("LWRI"));
    const Json& mesh = json["meshes"][0]["extras"]["effigy"];
    EXPECT_EQ(mesh["targets"][0]["weights"], 0.5);
    EXPECT_TRUE(mesh.contains("hash"));
    for (const Json& clip : json["animations"]) {
        const Json& own = clip["extras"]["effigy"];
        if (clip["name"] == "ambient") {
            EXPECT_EQ(own["translations"].size(), 2U);
        } else {
            EXPECT_EQ(own["camera_location"]["fov"], 30);
        }
    }
}

TEST_F(CliArp, FilesThatStayBehindAreNamed) {
    write_jar("bare.jar", {});
    EXPECT_THAT(expect_success("effigy info bare.jar").out, HasSubstr("1 entry"));
    EXPECT_THAT(expect_success("effigy convert bare.jar -o bare.jarp").err, Not(HasSubstr("arp-file-left-out")));
    EXPECT_THAT(expect_success("effigy convert signer.jar -o one.jarp").err, HasSubstr("arp-file-left-out"));
    write_jar("odd.jar", {stored("signer/Access.class", "x"), stored("signer/readme.txt", "x")});
    const Outcome outcome = expect_success("effigy convert odd.jar -o odd.glb");
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("arp-file-left-out"), HasSubstr("signer/Access.class"),
                                   HasSubstr("signer/readme.txt")));
}

TEST_F(CliArp, EmbeddedTexturesAreLeftOutAsAsked) {
    expect_success("effigy convert signer.jar -o with.glb");
    expect_success("effigy convert signer.jar --no-textures -o without.glb");
    EXPECT_EQ(glb("with.glb").count("images"), 1U);
    EXPECT_EQ(glb("without.glb").count("images"), 0U);
}

TEST_F(CliArp, MotionsAreClips) {
    expect_success("effigy convert avatar/signer.jarp hello.cas.xml -o hello.glb");
    EXPECT_THAT(clips_of("hello.glb"), ElementsAre("hello", "ambient"));
    write("hello.json", hello_json);
    write("hello.cas", hello_json);
    expect_success("effigy convert avatar/signer.jarp hello.json -o stream.glb");
    EXPECT_THAT(clips_of("stream.glb"), ElementsAre("hello", "ambient"));
    const Json json = glb("stream.glb");
    EXPECT_EQ(json["animations"][0]["extras"]["effigy"]["signs"][1]["gloss"], "YOU");
    EXPECT_EQ(run("effigy check hello.cas hello.cas.xml --severity warning").code, 0);
}

TEST_F(CliArp, CopiesAreByteExact) {
    expect_success("effigy convert avatar/signer.jarp -o copy.jarp");
    EXPECT_EQ(content("copy.jarp"), content("avatar/signer.jarp"));
    expect_success("effigy convert signer.jar -o copy.jar");
    EXPECT_EQ(content("copy.jar"), content("signer.jar"));
    expect_success("effigy convert hello.cas.xml -o copy.cas");
    EXPECT_EQ(content("copy.cas"), content("hello.cas.xml"));
    write("hello.cas.json", hello_json);
    for (const char* extension : {".cas.json", ".cas.xml"}) {
        expect_success("effigy convert hello" + std::string(extension) + " -o copy" + extension);
        EXPECT_EQ(content("copy" + std::string(extension)), content("hello" + std::string(extension)));
    }
}

TEST_F(CliArp, MotionsBecomeXmlOrJsonAsTheyAreCalled) {
    write("hello.cas.json", hello_json);
    expect_success("effigy convert hello.cas.json -o there.cas.xml && effigy convert there.cas.xml -o back.cas.json");
    EXPECT_EQ(content("there.cas.xml").substr(0, 5), "<?xml");
    EXPECT_EQ(content("back.cas.json").front(), '{');
    expect_success("effigy check there.cas.xml --severity warning && effigy check back.cas.json --severity warning");
    write("anna.cas.xml", "<CAS version=\"2.1\" avatar=\"anna\"><frames count=\"0\" signCount=\"0\"/></CAS>");
    const Outcome named = expect_success("effigy convert anna.cas.xml -o anna.cas.json");
    EXPECT_THAT(named.err, AllOf(HasSubstr("arp-clip-form"), HasSubstr("anna")));
    EXPECT_THAT(named.out + named.err, Not(HasSubstr("nothing is lost")));
}

/// Numbers as nobody writes them, comments and all.
TEST_F(CliArp, SignsThatNobodyEditedComeBackAsTheyWere) {
    write("hello.cas.json", hello_json);
    std::string xml = content("hello.cas.xml");
    xml.insert(xml.find("<frames"), "<!-- by hand -->\n");
    write("hello.cas.xml", xml);
    for (const std::string extension : {".cas.json", ".cas.xml"}) {
        expect_success("effigy convert signer.jar hello" + extension + " -o there.glb && mkdir out");
        expect_success("effigy convert there.glb -o out/back.jar && effigy convert there.glb -o out/hello.cas");
        EXPECT_EQ(content("out/back_hello" + extension), content("hello" + extension));
        EXPECT_EQ(content("out/hello.cas"), content("hello" + extension));
        expect_success("effigy convert there.glb -o out/hello" + extension);
        EXPECT_EQ(content("out/hello" + extension), content("hello" + extension));
        const std::string other = extension == ".cas.xml" ? ".cas.json" : ".cas.xml";
        expect_success("effigy convert there.glb --to cas -o out/hello" + other);
        EXPECT_EQ(content("out/hello" + other).front(), other == ".cas.xml" ? '<' : '{');
        expect_success("effigy convert there.glb --height 3 -o out/tall.jar && rm -r out/back* out/hello.cas");
        if (extension == ".cas.xml") EXPECT_NE(content("out/tall_hello.cas.xml"), content("hello.cas.xml"));
        expect_success("rm -r out");
    }
}

TEST_F(CliArp, MotionsKeepTheirNames) {
    expect_success("cp hello.cas.xml 'salut \u00e9t\u00e9.cas.xml' && mkdir out");
    expect_success("effigy convert signer.jar 'salut \u00e9t\u00e9.cas.xml' -o there.glb");
    expect_success("effigy convert there.glb -o out/a.jar");
    EXPECT_TRUE(exists("out/a_salut \u00e9t\u00e9.cas.xml"));
    // The name of the avatar is not put before it once more.
    expect_success("effigy convert out/a.jar out/a_*.cas.xml -o again.glb && effigy convert again.glb -o out/a.jar");
    EXPECT_TRUE(exists("out/a_salut \u00e9t\u00e9.cas.xml"));
    EXPECT_THAT(expect_success("effigy info signer.jar hello.cas.xml").out,
                AllOf(HasSubstr(" m high"), HasSubstr(" s ")));
}

TEST_F(CliArp, TheAvatarComesOutOfItsContainer) {
    expect_success("effigy convert signer.jar -o out.jarp");
    EXPECT_EQ(content("out.jarp"), content("avatar/signer.jarp"));
    expect_success("effigy convert avatar/signer.jarp -o out.jar");
    expect_success("effigy convert out.jar -o again.jarp");
    EXPECT_EQ(content("again.jarp"), content("avatar/signer.jarp"));
}

TEST_F(CliArp, SourcesMayBeEmbedded) {
    expect_success("effigy convert signer.jar hello.cas.xml --embed-source -o signer.glb");
    const Json json = glb("signer.glb");
    const Json& record = json["asset"]["extras"]["effigy"];
    const Json& embedded = record["embedded"];
    ASSERT_EQ(embedded.size(), 2U);
    EXPECT_EQ(embedded[0]["format"], "jar");
    EXPECT_EQ(embedded[1]["format"], "cas");
    EXPECT_EQ(bulk_of(content("signer.glb"), record, embedded[0]["bytes"]), content("signer.jar"));
}

TEST_F(CliArp, DumpsAreBuiltAgain) {
    for (const char* name : {"avatar/signer.jarp", "signer.jar"}) {
        const std::string extension = std::filesystem::path(name).extension().string();
        expect_success("effigy dump " + std::string(name) + " --json > dump.json");
        expect_success("effigy build dump.json -o built" + extension);
        EXPECT_EQ(content("built" + extension), content(name));
    }
    EXPECT_THAT(expect_success("effigy dump avatar/signer.jarp --hex").out, HasSubstr("link_count"));
}

TEST_F(CliArp, ArmsTwistAsAsked) {
    const auto convert = [&](const std::string& how) {
        expect_success("effigy convert signer.jar hello.cas.xml --arp-twist " + how + " -o " + how + ".glb");
        return glb(how + ".glb");
    };
    const Json none = convert("none"), joints = convert("joints"), bake = convert("bake");
    EXPECT_THAT(names(none["nodes"]), Not(Contains("LLRA.twist1")));
    EXPECT_THAT(names(joints["nodes"]), Contains("LLRA.twist1"));
    EXPECT_EQ(bake["nodes"].size(), joints["nodes"].size());
    EXPECT_GT(joints["animations"][0]["channels"].size(), none["animations"][0]["channels"].size());
    EXPECT_GE(content("bake.glb").size(), content("joints.glb").size());
    expect_success("effigy convert signer.jar hello.cas.xml -o usual.glb");
    EXPECT_EQ(content("usual.glb"), content("joints.glb"));
    expect_failure("effigy convert signer.jar --arp-twist some -o x.glb", 2, {"--arp-twist", "some"});
}

TEST_F(CliArp, AMotionAloneShowsNothing) {
    expect_failure("effigy convert hello.cas.xml -o x.glb", 1, {"name its .jar or .jarp"});
}

TEST_F(CliArp, OneAvatarAtATime) {
    expect_failure("effigy convert signer.jar avatar/signer.jarp -o x.glb", 1, {"one by one", "2 avatars"});
}

TEST_F(CliArp, TexturesAreLookedFor) {
    EXPECT_THAT(expect_success("effigy convert avatar/signer.jarp -o bare.glb").err, HasSubstr("texture-missing"));
    EXPECT_FALSE(glb("bare.glb").contains("images"));
    expect_success("effigy convert avatar/signer.jarp --textures gfx -o one.glb");
    EXPECT_EQ(glb("one.glb")["images"].size(), 1U);
    expect_success("cp gfx/skin.png avatar/SKIN.png");
    expect_success("effigy convert avatar/signer.jarp -o two.glb");
    EXPECT_EQ(glb("two.glb")["images"].size(), 1U);
}

TEST_F(CliArp, ContainersThatMeanHarmAreRefused) {
    for (const char* name : {"/etc/passwd", "signer/../../x", "C:/x", "..\\x"}) {
        write_jar("harm.jar", {stored(name, "x")});
        expect_failure("effigy convert harm.jar -o x.glb", 1, {"harm.jar", "container-entry-name"});
        expect_failure("effigy info harm.jar", 1, {"container-entry-name"});
    }
    write_jar("bomb.jar", {deflated("signer/big.bin", std::string(std::size_t{100} << 20U, '\0'))});
    expect_failure("effigy info bomb.jar", 4, {"limit-memory", "--limit-memory"});
    EXPECT_EQ(run("effigy info bomb.jar --limit-memory 1GB").code, 0);
}

TEST_F(CliArp, ContainersWithoutAnAvatarSayWhatTheyAre) {
    write("COMMON.jar", text_of(raw_zip({stored("COMMON/config.xml", "<config/>")})));
    expect_failure("effigy info COMMON.jar", 3, {"container-no-avatar", "all avatars share"});
    write("program.jar", text_of(raw_zip({stored("META-INF/MANIFEST.MF", "x")})));
    expect_failure("effigy convert program.jar -o x.glb", 3, {"container-no-avatar", "avatardef.jarp"});
}

TEST_F(CliArp, FoldersAreSearchedForAvatarsOnly) {
    write("avatar/COMMON.jar", text_of(raw_zip({stored("COMMON/config.xml", "<config/>")})));
    EXPECT_THAT(expect_success("effigy check avatar").out, HasSubstr("1 file:"));
    EXPECT_THAT(expect_success("effigy info avatar").out, Not(HasSubstr("COMMON.jar")));
    RawZipEntry secret = stored("signer/avatardef.jarp", "x");
    secret.flags = 1;
    write("avatar/secret.jar", text_of(raw_zip({secret})));
    expect_failure("effigy check avatar", 1, {"container-avatar-damaged"});
}

TEST_F(CliArp, AnUnpackedAvatarHasWhatItsContainerHad) {
    std::filesystem::create_directories(path("anna"));
    write("anna/avatardef.jarp", text_of(arp::make(arp::figure())));
    write("anna/config.xml", "<config fan=\"0.6\"><hand size=\"2\"/></config>");
    write("anna/asd.xml", "<avatarStaticData><avatar name=\"anna\"/></avatarStaticData>");
    write("anna/nonmanuals.xml", "<nonmanuals><mouth name=\"A\"/></nonmanuals>");
    expect_success("effigy convert anna/avatardef.jarp --no-textures -o anna.glb");
    EXPECT_EQ(glb("anna.glb")["materials"][0]["name"], "anna");
    const Json beside = glb("anna.glb")["nodes"][0]["extras"]["effigy"]["beside"];
    EXPECT_EQ(beside["config"][0]["element"], "hand");
    EXPECT_EQ(beside["skeleton"]["avatar"], "anna");
    EXPECT_EQ(beside["nonmanuals"][0]["name"], "A");
    // Under another name it may be of another avatar.
    expect_success("cp anna/avatardef.jarp anna/other.jarp");
    expect_success("effigy convert anna/other.jarp --no-textures -o other.glb");
    EXPECT_EQ(glb("other.glb").dump().find("\"beside\""), std::string::npos);
    const std::string names = "{\"effigy_names\": 1, \"bones\": [[\"LUPA\", \"Arm.L\"]]}";
    for (const auto& [file, avatar] : {std::pair("names", "avatardef"), std::pair("other.names", "other")}) {
        write("anna/" + std::string(file) + ".json", names);
        expect_success("effigy convert anna/" + std::string(avatar) + ".jarp --no-textures -o it.glb");
        EXPECT_EQ(glb("it.glb")["nodes"][0]["extras"]["effigy"]["beside"]["names"], Json::parse(names));
        expect_success("effigy convert it.glb -o it.jarp -q");
        EXPECT_EQ(Json::parse(content("it.names.json")), Json::parse(names));
    }
    EXPECT_EQ(run("effigy check anna").code, 0);
}

TEST_F(CliArp, FindingsNameTheMotionAsItWasNamed) {
    std::string moved = hello_json;
    moved.replace(moved.find("[2.5,0,0]"), 9, "[9.5,0,0]");
    write("moved.cas.json", moved);
    EXPECT_THAT(expect_success("effigy convert signer.jar moved.cas.json -o moved.glb").err,
                ::testing::ContainsRegex("info: .* in moved\\.cas\\.json"));
}

TEST_F(CliArp, CutAvatarsAreConvertedOnRequest) {
    const std::string whole = content("avatar/signer.jarp");
    write("cut.jarp", whole.substr(0, whole.size() - 60));
    expect_failure("effigy convert cut.jarp -o cut.glb", 1, {"truncated", "--allow-damaged"});
    EXPECT_EQ(run("effigy convert cut.jarp --allow-damaged -o cut.glb").code, 1);
    EXPECT_TRUE(exists("cut.glb"));
    EXPECT_EQ(run("effigy convert cut.jarp --allow-damaged -o cut2.jarp").code, 1);
    EXPECT_EQ(content("cut2.jarp"), content("cut.jarp"));
}

TEST_F(CliArp, VersionsThatWereNeverPublishedAreNamed) {
    std::string old = content("avatar/signer.jarp");
    old[4] = '1';
    write("old.jarp", old);
    expect_failure("effigy info old.jarp", 3, {"1.1", "2.0 to 3.1"});
    const std::string swapped = std::string("\0\0\0\3", 4) + content("avatar/signer.jarp").substr(4);
    write("swapped.jarp", swapped);
    expect_failure("effigy info swapped.jarp", 1, {"big-endian"});
}

TEST_F(CliArp, WhatSigningToolsHaveBesidesIsNamed) {
    write("hello.sigml", "<?xml version=\"1.0\"?>\n<sigml><hns_sign gloss=\"HELLO\"/></sigml>");
    expect_failure("effigy convert signer.jar hello.sigml -o x.glb", 3, {"SiGML", "CAS"});
    write("asd.xml", "<avatarStaticData version=\"1.0\"/>");
    expect_failure("effigy info asd.xml", 3, {"name the avatar's .jar"});
    write("config.xml", "<!--\n\tanimgen configuration file\n-->\n<config/>");
    expect_failure("effigy check config.xml", 3, {"name the avatar's .jar"});
    write("avdef.json", "{\"skelBones\": []}");
    expect_failure("effigy info avdef.json", 3, {"as JSON", ".jarp"});
}

TEST_F(CliArp, IsPosed) {
    expect_success("effigy pose signer.jar --clip ambient --time 0.1 -o posed.obj");
    expect_success("effigy pose signer.jar hello.cas.xml --clip hello --time 0.05 -o signing.obj");
    EXPECT_THAT(content("posed.obj"), HasSubstr("\nf "));
    EXPECT_NE(content("posed.obj"), content("signing.obj"));
}

TEST_F(CliArp, IsDrawn) {
    if (const std::string missing = render::missing_component(); !missing.empty()) GTEST_SKIP() << missing;
    expect_success("effigy render signer.jar --size 48 --samples 1 -q -o signer.png");
    EXPECT_EQ(content("signer.png").substr(1, 3), "PNG");
}

}  // namespace
}  // namespace effigy::test
