/// What may be in the meshes of a scene: attributes, primitives, morph targets.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "effigy/scene_access.hpp"

#include "scene/attribute_names.hpp"
#include "scene/finite.hpp"
#include "scene/material_slots.hpp"
#include "scene/problem.hpp"
#include "scene/triangles.hpp"
#include "scene/validate.hpp"

namespace effigy {
namespace {

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
        const Accessor& data = attribute.data;
        const bool fits = data.stride() != 0 && element_fits(attribute.semantic, data.element);
        if (!fits || !type_fits(attribute.semantic, data))
            return scene_problem(here, "glTF has no such type for this attribute", name);
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
    for (const auto& named : slots_of(scene.materials[primitive.material])) {
        if (is_written(scene, *named.slot) && named.slot->texcoord >= sets_of(mesh, Semantic::texcoord)) {
            return scene_problem({{"meshes", number}, {"primitives", i}, {"material"}, {named.gltf_name}},
                                 "the material uses texture coordinates that the mesh does not have",
                                 "set " + std::to_string(named.slot->texcoord));
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

Result<void> check_finite(std::span<const float> values, const Mesh& mesh, Steps here) {
    const auto bad = find_not_finite(values);
    return bad ? not_finite(here, mesh.name, values[*bad]) : Result<void>();
}

Result<void> check_weights(const Mesh& mesh, std::size_t number) {
    const Steps here = {{"meshes", number}, {"weights"}};
    if (!mesh.weights.empty() && mesh.weights.size() != mesh.targets.size()) {
        return scene_problem(here, "there is not one weight for each target", std::to_string(mesh.weights.size()),
                             std::to_string(mesh.targets.size()));
    }
    return check_finite(mesh.weights, mesh, here);
}

// Bulk data

Result<void> check_numbers(const Mesh& mesh, const Attribute& attribute, Steps here) {
    if (attribute.data.component != ComponentType::f32) return {};
    return check_finite(attribute.data.as<float>(), mesh, here);
}

Result<void> check_indices_of(const Mesh& mesh, std::size_t number, std::size_t i) {
    const Primitive& primitive = mesh.primitives[i];
    const auto bad = find_not_below(primitive.indices, primitive.vertex_count);
    if (!bad) return {};
    return scene_problem({{"meshes", number}, {"primitives", i}, {"indices", *bad}},
                         "the index is not one of the primitive's vertices", std::to_string(primitive.indices[*bad]),
                         "below " + std::to_string(primitive.vertex_count));
}

std::span<const float> floats_in(const Bulk<Vec3>& vectors) {
    return {reinterpret_cast<const float*>(vectors.data()), 3 * vectors.size()};
}

Result<void> check_offsets(const Mesh& mesh, std::size_t number, std::size_t i) {
    for (const Bulk<Vec3>* offsets :
         {&mesh.targets[i].positions, &mesh.targets[i].normals, &mesh.targets[i].tangents}) {
        auto checked = check_finite(floats_in(*offsets), mesh, {{"meshes", number}, {"targets", i}});
        if (!checked) return checked;
    }
    return {};
}

bool are_all_below(const Accessor& data, std::size_t limit) {
    const auto below = static_cast<std::uint32_t>(limit);
    if (data.component == ComponentType::u8) return !find_not_below(data.as<std::uint8_t>(), below);
    return data.component == ComponentType::u16 && !find_not_below(data.as<std::uint16_t>(), below);
}

void validate_mesh(const Scene& scene, std::size_t number, std::size_t joints, bool with_values, Report& report) {
    const Mesh& mesh = scene.meshes[number];
    bool fits = true;
    const auto add = [&](const Result<void>& checked) {
        if (checked) return;
        report.add(checked.error());
        fits = false;
    };
    if (mesh.vertex_count != 0 || !mesh.attributes.empty()) add(check_attributes(mesh, number));
    for (std::size_t i = 0; i < mesh.primitives.size(); ++i) add(check_primitive(scene, mesh, number, i));
    for (std::size_t i = 0; i < mesh.targets.size(); ++i) add(check_target(mesh, number, i));
    add(check_weights(mesh, number));
    if (!with_values || !fits) return;
    for (std::size_t i = 0; i < mesh.attributes.size(); ++i)
        add(check_numbers(mesh, mesh.attributes[i], {{"meshes", number}, {"attributes", i}}));
    for (std::size_t i = 0; i < mesh.primitives.size(); ++i) add(check_indices_of(mesh, number, i));
    for (std::size_t i = 0; i < mesh.targets.size(); ++i) add(check_offsets(mesh, number, i));
    add(check_joints(mesh, number, joints));
}

}  // namespace

bool element_fits(Semantic semantic, ElementType element) {
    switch (semantic) {
        case Semantic::position:
        case Semantic::normal:
            return element == ElementType::vec3;
        case Semantic::texcoord:
            return element == ElementType::vec2;
        case Semantic::color:
            return element == ElementType::vec3 || element == ElementType::vec4;
        case Semantic::tangent:
        case Semantic::joints:
        case Semantic::weights:
            return element == ElementType::vec4;
        case Semantic::custom:
            return true;
    }
    return false;
}

bool type_fits(Semantic semantic, const Accessor& data) {
    const bool is_float = data.component == ComponentType::f32 && !data.normalized;
    const bool is_small = data.component == ComponentType::u8 || data.component == ComponentType::u16;
    switch (semantic) {
        case Semantic::position:
        case Semantic::normal:
        case Semantic::tangent:
            return is_float;
        case Semantic::texcoord:
        case Semantic::color:
        case Semantic::weights:
            return is_float || (is_small && data.normalized);
        case Semantic::joints:
            return is_small && !data.normalized;
        case Semantic::custom:
            return data.component != ComponentType::u32 && (data.component != ComponentType::f32 || !data.normalized);
    }
    return false;
}

Result<void> check_indices(const Scene& scene) {
    const std::vector<std::size_t> joints = joint_counts(scene);
    for (std::size_t number = 0; number < scene.meshes.size(); ++number) {
        const Mesh& mesh = scene.meshes[number];
        for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
            if (auto checked = check_indices_of(mesh, number, i); !checked) return checked;
        }
        if (auto checked = check_joints(mesh, number, joints[number]); !checked) return checked;
    }
    return {};
}

std::vector<std::size_t> joint_counts(const Scene& scene) {
    std::vector<std::size_t> counts(scene.meshes.size(), no_index);
    for (const Node& node : scene.nodes) {
        if (node.mesh >= counts.size() || node.skin >= scene.skins.size()) continue;
        const std::size_t joints = scene.skins[node.skin].joints.size();
        if (joints != 0) counts[node.mesh] = std::min(counts[node.mesh], joints);
    }
    return counts;
}

Result<void> check_joints(const Mesh& mesh, std::size_t number, std::size_t joints) {
    const auto is_sound = [&](const Attribute& one) {
        return one.semantic != Semantic::joints || are_all_below(one.data, joints);
    };
    if (joints == no_index || std::ranges::all_of(mesh.attributes, is_sound)) return {};
    for (std::uint32_t set = 0;; ++set) {
        const NumberView<std::uint32_t> places(mesh, Semantic::joints, set);
        const FloatView weights(mesh, Semantic::weights, set);
        if (places.empty() || weights.values().size() != places.values().size()) break;
        for (std::size_t i = 0; i < places.values().size(); ++i) {
            if (places.values()[i] < joints || weights.values()[i] == 0) continue;
            const std::string name = "JOINTS_" + std::to_string(set);
            return scene_problem({{"meshes", number}, {name, i / places.width()}},
                                 "a vertex follows a joint that its skin does not have",
                                 std::to_string(places.values()[i]), "below " + std::to_string(joints));
        }
    }
    return {};
}

std::uint64_t count_bad_weights(const Attribute& attribute) {
    if (attribute.semantic != Semantic::weights || attribute.data.component != ComponentType::f32) return 0;
    // Nearly always there is none: what has a sign or the greatest exponent is found sooner.
    if (!find_not_below(attribute.data.as<std::uint32_t>(), 0x7f800000u)) return 0;
    const auto weights = attribute.data.as<float>();
    return static_cast<std::uint64_t>(std::count_if(weights.begin(), weights.end(),
                                                    [](float weight) { return weight < 0 || !std::isfinite(weight); }));
}

std::uint64_t count_bad_weights(const Mesh& mesh) {
    std::uint64_t count = 0;
    for (const Attribute& attribute : mesh.attributes) count += count_bad_weights(attribute);
    return count;
}

std::uint64_t count_not_finite(const Mesh& mesh) {
    std::uint64_t count = 0;
    const auto add = [&](std::span<const float> values) {
        // Nearly always there is none, which this finds sooner.
        if (!find_not_finite(values)) return;
        count += static_cast<std::uint64_t>(
            std::count_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); }));
    };
    for (const Attribute& attribute : mesh.attributes) {
        const bool is_replaced = attribute.semantic != Semantic::weights && attribute.semantic != Semantic::custom;
        if (is_replaced && attribute.data.component == ComponentType::f32) add(attribute.data.as<float>());
    }
    for (const MorphTarget& target : mesh.targets) {
        for (const Bulk<Vec3>* offsets : {&target.positions, &target.normals, &target.tangents})
            add(floats_in(*offsets));
    }
    return count;
}

void validate_meshes(const Scene& scene, bool with_values, Report& report) {
    const std::vector<std::size_t> joints = joint_counts(scene);
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) validate_mesh(scene, i, joints[i], with_values, report);
}

}  // namespace effigy
