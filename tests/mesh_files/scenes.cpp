/// Makes scenes for the writers of still meshes.

#include "mesh_files/scenes.hpp"

#include <cstring>

namespace effigy::test {

template <class Component>
Attribute attribute(Semantic semantic, std::uint32_t set, ElementType element, ComponentType component,
                    const std::vector<Component>& values) {
    Attribute made;
    made.semantic = semantic;
    made.set = set;
    made.data.element = element;
    made.data.component = component;
    made.data.normalized = component != ComponentType::f32 && semantic != Semantic::joints;
    made.data.bytes.resize(values.size() * sizeof(Component));
    std::memcpy(made.data.bytes.data(), values.data(), made.data.bytes.size());
    return made;
}

template Attribute attribute(Semantic, std::uint32_t, ElementType, ComponentType, const std::vector<float>&);
template Attribute attribute(Semantic, std::uint32_t, ElementType, ComponentType, const std::vector<std::uint8_t>&);
template Attribute attribute(Semantic, std::uint32_t, ElementType, ComponentType, const std::vector<std::uint16_t>&);

namespace {

using enum ElementType;
using enum ComponentType;

Attribute normals() {
    std::vector<float> values;
    for (int i = 0; i < 6; ++i) values.insert(values.end(), {0.0f, 0.0f, 1.0f});
    return attribute(Semantic::normal, 0, vec3, f32, values);
}

Mesh skinned_square() {
    Mesh mesh = square();
    mesh.name = "cloth";
    mesh.attributes.push_back(normals());
    std::vector<float> tangents, weights;
    for (int i = 0; i < 6; ++i) tangents.insert(tangents.end(), {1.0f, 0.0f, 0.0f, 1.0f});
    for (int i = 0; i < 6; ++i) weights.insert(weights.end(), {0.75f, 0.25f, 0.0f, 0.0f});
    mesh.attributes.push_back(attribute(Semantic::tangent, 0, vec4, f32, tangents));
    const std::vector<float> first{0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0};
    const std::vector<std::uint16_t> second{0, 0, 65535, 0, 0, 65535, 13107, 0, 0, 0, 0, 0};
    mesh.attributes.push_back(attribute(Semantic::texcoord, 0, vec2, f32, first));
    mesh.attributes.push_back(attribute(Semantic::texcoord, 1, vec2, u16, second));
    mesh.attributes.push_back(attribute(Semantic::joints, 0, vec4, u8, std::vector<std::uint8_t>(24, 0)));
    mesh.attributes.push_back(attribute(Semantic::weights, 0, vec4, f32, weights));
    mesh.primitives[0].material = 0;
    mesh.primitives[1].material = 1;
    MorphTarget target;
    target.name = "bulge";
    target.indices.push_back(0);
    target.positions.push_back({0, 0, 0.5f});
    mesh.targets.push_back(target);
    mesh.weights = {1};
    return mesh;
}

Mesh colored_square() {
    Mesh mesh = square();
    std::vector<std::uint8_t> colors;
    for (std::uint8_t i = 0; i < 6; ++i) colors.insert(colors.end(), {255, 0, static_cast<std::uint8_t>(51 * i)});
    mesh.attributes.push_back(attribute(Semantic::color, 0, vec3, u8, colors));
    return mesh;
}

Mesh plain_square() {
    Mesh mesh = square();
    mesh.attributes.push_back(normals());
    mesh.primitives[0].material = mesh.primitives[1].material = 1;
    return mesh;
}

Image picture(std::string name, const char* type, unsigned char filler) {
    return {std::move(name), type, Bytes(5, std::byte{filler}), ""};
}

}  // namespace

Mesh square() {
    Mesh mesh;
    mesh.name = "square";
    mesh.vertex_count = 6;
    const std::vector<float> positions{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0};
    mesh.attributes.push_back(attribute(Semantic::position, 0, vec3, f32, positions));
    mesh.primitives.resize(2);
    for (std::uint32_t i = 0; i < 2; ++i) {
        mesh.primitives[i].first_vertex = 3 * i;
        mesh.primitives[i].vertex_count = 3;
        for (const std::uint32_t index : {0u, 1u, 2u}) mesh.primitives[i].indices.push_back(index);
    }
    return mesh;
}

Scene squares_of_all_topologies() {
    Scene scene;
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.vertex_count = 4;
    mesh.attributes.push_back(
        attribute(Semantic::position, 0, vec3, f32, std::vector<float>{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}));
    const auto add = [&](Topology topology, std::initializer_list<std::uint32_t> indices) {
        mesh.primitives.push_back({0, 4, indices, no_index, topology});
    };
    add(Topology::points, {0, 3});
    add(Topology::lines, {0, 1, 2, 3});
    add(Topology::line_strip, {0, 1, 2, 3, 0});
    add(Topology::triangles, {0, 1, 2});
    add(Topology::triangle_strip, {0, 1, 3, 2});
    add(Topology::triangle_fan, {0, 1, 2, 3});
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    return scene;
}

Scene figure() {
    Scene scene;
    scene.nodes.resize(5);
    scene.nodes[0].name = "root";
    scene.nodes[0].local.translation = {0, 2, 0};
    scene.nodes[1].name = "left arm #1";
    scene.nodes[1].mesh = 0;
    scene.nodes[1].skin = 0;
    scene.nodes[1].local.translation = {100, 0, 0};  // a skinned mesh does not go by its node
    scene.nodes[2].name = "left\\arm\n1";
    scene.nodes[2].mesh = 1;
    scene.nodes[2].local = {{5, 0, 0}, {}, {-1, 1, 1}};
    scene.nodes[3].mesh = 2;
    scene.nodes[4].mesh = 2;
    scene.nodes[4].hidden = true;
    scene.meshes = {skinned_square(), colored_square(), plain_square()};
    scene.skins.resize(1);
    scene.skins[0].joints = {0};
    scene.skins[0].inverse_bind_matrices.resize(1);
    scene.materials.resize(3);
    scene.materials[0].name = "red cloth";
    scene.materials[0].base_color = {0.5f, 0.25f, 0.125f, 0.75f};
    scene.materials[0].base_color_texture.image = 0;
    scene.materials[0].normal_texture.image = 1;
    scene.materials[0].normal_texture.strength = 0.5f;
    scene.materials[0].emissive = {1, 0.5f, 0};
    scene.materials[0].alpha_mode = AlphaMode::mask;
    scene.materials[0].roughness = 0.5f;
    scene.materials[1].name = "red\tcloth";
    scene.materials[1].base_color = {1, 1, 1, 0.5f};
    scene.materials[1].base_color_texture.image = 3;
    scene.materials[2].name = "unused";
    scene.materials[2].base_color_texture.image = 2;
    scene.images = {picture("skin/../x", "image/png", 1), picture("SKIN/../x", "image/png", 2),
                    picture("unused", "image/png", 3), picture("", "image/jpeg", 4)};
    scene.clips.resize(1);
    scene.clips[0].name = "walk";
    return scene;
}

}  // namespace effigy::test
