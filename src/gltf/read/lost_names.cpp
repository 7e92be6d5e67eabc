/// What a file is known to have been where a modelling program has dropped extras: by names, or by what is left.

#include <algorithm>
#include <string>
#include <string_view>

#include "effigy/gltf_codes.hpp"

#include "core/text.hpp"
#include "gltf/read/context.hpp"
#include "scene/level_names.hpp"
#include "scene/records.hpp"
#include "scene/wide_math.hpp"
#include "scene/wide_matrix.hpp"

namespace effigy::gltf {
namespace {

/// Scene::facing of what comes from an X42 model.
constexpr float facing_of_x42 = -90;

/// Whether effigy alone gives such names: "body skin", "body.mesh", also with Blender's ".001". People, too, call
/// levels "hat.lod1" and collision meshes "hat.collision".
bool is_effigys(std::string_view name) {
    const auto ends = [&](std::string_view end) {
        const std::size_t found = name.rfind(end);
        if (found == std::string_view::npos || found == 0) return false;
        return name.substr(found + end.size()).find_first_not_of(".0123456789") == std::string_view::npos;
    };
    return ends(" skin") || ends(".mesh");
}

/// Custom properties of people's own, which effigy's would stand beside.
template <class Object>
bool any_has_properties(const std::vector<Object>& objects) {
    return std::ranges::any_of(objects, [](const Object& one) { return !one.extras.other.empty(); });
}

bool has_properties(const Scene& scene) {
    return !scene.asset_extras.other.empty() || any_has_properties(scene.nodes) || any_has_properties(scene.meshes) ||
           any_has_properties(scene.materials);
}

bool is_tag(const Node& node) { return node.mesh == no_index && lower(cut(node.name, 4)) == "tag_"; }

/// "trader.fine" of "trader": a level of detail of the model of that name.
bool is_level_of(std::string_view model, std::string_view name) {
    name = without_copy_number(name);
    return name.size() > model.size() + 1 && name.starts_with(model) && name[model.size()] == '.';
}

/// Whether all skins and meshes are called after a node, as effigy calls those of an X42 model.
bool are_all_named_after(const Scene& scene, std::string_view model) {
    const auto is_level = [&](const Node& one) { return one.mesh == no_index || is_level_of(model, one.name); };
    const auto is_named = [&](const Skin& skin) { return without_copy_number(skin.name) == model; };
    return std::ranges::all_of(scene.nodes, is_level) && std::ranges::all_of(scene.skins, is_named);
}

/// Whether all meshes are called after one root, as levels of detail of an X42 model are, and there are its tags.
bool is_named_as_x42(const Scene& scene) {
    const auto drawn = std::ranges::find_if(scene.nodes, [](const Node& node) { return node.mesh != no_index; });
    if (drawn == scene.nodes.end() || !std::ranges::any_of(scene.nodes, is_tag)) return false;
    const auto root = std::ranges::find_if(scene.nodes, [&](const Node& node) {
        const std::string_view name = without_copy_number(node.name);
        return node.parent == no_index && node.mesh == no_index && !name.empty() && is_level_of(name, drawn->name);
    });
    return root != scene.nodes.end() && are_all_named_after(scene, without_copy_number(root->name));
}

/// Whether it is the finest level below its part, where effigy puts those of a component: "hull-lod0" below "hull".
bool is_level_of_part(const Scene& scene, const Node& node) {
    if (node.mesh == no_index || node.parent == no_index || scene.nodes[node.parent].mesh != no_index) return false;
    std::string name(without_copy_number(scene.nodes[node.parent].name));
    return without_copy_number(node.name) == name.append("-lod0");
}

/// The name of such a level in what looks like a component of Egosoft's, of which each has a connection `position`;
/// empty: nothing does.
std::string level_of_component(const Scene& scene) {
    const auto is_position = [](const Node& node) {
        return node.mesh == no_index && node.children.empty() && without_copy_number(node.name) == "position";
    };
    if (!std::ranges::any_of(scene.nodes, is_position)) return {};
    const auto level =
        std::ranges::find_if(scene.nodes, [&](const Node& node) { return is_level_of_part(scene, node); });
    return level == scene.nodes.end() ? std::string() : level->name;
}

/// Whether a record is one that only bones and tags of X42 models have: a number, and maybe the name's bytes.
bool is_of_x42(const Node& node) {
    if (node.extras.json.empty()) return false;
    const Json record = record_of(node.extras);
    const bool is_numbered = record.contains("bone") || record.contains("tag");
    return is_numbered && record.size() == (record.contains("name") ? 2u : 1u);
}

/// A name that tells of a file of effigy's of which Blender kept nothing else; empty: there is none.
std::string name_of_lost(const Reading& reading) {
    if (!is_made_by_blender(reading) || has_records(reading) || has_properties(reading.scene)) return {};
    const Scene& scene = reading.scene;
    for (const Skin& skin : scene.skins) {
        if (is_effigys(skin.name)) return skin.name;
    }
    for (const Node& node : scene.nodes) {
        if (node.mesh != no_index && is_effigys(node.name)) return node.name;
    }
    if (!is_named_as_x42(scene)) return level_of_component(scene);
    return std::ranges::find_if(scene.nodes, is_tag)->name;
}

/// As Blender turns bones: their children lie along Y.
bool all_point_along_y(const Scene& scene) {
    std::size_t count = 0;
    for (const Skin& skin : scene.skins) {
        for (const Index joint : skin.joints) {
            glm::dvec3 sum(0);
            for (const Index child : scene.nodes[joint].children) sum += wide(scene.nodes[child].local.translation);
            if (largest(sum) < 0.004) continue;
            if (sum.y < 0.99 * largest(sum)) return false;
            ++count;
        }
    }
    return count > 1;
}

}  // namespace

void find_lost_facing(Reading& reading) {
    Scene& scene = reading.scene;
    // The asset's record would say it.
    if (scene.asset_extras.json.empty() && std::ranges::any_of(scene.nodes, is_of_x42)) scene.facing = facing_of_x42;
}

void note_lost_properties(Reading& reading) {
    const std::string name = name_of_lost(reading);
    if (name.empty()) return;
    std::string message =
        "Blender wrote this file without custom properties, and a name says that what it read was effigy's: what the "
        "game's file knew and glTF does not is lost. Export again with Include, Data: Custom Properties. ";
    if (is_named_as_x42(reading.scene)) {
        // Nothing else says so; whoever writes the model would turn it.
        reading.scene.facing = facing_of_x42;
        message +=
            "An X42 model is called like this: it is taken to look along -X, as these do, and its levels of detail "
            "are all seen at once. ";
    }
    message += all_point_along_y(reading.scene)
                   ? "Its bones are turned, too, unless the game's were all along Y; then motions of the game bend the "
                     "model. Import again with "
                   : "For imports: ";
    reading.note(codes::gltf_properties_lost, "asset", message + what_to_tick, name, "extras.effigy");
}

}  // namespace effigy::gltf
