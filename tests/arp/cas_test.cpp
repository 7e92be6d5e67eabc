/// CAS as XML and as JSON: reading, recognising, checking.

#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <string_view>

#include "arp/file/cas_writer.hpp"
#include "arp/file/formats.hpp"
#include "arp/raw_zip.hpp"
#include "core/json.hpp"
#include "registry/document_row.hpp"

namespace effigy::arp {
namespace {

using test::bytes_of_text;

Loaded<cas::File> expect_read(std::string_view text) {
    auto loaded = cas::read(bytes_of_text(text));
    EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : to_string(loaded.error()));
    return loaded ? std::move(*loaded) : Loaded<cas::File>{};
}

std::string code_of(std::string_view text, const Limits& limits = {}) {
    const auto loaded = cas::read(bytes_of_text(text), {limits});
    return loaded ? "" : loaded.error().code;
}

void expect_key(const cas::BoneKey& key, std::string_view name, std::optional<Vec3> translation,
                std::optional<Quat> rotation) {
    EXPECT_EQ(key.name, name);
    EXPECT_EQ(key.translation, translation) << name;
    EXPECT_EQ(key.rotation, rotation) << name;
}

constexpr std::string_view xml = R"(<?xml version="1.0" encoding="UTF-8"?>
<!-- two signs -->
<CAS version="2.1" avatar="pia">
  <frames count="3" signCount="2">
    <signStart index="0" gloss="HELLO"/>
    <avatar name="other"/>
    <camera_location cx="0" cy="0" r="1" theta="0" phi="0" fov="30"/>
    <frame index="0" isComplete="true" time="0" duration="40" boneCount="2" morphCount="2">
      <morph name="aaa" amount="0.5000"/>
      <morph name="eee" amount="0.0000"/>
      <bone name="ROOT" index="0"><position x="0.0000" y="1.5000" z="-2.0000"/><qRotation x="0" y="0" z="0.6" w="0.8"/></bone>
      <bone name="HEAD" index="1"><position x="1" y="2" z="3"/><qRotation x="0" y="0" z="0" w="1"/></bone>
    </frame>
    <frame index="1" isComplete="false" time="40.125" duration="40" boneCount="1" morphCount="0">
      <bone index="1"><qRotation x="1" y="0" z="0" w="0"/></bone>
    </frame>
    <signStart index="1" gloss="WORLD"/>
    <frame index="2" isComplete="false" time="10000000.125" duration="40" boneCount="2" morphCount="1">
      <morph name="th" amount="1"/>
      <bone name="HEAD" index="1"/>
      <bone name="ROOT" index="0"><position x="4" y="5" z="6"/></bone>
    </frame>
  </frames>
</CAS>
)";

TEST(CasWriter, SaysTheSameInBothForms) {
    const cas::File file = expect_read(xml).value;
    const std::string json = cas::text_of(file, true);
    for (const std::string& text : {json, cas::text_of(file, false), cas::text_of(expect_read(json).value, false)}) {
        SCOPED_TRACE(text);
        const Loaded<cas::File> again = expect_read(text);
        EXPECT_TRUE(again.report.empty()) << to_string(again.report.diagnostics().front());
        ASSERT_EQ(again.value.frames.size(), file.frames.size());
        ASSERT_EQ(again.value.signs.size(), file.signs.size());
        for (std::size_t i = 0; i < file.signs.size(); ++i) {
            EXPECT_EQ(again.value.signs[i].gloss, file.signs[i].gloss);
            EXPECT_EQ(again.value.signs[i].first_frame, file.signs[i].first_frame);
        }
        for (std::size_t i = 0; i < file.frames.size(); ++i) {
            const cas::Frame &a = again.value.frames[i], &b = file.frames[i];
            EXPECT_EQ(a.time, b.time);
            EXPECT_EQ(a.duration, b.duration);
            ASSERT_EQ(a.bones.size(), b.bones.size());
            for (std::size_t k = 0; k < b.bones.size(); ++k)
                expect_key(a.bones[k], b.bones[k].name, b.bones[k].translation, b.bones[k].rotation);
            ASSERT_EQ(a.morphs.size(), b.morphs.size());
            for (std::size_t k = 0; k < b.morphs.size(); ++k) {
                EXPECT_EQ(a.morphs[k].name, b.morphs[k].name);
                EXPECT_EQ(a.morphs[k].amount, b.morphs[k].amount);
            }
        }
    }
    EXPECT_EQ(expect_read(cas::text_of(file, false)).value.camera->fov, file.camera->fov);
}

