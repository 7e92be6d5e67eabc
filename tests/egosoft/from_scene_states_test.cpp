/// States and ranges of a component whose clips were edited, renamed, added or deleted.

#include <gmock/gmock.h>
#include <pugixml.hpp>

#include "effigy/ani.hpp"

#include "egosoft/from_scene_component_files.hpp"

namespace {

using namespace effigy;
using namespace builders;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

egosoft::SceneInput input_with(const std::string& xml, ani::File file) {
    const auto raw = std::as_bytes(std::span(xml));
    egosoft::SceneInput input;
    input.components.push_back(
        {{"ship", xml.size(), {}}, egosoft::read_components(Bytes(raw.begin(), raw.end())).value().value});
    input.animations.push_back({{"ship_data", 0, {}}, std::move(file)});
    return input;
}

/// Two gates, each on a connection of its own that has these ranges.
std::string xml_of_gates(const std::string& ranges) {
    std::string xml =
        "<components><component name=\"ship\" class=\"object\">"
        "<source geometry=\"assets\\props\\ship_data\"/><connections>";
    for (const std::string name : {"gate_a", "gate_b"})
        xml.append("<connection name=\"con_" + name + "\" tags=\"part animation\"><parts><part name=\"" + name)
            .append("\"/></parts><animations>" + ranges + "</animations></connection>");
    return xml + "</connections></component></components>";
}

/// Up and half way down, a second each.
ani::Animation sway(const std::string& part, const std::string& state) {
    ani::Animation one = animation(part, state, 2);
    for (const auto& [time, height] : {std::pair(0.f, 0.f), {1.f, 4.f}, {2.f, 2.f}})
        one.positions.push_back(key(time, {0, height, 0}));
    return one;
}

Scene gates(const std::string& xml, std::vector<ani::Animation> states) {
    ani::File file = animations(std::move(states));
    file.header.key_offset = static_cast<std::uint32_t>(16 + 160 * file.animations.size());
    return through_glb(builders::convert(input_with(xml, std::move(file))).value);
}

ani::File animations_of(const MadeFiles& made) {
    const std::string& content = made.by_path.at("ship_data.ani");
    const auto raw = std::as_bytes(std::span(content));
    return ani::read(Bytes(raw.begin(), raw.end())).value().value;
}

/// Parts, their states, and how many keys these have.
std::vector<std::string> states_of(const MadeFiles& made) {
    std::vector<std::string> states;
    for (const ani::Animation& one : animations_of(made).animations)
        states.push_back(std::string(ani::part_of(one)) + " " + std::string(ani::state_of(one)) + " " +
                         std::to_string(one.positions.size()));
    return states;
}

Clip& clip_of(Scene& scene, const std::string& name) {
    const auto found =
        std::find_if(scene.clips.begin(), scene.clips.end(), [&](const Clip& clip) { return clip.name == name; });
    if (found == scene.clips.end()) throw std::runtime_error("no clip " + name);
    return *found;
}

void erase_clip(Scene& scene, const std::string& name) {
    std::erase_if(scene.clips, [&](const Clip& clip) { return clip.name == name; });
}

const std::string open_range = R"(<animation name="open" start="1" end="61"/>)";

TEST(ComponentStates, FollowTheNamesOfTheirClips) {
    const std::string xml = xml_of_gates(open_range);
    Scene scene = gates(xml, {sway("gate_a", "open"), sway("gate_b", "open")});
    clip_of(scene, "open").name = "open.001";
    EXPECT_EQ(made_files(scene, "ship.xml").xml(), xml);
    EXPECT_THAT(states_of(made_files(scene, "ship.xml")), ElementsAre("gate_a open 3", "gate_b open 3"));

    clip_of(scene, "open.001").name = "unfold";
    const MadeFiles renamed = made_files(scene, "ship.xml");
    EXPECT_EQ(codes_of(renamed.report, Severity::warning), "");
    EXPECT_THAT(states_of(renamed), ElementsAre("gate_a unfold 3", "gate_b unfold 3"));
    EXPECT_THAT(renamed.xml(), HasSubstr(R"(name="unfold" start="1" end="61")"));
    EXPECT_THAT(renamed.xml(), Not(HasSubstr("\"open\"")));
}

/// Up and down in so many seconds.
ani::Animation lift(const std::string& part, const std::string& state, float seconds) {
    ani::Animation one = animation(part, state, seconds);
    one.positions.push_back(key(0, {0, 0, 0}));
    one.positions.push_back(key(seconds, {0, seconds, 0}));
    return one;
}

TEST(ComponentStates, WithNamesOfOthersHaveRangesAsLongAsTheyAre) {
    const Scene scene = gates(xml_of_gates(R"(<animation name="open" start="0" end="90"/>)"
                                           R"(<animation name="close" start="91" end="121"/>)"),
                              {lift("gate_a", "open", 3), lift("gate_a", "close", 1)});
    Scene one = scene;
    erase_clip(one, "close");
    clip_of(one, "open").name = "close";
    const std::string left = made_files(one, "ship.xml").xml();
    EXPECT_THAT(left.substr(0, left.find("con_gate_b")), HasSubstr(R"(name="close" start="91" end="181")"));
    EXPECT_THAT(left.substr(0, left.find("con_gate_b")), Not(HasSubstr("\"open\"")));

    Scene swapped = scene;
    Clip &open = clip_of(swapped, "open"), &close = clip_of(swapped, "close");
    std::swap(open.name, close.name);
    const std::string both = made_files(swapped, "ship.xml").xml();
    EXPECT_THAT(both.substr(0, both.find("con_gate_b")), HasSubstr(R"(name="open" start="0" end="30")"));
    EXPECT_THAT(both.substr(0, both.find("con_gate_b")), HasSubstr(R"(name="close" start="91" end="181")"));
}

/// Keys are recorded by the names that parts had.
TEST(ComponentStates, StayWithPartsThatExchangeTheirNames) {
    Scene scene = gates(xml_of_gates(open_range), {sway("gate_a", "open"), lift("gate_b", "open", 2)});
    std::swap(scene.nodes[find(scene, "gate_a")].name, scene.nodes[find(scene, "gate_b")].name);
    EXPECT_THAT(states_of(made_files(scene, "ship.xml")), UnorderedElementsAre("gate_b open 3", "gate_a open 2"));
}

/// The ranges of each connection.
std::map<std::string, std::string> ranges_in(const std::string& xml) {
    std::map<std::string, std::string> ranges;
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(xml.c_str()));
    for (const pugi::xml_node one : document.document_element().first_child().child("connections")) {
        std::string& list = ranges[one.attribute("name").value()];
        for (const pugi::xml_node range : one.child("animations"))
            list += std::string(range.attribute("name").value()) + " " + range.attribute("start").value() + "-" +
                    range.attribute("end").value() + ";";
    }
    return ranges;
}

