/// What Blender does with its settings as they come, to files that effigy wrote: bones turned, vertex colours dropped,
/// no custom properties.

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "effigy/gltf.hpp"
#include "effigy/hashes.hpp"
#include "effigy/scene_access.hpp"

#include "gltf_read/reading.hpp"
#include "gltf_read/shapes.hpp"
#include "scene/wide_math.hpp"
#include "scene/worlds.hpp"

namespace effigy::gltf_test {
namespace {

constexpr const char* blender_wrote = "Khronos glTF Blender I/O v3.4.50";
const float root_of_half = std::sqrt(0.5f);

/// Hip, spine and head, which are joints, and a hat that hangs on the head.
enum Who : Index { hip, spine, head, hat };

AssetBuilder builder_of(const std::string& glb) {
    AssetBuilder builder;
    const std::string text = json_of(glb);
    builder.root = json::parse(text);
    builder.buffer = glb.substr(20 + text.size() + 8);
    return builder;
}

void bind_to(Scene& scene, const std::vector<Transform>& locals) {
    Scene posed = scene;
    for (Index i = 0; i < locals.size(); ++i) posed.nodes[i].local = locals[i];
    const auto worlds = rest_worlds(posed);
    for (std::size_t i = 0; i < scene.skins[0].joints.size(); ++i) {
        const auto inverse = inverse_affine(worlds[scene.skins[0].joints[i]], 1e-9);
        scene.skins[0].inverse_bind_matrices[i] = narrow(*inverse);
    }
}

Track track_of(Index node, TrackPath path, std::vector<float> values) {
    Track track;
    track.node = node;
    track.path = path;
    const std::size_t width = path == TrackPath::rotation ? 4 : 3;
    for (std::size_t i = 0; i < values.size() / width; ++i) track.times.push_back(static_cast<float>(i));
    track.values.assign(values.begin(), values.end());
    return track;
}

Scene person() {
    AssetBuilder builder;
    json primitive = primitive_of(builder, tube(3, 4));
    add_influences(builder, primitive, tube(3, 4), 3);
    builder.root["meshes"].push_back({{"name", "body"}, {"primitives", json::array({primitive})}});
    add_chain(builder, 3);
    builder.root["nodes"].push_back({{"name", "hat"}, {"mesh", 0}});
    builder.root["nodes"][head]["children"].push_back(3);
    add_node(builder, {{"name", "body.mesh"}, {"mesh", 0}, {"skin", 0}});
    Scene scene = read_text(builder.glb());
    scene.nodes[hip].local = {{0.1f, 9, -0.3f}, {0.5f, -0.5f, 0.5f, 0.5f}, {1, 1, 1}};
    scene.nodes[spine].local = {{2, 0.25f, -0.125f}, {0.1f, 0.2f, -0.3f, 0.9273618f}, {1, 1, 1}};
    scene.nodes[head].local = {{1.5f, -0.5f, 0}, {0, root_of_half, 0, root_of_half}, {1, 1, 1}};
    scene.nodes[hat].local = {{0.5f, 0.25f, 0}, {root_of_half, 0, 0, root_of_half}, {1, 2, 3}};
    for (Index i = 0; i <= hat; ++i) scene.nodes[i].extras.json = R"({"index":)" + std::to_string(i) + "}";
    bind_to(scene, {});
    Clip clip;
    clip.name = "nod";
    clip.duration = 1;
    clip.tracks = {track_of(head, TrackPath::rotation, {0, root_of_half, 0, root_of_half, 0.5f, 0.5f, 0.5f, 0.5f}),
                   track_of(hip, TrackPath::translation, {0.1f, 9, -0.3f, 1, 2, 3}),
                   track_of(spine, TrackPath::scale, {1, 1, 1, 1, 2, 3}),
                   track_of(hat, TrackPath::translation, {0.5f, 0.25f, 0, 1, 2, 3})};
    scene.clips.push_back(clip);
    set_hashes(scene);
    return scene;
}

using Turns = std::vector<glm::dquat>;

const Turns quarter_turned{{root_of_half, root_of_half, 0, 0},
                           {0.5, 0.5, -0.5, 0.5},
                           {0, root_of_half, 0, root_of_half},
                           {1, 0, 0, 0},
                           {1, 0, 0, 0}};

glm::dquat above(const Scene& scene, Index node, const Turns& turns) {
    const Index parent = scene.nodes[node].parent;
    return parent == no_index ? glm::dquat(1, 0, 0, 0) : turns[parent];
}

/// As Blender's importer and exporter do: each node's frame is another one afterwards, and all stands where it stood.
Scene turned(Scene scene, const Turns& turns) {
    const auto place = [&](Index node, const Vec3& t) {
        return narrow(glm::conjugate(above(scene, node, turns)) * wide(t));
    };
    const auto rotation = [&](Index node, const Quat& r) {
        return narrow(glm::conjugate(above(scene, node, turns)) * wide(r) * turns[node]);
    };
    const auto scaled = [&](Index node, const Vec3& s) {
        const glm::dmat3 axes = glm::mat3_cast(glm::conjugate(turns[node]));
        return narrow(glm::matrixCompMult(axes, axes) * wide(s));
    };
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        Transform& local = scene.nodes[i].local;
        local = {place(i, local.translation), rotation(i, local.rotation), scaled(i, local.scale)};
        local.translation.x += 2e-6f;  // and rounds
    }
    Skin& skin = scene.skins[0];
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
        Mat4& bind = skin.inverse_bind_matrices[i];
        bind = narrow(glm::mat4_cast(glm::conjugate(turns[skin.joints[i]])) * wide(bind));
    }
    for (Track& track : scene.clips[0].tracks) {
        float* v = track.values.data();
        for (std::size_t k = 0; k < track.times.size(); ++k) {
            if (track.path == TrackPath::rotation) {
                const Quat q = rotation(track.node, {v[0], v[1], v[2], v[3]});
                std::copy_n(&q.x, 4, v);
                v += 4;
                continue;
            }
            const Vec3 old{v[0], v[1], v[2]};
            const Vec3 now = track.path == TrackPath::scale ? scaled(track.node, old) : place(track.node, old);
            std::copy_n(&now.x, 3, v);
            v += 3;
        }
    }
    return scene;
}

