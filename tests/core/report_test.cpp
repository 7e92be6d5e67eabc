// Reports and their limits.

#include <gtest/gtest.h>

#include "effigy/result.hpp"

#include "core/budget.hpp"

namespace effigy {
namespace {

Diagnostic finding(std::string code, Severity severity = Severity::error) {
    Diagnostic diagnostic;
    diagnostic.code = std::move(code);
    diagnostic.severity = severity;
    return diagnostic;
}

TEST(Report, CountsWhatItDoesNotList) {
    Report report;
    EXPECT_TRUE(report.empty());
    for (int time = 0; time < 250; ++time) report.add(finding("many", Severity::warning));
    report.add(finding("one"));
    EXPECT_EQ(report.diagnostics().size(), Report::max_per_code + 1);
    EXPECT_EQ(report.count("many"), 250u);
    EXPECT_EQ(report.count("none"), 0u);
    EXPECT_EQ(report.count(Severity::warning), 250u);
    EXPECT_TRUE(report.has_errors());
    const auto suppressed = report.suppressed();
    ASSERT_EQ(suppressed.size(), 1u);
    EXPECT_EQ(suppressed[0], (std::pair<std::string, std::size_t>("many", 150)));
}

TEST(Report, AppendKeepsTheCounts) {
    Report first, second;
    for (int time = 0; time < 80; ++time) first.add(finding("many"));
    for (int time = 0; time < 130; ++time) second.add(finding("many"));
    first.append(second);
    EXPECT_EQ(first.count("many"), 210u);
    EXPECT_EQ(first.diagnostics().size(), Report::max_per_code);
}

TEST(Report, NamesTheFileOnce) {
    Report report;
    report.add(finding("a"));
    report.diagnostics()[0].file = "first";
    report.add(finding("b"));
    report.name_file("second");
    EXPECT_EQ(report.diagnostics()[0].file, "first");
    EXPECT_EQ(report.diagnostics()[1].file, "second");
}

TEST(Budget, DoesNotOverflow) {
    Limits limits;
    limits.memory = 100;
    Budget budget(limits, 0);
    EXPECT_FALSE(budget.take(UINT64_MAX));
    EXPECT_FALSE(budget.take(UINT64_MAX, UINT64_MAX));
    EXPECT_FALSE(budget.take(std::uint64_t{1} << 63, 2));
    EXPECT_TRUE(budget.take(25, 4));
    EXPECT_FALSE(budget.take(1));
    EXPECT_TRUE(budget.take(0));
    budget.give_back(10);
    EXPECT_TRUE(budget.take(10));
    EXPECT_EQ(Budget({}, UINT64_MAX).limit(), UINT64_MAX);
    EXPECT_EQ(Budget({}, 1000).limit(), (std::uint64_t{64} << 20) + 16'000);
}

}  // namespace
}  // namespace effigy
