#pragma once
/// Building a container from the nodes of a dump.

#include <string>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

#include "core/budget.hpp"
#include "core/dump_fields.hpp"
#include "core/layout_read.hpp"
#include "core/path.hpp"
#include "core/problem.hpp"
#include "emfx/file/formats.hpp"

namespace effigy::emfx {

template <class Format>
class ContainerBuilder {
public:
    using File = typename Format::File;
    using Visitor = layout::ReadVisitor<layout::DumpFields>;

    ContainerBuilder(Visitor& visitor, layout::Path& path, bool normalize)
        : visitor_(visitor), path_(path), normalize_(normalize) {}

    void build_wrapped(File& file) {
        if (source().has("wrapper_head")) visitor_.bulk("wrapper_head", file.wrapper_head, 0);
        build(file);
        if (source().has("wrapper_tail")) visitor_.bulk("wrapper_tail", file.wrapper_tail, 0);
    }

    void build(File& file) {
        layout(visitor_, file.header);
        if (!visitor_.ok()) return;
        if (file.header.magic != Format::magic) return refuse_magic(file.header);
        const bool swapped = source().swapped();
        source().set_swapped(file.header.big_endian());
        visitor_.each("chunk", file.chunks, 0, 0, [&](auto& chunk) { build_chunk(chunk); });
        if (visitor_.ok() && source().has("trailing")) visitor_.bulk("trailing", file.trailing, 0);
        source().set_swapped(swapped);
    }

private:
    [[nodiscard]] layout::DumpFields& source() noexcept { return visitor_.source(); }

    template <class Chunk>
    void build_chunk(Chunk& chunk) {
        const std::string kind(source().kind());
        std::uint32_t size = 0;
        visitor_.field("id", chunk.id);
        visitor_.field("size", size);
        visitor_.field("version", chunk.version);
        if (!visitor_.ok()) return;
        if (!normalize_) chunk.size = size;
        if (kind != "opaque") {
            auto record = Format::make_record(chunk.id, chunk.version);
            if (!record || kind_of(*record) != kind) return refuse(kind, record ? kind_of(*record) : "opaque");
            chunk.record = std::move(*record);
        }
        build_content(chunk);
        if (visitor_.ok() && source().has("trailing")) visitor_.bulk("trailing", chunk.trailing, 0);
    }

    template <class Chunk>
    void build_content(Chunk& chunk) {
        if (auto* opaque = std::get_if<Opaque>(&chunk.record)) return visitor_.bulk("bytes", opaque->bytes, 0);
        if constexpr (std::is_same_v<File, xac::File>) {
            if (auto* lod = std::get_if<xac::MeshLod>(&chunk.record)) return build_mesh_lod(*lod);
        }
        layout_record(visitor_, chunk.record, chunk.version, [](const auto&) { return std::uint64_t{0}; });
    }

    void build_mesh_lod(xac::MeshLod& lod) {
        std::uint32_t size = 0;
        visitor_.field("level", lod.level);
        visitor_.field("size", size);
        if (!visitor_.ok()) return;
        if (!normalize_) lod.size = size;
        if (!source().has("actor")) return visitor_.bulk("bytes", lod.bytes, 0);
        lod.actor.emplace_back();
        visitor_.record("actor", layout::Path::no_index,
                        [&] { ContainerBuilder<XacFormat>(visitor_, path_, normalize_).build(lod.actor.front()); });
    }

    void refuse_magic(const Header& header) {
        visitor_.fail(problem_at(path_.string("header / magic"), codes::build_value,
                                 "the magic is not that of the dump's format",
                                 std::string(header.magic.data(), header.magic.size()),
                                 std::string(Format::magic.data(), Format::magic.size())));
    }

    void refuse(const std::string& found, const std::string& expected) {
        visitor_.fail(problem_at({}, codes::build_kind, "a chunk's id and version do not go with what it is called",
                                 found, expected));
    }

    Visitor& visitor_;
    layout::Path& path_;
    bool normalize_;
};

}  // namespace effigy::emfx
