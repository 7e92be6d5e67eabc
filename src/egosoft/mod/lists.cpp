/// What makes a mod known: content.xml and the indexes of components and macros.

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>

#include "effigy/game_files.hpp"

#include "core/text.hpp"
#include "core/xml.hpp"
#include "egosoft/mod/mod.hpp"
#include "egosoft/mod/xml_text.hpp"

namespace effigy::egosoft::mod {
namespace {

constexpr std::string_view new_index =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<diff>\n  <add sel=\"/index\" />\n</diff>\n";

bool is_called(pugi::xml_node node, std::string_view name) {
    return lower(node.attribute("name").value()) == lower(name);
}

/// An <entry> that is there whatever else is installed.
bool is_entry(pugi::xml_node node) {
    return std::string_view(node.name()) == "entry" && !node.parent().attribute("if");
}

pugi::xml_node find_entry(pugi::xml_node root, std::string_view name) {
    return root.find_node([&](pugi::xml_node node) { return is_entry(node) && is_called(node, name); });
}

/// Names and values of all entries, in lower case. Of several with one name the first one is used.
std::unordered_map<std::string, std::string> entries_of(pugi::xml_node root) {
    std::unordered_map<std::string, std::string> entries;
    for (pugi::xml_node node = root; node; node = next_in_document(node)) {
        if (is_entry(node))
            entries.try_emplace(lower(node.attribute("name").value()), lower(node.attribute("value").value()));
    }
    return entries;
}

Result<void> put_entry(XmlText& index, std::unordered_map<std::string, std::string>& entries, const std::string& name,
                       const std::string& value) {
    const std::string entry = "<entry name=\"" + escaped(name) + "\" value=\"" + escaped(value) + "\" />";
    const auto [known, is_new] = entries.try_emplace(lower(name), lower(value));
    if (!is_new && known->second == lower(value)) return {};
    known->second = lower(value);
    if (!is_new) return index.replace(find_entry(index.root(), name), entry);
    return append_to_list(index, "index", entry);
}

using Entries = std::vector<std::pair<std::string, std::string>>;

Result<void> put_entries(Output& output, std::string_view path, const Entries& entries) {
    const std::string file(path);
    auto index = open_list(output.text(file).value_or(std::string(new_index)), "index", file, output.limits);
    if (!index) return fail(std::move(index.error()));
    auto known = entries_of(index->root());
    for (const auto& [name, value] : entries) {
        if (auto put = put_entry(*index, known, name, value); !put) return put;
    }
    output.put(file, index->text());
    return {};
}

}  // namespace

std::optional<std::string> Output::text(const std::string& path) const {
    const auto made =
        std::find_if(files.begin(), files.end(), [&](const NamedFile& file) { return file.name == path; });
    if (made == files.end()) return old ? old(path) : std::nullopt;
    return std::string(as_text(made->bytes));
}

void Output::put(std::string path, std::string text) {
    const auto raw = std::as_bytes(std::span(text));
    std::erase_if(files, [&](const NamedFile& file) { return file.name == path; });
    files.push_back({std::move(path), Bytes(raw.begin(), raw.end())});
}

void Output::offer(std::string path, std::string text) {
    if (!this->text(path)) put(std::move(path), std::move(text));
}

std::string game_path(const Plan& plan, std::string_view path) {
    std::string result = "extensions\\" + plan.folder + "\\" + std::string(path);
    std::replace(result.begin(), result.end(), '/', '\\');
    return result;
}

std::optional<std::string> own_path(const std::string& folder, std::string_view game_path) {
    std::string path;
    for (const char letter : game_path) {
        const bool is_separator = letter == '/' || letter == '\\';
        if (is_separator && path.ends_with('/')) continue;  // doubled ones are one
        path += is_separator ? '/' : letter;
    }
    const std::string start = "extensions/" + lower(folder) + "/";
    const bool is_here = lower(path).starts_with(start) && normal_path(path);  // which no ".." leads out of
    return is_here ? std::optional(path.substr(start.size())) : std::nullopt;
}

std::optional<std::string> indexed_folder(const OldFile& old, const Limits& limits) {
    const auto text = old(std::string(components_index));
    if (!text) return std::nullopt;
    const auto index = XmlText::open(*text, limits);
    if (!index) return std::nullopt;
    std::map<std::string, std::size_t> counts;
    std::string most;
    index->root().find_node([&](pugi::xml_node node) {
        std::string value = std::string_view(node.name()) == "entry" ? node.attribute("value").value() : "";
        std::replace(value.begin(), value.end(), '\\', '/');
        constexpr std::string_view start = "extensions/";
        const std::size_t end = value.find('/', start.size());
        if (!lower(value).starts_with(start) || end == std::string::npos) return false;
        const std::string folder = value.substr(start.size(), end - start.size());
        const std::size_t count = ++counts[lower(folder)];
        const bool is_name = folder.find_first_not_of('.') != std::string::npos;
        if (is_name && count > counts[lower(most)]) most = folder;
        return false;
    });
    return most.empty() ? std::nullopt : std::optional(most);
}

Places::Places(const Output& output, const std::string& folder, std::string_view index_path) : folder_(folder) {
    const auto index = output.text(std::string(index_path));
    if (!index) return;
    const auto known = XmlText::open(*index, output.limits);
    for (pugi::xml_node node = known ? known->root() : pugi::xml_node(); node; node = next_in_document(node)) {
        if (is_entry(node)) values_.try_emplace(lower(node.attribute("name").value()), node.attribute("value").value());
    }
}

std::optional<std::string> Places::known(const std::string& name) const {
    const auto found = values_.find(lower(name));
    return found == values_.end() ? std::nullopt : own_path(folder_, found->second);
}

std::string Places::of(const std::string& name, std::string_view class_name) const {
    if (const auto path = known(name)) {
        if (const std::size_t slash = path->rfind('/'); slash != std::string::npos) return path->substr(0, slash);
    }
    constexpr std::string_view ship = "ship_";
    if (class_name.starts_with(ship)) return "assets/units/size_" + std::string(class_name.substr(ship.size()));
    if (class_name == "engine") return "assets/props/engines";
    for (const std::string_view kind : {"weapon", "turret", "missilelauncher", "missileturret"}) {
        if (class_name == kind) return "assets/props/weaponsystems/standard";
    }
    for (const std::string_view kind : {"bullet", "missile", "effectobject"}) {
        if (class_name == kind) return "assets/fx/weaponfx";
    }
    for (const std::string_view kind :
         {"production", "habitation", "defencemodule", "connectionmodule", "storage", "dockarea", "buildmodule"}) {
        if (class_name == kind) return "assets/structures/" + std::string(kind);
    }
    return "assets/props/surfaceelements";
}

void add_content(Output& output, const Plan& plan) {
    const std::string who = plan.author.empty() ? std::string() : " author=\"" + escaped(plan.author) + "\"";
    const std::string title = escaped(plan.title);
    output.offer("content.xml",
                 "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<content id=\"" + plan.collection + "\" name=\"" + title +
                     "\" description=\"" + title + "\"" + who + " version=\"100\" save=\"1\">\n" +
                     (plan.is_x4 ? "  <dependency version=\"900\" />\n" : "") + "  <text language=\"44\" name=\"" +
                     title + "\" description=\"" + title + "\"" + who + " />\n</content>\n");
}

Result<void> add_indexes(Output& output, const std::vector<Plan>& plans,
                         const std::vector<std::vector<std::string>>& macros) {
    Entries components, all_macros;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const Plan& plan = plans[i];
        components.emplace_back(plan.name, game_path(plan, plan.place + "/" + plan.name));
        for (const std::string& macro : macros[i])
            all_macros.emplace_back(macro, game_path(plan, plan.place + "/macros/" + macro));
    }
    return put_entries(output, components_index, components).and_then([&] {
        return put_entries(output, macros_index, all_macros);
    });
}

}  // namespace effigy::egosoft::mod
