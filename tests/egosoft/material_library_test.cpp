/// Material libraries and the changes that mods make to them.

#include "effigy/material_library.hpp"

#include "egosoft/files.hpp"

namespace effigy::egosoft {
namespace {

using test::bytes_of_text;
using test::code_of;
using test::codes_of;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string base = R"(<?xml version="1.0"?>
<materiallibrary>
  <collection name="ships">
    <material name="Hull" shader="p1.fx" blendmode="NONE">
      <properties>
        <property type="BitMap" name="diffuse_map" value="assets\hull_diff"/>
        <property type="Float" name="diffuseStr" value="1"/>
      </properties>
    </material>
    <material name="glass" shader="glass.fx"/>
  </collection>
  <collection name="props"><material name="glass" shader="p2.fx"/></collection>
  <collection name="empty"/>
</materiallibrary>)";

/// The base with changes on top.
class Changed {
public:
    explicit Changed(const std::string& changes) {
        EXPECT_TRUE(library.add(bytes_of_text(base)));
        auto report = library.add(bytes_of_text("<diff>" + changes + "</diff>"));
        if (!report) ADD_FAILURE() << to_string(report.error());
        if (report) codes = codes_of(*report);
    }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> list;
        for (const LibraryMaterial& material : library.materials())
            list.push_back(material.collection + "." + material.name);
        return list;
    }
    /// "name=value" of each property
    [[nodiscard]] std::vector<std::string> properties(const std::string& material) const {
        std::vector<std::string> list;
        const LibraryMaterial* found = library.find(material);
        if (found == nullptr) return {"missing"};
        for (const MaterialProperty& property : found->properties) list.push_back(property.name + "=" + property.value);
        return list;
    }

    MaterialLibrary library;
    std::vector<std::string> codes;
};

TEST(MaterialLibrary, IsFoundByNameInAnyCase) {
    const Changed same("");
    EXPECT_THAT(same.names(), ElementsAre("ships.Hull", "ships.glass", "props.glass"));
    const LibraryMaterial* hull = same.library.find("SHIPS.hull");
    ASSERT_NE(hull, nullptr);
    EXPECT_EQ(hull->shader, "p1.fx");
    EXPECT_EQ(hull->blendmode, "NONE");
    EXPECT_EQ(hull->properties[0].type, "BitMap");
    EXPECT_EQ(base.substr(hull->place, 9), "<material");
    EXPECT_EQ(same.library.find("ships.hul"), nullptr);
    EXPECT_EQ(same.library.find("hull"), nullptr);
}

TEST(MaterialLibrary, IsAddedTo) {
    const Changed wide(
        "<add sel=\"//materiallibrary\"><collection name=\"new\"><material name=\"a\"/></collection></add>");
    EXPECT_NE(wide.library.find("new.a"), nullptr);
    EXPECT_THAT(wide.codes, IsEmpty());
    const Changed narrow(
        "<add sel=\"/materiallibrary/collection[@name='empty']\"><material name=\"a\"/></add>"
        "<add sel=\"//material[@name='Hull'][@shader=&quot;p1.fx&quot;]/properties\" pos=\"prepend\">"
        "<property name=\"x\" value=\"1\"/></add>"
        "<add sel=\"//property[@name='diffuseStr' and @type='Float']\" pos=\"before\"><property name=\"y\"/></add>"
        "<add sel=\"//property[@name='diffuseStr']\" pos=\"after\"><property name=\"z\"/></add>"
        "<add sel=\"//material[@name='Hull']\" pos=\"after\"><material name=\"b\"/></add>"
        "<add sel=\"//material[@name='Hull']\" type=\"@blendmode\">ALPHA</add>");
    EXPECT_THAT(narrow.names(), ElementsAre("ships.Hull", "ships.glass", "props.glass", "empty.a", "ships.b"));
    EXPECT_THAT(narrow.properties("ships.hull"),
                ElementsAre("x=1", "diffuse_map=assets\\hull_diff", "y=", "diffuseStr=1", "z="));
    EXPECT_EQ(narrow.library.find("ships.hull")->blendmode, "ALPHA");
    EXPECT_THAT(narrow.codes, IsEmpty());
}