/// `changed` with what effigy said of `original` in the nodes' extras.
Loaded<Scene> through_blender(const Scene& original, const Scene& changed) {
    AssetBuilder builder = builder_of(written(changed));
    const json root = json::parse(json_of(written(original)));
    for (std::size_t i = 0; i < root["nodes"].size(); ++i) {
        if (root["nodes"][i].contains("extras")) builder.root["nodes"][i]["extras"] = root["nodes"][i]["extras"];
    }
    builder.root["asset"]["generator"] = blender_wrote;
    return load(builder.glb());
}

double distance(const glm::dmat4& a, const glm::dmat4& b) {
    double most = 0;
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) most = std::max(most, std::fabs(a[i][k] - b[i][k]));
    }
    return most;
}

/// Where everything that a joint moves is carried.
std::vector<glm::dmat4> carried(const Scene& scene, const std::vector<glm::dmat4>& worlds) {
    std::vector<glm::dmat4> all;
    for (const char* const name : {"joint0", "joint1", "joint2"}) {
        for (std::size_t i = 0; i < scene.skins[0].joints.size(); ++i) {
            const Index joint = scene.skins[0].joints[i];
            if (scene.nodes[joint].name == name)
                all.push_back(worlds[joint] * wide(scene.skins[0].inverse_bind_matrices[i]));
        }
    }
    return all;
}

std::vector<glm::dmat4> worlds_at_last_key(Scene scene) {
    for (const Track& track : scene.clips[0].tracks) {
        Transform& local = scene.nodes[track.node].local;
        const float* const v = track.values.data() + (track.path == TrackPath::rotation ? 4 : 3);
        if (track.path == TrackPath::rotation) local.rotation = {v[0], v[1], v[2], v[3]};
        if (track.path == TrackPath::translation) local.translation = {v[0], v[1], v[2]};
        if (track.path == TrackPath::scale) local.scale = {v[0], v[1], v[2]};
    }
    return rest_worlds(scene);
}

