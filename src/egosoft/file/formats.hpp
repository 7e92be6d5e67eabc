#pragma once
/// The formats of the family as the registry takes them (registry/document_row.hpp says what each function does).

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "effigy/ani.hpp"
#include "effigy/catalog.hpp"
#include "effigy/component.hpp"
#include "effigy/material_library.hpp"
#include "effigy/registry.hpp"
#include "effigy/xmf.hpp"

#include "core/byte_source.hpp"
#include "core/json.hpp"
#include "registry/text_format.hpp"

namespace effigy::xmf {

[[nodiscard]] Result<Loaded<File>> read(ByteSource source, const ReadOptions& options);
[[nodiscard]] Result<File> build(const Json& nodes, bool normalize, const Limits& limits);
[[nodiscard]] Result<Json> dump(const File& file, const DumpOptions& options);
[[nodiscard]] Result<std::string> hex_map(const File& file, const DumpOptions& options);
[[nodiscard]] Json info(const File& file, const InfoOptions& options);

}  // namespace effigy::xmf

namespace effigy::ani {

/// The five lists of keys, in the order in which they are stored.
struct KeyList {
    const char* name;
    const char* count;  ///< the name of the field with the number of keys
    Bulk<Key> Animation::*keys;
};
inline constexpr std::array<KeyList, 5> key_lists{{{"positions", "position_count", &Animation::positions},
                                                   {"rotations", "rotation_count", &Animation::rotations},
                                                   {"scales", "scale_count", &Animation::scales},
                                                   {"pre_scales", "pre_scale_count", &Animation::pre_scales},
                                                   {"post_scales", "post_scale_count", &Animation::post_scales}}};

[[nodiscard]] Result<Loaded<File>> read(ByteSource source, const ReadOptions& options);
[[nodiscard]] Result<File> build(const Json& nodes, bool normalize, const Limits& limits);
[[nodiscard]] Result<Json> dump(const File& file, const DumpOptions& options);
[[nodiscard]] Result<std::string> hex_map(const File& file, const DumpOptions& options);
[[nodiscard]] Json info(const File& file, const InfoOptions& options);

}  // namespace effigy::ani

namespace effigy::egosoft {

struct XmfFormat {
    using File = xmf::File;
    static const FormatInfo& format();
    static constexpr Result<Loaded<File>> (*read)(ByteSource, const ReadOptions&) = xmf::read;
    static Report check(const File& file, const CheckContext& context);
    static constexpr auto build = xmf::build;
    static constexpr auto write = xmf::write;
    static constexpr auto write_file = xmf::write_file;
    static constexpr auto info = xmf::info;
    static constexpr auto dump = xmf::dump;
    static constexpr auto hex_map = xmf::hex_map;
};

struct AniFormat {
    using File = ani::File;
    static const FormatInfo& format();
    static constexpr Result<Loaded<File>> (*read)(ByteSource, const ReadOptions&) = ani::read;
    static Report check(const File& file, const CheckContext& /*context*/) { return ani::check(file); }
    static constexpr auto build = ani::build;
    static constexpr auto write = ani::write;
    static constexpr auto write_file = ani::write_file;
    static constexpr auto info = ani::info;
    static constexpr auto dump = ani::dump;
    static constexpr auto hex_map = ani::hex_map;
};

struct ComponentFormat : TextFormat<ComponentFile, read_components> {
    static const FormatInfo& format();
    static Report check(const File& file, const CheckContext& context);
    static Json info(const File& file, const InfoOptions& options);
};
struct LibraryFormat : TextFormat<MaterialLibraryFile, read_material_library> {
    static const FormatInfo& format();
    static Report check(const File& file, const CheckContext& context);
    static Json info(const File& file, const InfoOptions& options);
};
struct IndexFormat : TextFormat<IndexFile, read_index> {
    static const FormatInfo& format();
    static Report check(const File& file, const CheckContext& context);
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

/// The property, beside name and hull, that every known macro of the class has in X4 and that makes the thing work:
/// "thrust" of engines. Empty for other classes.
[[nodiscard]] std::string_view working_property(std::string_view class_name) noexcept;
/// Whether a macro of one class may have a component of the other.
[[nodiscard]] bool goes_with(std::string_view macro_class, std::string_view component_class) noexcept;
/// Its meshes have its own name.
[[nodiscard]] bool has_own_meshes(const Part& part) noexcept;
/// Whether it has meshes and no wreck although all known things of its class have one.
[[nodiscard]] bool lacks_wreck(const Component& component) noexcept;

/// Whether things of this class, or parts of this name, are seen only.
[[nodiscard]] bool is_effect(std::string_view class_name, std::string_view part) noexcept;

/// For messages: a number of so many digits, with a point in every locale.
[[nodiscard]] std::string rounded_text(double value, int digits);

inline constexpr std::size_t no_parent = ~std::size_t{0};
/// Takes the parents of connections, given by number, where they lead round in a circle; returns those connections.
[[nodiscard]] std::vector<std::size_t> cut_circles(std::vector<std::size_t>& parents);

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
