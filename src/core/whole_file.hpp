#pragma once
/// What every faithful format does alike once one function walks the whole of its file. `walk` takes a visitor and
/// names every field to it.

#include <filesystem>
#include <string>
#include <utility>

#include "effigy/bytes.hpp"
#include "effigy/core_codes.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

#include "core/budget.hpp"
#include "core/byte_source.hpp"
#include "core/dump.hpp"
#include "core/dump_fields.hpp"
#include "core/encoder.hpp"
#include "core/guard.hpp"
#include "core/json.hpp"
#include "core/layout_read.hpp"
#include "core/layout_write.hpp"
#include "core/locator.hpp"
#include "core/output.hpp"
#include "core/path.hpp"
#include "core/problem.hpp"

namespace effigy::layout {

/// All bytes of a source, within the memory limit.
[[nodiscard]] inline Result<Bytes> read_all(ByteSource& source, const Limits& limits) {
    return without_exceptions([&]() -> Result<Bytes> {
        if (!Budget(limits, source.size()).take(source.remaining())) {
            return fail(problem_at({}, codes::limit_memory,
                                   "the file is larger than the memory limit; raise it with --limit-memory"));
        }
        Bytes bytes(static_cast<std::size_t>(source.remaining()));
        if (!source.read(bytes.data(), bytes.size()))
            return fail(problem_at({}, codes::input_read, "the file cannot be read"));
        return bytes;
    });
}

/// `write` of the file, or of a copy that `normalize` has changed.
template <class File, class Write>
[[nodiscard]] auto write_as_asked(const File& file, const WriteOptions& options, void (*normalize)(File&),
                                  Write&& write) -> decltype(write(file)) {
    if (!options.normalize) return write(file);
    return without_exceptions([&] {
        File copy = file;
        normalize(copy);
        return write(std::as_const(copy));
    });
}

/// `read` of a file as a source; what went wrong or was noticed gets its name.
template <class Read>
[[nodiscard]] auto read_file(const std::filesystem::path& path, Read&& read)
    -> decltype(read(std::declval<ByteSource>())) {
    auto source = ByteSource::open(path);
    if (!source) return fail(std::move(source.error()));
    auto loaded = read(std::move(*source));
    if (!loaded) {
        loaded.error().file = path.string();
    } else {
        loaded->report.name_file(path.string());
    }
    return loaded;
}

template <class Walk>
[[nodiscard]] Result<void> encode(Walk&& walk, Sink sink) {
    Encoder encoder(std::move(sink));
    Path path;
    WriteVisitor<Encoder> visitor(encoder, path);
    walk(visitor);
    if (!visitor.ok()) return fail(*visitor.failure());
    return encoder.finish();
}

template <class Walk>
[[nodiscard]] Result<std::uint64_t> measure(Walk&& walk) {
    Measure measure;
    Path path;
    WriteVisitor<Measure> visitor(measure, path);
    walk(visitor);
    if (!visitor.ok()) return fail(*visitor.failure());
    return measure.size();
}

template <class Walk>
[[nodiscard]] Result<Bytes> to_bytes(Walk&& walk) {
    return without_exceptions([&]() -> Result<Bytes> {
        const Result<std::uint64_t> size = measure(walk);
        if (!size) return fail(size.error());
        Bytes bytes;
        bytes.reserve(static_cast<std::size_t>(*size));
        if (auto done = encode(walk, memory_sink(bytes)); !done) return fail(std::move(done.error()));
        return bytes;
    });
}

template <class Walk>
[[nodiscard]] Result<void> to_file(Walk&& walk, const std::filesystem::path& path, bool fsync) {
    return without_exceptions([&]() -> Result<void> {
        auto output = OutputFile::create(path);
        if (!output) return fail(std::move(output.error()));
        if (auto done = encode(walk, output->sink()); !done) return done;
        return output->commit(fsync);
    });
}

template <class Walk>
[[nodiscard]] Result<Json> dump_nodes(Walk&& walk, const DumpOptions& options) {
    Dump dump(options);
    Path path;
    WriteVisitor<Dump> visitor(dump, path);
    walk(visitor);
    return dump.take();
}

template <class Walk>
[[nodiscard]] Result<std::string> hex_map(Walk&& walk, const DumpOptions& options) {
    HexMap map(options);
    Path path;
    WriteVisitor<HexMap> visitor(map, path);
    walk(visitor);
    return map.take();
}

/// Byte offsets for the findings that name a field by its path.
template <class Walk>
void locate(Walk&& walk, Report& report) {
    Locator locator(report);
    if (locator.nothing_to_do()) return;
    Path path;
    WriteVisitor<Locator> visitor(locator, path);
    walk(visitor);
}

/// Fills a file from the nodes of a dump; `walk` takes a visitor and the path.
template <class Walk>
[[nodiscard]] Result<void> from_dump(const Json& nodes, bool normalize, const Limits& limits, Walk&& walk) {
    return without_exceptions([&]() -> Result<void> {
        DumpFields fields(nodes, normalize);
        Path path;
        Budget budget(limits, UINT64_MAX);
        ReadVisitor<DumpFields> visitor(fields, path, budget, limits);
        walk(visitor, path);
        if (!visitor.ok()) return fail(*visitor.failure());
        if (!fields.leave()) return fail(fields.failure());
        return {};
    });
}

}  // namespace effigy::layout
