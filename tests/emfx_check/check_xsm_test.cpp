/// Rules for skeletal motions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "effigy/xsm_wavelets.hpp"

#include "files.hpp"

namespace effigy::test {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t list = 1, packed = 2, events = 3;

xsm::Submotion& root(xsm::File& file) { return record<xsm::Submotions>(file, list).submotions[0]; }

/// A compressed motion of one node, for a case to spoil.
xsm::Wavelet& add_wavelets(xsm::File& file) {
    xsm::Submotions motion;
    xsm::Submotion& head = motion.submotions.emplace_back();
    head.node_name = "head";
    head.position_keys = {{{0, 0, 0}, 0}, {{1, 2, 3}, 1}};
    head.rotation_keys = {{{0, 0, 0, 1}, 0}, {{0, 0, 1, 0}, 1}};
    file.chunks.push_back({203, 1, {}, std::move(xsm::encode(motion, false)->wavelet), {}});
    return std::get<xsm::Wavelet>(file.chunks.back().record);
}

}  // namespace

const std::vector<Case<xsm::File>>& xsm_cases() {
    static const std::string root_path = "chunk[1] submotions / submotion[0] / ";
    static const std::vector<Case<xsm::File>> cases{
        {"header-endian", "header / endian", [](auto& file) { file.header.endian = 7; }, "7"},
        {"header-order", "header / multiplication_order", [](auto& file) { file.header.multiplication_order = 2; }},
        {"trailing-bytes", "trailing", [](auto& file) { file.trailing.resize(5); }, "5 bytes"},
        {"extra-bytes", "chunk[1] submotions / trailing", [](auto& file) { file.chunks[1].trailing.resize(3); }},
        {"opaque-chunk", "chunk[5] opaque",
         [](auto& file) {
             file.chunks.push_back({99, 7, {}, emfx::Opaque{Bytes(4)}, {}});
         },
         "id 99, version 7, 4 bytes"},
        {"info-several", "chunk[5] motion_info",
         [](auto& file) {
             file.chunks.push_back({201, 2, {}, emfx::MotionInfo{}, {}});
         },
         "2 info chunks"},
        {"text-control", root_path + "node_name", [](auto& file) { root(file).node_name.push_back('\0'); },
         "\"root\\x00\""},
        {"event-range", "chunk[3] motion_events / track[0] / event[0] / type",
         [](auto& file) { record<emfx::MotionEvents>(file, events).tracks[0].events[0].type = 1; }, "1"},
        {"event-range", "chunk[3] motion_events / track[0] / event[0] / parameter",
         [](auto& file) { record<emfx::MotionEvents>(file, events).tracks[0].events[0].parameter = 9; }, "9"},
        {"event-time", "chunk[3] motion_events / track[0] / event[0] / end_time",
         [](auto& file) { record<emfx::MotionEvents>(file, events).tracks[0].events[0].end_time = 0.25f; }},
        {"timestamp", "chunk[4] timestamp / month", [](auto& file) { record<emfx::Timestamp>(file, 4).month = 13; },
         "13"},
        {"not-finite", root_path + "pose_position", [](auto& file) { root(file).pose_position.y = nan; },
         "(1, nan, 3)"},
        {"not-finite", root_path + "position_keys[1]", [](auto& file) { root(file).position_keys[1].value.x = nan; }},
        {"not-finite", root_path + "rotation_keys[1]", [](auto& file) { root(file).rotation_keys[1].time = nan; }},
        {"rotation-norm", root_path + "bind_pose_rotation", [](auto& file) { root(file).bind_pose_rotation.w = 2; },
         "(0, 0, 0, 2)"},
        {"rotation-norm", root_path + "rotation_keys[1]", [](auto& file) { root(file).rotation_keys[1].value.w = 2; }},
        {"rotation-norm", "chunk[2] submotion / rotation_keys[1]",
         [](auto& file) { record<xsm::PackedSubmotion>(file, packed).rotation_keys[1].value.w = 16384; }},
        {"motion-empty", "", [](auto& file) { file.chunks.erase(file.chunks.begin() + 1, file.chunks.begin() + 3); }},
        {"wavelet-rice", "chunk[5] wavelet / compressor", [](auto& file) { add_wavelets(file).compressor = 1; },
         "1 (Rice)"},
        {"wavelet-coder", "chunk[5] wavelet / wavelet", [](auto& file) { add_wavelets(file).wavelet = 3; }, "3"},
        {"wavelet-size", "chunk[5] wavelet / samples_per_chunk",
         [](auto& file) { add_wavelets(file).samples_per_chunk = 3; }, "3"},
        {"wavelet-mapping", "chunk[5] wavelet / mappings[0]",
         [](auto& file) { add_wavelets(file).mappings[0].rotation_track = 9; }, "track 9"},
        {"wavelet-stream", "chunk[5] wavelet / wavelet_chunk[1] / rotations",
         [](auto& file) {
             Bytes& block = add_wavelets(file).chunks[1].rotations;
             block.resize(block.size() / 2);
         }},
        {"wavelet-times", "chunk[5] wavelet / wavelet_chunk[1] / start_time",
         [](auto& file) { add_wavelets(file).chunks[1].start_time += 0.25f; }},
        {"wavelet-scale", "chunk[5] wavelet / wavelet_chunk[0] / position_scale",
         [](auto& file) { add_wavelets(file).chunks[0].position_scale *= -1; }},
        {"wavelet-offset", "chunk[5] wavelet / scale_rotation_offset",
         [](auto& file) { add_wavelets(file).scale_rotation_offset = 7; }, "7"},
        {"wavelet-values", "chunk[5] wavelet / wavelet_chunk[0] / rotations",
         [](auto& file) { add_wavelets(file).chunks[1].rotation_scale = 0; }, "8 rotations"},
        {"submotion-name-empty", root_path + "node_name", [](auto& file) { root(file).node_name.clear(); }},
        {"submotion-name-duplicate", "chunk[2] submotion / node_name",
         [](auto& file) { record<xsm::PackedSubmotion>(file, packed).node_name = "arm"; }, "\"arm\""},
        {"key-time-first", root_path + "rotation_keys[0]", [](auto& file) { root(file).rotation_keys[0].time = 0.5f; }},
        {"key-time-negative", root_path + "position_keys[0]", [](auto& file) { root(file).position_keys[0].time = -1; },
         "-1"},
        {"key-time-order", root_path + "position_keys[2]", [](auto& file) { root(file).position_keys[2].time = 0.25f; },
         "0.25 after 0.5"},
        {"key-time-duplicate", root_path + "position_keys[1]", [](auto& file) { root(file).position_keys[1].time = 0; },
         "0 after 0"},
        {"key-single", root_path + "rotation_keys[0]", [](auto& file) { root(file).rotation_keys.resize(1); }},
        {"key-sign-flip", root_path + "rotation_keys[1]", [](auto& file) { root(file).rotation_keys[1].value.w = -1; },
         "dot product -1"},
        {"key-pose", root_path + "position_keys[0]", [](auto& file) { root(file).pose_position.x = 9; }, "(1, 2, 3)"},
        {"key-pose", root_path + "rotation_keys[0]",
         [](auto& file) {
             root(file).pose_rotation = {1, 0, 0, 0};
         }},
    };
    return cases;
}