using Ranges = std::map<std::string, std::string>;

/// One opens in two seconds, the other one in three.
Scene uneven_gates() {
    return gates(xml_of_gates(R"(<animation name="open" start="0" end="60"/>)"),
                 {lift("gate_a", "open", 2), lift("gate_b", "open", 3)});
}

TEST(ComponentStates, OfPartsHaveLengthsOfTheirOwn) {
    Scene edited = uneven_gates();
    for (Track& track : clip_of(edited, "open").tracks) {
        if (track.node == find(edited, "gate_b")) track.values.back() += 1;
    }
    EXPECT_EQ(ranges_in(made_files(edited, "ship.xml").xml()).at("con_gate_a"), "open 0-60;");

    Scene alone = uneven_gates();
    Clip& left = clip_of(alone, "open");
    std::erase_if(left.tracks, [&](const Track& track) { return track.node == find(alone, "gate_b"); });
    left.duration = 2;
    EXPECT_EQ(ranges_in(made_files(alone, "ship.xml").xml()).at("con_gate_a"), "open 0-60;");

    Scene shorter = uneven_gates();
    Clip& quick = clip_of(shorter, "open");
    quick.duration = 1.5f;
    for (Track& track : quick.tracks) {
        for (float& time : track.times) time /= 2;
    }
    EXPECT_EQ(ranges_in(made_files(shorter, "ship.xml").xml()).at("con_gate_a"), "open 0-45;") << "as long as the clip";
}

