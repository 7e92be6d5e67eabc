/// Motions byte by byte, in both byte orders.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "fixtures.hpp"

namespace effigy::test {

using testing::ElementsAre;

namespace {

using Content = std::function<void(Raw&)>;

Bytes motion(bool big, std::string_view magic, const Content& chunks) {
    Raw raw(big);
    raw.header(magic, 1);
    chunks(raw);
    return raw.bytes();
}

/// A file of one chunk.
template <class File, class Record>
Fixture one(std::string name, std::string_view magic, std::uint32_t id, std::uint32_t version, Content content,
            std::function<void(const Record&)> expect) {
    return {std::move(name),
            [=](bool big) { return motion(big, magic, [&](Raw& raw) { raw.chunk(id, version, content); }); },
            [=](const Document& document) {
                const auto& file = *document.get_if<File>();
                EXPECT_EQ(file.header.multiplication_order, 1);
                ASSERT_EQ(file.chunks.size(), 1u);
                EXPECT_EQ(file.chunks[0].id, id);
                EXPECT_EQ(file.chunks[0].version, version);
                EXPECT_TRUE(file.chunks[0].trailing.empty());
                const auto* record = std::get_if<Record>(&file.chunks[0].record);
                ASSERT_NE(record, nullptr);
                expect(*record);
            }};
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

// --- XSM 201, XPM 101 ---

void put_info(Raw& raw, unsigned version) {
    if (version >= 2) raw.f32s({1, 1e8f});
    raw.u32(24);
    if (version >= 3) raw.u32(7);
    raw.raw({3, 132, 0xa1, 0xa2}).text("Maya 8.5").text(korean_path).text("May  2 2011").text("");
}

void expect_info(const emfx::MotionInfo& info, unsigned version) {
    if (version >= 2) {
        EXPECT_EQ(info.importance_factor, 1);
        EXPECT_EQ(info.maximum_error, 1e8f);
    }
    EXPECT_EQ(info.frames_per_second, 24u);
    if (version >= 3) {
        EXPECT_EQ(info.motion_extraction_mask, 7u);
    }
    EXPECT_EQ(info.exporter_major, 3);
    EXPECT_EQ(info.exporter_minor, 132);
    EXPECT_THAT(info.padding, ElementsAre(0xa1, 0xa2));
    EXPECT_EQ(info.source_application, "Maya 8.5");
    EXPECT_EQ(info.original_file, korean_path);
    EXPECT_EQ(info.export_date, "May  2 2011");
    EXPECT_EQ(info.motion_name, "");
}

Fixture xsm_info(unsigned version) {
    return one<xsm::File, emfx::MotionInfo>(
        "xsm_201_info_v" + std::to_string(version), "XSM ", 201, version,
        [version](Raw& raw) { put_info(raw, version); },
        [version](const emfx::MotionInfo& info) { expect_info(info, version); });
}

// --- XSM 200, 202 ---

/// Record versions 1 and 2 have rotations of floats, 3 of 16 bits.
void put_rotation(Raw& raw, unsigned version, int base) {
    for (int part = 0; part < 4; ++part) {
        if (version == 3) {
            raw.u16(static_cast<std::uint16_t>(base - part));
        } else {
            raw.f32(static_cast<float>(base - part));
        }
    }
}

void put_submotion(Raw& raw, unsigned version, int base, std::string_view name) {
    const auto first = static_cast<float>(base);
    for (int rotation = 0; rotation < 4; ++rotation) put_rotation(raw, version, base + 1000 * rotation);
    raw.f32s({first, 1, 2}).f32s({first + 1, 4, 5}).f32s({first + 2, 7, 8}).f32(first + 3).u32(nan_bits).f32(11);
    raw.u32s({2, 1, 1, 2});
    if (version >= 2) raw.f32(first + 4);
    raw.text(name);
    raw.f32s({1, 2, 3, 0}).f32s({4, 5, 6, first});
    put_rotation(raw, version, -base);
    raw.f32(0.5f);
    raw.f32s({7, 8, 9, 0.25f});
    put_rotation(raw, version, 7);
    raw.f32(0);
    put_rotation(raw, version, 0x0102);
    raw.f32(1.5f);
}

Quat as_quat(Quat value) { return value; }
Quat as_quat(xsm::PackedQuat value) {
    return {static_cast<float>(value.x), static_cast<float>(value.y), static_cast<float>(value.z),
            static_cast<float>(value.w)};
}
Quat counting_down(int base) {
    const auto first = static_cast<float>(base);
    return {first, first - 1, first - 2, first - 3};
}

template <class Rotation>
void expect_submotion(const xsm::BasicSubmotion<Rotation>& submotion, unsigned version, int base,
                      std::string_view name) {
    const auto first = static_cast<float>(base);
    EXPECT_EQ(as_quat(submotion.pose_rotation), counting_down(base));
    EXPECT_EQ(as_quat(submotion.bind_pose_rotation), counting_down(base + 1000));
    EXPECT_EQ(as_quat(submotion.pose_scale_rotation), counting_down(base + 2000));
    EXPECT_EQ(as_quat(submotion.bind_pose_scale_rotation), counting_down(base + 3000));
    EXPECT_EQ(submotion.pose_position, (Vec3{first, 1, 2}));
    EXPECT_EQ(submotion.pose_scale, (Vec3{first + 1, 4, 5}));
    EXPECT_EQ(submotion.bind_pose_position, (Vec3{first + 2, 7, 8}));
    EXPECT_EQ(submotion.bind_pose_scale.x, first + 3);
    EXPECT_EQ(bits(submotion.bind_pose_scale.y), nan_bits);
    if (version >= 2) {
        EXPECT_EQ(submotion.maximum_error, first + 4);
    }
    EXPECT_EQ(submotion.node_name, name);
    ASSERT_EQ(submotion.position_keys.size(), 2u);
    EXPECT_EQ(submotion.position_keys[1].value, (Vec3{4, 5, 6}));
    EXPECT_EQ(submotion.position_keys[1].time, first);
    ASSERT_EQ(submotion.rotation_keys.size(), 1u);
    EXPECT_EQ(as_quat(submotion.rotation_keys[0].value), counting_down(-base));
    EXPECT_EQ(submotion.rotation_keys[0].time, 0.5f);
    ASSERT_EQ(submotion.scale_keys.size(), 1u);
    EXPECT_EQ(submotion.scale_keys[0].value, (Vec3{7, 8, 9}));
    EXPECT_EQ(submotion.scale_keys[0].time, 0.25f);
    ASSERT_EQ(submotion.scale_rotation_keys.size(), 2u);
    EXPECT_EQ(as_quat(submotion.scale_rotation_keys[1].value), counting_down(0x0102));
    EXPECT_EQ(submotion.scale_rotation_keys[1].time, 1.5f);
}

template <class Rotation>
Fixture xsm_submotion(unsigned version) {
    return one<xsm::File, xsm::BasicSubmotion<Rotation>>(
        "xsm_200_submotion_v" + std::to_string(version), "XSM ", 200, version,
        [version](Raw& raw) { put_submotion(raw, version, 100, umlaut_name); },
        [version](const xsm::BasicSubmotion<Rotation>& submotion) {
            expect_submotion(submotion, version, 100, umlaut_name);
        });
}

template <class Rotation>
Fixture xsm_submotions(unsigned version) {
    return one<xsm::File, xsm::BasicSubmotions<Rotation>>(
        "xsm_202_submotions_v" + std::to_string(version), "XSM ", 202, version,
        [version](Raw& raw) {
            raw.u32(2);
            put_submotion(raw, version + 1, 100, umlaut_name);
            put_submotion(raw, version + 1, 200, "");
        },
        [version](const xsm::BasicSubmotions<Rotation>& list) {
            ASSERT_EQ(list.submotions.size(), 2u);
            expect_submotion(list.submotions[0], version + 1, 100, umlaut_name);
            expect_submotion(list.submotions[1], version + 1, 200, "");
        });
}

// --- XSM 203 ---

void put_wavelet_submotion(Raw& raw, int base, std::string_view name) {
    const auto first = static_cast<float>(base);
    for (int rotation = 0; rotation < 4; ++rotation) put_rotation(raw, 3, base + 1000 * rotation);
    raw.f32s({first, 1, 2}).f32s({first + 1, 4, 5}).f32s({first + 2, 7, 8}).f32s({first + 3, 10, 11});
    raw.f32(first + 4).text(name);
}

Fixture xsm_wavelet() {
    return one<xsm::File, xsm::Wavelet>(
        "xsm_203_wavelet_v1", "XSM ", 203, 1,
        [](Raw& raw) {
            raw.u32s({2, 16, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 2});
            raw.f32s({0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f}).raw({1, 0, 0xa1, 0xa2});
            raw.u16s({0x0102, 2, 3, 4}).u16s({5, 6, 7, 8});
            put_wavelet_submotion(raw, 100, umlaut_name);
            put_wavelet_submotion(raw, 200, "b");
            raw.f32s({1, 2, 3, 4}).u32s({3, 2, 1, 17, 25, 5}).raw({1, 2, 3}).raw({4, 5}).raw({6});
            raw.f32s({5, 6, 7, 8}).u32s({0, 0, 2, 18, 26, 6}).raw({7, 8});
        },
        [](const xsm::Wavelet& wavelet) {
            EXPECT_EQ(wavelet.samples_per_chunk, 16u);
            EXPECT_EQ(wavelet.decompressed_rotation_bytes, 101u);
            EXPECT_EQ(wavelet.decompressed_position_bytes, 102u);
            EXPECT_EQ(wavelet.decompressed_scale_bytes, 103u);
            EXPECT_EQ(wavelet.rotation_track_count, 104u);
            EXPECT_EQ(wavelet.scale_rotation_track_count, 105u);
            EXPECT_EQ(wavelet.scale_track_count, 106u);
            EXPECT_EQ(wavelet.position_track_count, 107u);
            EXPECT_EQ(wavelet.chunk_overhead, 108u);
            EXPECT_EQ(wavelet.compressed_size, 109u);
            EXPECT_EQ(wavelet.optimized_size, 110u);
            EXPECT_EQ(wavelet.uncompressed_size, 111u);
            EXPECT_EQ(wavelet.scale_rotation_offset, 112u);
            EXPECT_EQ(wavelet.position_quantization, 0.5f);
            EXPECT_EQ(wavelet.rotation_quantization, 1.5f);
            EXPECT_EQ(wavelet.scale_quantization, 2.5f);
            EXPECT_EQ(wavelet.sample_spacing, 3.5f);
            EXPECT_EQ(wavelet.seconds_per_chunk, 4.5f);
            EXPECT_EQ(wavelet.maximum_time, 5.5f);
            EXPECT_EQ(wavelet.wavelet, 1);
            EXPECT_EQ(wavelet.compressor, 0);
            EXPECT_THAT(wavelet.padding, ElementsAre(0xa1, 0xa2));
            ASSERT_EQ(wavelet.mappings.size(), 2u);
            EXPECT_EQ(wavelet.mappings[0].position_track, 0x0102);
            EXPECT_EQ(wavelet.mappings[1].rotation_track, 6);
            EXPECT_EQ(wavelet.mappings[1].scale_rotation_track, 7);
            EXPECT_EQ(wavelet.mappings[1].scale_track, 8);
            ASSERT_EQ(wavelet.submotions.size(), 2u);
            EXPECT_EQ(as_quat(wavelet.submotions[0].bind_pose_rotation), counting_down(1100));
            EXPECT_EQ(wavelet.submotions[1].bind_pose_position, (Vec3{202, 7, 8}));
            EXPECT_EQ(wavelet.submotions[1].maximum_error, 204);
            EXPECT_EQ(wavelet.submotions[0].node_name, umlaut_name);
            ASSERT_EQ(wavelet.chunks.size(), 2u);
            const xsm::WaveletChunk& chunk = wavelet.chunks[0];
            EXPECT_EQ(chunk.rotation_scale, 1);
            EXPECT_EQ(chunk.position_scale, 2);
            EXPECT_EQ(chunk.scale_scale, 3);
            EXPECT_EQ(chunk.start_time, 4);
            EXPECT_EQ(chunk.position_bits, 17u);
            EXPECT_EQ(chunk.rotation_bits, 25u);
            EXPECT_EQ(chunk.scale_bits, 5u);
            EXPECT_EQ(chunk.rotations, Raw(false).raw({1, 2, 3}).bytes());
            EXPECT_EQ(chunk.positions, Raw(false).raw({4, 5}).bytes());
            EXPECT_EQ(chunk.scales, Raw(false).raw({6}).bytes());
            EXPECT_EQ(wavelet.chunks[1].scales, Raw(false).raw({7, 8}).bytes());
        });
}

/// Codes from their first bit on, filled from the lowest bit of each byte up.
Bytes bits(std::string_view codes) {
    Bytes bytes;
    unsigned count = 0;
    for (const char bit : codes) {
        if (bit == ' ') continue;
        if (count % 8 == 0) bytes.push_back(std::byte{});
        bytes.back() |= static_cast<std::byte>((bit - '0') << count++ % 8);
    }
    return bytes;
}

/// Two chunks of two samples: a rotation (w alone) and a place along y, in the codes of the engine's table. Both are
/// 0x7f7f, so that the blocks are the same in either byte order.
Fixture xsm_wavelet_to_decode() {
    return one<xsm::File, xsm::Wavelet>(
        "xsm_203_wavelet_to_decode", "XSM ", 203, 1,
        [](Raw& raw) {
            const std::string zeros = "100", end = "11000110100", samples = "10100011101000111010001110100011";
            const Bytes rotations = bits(zeros + zeros + zeros + samples + end);
            const Bytes positions = bits(zeros + samples + zeros + end);
            raw.u32s({2, 2, 16, 12, 0, 1, 0, 0, 1, 80, 120, 500, 900, 8, 2});
            raw.f32s({1, 1, 1, 1, 1, 1.5f}).raw({0, 0, 0, 0});
            raw.u16s({0, 0, 0xffff, 0xffff}).u16s({0xffff, 0xffff, 0xffff, 0xffff});
            put_wavelet_submotion(raw, 100, umlaut_name);
            put_wavelet_submotion(raw, 200, "b");
            for (const float start : {0.0f, 1.0f}) {
                raw.f32s({1, 2, 1, start}).u32s({7, 7, 0, 0, 0, 0}).raw(rotations).raw(positions);
            }
        },
        [](const xsm::Wavelet& wavelet) {
            EXPECT_EQ(wavelet.chunks.size(), 2u);
            EXPECT_EQ(wavelet.chunks[1].rotations.size(), 7u);
            EXPECT_EQ(wavelet.chunks[1].positions.size(), 7u);
        });
}

Fixture xsm_events() {
    return one<xsm::File, emfx::MotionEvents>(
        "xsm_50_events_v2", "XSM ", 50, 2,
        [](Raw& raw) {
            raw.u32s({1, 1, 1}).text("Sound").text("a.wav").f32s({1, 2}).u32s({3, 4});
        },
        [](const emfx::MotionEvents& events) {
            ASSERT_EQ(events.tracks.size(), 1u);
            ASSERT_EQ(events.tracks[0].events.size(), 1u);
            EXPECT_EQ(events.tracks[0].events[0].end_time, 2);
            EXPECT_EQ(events.tracks[0].events[0].type, 3u);
            EXPECT_EQ(events.tracks[0].events[0].parameter, 4u);
        });
}

// --- XPM ---

void put_weights(Raw& raw, float base, std::string_view name) {
    raw.f32s({base, base + 1, base + 2}).u32s({0x801, 2}).text(name);
    raw.f32(0).u16(0x0102).raw({0xa1, 0xa2}).f32(base).u16(65535).raw({0xb1, 0xb2});
}

void expect_weights(const xpm::Submotion& submotion, float base, std::string_view name) {
    EXPECT_EQ(submotion.pose_weight, base);
    EXPECT_EQ(submotion.min_weight, base + 1);
    EXPECT_EQ(submotion.max_weight, base + 2);
    EXPECT_EQ(submotion.phoneme_set, 0x801u);
    EXPECT_EQ(submotion.name, name);
    ASSERT_EQ(submotion.keys.size(), 2u);
    EXPECT_EQ(submotion.keys[0].value, 0x0102);
    EXPECT_THAT(submotion.keys[0].padding, ElementsAre(0xa1, 0xa2));
    EXPECT_EQ(submotion.keys[1].time, base);
    EXPECT_EQ(submotion.keys[1].value, 65535);
    EXPECT_THAT(submotion.keys[1].padding, ElementsAre(0xb1, 0xb2));
}

Fixture xpm_submotion() {
    return one<xpm::File, xpm::Submotion>(
        "xpm_100_submotion_v1", "XPM ", 100, 1, [](Raw& raw) { put_weights(raw, 0.5f, umlaut_name); },
        [](const xpm::Submotion& submotion) { expect_weights(submotion, 0.5f, umlaut_name); });
}

Fixture xpm_submotions() {
    return one<xpm::File, xpm::Submotions>(
        "xpm_102_submotions_v1", "XPM ", 102, 1,
        [](Raw& raw) {
            raw.u32(2);
            put_weights(raw, 0.5f, umlaut_name);
            put_weights(raw, 7, "");
        },
        [](const xpm::Submotions& list) {
            ASSERT_EQ(list.submotions.size(), 2u);
            expect_weights(list.submotions[0], 0.5f, umlaut_name);
            expect_weights(list.submotions[1], 7, "");
        });
}

Fixture xpm_empty_list() {
    return one<xpm::File, xpm::Submotions>(
        "xpm_102_submotions_empty", "XPM ", 102, 1, [](Raw& raw) { raw.u32(0); },
        [](const xpm::Submotions& list) { EXPECT_TRUE(list.submotions.empty()); });
}

Fixture xpm_info() {
    return one<xpm::File, emfx::MotionInfo>(
        "xpm_101_info_v1", "XPM ", 101, 1, [](Raw& raw) { put_info(raw, 1); },
        [](const emfx::MotionInfo& info) { expect_info(info, 1); });
}

Fixture whole_xsm() {
    return {"xsm_whole", whole_motion,
            [](const Document& document) { EXPECT_EQ(xsm::duration(*document.get_if<xsm::File>()), 1); }};
}
Fixture whole_xpm() {
    return {"xpm_whole", whole_weights,
            [](const Document& document) { EXPECT_EQ(xpm::duration(*document.get_if<xpm::File>()), 1); }};
}

void put_packed_submotion(Raw& raw, std::string_view name) {
    for (int rotation = 0; rotation < 4; ++rotation) raw.u16s({0, 0, 0, 32767});
    raw.f32s({0, 1, 0}).f32s({1, 1, 1}).f32s({0, 1, 0}).f32s({1, 1, 1}).u32s({2, 2, 0, 0}).f32(0).text(name);
    raw.f32s({0, 1, 0, 0}).f32s({0, 2, 0, 1});
    raw.u16s({0, 0, 0, 32767}).f32(0).u16s({0, 0x8001, 0, 0}).f32(1);
}

}  // namespace

/// As the exporters write it: the list declares more than there is.
Bytes whole_motion(bool big) {
    return motion(big, "XSM ", [](Raw& raw) {
        raw.chunk(201, 2, [](Raw& content) { put_info(content, 2); });
        raw.lying_chunk(202, 100'000, 2, [](Raw& content) {
            content.u32(2);
            put_packed_submotion(content, "body");
            put_packed_submotion(content, umlaut_name);
        });
    });
}

Bytes motion_of_2007(bool big) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    return motion(big, "XSM ", [](Raw& raw) {
        raw.chunk(201, 1, [](Raw& content) { put_info(content, 1); });
        const auto put = [&](std::string_view name, float first, float scale) {
            raw.chunk(200, 1, [&](Raw& content) {
                for (int i = 0; i < 4; ++i) content.f32s({0, 0, 0, 1});
                content.f32s({0, 1, 0}).f32s({1, 1, 1}).f32s({0, 1, 0}).f32s({1, 1, 1}).u32s({2, 3, 2, 2}).text(name);
                content.f32s({0, 1, 0, 0}).f32s({0, 2, 0, 1});
                content.f32s({0, 0, 0, 1, first}).f32s({0, 1, 0, 0, first + 0.25f}).f32s({0, 0, 1, 0, first + 1});
                content.f32s({1, 1, 1, 0}).f32s({1, scale, 1, 1});
                content.f32s({0, 0, 0, 1, first}).f32s({0.6f, 0, 0.8f, 0, first + 1});
            });
        };
        put("root", 0, 1);
        put("body", 16.75f, 2);
        put(umlaut_name, 1.0416666f, infinity);
        put("nobody", 16.75f, 1);
    });
}