TEST(CasWriter, KeepsSignsBehindTheLastFrame) {
    const std::string end = "{\"signIndex\":1,\"gloss\":\"END\",\"baseFrameIndex\":1,\"frames\":[]}\n{}\n";
    for (const char* frames : {"", "{\"time\":0,\"duration\":40,\"bones\":[{\"id4cc\":\"ROOT\",\"rot\":[0,0,0,1]}]}"}) {
        const cas::File file =
            expect_read("{\"signIndex\":0,\"gloss\":\"A\",\"frames\":[" + std::string(frames) + "]}\n" + end).value;
        const Loaded<cas::File> again = expect_read(cas::text_of(file, false));
        EXPECT_TRUE(again.report.empty()) << to_string(again.report.diagnostics().front());
        ASSERT_EQ(again.value.signs.size(), 2U);
        EXPECT_EQ(again.value.signs[1].gloss, "END");
        EXPECT_EQ(again.value.signs[1].first_frame, file.frames.size());
    }
}

TEST(CasXml, IsReadAsItIsEncoded) {
    for (const auto& [encoding, raw, gloss] : {std::tuple("windows-1252", "GR\xDCN \x80", "GR\u00dcN \u20ac"),
                                               {"Shift_JIS", "\x93\xFA\x96\x7B", "\u65e5\u672c"}}) {
        std::string text(xml);
        text.replace(text.find("UTF-8"), 5, encoding);
        text.replace(text.find("HELLO"), 5, raw);
        const cas::File file = expect_read(text).value;
        EXPECT_EQ(file.signs[0].gloss, gloss);
        EXPECT_EQ(file.text, bytes_of_text(text));
    }
}

TEST(CasXml, IsWrittenAsUtf8) {
    cas::File file = expect_read(xml).value;
    file.signs[0].gloss = "GR\xDCN";
    EXPECT_EQ(expect_read(cas::text_of(file, false)).value.signs[0].gloss, "GR\u00dcN");
}

TEST(CasXml, ReadsFramesAndWhatTheyLeaveOut) {
    const auto loaded = expect_read(xml);
    const cas::File& file = loaded.value;
    EXPECT_TRUE(loaded.report.empty()) << to_string(loaded.report.diagnostics().front());
    EXPECT_FALSE(file.is_json);
    EXPECT_EQ(file.version, "2.1");
    EXPECT_EQ(file.avatar, "pia");
    ASSERT_EQ(file.signs.size(), 2u);
    EXPECT_EQ(file.signs[1].gloss, "WORLD");
    EXPECT_EQ(file.signs[1].first_frame, 2u);
    ASSERT_TRUE(file.camera);
    EXPECT_EQ(file.camera->r, 1);
    EXPECT_EQ(file.camera->fov, 30);
    ASSERT_EQ(file.frames.size(), 3u);
    EXPECT_TRUE(file.frames[0].complete);
    ASSERT_EQ(file.frames[0].morphs.size(), 1u);
    EXPECT_EQ(file.frames[0].morphs[0].name, "aaa");
    EXPECT_EQ(file.frames[0].morphs[0].amount, 0.5F);
    ASSERT_EQ(file.frames[0].bones.size(), 2u);
    expect_key(file.frames[0].bones[0], "ROOT", Vec3{0, 1.5F, -2}, Quat{0, 0, 0.6F, 0.8F});
    EXPECT_FALSE(file.frames[1].complete);
    EXPECT_EQ(file.frames[1].time, 40.125);
    ASSERT_EQ(file.frames[1].bones.size(), 1u);
    expect_key(file.frames[1].bones[0], "HEAD", std::nullopt, Quat{1, 0, 0, 0});
    EXPECT_EQ(file.frames[2].time, 10000000.125);
    ASSERT_EQ(file.frames[2].bones.size(), 2u);
    expect_key(file.frames[2].bones[0], "HEAD", std::nullopt, std::nullopt);
    expect_key(file.frames[2].bones[1], "ROOT", Vec3{4, 5, 6}, std::nullopt);
}