/// It is fitted once, whatever number of parts goes through it.
TEST(ComponentStates, OfPartsOfOneConnectionHaveOneRange) {
    const std::string xml =
        "<components><component name=\"ship\" class=\"object\"><source geometry=\"assets\\props\\ship_data\"/>"
        "<connections><connection name=\"con\" tags=\"part animation\"><parts><part name=\"gate_a\"/>"
        "<part name=\"gate_b\"/></parts><animations><animation name=\"open\" start=\"0\" end=\"90\"/></animations>"
        "</connection></connections></component></components>";
    const Scene scene = gates(xml, {lift("gate_a", "open", 2), lift("gate_b", "open", 3)});
    Scene longer = scene;
    Clip& slow = clip_of(longer, "open");
    slow.duration = 4;
    for (Track& track : slow.tracks) track.times.back() = 4;
    EXPECT_EQ(ranges_in(made_files(longer, "ship.xml").xml()).at("con"), "open 0-120;");

    Scene left = scene;
    Clip& one = clip_of(left, "open");
    std::erase_if(one.tracks, [&](const Track& track) { return track.node == find(left, "gate_b"); });
    one.duration = 2;
    EXPECT_EQ(ranges_in(made_files(left, "ship.xml").xml()).at("con"), "open 0-60;");
}

/// Gate a has a range of its state and one that is cut from it; gate b folds.
Scene different_gates(const std::string& states_of_a) {
    std::string xml = xml_of_gates(R"(<animation name="fold" start="1" end="61"/>)");
    const std::string old = R"(<animation name="fold" start="1" end="61"/>)";
    xml.replace(xml.find(old), old.size(), open_range + R"(<animation name="half" start="1" end="31"/>)");
    return gates(xml, {sway("gate_a", states_of_a), sway("gate_b", "fold")});
}

TEST(ComponentStates, GoWithPartsToOtherConnections) {
    const Ranges moved{{"con_gate_a", ""}, {"con_gate_b", "fold 1-61;open 1-61;half 1-31;"}};
    Scene scene = different_gates("open");
    const Index part = find(scene, "gate_a");
    std::erase(scene.nodes[find(scene, "con_gate_a")].children, part);
    Scene alone = scene;
    add_child(scene, find(scene, "con_gate_b"), part);
    EXPECT_EQ(ranges_in(made_files(scene, "ship.xml").xml()), moved);

    const Index root = find(alone, "ship"), connection = find(alone, "con_gate_a");
    std::erase(alone.nodes[root].children, connection);
    alone.nodes[connection] = {};
    alone.nodes[connection].hidden = true;
    add_child(alone, root, part);
    const Ranges made = ranges_in(made_files(alone, "ship.xml").xml());
    ASSERT_TRUE(made.contains("con_gate_a"));
    EXPECT_EQ(made.at("con_gate_a"), "open 1-61;half 1-31;");
    EXPECT_EQ(made.at("con_gate_b"), "fold 1-61;");
}

