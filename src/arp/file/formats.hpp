#pragma once
/// The formats of the family as the registry takes them (registry/document_row.hpp says what each function does).

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "effigy/arp.hpp"
#include "effigy/arp_container.hpp"
#include "effigy/cas.hpp"
#include "effigy/registry.hpp"

#include "arp/file/arp_format.hpp"
#include "registry/text_format.hpp"

namespace effigy::arp {

struct AvatarFormat {
    using File = arp::File;
    static const FormatInfo& format();
    static constexpr Result<Loaded<File>> (*read)(ByteSource, const ReadOptions&) = arp::read;
    static constexpr auto build = arp::build;
    static constexpr auto write = arp::write;
    static constexpr auto write_file = arp::write_file;
    static constexpr auto dump = arp::dump;
    static constexpr auto hex_map = arp::hex_map;
    static Report check(const File& file, const CheckContext& /*context*/) { return check_after_reading(file); }
    static Json info(const File& file, const InfoOptions& options) { return arp::info(file, options.encoding); }
};

inline constexpr char archive_member[] = "archive";
struct ContainerFormat : TextFormat<Container, read_container, &Container::archive, archive_member> {
    static const FormatInfo& format();
    /// Unlike its bytes, entries may have been changed.
    static Result<Bytes> write(const File& file, const WriteOptions& options) { return write_container(file, options); }
    static Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options);
    static Report check(const File& file, const CheckContext& context);
    static Json info(const File& file, const InfoOptions& options);
};

struct CasFormat : TextFormat<cas::File, cas::read> {
    static const FormatInfo& format();
    static Report check(const File& file, const CheckContext& context);  ///< with context.model, bones that it lacks
    static Json info(const File& file, const InfoOptions& options);
};

[[nodiscard]] bool looks_like_avatar(std::span<const std::byte> head) noexcept;
/// A ZIP that is called .jar, or whose first entries are those of an avatar.
[[nodiscard]] bool looks_like_container(std::span<const std::byte> head, std::string_view name) noexcept;
[[nodiscard]] bool looks_like_cas(std::span<const std::byte> head) noexcept;

}  // namespace effigy::arp
