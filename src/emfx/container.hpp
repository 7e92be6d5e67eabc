#pragma once
/// What XAC, XSM and XPM do alike, for their public functions to call.

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "core/dump.hpp"
#include "core/encoder.hpp"
#include "core/guard.hpp"
#include "core/json.hpp"
#include "emfx/container_build.hpp"
#include "emfx/container_read.hpp"
#include "emfx/container_write.hpp"

namespace effigy::emfx {

template <class Format>
[[nodiscard]] Result<Loaded<typename Format::File>> read_container(ByteSource source, const ReadOptions& options) {
    return without_exceptions([&]() -> Result<Loaded<typename Format::File>> {
        Loaded<typename Format::File> loaded;
        Budget budget(options.limits, source.size());
        layout::Path path;
        auto file = ContainerReader<Format>(source, budget, options.limits, loaded.report, path).read_wrapped();
        if (!file) return fail(std::move(file.error()));
        loaded.value = std::move(*file);
        return loaded;
    });
}

template <class Format>
[[nodiscard]] Result<Loaded<typename Format::File>> read_container_file(const std::filesystem::path& path,
                                                                        const ReadOptions& options) {
    auto source = ByteSource::open(path);
    if (!source) return fail(std::move(source.error()));
    auto loaded = read_container<Format>(std::move(*source), options);
    if (!loaded) {
        loaded.error().file = path.string();
    } else if (!loaded->report.empty()) {
        loaded->report.name_file(path.string());
    }
    return loaded;
}

template <class File>
[[nodiscard]] Result<void> encode(const File& file, Sink sink, bool normalize) {
    layout::Encoder encoder(std::move(sink));
    layout::Path path;
    layout::WriteVisitor<layout::Encoder> visitor(encoder, path);
    layout_wrapped(visitor, file, normalize);
    if (!visitor.ok()) return fail(*visitor.failure());
    return encoder.finish();
}

template <class File>
[[nodiscard]] Result<std::uint64_t> measure_file(const File& file, bool normalize) {
    layout::Measure measure;
    layout::Path path;
    layout::WriteVisitor<layout::Measure> visitor(measure, path);
    layout_wrapped(visitor, file, normalize);
    if (!visitor.ok()) return fail(*visitor.failure());
    return measure.size();
}

template <class File>
[[nodiscard]] Result<Bytes> write_container(const File& file, const WriteOptions& options) {
    return without_exceptions([&]() -> Result<Bytes> {
        const Result<std::uint64_t> size = measure_file(file, options.normalize);
        if (!size) return fail(size.error());
        Bytes bytes;
        bytes.reserve(static_cast<std::size_t>(*size));
        if (auto done = encode(file, memory_sink(bytes), options.normalize); !done)
            return fail(std::move(done.error()));
        return bytes;
    });
}

template <class File>
[[nodiscard]] Result<void> write_container_file(const File& file, const std::filesystem::path& path,
                                                const WriteOptions& options) {
    return without_exceptions([&]() -> Result<void> {
        auto output = OutputFile::create(path);
        if (!output) return fail(std::move(output.error()));
        if (auto done = encode(file, output->sink(), options.normalize); !done) return done;
        return output->commit(options.fsync);
    });
}

template <class File>
[[nodiscard]] Json dump_nodes(const File& file, bool expand) {
    layout::Dump dump(expand);
    layout::Path path;
    layout::WriteVisitor<layout::Dump> visitor(dump, path);
    layout_wrapped(visitor, file, false);
    return dump.take();
}

template <class File>
[[nodiscard]] std::string hex_map(const File& file) {
    layout::HexMap map;
    layout::Path path;
    layout::WriteVisitor<layout::HexMap> visitor(map, path);
    layout_wrapped(visitor, file, false);
    return map.take();
}

template <class Format>
[[nodiscard]] Result<typename Format::File> build_container(const Json& nodes, bool normalize, const Limits& limits) {
    return without_exceptions([&]() -> Result<typename Format::File> {
        typename Format::File file;
        layout::DumpFields fields(nodes, normalize);
        layout::Path path;
        Budget budget(limits, UINT64_MAX);
        layout::ReadVisitor<layout::DumpFields> visitor(fields, path, budget, limits);
        ContainerBuilder<Format>(visitor, path, normalize).build_wrapped(file);
        if (!visitor.ok()) return fail(*visitor.failure());
        if (!fields.leave()) return fail(fields.failure());
        return file;
    });
}

}  // namespace effigy::emfx
