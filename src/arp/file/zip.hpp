#pragma once
/// ZIP archives in memory: minizip knows their layout, libdeflate unpacks.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "effigy/bytes.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

#include "core/budget.hpp"

namespace effigy::arp {

/// What the central directory says about one entry.
struct ZipEntry {
    std::string name;
    std::uint64_t size = 0;         ///< unpacked, as stated
    std::uint64_t stored_size = 0;  ///< in the archive, as stated
    std::uint32_t checksum = 0;
    std::uint32_t flags = 0;
    std::uint32_t method = 0;
};

/// Entries of an archive, one after the other, in the order of its directory.
class ZipReader {
public:
    /// The archive must outlive the reader. Fails with "container-damaged" or "limit-count".
    [[nodiscard]] static Result<ZipReader> open(std::span<const std::byte> archive, const Limits& limits);

    /// The first entry, then the next one; false behind the last one. Fails with "container-damaged" or "limit-string".
    [[nodiscard]] Result<bool> next(ZipEntry& entry);
    /// The current entry unpacked: never more than it states, and never if it cannot be that large. Fails with
    /// "container-entry-unsupported" or "container-entry-damaged"; the next entry can be read all the same.
    [[nodiscard]] Result<Bytes> unpack(const ZipEntry& entry);

    /// Whether an entry of that size can come out of what is stored. Else nothing must be allocated for it.
    [[nodiscard]] static bool is_possible(const ZipEntry& entry) noexcept;

private:
    struct Stream;
    struct Close {
        void operator()(void* handle) const noexcept;
    };

    ZipReader(std::unique_ptr<Stream> stream, std::unique_ptr<void, Close> handle, const Limits& limits,
              std::size_t archive_size);

    [[nodiscard]] std::optional<std::span<const std::byte>> packed_bytes(const ZipEntry& entry);

    std::shared_ptr<Stream> stream_;
    std::unique_ptr<void, Close> handle_;
    Limits limits_;
    std::uint64_t count_ = 0;
    std::uint64_t place_ = 0;
    std::uint64_t stored_left_;  ///< entries cannot share the bytes of the archive
};

/// One entry to write; folders end with a slash.
struct ZipContent {
    std::string_view name;
    std::span<const std::byte> bytes;
};

/// An archive with these entries. The same entries make the same bytes: all have the earliest date there is.
[[nodiscard]] Result<Bytes> write_zip(std::span<const ZipContent> entries);

[[nodiscard]] Bytes packed(std::span<const std::byte> bytes);
/// Nothing for what is damaged or takes more memory than `budget` has.
[[nodiscard]] std::optional<Bytes> unpacked(std::span<const std::byte> packed, Budget& budget);

}  // namespace effigy::arp
