/// Components, indexes and macros from XML.

#include "effigy/component.hpp"

#include <clocale>
#include <cmath>

#include "egosoft/file/xml_changes.hpp"
#include "egosoft/files.hpp"

namespace effigy::egosoft {
namespace {

using test::bytes_of_text;
using test::code_of;
using test::codes_of;
using test::utf16;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view ship = R"(<?xml version="1.0" encoding="utf-8"?>
<!-- a small ship -->
<components>
  <component name="ship_x" class="ship_s">
    <source geometry="assets\units\SIZE_S\ship_x_data"/>
    <layers><layer><lights>
      <omni name="lamp" r="51" g="255" b="0" range="3" intensity="1.5"><offset><position x="1" y="2" z="3"/></offset></omni>
      <arealight name="panel" areax="0.5"/>
    </lights></layer></layers>
    <connections>
      <connection name="con_main" tags=" part  animation&#9;detail_l " group="g" value="v">
        <offset><position x="1e1" y="-2.5" z="+3"/><quaternion qx="0" qy="2" qz="0" qw="0"/></offset>
        <animations><animation name="open" start="10" end="20"/></animations>
        <parts><part name="part_main" wreck="part_wreck" ref="other.part">
          <lods><lod index="0"><materials><material id="1" ref="ships.hull"/></materials></lod><lod index="1"/></lods>
          <size><max x="1" y="2" z="3"/><center x="4" y="5" z="6"/></size>
          <size_raw><max x="7" y="8" z="9"/><center/></size_raw>
          <pivot><offset><position x="9"/></offset></pivot>
          <offset><rotation pitch="90"/></offset>
          <lights><spot name="beam"/></lights>
          <uv_animations><uv_animation name="a"/></uv_animations>
          <unknown/>
        </part></parts>
      </connection>
      <connection name="con_turret" parent="part_main"/>
    </connections>
  </component>
</components>
)";

Loaded<ComponentFile> read(std::string_view text) {
    auto loaded = read_components(bytes_of_text(text));
    if (!loaded) {
        ADD_FAILURE() << to_string(loaded.error());
        return {};
    }
    return std::move(*loaded);
}

/// One connection with this inside.
std::string with_connection(const std::string& inside, const std::string& attributes = "name=\"c\"") {
    return "<components><component name=\"x\"><connections><connection " + attributes + ">" + inside +
           "</connection></connections></component></components>";
}

/// The file with one change, or the finding's code.
std::string changed_by(const std::string& change) {
    auto file = ChangedXml::open(bytes_of_text("<a><b n=\"1\"><c/></b><b n=\"2\"/></a>"), {});
    if (!file) return code_of(file);
    const auto report = file->apply(bytes_of_text("<diff>" + change + "</diff>"));
    if (!report) return code_of(report);
    if (!report->empty()) return report->diagnostics().front().code;
    std::string text = test::text_of(file->text());
    text.erase(0, text.find("<a"));
    std::erase_if(text, [](char c) { return c == '\n' || c == ' '; });
    return text;
}

/// What one change does counts for the next ones.
TEST(XmlChanges, FindWhatOthersHaveChanged) {
    const std::string third = R"(<add sel="/a/b[@n='3']"><x/></add>)", second = R"(<add sel="/a/b[@n='2']"><x/></add>)";
    EXPECT_EQ(changed_by(second + R"(<replace sel="/a/b[@n='2']/@n">3</replace>)" + third),
              R"(<a><bn="1"><c/></b><bn="3"><x/><x/></b></a>)");
    EXPECT_EQ(changed_by(second + R"(<replace sel="/a/b[@n='2']/@n">3</replace>)" + second), "diff-no-match");
    EXPECT_EQ(changed_by(second + R"(<remove sel="/a/b[@n='2']/@n"/>)" + second), "diff-no-match");
    EXPECT_EQ(changed_by(second + R"(<add sel="/a"><b n="3"/></add>)" + third),
              R"(<a><bn="1"><c/></b><bn="2"><x/></b><bn="3"><x/></b></a>)");
    EXPECT_EQ(changed_by(second + R"(<add sel="/a" pos="prepend"><b n="2"/></add>)" + second), "diff-several");
    EXPECT_EQ(changed_by(second + R"(<remove sel="/a/b[@n='2']"/>)" + second), "diff-no-match");
    EXPECT_EQ(changed_by(second + R"(<replace sel="/a/b[@n='2']"><b n="2"/></replace>)" + second),
              R"(<a><bn="1"><c/></b><bn="2"><x/></b></a>)");
}

TEST(XmlChanges, AreOfExactlyOneElement) {
    EXPECT_EQ(changed_by(R"(<add sel="/a/b[@n='1']" pos="prepend"><x/><y/></add>)"),
              R"(<a><bn="1"><x/><y/><c/></b><bn="2"/></a>)");
    EXPECT_EQ(changed_by(R"(<add sel="//c" pos="after"><x/><y/></add>)"),
              R"(<a><bn="1"><c/><x/><y/></b><bn="2"/></a>)");
    EXPECT_EQ(changed_by(R"(<add sel="//c" pos="before"><x/><y/></add>)"),
              R"(<a><bn="1"><x/><y/><c/></b><bn="2"/></a>)");
    EXPECT_EQ(changed_by(R"(<add sel="/a"><x/><y/></add>)"), R"(<a><bn="1"><c/></b><bn="2"/><x/><y/></a>)");
    EXPECT_EQ(changed_by(R"(<replace sel="//c"><x/></replace>)"), R"(<a><bn="1"><x/></b><bn="2"/></a>)");
    EXPECT_EQ(changed_by(R"(<replace sel="//b[@n='2']/@n">3</replace>)"), R"(<a><bn="1"><c/></b><bn="3"/></a>)");
    EXPECT_EQ(changed_by(R"(<remove sel="//b[@n='1']/@n"/>)"), R"(<a><b><c/></b><bn="2"/></a>)");
    EXPECT_EQ(changed_by(R"(<add sel="//c" type="@m">1</add>)"), R"(<a><bn="1"><cm="1"/></b><bn="2"/></a>)");
    EXPECT_EQ(changed_by(R"x(<remove sel="//c" if="not(//b[@n='3'])"/>)x"), R"(<a><bn="1"/><bn="2"/></a>)");
    EXPECT_EQ(changed_by(R"(<remove sel="//c" if="//b[@n='3']"/>)"), R"(<a><bn="1"><c/></b><bn="2"/></a>)");
    EXPECT_EQ(changed_by(R"(<remove sel="//d" silent="true"/>)"), R"(<a><bn="1"><c/></b><bn="2"/></a>)");
    EXPECT_EQ(changed_by(R"(<remove sel="//d"/>)"), "diff-no-match");
    EXPECT_EQ(changed_by(R"(<remove sel="//c/@n"/>)"), "diff-no-match");
    EXPECT_EQ(changed_by(R"(<remove sel="//b"/>)"), "diff-several");
    EXPECT_EQ(changed_by(R"(<remove sel="//b[1]"/>)"), "diff-selector");
}

TEST(XmlChanges, EndAtDepths) {
    std::string deep;
    for (int i = 0; i < 130; ++i) deep = "<d>" + deep + "</d>";
    const std::string deeper = "<add sel=\"//c\">" + deep + "</add>" + "<replace sel=\"//b[@n='2']\"><c2/></replace>" +
                               "<add sel=\"//c2\"><c3>" + deep + deep + "</c3></add>";
    EXPECT_NE(changed_by(deeper), "limit-depth");
    EXPECT_EQ(changed_by("<replace sel=\"//c\">" + deep.substr(0, 390) + "<last/>" + deep.substr(390) +
                         "</replace><add sel=\"//last\">" + deep + "</add>"),
              "limit-depth");
}

TEST(Components, HaveAllThatTheirXmlSays) {
    const auto loaded = read(ship);
    EXPECT_THAT(codes_of(loaded.report), ElementsAre("offset-rotation"));  // a quaternion of length 2
    ASSERT_EQ(loaded.value.components.size(), 1U);
    const Component& component = loaded.value.components[0];
    EXPECT_EQ(component.name, "ship_x");
    EXPECT_EQ(component.class_name, "ship_s");
    EXPECT_EQ(component.geometry, "assets\\units\\SIZE_S\\ship_x_data");
    EXPECT_EQ(ship.substr(component.place, 10), "<component");
    ASSERT_EQ(component.lights.size(), 2U);
    EXPECT_EQ(component.lights[0].kind, "omni");
    EXPECT_EQ(component.lights[0].color, (Vec3{0.2F, 1, 0}));
    EXPECT_EQ(component.lights[0].offset.position, (Vec3{1, 2, 3}));
    EXPECT_FLOAT_EQ(component.lights[0].intensity, 1.5F);
    EXPECT_THAT(component.lights[1].attributes, Contains(std::pair<std::string, std::string>("areax", "0.5")));
    ASSERT_EQ(component.connections.size(), 2U);
    EXPECT_EQ(component.connections[1].parent, "part_main");
}

TEST(Components, HaveConnectionsWithParts) {
    const auto loaded = read(ship);
    const Connection& connection = loaded.value.components[0].connections[0];
    EXPECT_THAT(connection.tags, ElementsAre("part", "animation", "detail_l"));
    EXPECT_EQ(connection.group, "g");
    EXPECT_EQ(connection.value, "v");
    EXPECT_EQ(connection.offset.position, (Vec3{10, -2.5F, 3}));
    EXPECT_EQ(connection.offset.rotation, (Quat{0, 1, 0, 0}));
    ASSERT_EQ(connection.animations.size(), 1U);
    EXPECT_EQ(connection.animations[0].start, 10);
    EXPECT_EQ(connection.animations[0].end, 20);
    ASSERT_EQ(connection.parts.size(), 1U);
    const Part& part = connection.parts[0];
    EXPECT_EQ(part.reference, "other.part");
    EXPECT_EQ(part.wreck, "part_wreck");
    ASSERT_EQ(part.lods.size(), 2U);
    EXPECT_EQ(part.lods[0].materials[0].name, "ships.hull");
    EXPECT_EQ(part.lods[0].materials[0].id, 1U);
    EXPECT_EQ(part.size->half_size, (Vec3{1, 2, 3}));
    EXPECT_EQ(part.size->center, (Vec3{4, 5, 6}));
    EXPECT_EQ(part.size_raw->half_size, (Vec3{7, 8, 9}));
    EXPECT_EQ(part.pivot->position, (Vec3{9, 0, 0}));
    EXPECT_TRUE(part.offset->has_angles);
    EXPECT_EQ(part.lights[0].kind, "spot");
    EXPECT_EQ(part.uv_animations, R"(<uv_animations><uv_animation name="a"/></uv_animations>)");
}

TEST(Components, KeepTheirBytes) { EXPECT_EQ(test::text_of(read(ship).value.text), ship); }

TEST(Components, AreFoundInChangesToo) {
    const auto loaded = read(
        "<diff><add sel=\"/components\"><component name=\"a\"/></add>"
        "<replace sel=\"//connection[@name='x']/@tags\">part</replace><remove sel=\"//connection\"/></diff>");
    ASSERT_EQ(loaded.value.components.size(), 1U);
    ASSERT_THAT(codes_of(loaded.report), ElementsAre("diff-base"));
    EXPECT_EQ(loaded.report.diagnostics()[0].found, "//connection[@name='x']/@tags and 1 more");
}

Quat about(char axis, double degrees) {
    const double half = degrees * 3.14159265358979323846 / 360;
    const auto s = static_cast<float>(std::sin(half)), c = static_cast<float>(std::cos(half));
    return {axis == 'x' ? s : 0, axis == 'y' ? s : 0, axis == 'z' ? s : 0, c};
}

Vec3 rotate(const Quat& q, const Vec3& v) {
    const auto cross = [](const Vec3& a, const Vec3& b) {
        return Vec3{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    };
    const Vec3 u{q.x, q.y, q.z}, t = cross(u, v), s = cross(u, {t.x + q.w * v.x, t.y + q.w * v.y, t.z + q.w * v.z});
    return {v.x + 2 * s.x, v.y + 2 * s.y, v.z + 2 * s.z};
}

TEST(Components, TurnByAnglesInTheirOrder) {
    const Vec3 start{0.3F, -0.7F, 1.1F};
    const Vec3 turned = rotate(about('y', 30), rotate(about('x', -50), rotate(about('z', -70), start)));
    const Vec3 found = rotate(rotation_of(50, 30, 70), start);
    EXPECT_NEAR(found.x, turned.x, 1e-6);
    EXPECT_NEAR(found.y, turned.y, 1e-6);
    EXPECT_NEAR(found.z, turned.z, 1e-6);
}

TEST(Components, ReportRotationsThatAreNone) {
    const auto loaded = read(with_connection("<offset><quaternion qx=\"0\" qy=\"0\" qz=\"0\" qw=\"0\"/></offset>"));
    EXPECT_THAT(codes_of(loaded.report), ElementsAre("offset-rotation"));
    EXPECT_EQ(loaded.value.components[0].connections[0].offset.rotation, Quat{});
}

TEST(Components, ReportNumbersThatAreNone) {
    for (const std::string text :
         {"", " ", "1,5", "1.5f", "nan", "inf", "-inf", "1e39", "1e999", "0x10", "++1", "+-1", "one"}) {
        const auto loaded = read(with_connection("<offset><position x=\"" + text + "\" y=\"7\"/></offset>"));
        EXPECT_THAT(codes_of(loaded.report), ElementsAre("xml-number")) << text;
        EXPECT_EQ(loaded.value.components[0].connections[0].offset.position, (Vec3{0, 7, 0})) << text;
    }
    for (const std::string text : {" 1 ", "+1", "1.0", "1e0", "10e-1"}) {
        const auto loaded = read(with_connection("<offset><position x=\"" + text + "\"/></offset>"));
        EXPECT_THAT(codes_of(loaded.report), IsEmpty()) << text;
        EXPECT_EQ(loaded.value.components[0].connections[0].offset.position.x, 1) << text;
    }
    EXPECT_THAT(codes_of(read(with_connection("<offset><position x=\"1e-400\"/></offset>")).report), IsEmpty());
}

TEST(Components, ReadNumbersAlikeInEveryLocale) {
    const char* const found = std::setlocale(LC_ALL, "de_DE.UTF-8");
    if (found == nullptr) GTEST_SKIP() << "the locale de_DE.UTF-8 is not installed";
    const auto loaded = read(with_connection("<offset><position x=\"1.5\"/></offset>"));
    std::setlocale(LC_ALL, "C");
    EXPECT_EQ(loaded.value.components[0].connections[0].offset.position.x, 1.5F);
}

TEST(Components, ReportWhatStandsTwice) {
    const std::string part =
        "<parts><part name=\"p\"><lods><lod index=\"0\"/><lod index=\"0\"/></lods></part>"
        "<part name=\"p\"/></parts>";
    const auto loaded = read(with_connection(part + "<offset/><offset/>"));
    EXPECT_THAT(codes_of(loaded.report), ElementsAre("xml-duplicate", "xml-duplicate", "name-repeated"));
    EXPECT_EQ(loaded.value.components[0].connections[0].parts[0].lods.size(), 1U);
    EXPECT_THAT(codes_of(read(with_connection("", "name=\"c\" name=\"d\"")).report), ElementsAre("xml-duplicate"));
    EXPECT_THAT(codes_of(read(with_connection("", "")).report), ElementsAre("xml-name"));
    EXPECT_THAT(
        codes_of(
            read(with_connection("<parts><part name=\"p\"><lods><lod index=\"-1\"/></lods></part></parts>")).report),
        ElementsAre("xml-number"));
}

TEST(Components, MayBeUtf16) {
    const auto loaded = read(utf16(ship));
    ASSERT_EQ(loaded.value.components.size(), 1U);
    EXPECT_EQ(loaded.value.components[0].name, "ship_x");
    EXPECT_EQ(loaded.value.components[0].place, no_offset);
    const auto marked = read("\xef\xbb\xbf<components><component name=\"a\"/></components>");
    EXPECT_EQ(marked.value.components[0].place, 15U);
}

TEST(Components, RefuseEntities) {
    const std::string bomb = "<!DOCTYPE c [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><components>&b;</components>";
    EXPECT_EQ(code_of(read_components(bytes_of_text(bomb))), "xml-entity");
    EXPECT_EQ(code_of(read_components(bytes_of_text("<!DOCTYPE components><components/>"))), "fine");
}

TEST(Components, RefuseDeepNesting) {
    const auto nested = [](std::size_t levels) {
        std::string text = "<components>";
        for (std::size_t i = 0; i < levels; ++i) text += "<a>";
        for (std::size_t i = 0; i < levels; ++i) text += "</a>";
        return text + "</components>";
    };
    EXPECT_EQ(code_of(read_components(bytes_of_text(nested(200)))), "fine");
    EXPECT_EQ(code_of(read_components(bytes_of_text(nested(256)))), "limit-depth");
    EXPECT_EQ(code_of(read_components(bytes_of_text(nested(300'000)))), "limit-depth");
}

TEST(Components, RefuseWhatIsNoSuchXml) {
    for (const char* text : {"", " ", "ship", "<components>", "<components></component>", "<components a=b/>"})
        EXPECT_EQ(code_of(read_components(bytes_of_text(text))), "xml-syntax") << text;
    EXPECT_EQ(code_of(read_components(bytes_of_text("<index/>"))), "not-this-format");
    EXPECT_EQ(code_of(read_components(bytes_of_text(std::string("<components/>\0<", 15)))), "xml-syntax");
    const auto broken = read_components(bytes_of_text("<components>\n<a></b></components>"));
    ASSERT_FALSE(broken);
    EXPECT_GE(broken.error().offset, 16U);
    EXPECT_LE(broken.error().offset, 20U);
}

TEST(Components, StayWithinTheLimits) {
    std::string text = "<components><component><connections>";
    for (int i = 0; i < 20'000; ++i) text += "<connection/>";
    text += "</connections></component></components>";
    ReadOptions options;
    options.limits.memory = 4'000'000;
    EXPECT_EQ(code_of(read_components(bytes_of_text(text), options)), "limit-memory");
    options.limits = {};
    options.limits.count = 1000;
    EXPECT_EQ(code_of(read_components(bytes_of_text(text), options)), "limit-count");
}

TEST(Components, MayEndAnywhere) {
    for (std::size_t size = 0; size < ship.size(); ++size) {
        const auto loaded = read_components(bytes_of_text(ship.substr(0, size)));
        // The last line feed may be missing.
        EXPECT_EQ(code_of(loaded), size == ship.size() - 1 ? "fine" : "xml-syntax") << size;
    }
}

TEST(Indexes, NameFiles) {
    const auto plain =
        read_index(bytes_of_text("<index><entry name=\"a\" value=\"x\\a\"/><entry name=\"a\" value=\"y\"/></index>"));
    ASSERT_TRUE(plain);
    ASSERT_EQ(plain->value.entries.size(), 2U);
    EXPECT_EQ(plain->value.entries[0].value, "x\\a");
    EXPECT_THAT(codes_of(plain->report), ElementsAre("xml-duplicate"));
}

TEST(Indexes, MayBeChanges) {
    const auto changes =
        read_index(bytes_of_text("<diff><add sel=\"/index\"><entry name=\"a\" value=\"x\"/></add>"
                                 "<replace sel=\"/index/entry[@name='b']/@value\">y</replace>"
                                 "<remove sel=\"//entry[@name='c']\"/>"
                                 "<add sel=\"/index/entry[3]\"/></diff>"));
    ASSERT_TRUE(changes);
    ASSERT_EQ(changes->value.entries.size(), 3U);
    EXPECT_EQ(changes->value.entries[1].name, "b");
    EXPECT_EQ(changes->value.entries[1].value, "y");
    EXPECT_EQ(changes->value.entries[2].value, "");
    EXPECT_THAT(codes_of(changes->report), ElementsAre("diff-selector"));
}

TEST(Macros, NameComponents) {
    const auto macros = read_macros(
        bytes_of_text("<macros><macro name=\"m\" class=\"ship_s\"><component ref=\"c\"/></macro></macros>"));
    ASSERT_TRUE(macros);
    ASSERT_EQ(macros->value.macros.size(), 1U);
    EXPECT_EQ(macros->value.macros[0].component, "c");
}

}  // namespace
}  // namespace effigy::egosoft
