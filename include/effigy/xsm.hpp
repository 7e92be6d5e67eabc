#pragma once
/// XSM: EMotion FX skeletal motions, exactly as they stand on disk. Facts: docs/formats/xsm.md.

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/emfx.hpp"
#include "effigy/math.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::xac {
struct File;
}

namespace effigy::xsm {

using emfx::Header;
using emfx::MotionEvents;
using emfx::MotionInfo;
using emfx::Opaque;
using emfx::Timestamp;

/// A quaternion in units of 1 / 32767; normalise after decoding.
struct PackedQuat {
    std::int16_t x = 0, y = 0, z = 0, w = 32767;
};

[[nodiscard]] Quat decode(PackedQuat packed) noexcept;
[[nodiscard]] inline Quat decode(Quat rotation) noexcept { return rotation; }

struct VectorKey {
    Vec3 value;
    float time = 0;  ///< seconds
};
template <class Rotation>
struct RotationKey {
    Rotation value;
    float time = 0;  ///< seconds
};

/// Float keys for packed ones, with unit quaternions (a quaternion of no length stays as it is).
[[nodiscard]] Bulk<RotationKey<Quat>> decode(std::span<const RotationKey<PackedQuat>> keys);

/// The motion of one node: chunk 200 v1-v2 and 202 v1 with Quat, chunk 200 v3 and 202 v2 with PackedQuat.
/// Values are absolute transforms in the parent's space. A component without keys keeps its pose value.
template <class Rotation>
struct BasicSubmotion {
    Rotation pose_rotation, bind_pose_rotation;
    Rotation pose_scale_rotation, bind_pose_scale_rotation;
    Vec3 pose_position, pose_scale{1, 1, 1};
    Vec3 bind_pose_position, bind_pose_scale{1, 1, 1};
    float maximum_error = 0;  ///< not in chunk 200 v1
    std::string node_name;    ///< raw bytes
    Bulk<VectorKey> position_keys;
    Bulk<RotationKey<Rotation>> rotation_keys;
    Bulk<VectorKey> scale_keys;
    Bulk<RotationKey<Rotation>> scale_rotation_keys;
};
using Submotion = BasicSubmotion<Quat>;
using PackedSubmotion = BasicSubmotion<PackedQuat>;

/// Chunk 202: v1 holds Submotion, v2 PackedSubmotion.
template <class Rotation>
struct BasicSubmotions {
    std::vector<BasicSubmotion<Rotation>> submotions;
};
using Submotions = BasicSubmotions<Quat>;
using PackedSubmotions = BasicSubmotions<PackedQuat>;

struct WaveletMapping {
    std::uint16_t position_track = 0, rotation_track = 0, scale_rotation_track = 0, scale_track = 0;
};
struct WaveletSubmotion {
    PackedQuat pose_rotation, bind_pose_rotation, pose_scale_rotation, bind_pose_scale_rotation;
    Vec3 pose_position, pose_scale, bind_pose_position, bind_pose_scale;
    float maximum_error = 0;
    std::string node_name;
};
struct WaveletChunk {
    float rotation_scale = 0, position_scale = 0, scale_scale = 0;  ///< quantisation
    float start_time = 0;
    std::uint32_t position_bits = 0, rotation_bits = 0, scale_bits = 0;
    Bytes rotations, positions, scales;  ///< compressed, not decoded
};

/// Chunk 203 v1: wavelet-compressed motion; the structure is read, the payload is kept.
struct Wavelet {
    std::uint32_t samples_per_chunk = 0;
    std::uint32_t decompressed_rotation_bytes = 0, decompressed_position_bytes = 0, decompressed_scale_bytes = 0;
    std::uint32_t rotation_track_count = 0, scale_rotation_track_count = 0, scale_track_count = 0,
                  position_track_count = 0;
    std::uint32_t chunk_overhead = 0;
    std::uint32_t compressed_size = 0, optimized_size = 0, uncompressed_size = 0;
    std::uint32_t scale_rotation_offset = 0;
    float position_quantization = 0, rotation_quantization = 0, scale_quantization = 0;
    float sample_spacing = 0, seconds_per_chunk = 0, maximum_time = 0;
    std::uint8_t wavelet = 0;     ///< 0 Haar, 1 D4, 2 CDF 9/7
    std::uint8_t compressor = 0;  ///< 0 Huffman, 1 Rice
    std::array<std::uint8_t, 2> padding{};
    Bulk<WaveletMapping> mappings;  ///< one for each submotion
    std::vector<WaveletSubmotion> submotions;
    std::vector<WaveletChunk> chunks;
};

using Record = std::variant<Opaque, MotionInfo, Submotion, PackedSubmotion, Submotions, PackedSubmotions, Wavelet,
                            MotionEvents, Timestamp>;
using Chunk = emfx::Chunk<Record>;

struct File {
    Header header{{'X', 'S', 'M', ' '}, 1, 0, 0, 0};
    std::vector<Chunk> chunks;
    Bytes trailing;      ///< bytes after the last chunk
    Bytes wrapper_head;  ///< Risen: the 140 bytes before the motion
    Bytes wrapper_tail;  ///< Risen: the bytes after it
};

/// As for xac.
[[nodiscard]] Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options = {});
[[nodiscard]] Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options = {});
[[nodiscard]] Result<Bytes> write(const File& file, const WriteOptions& options = {});
[[nodiscard]] Result<void> write_file(const File& file, const std::filesystem::path& path,
                                      const WriteOptions& options = {});

/// `actor`, if given, is the actor that the motion is meant for: names are compared.
[[nodiscard]] Report check(const File& file, const xac::File* actor = nullptr);

/// The length of the longest track, from its own first key to its last: the length of one loop, seconds.
[[nodiscard]] float duration(const File& file) noexcept;

}  // namespace effigy::xsm
