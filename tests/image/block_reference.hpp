#pragma once
// BC1, BC3, BC4 and BC5 decoded a second time, from their published description and by nothing that effigy uses.

#include <cstddef>
#include <span>

#include "samples.hpp"

namespace effigy::image::test {

enum class Blocks : std::uint8_t { bc1, bc3, bc4, bc5 };

// RGBA; channels that the blocks do not have are 0, alpha is 255.
[[nodiscard]] Picture decode_blocks(Blocks kind, std::uint32_t width, std::uint32_t height,
                                    std::span<const std::byte> blocks);

}  // namespace effigy::image::test
