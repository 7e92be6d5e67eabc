// XMF: every byte comes back, every number is the one that was written.

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <stdexcept>

#include "effigy/registry.hpp"

#include "core/json.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/raw_xmf.hpp"
#include "reports.hpp"

namespace effigy::test {
namespace {

using xmf::ElementType;
using xmf::Usage;

/// Dumped, made text, parsed and built again.
Result<xmf::File> through_dump(const xmf::File& file, bool expand) {
    const auto nodes = parse_json(to_text(egosoft::XmfFormat::dump(file, {expand}).value()));
    return egosoft::XmfFormat::build(*nodes, false, {});
}

void expect_kept(const Bytes& bytes) {
    const auto loaded = xmf::read(bytes);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    const auto written = xmf::write(loaded->value);
    ASSERT_TRUE(written) << to_string(written.error());
    EXPECT_EQ(*written, bytes);
    for (const bool expand : {false, true}) {
        const auto built = through_dump(loaded->value, expand);
        ASSERT_TRUE(built) << to_string(built.error());
        EXPECT_EQ(xmf::write(*built).value(), bytes) << "expand " << expand;
    }
    const auto normalized = xmf::write(loaded->value, {.normalize = true});
    ASSERT_TRUE(normalized) << to_string(normalized.error());
    const auto again = xmf::read(*normalized);
    ASSERT_TRUE(again) << to_string(again.error());
    ASSERT_EQ(again->value.buffers.size(), loaded->value.buffers.size());
    for (std::size_t index = 0; index < again->value.buffers.size(); ++index) {
        // A stream that only its descriptor misplaced may have become readable.
        if (loaded->value.buffers[index].content.empty()) continue;
        EXPECT_EQ(again->value.buffers[index].content, loaded->value.buffers[index].content);
    }
}

class SoundXmf : public testing::TestWithParam<XmfFixture> {};
INSTANTIATE_TEST_SUITE_P(Files, SoundXmf, testing::ValuesIn(sound_meshes()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(SoundXmf, IsReadWithoutFindings) {
    for (const bool big : {false, true}) {
        const RawMesh mesh = GetParam().make(big);
        const auto loaded = xmf::read(write_raw(mesh));
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        EXPECT_TRUE(loaded->report.empty()) << findings(loaded->report);
        const xmf::File& file = loaded->value;
        ASSERT_EQ(file.buffers.size(), mesh.buffers.size());
        for (std::size_t index = 0; index < file.buffers.size(); ++index) {
            EXPECT_EQ(file.buffers[index].kind, mesh.buffers[index].kind);
            EXPECT_EQ(file.buffers[index].item_size, mesh.buffers[index].item_size);
            if (!big) {
                EXPECT_EQ(file.buffers[index].content, mesh.buffers[index].content);
            }
        }
        ASSERT_EQ(file.materials.size(), mesh.materials.size());
        for (std::size_t index = 0; index < file.materials.size(); ++index) {
            EXPECT_EQ(file.materials[index].index_count, mesh.materials[index].count);
            EXPECT_EQ(xmf::name_of(file.materials[index]),
                      mesh.materials[index].name.substr(0, std::min(mesh.material_size, 136u) - 8));
        }
    }
}

TEST_P(SoundXmf, IsKept) {
    for (const bool big : {false, true}) expect_kept(GetParam().bytes(big));
}

/// Both byte orders mean the same.
TEST_P(SoundXmf, IsTheSameInBothByteOrders) {
    const auto little = xmf::read(GetParam().bytes(false)), big = xmf::read(GetParam().bytes(true));
    ASSERT_TRUE(little && big);
    for (std::size_t index = 0; index < little->value.buffers.size(); ++index) {
        const xmf::Buffer &left = little->value.buffers[index], &right = big->value.buffers[index];
        EXPECT_EQ(left.content, right.content);
        EXPECT_EQ(left.minimum, right.minimum);
        EXPECT_EQ(left.maximum, right.maximum);
        EXPECT_EQ(left.element_count, right.element_count);
    }
    EXPECT_EQ(egosoft::XmfFormat::info(little->value, {})["layout"],
              egosoft::XmfFormat::info(big->value, {})["layout"]);
}

class LyingXmf : public testing::TestWithParam<LyingFixture> {};
INSTANTIATE_TEST_SUITE_P(Files, LyingXmf, testing::ValuesIn(lying_meshes()),
                         [](const auto& tested) { return tested.param.fixture.name; });

TEST_P(LyingXmf, IsReportedAndKept) {
    for (const bool big : {false, true}) {
        const Bytes bytes = GetParam().fixture.bytes(big);
        const auto loaded = xmf::read(bytes);
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        EXPECT_EQ(loaded->report.count(GetParam().code), 1u) << findings(loaded->report);
        for (const Diagnostic& diagnostic : loaded->report.diagnostics()) {
            if (!diagnostic.path.empty()) {
                EXPECT_LT(diagnostic.offset, bytes.size()) << to_string(diagnostic);
            }
        }
        EXPECT_GE(xmf::check(loaded->value).count(GetParam().code), 1u) << "check says it as well";
        expect_kept(bytes);
    }
}

Diagnostic failure(const RawMesh& mesh) {
    const auto loaded = xmf::read(write_raw(mesh));
    return loaded ? Diagnostic{} : loaded.error();
}

TEST(Xmf, RecordsThatAreTooSmallAreRefused) {
    RawMesh mesh = quad(false);
    mesh.header_size = 25;
    EXPECT_EQ(failure(mesh).code, "record-too-small");
    EXPECT_EQ(failure(mesh).path, "size");
    EXPECT_EQ(failure(mesh).offset, 6u);
    mesh = quad(false);
    mesh.descriptor_size = 39;
    EXPECT_EQ(failure(mesh).path, "descriptor_size");
    EXPECT_EQ(failure(mesh).offset, 9u);
    mesh = quad(false);
    mesh.material_size = 7;
    EXPECT_EQ(failure(mesh).path, "material_size");
    EXPECT_EQ(failure(mesh).offset, 11u);
    EXPECT_EQ(failure(mesh).length, 1u);
}

TEST(Xmf, OtherFilesAreRefused) {
    EXPECT_EQ(xmf::read(Bytes(64)).error().code, "not-this-format");
    EXPECT_EQ(xmf::read(Bytes()).error().code, "truncated");
}

TEST(Xmf, MemoryIsLimited) {
    RawMesh mesh = quad(false);
    mesh.buffers[1].content = Bytes(std::size_t{1} << 20);
    std::fill(mesh.buffers[1].content.begin(), mesh.buffers[1].content.end(), std::byte{0});
    mesh.buffers[1].item_count = 1 << 19;
    ReadOptions options;
    options.limits.memory = 1 << 19;
    const auto loaded = xmf::read(write_raw(mesh), options);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, "limit-memory");
    EXPECT_EQ(loaded.error().path, "buffer[1] / content");
    EXPECT_LT(loaded.error().offset, write_raw(mesh).size());
    EXPECT_GE(std::stoull(loaded.error().found), std::uint64_t{1} << 20);
    EXPECT_EQ(loaded.error().expected, "at most 524288 bytes");
    EXPECT_TRUE(xmf::read(write_raw(mesh)));
}

/// Buffers whose streams are large enough for threads of their own, of numbers that do not compress.
RawMesh large(std::size_t count) {
    RawMesh mesh = quad(false);
    std::minstd_rand random;
    for (std::size_t i = 0; i < count; ++i) {
        RawBuffer& buffer = mesh.buffers.emplace_back(mesh.buffers[1]);
        buffer.item_count = static_cast<std::uint32_t>(100'000 + 1'000 * i);
        buffer.content.resize(std::size_t{2} * buffer.item_count);
        for (std::byte& byte : buffer.content) byte = static_cast<std::byte>(random() >> 8);
    }
    return mesh;
}

TEST(Xmf, LargeBuffersAreDecodedEachForItself) {
    const RawMesh mesh = large(7);
    const auto loaded = xmf::read(write_raw(mesh));
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_TRUE(loaded->report.empty()) << findings(loaded->report);
    for (std::size_t i = 0; i < mesh.buffers.size(); ++i)
        EXPECT_EQ(loaded->value.buffers[i].content, mesh.buffers[i].content) << i;
}

TEST(Xmf, FindingsOfLargeBuffersComeInTheirOrder) {
    RawMesh mesh = large(7);
    for (const std::size_t damaged : {3u, 6u, 8u}) mesh.buffers[damaged].content.resize(180'000);
    const auto loaded = xmf::read(write_raw(mesh));
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    std::vector<std::string> paths;
    for (const Diagnostic& finding : loaded->report.diagnostics()) paths.push_back(finding.path);
    EXPECT_THAT(paths,
                testing::ElementsAre("buffer[3] / stored_size", "buffer[6] / stored_size", "buffer[8] / stored_size"));
    EXPECT_EQ(loaded->value.buffers[7].content, mesh.buffers[7].content);
}

TEST(Xmf, LargeBuffersThatPassTheLimitAreNotDecodedAhead) {
    RawMesh mesh = large(3);
    mesh.buffers[3].item_count =
        50'000'000;  // which its stream could hold, and no limit for a file of this size allows
    const auto loaded = xmf::read(write_raw(mesh));
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, "limit-memory");
    EXPECT_EQ(loaded.error().path, "buffer[3] / content");
}

TEST(Xmf, ADefaultFileIsEmptyAndCanBeWritten) {
    const auto bytes = xmf::write({});
    ASSERT_TRUE(bytes);
    EXPECT_EQ(bytes->size(), 64u);
    EXPECT_TRUE(xmf::read(*bytes)->report.empty());
}

/// The file as a program would make it: contents and no data.
xmf::File made(bool big) {
    xmf::File file = xmf::read(write_raw(quad(big)))->value;
    for (xmf::Buffer& buffer : file.buffers) buffer.data_offset = buffer.stored_size = 0;
    file.data = {};
    return file;
}

TEST(Xmf, AFileMadeByAProgramIsCompressedAsTheGamesDo) {
    for (const bool big : {false, true}) {
        const auto written = xmf::write(made(big));
        ASSERT_TRUE(written) << to_string(written.error());
        EXPECT_EQ(*written, write_raw(quad(big)));
    }
}

TEST(Xmf, AChangedBufferIsCompressedAnewAndNothingElseMoves) {
    for (const auto& fixture : {quad, collision_quad}) {
        const Bytes bytes = write_raw(fixture(false));
        xmf::File file = xmf::read(bytes)->value;
        const xmf::Buffer old = file.buffers[1];
        file.buffers[0].content[0] = std::byte{1};
        const auto changed = xmf::read(*xmf::write(file));
        ASSERT_TRUE(changed);
        EXPECT_TRUE(changed->report.empty()) << findings(changed->report);
        EXPECT_EQ(changed->value.buffers[0].content, file.buffers[0].content);
        const xmf::Buffer& next = changed->value.buffers[1];
        EXPECT_EQ(next.content, old.content);
        EXPECT_TRUE(std::equal(file.data.begin() + old.data_offset, file.data.end(),
                               changed->value.data.begin() + next.data_offset, changed->value.data.end()));
    }
}

TEST(Xmf, AChangedBufferKeepsWhatStandsBetweenStreams) {
    for (const LyingFixture& lying : lying_meshes()) {
        if (lying.code != "stream-gap" && lying.code != "stream-trailing") continue;
        xmf::File file = xmf::read(lying.fixture.bytes(false))->value;
        file.buffers[0].content[0] = std::byte{1};
        const auto changed = xmf::read(*xmf::write(file));
        ASSERT_TRUE(changed);
        EXPECT_EQ(changed->report.count(lying.code), 1u) << findings(changed->report);
        EXPECT_EQ(changed->value.buffers[0].content, file.buffers[0].content);
        EXPECT_EQ(changed->value.buffers[1].content, file.buffers[1].content);
    }
}

TEST(Xmf, OverlappingStreamsAreLeftWhereTheyAreWhenOneChanges) {
    for (const LyingFixture& lying : lying_meshes()) {
        if (lying.code != "stream-overlap") continue;
        xmf::File file = xmf::read(lying.fixture.bytes(false))->value;
        file.buffers[0].content[0] = std::byte{1};
        const auto changed = xmf::read(*xmf::write(file));
        ASSERT_TRUE(changed);
        EXPECT_EQ(changed->value.buffers[0].content, file.buffers[0].content);
        EXPECT_EQ(changed->value.buffers[1].content, file.buffers[1].content);
    }
}

TEST(Xmf, NormalizingMakesCountsTrueAndRemovesGaps) {
    for (const LyingFixture& lying : lying_meshes()) {
        if (lying.code != "stream-gap") continue;
        xmf::File file = xmf::read(lying.fixture.bytes(false))->value;
        file.header.vertex_count = 77;
        const auto normalized = xmf::read(*xmf::write(file, {.normalize = true}));
        EXPECT_TRUE(normalized->report.empty()) << findings(normalized->report);
        EXPECT_EQ(normalized->value.header.vertex_count, 4u);
        EXPECT_EQ(normalized->value.header.index_count, 6u);
    }
}

TEST(Xmf, ContradictionsAreRefusedBeforeAnythingIsWritten) {
    xmf::File file = made(false);
    file.buffers[0].content.pop_back();
    EXPECT_EQ(xmf::write(file).error().code, "write-contradiction");
    EXPECT_EQ(xmf::write(file).error().path, "buffer[0] / content");
    file = made(false);
    file.buffers[0].elements[1].type = ElementType::float4;
    EXPECT_EQ(xmf::write(file).error().path, "buffer[0] / item_size");
    file = xmf::read(write_raw(quad(false)))->value;
    file.buffers[1].content.clear();
    EXPECT_EQ(xmf::write(file).error().path, "buffer[1] / content");
    file = made(false);
    file.header.material_size = 12;
    EXPECT_EQ(xmf::write(file).error().path, "material[0] / name");
    file = made(false);
    file.header.rest = Bytes(1);
    EXPECT_EQ(xmf::write(file).error().code, "write-contradiction");
    file = made(false);
    file.buffers.resize(256);
    EXPECT_EQ(xmf::write(file).error().code, "write-too-large");
}

/// The content of a buffer in a dump of the file.
Json& content_of(Json& nodes, const std::string& buffer) {
    const auto find = [](Json& list, const std::string& name) -> Json& {
        for (Json& node : list) {
            if (node["name"] == name) return node;
        }
        throw std::runtime_error(name);
    };
    return find(find(nodes, buffer)["value"], "content");
}

TEST(Xmf, NumbersEditedInADumpAreCompressedAnew) {
    for (const bool big : {false, true}) {
        const xmf::File file = xmf::read(write_raw(quad(big)))->value;
        Json nodes = egosoft::XmfFormat::dump(file, {true}).value();
        Json& content = content_of(nodes, "buffer[0]");
        EXPECT_EQ(content["type"], "derived vertex[]");
        EXPECT_EQ(content["size"], 0);
        EXPECT_EQ(content["value"][3][0], Json({3, 2, 1}));
        content["value"][3][0][0] = 3.5;
        const auto built = egosoft::XmfFormat::build(nodes, false, {});
        ASSERT_TRUE(built) << to_string(built.error());
        const auto changed = xmf::read(*xmf::write(*built));
        EXPECT_TRUE(changed->report.empty()) << findings(changed->report);
        const Vec4 position = xmf::decode(ElementType::float3, changed->value.buffers[0].content.data() + 96);
        EXPECT_EQ(position.x, 3.5f);
        EXPECT_EQ(changed->value.buffers[1].content, file.buffers[1].content);
    }
}

TEST(Xmf, NormalizingADumpCountsItsItems) {
    for (const bool big : {false, true}) {
        Json nodes = egosoft::XmfFormat::dump(xmf::read(write_raw(quad(big)))->value, {true}).value();
        Json& vertices = content_of(nodes, "buffer[0]")["value"];
        vertices.push_back(vertices[0]);
        Json& indices = content_of(nodes, "buffer[1]")["value"];
        indices.erase(indices.begin() + 3, indices.end());
        EXPECT_EQ(xmf::write(egosoft::XmfFormat::build(nodes, false, {}).value()).error().code, "write-contradiction");
        const auto built = egosoft::XmfFormat::build(nodes, true, {});
        ASSERT_TRUE(built) << to_string(built.error());
        const auto written = xmf::write(*built, {.normalize = true});
        ASSERT_TRUE(written) << to_string(written.error());
        const auto changed = xmf::read(*written);
        EXPECT_TRUE(changed->report.empty()) << findings(changed->report);
        EXPECT_EQ(changed->value.buffers[0].item_count, 5u);
        EXPECT_EQ(changed->value.buffers[1].item_count, 3u);
        EXPECT_EQ(changed->value.header.vertex_count, 5u);
        EXPECT_EQ(changed->value.header.index_count, 3u);
    }
}

TEST(Xmf, ADumpWithoutContentIsDecoded) {
    const Bytes bytes = write_raw(quad(false));
    Json nodes = egosoft::XmfFormat::dump(xmf::read(bytes)->value, {}).value();
    for (Json& node : nodes) {
        if (!node["value"].is_array()) continue;
        Json& fields = node["value"];
        if (!fields.empty() && fields.back().is_object() && fields.back()["name"] == "content")
            fields.erase(fields.size() - 1);
    }
    const auto built = egosoft::XmfFormat::build(nodes, false, {});
    ASSERT_TRUE(built) << to_string(built.error());
    EXPECT_EQ(xmf::write(*built).value(), bytes);
}

TEST(Xmf, CountsInADumpMustMatch) {
    Json nodes = egosoft::XmfFormat::dump(xmf::read(write_raw(quad(false)))->value, {}).value();
    for (Json& node : nodes) {
        if (node["name"] == "material_count") node["value"] = 1;
    }
    EXPECT_EQ(egosoft::XmfFormat::build(nodes, false, {}).error().code, "build-count");
    EXPECT_TRUE(egosoft::XmfFormat::build(nodes, true, {}));
}

TEST(Xmf, HexMapCoversTheFile) {
    const std::string map = egosoft::XmfFormat::hex_map(xmf::read(write_raw(quad(false)))->value, {}).value();
    EXPECT_THAT(map, testing::HasSubstr("hull.panel"));
    EXPECT_THAT(map, testing::HasSubstr("item_count = 4"));
}

/// What each type means, worked out by hand from the bytes of the fixture "EveryType".
TEST(Declaration, EveryTypeIsDecoded) {
    const std::vector<XmfFixture> all = sound_meshes();
    const auto fixture = std::find_if(all.begin(), all.end(), [](const auto& one) { return one.name == "EveryType"; });
    const Vec4 expected[16] = {
        {0.5f, 0, 0, 1},
        {0.25f, 0.75f, 0, 1},
        {3, 2, 1, 1},
        {1, 2, 3, 4},
        {3 / 255.0f, 2 / 255.0f, 1 / 255.0f, 4 / 255.0f},
        {5, 6, 7, 8},
        {-1, 2, 0, 1},
        {1, -32767, 3, 4},
        {0, 1, 0.2f, 0.4f},
        {1, -1, 0, 1},
        {1, 0, -1, 16384 / 32767.0f},
        {1, 0.2f, 0, 1},
        {1, 0, 0.2f, 0.4f},
        {7, 5, 1023, 1},
        {0, -1, 1, 1},
        {1, -2, 0, 1},
    };
    for (const bool big : {false, true}) {
        const auto loaded = xmf::read(fixture->bytes(big));
        const xmf::Buffer& buffer = loaded->value.buffers[0];
        const auto elements = xmf::declaration(buffer);
        ASSERT_EQ(elements.size(), 16u);
        std::set<Usage> usages;
        for (std::size_t type = 0; type < 16; ++type) {
            EXPECT_EQ(static_cast<std::size_t>(elements[type].element.type), type);
            usages.insert(elements[type].element.usage);
            const std::byte* last = buffer.content.data() + 3 * buffer.item_size;
            const Vec4 value = xmf::decode(elements[type].element.type, last + elements[type].offset);
            EXPECT_FLOAT_EQ(value.x, expected[type].x) << type;
            EXPECT_FLOAT_EQ(value.y, expected[type].y) << type;
            EXPECT_FLOAT_EQ(value.z, expected[type].z) << type;
            EXPECT_FLOAT_EQ(value.w, expected[type].w) << type;
        }
        EXPECT_EQ(usages.size(), 14u) << "every usage occurs";
    }
}

TEST(Declaration, SizesAreThoseOfDirect3D) {
    constexpr unsigned sizes[18] = {4, 8, 12, 16, 4, 4, 4, 8, 4, 4, 8, 4, 8, 4, 4, 4, 8, 0};
    for (std::uint32_t type = 0; type < 18; ++type)
        EXPECT_EQ(xmf::size_of(static_cast<ElementType>(type)), sizes[type]);
    EXPECT_EQ(xmf::size_of(static_cast<ElementType>(18)), 0u);
    EXPECT_EQ(xmf::size_of(static_cast<ElementType>(0xffffffff)), 0u);
}

/// 16-bit floats against the definition of their bits.
TEST(Declaration, EveryHalfIsExact) {
    for (unsigned half = 0; half < 0x10000; ++half) {
        const std::uint16_t stored[2] = {static_cast<std::uint16_t>(half), 0};
        const float value = xmf::decode(ElementType::half2, reinterpret_cast<const std::byte*>(stored)).x;
        const int exponent = static_cast<int>(half >> 10 & 31u), fraction = static_cast<int>(half & 0x3ffu);
        const double sign = half & 0x8000u ? -1 : 1;
        if (exponent == 31) {
            EXPECT_TRUE(fraction == 0 ? std::isinf(value) && value * sign > 0 : std::isnan(value)) << half;
        } else {
            const double expected =
                exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
            EXPECT_EQ(value, static_cast<float>(sign * expected)) << half;
        }
    }
}

TEST(Declaration, ImplicitElementsHaveTheUsageOfTheirKind) {
    const std::pair<unsigned, Usage> kinds[] = {
        {0, Usage::position}, {1, Usage::position}, {2, Usage::normal}, {3, Usage::normal},      {4, Usage::tangent},
        {5, Usage::binormal}, {6, Usage::texcoord}, {8, Usage::color},  {20, Usage::point_size}, {99, Usage::texcoord}};
    for (const auto& [kind, usage] : kinds) {
        xmf::Buffer buffer;
        buffer.kind = kind;
        buffer.format = 4;
        buffer.item_size = 4;
        buffer.usage_index = 3;
        const auto elements = xmf::declaration(buffer);
        ASSERT_EQ(elements.size(), 1u);
        EXPECT_EQ(elements[0].element.usage, usage);
        EXPECT_EQ(elements[0].element.usage_index, 3);
    }
}

TEST(Declaration, ElementsThatDoNotFitAreLeftOut) {
    xmf::Buffer buffer;
    buffer.item_size = 20;
    buffer.element_count = 200;
    for (xmf::Element& element : buffer.elements) element.type = ElementType::float3;
    EXPECT_EQ(xmf::declaration(buffer).size(), 1u);
    buffer.kind = xmf::index_buffer_kind;
    EXPECT_TRUE(xmf::declaration(buffer).empty());
}

TEST(Xmf, IndicesAreWidened) {
    for (const bool big : {false, true}) {
        for (const RawMesh& mesh : {quad(big), collision_quad(big)}) {
            const auto loaded = xmf::read(write_raw(mesh));
            EXPECT_THAT(xmf::indices(loaded->value.buffers[1]), testing::ElementsAre(0, 2, 1, 1, 2, 3));
            EXPECT_TRUE(xmf::indices(loaded->value.buffers[0]).empty());
        }
    }
}

TEST(Xmf, CollisionMeshesAreRecognised) {
    EXPECT_TRUE(xmf::is_collision_mesh(xmf::read(write_raw(collision_quad(false)))->value));
    EXPECT_FALSE(xmf::is_collision_mesh(xmf::read(write_raw(quad(false)))->value));
    RawMesh with_material = collision_quad(false);
    with_material.materials = {{0, 6, "a.b"}};
    EXPECT_FALSE(xmf::is_collision_mesh(xmf::read(write_raw(with_material))->value));
    EXPECT_FALSE(xmf::is_collision_mesh({}));
}

TEST(XmfInfo, SaysWhatIsThere) {
    const Json info = egosoft::XmfFormat::info(xmf::read(write_raw(quad(false)))->value, {});
    EXPECT_EQ(info["layout"], "P3 N T UVf C0, I16");
    EXPECT_EQ(info["counts"], Json({{"vertices", 4}, {"triangles", 2}, {"buffers", 2}, {"materials", 2}}));
    EXPECT_EQ(info["bounds"]["min"], Json({-3, 0, 1}));
    EXPECT_EQ(info["bounds"]["max"], Json({0, 2, 1}));
    EXPECT_EQ(info["materials"][1], Json({{"name", "hull.glass"}, {"first_index", 3}, {"triangles", 1}}));
    EXPECT_EQ(info["collision"], false);
}

TEST(XmfInfo, GuessesTheProducer) {
    RawMesh mesh = quad(false);
    EXPECT_EQ(egosoft::XmfFormat::info(xmf::read(write_raw(mesh))->value, {})["producer"], "Egosoft's public tools");
    mesh.garbage = true;
    EXPECT_EQ(egosoft::XmfFormat::info(xmf::read(write_raw(mesh))->value, {})["producer"],
              "XRConverters or a relative");
}

TEST(Xmf, IsRecognisedByItsFirstBytes) {
    const Bytes bytes = write_raw(quad(false));
    EXPECT_TRUE(egosoft::looks_like_xmf(bytes));
    EXPECT_FALSE(egosoft::looks_like_xmf(std::span(bytes).first(3)));
}

}  // namespace
}  // namespace effigy::test