std::string frames_xml(std::string_view frames) {
    return "<CAS version='2.1'><frames>" + std::string(frames) + "</frames></CAS>";
}

TEST(CasXml, BonesAreFoundByIndex) {
    const std::string first = "<frame time='0'><bone name='ROOT' index='5'/><bone name='HEAD'/></frame>";
    // The index counts in frames that are not complete, the name in those that are.
    const auto loaded =
        expect_read(frames_xml(
            first + "<frame time='40'><bone index='5'/><bone index='1'/><bone name='HEAD' index='5'/><bone name='NEW'/>"
                    "<bone name='NEW' index='77'/><bone index='9'/><bone/></frame>"
                    "<frame time='80' isComplete='true'><bone name='HEAD' index='5'/><bone index='5'/></frame>"));
    ASSERT_EQ(loaded.value.frames.size(), 3u);
    std::string names;
    for (const auto& key : loaded.value.frames[1].bones) names += key.name + " ";
    EXPECT_EQ(names, "ROOT HEAD ROOT NEW NEW ");
    EXPECT_EQ(loaded.report.count("cas-bone"), 2u);
    EXPECT_EQ(loaded.report.count("cas-bone-index"), 1u);
    EXPECT_EQ(loaded.value.frames[2].bones[0].name, "HEAD");
    EXPECT_EQ(loaded.value.frames[2].bones[1].name, "ROOT");
}

TEST(CasXml, NumbersAreChecked) {
    const auto loaded = expect_read(
        frames_xml("<frame time='0'><bone name='A'><position x='1' y='nan' z='0'/><qRotation x='0' y='0' z='0'/></bone>"
                   "<bone name='B'><position x='1e99' y='0' z='0'/><qRotation x='0' y='0' z='0' w='1x'/></bone>"
                   "<morph name='aaa' amount='inf'/><morph name='eee'/><morph amount='1'/></frame>"
                   "<frame duration='40'/><frame time='soon'/>"));
    ASSERT_EQ(loaded.value.frames.size(), 3u);
    expect_key(loaded.value.frames[0].bones[0], "A", std::nullopt, std::nullopt);
    expect_key(loaded.value.frames[0].bones[1], "B", std::nullopt, std::nullopt);
    EXPECT_TRUE(loaded.value.frames[0].morphs.empty());
    EXPECT_EQ(loaded.report.count("xml-number"), 5u);
    EXPECT_EQ(loaded.report.count("cas-field"), 4u);
    EXPECT_EQ(loaded.value.frames[2].time, 40);
    EXPECT_NE(loaded.report.diagnostics().front().offset, no_offset);
}

TEST(CasXml, CountsAreCompared) {
    const auto loaded = expect_read(
        "<CAS><frames count='2' signCount='1'><frame time='0' boneCount='3' morphCount='-1'/>"
        "</frames></CAS>");
    EXPECT_EQ(loaded.report.count("cas-count"), 4u);
}

TEST(CasXml, RefusesWhatIsNone) {
    EXPECT_EQ(code_of("<sigml/>"), "not-this-format");
    EXPECT_EQ(code_of("<CAS>"), "xml-syntax");
    EXPECT_EQ(code_of(""), "xml-syntax");
    EXPECT_EQ(code_of("<!DOCTYPE CAS [<!ENTITY a 'b'>]><CAS/>"), "xml-entity");
    std::string deep = "<CAS>";
    for (int level = 0; level < 1000; ++level) deep += "<a>";
    for (int level = 0; level < 1000; ++level) deep += "</a>";
    EXPECT_EQ(code_of(deep + "</CAS>"), "limit-depth");
}

