// Dumps that people edit: what is meant is built, what is wrong is named.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "effigy/xac.hpp"
#include "effigy/xsm.hpp"

#include "fixtures.hpp"
#include "support.hpp"

namespace effigy::test {
namespace {

using Json = nlohmann::ordered_json;

Json dump_of(const Bytes& bytes, bool expand = false) {
    const auto loaded = open_bytes(bytes, "fixture");
    EXPECT_TRUE(loaded) << to_string(loaded.error());
    return Json::parse(loaded->value.dump({expand}).value());
}

/// The node at the end of `names`, which may leave out what stands behind a blank.
Json& at(Json& dump, const std::vector<std::string_view>& names) {
    Json* list = &dump["value"];
    Json* node = nullptr;
    for (const std::string_view name : names) {
        node = nullptr;
        for (Json& candidate : *list) {
            const std::string& full = candidate["name"].get_ref<const std::string&>();
            if (full == name || full.substr(0, full.find(' ')) == name) node = &candidate;
        }
        if (node == nullptr) throw std::runtime_error("no node " + std::string(name));
        list = &(*node)["value"];
    }
    return *node;
}

Result<Document> build_from(const Json& dump, bool normalize = false) { return build(dump.dump(), normalize); }

std::string refusal(const Json& dump, bool normalize = false) {
    const auto built = build_from(dump, normalize);
    return built ? "" : built.error().code;
}

void remove_named(Json& list, std::string_view name) {
    for (std::size_t index = 0; index < list.size(); ++index) {
        if (list[index]["name"] == name) return list.erase(index);
    }
    FAIL() << "no node " << name;
}

TEST(Build, ChangedValues) {
    Json dump = dump_of(whole_actor(true));
    at(dump, {"chunk[1]", "node[0]", "name"})["value"] = "pelvis and more";
    at(dump, {"chunk[1]", "node[0]", "position"})["value"] = {1.5, -2, 1e-40};
    at(dump, {"header", "multiplication_order"})["value"] = 0;
    const auto built = build_from(dump, true);
    ASSERT_TRUE(built) << to_string(built.error());
    const auto written = built->write();
    ASSERT_TRUE(written);
    const auto again = xac::read(*written);
    ASSERT_TRUE(again);
    EXPECT_EQ(findings(again->report), "");
    const auto& node = *xac::nodes(again->value).at(0);
    EXPECT_EQ(node.name, "pelvis and more");
    EXPECT_EQ(node.position, (Vec3{1.5f, -2, 1e-40f}));
    EXPECT_EQ(again->value.header.multiplication_order, 0);
    EXPECT_TRUE(again->value.header.big_endian());
}

TEST(Build, ExpandedBlocksCanBeEdited) {
    Json dump = dump_of(whole_actor(true), true);
    Json& positions = at(dump, {"chunk[6]", "layer[0]", "data"})["value"];
    ASSERT_EQ(positions[1], Json::parse("[1.0, 0.0, 0.0]"));
    positions[1] = {4, 5, 6};
    const auto built = build_from(dump);
    ASSERT_TRUE(built) << to_string(built.error());
    const auto& mesh = std::get<xac::Mesh>(built->get_if<xac::File>()->chunks[6].record);
    EXPECT_EQ(mesh.layers[0].as<Vec3>()[1], (Vec3{4, 5, 6}));
}

/// A node more, with its count only corrected by --normalize.
TEST(Build, AddedRecords) {
    Json dump = dump_of(whole_actor(false));
    Json& nodes = at(dump, {"chunk[1]"})["value"];
    Json added = at(dump, {"chunk[1]", "node[2]"});
    added["name"] = "node[3]";
    nodes.push_back(added);
    EXPECT_EQ(refusal(dump), "build-count");
    const auto built = build_from(dump, true);
    ASSERT_TRUE(built) << to_string(built.error());
    EXPECT_EQ(xac::nodes(*built->get_if<xac::File>()).size(), 4u);
    const auto again = xac::read(built->write().value());
    ASSERT_TRUE(again);
    EXPECT_EQ(findings(again->report), "");
    EXPECT_EQ(again->value.chunks.size(), 11u);

    at(dump, {"chunk[1]", "node_count"})["value"] = 4;
    EXPECT_EQ(refusal(dump), "");
}

TEST(Build, RemovedRecords) {
    Json dump = dump_of(whole_motion(false));
    remove_named(at(dump, {"chunk[1]"})["value"], "submotion[0]");
    EXPECT_EQ(refusal(dump), "build-count");
    const auto built = build_from(dump, true);
    ASSERT_TRUE(built) << to_string(built.error());
    const auto& list = std::get<xsm::PackedSubmotions>(built->get_if<xsm::File>()->chunks[1].record);
    ASSERT_EQ(list.submotions.size(), 1u);
    EXPECT_EQ(list.submotions[0].node_name, umlaut_name);
    EXPECT_FALSE(built->get_if<xsm::File>()->chunks[1].size);
}

TEST(Build, AddedAndRemovedKeysInExpandedBlocks) {
    Json dump = dump_of(whole_motion(false), true);
    Json& keys = at(dump, {"chunk[1]", "submotion[0]", "position_keys"})["value"];
    keys.push_back(Json::parse("[[0, 3, 0], 2.5]"));
    EXPECT_EQ(refusal(dump), "build-count");
    const auto built = build_from(dump, true);
    ASSERT_TRUE(built) << to_string(built.error());
    EXPECT_EQ(xsm::duration(*built->get_if<xsm::File>()), 2.5f);
}

TEST(Build, AddedAndRemovedChunks) {
    Json dump = dump_of(whole_actor(false));
    remove_named(dump["value"], "chunk[8] node_groups");
    dump["value"].push_back(at(dump, {"chunk[2]"}));
    const auto built = build_from(dump);
    ASSERT_TRUE(built) << to_string(built.error());
    const auto& file = *built->get_if<xac::File>();
    ASSERT_EQ(file.chunks.size(), 11u);
    EXPECT_EQ(file.chunks.back().id, 13u);
}

TEST(Build, MissingFields) {
    for (const char* field : {"id", "size", "version"}) {
        Json dump = dump_of(whole_actor(false));
        remove_named(at(dump, {"chunk[1]"})["value"], field);
        EXPECT_EQ(refusal(dump), "build-missing") << field;
    }
    Json dump = dump_of(whole_actor(false));
    remove_named(at(dump, {"chunk[1]", "node[1]"})["value"], "flags");
    const auto built = build_from(dump);
    ASSERT_FALSE(built);
    EXPECT_EQ(built.error().code, "build-missing");
    EXPECT_EQ(built.error().path, "chunk[1] / node[1] / flags");
    EXPECT_EQ(built.error().found, "padding");
    EXPECT_EQ(built.error().expected, "flags");

    dump = dump_of(whole_actor(false));
    remove_named(dump["value"], "header");
    EXPECT_EQ(refusal(dump), "build-missing");
    dump["value"] = Json::array();
    EXPECT_EQ(refusal(dump), "build-missing");

    dump = dump_of(whole_actor(false));
    at(dump, {"chunk[1]", "node[1]", "flags"}).erase("value");
    EXPECT_EQ(refusal(dump), "build-value");
}

TEST(Build, UnexpectedFields) {
    const Json extra = Json::parse(R"({"name": "surprise", "type": "u32", "value": 1})");
    for (const bool normalize : {false, true}) {
        Json dump = dump_of(whole_actor(false));
        at(dump, {"chunk[1]"})["value"].push_back(extra);
        EXPECT_EQ(refusal(dump, normalize), "build-unexpected");
        dump = dump_of(whole_actor(false));
        dump["value"].push_back(extra);
        EXPECT_EQ(refusal(dump, normalize), "build-unexpected");
        dump = dump_of(whole_actor(false));
        dump["value"].push_back(1);
        EXPECT_EQ(refusal(dump, normalize), "build-unexpected");
    }
}

TEST(Build, WrongValues) {
    struct Case {
        std::vector<std::string_view> path;
        std::vector<const char*> values;
    };
    const Case cases[]{
        {{"header", "magic"}, {"\"XAC\"", "\"XAC  \"", "7", "null"}},
        {{"header", "endian"}, {"256", "-1", "1.5", "\"1\"", "null", "[1]", "{}"}},
        {{"chunk[1]", "id"}, {"4294967296", "-1", "1e300", "18446744073709551616", "true"}},
        {{"chunk[1]", "root_count"}, {"18446744073709551615", "9223372036854775808", "-9223372036854775808"}},
        {{"chunk[1]", "node[0]", "position"},
         {"[1, 2]", "[1, 2, 3, 4]", "7", "[1, 2, \"3\"]", "[1e39, 0, 0]", "[[1], 2, 3]"}},
        {{"chunk[1]", "node[0]", "importance"},
         {"{}", "{\"bits\": 1}", "{\"bits\": \"0x1\"}", "{\"bits\": \"0xzzzzzzzz\"}", "{\"bits\": \"0x0000000-\"}",
          "\"1\""}},
        {{"chunk[1]", "node[0]", "padding"}, {"[1, 2]", "[1, 2, 256]", "\"AAAA\""}},
        {{"chunk[1]", "node[0]", "name"}, {"7", "{\"bytes\": 7}", "{\"bytes\": \"A\"}", "{\"bytes\": \"A===\"}", "[]"}},
        {{"chunk[4]", "submesh[0]", "indices"}, {"\"AAAA\"", "\"!!!!\"", "[0, 1]", "[0, 1, -1]", "7", "{}"}},
    };
    for (const Case& tested : cases) {
        for (const char* value : tested.values) {
            SCOPED_TRACE(std::string(tested.path.back()) + " = " + value);
            Json dump = dump_of(whole_actor(false));
            at(dump, tested.path)["value"] = Json::parse(value);
            const std::string code = refusal(dump);
            EXPECT_TRUE(code == "build-value" || code == "build-count") << code;
        }
    }
}

TEST(Build, KindsMustAgreeWithIdAndVersion) {
    Json dump = dump_of(whole_actor(false));
    at(dump, {"chunk[1]", "id"})["value"] = 13;
    EXPECT_EQ(refusal(dump), "build-kind");
    dump = dump_of(whole_actor(false));
    at(dump, {"chunk[1]", "version"})["value"] = 9;
    EXPECT_EQ(refusal(dump), "build-kind");
    dump = dump_of(whole_actor(false));
    at(dump, {"chunk[1]"})["name"] = "chunk[1] mesh";
    EXPECT_EQ(refusal(dump), "build-kind");
    dump = dump_of(whole_actor(false));
    at(dump, {"header"})["value"][0]["value"] = "XSM ";
    EXPECT_EQ(refusal(dump), "build-value");
}

TEST(Build, WrongDocuments) {
    const std::string nothing[]{"",
                                " ",
                                "{",
                                "[]",
                                "7",
                                "null",
                                "\"x\"",
                                "{}",
                                "{\"effigy_dump\": 1}",
                                "{\"effigy_dump\": 2, \"format\": \"xac\", \"value\": []}",
                                "{\"effigy_dump\": [[]], \"format\": \"xac\", \"value\": []}",
                                "{\"effigy_dump\": 1, \"format\": \"obj\", \"value\": []}",
                                "{\"effigy_dump\": 1, \"format\": 7, \"value\": []}",
                                "{\"effigy_dump\": 1, \"format\": \"xac\", \"value\": {}}",
                                "\xff\xfe",
                                std::string("{\"effigy_dump\": 1}\0", 18)};
    for (const std::string& text : nothing) {
        const auto built = build(text);
        ASSERT_FALSE(built) << text;
        EXPECT_EQ(built.error().code, "build-json") << text;
    }
}

TEST(Build, SaysWhereTextIsNoJson) { EXPECT_EQ(build("{\"effigy_dump\": 1, oops}").error().offset, 19u); }

std::string repeated(std::string_view text, int count) {
    std::string all;
    for (int time = 0; time < count; ++time) all += text;
    return all;
}

TEST(Build, DeepNestingIsRefused) {
    constexpr int depth = 200'000;
    const std::string list = repeated("[", depth) + repeated("]", depth);
    const std::string object = repeated("{\"value\":", depth) + "1" + repeated("}", depth);
    const std::string head = "{\"effigy_dump\": 1, \"format\": \"xac\", \"value\": ";
    for (const std::string& deep : {list, object, repeated("[", depth)}) {
        EXPECT_FALSE(build(deep));
        EXPECT_FALSE(build(head + deep + "}"));
        EXPECT_FALSE(build("{\"format\": \"xac\", \"value\": [], \"effigy_dump\": " + deep + "}"));
        EXPECT_FALSE(build(head + R"([{"name": "header", "value": [{"name": "magic", "value": )" + deep + "}]}]}"));
    }
    std::string records = head;
    for (int level = 0; level < 100; ++level) records += R"([{"name": "header", "value": )";
    EXPECT_FALSE(build(records + "[]" + repeated("}]", 100) + "}"));
}

/// Objects are searched member by member; an object of very many must not take the square of their number.
TEST(Build, ObjectsOfManyMembersAreRefused) {
    std::string text = "{";
    for (int member = 0; member < 300'000; ++member) text += "\"" + std::to_string(member) + "\":0,";
    EXPECT_EQ(build(text + "\"x\": 0}").error().code, "build-json");
}

TEST(Build, StatedSizesClaimNoMemory) {
    Json dump = dump_of(whole_actor(false), true);
    at(dump, {"chunk[4]", "layer[0]", "data"})["size"] = 0x7fffffffffffffff;
    at(dump, {"chunk[4]", "layer[1]", "data"})["size"] = "huge";
    EXPECT_EQ(refusal(dump), "");
    for (const char* count : {"vertex_count", "index_count"}) {
        dump = dump_of(whole_actor(false));
        at(dump, {"chunk[4]", count})["value"] = 0xffffffff;
        const auto built = build_from(dump);
        if (built) (void)built->write();
    }
}

TEST(Build, ContradictionsAreFoundWhenWriting) {
    Json dump = dump_of(whole_actor(false));
    at(dump, {"chunk[4]", "vertex_count"})["value"] = 4;
    const auto built = build_from(dump);
    ASSERT_TRUE(built) << to_string(built.error());
    EXPECT_EQ(built->write().error().code, "write-contradiction");
}

TEST(Build, MemoryLimit) {
    Limits limits;
    limits.memory = 100;
    const auto built = build(dump_of(whole_actor(false)).dump(), false, limits);
    ASSERT_FALSE(built);
    EXPECT_EQ(built.error().code, "limit-memory");
}

/// Every node of a dump, damaged in turn.
void damage_each(Json& dump, Json& list, int& cases) {
    for (Json& node : list) {
        const Json whole = node;
        for (const char* wrong : {"null", "-1", "1e999", "\"\"", "[]", "{}", "4294967295", "[[[]]]"}) {
            node["value"] = Json::parse(wrong, nullptr, false);
            for (const bool normalize : {false, true}) {
                const auto built = build_from(dump, normalize);
                if (built) (void)built->write();
            }
            ++cases;
        }
        node = 7;
        EXPECT_NE(refusal(dump), "");
        node = whole;
        if (node["type"] == "record") damage_each(dump, node["value"], cases);
    }
}

TEST(Build, EveryNodeDamaged) {
    int cases = 0;
    for (const Bytes& bytes : {whole_motion(true), whole_weights(false)}) {
        Json dump = dump_of(bytes);
        damage_each(dump, dump["value"], cases);
    }
    EXPECT_GT(cases, 500);
}

}  // namespace
}  // namespace effigy::test
