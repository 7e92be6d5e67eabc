/// Makes sound files and breaks one rule in each.

#include "files.hpp"

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
    xac::VertexLayer layer;
    layer.type = type;
    layer.element_size = sizeof(T);
    layer.data = raw(values);
    return layer;
}

/// `originals[v]` is the original vertex of vertex v.
xac::Mesh mesh(std::uint32_t node, const std::vector<std::uint32_t>& originals, std::uint32_t original_count) {
    const std::size_t count = originals.size();
    std::vector<Vec3> positions;
    for (std::size_t vertex = 0; vertex < count; ++vertex) positions.push_back({static_cast<float>(vertex), 0, 1});
    xac::Mesh mesh;
    mesh.node = node;
    mesh.original_vertex_count = original_count;
    mesh.vertex_count = static_cast<std::uint32_t>(count);
    mesh.layers.push_back(layer(xac::LayerType::original_vertex, originals));
    mesh.layers.push_back(layer(xac::LayerType::position, positions));
    mesh.layers.push_back(layer(xac::LayerType::normal, std::vector<Vec3>(count, {0, 1, 0})));
    mesh.layers.push_back(layer(xac::LayerType::uv, std::vector<Vec2>(count, {0.5f, 0.5f})));
    mesh.layers.push_back(layer(xac::LayerType::tangent, std::vector<Vec4>(count, {1, 0, 0, -1})));
    return mesh;
}

xac::Submesh submesh(std::uint32_t vertices, std::uint32_t material, Bulk<std::uint32_t> bones) {
    xac::Submesh submesh;
    submesh.vertex_count = vertices;
    submesh.material = material;
    submesh.indices = {0, 1, 2};
    submesh.bones = std::move(bones);
    return submesh;
}

xac::Mesh skinned_mesh() {
    xac::Mesh body = mesh(2, {0, 1, 2, 2, 1, 0, 3}, 4);
    body.index_count = 6;
    body.submeshes.push_back(submesh(3, 0, {0, 1}));
    body.submeshes.push_back(submesh(4, 1, {1, 0}));
    return body;
}

xac::Skinning skinning() {
    xac::Skinning skinning;
    skinning.node = 2;
    skinning.local_bone_count = 2;
    skinning.influences = {{1, 0, {}}, {0.25f, 0, {}}, {0.75f, 1, {}}, {1, 1, {}}, {1, 1, {}}};
    skinning.ranges = {{0, 1}, {1, 2}, {3, 1}, {4, 1}};
    return skinning;
}

xac::Mesh rigid_mesh() {
    xac::Mesh prop = mesh(3, {0, 1, 2}, 3);
    prop.index_count = 3;
    prop.submeshes.push_back(submesh(3, 1, {}));
    return prop;
}

xac::MorphTargets morph_targets() {
    xac::MorphDeformation deformation;
    deformation.node = 3;
    deformation.max_value = 1;
    deformation.positions.resize(2);
    deformation.normals.resize(2);
    deformation.tangents.resize(2);
    deformation.vertices = {0, 2};
    xac::MorphTransformation transformation;
    transformation.node = 1;
    xac::MorphTarget smile;
    smile.name = "smile";
    smile.deformations.push_back(deformation);
    smile.transformations.push_back(transformation);
    xac::MorphTarget blink;
    blink.name = "blink";
    return {0, {smile, blink}};
}

xac::Limit limit() {
    xac::Limit limit;
    limit.node = 1;
    limit.scale_max = {1, 1, 1};
    return limit;
}

xac::FxMaterial fx_material() {
    xac::FxMaterial material;
    material.name = "glow";
    material.effect_file = "Default.fx";
    material.ints.push_back({1, "channel"});
    material.floats.push_back({0.5f, "strength"});
    material.colors.push_back({{1, 0, 0, 1}, "tint"});
    material.bools.push_back({1, "blend"});
    material.vectors.push_back({{0, 1, 0}, "wind"});
    material.bitmaps.push_back({"DiffuseTex", "prop.dds"});
    return material;
}

xac::StandardMaterial standard_material() {
    xac::StandardMaterial material;
    material.name = "skin";
    xac::MaterialLayer diffuse;
    diffuse.map_type = 2;
    diffuse.texture = "body_diffuse";
    material.layers.push_back(diffuse);
    return material;
}

emfx::MotionEvents events() {
    emfx::MotionEventTrack track;
    track.types = {"sound"};
    track.parameters = {"step"};
    track.events.push_back({0.5f, 0.5f, 0, 0, {}});
    return {false, {track}};
}