void expect_same_motion(const Scene& scene, const Scene& original) {
    for (const bool at_rest : {true, false}) {
        const auto now = at_rest ? rest_worlds(scene) : worlds_at_last_key(scene);
        const auto then = at_rest ? rest_worlds(original) : worlds_at_last_key(original);
        for (Index i = 0; i <= hat; ++i) EXPECT_LT(distance(now[i], then[i]), 1e-4) << i << " at rest " << at_rest;
        const auto skinned = carried(scene, now), before = carried(original, then);
        ASSERT_EQ(skinned.size(), before.size());
        for (std::size_t i = 0; i < before.size(); ++i) EXPECT_LT(distance(skinned[i], before[i]), 1e-4) << i;
    }
}

TEST(BlenderBones, AreTurnedBack) {
    const Scene original = person();
    const Scene changed = turned(original, quarter_turned);
    EXPECT_GT(distance(rest_worlds(changed)[head], rest_worlds(original)[head]), 0.5);
    const auto back = through_blender(original, changed);
    EXPECT_EQ(back.report.count("gltf-bones-turned-back"), 1u);
    EXPECT_EQ(back.report.count("gltf-bones-turned"), 0u);
    for (Index i = hip; i <= head; ++i) {
        EXPECT_EQ(back.value.nodes[i].local, original.nodes[i].local) << i;
        EXPECT_TRUE(Untouched(back.value)(back.value.nodes[i]));
    }
    expect_same_motion(back.value, original);
}

TEST(BlenderBones, StayMirrored) {
    Scene original = person();
    original.nodes[spine].local.scale = {-1, -1, -1};
    bind_to(original, {});
    original.clips[0].tracks[2] = track_of(spine, TrackPath::scale, {-1, -1, -1, -1, 2, -3});
    set_hashes(original);
    const auto back = through_blender(original, turned(original, quarter_turned));
    EXPECT_EQ(back.report.count("gltf-bones-turned-back"), 1u);
    expect_same_motion(back.value, original);
}

TEST(BlenderBones, ThatWereLeftAloneSayNothing) {
    const Scene original = person();
    const auto back = through_blender(original, turned(original, Turns(5, glm::dquat(1, 0, 0, 0))));
    EXPECT_EQ(back.report.count("gltf-bones-turned-back"), 0u);
    EXPECT_EQ(back.value.nodes[spine].local, original.nodes[spine].local) << "rounding is undone, too";
    expect_same_motion(back.value, original);
}

/// "Guess Original Bind Pose", which is on as Blender comes.
TEST(BlenderBones, RestAgainAfterThePoseOfBindingTookThatPlace) {
    Scene original = person();
    std::vector<Transform> binds;
    for (Index i = 0; i <= head; ++i) binds.push_back(original.nodes[i].local);
    binds[spine].rotation = {root_of_half, 0, 0, root_of_half};
    binds[head].rotation = {0, 0, root_of_half, -root_of_half};
    bind_to(original, binds);
    set_hashes(original);
    Scene posed = original;
    for (Index i = 0; i <= head; ++i) posed.nodes[i].local = binds[i];
    const auto back = through_blender(original, turned(posed, quarter_turned));
    for (Index i = hip; i <= head; ++i) EXPECT_EQ(back.value.nodes[i].local, original.nodes[i].local) << i;
    expect_same_motion(back.value, original);
}

TEST(BlenderBones, KeepWhatSomebodyMoved) {
    const Scene original = person();
    Scene edited = original;
    edited.nodes[spine].local.translation.y += 0.5f;
    edited.nodes[spine].local.rotation =
        narrow(wide(original.nodes[spine].local.rotation) * glm::angleAxis(0.2, glm::dvec3(0, 1, 0)));
    const auto back = through_blender(original, turned(edited, quarter_turned));
    expect_same_motion(back.value, edited);
    EXPECT_FALSE(Untouched(back.value)(back.value.nodes[spine]));
    EXPECT_EQ(back.value.nodes[head].local, original.nodes[head].local);
}

