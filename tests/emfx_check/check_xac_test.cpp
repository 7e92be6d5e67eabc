/// Rules for actors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "files.hpp"

namespace effigy::test {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using File = xac::File;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t original_layer = 0, position_layer = 1, normal_layer = 2, uv_layer = 3, tangent_layer = 4;

xac::Node& node(File& file, std::size_t index) { return record<xac::Nodes>(file, nodes_chunk).nodes.at(index); }
xac::Mesh& body(File& file) { return record<xac::Mesh>(file, skinned_mesh_chunk); }
xac::Mesh& prop(File& file) { return record<xac::Mesh>(file, rigid_mesh_chunk); }
xac::Skinning& skin(File& file) { return record<xac::Skinning>(file, skinning_chunk); }
xac::StandardMaterial& material(File& file) { return record<xac::StandardMaterial>(file, standard_material_chunk); }
xac::FxMaterial& fx(File& file) { return record<xac::FxMaterial>(file, fx_material_chunk); }
xac::MorphTarget& smile(File& file) { return record<xac::MorphTargets>(file, morph_targets_chunk).targets.at(0); }
xac::MorphDeformation& deformation(File& file) { return smile(file).deformations.at(0); }
File& level(File& file) { return record<xac::MeshLod>(file, lod_chunk).actor.at(0); }

void add_root(File& file, const char* name) {
    auto& list = record<xac::Nodes>(file, nodes_chunk);
    list.nodes.emplace_back().name = name;
    ++list.root_count;
    auto& mirror = record<xac::NodeMotionSources>(file, mirror_chunk);
    mirror.sources.push_back(static_cast<std::uint16_t>(list.nodes.size() - 1));
    mirror.axes.push_back(0);
    mirror.flags.push_back(0);
}

void swap_chunks(File& file, std::size_t left, std::size_t right) {
    std::swap(file.chunks.at(left), file.chunks.at(right));
}

void erase_chunk(File& file, std::size_t index) {
    file.chunks.erase(file.chunks.begin() + static_cast<std::ptrdiff_t>(index));
}

void copy_chunk(File& file, std::size_t index) {
    const xac::Chunk copy = file.chunks.at(index);
    file.chunks.push_back(copy);
}

/// What is left when only chunks that need no nodes stay.
void erase_nodes(File& file) {
    file.chunks.erase(file.chunks.begin() + nodes_chunk, file.chunks.begin() + events_chunk);
    file.chunks.pop_back();
}

using Cases = std::vector<Case<File>>;

Cases container_cases() {
    return {
        {"header-version", "header / major_version", [](File& file) { file.header.minor_version = 1; }, "1.1"},
        {"header-endian", "header / endian", [](File& file) { file.header.endian = 2; }, "2"},
        {"header-order", "header / multiplication_order", [](File& file) { file.header.multiplication_order = 3; }},
        {"trailing-bytes", "trailing", [](File& file) { file.trailing.resize(1); }},
        {"info-missing", "", [](File& file) { erase_chunk(file, info_chunk); }},
        {"info-first", "chunk[1] info", [](File& file) { swap_chunks(file, info_chunk, nodes_chunk); }},
        {"info-several", "chunk[17] info", [](File& file) { copy_chunk(file, info_chunk); }},
        {"node-range", "chunk[0] info / reposition_node",
         [](File& file) { record<xac::Info>(file, info_chunk).reposition_node = 4; }, "4"},
        {"text-encoding", "chunk[1] nodes / node[1] / name",
         [](File& file) {
             node(file, 1).name =
                 "S\xe4"
                 "bel";
         },
         "\"S\\xe4bel\""},
    };
}

Cases node_cases() {
    return {
        {"nodes-missing", "", erase_nodes},
        {"nodes-second", "chunk[2] nodes", [](File& file) { swap_chunks(file, nodes_chunk, limit_chunk); }},
        {"nodes-several", "chunk[17] nodes",
         [](File& file) {
             xac::Node extra;
             extra.name = "extra";
             file.chunks.push_back({11, 1, {}, xac::Nodes{1, {extra}}, {}});
             record<xac::NodeMotionSources>(file, mirror_chunk).sources.push_back(4);
             record<xac::NodeMotionSources>(file, mirror_chunk).axes.push_back(0);
             record<xac::NodeMotionSources>(file, mirror_chunk).flags.push_back(0);
         }},
        {"node-parent-range", "chunk[1] nodes / node[1] / parent", [](File& file) { node(file, 1).parent = 4; }, "4"},
        {"node-parent-self", "chunk[1] nodes / node[1] / parent", [](File& file) { node(file, 1).parent = 1; }},
        {"node-parent-cycle", "chunk[1] nodes / node[0] / parent", [](File& file) { node(file, 0).parent = 1; },
         "1, a ring of 2 nodes"},
        {"node-parent-order", "chunk[1] nodes / node[1] / parent", [](File& file) { node(file, 1).parent = 3; }},
        {"node-child-count", "chunk[1] nodes / node[0] / child_count",
         [](File& file) { node(file, 0).child_count = 3; }, "3"},
        {"node-root-count", "chunk[1] nodes / root_count",
         [](File& file) { record<xac::Nodes>(file, nodes_chunk).root_count = 1; }},
        {"node-name-duplicate", "chunk[1] nodes / node[3] / name", [](File& file) { node(file, 3).name = "arm"; }},
        {"node-name-empty", "chunk[1] nodes / node[3] / name", [](File& file) { node(file, 3).name = ""; }},
        {"not-finite", "chunk[1] nodes / node[2] / position", [](File& file) { node(file, 2).position.z = nan; }},
        {"not-finite", "chunk[1] nodes / node[2] / rotation", [](File& file) { node(file, 2).rotation.x = nan; }},
        {"rotation-norm", "chunk[1] nodes / node[2] / rotation", [](File& file) { node(file, 2).rotation.w = 0; },
         "(0, 0, 0, 0)"},
        {"node-scale-zero", "chunk[1] nodes / node[2] / scale", [](File& file) { node(file, 2).scale.x = 0; }},
        {"node-scale-order", "chunk[1] nodes / node[2] / scale",
         [](File& file) {
             file.header.multiplication_order = 1;
             node(file, 2).scale.x = 2;
         }},
    };
}

Cases mesh_cases() {
    return {
        {"node-range", "chunk[9] mesh / submesh[0] / bones[0]",
         [](File& file) { prop(file).submeshes[0].bones = {77}; }, "77"},
        {"mesh-duplicate", "chunk[17] mesh", [](File& file) { copy_chunk(file, rigid_mesh_chunk); }},
        {"mesh-vertex-total", "chunk[9] mesh / vertex_count",
         [](File& file) { prop(file).submeshes[0].vertex_count = 4; }},
        {"mesh-index-total", "chunk[9] mesh / index_count", [](File& file) { prop(file).index_count = 6; }, "6"},
        {"mesh-index-multiple", "chunk[9] mesh / submesh[0] / indices",
         [](File& file) {
             prop(file).submeshes[0].indices.push_back(0);
             prop(file).index_count = 4;
         }},
        {"mesh-index-range", "chunk[7] mesh / submesh[1] / indices[2]",
         [](File& file) { body(file).submeshes[1].indices[2] = 4; }, "4"},
        {"mesh-material-range", "chunk[7] mesh / submesh[1] / material",
         [](File& file) { body(file).submeshes[1].material = 2; }},
        {"mesh-palette", "chunk[7] mesh / submesh[0] / bones",
         [](File& file) { body(file).submeshes[0].bones.resize(1); }, "1 bone"},
        {"mesh-palette", "chunk[7] mesh / submesh[0] / bones[1]",
         [](File& file) { body(file).submeshes[0].bones[1] = 3; }, "3"},
        {"mesh-layer-size", "chunk[7] mesh / layer[1] / element_size",
         [](File& file) { body(file).layers[position_layer].element_size = 16; }, "16"},
        {"mesh-layer-size", "chunk[7] mesh / layer[1] / data",
         [](File& file) { body(file).layers[position_layer].data.pop_back(); }},
        {"mesh-layer-order", "chunk[7] mesh / layer[1] / type",
         [](File& file) { std::swap(body(file).layers[0], body(file).layers[1]); }},
        {"mesh-layer-duplicate", "chunk[7] mesh / layer[5] / type",
         [](File& file) {
             const xac::VertexLayer copy = body(file).layers[normal_layer];
             body(file).layers.push_back(copy);
         }},
        {"mesh-layer-unknown", "chunk[7] mesh / layer[5] / type",
         [](File& file) {
             body(file).layers.push_back({xac::LayerType{42}, 1, 0, 0, {}, Bytes(body(file).vertex_count)});
         },
         "42"},
        {"mesh-tangent-count", "chunk[7] mesh",
         [](File& file) {
             const xac::VertexLayer copy = body(file).layers[tangent_layer];
             body(file).layers.push_back(copy);
         }},
        {"mesh-position-missing", "chunk[9] mesh",
         [](File& file) { prop(file).layers.erase(prop(file).layers.begin() + position_layer); }},
        {"mesh-normal-missing", "chunk[9] mesh",
         [](File& file) { prop(file).layers.erase(prop(file).layers.begin() + normal_layer); }},
        {"mesh-original-range", "chunk[9] mesh / layer[0] / data[2]",
         [](File& file) { element<std::uint32_t>(prop(file), original_layer, 2) = 3; }, "3"},
        {"not-finite", "chunk[7] mesh / layer[1] / data[5]",
         [](File& file) { element<Vec3>(body(file), position_layer, 5).y = nan; }, "(5, nan, 1)"},
        {"mesh-uv-not-finite", "chunk[7] mesh / layer[3] / data[6]",
         [](File& file) { element<Vec2>(body(file), uv_layer, 6).y = nan; }, "(0.5, nan)"},
        {"mesh-normal-length", "chunk[7] mesh / layer[2] / data[1]",
         [](File& file) { element<Vec3>(body(file), normal_layer, 1).y = 0.5f; }},
        {"mesh-tangent-length", "chunk[7] mesh / layer[4] / data[1]",
         [](File& file) { element<Vec4>(body(file), tangent_layer, 1).x = 0; }, "(0, 0, 0, -1)"},
        {"mesh-tangent-sign", "chunk[7] mesh / layer[4] / data[1]",
         [](File& file) { element<Vec4>(body(file), tangent_layer, 1).w = 0; }},
    };
}

Cases skin_cases() {
    return {
        {"skin-mesh-missing", "chunk[8] skinning / node", [](File& file) { skin(file).is_for_collision_mesh = 1; }},
        {"skin-mesh-order", "chunk[7] skinning",
         [](File& file) { swap_chunks(file, skinned_mesh_chunk, skinning_chunk); }},
        {"skin-duplicate", "chunk[17] skinning", [](File& file) { copy_chunk(file, skinning_chunk); }},
        {"skin-original-missing", "chunk[8] skinning",
         [](File& file) { body(file).layers.erase(body(file).layers.begin()); }},
        {"skin-range-count", "chunk[8] skinning / ranges", [](File& file) { body(file).original_vertex_count = 5; }},
        {"skin-range", "chunk[8] skinning / ranges[3]",
         [](File& file) {
             skin(file).ranges[3] = {0xffffffffu, 1};
         },
         "4294967295 + 1"},
        {"skin-contiguous", "chunk[8] skinning / ranges[3]", [](File& file) { skin(file).ranges[3].first = 3; }},
        {"skin-contiguous", "chunk[8] skinning / influences[5]",
         [](File& file) {
             skin(file).influences.push_back({1, 0, {}});
         }},
        {"skin-bone-count", "chunk[8] skinning / local_bone_count", [](File& file) { skin(file).local_bone_count = 3; },
         "3"},
        {"skin-node", "chunk[8] skinning / influences[4]", [](File& file) { skin(file).influences[4].node = 4; }, "4"},
        {"skin-weight", "chunk[8] skinning / influences[1]",
         [](File& file) {
             skin(file).influences[1].weight = -0.25f;
             skin(file).influences[2].weight = 1;
             skin(file).influences.insert(skin(file).influences.begin() + 3, {0.25f, 2, {}});
             skin(file).ranges = {{0, 1}, {1, 3}, {4, 1}, {5, 1}};
             skin(file).local_bone_count = 3;
             for (xac::Submesh& submesh : body(file).submeshes) submesh.bones.push_back(2);
         }},
        {"skin-weight-sum", "chunk[8] skinning / ranges[1]", [](File& file) { skin(file).influences[1].weight = 0.5f; },
         "sum 1.25"},
        {"skin-vertex-loose", "chunk[8] skinning / ranges[3]",
         [](File& file) {
             skin(file).influences.pop_back();
             skin(file).ranges[3].count = 0;
         }},
        {"skin-influence-count", "chunk[8] skinning / ranges[3]",
         [](File& file) {
             add_root(file, "extra");
             skin(file).influences.pop_back();
             for (std::uint16_t joint = 0; joint < 5; ++joint) skin(file).influences.push_back({0.2f, joint, {}});
             skin(file).ranges[3].count = 5;
             skin(file).local_bone_count = 5;
             body(file).submeshes[1].bones = {0, 1, 2, 3, 4};
         },
         "5 influences"},
        {"skin-repeated-joint", "chunk[8] skinning / ranges[3]",
         [](File& file) {
             skin(file).influences.back().weight = 0.5f;
             skin(file).influences.push_back({0.5f, 1, {}});
             skin(file).ranges[3].count = 2;
         },
         "2 influences"},
        {"not-finite", "chunk[8] skinning / influences[1]", [](File& file) { skin(file).influences[1].weight = nan; }},
    };
}

Cases material_cases() {
    return {
        {"material-info-missing", "", [](File& file) { erase_chunk(file, material_info_chunk); }},
        {"material-info-count", "chunk[3] material_info / total",
         [](File& file) { record<xac::MaterialInfo>(file, material_info_chunk).total = 3; }, "3"},
        {"material-layer-number", "chunk[6] material_layer / material",
         [](File& file) { record<xac::MaterialLayer>(file, material_layer_chunk).material = 2; }},
        {"material-map-type", "chunk[4] standard_material / layer[0] / map_type",
         [](File& file) { material(file).layers[0].map_type = 14; }},
        {"material-transparency", "chunk[4] standard_material / transparency_type",
         [](File& file) { material(file).transparency_type = 0; }},
        {"material-opacity", "chunk[4] standard_material / opacity", [](File& file) { material(file).opacity = 3; },
         "3"},
        {"not-finite", "chunk[4] standard_material / diffuse", [](File& file) { material(file).diffuse.g = nan; }},
        {"not-finite", "chunk[5] fx_material / float[0] / value", [](File& file) { fx(file).floats[0].value = nan; }},
        {"texture-none", "chunk[4] standard_material / layer[0] / texture",
         [](File& file) { material(file).layers[0].texture = "NoSpec"; }},
        {"texture-none", "chunk[5] fx_material / bitmap[0] / value",
         [](File& file) { fx(file).bitmaps[0].value = ""; }},
        {"texture-path", "chunk[4] standard_material / layer[0] / texture",
         [](File& file) { material(file).layers[0].texture = "body.dds"; }},
        {"texture-path", "chunk[5] fx_material / bitmap[0] / value",
         [](File& file) { fx(file).bitmaps[0].value = "c:\\art\\body.dds"; }},
    };
}

Cases other_cases() {
    return {
        {"extra-bytes", "chunk[2] limit / trailing", [](File& file) { file.chunks[limit_chunk].trailing.resize(4); }},
        {"opaque-chunk", "chunk[17] opaque",
         [](File& file) {
             file.chunks.push_back({77, 1, {}, xac::Opaque{}, {}});
         }},
        {"node-limit-order", "chunk[2] limit / rotation_min",
         [](File& file) { record<xac::Limit>(file, limit_chunk).rotation_min.y = 1; }},
        {"node-range", "chunk[2] limit / node", [](File& file) { record<xac::Limit>(file, limit_chunk).node = 9; }},
        {"node-range", "chunk[11] node_groups / group[0] / nodes[0]",
         [](File& file) { record<xac::NodeGroups>(file, node_group_chunk).groups[0].nodes[0] = 4; }},
        {"node-range", "chunk[12] node_motion_sources / sources[1]",
         [](File& file) { record<xac::NodeMotionSources>(file, mirror_chunk).sources[1] = 4; }},
        {"mirror-count", "chunk[12] node_motion_sources / axes",
         [](File& file) { record<xac::NodeMotionSources>(file, mirror_chunk).axes.resize(3); }},
        {"node-range", "chunk[13] attachment_nodes / nodes[0]",
         [](File& file) { record<xac::AttachmentNodes>(file, attachment_chunk).nodes[0] = 4; }},
        {"event-range", "chunk[14] motion_events / track[0] / event[0] / type",
         [](File& file) { record<xac::MotionEvents>(file, events_chunk).tracks[0].events[0].type = 5; }},
        {"timestamp", "chunk[15] timestamp / hours",
         [](File& file) { record<xac::Timestamp>(file, timestamp_chunk).hours = -1; }, "-1"},
        {"lod-actor", "chunk[16] mesh_lod", [](File& file) { record<xac::MeshLod>(file, lod_chunk).actor.clear(); }},
        {"lod-node", "chunk[16] mesh_lod / actor / chunk[1] nodes / node[0] / name",
         [](File& file) { node(level(file), 0).name = "stranger"; }, "\"stranger\""},
        {"info-missing", "chunk[16] mesh_lod / actor", [](File& file) { erase_chunk(level(file), 0); }},
        {"header-version", "chunk[16] mesh_lod / actor / header / major_version",
         [](File& file) { level(file).header.major_version = 2; }},
        {"morph-range", "chunk[10] morph_targets / target[0] / range_min",
         [](File& file) { smile(file).range_min = 1; }},
        {"morph-name-empty", "chunk[10] morph_targets / target[0] / name", [](File& file) { smile(file).name = ""; }},
        {"morph-name-duplicate", "chunk[10] morph_targets / target[1] / name",
         [](File& file) { smile(file).name = "blink"; }},
        {"morph-delta-range", "chunk[10] morph_targets / target[0] / deformation[0] / min_value",
         [](File& file) { deformation(file).min_value = 2; }},
        {"morph-arrays", "chunk[10] morph_targets / target[0] / deformation[0] / normals",
         [](File& file) { deformation(file).normals.resize(1); }},
        {"morph-mesh", "chunk[10] morph_targets / target[0] / deformation[0] / node",
         [](File& file) { deformation(file).node = 1; }},
        {"node-range", "chunk[10] morph_targets / target[0] / deformation[0] / node",
         [](File& file) { deformation(file).node = 4; }},
        {"morph-vertex", "chunk[10] morph_targets / target[0] / deformation[0] / vertices[1]",
         [](File& file) { deformation(file).vertices[1] = 3; }, "3"},
        {"morph-vertex-repeated", "chunk[10] morph_targets / target[0] / deformation[0] / vertices",
         [](File& file) { deformation(file).vertices[1] = 0; }, "0 again"},
        {"rotation-norm", "chunk[10] morph_targets / target[0] / transformation[0] / rotation",
         [](File& file) { smile(file).transformations[0].rotation.w = 3; }},
    };
}

}  // namespace