constexpr std::string_view json = R"({"signIndex": 0, "gloss": "HELLO \"}", "baseFrameIndex": 0, "frames": [
  {"time": 0, "duration": 40, "morphs": [{"id4cc": "aaa", "amount": 0.5}, {"id4cc": "eee", "amount": 0}],
   "bones": [{"id4cc": "ROOT", "trans": [0, 1.5, -2], "rot": [0, 0, 0.6, 0.8]}, {"id4cc": "HEAD", "rot": [0, 0, 0, 1]}]},
  {"time": 40.125, "duration": 40, "morphs": [], "bones": [{"id4cc": "HEAD", "rot": [1, 0, 0, 0]}]}]}
{"signIndex": 1, "gloss": "WORLD", "baseFrameIndex": 2, "frames": [{"time": 80, "duration": 40, "morphs": [], "bones": []}]}
{}
)";

void expect_stream(const Loaded<cas::File>& loaded) {
    const cas::File& file = loaded.value;
    EXPECT_TRUE(loaded.report.empty()) << to_string(loaded.report.diagnostics().front());
    EXPECT_TRUE(file.is_json);
    ASSERT_EQ(file.signs.size(), 2u);
    EXPECT_EQ(file.signs[0].gloss, "HELLO \"}");
    EXPECT_EQ(file.signs[1].first_frame, 2u);
    ASSERT_EQ(file.frames.size(), 3u);
    EXPECT_TRUE(file.frames[0].complete);
    EXPECT_FALSE(file.frames[2].complete);
    ASSERT_EQ(file.frames[0].morphs.size(), 1u);
    expect_key(file.frames[0].bones[0], "ROOT", Vec3{0, 1.5F, -2}, Quat{0, 0, 0.6F, 0.8F});
    expect_key(file.frames[1].bones[0], "HEAD", std::nullopt, Quat{1, 0, 0, 0});
    EXPECT_EQ(file.frames[1].time, 40.125);
}

TEST(CasJson, ReadsSignsOneAfterTheOther) { expect_stream(expect_read(json)); }

TEST(CasJson, ReadsArraysOfSigns) {
    std::string array = "[" + std::string(json) + "]";
    for (std::size_t at = array.find("\n{"); at != std::string::npos; at = array.find("\n{", at + 1)) array[at] = ',';
    expect_stream(expect_read("\xEF\xBB\xBF " + array));
    expect_stream(expect_read(array.substr(0, array.rfind(",{}")) + "]"));
}

TEST(CasJson, NumbersAreChecked) {
    const auto loaded = expect_read(
        R"({"signIndex":0,"baseFrameIndex":7,"frames":[{"time":"x","bones":[{"id4cc":"A","rot":[0,0,1]},{"rot":[0,0,0,1]},
        {"id4cc":"B","trans":[1,2,null],"rot":[1e300,0,0,1]},5],"morphs":[{"id4cc":"aaa","amount":"1"},{"amount":1}]},
        {"duration":40,"bones":{},"morphs":3},[]]}{})");
    EXPECT_EQ(loaded.report.count("cas-base-frame"), 1u);
    EXPECT_EQ(loaded.report.count("cas-field"), 12u);
    ASSERT_EQ(loaded.value.frames.size(), 3u);
    ASSERT_EQ(loaded.value.frames[0].bones.size(), 2u);
    expect_key(loaded.value.frames[0].bones[1], "B", std::nullopt, std::nullopt);
    EXPECT_EQ(loaded.value.frames[2].time, 40);
    EXPECT_EQ(loaded.report.diagnostics()[1].path, "sign[0] / frames[0]");
}

