/// Macros and wares: whether what they name is there, and fits.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/egosoft_codes.hpp"

#include "core/problem.hpp"
#include "core/xml.hpp"
#include "egosoft/check/component.hpp"
#include "egosoft/check/mod_check.hpp"
#include "egosoft/file/formats.hpp"

namespace effigy::egosoft::checks {

namespace {

/// What macros need to know of a component.
struct Attachable {
    std::string class_name;
    std::set<std::string> connections, repeated;  ///< in lower case
};

/// Components by name, and those of macros: of the mod, or of the game if there is one.
class Known {
public:
    explicit Known(const ModCheck& check) : check_(&check), targets_({}, check.scope, check.context.limits) {
        for (const Defined& one : check.components)
            components_.try_emplace(lower(one.name), Attachable{one.class_name, one.connections, one.repeated});
        for (const DefinedMacro& one : check.macros)
            macros_.try_emplace(lower(one.macro.name), lower(one.macro.component));
    }

    /// Null if nothing is known of it. `name`: in lower case.
    const Attachable* component(const std::string& name) {
        const auto [entry, is_new] = components_.try_emplace(name);
        if (is_new && !name.empty()) {
            const Target& found = targets_.find(name);
            if (found.lookup == Lookup::yes) entry->second = Attachable{found.class_name, found.connections, {}};
        }
        return entry->second ? &*entry->second : nullptr;
    }
    /// The component of a macro, in lower case; empty if nothing is known of it.
    std::string component_of(const std::string& macro) {
        const auto [entry, is_new] = macros_.try_emplace(macro);
        if (is_new) entry->second = read_macro(macro);
        return entry->second;
    }

private:
    std::string read_macro(const std::string& name) const {
        if (check_->scope.files == nullptr || name.empty()) return {};
        const std::string path = find_macro(*check_->scope.files, name);
        auto text = path.empty() ? Result<Bytes>(Bytes()) : check_->scope.files->read(path);
        if (path.empty() || !text) return {};
        const auto loaded = read_macros(std::move(*text), {check_->context.limits});
        if (!loaded) return {};
        for (const Macro& macro : loaded->value.macros) {
            if (lower(macro.name) == name) return lower(macro.component);
        }
        return {};
    }

    const ModCheck* check_;
    Targets targets_;
    std::map<std::string, std::optional<Attachable>> components_;
    std::map<std::string, std::string> macros_;  ///< to their components
};

struct Ware {
    std::string id, macro;
    std::uint64_t place = 0;
};

std::vector<Ware> read_wares(const ModCheck& check, const FolderFile& file) {
    std::vector<Ware> wares;
    auto text = check.read(file);
    if (!text) return wares;
    auto reader = XmlReader::open(*text, {check.context.limits});
    if (!reader) return wares;
    const auto add = [&](pugi::xml_node parent) {
        for (const pugi::xml_node node : parent.children("ware")) {
            std::string macro = reader->text(node.child("component"), "ref");
            if (macro.empty() || !reader->take_record<Ware>()) continue;
            wares.push_back({reader->text(node, "id"), std::move(macro), reader->place(node)});
        }
    };
    add(reader->root());
    for (const pugi::xml_node change : reader->root().children()) add(change);
    return wares;
}

class MacroRules {
public:
    explicit MacroRules(ModCheck& check) : check_(check), known_(check) {
        for (const DefinedMacro& one : check.macros) own_.insert(lower(one.macro.name));
    }

    void run() {
        check_wares();
        for (const DefinedMacro& one : check_.macros) note_asked(one.macro);
        for (const DefinedMacro& one : check_.macros) look_at(one);
        if (!unresolved_.empty())
            check_.findings.add(codes::macro_component_unresolved, check_.place(""),
                                listed({unresolved_.begin(), unresolved_.end()}, "component"));
        if (!stubs_.empty()) check_.findings.add(codes::macro_stub, check_.place(""), listed(stubs_, "macro"));
    }

private:
    [[nodiscard]] Place place(const DefinedMacro& one, std::uint64_t offset) const {
        return check_.place(one.file, one.macro.name, offset);
    }

    [[nodiscard]] bool is_indexed(const std::string& macro) const {
        return check_.macro_index.names.contains(macro) ||
               (check_.scope.files != nullptr && !find_macro(*check_.scope.files, macro).empty());
    }

    void check_wares() {
        const FolderFile* file = check_.find("libraries/wares.xml");
        if (file == nullptr) return;
        for (const Ware& ware : read_wares(check_, *file)) {
            const std::string macro = lower(ware.macro);
            asked_.insert(macro);
            if (own_.contains(macro) || is_indexed(macro)) continue;
            // A new ware with a macro of its own name is no ware of the game's.
            const bool may_be = !check_.scope.game && (check_.depends || macro != lower(ware.id) + "_macro");
            check_.findings.add(may_be ? codes::ware_macro_missing.as(Severity::info) : codes::ware_macro_missing,
                                check_.place(file->path, "ware " + ware.id, ware.place), ware.macro,
                                "a macro that " + std::string(macro_index_path) + " names");
        }
    }