const std::vector<Case<xsm::File>>& xsm_cases_with_actor() {
    static const std::vector<Case<xsm::File>> cases{
        {"motion-node-unknown", "chunk[5] submotion / node_name",
         [](auto& file) {
             xsm::Submotion tail;
             tail.node_name = "tail";
             tail.rotation_keys = {{{}, 0}, {{}, 1}};
             file.chunks.push_back({200, 2, {}, tail, {}});
         },
         "\"tail\""},
        {"motion-node-absent", "chunk[5] submotion / node_name",
         [](auto& file) {
             xsm::Submotion tail;
             tail.node_name = "tail";
             file.chunks.push_back({200, 2, {}, tail, {}});
         },
         "\"tail\""},
        {"motion-names-nothing", "",
         [](auto& file) {
             for (xsm::Submotion& submotion : record<xsm::Submotions>(file, list).submotions)
                 submotion.node_name += " of another";
             record<xsm::PackedSubmotion>(file, packed).node_name = "tail";
         },
         "\"root of another\", \"arm of another\", \"prop of another\", \"tail\""},
        {"motion-order-mismatch", "header / multiplication_order",
         [](auto& file) { file.header.multiplication_order = 1; }, "1"},
        {"motion-node-unmoved", "", [](auto& file) { file.chunks.erase(file.chunks.begin() + packed); },
         "no track for \"body\""},
        {"motion-skeleton-differs", "",
         [](auto& file) {
             for (xsm::Submotion& submotion : record<xsm::Submotions>(file, list).submotions)
                 submotion.bind_pose_position = {0, 1, 0};
             record<xsm::PackedSubmotion>(file, packed).bind_pose_position = {0, 1, 0};
         },
         "4 of 4 nodes: \"root\", \"arm\", \"prop\", \"body\""},
    };
    return cases;
}

