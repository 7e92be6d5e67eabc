/// content.xml, and the selectors of changes to the game's indexes, libraries and texts.

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "effigy/egosoft_codes.hpp"

#include "core/lists.hpp"
#include "core/xml.hpp"
#include "egosoft/check/mod_check.hpp"
#include "egosoft/file/xml_selector.hpp"
#include "egosoft/game/layers.hpp"

namespace effigy::egosoft::checks {

namespace {

/// "100", and what mods have beside it: "1.00", "010".
bool is_version(std::string_view text) {
    const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    const auto is_part = [&](char letter) { return is_digit(letter) || letter == '.'; };
    return !text.empty() && is_digit(text.front()) && is_digit(text.back()) &&
           std::all_of(text.begin(), text.end(), is_part) && std::count(text.begin(), text.end(), '.') <= 1;
}

void look_at_content(ModCheck& check, const FolderFile& file) {
    auto text = check.read(file);
    if (!text) return;
    auto reader = XmlReader::open(*text, {check.context.limits});
    if (!reader) return check.findings.add(codes::content_damaged, check.place(file.path), reader.error().message);
    const pugi::xml_node root = reader->root();
    const std::string name(reader->name(root));
    if (name != "content")
        return check.findings.add(codes::content_damaged, check.place(file.path), "<" + name + ">", "<content>");
    const Place place = check.place(file.path, "content", reader->place(root));
    if (reader->text(root, "id").empty())
        check.findings.add(codes::content_id, place, "no id", "the name of the folder");
    const std::string version = reader->text(root, "version");
    if (!is_version(version))
        check.findings.add(codes::content_version, place, version.empty() ? "no version" : version, "100");
    for (const pugi::xml_node other : root.children("dependency")) {
        const std::string id = reader->text(other, "id");
        check.depends = check.depends || (!id.empty() && !id.starts_with("ego_dlc"));
    }
}

/// Which elements the game's file has at the top, as far as that is certain.
struct Changed {
    std::string_view path, root, child;
};
constexpr Changed changed_files[] = {{component_index_path, "index", "entry"},
                                     {macro_index_path, "index", "entry"},
                                     {library_path, "materiallibrary", "collection"},
                                     {"libraries/wares.xml", "wares", {}},
                                     {"libraries/icons.xml", "icons", {}},
                                     {"libraries/modulegroups.xml", "groups", "group"},
                                     {"t/", "language", "page"}};

const Changed* changed_by(const FolderFile& file) {
    return first_where(changed_files, [&](const Changed& one) {
        return one.path.ends_with('/') ? file.normal.starts_with(one.path) && file.normal.ends_with(".xml")
                                       : file.normal == one.path;
    });
}

/// Of what is not understood nothing is said.
bool can_match(const Selector& selector, const Changed& changed) {
    const std::vector<SelectorStep>& steps = selector.steps;
    if (steps.front().any_depth) return true;
    if (steps.front().name != changed.root) return false;
    const bool has_child = steps.size() > 1 && !steps[1].any_depth && !changed.child.empty();
    return !has_child || steps[1].name == changed.child;
}

}  // namespace

void check_content(ModCheck& check) {
    if (const FolderFile* file = check.find("content.xml")) return look_at_content(check, *file);
    // Meshes alone are no mod yet.
    if (check.components.empty() && !check.has(component_index_path) && !check.has(library_path)) return;
    std::error_code error;
    const std::filesystem::path& root = check.scope.root;
    if (!std::filesystem::exists(root / "content.xml", error) && !std::filesystem::exists(root / "01.cat", error))
        check.findings.add(codes::content_missing, check.place(""), "");
}

void look_at_changes(ModCheck& check, const FolderFile& file, XmlReader& reader) {
    const Changed* changed = changed_by(file);
    if (changed == nullptr || reader.name(reader.root()) != "diff") return;
    for (const pugi::xml_node node : reader.root().children()) {
        if (node.type() != pugi::node_element) continue;
        const std::string selector = reader.text(node, "sel");
        const auto parsed = parse_selector(selector);
        if (parsed ? can_match(*parsed, *changed) : !selector.empty()) continue;
        check.dead_changes.emplace(file.path, reader.place(node));
        std::string expected = "/" + std::string(changed->root);
        if (!changed->child.empty()) expected += " or " + expected + "/" + std::string(changed->child);
        check.findings.add(codes::diff_dead, check.place(file.path, std::string(reader.name(node)), reader.place(node)),
                           selector.empty() ? "no sel" : selector, expected);
    }
}

void check_changes(ModCheck& check) {
    for (const Changed& changed : changed_files) {
        const FolderFile* file = check.find(changed.path);
        if (file == nullptr) continue;
        auto text = check.read(*file);
        if (!text) continue;
        if (auto reader = XmlReader::open(*text, {check.context.limits})) look_at_changes(check, *file, *reader);
    }
}

}  // namespace effigy::egosoft::checks
