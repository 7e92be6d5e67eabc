#pragma once
/// Reading the container: chunks one after the other, by their structure. Declared sizes are known to lie, so they
/// only decide where a chunk ends if its structure does not (docs/formats/emfx.md, "Declared sizes that lie").

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "effigy/emfx_codes.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

#include "core/budget.hpp"
#include "core/byte_fields.hpp"
#include "core/byte_source.hpp"
#include "core/layout_read.hpp"
#include "core/path.hpp"
#include "core/problem.hpp"
#include "emfx/file/formats.hpp"

namespace effigy::emfx {

template <class Format>
class ContainerReader {
public:
    using File = typename Format::File;
    using Chunk = typename decltype(File::chunks)::value_type;

    /// Reads from the source's position to its limit.
    ContainerReader(ByteSource& source, Budget& budget, const Limits& limits, Report& report, layout::Path& path,
                    std::uint32_t depth = 0)
        : source_(source), budget_(budget), limits_(limits), report_(report), path_(path), depth_(depth) {}

    /// With a Risen wrapper around the file, if there is one.
    [[nodiscard]] Result<File> read_wrapped() {
        File file;
        std::array<char, 4> magic{};
        if (source_.peek(magic.data(), magic.size()) && magic != Format::magic && is_wrapped()) {
            if (auto opened = open_wrapper(file); !opened) return fail(std::move(opened.error()));
        }
        if (auto done = read_into(file); !done) return fail(std::move(done.error()));
        source_.set_limit(source_.size());
        if (auto rest = take_bytes(file.wrapper_tail, source_.remaining()); !rest) return fail(std::move(rest.error()));
        return file;
    }

    [[nodiscard]] Result<void> read_into(File& file) {
        if (auto header = read_header(file.header); !header) return header;
        swapped_ = file.header.big_endian();
        constexpr std::size_t usual_chunks = 16;
        file.chunks.reserve(usual_chunks);
        while (source_.remaining() >= chunk_header_size) {
            if (file.chunks.size() >= limits_.count)
                return fail(limit_failure(codes::limit_count, "the file has more chunks than the limits allow"));
            if (!make_room(file.chunks))
                return fail(limit_failure(
                    codes::limit_memory,
                    "reading this file needs more memory than the limit allows; raise it with --limit-memory"));
            const layout::PathScope scope(path_, "chunk", file.chunks.size());
            file.chunks.emplace_back();
            if (auto chunk = read_chunk(file.chunks.back()); !chunk) return chunk;
        }
        if (source_.remaining() == 0) return {};
        add(codes::trailing_bytes, source_.position(), source_.remaining(),
            "bytes follow the last chunk that are no chunk; they are kept",
            std::to_string(source_.remaining()) + " bytes", "0 bytes", "trailing");
        return take_bytes(file.trailing, source_.remaining());
    }

private:
    static constexpr std::uint64_t chunk_header_size = 12;
    using Visitor = layout::ReadVisitor<layout::ByteFields>;

    // --- the parts of a file ---

    [[nodiscard]] bool is_wrapped() {
        std::array<std::byte, wrapper_size + 4> head{};
        return source_.peek(head.data(), head.size()) &&
               std::memcmp(head.data() + wrapper_size, Format::magic.data(), 4) == 0;
    }

    [[nodiscard]] Result<void> open_wrapper(File& file) {
        if (auto head = take_bytes(file.wrapper_head, wrapper_size); !head) return head;
        std::uint32_t declared = 0;
        std::memcpy(&declared, file.wrapper_head.data() + wrapper_size_offset, sizeof declared);
        if (declared >= sizeof(std::uint64_t) && declared <= source_.remaining()) {
            source_.set_limit(source_.position() + declared);
        } else {
            add(codes::wrapper_size, wrapper_size_offset, 4,
                "the wrapper gives the actor a size that it cannot have; the actor is read to the end of the file",
                std::to_string(declared), "at most " + std::to_string(source_.remaining()));
        }
        return {};
    }

