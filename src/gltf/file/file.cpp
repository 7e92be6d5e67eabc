/// .glb and .gltf as they stand: the layout of a header and chunks that each say how long they are; reading, writing,
/// dumps and rules.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "effigy/gltf_codes.hpp"
#include "effigy/gltf_file.hpp"

#include "core/access.hpp"
#include "core/byte_fields.hpp"
#include "core/byte_source.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/whole_file.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/format.hpp"

namespace effigy::gltf {

namespace {

using layout::Access;

inline constexpr std::array<char, 4> glb_magic{'g', 'l', 'T', 'F'};
inline constexpr std::uint64_t glb_header_size = 12, chunk_header_size = 8;

/// What is not in the file's own bytes when it is read.
struct GlbPlan {
    std::uint64_t chunks = 0;    ///< whole ones
    std::uint64_t trailing = 0;  ///< bytes behind them
};

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Chunk>& chunk) {
    v.count("length", "bytes", chunk.bytes, 1);
    v.field("type", chunk.type);
    v.bulk("bytes", chunk.bytes);
}

template <class Visitor>
void layout_glb(Visitor& v, Access<Visitor, File>& file, [[maybe_unused]] const GlbPlan& plan) {
    std::array<char, 4> magic = glb_magic;
    v.field("magic", magic);
    if constexpr (Visitor::reading) {
        if (v.ok() && magic != glb_magic)
            return v.fail(problem_at("magic", codes::build_value, "a .glb begins with another word",
                                     std::string(magic.data(), magic.size()), "glTF"));
    }
    v.field("version", file.version);
    v.field("length", file.declared_length);
    const auto visit = [&](auto& chunk) { layout(v, chunk); };
    if constexpr (Visitor::reading) {
        v.each("chunk", file.chunks, plan.chunks, chunk_header_size, visit);
        if (plan.trailing != 0 || v.source().stated_length("trailing", 1))
            v.bulk("trailing", file.trailing, plan.trailing);
    } else {
        v.each("chunk", file.chunks, visit);
        if (!file.trailing.empty()) v.bulk("trailing", file.trailing);
    }
}

/// A .gltf is its text, and so is a .glb that ends within its header.
template <class Visitor>
void layout(Visitor& v, Access<Visitor, File>& file, const GlbPlan& plan) {
    if (file.is_binary) return layout_glb(v, file, plan);
    if constexpr (Visitor::reading) {
        v.bulk("text", file.text, plan.trailing);
    } else {
        v.bulk("text", file.text);
    }
}

auto walk_of(const File& file) {
    return [&file](auto& visitor) { layout(visitor, file, GlbPlan{}); };
}

bool begins_like_glb(ByteSource& source) {
    std::array<char, 4> magic{};
    return source.peek(magic.data(), magic.size()) && magic == glb_magic;
}

std::uint32_t word_at(ByteSource& source, std::uint64_t offset) {
    std::uint32_t word = 0;
    source.seek(offset);
    static_cast<void>(source.read(&word, sizeof word));
    return word;
}

/// The chunks that are whole. They end where the file says that it does, if that is the end of one of them; a length
/// that lies hides none.
GlbPlan plan_of(ByteSource& source) {
    GlbPlan plan;
    const std::uint64_t size = source.size(), declared = word_at(source, 8);
    std::uint64_t offset = glb_header_size;
    while (size - offset >= chunk_header_size && (offset != declared || plan.chunks == 0)) {
        const std::uint64_t length = word_at(source, offset);
        if (length > size - offset - chunk_header_size) break;
        offset += chunk_header_size + length;
        ++plan.chunks;
    }
    plan.trailing = size - offset;
    source.seek(0);
    return plan;
}

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

/// What is wrong with the parts, whatever they mean; `size`: bytes of the whole file.
void check_parts(const File& file, std::uint64_t size, Report& report) {
    if (!file.is_binary) return check_text(file, report);
    check_header(file, size, report);
    std::uint64_t offset = glb_header_size;
    for (std::size_t i = 0; i < file.chunks.size(); ++i) {
        const Chunk& chunk = file.chunks[i];
        const std::string path = element_path("chunk", i);
        check_kind(chunk, i, path, offset, report);
        check_padding(chunk, path, offset, report);
        offset += chunk_header_size + chunk.bytes.size();
    }
    if (file.chunks.empty())
        add(report, {}, problem_at({}, codes::gltf_chunk_order, "the .glb has no chunk, and so no JSON"));
    check_trailing(file, offset, report);
}

Result<Loaded<File>> read_parts(ByteSource source, const ReadOptions& options) {
    Loaded<File> loaded;
    loaded.value.is_binary = begins_like_glb(source) && source.size() >= glb_header_size;
    const GlbPlan plan = loaded.value.is_binary ? plan_of(source) : GlbPlan{0, source.size()};
    Budget budget(options.limits, source.size());
    layout::Path path;
    layout::ByteFields fields(source, false);
    layout::ReadVisitor<layout::ByteFields> visitor(fields, path, budget, options.limits);
    layout(visitor, loaded.value, plan);
    if (!visitor.ok()) return fail(*visitor.failure());
    check_parts(loaded.value, source.size(), loaded.report);
    return loaded;
}

/// Whether a dump begins with the field that only texts have.
bool is_text(const effigy::Json& nodes) {
    if (!nodes.is_array() || nodes.empty() || !nodes.front().is_object()) return false;
    const auto name = nodes.front().find("name");
    return name != nodes.front().end() && *name == "text";
}

/// Without what a length that lies left behind.
void normalize(File& file) {
    std::uint64_t length = glb_header_size;
    for (const Chunk& chunk : file.chunks) length += chunk_header_size + chunk.bytes.size();
    file.declared_length = static_cast<std::uint32_t>(std::min<std::uint64_t>(length, UINT32_MAX));
}

}  // namespace

Result<Loaded<File>> read(ByteSource source, const ReadOptions& options) {
    return without_exceptions([&] { return read_parts(std::move(source), options); });
}

Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options) {
    return read(ByteSource(bytes), options);
}

Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options) {
    return layout::read_file(path, [&](ByteSource source) { return read(std::move(source), options); });
}

Result<Bytes> write(const File& file, const effigy::WriteOptions& options) {
    return layout::write_as_asked(file, options, normalize,
                                  [](const File& as_asked) { return layout::to_bytes(walk_of(as_asked)); });
}

Result<void> write_parts(const File& file, const std::filesystem::path& path, const effigy::WriteOptions& options) {
    return layout::write_as_asked(file, options, normalize, [&](const File& as_asked) {
        return layout::to_file(walk_of(as_asked), path, options.fsync);
    });
}

Result<File> build(const effigy::Json& nodes, bool normalized, const Limits& limits) {
    File file;
    file.is_binary = !is_text(nodes);
    auto built = layout::from_dump(nodes, normalized, limits,
                                   [&](auto& visitor, layout::Path&) { layout(visitor, file, GlbPlan{}); });
    if (!built) return fail(std::move(built.error()));
    if (normalized) normalize(file);
    return file;
}

Result<effigy::Json> dump(const File& file, const DumpOptions& options) {
    return layout::dump_nodes(walk_of(file), options);
}

Result<std::string> hex_map(const File& file, const DumpOptions& options) {
    return layout::hex_map(walk_of(file), options);
}

}  // namespace effigy::gltf
