/// All rules for X42 models in their order, names and their duplicates among them.

#include <cmath>
#include <utility>

#include "effigy/x42_codes.hpp"

#include "x42/check/rules.hpp"
#include "x42/file/x42_format.hpp"

namespace effigy::x42 {

namespace checks {

void check_name(const Context& context, std::uint16_t name, std::string path) {
    if (context.file.missing[static_cast<std::size_t>(Section::strings)] != 0) return;
    if (name >= context.file.strings.size()) {
        context.findings.add(codes::x42_name_range, std::move(path), std::to_string(name),
                             below(context.file.strings.size()));
    } else if (name >= context.names_end) {
        context.findings.add(codes::x42_name_end, std::move(path), std::to_string(name));
    }
}

bool is_usable(const Range& range) noexcept {
    return std::isfinite(range.low) && std::isfinite(unpack(std::uint16_t{0xffff}, range));
}

/// Longer names do not exist in the game; comparing them in full would take forever in a hostile file.
std::string Duplicates::key_of(std::uint16_t name) const {
    constexpr std::size_t compared = 256;
    const auto& strings = context_.file.strings;
    const std::string_view key = up_to_nul(std::string_view(strings.data(), strings.size()).substr(name, compared));
    return ignore_case_ ? lower(key) : std::string(key);
}

void Duplicates::add(std::uint16_t name, std::size_t index) {
    if (name >= context_.names_end) return;
    const auto [entry, added] = seen_.emplace(key_of(name), index);
    if (added) return;
    if (!repeated_) {
        name_ = name;
        earlier_ = entry->second;
    }
    repeated_.hit(index);
}

void Duplicates::report() {
    if (!repeated_) return;
    const std::string found =
        "\"" + shortened(name_of(context_.file, name_)) + "\" as in " + element_path(kind_, earlier_);
    context_.findings.add(codes::x42_name_duplicate, field_path(kind_, repeated_.first, "name"),
                          first_of(found, repeated_.count));
}

}  // namespace checks

namespace {

Report check_as(const File& file, bool was_read) {
    Report report;
    Findings findings(report);
    const std::size_t names_end = std::string_view(file.strings.data(), file.strings.size()).rfind('\0') + 1;
    const checks::Context context{file, names_end, findings};
    if (!was_read) checks::check_missing(context);
    checks::check_file(context);
    checks::check_ranges(context);
    checks::check_bones(context);
    checks::check_keys(context);
    checks::check_animations(context);
    checks::check_groups(context);
    checks::check_blend(context);
    checks::check_vertices(context);
    checks::check_morphs(context);
    if (report.count(codes::x42_name_end) == 0) checks::check_strings_end(context);
    locate(file, report);
    return report;
}

}  // namespace

Report check(const File& file) { return check_as(file, false); }
Report check_after_reading(const File& file) { return check_as(file, true); }

}  // namespace effigy::x42
