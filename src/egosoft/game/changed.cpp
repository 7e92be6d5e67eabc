/// A component file of the game and what its extensions change in it: found in the layers, and laid over one another.

#include "egosoft/game/changed.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/problem.hpp"
#include "core/xml.hpp"
#include "egosoft/file/xml_changes.hpp"
#include "egosoft/game/layers.hpp"

namespace effigy::egosoft {

namespace {

/// What cannot be read counts as a change, too: it is reported, and what lies below it is still there.
bool holds_change(const GameFiles& files, Location place, const Limits& limits) {
    place.path.clear();  // looking at it is not taking it
    const auto bytes = files.read(place);
    if (!bytes) return true;
    const auto reader = XmlReader::open(*bytes, {limits});
    return !reader || reader->name(reader->root()) == "diff";
}

Result<bool> lay_over(ChangedXml& file, const GameFiles& files, const Location& change, Report& report) {
    auto bytes = files.read(change);
    auto findings = bytes ? file.apply(*bytes) : Result<Report>(fail(std::move(bytes.error())));
    if (!findings) {
        if (is_limit(findings.error())) return fail(std::move(findings.error()));
        if (findings.error().file.empty()) findings.error().file = change.name;
        report.add(std::move(findings.error()));
        return false;
    }
    findings->name_file(change.name);
    report.append(std::move(*findings));
    return true;
}

/// Where files of extensions that are no <diff> are united with the game's; elsewhere they take its place.
bool is_united(std::string_view path) {
    constexpr std::array<std::string_view, 3> folders{"index/", "libraries/", "t/"};
    return std::any_of(folders.begin(), folders.end(), [&](std::string_view one) { return path.starts_with(one); });
}

/// The lowest layer, if that is the game's own: without it nobody knows what else the game has there.
std::vector<Location>::const_iterator game_file(const GameFiles& files, const std::vector<Location>& layers,
                                                const Limits& limits) {
    if (layers.empty()) return layers.end();
    std::error_code error;
    const bool is_of_extension = std::filesystem::exists(root_of(layers.back().file) / "content.xml", error);
    return is_of_extension || holds_change(files, layers.back(), limits) ? layers.end() : layers.end() - 1;
}

}  // namespace

std::optional<ChangedFile> changed_file(const GameFiles& files, std::string_view path, const Limits& limits) {
    const std::vector<Location> layers = layered_files(files, path);
    if (layers.size() < 2) return std::nullopt;
    const auto base = std::find_if(layers.begin(), layers.end(),
                                   [&](const Location& layer) { return !holds_change(files, layer, limits); });
    if (base == layers.begin() || base == layers.end()) return std::nullopt;
    ChangedFile changed{*base, {layers.begin(), base}};
    std::reverse(changed.changes.begin(), changed.changes.end());
    return changed;
}

Result<Loaded<ChangedComponents>> read_changed(const GameFiles& files, const ChangedFile& changed, const Bytes& base,
                                               const Limits& limits) {
    auto document = ChangedXml::open(base, limits);
    if (!document) return fail(std::move(document.error()));
    Loaded<ChangedComponents> loaded;
    for (const Location& change : changed.changes) {
        const std::size_t before = document->changes();
        auto laid = lay_over(*document, files, change, loaded.report);
        if (!laid) return fail(std::move(laid.error()));
        if (document->changes() != before) loaded.value.changed_by.push_back(change.name);
    }
    // Where nothing had an effect, the file stays as it is, byte for byte.
    auto read = read_components(loaded.value.changed_by.empty() ? base : document->text(), {limits});
    if (!read) return fail(std::move(read.error()));
    read->report.name_file(changed.base.name);
    loaded.report.append(std::move(read->report));
    loaded.value.file = std::move(read->value);
    return loaded;
}

Result<Loaded<ChangedComponents>> read_changed(const GameFiles& files, const ChangedFile& changed,
                                               const Limits& limits) {
    const auto base = files.read(changed.base);
    if (!base) return fail(base.error());
    return read_changed(files, changed, *base, limits);
}

std::optional<Report> findings_of_change(const GameFiles& files, std::string_view path, const Bytes& change,
                                         const Limits& limits) {
    std::vector<Location> layers = layered_files(files, path);
    // A mod that is installed is there twice: what counts is its place among the others.
    const auto own = std::find_if(layers.rbegin(), layers.rend(), [&](const Location& layer) {
        const auto bytes = files.read(layer);
        return bytes && *bytes == change;
    });
    layers.erase(layers.begin(), own.base());
    const bool unites = is_united(path);
    const auto base = unites ? game_file(files, layers, limits)
                             : std::find_if(layers.begin(), layers.end(),
                                            [&](const Location& layer) { return !holds_change(files, layer, limits); });
    const auto bytes = base == layers.end() ? Result<Bytes>(Bytes()) : files.read(*base);
    auto document = bytes ? ChangedXml::open(*bytes, limits) : Result<ChangedXml>(fail(bytes.error()));
    if (base == layers.end() || !document) return std::nullopt;
    Report others;
    for (auto before = std::make_reverse_iterator(base); before != layers.rend(); ++before) {
        const auto laid = lay_over(*document, files, *before, others);
        if (!laid || (unites && !*laid)) return std::nullopt;
    }
    auto findings = document->apply(change);
    if (findings) return std::move(*findings);
    Report report;
    report.add(std::move(findings.error()));
    return report;
}

}  // namespace effigy::egosoft