TEST(MaterialLibrary, IsReplacedInPlaces) {
    const Changed changed(
        "<replace sel=\"//collection[@name='ships']/material[@name='glass']/@shader\">new.fx</replace>"
        "<replace sel=\"//property[@name='diffuseStr']\"><property name=\"w\" value=\"2\"/></replace>"
        "<replace sel=\"//property[@name='diffuse_map']/@value\">other</replace>"
        "<replace sel=\"//collection[@name='props']/material\"><material name=\"q\"/></replace>");
    EXPECT_EQ(changed.library.find("ships.glass")->shader, "new.fx");
    EXPECT_THAT(changed.properties("ships.hull"), ElementsAre("diffuse_map=other", "w=2"));
    EXPECT_THAT(changed.names(), ElementsAre("ships.Hull", "ships.glass", "props.q"));
    const Changed tinted(
        "<add sel=\"//material[@name='Hull']/properties\"><property type=\"Color\" name=\"tint\" r=\"1\" g=\"2\" "
        "b=\"3\" a=\"4\" value=\"x\"/></add>"
        "<replace sel=\"//property[@name='tint']/@r\">0</replace>"
        "<replace sel=\"//property[@name='tint']/@a\">0.5</replace>"
        "<replace sel=\"//property[@name='tint']/@value\">9</replace>");
    EXPECT_EQ(tinted.properties("ships.hull").back(), "tint=0 2 3 0.5");
    EXPECT_THAT(tinted.codes, ElementsAre("diff-selector"));
    const Changed renamed("<replace sel=\"//material[@name='Hull']/@name\">Skin</replace>");
    EXPECT_NE(renamed.library.find("ships.skin"), nullptr);
    EXPECT_EQ(renamed.library.find("ships.hull"), nullptr);
}

TEST(MaterialLibrary, IsRemovedFrom) {
    EXPECT_THAT(Changed("<remove sel=\"//collection[@name='ships']/material[@name='glass']\"/>").names(),
                ElementsAre("ships.Hull", "props.glass"));
    EXPECT_THAT(Changed("<remove sel=\"//collection[@name='ships']\"/>").names(), ElementsAre("props.glass"));
    EXPECT_THAT(Changed("<remove sel=\"/materiallibrary\"/>").names(), IsEmpty());
    EXPECT_THAT(Changed("<remove sel=\"//property[@name='diffuse_map']\"/>").properties("ships.hull"),
                ElementsAre("diffuseStr=1"));
    EXPECT_THAT(Changed("<remove sel=\"//properties\"/>").properties("ships.hull"), IsEmpty());
    EXPECT_EQ(Changed("<remove sel=\"//material[@name='Hull']/@shader\"/>").library.find("ships.hull")->shader, "");
}

TEST(MaterialLibrary, HasChangesWithConditions) {
    const Changed changed(
        "<remove sel=\"//collection[@name='empty']\" if=\"//material[@name='none']\"/>"
        "<replace sel=\"//material[@name='Hull']/@shader\" if=\"not(//material[@name='none'])\">x.fx</replace>"
        "<remove sel=\"//material[@name='none']\" silent=\"1\"/>");
    EXPECT_THAT(changed.codes, IsEmpty());
    EXPECT_EQ(changed.library.find("ships.hull")->shader, "x.fx");
    EXPECT_THAT(Changed("<remove sel=\"//material[@name='Hull']\" if=\"$x\"/>").codes, ElementsAre("diff-selector"));
}

TEST(MaterialLibrary, SkipsChangesOfSeveral) {
    for (const std::string change :
         {"<remove sel=\"//material[@name='glass']\"/>", "<replace sel=\"//material/@shader\">x</replace>",
          "<add sel=\"//collection\"><material name=\"x\"/></add>", "<remove sel=\"//property\"/>",
          "<add sel=\"//property\" type=\"@value\">2</add>"}) {
        const Changed changed(change);
        EXPECT_THAT(changed.codes, ElementsAre("diff-several")) << change;
        EXPECT_THAT(changed.names(), ElementsAre("ships.Hull", "ships.glass", "props.glass")) << change;
        EXPECT_THAT(changed.properties("ships.hull"), ElementsAre("diffuse_map=assets\\hull_diff", "diffuseStr=1"));
        EXPECT_EQ(changed.library.find("props.glass")->shader, "p2.fx") << change;
    }
}

TEST(MaterialLibrary, SaysWhatIsNotUnderstood) {
    for (const std::string selector :
         {"", "material", "//material[1]", "//material[@name='a' or @name='b']", "//material[contains(@name,'a')]",
          "//material/..", "//*", "//material[@preview='x']", "//@name/x", "//jobs", "//material[@name='a'",
          "//material[@name=a]", "/materiallibrary | //x", "//material//@name"}) {
        const Changed changed("<remove sel=\"" + selector + "\"/>");
        EXPECT_THAT(changed.codes, ElementsAre("diff-selector")) << selector;
        EXPECT_EQ(changed.names().size(), 3U) << selector;
    }
    EXPECT_THAT(Changed("<frobnicate sel=\"//material\"/>").codes, ElementsAre("diff-selector"));
    EXPECT_THAT(Changed("<add sel=\"//material\" pos=\"behind\"/>").codes, ElementsAre("diff-selector"));
    EXPECT_THAT(Changed("<remove sel=\"//material[@name='x']\"/>").codes, ElementsAre("diff-no-match"));
}

