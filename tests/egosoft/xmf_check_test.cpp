// The rules for one XMF: each is broken once, and nothing else is said.

#include <algorithm>
#include <cstring>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>

#include "egosoft/check/check.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/raw_xmf.hpp"

namespace effigy::test {
namespace {

using Codes = std::set<std::string>;

Codes codes(const xmf::File& file, const char* name = "part-lod0.xmf") {
    CheckContext context;
    context.path = name;
    const Report report = egosoft::XmfFormat::check(file, context);
    Codes found;
    for (const Diagnostic& diagnostic : report.diagnostics()) {
        EXPECT_NE(diagnostic.message, "") << diagnostic.code;
        EXPECT_TRUE(diagnostic.path.empty() || diagnostic.offset != no_offset) << to_string(diagnostic);
        found.insert(diagnostic.code);
    }
    return found;
}

/// The quad with true counts, read, for `change` to break.
xmf::File sound() { return xmf::read(write_raw(quad(false)))->value; }

Codes after(const std::function<void(xmf::File&)>& change) {
    xmf::File file = sound();
    change(file);
    return codes(file);
}

Codes after_collision(const std::function<void(xmf::File&)>& change) {
    xmf::File file = xmf::read(write_raw(collision_quad(false)))->value;
    change(file);
    return codes(file, "part-collision.xmf");
}

void set_float(xmf::File& file, std::size_t vertex, std::size_t offset, float value) {
    std::memcpy(file.buffers[0].content.data() + vertex * 32 + offset, &value, 4);
}
void set_byte(xmf::File& file, std::size_t vertex, std::size_t offset, unsigned value) {
    file.buffers[0].content[vertex * 32 + offset] = static_cast<std::byte>(value);
}

TEST(XmfCheck, SoundFilesHaveNoFindings) {
    EXPECT_EQ(codes(sound()), Codes{});
    EXPECT_EQ(after_collision([](xmf::File&) {}), Codes{});
}

TEST(XmfCheck, Header) {
    EXPECT_EQ(after([](xmf::File& file) { file.header.version = 4; }), Codes{"xmf-version"});
    EXPECT_EQ(after([](xmf::File& file) { file.header.primitive_type = 5; }), Codes{"xmf-primitive"});
    EXPECT_EQ(after([](xmf::File& file) { file.header.vertex_count = 5; }), Codes{"xmf-header-counts"});
    EXPECT_EQ(after([](xmf::File& file) { file.header.index_count = 5; }), Codes{"xmf-header-counts"});
    EXPECT_EQ(after([](xmf::File& file) { file.header.vertex_count = file.header.index_count = 5; }),
              Codes{"xmf-header-counts"});
    EXPECT_EQ(after([](xmf::File& file) { file.header.reserved = 5; }), Codes{"xmf-header-reserved"});
    EXPECT_EQ(after([](xmf::File& file) { file.header.reserved_end[9] = 5; }), Codes{"xmf-header-reserved"});
    RawMesh mesh = quad(false);
    mesh.header_size = 70;
    EXPECT_EQ(codes(xmf::read(write_raw(mesh))->value), Codes{"xmf-header-size"});
    mesh = quad(false);
    mesh.descriptor_size = 190;
    EXPECT_EQ(codes(xmf::read(write_raw(mesh))->value), Codes{"xmf-record-size"});
    mesh = quad(true);
    Bytes bytes = write_raw(mesh);
    bytes[5] = std::byte{2};
    EXPECT_EQ(codes(xmf::read(bytes)->value), Codes{"xmf-endian"});
}

TEST(XmfCheck, Declarations) {
    using xmf::ElementType;
    EXPECT_EQ(after([](xmf::File& file) { file.buffers[0].format = 0; }), Codes{"xmf-format-zero"});
    EXPECT_EQ(after([](xmf::File& file) { file.buffers[0].format = 7; }), Codes{"xmf-format"});
    EXPECT_EQ(after([](xmf::File& file) { file.buffers[0].elements[4].type = ElementType::half4; }),
              Codes{"xmf-item-size"});
    EXPECT_EQ(after([](xmf::File& file) { file.buffers[0].elements[4].type = static_cast<ElementType>(99); }),
              (Codes{"xmf-item-size", "xmf-element-type"}));
    EXPECT_EQ(after([](xmf::File& file) { file.buffers[0].elements[file.buffers[0].element_count++] = {}; }), Codes{});
    EXPECT_EQ(after([](xmf::File& file) { file.buffers[0].elements[4].usage = static_cast<xmf::Usage>(99); }),
              Codes{"xmf-element-usage"});
    EXPECT_EQ(after([](xmf::File& file) { file.buffers[0].elements[4].usage = xmf::Usage::normal; }),
              Codes{"xmf-element-repeated"});
    EXPECT_EQ(after([](xmf::File& file) { file.buffers[0].elements[4].usage_index = 2; }), Codes{"xmf-sets-sparse"});
    EXPECT_THAT(after([](xmf::File& file) { file.buffers[0].element_count = 17; }),
                testing::Contains("xmf-element-count"));
    EXPECT_THAT(after([](xmf::File& file) { file.buffers[0].elements[0].usage = xmf::Usage::fog; }),
                testing::Contains("xmf-position-missing"));
    EXPECT_EQ(after([](xmf::File& file) { file.buffers[0].elements[1].usage = xmf::Usage::fog; }),
              Codes{"xmf-normal-missing"});
}

TEST(XmfCheck, Buffers) {
    EXPECT_THAT(after([](xmf::File& file) { file.buffers.pop_back(); }), testing::Contains("xmf-index-buffers"));
    EXPECT_THAT(after([](xmf::File& file) { file.buffers.erase(file.buffers.begin()); }),
                testing::Contains("xmf-vertex-buffers"));
    EXPECT_THAT(after([](xmf::File& file) {
                    file.buffers.push_back(file.buffers[0]);
                    file.buffers[2].item_count = 5;
                }),
                testing::Contains("xmf-vertex-counts"));
    EXPECT_THAT(after([](xmf::File& file) { file.buffers[0].section_count = 2; }), testing::Contains("xmf-sections"));
    RawMesh plain = quad(false);
    for (RawBuffer& buffer : plain.buffers) buffer.compressed = false;
    EXPECT_EQ(codes(xmf::read(write_raw(plain))->value), Codes{"xmf-uncompressed"});
}

TEST(XmfCheck, Indices) {
    EXPECT_EQ(after([](xmf::File& file) { file.buffers[1].format = 31; }), Codes{"xmf-index-format"});
    EXPECT_EQ(after([](xmf::File& file) { file.buffers[1].content[0] = std::byte{4}; }), Codes{"xmf-index-range"});
    EXPECT_EQ(after([](xmf::File& file) { file.buffers[1].maximum = 9; }), Codes{"xmf-range"});
    RawMesh mesh = quad(false);
    mesh.indices = 5;
    mesh.buffers[1].item_count = 5;
    mesh.buffers[1].content.resize(10);
    mesh.materials = {{0, 3, "a.b"}, {3, 2, "a.c"}};
    EXPECT_EQ(codes(xmf::read(write_raw(mesh))->value), (Codes{"xmf-index-count", "xmf-material-count"}));
    mesh.indices = mesh.buffers[1].item_count = 0;
    mesh.buffers[1].content.clear();
    mesh.materials.clear();
    EXPECT_EQ(codes(xmf::read(write_raw(mesh))->value), Codes{"xmf-triangles-missing"});
    mesh = quad(false);
    mesh.buffers[1] = collision_quad(false).buffers[1];
    EXPECT_EQ(codes(xmf::read(write_raw(mesh))->value), Codes{"xmf-index-width"});
}

TEST(XmfCheck, Materials) {
    EXPECT_EQ(after([](xmf::File& file) { file.materials.clear(); }), Codes{"xmf-materials-missing"});
    EXPECT_EQ(after([](xmf::File& file) { file.materials[1].index_count = 6; }),
              (Codes{"xmf-material-range", "xmf-material-sum"}));
    EXPECT_EQ(after([](xmf::File& file) { file.materials[1].first_index = 0; }), Codes{"xmf-material-order"});
    EXPECT_EQ(after([](xmf::File& file) { file.materials[1].index_count = 0; }), Codes{"xmf-material-sum"});
    const auto named = [](const char* name) {
        return [name](xmf::File& file) {
            file.materials[0].name = {};
            std::copy_n(name, std::strlen(name), file.materials[0].name.begin());
        };
    };
    EXPECT_EQ(after(named("nodot")), Codes{"xmf-material-name"});
    EXPECT_EQ(after(named("")), Codes{"xmf-material-name"});
    EXPECT_EQ(after(named("a.b.c")), Codes{"xmf-material-name"});
    EXPECT_EQ(after(named("standardmaterial")), Codes{});
    EXPECT_EQ(after([](xmf::File& file) {
                  file.materials[0].name.fill('x');
                  file.materials[0].name[3] = '.';
              }),
              Codes{"xmf-material-name-end"});
}

TEST(XmfCheck, Collision) {
    EXPECT_EQ(codes(sound(), "part-COLLISION1.xmf"), (Codes{"xmf-collision-stream", "xmf-collision-indices"}));
    EXPECT_EQ(codes(sound(), "part_collision-lod0.xmf"), Codes{});
    EXPECT_EQ(after_collision([](xmf::File& file) { file.buffers[0].kind = 2; }),
              (Codes{"xmf-collision-stream", "xmf-position-missing"}));
    RawMesh mesh = collision_quad(false);
    mesh.buffers[1] = quad(false).buffers[1];
    EXPECT_EQ(codes(xmf::read(write_raw(mesh))->value), Codes{"xmf-collision-indices"});
    mesh = collision_quad(false);
    mesh.buffers[0].elements = {{2, 0}};
    mesh.buffers[0].format = 32;
    EXPECT_EQ(codes(xmf::read(write_raw(mesh))->value), Codes{"xmf-collision-stream"});
}

TEST(XmfCheck, Numbers) {
    EXPECT_EQ(after([](xmf::File& file) { set_float(file, 1, 24, std::numeric_limits<float>::infinity()); }),
              Codes{"xmf-not-finite"});
    EXPECT_EQ(after([](xmf::File& file) { set_byte(file, 1, 12, 128); }), Codes{"xmf-normal-length"});
    EXPECT_EQ(after_collision([](xmf::File& file) { file.buffers[0].maximum = 4; }), Codes{"xmf-range"});
    EXPECT_EQ(after_collision([](xmf::File& file) { file.buffers[0].minimum = -1; }), Codes{})
        << "the range of the positions before z was turned round";
    EXPECT_EQ(after_collision([](xmf::File& file) { file.buffers[0].minimum = -2; }), Codes{"xmf-range"});
}

TEST(XmfCheck, Triangles) {
    EXPECT_EQ(after([](xmf::File& file) { file.buffers[1].content[2] = std::byte{0}; }),
              Codes{"xmf-triangle-degenerate"});
    const auto turn_normals = [](xmf::File& file, std::size_t vertices) {
        for (std::size_t vertex = 0; vertex < vertices; ++vertex) set_byte(file, vertex, 12, 255);
    };
    EXPECT_THAT(after([&](xmf::File& file) { turn_normals(file, 4); }), testing::Contains("xmf-decal-inverted"));
    EXPECT_THAT(after([&](xmf::File& file) {
                    turn_normals(file, 4);
                    set_float(file, 3, 8, 2);
                }),
                testing::Contains("xmf-triangle-inverted"));
    EXPECT_THAT(after([&](xmf::File& file) {
                    turn_normals(file, 1);
                    set_byte(file, 1, 12, 255);
                }),
                testing::Contains("xmf-triangle-inverted-some"));
}

TEST(XmfCheck, GlassMayBeSeenFromInside) {
    for (const auto& [name, severity] :
         {std::pair{"p1.glass_trim_01", Severity::info}, {"p1.hull", Severity::warning}}) {
        xmf::File file = sound();
        for (std::size_t vertex = 0; vertex < 4; ++vertex) set_byte(file, vertex, 12, 255);
        set_float(file, 3, 8, 2);
        for (xmf::Material& material : file.materials) {
            material.name = {};
            std::strcpy(material.name.data(), name);
        }
        const Report report = xmf::check(file);
        const auto found = std::find_if(report.diagnostics().begin(), report.diagnostics().end(),
                                        [](const auto& one) { return one.code == "xmf-triangle-inverted"; });
        ASSERT_NE(found, report.diagnostics().end());
        EXPECT_EQ(found->severity, severity) << name;
    }
}

TEST(XmfCheck, Tangents) {
    const auto all = [](std::size_t offset, unsigned value) {
        return [=](xmf::File& file) {
            for (std::size_t vertex = 0; vertex < 4; ++vertex) set_byte(file, vertex, offset, value);
        };
    };
    EXPECT_EQ(after(all(19, 7)), Codes{"xmf-tangent-alpha"});
    EXPECT_EQ(after(all(15, 7)), Codes{"xmf-normal-alpha"});
    EXPECT_EQ(after(all(15, 255)), Codes{"xmf-tangent-sign"});
    EXPECT_THAT(after(all(18, 255)), testing::Contains("xmf-tangent-direction"));
    EXPECT_EQ(after([](xmf::File& file) {
                  for (std::size_t vertex = 0; vertex < 4; ++vertex)
                      set_float(file, vertex, 24, vertex % 2 == 0 ? 0 : 1);
              }),
              Codes{"xmf-tangent-unmarked"});
}

/// The quad with normals and tangents of type USHORT4N.
void widen(xmf::File& file) {
    xmf::Buffer& vertices = file.buffers[0];
    const Bytes narrow = vertices.content;
    vertices.content.clear();
    for (std::size_t vertex = 0; vertex < 4; ++vertex) {
        const std::byte* const from = narrow.data() + vertex * 32;
        const auto copy = [&](int first, int last) {
            vertices.content.insert(vertices.content.end(), from + first, from + last);
        };
        copy(0, 12);
        // b / 255 is as much as 257 b / 65535: the same byte twice.
        for (const int channel : {14, 13, 12, 15, 18, 17, 16, 19}) {
            copy(channel, channel + 1);
            copy(channel, channel + 1);
        }
        copy(20, 32);
    }
    vertices.item_size = 40;
    vertices.elements[1].type = vertices.elements[2].type = xmf::ElementType::ushort4n;
    file = xmf::read(*xmf::write(file, {.normalize = true}))->value;
}

TEST(XmfCheck, DirectionsOfSixteenBits) {
    EXPECT_EQ(after(widen), Codes{});
    const auto all = [](std::size_t offset, std::uint16_t value) {
        return [=](xmf::File& file) {
            widen(file);
            for (std::size_t vertex = 0; vertex < 4; ++vertex)
                std::memcpy(file.buffers[0].content.data() + vertex * 40 + offset, &value, sizeof value);
        };
    };
    EXPECT_EQ(after(all(12 + 4, 30000)), Codes{"xmf-normal-length"});
    EXPECT_EQ(after(all(20 + 6, 255)), Codes{"xmf-tangent-alpha"});
    EXPECT_EQ(after(all(12 + 6, 255)), Codes{"xmf-normal-alpha"});
    EXPECT_EQ(after(all(12 + 6, 65535)), Codes{"xmf-tangent-sign"});
    EXPECT_THAT(after(all(20, 65535)), testing::Contains("xmf-tangent-direction"));
}

}  // namespace
}  // namespace effigy::test
