#pragma once
/// Walking the container with a WriteVisitor: the same walk writes, measures, dumps and finds addresses.

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "effigy/core_codes.hpp"

#include "core/whole_file.hpp"
#include "emfx/file/formats.hpp"

namespace effigy::emfx {

template <class Handler, class File>
void layout_file(layout::WriteVisitor<Handler>& v, const File& file, bool normalize);
template <class Handler>
void layout_mesh_lod(layout::WriteVisitor<Handler>& v, const xac::MeshLod& lod, bool normalize);

/// Everything of a chunk behind its header.
template <class Handler, class Chunk>
void layout_content(layout::WriteVisitor<Handler>& v, const Chunk& chunk, bool normalize) {
    if (const auto* opaque = std::get_if<Opaque>(&chunk.record)) v.bulk("bytes", opaque->bytes);
    if constexpr (std::is_same_v<decltype(chunk.record), xac::Record>) {
        if (const auto* lod = std::get_if<xac::MeshLod>(&chunk.record)) layout_mesh_lod(v, *lod, normalize);
    }
    layout_record(v, chunk.record, chunk.version, [](const auto& skinning) {
        return skinning.ranges.empty() ? skinning.vertices.size() : skinning.ranges.size();
    });
    if (!chunk.trailing.empty()) v.bulk("trailing", chunk.trailing);
}

/// Bytes that a file takes without its wrapper, or a contradiction in it.
template <class File>
[[nodiscard]] Result<std::uint64_t> measure_file(const File& file, bool normalize) {
    return layout::measure([&](auto& visitor) { layout_file(visitor, file, normalize); });
}

/// The word of a wrapper, if there is one, on how long the file in it is.
template <class File>
Result<void> set_wrapped_size(Bytes& head, const File& file, bool normalize) {
    if (head.size() != wrapper_size) return {};
    const auto measured = measure_file(file, normalize);
    if (!measured) return fail(measured.error());
    const auto size = static_cast<std::uint32_t>(*measured);
    std::memcpy(head.data() + wrapper_size_offset, &size, sizeof size);
    return {};
}

/// Bytes that a chunk's content takes, or a contradiction in it.
template <class Chunk>
[[nodiscard]] Result<std::uint64_t> measure_content(const Chunk& chunk, bool normalize) {
    return layout::measure([&](auto& visitor) { layout_content(visitor, chunk, normalize); });
}

/// The size to write: the declared one, or the true one where there is none.
template <class Handler, class Measured>
void layout_size(layout::WriteVisitor<Handler>& v, const std::optional<std::uint32_t>& declared, bool normalize,
                 Measured&& measure) {
    if (declared && !normalize) return v.field("size", *declared);
    // A size takes 4 bytes whatever it is; measuring what it covers would double the work at every level of nesting.
    if constexpr (std::is_same_v<Handler, layout::Measure>) return v.field("size", std::uint32_t{0});
    Result<std::uint64_t> size = measure();
    if (!size) return v.fail(std::move(size.error()));
    if (*size > UINT32_MAX) {
        return v.fail(problem_at({}, codes::write_too_large, "a chunk has more bytes than its size field can say",
                                 std::to_string(*size), "at most 4294967295"));
    }
    v.field("size", static_cast<std::uint32_t>(*size));
}

template <class Handler>
void layout_mesh_lod(layout::WriteVisitor<Handler>& v, const xac::MeshLod& lod, bool normalize) {
    v.field("level", lod.level);
    layout_size(v, lod.size, normalize, [&]() -> Result<std::uint64_t> {
        std::uint64_t size = lod.bytes.size();
        for (const xac::File& actor : lod.actor) {
            const auto measured = measure_file(actor, normalize);
            if (!measured) return fail(measured.error());
            size += *measured;
        }
        return size;
    });
    const bool swapped = v.handler().swapped();
    for (const xac::File& actor : lod.actor) {
        v.record("actor", layout::Path::no_index, [&] { layout_file(v, actor, normalize); });
    }
    v.handler().set_swapped(swapped);
    if (lod.actor.empty()) v.bulk("bytes", lod.bytes);
}

template <class Handler, class File>
void layout_chunks(layout::WriteVisitor<Handler>& v, const File& file, bool normalize) {
    for (std::size_t index = 0; v.ok() && index < file.chunks.size(); ++index) {
        const auto& chunk = file.chunks[index];
        v.record("chunk", index, kind_of(chunk.record), [&] {
            v.field("id", chunk.id);
            layout_size(v, chunk.size, normalize, [&] { return measure_content(chunk, normalize); });
            v.field("version", chunk.version);
            layout_content(v, chunk, normalize);
        });
    }
}

template <class Handler, class File>
void layout_file(layout::WriteVisitor<Handler>& v, const File& file, bool normalize) {
    layout(v, file.header);
    v.handler().set_swapped(file.header.big_endian());
    layout_chunks(v, file, normalize);
    if (!file.trailing.empty()) v.bulk("trailing", file.trailing);
}

/// A whole file with its wrapper.
template <class Handler, class File>
void layout_wrapped(layout::WriteVisitor<Handler>& v, const File& file, bool normalize) {
    if (file.wrapper_head.empty()) return layout_file(v, file, normalize);
    Bytes head = file.wrapper_head;
    if (normalize) (void)set_wrapped_size(head, file, normalize);
    v.bulk("wrapper_head", head);
    layout_file(v, file, normalize);
    if (!file.wrapper_tail.empty()) v.bulk("wrapper_tail", file.wrapper_tail);
}

}  // namespace effigy::emfx
