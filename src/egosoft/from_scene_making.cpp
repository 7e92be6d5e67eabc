/// What the parts of the way back share: memory, findings, and where nodes stand.

#include <algorithm>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>

#include "egosoft/from_scene.hpp"
#include "scene/material_slots.hpp"
#include "scene/wide_matrix.hpp"

namespace effigy::egosoft::bridge {

glm::dmat4 local_of(const Node& node) {
    if (node.matrix) return wide(*node.matrix);
    glm::dmat4 matrix = glm::mat4_cast(wide(node.local.rotation));
    matrix[0] *= static_cast<double>(node.local.scale.x);
    matrix[1] *= static_cast<double>(node.local.scale.y);
    matrix[2] *= static_cast<double>(node.local.scale.z);
    matrix[3] = glm::dvec4(wide(node.local.translation), 1);
    return matrix;
}

std::vector<glm::dmat4> worlds_of(const Scene& scene) {
    std::vector<glm::dmat4> worlds(scene.nodes.size(), glm::dmat4(1));
    std::vector<Index> open;
    glm::dmat4 turn(1);
    if (scene.facing != 0) turn = glm::rotate(turn, glm::radians(-static_cast<double>(scene.facing)), {0, 1, 0});
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].parent != no_index) continue;
        worlds[i] = turn * local_of(scene.nodes[i]);
        open.push_back(i);
    }
    while (!open.empty()) {
        const Index above = open.back();
        open.pop_back();
        for (const Index child : scene.nodes[above].children) {
            worlds[child] = worlds[above] * local_of(scene.nodes[child]);
            open.push_back(child);
        }
    }
    return worlds;
}

const Json& Making::record_of_mesh(Index mesh) {
    const auto [place, is_new] = mesh_records.try_emplace(mesh, Json::object());
    const Extras& extras = scene.meshes[mesh].extras;
    if (is_new && budget.take(extras.json.size(), 8)) place->second = object_of(extras.json);
    return place->second;
}

namespace {

/// Whether textures are shifted, turned or scaled.
bool places_textures(Material material) {
    const auto slots = slots_of(material);
    return std::any_of(slots.begin(), slots.end(), [](const NamedSlot& named) {
        const TextureSlot& slot = *named.slot;
        const bool moves = slot.offset.x != 0 || slot.offset.y != 0 || slot.rotation != 0;
        return slot.used() && (moves || slot.scale.x != 1 || slot.scale.y != 1);
    });
}

}  // namespace

void Making::note_once() {
    NameList placed;
    for (const auto& [index, name] : material_names) {
        if (index < scene.materials.size() && places_textures(scene.materials[index])) placed.add(name);
    }
    if (!placed.empty()) {
        note("xmf-texture-placed", Severity::warning, "materials",
             "Texture coordinates are written as they are: the offset, rotation and scale of these materials' textures "
             "are lost. Apply them to the coordinates.",
             placed.text());
    }
    if (named_materials.empty()) return;
    note("xmf-material-new", Severity::info, "materials",
         "Materials are called collection.material in a library of the game: add entries of these names to "
         "libraries/material_library.xml.",
         named_materials.text());
    named_materials = {};
}

Making start(const Scene& scene, const FromSceneOptions& options) {
    return {Budget(options.limits, size_of(scene)), scene, options};
}

}  // namespace effigy::egosoft::bridge
