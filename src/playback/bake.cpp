/// A posed scene as a scene of its own, without skins, morph targets and clips.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "effigy/poser.hpp"

#include "core/guard.hpp"
#include "scene/triangles.hpp"

namespace effigy::playback {
namespace {

float length_of(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

/// glTF wants unit vectors; the jobs leave those of no length, or without numbers, as they are.
Vec3 unit_or(const Vec3& vector, const Vec3& fallback) {
    const float length = length_of(vector);
    if (!(length > 0) || !std::isfinite(length)) return fallback;
    return {vector.x / length, vector.y / length, vector.z / length};
}

Vec3 across(const Vec3& normal) {
    // Beside the axis that the normal is farthest from there is always room.
    const bool along_x = std::fabs(normal.x) > 0.7f;
    return unit_or(along_x ? Vec3{-normal.z, 0, normal.x} : Vec3{0, normal.z, -normal.y}, {1, 0, 0});
}

template <class Vector>
Attribute& add_vectors(Mesh& mesh, Semantic semantic, std::span<const Vector> vectors) {
    Attribute& attribute = mesh.attributes.emplace_back();
    attribute.semantic = semantic;
    attribute.data.element = sizeof(Vector) == sizeof(Vec3) ? ElementType::vec3 : ElementType::vec4;
    attribute.data.bytes.resize(vectors.size_bytes());
    if (!vectors.empty()) std::memcpy(attribute.data.bytes.data(), vectors.data(), vectors.size_bytes());
    return attribute;
}

void add_posed_vertices(Mesh& mesh, const PosedMesh& posed) {
    const auto& [positions, normals, tangents] = posed.vertices;
    mesh.attributes.reserve(mesh.attributes.size() + 3);
    add_vectors(mesh, Semantic::position, positions);
    if (normals.empty()) return;  // in glTF tangents need them
    const auto unit_normals = add_vectors(mesh, Semantic::normal, normals).data.as<Vec3>();
    for (Vec3& normal : unit_normals) normal = unit_or(normal, {0, 0, 1});
    if (tangents.empty()) return;
    const auto unit_tangents = add_vectors(mesh, Semantic::tangent, tangents).data.as<Vec4>();
    for (std::size_t i = 0; i < unit_tangents.size(); ++i) {
        Vec4& tangent = unit_tangents[i];
        const Vec3 unit = unit_or({tangent.x, tangent.y, tangent.z}, across(unit_normals[i]));
        // A mirror turns the cross product of two vectors round, but not what it stands for: the texture's way up.
        const float handedness = (tangent.w < 0) != posed.mirrored ? -1.0f : 1.0f;
        tangent = {unit.x, unit.y, unit.z, handedness};
    }
}

/// Does the attribute mean the same in any pose?
bool stays(const Attribute& attribute) {
    const std::string_view name = attribute.custom_name;
    constexpr std::array turns{"_TANGENT_", "_BITANGENT_", "_BINORMAL_", "_NORMAL_", "_POSITION_"};
    switch (attribute.semantic) {
        case Semantic::texcoord:
        case Semantic::color:
            return true;
        case Semantic::custom:
            return std::none_of(turns.begin(), turns.end(), [&](const char* start) { return name.starts_with(start); });
        default:
            return false;
    }
}

Mesh bake_mesh(const Mesh& source, const PosedMesh& posed) {
    Mesh mesh;
    mesh.name = source.name;
    mesh.vertex_count = source.vertex_count;
    add_posed_vertices(mesh, posed);
    for (const Attribute& attribute : source.attributes) {
        if (stays(attribute)) mesh.attributes.push_back(attribute);
    }
    mesh.primitives.reserve(source.primitives.size());
    for (const Primitive& primitive : source.primitives) {
        mesh.primitives.push_back(primitive);
        if (posed.mirrored) reverse_winding(mesh.primitives.back());
    }
    return mesh;
}

/// Turns -Z, along which lights shine, to where the matrix turns it. How they are turned about that does not show.
Quat aim(const Mat4& model) {
    const Vec3 way = unit_or({-model.m[8], -model.m[9], -model.m[10]}, {0, 0, -1});
    if (way.z > 0.999999f) return {0, 1, 0, 0};
    // The half-way quaternion of (0, 0, -1) and the way: their cross product, and one more than their dot product.
    const Quat turn{way.y, -way.x, 0, 1 - way.z};
    const float length = std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.w * turn.w);
    return {turn.x / length, turn.y / length, 0, turn.w / length};
}

void add_lights(Scene& scene, const Poser& poser) {
    const Scene& source = poser.scene();
    scene.lights = source.lights;
    for (std::size_t i = 0; i < source.nodes.size(); ++i) {
        const Node& old = source.nodes[i];
        const Index joint = poser.skeleton().joints[i];
        if (old.light == no_index || joint == no_index) continue;
        const Mat4& model = poser.models()[joint];
        Node& node = scene.nodes.emplace_back();
        node.name = old.name;
        node.light = old.light;
        node.local = {{model.m[12], model.m[13], model.m[14]}, aim(model), {1, 1, 1}};
    }
}

Scene bake_all(const Poser& poser) {
    const Scene& source = poser.scene();
    Scene scene;
    scene.name = source.name;
    scene.facing = source.facing;
    scene.materials = source.materials;
    scene.images = source.images;
    for (const PosedMesh& posed : poser.meshes()) {
        const Node& old = source.nodes[posed.node];
        Node& node = scene.nodes.emplace_back();
        node.name = old.name;
        node.collision = old.collision;
        node.hidden = old.hidden && old.collision;  // a level of detail that is shown stays visible
        node.mesh = static_cast<Index>(scene.meshes.size());
        scene.meshes.push_back(bake_mesh(source.meshes[posed.mesh], posed));
    }
    add_lights(scene, poser);
    return scene;
}

}  // namespace

Result<Scene> bake(const Poser& poser) {
    return without_exceptions([&]() -> Result<Scene> { return bake_all(poser); });
}

}  // namespace effigy::playback
