#pragma once
// Why a picture cannot be drawn.

#include <string>
#include <string_view>
#include <utility>

#include "effigy/result.hpp"

#include "core/problem.hpp"

namespace effigy::render {

inline constexpr std::string_view unavailable_code = "render-unavailable";
inline constexpr std::string_view options_code = "render-options";
inline constexpr std::string_view memory_code = "limit-memory";
inline constexpr std::string_view cancelled_code = "limit-cancelled";

[[nodiscard]] inline Diagnostic problem(std::string_view code, std::string message, std::string found = {},
                                        std::string expected = {}) {
    return problem_at("render", code, std::move(message), std::move(found), std::move(expected));
}

}  // namespace effigy::render
