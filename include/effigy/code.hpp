#pragma once
/// What a code of findings means: one row of the tables of codes, from which docs/diagnostics.md is made.

#include <cstdint>
#include <string_view>

namespace effigy {

enum class Severity : std::uint8_t {
    error,    ///< the file is damaged or breaks in the engine; a conversion did not happen
    warning,  ///< something is lost, replaced or will probably surprise
    info,     ///< worth knowing, harmless
};

/// "error", "warning" or "info".
[[nodiscard]] std::string_view to_string(Severity severity) noexcept;

/// The severities of a code: `other` is the same, but for the few codes whose meaning says when it is another.
struct Severities {
    Severity usual, other;
};

namespace severities {
inline constexpr Severities error{Severity::error, Severity::error};
inline constexpr Severities warning{Severity::warning, Severity::warning};
inline constexpr Severities info{Severity::info, Severity::info};
inline constexpr Severities error_or_warning{Severity::error, Severity::warning};
inline constexpr Severities warning_or_error{Severity::warning, Severity::error};
inline constexpr Severities warning_or_info{Severity::warning, Severity::info};
inline constexpr Severities info_or_warning{Severity::info, Severity::warning};
}  // namespace severities

/// A code with what holds for all findings that have it. Each family has its own in `<family>::codes`, those that
/// several share stand in `effigy::codes`: `report.count(emfx::codes::key_time_first)`,
/// `finding.code == codes::truncated`.
struct Code {
    std::string_view name;  ///< as it is printed, e.g. "mesh-index-range"; the constant has underscores instead
    Severity severity;
    Severity other_severity;
    std::string_view applies_to;  ///< formats, or what else is concerned
    std::string_view meaning;     ///< what is wrong and what it means for the user, in one sentence or two

    constexpr Code(std::string_view code, Severities both, std::string_view applies, std::string_view sentence)
        : name(code), severity(both.usual), other_severity(both.other), applies_to(applies), meaning(sentence) {}

    /// The code in the case in which its severity is the other one.
    [[nodiscard]] consteval Code as(Severity wanted) const {
        if (wanted != other_severity) throw "this code never has this severity";
        Code code = *this;
        code.severity = wanted;
        return code;
    }
    constexpr operator std::string_view() const noexcept { return name; }
};

[[nodiscard]] constexpr bool operator==(const Code& a, const Code& b) noexcept { return a.name == b.name; }
[[nodiscard]] constexpr bool operator==(std::string_view a, const Code& b) noexcept { return a == b.name; }

}  // namespace effigy

// What the tables are spelled out with: the constants here, whatever else is made of the rows elsewhere.
#define EFFIGY_NO_SECTION(name)
#define EFFIGY_CODE_CONSTANT(constant, code, severity, applies_to, meaning) \
    inline constexpr Code constant{code, severities::severity, applies_to, meaning};
