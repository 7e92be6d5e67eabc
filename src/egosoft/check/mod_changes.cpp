/// Changes (<diff>) to the game's libraries, indexes, texts and macros, laid over the game's own files: whether what
/// they select is there. Those to components are looked at with the component.

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "effigy/egosoft_codes.hpp"

#include "core/problem.hpp"
#include "core/xml.hpp"
#include "egosoft/check/mod_check.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/file/xml_changes.hpp"
#include "egosoft/game/surroundings.hpp"

namespace effigy::egosoft {

namespace checks {

namespace {

namespace fs = std::filesystem;

/// Where files of extensions that are no <diff> are united with the game's; elsewhere they take its place.
bool is_united(std::string_view normal) {
    constexpr std::array<std::string_view, 3> folders{"index/", "libraries/", "t/"};
    return std::any_of(folders.begin(), folders.end(), [&](std::string_view one) { return normal.starts_with(one); });
}

bool has_diff_root(const Bytes& text, const Limits& limits) {
    const auto reader = XmlReader::open(text, {limits});
    return reader && reader->name(reader->root()) == "diff";
}

/// Not of an extension: what the game itself has is only known where its own file is there.
bool is_of_game(const Listed& layer) {
    std::error_code error;
    const bool is_named_so = lower(layer.path).starts_with(extensions_folder);
    return !is_named_so && !fs::exists(root_of(layer.location.file) / "content.xml", error);
}

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

/// The game's file with what lies over it, below `change`; nothing if it is not there, or cannot be made out.
std::optional<ChangedXml> file_below(const GameFiles& files, std::string_view normal, const Bytes& change,
                                     const Limits& limits) {
    std::optional<ChangedXml> below;
    for (const Listed& layer : files.layers(normal)) {
        if (!below && !is_of_game(layer)) return std::nullopt;
        Location place = layer.location;
        place.path.clear();  // looking at it is not taking it
        const auto bytes = files.read(place);
        if (!bytes) return std::nullopt;
        // A mod that is installed is there twice: what counts is its place among the others.
        if (*bytes == change) break;
        if (below && has_diff_root(*bytes, limits)) {
            if (!below->apply(*bytes)) return std::nullopt;
        } else if (below && is_united(normal)) {
            if (!below->unite(*bytes)) return std::nullopt;
        } else {
            auto opened = ChangedXml::open(*bytes, limits);
            if (!opened || opened->root_name() == "diff") return std::nullopt;
            below = std::move(*opened);
        }
    }
    return below;
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

/// Whether it may be a <diff> that no format of its own looks at. `head`: its first bytes.
bool may_be_change(const Bytes& head) {
    const XmlKind kind = xml_kind(head);
    if (kind == XmlKind::component || kind == XmlKind::material_library) return false;
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    return text.find("<diff") != std::string_view::npos;
}

}  // namespace

std::optional<Report> findings_over_game(const GameFiles& files, std::string_view normal, const Bytes& change,
                                         const Limits& limits) {
    const auto reader = XmlReader::open(change, {limits});
    if (!reader || reader->name(reader->root()) != "diff" || only_adds_pages(normal, *reader)) return std::nullopt;
    auto below = file_below(files, normal, change, limits);
    if (!below) return std::nullopt;
    auto found = below->apply(change);
    Report report;
    if (found) {
        report = std::move(*found);
    } else {
        report.add(std::move(found.error()));
    }
    keep_certain(report);
    return report;
}

void check_changes_over_game(ModCheck& check) {
    if (!check.scope.game || check.scope.files == nullptr) return;
    constexpr std::size_t head_size = 4096;
    for (const FolderFile& file : check.files) {
        if (!file.normal.ends_with(".xml") || !may_be_change(check.head(file, head_size))) continue;
        const auto text = check.read(file);
        if (!text) continue;
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
