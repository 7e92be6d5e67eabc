/// Puts XMF files together byte by byte.

#include "egosoft/raw_xmf.hpp"

#include <algorithm>
#include <stdexcept>
#include <zlib.h>

namespace effigy::test {

namespace {

Bytes stored_of(const RawBuffer& buffer) {
    if (buffer.stored) return *buffer.stored;
    return buffer.compressed ? zlib_stream(buffer.content, buffer.level) : buffer.content;
}

void write_header(RawBytes& file, const RawMesh& mesh) {
    RawBytes header(mesh.big);
    header.text("XUMF", 4).u8(mesh.version).u8(mesh.big ? 1 : 0).u8(mesh.header_size).u8(mesh.garbage ? 0x7f : 0);
    header.u8(static_cast<unsigned>(mesh.buffers.size())).u8(mesh.descriptor_size);
    header.u8(static_cast<unsigned>(mesh.materials.size())).u8(mesh.material_size);
    header.u8(mesh.garbage ? 0xcd : 0).u8(mesh.garbage ? 0xab : 0);
    header.u32(mesh.garbage ? 0xcccccccc : mesh.vertices).u32(mesh.garbage ? 0x12345678 : mesh.indices);
    header.u32(mesh.primitive).u32(1).f32s({0, 0, 0}).f32s({0, 0, 0}).raw({0, 0, 0x84, 0x80, 0, 0, 0, 0, 0, 0});
    file.raw(header.resize(mesh.header_size, 0xee).bytes());
}

void write_descriptor(RawBytes& file, const RawMesh& mesh, const RawBuffer& buffer, std::size_t offset,
                      std::size_t stored) {
    RawBytes descriptor(mesh.big);
    descriptor.u32(buffer.kind).u32(buffer.usage_index).u32(buffer.offset.value_or(static_cast<std::uint32_t>(offset)));
    descriptor.u32(buffer.compressed ? 1 : 0).u32(0).u32(buffer.format);
    descriptor.u32(buffer.stored_size.value_or(static_cast<std::uint32_t>(stored)));
    descriptor.u32(buffer.item_count).u32(buffer.item_size).u32(buffer.section_count);
    descriptor.f64(buffer.minimum).f64(buffer.maximum);
    descriptor.u32(buffer.element_count.value_or(static_cast<std::uint32_t>(buffer.elements.size())));
    for (const RawElement& element : buffer.elements)
        descriptor.u32(element.type).u8(element.usage).u8(element.index).u8(mesh.slot_filling).u8(mesh.slot_filling);
    file.raw(descriptor.resize(mesh.descriptor_size, mesh.slot_filling).bytes());
}

/// x, y, z of a quad in the plane z = 1; seen from the side of smaller z.
constexpr float corners[4][3] = {{0, 0, 1}, {0, 2, 1}, {3, 0, 1}, {3, 2, 1}};

Bytes u16_indices(bool big) { return RawBytes(big).u16s({0, 2, 1, 1, 2, 3}).bytes(); }
Bytes u32_indices(bool big) { return RawBytes(big).u32s({0, 2, 1, 1, 2, 3}).bytes(); }

RawBuffer index_buffer(bool big, bool wide = false) {
    RawBuffer buffer;
    buffer.kind = 30;
    buffer.format = wide ? 31 : 30;
    buffer.item_count = 6;
    buffer.item_size = wide ? 4 : 2;
    buffer.content = wide ? u32_indices(big) : u16_indices(big);
    buffer.maximum = 3;
    return buffer;
}

RawBuffer implicit(unsigned kind, unsigned format, unsigned size, Bytes content, unsigned usage_index = 0) {
    RawBuffer buffer;
    buffer.kind = kind;
    buffer.format = format;
    buffer.usage_index = usage_index;
    buffer.item_count = 4;
    buffer.item_size = size;
    buffer.content = std::move(content);
    return buffer;
}

Bytes float_positions(bool big) {
    RawBytes bytes(big);
    for (const auto& corner : corners) bytes.f32s({corner[0], corner[1], corner[2]});
    return bytes.bytes();
}
/// 0, 1, 2, 3 and the ones for w as 16-bit floats.
Bytes half_positions(bool big) {
    constexpr unsigned halves[4] = {0, 0x3c00, 0x4000, 0x4200};
    RawBytes bytes(big);
    for (const auto& corner : corners) {
        for (const float number : corner) bytes.u16(halves[static_cast<unsigned>(number)]);
        bytes.u16(0);
    }
    return bytes.bytes();
}
Bytes four_times(std::initializer_list<unsigned> bytes) {
    RawBytes all;
    for (unsigned vertex = 0; vertex < 4; ++vertex) all.raw(bytes);
    return all.bytes();
}

/// A quad of separate streams with descriptors of 56 bytes, as X Rebirth has them; `more` further UV streams.
RawMesh streams(bool big, unsigned more) {
    RawMesh mesh;
    mesh.big = big;
    mesh.descriptor_size = 56;
    mesh.vertices = 4;
    mesh.indices = 6;
    mesh.buffers.push_back(implicit(0, 16, 8, half_positions(big)));
    mesh.buffers.push_back(implicit(2, 4, 4, four_times({0, 128, 128, 255})));
    mesh.buffers.push_back(implicit(4, 4, 4, four_times({128, 128, 0, 0})));
    mesh.buffers.push_back(implicit(8, 4, 4, four_times({10, 20, 30, 102})));
    mesh.buffers.push_back(implicit(8, 4, 4, four_times({40, 50, 60, 70}), 1));
    for (unsigned set = 0; set < more; ++set) {
        const Bytes uvs = RawBytes(big).u16s({0, 0, 0, 0x3c00, 0x3c00, 0, 0x3c00, 0x3c00}).bytes();
        mesh.buffers.push_back(implicit(6, 15, 4, uvs, set));
    }
    mesh.buffers.push_back(index_buffer(big));
    mesh.materials = {{0, 6, "hull.panel"}};
    return mesh;
}

RawMesh multi_stream(bool big) { return streams(big, 1); }
RawMesh eleven_buffers(bool big) { return streams(big, 5); }
RawMesh max_buffers(bool big) { return streams(big, 249); }

/// An element of every type, with every usage.
RawMesh every_type(bool big) {
    RawMesh mesh = quad(big);
    RawBuffer& buffer = mesh.buffers.front();
    buffer.elements.clear();
    RawBytes vertex(big);
    constexpr unsigned sizes[16] = {4, 8, 12, 16, 4, 4, 4, 8, 4, 4, 8, 4, 8, 4, 4, 4};
    buffer.item_size = 0;
    for (unsigned type = 0; type < 16; ++type) {
        // Positions first, whatever their type; the other usages in turn.
        const unsigned usage = type == 2 ? 0 : type < 2 ? type + 12 : type - 2;
        buffer.elements.push_back({type, usage, type == 15 ? 1u : 0u});
        buffer.item_size += sizes[type];
    }
    for (unsigned corner = 0; corner < 4; ++corner) {
        vertex.f32(0.5f).f32s({0.25f, 0.75f}).f32s({corners[corner][0], corners[corner][1], corners[corner][2]});
        vertex.f32s({1, 2, 3, 4}).raw({1, 2, 3, 4}).raw({5, 6, 7, 8}).u16s({0xffff, 2}).u16s({1, 0x8001, 3, 4});
        vertex.raw({0, 255, 51, 102}).u16s({0x7fff, 0x8001}).u16s({0x7fff, 0, 0x8001, 0x4000});
        vertex.u16s({0xffff, 0x3333}).u16s({0xffff, 0, 0x3333, 0x6666}).u32(0x3ff << 20 | 5 << 10 | 7);
        vertex.u32(0x1ffu << 20 | 0x201u << 10 | 0).u16s({0x3c00, 0xc000});
    }
    buffer.content = vertex.bytes();
    return mesh;
}

template <unsigned size>
RawMesh descriptor_of(bool big) {
    RawMesh mesh = collision_quad(big);
    mesh.descriptor_size = size;
    return mesh;
}
template <unsigned size>
RawMesh header_of(bool big) {
    RawMesh mesh = collision_quad(big);
    mesh.header_size = size;
    return mesh;
}
template <unsigned size>
RawMesh material_of(bool big) {
    RawMesh mesh = quad(big);
    mesh.material_size = size;
    return mesh;
}
template <int level>
RawMesh level_of(bool big) {
    RawMesh mesh = quad(big);
    for (RawBuffer& buffer : mesh.buffers) buffer.level = level;
    return mesh;
}

RawMesh uncompressed(bool big) {
    RawMesh mesh = quad(big);
    for (RawBuffer& buffer : mesh.buffers) buffer.compressed = false;
    return mesh;
}

RawMesh sections(bool big) {
    RawMesh mesh = collision_quad(big);
    mesh.buffers[0].item_count = 2;
    mesh.buffers[0].section_count = 2;
    mesh.buffers[1].item_count = 2;
    mesh.buffers[1].section_count = 3;
    return mesh;
}

RawMesh with_garbage(bool big) {
    RawMesh mesh = quad(big);
    mesh.garbage = true;
    mesh.slot_filling = 0xcd;
    mesh.buffers[0].format = 0;
    return mesh;
}

RawMesh nothing(bool big) {
    RawMesh mesh;
    mesh.big = big;
    return mesh;
}

RawMesh without_items(bool big) {
    RawMesh mesh = collision_quad(big);
    for (RawBuffer& buffer : mesh.buffers) {
        buffer.item_count = 0;
        buffer.content.clear();
    }
    return mesh;
}

RawMesh without_materials(bool big) {
    RawMesh mesh = quad(big);
    mesh.materials.clear();
    return mesh;
}

RawMesh gaps(bool big) {
    RawMesh mesh = quad(big);
    mesh.gap = RawBytes().raw({1, 2, 3}).bytes();
    return mesh;
}
RawMesh trailing(bool big) {
    RawMesh mesh = quad(big);
    mesh.trailing = RawBytes().raw({9, 8}).bytes();
    return mesh;
}
RawMesh damaged(bool big) {
    RawMesh mesh = quad(big);
    mesh.buffers[0].stored = zlib_stream(mesh.buffers[0].content);
    (*mesh.buffers[0].stored)[5] ^= std::byte{0x55};
    return mesh;
}
RawMesh no_stream(bool big) {
    RawMesh mesh = quad(big);
    mesh.buffers[0].stored = RawBytes().repeat(0x41, 40).bytes();
    return mesh;
}
/// A stream of a mebibyte behind a descriptor of a few bytes.
RawMesh bomb(bool big) {
    RawMesh mesh = quad(big);
    mesh.buffers[0].stored = zlib_stream(RawBytes().repeat(0, 1 << 20).bytes());
    return mesh;
}
RawMesh short_stream(bool big) {
    RawMesh mesh = quad(big);
    Bytes less = mesh.buffers[1].content;
    less.resize(less.size() - 2);
    mesh.buffers[1].stored = zlib_stream(less);
    return mesh;
}
/// More than any stream of this size can hold, so that nobody need make room to find out.
RawMesh impossible_size(bool big) {
    RawMesh mesh = quad(big);
    mesh.buffers[1].item_count = 0x7fffffff;
    return mesh;
}
RawMesh short_plain(bool big) {
    RawMesh mesh = uncompressed(big);
    mesh.buffers[1].content.resize(10);
    return mesh;
}
RawMesh overlong(bool big) {
    RawMesh mesh = quad(big);
    mesh.buffers[1].stored = RawBytes().raw(zlib_stream(mesh.buffers[1].content)).raw({7, 7}).bytes();
    return mesh;
}
RawMesh overlong_plain(bool big) {
    RawMesh mesh = uncompressed(big);
    mesh.buffers[1].content.push_back(std::byte{7});
    return mesh;
}
RawMesh overflow(bool big) {
    RawMesh mesh = quad(big);
    mesh.buffers[0].item_count = mesh.buffers[0].item_size = mesh.buffers[0].section_count = 0xffffffff;
    return mesh;
}
RawMesh outside(bool big) {
    RawMesh mesh = quad(big);
    mesh.buffers[1].offset = 0xfffffff0;
    return mesh;
}
RawMesh reaching_out(bool big) {
    RawMesh mesh = quad(big);
    mesh.buffers[1].stored_size = 0x7fffffff;
    return mesh;
}
RawMesh overlapping(bool big) {
    RawMesh mesh = collision_quad(big);
    mesh.buffers[1].offset = 0;
    mesh.buffers[1].stored_size = static_cast<std::uint32_t>(zlib_stream(mesh.buffers[0].content).size());
    mesh.buffers[1].item_count = 12;  // the same bytes, taken for indices
    mesh.buffers[1].stored = Bytes();
    return mesh;
}
RawMesh out_of_order(bool big) {
    RawMesh mesh = collision_quad(big);
    const auto size = static_cast<std::uint32_t>(zlib_stream(mesh.buffers[0].content).size());
    const std::vector<RawBuffer> buffers = mesh.buffers;
    mesh.buffers = {buffers[1], buffers[0]};
    const auto other = static_cast<std::uint32_t>(zlib_stream(mesh.buffers[0].content).size());
    mesh.buffers[0].offset = size;
    mesh.buffers[1].offset = 0;
    mesh.buffers[0].stored = zlib_stream(mesh.buffers[1].content);
    mesh.buffers[0].stored_size = other;
    mesh.buffers[1].stored = zlib_stream(u32_indices(big));
    mesh.buffers[1].stored_size = size;
    return mesh;
}

}  // namespace

Bytes zlib_stream(const Bytes& content, int level) {
    uLongf size = compressBound(static_cast<uLong>(content.size()));
    Bytes stream(size);
    if (compress2(reinterpret_cast<Bytef*>(stream.data()), &size, reinterpret_cast<const Bytef*>(content.data()),
                  static_cast<uLong>(content.size()), level) != Z_OK) {
        throw std::runtime_error("zlib");
    }
    stream.resize(size);
    return stream;
}

Bytes write_raw(const RawMesh& mesh) {
    RawBytes file(mesh.big), data;
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const RawBuffer& buffer : mesh.buffers) {
        if (!places.empty()) data.raw(mesh.gap);
        const Bytes stored = stored_of(buffer);
        places.emplace_back(data.bytes().size(), stored.size());
        data.raw(stored);
    }
    data.raw(mesh.trailing);
    write_header(file, mesh);
    for (std::size_t index = 0; index < mesh.buffers.size(); ++index)
        write_descriptor(file, mesh, mesh.buffers[index], places[index].first, places[index].second);
    for (const RawMaterial& material : mesh.materials) {
        RawBytes record(mesh.big);
        record.u32(material.first).u32(material.count).text(material.name, 128);
        file.raw(record.resize(mesh.material_size, 0xdd).bytes());
    }
    return file.raw(data.bytes()).bytes();
}

