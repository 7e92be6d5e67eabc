/// Makes a scene that has one of everything.

#include "gltf/rich_scene.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace effigy::test {
namespace {

constexpr std::uint32_t vertices = rich::first_vertices + rich::second_vertices;

// A PNG of one white pixel.
constexpr std::array<std::uint8_t, 69> white_png{
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
    0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xde, 0x00, 0x00, 0x00,
    0x0c, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0xf8, 0xff, 0xff, 0x3f, 0x00, 0x05, 0xfe, 0x02, 0xfe, 0x33,
    0x12, 0x95, 0x14, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

template <class T, class Make>
Attribute attribute(Semantic semantic, std::uint32_t set, ElementType element, ComponentType component, bool normalized,
                    Make make, std::string custom_name = {}) {
    std::vector<T> values;
    const std::size_t components = component_count(element);
    for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) {
        for (std::size_t i = 0; i < components; ++i) values.push_back(static_cast<T>(make(vertex, i)));
    }
    return {semantic, set, std::move(custom_name), make_accessor(element, component, normalized, values)};
}

std::vector<Attribute> body_attributes() {
    const auto up = [](std::uint32_t, std::size_t i) { return i == 2 ? 1.0f : 0.0f; };
    const auto along = [](std::uint32_t, std::size_t i) { return i == 0 || i == 3 ? 1.0f : 0.0f; };
    const auto ramp = [](std::uint32_t vertex, std::size_t i) { return 0.01f * static_cast<float>(vertex + i); };
    const auto level = [](std::uint32_t vertex, std::size_t i) { return (vertex * 3 + i * 50) % 256; };
    const auto joint = [](std::uint32_t, std::size_t i) { return i == 0 ? 0 : i == 1 ? 1 : 0; };
    const auto weight = [](std::uint32_t, std::size_t i) { return i < 2 ? 0.375f : 0.0f; };
    const auto second_joint = [](std::uint32_t, std::size_t i) { return i == 0 ? 2 : 0; };
    const auto second_weight = [](std::uint32_t, std::size_t i) { return i == 0 ? 0.25f : 0.0f; };
    const auto original = [](std::uint32_t vertex, std::size_t) { return static_cast<float>(vertex / 2); };
    using enum ElementType;
    using enum ComponentType;
    return {grid_positions(vertices),
            attribute<float>(Semantic::normal, 0, vec3, f32, false, up),
            attribute<float>(Semantic::tangent, 0, vec4, f32, false, along),
            attribute<float>(Semantic::texcoord, 0, vec2, f32, false, ramp),
            attribute<std::uint16_t>(Semantic::texcoord, 1, vec2, u16, true, level),
            attribute<std::uint8_t>(Semantic::color, 0, vec3, u8, true, level),
            attribute<float>(Semantic::color, 1, vec4, f32, false, ramp),
            attribute<std::uint8_t>(Semantic::joints, 0, vec4, u8, false, joint),
            attribute<float>(Semantic::weights, 0, vec4, f32, false, weight),
            attribute<std::uint16_t>(Semantic::joints, 1, vec4, u16, false, second_joint),
            attribute<float>(Semantic::weights, 1, vec4, f32, false, second_weight),
            attribute<float>(Semantic::custom, 0, vec4, f32, false, along, "_TANGENT_1"),
            attribute<float>(Semantic::custom, 0, scalar, f32, false, original, "_ORIGINAL_VERTEX"),
            attribute<std::uint16_t>(Semantic::custom, 0, vec3, u16, false, level, "_WIDE"),
            attribute<std::uint8_t>(Semantic::custom, 0, scalar, u8, false, level, "_NARROW")};
}

MorphTarget target(std::string name, std::uint32_t first, std::uint32_t count, std::uint32_t step, bool with_normals) {
    MorphTarget target;
    target.name = std::move(name);
    for (std::uint32_t i = 0; i < count; ++i) {
        target.indices.push_back(first + i * step);
        target.positions.push_back({0.5f, -0.1f * static_cast<float>(i + 1), 0.25f});
        if (with_normals) target.normals.push_back({0.0f, 0.125f, 0.0f});
    }
    return target;
}

Mesh body() {
    Mesh mesh;
    mesh.name = "body";
    mesh.vertex_count = vertices;
    mesh.attributes = body_attributes();
    mesh.primitives.resize(4);
    mesh.primitives[0] = {0, rich::first_vertices, strip(rich::first_vertices), 0};
    mesh.primitives[1] = {rich::first_vertices, rich::second_vertices, strip(rich::second_vertices), 1};
    mesh.primitives[2] = {0, rich::first_vertices, {}, 0};
    mesh.primitives[3] = {rich::first_vertices, rich::second_vertices, strip(6), 2};
    mesh.targets = {target("smile", 35, 10, 1, false), target("all", 0, rich::first_vertices, 1, true),
                    target("blink", rich::first_vertices, 3, 4, true), MorphTarget{"nothing", {}, {}, {}, {}}};
    mesh.weights = {0, 0.25f, 0, 1};
    mesh.extras.json = R"({"kind":"skinned"})";
    return mesh;
}

Mesh sign() {
    Mesh mesh;
    mesh.name = "sign";
    mesh.vertex_count = 12;
    mesh.attributes = {grid_positions(12)};
    mesh.primitives = {{0, 12, strip(12), 3}};
    mesh.extras.json = "{}";
    return mesh;
}

Mesh without_triangles() {
    Mesh mesh;
    mesh.name = "empty";
    mesh.vertex_count = 3;
    mesh.attributes = {grid_positions(3)};
    mesh.primitives = {{0, 3, {}, no_index}};
    mesh.targets = {MorphTarget{"unseen", {}, {}, {}, {}}};
    return mesh;
}

std::vector<Material> materials() {
    std::vector<Material> materials(4);
    Material& rich = materials[0];
    rich.name = "rich";
    rich.base_color = {0.1f, 0.2f, 0.3f, 1};
    rich.base_color_texture.image = 0;
    rich.base_color_texture.offset = {0.5f, 0.25f};
    rich.base_color_texture.rotation = 0.1f;
    rich.base_color_texture.scale = {2, 3};
    rich.metallic_roughness_texture.image = 1;
    rich.normal_texture.image = 1;
    rich.normal_texture.texcoord = 1;
    rich.normal_texture.strength = 0.7f;
    rich.occlusion_texture.image = 1;
    rich.occlusion_texture.strength = 0.3f;
    rich.emissive_texture.image = 0;
    rich.emissive_texture.wrap_v = Wrap::clamp_to_edge;
    rich.emissive = {4, 2, 0};
    rich.roughness = 0.6f;
    rich.extras.json = R"({"shine":3})";
    materials[1].name = "mask";
    materials[1].alpha_mode = AlphaMode::mask;
    materials[1].alpha_cutoff = 0.25f;
    materials[1].double_sided = true;
    materials[1].base_color_texture.image = 0;
    materials[1].base_color_texture.wrap_u = Wrap::mirrored_repeat;
    materials[2].name = "blend";
    materials[2].alpha_mode = AlphaMode::blend;
    materials[2].base_color_texture.image = 0;
    materials[2].metallic = 1;
    materials[3].name = "flat";
    materials[3].unlit = true;
    materials[3].emissive = {0.5f, 0, 0};
    return materials;
}

std::vector<Image> images() {
    std::vector<Image> images(3);
    const auto bytes = std::as_bytes(std::span(white_png));
    images[0] = {"skin/../white", "image/png", Bytes(bytes.begin(), bytes.end()), ""};
    images[1] = {"SKIN/../white", "image/png", Bytes(bytes.begin(), bytes.end()), ""};
    images[2] = {"never_loaded", "", {}, ""};
    return images;
}

std::vector<Node> nodes() {
    std::vector<Node> nodes(8);
    const char* const names[] = {"root", "arm", "hand", "body", "sign", "collision", "sign_far", "nothing"};
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].name = names[i];
    nodes[0].local.translation = {0.1f, 0, 0};
    nodes[0].extras.json = R"({"flags":1})";
    nodes[1].local.rotation = {0, 0, std::sqrt(0.5f), std::sqrt(0.5f)};
    nodes[2].local.scale = {1, 2, 1};
    nodes[rich::body_node].mesh = rich::body_mesh;
    nodes[rich::body_node].skin = 0;
    nodes[rich::static_node].mesh = rich::static_mesh;
    nodes[rich::static_node].matrix = Mat4{{1, 0, 0, 0, 0.5f, 1, 0, 0, 0, 0, 1, 0, 3, 4, 5, 1}};
    nodes[rich::static_node].lods = {rich::lod_node};
    nodes[rich::hidden_node].hidden = true;
    nodes[rich::hidden_node].mesh = rich::static_mesh;
    nodes[rich::lod_node].hidden = true;
    nodes[rich::lod_node].mesh = rich::static_mesh;
    nodes[rich::empty_mesh_node].mesh = rich::empty_mesh;
    nodes[0].light = 2;
    nodes[1].light = 0;
    nodes[2].light = 1;
    return nodes;
}