/// Modelling programs copy objects, and not what moves them.
TEST(ComponentStates, AreNotThoseOfCopiesThatNothingMoves) {
    Scene scene = different_gates("open");
    std::vector<Index> copies;
    for (const char* name : {"con_gate_a", "gate_a"}) {
        copies.push_back(static_cast<Index>(scene.nodes.size()));
        scene.nodes.push_back(Node(scene.nodes[find(scene, name)]));
        scene.nodes.back().name += ".001";
        scene.nodes.back().children.clear();
    }
    add_child(scene, find(scene, "ship"), copies[0]);
    add_child(scene, copies[0], copies[1]);
    const Ranges expected{{"con_gate_a", "open 1-61;half 1-31;"}, {"con_gate_a_001", ""}, {"con_gate_b", "fold 1-61;"}};
    EXPECT_EQ(ranges_in(made_files(scene, "ship.xml").xml()), expected);
}

TEST(ComponentStates, WithNewNamesGetRangesWhateverTheCaseOfTheirParts) {
    Scene scene = gates(xml_of_gates(""), {sway("GATE_A", "open")});
    clip_of(scene, "open").name = "unfold";
    const MadeFiles made = made_files(scene, "ship.xml");
    EXPECT_THAT(states_of(made), ElementsAre("GATE_A unfold 3"));
    EXPECT_THAT(made.xml(), HasSubstr(R"(name="unfold" start="1" end="61")"));
}

TEST(ComponentStates, MayBeThoseOfOnePartOfSeveral) {
    const std::string xml =
        "<components><component name=\"ship\" class=\"object\"><source geometry=\"assets\\props\\ship_data\"/>"
        "<connections><connection name=\"con\" tags=\"part animation\"><parts><part name=\"gate_a\"/>"
        "<part name=\"gate_b\"/></parts><animations>" +
        open_range + "</animations></connection></connections></component></components>";
    const Scene scene = gates(xml, {sway("gate_b", "open")});
    EXPECT_EQ(made_files(scene, "ship.xml").xml(), xml);
    Scene renamed = scene;
    clip_of(renamed, "open").name = "unfold";
    const std::string unfolding = made_files(renamed, "ship.xml").xml();
    EXPECT_THAT(unfolding, HasSubstr(R"(name="unfold" start="1" end="61")"));
    EXPECT_THAT(unfolding, Not(HasSubstr("\"open\"")));

    // What another part still does keeps its range.
    Scene both = gates(xml, {sway("gate_a", "open"), sway("gate_b", "open")});
    std::erase_if(clip_of(both, "open").tracks, [&](const Track& track) { return track.node == find(both, "gate_a"); });
    EXPECT_THAT(made_files(both, "ship.xml").xml(), HasSubstr(R"(name="open" start="1" end="61")"));
}

TEST(ComponentStates, MayGetTheirNamesInAnotherCase) {
    Scene scene = gates(xml_of_gates(open_range), {sway("gate_a", "open"), sway("gate_b", "open")});
    clip_of(scene, "open").name = "Open";
    const MadeFiles made = made_files(scene, "ship.xml");
    EXPECT_THAT(states_of(made), ElementsAre("gate_a Open 3", "gate_b Open 3"));
    EXPECT_THAT(made.xml(), HasSubstr(R"(name="Open" start="1" end="61")"));
    EXPECT_THAT(made.xml(), Not(HasSubstr("\"open\"")));
}

TEST(ComponentStates, OfCopiedClipsAreNewOnes) {
    Scene scene = gates(xml_of_gates(open_range), {sway("gate_a", "open"), sway("gate_b", "open")});
    Clip copy = clip_of(scene, "open");
    copy.name = "again";
    scene.clips.insert(scene.clips.begin(), copy);
    const MadeFiles made = made_files(scene, "ship.xml");
    EXPECT_EQ(codes_of(made.report, Severity::warning), "");
    EXPECT_THAT(states_of(made), ElementsAre("gate_a open 3", "gate_b open 3", "gate_a again 3", "gate_b again 3"));
    EXPECT_THAT(made.xml(), HasSubstr(R"(name="open" start="1" end="61")"));
    EXPECT_THAT(made.xml(), HasSubstr(R"(name="again" start="62" end="122")"));
}