RawMesh quad(bool big) {
    RawMesh mesh;
    mesh.big = big;
    mesh.vertices = 4;
    mesh.indices = 6;
    RawBuffer buffer;
    buffer.format = 32;
    buffer.item_count = 4;
    buffer.item_size = 32;
    buffer.elements = {{2, 0}, {4, 3}, {4, 6}, {1, 5}, {4, 10}};
    RawBytes vertices(big);
    for (const auto& corner : corners) {
        vertices.f32s({corner[0], corner[1], corner[2]});
        vertices.raw({0, 128, 128, 0}).raw({128, 128, 0, 0});  // along -z; tangent along -x
        vertices.f32s({corner[0] / 3, 1 - corner[1] / 2}).raw({1, 2, 3, 102});
    }
    buffer.content = vertices.bytes();
    mesh.buffers = {buffer, index_buffer(big)};
    mesh.materials = {{0, 3, "hull.panel"}, {3, 3, "hull.glass"}};
    return mesh;
}

RawMesh collision_quad(bool big) {
    RawMesh mesh;
    mesh.big = big;
    mesh.vertices = 4;
    mesh.indices = 6;
    mesh.buffers = {implicit(0, 2, 12, float_positions(big)), index_buffer(big, true)};
    mesh.buffers[0].maximum = 3;
    return mesh;
}