namespace {

/// Moves all nodes of good_actor().
xsm::File whole_motion() {
    xsm::File file = good_motion();
    xsm::Submotion prop;
    prop.node_name = "prop";
    record<xsm::Submotions>(file, list).submotions.push_back(prop);
    return file;
}

TEST(CheckXsm, FindsNothingInAGoodFile) {
    EXPECT_THAT(summary(xsm::check(good_motion())), IsEmpty());
    const xac::File actor = good_actor();
    EXPECT_THAT(summary(xsm::check(whole_motion(), &actor)), IsEmpty());
}

class XsmRule : public testing::TestWithParam<Case<xsm::File>> {};
TEST_P(XsmRule, IsFoundAlone) {
    xsm::File file = good_motion();
    GetParam().change(file);
    const Report report = xsm::check(file);
    ASSERT_THAT(summary(report), ElementsAre(GetParam().code + " at " + GetParam().path));
    if (!GetParam().found.empty()) {
        EXPECT_EQ(report.diagnostics()[0].found, GetParam().found);
    }
    EXPECT_FALSE(report.diagnostics()[0].found.empty());
    EXPECT_FALSE(report.diagnostics()[0].expected.empty());
}
INSTANTIATE_TEST_SUITE_P(CheckXsm, XsmRule, testing::ValuesIn(xsm_cases()));

class XsmActorRule : public testing::TestWithParam<Case<xsm::File>> {};
TEST_P(XsmActorRule, IsFound) {
    const xac::File actor = good_actor();
    xsm::File file = whole_motion();
    GetParam().change(file);
    const Report report = xsm::check(file, &actor);
    EXPECT_THAT(summary(report), testing::Contains(GetParam().code + " at " + GetParam().path));
    EXPECT_EQ(report.count(GetParam().code), 1u);
    EXPECT_EQ(report.diagnostics().size(), 1u);
}
INSTANTIATE_TEST_SUITE_P(CheckXsm, XsmActorRule, testing::ValuesIn(xsm_cases_with_actor()));

TEST(CheckXsm, ASignFlipIsReportedOncePerFile) {
    xsm::File file = good_motion();
    for (xsm::Submotion& submotion : record<xsm::Submotions>(file, list).submotions)
        for (int turn = 0; turn < 50; ++turn)
            submotion.rotation_keys.push_back(
                {{0, 0, 0, turn % 2 == 0 ? -1.0f : 1.0f}, 2.0f + static_cast<float>(turn)});
    const Report report = xsm::check(file);
    ASSERT_THAT(summary(report), ElementsAre("key-sign-flip at chunk[1] submotions / submotion[0] / rotation_keys[2]"));
    EXPECT_THAT(report.diagnostics()[0].message, testing::HasSubstr("100 in all"));
}

}  // namespace
}  // namespace effigy::test
