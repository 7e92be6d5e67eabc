/// What faithful files know beyond the scene.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "effigy/diff.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;

Scene scene_with(const std::string& record, const std::string& format = "xac") {
    Scene scene;
    scene.asset_extras.json =
        R"({"version":1,"source":{"format":")" + format + R"(","size":)" + std::to_string(record.size()) + "}}";
    scene.nodes.resize(1);
    scene.nodes[0].name = "root";
    scene.nodes[0].extras.json = record;
    return scene;
}

Report diff(const std::string& a, const std::string& b) {
    const auto report = diff_scenes(scene_with(a), scene_with(b));
    EXPECT_TRUE(report);
    return report ? *report : Report();
}

TEST(DiffExtras, PassesOverWhatIsNoMeaning) {
    EXPECT_TRUE(diff(R"({"padding":[1,2],"hash":"xxh3:1","index":3,"flags":1})",
                     R"({"flags":1,"padding":[3,4,5],"hash":"xxh3:2","chunk":7})")
                    .empty());
    EXPECT_TRUE(diff(R"({"box":[1.0,2.0]})", R"({"box":[1.0000001,2]})").empty());
}

TEST(DiffExtras, FindsMembers) {
    const Report report = diff(R"({"flags":1,"limit":{"axes":[1,2,3]}})", R"({"flags":3,"limit":{"axes":[1,2.5,3]}})");
    ASSERT_EQ(report.diagnostics().size(), 2U);
    EXPECT_EQ(report.diagnostics()[0].code, "diff-extras");
    EXPECT_EQ(report.diagnostics()[0].path, "nodes[0] root / extras / flags");
    EXPECT_EQ(report.diagnostics()[0].expected, "1");
    EXPECT_EQ(report.diagnostics()[0].found, "3");
    EXPECT_EQ(report.diagnostics()[1].path, "nodes[0] root / extras / limit / axes");
    EXPECT_THAT(report.diagnostics()[1].message, HasSubstr("1 number differs by up to 0.5"));
}

TEST(DiffExtras, FindsListsByName) {
    const Report report = diff(R"({"floats":[{"name":"a","value":1},{"name":"b","value":2}]})",
                               R"({"floats":[{"name":"b","value":2},{"name":"c","value":1}]})");
    ASSERT_EQ(report.diagnostics().size(), 2U);
    EXPECT_EQ(report.diagnostics()[0].path, "nodes[0] root / extras / floats / a");
    EXPECT_EQ(report.diagnostics()[1].path, "nodes[0] root / extras / floats / c");
}

TEST(DiffExtras, AreOfOneFamily) {
    const auto report = diff_scenes(scene_with(R"({"flags":1})"), scene_with(R"({"bone":1})", "x42"));
    ASSERT_TRUE(report);
    ASSERT_EQ(report->diagnostics().size(), 1U);
    EXPECT_EQ(report->diagnostics()[0].code, "diff-skipped");
    EXPECT_EQ(report->diagnostics()[0].severity, Severity::info);
}

TEST(DiffExtras, MayBeLost) {
    Scene without = scene_with("{}");
    without.asset_extras = {};
    without.nodes[0].extras = {};
    const auto report = diff_scenes(scene_with(R"({"flags":1})"), without);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->count(Severity::warning), 0U);
    EXPECT_EQ(report->count("diff-skipped"), 1U);
}

TEST(DiffExtras, ListAFewOfMany) {
    std::string a = "{\"list\":[", b = a;
    for (int i = 0; i < 1000; ++i) {
        a += (i == 0 ? "" : ",") + std::string("{\"value\":1}");
        b += (i == 0 ? "" : ",") + std::string("{\"value\":2}");
    }
    const Report report = diff(a + "]}", b + "]}");
    ASSERT_EQ(report.diagnostics().size(), 21U);
    EXPECT_THAT(report.diagnostics().back().message, HasSubstr("980 more values differ"));
}

TEST(DiffExtras, NeedNotBeJson) {
    EXPECT_EQ(diff("{", "}").count("diff-extras"), 1U);
    EXPECT_TRUE(diff("{", "{").empty());
    EXPECT_EQ(diff("[1]", "{}").count("diff-extras"), 1U);
}

}  // namespace
}  // namespace effigy::test