std::vector<Light> lights() {
    Light lamp{"lamp", LightKind::point, {1, 0.5f, 0}, 3, 12, 0, 0.7853982f, {R"({"element":"omni"})"}};
    Light torch{"torch", LightKind::spot, {1, 1, 1}, 1, 0, 0.25f, 0.5f, {}};
    Light sun{"sun", LightKind::directional, {1, 1, 1}, 2, 0, 0, 0.7853982f, {}};
    return {lamp, torch, sun};
}

Track track(Index node, TrackPath path, std::vector<float> times, const std::vector<float>& values,
            Interpolation interpolation = Interpolation::linear) {
    return {node, path, interpolation, bulk<float>(times), bulk<float>(values)};
}

std::vector<Clip> clips() {
    const float half = std::sqrt(0.5f);
    std::vector<Clip> clips(3);
    clips[0].name = "walk";
    clips[0].tracks = {track(0, TrackPath::translation, {0, 0.5f, 1}, {0, 0, 0, 1, 0, 0, 2, 0, 0}),
                       track(1, TrackPath::rotation, {0, 0.5f, 1}, {0, 0, 0, 1, 0, 0, half, half, 0, 0, 0, 1}),
                       track(2, TrackPath::scale, {0}, {1, 2, 1}, Interpolation::step),
                       track(2, TrackPath::translation, {}, {}),
                       track(rich::body_node, TrackPath::weights, {0, 1}, {0, 0, 0, 0, 1, 0.5f, 0, 0.25f}),
                       track(rich::empty_mesh_node, TrackPath::weights, {0, 1}, {0, 1})};
    clips[0].duration = 1;
    clips[0].extras.json = R"({"duration":1})";
    clips[1].name = "nothing";
    clips[1].tracks = {track(0, TrackPath::scale, {}, {})};
    clips[2].name = "wave";
    clips[2].tracks = {track(1, TrackPath::translation, {0, 0.5f, 1}, {0, 0, 0, 0, 1, 0, 0, 0, 0}),
                       track(1, TrackPath::scale, {0, 1}, {0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 2, 2, 2, 0, 0, 0},
                             Interpolation::cubic_spline)};
    return clips;
}

}  // namespace

