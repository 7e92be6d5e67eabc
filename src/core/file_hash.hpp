#pragma once
/// The hash of a file, taken while something else reads it.

#include <cstdint>
#include <optional>
#include <span>

#include "core/hasher.hpp"

namespace effigy {

/// XXH3-64 of bytes that come from the begin of a file to its end.
class FileHash {
public:
    /// Bytes that came before are passed over, and so is all that is behind a gap.
    void add(std::uint64_t offset, std::span<const std::byte> bytes) {
        if (offset > end_ || bytes.size() <= end_ - offset) return;
        hasher_.add(bytes.subspan(static_cast<std::size_t>(end_ - offset)));
        end_ = offset + bytes.size();
    }
    /// Of a file of that size; nothing if not all of it came by.
    [[nodiscard]] std::optional<std::uint64_t> of(std::uint64_t size) const {
        return size == end_ ? std::optional(hasher_.digest()) : std::nullopt;
    }

private:
    Hasher hasher_;
    std::uint64_t end_ = 0;
};

}  // namespace effigy
