#pragma once
/// Small things that the tests of the faithful layer share.

#include <gtest/gtest.h>
#include <string>
#include <utility>

#include "effigy/registry.hpp"

namespace effigy::test {

/// All findings as lines.
[[nodiscard]] inline std::string findings(const Report& report) {
    std::string lines;
    for (const Diagnostic& diagnostic : report.diagnostics()) lines += to_string(diagnostic) + "\n";
    return lines;
}

[[nodiscard]] inline std::string codes(const Report& report) {
    std::string list;
    for (const Diagnostic& diagnostic : report.diagnostics()) list += (list.empty() ? "" : " ") + diagnostic.code;
    return list;
}

}  // namespace effigy::test