Scene scene_of_all_topologies() {
    Scene scene;
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.vertex_count = 9;
    mesh.attributes = {grid_positions(9)};
    const auto add_vectors = [&](Semantic semantic, ElementType element, std::initializer_list<float> vector) {
        std::vector<float> values;
        for (int vertex = 0; vertex < 9; ++vertex) values.insert(values.end(), vector);
        mesh.attributes.push_back({semantic, 0, "", make_accessor(element, ComponentType::f32, false, values)});
    };
    add_vectors(Semantic::normal, ElementType::vec3, {0, 0, 1});
    add_vectors(Semantic::tangent, ElementType::vec4, {1, 0, 0, 1});
    const auto add = [&](Topology topology, std::initializer_list<std::uint32_t> indices) {
        mesh.primitives.push_back({0, 9, indices, no_index, topology});
    };
    add(Topology::points, {0, 4, 8});
    add(Topology::lines, {0, 1, 2, 3});
    add(Topology::line_strip, {0, 1, 2});
    add(Topology::triangles, {0, 1, 3, 1, 4, 3});
    add(Topology::triangle_strip, {0, 3, 1, 4, 2});
    add(Topology::triangle_fan, {4, 0, 1, 2});
    MorphTarget& target = mesh.targets.emplace_back();
    target.name = "bulge";
    target.indices = {4};
    target.positions = {{0, 0, 1}};
    target.tangents = {{0, 0, 1}};
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    return scene;
}

Bulk<std::uint32_t> strip(std::uint32_t count) {
    Bulk<std::uint32_t> indices;
    for (std::uint32_t i = 2; i < count; ++i) {
        for (const std::uint32_t index : {i - 2, i - 1 + i % 2, i - i % 2}) indices.push_back(index);
    }
    return indices;
}

Attribute grid_positions(std::uint32_t count) {
    std::vector<float> values;
    for (std::uint32_t i = 0; i < count; ++i) {
        values.insert(values.end(), {static_cast<float>(i / 2) * 0.1f, static_cast<float>(i % 2) - 0.3f, 0.0f});
    }
    return {Semantic::position, 0, {}, make_accessor(ElementType::vec3, ComponentType::f32, false, values)};
}

Scene rich_scene() {
    Scene scene;
    scene.name = "everything";
    scene.nodes = nodes();
    add_child(scene, 0, 1);
    add_child(scene, 1, 2);
    scene.meshes = {without_triangles(), body(), sign()};
    Skin skin;
    skin.name = "skin";
    skin.joints = {0, 1, 2};
    skin.inverse_bind_matrices.resize(3);
    skin.inverse_bind_matrices[1].m[13] = -1;
    skin.inverse_bind_matrices[2].m[3] = 1e-9f;
    skin.skeleton = 0;
    skin.extras.json = "{}";
    scene.skins = {skin};
    scene.lights = lights();
    scene.materials = materials();
    scene.images = images();
    scene.clips = clips();
    scene.asset_extras.json = R"({"version":1,"source":{"format":"none"}})";
    return scene;
}

}  // namespace effigy::test
