#pragma once
/// Inputs for the benchmarks, made to measure.

#include <cstdint>

#include "effigy/xac.hpp"
#include "effigy/xsm.hpp"

namespace effigy::bench {

/// A wavy sheet of about `bytes` bytes on disk, with normals, UVs, tangents and, if asked for, four influences a
/// vertex.
[[nodiscard]] xac::File make_actor(std::uint64_t bytes, bool skinned);

/// `nodes` tracks of `keys` rotation and position keys; floats, or 16-bit quaternions.
[[nodiscard]] xsm::File make_motion(std::uint32_t nodes, std::uint32_t keys, bool packed);

}  // namespace effigy::bench
