#pragma once
/// XPM: EMotion FX progressive morph motions (weights over time), exactly as they stand on disk.
/// Facts: docs/formats/xpm.md.

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/emfx.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::xac {
struct File;
}

namespace effigy::xpm {

using emfx::Header;
using emfx::MotionEvents;
using emfx::MotionInfo;
using emfx::Opaque;
using emfx::Timestamp;

struct WeightKey {
    float time = 0;           ///< seconds
    std::uint16_t value = 0;  ///< weight = min + (max - min) * value / 65535
    std::array<std::uint8_t, 2> padding{};
};

/// The motion of one morph target: chunk 100 v1, and the elements of chunk 102.
struct Submotion {
    float pose_weight = 0;
    float min_weight = 0, max_weight = 1;
    std::uint32_t phoneme_set = 0;
    std::string name;  ///< raw bytes: the morph target's name
    Bulk<WeightKey> keys;
};

/// Chunk 102 v1.
struct Submotions {
    std::vector<Submotion> submotions;
};

using Record = std::variant<Opaque, MotionInfo, Submotion, Submotions, MotionEvents, Timestamp>;
using Chunk = emfx::Chunk<Record>;

struct File {
    Header header{{'X', 'P', 'M', ' '}, 1, 0, 0, 0};
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

/// `actor`, if given, is the actor that the motion is meant for: target names are compared.
[[nodiscard]] Report check(const File& file, const xac::File* actor = nullptr);

/// As for xsm.
[[nodiscard]] float duration(const File& file) noexcept;

}  // namespace effigy::xpm
