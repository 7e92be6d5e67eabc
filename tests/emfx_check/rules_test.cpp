/// The table of rules, docs/diagnostics.md and the cases of the other tests say the same.

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "emfx/check.hpp"
#include "files.hpp"

namespace effigy::test {
namespace {

using emfx::checks::rules;

/// The lines of the page between "## Checks" and the next heading of its level.
std::vector<std::string> check_section() {
    std::ifstream page(EFFIGY_SOURCE_DIR "/docs/diagnostics.md");
    std::vector<std::string> lines;
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
        if (line.starts_with("## ")) inside = line.starts_with("## Checks");
        if (inside) lines.push_back(line);
    }
    return lines;
}

std::string row_of(const Rule& rule) {
    std::ostringstream row;
    row << "| `" << rule.code << "` | " << to_string(rule.severity) << " | " << rule.applies_to << " | "
        << rule.sentence << " |";
    return row.str();
}

TEST(Rules, AreDocumentedWordForWord) {
    const std::vector<std::string> lines = check_section();
    ASSERT_FALSE(lines.empty());
    for (const Rule& rule : rules) EXPECT_THAT(lines, testing::Contains(row_of(rule)));
}

TEST(Rules, PageHasNoOthers) {
    std::set<std::string> rows;
    for (const Rule& rule : rules) rows.insert(row_of(rule));
    for (const std::string& line : check_section())
        if (line.starts_with("| `")) {
            EXPECT_TRUE(rows.contains(line)) << line;
        }
}

TEST(Rules, HaveUniqueCodes) {
    std::set<std::string_view> codes;
    for (const Rule& rule : rules) EXPECT_TRUE(codes.insert(rule.code).second) << rule.code;
}

TEST(Rules, AreAllTested) {
    std::set<std::string> tested;
    for (const auto& one : xac_cases()) tested.insert(one.code);
    for (const auto& one : xsm_cases()) tested.insert(one.code);
    for (const auto& one : xsm_cases_with_actor()) tested.insert(one.code);
    for (const auto& one : xpm_cases()) tested.insert(one.code);
    for (const auto& one : xpm_cases_with_actor()) tested.insert(one.code);
    tested.insert({"lod-depth", "skin-overlap", "text-mixed"});  // tests of their own
    tested.insert("declared-size");                              // tested where files are read
    for (const Rule& rule : rules) EXPECT_TRUE(tested.contains(std::string(rule.code))) << rule.code;
}

}  // namespace
}  // namespace effigy::test
