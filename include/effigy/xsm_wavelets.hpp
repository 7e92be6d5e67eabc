#pragma once
/// XSM chunk 203: motions that are compressed with wavelets, as keys and back. Facts: docs/formats/xsm.md,
/// "Chunk 203: wavelets".

#include <array>
#include <cstdint>
#include <string_view>

#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/xsm.hpp"

namespace effigy::xsm {

/// Wavelet::wavelet.
enum class Transform : std::uint8_t { haar, d4, cdf97 };
inline constexpr std::array<std::string_view, 3> transform_names{"haar", "d4", "cdf97"};

/// The samples as keys, which linear interpolation reads as the engine reads the samples: as they are, signs of
/// rotations aligned, the last one at Wavelet::maximum_time. A node without a track has its pose and no keys. Fails
/// with "wavelet-..." if anything is missing for that or contradicts itself; what is only odd stands in the report,
/// with paths below the record. `big_endian`: the byte order of the file, which the compressed bytes follow.
[[nodiscard]] Result<Loaded<Submotions>> decode(const Wavelet& wavelet, bool big_endian, const Limits& limits = {});

struct WaveletOptions {
    Transform transform = Transform::haar;
    double quality = 100;                 ///< 1 to 100: how fine numbers are; 1 is 40 times as coarse as 100
    double samples_per_second = 12;       ///< as the exporter counts: both ends of a chunk are samples; 0.001 to 1e6
    std::uint32_t samples_per_chunk = 8;  ///< a power of two from 2 on; engines know 4 to 32
    /// Cut digits off instead of rounding, leave signs as they come and end without a spare chunk: the exporter's
    /// bytes.
    bool as_exporter = false;
};

/// How far a compressed motion is off at most, at the times of the keys that it was made of.
struct WaveletError {
    double position = 0;  ///< units of length
    double rotation = 0;  ///< radians
    double scale = 0;
};

struct Encoded {
    Wavelet wavelet;
    WaveletError error;
};

/// Samples of the keys, compressed. Tracks begin at 0, as the engine plays them; a component without keys has none.
[[nodiscard]] Result<Encoded> encode(const Submotions& motion, bool big_endian, const WaveletOptions& options = {},
                                     const Limits& limits = {});

/// The file with keys (chunk 202 v1) in the place of compressed motions, and with all that it moves in one compressed
/// motion. Report and failures have paths in the file; that of with_wavelets() states the error ("motion-sampled").
[[nodiscard]] Result<Loaded<File>> with_keys(File file, const Limits& limits = {});
[[nodiscard]] Result<Loaded<File>> with_wavelets(File file, const WaveletOptions& options = {},
                                                 const Limits& limits = {});
[[nodiscard]] bool has_wavelets(const File& file) noexcept;

}  // namespace effigy::xsm
