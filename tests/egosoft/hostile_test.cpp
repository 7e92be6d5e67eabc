// Damaged XMF and ANI: a result or a diagnostic, never a crash, and never a byte lost of what was read.

#include <gtest/gtest.h>

#include "effigy/xmf.hpp"

#include "egosoft/raw_xmf.hpp"
#include "hostile/samples.hpp"

namespace effigy::test {
namespace {

/// Whether the bytes could be read.
bool expect_harmless(const Bytes& bytes) {
    const harness::Outcome outcome = harness::exercise(bytes, harness::demands_of("xmf"));
    EXPECT_EQ(outcome.fault, "");
    return outcome.read;
}

/// A bomb costs no more than its descriptor announces.
TEST(HostileXmf, BombsAreNotInflated) {
    for (const LyingFixture& lying : lying_meshes()) {
        if (lying.fixture.name == "Bomb") {
            EXPECT_TRUE(expect_harmless(lying.fixture.bytes(false)));
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
    EXPECT_FALSE(expect_harmless(bytes));
    const auto loaded = xmf::read(bytes);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(xmf::write(loaded->value).value(), bytes);
    EXPECT_LT(xmf::write(loaded->value, {.normalize = true}).value().size(), bytes.size() + 1);
}

}  // namespace
}  // namespace effigy::test
