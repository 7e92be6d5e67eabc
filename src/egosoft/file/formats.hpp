#pragma once
/// The formats of the family as the registry takes them (registry/document_row.hpp says what each function does).

#include <filesystem>
#include <string>
#include <utility>

#include "effigy/ani.hpp"
#include "effigy/catalog.hpp"
#include "effigy/component.hpp"
#include "effigy/material_library.hpp"
#include "effigy/registry.hpp"
#include "effigy/xmf.hpp"

#include "core/byte_source.hpp"
#include "core/json.hpp"
#include "egosoft/file/ani_format.hpp"
#include "egosoft/file/xmf_format.hpp"
#include "registry/text_format.hpp"

namespace effigy::egosoft {

struct XmfFormat {
    using File = xmf::File;
    static const FormatInfo& format();
    static Result<Loaded<File>> read(ByteSource source, const ReadOptions& options) {
        return xmf::read(std::move(source), options);
    }
    static Result<File> build(const Json& nodes, bool normalize, const Limits& limits) {
        return xmf::build(nodes, normalize, limits);
    }
    static Result<Bytes> write(const File& file, const WriteOptions& options) { return xmf::write(file, options); }
    static Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
        return xmf::write_file(file, path, options);
    }
    static Report check(const File& file, const CheckContext& context);
    static Json info(const File& file, const InfoOptions& options) { return xmf::info(file, options.encoding); }
    static Result<Json> dump(const File& file, const DumpOptions& options) { return xmf::dump(file, options); }
    static Result<std::string> hex_map(const File& file, const DumpOptions& options) {
        return xmf::hex_map(file, options);
    }
};

struct AniFormat {
    using File = ani::File;
    static const FormatInfo& format();
    static Result<Loaded<File>> read(ByteSource source, const ReadOptions& options) {
        return ani::read(std::move(source), options);
    }
    static Result<File> build(const Json& nodes, bool normalize, const Limits& limits) {
        return ani::build(nodes, normalize, limits);
    }
    static Result<Bytes> write(const File& file, const WriteOptions& options) { return ani::write(file, options); }
    static Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
        return ani::write_file(file, path, options);
    }
    static Report check(const File& file, const CheckContext& context);
    static Json info(const File& file, const InfoOptions& options) { return ani::info(file, options.encoding); }
    static Result<Json> dump(const File& file, const DumpOptions& options) { return ani::dump(file, options); }
    static Result<std::string> hex_map(const File& file, const DumpOptions& options) {
        return ani::hex_map(file, options);
    }
};

struct ComponentFormat : TextFormat<ComponentFile, read_components> {
    static const FormatInfo& format();
    static Report check(const File& file, const CheckContext& context);
    static Json info(const File& file, const InfoOptions& options);
};
struct LibraryFormat : TextFormat<MaterialLibraryFile, read_material_library> {
    static const FormatInfo& format();
    static Json info(const File& file, const InfoOptions& options);
};
struct IndexFormat : TextFormat<IndexFile, read_index> {
    static const FormatInfo& format();
    static Json info(const File& file, const InfoOptions& options);
};
struct MacroFormat : TextFormat<MacroFile, read_macros> {
    static const FormatInfo& format();
    static Json info(const File& file, const InfoOptions& options);
};
struct CatalogFormat : TextFormat<catalog::Index, catalog::read> {
    static const FormatInfo& format();
    static Report check(const File& file, const CheckContext& context);
    static Json info(const File& file, const InfoOptions& options);
};

/// "part_main-collision.xmf", and with a number behind it.
[[nodiscard]] bool names_collision(const std::filesystem::path& path);

/// Whether the bytes, the start of a file or all of it, are of the format. `name` counts where content says too little.
[[nodiscard]] bool looks_like_xmf(std::span<const std::byte> head) noexcept;
[[nodiscard]] bool looks_like_ani(std::span<const std::byte> head, std::string_view name) noexcept;
[[nodiscard]] bool looks_like_catalog(std::span<const std::byte> head, std::string_view name) noexcept;

enum class XmlKind : std::uint8_t { none, component, material_library, index, macros };
/// By the root element, or by what a <diff> selects.
[[nodiscard]] XmlKind xml_kind(std::span<const std::byte> head) noexcept;

/// Rules over all files of a folder.
[[nodiscard]] Report check_mod(const std::filesystem::path& folder, const CheckContext& context);

}  // namespace effigy::egosoft
