#pragma once
// What holds for every table of rules.

#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>

#include "core/rules.hpp"

namespace effigy::test {

template <class Rules>
void expect_all_tested(const Rules& rules, const std::set<std::string>& tested) {
    for (const Rule& rule : rules) EXPECT_TRUE(tested.contains(std::string(rule.code))) << rule.code;
}

template <class Rules>
void expect_unique_codes(const Rules& rules) {
    std::set<std::string_view> codes;
    for (const Rule& rule : rules) EXPECT_TRUE(codes.insert(rule.code).second) << rule.code;
}

/// Word for word, as rows of docs/diagnostics.md.
template <class Rules>
void expect_documented(const Rules& rules) {
    std::ifstream page(EFFIGY_SOURCE_DIR "/docs/diagnostics.md");
    std::set<std::string> lines;
    for (std::string line; std::getline(page, line);) lines.insert(line);
    for (const Rule& rule : rules) {
        const std::string row = "| `" + std::string(rule.code) + "` | " + std::string(to_string(rule.severity)) +
                                " | " + std::string(rule.applies_to) + " | " + std::string(rule.sentence) + " |";
        EXPECT_TRUE(lines.contains(row)) << row;
    }
}

}  // namespace effigy::test
