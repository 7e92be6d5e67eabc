#pragma once
/// The wavelet transforms of motions, on all components of a track at once. Every operation is rounded to a float by
/// itself and stands in the engine's order, so that samples are the engine's to the bit.

#include <array>
#include <cstddef>
#include <span>

#include "effigy/bytes.hpp"
#include "effigy/xsm_wavelets.hpp"

namespace effigy::xsm {

/// One sample, or coefficient: x y z w.
struct SampleRow {
    using Lanes = float __attribute__((vector_size(16)));
    Lanes lanes;

    [[nodiscard]] std::array<float, 4> numbers() const noexcept { return {lanes[0], lanes[1], lanes[2], lanes[3]}; }
};

/// Transforms tracks of one length, a power of two from 2 on.
class TrackTransform {
public:
    TrackTransform(Transform transform, std::size_t samples);

    /// Samples for coefficients; valid until the next call.
    [[nodiscard]] std::span<const SampleRow> inverse(std::span<const SampleRow> coefficients) noexcept;
    /// Coefficients in the place of samples.
    void forward(std::span<SampleRow> samples) noexcept;

private:
    Transform transform_;
    Bulk<SampleRow> one_, other_;
};

}  // namespace effigy::xsm
