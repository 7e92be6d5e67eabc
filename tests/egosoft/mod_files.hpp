#pragma once
/// Scenes that become mods, whose files are in memory.

#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>

#include "effigy/egosoft_scene.hpp"

#include "egosoft/scene_builders.hpp"
#include "scene/bridge.hpp"

namespace effigy::test {

using namespace builders;

using Texts = std::map<std::string, std::string>;

[[nodiscard]] inline Scene boat() {
    Scene scene = builders::convert(quad()).value;
    forget_extras(scene);
    scene.nodes.clear();
    Node& hull = scene.nodes.emplace_back();
    hull.name = "Hull";
    hull.mesh = 0;
    scene.materials.resize(1);
    scene.materials[0].name = "arg_ships.hull";
    for (Primitive& primitive : scene.meshes[0].primitives) primitive.material = 0;
    return scene;
}

struct Made {
    Texts files;
    Report report;
};

/// What came of it, or why nothing did.
[[nodiscard]] inline Result<Made> try_mod(const std::string& name, const std::string& class_name, const Texts& old = {},
                                          const Scene& scene = boat(), egosoft::ModOptions options = {}) {
    options.scene.name = name;
    options.folder = "my_mod";
    options.scene.class_name = class_name;
    options.author = "me & you";
    options.old_file = [&](const std::string& path) {
        const auto found = old.find(path);
        return found == old.end() ? std::optional<std::string>() : found->second;
    };
    auto mod = egosoft::mod_from_scene(scene, options);
    if (!mod) return tl::unexpected(mod.error());
    Made made;
    made.report = std::move(mod->report);
    for (const egosoft::NamedFile& file : mod->value)
        made.files[file.name] = {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
    return made;
}

[[nodiscard]] inline Made made_mod(const std::string& name, const std::string& class_name, const Texts& old = {},
                                   const Scene& scene = boat(), const egosoft::ModOptions& options = {}) {
    auto made = try_mod(name, class_name, old, scene, options);
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return made ? std::move(*made) : Made();
}

/// A node with custom properties.
inline Index add(Scene& scene, const std::string& name, const std::string& properties, Vec3 place = {},
                 Index parent = no_index) {
    Node& node = scene.nodes.emplace_back();
    node.name = name;
    node.extras.other = properties;
    node.local.translation = place;
    const auto index = static_cast<Index>(scene.nodes.size() - 1);
    if (parent != no_index) add_child(scene, parent, index);
    return index;
}

}  // namespace effigy::test