std::vector<XmfFixture> sound_meshes() {
    return {{"Quad", quad},
            {"Collision", collision_quad},
            {"MultiStream", multi_stream},
            {"ElevenBuffers", eleven_buffers},
            {"MostBuffers", max_buffers},
            {"EveryType", every_type},
            {"Descriptor40", descriptor_of<40>},
            {"Descriptor47", descriptor_of<47>},
            {"Descriptor56", descriptor_of<56>},
            {"Descriptor60", descriptor_of<60>},
            {"Descriptor100", descriptor_of<100>},
            {"Descriptor255", descriptor_of<255>},
            {"Header26", header_of<26>},
            {"Header40", header_of<40>},
            {"Header63", header_of<63>},
            {"Header255", header_of<255>},
            {"Material8", material_of<8>},
            {"Material20", material_of<20>},
            {"Material200", material_of<200>},
            {"Level0", level_of<0>},
            {"Level1", level_of<1>},
            {"Level6", level_of<6>},
            {"Uncompressed", uncompressed},
            {"Sections", sections},
            {"Garbage", with_garbage},
            {"Nothing", nothing},
            {"WithoutItems", without_items},
            {"WithoutMaterials", without_materials}};
}

std::vector<LyingFixture> lying_meshes() {
    return {{{"Gaps", gaps}, "stream-gap"},
            {{"Trailing", trailing}, "stream-trailing"},
            {{"Damaged", damaged}, "stream-damaged"},
            {{"NoStream", no_stream}, "stream-damaged"},
            {{"Bomb", bomb}, "stream-too-long"},
            {{"Short", short_stream}, "stream-too-short"},
            {{"ImpossibleSize", impossible_size}, "stream-too-short"},
            {{"ShortPlain", short_plain}, "stream-too-short"},
            {{"Overlong", overlong}, "stream-extra-bytes"},
            {{"OverlongPlain", overlong_plain}, "stream-extra-bytes"},
            {{"Overflow", overflow}, "stream-size"},
            {{"Outside", outside}, "stream-outside"},
            {{"ReachingOut", reaching_out}, "stream-outside"},
            {{"Overlapping", overlapping}, "stream-overlap"},
            {{"OutOfOrder", out_of_order}, "stream-order"}};
}

}  // namespace effigy::test
