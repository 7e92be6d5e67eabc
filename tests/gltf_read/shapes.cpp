/// Makes boxes, tubes and other parts of models.

#include "shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "effigy/image.hpp"

namespace effigy::gltf_test {

Shape box(float size) {
    Shape shape;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float side : {-1.0f, 1.0f}) {
            const auto first = static_cast<std::uint16_t>(shape.count());
            for (int corner = 0; corner < 4; ++corner) {
                const float u = corner == 1 || corner == 2 ? 1.0f : 0.0f, v = corner >= 2 ? 1.0f : 0.0f;
                std::array<float, 3> position{}, normal{};
                normal[static_cast<std::size_t>(axis)] = side;
                position[static_cast<std::size_t>(axis)] = side;
                position[static_cast<std::size_t>((axis + 1) % 3)] = (2 * u - 1) * side;
                position[static_cast<std::size_t>((axis + 2) % 3)] = 2 * v - 1;
                for (const float value : position) shape.positions.push_back(value * size / 2);
                shape.normals.insert(shape.normals.end(), normal.begin(), normal.end());
                shape.coordinates.insert(shape.coordinates.end(), {u, v});
            }
            for (const int corner : {0, 1, 2, 0, 2, 3}) {
                shape.indices.push_back(static_cast<std::uint16_t>(first + corner));
            }
        }
    }
    return shape;
}

Shape tube(std::size_t rings, std::size_t sides) {
    Shape shape;
    for (std::size_t ring = 0; ring < rings; ++ring) {
        for (std::size_t side = 0; side <= sides; ++side) {
            const float part = static_cast<float>(side) / static_cast<float>(sides);
            const float angle = 2 * std::numbers::pi_v<float> * part;
            const float x = side == sides ? 1.0f : std::cos(angle), z = side == sides ? 0.0f : std::sin(angle);
            shape.positions.insert(shape.positions.end(), {0.4f * x, static_cast<float>(ring), 0.4f * z});
            shape.normals.insert(shape.normals.end(), {x, 0, z});
            shape.coordinates.insert(shape.coordinates.end(),
                                     {part, static_cast<float>(ring) / static_cast<float>(rings)});
        }
    }
    for (std::size_t ring = 0; ring + 1 < rings; ++ring) {
        for (std::size_t side = 0; side < sides; ++side) {
            const std::size_t below = ring * (sides + 1) + side, above = below + sides + 1;
            for (const std::size_t index : {below, above, below + 1, below + 1, above, above + 1}) {
                shape.indices.push_back(static_cast<std::uint16_t>(index));
            }
        }
    }
    return shape;
}

std::size_t add_floats(AssetBuilder& builder, const Floats& values, const char* type) {
    const std::string name = type;
    const std::size_t width = name == "SCALAR" ? 1 : name == "MAT4" ? 16 : static_cast<std::size_t>(name.back() - '0');
    return add_numbers(builder, values, 5126, type, width);
}

std::size_t add_positions(AssetBuilder& builder, const Floats& values) {
    const std::size_t number = add_floats(builder, values, "VEC3");
    json& accessor = builder.root["accessors"][number];
    for (std::size_t axis = 0; axis < 3; ++axis) {
        float least = values[axis], greatest = values[axis];
        for (std::size_t i = axis; i < values.size(); i += 3) {
            least = std::min(least, values[i]);
            greatest = std::max(greatest, values[i]);
        }
        accessor["min"].push_back(least);
        accessor["max"].push_back(greatest);
    }
    return number;
}

std::size_t add_indices(AssetBuilder& builder, const std::vector<std::uint16_t>& values) {
    return add_numbers(builder, values, 5123, "SCALAR", 1);
}

json primitive_of(AssetBuilder& builder, const Shape& shape, bool indexed) {
    const auto pick = [&](const Floats& values, std::size_t width) {
        Floats picked;
        for (const std::uint16_t index : shape.indices) {
            const auto from = values.begin() + static_cast<std::ptrdiff_t>(index * width);
            picked.insert(picked.end(), from, from + static_cast<std::ptrdiff_t>(width));
        }
        return picked;
    };
    json primitive;
    const auto& [positions, normals, coordinates, indices] = shape;
    primitive["attributes"]["POSITION"] = add_positions(builder, indexed ? positions : pick(positions, 3));
    primitive["attributes"]["NORMAL"] = add_floats(builder, indexed ? normals : pick(normals, 3), "VEC3");
    primitive["attributes"]["TEXCOORD_0"] = add_floats(builder, indexed ? coordinates : pick(coordinates, 2), "VEC2");
    if (indexed) primitive["indices"] = add_indices(builder, indices);
    return primitive;
}

