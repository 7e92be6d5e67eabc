#pragma once
/// Small things that the tests of the faithful layer share.

#include <gtest/gtest.h>
#include <string>

#include "effigy/registry.hpp"

#include "reports.hpp"

namespace effigy::test {

[[nodiscard]] inline std::string codes(const Report& report) {
    std::string list;
    for (const Diagnostic& diagnostic : report.diagnostics()) list += (list.empty() ? "" : " ") + diagnostic.code;
    return list;
}

}  // namespace effigy::test
