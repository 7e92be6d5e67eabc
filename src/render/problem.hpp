#pragma once
// Why a picture cannot be drawn.

#include <string>
#include <string_view>
#include <utility>

#include "effigy/result.hpp"

namespace effigy::render {

inline constexpr std::string_view unavailable_code = "render-unavailable";
inline constexpr std::string_view options_code = "render-options";
inline constexpr std::string_view memory_code = "limit-memory";
inline constexpr std::string_view cancelled_code = "limit-cancelled";

[[nodiscard]] inline Diagnostic problem(std::string_view code, std::string message, std::string found = {},
                                        std::string expected = {}) {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.path = "render";
    diagnostic.message = std::move(message);
    diagnostic.found = std::move(found);
    diagnostic.expected = std::move(expected);
    return diagnostic;
}

}  // namespace effigy::render