    [[nodiscard]] Result<void> read_header(Header& header) {
        const std::uint64_t start = source_.position();
        layout::ByteFields fields(source_, false);
        Visitor visitor(fields, path_, budget_, limits_);
        layout(visitor, header);
        if (!visitor.ok()) return fail(*visitor.failure());
        if (header.magic != Format::magic) {
            Diagnostic diagnostic =
                problem_at({}, codes::not_this_format, std::string("the file is no ") + Format::name, {},
                           std::string(Format::magic.data(), 4));
            diagnostic.offset = start;
            diagnostic.length = 4;
            return fail(std::move(diagnostic));
        }
        return {};
    }

    /// Room for one more chunk; the old list is there until the new one has been filled.
    [[nodiscard]] bool make_room(std::vector<Chunk>& chunks) {
        if (chunks.size() < chunks.capacity()) return true;
        const std::size_t old = chunks.capacity();
        const std::size_t larger = old == 0 ? 8 : 2 * old;
        if (!budget_.take(larger, sizeof(Chunk))) return false;
        chunks.reserve(larger);
        budget_.give_back(std::uint64_t{old} * sizeof(Chunk));
        return true;
    }

    [[nodiscard]] Result<void> read_chunk(Chunk& chunk) {
        std::uint32_t size = 0;
        layout::ByteFields fields(source_, swapped_);
        Visitor visitor(fields, path_, budget_, limits_);
        visitor.field("id", chunk.id);
        visitor.field("size", size);
        visitor.field("version", chunk.version);
        if (!visitor.ok()) return fail(*visitor.failure());
        chunk.size = size;
        auto record = Format::make_record(chunk.id, chunk.version);
        if (!record) return read_unknown(chunk);
        chunk.record = std::move(*record);
        path_.set_kind(kind_of(chunk.record));
        return read_known(chunk);
    }

    [[nodiscard]] Result<void> read_unknown(Chunk& chunk) {
        const bool id_known = Format::knows(chunk.id);
        path_.set_kind("opaque");
        add(id_known ? codes::chunk_unknown_version : codes::chunk_unknown, source_.position() - chunk_header_size,
            chunk_header_size, "the chunk is not understood and kept as bytes",
            "id " + std::to_string(chunk.id) + " version " + std::to_string(chunk.version));
        return keep_opaque(chunk);
    }

    [[nodiscard]] Result<void> read_known(Chunk& chunk) {
        const std::uint64_t start = source_.position();
        const std::uint64_t declared_end = start + *chunk.size;
        const bool must_fill = must_fill_chunk(chunk.record);
        std::optional<Diagnostic> failure;
        for (unsigned attempt = 0; prepare_attempt(chunk.record, chunk.version, attempt); ++attempt) {
            source_.seek(start);
            const std::uint64_t used = budget_.used();
            failure = read_record(chunk, declared_end);
            if (failure && (is_limit(*failure) || failure->code == codes::input_read)) return fail(std::move(*failure));
            if (!failure && (!must_fill || source_.position() == declared_end))
                return accept(chunk, start, declared_end);
            budget_.give_back(budget_.used() - used);
            chunk.record = *Format::make_record(chunk.id, chunk.version);
        }
        source_.seek(start);
        return keep_damaged(chunk, declared_end, failure);
    }

    [[nodiscard]] std::optional<Diagnostic> read_record(Chunk& chunk, std::uint64_t declared_end) {
        layout::ByteFields fields(source_, swapped_);
        Visitor visitor(fields, path_, budget_, limits_);
        if constexpr (std::is_same_v<File, xac::File>) {
            if (auto* lod = std::get_if<xac::MeshLod>(&chunk.record)) return read_mesh_lod(visitor, *lod);
        }
        layout_record(visitor, chunk.record, chunk.version,
                      [&](const auto& skinning) { return range_count(skinning, chunk.version, declared_end); });
        if (!visitor.ok()) return visitor.failure();
        if constexpr (std::is_same_v<File, xac::File>) {
            if (const auto* mesh = std::get_if<xac::Mesh>(&chunk.record)) {
                original_vertex_counts_[key_of(*mesh)] = mesh->original_vertex_count;
                all_vertex_counts_.emplace(key_of(*mesh), mesh->original_vertex_count);
            }
        }
        return std::nullopt;
    }

    // --- where a chunk ends ---

