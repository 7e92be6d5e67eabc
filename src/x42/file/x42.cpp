/// Reading, writing, dumps and offsets of X42 models.

#include "effigy/x42.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "effigy/core_codes.hpp"

#include "core/byte_fields.hpp"
#include "core/byte_source.hpp"
#include "core/whole_file.hpp"
#include "x42/file/layout_x42.hpp"
#include "x42/file/x42_format.hpp"

namespace effigy::x42 {

namespace {

constexpr std::uint64_t nothing_left() noexcept { return 0; }

/// One behind the last section that has elements.
std::size_t sections_end(const File& file) noexcept {
    std::size_t end = 0;
    each_section(file, [&](Section section, const auto& array) {
        if (!array.empty()) end = number_of(section) + 1;
    });
    return end;
}

auto walk_of(const File& file) {
    return [&file](auto& visitor) {
        Walk walk;
        walk.cut_off = is_cut_off(file);
        if (walk.cut_off) walk.padded = sections_end(file);
        layout(visitor, file, walk, nothing_left);
    };
}

/// An optional section that does not have all of its elements is worth nothing.
template <class Array>
void drop_incomplete(File& file, std::uint16_t flag, Array& array) {
    if (array.size() == file.vertices.size()) return;
    array.clear();
    file.header.model_flags = static_cast<std::uint16_t>(file.header.model_flags & ~flag);
}

/// Groups whose blend bytes are not all there lose their influences, and so do those behind them.
void drop_incomplete_blend(File& file) {
    std::uint64_t kept = 0;
    bool is_whole = true;
    for (Group& group : file.groups) {
        const std::uint64_t size = blend_size(group);
        is_whole = is_whole && size <= file.blend.size() - kept;
        if (is_whole) {
            kept += size;
        } else {
            group.vertex_influences = 0;
        }
    }
    file.blend.resize(static_cast<std::size_t>(kept));
}

/// Announces nothing that is not there.
void normalize(File& file) {
    if (is_cut_off(file)) {
        drop_incomplete(file, has_normals, file.normals);
        drop_incomplete(file, has_tangents, file.tangents);
        drop_incomplete(file, has_texcoords, file.texcoords);
        drop_incomplete(file, has_colors, file.colors);
        drop_incomplete_blend(file);
    }
    file.missing = {};
    file.ends_early = false;
    file.padding = {};
    file.header.padding = 0;
    for (Bone& bone : file.bones) bone.padding = 0;
    for (Influence& influence : file.influences) influence.padding = 0;
    for (Group& group : file.groups) group.padding = 0;
    for (MorphTarget& target : file.morphs.targets) target.padding = 0;
}

Diagnostic not_x42() {
    Diagnostic diagnostic = problem_at("ident", codes::not_this_format, "the file is no x42", {}, "HW42 or 24WH");
    diagnostic.offset = 0;
    diagnostic.length = 4;
    return diagnostic;
}

Diagnostic older_version(std::uint32_t version) {
    return version_problem(
        "the file is of a version before 5 (they are called V0 to V4b): those are laid out otherwise, and neither "
        "their "
        "layouts nor their numbers were ever published, so nothing but the number can be told. Export the model again "
        "as version 5, or keep the file until they are known",
        version);
}

struct Head {
    std::array<char, 4> ident;
    std::uint32_t version;
};

Diagnostic truncated(const Attempt& attempt, std::uint64_t size) {
    Diagnostic diagnostic =
        problem_at(attempt.cut_at, codes::truncated,
                   "the file ends before what it announces here; what is there is read, nothing behind it exists",
                   std::to_string(size) + " bytes in all");
    diagnostic.offset = attempt.cut_offset;
    diagnostic.length = size - attempt.cut_offset;
    return diagnostic;
}

Result<Loaded<File>> read_any(ByteSource& source, const ReadOptions& options) {
    Head head{};
    if (source.peek(head.ident.data(), head.ident.size()) && head.ident != ident_little && head.ident != ident_big)
        return fail(not_x42());
    Loaded<File> loaded;
    const bool has_version = source.peek(&head, sizeof head);
    if (head.ident == ident_big)
        layout::swap_bytes(layout::element_type<std::uint32_t>, reinterpret_cast<std::byte*>(&head.version), 1);
    if (has_version && head.version < version_5) return fail(older_version(head.version));
    auto attempt = has_version && head.version > version_5 ? read_version_6(source, options.limits, loaded.report)
                                                           : read_as(source, {}, options.limits);
    if (!attempt) return fail(std::move(attempt.error()));
    if (!attempt->cut_at.empty()) loaded.report.add(truncated(*attempt, source.size()));
    loaded.value = std::move(attempt->file);
    return loaded;
}

}  // namespace

Diagnostic version_problem(std::string message, std::uint32_t version) {
    Diagnostic diagnostic = problem_at("version", codes::input_version, std::move(message), std::to_string(version),
                                       "101 (version 5) or 102 (version 6)");
    diagnostic.offset = 4;
    diagnostic.length = 4;
    return diagnostic;
}

Result<Attempt> read_as(ByteSource& source, const Morphs& morphs, const Limits& limits, bool is_frame) {
    source.seek(0);
    std::array<char, 4> ident{};
    const bool big_endian = source.peek(ident.data(), ident.size()) && ident == ident_big;
    Attempt attempt;
    File& file = attempt.file;
    file.morphs.layout = morphs.layout;
    file.morphs.wide_counts = morphs.wide_counts;
    file.morphs.plain_header = morphs.plain_header;
    Budget budget(limits, source.size());
    layout::Path path;
    layout::ByteFields fields(source, big_endian);
    layout::ReadVisitor<layout::ByteFields> visitor(fields, path, budget, limits);
    Walk walk;
    walk.without_vertices = is_frame;
    const auto available = [&] { return source.remaining(); };
    layout(visitor, file, walk, available);
    if (!visitor.ok()) return fail(*visitor.failure());
    attempt.vertex_count = walk.announced[number_of(Section::vertices)];
    attempt.index_count = walk.announced[number_of(Section::indices)];
    if (!walk.cut_off) return attempt;
    file.ends_early = !std::any_of(file.missing.begin(), file.missing.end(), [](auto count) { return count != 0; });
    for (std::size_t section = sections_end(file); section < section_count; ++section) file.padding[section] = {};
    attempt.cut_at = std::move(walk.cut_at);
    attempt.cut_offset = walk.elements_end;
    return attempt;
}

Result<Loaded<File>> read(ByteSource source, const ReadOptions& options) {
    return without_exceptions([&] { return read_any(source, options); });
}

Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options) {
    return read(ByteSource(bytes), options);
}

Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options) {
    return layout::read_file(path, [&](ByteSource source) { return read(std::move(source), options); });
}

