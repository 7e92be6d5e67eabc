// Findings point at the very bytes that they are about.

#include <cstring>
#include <gtest/gtest.h>

#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "fixtures.hpp"
#include "support.hpp"

namespace effigy::test {
namespace {

const Diagnostic* find(const Report& report, std::string_view code, std::string_view path = {}) {
    for (const Diagnostic& diagnostic : report.diagnostics()) {
        if (diagnostic.code == code && (path.empty() || diagnostic.path == path)) return &diagnostic;
    }
    ADD_FAILURE() << "no finding " << code << " at " << path << " among\n" << findings(report);
    return nullptr;
}

Report check(const Bytes& bytes) {
    const auto loaded = open_bytes(bytes, "faulty");
    EXPECT_TRUE(loaded) << to_string(loaded.error());
    return loaded->value.check();
}

/// The whole number of so many bytes at `offset`.
std::uint32_t value_at(const Bytes& bytes, std::uint64_t offset, std::uint64_t width, bool big) {
    std::uint32_t value = 0;
    for (std::uint64_t place = 0; place < width; ++place) {
        const std::uint64_t at = big ? place : width - 1 - place;
        value = value << 8 | std::to_integer<std::uint32_t>(bytes.at(static_cast<std::size_t>(offset + at)));
    }
    return value;
}

/// The finding is there, has the expected length, and what it says it found stands at its offset.
void expect_at_bytes(const Bytes& bytes, bool big, std::string_view code, std::string_view path, std::uint64_t length) {
    const Report report = check(bytes);
    const Diagnostic* finding = find(report, code, path);
    if (finding == nullptr) return;
    ASSERT_NE(finding->offset, no_offset) << to_string(*finding);
    EXPECT_EQ(finding->length, length) << to_string(*finding);
    ASSERT_LE(finding->offset + finding->length, bytes.size());
    EXPECT_EQ(std::to_string(value_at(bytes, finding->offset, length, big)), finding->found) << to_string(*finding);
}

/// Seventeen triangles less one corner apart, so that indices[17] is out of range; 0x7b000011 occurs nowhere else.
Bytes mesh_file(bool big, std::uint32_t index_17) {
    Raw raw(big);
    raw.header("XAC ").chunk(7, 1, [](Raw& info) {
        info.u32s({0, 0xffffffff}).raw({3, 1, 0, 0}).text("a").text("b").text("c").text("d");
    });
    raw.chunk(11, 1, [](Raw& nodes) {
        nodes.u32s({2, 1});
        put_node(nodes, 4, 1, xac::no_node, "root");
        put_node(nodes, 4, 1, 0, "child");
    });
    raw.chunk(1, 1, [&](Raw& mesh) {
        mesh.u32s({1, 3, 6, 21, 2, 3}).raw({0, 1, 2, 3});
        mesh.u32s({5, 4}).raw({0, 0, 1, 2}).u32s({0, 1, 2, 0, 0x5a000001, 2});
        mesh.u32s({0, 12}).raw({1, 0, 1, 2});
        for (int number = 0; number < 18; ++number) mesh.f32(0.5f);
        mesh.u32s({1, 12}).raw({1, 0, 1, 2});
        for (int number = 0; number < 6; ++number) mesh.f32s({0, 0, 1});
        mesh.u32s({3, 3, 0, 0}).u32s({0, 1, 2});
        mesh.u32s({18, 3, 0, 0});
        for (std::uint32_t index = 0; index < 18; ++index) mesh.u32(index == 17 ? index_17 : index % 3);
    });
    raw.chunk(2, 3, [](Raw& skin) {
        skin.u32s({1, 1, 3}).raw({0, 1, 2, 3});
        for (unsigned node = 0; node < 3; ++node) skin.f32(1).u16(node == 1 ? 0x4d02 : node).raw({9, 9});
        skin.u32s({0, 1, 1, 1, 2, 0x3c000001});
    });
    return raw.bytes();
}

TEST(Locator, ElementsOfBlocks) {
    for (const bool big : {false, true}) {
        const Bytes bytes = mesh_file(big, 0x7b000011);
        expect_at_bytes(bytes, big, "mesh-index-range", "chunk[2] mesh / submesh[1] / indices[17]", 4);
        expect_at_bytes(bytes, big, "mesh-original-range", "chunk[2] mesh / layer[0] / data[4]", 4);
        const Report report = check(bytes);
        // Elements of several parts: the whole element.
        const Diagnostic* influence = find(report, "skin-node", "chunk[3] skinning / influences[1]");
        ASSERT_NE(influence, nullptr);
        EXPECT_EQ(influence->length, 8u);
        EXPECT_EQ(value_at(bytes, influence->offset + 4, 2, big), 0x4d02u);
        const Diagnostic* range = find(report, "skin-range", "chunk[3] skinning / ranges[2]");
        ASSERT_NE(range, nullptr);
        EXPECT_EQ(range->length, 8u);
        EXPECT_EQ(value_at(bytes, range->offset + 4, 4, big), 0x3c000001u);
    }
}

TEST(Locator, FieldsOfRecordsInLists) {
    for (const bool big : {false, true}) {
        Bytes bytes = mesh_file(big, 0);
        const Report before = check(bytes);
        expect_at_bytes(bytes, big, "node-child-count", "chunk[1] nodes / node[0] / child_count", 4);
        expect_at_bytes(bytes, big, "node-child-count", "chunk[1] nodes / node[1] / child_count", 4);
        const Diagnostic* root = find(before, "node-child-count", "chunk[1] nodes / node[0] / child_count");
        const Diagnostic* child = find(before, "node-child-count", "chunk[1] nodes / node[1] / child_count");
        ASSERT_TRUE(root != nullptr && child != nullptr);
        EXPECT_EQ(child->offset - root->offset, 156u + 4 + 4);
    }
}

TEST(Locator, HeaderFields) {
    for (const Bytes& whole : {whole_actor(false), whole_motion(true), whole_weights(false)}) {
        Bytes bytes = whole;
        bytes[4] = std::byte{2};
        bytes[7] = std::byte{77};
        const Report report = check(bytes);
        const Diagnostic* version = find(report, "header-version");
        ASSERT_NE(version, nullptr);
        EXPECT_EQ(version->offset, 4u);
        EXPECT_EQ(version->length, 1u);
        const Diagnostic* order = find(report, "header-order");
        ASSERT_NE(order, nullptr);
        EXPECT_EQ(order->offset, 7u);
        EXPECT_EQ(order->found, "77");
    }
}

TEST(Locator, DeclaredSizes) {
    for (const bool big : {false, true}) {
        expect_at_bytes(whole_actor(big), big, "declared-size", "chunk[3] standard_material / size", 4);
        expect_at_bytes(whole_motion(big), big, "declared-size", "chunk[1] submotions / size", 4);
    }
}

TEST(Locator, TrailingBytes) {
    Bytes bytes = whole_weights(false);
    const std::uint64_t end = bytes.size();
    bytes.resize(bytes.size() + 5, std::byte{0xee});
    const Report report = check(bytes);
    const Diagnostic* trailing = find(report, "trailing-bytes");
    ASSERT_NE(trailing, nullptr);
    EXPECT_EQ(trailing->offset, end);
    EXPECT_EQ(trailing->length, 5u);
}

/// Faults in an actor inside an actor, of the other byte order, have offsets in the outer file; so have those behind
/// it.
TEST(Locator, NestedActors) {
    for (const bool big : {false, true}) {
        Bytes inner = mesh_file(!big, 0x7b000011);
        Raw raw(big);
        raw.header("XAC ").chunk(8, 1, [&](Raw& lod) {
            lod.u32s({0, static_cast<std::uint32_t>(inner.size())}).raw(inner);
        });
        raw.chunk(13, 1, [](Raw& info) { info.u32s({0x11223344, 0, 0}); });
        expect_at_bytes(raw.bytes(), !big, "mesh-index-range",
                        "chunk[0] mesh_lod / actor / chunk[2] mesh / submesh[1] / indices[17]", 4);
        expect_at_bytes(raw.bytes(), big, "material-info-count", "chunk[1] material_info / total", 4);

        Raw wrapper(false);
        for (int byte = 0; byte < 136; ++byte) wrapper.u8(0);
        wrapper.u32(static_cast<std::uint32_t>(raw.size())).raw(raw.bytes());
        expect_at_bytes(wrapper.bytes(), !big, "mesh-index-range",
                        "chunk[0] mesh_lod / actor / chunk[2] mesh / submesh[1] / indices[17]", 4);
        expect_at_bytes(wrapper.bytes(), big, "material-info-count", "chunk[1] material_info / total", 4);
    }
}

TEST(Locator, KeysAndWeights) {
    for (const bool big : {false, true}) {
        Raw late(big), never(big);
        late.f32(1);
        never.f32(-7);
        Raw raw(big);
        raw.header("XPM ").chunk(102, 1, [](Raw& list) {
            list.u32(2).f32s({0, 0, 1}).u32s({0, 0}).text("a");
            list.f32s({0, 0, 1}).u32s({0, 3}).text("b");
            list.f32(0).u16(0).raw({0, 0}).f32(5).u16(1).raw({0, 0}).f32(4.5f).u16(2).raw({0, 0});
        });
        const Report report = check(raw.bytes());
        const Diagnostic* order = find(report, "key-time-order", "chunk[0] submotions / submotion[1] / keys[2]");
        ASSERT_NE(order, nullptr);
        EXPECT_EQ(order->offset, raw.size() - 8);
        EXPECT_EQ(order->length, 8u);
    }
}

/// Whatever the damage: a finding that has an address has one inside the file.
TEST(Locator, OffsetsLieInsideTheFile) {
    for (const Fixture& fixture : all_fixtures()) {
        SCOPED_TRACE(fixture.name);
        const Bytes whole = fixture.bytes(true);
        for (std::size_t place = 4; place < whole.size(); place += 3) {
            Bytes bytes = whole;
            bytes[place] ^= std::byte{0xc3};
            const Report report = check(bytes);
            for (const Diagnostic& finding : report.diagnostics()) {
                if (finding.path.empty()) continue;
                ASSERT_NE(finding.offset, no_offset) << to_string(finding);
                ASSERT_LE(finding.offset + finding.length, bytes.size()) << to_string(finding);
            }
        }
    }
}

}  // namespace
}  // namespace effigy::test
