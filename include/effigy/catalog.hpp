#pragma once
/// Egosoft's archives: a `.cat` lists files, one a line, whose bytes stand one after the other in the `.dat` beside it.
/// Facts: docs/formats/catalog.md.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::catalog {

using Md5 = std::array<std::uint8_t, 16>;

/// One line of a catalog.
struct Entry {
    std::uint64_t path_offset = 0;  ///< of the path in Index::text
    std::uint32_t path_size = 0;
    std::uint64_t size = 0;    ///< bytes; 0: the file is deleted, whatever earlier catalogs hold
    std::uint64_t offset = 0;  ///< in the .dat: the sum of the sizes before
    std::int64_t time = 0;     ///< seconds since 1970
    Md5 md5{};
};

struct Index {
    Bytes text;  ///< the .cat as it is
    Bulk<Entry> entries;

    /// As it stands in the file: any case, either slash.
    [[nodiscard]] std::string_view path(const Entry& entry) const noexcept {
        return {reinterpret_cast<const char*>(text.data()) + entry.path_offset, entry.path_size};
    }
};

/// Lines that are no entries are findings with their offset.
[[nodiscard]] Result<Loaded<Index>> read(Bytes text, const ReadOptions& options = {});
[[nodiscard]] Result<Loaded<Index>> read_file(const std::filesystem::path& path, const ReadOptions& options = {});

/// The .dat of a .cat.
[[nodiscard]] std::filesystem::path data_path(const std::filesystem::path& catalog);

/// The bytes of an entry. Fails with "catalog-data" if the .dat is shorter, "catalog-md5" if the sums differ,
/// "limit-memory".
[[nodiscard]] Result<Bytes> extract(const std::filesystem::path& data, const Entry& entry, bool verify = true,
                                    const Limits& limits = {});

/// One file to pack.
struct Packed {
    std::string path;              ///< in the catalog, with slashes
    std::filesystem::path source;  ///< an empty one deletes the path
};
/// Writes `catalog` and its .dat; both appear or neither does. `progress` is called before each file and returns false
/// to stop ("limit-cancelled").
[[nodiscard]] Result<void> pack(std::span<const Packed> files, const std::filesystem::path& catalog, bool fsync = false,
                                const std::function<bool(std::size_t)>& progress = {});

[[nodiscard]] Md5 md5_of(std::span<const std::byte> bytes) noexcept;
[[nodiscard]] std::string to_hex(const Md5& sum);

}  // namespace effigy::catalog
