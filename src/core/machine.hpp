#pragma once
/// Which vector instructions this machine has.

#include <cstdint>

namespace effigy {

/// By Highway's names; each has all that stands before it.
enum class Machine : std::uint8_t {
    other,  ///< what the compiler was told to use anyhow
    ssse3,
    sse4,
    avx2,
    avx3,
};

[[nodiscard]] Machine machine() noexcept;

}  // namespace effigy