TEST(CasJson, CutStreamsAreReadAsFarAsTheyGo) {
    const std::string_view first = json.substr(0, json.find("\n{\"signIndex\": 1"));
    const auto between = expect_read(first);
    EXPECT_EQ(between.value.frames.size(), 2u);
    EXPECT_EQ(between.report.count("cas-end"), 1u);
    const auto within = expect_read(std::string(first) + "\n{\"signIndex\": 1, \"frames\": [{");
    EXPECT_EQ(within.value.frames.size(), 2u);
    EXPECT_EQ(within.report.count("cas-json-syntax"), 1u);
    EXPECT_EQ(within.report.diagnostics().back().offset, first.size() + 1);
    EXPECT_EQ(expect_read(std::string(first) + "{\"a\" 1}{}").report.count("cas-json-syntax"), 1u);
    EXPECT_EQ(code_of(first.substr(0, first.size() / 2)), "cas-json-syntax");
    for (const std::string_view text : {"{}", "[]", "[{\"frames\": [}", "[[[[["})
        EXPECT_EQ(code_of(text), "not-this-format") << text;
    for (std::size_t size = 0; size < json.size(); ++size) (void)cas::read(bytes_of_text(json.substr(0, size)));
    for (std::size_t size = 0; size < xml.size(); ++size) (void)cas::read(bytes_of_text(xml.substr(0, size)));
}

TEST(Cas, LimitsHold) {
    Limits limits;
    limits.count = 4;
    EXPECT_EQ(code_of(json, limits), "limit-count");
    EXPECT_EQ(code_of(xml, limits), "limit-count");
    limits = {};
    limits.memory = 2000;
    EXPECT_EQ(code_of(json, limits), "limit-memory");
    EXPECT_EQ(code_of(xml, limits), "limit-memory");
    // One long name, asked for again and again.
    std::string bones;
    for (int bone = 0; bone < 10000; ++bone) bones += "<bone index='0'/>";
    const std::string name(100000, 'a');
    limits.memory = std::uint64_t{64} << 20;
    EXPECT_EQ(
        code_of(frames_xml("<frame time='0'><bone name='" + name + "'/></frame><frame time='1'>" + bones + "</frame>"),
                limits),
        "limit-memory");
    std::string lists = "{\"signIndex\":0,\"frames\":[";
    for (int list = 0; list < 500000; ++list) lists += "[],";
    EXPECT_EQ(code_of(lists + "0]}", limits), "limit-memory");
    EXPECT_EQ(code_of("{\"signIndex\":0,\"gloss\":" + std::string(100000, '[') + std::string(100000, ']') + "}"),
              "not-this-format");
}

/// With a mark before it.
std::string as_utf16(std::string_view ascii, bool is_little) {
    std::string text = is_little ? "\xFF\xFE" : "\xFE\xFF";
    for (const char c : ascii) {
        if (!is_little) text += '\0';
        text += c;
        if (is_little) text += '\0';
    }
    return text;
}

TEST(Cas, IsCopiedByteForByte) {
    for (const std::string& text : {std::string(xml), std::string(json), as_utf16(xml, true), as_utf16(xml, false)}) {
        const auto loaded = expect_read(text);
        EXPECT_EQ(CasFormat::write(loaded.value, {}).value(), bytes_of_text(text));
        const auto built = CasFormat::build(CasFormat::dump(loaded.value, {}).value(), false, {});
        ASSERT_TRUE(built.has_value());
        EXPECT_EQ(CasFormat::write(*built, {}).value(), bytes_of_text(text));
    }
}

bool is_cas(std::string_view text) { return looks_like_cas(std::as_bytes(std::span(text.substr(0, 4096)))); }

