/// Makes the models, number by number.

#include "models.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <utility>

#include "shapes.hpp"

namespace effigy::gltf_test {
namespace {

std::size_t add_mesh(AssetBuilder& builder, json primitive, const char* name) {
    builder.root["meshes"].push_back({{"name", name}, {"primitives", json::array({std::move(primitive)})}});
    return builder.root["meshes"].size() - 1;
}

// Keys of a rotation to and fro about z.
Floats swing(std::size_t keys, float angle, std::size_t phase) {
    Floats values;
    for (std::size_t i = 0; i < keys; ++i) {
        const float half = angle / 2 * std::sin(0.9f * static_cast<float>(i + phase));
        values.insert(values.end(), {0, 0, std::sin(half), std::cos(half)});
    }
    return values;
}

Floats steps(std::size_t count, float step) {
    Floats times;
    for (std::size_t i = 0; i < count; ++i) times.push_back(static_cast<float>(i) * step);
    return times;
}

// A chain of joints under a skin of rings, which clips bend.
AssetBuilder skinned(std::size_t joints, bool indexed, const std::vector<const char*>& clips) {
    AssetBuilder builder;
    const Shape shape = tube(joints + 1, 6);
    json primitive = primitive_of(builder, shape, indexed);
    add_influences(builder, primitive, shape, joints);
    primitive["material"] = add_textured_material(builder, "skin_material");
    const std::size_t mesh = add_mesh(builder, primitive, "body");
    const std::size_t first = add_chain(builder, joints);
    add_node(builder, {{"name", "body"}, {"mesh", mesh}, {"skin", 0}});
    std::size_t number = 0;
    for (const char* const name : clips) {
        json clip = {{"name", name}};
        ++number;
        for (std::size_t joint = 1; joint < joints; ++joint) {
            add_channel(builder, clip, first + joint, "rotation", steps(9, 0.125f * static_cast<float>(number)),
                        swing(9, 0.3f * static_cast<float>(number), joint));
        }
        Floats path;
        for (int i = 0; i < 3; ++i) path.insert(path.end(), {0.25f * static_cast<float>(i), 0, 0});
        add_channel(builder, clip, first, "translation", steps(3, 0.5f), path);
        builder.root["animations"].push_back(std::move(clip));
    }
    return builder;
}

// As modelling programs export figures: under a node that turns and scales them, with two skins that share joints, in
// part, and a rigid mesh on a joint.
AssetBuilder rigged_figure() {
    constexpr std::size_t joints = 6, fewer = 3;
    AssetBuilder builder;
    const std::size_t first = add_chain(builder, joints);
    builder.root["scenes"][0]["nodes"].clear();
    json second = builder.root["skins"][0];
    second["name"] = "lower";
    second["joints"].erase(second["joints"].begin() + fewer, second["joints"].end());
    Floats matrices;
    for (std::size_t i = 0; i < fewer; ++i) {
        matrices.insert(matrices.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -static_cast<float>(i), 0, 1});
    }
    second["inverseBindMatrices"] = add_floats(builder, matrices, "MAT4");
    builder.root["skins"].push_back(std::move(second));
    json children = {first};
    std::size_t number = 0;
    for (const auto& [name, count] : {std::pair{"body", joints}, std::pair{"skirt", fewer}}) {
        const Shape shape = tube(count + 1, 5 + number);
        json primitive = primitive_of(builder, shape);
        add_influences(builder, primitive, shape, count);
        primitive["material"] = add_textured_material(builder, name, static_cast<unsigned>(number));
        children.push_back(add_node(
            builder, {{"name", name}, {"mesh", add_mesh(builder, primitive, name)}, {"skin", number++}}, false));
    }
    json hat = primitive_of(builder, box(0.7f));
    hat["material"] = 0;
    const std::size_t mesh = add_mesh(builder, hat, "hat");
    builder.root["nodes"][first + joints - 1]["children"].push_back(
        add_node(builder, {{"name", "hat"}, {"mesh", mesh}, {"translation", {0, 0.5, 0}}}, false));
    add_node(builder, {{"name", "Armature"},
                       {"children", std::move(children)},
                       {"rotation", {-0.70710677, 0, 0, 0.70710677}},
                       {"scale", {0.01, 0.01, 0.01}}});
    json clip = {{"name", "bend"}};
    for (std::size_t joint = 1; joint < joints; ++joint) {
        add_channel(builder, clip, first + joint, "rotation", steps(7, 0.25f), swing(7, 0.4f, joint));
    }
    builder.root["animations"].push_back(std::move(clip));
    return builder;
}

// Boxes that turn and move, one on the other.
AssetBuilder box_animated() {
    AssetBuilder builder;
    json primitive = primitive_of(builder, box());
    builder.root["materials"].push_back(
        {{"name", "red"},
         {"doubleSided", true},
         {"pbrMetallicRoughness",
          {{"baseColorFactor", {0.8, 0.1, 0.1, 1}}, {"metallicFactor", 0}, {"roughnessFactor", 0.4}}}});
    primitive["material"] = 0;
    const std::size_t mesh = add_mesh(builder, primitive, "box");
    add_node(builder, {{"name", "outer"}, {"mesh", mesh}, {"children", {1}}});
    add_node(builder, {{"name", "inner"}, {"mesh", mesh}, {"translation", {0, 1, 0}}, {"scale", {0.5, 0.5, 0.5}}},
             false);
    json clip = {{"name", "open"}};
    add_channel(builder, clip, 0, "rotation", steps(4, 0.5f), swing(4, 1.5f, 0));
    add_channel(builder, clip, 1, "translation", steps(3, 1), {0, 1, 0, 0, 2.5f, 0, 0, 1, 0});
    builder.root["animations"].push_back(std::move(clip));
    return builder;
}

AssetBuilder box_textured() {
    AssetBuilder builder;
    json primitive = primitive_of(builder, box());
    primitive["material"] = add_textured_material(builder, "texture");
    const std::size_t mesh = add_mesh(builder, primitive, "Mesh");
    add_node(builder, {{"children", json::array({1})}, {"matrix", {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1}}});
    add_node(builder, {{"mesh", mesh}}, false);
    return builder;
}

// Offsets of a target of a shape's vertices: those with a positive y rise by `height`.
Floats raised(const Shape& shape, float height, bool all = false) {
    Floats offsets(shape.positions.size(), 0);
    for (std::size_t i = 1; i < offsets.size(); i += 3) {
        if (all || shape.positions[i] > 0) offsets[i] = height;
    }
    return offsets;
}

AssetBuilder simple_morph() {
    AssetBuilder builder;
    const std::size_t positions = add_positions(builder, {0, 0, 0, 1, 0, 0, 0.5f, 1, 0});
    const std::size_t left = add_positions(builder, {0, 0, 0, 0, 0, 0, -1, 1, 0});
    const std::size_t right = add_positions(builder, {0, 0, 0, 0, 0, 0, 1, 1, 0});
    json primitive = {{"attributes", {{"POSITION", positions}}}, {"indices", add_indices(builder, {0, 1, 2})}};
    primitive["targets"] = {{{"POSITION", left}}, {{"POSITION", right}}};
    builder.root["meshes"].push_back({{"primitives", json::array({primitive})}, {"weights", {1.0, 0.5}}});
    const std::size_t node = add_node(builder, {{"mesh", 0}});
    json clip;
    add_channel(builder, clip, node, "weights", {0, 1, 2, 3, 4}, {0, 0, 0, 1, 1, 1, 1, 0, 0, 0});
    builder.root["animations"].push_back(std::move(clip));
    return builder;
}

// Many named targets that move positions and normals of two primitives, and clips for some of them.
AssetBuilder morph_stress() {
    constexpr std::size_t targets = 8;
    AssetBuilder builder;
    const Shape low = box(), high = tube(4, 8);
    json mesh = {{"name", "stress"}};
    for (const Shape* const shape : {&low, &high}) {
        json primitive = primitive_of(builder, *shape);
        primitive["material"] = add_textured_material(builder, shape == &low ? "base" : "top", targets);
        for (std::size_t i = 0; i < targets; ++i) {
            const float height = 0.1f * static_cast<float>(i + 1);
            const Floats offsets = raised(*shape, height, i % 2 == 1);
            primitive["targets"].push_back(
                {{"POSITION", add_positions(builder, offsets)}, {"NORMAL", add_floats(builder, offsets, "VEC3")}});
        }
        mesh["primitives"].push_back(std::move(primitive));
    }
    for (std::size_t i = 0; i < targets; ++i) {
        mesh["extras"]["targetNames"].push_back("Key " + std::to_string(i + 1));
        mesh["weights"].push_back(0);
    }
    builder.root["meshes"].push_back(mesh);
    const std::size_t node = add_node(builder, {{"name", "stress"}, {"mesh", 0}});
    for (const char* const name : {"Individuals", "TheWave"}) {
        const bool is_wave = std::string_view(name) == "TheWave";
        json clip = {{"name", name}};
        Floats values;
        for (std::size_t key = 0; key <= targets; ++key) {
            for (std::size_t i = 0; i < targets; ++i) {
                const float distance = std::abs(static_cast<float>(i) - static_cast<float>(key) + 1);
                values.push_back(is_wave ? std::max(0.0f, 1 - distance / 3) : distance == 0 ? 1.0f : 0.0f);
            }
        }
        add_channel(builder, clip, node, "weights", steps(targets + 1, 0.5f), values);
        builder.root["animations"].push_back(std::move(clip));
    }
    return builder;
}

std::size_t sparse_accessor(AssetBuilder& builder, std::size_t count, const std::vector<std::uint16_t>& indices,
                            const Floats& values) {
    return builder.accessor({{"componentType", 5126},
                             {"type", "VEC3"},
                             {"count", count},
                             {"sparse",
                              {{"count", indices.size()},
                               {"indices", {{"bufferView", builder.view(packed(indices))}, {"componentType", 5123}}},
                               {"values", {{"bufferView", builder.view(packed(values))}}}}}});
}

AssetBuilder animated_morph_cube() {
    AssetBuilder builder;
    json primitive = primitive_of(builder, box());
    const Floats thin{-0.2f, 0, 0, -0.2f, 0, 0, 0.2f, 0, 0};
    const Floats angle{0, 0.5f, 0, 0, 0.25f, 0};
    primitive["targets"] = {{{"POSITION", sparse_accessor(builder, 24, {1, 5, 20}, thin)},
                             {"NORMAL", sparse_accessor(builder, 24, {1, 5, 20}, thin)}},
                            {{"POSITION", sparse_accessor(builder, 24, {0, 23}, angle)}}};
    builder.root["materials"].push_back({{"name", "Material"},
                                         {"pbrMetallicRoughness",
                                          {{"baseColorFactor", {0.6038274, 0.6038274, 0.6038274, 1.0}},
                                           {"metallicFactor", 0.0},
                                           {"roughnessFactor", 0.5}}}});
    primitive["material"] = 0;
    builder.root["meshes"].push_back({{"name", "Cube"},
                                      {"primitives", json::array({primitive})},
                                      {"weights", {0.0, 0.0}},
                                      {"extras", {{"targetNames", {"thin", "angle"}}}}});
    const std::size_t node = add_node(builder, {{"name", "AnimatedMorphCube"},
                                                {"mesh", 0},
                                                {"rotation", {0.0, 0.7071067, -0.7071068, 0.0}},
                                                {"scale", {100, 100, 100}}});
    json clip = {{"name", "Square"}};
    add_channel(builder, clip, node, "weights", {0, 1, 2, 3}, {0, 0, 1, 0, 0, 1, 0, 0});
    builder.root["animations"].push_back(std::move(clip));
    return builder;
}

AssetBuilder multi_uv() {
    AssetBuilder builder;
    const Shape shape = box();
    json primitive = primitive_of(builder, shape);
    Floats second = shape.coordinates;
    for (float& value : second) value = value * 0.5f + 0.25f;
    primitive["attributes"]["TEXCOORD_1"] = add_floats(builder, second, "VEC2");
    primitive["material"] = add_textured_material(builder, "two sets");
    json& material = builder.root["materials"][0];
    material["emissiveTexture"] = {{"index", add_texture(builder, 7)}, {"texCoord", 1}};
    material["emissiveFactor"] = {1, 1, 1};
    add_node(builder, {{"name", "multi_uv"}, {"mesh", add_mesh(builder, primitive, "multi_uv")}});
    return builder;
}

AssetBuilder vertex_color() {
    AssetBuilder builder;
    const Shape shape = box();
    json mesh = {{"name", "colours"}};
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint16_t> words;
    Floats floats;
    for (unsigned i = 0; i < 24; ++i) {
        bytes.insert(bytes.end(), {static_cast<std::uint8_t>(i * 10), 128, static_cast<std::uint8_t>(255 - i), 255});
        words.insert(words.end(), {static_cast<std::uint16_t>(i * 2500), 30000, 65535, 65535});
        floats.insert(floats.end(), {static_cast<float>(i) / 24, 0.5f, 1});
    }
    const std::size_t colors[] = {add_numbers(builder, bytes, 5121, "VEC4", 4, true),
                                  add_numbers(builder, words, 5123, "VEC4", 4, true),
                                  add_floats(builder, floats, "VEC3")};
    for (std::size_t i = 0; i < 3; ++i) {
        Shape moved = shape;
        for (std::size_t j = 0; j < moved.positions.size(); j += 3) moved.positions[j] += 2 * static_cast<float>(i);
        json primitive = primitive_of(builder, moved);
        primitive["attributes"]["COLOR_0"] = colors[i];
        mesh["primitives"].push_back(std::move(primitive));
    }
    builder.root["meshes"].push_back(mesh);
    add_node(builder, {{"name", "colours"}, {"mesh", 0}});
    return builder;
}

AssetBuilder simple_sparse() {
    AssetBuilder builder;
    Floats positions;
    for (int i = 0; i < 14; ++i) {
        positions.insert(positions.end(), {static_cast<float>(i % 7), static_cast<float>(i / 7), 0});
    }
    const std::size_t base = add_positions(builder, positions);
    const std::vector<std::uint16_t> replaced{8, 10, 12};
    builder.root["accessors"][base]["sparse"] = {
        {"count", 3},
        {"indices", {{"bufferView", builder.view(packed(replaced))}, {"componentType", 5123}}},
        {"values", {{"bufferView", builder.view(packed(Floats{1, 2, 0, 3, 3, 0, 5, 4, 0}))}}}};
    std::vector<std::uint16_t> indices;
    for (int i = 0; i < 6; ++i) {
        for (const int index : {i, i + 8, i + 7, i, i + 1, i + 8}) indices.push_back(static_cast<std::uint16_t>(index));
    }
    json primitive = {{"attributes", {{"POSITION", base}}}, {"indices", add_indices(builder, indices)}};
    add_node(builder, {{"mesh", add_mesh(builder, primitive, "sparse")}});
    return builder;
}

// A box for each pair of a path and an interpolation.
AssetBuilder interpolation_test() {
    AssetBuilder builder;
    json primitive = primitive_of(builder, box(0.8f));
    primitive["material"] = add_textured_material(builder, "cube");
    const std::size_t mesh = add_mesh(builder, primitive, "Cube");
    const Floats times{0, 0.5f, 1.25f, 2};
    const std::pair<const char*, std::size_t> paths[] = {{"scale", 3}, {"rotation", 4}, {"translation", 3}};
    for (const char* const interpolation : {"STEP", "LINEAR", "CUBICSPLINE"}) {
        for (const auto& [path, width] : paths) {
            const std::string name = std::string(interpolation) + " " + path;
            const std::size_t number = builder.root["nodes"].size();
            add_node(builder,
                     {{"name", name},
                      {"mesh", mesh},
                      {"translation", {2 * static_cast<int>(number % 3), 2 * static_cast<int>(number / 3), 0}}});
            Floats values;
            for (std::size_t key = 0; key < times.size(); ++key) {
                Floats value(width, std::string_view(path) == "scale" ? 1.0f : 0.0f);
                value[1] += 0.3f * static_cast<float>(key % 3);
                if (width == 4)
                    value = {0, std::sin(0.4f * static_cast<float>(key)), 0, std::cos(0.4f * static_cast<float>(key))};
                const Floats tangent(width, key % 2 == 0 ? 0.25f : -0.25f);
                const bool is_cubic = std::string_view(interpolation) == "CUBICSPLINE";
                if (is_cubic) values.insert(values.end(), tangent.begin(), tangent.end());
                values.insert(values.end(), value.begin(), value.end());
                if (is_cubic) values.insert(values.end(), tangent.begin(), tangent.end());
            }
            json clip = {{"name", name}};
            add_channel(builder, clip, number, path, times, values, interpolation);
            builder.root["animations"].push_back(std::move(clip));
        }
    }
    return builder;
}

AssetBuilder texture_transform() {
    AssetBuilder builder;
    builder.root["extensionsUsed"].push_back("KHR_texture_transform");
    const std::size_t texture = add_texture(builder);
    builder.root["samplers"].push_back({{"wrapS", 33071}, {"wrapT", 33648}, {"magFilter", 9728}});
    builder.root["textures"][texture]["sampler"] = 0;
    json mesh = {{"name", "plates"}};
    const json transforms[] = {
        {{"offset", {0.5, 0}}}, {{"rotation", 0.39269908}}, {{"scale", {1.5, 2}}, {"texCoord", 0}}};
    for (const json& transform : transforms) {
        json primitive = primitive_of(builder, box());
        primitive["material"] = builder.root["materials"].size();
        mesh["primitives"].push_back(std::move(primitive));
        json info = {{"index", texture}};
        info["extensions"]["KHR_texture_transform"] = transform;
        json material;
        material["pbrMetallicRoughness"]["baseColorTexture"] = info;
        builder.root["materials"].push_back(std::move(material));
    }
    builder.root["meshes"].push_back(mesh);
    add_node(builder, {{"mesh", 0}});
    return builder;
}

// Positions as 16-bit fractions, normals as bytes, coordinates as 16-bit fractions, interleaved in one view.
AssetBuilder quantized() {
    AssetBuilder builder;
    builder.root["extensionsUsed"].push_back("KHR_mesh_quantization");
    builder.root["extensionsRequired"].push_back("KHR_mesh_quantization");
    const Shape shape = box();
    std::string rows;
    for (std::size_t i = 0; i < shape.count(); ++i) {
        const auto short_of = [&](std::size_t j) {
            return static_cast<std::int16_t>(shape.positions[i * 3 + j] * 2 * 32767);
        };
        const auto byte_of = [&](std::size_t j) { return static_cast<std::int8_t>(shape.normals[i * 3 + j] * 127); };
        const auto word_of = [&](std::size_t j) {
            return static_cast<std::uint16_t>(shape.coordinates[i * 2 + j] * 65535);
        };
        rows += packed_row(short_of(0), short_of(1), short_of(2), std::int16_t{0});
        rows += packed_row(byte_of(0), byte_of(1), byte_of(2), std::int8_t{0});
        rows += packed_row(word_of(0), word_of(1));
    }
    const std::size_t view = builder.view(rows, 16);
    const auto part = [&](std::size_t offset, int component, const char* type) {
        return builder.accessor({{"bufferView", view},
                                 {"byteOffset", offset},
                                 {"componentType", component},
                                 {"type", type},
                                 {"count", shape.count()},
                                 {"normalized", true}});
    };
    json primitive;
    primitive["attributes"] = {
        {"POSITION", part(0, 5122, "VEC3")}, {"NORMAL", part(8, 5120, "VEC3")}, {"TEXCOORD_0", part(12, 5123, "VEC2")}};
    primitive["indices"] = add_indices(builder, shape.indices);
    primitive["material"] = add_textured_material(builder, "quantized");
    add_node(builder,
             {{"name", "quantized"}, {"mesh", add_mesh(builder, primitive, "quantized")}, {"scale", {0.5, 0.5, 0.5}}});
    return builder;
}

// What modelling programs make: instances, mirrored and stretched nodes, names twice and none, several materials on
// shared vertices.
AssetBuilder scene_of_parts() {
    AssetBuilder builder;
    const Shape shape = box();
    json top = primitive_of(builder, shape), bottom = top;
    std::vector<std::uint16_t> first(shape.indices.begin(), shape.indices.begin() + 18);
    std::vector<std::uint16_t> second(shape.indices.begin() + 18, shape.indices.end());
    top["indices"] = add_indices(builder, first);
    bottom["indices"] = add_indices(builder, second);
    top["material"] = add_textured_material(builder, "paint", 1);
    bottom["material"] = add_textured_material(builder, "paint", 2);
    builder.root["meshes"].push_back({{"name", "part"}, {"primitives", json::array({top, bottom})}});
    add_node(builder, {{"name", "root"}, {"children", {1, 2, 3}}, {"rotation", {0, 0.38268343, 0, 0.9238795}}});
    add_node(builder, {{"name", "part"}, {"mesh", 0}}, false);
    add_node(builder, {{"name", "part"}, {"mesh", 0}, {"translation", {2, 0, 0}}, {"scale", {-1, 1, 1}}}, false);
    add_node(builder, {{"mesh", 0}, {"translation", {4, 0, 0}}, {"scale", {1, 2, 0.5}}, {"extras", {{"kind", "prop"}}}},
             false);
    return builder;
}

}  // namespace

std::vector<NamedModel> gltf_models() {
    return {{"fox", skinned(6, false, {"Survey", "Walk", "Run"}).glb()},
            {"cesium_man", skinned(19, true, {"walk"}).glb()},
            {"rigged_figure", rigged_figure().glb()},
            {"simple_morph", simple_morph().glb()},
            {"morph_stress", morph_stress().glb()},
            {"animated_morph_cube", animated_morph_cube().glb()},
            {"box_animated", box_animated().glb()},
            {"box_textured", box_textured().glb()},
            {"multi_uv", multi_uv().glb()},
            {"vertex_color", vertex_color().glb()},
            {"simple_sparse", simple_sparse().glb()},
            {"interpolation", interpolation_test().glb()},
            {"texture_transform", texture_transform().glb()},
            {"quantized", quantized().glb()},
            {"parts", scene_of_parts().glb()}};
}

std::string gltf_model(std::string_view name) {
    for (NamedModel& model : gltf_models()) {
        if (model.name == name) return std::move(model.glb);
    }
    ADD_FAILURE() << "there is no model " << name;
    return {};
}

}  // namespace effigy::gltf_test