const std::vector<Case<File>>& xac_cases() {
    static const Cases cases = [] {
        Cases all;
        for (const Cases& some :
             {container_cases(), node_cases(), mesh_cases(), skin_cases(), material_cases(), other_cases()})
            all.insert(all.end(), some.begin(), some.end());
        return all;
    }();
    return cases;
}

namespace {

TEST(CheckXac, FindsNothingInAGoodFile) { EXPECT_THAT(summary(xac::check(good_actor())), IsEmpty()); }

class XacRule : public testing::TestWithParam<Case<File>> {};
TEST_P(XacRule, IsFoundAlone) {
    File file = good_actor();
    GetParam().change(file);
    const Report report = xac::check(file);
    ASSERT_THAT(summary(report), ElementsAre(GetParam().code + " at " + GetParam().path));
    if (!GetParam().found.empty()) {
        EXPECT_EQ(report.diagnostics()[0].found, GetParam().found);
    }
    EXPECT_FALSE(report.diagnostics()[0].found.empty());
    EXPECT_FALSE(report.diagnostics()[0].expected.empty());
}
INSTANTIATE_TEST_SUITE_P(CheckXac, XacRule, testing::ValuesIn(xac_cases()));

TEST(CheckXac, ManyBadVerticesAreOneFinding) {
    File file = good_actor();
    for (std::size_t vertex = 2; vertex < 6; ++vertex) element<Vec3>(body(file), normal_layer, vertex) = {};
    const Report report = xac::check(file);
    ASSERT_THAT(summary(report), ElementsAre("mesh-normal-length at chunk[7] mesh / layer[2] / data[2]"));
    EXPECT_THAT(report.diagnostics()[0].message, testing::HasSubstr("4 in all"));
}

TEST(CheckXac, TextInTwoEncodingsIsReported) {
    File file = good_actor();
    node(file, 1).name =
        "S\xe4"
        "bel";
    node(file, 2).name = "K\xc3\xb6rper";
    EXPECT_THAT(summary(xac::check(file)), ElementsAre("text-encoding at chunk[1] nodes / node[1] / name",
                                                       "text-mixed at chunk[1] nodes / node[1] / name"));
}

TEST(CheckXac, SingleNodesAreCheckedLikeAList) {
    File file;
    file.chunks.push_back({7, 2, {}, xac::Info{}, {}});
    for (const char* name : {"a", "b", "b"}) {
        xac::Node single;
        single.name = name;
        file.chunks.push_back({0, 3, {}, single, {}});
    }
    record<xac::Node>(file, 3).parent = 5;
    EXPECT_THAT(summary(xac::check(file)), ElementsAre("node-parent-range at chunk[3] node / parent",
                                                       "node-name-duplicate at chunk[3] node / name"));
}

TEST(CheckXac, VertexListsOfOldSkinningAreChecked) {
    File file = good_actor();
    file.chunks[skinning_chunk].version = 1;
    const Bulk<xac::Influence> table = skin(file).influences;
    for (const xac::InfluenceRange range : skin(file).ranges) {
        xac::VertexInfluences list;
        for (std::uint32_t place = 0; place < range.count; ++place)
            list.influences.push_back(table[range.first + place]);
        skin(file).vertices.push_back(list);
    }
    skin(file).influences.clear();
    skin(file).ranges.clear();
    EXPECT_THAT(summary(xac::check(file)), IsEmpty());
    skin(file).vertices[1].influences[1].node = 9;
    EXPECT_THAT(summary(xac::check(file)), ElementsAre("skin-node at chunk[8] skinning / vertex[1] / influences[1]"));
}

TEST(CheckXac, DeepNestingEnds) {
    File file = good_actor();
    for (int depth = 0; depth < 100; ++depth) {
        File outer = good_actor();
        record<xac::MeshLod>(outer, lod_chunk).actor = {std::move(file)};
        file = std::move(outer);
    }
    EXPECT_EQ(xac::check(file).count("lod-depth"), 1u);
}

/// Every vertex takes the whole table: comparing them all would take the product of both sizes.
TEST(CheckXac, OverlappingInfluencesDoNotTakeForever) {
    constexpr std::uint32_t count = 1u << 20;
    File file = good_actor();
    skin(file).influences.assign(count, {0, 0, {}});
    skin(file).ranges.assign(count, {0, count});
    body(file).original_vertex_count = count;
    EXPECT_GE(xac::check(file).count("skin-overlap"), 1u);
}

TEST(CheckXac, AMeshWithoutVerticesNeedsNoLayers) {
    File file = good_actor();
    file.chunks.push_back({1, 1, {}, xac::Mesh{}, {}});
    EXPECT_THAT(summary(xac::check(file)), IsEmpty());
}

TEST(CheckXac, AnEmptyFileIsSafe) {
    EXPECT_THAT(summary(xac::check(File{})), ElementsAre("info-missing at ", "nodes-missing at "));
}

/// Records that contradict themselves in every number.
TEST(CheckXac, NonsenseIsSafe) {
    for (const std::uint32_t value : {0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
        File file = good_actor();
        for (std::size_t index = 0; index < 4; ++index) node(file, index).parent = value;
        body(file).vertex_count = body(file).original_vertex_count = body(file).index_count = value;
        for (xac::VertexLayer& layer : body(file).layers) layer.element_size = value;
        for (xac::Submesh& submesh : body(file).submeshes) submesh.vertex_count = submesh.material = value;
        for (xac::InfluenceRange& range : skin(file).ranges) range = {value, value};
        deformation(file).node = value;
        EXPECT_FALSE(xac::check(file).empty());
    }
}

}  // namespace
}  // namespace effigy::test
