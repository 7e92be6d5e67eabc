/// Changes (<diff>) to the game's libraries, indexes, texts and macros, laid over the game's own files: whether what
/// they select is there. Those to components are looked at with the component.

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "effigy/egosoft_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/xml.hpp"
#include "egosoft/check/mod_check.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/file/xml_changes.hpp"
#include "egosoft/game/changed.hpp"
#include "egosoft/game/surroundings.hpp"

namespace effigy::egosoft {

namespace checks {

namespace {

/// Texts of the game are large, and nearly all changes only add pages to them.
bool only_adds_pages(std::string_view normal, const XmlReader& reader) {
    if (!normal.starts_with("t/")) return false;
    for (const pugi::xml_node node : reader.root().children()) {
        if (node.type() != pugi::node_element) continue;
        const auto selector = parse_selector(node.attribute("sel").value());
        const bool is_plain = selector && selector->steps.size() == 1 && selector->steps.front().conditions.empty();
        if (!is_plain || selector->steps.front().name != "language") return false;
    }
    return true;
}

/// What a change that is not understood does is not known, and those behind it may build on that.
void keep_certain(Report& report) {
    std::vector<Diagnostic>& found = report.diagnostics();
    const auto unclear = std::find_if(found.begin(), found.end(),
                                      [](const Diagnostic& one) { return one.code == codes::diff_selector; });
    found.erase(unclear, found.end());
    std::erase_if(found, [](const Diagnostic& one) {
        return one.code != codes::diff_no_match && one.code != codes::diff_several && !is_limit(one);
    });
}

}  // namespace

bool begins_as_change(const ModCheck& check, const FolderFile& file) {
    constexpr std::size_t head_size = 4096;
    const Bytes head = check.head(file, head_size);
    const std::string_view text = as_text(head);
    return text.find("<diff") != std::string_view::npos;
}

std::optional<Report> findings_over_game(const GameFiles& files, std::string_view normal, const Bytes& change,
                                         const Limits& limits) {
    const auto reader = XmlReader::open(change, {limits});
    if (!reader || reader->name(reader->root()) != "diff" || only_adds_pages(normal, *reader)) return std::nullopt;
    auto report = findings_of_change(files, normal, change, limits);
    if (report) keep_certain(*report);
    return report;
}

void check_changes_over_game(ModCheck& check) {
    if (!check.scope.game || check.scope.files == nullptr) return;
    for (const FolderFile& file : check.files) {
        if (!file.normal.ends_with(".xml") || !begins_as_change(check, file)) continue;
        const auto text = check.read(file);
        const XmlKind kind = text ? xml_kind(*text) : XmlKind::none;
        if (!text || kind == XmlKind::component || kind == XmlKind::material_library) continue;
        auto found = findings_over_game(*check.scope.files, file.normal, *text, check.context.limits);
        if (!found) continue;
        // What can match in no game was said already.
        std::erase_if(found->diagnostics(), [&](const Diagnostic& one) {
            return check.dead_changes.contains({file.path, one.offset});
        });
        for (Diagnostic& one : found->diagnostics()) check.add(std::move(one), file);
    }
}

}  // namespace checks

Report LibraryFormat::check(const MaterialLibraryFile& file, const CheckContext& context) {
    const GameFiles* const files = game_of(context.surroundings).files;
    if (!file.is_diff || files == nullptr || context.path.empty()) return {};
    std::error_code error;
    const auto whole = std::filesystem::absolute(context.path, error).lexically_normal();
    const std::string path = lower(whole.lexically_relative(root_of(context.path)).generic_string());
    auto found = checks::findings_over_game(*files, path, file.text, context.limits);
    if (!found) return {};
    if (context.noticed != nullptr) {
        // Said because the library that the changes are for was not at hand when the file was read.
        std::erase_if(context.noticed->diagnostics(),
                      [](const Diagnostic& finding) { return finding.code == codes::diff_base; });
    }
    return std::move(*found);
}

}  // namespace effigy::egosoft
