/// Connections and parts of a component that got other names, or each other's.

#include <gmock/gmock.h>
#include <pugixml.hpp>

#include "egosoft/from_scene_component_files.hpp"

namespace {

using namespace effigy;
using namespace builders;

using Names = std::map<std::string, std::string>;

Scene scene_of(const std::string& connections) {
    const std::string xml =
        "<components><component name=\"ship\" class=\"object\">"
        "<source geometry=\"assets\\props\\ship_data\"/><connections>" +
        connections + "</connections></component></components>";
    const auto raw = std::as_bytes(std::span(xml));
    egosoft::SceneInput input;
    input.components.push_back(
        {{"ship", xml.size(), {}}, egosoft::read_components(Bytes(raw.begin(), raw.end())).value().value});
    return through_glb(builders::convert(std::move(input)).value);
}

void rename(Scene& scene, const Names& names) {
    for (Node& node : scene.nodes) {
        if (const auto found = names.find(node.name); found != names.end()) node.name = found->second;
    }
}

/// The restriction of each connection, which only the XML knows, and its part.
std::string restrictions_of(const Scene& scene) {
    std::string result;
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(made_files(scene, "ship.xml").xml().c_str()));
    for (const pugi::xml_node one : document.document_element().first_child().child("connections")) {
        const std::string part = one.child("parts").child("part").attribute("name").value();
        result += std::string(one.attribute("name").value()) + (part.empty() ? "" : "/" + part) + ":" +
                  one.child("restrictions").child("restriction").attribute("type").value() + " ";
    }
    return result;
}

std::string with_part(const std::string& number, int size) {
    return "<connection name=\"con_" + number + "\" tags=\"part\"><restrictions><restriction type=\"r" + number +
           "\"/></restrictions><parts><part name=\"p" + number + "\"><size><max x=\"" + std::to_string(size) +
           "\" y=\"2\" z=\"3\"/><center x=\"0\" y=\"0\" z=\"0\"/></size></part></parts></connection>";
}

/// At the origin all connections are said to be the same.
class RenamedTogether : public testing::Test {
protected:
    Scene scene_ = scene_of(with_part("a", 1) + with_part("b", 2));
    const Names both_ = {{"con_a", "con_x"}, {"con_b", "con_w"}, {"pa", "px"}, {"pb", "pw"}};
};

TEST_F(RenamedTogether, AreToldByTheirParts) {
    rename(scene_, both_);
    EXPECT_EQ(restrictions_of(scene_), "con_x/px:ra con_w/pw:rb ");
    auto& children = scene_.nodes[find(scene_, "ship")].children;
    std::reverse(children.begin(), children.end());
    EXPECT_EQ(restrictions_of(scene_), "con_x/px:ra con_w/pw:rb ");
}

TEST_F(RenamedTogether, AreNotWhatIsGone) {
    std::erase(scene_.nodes[find(scene_, "ship")].children, find(scene_, "con_a"));
    for (const char* name : {"con_a", "pa"}) {
        Node& node = scene_.nodes[find(scene_, name)];
        node = {};
        node.hidden = true;
    }
    rename(scene_, both_);
    EXPECT_EQ(restrictions_of(scene_), "con_w/pw:rb ");
}

TEST_F(RenamedTogether, MayHaveEachOthersNames) {
    Scene places = scene_;
    rename(places, {{"con_a", "con_b"}, {"con_b", "con_a"}});
    EXPECT_EQ(restrictions_of(places), "con_b/pa:ra con_a/pb:rb ");
    Scene parts = scene_;
    rename(parts, {{"pa", "pb"}, {"pb", "pa"}});
    EXPECT_EQ(restrictions_of(parts), "con_a/pb:ra con_b/pa:rb ");
    Scene all = scene_;
    rename(all, {{"con_a", "con_b"}, {"con_b", "con_a"}, {"pa", "pb"}, {"pb", "pa"}});
    EXPECT_EQ(restrictions_of(all), "con_b/pb:ra con_a/pa:rb ");
}

TEST(Renamed, ToNamesOfOthersStayWhatTheyAre) {
    const auto slot = [](const std::string& number) {
        return "<connection name=\"con_s" + number + "\" tags=\"weapon\"><offset><position x=\"" + number +
               "\" y=\"0\" z=\"0\"/></offset><restrictions><restriction type=\"r" + number +
               "\"/></restrictions></connection>";
    };
    const Scene scene = scene_of(slot("1") + slot("2"));
    EXPECT_EQ(restrictions_of(scene), "con_s1:r1 con_s2:r2 ");
    Scene shifted = scene;
    rename(shifted, {{"con_s1", "con_s2"}, {"con_s2", "con_s3"}});
    EXPECT_EQ(restrictions_of(shifted), "con_s2:r1 con_s3:r2 ");
    Scene swapped = scene;
    rename(swapped, {{"con_s1", "con_s2"}, {"con_s2", "con_s1"}});
    EXPECT_EQ(restrictions_of(swapped), "con_s2:r1 con_s1:r2 ");
}

}  // namespace
