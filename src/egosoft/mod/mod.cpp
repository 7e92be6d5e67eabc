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
#include "egosoft/from_scene/component.hpp"

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

/// What makes the components known. Lists are read and written once, however many there are.
Result<void> add_entries(Output& output, std::vector<Plan>& plans, const ModOptions& options) {
    if (plans.empty()) return {};
    add_content(output, plans.front());
    std::vector<std::vector<std::string>> macros;
    const Places known(output, options.folder, macros_index);
    if (options.stubs) number_texts(output, known, plans);
    for (const Plan& plan : plans) macros.push_back(add_macros(output, plan, known));
    note_macro_stubs(output);
    return add_indexes(output, plans, macros).and_then([&] {
        return options.stubs ? add_stubs(output, plans) : Result<void>();
    });
}

Result<Loaded<std::vector<NamedFile>>> make_mod(const Scene& scene, const ModOptions& options) {
    if (auto checked = check_structure(scene); !checked) return fail(std::move(checked.error()));
    if (auto checked = check_indices(scene); !checked) return fail(std::move(checked.error()));
    Output output{options.old_file, options.scene.limits, options.originals, options.normal_map_green};
    const Plan of_mod{.folder = options.folder,
                      .name = {},
                      .class_name = {},
                      .collection = game_name(options.folder, "mod"),
                      .place = {},
                      .title = options.title,
                      .author = options.author,
                      .is_x4 = options.scene.target != Target::x_rebirth,
                      .has_texts = options.stubs,
                      .text_page = text_page_of(options.folder)};
    std::vector<Plan> plans;
    FromSceneOptions all = options.scene;
    all.product = Product::component;
    all.collection = of_mod.collection;
    all.for_mod = true;
    const Places places(output, options.folder, components_index);
    std::vector<OldComponent> olds;
    std::vector<std::string> sources;
    NameList kept_classes, of_game;
    bridge::Context context = bridge::start(scene, all);
    std::optional<std::set<std::string>> own;
    context.is_in_library = [&](const std::string& name) {
        if (!own) own = own_materials(output);
        return own->contains(name);
    };
    auto made = bridge::make_components(context, [&](const bridge::Plan& component, FromSceneOptions& settings) {
        Plan& plan = plans.emplace_back(of_mod);
        if (plan.title.empty()) plan.title = settings.name;
        plan.name = game_name(settings.name, "component");
        plan.class_name = bridge::stated_class(context, component);
        const bool is_stated = !plan.class_name.empty();
        if (!is_stated) plan.class_name = "destructible";
        const OldComponent& old = olds.emplace_back(output, places, plan.name, plan.class_name);
        sources.push_back(bridge::source_text(component));
        if (!is_stated && !old.class_name().empty()) {
            plan.class_name = old.class_name();
            kept_classes.add(plan.name + " (" + plan.class_name + ")");
        }
        if (sources.back().empty() && options.is_in_game && options.is_in_game(plan.name)) of_game.add(plan.name);
        plan.place = places.of(plan.name, plan.class_name);
        settings.name = plan.name;
        settings.folder = "extensions/" + plan.folder + "/" + plan.place;
        settings.class_name = plan.class_name;
    });
    if (!made) return fail(std::move(made.error()));
    for (std::size_t i = 0; i < made->size(); ++i) {
        std::vector<NamedFile>& files = (*made)[i].files;
        plans[i].connections = connections_of(files.front().bytes, options.scene.limits);
        for (NamedFile& file : files) file.name.insert(0, plans[i].place + "/");
        if (!options.replaces_others) {
            if (auto spared = olds[i].spare(output, sources[i], files); !spared) return fail(std::move(spared.error()));
        }
        if (sources[i].empty())
            olds[i].note_lost(context.report, plans[i].name, files.front().bytes, options.scene.limits);
        bridge::add_files(context, output.files, std::move(files));
    }
    context.note_any(kept_classes, codes::mod_class_kept, "nodes",
                     "The mod has these components already, and nothing says another class: they keep theirs. "
                     "--class, or a custom property \"class\" of the root node, says another one.");
    context.note_any(of_game, codes::mod_game_name, "nodes",
                     "The game has components of these names, and the new ones take their places everywhere. Call the "
                     "models otherwise if that is not meant.");
    output.report = std::move(context.report);
    if (auto added = add_entries(output, plans, options); !added) return fail(std::move(added.error()));
    if (options.textures) {
        if (auto added = add_materials(output, of_mod, scene, context.material_names); !added)
            return fail(std::move(added.error()));
    }
    return Loaded<std::vector<NamedFile>>{std::move(output.files), std::move(output.report)};
}

}  // namespace
}  // namespace mod

Result<Loaded<std::vector<NamedFile>>> mod_from_scene(const Scene& scene, const ModOptions& options) {
    return without_exceptions([&] { return mod::make_mod(scene, options); });
}

}  // namespace effigy::egosoft
