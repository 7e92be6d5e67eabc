#pragma once
/// Numbers that the library's caller has chosen.

#include <limits>
#include <string>
#include <string_view>

#include "effigy/program_codes.hpp"
#include "effigy/result.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy {

/// "usage-option" where the number is none, not finite, or outside of what it may be.
[[nodiscard]] inline Result<void> check_option(std::string_view name, double value, double least,
                                               double most = std::numeric_limits<double>::max()) {
    if (value >= least && value <= most) return {};
    const bool is_open = most == std::numeric_limits<double>::max();
    return fail(problem_at("options / " + std::string(name), codes::usage_option, "the number is out of range",
                           number_text(value),
                           (is_open ? "a finite number from " : "") + number_text(least) +
                               (is_open ? " on" : " to " + number_text(most))));
}

}  // namespace effigy