TEST(BlenderBones, ThatAreTurnedByOtherAnglesAreReported) {
    const Scene original = person();
    const glm::dquat odd = glm::angleAxis(0.7, glm::normalize(glm::dvec3(1, 2, 3)));
    const auto back = through_blender(original, turned(original, Turns{odd, odd, odd, {1, 0, 0, 0}, {1, 0, 0, 0}}));
    EXPECT_EQ(back.report.count("gltf-bones-turned"), 1u);
    EXPECT_EQ(back.report.count("gltf-bones-turned-back"), 0u);
}

/// Two bones along Y, under names of effigy's making.
AssetBuilder without_properties(const char* skin, const char* node) {
    AssetBuilder builder;
    json primitive = primitive_of(builder, tube(3, 4));
    add_influences(builder, primitive, tube(3, 4), 3);
    builder.root["meshes"].push_back({{"name", "body"}, {"primitives", json::array({primitive})}});
    add_chain(builder, 3);
    add_node(builder, {{"name", node}, {"mesh", 0}, {"skin", 0}});
    builder.root["skins"][0]["name"] = skin;
    builder.root["asset"]["generator"] = blender_wrote;
    return builder;
}

std::string lost_in(const AssetBuilder& builder) {
    const auto loaded = load(builder.glb());
    for (const Diagnostic& diagnostic : loaded.report.diagnostics()) {
        if (diagnostic.code == "gltf-properties-lost") return diagnostic.found;
    }
    return {};
}

TEST(BlenderProperties, AreMissedWhereNamesTellOfThem) {
    EXPECT_EQ(lost_in(without_properties("body skin", "body")), "body skin");
    EXPECT_EQ(lost_in(without_properties("body skin.001", "body")), "body skin.001");
    for (const char* const name : {"hat.collision", "hat.lod1", "hat-lod1"})
        EXPECT_EQ(lost_in(without_properties("Armature", name)), "") << "people call levels so";
    EXPECT_EQ(lost_in(without_properties("Armature", "body.mesh")), "body.mesh");
    EXPECT_EQ(lost_in(without_properties("Armature", "body")), "");
    EXPECT_EQ(lost_in(without_properties("skin", "snakeskin")), "");
    AssetBuilder kept = without_properties("body skin", "body");
    kept.root["nodes"][0]["extras"] = {{"effigy", {{"index", 1}}}};
    EXPECT_EQ(lost_in(kept), "");
    for (const char* const array : {"nodes", "meshes", "scenes"}) {
        AssetBuilder exported = without_properties("body skin", "body");
        exported.root[array][0]["extras"] = {{"mine", 1}};
        EXPECT_EQ(lost_in(exported), "") << "properties were exported: " << array;
    }
    AssetBuilder other = without_properties("body skin", "body");
    other.root["asset"]["generator"] = "another program";
    EXPECT_EQ(lost_in(other), "");
}

/// A model of two levels of detail with a tag, called as effigy calls what comes from an X42.
AssetBuilder named_as_x42(const char* root, const char* coarse, const char* tag) {
    AssetBuilder builder = without_properties("trader", "trader.fine");
    json again = builder.root["nodes"].back();
    again["name"] = coarse;
    add_node(builder, std::move(again));
    add_node(builder, {{"name", root}});
    add_node(builder, {{"name", tag}});
    return builder;
}

TEST(BlenderProperties, AreMissedWhereAnX42WasNamedSo) {
    const AssetBuilder builder = named_as_x42("trader", "trader.coarse", "tag_weapon");
    EXPECT_EQ(lost_in(builder), "tag_weapon");
    EXPECT_EQ(load(builder.glb()).value.facing, -90) << "as such models do";
    EXPECT_EQ(lost_in(named_as_x42("trader.001", "trader.coarse.001", "tag_weapon.001")), "tag_weapon.001");
    for (const auto& other :
         {named_as_x42("hero", "trader.coarse", "tag_weapon"), named_as_x42("trader", "trader", "tag_weapon"),
          named_as_x42("trader", "trader.001", "tag_weapon"), named_as_x42("trader", "trader.coarse", "weapon")}) {
        EXPECT_EQ(lost_in(other), "");
        EXPECT_EQ(load(other.glb()).value.facing, 0);
    }
}

