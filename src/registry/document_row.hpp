#pragma once
/// The table of operations of a format, made from a type that says what the format is.
///
/// A Format has
///   File                                                      its faithful file
///   static const FormatInfo& format()
///   static Result<Loaded<File>> read(ByteSource, ReadOptions)
///   static Result<File> build(nodes, normalize, Limits)       from a dump
///   static Result<Bytes> write(File, WriteOptions)
///   static Result<void> write_file(File, path, WriteOptions)
///   static Report check(File, CheckContext)
///   static Json info(File, InfoOptions)
///   static Result<Json> dump(File, DumpOptions)
///   static Result<std::string> hex_map(File, DumpOptions)

#include <utility>

#include "core/json.hpp"
#include "registry/rows.hpp"

namespace effigy {

template <class Format>
[[nodiscard]] const Document::Operations& operations() noexcept;

template <class Format>
[[nodiscard]] Document document_of(typename Format::File file) {
    using File = typename Format::File;
    return {operations<Format>(),
            Document::Owner(new File(std::move(file)), [](void* owned) { delete static_cast<File*>(owned); })};
}

namespace detail {

template <class Format>
struct DocumentRow {
    using File = typename Format::File;

    static const File& file_of(const void* file) noexcept { return *static_cast<const File*>(file); }
    static Result<Loaded<Document>> read(ByteSource source, const ReadOptions& options) {
        auto loaded = Format::read(std::move(source), options);
        if (!loaded) return fail(std::move(loaded.error()));
        return Loaded<Document>{document_of<Format>(std::move(loaded->value)), std::move(loaded->report)};
    }
    static Result<Document> build(const Json& nodes, bool normalize, const Limits& limits) {
        auto file = Format::build(nodes, normalize, limits);
        if (!file) return fail(std::move(file.error()));
        return document_of<Format>(std::move(*file));
    }
    static Result<Bytes> write(const void* file, const WriteOptions& options) {
        return Format::write(file_of(file), options);
    }
    static Result<void> write_file(const void* file, const std::filesystem::path& path, const WriteOptions& options) {
        return Format::write_file(file_of(file), path, options);
    }
    static Report check(const void* file, const CheckContext& context) { return Format::check(file_of(file), context); }
    static Json info(const void* file, const InfoOptions& options) { return Format::info(file_of(file), options); }
    static Result<Json> dump(const void* file, const DumpOptions& options) {
        return Format::dump(file_of(file), options);
    }
    static Result<std::string> hex_map(const void* file, const DumpOptions& options) {
        return Format::hex_map(file_of(file), options);
    }
};

}  // namespace detail

template <class Format>
const Document::Operations& operations() noexcept {
    using Row = detail::DocumentRow<Format>;
    using File = typename Format::File;
    static const Document::Operations table{&Format::format(), &typeid(File), Row::read, Row::build, Row::write,
                                            Row::write_file,   Row::check,    Row::info, Row::dump,  Row::hex_map};
    return table;
}

}  // namespace effigy
