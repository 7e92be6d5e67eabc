/// Materials fitted to the sets of texture coordinates that meshes have.

#include "texture_coordinates.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "effigy/hashes.hpp"
#include "effigy/scene_codes.hpp"

#include "core/problem.hpp"
#include "material_slots.hpp"

namespace effigy {

namespace {

std::uint32_t count_sets(const Mesh& mesh) {
    return static_cast<std::uint32_t>(
        std::count_if(mesh.attributes.begin(), mesh.attributes.end(),
                      [](const Attribute& attribute) { return attribute.semantic == Semantic::texcoord; }));
}

bool fits(Material& material, std::uint32_t sets) {
    const auto slots = slots_of(material);
    return std::all_of(slots.begin(), slots.end(),
                       [&](const auto& named) { return !named.slot->used() || named.slot->texcoord < sets; });
}

Material with_sets(Material material, std::uint32_t sets) {
    for (const auto& named : slots_of(material)) {
        if (named.slot->texcoord >= sets) named.slot->texcoord = 0;
        if (sets == 0) *named.slot = {};
    }
    return material;
}

/// For each mesh whether it only stands for what is hit: nobody misses its textures.
std::vector<bool> collision_meshes(const Scene& scene) {
    std::vector<bool> collide(scene.meshes.size()), are_seen(scene.meshes.size());
    for (const Node& node : scene.nodes) {
        if (node.mesh < scene.meshes.size()) (node.collision ? collide : are_seen)[node.mesh] = true;
    }
    for (std::size_t i = 0; i < collide.size(); ++i) collide[i] = collide[i] && !are_seen[i];
    return collide;
}

Diagnostic finding(const Mesh& mesh, const Material& material, std::uint32_t sets) {
    return problem_at("mesh " + mesh.name, codes::texture_coordinates,
                      "The material '" + material.name +
                          "' asks for texture coordinates that the mesh lacks; a variant without is used.",
                      std::to_string(sets) + " sets");
}

}  // namespace

Report fit_texture_coordinates(Scene& scene) {
    const KeepMaterials keep(scene);
    Report report;
    std::map<std::pair<Index, std::uint32_t>, Index> variants;
    for (const Mesh& mesh : scene.meshes) {
        const std::uint32_t sets = count_sets(mesh);
        for (const Primitive& primitive : mesh.primitives) {
            if (primitive.material >= scene.materials.size() || fits(scene.materials[primitive.material], sets))
                continue;
            variants.try_emplace({primitive.material, sets}, no_index);
        }
    }
    for (auto& [key, variant] : variants) {
        variant = static_cast<Index>(scene.materials.size());
        scene.materials.push_back(with_sets(scene.materials[key.first], key.second));
    }
    const std::vector<bool> collide = collision_meshes(scene);
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
        Mesh& mesh = scene.meshes[i];
        const std::uint32_t sets = count_sets(mesh);
        bool reported = collide[i];
        for (Primitive& primitive : mesh.primitives) {
            const auto variant = variants.find({primitive.material, sets});
            if (variant == variants.end()) continue;
            if (!std::exchange(reported, true)) report.add(finding(mesh, scene.materials[primitive.material], sets));
            primitive.material = variant->second;
        }
    }
    return report;
}

}  // namespace effigy
