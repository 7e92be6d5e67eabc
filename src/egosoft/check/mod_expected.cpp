/// Files that the game reads because of where they are: indexes, libraries, texts, and what the indexes name. One that
/// is empty or holds something else is of no format by its content, so that no other rule looks at it.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "effigy/component.hpp"
#include "effigy/egosoft_codes.hpp"
#include "effigy/material_library.hpp"

#include "core/problem.hpp"
#include "core/xml.hpp"
#include "egosoft/check/mod_check.hpp"
#include "egosoft/file/formats.hpp"

namespace effigy::egosoft::checks {

namespace {

/// What belongs under which path; `none`: XML of some kind.
using Expected = std::map<const FolderFile*, XmlKind>;

void expect_indexed(const ModCheck& check, const ModIndex& index, XmlKind kind, Expected& expected) {
    for (const IndexEntry& entry : index.file.entries) {
        const FolderFile* const file = check.find(path_inside(check, entry.value) + ".xml");
        if (!entry.value.empty() && file != nullptr) expected.try_emplace(file, kind);
    }
}

Expected expected_in(const ModCheck& check) {
    Expected expected;
    for (const FolderFile& file : check.files) {
        if (!file.normal.ends_with(".xml")) continue;
        if (file.normal == library_path) {
            expected.try_emplace(&file, XmlKind::material_library);
        } else if (file.normal == component_index_path || file.normal == macro_index_path) {
            expected.try_emplace(&file, XmlKind::index);
        } else if (file.normal.starts_with("libraries/") || file.normal.starts_with("t/")) {
            expected.try_emplace(&file, XmlKind::none);
        }
    }
    expect_indexed(check, check.component_index, XmlKind::component, expected);
    expect_indexed(check, check.macro_index, XmlKind::macros, expected);
    return expected;
}

template <class T>
std::optional<Diagnostic> failure_of(Result<T> result) {
    return result ? std::nullopt : std::optional(std::move(result.error()));
}

std::optional<Diagnostic> failure_of_texts(const FolderFile& file, const Bytes& text, const ReadOptions& options) {
    const auto reader = XmlReader::open(text, options);
    if (!reader) return reader.error();
    const std::string_view root = reader->name(reader->root());
    // The game's own texts have such names, and it reads no others.
    const bool is_read = file.normal.starts_with("t/0001");
    if (!is_read || root == "language" || root == "diff") return std::nullopt;
    return unexpected_root(*reader, "<language>, or a <diff> for one");
}

std::optional<Diagnostic> failure_as(XmlKind kind, const FolderFile& file, Bytes text, const ReadOptions& options) {
    switch (kind) {
        case XmlKind::component:
            return failure_of(read_components(std::move(text), options));
        case XmlKind::macros:
            return failure_of(read_macros(std::move(text), options));
        case XmlKind::index:
            return failure_of(read_index(std::move(text), options));
        case XmlKind::material_library:
            return failure_of(read_material_library(std::move(text), options));
        case XmlKind::none:
            break;
    }
    return failure_of_texts(file, text, options);
}

void look_at_expected(ModCheck& check, const FolderFile& file, XmlKind kind) {
    constexpr std::size_t head_size = 4096;
    const XmlKind there = xml_kind(check.head(file, head_size));
    // What is of a format is read by that, and so is what is wrong with it said.
    if (there != XmlKind::none && (there == kind || kind == XmlKind::none)) return;
    auto text = check.read(file);
    if (!text) return;
    auto failure = failure_as(kind, file, std::move(*text), {check.context.limits});
    if (failure && !is_limit(*failure)) check.add(std::move(*failure), file);
}

using NamesInFiles = std::map<std::string, std::set<std::string>>;  ///< by path: names in lower case

/// Entries that lead to a file of the mod in which nothing has the name.
void check_entries(ModCheck& check, const ModIndex& index, const NamesInFiles& names,
                   const std::set<std::string>& files_read) {
    const FolderFile* const place_of_index = check.find(index.path);
    for (std::size_t number = 0; number < index.file.entries.size(); ++number) {
        const IndexEntry& entry = index.file.entries[number];
        const FolderFile* const file = check.find(path_inside(check, entry.value) + ".xml");
        if (entry.value.empty() || file == nullptr || !files_read.contains(file->path)) continue;
        const auto known = names.find(file->path);
        if (known != names.end() && known->second.contains(lower(entry.name))) continue;
        // Changes are for a file of the game, which may have it.
        if (begins_as_change(check, *file)) continue;
        const bool is_used = index.path == component_index_path && check.used_components.contains(lower(entry.name));
        const std::string kind = index.path == component_index_path ? "component" : "macro";
        Diagnostic finding = problem_at(
            index.path_of(number), is_used ? codes::index_dangling_used : codes::index_dangling,
            "The file that the index names has no " + kind +
                " of that name: whatever asks for it gets nothing. Correct the name, or add the " + kind + ".",
            entry.name, "<" + kind + " name=\"" + entry.name + "\"> in " + file->path);
        finding.offset = entry.place;
        check.add(std::move(finding), *place_of_index);
    }
}

}  // namespace

void check_expected_files(ModCheck& check) {
    for (const auto& [file, kind] : expected_in(check)) look_at_expected(check, *file, kind);
    NamesInFiles components, macros;
    for (const Defined& one : check.components) components[one.file].insert(lower(one.name));
    for (const DefinedMacro& one : check.macros) macros[one.file].insert(lower(one.macro.name));
    check_entries(check, check.component_index, components, check.component_files);
    check_entries(check, check.macro_index, macros, check.macro_files);
}

}  // namespace effigy::egosoft::checks
