/// All rules for X42 models in their order, names and their duplicates among them.

#include <cmath>
#include <utility>

#include "effigy/x42_codes.hpp"

#include "x42/check/rules.hpp"
#include "x42/file/x42_format.hpp"

namespace effigy::x42 {

namespace checks {

namespace {

constexpr std::uint64_t modulus = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t base = 0x1d3f5a7b9c2e4681;

/// a * b in the field of the Mersenne prime.
std::uint64_t multiply(std::uint64_t a, std::uint64_t b) noexcept {
    const std::uint64_t a_high = a >> 32, a_low = a & 0xffffffff, b_high = b >> 32, b_low = b & 0xffffffff;
    const std::uint64_t low = a_low * b_low, middle = a_high * b_low + a_low * b_high;
    // 2^64 is 8 there, and 2^61 is 1.
    const std::uint64_t sum =
        (low & modulus) + (low >> 61) + ((middle << 32) & modulus) + (middle >> 29) + a_high * b_high * 8;
    const std::uint64_t folded = (sum & modulus) + (sum >> 61);
    return folded >= modulus ? folded - modulus : folded;
}

std::uint64_t before(char letter, std::uint64_t rest) noexcept {
    return (multiply(rest, base) + static_cast<unsigned char>(letter) + 1) % modulus;
}

}  // namespace

Names::Names(const Bulk<char>& strings)
    : ends_(strings.size(), no_end), exact_(strings.size() + 1), lower_(strings.size() + 1) {
    std::uint32_t end = no_end;
    for (std::size_t place = strings.size(); place-- > 0;) {
        if (strings[place] == '\0') {
            end = static_cast<std::uint32_t>(place);
            exact_[place] = lower_[place] = 1;
        } else {
            exact_[place] = before(strings[place], exact_[place + 1]);
            lower_[place] = before(lower(strings[place]), lower_[place + 1]);
        }
        ends_[place] = end;
    }
}

std::uint64_t Names::key(std::uint16_t name, bool ignore_case) const noexcept {
    return ignore_case ? lower_[name] : exact_[name];
}

void check_name(const Context& context, std::uint16_t name, std::string path) {
    if (context.file.missing[static_cast<std::size_t>(Section::strings)] != 0) return;
    if (!context.names.begins(name)) {
        context.findings.add(codes::x42_name_range, std::move(path), std::to_string(name),
                             below(context.file.strings.size()));
    } else if (!context.names.ends(name)) {
        context.findings.add(codes::x42_name_end, std::move(path), std::to_string(name));
    }
}

bool is_usable(const Range& range) noexcept {
    return std::isfinite(range.low) && std::isfinite(unpack(std::uint16_t{0xffff}, range));
}

void Duplicates::add(std::uint16_t name, std::size_t index) {
    if (!context_.names.ends(name)) return;
    const auto [entry, added] = seen_.emplace(context_.names.key(name, ignore_case_), index);
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
    const checks::Names names(file.strings);
    const checks::Context context{file, names, findings};
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
