/// Reading, writing and dumps of .glb and .gltf as they stand: header, chunks, padding.

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "effigy/gltf_file.hpp"

#include "core/byte_fields.hpp"
#include "core/byte_source.hpp"
#include "core/text.hpp"
#include "core/whole_file.hpp"
#include "gltf/file/format.hpp"
#include "gltf/file/layout_glb.hpp"
#include "gltf/file/rules.hpp"

namespace effigy::gltf {
namespace {

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
