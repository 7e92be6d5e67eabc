/// A component in the scene: the order of the steps, and what they found.

#include "egosoft/to_scene/component.hpp"

#include <vector>

#include "effigy/core_codes.hpp"
#include "effigy/egosoft_codes.hpp"

#include "core/problem.hpp"
#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft::bridge {
namespace {

void note_findings(const PartMeshes& found, const Component& component) {
    for (const auto& [problem, names] : found.unborrowed) {
        found.build.note(codes::reference_missing, "parts",
                         "Parts borrow their meshes, and " + problem +
                             "; they have none here. Meshes of the game are found with --game.",
                         names.text());
    }
    found.build.note_any(
        found.other_materials, codes::material_list_differs, "parts",
        "The component lists other materials than these meshes have; the meshes decide what is drawn.");
    found.build.note_any(found.nodes.not_finite, codes::not_finite_replaced, "offsets",
                         "Numbers that are not finite become 0.", " numbers");
    if (!found.missing.empty() && found.build.absent.empty())
        found.build.absent = text(component.name) + " (" +
                             (component.geometry.empty() ? "no folder is named" : text(component.geometry)) + ")";
    found.build.note_any(found.missing, codes::mesh_missing, "parts", "Meshes that the component names are not there.",
                         component.geometry.empty() ? "" : "in " + text(component.geometry));
}

Result<void> add_component(Build& build, Store& store, const ComponentInput& input, const Component& component,
                           bool is_only) {
    const MeshFolder folder(component.geometry);
    build.file = text(input.source.stem);
    auto animations = store.animations(folder, is_only);
    if (!animations) return fail(std::move(animations.error()));
    std::unordered_set<std::string> moving;
    for (const AnimationInput* one : *animations) moving.merge(moving_parts(one->file));
    auto nodes = add_component_nodes(build, input, component, moving);
    if (!nodes) return fail(std::move(nodes.error()));
    PartMeshes meshes{build, store, *nodes, build.file};
    // Of one level, which one it is turns out later.
    for (const PlacedPart& placed : nodes->parts) {
        if (build.options.lod < 0 && placed.part->reference.empty()) expect_meshes(meshes, *placed.part, folder);
    }
    NameCounts counts;
    for (PlacedPart& placed : nodes->parts) {
        if (auto added = add_part_meshes(meshes, placed, folder); !added) return added;
        Json record = part_record(*placed.part);
        record_name(record, placed.part->name, counts);
        if (!placed.absent.empty()) record["absent_levels"] = placed.absent;
        if (!placed.part->wreck.empty() && !placed.has_wreck) record["absent_wreck"] = true;
        set_record(build.scene.nodes[placed.node].extras, std::move(record));
    }
    build.file = meshes.file;
    note_findings(meshes, component);
    store.remember(folder);
    for (const AnimationInput* one : *animations) {
        if (auto added = add_motions(build, *one, nodes->by_name, nodes->ranges); !added) return added;
        if (!is_only) build.animation_files.back()["component"] = json_text(component.name);
    }
    return {};
}

}  // namespace

void note_applied(Build& build, const ChangedComponents& changed, const std::string& component) {
    if (changed.changed_by.empty()) return;
    NameList names;
    for (const std::string& name : changed.changed_by) names.add(text(name));
    build.note(codes::diff_applied, "component[" + text(component) + "]",
               "Extensions change this component; what is read is the component with their changes.", names.text());
}

Result<bool> lay_changes_over(Build& build, const GameFiles& files, ComponentInput& input) {
    if (input.file.components.empty()) return false;
    const Limits& limits = build.options.limits;
    const std::string name = input.file.components.front().name, path = find_component(files, name);
    const auto changed = path.empty() ? std::nullopt : changed_file(files, path, limits);
    if (!changed) return false;
    const auto base = files.read(changed->base);
    // A file of one's own may have the component's name: what changes the game's is not for it.
    if (!base || *base != input.file.text) return false;
    auto loaded = read_changed(files, *changed, *base, limits);
    if (!loaded) {
        if (is_limit(loaded.error())) return fail(std::move(loaded.error()));
        build.report.add(std::move(loaded.error()));
        return false;
    }
    build.budget.add_input(loaded->value.file.text.size());
    if (auto taken = build.take(loaded->value.file.text.size(), 1, "a changed component"); !taken)
        return fail(std::move(taken.error()));
    build.report.append(std::move(loaded->report));
    build.file = text(input.source.stem);
    note_applied(build, loaded->value, name);
    input.file = std::move(loaded->value.file);
    return true;
}

Result<void> add_components(Build& build, SceneInput& input) {
    std::vector<bool> has_changes;
    for (ComponentInput& one : input.components) {
        auto laid = input.files == nullptr ? Result<bool>(false) : lay_changes_over(build, *input.files, one);
        if (!laid) return fail(std::move(laid.error()));
        has_changes.push_back(*laid);
    }
    Store store(build, input);
    std::size_t count = 0;
    for (const ComponentInput& one : input.components) count += one.file.components.size();
    for (std::size_t number = 0; number < input.components.size(); ++number) {
        const ComponentInput& one = input.components[number];
        for (const Component& component : one.file.components) {
            auto noted = has_changes[number] ? Result<void>() : store.note_changes(component);
            if (!noted) return noted;
            if (auto added = add_component(build, store, one, component, count == 1); !added) return added;
        }
    }
    build.file.clear();
    store.note_strays();
    store.note_unused_inputs();
    return {};
}

}  // namespace effigy::egosoft::bridge