/// A mesh below a node, and an empty one, as of a component of Egosoft's.
AssetBuilder named_as_component(const char* part, const char* level, const char* connection) {
    AssetBuilder builder;
    builder.root["meshes"].push_back({{"primitives", json::array({primitive_of(builder, tube(3, 4))})}});
    const std::size_t mesh = add_node(builder, {{"name", level}, {"mesh", 0}}, false);
    add_node(builder, {{"name", part}, {"children", json::array({mesh})}});
    add_node(builder, {{"name", connection}});
    builder.root["asset"]["generator"] = blender_wrote;
    return builder;
}

TEST(BlenderProperties, AreMissedWhereAComponentWasNamedSo) {
    EXPECT_EQ(lost_in(named_as_component("part_main", "part_main-lod0", "position")), "part_main-lod0");
    EXPECT_EQ(lost_in(named_as_component("part_main.002", "part_main-lod0.001", "position.001")), "part_main-lod0.001");
    for (const auto& other : {named_as_component("part_main", "part_main-lod0", "pivot"),
                              named_as_component("hull", "part_main-lod0", "position"),
                              named_as_component("part_main", "part_main", "position"),
                              named_as_component("Tree", "Tree_LOD0", "position")})
        EXPECT_EQ(lost_in(other), "") << "people call models so";
}

// --- colours

Attribute colors_named(const char* name, std::size_t count, std::uint8_t first) {
    Attribute attribute;
    attribute.semantic = Semantic::custom;
    attribute.custom_name = name;
    attribute.data = {{}, ElementType::vec4, ComponentType::u8, true};
    for (std::size_t i = 0; i < 4 * count; ++i)
        attribute.data.bytes.push_back(static_cast<std::byte>(static_cast<std::uint8_t>(first + i)));
    return attribute;
}

/// A box, three of whose vertices each stand in one place, with texture coordinates or without.
Scene painted_box(bool has_coordinates = true) {
    AssetBuilder builder;
    json primitive = primitive_of(builder, box());
    if (!has_coordinates) primitive["attributes"].erase("TEXCOORD_0");
    builder.root["meshes"].push_back({{"name", "hull"}, {"primitives", json::array({primitive})}});
    add_node(builder, {{"name", "hull"}, {"mesh", 0}});
    Scene scene = read_text(builder.glb());
    scene.meshes[0].extras.json = R"({"version":4})";
    scene.meshes[0].attributes.push_back(colors_named("_COLOR_0", scene.meshes[0].vertex_count, 0));
    scene.meshes[0].attributes.push_back(colors_named("_COLOR_2", scene.meshes[0].vertex_count, 100));
    set_hashes(scene);
    return scene;
}

void drop_colors(Mesh& mesh) {
    std::erase_if(mesh.attributes, [](const Attribute& one) { return one.semantic == Semantic::custom; });
}

/// Vertices in the opposite order, pictures upside down and back.
Scene as_blender_writes(Scene scene) {
    Mesh& mesh = scene.meshes[0];
    drop_colors(mesh);
    for (Attribute& attribute : mesh.attributes) {
        const std::size_t stride = attribute.data.stride();
        Bytes reversed;
        for (std::size_t i = mesh.vertex_count; i-- > 0;) {
            const auto from = attribute.data.bytes.begin() + static_cast<std::ptrdiff_t>(i * stride);
            reversed.insert(reversed.end(), from, from + static_cast<std::ptrdiff_t>(stride));
        }
        attribute.data.bytes = reversed;
        if (attribute.semantic != Semantic::texcoord) continue;
        for (std::size_t i = 1; i < attribute.data.as<float>().size(); i += 2) {
            float& v = attribute.data.as<float>()[i];
            v = 1 - v;
            v = 1 - v;
        }
    }
    for (std::uint32_t& index : mesh.primitives[0].indices) index = mesh.vertex_count - 1 - index;
    return scene;
}

AssetBuilder with_record(const Scene& original, const Scene& changed) {
    AssetBuilder builder = builder_of(written(changed));
    builder.root["meshes"][0]["extras"] =
        json::parse(json_of(written(original, {.keep_colors = true})))["meshes"][0]["extras"];
    return builder;
}

