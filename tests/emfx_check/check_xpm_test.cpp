/// Rules for morph motions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "files.hpp"

namespace effigy::test {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t info = 0, list = 1;

xpm::Submotion& smile(xpm::File& file) { return record<xpm::Submotions>(file, list).submotions[0]; }

}  // namespace

const std::vector<Case<xpm::File>>& xpm_cases() {
    static const std::vector<Case<xpm::File>> cases{
        {"header-version", "header / major_version", [](auto& file) { file.header.major_version = 2; }, "2.0"},
        {"info-missing", "", [](auto& file) { file.chunks.erase(file.chunks.begin()); }},
        {"info-first", "chunk[1] motion_info", [](auto& file) { std::swap(file.chunks[info], file.chunks[list]); }},
        {"text-encoding", "chunk[1] submotions / submotion[0] / name",
         [](auto& file) {
             smile(file).name =
                 "L\xe4"
                 "cheln";
         },
         "\"L\\xe4cheln\""},
        {"motion-empty", "", [](auto& file) { record<xpm::Submotions>(file, list).submotions.clear(); }},
        {"submotion-name-empty", "chunk[1] submotions / submotion[0] / name",
         [](auto& file) { smile(file).name = ""; }},
        {"submotion-name-duplicate", "chunk[1] submotions / submotion[1] / name",
         [](auto& file) { smile(file).name = "blink"; }, "\"blink\""},
        {"key-time-first", "chunk[1] submotions / submotion[0] / keys[0]",
         [](auto& file) { smile(file).keys[0].time = 0.25f; }, "0.25"},
        {"key-time-order", "chunk[1] submotions / submotion[0] / keys[2]",
         [](auto& file) { smile(file).keys[2].time = 0.25f; }, "0.25 after 0.5"},
        {"key-time-duplicate", "chunk[1] submotions / submotion[0] / keys[2]",
         [](auto& file) { smile(file).keys[2].time = 0.5f; }},
        {"key-single", "chunk[1] submotions / submotion[0] / keys[0]", [](auto& file) { smile(file).keys.resize(1); }},
        {"not-finite", "chunk[1] submotions / submotion[0] / max_weight",
         [](auto& file) { smile(file).max_weight = std::numeric_limits<float>::infinity(); }, "inf"},
        {"weight-range", "chunk[1] submotions / submotion[0] / min_weight",
         [](auto& file) { smile(file).min_weight = 2; }, "2"},
        {"weight-pose", "chunk[1] submotions / submotion[0] / pose_weight",
         [](auto& file) { smile(file).pose_weight = 1.5f; }, "1.5"},
    };
    return cases;
}

const std::vector<Case<xpm::File>>& xpm_cases_with_actor() {
    static const std::vector<Case<xpm::File>> cases{
        {"motion-target-unknown", "chunk[1] submotions / submotion[0] / name",
         [](auto& file) { smile(file).name = "frown"; }, "\"frown\""},
        {"motion-names-nothing", "",
         [](auto& file) {
             smile(file).name = "frown";
             record<xpm::Submotions>(file, list).submotions[1].name = "wink";
         },
         "\"frown\", \"wink\""},
        {"weight-target-range", "chunk[1] submotions / submotion[0] / max_weight",
         [](auto& file) { smile(file).max_weight = 2; }},
    };
    return cases;
}

namespace {

TEST(CheckXpm, FindsNothingInAGoodFile) {
    EXPECT_THAT(summary(xpm::check(good_weights())), IsEmpty());
    const xac::File actor = good_actor();
    EXPECT_THAT(summary(xpm::check(good_weights(), &actor)), IsEmpty());
}

TEST(CheckXpm, TakesListsWithoutTracksForUsual) {
    xpm::File file = good_weights();
    record<xpm::Submotions>(file, list).submotions.clear();
    const Report report = xpm::check(file);
    ASSERT_EQ(report.count("motion-empty"), 1u);
    EXPECT_EQ(report.diagnostics().at(0).severity, Severity::info);
}

void expect(const Case<xpm::File>& tested, const xac::File* actor) {
    xpm::File file = good_weights();
    tested.change(file);
    const Report report = xpm::check(file, actor);
    ASSERT_THAT(summary(report), ElementsAre(tested.code + " at " + tested.path));
    if (!tested.found.empty()) {
        EXPECT_EQ(report.diagnostics()[0].found, tested.found);
    }
    EXPECT_FALSE(report.diagnostics()[0].found.empty());
    EXPECT_FALSE(report.diagnostics()[0].expected.empty());
}

class XpmRule : public testing::TestWithParam<Case<xpm::File>> {};
TEST_P(XpmRule, IsFoundAlone) { expect(GetParam(), nullptr); }
INSTANTIATE_TEST_SUITE_P(CheckXpm, XpmRule, testing::ValuesIn(xpm_cases()));

class XpmActorRule : public testing::TestWithParam<Case<xpm::File>> {};
TEST_P(XpmActorRule, IsFoundAlone) {
    const xac::File actor = good_actor();
    expect(GetParam(), &actor);
}
INSTANTIATE_TEST_SUITE_P(CheckXpm, XpmActorRule, testing::ValuesIn(xpm_cases_with_actor()));

}  // namespace
}  // namespace effigy::test
