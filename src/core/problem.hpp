#pragma once
/// A diagnostic in one line.

#include <string>
#include <string_view>
#include <utility>

#include "effigy/result.hpp"

namespace effigy {

[[nodiscard]] inline Diagnostic problem_at(std::string path, std::string_view code, std::string message,
                                           std::string found = {}, std::string expected = {}) {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.path = std::move(path);
    diagnostic.message = std::move(message);
    diagnostic.found = std::move(found);
    diagnostic.expected = std::move(expected);
    return diagnostic;
}

}  // namespace effigy