/// Ranges are cut from a part's only state.
class ComponentRanges : public testing::Test {
protected:
    void expect_states(const MadeFiles& made) const {
        const Scene again = builders::convert(input_with(made.xml(), animations_of(made))).value;
        for (const char* name : {"open", "close", "hold"}) {
            const Clip *const one = find_clip(scene_, name), *const other = find_clip(again, name);
            ASSERT_TRUE(one != nullptr && other != nullptr) << name;
            const Track& wanted = one->tracks.at(0);
            for (const double time : {0.0, 0.3, 1.0})
                EXPECT_EQ(sample(other->tracks.at(0), time), sample(wanted, time)) << name << " at " << time;
        }
    }

    std::string xml_ = xml_of_gates(R"(<animation name="open" start="0" end="30"/>)"
                                    R"(<animation name="close" start="30" end="60"/>)"
                                    R"(<animation name="hold" start="60" end="60"/>)");
    Scene scene_ = gates(xml_, {sway("gate_a", "all")});
};

TEST_F(ComponentRanges, StayWhereNothingIsEdited) {
    const MadeFiles made = made_files(scene_, "ship.xml");
    EXPECT_EQ(made.xml(), xml_);
    EXPECT_THAT(states_of(made), ElementsAre("gate_a all 3"));
}

TEST_F(ComponentRanges, BecomeStatesWhereOneIsEdited) {
    Clip& open = clip_of(scene_, "open");
    open.extras.hash = 0;
    open.tracks.at(0).values.back() += 5;
    const MadeFiles made = made_files(scene_, "ship.xml");
    EXPECT_EQ(made.xml(), xml_);
    EXPECT_THAT(states_of(made), ElementsAre("gate_a all 3", "gate_a open 2", "gate_a close 2", "gate_a hold 1"));
    expect_states(made);
}

TEST_F(ComponentRanges, BecomeStatesWhereTheirStateIsNotTheOnlyOne) {
    Scene more = scene_;
    Clip& wave = more.clips.emplace_back(clip_of(more, "all"));
    wave.name = "wave";
    wave.extras = {};
    EXPECT_THAT(states_of(made_files(more, "ship.xml")),
                ElementsAre("gate_a all 3", "gate_a wave 3", "gate_a open 2", "gate_a close 2", "gate_a hold 1"));
    expect_states(made_files(more, "ship.xml"));

    Scene without = scene_;
    erase_clip(without, "all");
    EXPECT_THAT(states_of(made_files(without, "ship.xml")),
                ElementsAre("gate_a open 2", "gate_a close 2", "gate_a hold 1"));
    expect_states(made_files(without, "ship.xml"));
}

TEST_F(ComponentRanges, GoWithTheirClips) {
    erase_clip(scene_, "close");
    const MadeFiles made = made_files(scene_, "ship.xml");
    EXPECT_THAT(states_of(made), ElementsAre("gate_a all 3"));
    // The other gate never moved; its ranges are not what was deleted.
    EXPECT_EQ(made.xml().find("\"close\""), made.xml().rfind("\"close\""));
    EXPECT_GT(made.xml().find("\"close\""), made.xml().find("con_gate_b"));
}

TEST(ComponentStates, WithoutKeysGiveWayToThoseWithKeys) {
    const std::string xml = xml_of_gates(open_range);
    Scene scene = gates(xml, {animation("GATE_A", "open", 2), sway("gate_b", "open")});
    Clip& open = clip_of(scene, "open");
    ASSERT_EQ(open.tracks.size(), 1u);
    Track track = open.tracks[0];
    track.node = find(scene, "gate_a");
    open.tracks.push_back(track);
    const MadeFiles made = made_files(scene, "ship.xml");
    EXPECT_EQ(codes_of(made.report, Severity::warning), "");
    EXPECT_THAT(states_of(made), ElementsAre("gate_a open 3", "gate_b open 3"));
    EXPECT_EQ(made.xml(), xml);
}