emfx::Timestamp timestamp() { return {2011, 5, 17, 12, 30, 0, {}}; }

xac::Info info() {
    xac::Info info;
    info.source_application = "tests";
    info.actor_name = "figure";
    return info;
}

xac::MeshLod lod() {
    xac::File actor;
    actor.chunks.push_back({7, 2, {}, info(), {}});
    actor.chunks.push_back({11, 1, {}, xac::Nodes{1, {node("root", xac::no_node, 0)}}, {}});
    return {0, {}, {actor}, {}};
}

template <class Rotation>
xsm::BasicSubmotion<Rotation> submotion(std::string name) {
    xsm::BasicSubmotion<Rotation> submotion;
    submotion.node_name = std::move(name);
    submotion.pose_position = {1, 2, 3};
    submotion.position_keys = {{{1, 2, 3}, 0}, {{1, 2, 4}, 0.5f}, {{1, 2, 5}, 1}};
    submotion.rotation_keys = {{{}, 0}, {{}, 1}};
    return submotion;
}

}  // namespace

xac::File good_actor() {
    xac::MaterialLayer extra_layer;
    extra_layer.map_type = 5;
    extra_layer.texture = "body_normal";
    xac::NodeMotionSources mirror;
    mirror.has_axes = true;
    mirror.sources = {0, 1, 0xffff, 3};
    mirror.axes.resize(4);
    mirror.flags.resize(4);

    xac::File file;
    file.chunks.push_back({7, 2, {}, info(), {}});
    file.chunks.push_back(
        {11,
         1,
         {},
         xac::Nodes{
             2, {node("root", xac::no_node, 2), node("arm", 0, 0), node("body", 0, 0), node("prop", xac::no_node, 0)}},
         {}});
    file.chunks.push_back({6, 1, {}, limit(), {}});
    file.chunks.push_back({13, 1, {}, xac::MaterialInfo{0, 2, 1, 1}, {}});
    file.chunks.push_back({3, 2, {}, standard_material(), {}});
    file.chunks.push_back({5, 2, {}, fx_material(), {}});
    file.chunks.push_back({4, 2, {}, extra_layer, {}});
    file.chunks.push_back({1, 1, {}, skinned_mesh(), {}});
    file.chunks.push_back({2, 3, {}, skinning(), {}});
    file.chunks.push_back({1, 1, {}, rigid_mesh(), {}});
    file.chunks.push_back({12, 1, {}, morph_targets(), {}});
    file.chunks.push_back({10, 1, {}, xac::NodeGroups{true, {{0, {}, "arms", {1}}}}, {}});
    file.chunks.push_back({14, 1, {}, mirror, {}});
    file.chunks.push_back({15, 1, {}, xac::AttachmentNodes{{3}}, {}});
    file.chunks.push_back({50, 4, {}, events(), {}});
    file.chunks.push_back({51, 1, {}, timestamp(), {}});
    file.chunks.push_back({8, 1, {}, lod(), {}});
    return file;
}

xsm::File good_motion() {
    xsm::Submotions list{{submotion<Quat>("root"), submotion<Quat>("arm")}};
    xsm::File file;
    file.chunks.push_back({201, 2, {}, emfx::MotionInfo{}, {}});
    file.chunks.push_back({202, 1, {}, list, {}});
    file.chunks.push_back({200, 3, {}, submotion<xsm::PackedQuat>("body"), {}});
    file.chunks.push_back({50, 4, {}, events(), {}});
    file.chunks.push_back({51, 1, {}, timestamp(), {}});
    return file;
}

xpm::File good_weights() {
    xpm::Submotion smile;
    smile.name = "smile";
    smile.keys = {{0, 0, {}}, {0.5f, 65535, {}}, {1, 0, {}}};
    xpm::Submotion blink = smile;
    blink.name = "blink";
    xpm::File file;
    file.chunks.push_back({101, 1, {}, emfx::MotionInfo{}, {}});
    file.chunks.push_back({102, 1, {}, xpm::Submotions{{smile, blink}}, {}});
    return file;
}

std::vector<std::string> summary(const Report& report) {
    std::vector<std::string> lines;
    for (const Diagnostic& diagnostic : report.diagnostics())
        lines.push_back(diagnostic.code + " at " + diagnostic.path);
    return lines;
}

}  // namespace effigy::test
