/// A scene as a mod: the component, and everything without which the game does not find it.

#include "egosoft/mod/mod.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "effigy/component.hpp"
#include "effigy/egosoft_codes.hpp"

#include "core/guard.hpp"
#include "core/hasher.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "egosoft/file/formats.hpp"
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

/// What a component's file has become.
Component component_of(const Bytes& xml, const Limits& limits) {
    auto read = read_components(xml, {limits});
    return read && !read->value.components.empty() ? std::move(read->value.components.front()) : Component();
}

void learn_connections(const Component& component, Plan& plan) {
    for (const Connection& connection : component.connections) {
        plan.connection_names.insert(lower(connection.name));
        for (const std::string& tag : connection.tags) plan.connections.try_emplace(tag, connection.name);
    }
}

void note_wreck(Report& report, const Component& component) {
    if (!lacks_wreck(component)) return;
    const bool is_small = component.class_name == "ship_s";
    report.add(problem_at("parts", is_small ? codes::wreck_absent.as(Severity::info) : codes::wreck_absent,
                          "No part has a wreck, as things of this class do: nothing stays when it is destroyed, and "
                          "the game logs that a module has no wreck geometry. Add a mesh <part>_wreck beside the mesh "
                          "of the part.",
                          component.name + " (" + component.class_name + ")"));
}

/// What makes the components known. Lists are read and written once, however many there are.
Result<void> add_entries(Output& output, std::vector<Plan>& plans, const ModOptions& options) {
    if (plans.empty()) return {};
    add_content(output, plans.front());
    std::vector<std::vector<std::string>> macros;
    const Places known(output, options.folder, macros_index);
    number_texts(output, known, plans);
    for (const Plan& plan : plans) macros.push_back(add_macros(output, plan, known));
    note_macro_stubs(output);
    return add_indexes(output, plans, macros).and_then([&] {
        return options.stubs ? add_stubs(output, plans) : Result<void>();
    });
}

Plan plan_of_mod(const ModOptions& options) {
    return {.folder = options.folder,
            .name = {},
            .class_name = {},
            .collection = game_name(options.folder, "mod"),
            .place = {},
            .title = options.title,
            .author = options.author,
            .is_x4 = options.scene.target != Target::x_rebirth,
            .has_texts = options.stubs,
            .text_page = text_page_of(options.folder)};
}

/// The scene's components on their way into a mod.
class NewComponents {
public:
    NewComponents(const ModOptions& options, const Plan& of_mod, Output& output, bridge::Context& context)
        : options_(options),
          of_mod_(of_mod),
          output_(output),
          context_(context),
          places_(output, options.folder, components_index) {}

    /// What one is called, of which class it is, and where it goes.
    void prepare(const bridge::Plan& component, FromSceneOptions& settings) {
        Plan& plan = plans.emplace_back(of_mod_);
        if (plan.title.empty()) plan.title = settings.name;
        plan.name = game_name(settings.name, "component");
        plan.class_name = bridge::stated_class(context_, component);
        const bool is_stated = !plan.class_name.empty();
        if (!is_stated) plan.class_name = "destructible";
        const OldComponent& old = olds_.emplace_back(output_, places_, plan.name, plan.class_name);
        sources_.push_back(bridge::source_text(component));
        if (!is_stated && !old.class_name().empty()) {
            plan.class_name = old.class_name();
            kept_classes_.add(plan.name + " (" + plan.class_name + ")");
        }
        if (sources_.back().empty() && options_.is_in_game && options_.is_in_game(plan.name)) of_game_.add(plan.name);
        plan.place = places_.of(plan.name, plan.class_name);
        settings.name = plan.name;
        settings.folder = "extensions/" + plan.folder + "/" + plan.place;
        settings.class_name = plan.class_name;
    }

    Result<void> add(std::vector<NativeFiles> made) {
        for (std::size_t i = 0; i < made.size(); ++i) {
            std::vector<NamedFile>& files = made[i].files;
            const Component& component =
                components_.emplace_back(component_of(files.front().bytes, options_.scene.limits));
            learn_connections(component, plans[i]);
            for (NamedFile& file : files) file.name.insert(0, plans[i].place + "/");
            if (!options_.replaces_others) {
                if (auto spared = olds_[i].spare(output_, sources_[i], files); !spared) return spared;
            }
            note_wreck(context_.report, component);
            if (sources_[i].empty()) olds_[i].note_lost(context_.report, component);
            bridge::add_files(context_, output_.files, std::move(files));
        }
        for (std::size_t i = 0; i < plans.size(); ++i)
            note_left_files(context_, output_, plans[i], olds_[i], components_[i]);
        context_.note_any(kept_classes_, codes::mod_class_kept, "nodes",
                          "The mod has these components already, and nothing says another class: they keep theirs. "
                          "--class, or a custom property \"class\" of the root node, says another one.");
        context_.note_any(of_game_, codes::mod_game_name, "nodes",
                          "The game has components of these names, and the new ones take their places everywhere. Call "
                          "the models otherwise if that is not meant.");
        return {};
    }

    std::vector<Plan> plans{};

private:
    const ModOptions& options_;
    const Plan& of_mod_;
    Output& output_;
    bridge::Context& context_;
    Places places_;
    std::vector<OldComponent> olds_{};
    std::vector<Component> components_{};  ///< as they are written
    std::vector<std::string> sources_{};
    NameList kept_classes_{}, of_game_{};
};

Result<Loaded<std::vector<NamedFile>>> make_mod(const Scene& scene, const ModOptions& options) {
    if (auto checked = check_structure(scene); !checked) return fail(std::move(checked.error()));
    if (auto checked = check_indices(scene); !checked) return fail(std::move(checked.error()));
    Output output{options.old_file, options.scene.limits, options.originals, options.normal_map_green};
    const Plan of_mod = plan_of_mod(options);
    FromSceneOptions all = options.scene;
    all.product = Product::component;
    all.collection = of_mod.collection;
    all.for_mod = true;
    bridge::Context context = bridge::start(scene, all);
    std::optional<std::set<std::string>> own;
    context.is_in_library = [&](const std::string& name) {
        if (!own) own = own_materials(output);
        return own->contains(name);
    };
    NewComponents components(options, of_mod, output, context);
    auto made = bridge::make_components(context, [&](const bridge::Plan& component, FromSceneOptions& settings) {
        components.prepare(component, settings);
    });
    if (!made) return fail(std::move(made.error()));
    if (auto added = components.add(std::move(*made)); !added) return fail(std::move(added.error()));
    output.report = std::move(context.report);
    if (auto added = add_entries(output, components.plans, options); !added) return fail(std::move(added.error()));
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
