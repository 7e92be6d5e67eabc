#pragma once
/// Keys at a fixed rate.

#include <cstdint>

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

#include "scene/bridge.hpp"

namespace effigy {

/// Times at `rate` a second from 0 on, each once as a float, and the end.
[[nodiscard]] Bulk<float> steady_times(double rate, double duration);
/// At most so many they are; UINT64_MAX if that is beyond all bounds.
[[nodiscard]] std::uint64_t count_steady_times(double rate, double duration) noexcept;

/// Gives each track linear keys at steady times up to the clip's end, or the last key behind it: what its own keys show
/// there, by glTF's rules from then on. Fails with "limit-memory".
[[nodiscard]] Result<void> resample(Clip& clip, double rate, BridgeState& memory);

}  // namespace effigy
