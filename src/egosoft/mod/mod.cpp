/// A scene as a mod: the component, and everything without which the game does not find it.

#include "egosoft/mod/mod.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "effigy/component.hpp"
#include "effigy/egosoft_codes.hpp"

#include "core/guard.hpp"
#include "core/hasher.hpp"
#include "core/text.hpp"
#include "egosoft/from_scene/from_scene.hpp"

namespace effigy::egosoft {
namespace mod {
namespace {

/// Lower-case letters, digits and "_", as the games' own names are.
std::string game_name(std::string_view wish, std::string_view fallback) {
    std::string name = lower(bridge::plain_name(wish, fallback));
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '-' || c == '.' || c == ' '; }, '_');
    return name;
}

/// Of the texts of a mod: eight digits that stay the same.
std::uint32_t text_page_of(std::string_view folder) {
    constexpr std::uint64_t first = 10'000'000, count = 90'000'000;
    Hasher hasher;
    hasher.add(std::as_bytes(std::span(folder)));
    return static_cast<std::uint32_t>(first + hasher.digest() % count);
}

std::map<std::string, std::string> connections_of(const Bytes& xml, const Limits& limits) {
    std::map<std::string, std::string> found;
    const auto read = read_components(xml, {limits});
    if (!read || read->value.components.empty()) return found;
    for (const Connection& connection : read->value.components.front().connections) {
        for (const std::string& tag : connection.tags) found.try_emplace(tag, connection.name);
    }
    return found;
}

Result<Loaded<std::vector<NamedFile>>> make_mod(const Scene& scene, const ModOptions& options) {
    Output output{options.old_file, options.scene.limits};
    Plan plan{.folder = options.folder,
              .name = game_name(options.scene.name, "component"),
              .class_name = options.class_name,
              .collection = game_name(options.folder, "mod"),
              .place = {},
              .title = options.title.empty() ? options.scene.name : options.title,
              .author = options.author,
              .has_texts = options.stubs,
              .text_page = text_page_of(options.folder)};
    plan.place = place_of(output, plan.folder, plan.name, plan.class_name);
    FromSceneOptions component = options.scene;
    component.product = Product::component;
    component.name = plan.name;
    component.folder = "extensions/" + plan.folder + "/" + plan.place;
    component.class_name = plan.class_name;
    component.collection = plan.collection;
    component.for_mod = true;
    auto made = from_scene(scene, component);
    if (!made) return fail(std::move(made.error()));
    output.report = std::move(made->report);
    plan.connections = connections_of(made->value.files.front().bytes, options.scene.limits);
    for (NamedFile& file : made->value.files)
        output.files.push_back({plan.place + "/" + file.name, std::move(file.bytes)});
    add_content(output, plan, options.scene.target != Target::x_rebirth);
    const std::vector<std::string> macros = add_macros(output, plan);
    auto added =
        add_index(output, plan, macros)
            .and_then([&] { return options.stubs ? add_stubs(output, plan) : Result<void>(); })
            .and_then([&] {
                return options.textures ? add_materials(output, plan, scene, made->value.materials) : Result<void>();
            });
    if (!added) return fail(std::move(added.error()));
    return Loaded<std::vector<NamedFile>>{std::move(output.files), std::move(output.report)};
}

}  // namespace
}  // namespace mod

Result<Loaded<std::vector<NamedFile>>> mod_from_scene(const Scene& scene, const ModOptions& options) {
    return without_exceptions([&] { return mod::make_mod(scene, options); });
}

}  // namespace effigy::egosoft