void add_influences(AssetBuilder& builder, json& primitive, const Shape& shape, std::size_t joints) {
    std::vector<std::uint16_t> numbers;
    Floats weights;
    const auto add = [&](float height) {
        const float place = std::clamp(height, 0.0f, static_cast<float>(joints - 1));
        const auto lower = static_cast<std::uint16_t>(place);
        const auto upper = static_cast<std::uint16_t>(std::min<std::size_t>(lower + 1u, joints - 1));
        const float part = place - static_cast<float>(lower);
        numbers.insert(numbers.end(), {lower, part == 0 ? std::uint16_t{0} : upper, 0, 0});
        weights.insert(weights.end(), {1 - part, part, 0, 0});
    };
    const bool indexed = primitive.contains("indices");
    const std::size_t count = indexed ? shape.count() : shape.indices.size();
    for (std::size_t i = 0; i < count; ++i) add(0.7f * shape.positions[(indexed ? i : shape.indices[i]) * 3 + 1]);
    primitive["attributes"]["JOINTS_0"] = add_numbers(builder, numbers, 5123, "VEC4", 4);
    primitive["attributes"]["WEIGHTS_0"] = add_floats(builder, weights, "VEC4");
}

std::size_t add_chain(AssetBuilder& builder, std::size_t joints) {
    const std::size_t first = builder.root["nodes"].size();
    json skin = {{"name", "chain"}, {"skeleton", first}};
    Floats matrices;
    for (std::size_t i = 0; i < joints; ++i) {
        json node = {{"name", "joint" + std::to_string(i)}};
        if (i != 0) node["translation"] = {0, 1, 0};
        if (i + 1 < joints) node["children"].push_back(first + i + 1);
        add_node(builder, std::move(node), i == 0);
        skin["joints"].push_back(first + i);
        const float down = -static_cast<float>(i);
        matrices.insert(matrices.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, down, 0, 1});
    }
    skin["inverseBindMatrices"] = add_floats(builder, matrices, "MAT4");
    builder.root["skins"].push_back(std::move(skin));
    return first;
}

std::size_t add_texture(AssetBuilder& builder, unsigned seed) {
    image::Picture picture;
    picture.width = picture.height = 4;
    picture.rgba.resize(64);
    for (unsigned i = 0; i < 64; ++i) {
        picture.rgba[i] = static_cast<std::byte>(i % 4 == 3 ? 255 : (i * 37 + seed * 91) % 256);
    }
    const auto png = image::encode_png(picture);
    const std::string bytes = png ? packed(std::vector<std::byte>(png->begin(), png->end())) : std::string();
    builder.root["images"].push_back({{"name", "picture" + std::to_string(builder.root["images"].size())},
                                      {"mimeType", "image/png"},
                                      {"bufferView", builder.view(bytes)}});
    builder.root["textures"].push_back({{"source", builder.root["images"].size() - 1}});
    return builder.root["textures"].size() - 1;
}

std::size_t add_textured_material(AssetBuilder& builder, const std::string& name, unsigned seed) {
    const std::size_t texture = add_texture(builder, seed);
    builder.root["materials"].push_back(
        {{"name", name},
         {"pbrMetallicRoughness",
          {{"baseColorTexture", {{"index", texture}}}, {"metallicFactor", 0}, {"roughnessFactor", 0.58}}}});
    return builder.root["materials"].size() - 1;
}

std::size_t add_node(AssetBuilder& builder, json node, bool in_scene) {
    json& nodes = builder.root["nodes"];
    nodes.push_back(std::move(node));
    if (in_scene) {
        builder.root["scene"] = 0;
        builder.root["scenes"][0]["nodes"].push_back(nodes.size() - 1);
    }
    return nodes.size() - 1;
}

void add_channel(AssetBuilder& builder, json& animation, std::size_t node, const char* path, const Floats& times,
                 const Floats& values, const char* interpolation) {
    const std::string name = path;
    const char* const type = name == "rotation" ? "VEC4" : name == "weights" ? "SCALAR" : "VEC3";
    const std::size_t input = add_floats(builder, times, "SCALAR");
    builder.root["accessors"][input]["min"].push_back(times.front());
    builder.root["accessors"][input]["max"].push_back(times.back());
    animation["channels"].push_back(
        {{"sampler", animation["samplers"].size()}, {"target", {{"node", node}, {"path", path}}}});
    animation["samplers"].push_back(
        {{"input", input}, {"output", add_floats(builder, values, type)}, {"interpolation", interpolation}});
}

}  // namespace effigy::gltf_test
