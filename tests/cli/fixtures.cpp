/// Makes the files that tests of the program work on.

#include "cli/fixtures.hpp"

#include <gtest/gtest.h>

#include "effigy/catalog.hpp"
#include "effigy/files.hpp"
#include "effigy/image.hpp"
#include "effigy/registry.hpp"

#include "arp/raw_arp.hpp"
#include "arp/raw_zip.hpp"
#include "egosoft/check_mod_folder.hpp"

namespace effigy::test {

namespace {

xac::Node node(std::string name, std::uint32_t parent, std::uint32_t children) {
    xac::Node node;
    node.name = std::move(name);
    node.parent = parent;
    node.child_count = children;
    return node;
}

template <class T>
xac::VertexLayer layer(xac::LayerType type, const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    xac::VertexLayer layer;
    layer.type = type;
    layer.element_size = sizeof(T);
    layer.data.assign(bytes.begin(), bytes.end());
    return layer;
}

xac::Mesh triangle(std::uint32_t node, std::uint32_t material, Bulk<std::uint32_t> bones) {
    xac::Submesh submesh;
    submesh.vertex_count = 3;
    submesh.material = material;
    submesh.indices = {0, 1, 2};
    submesh.bones = std::move(bones);
    xac::Mesh mesh;
    mesh.node = node;
    mesh.original_vertex_count = mesh.vertex_count = mesh.index_count = 3;
    mesh.layers.push_back(layer<std::uint32_t>(xac::LayerType::original_vertex, {0, 1, 2}));
    mesh.layers.push_back(layer<Vec3>(xac::LayerType::position, {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}));
    mesh.layers.push_back(layer<Vec3>(xac::LayerType::normal, {{0, 0, -1}, {0, 0, -1}, {0, 0, -1}}));
    mesh.layers.push_back(layer<Vec2>(xac::LayerType::uv, {{0, 1}, {0, 0}, {1, 1}}));
    mesh.layers.push_back(layer<Vec4>(xac::LayerType::tangent, {{1, 0, 0, -1}, {1, 0, 0, -1}, {1, 0, 0, -1}}));
    mesh.submeshes.push_back(std::move(submesh));
    return mesh;
}

xac::Skinning skinning() {
    xac::Skinning skinning;
    skinning.node = 2;
    skinning.local_bone_count = 2;
    skinning.influences = {{1, 0, {}}, {1, 1, {}}, {0.5f, 0, {}}, {0.5f, 1, {}}};
    skinning.ranges = {{0, 1}, {1, 1}, {2, 2}};
    return skinning;
}

xac::StandardMaterial material(std::string name, const std::string& texture) {
    xac::StandardMaterial material;
    material.name = std::move(name);
    xac::MaterialLayer diffuse;
    diffuse.map_type = 2;
    diffuse.texture = texture;
    if (!texture.empty()) material.layers.push_back(std::move(diffuse));
    return material;
}

xac::Info info() {
    xac::Info info;
    info.source_application = "tests";
    info.original_file = "soldier.max";
    info.actor_name = "soldier";
    return info;
}

xac::MorphTargets morph_targets() {
    xac::MorphDeformation deformation;
    deformation.node = 2;
    deformation.max_value = 1;
    deformation.positions.resize(2);
    deformation.positions[0].value = {65535, 0, 0};
    deformation.normals.resize(2);
    deformation.tangents.resize(2);
    deformation.vertices = {0, 2};
    xac::MorphTarget target;
    target.name = "smile";
    target.deformations.push_back(std::move(deformation));
    return {0, {target}};
}

/// All of the soldier but the morph target and the second level.
xac::File plain_soldier() {
    const xac::Nodes nodes{1, {node("root", xac::no_node, 2), node("arm", 0, 0), node("body", 0, 0)}};
    xac::File file;
    file.chunks.push_back({7, 2, {}, info(), {}});
    file.chunks.push_back({11, 1, {}, nodes, {}});
    file.chunks.push_back({13, 1, {}, xac::MaterialInfo{0, 1, 1, 0}, {}});
    file.chunks.push_back({3, 2, {}, material("cloth", "skin"), {}});
    file.chunks.push_back({1, 1, {}, triangle(2, 0, {0, 1}), {}});
    file.chunks.push_back({2, 3, {}, skinning(), {}});
    return file;
}

template <class T>
T value_of(Result<T> result) {
    if (!result) ADD_FAILURE() << to_string(result.error());
    return std::move(result).value_or(T{});
}

void save(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    const auto done = write_bytes(path, bytes);
    if (!done) ADD_FAILURE() << to_string(done.error());
}

void save(const std::filesystem::path& path, std::string_view text) { save(path, std::as_bytes(std::span(text))); }

Bytes picture() {
    image::Picture picture;
    picture.width = picture.height = 2;
    picture.rgba.assign(16, std::byte{0xff});
    return value_of(image::encode_png(picture));
}

xac::File actor_with_unknown_chunk() {
    xac::File file = soldier();
    file.chunks.push_back({99, 1, {}, emfx::Opaque{Bytes(5, std::byte{7})}, {}});
    return file;
}

xac::File actor_with_triangle_astray() {
    xac::File file = hair();
    for (xac::Chunk& chunk : file.chunks) {
        if (auto* mesh = std::get_if<xac::Mesh>(&chunk.record)) mesh->submeshes[0].indices[1] = 9;
    }
    return file;
}

}  // namespace

xac::File soldier() {
    xac::File file = plain_soldier();
    file.chunks.push_back({12, 1, {}, morph_targets(), {}});
    file.chunks.push_back({8, 1, {}, xac::MeshLod{1, {}, {plain_soldier()}, {}}, {}});
    return file;
}

xac::File hair() {
    xac::File file;
    file.chunks.push_back({7, 2, {}, info(), {}});
    file.chunks.push_back({11, 1, {}, xac::Nodes{1, {node("root", xac::no_node, 1), node("hair", 0, 0)}}, {}});
    file.chunks.push_back({13, 1, {}, xac::MaterialInfo{0, 1, 1, 0}, {}});
    xac::StandardMaterial black = material("hair", "");
    black.ambient = {0.5f, 0.5f, 0.5f, 1};  // three black colours would be none
    file.chunks.push_back({3, 2, {}, std::move(black), {}});
    file.chunks.push_back({1, 1, {}, triangle(1, 0, {}), {}});
    return file;
}

xsm::File walk() {
    xsm::Submotion submotion;
    submotion.node_name = "root";
    submotion.position_keys = {{{0, 0, 0}, 0}, {{0, 0, 1}, 0.5f}, {{0, 0, 2}, 1}};
    submotion.rotation_keys = {{{}, 0}, {{}, 1}};
    xsm::File file;
    file.chunks.push_back({201, 2, {}, emfx::MotionInfo{}, {}});
    file.chunks.push_back({202, 1, {}, xsm::Submotions{{submotion}}, {}});
    return file;
}

xpm::File smile() {
    xpm::Submotion submotion;
    submotion.name = "smile";
    submotion.keys = {{0, 0, {}}, {0.5f, 65535, {}}, {1, 0, {}}};
    xpm::File file;
    file.chunks.push_back({101, 1, {}, emfx::MotionInfo{}, {}});
    file.chunks.push_back({102, 1, {}, xpm::Submotions{{submotion}}, {}});
    return file;
}

namespace {

/// An extension in a folder, and two catalogs of which the second changes one file of the first and deletes another.
void fill_with_catalogs(const std::filesystem::path& folder) {
    const auto mod = folder / "mod";
    for (const char* inside : {"assets/units/size_m", "index"}) std::filesystem::create_directories(mod / inside);
    save(mod / "content.xml", "<content id=\"mod\"/>");
    save(mod / "index" / "macros.xml", "<index><entry name=\"m\" value=\"macros\\m\"/></index>");
    save(mod / "assets" / "units" / "size_m" / "ship x.xml", "<components><component name=\"ship x\"/></components>");
    save(mod / "assets" / "units" / "old.xml", "<components/>");
    const std::vector<catalog::Packed> first{{"assets/units/old.xml", mod / "assets/units/old.xml"},
                                             {"Assets/Units/size_m/ship x.xml", mod / "assets/units/old.xml"},
                                             {"index/macros.xml", mod / "index/macros.xml"}};
    const std::vector<catalog::Packed> second{
        {"assets\\units\\size_m\\ship x.xml", mod / "assets/units/size_m/ship x.xml"}, {"assets/units/old.xml", {}}};
    EXPECT_TRUE(catalog::pack(first, folder / "01.cat"));
    EXPECT_TRUE(catalog::pack(second, folder / "02.cat"));
}

constexpr std::string_view signer_asd =
    R"(<avatarStaticData version="1.0"><avatar name="signer" version="1.0"><skeleton scale="0.09">
<joint name="ROOT" position="0 0 0" rotation="0 0 0.707107 0.707107"><feature name="T-CS" position="9.4 0 1.9"/>
<joint name="SPI1" position="2 0 0" rotation="0 0 0 1"/></joint></skeleton></avatar></avatarStaticData>)";

constexpr std::string_view signer_nonmanuals =
    R"(<nonmanuals><eye_lids sigmlName="CB"><morph name="eylc" amount="1" timing="x m t"/></eye_lids></nonmanuals>)";

constexpr std::string_view hello_cas = R"(<?xml version="1.0" encoding="UTF-8"?>
<CAS version="2.1" avatar="signer"><frames count="3" signCount="1"><signStart index="0" gloss="HELLO"/>
<camera_location cx="0" cy="1.2" r="3" theta="0" phi="0" fov="30"/>
<frame index="0" isComplete="true" time="0" duration="40" boneCount="3" morphCount="1"><morph name="jawd" amount="0.5"/>
<bone name="ROOT" index="0"><position x="0" y="0" z="0"/><qRotation x="0" y="0" z="0.7071" w="0.7071"/></bone>
<bone name="LLRA" index="1"><qRotation x="0" y="0" z="0" w="1"/></bone>
<bone name="LWRI" index="2"><qRotation x="0" y="0" z="0" w="1"/></bone></frame>
<frame index="1" isComplete="false" time="40" duration="40" boneCount="1" morphCount="0">
<bone index="2"><qRotation x="0.3827" y="0" z="0" w="0.9239"/></bone></frame>
<frame index="2" isComplete="false" time="80" duration="40" boneCount="1" morphCount="0">
<bone index="2"><qRotation x="0.7071" y="0" z="0" w="0.7071"/></bone></frame>
</frames></CAS>
)";