    void note_asked(const Macro& macro) {
        if (!check_.macro_index.names.contains(lower(macro.name))) return;
        for (const MacroConnection& hung : macro.connections) asked_.insert(lower(hung.macro));
    }

    void look_at(const DefinedMacro& one) {
        const std::string name = lower(one.macro.name);
        if (check_.is_whole() && !is_indexed(name)) {
            check_.findings.add(
                asked_.contains(name) ? codes::macro_unindexed.as(Severity::warning) : codes::macro_unindexed,
                place(one, one.macro.place), one.macro.name, "an entry in " + std::string(macro_index_path));
        }
        if (!one.macro.component.empty()) look_at_component(one);
        for (const MacroConnection& hung : one.macro.connections) look_at_hung_macro(one, hung);
        look_at_properties(one.macro);
    }

    void look_at_properties(const Macro& macro) {
        const std::string_view wanted = working_property(macro.class_name);
        const auto& there = macro.properties;
        if (wanted.empty() || std::find(there.begin(), there.end(), wanted) != there.end()) return;
        stubs_.push_back(macro.name + " (" + macro.class_name + ": " + std::string(wanted) + ")");
    }

    void look_at_component(const DefinedMacro& one) {
        const Macro& macro = one.macro;
        const Attachable* component = known_.component(lower(macro.component));
        if (component == nullptr) {
            // What an index names, and is not there, is said of the index.
            if (check_.component_index.names.contains(lower(macro.component))) return;
            if (check_.scope.game) {
                check_.findings.add(codes::macro_component_missing, place(one, macro.place), macro.component,
                                    "a component that an index names");
            } else {
                unresolved_.insert(macro.component);
            }
        } else {
            if (!component->class_name.empty() && !goes_with(macro.class_name, component->class_name))
                check_.findings.add(codes::macro_class_differs, place(one, macro.place),
                                    macro.class_name.empty() ? "no class" : macro.class_name, component->class_name);
            for (const MacroConnection& hung : macro.connections) look_at_connection(one, hung, *component);
        }
        for (const MacroConnection& hung : macro.connections) look_at_child(one, hung);
    }

    void look_at_connection(const DefinedMacro& one, const MacroConnection& hung, const Attachable& component) {
        const std::string name = lower(hung.reference);
        if (!component.connections.contains(name)) {
            check_.findings.add(codes::macro_connection_missing, place(one, hung.place), hung.reference,
                                "a connection of " + one.macro.component);
        } else if (component.repeated.contains(name)) {
            check_.findings.add(codes::name_repeated.as(Severity::warning), place(one, hung.place), hung.reference,
                                "one connection of this name in " + one.macro.component);
        }
    }

    /// The macro that hangs there, if it has to be known: without game it may be the game's.
    void look_at_hung_macro(const DefinedMacro& one, const MacroConnection& hung) {
        const std::string name = lower(hung.macro);
        if (name.empty() || !check_.scope.game || own_.contains(name) || is_indexed(name)) return;
        Diagnostic finding = problem_at(one.macro.name, codes::macro_component_missing,
                                        "A macro hangs another on a connection, which neither the mod nor the game "
                                        "has: nothing is there in the game. Correct `ref`, or add the macro and its "
                                        "entry in index/macros.xml.",
                                        hung.macro, "a macro that " + std::string(macro_index_path) + " names");
        const Place where = place(one, hung.place);
        finding.offset = where.offset;
        finding.file = where.file;
        check_.report.add(std::move(finding));
    }

    void look_at_child(const DefinedMacro& one, const MacroConnection& hung) {
        const std::string child = hung.macro.empty() ? lower(hung.component) : known_.component_of(lower(hung.macro));
        if (child.empty() || hung.connection.empty()) return;
        const Attachable* component = known_.component(child);
        if (component == nullptr || component->connections.contains(lower(hung.connection))) return;
        check_.findings.add(codes::macro_child_connection_missing, place(one, hung.place), hung.connection,
                            "a connection of " + child);
    }

    ModCheck& check_;
    Known known_;
    std::set<std::string> own_, asked_;  ///< macros, in lower case
    std::set<std::string> unresolved_;   ///< components
    std::vector<std::string> stubs_;     ///< macros that lack what makes them work
};

}  // namespace

void check_macros(ModCheck& check) { MacroRules(check).run(); }

}  // namespace effigy::egosoft::checks
