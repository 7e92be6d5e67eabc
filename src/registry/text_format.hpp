#pragma once
/// Formats that are text: the bytes are the file, and what was read from them is only shown.

#include <filesystem>
#include <string>
#include <utility>

#include "effigy/files.hpp"
#include "effigy/registry.hpp"

#include "core/byte_source.hpp"
#include "core/guard.hpp"
#include "core/whole_file.hpp"

namespace effigy {

template <class Visitor, class File>
void walk_text(Visitor& visitor, File& file) {
    visitor.bulk("text", file.text, file.text.size());
}

/// What the registry takes of such a format; `read_text` makes the file from its bytes. Formats without rules of their
/// own have this check().
template <class T, Result<Loaded<T>> (*read_text)(Bytes text, const ReadOptions& options)>
struct TextFormat {
    using File = T;

    static Result<Loaded<File>> read(ByteSource source, const ReadOptions& options) {
        auto bytes = layout::read_all(source, options.limits);
        return bytes ? read_text(std::move(*bytes), options) : Result<Loaded<File>>(fail(std::move(bytes.error())));
    }
    static Result<File> build(const Json& nodes, bool normalize, const Limits& limits) {
        struct {
            Bytes text;
        } raw;
        auto filled =
            layout::from_dump(nodes, normalize, limits, [&](auto& visitor, layout::Path&) { walk_text(visitor, raw); });
        if (!filled) return fail(std::move(filled.error()));
        auto loaded = read_text(std::move(raw.text), {limits});
        if (!loaded) return fail(std::move(loaded.error()));
        return std::move(loaded->value);
    }
    static Result<Bytes> write(const File& file, const WriteOptions& /*options*/) {
        return without_exceptions([&]() -> Result<Bytes> { return file.text; });
    }
    static Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
        return write_bytes(path, file.text, options.fsync);
    }
    static Report check(const File& /*file*/, const CheckContext& /*context*/) { return {}; }
    static Result<Json> dump(const File& file, const DumpOptions& options) {
        return layout::dump_nodes([&](auto& visitor) { walk_text(visitor, file); }, options);
    }
    static Result<std::string> hex_map(const File& file, const DumpOptions& options) {
        return layout::hex_map([&](auto& visitor) { walk_text(visitor, file); }, options);
    }
};

}  // namespace effigy
