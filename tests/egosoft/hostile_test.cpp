// Damaged XMF and ANI: a result or a diagnostic, never a crash, and never a byte lost of what was read.

#include <gtest/gtest.h>

#include "core/json.hpp"
#include "egosoft/formats.hpp"
#include "egosoft/raw_ani.hpp"
#include "egosoft/raw_xmf.hpp"

namespace effigy::test {
namespace {

enum class Depth { read, also_dump };

/// Whether the bytes could be read.
template <class Format>
bool expect_harmless(const Bytes& bytes, Depth depth) {
    ReadOptions options;
    options.limits.memory = std::uint64_t{1} << 20;
    const auto loaded = Format::read(ByteSource(bytes), options);
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
    const auto written = Format::write(loaded->value, {});
    EXPECT_TRUE(written) << to_string(written.error());
    if (written) {
        EXPECT_EQ(*written, bytes);
    }
    EXPECT_TRUE(Format::write(loaded->value, {.normalize = true}));
    (void)Format::check(loaded->value, {});
    (void)Format::info(loaded->value, {});
    if (depth == Depth::also_dump) {
        for (const bool expand : {false, true}) {
            const auto built = Format::build(Format::dump(loaded->value, {expand}).value(), false, options.limits);
            EXPECT_TRUE(built) << to_string(built.error());
            if (built) {
                EXPECT_EQ(Format::write(*built, {}).value(), bytes);
            }
        }
        (void)Format::hex_map(loaded->value, {});
    }
    return true;
}

template <class Format>
void truncate_everywhere(const Bytes& whole) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        expect_harmless<Format>(part, size % 8 == 0 ? Depth::also_dump : Depth::read);
        if (testing::Test::HasFailure()) FAIL() << "cut off at " << size;
    }
}

template <class Format>
void corrupt_everywhere(const Bytes& whole) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const unsigned value : {0x00u, 0x80u, 0xffu}) {
            Bytes bytes = whole;
            if (bytes[at] == static_cast<std::byte>(value)) continue;
            bytes[at] = static_cast<std::byte>(value);
            expect_harmless<Format>(bytes, value == 0xff ? Depth::also_dump : Depth::read);
            if (testing::Test::HasFailure()) FAIL() << "byte " << at << " is " << value;
        }
    }
}

/// Small files that have all kinds of fields between them.
std::vector<XmfFixture> small_meshes() {
    std::vector<XmfFixture> some;
    for (const XmfFixture& fixture : sound_meshes()) {
        for (const char* name : {"Quad", "Collision", "MultiStream", "EveryType", "Descriptor47", "Header40",
                                 "Material20", "Uncompressed", "Sections"}) {
            if (fixture.name == name) some.push_back(fixture);
        }
    }
    for (const LyingFixture& lying : lying_meshes()) {
        if (lying.fixture.name != "Bomb") some.push_back(lying.fixture);
    }
    return some;
}

class HostileXmf : public testing::TestWithParam<XmfFixture> {};
INSTANTIATE_TEST_SUITE_P(Files, HostileXmf, testing::ValuesIn(small_meshes()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(HostileXmf, TruncatedAtEveryByte) {
    truncate_everywhere<egosoft::XmfFormat>(GetParam().bytes(GetParam().name == "EveryType"));
}
TEST_P(HostileXmf, WithEveryByteChanged) {
    corrupt_everywhere<egosoft::XmfFormat>(GetParam().bytes(GetParam().name == "EveryType"));
}

class HostileAni : public testing::TestWithParam<AniFixture> {};
INSTANTIATE_TEST_SUITE_P(Files, HostileAni, testing::ValuesIn(all_animations()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(HostileAni, TruncatedAtEveryByte) { truncate_everywhere<egosoft::AniFormat>(write_raw(GetParam().file)); }
TEST_P(HostileAni, WithEveryByteChanged) { corrupt_everywhere<egosoft::AniFormat>(write_raw(GetParam().file)); }

/// A bomb costs no more than its descriptor announces.
TEST(HostileXmf, BombsAreNotInflated) {
    for (const LyingFixture& lying : lying_meshes()) {
        if (lying.fixture.name == "Bomb") {
            EXPECT_TRUE(expect_harmless<egosoft::XmfFormat>(lying.fixture.bytes(false), Depth::also_dump));
        }
    }
}

/// All 255 buffers share one stream: reading is bounded by the limit, not by what they announce together.
TEST(HostileXmf, BuffersThatShareAStreamAreLimited) {
    RawMesh mesh;
    mesh.descriptor_size = 56;
    const Bytes zeros = RawBytes().repeat(0, 64 * 1024).bytes();
    for (unsigned index = 0; index < 255; ++index) {
        RawBuffer buffer;
        buffer.kind = index == 0 ? 30 : 0;
        buffer.format = index == 0 ? 31 : 2;
        buffer.item_size = index == 0 ? 4 : 12;
        buffer.item_count = 65532 / buffer.item_size;
        buffer.content = index == 0 ? Bytes(zeros.begin(), zeros.begin() + 65532) : Bytes();
        buffer.offset = 0;
        buffer.stored_size =
            static_cast<std::uint32_t>(zlib_stream(Bytes(zeros.begin(), zeros.begin() + 65532)).size());
        if (index != 0) buffer.stored = Bytes();
        mesh.buffers.push_back(buffer);
    }
    const Bytes bytes = write_raw(mesh);
    EXPECT_FALSE(expect_harmless<egosoft::XmfFormat>(bytes, Depth::read));
    const auto loaded = xmf::read(bytes);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(xmf::write(loaded->value).value(), bytes);
    EXPECT_LT(xmf::write(loaded->value, {.normalize = true}).value().size(), bytes.size() + 1);
}

}  // namespace
}  // namespace effigy::test
