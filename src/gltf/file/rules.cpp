/// Rules for .glb and .gltf as they stand: header, chunks, lengths, padding.

#include "gltf/file/rules.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "effigy/gltf_codes.hpp"

#include "gltf/file/asset_problems.hpp"
#include "gltf/file/asset_rules.hpp"
#include "gltf/file/layout_glb.hpp"

namespace effigy::gltf {
namespace {

constexpr std::uint64_t version_offset = 4, length_offset = 8;

struct Range {
    std::uint64_t offset = no_offset;
    std::uint64_t length = 0;
};

void add(Report& report, Range range, Diagnostic finding) {
    finding.offset = range.offset;
    finding.length = range.length;
    report.add(std::move(finding));
}

std::string hex_text(std::uint32_t value) {
    std::string text = "0x";
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[(value >> shift) & 15u];
    return text;
}

void check_text(const File& file, Report& report) {
    const std::size_t mark = file.text.size() - without_mark(file.text).size();
    if (mark != 0)
        add(report, {0, mark},
            problem_at({}, codes::gltf_mark, "a byte order mark stands before the JSON, which some readers refuse"));
    constexpr std::array<std::byte, 4> magic{std::byte{'g'}, std::byte{'l'}, std::byte{'T'}, std::byte{'F'}};
    if (file.text.size() < magic.size() || !std::equal(magic.begin(), magic.end(), file.text.begin())) return;
    add(report, {0, file.text.size()},
        problem_at({}, codes::gltf_header, "the file ends within the header of a .glb, and so says nothing",
                   std::to_string(file.text.size()) + " bytes", "12 bytes or more"));
}

void check_header(const File& file, std::uint64_t size, Report& report) {
    if (file.version != 2)
        add(report, {version_offset, 4},
            problem_at("version", codes::gltf_version, "only version 2 of .glb is known", std::to_string(file.version),
                       "2"));
    if (file.declared_length != size)
        add(report, {length_offset, 4},
            problem_at("length", codes::gltf_length, "the file is not as long as it says; other readers may refuse it",
                       std::to_string(file.declared_length), std::to_string(size)));
}

/// JSON is filled up with spaces. What fills up a buffer cannot be told from its data.
void check_padding(const Chunk& chunk, const std::string& path, std::uint64_t offset, Report& report) {
    if (chunk.bytes.size() % 4 != 0)
        add(report, {offset, 4},
            problem_at(path, codes::gltf_padding,
                       "the length of a chunk is no multiple of 4; other readers may refuse the "
                       "file",
                       std::to_string(chunk.bytes.size())));
    if (chunk.type == json_chunk && !chunk.bytes.empty() && chunk.bytes.back() == std::byte{0})
        add(report, {offset + chunk_header_size + chunk.bytes.size() - 1, 1},
            problem_at(path, codes::gltf_padding, "the JSON is filled up with zeros instead of spaces"));
}

void check_kind(const Chunk& chunk, std::size_t number, const std::string& path, std::uint64_t offset, Report& report) {
    const Range type{offset + 4, 4};
    const bool is_json = chunk.type == json_chunk, is_binary = chunk.type == binary_chunk;
    if (number == 0 && !is_json)
        add(report, type,
            problem_at(path, codes::gltf_chunk_order, "the first chunk of a .glb must be its JSON",
                       hex_text(chunk.type), hex_text(json_chunk)));
    if ((number > 0 && is_json) || (number > 1 && is_binary))
        add(report, type,
            problem_at(path, codes::gltf_chunk_order.as(Severity::warning),
                       "a chunk stands where readers do not look for it; it is kept, and "
                       "means nothing",
                       hex_text(chunk.type)));
    if (!is_json && !is_binary)
        add(report, type,
            problem_at(path, codes::gltf_chunk_unknown, "a chunk of a kind that glTF does not know is kept as it is",
                       hex_text(chunk.type)));
}

void check_trailing(const File& file, std::uint64_t offset, Report& report) {
    if (file.trailing.empty()) return;
    const bool is_cut = offset < file.declared_length;
    add(report, {offset, file.trailing.size()},
        is_cut ? problem_at("trailing", codes::gltf_chunk_truncated, "a chunk is cut off: the file ends before it does")
               : problem_at("trailing", codes::gltf_trailing, {}, std::to_string(file.trailing.size()) + " bytes"));
}

}  // namespace

void check_parts(const File& file, std::uint64_t size, Report& report) {
    if (!file.is_binary) return check_text(file, report);
    check_header(file, size, report);
    std::uint64_t offset = glb_header_size;
    for (std::size_t i = 0; i < file.chunks.size(); ++i) {
        const Chunk& chunk = file.chunks[i];
        const std::string path = place("chunk", i);
        check_kind(chunk, i, path, offset, report);
        check_padding(chunk, path, offset, report);
        offset += chunk_header_size + chunk.bytes.size();
    }
    if (file.chunks.empty())
        add(report, {}, problem_at({}, codes::gltf_chunk_order, "the .glb has no chunk, and so no JSON"));
    check_trailing(file, offset, report);
}

}  // namespace effigy::gltf
