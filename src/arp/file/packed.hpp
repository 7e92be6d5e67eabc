#pragma once
/// Bytes made small for records in extras: how many they are (u64), and a zlib stream of them.

#include <optional>
#include <span>

#include "effigy/bytes.hpp"

#include "core/budget.hpp"

namespace effigy::arp {

[[nodiscard]] Bytes packed(std::span<const std::byte> bytes);
/// Nothing for what is damaged or takes more memory than `budget` has.
[[nodiscard]] std::optional<Bytes> unpacked(std::span<const std::byte> packed, Budget& budget);

}  // namespace effigy::arp
