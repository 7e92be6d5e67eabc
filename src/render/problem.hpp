#pragma once
/// Why a picture cannot be drawn.

#include <string>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/result.hpp"

#include "core/problem.hpp"

namespace effigy::render {

[[nodiscard]] inline Diagnostic problem(const Code& code, std::string message, std::string found = {},
                                        std::string expected = {}) {
    return problem_at("render", code, std::move(message), std::move(found), std::move(expected));
}

}  // namespace effigy::render