    [[nodiscard]] bool may_start_chunk(std::uint64_t position) {
        if (position == source_.limit()) return true;
        if (position > source_.limit() || source_.limit() - position < chunk_header_size) return false;
        const std::uint64_t here = source_.position();
        std::array<std::uint32_t, 3> header{};
        source_.seek(position);
        const bool read = source_.peek(header.data(), sizeof header);
        source_.seek(here);
        if (!read) return false;
        if (swapped_) layout::swap_words(reinterpret_cast<std::byte*>(header.data()), sizeof header, 4);
        const auto [id, size, version] = header;
        constexpr std::uint32_t max_id = 0xffff, max_version = 64;
        const bool size_fits = size <= source_.limit() - position - chunk_header_size;
        return version != 0 && version <= max_version && (Format::knows(id) || (id <= max_id && size_fits));
    }

    /// The record has been read; the source stands behind it.
    [[nodiscard]] Result<void> accept(Chunk& chunk, std::uint64_t start, std::uint64_t declared_end) {
        const std::uint64_t end = source_.position();
        if (end == declared_end || may_start_chunk(end)) return {};
        if (!may_start_chunk(declared_end)) return {};
        if (end < declared_end) {
            add(codes::chunk_trailing_bytes, end, declared_end - end, {}, std::to_string(declared_end - end) + " bytes",
                "0 bytes", "trailing");
            return take_bytes(chunk.trailing, declared_end - end);
        }
        source_.seek(start);
        Diagnostic diagnostic =
            problem_at({}, codes::chunk_damaged, "the content runs into the next chunk",
                       std::to_string(end - start) + " bytes", std::to_string(declared_end - start) + " bytes");
        return keep_damaged(chunk, declared_end, diagnostic);
    }

    [[nodiscard]] Result<void> keep_damaged(Chunk& chunk, std::uint64_t declared_end,
                                            const std::optional<Diagnostic>& failure) {
        const bool ambiguous = must_fill_chunk(chunk.record);
        const bool whole = declared_end <= source_.limit();
        Diagnostic diagnostic = failure.value_or(Diagnostic{});
        if (ambiguous && (whole || !failure)) {
            diagnostic = problem_at({}, codes::chunk_not_decoded,
                                    "the content does not fit any known layout of this chunk and is kept as bytes");
        } else if (whole && may_start_chunk(declared_end)) {
            diagnostic.code = codes::chunk_damaged;
            diagnostic.message = "the content of the chunk cannot be read and is kept as bytes: " + diagnostic.message;
        }
        if (diagnostic.path.empty()) diagnostic.path = path_.string();
        if (diagnostic.offset == no_offset) diagnostic.offset = source_.position();
        report_.add(std::move(diagnostic));
        return keep_opaque(chunk);
    }

    /// What the chunk declares, or what is left of it.
    [[nodiscard]] Result<void> keep_opaque(Chunk& chunk) {
        if (*chunk.size > source_.remaining() && report_.count(codes::truncated) == 0) {
            add(codes::truncated, source_.position(), source_.remaining(),
                "the file ends before the chunk does; the rest is kept as bytes",
                std::to_string(source_.remaining()) + " bytes", std::to_string(*chunk.size) + " bytes");
        }
        path_.set_kind("opaque");
        Opaque opaque;
        if (auto bytes = take_bytes(opaque.bytes, std::min<std::uint64_t>(*chunk.size, source_.remaining())); !bytes)
            return bytes;
        chunk.record = std::move(opaque);
        return {};
    }

    // --- XAC only ---

    /// Original vertices of the mesh that the skinning belongs to: of several the one whose number fills the chunk,
    /// else the last. If that mesh is missing, what the chunk has room for (v1: none, its vertices have no fixed size).
    template <class Skinning>
    [[nodiscard]] std::uint64_t range_count(const Skinning& skinning, std::uint32_t version,
                                            std::uint64_t declared_end) {
        const MeshKey key = key_of(skinning);
        const auto mesh = original_vertex_counts_.find(key);
        const bool has_mesh = mesh != original_vertex_counts_.end();
        if (declared_end <= source_.position()) return has_mesh ? mesh->second : 0;
        if (version == 1) {
            const std::uint64_t filling = has_several_counts(key) ? count_vertices(declared_end) : 0;
            if (filling != 0 && all_vertex_counts_.contains({key, filling})) return filling;
            return has_mesh ? mesh->second : 0;
        }
        const std::uint64_t room = declared_end - source_.position(), count = room / sizeof(xac::InfluenceRange);
        const bool fills_chunk =
            count * sizeof(xac::InfluenceRange) == room && all_vertex_counts_.contains({key, count});
        return has_mesh && !fills_chunk ? mesh->second : count;
    }

