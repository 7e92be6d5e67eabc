/// Connections and parts of a component that got other names, or each other's.

#include <gmock/gmock.h>
#include <pugixml.hpp>

#include "core/json.hpp"
#include "egosoft/from_scene_component_files.hpp"
#include "scene/records.hpp"

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

/// What hangs on the component by name goes on doing so when that is called otherwise.
TEST(RenamedComponent, IsNamedByItsConnections) {
    const Scene scene = scene_of("<connection name=\"con_a\" tags=\"part\" parent=\"Ship\"/>");
    EXPECT_THAT(made_files(scene, "ship.xml").xml(), testing::HasSubstr("parent=\"Ship\""));
    EXPECT_THAT(made_files(scene, "boat.xml").xml(), testing::HasSubstr("parent=\"boat\""));
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

/// Earlier files do not say what the things were called: then the first one that is left is meant.
TEST(Renamed, ThingsWithoutRecordedNamesAreTakenInOrder) {
    const auto twin = [](const std::string& number) {
        return "<connection name=\"con_twin\" tags=\"weapon\"><restrictions><restriction type=\"r" + number +
               "\"/></restrictions></connection>";
    };
    Scene scene = scene_of(twin("1") + twin("2") + twin("3"));
    for (Node& node : scene.nodes) {
        Json record = record_of(node.extras);
        record.erase("name");
        record.erase("repeat");
        set_record(node.extras, record);
    }
    EXPECT_EQ(restrictions_of(scene), "con_twin:r1 con_twin:r2 con_twin:r3 ");
}

TEST_F(RenamedTogether, GiveWayToThoseThatHaveTheName) {
    rename(scene_, {{"con_a", "con_b"}, {"pa", "pb"}});
    EXPECT_EQ(restrictions_of(scene_), "con_b_2/pb_2:ra con_b/pb:rb ");
}

TEST_F(RenamedTogether, KeepTheirNamesWhereTheyAreMoved) {
    Scene scene = scene_of(with_part("a", 1) + with_part("a", 2));
    for (Node& node : scene.nodes) {
        if (node.name == "con_a") node.local.translation.x += 1;
    }
    EXPECT_EQ(restrictions_of(scene), "con_a/pa:ra con_a/pa:ra ");
}

/// As programs do to names that several have, in whatever component.
TEST_F(RenamedTogether, KeepTheirNamesWhereNumbersArePutBehind) {
    rename(scene_, {{"con_a", "con_a.001"}, {"pa", "pa.001"}});
    EXPECT_EQ(restrictions_of(scene_), "con_a/pa:ra con_b/pb:rb ");

    Scene twins = scene_of(with_part("a", 1) + with_part("a", 2));
    for (const char* name : {"con_a", "pa"}) {
        const auto last =
            std::find_if(twins.nodes.rbegin(), twins.nodes.rend(), [&](const Node& node) { return node.name == name; });
        ASSERT_NE(last, twins.nodes.rend());
        last->name += ".001";
    }
    EXPECT_EQ(restrictions_of(twins), "con_a/pa:ra con_a/pa:ra ");
}

/// The first of several that come from one thing is that; none is where another name has been given to it.
TEST_F(RenamedTogether, AreCopiesWhereAnotherIsTheThing) {
    const Index place = find(scene_, "con_b");
    Node copy = scene_.nodes[place];
    copy.name = "con_b.002";
    copy.children.clear();
    copy.parent = no_index;
    scene_.nodes.push_back(std::move(copy));
    add_child(scene_, find(scene_, "ship"), static_cast<Index>(scene_.nodes.size() - 1));
    for (const auto& [name, made] : {std::pair("con_b.001", "con_b/"), {"con_x", "con_x/"}}) {
        scene_.nodes[place].name = name;
        const std::string names = restrictions_of(scene_);
        EXPECT_THAT(names, testing::HasSubstr(made));
        EXPECT_THAT(names, testing::HasSubstr("con_b_002:rb"));
    }
}

TEST(Renamed, PartsKeepWhatBelongsToThemWhereOthersTakeTheirName) {
    egosoft::SceneInput input;
    input.components.push_back(component({connection("con", {}, {part("hull")})}));
    for (const char* name : {"hull-lod0", "hull-collision"}) input.meshes.push_back(mesh(name));
    Scene scene = through_glb(builders::convert(std::move(input)).value);
    rename(scene, {{"hull", "body"}, {"hull-lod0", "body-lod0"}});
    const auto files = [&] {
        std::string names;
        for (const NewFile& file : made_files(scene, "ship.xml").files) names += file.name + " ";
        return names;
    };
    const std::string alone = files();
    EXPECT_NE(alone.find("body-collision"), std::string::npos) << alone;
    Node taker;
    taker.name = "hull";
    taker.mesh = 0;
    scene.nodes.push_back(taker);
    add_child(scene, scene.nodes[find(scene, "con")].parent, static_cast<Index>(scene.nodes.size() - 1));
    const std::string both = files();
    EXPECT_NE(both.find("body-collision"), std::string::npos) << both;
}

TEST(Renamed, WordsThatAreEmptiedGo) {
    Scene scene = scene_of("<connection name=\"con_a\" tags=\"weapon\" group=\"g\" value=\"1\"/>");
    scene.nodes[find(scene, "con_a")].extras.other = R"({"group":"","value":""})";
    const std::string xml = made_files(scene, "ship.xml").xml();
    EXPECT_EQ(xml.find("group="), std::string::npos) << xml;
    EXPECT_EQ(xml.find("value="), std::string::npos) << xml;
}

}  // namespace
