#pragma once
/// What a report says, to be printed or compared.

#include <string>
#include <vector>

#include "effigy/result.hpp"

namespace effigy::test {

/// All findings as lines.
[[nodiscard]] inline std::string findings(const Report& report) {
    std::string lines;
    for (const Diagnostic& diagnostic : report.diagnostics()) lines += to_string(diagnostic) + "\n";
    return lines;
}

[[nodiscard]] inline std::vector<std::string> codes_of(const Report& report) {
    std::vector<std::string> codes;
    for (const Diagnostic& finding : report.diagnostics()) codes.push_back(finding.code);
    return codes;
}

}  // namespace effigy::test
