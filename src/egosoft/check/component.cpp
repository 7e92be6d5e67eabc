/// Rules for component XML: names, parents of connections and rings of them, and the order of the other rules.

#include "egosoft/check/component.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include "effigy/egosoft_codes.hpp"
#include "effigy/game_files.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/xml.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/game/changed.hpp"
#include "egosoft/game/surroundings.hpp"

namespace effigy::egosoft {

namespace checks {

namespace {

std::string step(std::string_view kind, std::size_t index, const std::string& name) {
    return std::string(kind) + "[" + std::to_string(index) + "]" + (name.empty() ? "" : " " + name);
}

/// Names that differ in case only; those that occur twice are noticed while the XML is read.
struct Names {
    Code code;
    std::map<std::string, std::string> known;  // lower case to the first spelling

    void look_at(const std::string& name, const Place& place, Findings& findings) {
        const auto [first, is_new] = known.try_emplace(lower(name), name);
        if (!is_new && first->second != name) findings.add(code, place, name, first->second);
    }
};

/// For each connection the one that its parent stands in.
std::vector<std::size_t> parents_of(const ComponentCheck& check) {
    std::map<std::string, std::size_t> holders;
    const std::vector<Connection>& connections = check.component.connections;
    for (std::size_t index = 0; index < connections.size(); ++index) {
        for (const Part& part : connections[index].parts) holders.try_emplace(lower(part.name), index);
    }
    const std::string self = lower(check.component.name);
    std::map<std::string, Tally> missing;  // by name, with the first connection
    std::vector<std::size_t> parents(connections.size(), no_parent);
    for (std::size_t index = 0; index < connections.size(); ++index) {
        const std::string& parent = connections[index].parent;
        if (parent.empty()) continue;
        if (const auto found = holders.find(lower(parent)); found != holders.end()) {
            parents[index] = found->second;
        } else if (lower(parent) != self) {
            missing[parent].hit(index);
        }
    }
    for (const auto& [parent, tally] : missing) {
        check.findings.add(codes::connection_parent_missing, check.connections[static_cast<std::size_t>(tally.first)],
                           first_of(parent, tally.count), "the name of a part");
    }
    return parents;
}

/// Paths and offsets of all that can have findings.
void place_all(ComponentCheck& check) {
    const std::vector<Component>& all = check.file.components;
    const Component& component = check.component;
    const std::size_t own = static_cast<std::size_t>(&component - all.data());
    check.place = {step("component", own, component.name), component.place, ""};
    const std::string prefix = all.size() > 1 ? check.place.path + " / " : "";
    for (std::size_t index = 0; index < component.connections.size(); ++index) {
        const Connection& connection = component.connections[index];
        const std::string path = prefix + step("connection", index, connection.name);
        check.connections.emplace_back(path, connection.place, "");
        for (const Part& part : connection.parts) {
            check.names.insert(lower(part.name));
            check.parts.push_back({&connection, &part, {path + " / part " + part.name, part.place, ""}});
        }
    }
}

}  // namespace

std::string ComponentCheck::mesh_path(std::string_view part, std::string_view what) const {
    std::string path = folder + "/" + lower(part);
    return path.append("-").append(what);
}

bool has_tag(const Connection& connection, std::string_view tag) noexcept {
    return std::find(connection.tags.begin(), connection.tags.end(), tag) != connection.tags.end();
}

bool collides(const ComponentCheck& check, const PlacedPart& part) noexcept {
    return !is_effect(check.component.class_name, part.part->name) && !has_tag(*part.connection, "nocollision") &&
           !has_tag(*part.connection, "fx");
}

void check_names(ComponentCheck& check) {
    Names connections{codes::connection_name_case, {}};
    for (std::size_t index = 0; index < check.connections.size(); ++index) {
        connections.look_at(check.component.connections[index].name, check.connections[index], check.findings);
    }
    Names parts{codes::part_name_case, {}};
    for (const PlacedPart& part : check.parts) parts.look_at(part.part->name, part.place, check.findings);
}

void check_parents(ComponentCheck& check) {
    std::vector<std::size_t> parents = parents_of(check);
    for (const std::size_t index : cut_circles(parents))
        check.findings.add(codes::connection_parent_cycle, check.connections[index],
                           check.component.connections[index].parent);
}

}  // namespace checks

namespace {

/// A file that changes a component of the game, which is somewhere below it.
void check_change(const ComponentFile& file, const CheckContext& context, const checks::Scope& scope, Report& report) {
    const std::string_view text = as_text(file.text);
    if (scope.files == nullptr || context.path.empty() || text.find("<diff") == std::string_view::npos) return;
    const auto reader = XmlReader::open(file.text, {context.limits});
    if (!reader || reader->name(reader->root()) != "diff") return;
    std::error_code error;
    const auto whole = std::filesystem::absolute(context.path, error).lexically_normal();
    const std::string path = whole.lexically_relative(scope.root).generic_string();
    auto found = findings_of_change(*scope.files, path, file.text, context.limits);
    if (!found) return;
    report.append(std::move(*found));
    report.add(problem_at("diff", codes::diff_applied,
                          "The component that this file changes is there: what is said of the changes is what the game "
                          "makes of them."));
    if (context.noticed == nullptr) return;
    std::erase_if(context.noticed->diagnostics(),
                  [](const Diagnostic& finding) { return finding.code == codes::diff_base; });
}

}  // namespace

Report ComponentFormat::check(const ComponentFile& file, const CheckContext& context) {
    Report report;
    Findings findings(report);
    const auto root = context.path.empty() ? std::filesystem::path() : root_of(context.path);
    checks::Scope scope = checks::scope_of(game_of(context.surroundings).files, root);
    check_change(file, context, scope, report);
    checks::MeshFiles meshes(scope, context.limits);
    checks::Targets targets(file, scope, context.limits);
    for (const Component& component : file.components) {
        checks::ComponentCheck check{file, component, context, scope, meshes, targets, findings,
                                     {},   {},        {},      {},    {},     {}};
        checks::place_all(check);
        check.is_indexed = scope.files != nullptr && !find_component(*scope.files, component.name).empty();
        checks::check_names(check);
        checks::check_parents(check);
        checks::check_class(check);
        checks::check_geometry(check);
        checks::check_references(check);
        checks::check_meshes(check);
        checks::check_shapes(check);
        checks::check_materials(check);
        checks::check_animations(check);
    }
    return report;
}

}  // namespace effigy::egosoft
