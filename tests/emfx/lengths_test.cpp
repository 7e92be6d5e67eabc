// Declared lengths lie in every way that is known: the structure decides, and nothing is lost.

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "fixtures.hpp"
#include "support.hpp"

namespace effigy::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Loaded<Document> open(const Bytes& bytes) {
    auto loaded = open_bytes(bytes, "lying");
    EXPECT_TRUE(loaded) << to_string(loaded.error());
    return std::move(*loaded);
}

void expect_exact_copy(const Bytes& bytes) {
    for (const bool expand : {false, true}) {
        const auto loaded = open(bytes);
        EXPECT_EQ(loaded.value.write().value(), bytes);
        const auto built = build(loaded.value.dump({expand}).value());
        ASSERT_TRUE(built) << to_string(built.error());
        EXPECT_EQ(built->write().value(), bytes);
    }
}

/// The normalized file, which declares nothing wrong.
Bytes expect_normalizes(const Bytes& bytes) {
    const auto loaded = open(bytes);
    Bytes normalized = loaded.value.write({.normalize = true}).value();
    const auto again = open(normalized);
    EXPECT_EQ(findings(again.report), "");
    EXPECT_EQ(again.value.check().count("declared-size"), 0u);
    EXPECT_EQ(again.value.write().value(), normalized);
    return normalized;
}

std::uint32_t le32(const Bytes& bytes, std::size_t offset) {
    std::uint32_t value = 0;
    for (std::size_t place = 4; place-- > 0;)
        value = value << 8 | std::to_integer<std::uint32_t>(bytes.at(offset + place));
    return value;
}

// --- the chunks that real exporters get wrong, at every place and by every amount ---

/// A list of two weight tracks, or of two submotions, with `size` declared.
struct Liar {
    std::string name;
    std::string magic;
    std::uint32_t id, version;
    std::function<void(Raw&)> content;
    std::uint32_t neighbour;  ///< id of a chunk of three numbers or an info chunk to put behind it
};

void put_three_numbers(Raw& raw) { raw.u32s({6, 5, 1}); }
void put_xsm_info(Raw& raw) { raw.u32(24).raw({3, 1, 0, 0}).text("a").text("b").text("c").text("d"); }

void put_material_with_layer(Raw& raw) {
    for (int value = 0; value < 20; ++value) raw.f32(1);
    raw.raw({0, 0, 'F', 1}).text("skin");
    raw.f32s({1, 0, 0, 1, 1, 0}).u16(0).raw({2, 0}).text("HAB_Diffuse_4");
}

template <unsigned version>
void put_motion_list(Raw& raw) {
    raw.u32(1);
    for (int part = 0; part < 16; ++part) {
        if (version == 1) {
            raw.f32(part % 4 == 3 ? 1.0f : 0.0f);
        } else {
            raw.u16(part % 4 == 3 ? 32767 : 0);
        }
    }
    for (int part = 0; part < 12; ++part) raw.f32(1);
    raw.u32s({1, 0, 0, 0}).f32(0).text("Bip01").f32s({1, 2, 3, 0});
}

const std::vector<Liar>& liars() {
    static const std::vector<Liar> list{
        {"material_v2", "XAC ", 3, 2, put_material_with_layer, 13},
        {"submotions_v1", "XSM ", 202, 1, put_motion_list<1>, 201},
        {"submotions_v2", "XSM ", 202, 2, put_motion_list<2>, 201},
    };
    return list;
}

Bytes lying_file(const Liar& liar, std::uint32_t size, bool last, bool big) {
    Raw raw(big);
    raw.header(liar.magic);
    raw.lying_chunk(liar.id, size, liar.version, liar.content);
    if (!last) raw.chunk(liar.neighbour, 1, liar.neighbour == 13 ? put_three_numbers : put_xsm_info);
    return raw.bytes();
}

std::uint32_t true_size(const Liar& liar) {
    Raw raw(false);
    liar.content(raw);
    return static_cast<std::uint32_t>(raw.size());
}

