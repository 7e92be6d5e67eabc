/// Records in extras: bulk data beside the text, in memory and in glTF, and hashes that say who has edited what.

#include "scene/records.hpp"

#include <gtest/gtest.h>
#include <limits>

#include "effigy/gltf.hpp"
#include "effigy/hashes.hpp"

namespace effigy {
namespace {

Json bulk_of(std::size_t size, int seed) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(static_cast<int>(i) * 7 + seed);
    return json_bytes(bytes);
}

TEST(Records, KeepBulkBesideTheText) {
    const Json record{{"small", bulk_of(24, 1)}, {"large", bulk_of(1000, 2)}, {"list", {1, bulk_of(25, 3)}}};
    Extras extras;
    set_record(extras, record);
    EXPECT_EQ(extras.bulk.size(), 1025u);
    EXPECT_LT(extras.json.size(), 150u);
    EXPECT_EQ(record_of(extras), record);
    EXPECT_EQ(bytes_at(record_of(extras), "large"), bytes_at(record, "large"));
    EXPECT_EQ(bytes_at(record_of(extras), "small"), bytes_at(record, "small"));
}

TEST(Records, WhoseBulkIsGoneKeepTheirText) {
    Extras extras;
    set_record(extras, Json{{"flags", 3}, {"layer", bulk_of(100, 1)}});
    extras.bulk.clear();
    const Json record = record_of(extras);
    EXPECT_EQ(record["flags"], 3);
    EXPECT_FALSE(bytes_at(record, "layer"));
}

TEST(Records, AreNotTrusted) {
    Extras extras;
    extras.bulk.resize(100);
    extras.json =
        R"({"a":{"bulk":[50,51]},"b":{"bulk":[101,0]},"c":{"bulk":[18446744073709551615,2]},"d":{"bulk":[-1,2]},)"
        R"("e":{"bulk":[0,60]},"f":{"bulk":[0,60]},"g":{"bulk":[0,1],"h":1}})";
    const Json record = record_of(extras);
    for (const char* const name : {"a", "b", "c", "d", "f", "g"}) EXPECT_FALSE(bytes_at(record, name)) << name;
    EXPECT_EQ(bytes_at(record, "e").value().size(), 60u);
}

TEST(Records, HaveTablesThatComeBackAsTheyWere) {
    Json rows = Json::array();
    for (int i = 0; i < 6; ++i) {
        const float odd = i == 3 ? std::numeric_limits<float>::quiet_NaN() : -0.1f * static_cast<float>(i);
        rows.push_back({{"name", "row" + std::to_string(i)},
                        {"count", static_cast<unsigned>(i) * 800000000u},
                        {"signed", -i},
                        {"low", {-2147483648, 2147483647}},
                        {"place", {json_number(odd), json_number(1e-42f), json_number(-0.0f)}},
                        {"exact", 0.1 + i},
                        {"mixed", i % 2 == 0 ? Json(i) : Json(0.5)},
                        {"none", Json::array()}});
        if (i % 3 == 1) rows.back()["sometimes"] = 0.5f * static_cast<float>(i);
        if (i % 3 == 2) rows.back()["odd"] = {{"inner", i}};
    }
    const Json record{
        {"rows", rows}, {"few", {{{"a", 1}}, {{"a", 2}}}}, {"other", {{{"a", 1}}, {{"b", 2}}, {{"a", 3}}, 4}}};
    Extras extras;
    set_record_with_tables(extras, record);
    EXPECT_NE(extras.json.find("\"table\""), std::string::npos);
    EXPECT_EQ(to_text(record_of(extras)), to_text(record));
}

TEST(Records, WithDamagedTablesAreSafe) {
    Json rows = Json::array();
    for (unsigned i = 0; i < 8; ++i) rows.push_back({{"name", "x"}, {"number", i}, {"place", {0.5, 1.5}}});
    for (unsigned i = 1; i < 8; i += 3) rows[i]["rare"] = -1;
    Extras whole;
    set_record_with_tables(whole, Json{{"rows", rows}});
    for (std::size_t i = 0; i < whole.json.size(); ++i) {
        for (const char letter : {'0', '9', '"', '}', '['}) {
            Extras extras = whole;
            extras.json[i] = letter;
            EXPECT_TRUE(record_of(extras).is_object());
        }
    }
}

Scene with_records() {
    Scene scene;
    Node& node = scene.nodes.emplace_back();
    node.name = "body";
    node.mesh = 0;
    set_record(node.extras, Json{{"index", 1}});
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.vertex_count = 3;
    Attribute& positions = mesh.attributes.emplace_back();
    positions.data.element = ElementType::vec3;
    positions.data.bytes.resize(3 * sizeof(Vec3));
    positions.data.as<Vec3>()[0] = {1, 0, 0};
    positions.data.as<Vec3>()[1] = {0, 1, 0};
    positions.data.as<Vec3>()[2] = {0, 0, 1};
    mesh.primitives = {{0, 3, {0, 1, 2}, no_index}};
    set_record(mesh.extras, Json{{"layer", bulk_of(100, 1)}});
    set_record(scene.asset_extras, Json{{"version", 1}, {"trailing", bulk_of(50, 2)}});
    set_hashes(scene);
    return scene;
}

Loaded<Scene> again(const Bytes& glb) {
    const auto file = gltf::read(glb);
    EXPECT_TRUE(file);
    auto scene = gltf::to_scene(file->value);
    EXPECT_TRUE(scene) << to_string(scene.error());
    return std::move(*scene);
}

TEST(Records, KeepTheirBulkInGltf) {
    const Scene scene = with_records();
    const Scene read = again(*gltf::write_glb(scene)).value;
    EXPECT_EQ(record_of(read.meshes[0].extras), record_of(scene.meshes[0].extras));
    const Json asset = record_of(read.asset_extras);
    EXPECT_EQ(asset["version"], 1);
    EXPECT_EQ(bytes_at(asset, "trailing"), bytes_at(record_of(scene.asset_extras), "trailing"));
    EXPECT_EQ(read.meshes[0].extras.hash, scene.meshes[0].extras.hash);
    EXPECT_TRUE(Untouched(read)(read.meshes[0]));
    EXPECT_TRUE(*gltf::write_glb(read) == *gltf::write_glb(scene));
}

TEST(Records, CanBeLeftOutOfGltf) {
    gltf::WriteOptions options;
    options.records = false;
    const Scene read = again(*gltf::write_glb(with_records(), options)).value;
    EXPECT_EQ(read.meshes[0].extras.json, "");
    EXPECT_EQ(read.nodes[0].extras.json, "");
    EXPECT_EQ(read.asset_extras.json, "");
}

TEST(Records, WhoseViewIsAnotherOneSaySo) {
    Bytes glb = *gltf::write_glb(with_records());
    std::string text(reinterpret_cast<const char*>(glb.data()), glb.size());
    const std::string name = R"("name":"effigy")";
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
        glb[at + name.size() - 2] = std::byte{'x'};
    const auto read = again(glb);
    EXPECT_EQ(read.report.count("gltf-record-bulk-lost"), 2u) << "of the mesh and the asset";
    EXPECT_TRUE(read.value.meshes[0].extras.bulk.empty());
    EXPECT_EQ(record_of(read.value.asset_extras)["version"], 1);
}

TEST(Hashes, NoticeEditsInMemory) {
    Scene scene = with_records();
    EXPECT_TRUE(Untouched(scene)(scene.nodes[0]));
    EXPECT_TRUE(Untouched(scene)(scene.meshes[0]));
    scene.nodes[0].local.translation.x = 1;
    scene.meshes[0].attributes[0].data.as<Vec3>()[1].y = 2;
    EXPECT_FALSE(Untouched(scene)(scene.nodes[0]));
    EXPECT_FALSE(Untouched(scene)(scene.meshes[0]));
    // By way of a file, too: it is not the writing that makes the hash.
    const Scene read = again(*gltf::write_glb(scene)).value;
    EXPECT_FALSE(Untouched(read)(read.nodes[0]));
    EXPECT_FALSE(Untouched(read)(read.meshes[0]));
}

TEST(Hashes, AreOfObjectsInTheSceneOnly) {
    const Scene scene = with_records();
    const Mesh copy = scene.meshes[0];
    EXPECT_FALSE(Untouched(scene)(copy));
    Scene bare = scene;
    bare.meshes[0].extras = {};
    EXPECT_FALSE(Untouched(bare)(bare.meshes[0])) << "there is no record that could describe it";
}

}  // namespace
}  // namespace effigy