    [[nodiscard]] bool has_several_counts(const MeshKey& key) const {
        const auto first = all_vertex_counts_.lower_bound({key, 0});
        const auto second = first == all_vertex_counts_.end() ? first : std::next(first);
        return second != all_vertex_counts_.end() && second->first == key;
    }

    /// How many vertices of version 1, of which each has its own number of influences, fill the bytes up to `end`; 0 if
    /// none do, or if another chunk claimed these bytes: no byte is counted twice.
    [[nodiscard]] std::uint64_t count_vertices(std::uint64_t end) {
        const std::uint64_t start = source_.position();
        if (start < counted_to_ || end > source_.limit()) return 0;
        counted_to_ = end;
        std::uint64_t count = 0, at = start;
        for (std::uint8_t influences = 0; at < end; ++count) {
            source_.seek(at);
            if (!source_.peek(&influences, 1)) break;
            at += 1 + sizeof(xac::Influence) * std::uint64_t{influences};
        }
        source_.seek(start);
        return at == end ? count : 0;
    }

    [[nodiscard]] std::optional<Diagnostic> read_mesh_lod(Visitor& visitor, xac::MeshLod& lod) {
        std::uint32_t size = 0;
        visitor.field("level", lod.level);
        visitor.field("size", size);
        if (!visitor.ok()) return visitor.failure();
        lod.size = size;
        const std::uint64_t length = std::min<std::uint64_t>(size, source_.remaining());
        std::array<char, 4> magic{};
        const bool is_actor =
            length >= sizeof(Header) && source_.peek(magic.data(), magic.size()) && magic == XacFormat::magic;
        if (length < size) {
            add(codes::truncated, source_.position(), length, "the file ends inside an embedded actor",
                std::to_string(length) + " bytes", std::to_string(size) + " bytes");
        }
        if (!is_actor) {
            if (auto bytes = take_bytes(lod.bytes, length); !bytes) return bytes.error();
            return std::nullopt;
        }
        if (depth_ >= limits_.depth) {
            return problem_at(path_.string(), codes::limit_depth, "actors are nested deeper than the limit allows", {},
                              "at most " + std::to_string(limits_.depth) + " levels");
        }
        const std::uint64_t outer_limit = source_.limit();
        source_.set_limit(source_.position() + length);
        lod.actor.emplace_back();
        const layout::PathScope scope(path_, "actor");
        auto done = ContainerReader<XacFormat>(source_, budget_, limits_, report_, path_, depth_ + 1)
                        .read_into(lod.actor.front());
        source_.set_limit(outer_limit);
        if (!done) return done.error();
        return std::nullopt;
    }

    // --- helpers ---

    [[nodiscard]] Result<void> take_bytes(Bytes& bytes, std::uint64_t size) {
        layout::ByteFields fields(source_, false);
        Visitor visitor(fields, path_, budget_, limits_);
        visitor.bulk("bytes", bytes, size);
        if (!visitor.ok()) return fail(*visitor.failure());
        return {};
    }

    void add(const Code& code, std::uint64_t offset, std::uint64_t length, std::string message, std::string found = {},
             std::string expected = {}, const char* field = "") {
        Diagnostic diagnostic =
            problem_at(path_.string(field), code, std::move(message), std::move(found), std::move(expected));
        diagnostic.offset = offset;
        diagnostic.length = length;
        report_.add(std::move(diagnostic));
    }

    [[nodiscard]] Diagnostic limit_failure(const Code& code, const char* message) const {
        Diagnostic diagnostic = problem_at(path_.string(), code, message);
        diagnostic.offset = source_.position();
        return diagnostic;
    }

    ByteSource& source_;
    Budget& budget_;
    const Limits& limits_;
    Report& report_;
    layout::Path& path_;
    std::uint32_t depth_;
    bool swapped_ = false;
    std::map<MeshKey, std::uint32_t> original_vertex_counts_;        // of the meshes so far, the last of each
    std::set<std::pair<MeshKey, std::uint64_t>> all_vertex_counts_;  // of all of them
    std::uint64_t counted_to_ = 0;                                   // see count_vertices()
};

}  // namespace effigy::emfx