/// No clip is made of such states, which are of their parts all the same.
TEST(ComponentStates, WithoutKeysGoWithTheirParts) {
    const Scene scene = gates(xml_of_gates(open_range), {animation("gate_a", "open", 0), sway("gate_b", "open")});
    Scene renamed = scene;
    renamed.nodes[find(renamed, "gate_a")].name = "door";
    const MadeFiles made = made_files(renamed, "ship.xml");
    EXPECT_THAT(states_of(made), ElementsAre("door open 0", "gate_b open 3"));
    EXPECT_NE(made.xml().find("\"open\""), made.xml().rfind("\"open\""));

    Scene swapped = scene;
    std::swap(swapped.nodes[find(swapped, "gate_a")].name, swapped.nodes[find(swapped, "gate_b")].name);
    EXPECT_THAT(states_of(made_files(swapped, "ship.xml")), UnorderedElementsAre("gate_b open 0", "gate_a open 3"));

    Scene deleted = scene;
    std::erase(deleted.nodes[find(deleted, "ship")].children, find(deleted, "con_gate_a"));
    for (const char* name : {"con_gate_a", "gate_a"}) {
        Node& node = deleted.nodes[find(deleted, name)];
        node = {};
        node.hidden = true;
    }
    EXPECT_THAT(states_of(made_files(deleted, "ship.xml")), ElementsAre("gate_b open 3"));
}

std::string with_door(std::string xml) {
    const std::string gate = "\"gate_a\"";
    return xml.replace(xml.find(gate), gate.size(), "\"door\"");
}

TEST(ComponentStates, KeepTheirKeysWhereTheirPartsAreRenamed) {
    ani::Animation opening = sway("gate_a", "open");
    opening.pre_scales.push_back(key(0, {1, 1, 1}));
    const std::string xml = xml_of_gates(open_range);
    Scene scene = gates(xml, {std::move(opening), sway("gate_b", "open")});
    scene.nodes[find(scene, "gate_a")].name = "door";
    const MadeFiles made = made_files(scene, "ship.xml");
    EXPECT_EQ(codes_of(made.report, Severity::warning), "");
    EXPECT_THAT(made.xml(), testing::StartsWith(with_door(xml) + "\n<!-- effigy "));
    EXPECT_THAT(states_of(made), ElementsAre("door open 3", "gate_b open 3"));
    EXPECT_EQ(animations_of(made).animations.at(0).pre_scales.size(), 1u);

    std::swap(scene.nodes[find(scene, "door")].name, scene.nodes[find(scene, "gate_b")].name);
    const ani::File swapped = animations_of(made_files(scene, "ship.xml"));
    EXPECT_EQ(ani::part_of(swapped.animations.at(0)), "gate_b");
    EXPECT_EQ(swapped.animations.at(0).pre_scales.size(), 1u);
    EXPECT_EQ(ani::part_of(swapped.animations.at(1)), "door");
}

TEST_F(ComponentRanges, StayWhereTheirPartIsRenamed) {
    scene_.nodes[find(scene_, "gate_a")].name = "door";
    const MadeFiles made = made_files(scene_, "ship.xml");
    EXPECT_THAT(made.xml(), testing::StartsWith(with_door(xml_) + "\n<!-- effigy "));
    EXPECT_THAT(states_of(made), ElementsAre("door all 3"));
}

std::size_t count_of_ranges(const std::string& xml) {
    std::size_t count = 0;
    for (std::size_t at = xml.find("<animation "); at != std::string::npos; at = xml.find("<animation ", at + 1))
        ++count;
    return count;
}

