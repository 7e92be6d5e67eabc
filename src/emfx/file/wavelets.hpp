#pragma once
/// Compressed motions (XSM chunk 203): what has to hold before anything is decoded, and their samples chunk by chunk.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "effigy/emfx_codes.hpp"
#include "effigy/xsm_wavelets.hpp"

#include "core/budget.hpp"
#include "emfx/file/wavelet_transform.hpp"

namespace effigy::xsm {

namespace codes = emfx::codes;

/// A track that a node does not have.
inline constexpr std::uint16_t no_track = 0xffff;

/// What a submotion says of its node besides keys; `convert` makes a rotation of the other form.
template <class From, class To, class Convert>
void copy_poses(const From& from, To& to, Convert convert) {
    to.pose_rotation = convert(from.pose_rotation);
    to.bind_pose_rotation = convert(from.bind_pose_rotation);
    to.pose_scale_rotation = convert(from.pose_scale_rotation);
    to.bind_pose_scale_rotation = convert(from.bind_pose_scale_rotation);
    to.pose_position = from.pose_position;
    to.pose_scale = from.pose_scale;
    to.bind_pose_position = from.bind_pose_position;
    to.bind_pose_scale = from.bind_pose_scale;
    to.maximum_error = from.maximum_error;
    to.node_name = from.node_name;
}

/// With floats for rotations.
[[nodiscard]] Submotion float_submotion(const PackedSubmotion& from);

/// What is wrong with a compressed motion. Errors speak against decoding it.
struct WaveletProblem {
    Code code;
    std::string path;  ///< below the record: "wavelet_chunk[3] / rotations"
    std::string found, expected;

    [[nodiscard]] bool is_error() const noexcept { return code.severity == Severity::error; }
};
[[nodiscard]] bool has_error(std::span<const WaveletProblem> problems) noexcept;

/// The three blocks of a chunk.
enum class WaveletBlock : std::uint8_t { rotations, positions, scales };
inline constexpr std::array wavelet_blocks{WaveletBlock::rotations, WaveletBlock::positions, WaveletBlock::scales};

/// A block as the record has it: names and places are those of the layout.
struct WaveletBlockInfo {
    const char *name, *bytes_name, *scale_name, *quantization_name;
    std::uint32_t decompressed_bytes;
    float quantization;
    std::uint64_t tracks;  ///< rotations: those of scale rotations follow
    std::size_t components;
};
[[nodiscard]] WaveletBlockInfo info_of(const Wavelet& wavelet, WaveletBlock block) noexcept;
[[nodiscard]] const Bytes& block_of(const WaveletChunk& chunk, WaveletBlock block) noexcept;
[[nodiscard]] float scale_of(const WaveletChunk& chunk, WaveletBlock block) noexcept;

/// All that can be said without decoding, the errors first. Where there are none, each block holds no more bytes than
/// its size allows, so that memory for all samples is bounded by the file.
[[nodiscard]] std::vector<WaveletProblem> problems_of(const Wavelet& wavelet);

/// Decodes one chunk after the other. Only for a motion that has no errors.
class WaveletReader {
public:
    WaveletReader(const Wavelet& wavelet, bool big_endian);

    /// Bytes of memory that it takes.
    [[nodiscard]] static std::uint64_t size_for(const Wavelet& wavelet) noexcept;
    /// Goes to a chunk; what is wrong with one of its blocks, if anything.
    [[nodiscard]] std::optional<WaveletProblem> open(std::size_t chunk);
    /// The open chunk's samples of a track, as they stand; valid until the next call.
    [[nodiscard]] std::span<const SampleRow> samples(WaveletBlock block, std::size_t track);

private:
    const Wavelet& wavelet_;
    bool is_swapped_;
    std::size_t chunk_ = 0;
    TrackTransform transform_;
    std::array<Bytes, 3> decoded_;
    Bulk<SampleRow> coefficients_;
};

/// A rotation's samples are absolute and of about unit length; what has no length, or is not finite, is no rotation.
[[nodiscard]] std::optional<Quat> unit_sample(const SampleRow& row) noexcept;
/// Those of positions and scales are added to the pose.
[[nodiscard]] std::optional<Vec3> moved_by(const Vec3& pose, const SampleRow& row) noexcept;

/// decode(), with the caller's memory, which is what it fails for. If one of the problems is an error, there are no
/// keys.
[[nodiscard]] Result<Submotions> decode(const Wavelet& wavelet, bool big_endian, Budget& budget,
                                        std::vector<WaveletProblem>& problems);

/// Decoded keys in the place of a compressed chunk, which lasted so long. Where nothing moves, the first node holds its
/// pose until then, because only keys say how long such a chunk is.
[[nodiscard]] Chunk chunk_of_keys(Submotions motion, float duration);

/// A problem as a finding, with the whole path.
[[nodiscard]] Diagnostic finding_of(WaveletProblem problem, std::size_t chunk);

/// One step of the quantisation of a chunk's block: no sample is known better.
[[nodiscard]] float step_of(const Wavelet& wavelet, const WaveletChunk& chunk, WaveletBlock block) noexcept;

}  // namespace effigy::xsm
