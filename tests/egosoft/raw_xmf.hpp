#pragma once
/// XMF files written by hand from the tables of docs/formats/xmf.md, true or lying.

#include <optional>
#include <string>
#include <vector>

#include "egosoft/raw_bytes.hpp"

namespace effigy::test {

struct RawElement {
    unsigned type, usage, index = 0;
};

struct RawBuffer {
    unsigned kind = 0, usage_index = 0, format = 2;
    std::uint32_t item_count = 0, item_size = 0, section_count = 1;
    Bytes content;  ///< in the file's byte order
    std::vector<RawElement> elements = {};
    double minimum = 0, maximum = 0;
    bool compressed = true;
    int level = 9;
    std::optional<std::uint32_t> element_count = {};  ///< a lie
    std::optional<std::uint32_t> offset = {};         ///< a lie
    std::optional<std::uint32_t> stored_size = {};    ///< a lie
    std::optional<Bytes> stored = {};                 ///< instead of the content's own stream
};

struct RawMaterial {
    std::uint32_t first, count;
    std::string name;
};

struct RawMesh {
    bool big = false;
    unsigned version = 3, header_size = 64, descriptor_size = 188, material_size = 136, primitive = 4;
    unsigned slot_filling = 0;  ///< of unused slots and padding
    bool garbage = false;       ///< in the reserved bytes and counts of the header, as XRConverters leaves it
    std::uint32_t vertices = 0, indices = 0;
    std::vector<RawBuffer> buffers = {};
    std::vector<RawMaterial> materials = {};
    Bytes gap = {};       ///< before each stream but the first
    Bytes trailing = {};  ///< after the last one
};

[[nodiscard]] Bytes zlib_stream(const Bytes& content, int level = 9);
[[nodiscard]] Bytes write_raw(const RawMesh& mesh);

struct XmfFixture {
    std::string name;
    RawMesh (*make)(bool big);
    [[nodiscard]] Bytes bytes(bool big) const { return write_raw(make(big)); }
};

/// Files without errors of any kind.
[[nodiscard]] std::vector<XmfFixture> sound_meshes();
/// Files with a lie each, which can be read all the same; `code` is the finding of reading.
struct LyingFixture {
    XmfFixture fixture;
    std::string code;
};
[[nodiscard]] std::vector<LyingFixture> lying_meshes();

/// Two triangles of four vertices with P3 N T UVf C0, 16-bit indices and two materials.
[[nodiscard]] RawMesh quad(bool big);
/// The same four positions as the games have collision meshes.
[[nodiscard]] RawMesh collision_quad(bool big);

}  // namespace effigy::test
