#pragma once
/// Formats whose bytes are the file: texts and archives. What was read from them is only shown.

#include <filesystem>
#include <string>
#include <utility>

#include "effigy/files.hpp"
#include "effigy/registry.hpp"

#include "core/byte_source.hpp"
#include "core/guard.hpp"
#include "core/whole_file.hpp"

namespace effigy {

inline constexpr char text_member[] = "text";

/// What the registry takes of such a format; `read_bytes` makes the file from its bytes, which it keeps in `bytes`, a
/// block that dumps call `member`. Formats without rules of their own have this check().
template <class T, Result<Loaded<T>> (*read_bytes)(Bytes bytes, const ReadOptions& options), Bytes T::*bytes = &T::text,
          const char* member = text_member>
struct TextFormat {
    using File = T;

    static Result<Loaded<File>> read(ByteSource source, const ReadOptions& options) {
        auto all = layout::read_all(source, options.limits);
        return all ? read_bytes(std::move(*all), options) : Result<Loaded<File>>(fail(std::move(all.error())));
    }
    static Result<File> build(const Json& nodes, bool normalize, const Limits& limits) {
        Bytes all;
        auto filled =
            layout::from_dump(nodes, normalize, limits, [&](auto& visitor, layout::Path&) { walk(visitor, all); });
        if (!filled) return fail(std::move(filled.error()));
        auto loaded = read_bytes(std::move(all), {limits});
        if (!loaded) return fail(std::move(loaded.error()));
        return std::move(loaded->value);
    }
    static Result<Bytes> write(const File& file, const WriteOptions& /*options*/) {
        return without_exceptions([&]() -> Result<Bytes> { return file.*bytes; });
    }
    static Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
        return write_bytes(path, file.*bytes, options.fsync);
    }
    static Report check(const File& /*file*/, const CheckContext& /*context*/) { return {}; }
    static Result<Json> dump(const File& file, const DumpOptions& options) {
        return layout::dump_nodes([&](auto& visitor) { walk(visitor, file.*bytes); }, options);
    }
    static Result<std::string> hex_map(const File& file, const DumpOptions& options) {
        return layout::hex_map([&](auto& visitor) { walk(visitor, file.*bytes); }, options);
    }

private:
    template <class Visitor, class Block>
    static void walk(Visitor& visitor, Block& block) {
        visitor.bulk(member, block, block.size());
    }
};

}  // namespace effigy