TEST(Cas, IsRecognised) {
    EXPECT_TRUE(is_cas(xml));
    EXPECT_TRUE(is_cas(json));
    EXPECT_TRUE(is_cas("<CAS/>"));
    EXPECT_TRUE(is_cas("\xEF\xBB\xBF\n<CAS>"));
    EXPECT_TRUE(is_cas("<!DOCTYPE CAS><CAS>"));
    EXPECT_TRUE(is_cas("<!-- a --><!DOCTYPE CAS [<!ELEMENT CAS ANY>]>\n<CAS>"));
    for (const bool is_little : {true, false}) {
        const std::string text = as_utf16(xml, is_little);
        EXPECT_TRUE(is_cas(text));
        EXPECT_FALSE(is_cas(as_utf16("<CASE>", is_little)));
        const cas::File file = expect_read(text).value;
        EXPECT_EQ(file.frames.size(), 3u);
        EXPECT_EQ(file.avatar, "pia");
        EXPECT_EQ(file.text, bytes_of_text(text));
    }
    EXPECT_TRUE(is_cas("[ {\"gloss\": \"A\", \"signIndex\": 3"));
    EXPECT_TRUE(is_cas("{\"frames\":[{\"bones\":[{\"id4cc\":"));
    for (const std::string_view text : {"", "<", "<CASE/>", "<cas/>", "<!-- <CAS> -->", "<!-- <CAS>", "<x><CAS/></x>",
                                        "{}", "[", "{\"asset\": {\"version\": \"2.0\"}, \"frames\": []}", "CAS"}) {
        EXPECT_FALSE(is_cas(text)) << text;
    }
}

TEST(Cas, CheckFindsWhatPlayersStumbleOver) {
    EXPECT_TRUE(CasFormat::check(expect_read(xml).value, {}).empty());
    EXPECT_TRUE(CasFormat::check(expect_read(json).value, {}).empty());
    const auto bad = expect_read(
        "<CAS version='2.0'><frames><signStart gloss='A'/><signStart gloss='B'/>"
        "<frame time='0' duration='-1'><bone name='A'><qRotation x='0' y='0' z='0' w='1.01'/></bone><bone name='A'/>"
        "<morph name='m' amount='1'/><morph name='m' amount='2'/></frame>"
        "<frame time='0'><bone name='B'/></frame></frames></CAS>");
    const Report report = CasFormat::check(bad.value, {});
    for (const std::string_view code :
         {"cas-version", "cas-sign-empty", "cas-time", "cas-duration", "cas-rotation-length", "cas-bone-repeated",
          "cas-morph-repeated", "cas-bone-late"}) {
        EXPECT_EQ(report.count(code), 1u) << code;
    }
    EXPECT_EQ(CasFormat::check(expect_read("<CAS version='2.1'/>").value, {}).count("cas-empty"), 1u);
}

TEST(Cas, CheckComparesWithTheAvatar) {
    File avatar;
    avatar.bones.resize(1);
    avatar.bones[0].name = "ROOT";
    avatar.meshes.resize(1);
    avatar.meshes[0].morph_targets.push_back({std::string("aaa\0", 4), {}});
    const Document model = document_of<AvatarFormat>(avatar);
    Container container;
    container.avatar = avatar;
    const Document packed = document_of<ContainerFormat>(std::move(container));
    for (const Document* document : {&model, &packed}) {
        CheckContext context;
        context.model = document;
        const Report report = CasFormat::check(expect_read(xml).value, context);
        ASSERT_EQ(report.count("cas-bone-unknown"), 1u);
        ASSERT_EQ(report.count("cas-morph-unknown"), 1u);
        EXPECT_EQ(report.diagnostics().front().found, "'HEAD' in 3 frames");
    }
}

TEST(Cas, InfoCounts) {
    const Json info = CasFormat::info(expect_read(xml).value, {});
    EXPECT_EQ(info["form"], "xml");
    EXPECT_EQ(info["counts"], Json({{"signs", 2}, {"frames", 3}}));
    EXPECT_EQ(info["bones"], Json({"HEAD", "ROOT"}));
    EXPECT_EQ(info["morphs"], Json({"aaa", "th"}));
    EXPECT_EQ(info["milliseconds"], 10000040.125);
    EXPECT_EQ(CasFormat::info(expect_read(json).value, {})["signs"][1]["gloss"], "WORLD");
}

}  // namespace
}  // namespace effigy::arp
