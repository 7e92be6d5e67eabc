#pragma once
/// The version string that avatars begin with: all that they have for a magic.

#include <cstddef>
#include <span>
#include <string>

#include "effigy/result.hpp"

namespace effigy::arp {

/// A length and at most so many characters of a version.
inline constexpr std::size_t max_version = 16, max_head = 4 + max_version;

/// The version that a file begins with, or why it is none that can be read.
[[nodiscard]] Result<std::string> read_version(std::span<const std::byte> head);

}  // namespace effigy::arp
