/// Spheres, grids, boxes and the like, as meshes.

#include "levels/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/attributes.hpp"

namespace effigy::test {
namespace {

constexpr double pi = std::numbers::pi;

Vec3 vector(double x, double y, double z) {
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

/// Every column and row but the last is a place of its own; the last one of a circle is the first one again.
double turn(double u) { return u >= 1 ? 0 : 2 * pi * u; }

}  // namespace

Mesh sheet(std::uint32_t columns, std::uint32_t rows, const std::function<Corner(double u, double v)>& at,
           bool with_colors) {
    Mesh mesh;
    mesh.name = "sheet";
    mesh.vertex_count = (columns + 1) * (rows + 1);
    const auto positions = add_attribute<Vec3>(mesh, Semantic::position, ElementType::vec3, ComponentType::f32);
    const auto normals = add_attribute<Vec3>(mesh, Semantic::normal, ElementType::vec3, ComponentType::f32);
    const auto texcoords = add_attribute<Vec2>(mesh, Semantic::texcoord, ElementType::vec2, ComponentType::f32);
    std::span<std::uint8_t> colors;
    if (with_colors) colors = add_attribute<std::uint8_t>(mesh, Semantic::color, ElementType::vec4, ComponentType::u8);
    Primitive primitive;
    primitive.vertex_count = mesh.vertex_count;
    for (std::uint32_t row = 0; row <= rows; ++row) {
        for (std::uint32_t column = 0; column <= columns; ++column) {
            const std::uint32_t i = row * (columns + 1) + column;
            const Corner corner = at(static_cast<double>(column) / columns, static_cast<double>(row) / rows);
            positions[i] = corner.position;
            normals[i] = corner.normal;
            texcoords[i] = corner.texcoord;
            const float channels[] = {corner.color.r, corner.color.g, corner.color.b, corner.color.a};
            for (std::size_t k = 0; with_colors && k < 4; ++k)
                colors[4 * i + k] = static_cast<std::uint8_t>(std::lround(255 * channels[k]));
            if (row == rows || column == columns) continue;
            const std::uint32_t above = i + columns + 1;
            for (const std::uint32_t index : {i, i + 1, above, i + 1, above + 1, above})
                primitive.indices.push_back(index);
        }
    }
    mesh.primitives.push_back(std::move(primitive));
    return mesh;
}

Mesh sphere(std::uint32_t rows, double bumps) {
    Mesh mesh = sheet(2 * rows, rows, [&](double u, double v) {
        const double down = pi * (1 - v), around = v <= 0 || v >= 1 ? 0 : turn(u);
        const double flat = v <= 0 || v >= 1 ? 0 : std::sin(down);
        const Vec3 normal = vector(flat * std::cos(around), std::cos(down), -flat * std::sin(around));
        const double radius = 1 + bumps * std::sin(6 * down) * std::sin(7 * around);
        return Corner{vector(radius * normal.x, radius * normal.y, radius * normal.z),
                      normal,
                      {static_cast<float>(u), static_cast<float>(1 - v)}};
    });
    mesh.name = "sphere";
    // What touches a pole with a whole edge has no area.
    const auto positions = mesh.attributes.front().data.as<Vec3>();
    auto& indices = mesh.primitives.front().indices;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < indices.size(); i += 3) {
        const Vec3 &a = positions[indices[i]], &b = positions[indices[i + 1]], &c = positions[indices[i + 2]];
        if (a == b || b == c || c == a) continue;
        std::copy_n(indices.begin() + static_cast<std::ptrdiff_t>(i), 3,
                    indices.begin() + static_cast<std::ptrdiff_t>(kept));
        kept += 3;
    }
    indices.resize(kept);
    return mesh;
}

Mesh cylinder(std::uint32_t columns) {
    Mesh mesh = sheet(columns, columns, [&](double u, double v) {
        const Vec3 normal = vector(std::cos(turn(u)), 0, -std::sin(turn(u)));
        return Corner{vector(normal.x, 2 * v, normal.z), normal, {static_cast<float>(u), static_cast<float>(v)}};
    });
    mesh.name = "cylinder";
    return mesh;
}

Mesh grid(std::uint32_t side, double waves) {
    Mesh mesh = sheet(side, side, [&](double u, double v) {
        const double height = waves * std::sin(8 * u) * std::cos(9 * v);
        const double du = waves * 8 * std::cos(8 * u) * std::cos(9 * v);
        const double dv = waves * -9 * std::sin(8 * u) * std::sin(9 * v);
        const double length = std::sqrt(1 + du * du + dv * dv);
        return Corner{vector(u, v, height),
                      vector(-du / length, -dv / length, 1 / length),
                      {static_cast<float>(u), static_cast<float>(v)}};
    });
    mesh.name = "grid";
    return mesh;
}

Mesh in_two_materials(const Mesh& grid) {
    Mesh mesh = grid;
    mesh.name = "two";
    mesh.vertex_count *= 2;
    for (Attribute& attribute : mesh.attributes) {
        const Bytes once = attribute.data.bytes;
        attribute.data.bytes.insert(attribute.data.bytes.end(), once.begin(), once.end());
    }
    const Primitive whole = grid.primitives.front();
    const auto positions = grid.attributes.front().data.as<Vec3>();
    mesh.primitives.assign(2, {});
    for (std::uint32_t side = 0; side < 2; ++side) {
        mesh.primitives[side].first_vertex = side * grid.vertex_count;
        mesh.primitives[side].vertex_count = grid.vertex_count;
        mesh.primitives[side].material = side;
    }
    for (std::size_t i = 0; i < whole.indices.size(); i += 3) {
        const double middle =
            positions[whole.indices[i]].x + positions[whole.indices[i + 1]].x + positions[whole.indices[i + 2]].x;
        Primitive& part = mesh.primitives[middle < 1.5 ? 0 : 1];
        for (std::size_t k = 0; k < 3; ++k) part.indices.push_back(whole.indices[i + k]);
    }
    return mesh;
}

Mesh with_flat_faces(const Mesh& mesh) {
    Mesh flat;
    flat.name = "flat";
    const auto& indices = mesh.primitives.front().indices;
    const auto positions = mesh.attributes.front().data.as<Vec3>();
    flat.vertex_count = static_cast<std::uint32_t>(indices.size());
    const auto out = add_attribute<Vec3>(flat, Semantic::position, ElementType::vec3, ComponentType::f32);
    const auto normals = add_attribute<Vec3>(flat, Semantic::normal, ElementType::vec3, ComponentType::f32);
    Primitive primitive;
    primitive.vertex_count = flat.vertex_count;
    for (std::uint32_t i = 0; i < indices.size(); ++i) {
        out[i] = positions[indices[i]];
        primitive.indices.push_back(i);
        if (i % 3 != 2) continue;
        const Vec3 &a = out[i - 2], &b = out[i - 1], &c = out[i];
        const Vec3 e{b.x - a.x, b.y - a.y, b.z - a.z}, f{c.x - a.x, c.y - a.y, c.z - a.z};
        const Vec3 cross{e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x};
        const float length = std::sqrt(cross.x * cross.x + cross.y * cross.y + cross.z * cross.z);
        const Vec3 normal = length > 0 ? Vec3{cross.x / length, cross.y / length, cross.z / length} : Vec3{0, 0, 1};
        std::fill_n(normals.begin() + i - 2, 3, normal);
    }
    flat.primitives.push_back(std::move(primitive));
    return flat;
}

Scene skinned_tube(std::uint32_t columns) {
    Mesh mesh = sheet(columns, columns, [&](double u, double v) {
        const Vec3 normal = vector(0, std::cos(turn(u)), -std::sin(turn(u)));
        return Corner{vector(2 * (1 - v), 0.3 * normal.y, 0.3 * normal.z),
                      normal,
                      {static_cast<float>(u), static_cast<float>(v)}};
    });
    const std::vector<Vec3> places(mesh.attributes.front().data.as<Vec3>().begin(),
                                   mesh.attributes.front().data.as<Vec3>().end());
    const auto joints = add_attribute<std::uint8_t>(mesh, Semantic::joints, ElementType::vec4, ComponentType::u8);
    std::fill(joints.begin(), joints.end(), std::uint8_t{0});
    const auto weights = add_attribute<Vec4>(mesh, Semantic::weights, ElementType::vec4, ComponentType::f32);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const float second = std::clamp(2 * (places[i].x - 0.75f), 0.0f, 1.0f);
        joints[4 * i + 1] = second > 0 ? 1 : 0;
        weights[i] = {1 - second, second, 0, 0};
    }
    Scene scene = scene_of(std::move(mesh), "tube");
    const Index root = add_node(scene, "root", no_index), tip = add_node(scene, "tip", no_index);
    add_child(scene, root, tip);
    scene.nodes[tip].local.translation = {1, 0, 0};
    Mat4 second;
    second.m[12] = -1;
    scene.skins.push_back({"skin", {root, tip}, {Mat4{}, second}, root, {}});
    scene.nodes[0].skin = 0;
    return scene;
}

Scene scene_of(Mesh mesh, const std::string& name) {
    Scene scene;
    std::size_t materials = 0;
    for (const Primitive& primitive : mesh.primitives) {
        if (primitive.material != no_index) materials = std::max<std::size_t>(materials, primitive.material + 1);
    }
    for (std::size_t i = 0; i < materials; ++i) scene.materials.emplace_back().name = "material" + std::to_string(i);
    mesh.name = name;
    scene.meshes.push_back(std::move(mesh));
    add_node(scene, name, 0);
    return scene;
}

Index add_node(Scene& scene, const std::string& name, Index mesh) {
    Node& node = scene.nodes.emplace_back();
    node.name = name;
    node.mesh = mesh;
    return static_cast<Index>(scene.nodes.size() - 1);
}

}  // namespace effigy::test
