/// Motions compressed: the exporter's own bytes, the error at each quality, and files from keys to wavelets and back.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

#include "emfx/file/wavelets.hpp"
#include "vectors.hpp"

namespace wavelets {
namespace {

TEST(WaveletEncoding, GivesTheExportersBytes) {
    std::size_t streams = 0;
    for (const char* const name :
         {"haar-samples2-le", "haar-samples4-le", "d4-samples4-le", "cdf97-samples4-le", "cdf97-constant-be"}) {
        const xsm::File file = read_vector(name);
        const xsm::Wavelet& wavelet = wavelet_of(file);
        xsm::WaveletOptions options;
        options.as_exporter = true;
        options.transform = static_cast<xsm::Transform>(wavelet.wavelet);
        options.samples_per_chunk = wavelet.samples_per_chunk;
        const auto made = xsm::encode(source_of(name, wavelet), file.header.big_endian(), options);
        ASSERT_TRUE(made) << name;
        ASSERT_EQ(made->wavelet.chunks.size(), wavelet.chunks.size()) << name;
        EXPECT_EQ(made->wavelet.maximum_time, wavelet.maximum_time);
        EXPECT_EQ(made->wavelet.decompressed_rotation_bytes, wavelet.decompressed_rotation_bytes);
        for (std::size_t i = 0; i < wavelet.chunks.size(); ++i) {
            for (const xsm::WaveletBlock block : xsm::wavelet_blocks) {
                const Bytes& ours = xsm::block_of(made->wavelet.chunks[i], block);
                const Bytes& theirs = xsm::block_of(wavelet.chunks[i], block);
                // Theirs may have up to two bytes behind the end mark.
                ASSERT_LE(ours.size(), theirs.size()) << name;
                ASSERT_LE(theirs.size(), ours.size() + 2) << name;
                EXPECT_TRUE(std::equal(ours.begin(), ours.end(), theirs.begin())) << name << " chunk " << i;
                EXPECT_EQ(xsm::scale_of(made->wavelet.chunks[i], block), xsm::scale_of(wavelet.chunks[i], block));
                streams += ours.empty() ? 0 : 1;
            }
        }
    }
    EXPECT_EQ(streams, 46u);
}

/// The table of docs/conversion/emfx.md, "Wavelet motions": what the quantisation alone does, so the motion's keys are
/// at the times of samples. Run with --gtest_filter=*Quality* to see it.
TEST(WaveletEncoding, ErrorAtEachQualityIsAsThePageSays) {
    const double rate = 12, spacing = 8 / rate / 7;
    xsm::Submotions motion = walk(20, 20);
    for (xsm::Submotion& submotion : motion.submotions) {
        const auto respace = [&](auto& keys) {
            for (std::size_t i = 0; i < keys.size(); ++i)
                keys[i].time = static_cast<float>(static_cast<double>(i) * spacing);
        };
        respace(submotion.position_keys);
        respace(submotion.rotation_keys);
        respace(submotion.scale_keys);
    }
    std::printf("| transform | quality | bytes a key | position | rotation | scale |\n");
    for (const xsm::Transform transform : {xsm::Transform::haar, xsm::Transform::d4, xsm::Transform::cdf97}) {
        double last = 0;
        for (const double quality : {100.0, 90.0, 75.0, 50.0, 25.0, 1.0}) {
            xsm::WaveletOptions options;
            options.transform = transform;
            options.quality = quality;
            const auto made = xsm::encode(motion, false, options);
            ASSERT_TRUE(made);
            std::size_t bytes = 0;
            for (const xsm::WaveletChunk& chunk : made->wavelet.chunks)
                bytes += 40 + chunk.rotations.size() + chunk.positions.size() + chunk.scales.size();
            const auto keys = static_cast<double>(22 * motion.submotions[0].rotation_keys.size());
            const double degrees = made->error.rotation * 180 / std::numbers::pi;
            std::printf("| %s | %g | %.2f | %.2g | %.2g° | %.1g |\n",
                        std::string(xsm::transform_names[static_cast<std::size_t>(transform)]).c_str(), quality,
                        static_cast<double>(bytes) / keys, made->error.position, degrees, made->error.scale);
            const double step = (1 + (100 - quality) * 0.4) / 32767;
            // No sample is off by more than two steps of the largest coefficient, in each of up to four components.
            EXPECT_LT(made->error.position, 2 * 15 * step + 1e-5) << quality;
            EXPECT_LT(made->error.rotation, 2 * 2 * 2 * 2 * step + 1e-3) << quality;
            EXPECT_GE(degrees, 0.5 * last) << "coarser, and not worse";
            last = degrees;
        }
    }
}

TEST(WaveletEncoding, AHigherRateFollowsCloser) {
    const xsm::Submotions motion = walk(5, 4);
    double last = 1e9;
    for (const double rate : {6.0, 12.0, 24.0, 48.0}) {
        xsm::WaveletOptions options;
        options.samples_per_second = rate;
        const auto made = xsm::encode(motion, true, options);
        ASSERT_TRUE(made);
        EXPECT_LT(made->error.rotation, last);
        last = made->error.rotation;
    }
    EXPECT_LT(last, 0.002);
}

TEST(WaveletEncoding, OptionsOutOfRangeAreRefused) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    xsm::WaveletOptions options;
    options.quality = nan;
    const auto without_quality = xsm::encode(walk(2, 1), true, options);
    ASSERT_FALSE(without_quality);
    EXPECT_EQ(without_quality.error().code, "usage-option");
    for (const double rate : {-12.0, 0.0, nan}) {
        options = {};
        options.samples_per_second = rate;
        const auto without_rate = xsm::encode(walk(2, 1), true, options);
        ASSERT_FALSE(without_rate) << rate;
        EXPECT_EQ(without_rate.error().path, "options / samples_per_second");
    }
}

xsm::File file_of(const xsm::Submotions& motion, bool big_endian) {
    xsm::File file;
    file.header.endian = big_endian ? 1 : 0;
    file.chunks.push_back({201, 2, std::nullopt, emfx::MotionInfo{}, {}});
    file.chunks.push_back({202, 1, std::nullopt, motion, {}});
    return file;
}

TEST(WaveletFiles, GoThereAndBack) {
    for (const bool big : {false, true}) {
        xsm::WaveletOptions options;
        options.transform = xsm::Transform::d4;
        options.samples_per_second = 40;
        const auto packed = xsm::with_wavelets(file_of(walk(3, 3), big), options);
        ASSERT_TRUE(packed);
        EXPECT_EQ(packed->report.count("motion-sampled"), 1u);
        EXPECT_TRUE(xsm::has_wavelets(packed->value));
        EXPECT_EQ(xsm::check(packed->value).count("wavelet-times"), 0u);
        EXPECT_FALSE(xsm::check(packed->value).has_errors());
        const auto bytes = xsm::write(packed->value);
        ASSERT_TRUE(bytes);
        const auto again = xsm::read(*bytes);
        ASSERT_TRUE(again);
        EXPECT_TRUE(again->report.diagnostics().empty());
        EXPECT_FLOAT_EQ(xsm::duration(again->value), 3);
        const auto keys = xsm::with_keys(again->value);
        ASSERT_TRUE(keys);
        EXPECT_FALSE(xsm::has_wavelets(keys->value));
        EXPECT_FLOAT_EQ(xsm::duration(keys->value), 3);
        const auto& submotions = std::get<xsm::Submotions>(keys->value.chunks.at(1).record).submotions;
        ASSERT_EQ(submotions.size(), 3u);
        EXPECT_EQ(submotions[1].node_name, "joint1");
        EXPECT_FALSE(submotions[0].position_keys.empty());
        EXPECT_TRUE(submotions[1].position_keys.empty());
    }
}

TEST(WaveletFiles, WithoutLengthHaveAPoseOnly) {
    xsm::Submotions motion = walk(2, 0);
    motion.submotions[0].position_keys[0].value = {7, 8, 9};
    const auto made = xsm::encode(motion, false);
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->wavelet.chunks.empty());
    EXPECT_EQ(made->wavelet.submotions[0].pose_position, (Vec3{7, 8, 9}));
    EXPECT_TRUE(xsm::problems_of(made->wavelet).empty());
}

