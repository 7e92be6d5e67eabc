/// Makes the files that benchmarks read, of any size.

#include "generate.hpp"

#include <cmath>
#include <string>

namespace effigy::bench {

namespace {

constexpr std::uint32_t joint_count = 60;

std::string node_name(std::uint32_t index) { return "joint" + std::to_string(index); }

template <class Record>
void add_chunk(xac::File& file, std::uint32_t id, std::uint32_t version, Record record) {
    file.chunks.push_back({id, version, std::nullopt, std::move(record), {}});
}

template <class Element, class Make>
xac::VertexLayer make_layer(xac::LayerType type, std::uint32_t count, Make&& make) {
    xac::VertexLayer layer;
    layer.type = type;
    layer.element_size = sizeof(Element);
    layer.data.resize(std::size_t{count} * sizeof(Element));
    auto* elements = reinterpret_cast<Element*>(layer.data.data());
    for (std::uint32_t index = 0; index < count; ++index) elements[index] = make(index);
    return layer;
}

xac::Nodes make_nodes() {
    xac::Nodes nodes;
    nodes.root_count = 1;
    for (std::uint32_t index = 0; index < joint_count; ++index) {
        xac::Node node;
        node.name = node_name(index);
        node.position = {0, index == 0 ? 0.0f : 0.1f, 0};
        node.parent = index == 0 ? xac::no_node : index - 1;
        node.child_count = index + 1 < joint_count ? 1 : 0;
        nodes.nodes.push_back(std::move(node));
    }
    return nodes;
}

xac::Mesh make_sheet(std::uint32_t side) {
    const std::uint32_t count = side * side;
    const auto across = [side](std::uint32_t index) {
        return static_cast<float>(index % side) / static_cast<float>(side);
    };
    const auto along = [side](std::uint32_t index) {
        return static_cast<float>(index / side) / static_cast<float>(side);
    };
    xac::Mesh mesh;
    mesh.node = 0;
    mesh.original_vertex_count = mesh.vertex_count = count;
    mesh.layers.push_back(
        make_layer<std::uint32_t>(xac::LayerType::original_vertex, count, [](std::uint32_t index) { return index; }));
    mesh.layers.push_back(make_layer<Vec3>(xac::LayerType::position, count, [&](std::uint32_t index) {
        return Vec3{across(index), along(index), 0.1f * std::sin(20 * across(index))};
    }));
    mesh.layers.push_back(make_layer<Vec3>(xac::LayerType::normal, count, [](std::uint32_t) { return Vec3{0, 0, 1}; }));
    mesh.layers.push_back(make_layer<Vec2>(xac::LayerType::uv, count, [&](std::uint32_t index) {
        return Vec2{across(index), along(index)};
    }));
    mesh.layers.push_back(make_layer<Vec4>(xac::LayerType::tangent, count, [](std::uint32_t) {
        return Vec4{1, 0, 0, 1};
    }));
    xac::Submesh submesh;
    submesh.vertex_count = count;
    submesh.indices.reserve(std::size_t{side - 1} * (side - 1) * 6);
    for (std::uint32_t row = 0; row + 1 < side; ++row) {
        for (std::uint32_t column = 0; column + 1 < side; ++column) {
            const std::uint32_t corner = row * side + column;
            for (const std::uint32_t index :
                 {corner, corner + 1, corner + side, corner + 1, corner + side + 1, corner + side}) {
                submesh.indices.push_back(index);
            }
        }
    }
    mesh.index_count = static_cast<std::uint32_t>(submesh.indices.size());
    mesh.submeshes.push_back(std::move(submesh));
    return mesh;
}

xac::Skinning make_skinning(std::uint32_t vertex_count) {
    constexpr std::uint32_t each = 4;
    xac::Skinning skinning;
    skinning.local_bone_count = joint_count;
    skinning.influences.resize(std::size_t{vertex_count} * each);
    skinning.ranges.resize(vertex_count);
    for (std::uint32_t vertex = 0; vertex < vertex_count; ++vertex) {
        skinning.ranges[vertex] = {vertex * each, each};
        for (std::uint32_t slot = 0; slot < each; ++slot) {
            const auto node = static_cast<std::uint16_t>((vertex / 1000 + slot) % joint_count);
            skinning.influences[std::size_t{vertex} * each + slot] = {0.4f - 0.1f * static_cast<float>(slot), node, {}};
        }
    }
    return skinning;
}

xsm::PackedQuat pack(Quat q) {
    const auto part = [](float value) { return static_cast<std::int16_t>(value * 32767); };
    return {part(q.x), part(q.y), part(q.z), part(q.w)};
}
template <class Rotation>
Rotation make_rotation(Quat q) {
    if constexpr (std::is_same_v<Rotation, xsm::PackedQuat>) {
        return pack(q);
    } else {
        return q;
    }
}

template <class Rotation>
xsm::BasicSubmotions<Rotation> make_submotions(std::uint32_t nodes, std::uint32_t keys) {
    xsm::BasicSubmotions<Rotation> list;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        xsm::BasicSubmotion<Rotation> submotion;
        submotion.node_name = node_name(node);
        for (std::uint32_t key = 0; key < keys; ++key) {
            const float time = static_cast<float>(key) / 30.0f;
            const float angle = 0.001f * static_cast<float>(key % 2000 + node);
            submotion.rotation_keys.push_back(
                {make_rotation<Rotation>({std::sin(angle), 0, 0, std::cos(angle)}), time});
            submotion.position_keys.push_back({{angle, 1, 0}, time});
        }
        list.submotions.push_back(std::move(submotion));
    }
    return list;
}

}  // namespace

xac::File make_actor(std::uint64_t bytes, bool skinned) {
    constexpr std::uint64_t per_vertex = 52 + 24, per_skinned_vertex = per_vertex + 40;
    const std::uint64_t vertices = bytes / (skinned ? per_skinned_vertex : per_vertex);
    const auto side = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(vertices)));
    xac::File file;
    add_chunk(file, 7, 2, xac::Info{});
    add_chunk(file, 11, 1, make_nodes());
    add_chunk(file, 13, 1, xac::MaterialInfo{0, 1, 1, 0});
    xac::StandardMaterial material;
    material.name = "sheet";
    add_chunk(file, 3, 2, std::move(material));
    xac::Mesh mesh = make_sheet(side < 2 ? 2 : side);
    const std::uint32_t count = mesh.vertex_count;
    if (skinned) {
        for (std::uint32_t joint = 0; joint < joint_count; ++joint) mesh.submeshes.front().bones.push_back(joint);
    }
    add_chunk(file, 1, 1, std::move(mesh));
    if (skinned) add_chunk(file, 2, 3, make_skinning(count));
    return file;
}

xsm::File make_motion(std::uint32_t nodes, std::uint32_t keys, bool packed) {
    xsm::File file;
    file.chunks.push_back({201, 2, std::nullopt, emfx::MotionInfo{}, {}});
    if (packed) {
        file.chunks.push_back({202, 2, std::nullopt, make_submotions<xsm::PackedQuat>(nodes, keys), {}});
    } else {
        file.chunks.push_back({202, 1, std::nullopt, make_submotions<Quat>(nodes, keys), {}});
    }
    return file;
}

}  // namespace effigy::bench
