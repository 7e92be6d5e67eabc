/// Macros: what a component does in the game. Those that are there already stay, unless they no longer fit and nobody
/// has edited them.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "effigy/component.hpp"
#include "effigy/egosoft_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/file/written_mark.hpp"
#include "egosoft/mod/mod.hpp"
#include "egosoft/mod/xml_text.hpp"

namespace effigy::egosoft::mod {
namespace {

/// Numbers that ships of a size have in the middle, measured over real mods.
struct ShipNumbers {
    std::string_view class_name, thruster, type, cockpit, cockpit_connection;
    int hull, people, mass, cargo;
};
constexpr std::array ship_numbers{
    ShipNumbers{"ship_s", "small", "fighter", "cockpit_gen_virtual_01_macro", "ship", 5000, 1, 10, 200},
    ShipNumbers{"ship_m", "medium", "frigate", "cockpit_gen_virtual_01_macro", "ship", 25'000, 8, 77, 2000},
    ShipNumbers{"ship_l", "large", "destroyer", "bridge_arg_l_01_macro", "con_cockpit", 140'000, 51, 257, 8000},
    ShipNumbers{"ship_xl", "extralarge", "carrier", "bridge_arg_l_01_macro", "con_cockpit", 333'000, 153, 1405, 20'000},
};

constexpr std::string_view declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";

std::string decimal(double value) { return number_text(std::round(value * 1e6) / 1e6); }

std::string identification(const Plan& plan, const std::string& more) {
    const std::string name = plan.has_texts ? text_reference(plan, 0) : escaped(plan.title);
    const std::string description = plan.has_texts ? " description=\"" + text_reference(plan, 1) + "\"" : std::string();
    return "      <identification name=\"" + name + "\"" + description + more + " />\n";
}

std::string ship_properties(const Plan& plan, const ShipNumbers& ship) {
    const std::string size(ship.class_name.substr(5));
    const double mass = ship.mass;
    return identification(plan, " basename=\"" + escaped(plan.title) + "\" makerrace=\"argon\" icon=\"ship_" + size +
                                    "_fight_01\"") +
           "      <software>\n"
           "        <software ware=\"software_dockmk2\" compatible=\"1\" />\n"
           "        <software ware=\"software_flightassistmk1\" default=\"1\" />\n"
           "        <software ware=\"software_scannerobjectmk1\" default=\"1\" />\n"
           "        <software ware=\"software_targetmk1\" compatible=\"1\" />\n"
           "        <software ware=\"software_trademk1\" compatible=\"1\" />\n"
           "      </software>\n"
           "      <storage missile=\"0\" />\n"
           "      <hull max=\"" +
           std::to_string(ship.hull) +
           "\" />\n"
           "      <secrecy level=\"1\" />\n"
           "      <purpose primary=\"fight\" />\n"
           "      <people capacity=\"" +
           std::to_string(ship.people) +
           "\" />\n"
           "      <sounds>\n"
           "        <shipdetail ref=\"shipdetail_ship_02\" />\n"
           "      </sounds>\n"
           "      <physics mass=\"" +
           decimal(mass) +
           "\">\n"
           "        <inertia pitch=\"" +
           decimal(mass * 0.2) + "\" yaw=\"" + decimal(mass * 0.2) + "\" roll=\"" + decimal(mass * 0.17) +
           "\" />\n"
           "        <drag forward=\"" +
           decimal(mass * 0.4) + "\" reverse=\"" + decimal(mass * 1.6) + "\" horizontal=\"" + decimal(mass * 0.6) +
           "\" vertical=\"" + decimal(mass * 0.6) + "\" pitch=\"" + decimal(mass * 0.4) + "\" yaw=\"" +
           decimal(mass * 0.4) + "\" roll=\"" + decimal(mass * 0.4) +
           "\" />\n"
           "      </physics>\n"
           "      <thruster tags=\"" +
           std::string(ship.thruster) +
           "\" />\n"
           "      <ship type=\"" +
           std::string(ship.type) +
           "\" />\n"
           "      <sound_occlusion inside=\"0.5\" />\n";
}

/// Hangs a macro on the component's connection with a tag.
std::string hung(const Plan& plan, const std::string& tag, std::string_view macro, std::string_view there) {
    const auto connection = plan.connections.find(tag);
    if (connection == plan.connections.end()) return {};
    return "      <connection ref=\"" + escaped(connection->second) + "\">\n        <macro ref=\"" +
           std::string(macro) + "\" connection=\"" + std::string(there) + "\" />\n      </connection>\n";
}

std::string macro_text(const std::string& name, std::string_view class_name, std::string_view component,
                       const std::string& properties, const std::string& connections) {
    return with_mark(
        std::string(declaration) + "<macros>\n  <macro name=\"" + name + "\" class=\"" + std::string(class_name) +
        "\">\n    <component ref=\"" + std::string(component) + "\" />\n    <properties>\n" + properties +
        "    </properties>\n" +
        (connections.empty() ? std::string() : "    <connections>\n" + connections + "    </connections>\n") +
        "  </macro>\n</macros>\n");
}

std::string path_of(const Plan& plan, const std::string& macro) { return plan.place + "/macros/" + macro + ".xml"; }

/// Whether another file of the mod has the macro: some hold many.
bool is_elsewhere(const Output& output, const Plan& plan, const Places& known, const std::string& macro) {
    const auto path = known.known(macro);
    if (!path || lower(*path + ".xml") == lower(path_of(plan, macro))) return false;
    const auto text = output.text(*path + ".xml");
    if (!text) return false;
    const auto file = XmlText::open(*text, output.limits);
    return !file || file->root().find_node([&](pugi::xml_node node) {
        return std::string_view(node.name()) == "macro" && lower(node.attribute("name").value()) == lower(macro);
    });
}

/// The macro that the mod has for the component.
struct OldMacro {
    std::string path;
    bool is_untouched = false;  ///< effigy wrote the file, and nobody has edited it
    Macro macro;
};

std::optional<OldMacro> old_macro(const Output& output, const Plan& plan, const Places& known) {
    std::vector<std::string> paths{macro_path(plan, known), path_of(plan, plan.macro())};
    if (paths.front() == paths.back()) paths.pop_back();
    for (const std::string& path : paths) {
        const std::string text = output.text(path).value_or("");
        const auto raw = std::as_bytes(std::span(text));
        auto read = read_macros(Bytes(raw.begin(), raw.end()), {output.limits});
        if (!read) continue;
        for (Macro& macro : read->value.macros) {
            const bool is_it = lower(macro.name) == plan.macro() && lower(macro.component) == plan.name;
            if (is_it) return OldMacro{path, has_valid_mark(text), std::move(macro)};
        }
    }
    return std::nullopt;
}

/// Whether the mod's macro no longer fits the component and may be written anew. If it is the modder's, says what to
/// do.
bool is_outdated(Output& output, const Plan& plan, const Places& known) {
    const std::optional<OldMacro> old = old_macro(output, plan, known);
    if (!old || plan.connection_names.empty()) return false;
    const bool is_of_class = goes_with(old->macro.class_name, plan.class_name);
    NameList gone;
    for (const MacroConnection& hung : old->macro.connections) {
        if (!plan.connection_names.contains(lower(hung.reference))) gone.add(hung.reference);
    }
    if (is_of_class && gone.empty()) return false;
    if (old->is_untouched && lower(old->path) == lower(path_of(plan, plan.macro()))) {
        output.report.add(problem_at("macros", codes::mod_macro_replaced, {}, old->path));
        return true;
    }
    const std::string what_to_do =
        " Correct that there; or delete the macro and convert again, which writes a new one.";
    if (!is_of_class) {
        output.report.add(problem_at("macros", codes::macro_class_differs,
                                     "The component is of another class than the macro that the mod has for it, which "
                                     "is yours and stays: the object is not what it should be." +
                                         what_to_do,
                                     old->macro.class_name + " in " + old->path, plan.class_name));
    }
    if (!gone.empty()) {
        output.report.add(problem_at("macros", codes::macro_connection_missing,
                                     "The macro that the mod has for the component, which is yours and stays, hangs "
                                     "something on connections that the component does not have now: it is left out "
                                     "in the game." +
                                         what_to_do,
                                     gone.text() + ", in " + old->path));
    }
    return false;
}

void note_stub(Output& output, const Plan& plan) {
    const std::string_view property = working_property(plan.class_name);
    if (property.empty()) return;
    output.macro_stubs.add(plan.macro() + " (" + plan.class_name + ": " + std::string(property) + ")");
}

/// What was written when the component was a ship.
void note_left_storage(Output& output, const Plan& plan, const Places& known, const std::string& storage) {
    const std::string path = path_of(plan, storage);
    const std::string own = output.text(macro_path(plan, known)).value_or("");
    if (!has_valid_mark(output.text(path).value_or("")) || own.find(storage) != std::string::npos) return;
    output.report.add(problem_at("macros", codes::mod_files_left,
                                 "The mod has the macro of a storage from when the component was a ship, and its macro "
                                 "has none now. Delete the file and its entry in index/macros.xml, or convert into a "
                                 "new folder.",
                                 path));
}

}  // namespace

std::string macro_path(const Plan& plan, const Places& known) {
    const auto path = known.known(plan.macro());
    return path ? *path + ".xml" : path_of(plan, plan.macro());
}

std::string text_reference(const Plan& plan, int number) {
    return "{" + std::to_string(plan.text_page) + "," + std::to_string(plan.first_text + number) + "}";
}

void note_macro_stubs(Output& output) {
    if (output.macro_stubs.empty()) return;
    output.report.add(problem_at("macros", codes::mod_macro_stub,
                                 "New macros of these classes have a name and a hull only, and the objects do nothing "
                                 "yet. Fill in the properties of a similar object of the game.",
                                 output.macro_stubs.text()));
}

std::vector<std::string> add_macros(Output& output, const Plan& plan, const Places& known) {
    const std::string storage = "storage_" + plan.name + "_macro";
    std::vector<std::string> added;
    const bool is_anew = is_outdated(output, plan, known);
    // Whether it is new, and not the modder's.
    const auto add = [&](const std::string& macro, std::string text) {
        if (is_elsewhere(output, plan, known, macro)) return false;
        const std::string path = path_of(plan, macro);
        const auto old = output.text(path);
        const bool is_own = macro == plan.macro();
        const bool is_new = !old || (is_anew && (is_own || has_valid_mark(*old)));
        if (is_new && old && !is_own && *old != text)
            output.report.add(problem_at("macros", codes::mod_macro_replaced, {}, path));
        if (is_new) output.put(path, std::move(text));
        added.push_back(macro);
        return is_new;
    };
    const auto ship = std::find_if(ship_numbers.begin(), ship_numbers.end(),
                                   [&](const ShipNumbers& one) { return one.class_name == plan.class_name; });
    if (ship == ship_numbers.end() || !plan.is_x4) {
        const std::string properties = identification(plan, {}) + "      <hull max=\"500\" />\n";
        if (add(plan.macro(), macro_text(plan.macro(), plan.class_name, plan.name, properties, {})))
            note_stub(output, plan);
        note_left_storage(output, plan, known, storage);
        return added;
    }
    const bool is_new =
        add(plan.macro(), macro_text(plan.macro(), plan.class_name, plan.name, ship_properties(plan, *ship),
                                     hung(plan, "cockpit", ship->cockpit, ship->cockpit_connection) +
                                         hung(plan, "dock_xs", "dock_gen_xs_ship_01_macro", "Connection_component") +
                                         hung(plan, "storage", storage, "ShipConnection")));
    // The modder's macro has a storage of its own, or none.
    if (!is_new && !output.text(path_of(plan, storage))) return added;
    add(storage,
        macro_text(storage, "storage", "generic_storage",
                   "      <identification makerrace=\"argon\" />\n      <cargo max=\"" + std::to_string(ship->cargo) +
                       "\" tags=\"container\" />\n      <hull integrated=\"1\" />\n",
                   {}));
    return added;
}

}  // namespace effigy::egosoft::mod
