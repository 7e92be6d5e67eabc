/// The row of catalogs in the registry.

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include "effigy/egosoft_codes.hpp"
#include "effigy/game_files.hpp"

#include "core/text.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/game/layers.hpp"
#include "registry/rows.hpp"

namespace effigy::egosoft {

namespace {

constexpr std::array<std::string_view, 1> catalog_extensions{"cat"};
constexpr FormatInfo catalog_format = faithful_format(
    "cat", "Egosoft catalog", "egosoft", Role::archive, catalog_extensions, "X Rebirth and X4; with the .dat beside it",
    {.instead = "name one of its files and the archive with --game, or unpack it first (effigy unpack)"});

bool ends_in_cat(std::string_view name) noexcept {
    return name.size() > 4 && lower(name.substr(name.size() - 4)) == ".cat";
}

Diagnostic at_entry(Diagnostic diagnostic, const catalog::Index& index, const catalog::Entry& entry) {
    constexpr std::size_t max_shown = 200;
    diagnostic.path = index.path(entry).substr(0, max_shown);
    diagnostic.offset = entry.path_offset;
    diagnostic.length = entry.path_size;
    return diagnostic;
}

void check_names(const catalog::Index& index, Report& report) {
    std::set<std::string> seen;
    for (const catalog::Entry& entry : index.entries) {
        const auto normal = normal_path(index.path(entry));
        if (!normal || normal->empty()) {
            report.add(at_entry(problem_at({}, codes::path_outside,
                                           "this path is absolute or leads out of the folder; the entry is never used"),
                                index, entry));
        } else if (!seen.insert(*normal).second) {
            report.add(at_entry(
                problem_at({}, codes::catalog_duplicate, "the path stands twice in the catalog; the last one counts"),
                index, entry));
        }
    }
}

void check_data(const catalog::Index& index, const std::filesystem::path& data, const Limits& limits, Report& report) {
    std::uint64_t needed = 0;
    for (const catalog::Entry& entry : index.entries) {
        needed = entry.offset + entry.size;
        const auto bytes = entry.size == 0 ? Result<Bytes>(Bytes()) : catalog::extract(data, entry, true, limits);
        if (bytes) continue;
        const Diagnostic& cause = bytes.error();
        report.add(at_entry(Diagnostic(cause), index, entry));
        // What is not there at all need not be looked for again and again.
        if (cause.code == codes::catalog_data) return;
    }
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(data, error);
    if (error || size == needed) return;
    report.add(problem_at({}, codes::catalog_data.as(Severity::warning),
                          "the .dat has bytes that no entry names; they are never used",
                          std::to_string(size) + " bytes", std::to_string(needed) + " bytes"));
}

}  // namespace

/// Nothing but entries at the start; a file that is called .cat may have damaged ones.
bool looks_like_catalog(std::span<const std::byte> head, std::string_view name) noexcept {
    constexpr std::size_t whole_head = 4096;
    if (head.empty()) return ends_in_cat(name);
    std::size_t size = head.size();
    if (size >= whole_head) {
        // The last line may be cut off.
        while (size > 0 && head[size - 1] != std::byte{'\n'}) --size;
    }
    const auto read = without_exceptions(
        [&] { return catalog::read(Bytes(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(size))); });
    return read && !read->value.entries.empty() && (read->report.empty() || ends_in_cat(name));
}

const FormatInfo& CatalogFormat::format() { return catalog_format; }

Report CatalogFormat::check(const catalog::Index& file, const CheckContext& context) {
    Report report;
    check_names(file, report);
    if (!context.path.empty()) check_data(file, catalog::data_path(context.path), context.limits, report);
    return report;
}

Json CatalogFormat::info(const catalog::Index& file, const InfoOptions& /*options*/) {
    std::uint64_t bytes = 0;
    const auto deletions = std::count_if(file.entries.begin(), file.entries.end(), [&](const catalog::Entry& entry) {
        bytes += entry.size;
        return entry.size == 0;
    });
    return {{"format", catalog_format.id},
            {"size", file.text.size()},
            {"counts", {{"entries", file.entries.size()}, {"deletions", deletions}, {"bytes", bytes}}}};
}

}  // namespace effigy::egosoft
