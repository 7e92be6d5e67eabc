#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>

#include "gltf/check.hpp"
#include "gltf/problem.hpp"
#include "scene/attribute_names.hpp"
#include "scene/triangles.hpp"

namespace effigy::gltf {
namespace {

bool is_one_of(ComponentType type, std::initializer_list<ComponentType> allowed) {
    return std::find(allowed.begin(), allowed.end(), type) != allowed.end();
}

// What glTF lets each attribute be made of.
bool type_fits(const Attribute& attribute) {
    const Accessor& data = attribute.data;
    const bool is_float = data.component == ComponentType::f32 && !data.normalized;
    const bool is_fraction = is_one_of(data.component, {ComponentType::u8, ComponentType::u16}) && data.normalized;
    const bool is_integer = is_one_of(data.component, {ComponentType::u8, ComponentType::u16}) && !data.normalized;
    switch (attribute.semantic) {
        case Semantic::position:
        case Semantic::normal:
            return data.element == ElementType::vec3 && is_float;
        case Semantic::tangent:
            return data.element == ElementType::vec4 && is_float;
        case Semantic::texcoord:
            return data.element == ElementType::vec2 && (is_float || is_fraction);
        case Semantic::color:
            return (data.element == ElementType::vec3 || data.element == ElementType::vec4) &&
                   (is_float || is_fraction);
        case Semantic::joints:
            return data.element == ElementType::vec4 && is_integer;
        case Semantic::weights:
            return data.element == ElementType::vec4 && (is_float || is_fraction);
        case Semantic::custom:
            return data.stride() != 0 && data.component != ComponentType::u32 &&
                   !(data.component == ComponentType::f32 && data.normalized);
    }
    return false;
}

std::uint32_t sets_of(const Mesh& mesh, Semantic semantic) {
    return static_cast<std::uint32_t>(
        std::count_if(mesh.attributes.begin(), mesh.attributes.end(),
                      [&](const Attribute& attribute) { return attribute.semantic == semantic; }));
}

bool has(const Mesh& mesh, Semantic semantic) { return sets_of(mesh, semantic) != 0; }

Result<void> check_attributes(const Mesh& mesh, std::size_t number) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < mesh.attributes.size(); ++i) {
        const Attribute& attribute = mesh.attributes[i];
        const Steps here = {{"meshes", number}, {"attributes", i}};
        const std::string name = attribute_name(attribute);
        if (attribute.semantic == Semantic::custom && !name.starts_with('_')) {
            return scene_problem(here, "the name of a custom attribute must begin with an underscore", name);
        }
        if (!names.insert(name).second) return scene_problem(here, "the attribute stands there twice", name);
        if (!type_fits(attribute)) return scene_problem(here, "glTF has no such type for this attribute", name);
        // Names are unique, so sets below their number are exactly 0, 1, 2 ...
        if (is_numbered(attribute.semantic) && attribute.set >= sets_of(mesh, attribute.semantic)) {
            return scene_problem(here, "the sets of an attribute must be numbered from 0 without a gap", name);
        }
        const std::uint64_t expected = std::uint64_t{mesh.vertex_count} * attribute.data.stride();
        if (attribute.data.bytes.size() != expected) {
            return scene_problem(here, "the attribute does not have one element for each vertex",
                                 std::to_string(attribute.data.bytes.size()) + " bytes",
                                 std::to_string(expected) + " bytes");
        }
    }
    if (!has(mesh, Semantic::position)) return scene_problem({{"meshes", number}}, "the mesh has no positions");
    if (sets_of(mesh, Semantic::joints) != sets_of(mesh, Semantic::weights)) {
        return scene_problem({{"meshes", number}}, "joints and weights must have equally many sets");
    }
    return {};
}

Result<void> check_primitive(const Scene& scene, const Mesh& mesh, std::size_t number, std::size_t i) {
    const Primitive& primitive = mesh.primitives[i];
    if (std::uint64_t{primitive.first_vertex} + primitive.vertex_count > mesh.vertex_count) {
        return scene_problem({{"meshes", number}, {"primitives", i}}, "the vertices end beyond those of the mesh",
                             std::to_string(std::uint64_t{primitive.first_vertex} + primitive.vertex_count),
                             "at most " + std::to_string(mesh.vertex_count));
    }
    if (!makes_whole(primitive.topology, primitive.indices.size()) ||
        (primitive.vertex_count == 0 && !primitive.indices.empty())) {
        return scene_problem({{"meshes", number}, {"primitives", i}, {"indices"}},
                             "the indices form no whole triangles or lines",
                             std::to_string(primitive.indices.size()) + " indices");
    }
    if (primitive.material == no_index) return {};
    if (primitive.material >= scene.materials.size()) {
        return scene_problem({{"meshes", number}, {"primitives", i}, {"material"}}, "there is no such material",
                             std::to_string(primitive.material));
    }
    for (const auto& [name, slot] : texture_slots(scene.materials[primitive.material])) {
        if (is_written(scene, *slot) && slot->texcoord >= sets_of(mesh, Semantic::texcoord)) {
            return scene_problem({{"meshes", number}, {"primitives", i}, {"material"}, {name}},
                                 "the material uses texture coordinates that the mesh does not have",
                                 "set " + std::to_string(slot->texcoord));
        }
    }
    return {};
}

bool is_offsets_of(const Bulk<Vec3>& offsets, const MorphTarget& target) {
    return offsets.empty() || offsets.size() == target.indices.size();
}

bool increases(const Bulk<std::uint32_t>& values) {
    return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

Result<void> check_target(const Mesh& mesh, std::size_t number, std::size_t i) {
    const MorphTarget& target = mesh.targets[i];
    const Steps here = {{"meshes", number}, {"targets", i}};
    if (!is_offsets_of(target.positions, target) || !is_offsets_of(target.normals, target) ||
        !is_offsets_of(target.tangents, target)) {
        return scene_problem(here, "the target does not have one offset for each vertex that it moves");
    }
    if (!increases(target.indices) || (!target.indices.empty() && target.indices.back() >= mesh.vertex_count)) {
        return scene_problem(here, "the vertices of the target do not increase, or are not in the mesh");
    }
    if ((!target.normals.empty() && !has(mesh, Semantic::normal)) ||
        (!target.tangents.empty() && !has(mesh, Semantic::tangent))) {
        return scene_problem(here, "the target moves normals or tangents that the mesh does not have");
    }
    return {};
}

}  // namespace

Result<void> check_mesh(const Scene& scene, std::size_t number) {
    const Mesh& mesh = scene.meshes[number];
    if (mesh.vertex_count != 0 || !mesh.attributes.empty()) {
        if (auto checked = check_attributes(mesh, number); !checked) return checked;
    }
    for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
        if (auto checked = check_primitive(scene, mesh, number, i); !checked) return checked;
    }
    for (std::size_t i = 0; i < mesh.targets.size(); ++i) {
        if (auto checked = check_target(mesh, number, i); !checked) return checked;
    }
    if (!mesh.weights.empty() && mesh.weights.size() != mesh.targets.size()) {
        return scene_problem({{"meshes", number}, {"weights"}}, "there is not one weight for each target",
                             std::to_string(mesh.weights.size()), std::to_string(mesh.targets.size()));
    }
    for (const float weight : mesh.weights) {
        if (!std::isfinite(weight)) return not_finite({{"meshes", number}, {"weights"}}, mesh.name, weight);
    }
    return {};
}

}  // namespace effigy::gltf
