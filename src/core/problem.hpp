#pragma once
/// Diagnostics in one line: of codes, and of what was in the way of something that can be left out.

#include <string>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/result.hpp"

namespace effigy {

/// Severity and message are those of the code's row, unless `message` says more precisely what is wrong.
[[nodiscard]] inline Diagnostic problem_at(std::string path, const Code& code, std::string message = {},
                                           std::string found = {}, std::string expected = {}) {
    if (message.empty()) message = code.meaning;
    return {std::string(code.name), code.severity,    no_offset,           0, std::move(path),
            std::move(message),     std::move(found), std::move(expected), {}};
}

/// About a file as a whole.
[[nodiscard]] inline Diagnostic file_problem(std::string file, const Code& code, std::string message = {},
                                             std::string found = {}, std::string expected = {}) {
    Diagnostic problem = problem_at({}, code, std::move(message), std::move(found), std::move(expected));
    problem.file = std::move(file);
    return problem;
}

/// The failure as a finding of `code`; where memory was short, that is what the finding still says.
[[nodiscard]] inline Diagnostic passed_on(Diagnostic failure, const Code& code) {
    if (failure.code != codes::limit_memory) failure.code = code.name;
    failure.severity = code.severity;
    return failure;
}

/// Whether a limit was reached, the memory has ended or the user cancelled: nothing else need be tried then.
[[nodiscard]] inline bool is_limit(const Diagnostic& problem) noexcept { return codes::is_limit(problem.code); }

}  // namespace effigy