/// Keys are all that says how long an ordinary motion is.
TEST(WaveletFiles, WithoutTracksKeepTheirLength) {
    const auto made = xsm::encode(walk(2, 0), false);
    ASSERT_TRUE(made);
    xsm::File file = file_of({}, false);
    file.chunks.at(1) = {203, 1, std::nullopt, made->wavelet, {}};
    std::get<xsm::Wavelet>(file.chunks[1].record).maximum_time = 2.5f;
    const auto keys = xsm::with_keys(file);
    ASSERT_TRUE(keys);
    EXPECT_FALSE(xsm::has_wavelets(keys->value));
    EXPECT_EQ(xsm::duration(keys->value), 2.5f);
    const auto& submotions = std::get<xsm::Submotions>(keys->value.chunks.at(1).record).submotions;
    ASSERT_EQ(submotions.size(), 2u);
    ASSERT_EQ(submotions[0].position_keys.size(), 2u);
    EXPECT_EQ(submotions[0].position_keys[0].value, submotions[0].pose_position);
    EXPECT_EQ(submotions[0].position_keys[1].value, submotions[0].pose_position);
    EXPECT_TRUE(submotions[1].position_keys.empty());
    const auto packed = xsm::with_wavelets(file, {});
    ASSERT_TRUE(packed);
    EXPECT_EQ(xsm::duration(packed->value), 2.5f);
}

TEST(WaveletFiles, BearWhatKeysShouldNotBe) {
    const float nan = std::nanf("");
    xsm::Submotions motion = walk(2, 2);
    auto& keys = motion.submotions[0].rotation_keys;
    std::swap(keys[3], keys[30]);
    keys[5].time = nan;
    keys[6].value.x = nan;
    keys[7].value = {0, 0, 0, 0};
    keys[8].time = keys[9].time;
    motion.submotions[1].pose_rotation = {nan, 5, 0, 0};
    for (auto& key : motion.submotions[1].rotation_keys) key.time += 1e6f;
    const auto made = xsm::encode(motion, false);
    ASSERT_TRUE(made);
    EXPECT_TRUE(xsm::problems_of(made->wavelet).empty());
    EXPECT_TRUE(xsm::decode(made->wavelet, false));
    motion.submotions[1].rotation_keys.back().time = 1e30f;
    const auto endless = xsm::encode(motion, false);
    ASSERT_FALSE(endless);
    EXPECT_EQ(endless.error().code, "limit-memory");
}

}  // namespace
}  // namespace wavelets