void expect_colors(const Scene& back, const Scene& original) {
    for (const char* const name : {"_COLOR_0", "_COLOR_2"}) {
        const Attribute* const now = find_attribute(back.meshes[0], name);
        const Attribute* const then = find_attribute(original.meshes[0], name);
        ASSERT_NE(now, nullptr) << name;
        EXPECT_TRUE(now->data.normalized);
        const std::size_t count = original.meshes[0].vertex_count;
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(now->data.as<std::uint32_t>()[count - 1 - i], then->data.as<std::uint32_t>()[i]) << name << i;
        }
    }
}

TEST(BlenderColors, ComeBackFromTheRecord) {
    for (const bool has_coordinates : {true, false}) {
        const Scene original = painted_box(has_coordinates);
        const auto back = load(with_record(original, as_blender_writes(original)).glb());
        EXPECT_EQ(back.report.count("gltf-colors-restored"), 1u);
        EXPECT_EQ(back.report.count("gltf-colors-lost"), 0u);
        expect_colors(back.value, original);
    }
}

TEST(BlenderColors, OfEditedMeshesAreLost) {
    const Scene original = painted_box();
    Scene edited = as_blender_writes(original);
    edited.meshes[0].attributes[0].data.as<float>()[0] += 0.25f;
    const auto back = load(with_record(original, edited).glb());
    EXPECT_EQ(back.report.count("gltf-colors-lost"), 1u);
    EXPECT_EQ(back.report.count("gltf-colors-restored"), 0u);
    EXPECT_EQ(find_attribute(back.value.meshes[0], "_COLOR_0"), nullptr);
}

TEST(BlenderColors, ThatSomebodyPaintedStay) {
    const Scene original = painted_box();
    Scene painted = as_blender_writes(original);
    Attribute own = colors_named("", painted.meshes[0].vertex_count, 7);
    own.semantic = Semantic::color;
    painted.meshes[0].attributes.push_back(own);
    const auto back = load(with_record(original, painted).glb());
    EXPECT_EQ(find_attribute(back.value.meshes[0], "_COLOR_0"), nullptr);
    EXPECT_NE(find_attribute(back.value.meshes[0], Semantic::color, 0), nullptr);
    EXPECT_NE(find_attribute(back.value.meshes[0], "_COLOR_2"), nullptr) << "nobody painted that one";
}

TEST(BlenderColors, SayNothingWhereTheyAreStillThere) {
    const Scene original = painted_box();
    const std::string glb = written(original);
    const auto back = load(glb);
    EXPECT_EQ(back.report.count("gltf-colors-restored"), 0u);
    EXPECT_EQ(back.value.meshes[0].extras.json, original.meshes[0].extras.json);
    EXPECT_EQ(written(back.value), glb);
}

TEST(BlenderColors, DoNotTrustTheRecord) {
    const Scene original = painted_box();
    const Scene changed = as_blender_writes(original);
    const std::vector<std::pair<const char*, json>> damages{
        {"/size", 0},
        {"/size", 1e15},
        {"/size", nullptr},
        {"/data", "AAAA"},
        {"/data", ""},
        {"/data", 5},
        {"/sets", 77},
        {"/places", "xxh3:0"},
        {"/attributes", json::array()},
        {"/attributes", 3},
        {"/attributes/0/count", 9},
        {"/attributes/0/component", 1},
        {"/attributes/0/name", "POSITION"},
        {"/attributes/0/name", "COLOR_x"},
        {"/attributes/0/count", 1},
        {"/attributes", json::array_t(1000, {{"name", "_COLOR_5"}, {"component", 5126}, {"count", 4}})}};
    for (const auto& [place, value] : damages) {
        AssetBuilder builder = with_record(original, changed);
        json& record = builder.root["meshes"][0]["extras"]["effigy"]["kept_colors"];
        if (std::string(place) == "/sets") record["places"] = "";
        record[json::json_pointer(place)] = value;
        const auto back = load(builder.glb());
        EXPECT_EQ(find_attribute(back.value.meshes[0], "_COLOR_2"), nullptr) << place << value;
        EXPECT_EQ(back.report.count("gltf-colors-restored"), 0u) << place;
    }
}

}  // namespace
}  // namespace effigy::gltf_test