class Lies : public testing::TestWithParam<Liar> {};
INSTANTIATE_TEST_SUITE_P(Chunks, Lies, testing::ValuesIn(liars()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(Lies, TheStructureDecides) {
    const std::uint32_t truth = true_size(GetParam());
    for (const bool big : {false, true}) {
        for (const bool last : {false, true}) {
            const Bytes true_file = lying_file(GetParam(), truth, last, big);
            for (const std::uint32_t size :
                 {0u, 1u, 84u, truth - 1, truth + 1, truth + 4, truth + 32, 456'992u, 0x7fffffffu, 0xffffffffu}) {
                SCOPED_TRACE("declared " + std::to_string(size) + " of " + std::to_string(truth) +
                             (last ? ", last" : ", followed") + (big ? ", big-endian" : ""));
                const Bytes bytes = lying_file(GetParam(), size, last, big);
                const auto loaded = open(bytes);
                EXPECT_EQ(findings(loaded.report), "");
                expect_exact_copy(bytes);
                EXPECT_EQ(expect_normalizes(bytes), true_file);
                EXPECT_EQ(loaded.value.check().count("declared-size"), 1u);
            }
            EXPECT_EQ(open(true_file).value.check().count("declared-size"), 0u);
        }
    }
}

// --- skinnings, of which only the mesh knows how many original vertices they are for ---

using PutSkin = std::function<void(Raw& skin)>;
using CountOf = std::function<std::size_t(const xac::Skinning& skinning)>;

/// Two meshes of one kind on a node, before their skinnings: the one whose number fills a chunk is that skinning's, and
/// where none does, the last one is.
void expect_own_numbers(std::uint32_t version, std::uint32_t second_size, const PutSkin& first, const PutSkin& second,
                        const CountOf& count) {
    for (const bool big : {false, true}) {
        for (const bool lies : {false, true}) {
            Raw raw(big);
            raw.header("XAC ");
            for (const std::uint32_t vertices : {3u, 1u})
                raw.chunk(1, 1, [&](Raw& mesh) { put_bare_mesh(mesh, 4, vertices); });
            raw.chunk(2, version, first).lying_chunk(2, lies ? 1000 : second_size, version, second);
            raw.chunk(13, 1, put_three_numbers);
            const auto loaded = open(raw.bytes());
            EXPECT_EQ(findings(loaded.report), "");
            const xac::File& actor = *loaded.value.get_if<xac::File>();
            ASSERT_EQ(actor.chunks.size(), 5u);
            EXPECT_EQ(count(std::get<xac::Skinning>(actor.chunks[2].record)), 3u);
            EXPECT_EQ(count(std::get<xac::Skinning>(actor.chunks[3].record)), 1u);
            expect_exact_copy(raw.bytes());
        }
    }
}

TEST(Skinnings, BehindBothMeshesOfANodeHaveThatOfTheirOwn) {
    expect_own_numbers(
        3, 24,
        [](Raw& skin) {
            skin.u32s({4, 0, 0}).raw({0, 1, 2, 3}).u32s({0, 0, 0, 0, 0, 0});
        },
        [](Raw& skin) {
            skin.u32s({4, 0, 0}).raw({0, 1, 2, 3}).u32s({0, 0});
        },
        [](const xac::Skinning& skinning) { return skinning.ranges.size(); });
}

/// Where each vertex counts its own influences.
TEST(Skinnings, OfTheOldestVersionHaveTheNumberThatFillsTheirChunk) {
    expect_own_numbers(
        1, 9,
        [](Raw& skin) {
            skin.u32(4).raw({0, 1, 2, 3}).raw({0, 1, 5, 6, 7, 8, 0, 0, 0, 0, 0});
        },
        [](Raw& skin) {
            skin.u32(4).raw({0, 1, 2, 3}).raw({0});
        },
        [](const xac::Skinning& skinning) { return skinning.vertices.size(); });
}

// --- nested and wrapped files ---

Bytes small_actor(bool big) {
    return Raw(big).header("XAC ").chunk(13, 1, [](Raw& info) { info.u32s({3, 2, 1}); }).bytes();
}

Bytes actor_with_lod(bool big, std::uint32_t outer_size, std::uint32_t inner_size, bool followed) {
    const Bytes inner = small_actor(big);
    Raw raw(big);
    raw.header("XAC ").lying_chunk(8, outer_size, 1, [&](Raw& lod) { lod.u32s({0, inner_size}).raw(inner); });
    if (followed) raw.chunk(13, 1, put_three_numbers);
    return raw.bytes();
}

TEST(MeshLod, ChunkSizeMayLie) {
    const auto inner = static_cast<std::uint32_t>(small_actor(false).size());
    for (const bool big : {false, true}) {
        for (const std::uint32_t size : {0u, 8u, inner, inner + 100, 0xffffffffu}) {
            SCOPED_TRACE(size);
            const Bytes bytes = actor_with_lod(big, size, inner, true);
            const auto loaded = open(bytes);
            EXPECT_EQ(findings(loaded.report), "");
            expect_exact_copy(bytes);
            EXPECT_EQ(expect_normalizes(bytes), actor_with_lod(big, inner + 8, inner, true));
        }
    }
}

TEST(MeshLod, SizeOfTheActorBoundsIt) {
    const auto inner = static_cast<std::uint32_t>(small_actor(false).size());
    for (const bool big : {false, true}) {
        const Bytes too_big = actor_with_lod(big, inner + 8, inner + 1000, false);
        const auto loaded = open(too_big);
        EXPECT_THAT(codes(loaded.report), HasSubstr("truncated"));
        expect_exact_copy(too_big);
        EXPECT_EQ(expect_normalizes(too_big), actor_with_lod(big, inner + 8, inner, false));

        for (std::uint32_t size = 0; size < inner; ++size) {
            SCOPED_TRACE(size);
            expect_exact_copy(actor_with_lod(big, inner + 8, size, true));
            expect_exact_copy(actor_with_lod(big, inner + 8, size, false));
        }
    }
}

/// A Risen file: 136 bytes, the size, the embedded file, some bytes behind it.
Bytes wrapped(const Bytes& file, std::uint32_t size, unsigned tail) {
    Raw raw(false);
    raw.letters("GR01");
    for (unsigned byte = 4; byte < 136; ++byte) raw.u8(byte);
    raw.u32(size).raw(file);
    for (unsigned byte = 0; byte < tail; ++byte) raw.u8(200 + byte);
    return raw.bytes();
}

TEST(RisenWrapper, IsReadAndKept) {
    for (const bool big : {false, true}) {
        for (const Bytes& file : {whole_actor(big), whole_motion(big), whole_weights(big)}) {
            const auto size = static_cast<std::uint32_t>(file.size());
            for (const unsigned tail : {0u, 1u, 40u}) {
                const Bytes bytes = wrapped(file, size, tail);
                const auto loaded = open(bytes);
                EXPECT_EQ(findings(loaded.report), "");
                EXPECT_EQ(codes(open(file).report), codes(loaded.report));
                expect_exact_copy(bytes);
            }
        }
    }
}

TEST(RisenWrapper, ExposesItsParts) {
    const Bytes file = small_actor(true);
    const auto loaded = open(wrapped(file, static_cast<std::uint32_t>(file.size()), 3));
    const auto& actor = *loaded.value.get_if<xac::File>();
    EXPECT_EQ(actor.wrapper_head.size(), 140u);
    EXPECT_EQ(actor.wrapper_tail, Raw(false).raw({200, 201, 202}).bytes());
    ASSERT_EQ(actor.chunks.size(), 1u);
    EXPECT_EQ(std::get<xac::MaterialInfo>(actor.chunks[0].record).standard, 2u);
    EXPECT_TRUE(actor.trailing.empty());
}

TEST(RisenWrapper, WrongSizeIsReportedAndKept) {
    const Bytes file = small_actor(false);
    for (const std::uint32_t size : {0u, 7u, static_cast<std::uint32_t>(file.size()) + 1, 0xffffffffu}) {
        SCOPED_TRACE(size);
        const Bytes bytes = wrapped(file, size, 0);
        const auto loaded = open(bytes);
        EXPECT_EQ(codes(loaded.report), "wrapper-size");
        EXPECT_EQ(loaded.report.diagnostics()[0].offset, 136u);
        expect_exact_copy(bytes);
        const Bytes normalized = loaded.value.write({.normalize = true}).value();
        EXPECT_EQ(normalized, wrapped(file, static_cast<std::uint32_t>(file.size()), 0));
    }
}

TEST(RisenWrapper, NormalizingFollowsTheContent) {
    const Bytes file = lying_file(liars()[1], 456'992, true, false);
    const Bytes bytes = wrapped(file, static_cast<std::uint32_t>(file.size()), 5);
    auto loaded = open(bytes);
    auto& motion = *loaded.value.get_if<xsm::File>();
    std::get<xsm::Submotions>(motion.chunks[0].record).submotions[0].node_name += "!!!";
    const Bytes longer = loaded.value.write({.normalize = true}).value();
    EXPECT_EQ(le32(longer, 136), file.size() + 3);
    EXPECT_EQ(longer.size(), bytes.size() + 3);
    EXPECT_EQ(findings(open(longer).report), "");
}

TEST(RisenWrapper, SizeThatCutsAChunkKeepsTheRest) {
    const Bytes file = whole_actor(false);
    for (std::uint32_t size = 8; size < file.size(); size += 37) {
        SCOPED_TRACE(size);
        expect_exact_copy(wrapped(file, size, 3));
    }
}

// --- what is not understood ---

TEST(Unknown, ChunksAreKeptWithAWarning) {
    struct Case {
        std::uint32_t id, version;
        std::string code;
    };
    const Case cases[]{
        {99, 1, "chunk-unknown"},         {0x7777, 3, "chunk-unknown"},     {0xffffffff, 1, "chunk-unknown"},
        {1, 3, "chunk-unknown-version"},  {1, 0, "chunk-unknown-version"},  {0, 5, "chunk-unknown-version"},
        {16, 1, "chunk-unknown-version"}, {50, 5, "chunk-unknown-version"}, {51, 2, "chunk-unknown-version"}};
    for (const Case& tested : cases) {
        for (const bool big : {false, true}) {
            SCOPED_TRACE(std::to_string(tested.id) + " version " + std::to_string(tested.version));
            Raw raw(big);
            raw.header("XAC ").chunk(tested.id, tested.version, [](Raw& content) { content.raw({1, 2, 3, 4, 5}); });
            raw.chunk(13, 1, put_three_numbers);
            const auto loaded = open(raw.bytes());
            ASSERT_EQ(codes(loaded.report), tested.code);
            EXPECT_EQ(loaded.report.diagnostics()[0].severity, Severity::warning);
            EXPECT_EQ(loaded.report.diagnostics()[0].offset, 8u);
            const auto& file = *loaded.value.get_if<xac::File>();
            ASSERT_EQ(file.chunks.size(), 2u);
            EXPECT_EQ(std::get<xac::Opaque>(file.chunks[0].record).bytes, Raw(false).raw({1, 2, 3, 4, 5}).bytes());
            EXPECT_EQ(std::get<xac::MaterialInfo>(file.chunks[1].record).total, 6u);
            expect_exact_copy(raw.bytes());
            EXPECT_EQ(loaded.value.check().count("opaque-chunk"), 1u);
        }
    }
}

TEST(Unknown, ForeignChunksOfOtherFileTypesAreUnknown) {
    const Bytes bytes = Raw(false).header("XPM ").chunk(201, 1, put_xsm_info).bytes();
    EXPECT_EQ(codes(open(bytes).report), "chunk-unknown");
    expect_exact_copy(bytes);
}

TEST(Unknown, ChunkPastTheEndIsKept) {
    const Bytes bytes = Raw(false).header("XAC ").lying_chunk(99, 100, 1, [](Raw& raw) { raw.raw({1, 2, 3}); }).bytes();
    EXPECT_EQ(codes(open(bytes).report), "chunk-unknown truncated");
    expect_exact_copy(bytes);
    EXPECT_EQ(le32(open(bytes).value.write({.normalize = true}).value(), 12), 3u);
}

TEST(Unknown, GroupsAndEventsThatDoNotFillTheirChunkAreKeptAsBytes) {
    for (const std::uint32_t id : {10u, 14u, 50u}) {
        for (const bool last : {false, true}) {
            SCOPED_TRACE(id);
            Raw raw(false);
            raw.header("XAC ").chunk(id, 1, [](Raw& content) { content.u32s({0, 0, 0, 0, 0, 0}); });
            if (!last) raw.chunk(13, 1, put_three_numbers);
            const auto loaded = open(raw.bytes());
            EXPECT_EQ(codes(loaded.report), "chunk-not-decoded");
            EXPECT_TRUE(std::holds_alternative<xac::Opaque>(loaded.value.get_if<xac::File>()->chunks[0].record));
            expect_exact_copy(raw.bytes());
        }
        const Bytes past = Raw(false)
                               .header("XAC ")
                               .lying_chunk(id, 900, 1,
                                            [](Raw& raw) {
                                                raw.u32s({0, 0, 0});
                                            })
                               .bytes();
        const auto loaded = open(past);
        for (const Diagnostic& diagnostic : loaded.report.diagnostics()) EXPECT_NE(diagnostic.code, "");
        EXPECT_THAT(codes(loaded.report), HasSubstr("truncated"));
        expect_exact_copy(past);
    }
}

TEST(Trailing, BytesBehindTheLastChunkAreKept) {
    for (unsigned count = 1; count < 12; ++count) {
        Raw raw(true);
        raw.header("XAC ").chunk(13, 1, put_three_numbers);
        const std::uint64_t end = raw.size();
        for (unsigned byte = 0; byte < count; ++byte) raw.u8(0xf0 + byte);
        const auto loaded = open(raw.bytes());
        ASSERT_EQ(codes(loaded.report), "trailing-bytes");
        EXPECT_EQ(loaded.report.diagnostics()[0].offset, end);
        EXPECT_EQ(loaded.report.diagnostics()[0].length, count);
        EXPECT_EQ(loaded.value.get_if<xac::File>()->trailing.size(), count);
        expect_exact_copy(raw.bytes());
    }
}

TEST(Trailing, BytesInsideAChunkAreKept) {
    for (const bool big : {false, true}) {
        Raw raw(big);
        raw.header("XAC ").chunk(13, 1, [](Raw& content) {
            put_three_numbers(content);
            content.raw({0xde, 0xad, 0xbe});
        });
        raw.chunk(13, 1, put_three_numbers);
        const auto loaded = open(raw.bytes());
        EXPECT_EQ(codes(loaded.report), "chunk-trailing-bytes");
        const auto& file = *loaded.value.get_if<xac::File>();
        ASSERT_EQ(file.chunks.size(), 2u);
        EXPECT_EQ(file.chunks[0].trailing, Raw(false).raw({0xde, 0xad, 0xbe}).bytes());
        EXPECT_EQ(std::get<xac::MaterialInfo>(file.chunks[1].record).total, 6u);
        expect_exact_copy(raw.bytes());
    }
}

// --- damage in the middle ---

TEST(Damage, AChunkThatCannotBeReadIsKeptAndTheNextIsRead) {
    for (const bool big : {false, true}) {
        Raw raw(big);
        raw.header("XAC ");
        raw.chunk(11, 1, [](Raw& nodes) { nodes.u32s({0x00ffffff, 1, 2, 3}); });
        raw.chunk(13, 1, put_three_numbers);
        const auto loaded = open(raw.bytes());
        EXPECT_EQ(codes(loaded.report), "chunk-damaged");
        EXPECT_TRUE(loaded.report.has_errors());
        const auto& file = *loaded.value.get_if<xac::File>();
        ASSERT_EQ(file.chunks.size(), 2u);
        EXPECT_EQ(std::get<xac::Opaque>(file.chunks[0].record).bytes.size(), 16u);
        EXPECT_EQ(std::get<xac::MaterialInfo>(file.chunks[1].record).total, 6u);
        expect_exact_copy(raw.bytes());
    }
}

TEST(Damage, AChunkThatRunsIntoTheNextIsKept) {
    Raw raw(false);
    raw.header("XAC ");
    // Two nodes are announced, one is there, and a mesh follows that is long enough to be taken for the second.
    raw.chunk(11, 1, [](Raw& nodes) {
        nodes.u32s({2, 1});
        put_node(nodes, 4, 1, xac::no_node, "root");
    });
    raw.chunk(1, 1, [](Raw& mesh) {
        mesh.u32s({0, 40, 40, 0, 0, 1}).raw({0, 1, 2, 3}).u32s({0, 12}).raw({0, 0, 0, 0});
        for (int number = 0; number < 120; ++number) mesh.f32(0);
    });
    const auto loaded = open(raw.bytes());
    EXPECT_EQ(codes(loaded.report), "chunk-damaged");
    const auto& file = *loaded.value.get_if<xac::File>();
    ASSERT_EQ(file.chunks.size(), 2u);
    EXPECT_TRUE(std::holds_alternative<xac::Mesh>(file.chunks[1].record));
    expect_exact_copy(raw.bytes());
}

// --- headers ---

TEST(Header, VersionTwoIsReadAndReported) {
    Bytes bytes = whole_motion(false);
    bytes[4] = std::byte{2};
    const auto loaded = open(bytes);
    EXPECT_EQ(loaded.value.get_if<xsm::File>()->header.major_version, 2);
    EXPECT_EQ(loaded.value.check().count("header-version"), 1u);
    expect_exact_copy(bytes);
}

TEST(Header, EndianByteTwoIsBigEndian) {
    Bytes bytes = whole_weights(true);
    bytes[6] = std::byte{2};
    const auto loaded = open(bytes);
    EXPECT_EQ(findings(loaded.report), "");
    EXPECT_EQ(loaded.value.get_if<xpm::File>()->chunks.size(), 2u);
    EXPECT_EQ(loaded.value.check().count("header-endian"), 1u);
    expect_exact_copy(bytes);
}

TEST(Header, AloneIsAFile) {
    for (const std::string_view magic : {"XAC ", "XSM ", "XPM "}) {
        const Bytes bytes = Raw(false).header(magic).bytes();
        EXPECT_EQ(findings(open(bytes).report), "");
        expect_exact_copy(bytes);
    }
}

TEST(Header, OfAnotherFormatIsRefused) {
    const auto result = xac::read(Raw(false).header("XSM ").bytes());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "not-this-format");
    EXPECT_EQ(result.error().offset, 0u);
    EXPECT_EQ(xsm::read(Raw(false).letters("XSM").bytes()).error().code, "truncated");
}

// --- made by hand: what has no size gets its true one, contradictions are refused ---

TEST(Writing, NewChunksGetTheirTrueSize) {
    xac::File file;
    file.chunks.push_back({8, 1, std::nullopt, xac::MeshLod{}, {}});
    auto& lod = std::get<xac::MeshLod>(file.chunks[0].record);
    lod.actor.emplace_back();
    lod.actor[0].header.endian = 1;
    lod.actor[0].chunks.push_back({13, 1, std::nullopt, xac::MaterialInfo{0, 3, 2, 1}, {}});
    const Bytes bytes = xac::write(file).value();
    EXPECT_EQ(bytes, Raw(false)
                         .header("XAC ")
                         .chunk(8, 1,
                                [](Raw& raw) {
                                    raw.u32s({0, 32}).raw(small_actor(true));
                                })
                         .bytes());
}

TEST(Writing, ContradictionsAreRefused) {
    xac::File file;
    xac::Mesh mesh;
    mesh.vertex_count = 3;
    mesh.layers.push_back({xac::LayerType::position, 12, 0, 0, {}, Bytes(35)});
    file.chunks.push_back({1, 1, std::nullopt, mesh, {}});
    const auto result = xac::write(file);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "write-contradiction");
    EXPECT_THAT(result.error().path, HasSubstr("layer[0]"));
    EXPECT_EQ(result.error().found, "35");
    EXPECT_EQ(result.error().expected, "36");
}

TEST(Writing, ArraysThatTheirCountCannotSayAreRefused) {
    xac::File file;
    xac::NodeGroups groups;
    groups.groups.resize(1);
    groups.groups[0].nodes.resize(65'536);
    file.chunks.push_back({10, 1, std::nullopt, groups, {}});
    EXPECT_EQ(xac::write(file).error().code, "write-too-large");
    groups.groups.assign(65'536, {});
    file.chunks[0].record = groups;
    EXPECT_EQ(xac::write(file).error().code, "write-too-large");
    file.chunks[0].record = xac::NodeGroups{false, {}};
    EXPECT_EQ(xac::write(file).error().code, "write-contradiction") << "without a number there is one group";

    xac::StandardMaterial material;
    material.layers.resize(256);
    file.chunks[0] = {3, 2, std::nullopt, material, {}};
    EXPECT_EQ(xac::write(file).error().code, "write-too-large");
    std::get<xac::StandardMaterial>(file.chunks[0].record).layers.resize(255);
    EXPECT_TRUE(xac::write(file));
}

/// Sizes of nested files are measured once a level: 40 levels end.
TEST(Writing, NormalizingDeepNestingEnds) {
    xac::File file;
    for (int level = 0; level < 40; ++level) {
        xac::MeshLod lod;
        lod.actor.push_back(std::move(file));
        file = {};
        file.chunks.push_back({8, 1, std::nullopt, std::move(lod), {}});
    }
    ReadOptions options;
    options.limits.depth = 40;
    const Bytes bytes = xac::write(file, {.normalize = true}).value();
    const auto loaded = xac::read(bytes, options);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_EQ(findings(loaded->report), "");
    EXPECT_EQ(xac::write(loaded->value).value(), bytes);
    EXPECT_EQ(bytes.size(), 8u + 40 * (12 + 8 + 8));
}

}  // namespace
}  // namespace effigy::test
