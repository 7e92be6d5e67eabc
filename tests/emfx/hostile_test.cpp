// Damaged files: a result or a diagnostic, never a crash, and never a byte lost of what was read.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "effigy/gltf.hpp"
#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "emfx/allocations.hpp"
#include "emfx/fixtures.hpp"
#include "emfx/support.hpp"

namespace effigy::test {
namespace {

using testing::HasSubstr;

SceneSource source(Document document, const char* name = "") { return {std::move(document), name, 0, {}}; }

template <class... Source>
std::vector<SceneSource> list(Source... sources) {
    std::vector<SceneSource> all;
    (all.push_back(std::move(sources)), ...);
    return all;
}

Document sound(const Bytes& bytes) { return std::move(open_bytes(bytes, "sound")->value); }

/// Without this the damaged files would prove little.
TEST(Sound, FiguresConvert) {
    for (const bool big : {false, true}) {
        ConversionContext settings;
        const auto scene = to_scene(list(source(sound(whole_actor(big))), source(sound(whole_motion(!big)), "walk.xsm"),
                                         source(sound(whole_weights(big)), "smile.xpm")),
                                    settings);
        ASSERT_TRUE(scene) << to_string(scene.error());
        EXPECT_FALSE(scene->report.has_errors()) << findings(scene->report);
        EXPECT_EQ(scene->value.meshes.size(), 2u);
        EXPECT_EQ(scene->value.clips.size(), 2u);
        ASSERT_TRUE(gltf::write_glb(scene->value));
    }
}

// --- limits ---

/// Reading needs at most what the limit says, whatever the file announces; `slack` is for the report and for
/// buffers of fixed size.
void expect_within(const Bytes& bytes, std::uint64_t limit) {
    constexpr std::uint64_t slack = 96 * 1024;
    ReadOptions options;
    options.limits.memory = limit;
    const PeakMemory peak;
    const auto loaded = open_bytes(bytes, "greedy", options);
    EXPECT_LE(peak.bytes(), limit + slack);
    if (!loaded) {
        EXPECT_EQ(loaded.error().code, "limit-memory");
    }
}

TEST(Limits, HoldForEveryWrongByte) {
    for (const Fixture& fixture : all_fixtures()) {
        SCOPED_TRACE(fixture.name);
        const Bytes bytes = fixture.bytes(false);
        for (std::size_t place = 0; place < bytes.size(); ++place) {
            Bytes wrong = bytes;
            wrong[place] = std::byte{0x7f};
            const auto loaded = open_bytes(wrong, "greedy");
            if (loaded) expect_within(wrong, 16 * 1024);
        }
    }
}

TEST(Limits, ManySmallThingsCountAsWell) {
    Raw chunks(false);
    chunks.header("XAC ");
    for (int chunk = 0; chunk < 4000; ++chunk) chunks.u32s({99, 0, 1});
    const Raw nodes = Raw(false).header("XAC ").chunk(11, 1, [](Raw& raw) {
        raw.u32s({1000, 1});
        for (int node = 0; node < 1000; ++node) put_node(raw, 4, 1, xac::no_node, "");
    });
    const Raw layers = Raw(false).header("XAC ").chunk(1, 1, [](Raw& raw) {
        raw.u32s({0, 0, 0, 0, 0, 4000}).raw({0, 0, 0, 0});
        for (int layer = 0; layer < 4000; ++layer) raw.u32s({0, 0, 0});
    });
    const Raw skin =
        Raw(false).header("XAC ").chunk(1, 1, [](Raw& raw) { put_bare_mesh(raw, 0, 9000); }).chunk(2, 1, [](Raw& raw) {
            raw.u32(0).raw({0, 0, 0, 0});
            for (int vertex = 0; vertex < 9000; ++vertex) raw.u8(0);
        });
    for (const Raw* raw : std::initializer_list<const Raw*>{&chunks, &nodes, &layers, &skin}) {
        for (const std::uint64_t limit : {10'000u, 100'000u, 300'000u, 3'000'000u}) {
            SCOPED_TRACE(limit);
            expect_within(raw->bytes(), limit);
        }
        ReadOptions options;
        options.limits.memory = 10'000;
        EXPECT_EQ(open_bytes(raw->bytes(), "limited", options).error().code, "limit-memory");
        EXPECT_TRUE(open_bytes(raw->bytes(), "unlimited"));
    }
}

TEST(Limits, AnnouncedElementsAreComparedWithTheBytesLeft) {
    // Four thousand million nodes in a file of 40 bytes.
    const Bytes bytes = Raw(false).header("XAC ").chunk(11, 1, [](Raw& raw) { raw.u32s({0xffffffff, 1, 0}); }).bytes();
    const PeakMemory peak;
    const auto loaded = open_bytes(bytes, "greedy");
    ASSERT_TRUE(loaded);
    EXPECT_THAT(codes(loaded->report), testing::AnyOf("truncated", "chunk-damaged"));
    EXPECT_LT(peak.bytes(), 64u * 1024);
}

TEST(Limits, Count) {
    Raw raw(false);
    raw.header("XAC ").chunk(11, 1, [](Raw& nodes) {
        nodes.u32s({3, 3});
        for (int node = 0; node < 3; ++node) put_node(nodes, 4, 1, xac::no_node, "n");
    });
    ReadOptions options;
    options.limits.count = 2;
    const auto refused = xac::read(raw.bytes(), options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "limit-count");
    EXPECT_EQ(refused.error().found, "3");
    options.limits.count = 3;
    EXPECT_TRUE(xac::read(raw.bytes(), options));

    Raw chunks(false);
    chunks.header("XAC ");
    for (int chunk = 0; chunk < 4; ++chunk) chunks.u32s({99, 0, 1});
    EXPECT_EQ(xac::read(chunks.bytes(), options).error().code, "limit-count");
    options.limits.count = 4;
    EXPECT_TRUE(xac::read(chunks.bytes(), options));
}

TEST(Limits, String) {
    const Bytes bytes = Raw(true)
                            .header("XPM ")
                            .chunk(100, 1,
                                   [](Raw& raw) {
                                       raw.f32s({0, 0, 1}).u32s({0, 0}).text("twelve bytes");
                                   })
                            .bytes();
    ReadOptions options;
    options.limits.string = 11;
    const auto refused = xpm::read(bytes, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "limit-string");
    EXPECT_EQ(refused.error().offset, 8u + 12 + 20);
    EXPECT_THAT(refused.error().path, HasSubstr("chunk[0] submotion / name"));
    options.limits.string = 12;
    EXPECT_TRUE(xpm::read(bytes, options));
}

Bytes nested(int levels) {
    Bytes bytes = Raw(false).header("XAC ").bytes();
    for (int level = 0; level < levels; ++level) {
        bytes = Raw(false)
                    .header("XAC ")
                    .chunk(8, 1,
                           [&](Raw& raw) {
                               raw.u32s({0, static_cast<std::uint32_t>(bytes.size())}).raw(bytes);
                           })
                    .bytes();
    }
    return bytes;
}

TEST(Limits, Depth) {
    EXPECT_TRUE(xac::read(nested(8)));
    const auto refused = xac::read(nested(9));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "limit-depth");
    ReadOptions options;
    options.limits.depth = 0;
    EXPECT_TRUE(xac::read(nested(0), options));
    EXPECT_EQ(xac::read(nested(1), options).error().code, "limit-depth");
}

/// Work must not grow with the square of the number of meshes: this ends soon or, if it does, never.
TEST(Limits, ManyMeshesAndSkinnings) {
    Raw raw(false);
    raw.header("XAC ");
    constexpr std::uint32_t count = 30'000;
    for (std::uint32_t mesh = 0; mesh < count; ++mesh) {
        raw.chunk(1, 1, [&](Raw& content) { put_bare_mesh(content, mesh, 0); });
        raw.chunk(2, 2, [&](Raw& content) { content.u32s({mesh % 7, 0}).raw({0, 0, 0, 0}); });
    }
    const auto loaded = xac::read(raw.bytes());
    ASSERT_TRUE(loaded);
    EXPECT_EQ(findings(loaded->report), "");
    EXPECT_EQ(xac::write(loaded->value).value(), raw.bytes());
}

}  // namespace
}  // namespace effigy::test
