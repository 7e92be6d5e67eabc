#pragma once
/// The formats of the family as the registry takes them (registry/document_row.hpp says what each function does).

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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
    static Result<Loaded<File>> read(ByteSource source, const ReadOptions& options) {
        return arp::read(std::move(source), options);
    }
    static Result<File> build(const Json& nodes, bool normalize, const Limits& limits) {
        return arp::build(nodes, normalize, limits);
    }
    static Result<Bytes> write(const File& file, const WriteOptions& options) { return arp::write(file, options); }
    static Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
        return arp::write_file(file, path, options);
    }
    static Report check(const File& file, const CheckContext& /*context*/) { return check_after_reading(file); }
    static Json info(const File& file, const InfoOptions& options) { return arp::info(file, options.encoding); }
    static Result<Json> dump(const File& file, const DumpOptions& options) { return arp::dump(file, options); }
    static Result<std::string> hex_map(const File& file, const DumpOptions& options) {
        return arp::hex_map(file, options);
    }
};

/// A dump shows the container as one block of bytes.
struct ContainerFormat {
    using File = Container;
    static const FormatInfo& format();
    static Result<Loaded<File>> read(ByteSource source, const ReadOptions& options);
    static Result<File> build(const Json& nodes, bool normalize, const Limits& limits);
    static Result<Bytes> write(const File& file, const WriteOptions& options);
    static Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options);
    static Report check(const File& file, const CheckContext& context);
    static Json info(const File& file, const InfoOptions& options);
    static Result<Json> dump(const File& file, const DumpOptions& options);
    static Result<std::string> hex_map(const File& file, const DumpOptions& options);
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