TEST(MaterialLibrary, TakesMaterialsOfChangesWithoutTheirBase) {
    const auto file = read_material_library(
        bytes_of_text("<diff><add sel=\"/materiallibrary/collection[@name='base']\"><material name=\"a\"/></add>"
                      "<remove sel=\"//material[@name='x']\"/><remove sel=\"//material[@name='y']\"/></diff>"));
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->value.is_diff);
    ASSERT_EQ(file->value.materials.size(), 1U);
    EXPECT_EQ(file->value.materials[0].collection, "base");
    ASSERT_THAT(codes_of(file->report), ElementsAre("diff-base"));
    EXPECT_EQ(file->report.diagnostics()[0].found, "//material[@name='x'] and 1 more");
}

TEST(MaterialLibrary, ReportsSecondMaterialsOfOneName) {
    const auto file = read_material_library(bytes_of_text(
        "<materiallibrary><collection name=\"a\"><material name=\"b\" shader=\"1\"/><material name=\"B\" shader=\"2\"/>"
        "</collection></materiallibrary>"));
    ASSERT_TRUE(file);
    EXPECT_THAT(codes_of(file->report), ElementsAre("library-duplicate"));
    ASSERT_EQ(file->value.materials.size(), 1U);
    EXPECT_EQ(file->value.materials[0].shader, "2");
}

TEST(MaterialLibrary, FailsWithoutHarm) {
    MaterialLibrary library;
    ASSERT_TRUE(library.add(bytes_of_text(base)));
    EXPECT_EQ(code_of(library.add(bytes_of_text("<materiallibrary>"))), "xml-syntax");
    EXPECT_EQ(code_of(library.add(bytes_of_text("<index/>"))), "not-this-format");
    EXPECT_EQ(library.materials().size(), 3U);
}

std::string large_library(int materials) {
    std::string text = "<materiallibrary><collection name=\"c\">";
    for (int i = 0; i < materials; ++i) text += "<material name=\"m" + std::to_string(i) + "\"/>";
    return text + "</collection></materiallibrary>";
}

TEST(MaterialLibrary, TakesManyChanges) {
    MaterialLibrary library;
    ASSERT_TRUE(library.add(bytes_of_text(large_library(20'000))));
    std::string changes = "<diff>";
    for (int i = 0; i < 5'000; ++i) {
        const std::string number = std::to_string(i);
        changes += "<add sel=\"/materiallibrary/collection[@name='c']\"><material name=\"n" + number + "\"/></add>";
        changes += "<replace sel=\"//material[@name='m" + number + "']/@shader\">s</replace>";
    }
    const auto report = library.add(bytes_of_text(changes + "</diff>"));
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->empty());
    EXPECT_EQ(library.materials().size(), 25'000U);
    EXPECT_EQ(library.find("c.m4999")->shader, "s");
}

TEST(MaterialLibrary, IsLoadedFromTheGameAndItsExtensions) {
    const test::Folder folder;
    folder.write("game/libraries/material_library.xml", base);
    folder.write("game/extensions/one/content.xml", "<content id=\"one\"/>");
    folder.write("game/extensions/one/libraries/material_library.xml",
                 "<diff><replace sel=\"//material[@name='Hull']/@shader\">one.fx</replace></diff>");
    folder.write("game/extensions/two/content.xml", "<content id=\"two\"/>");
    folder.write("game/extensions/two/libraries/Material_Library.xml", "<diff><add sel=\"//materiallibrary\">");
    folder.write("more.xml",
                 "<materiallibrary><collection name=\"m\"><material name=\"m\"/></collection></materiallibrary>");
    const auto files = GameFiles::open({folder / "game"});
    ASSERT_TRUE(files);
    const auto library = load_material_library(files->value, {folder / "more.xml"});
    ASSERT_TRUE(library);
    EXPECT_EQ(library->value.find("ships.hull")->shader, "one.fx");
    EXPECT_NE(library->value.find("m.m"), nullptr);
    EXPECT_THAT(codes_of(library->report), ElementsAre("xml-syntax"));
    EXPECT_EQ(code_of(load_material_library(files->value, {folder / "none.xml"})), "input-open");
}

}  // namespace
}  // namespace effigy::egosoft