/// A container as signing tools have it, and a motion for it.
void fill_with_signer(const std::filesystem::path& folder) {
    const Bytes avatar = arp::make(arp::figure()), skin = picture();
    save(folder / "signer.jar",
         raw_zip({stored("signer/", ""), deflated("signer/avatardef.jarp", text_from(avatar)),
                  deflated("signer/skin.png", text_from(skin)),
                  deflated("signer/config.xml", "<config><signingspace fan=\"0.6\"/></config>"),
                  deflated("signer/asd.xml", signer_asd), deflated("signer/nonmanuals.xml", signer_nonmanuals)}));
    save(folder / "hello.cas.xml", hello_cas);
}

}  // namespace

void fill(const std::filesystem::path& folder) {
    fill_with_catalogs(folder);
    fill_with_signer(folder);
    const Bytes actor = value_of(xac::write(soldier()));
    const Bytes motion = value_of(xsm::write(walk()));
    std::filesystem::create_directories(folder / "gfx");
    std::filesystem::create_directories(folder / "models");
    for (const char* name : {"soldier.xac", "body.xac", "a.xac", "models/soldier.xac"}) save(folder / name, actor);
    for (const char* name : {"walk.xsm", "models/walk.xsm"}) save(folder / name, motion);
    save(folder / "hair.xac", value_of(xac::write(hair())));
    save(folder / "face.xpm", value_of(xpm::write(smile())));
    save(folder / "walk.xsmtime", std::string_view("\xff\xff\xff\xff\1\0\0\0\0\0\0\x3f\7\0", 14));
    save(folder / "gfx" / "skin.png", picture());
    save(folder / "truncated.xac", std::span(actor).first(actor.size() / 2));
    save(folder / "unknown.xac", value_of(xac::write(actor_with_unknown_chunk())));
    save(folder / "broken.xac", value_of(xac::write(actor_with_triangle_astray())));
    save(folder / "empty.xac", std::string_view());
    save(folder / "foreign.xac", std::string_view("ACTR\1\0\0\0 a later engine's actor"));
    save(folder / "notes.txt", "read me");
    save(folder / "models" / "notes.txt", "read me");
    const std::string line = ".xac\",\"status\":\"done\",\"bytes\":8,\"inputs\":[],\"outputs\":[],\"codes\":{}}\n";
    save(folder / "shard1.jsonl", "{\"file\":\"b" + line + "{\"file\":\"c" + line);
    save(folder / "shard2.jsonl", "{\"file\":\"a" + line);
    std::filesystem::copy_file(EFFIGY_SOURCE_DIR "/tests/x42/reference/le_full.x42", folder / "trader.x42");
    save(folder / "animation.cfg", "sex m\nBOTH_WAVE 3 10 0 20 // waves\nLEGS_BACK 30 -5 0 10\n");
    save(folder / "default.skin", "surf0,models/players/trader/coat\ntag_weapon,\n");
    std::filesystem::create_directories(folder / "base");
    whole_mod().write(folder / "my_mod");
    std::filesystem::create_directories(folder / "X4 Foundations");
    const auto document = open_bytes(actor, "soldier.xac");
    ASSERT_TRUE(document);
    save(folder / "soldier.json", document->value.dump().value());
}

}  // namespace effigy::test
