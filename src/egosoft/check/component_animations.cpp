/// Rules about a component's animations: the ranges of the XML, and the ANI file.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "effigy/ani.hpp"
#include "effigy/egosoft_codes.hpp"

#include "egosoft/check/component.hpp"

namespace effigy::egosoft::checks {

namespace {

using States = std::map<std::string, std::set<std::string>>;  ///< by part, lower case

std::string errors_of(const Report& report) {
    for (const Diagnostic& finding : report.diagnostics()) {
        if (finding.severity == Severity::error) return finding.code;
    }
    return {};
}

void check_ranges(ComponentCheck& check) {
    for (std::size_t index = 0; index < check.connections.size(); ++index) {
        for (const AnimationRange& range : check.component.connections[index].animations) {
            if (range.start <= range.end) continue;
            check.findings.add(codes::animation_range_order, check.connections[index],
                               range.name + " from " + std::to_string(range.start) + " to " + std::to_string(range.end),
                               "a start before the end");
        }
    }
}

/// Moving textures are described in the XML itself.
bool wants_keys(const PlacedPart& part) {
    return !part.connection->animations.empty() && part.part->uv_animations.empty();
}

/// Frames of a part's only state can be cut into ranges of any name.
bool has_state(const std::set<std::string>& states, const std::string& range) {
    return states.size() == 1 || states.contains(lower(range));
}

void check_states(ComponentCheck& check, const States& states) {
    static const std::set<std::string> no_states;
    for (const PlacedPart& part : check.parts) {
        if (!wants_keys(part)) continue;
        const auto found = states.find(lower(part.part->name));
        const std::set<std::string>& own = found == states.end() ? no_states : found->second;
        std::vector<std::string> missing;
        for (const AnimationRange& range : part.connection->animations) {
            if (!has_state(own, range.name)) missing.push_back(range.name);
        }
        if (!missing.empty()) check.findings.add(codes::animation_state_missing, part.place, listed(missing, "state"));
    }
}

void check_moved_parts(ComponentCheck& check, const ani::File& file) {
    std::set<std::string> seen;
    std::vector<std::string> missing;
    for (const ani::Animation& animation : file.animations) {
        const std::string name(ani::part_of(animation));
        if (!check.names.contains(lower(name)) && seen.insert(lower(name)).second) missing.push_back(name);
    }
    if (!missing.empty()) check.findings.add(codes::animation_part_missing, check.place, listed(missing, "part"));
}

/// As an older export leaves a file.
void check_named(ComponentCheck& check, const ani::File& file, const Location& location) {
    const std::vector<Connection>& connections = check.component.connections;
    const auto names_some = [](const Connection& connection) { return !connection.animations.empty(); };
    if (std::any_of(connections.begin(), connections.end(), names_some)) return;
    std::set<std::string> moved;
    for (const ani::Animation& animation : file.animations) {
        const std::string part = lower(ani::part_of(animation));
        if (check.names.contains(part)) moved.insert(part);
    }
    if (moved.empty()) return;
    const std::vector<std::string> parts(moved.begin(), moved.end());
    check.findings.add(codes::animation_unnamed, check.place, listed(parts, "part") + " in " + name_of(location));
}

void check_file(ComponentCheck& check, const Location& location) {
    const Result<Bytes> bytes = check.scope.files->read(location);
    auto loaded = bytes ? ani::read(*bytes, {check.context.limits}) : fail(bytes.error());
    std::string trouble = loaded ? errors_of(loaded->report) : loaded.error().code;
    if (loaded && trouble.empty()) trouble = errors_of(ani::check(loaded->value));
    if (!trouble.empty()) check.findings.add(codes::mesh_damaged, check.place, trouble + " in " + name_of(location));
    if (!loaded) return;
    States states;
    for (const ani::Animation& animation : loaded->value.animations)
        states[lower(ani::part_of(animation))].insert(lower(ani::state_of(animation)));
    check_states(check, states);
    check_moved_parts(check, loaded->value);
    check_named(check, loaded->value, location);
}

}  // namespace

void check_animations(ComponentCheck& check) {
    check_ranges(check);
    if (check.folder.empty()) return;
    const std::string path = check.folder + ".ani";
    if (const auto location = check.scope.find(path)) return check_file(check, *location);
    if (check.geometry == Geometry::here && std::any_of(check.parts.begin(), check.parts.end(), wants_keys))
        check.findings.add(codes::animation_file_missing, check.place, "nothing", path);
}

}  // namespace effigy::egosoft::checks