TEST(ComponentStates, OfDeletedClipsLeaveNoRanges) {
    const std::string xml = xml_of_gates(open_range);
    const std::vector<ani::Animation> states{animation("gate_a", "open", 2), sway("gate_b", "open")};
    Scene scene = gates(xml, states);
    // As some programs leave clips: without what is known of them.
    Scene unknown = scene;
    for (Clip& clip : unknown.clips) clip.extras = {};
    EXPECT_EQ(made_files(unknown, "ship.xml").xml(), xml);

    scene.clips.clear();
    const MadeFiles made = made_files(scene, "ship.xml");
    EXPECT_THAT(states_of(made), ElementsAre("gate_a open 0"));
    EXPECT_EQ(count_of_ranges(made.xml()), 1u);
    EXPECT_LT(made.xml().find("<animation "), made.xml().find("con_gate_b"));

    // A part that a clip no longer moves has not got its state any more, either.
    Scene still = gates(xml, {sway("gate_a", "open"), sway("gate_b", "open")});
    std::erase_if(clip_of(still, "open").tracks,
                  [&](const Track& track) { return track.node == find(still, "gate_a"); });
    const MadeFiles one = made_files(still, "ship.xml");
    EXPECT_THAT(states_of(one), ElementsAre("gate_b open 3"));
    EXPECT_EQ(count_of_ranges(one.xml()), 1u);
    EXPECT_GT(one.xml().find("<animation "), one.xml().find("con_gate_b"));
}

TEST(ComponentStates, ThatWereNeverThereKeepTheirRanges) {
    const std::string closing = R"(<animation name="close" start="62" end="122"/>)";
    const std::string xml = xml_of_gates(open_range + closing);
    Scene scene = gates(
        xml, {sway("gate_a", "open"), sway("gate_a", "turn"), sway("gate_a", "spin"), animation("gate_b", "still")});
    EXPECT_EQ(made_files(scene, "ship.xml").xml(), xml);
    // One is deleted, and three ranges have no state: which of them had one is not known.
    erase_clip(scene, "turn");
    EXPECT_EQ(count_of_ranges(made_files(scene, "ship.xml").xml()), 4u);
}

/// Keys without a time move nothing, so that no range can be cut from them.
TEST(ComponentStates, WithDamagedKeysKeepTheirRanges) {
    const std::string xml = xml_of_gates(open_range);
    ani::Animation damaged = animation("gate_a", "all", 2);
    damaged.positions.push_back(key(NAN, {0, 0, 0}));
    Scene scene = gates(xml, {std::move(damaged), sway("gate_b", "open")});
    EXPECT_EQ(made_files(scene, "ship.xml").xml(), xml);
    for (Clip& clip : scene.clips) clip.extras.hash = 0;
    EXPECT_EQ(made_files(scene, "ship.xml").xml(), xml);
}

TEST(ComponentStates, OfOuterScalesAloneGetNoRanges) {
    ani::Animation outer = animation("gate_a", "all", 2);
    outer.pre_scales.push_back(key(0, {2, 2, 2}));
    const std::string xml = xml_of_gates(open_range);
    EXPECT_EQ(made_files(gates(xml, {std::move(outer), sway("gate_b", "open")}), "ship.xml").xml(), xml);
}

TEST(ComponentStates, OfManyPartsWithManyRangesAreCounted) {
    std::string xml = "<components><component name=\"ship\" class=\"object\"><connections><connection name=\"con\">";
    xml += "<parts><part name=\"gate_a\"/>";
    for (int i = 0; i < 300; ++i) xml += "<part name=\"p" + std::to_string(i) + "\"/>";
    xml += "</parts><animations>";
    for (int i = 0; i < 1000; ++i) xml += "<animation name=\"s" + std::to_string(i) + "\" start=\"1\" end=\"2\"/>";
    xml += "</animations></connection></connections></component></components>";
    const Scene scene = gates(xml, {sway("gate_a", "open"), sway("gate_a", "close")});
    ConversionContext options;
    options.limits.memory = std::uint64_t{64} << 20;
    const auto made = make_files(scene, "ship.xml", options);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, "limit-memory") << to_string(made.error());
}

}  // namespace