Result<Bytes> write(const File& file, const WriteOptions& options) {
    return layout::write_as_asked(file, options, normalize,
                                  [](const File& asked) { return layout::to_bytes(walk_of(asked)); });
}

Result<Bytes> write_frame(const File& file) {
    return layout::to_bytes([&](auto& visitor) {
        Walk walk;
        walk.without_vertices = true;
        layout(visitor, file, walk, nothing_left);
    });
}

Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
    return layout::write_as_asked(file, options, normalize, [&](const File& asked) {
        return layout::to_file(walk_of(asked), path, options.fsync);
    });
}

Result<File> build(const Json& nodes, bool normalized, const Limits& limits) {
    File file;
    Walk walk;
    walk.from_dump = true;
    walk.normalize = normalized;
    auto built = layout::from_dump(nodes, normalized, limits, [&](auto& visitor, layout::Path&) {
        layout(visitor, file, walk, nothing_left);
        if (visitor.ok() && file.version < version_5) visitor.fail(older_version(file.version));
    });
    if (!built) return fail(std::move(built.error()));
    if (!walk.wrong.empty()) {
        return fail(problem_at({}, codes::build_count,
                               "a count does not match the elements in the dump; correct it or use --normalize",
                               walk.wrong));
    }
    file.ends_early = walk.cut_off && !is_cut_off(file);
    if (normalized) normalize(file);
    return file;
}

Result<Json> dump(const File& file, const DumpOptions& options) { return layout::dump_nodes(walk_of(file), options); }

Result<std::string> hex_map(const File& file, const DumpOptions& options) {
    return layout::hex_map(walk_of(file), options);
}

void locate(const File& file, Report& report) { layout::locate(walk_of(file), report); }

std::string_view name_of(const File& file, std::uint16_t name) noexcept {
    if (name >= file.strings.size()) return {};
    const char* begin = file.strings.data() + name;
    const std::size_t most = file.strings.size() - name;
    const void* end = std::memchr(begin, 0, most);
    return {begin, end == nullptr ? most : static_cast<std::size_t>(static_cast<const char*>(end) - begin)};
}

Vec3 scale_at(const File& file, std::size_t place) noexcept {
    const std::size_t width = scale_width(file.header);
    const std::uint16_t* scale = file.scales.data() + place * width;
    const auto number = [&](std::size_t axis) { return unpack(scale[axis % width], file.pack.animation_scales); };
    return {number(0), number(1), number(2)};
}

}  // namespace effigy::x42
