/// A component's XML keeps its bytes where an edit has nothing to do with them.

#include <functional>
#include <gmock/gmock.h>
#include <pugixml.hpp>
#include <random>

#include "core/xml.hpp"
#include "egosoft/from_scene/xml.hpp"
#include "egosoft/from_scene_component_files.hpp"

namespace {

using namespace effigy;
using namespace builders;
using egosoft::bridge::spelled_as_before;

/// The text after changes to the tree.
std::optional<std::string> edited(const std::string& text, const std::function<void(pugi::xml_node root)>& edit) {
    pugi::xml_document document;
    EXPECT_TRUE(document.load_buffer(text.data(), text.size(), pugi::parse_full));
    edit(document.document_element());
    return spelled_as_before(document, text, "  ");
}

struct Edit {
    const char* name;
    const char* before;
    std::function<void(pugi::xml_node root)> edit;
    const char* after;
};

const std::vector<Edit>& edits() {
    static const std::vector<Edit> all{
        {"Value", "<?xml version='1.0'?>\n<a  x='1'\ty = '2' z=\"&#65;\"><!-- > --><b p=\"a>b\"/></a ><!-- end -->\n",
         [](pugi::xml_node root) { root.attribute("y").set_value("<3>"); },
         "<?xml version='1.0'?>\n<a  x='1'\ty = \"&lt;3>\" z=\"&#65;\"><!-- > --><b p=\"a>b\"/></a ><!-- end -->\n"},
        {"AttributeGone", "<a x='1' y='2' z='3' />", [](pugi::xml_node root) { root.remove_attribute("y"); },
         "<a x='1' z='3' />"},
        {"AttributeAdded", "<a x='1'   />", [](pugi::xml_node root) { root.append_attribute("y").set_value("\"&"); },
         "<a x='1' y=\"&quot;&amp;\"   />"},
        {"ElementGone", "<a>\n  <!-- of b -->\n  <b/>\n\n  <c/>\n</a>",
         [](pugi::xml_node root) { root.remove_child("b"); }, "<a>\n  <!-- of b -->\n\n  <c/>\n</a>"},
        {"LastElementGone", "<a>\n  <b/>\n  <c/> <!-- of c -->\n</a>",
         [](pugi::xml_node root) { root.remove_child("c"); }, "<a>\n  <b/> <!-- of c -->\n</a>"},
        {"Appended", "<a>\r\n\t<b name=\"1\"/>\r\n</a>\r\n",
         [](pugi::xml_node root) { root.append_child("b").append_child("c"); },
         "<a>\r\n\t<b name=\"1\"/>\r\n\t<b>\r\n\t  <c />\r\n\t</b>\r\n</a>\r\n"},
        {"Prepended", "<a>\n   <b/>\n</a>", [](pugi::xml_node root) { root.prepend_child("offset"); },
         "<a>\n   <offset />\n   <b/>\n</a>"},
        {"InClosed", "<a>\n <b x='1'/>\n</a>", [](pugi::xml_node root) { root.child("b").append_child("c"); },
         "<a>\n <b x='1'>\n   <c />\n </b>\n</a>"},
        {"InEmpty", "<a>\n <b></b>\n</a>", [](pugi::xml_node root) { root.child("b").append_child("c"); },
         "<a>\n <b>\n   <c />\n </b>\n</a>"},
        {"InEmptyLines", "<a>\n <b>\n </b>\n</a>", [](pugi::xml_node root) { root.child("b").append_child("c"); },
         "<a>\n <b>\n   <c />\n </b>\n</a>"},
        {"InOneLine", "<a><b/></a>", [](pugi::xml_node root) { root.append_child("b"); }, "<a><b/><b/></a>"},
        {"Renamed", "<a>\n<b name='x'  ><i  /></b><b name='y' ><i   /></b></a>",
         [](pugi::xml_node root) { root.child("b").attribute("name").set_value("z"); },
         "<a>\n<b name=\"z\"  ><i  /></b><b name='y' ><i   /></b></a>"},
        {"Names", "<a><!-- x --><b name='x'  /> <b name='y'   /></a>",
         [](pugi::xml_node root) {
             root.child("b").attribute("name").set_value("y");
             root.last_child().attribute("name").set_value("x");
         },
         "<a><!-- x --><b name=\"y\"  /> <b name=\"x\"   /></a>"},
        {"FirstOfTwins", "<a><b name='x'><!-- 1 --></b><b name='x'><!-- 2 --></b></a>",
         [](pugi::xml_node root) { root.remove_child(root.first_child()); }, "<a><b name='x'><!-- 2 --></b></a>"},
        {"Copied", "<a>\n  <b x='1'><c  /></b>\n</a>",
         [](pugi::xml_node root) {
             root.append_copy(root.child("b")).attribute("x").set_value("2");
             root.append_copy(root.child("b"));
         },
         "<a>\n  <b x='1'><c  /></b>\n  <b x=\"2\">\n    <c />\n  </b>\n  <b x=\"1\">\n    <c />\n  </b>\n</a>"},
        {"Elsewhere", "<a><b><c  x='1'/></b><d   /></a>",
         [](pugi::xml_node root) { root.child("d").append_move(root.child("b").child("c")); },
         "<a><b></b><d>\n  <c x=\"1\" />\n</d></a>"},
        {"Mark", "\xef\xbb\xbf<a><![CDATA[<b>]]><b x='1' /></a>",
         [](pugi::xml_node root) { root.child("b").attribute("x").set_value(2); },
         "\xef\xbb\xbf<a><![CDATA[<b>]]><b x=\"2\" /></a>"},
    };
    return all;
}

class ComponentSpelling : public testing::TestWithParam<Edit> {};

TEST_P(ComponentSpelling, StaysButForTheEdit) {
    const std::string before = GetParam().before;
    EXPECT_EQ(edited(before, [](pugi::xml_node) {}), before);
    EXPECT_EQ(edited(before, GetParam().edit), std::string(GetParam().after));
}

INSTANTIATE_TEST_SUITE_P(Edits, ComponentSpelling, testing::ValuesIn(edits()),
                         [](const testing::TestParamInfo<Edit>& one) { return std::string(one.param.name); });

TEST(ComponentSpellingOf, OtherEncodingsIsNotKept) {
    const auto set = [](pugi::xml_node root) { root.attribute("x").set_value("2"); };
    EXPECT_FALSE(edited("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><a x='\xe4'/>", set));
    EXPECT_FALSE(edited("<?xml version=\"1.0\" encoding=\"windows-1252\"?><a x='1'/>", set));
    EXPECT_TRUE(edited("<?xml version=\"1.0\" encoding=\"US-ASCII\"?><a x='1'/>", set));
    EXPECT_FALSE(edited("<?xml version=\"1.0\" encoding=\"US-ASCII\"?><a x='1'/>",
                        [](pugi::xml_node root) { root.attribute("x").set_value("\xc3\xa4"); }));
    EXPECT_FALSE(edited(std::string("<\0a\0 \0x\0=\0'\0001\0'\0/\0>\0", 20), set));
}

/// Some of what an edit does: attributes and elements come, change and go, and elements are copied and moved.
void change(std::mt19937& random, pugi::xml_node root) {
    std::vector<pugi::xml_node> all;
    for (pugi::xml_node node = root; node; node = next_in_document(node)) {
        if (node.type() == pugi::node_element) all.push_back(node);
    }
    const auto any = [&](std::size_t first) { return all[first + random() % (all.size() - first)]; };
    const std::string value = std::to_string(random() % 5) + "\"<'";
    pugi::xml_node node = any(0);
    if (all.size() < 4 || random() % 3 == 0) {
        node.append_child(random() % 2 == 0 ? "b" : "c").append_attribute("name").set_value(value.c_str());
        return;
    }
    node = any(1);
    switch (random() % 5) {
        case 0:
            if (!node.attribute("x")) node.append_attribute("x");
            node.attribute("x").set_value(value.c_str());
            break;
        case 1:
            node.remove_attribute(node.last_attribute());
            break;
        case 2:
            node.parent().remove_child(node);
            break;
        case 3:
            node.parent().append_copy(node);
            break;
        default:
            node.prepend_child("offset");
    }
}

TEST(ComponentSpellingOf, AnyEditSaysTheSame) {
    std::mt19937 random(11);
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n<a><!-- <b> -->\r\n  <b name='1' >\t</b>x&lt;y</a>\r\n";
    for (int round = 0; round < 400; ++round) {
        const auto next = edited(text, [&](pugi::xml_node root) {
            for (unsigned edits = random() % 4; edits-- > 0;) change(random, root);
        });
        ASSERT_TRUE(next) << text;
        text = *next;
    }
}

/// From the game's file to the modder's: the line with the position is the only one that differs, and the mark at the
/// end.
TEST(ComponentSpellingOf, MovedConnectionIsOneLine) {
    const std::string xml =
        "<?xml version='1.0'?>\n<components>\n\t<component name=\"ship\" class='object'>\n\t\t<source "
        "geometry=\"assets\\props\\ship_data\"/>\n\t\t<connections><!-- two -->\n\t\t  <connection name='con_a' >\n"
        "\t\t\t<offset>\n\t\t\t\t<position x='1'  y='2' z='3'/>\n\t\t\t</offset>\n\t\t  </connection>\n"
        "\t\t  <connection name='con_b'/>\n\t\t</connections>\n\t</component>\n</components>\n";
    const auto raw = std::as_bytes(std::span(xml));
    egosoft::SceneInput input;
    input.components.push_back(
        {{"ship", xml.size(), {}}, egosoft::read_components(Bytes(raw.begin(), raw.end())).value().value});
    Scene scene = through_glb(builders::convert(std::move(input)).value);
    EXPECT_EQ(made_files(scene, "ship.xml").xml(), xml);
    scene.nodes[find(scene, "con_a")].local.translation = {-1, 5, 3};
    std::string wanted = xml;
    wanted.replace(wanted.find("y='2'"), 5, "y=\"5\"");
    EXPECT_THAT(made_files(scene, "ship.xml").xml(), testing::StartsWith(wanted + "<!-- effigy "));
}

}  // namespace