Bytes still_motion(bool big) {
    return motion(big, "XSM ", [](Raw& raw) {
        raw.chunk(201, 2, [](Raw& content) { put_info(content, 2); });
        raw.chunk(202, 1, [](Raw& content) {
            content.u32(1);
            for (int i = 0; i < 4; ++i) content.f32s({0, 0, 0, 1});
            content.f32s({0, 1, 0}).f32s({1, 1, 1}).f32s({0, 1, 0}).f32s({1, 1, 1}).u32s({0, 0, 0, 0}).f32(0);
            content.text("body");
        });
    });
}

Bytes whole_weights(bool big) {
    return motion(big, "XPM ", [](Raw& raw) {
        raw.chunk(101, 1, [](Raw& content) { put_info(content, 1); });
        raw.chunk(102, 1, [](Raw& content) {
            content.u32(1).f32s({0, 0, 1}).u32s({1, 2}).text("smile");
            content.f32(0).u16(0).raw({1, 2}).f32(1).u16(65535).raw({3, 4});
        });
    });
}

const std::vector<Fixture>& xsm_fixtures() {
    static const std::vector<Fixture> fixtures{
        xsm_submotion<Quat>(1),
        xsm_submotion<Quat>(2),
        xsm_submotion<xsm::PackedQuat>(3),
        xsm_info(1),
        xsm_info(2),
        xsm_info(3),
        xsm_submotions<Quat>(1),
        xsm_submotions<xsm::PackedQuat>(2),
        xsm_wavelet(),
        xsm_wavelet_to_decode(),
        xsm_events(),
        whole_xsm(),
        {"xsm_of_2007", motion_of_2007,
         [](const Document& document) {
             EXPECT_EQ(xsm::duration(*document.get_if<xsm::File>()), 1) << "the tracks begin at 0, 1.04 and 16.75 s";
         }},
        {"xsm_still", still_motion,
         [](const Document& document) { EXPECT_EQ(xsm::duration(*document.get_if<xsm::File>()), 0); }},
    };
    return fixtures;
}

const std::vector<Fixture>& xpm_fixtures() {
    static const std::vector<Fixture> fixtures{xpm_submotion(), xpm_info(), xpm_submotions(), xpm_empty_list(),
                                               whole_xpm()};
    return fixtures;
}

const std::vector<Fixture>& all_fixtures() {
    static const std::vector<Fixture> all = [] {
        std::vector<Fixture> fixtures = xac_fixtures();
        fixtures.insert(fixtures.end(), xsm_fixtures().begin(), xsm_fixtures().end());
        fixtures.insert(fixtures.end(), xpm_fixtures().begin(), xpm_fixtures().end());
        return fixtures;
    }();
    return all;
}

}  // namespace effigy::test
