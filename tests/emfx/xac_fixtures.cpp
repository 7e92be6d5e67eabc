/// Actors byte by byte, in both byte orders.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "effigy/xac.hpp"

#include "fixtures.hpp"

namespace effigy::test {

using testing::ElementsAre;

namespace {

using Content = std::function<void(Raw&)>;

Bytes actor(bool big, unsigned order, const Content& chunks) {
    Raw raw(big);
    raw.header("XAC ", order);
    chunks(raw);
    return raw.bytes();
}

/// An actor of the chunks that `chunks` writes; `expect` gets the record of its last chunk.
template <class Record>
Fixture fixture(std::string name, Content chunks, std::function<void(const Record&, const xac::File&)> expect) {
    return {std::move(name), [chunks](bool big) { return actor(big, 1, chunks); },
            [expect](const Document& document) {
                const auto& file = *document.get_if<xac::File>();
                EXPECT_EQ(file.header.magic, (std::array{'X', 'A', 'C', ' '}));
                EXPECT_EQ(file.header.major_version, 1);
                EXPECT_EQ(file.header.minor_version, 0);
                EXPECT_EQ(file.header.multiplication_order, 1);
                ASSERT_FALSE(file.chunks.empty());
                const auto* record = std::get_if<Record>(&file.chunks.back().record);
                ASSERT_NE(record, nullptr);
                expect(*record, file);
            }};
}

/// The same, of one chunk.
template <class Record>
Fixture one(std::string name, std::uint32_t id, std::uint32_t version, Content content,
            std::function<void(const Record&)> expect) {
    return fixture<Record>(
        std::move(name), [=](Raw& raw) { raw.chunk(id, version, content); },
        [=](const Record& record, const xac::File& file) {
            EXPECT_EQ(file.chunks.size(), 1u);
            EXPECT_EQ(file.chunks[0].id, id);
            EXPECT_EQ(file.chunks[0].version, version);
            EXPECT_TRUE(file.chunks[0].trailing.empty());
            expect(record);
        });
}

Bytes raw_bytes(std::initializer_list<unsigned> values) { return Raw(false).raw(values).bytes(); }

// --- chunk 7 ---

void put_info_texts(Raw& raw) { raw.text("3ds Max 12").text(korean_path).text("Jan  9 2008").text("hero"); }

void expect_info_texts(const xac::Info& info) {
    EXPECT_EQ(info.exporter_major, 3);
    EXPECT_EQ(info.exporter_minor, 132);
    EXPECT_THAT(info.padding, ElementsAre(0xa1, 0xa2));
    EXPECT_EQ(info.source_application, "3ds Max 12");
    EXPECT_EQ(info.original_file, korean_path);
    EXPECT_EQ(info.export_date, "Jan  9 2008");
    EXPECT_EQ(info.actor_name, "hero");
}

void put_info(Raw& raw, unsigned version) {
    if (version <= 2) raw.u32s({5, 77});
    if (version == 3) raw.u32s({11, 12, 6});
    if (version == 4) raw.u32s({4, 11, 12});
    raw.raw({3, 132, 0xa1, 0xa2});
    if (version >= 2) raw.f32(2.5f);
    put_info_texts(raw);
}

Fixture info(unsigned version) {
    return one<xac::Info>(
        "xac_7_info_v" + std::to_string(version), 7, version, [version](Raw& raw) { put_info(raw, version); },
        [version](const xac::Info& info) {
            if (version <= 2) {
                EXPECT_EQ(info.reposition_mask, 5u);
                EXPECT_EQ(info.reposition_node, 77u);
            } else {
                EXPECT_EQ(info.trajectory_node, 11u);
                EXPECT_EQ(info.motion_extraction_node, 12u);
            }
            if (version == 3) {
                EXPECT_EQ(info.motion_extraction_mask, 6u);
            }
            if (version == 4) {
                EXPECT_EQ(info.lod_count, 4u);
            }
            if (version >= 2) {
                EXPECT_EQ(info.retarget_root_offset, 2.5f);
            }
            expect_info_texts(info);
        });
}

// --- chunks 0 and 11 ---

void expect_node(const xac::Node& node, unsigned version, float base, std::uint32_t parent, std::string_view name) {
    EXPECT_EQ(node.rotation, (Quat{base, base + 0.25f, base + 0.5f, base + 0.75f}));
    EXPECT_EQ(node.scale_rotation, (Quat{base + 1, base + 1.25f, base + 1.5f, base + 1.75f}));
    EXPECT_EQ(node.position.x, base + 2);
    EXPECT_EQ(bits(node.position.y), nan_bits);
    EXPECT_EQ(node.position.z, base + 2.5f);
    EXPECT_EQ(node.scale, (Vec3{base + 3, base + 3.25f, base + 3.5f}));
    EXPECT_EQ(node.shear, (Vec3{-1, -2, -3}));
    EXPECT_EQ(node.skeletal_lods, 0xfffffff1u);
    EXPECT_EQ(node.parent, parent);
    EXPECT_EQ(node.name, name);
    if (version >= 2) {
        EXPECT_EQ(node.flags, 225);
        EXPECT_THAT(node.padding, ElementsAre(145, 124, 7));
    }
    if (version >= 3) {
        EXPECT_EQ(node.box[0], base + 10);
        EXPECT_EQ(node.box[3], base + 13);
        EXPECT_EQ(node.box[15], base + 25);
    }
    if (version >= 4) {
        EXPECT_EQ(node.motion_lods, 0xfffffff2u);
        EXPECT_EQ(node.child_count, 9u);
        EXPECT_EQ(node.importance, base + 30);
    }
}

Fixture node(unsigned version) {
    return one<xac::Node>(
        "xac_0_node_v" + std::to_string(version), 0, version,
        [version](Raw& raw) { put_node(raw, version, 100, xac::no_node, umlaut_name); },
        [version](const xac::Node& node) { expect_node(node, version, 100, xac::no_node, umlaut_name); });
}

Fixture nodes() {
    return one<xac::Nodes>(
        "xac_11_nodes_v1", 11, 1,
        [](Raw& raw) {
            raw.u32s({2, 1});
            put_node(raw, 4, 1, xac::no_node, "root");
            put_node(raw, 4, 50, 0, umlaut_name);
        },
        [](const xac::Nodes& nodes) {
            EXPECT_EQ(nodes.root_count, 1u);
            ASSERT_EQ(nodes.nodes.size(), 2u);
            expect_node(nodes.nodes[0], 4, 1, xac::no_node, "root");
            expect_node(nodes.nodes[1], 4, 50, 0, umlaut_name);
        });
}

// --- chunk 1 ---

void put_layer_head(Raw& raw, std::uint32_t type, std::uint32_t element_size, unsigned garbage) {
    raw.u32s({type, element_size}).raw({1, 1, garbage, garbage + 1});
}

void put_submeshes(Raw& raw) {
    raw.u32s({3, 2, 5, 1}).u32s({0, 1, 0x01020304}).u32(17);
    raw.u32s({0, 1, 6, 2}).u32s({18, 0x11121314});
}

void expect_submeshes(const xac::Mesh& mesh) {
    ASSERT_EQ(mesh.submeshes.size(), 2u);
    EXPECT_EQ(mesh.submeshes[0].vertex_count, 2u);
    EXPECT_EQ(mesh.submeshes[0].material, 5u);
    EXPECT_THAT(mesh.submeshes[0].indices, ElementsAre(0u, 1u, 0x01020304u));
    EXPECT_THAT(mesh.submeshes[0].bones, ElementsAre(17u));
    EXPECT_EQ(mesh.submeshes[1].vertex_count, 1u);
    EXPECT_EQ(mesh.submeshes[1].material, 6u);
    EXPECT_TRUE(mesh.submeshes[1].indices.empty());
    EXPECT_THAT(mesh.submeshes[1].bones, ElementsAre(18u, 0x11121314u));
}

void put_mesh_head(Raw& raw, unsigned version, std::uint32_t layers) {
    raw.u32(3);
    if (version == 2) raw.u32(8);
    // 63 original vertices for 3 in all: a real file has more of the former.
    raw.u32s({63, 3, 9, 2, layers}).raw({1, 149, 136, 20});
}

void expect_mesh_head(const xac::Mesh& mesh, unsigned version) {
    EXPECT_EQ(mesh.node, 3u);
    if (version == 2) {
        EXPECT_EQ(mesh.lod, 8u);
    }
    EXPECT_EQ(mesh.original_vertex_count, 63u);
    EXPECT_EQ(mesh.vertex_count, 3u);
    EXPECT_EQ(mesh.index_count, 9u);
    EXPECT_EQ(mesh.is_collision, 1);
    EXPECT_THAT(mesh.padding, ElementsAre(149, 136, 20));
}

Fixture mesh(unsigned version) {
    return one<xac::Mesh>(
        "xac_1_mesh_v" + std::to_string(version), 1, version,
        [version](Raw& raw) {
            put_mesh_head(raw, version, 6);
            put_layer_head(raw, 5, 4, 30);
            raw.u32s({2, 0x01020304, 1});
            put_layer_head(raw, 0, 12, 32);
            raw.f32s({1, 2, 3, 4, 5, 6, 7, 8}).u32(nan_bits);
            put_layer_head(raw, 3, 8, 34);
            raw.f32s({0.25f, 0.5f, 0.75f, 1, 1.25f, 1.5f});
            put_layer_head(raw, 2, 16, 36);
            for (int vertex = 0; vertex < 3; ++vertex) raw.f32s({1, 0, 0, -1});
            put_layer_head(raw, 4, 4, 38);
            raw.u32s({0x04030201, 0x08070605, 0x0c0b0a09});
            put_layer_head(raw, 6, 16, 40);
            for (int vertex = 0; vertex < 3; ++vertex) raw.f32s({0.5f, 0.25f, 0.125f, 1});
            put_submeshes(raw);
        },
        [version](const xac::Mesh& mesh) {
            expect_mesh_head(mesh, version);
            ASSERT_EQ(mesh.layers.size(), 6u);
            EXPECT_EQ(mesh.layers[0].type, xac::LayerType::original_vertex);
            EXPECT_EQ(mesh.layers[0].element_size, 4u);
            EXPECT_EQ(mesh.layers[0].enable_deformations, 1);
            EXPECT_EQ(mesh.layers[0].is_scale, 1);
            EXPECT_THAT(mesh.layers[0].padding, ElementsAre(30, 31));
            EXPECT_THAT(mesh.layers[0].as<std::uint32_t>(), ElementsAre(2u, 0x01020304u, 1u));
            const auto positions = mesh.layers[1].as<Vec3>();
            ASSERT_EQ(positions.size(), 3u);
            EXPECT_EQ(positions[1], (Vec3{4, 5, 6}));
            EXPECT_EQ(bits(positions[2].z), nan_bits);
            EXPECT_TRUE(mesh.layers[1].as<Vec2>().empty());
            EXPECT_THAT(mesh.layers[2].as<Vec2>(), ElementsAre(Vec2{0.25f, 0.5f}, Vec2{0.75f, 1}, Vec2{1.25f, 1.5f}));
            EXPECT_EQ(mesh.layers[3].type, xac::LayerType::tangent);
            EXPECT_EQ(mesh.layers[3].as<Vec4>()[2], (Vec4{1, 0, 0, -1}));
            EXPECT_EQ(mesh.layers[4].type, xac::LayerType::color32);
            EXPECT_THAT(mesh.layers[4].as<std::uint32_t>(), ElementsAre(0x04030201u, 0x08070605u, 0x0c0b0a09u));
            EXPECT_EQ(mesh.layers[5].as<Color>()[0], (Color{0.5f, 0.25f, 0.125f, 1}));
            expect_submeshes(mesh);
        });
}

/// Layers that the later engine has, a layer that nobody knows, and a known one of an unusual size.
Fixture mesh_with_odd_layers() {
    return one<xac::Mesh>(
        "xac_1_mesh_odd_layers", 1, 1,
        [](Raw& raw) {
            put_mesh_head(raw, 1, 5);
            put_layer_head(raw, 7, 12, 50);
            raw.f32s({1, 2, 3, 4, 5, 6, 7, 8, 9});
            put_layer_head(raw, 8, 4, 52);
            raw.u32s({0x01020304, 2, 3});
            put_layer_head(raw, 77, 5, 54);
            raw.raw({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
            put_layer_head(raw, 3, 12, 56);
            raw.f32s({1, 2, 3, 4, 5, 6, 7, 8, 9});
            put_layer_head(raw, 1, 0, 58);
            put_submeshes(raw);
        },
        [](const xac::Mesh& mesh) {
            expect_mesh_head(mesh, 1);
            ASSERT_EQ(mesh.layers.size(), 5u);
            EXPECT_EQ(mesh.layers[0].as<Vec3>()[2], (Vec3{7, 8, 9}));
            EXPECT_THAT(mesh.layers[1].as<std::uint32_t>(), ElementsAre(0x01020304u, 2u, 3u));
            EXPECT_EQ(static_cast<std::uint32_t>(mesh.layers[2].type), 77u);
            EXPECT_EQ(mesh.layers[2].data, raw_bytes({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
            EXPECT_EQ(mesh.layers[3].as<Vec3>()[1], (Vec3{4, 5, 6}));
            EXPECT_TRUE(mesh.layers[4].data.empty());
            EXPECT_THAT(mesh.layers[4].padding, ElementsAre(58, 59));
            expect_submeshes(mesh);
        });
}

// --- chunk 2 ---

void put_influence(Raw& raw, float weight, unsigned node, unsigned garbage) {
    raw.f32(weight).u16(node).raw({garbage, garbage + 1});
}

void expect_influence(const xac::Influence& influence, float weight, unsigned node, unsigned garbage) {
    EXPECT_EQ(influence.weight, weight);
    EXPECT_EQ(influence.node, node);
    EXPECT_THAT(influence.padding, ElementsAre(garbage, garbage + 1));
}

Fixture skinning(unsigned version) {
    return fixture<xac::Skinning>(
        "xac_2_skinning_v" + std::to_string(version),
        [version](Raw& raw) {
            if (version == 4) {
                raw.chunk(1, 2, [](Raw& mesh) { mesh.u32s({4, 1, 9, 0, 0, 0, 0}).raw({0, 1, 2, 3}); });
                raw.chunk(1, 2, [](Raw& mesh) { mesh.u32s({4, 6, 2, 0, 0, 0, 0}).raw({0, 1, 2, 3}); });
            } else {
                raw.chunk(1, 1, [](Raw& mesh) { put_bare_mesh(mesh, 4, 2); });
            }
            raw.chunk(2, version, [version](Raw& skin) {
                skin.u32(4);
                if (version == 4) skin.u32(6);
                if (version >= 3) skin.u32(13);
                if (version >= 2) skin.u32(3);
                skin.raw({0, 0xb1, 0xb2, 0xb3});
                if (version == 1) skin.u8(2);
                put_influence(skin, 0.25f, 0x0102, 60);
                put_influence(skin, 0.75f, 2, 62);
                if (version == 1) skin.u8(1);
                put_influence(skin, 1, 3, 64);
                if (version >= 2) skin.u32s({0, 2, 2, 0x01000001});
            });
        },
        [version](const xac::Skinning& skinning, const xac::File& file) {
            EXPECT_EQ(skinning.node, 4u);
            if (version == 4) {
                EXPECT_EQ(skinning.lod, 6u);
            }
            if (version >= 3) {
                EXPECT_EQ(skinning.local_bone_count, 13u);
            }
            EXPECT_EQ(skinning.is_for_collision_mesh, 0);
            EXPECT_THAT(skinning.padding, ElementsAre(0xb1, 0xb2, 0xb3));
            const auto first = xac::influences(skinning, 0);
            ASSERT_EQ(first.size(), 2u);
            expect_influence(first[0], 0.25f, 0x0102, 60);
            expect_influence(first[1], 0.75f, 2, 62);
            if (version == 1) {
                ASSERT_EQ(skinning.vertices.size(), 2u);
                ASSERT_EQ(xac::influences(skinning, 1).size(), 1u);
                expect_influence(xac::influences(skinning, 1)[0], 1, 3, 64);
            } else {
                ASSERT_EQ(skinning.influences.size(), 3u);
                expect_influence(skinning.influences[2], 1, 3, 64);
                ASSERT_EQ(skinning.ranges.size(), 2u);
                EXPECT_EQ(skinning.ranges[1].first, 2u);
                EXPECT_EQ(skinning.ranges[1].count, 0x01000001u);
                EXPECT_TRUE(xac::influences(skinning, 1).empty());
            }
            EXPECT_TRUE(xac::influences(skinning, 2).empty());
            const auto& mesh = std::get<xac::Mesh>(file.chunks[file.chunks.size() - 2].record);
            EXPECT_EQ(xac::find_skinning(file, mesh), &skinning);
        });
}

/// A node with a visual and a collision mesh: each skinning has the length of its own.
Fixture skinning_of_collision_mesh() {
    return fixture<xac::Skinning>(
        "xac_2_skinning_of_collision_mesh",
        [](Raw& raw) {
            raw.chunk(1, 1, [](Raw& mesh) { put_bare_mesh(mesh, 4, 3, 0); });
            raw.chunk(1, 1, [](Raw& mesh) { put_bare_mesh(mesh, 4, 1, 255); });
            raw.chunk(2, 3, [](Raw& skin) { skin.u32s({4, 0, 0}).raw({0, 1, 2, 3}).u32s({0, 0, 0, 0, 0, 0}); });
            raw.chunk(2, 3, [](Raw& skin) {
                skin.u32s({4, 1, 1}).raw({1, 1, 2, 3});
                put_influence(skin, 1, 7, 70);
                skin.u32s({0, 1});
            });
        },
        [](const xac::Skinning& skinning, const xac::File& file) {
            EXPECT_EQ(skinning.is_for_collision_mesh, 1);
            EXPECT_EQ(skinning.ranges.size(), 1u);
            EXPECT_EQ(std::get<xac::Skinning>(file.chunks[2].record).ranges.size(), 3u);
            EXPECT_EQ(xac::find_skinning(file, std::get<xac::Mesh>(file.chunks[1].record)), &skinning);
        });
}

Fixture skinning_without_mesh(unsigned version) {
    return fixture<xac::Skinning>(
        "xac_2_skinning_without_mesh_v" + std::to_string(version),
        [version](Raw& raw) {
            raw.chunk(2, version, [version](Raw& skin) {
                skin.u32(4);
                if (version == 4) skin.u32(0);
                if (version >= 3) skin.u32(1);
                if (version >= 2) skin.u32(1);
                skin.raw({0, 1, 2, 3});
                if (version == 1) return;
                put_influence(skin, 1, 2, 80);
                skin.u32s({0, 1, 5, 6});
            });
        },
        [version](const xac::Skinning& skinning, const xac::File&) {
            EXPECT_EQ(skinning.node, 4u);
            EXPECT_TRUE(skinning.vertices.empty());
            if (version == 1) return;
            ASSERT_EQ(skinning.ranges.size(), 2u);
            EXPECT_EQ(skinning.ranges[1].first, 5u);
            EXPECT_EQ(skinning.ranges[1].count, 6u);
        });
}

// --- chunks 3, 4, 5, 13 ---

void put_material_layer(Raw& raw, float base, unsigned last_byte, std::string_view texture) {
    raw.f32s({base, base + 1, base + 2, base + 3, base + 4, base + 5}).u16(0x0102).raw({5, last_byte}).text(texture);
}

void expect_material_layer(const xac::MaterialLayer& layer, float base, unsigned last_byte, std::string_view texture) {
    EXPECT_EQ(layer.amount, base);
    EXPECT_EQ(layer.u_offset, base + 1);
    EXPECT_EQ(layer.v_offset, base + 2);
    EXPECT_EQ(layer.u_tiling, base + 3);
    EXPECT_EQ(layer.v_tiling, base + 4);
    EXPECT_EQ(layer.rotation, base + 5);
    EXPECT_EQ(layer.material, 0x0102);
    EXPECT_EQ(layer.map_type, 5);
    EXPECT_EQ(layer.blend_mode, last_byte);
    EXPECT_EQ(layer.texture, texture);
}

void put_material(Raw& raw, unsigned version, unsigned last_byte) {
    if (version == 3) raw.u32(21);
    for (int value = 1; value <= 20; ++value) raw.f32(static_cast<float>(value));
    raw.raw({1, 2, 'A', last_byte}).text(umlaut_name);
}

void expect_material(const xac::StandardMaterial& material, unsigned version) {
    if (version == 3) {
        EXPECT_EQ(material.lod, 21u);
    }
    EXPECT_EQ(material.ambient, (Color{1, 2, 3, 4}));
    EXPECT_EQ(material.diffuse, (Color{5, 6, 7, 8}));
    EXPECT_EQ(material.specular, (Color{9, 10, 11, 12}));
    EXPECT_EQ(material.emissive, (Color{13, 14, 15, 16}));
    EXPECT_EQ(material.shine, 17);
    EXPECT_EQ(material.shine_strength, 18);
    EXPECT_EQ(material.opacity, 19);
    EXPECT_EQ(material.index_of_refraction, 20);
    EXPECT_EQ(material.double_sided, 1);
    EXPECT_EQ(material.wireframe, 2);
    EXPECT_EQ(material.transparency_type, 'A');
    EXPECT_EQ(material.name, umlaut_name);
}

/// Version 1 counts layers in its last byte and keeps them in chunks of their own.
Fixture material_v1() {
    return fixture<xac::MaterialLayer>(
        "xac_3_material_v1_then_4_layer",
        [](Raw& raw) {
            raw.chunk(3, 1, [](Raw& material) { put_material(material, 1, 2); });
            raw.chunk(4, 1, [](Raw& layer) { put_material_layer(layer, 1, 0x9c, "body"); });
            raw.chunk(4, 1, [](Raw& layer) { put_material_layer(layer, 11, 0x9d, "body_spec"); });
        },
        [](const xac::MaterialLayer& layer, const xac::File& file) {
            ASSERT_EQ(file.chunks.size(), 3u);
            const auto& material = std::get<xac::StandardMaterial>(file.chunks[0].record);
            expect_material(material, 1);
            EXPECT_EQ(material.padding, 2);
            EXPECT_TRUE(material.layers.empty());
            expect_material_layer(std::get<xac::MaterialLayer>(file.chunks[1].record), 1, 0x9c, "body");
            expect_material_layer(layer, 11, 0x9d, "body_spec");
        });
}

Fixture material(unsigned version) {
    return one<xac::StandardMaterial>(
        "xac_3_material_v" + std::to_string(version), 3, version,
        [version](Raw& raw) {
            put_material(raw, version, 2);
            put_material_layer(raw, 1, 3, "body");
            put_material_layer(raw, 11, 4, umlaut_name);
        },
        [version](const xac::StandardMaterial& material) {
            expect_material(material, version);
            ASSERT_EQ(material.layers.size(), 2u);
            expect_material_layer(material.layers[0], 1, 3, "body");
            expect_material_layer(material.layers[1], 11, 4, umlaut_name);
        });
}

Fixture material_layer(unsigned version) {
    return one<xac::MaterialLayer>(
        "xac_4_layer_v" + std::to_string(version), 4, version,
        [](Raw& raw) { put_material_layer(raw, 1, 0x9c, "body"); },
        [](const xac::MaterialLayer& layer) { expect_material_layer(layer, 1, 0x9c, "body"); });
}

Fixture fx_material(unsigned version) {
    return one<xac::FxMaterial>(
        "xac_5_fx_material_v" + std::to_string(version), 5, version,
        [version](Raw& raw) {
            if (version == 3) raw.u32(21);
            raw.u32s({2, 1, 1});
            if (version >= 2) raw.u32s({2, 1});
            raw.u32(1).text(umlaut_name).text("Default.fx");
            if (version >= 2) raw.text("Technique");
            raw.u32(0xfffffffb).text("int 0").u32(6).text("int 1");
            raw.f32(1.5f).text("float");
            raw.f32s({1, 2, 3, 4}).text("colour");
            if (version >= 2) {
                raw.u8(1).text("bool 0").u8(3).text("bool 1");
                raw.f32s({5, 6, 7}).text("vector");
            }
            raw.text("DiffuseTex").text("x.dds");
        },
        [version](const xac::FxMaterial& material) {
            if (version == 3) {
                EXPECT_EQ(material.lod, 21u);
            }
            EXPECT_EQ(material.name, umlaut_name);
            EXPECT_EQ(material.effect_file, "Default.fx");
            ASSERT_EQ(material.ints.size(), 2u);
            EXPECT_EQ(material.ints[0].value, -5);
            EXPECT_EQ(material.ints[1].name, "int 1");
            ASSERT_EQ(material.floats.size(), 1u);
            EXPECT_EQ(material.floats[0].value, 1.5f);
            ASSERT_EQ(material.colors.size(), 1u);
            EXPECT_EQ(material.colors[0].value, (Color{1, 2, 3, 4}));
            ASSERT_EQ(material.bitmaps.size(), 1u);
            EXPECT_EQ(material.bitmaps[0].name, "DiffuseTex");
            EXPECT_EQ(material.bitmaps[0].value, "x.dds");
            if (version == 1) return;
            EXPECT_EQ(material.technique, "Technique");
            ASSERT_EQ(material.bools.size(), 2u);
            EXPECT_EQ(material.bools[1].value, 3);
            EXPECT_EQ(material.bools[1].name, "bool 1");
            ASSERT_EQ(material.vectors.size(), 1u);
            EXPECT_EQ(material.vectors[0].value, (Vec3{5, 6, 7}));
        });
}

Fixture material_info(unsigned version) {
    return one<xac::MaterialInfo>(
        "xac_13_material_info_v" + std::to_string(version), 13, version,
        [version](Raw& raw) {
            if (version == 2) raw.u32(9);
            raw.u32s({7, 5, 2});
        },
        [version](const xac::MaterialInfo& info) {
            if (version == 2) {
                EXPECT_EQ(info.lod, 9u);
            }
            EXPECT_EQ(info.total, 7u);
            EXPECT_EQ(info.standard, 5u);
            EXPECT_EQ(info.fx, 2u);
        });
}

// --- chunk 6 ---

Fixture limit() {
    return one<xac::Limit>(
        "xac_6_limit_v1", 6, 1,
        [](Raw& raw) {
            for (int value = 1; value <= 18; ++value) raw.f32(static_cast<float>(value));
            raw.raw({1, 2, 3, 4, 5, 6, 7, 8, 9, 0xc1, 0xc2, 0xc3}).u32(0x01020304);
        },
        [](const xac::Limit& limit) {
            EXPECT_EQ(limit.translation_min, (Vec3{1, 2, 3}));
            EXPECT_EQ(limit.translation_max, (Vec3{4, 5, 6}));
            EXPECT_EQ(limit.rotation_min, (Vec3{7, 8, 9}));
            EXPECT_EQ(limit.rotation_max, (Vec3{10, 11, 12}));
            EXPECT_EQ(limit.scale_min, (Vec3{13, 14, 15}));
            EXPECT_EQ(limit.scale_max, (Vec3{16, 17, 18}));
            EXPECT_THAT(limit.flags, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
            EXPECT_THAT(limit.padding, ElementsAre(0xc1, 0xc2, 0xc3));
            EXPECT_EQ(limit.node, 0x01020304u);
        });
}

// --- chunk 8 ---

/// An actor in an actor in an actor, each of the other byte order than the one around it.
Fixture mesh_lod() {
    return one<xac::MeshLod>(
        "xac_8_mesh_lod_v1", 8, 1,
        [](Raw& raw) {
            const Bytes inner = actor(raw.big(), 0, [](Raw& file) {
                file.chunk(13, 1, [](Raw& info) { info.u32s({0x01020304, 5, 6}); });
            });
            const Bytes outer = actor(!raw.big(), 0, [&](Raw& file) {
                file.chunk(13, 1, [](Raw& info) { info.u32s({1, 2, 3}); });
                file.chunk(8, 1, [&](Raw& lod) { lod.u32s({4, static_cast<std::uint32_t>(inner.size())}).raw(inner); });
                file.chunk(13, 1, [](Raw& info) { info.u32s({10, 20, 30}); });
            });
            raw.u32s({0x01020304, static_cast<std::uint32_t>(outer.size())}).raw(outer);
        },
        [](const xac::MeshLod& lod) {
            EXPECT_EQ(lod.level, 0x01020304u);
            ASSERT_EQ(lod.actor.size(), 1u);
            const xac::File& outer = lod.actor[0];
            ASSERT_EQ(outer.chunks.size(), 3u);
            EXPECT_EQ(std::get<xac::MaterialInfo>(outer.chunks[0].record).total, 1u);
            EXPECT_EQ(std::get<xac::MaterialInfo>(outer.chunks[2].record).fx, 30u);
            const auto& inner_lod = std::get<xac::MeshLod>(outer.chunks[1].record);
            EXPECT_EQ(inner_lod.level, 4u);
            ASSERT_EQ(inner_lod.actor.size(), 1u);
            EXPECT_NE(inner_lod.actor[0].header.big_endian(), outer.header.big_endian());
            ASSERT_EQ(inner_lod.actor[0].chunks.size(), 1u);
            EXPECT_EQ(std::get<xac::MaterialInfo>(inner_lod.actor[0].chunks[0].record).total, 0x01020304u);
        });
}

Fixture mesh_lod_without_actor() {
    return one<xac::MeshLod>(
        "xac_8_mesh_lod_of_other_bytes", 8, 1,
        [](Raw& raw) {
            raw.u32s({1, 9}).raw({1, 2, 3, 4, 5, 6, 7, 8, 9});
        },
        [](const xac::MeshLod& lod) {
            EXPECT_TRUE(lod.actor.empty());
            EXPECT_EQ(lod.bytes, raw_bytes({1, 2, 3, 4, 5, 6, 7, 8, 9}));
        });
}

// --- chunks 9 and 12 ---

void put_morph_target(Raw& raw, float base) {
    raw.f32s({base, base + 1}).u32s({31, 2, 1, 0x801}).text(umlaut_name);
    raw.u32(3).f32s({base + 2, base + 3}).u32(3);
    raw.u16s({0x0102, 0x0304, 0x0506, 1, 2, 3, 4, 5, 6});
    raw.raw({1, 2, 3, 4, 5, 6, 7, 8, 9}).raw({11, 12, 13, 14, 15, 16, 17, 18, 19});
    raw.u32s({0, 1, 0x01020304});
    raw.u32(4).f32s({base + 4, base + 5}).u32(0);
    raw.u32(5).f32s({1, 2, 3, 4}).f32s({5, 6, 7, 8}).f32s({9, 10, 11}).f32s({12, 13, 14});
}

void expect_morph_target(const xac::MorphTarget& target, float base) {
    EXPECT_EQ(target.range_min, base);
    EXPECT_EQ(target.range_max, base + 1);
    EXPECT_EQ(target.lod, 31u);
    EXPECT_EQ(target.phoneme_sets, 0x801u);
    EXPECT_EQ(target.name, umlaut_name);
    ASSERT_EQ(target.deformations.size(), 2u);
    const xac::MorphDeformation& deformation = target.deformations[0];
    EXPECT_EQ(deformation.node, 3u);
    EXPECT_EQ(deformation.min_value, base + 2);
    EXPECT_EQ(deformation.max_value, base + 3);
    ASSERT_EQ(deformation.positions.size(), 3u);
    EXPECT_THAT(deformation.positions[0].value, ElementsAre(0x0102, 0x0304, 0x0506));
    EXPECT_THAT(deformation.positions[2].value, ElementsAre(4, 5, 6));
    EXPECT_THAT(deformation.normals[1].value, ElementsAre(4, 5, 6));
    EXPECT_THAT(deformation.tangents[2].value, ElementsAre(17, 18, 19));
    EXPECT_THAT(deformation.vertices, ElementsAre(0u, 1u, 0x01020304u));
    EXPECT_EQ(target.deformations[1].max_value, base + 5);
    ASSERT_EQ(target.transformations.size(), 1u);
    EXPECT_EQ(target.transformations[0].node, 5u);
    EXPECT_EQ(target.transformations[0].rotation, (Quat{1, 2, 3, 4}));
    EXPECT_EQ(target.transformations[0].scale_rotation, (Quat{5, 6, 7, 8}));
    EXPECT_EQ(target.transformations[0].position, (Vec3{9, 10, 11}));
    EXPECT_EQ(target.transformations[0].scale, (Vec3{12, 13, 14}));
}

Fixture morph_target() {
    return one<xac::MorphTarget>(
        "xac_9_morph_target_v1", 9, 1, [](Raw& raw) { put_morph_target(raw, 1); },
        [](const xac::MorphTarget& target) { expect_morph_target(target, 1); });
}

Fixture morph_targets() {
    return one<xac::MorphTargets>(
        "xac_12_morph_targets_v1", 12, 1,
        [](Raw& raw) {
            raw.u32s({2, 44});
            put_morph_target(raw, 1);
            put_morph_target(raw, 21);
        },
        [](const xac::MorphTargets& targets) {
            EXPECT_EQ(targets.lod, 44u);
            ASSERT_EQ(targets.targets.size(), 2u);
            expect_morph_target(targets.targets[0], 1);
            expect_morph_target(targets.targets[1], 21);
        });
}

// --- chunks 10, 14, 15 ---

/// With a number in front, which is 0 in all real files; or one group without it.
Fixture node_groups(unsigned number, bool counted) {
    const auto put = [](Raw& raw) { raw.u16(3).raw({1, 0xd1}).text(umlaut_name).u16s({1, 0x0102, 3}); };
    return one<xac::NodeGroups>(
        "xac_10_node_groups_v1_" + std::to_string(number) + (counted ? "" : "_uncounted"), 10, 1,
        [=](Raw& raw) {
            if (counted) raw.u16(static_cast<std::uint16_t>(number));
            for (unsigned i = 0; i < number; ++i) put(raw);
        },
        [=](const xac::NodeGroups& list) {
            EXPECT_EQ(list.counted, counted);
            ASSERT_EQ(list.groups.size(), number);
            for (const xac::NodeGroup& group : list.groups) {
                EXPECT_EQ(group.disabled_on_default, 1);
                EXPECT_THAT(group.padding, ElementsAre(0xd1));
                EXPECT_EQ(group.name, umlaut_name);
                EXPECT_THAT(group.nodes, ElementsAre(1, 0x0102, 3));
            }
        });
}

Fixture motion_sources(bool has_axes) {
    return one<xac::NodeMotionSources>(
        has_axes ? "xac_14_motion_sources_with_axes" : "xac_14_motion_sources_v1", 14, 1,
        [has_axes](Raw& raw) {
            raw.u32(3).u16s({0xffff, 0x0102, 1});
            if (has_axes) raw.raw({1, 2, 3}).raw({4, 5, 6});
        },
        [has_axes](const xac::NodeMotionSources& sources) {
            EXPECT_EQ(sources.has_axes, has_axes);
            EXPECT_THAT(sources.sources, ElementsAre(0xffff, 0x0102, 1));
            if (!has_axes) return;
            EXPECT_THAT(sources.axes, ElementsAre(1, 2, 3));
            EXPECT_THAT(sources.flags, ElementsAre(4, 5, 6));
        });
}

Fixture attachments() {
    return one<xac::AttachmentNodes>(
        "xac_15_attachments_v1", 15, 1,
        [](Raw& raw) {
            raw.u32(2).u16s({0x0102, 9});
        },
        [](const xac::AttachmentNodes& attachments) { EXPECT_THAT(attachments.nodes, ElementsAre(0x0102, 9)); });
}

// --- chunks 50 and 51 ---

void put_events(Raw& raw, unsigned version, bool packed) {
    raw.u32s({2, 1, 2});
    if (version == 4) raw.raw({1, 0xe1, 0xe2, 0xe3}).text("track");
    raw.text("Sound").text("step.wav").text(umlaut_name);
    for (const float time : {1.0f, 2.0f}) {
        raw.f32(time);
        if (version >= 2) raw.f32(time + 0.5f);
        raw.u32(version >= 3 ? 0x01020304 : 0);
        if (version <= 2) {
            raw.u32(0x05060708);
        } else {
            raw.u16(0x0506);
            if (!packed) raw.raw({0xf1, 0xf2});
        }
    }
}

void expect_events(const xac::MotionEvents& events, unsigned version, bool packed) {
    EXPECT_EQ(events.packed, packed);
    ASSERT_EQ(events.tracks.size(), version == 4 ? 2u : 1u);
    for (const emfx::MotionEventTrack& track : events.tracks) {
        if (version == 4) {
            EXPECT_EQ(track.enabled, 1);
            EXPECT_THAT(track.padding, ElementsAre(0xe1, 0xe2, 0xe3));
            EXPECT_EQ(track.name, "track");
        }
        EXPECT_THAT(track.types, ElementsAre("Sound"));
        EXPECT_THAT(track.parameters, ElementsAre("step.wav", std::string(umlaut_name)));
        ASSERT_EQ(track.events.size(), 2u);
        const emfx::MotionEvent& event = track.events[1];
        EXPECT_EQ(event.start_time, 2);
        if (version >= 2) {
            EXPECT_EQ(event.end_time, 2.5f);
        }
        EXPECT_EQ(event.type, version >= 3 ? 0x01020304u : 0u);
        EXPECT_EQ(event.parameter, version >= 3 ? 0x0506u : 0x05060708u);
        if (version >= 3 && !packed) {
            EXPECT_THAT(event.padding, ElementsAre(0xf1, 0xf2));
        }
    }
}

Fixture motion_events(unsigned version, bool packed) {
    return one<xac::MotionEvents>(
        "xac_50_events_v" + std::to_string(version) + (packed ? "_packed" : ""), 50, version,
        [=](Raw& raw) {
            if (version == 4) raw.u32(2);
            put_events(raw, version, packed);
            if (version == 4) put_events(raw, version, packed);
        },
        [=](const xac::MotionEvents& events) { expect_events(events, version, packed); });
}

Fixture timestamp() {
    return one<xac::Timestamp>(
        "xac_51_timestamp_v1", 51, 1,
        [](Raw& raw) {
            raw.u16(2008).raw({1, 9, 0xff, 58, 59, 0x77});
        },
        [](const xac::Timestamp& timestamp) {
            EXPECT_EQ(timestamp.year, 2008);
            EXPECT_EQ(timestamp.month, 1);
            EXPECT_EQ(timestamp.day, 9);
            EXPECT_EQ(timestamp.hours, -1);
            EXPECT_EQ(timestamp.minutes, 58);
            EXPECT_EQ(timestamp.seconds, 59);
            EXPECT_THAT(timestamp.padding, ElementsAre(0x77));
        });
}

Fixture whole() {
    return {"xac_whole", whole_actor, [](const Document& document) {
                EXPECT_EQ(document.get_if<xac::File>()->chunks.size(), 11u);
                EXPECT_EQ(xac::nodes(*document.get_if<xac::File>()).size(), 3u);
            }};
}

}  // namespace

void put_node(Raw& raw, unsigned version, float base, std::uint32_t parent, std::string_view name) {
    raw.f32s({base, base + 0.25f, base + 0.5f, base + 0.75f});
    raw.f32s({base + 1, base + 1.25f, base + 1.5f, base + 1.75f});
    raw.f32(base + 2).u32(nan_bits).f32(base + 2.5f);
    raw.f32s({base + 3, base + 3.25f, base + 3.5f});
    raw.f32s({-1, -2, -3});
    raw.u32(0xfffffff1);
    if (version == 4) raw.u32(0xfffffff2);
    raw.u32(parent);
    if (version == 4) raw.u32(9);
    if (version >= 2) raw.raw({225, 145, 124, 7});
    if (version >= 3) {
        for (int element = 0; element < 16; ++element) raw.f32(base + 10 + static_cast<float>(element));
    }
    if (version == 4) raw.f32(base + 30);
    raw.text(name);
}

void put_bare_mesh(Raw& raw, std::uint32_t node, std::uint32_t original_vertices, unsigned is_collision) {
    raw.u32s({node, original_vertices, 0, 0, 0, 0}).raw({is_collision, 1, 2, 3});
}

namespace {

void put_sound_node(Raw& raw, float x, std::uint32_t parent, std::uint32_t children, std::string_view name) {
    raw.f32s({0, 0, 0, 1}).f32s({0, 0, 0, 1}).f32s({x, 1, 0}).f32s({1, 1, 1}).f32s({-1, -1, -1});
    raw.u32s({0xffffffff, 0xffffffff, parent, children}).raw({1, 145, 124, 7});
    for (int element = 0; element < 16; ++element) raw.f32(element % 5 == 0 ? 1.0f : 0.0f);
    raw.f32(1).text(name);
}

void put_sound_layer_head(Raw& raw, std::uint32_t type, std::uint32_t element_size) {
    raw.u32s({type, element_size}).raw({1, 0, 145, 124});  // bytes, deformations, not scales, padding
}

void put_triangle(Raw& raw, std::uint32_t node, bool skinned) {
    raw.u32s({node, 3, 3, 3, 1, skinned ? 5u : 4u}).raw({0, 149, 136, 20});
    if (skinned) {
        put_sound_layer_head(raw, 5, 4);
        raw.u32s({0, 1, 2});
    }
    put_sound_layer_head(raw, 0, 12);
    raw.f32s({0, 0, 0, 1, 0, 0, 0, 1, 0});
    put_sound_layer_head(raw, 1, 12);
    raw.f32s({0, 0, 1, 0, 0, 1, 0, 0, 1});
    put_sound_layer_head(raw, 3, 8);
    raw.f32s({0, 0, 1, 0, 0, 1});
    put_sound_layer_head(raw, 2, 16);
    for (int vertex = 0; vertex < 3; ++vertex) raw.f32s({1, 0, 0, 1});
    raw.u32s({3, 3, 0, skinned ? 2u : 0u}).u32s({0, 1, 2});
    if (skinned) raw.u32s({0, 1});
}

void put_skinning(Raw& raw) {
    raw.u32s({1, 2, 4}).raw({0, 1, 2, 3});
    put_influence(raw, 1, 0, 1);
    put_influence(raw, 0.5f, 0, 1);
    put_influence(raw, 0.5f, 1, 1);
    put_influence(raw, 1, 1, 1);
    raw.u32s({0, 1, 1, 2, 3, 1});
}

void put_smile(Raw& raw) {
    raw.u32s({1, 0}).f32s({0, 1}).u32s({0, 1, 1, 1}).text("smile");
    raw.u32(2).f32s({-1, 1}).u32(1).u16s({0xffff, 0, 0x8000}).raw({255, 128, 0}).raw({128, 128, 128}).u32(1);
    raw.u32(1).f32s({0, 0, 0, 1}).f32s({0, 0, 0, 1}).f32s({1, 0, 0}).f32s({0, 0, 0});
}

}  // namespace

Bytes whole_actor(bool big) {
    return actor(big, 1, [](Raw& raw) {
        raw.chunk(7, 2, [](Raw& content) { put_info(content, 2); });
        raw.chunk(11, 1, [](Raw& content) {
            content.u32s({3, 1});
            put_sound_node(content, 0, xac::no_node, 2, "root");
            put_sound_node(content, 1, 0, 0, "body");
            put_sound_node(content, 2, 0, 0, umlaut_name);
        });
        raw.chunk(13, 1, [](Raw& content) { content.u32s({1, 1, 0}); });
        raw.lying_chunk(3, 84 + 4 + static_cast<std::uint32_t>(umlaut_name.size()), 2, [](Raw& content) {
            put_material(content, 2, 1);
            put_material_layer(content, 0, 0, "body");
        });
        raw.chunk(1, 1, [](Raw& content) { put_triangle(content, 1, true); });
        raw.chunk(2, 3, put_skinning);
        raw.chunk(1, 1, [](Raw& content) { put_triangle(content, 2, false); });
        raw.chunk(12, 1, put_smile);
        raw.chunk(10, 1, [](Raw& content) { content.u16(1).raw({0, 1}).text("all").u16(1); });
        raw.chunk(14, 1, [](Raw& content) { content.u32(3).u16s({0xffff, 2, 1}); });
        raw.chunk(15, 1, [](Raw& content) { content.u32(1).u16(2); });
    });
}

namespace {

void put_node_of_2007(Raw& raw, std::uint32_t parent, std::string_view name) {
    raw.f32s({0, 0, 0, 1}).f32s({0, 0, 0, 1}).f32s({0, 1, 0}).f32s({1, 1, 1}).f32s({-1, -1, -1});
    raw.u32s({0xffffffff, parent}).raw({1, 145, 124, 7});
    for (int element = 0; element < 16; ++element) raw.f32(element % 5 == 0 ? 1.0f : 0.0f);
    raw.text(name);
}

/// One triangle of three original vertices, all in the first node's hands.
void put_skinning_of_2007(Raw& raw, std::uint32_t node, float weight) {
    raw.u32s({node, 3}).raw({0, 1, 2, 3});
    for (const float one : {1.0f, weight, 1.0f}) put_influence(raw, one, 0, 1);
    raw.u32s({0, 1, 1, 1, 2, 1});
}

/// A level of detail: the nodes and a mesh of them; the coarsest has nothing.
Bytes level_of(bool big, std::uint32_t level) {
    const bool skinned = level != 0;
    return actor(big, 0, [&](Raw& raw) {
        if (level == 2) return;
        raw.chunk(7, 2, [](Raw& content) { put_info(content, 2); });
        raw.chunk(0, 3, [](Raw& content) { put_node_of_2007(content, xac::no_node, "root"); });
        raw.chunk(0, 3, [](Raw& content) { put_node_of_2007(content, 0, "body"); });
        raw.chunk(1, 1, [&](Raw& content) { put_triangle(content, 1, skinned); });
        if (skinned) raw.chunk(2, 2, [](Raw& content) { put_skinning_of_2007(content, 1, 1); });
    });
}

}  // namespace

Bytes actor_of_2007(bool big) {
    return actor(big, 0, [](Raw& raw) {
        raw.chunk(7, 2, [](Raw& content) { put_info(content, 2); });
        raw.chunk(0, 3, [](Raw& content) { put_node_of_2007(content, xac::no_node, "root"); });
        raw.chunk(0, 3, [](Raw& content) { put_node_of_2007(content, 0, "body"); });
        raw.chunk(0, 3, [](Raw& content) { put_node_of_2007(content, 1, umlaut_name); });
        raw.chunk(10, 1, [](Raw& content) { content.u16(0); });
        raw.chunk(3, 1, [](Raw& content) { put_material(content, 1, 2); });
        raw.chunk(4, 2, [](Raw& content) { put_material_layer(content, 0, 0, "body"); });
        raw.chunk(4, 2, [](Raw& content) { put_material_layer(content, 1, 7, "body_spec"); });
        raw.chunk(1, 1, [](Raw& content) { put_triangle(content, 1, true); });
        raw.chunk(1, 1, [](Raw& content) { put_triangle(content, 2, true); });
        raw.chunk(2, 2, [](Raw& content) { put_skinning_of_2007(content, 1, 1); });
        raw.chunk(2, 2, [](Raw& content) { put_skinning_of_2007(content, 2, 1); });
    });
}

Bytes broken_actor(bool big) {
    return actor(big, 1, [big](Raw& raw) {
        raw.chunk(7, 2, [](Raw& content) { put_info(content, 2); });
        raw.chunk(0, 3, [](Raw& content) { put_node_of_2007(content, xac::no_node, "root"); });
        raw.chunk(0, 3, [](Raw& content) { put_node_of_2007(content, 0, "body"); });
        raw.chunk(0, 3, [](Raw& content) {
            constexpr float infinity = std::numeric_limits<float>::infinity();
            content.f32s({0, 0, 0, 0}).f32s({0, 0, 0, 0}).f32(1).u32(nan_bits).f32(0);
            content.f32s({infinity, -infinity, 1}).f32s({-1, -1, -1}).u32s({0xffffffff, 0}).raw({1, 145, 124, 7});
            for (int element = 0; element < 16; ++element) content.u32(nan_bits);
            content.text("nowhere");
        });
        raw.chunk(3, 1, [](Raw& content) { put_material(content, 1, 2); });
        raw.chunk(1, 1, [](Raw& content) {
            content.u32s({1, 3, 3, 3, 1, 3}).raw({0, 149, 136, 20});
            put_sound_layer_head(content, 5, 4);
            content.u32s({0, 1, 2});
            put_sound_layer_head(content, 0, 12);
            content.f32s({0, 0, 0, 1, 0, 0, 0, 1, 0});
            put_sound_layer_head(content, 3, 8);
            content.f32s({0, 0, 1}).u32(nan_bits).u32(nan_bits).f32(1);
            content.u32s({3, 3, 0, 1}).u32s({0, 1, 2}).u32(0);
        });
        raw.chunk(2, 2,
                  [](Raw& content) { put_skinning_of_2007(content, 1, std::bit_cast<float>(nan_bits | 0x400000u)); });
        raw.chunk(1, 1, [](Raw& content) { put_bare_mesh(content, 0, 0); });
        raw.chunk(2, 2, [](Raw& content) { content.u32s({0, 0}).raw({0, 1, 2, 3}); });
        for (const std::uint32_t level : {2u, 0u, 1u}) {
            raw.chunk(8, 1, [&](Raw& content) {
                const Bytes inner = level_of(big, level);
                content.u32s({level, static_cast<std::uint32_t>(inner.size())}).raw(inner);
            });
        }
    });
}

const std::vector<Fixture>& xac_fixtures() {
    static const std::vector<Fixture> fixtures{
        node(1),
        node(2),
        node(3),
        node(4),
        mesh(1),
        mesh(2),
        mesh_with_odd_layers(),
        skinning(1),
        skinning(2),
        skinning(3),
        skinning(4),
        skinning_of_collision_mesh(),
        skinning_without_mesh(1),
        skinning_without_mesh(2),
        skinning_without_mesh(3),
        skinning_without_mesh(4),
        material_v1(),
        material(2),
        material(3),
        material_layer(1),
        material_layer(2),
        fx_material(1),
        fx_material(2),
        fx_material(3),
        limit(),
        info(1),
        info(2),
        info(3),
        info(4),
        mesh_lod(),
        mesh_lod_without_actor(),
        morph_target(),
        node_groups(0, true),
        node_groups(2, true),
        node_groups(1, false),
        nodes(),
        morph_targets(),
        material_info(1),
        material_info(2),
        motion_sources(false),
        motion_sources(true),
        attachments(),
        motion_events(1, false),
        motion_events(2, false),
        motion_events(3, false),
        motion_events(3, true),
        motion_events(4, false),
        motion_events(4, true),
        timestamp(),
        whole(),
        {"xac_of_2007", actor_of_2007,
         [](const Document& document) {
             const auto& file = *document.get_if<xac::File>();
             EXPECT_EQ(xac::nodes(file).size(), 3u);
             EXPECT_TRUE(std::get<xac::NodeGroups>(file.chunks.at(4).record).groups.empty());
             EXPECT_EQ(std::get<xac::Skinning>(file.chunks.at(10).record).ranges.size(), 3u);
         }},
        {"xac_broken", broken_actor,
         [](const Document& document) {
             EXPECT_EQ(std::get<xac::MeshLod>(document.get_if<xac::File>()->chunks.back().record).level, 1u);
         }},
    };
    return fixtures;
}

}  // namespace effigy::test
