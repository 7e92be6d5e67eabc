/// Rules about what a component's class wants: connections that all have, wrecks; and how things are named.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/egosoft_codes.hpp"

#include "egosoft/check/component.hpp"
#include "egosoft/file/formats.hpp"

namespace effigy::egosoft::checks {

namespace {

bool any_tagged(const ComponentCheck& check, std::string_view tag) {
    const std::vector<Connection>& all = check.component.connections;
    return std::any_of(all.begin(), all.end(), [&](const Connection& connection) { return has_tag(connection, tag); });
}

bool any_named(const ComponentCheck& check, std::string_view name) {
    const std::vector<Connection>& all = check.component.connections;
    return std::any_of(all.begin(), all.end(),
                       [&](const Connection& connection) { return lower(connection.name) == name; });
}

bool has_meshes(const ComponentCheck& check) {
    return std::any_of(check.parts.begin(), check.parts.end(),
                       [](const PlacedPart& part) { return has_own_meshes(*part.part); });
}

void check_connections(ComponentCheck& check) {
    if (!check.is_indexed || !has_meshes(check)) return;
    if (!any_tagged(check, "position"))
        check.findings.add(codes::connection_position_missing, check.place, "no connection tagged position");
    const std::string& kind = check.component.class_name;
    // In other classes it is the tag of a slot for a weapon.
    const bool is_weapon = lower(kind) == "missilelauncher" && any_tagged(check, "weapon");
    const bool is_tied =
        any_named(check, "space") || any_tagged(check, "component") || is_weapon || any_tagged(check, lower(kind));
    if (!is_tied) {
        check.findings.add(
            codes::connection_space_missing, check.place, "neither space nor a connection tagged component",
            R"(<connection name="space" tags=")" + (kind.starts_with("ship_") ? "ship " + kind : kind) + R"(" />)");
    }
}

void check_wrecks(ComponentCheck& check) {
    if (!check.is_indexed || !lacks_wreck(check.component)) return;
    const bool is_small = check.component.class_name == "ship_s";
    check.findings.add(is_small ? codes::wreck_absent.as(Severity::info) : codes::wreck_absent, check.place,
                       "no part with the attribute wreck",
                       R"(wreck="part_main_wreck" and meshes part_main_wreck-lod0.xmf, part_main_wreck-collision.xmf)");
}

bool is_plain(std::string_view name) {
    return std::all_of(name.begin(), name.end(), [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
    });
}

void check_letters(ComponentCheck& check) {
    std::vector<std::string> names;
    if (!is_plain(check.component.name)) names.push_back(check.component.name);
    for (const PlacedPart& part : check.parts) {
        if (!is_plain(part.part->name)) names.push_back(part.part->name);
    }
    if (!names.empty()) check.findings.add(codes::name_upper_case, check.place, listed(names, "name"));
}

}  // namespace

void check_class(ComponentCheck& check) {
    check_letters(check);
    if (check.component.class_name.empty()) check.findings.add(codes::class_missing, check.place);
    // Without files around it, it may be a piece of a component.
    if (check.scope.files == nullptr) return;
    check_connections(check);
    check_wrecks(check);
}

}  // namespace effigy::egosoft::checks
