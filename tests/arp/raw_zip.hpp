#pragma once
/// ZIP archives byte by byte, with whatever a tool or an attacker may put into them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"

#include "contents.hpp"

namespace effigy::test {

/// An entry as it stands in the archive. What is not stated is what is true.
struct RawZipEntry {
    std::string name;
    std::string packed;  ///< the bytes that are stored
    std::uint16_t method = 0;
    std::uint16_t flags = 0;
    std::uint32_t size = 0;  ///< unpacked
    std::uint32_t checksum = 0;
};

/// Content as it is, or by zlib.
[[nodiscard]] RawZipEntry stored(std::string name, std::string_view content);
[[nodiscard]] RawZipEntry deflated(std::string name, std::string_view content);

/// Headers, entries and directory.
[[nodiscard]] Bytes raw_zip(const std::vector<RawZipEntry>& entries);
/// One block of packed bytes that all entries of the directory share.
[[nodiscard]] Bytes overlapping_zip(const RawZipEntry& entry, std::size_t count);

[[nodiscard]] std::string_view text_from(const Bytes& bytes);

}  // namespace effigy::test
