/// What a mod has already under the name of a component, and whether that may be replaced.

#include <algorithm>
#include <span>

#include "effigy/component.hpp"
#include "effigy/egosoft_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "egosoft/file/written_mark.hpp"
#include "egosoft/from_scene/component.hpp"
#include "egosoft/mod/mod.hpp"
#include "scene/bridge.hpp"

namespace effigy::egosoft::mod {
namespace {

std::optional<Component> component_in(std::string_view text, const std::string& name, const Limits& limits) {
    const auto raw = std::as_bytes(std::span(text));
    auto read = read_components(Bytes(raw.begin(), raw.end()), {limits});
    if (!read) return std::nullopt;
    auto& all = read->value.components;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Component& one) { return lower(one.name) == lower(name); });
    return found == all.end() ? std::nullopt : std::optional(std::move(*found));
}

/// Of all connections but one, in lower case.
std::multiset<std::string> tags_of(const Component& component, std::string_view but) {
    std::multiset<std::string> tags;
    for (const Connection& connection : component.connections) {
        if (lower(connection.name) == but) continue;
        for (const std::string& tag : connection.tags) tags.insert(lower(tag));
    }
    return tags;
}

Diagnostic foreign(const std::string& path) {
    Diagnostic failure = problem_at(
        {}, codes::mod_component_foreign,
        "The mod has this file already, and it was not written by effigy or was edited since: nothing is written. "
        "Call the model otherwise, or replace what is there with --overwrite. If the model was made of it, export it "
        "with custom properties first (Blender: Include, Data: Custom Properties).");
    failure.file = path;
    return failure;
}

}  // namespace

OldComponent::OldComponent(const Output& output, const Places& places, const std::string& name,
                           const std::string& class_name) {
    const auto known = places.known(name);
    std::vector<std::string> paths{places.of(name, class_name) + "/" + name + ".xml"};
    if (known && lower(*known + ".xml") != lower(paths.front())) paths.push_back(*known + ".xml");
    for (const std::string& path : paths) {
        auto text = output.old ? output.old(path) : std::nullopt;
        if (!text) continue;
        if (auto component = component_in(*text, name, output.limits)) component_ = std::move(component);
        texts_.emplace_back(path, std::move(*text));
    }
}

Result<void> OldComponent::spare(const Output& output, const std::string& source,
                                 const std::vector<NamedFile>& files) const {
    const std::string_view made = as_text(files.front().bytes);
    for (const auto& [path, text] : texts_) {
        if (text != made && text != source && !has_valid_mark(text)) return fail(foreign(path));
    }
    if (!texts_.empty() || !output.old) return {};
    // Without its component an animation is somebody else's.
    for (const NamedFile& file : files) {
        const auto old = lower(file.name).ends_with(".ani") ? output.old(file.name) : std::nullopt;
        if (old && *old != as_text(file.bytes)) return fail(foreign(file.name));
    }
    return {};
}

void OldComponent::note_lost(Report& report, const Component& made) const {
    if (!component_ || made.name.empty()) return;
    // What ties it to the game goes with its class.
    const bool is_other = made.class_name != component_->class_name;
    const std::string tie =
        is_other ? lower(bridge::expected_connections(component_->class_name, false).back().name) : "";
    const std::multiset<std::string> tags = tags_of(made, {}), old_tags = tags_of(*component_, tie);
    NameList gone;
    for (auto tag = old_tags.begin(); tag != old_tags.end(); tag = old_tags.upper_bound(*tag)) {
        if (tags.count(*tag) < old_tags.count(*tag)) gone.add(*tag);
    }
    if (made.connections.size() >= component_->connections.size() && gone.empty()) return;
    const auto count = [](const Component& one) { return std::to_string(one.connections.size()) + " connections"; };
    report.add(problem_at("nodes", codes::mod_connections_lost,
                          "The component that this one replaces has more connections, or tags that are gone, and the "
                          "scene has no records of them. If it was made of that component, export it again with custom "
                          "properties (Blender: Include, Data: Custom Properties).",
                          made.name + ": " + count(made) + (gone.empty() ? "" : ", without tags (" + gone.text() + ")"),
                          std::to_string(component_->connections.size())));
}

}  // namespace effigy::egosoft::mod
