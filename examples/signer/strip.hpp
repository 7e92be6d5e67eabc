#pragma once
/// Triangles as one strip.

#include <array>
#include <cstdint>
#include <vector>

namespace signer {

/// Triangles without area lead from one run to the next one. Every other triangle of a strip is turned round; the
/// joins see to it that all face as they did.
[[nodiscard]] std::vector<std::uint16_t> one_strip(const std::vector<std::array<std::uint16_t, 3>>& triangles);

}  // namespace signer
