// Damaged files: a result or a diagnostic, never a crash, and never a byte lost of what was read.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "effigy/gltf.hpp"
#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "allocations.hpp"
#include "fixtures.hpp"
#include "support.hpp"

namespace effigy::test {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t most_memory = std::uint64_t{1} << 20;

SceneSource source(const Document& document, const char* name = "") { return {document, name, 0, {}}; }

Document sound(const Bytes& bytes) { return open_bytes(bytes, "sound")->value; }

/// The figure's nodes: motions of joints play as well on it as on the whole, in less time.
Bytes skeleton() {
    xac::File file = std::move(xac::read(whole_actor(false))->value);
    std::erase_if(file.chunks, [](const auto& chunk) {
        return std::holds_alternative<xac::Mesh>(chunk.record) || std::holds_alternative<xac::Skinning>(chunk.record) ||
               std::holds_alternative<xac::MaterialInfo>(chunk.record) ||
               std::holds_alternative<xac::StandardMaterial>(chunk.record) ||
               std::holds_alternative<xac::MorphTargets>(chunk.record);
    });
    return xac::write(file).value();
}

/// Everything that can be done with a file.
void use(const Document& document) {
    (void)document.check();
    std::vector<SceneSource> sources;
    if (document.format().role == Role::motion) {
        static const Bytes whole = whole_actor(false), bare = skeleton();
        const Document actor = sound(document.format().id == "xsm" ? bare : whole);
        (void)document.check({.model = &actor});
        sources.push_back(source(actor));
    }
    // Scenes take their bulk data out of the files, so this comes last.
    sources.push_back(source(document));
    SceneSettings settings;
    settings.limits.memory = std::uint64_t{64} << 20;
    const auto scene = to_scene(std::move(sources), settings);
    if (scene) (void)gltf::write_glb(scene->value);
}

enum class Depth { read, also_dump };

/// Whether the bytes could be read.
bool expect_harmless(const Bytes& bytes, Depth depth) {
    ReadOptions options;
    options.limits.memory = most_memory;
    const auto loaded = open_bytes(bytes, "hostile", options);
    if (!loaded) {
        EXPECT_NE(loaded.error().code, "");
        return false;
    }
    for (const Diagnostic& diagnostic : loaded->report.diagnostics()) {
        EXPECT_NE(diagnostic.code, "");
        EXPECT_NE(diagnostic.message, "");
        if (diagnostic.offset != no_offset) {
            EXPECT_LE(diagnostic.offset, bytes.size());
        }
    }
    const auto written = loaded->value.write();
    EXPECT_TRUE(written) << to_string(written.error());
    EXPECT_EQ(*written, bytes);
    EXPECT_TRUE(loaded->value.write({.normalize = true}));
    if (depth == Depth::also_dump) {
        const auto built = build(loaded->value.dump().value());
        EXPECT_TRUE(built) << to_string(built.error());
        if (built) {
            EXPECT_EQ(built->write().value(), bytes);
        }
    }
    use(loaded->value);
    return true;
}

/// Without this the damaged files would prove little.
TEST(Sound, FiguresConvert) {
    for (const bool big : {false, true}) {
        SceneSettings settings;
        const auto scene = to_scene({source(sound(whole_actor(big))), source(sound(whole_motion(!big)), "walk.xsm"),
                                     source(sound(whole_weights(big)), "smile.xpm")},
                                    settings);
        ASSERT_TRUE(scene) << to_string(scene.error());
        EXPECT_FALSE(scene->report.has_errors()) << findings(scene->report);
        EXPECT_EQ(scene->value.meshes.size(), 2u);
        EXPECT_EQ(scene->value.clips.size(), 2u);
        ASSERT_TRUE(gltf::write_glb(scene->value));
    }
}

class Hostile : public testing::TestWithParam<Fixture> {};
INSTANTIATE_TEST_SUITE_P(Files, Hostile, testing::ValuesIn(all_fixtures()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(Hostile, TruncatedAtEveryByte) {
    for (const bool big : {false, true}) {
        const Bytes whole = GetParam().bytes(big);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            SCOPED_TRACE("cut to " + std::to_string(size) + " bytes" + (big ? ", big-endian" : ""));
            // A file with its header can always be read, whatever is missing behind it.
            EXPECT_EQ(expect_harmless(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)),
                                      Depth::also_dump),
                      size >= 8);
            if (HasFailure()) return;
        }
    }
}

TEST_P(Hostile, EveryByteCorrupted) {
    for (const bool big : {false, true}) {
        const Bytes whole = GetParam().bytes(big);
        for (std::size_t place = 0; place < whole.size(); ++place) {
            const std::byte old = whole[place];
            for (const std::byte wrong : {std::byte{0}, std::byte{0xff}, old ^ std::byte{1}, old ^ std::byte{0x80}}) {
                if (wrong == old) continue;
                SCOPED_TRACE("byte " + std::to_string(place) + " is " + std::to_string(std::to_integer<int>(wrong)) +
                             (big ? ", big-endian" : ""));
                Bytes bytes = whole;
                bytes[place] = wrong;
                expect_harmless(bytes, Depth::read);
                if (HasFailure()) return;
            }
        }
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

TEST_P(Hostile, MemoryStaysWithinItsLimit) {
    const Bytes bytes = GetParam().bytes(false);
    bool read = false;
    for (std::uint64_t memory = 1; memory < 1 << 20; memory += memory < 4096 ? 61 : memory) {
        SCOPED_TRACE(memory);
        ReadOptions options;
        options.limits.memory = memory;
        const auto loaded = open_bytes(bytes, "limited", options);
        if (loaded) {
            read = true;
            EXPECT_EQ(loaded->value.write().value(), bytes);
        } else {
            EXPECT_FALSE(read) << "more memory must not make it fail";
            EXPECT_EQ(loaded.error().code, "limit-memory");
        }
    }
    EXPECT_TRUE(read);
    for (std::size_t place = 0; place < bytes.size(); ++place) {
        Bytes wrong = bytes;
        wrong[place] = std::byte{0x7f};
        const auto loaded = open_bytes(wrong, "greedy");
        if (loaded) expect_within(wrong, 16 * 1024);
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
