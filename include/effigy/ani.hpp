#pragma once
/// ANI: the animations of Egosoft's components, exactly as they stand on disk. Facts: docs/formats/ani.md.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/math.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::ani {

struct Header {
    std::uint32_t key_offset = 16;  ///< where the keys start: 16 + 160 * animations, or 0 in files without any
    std::uint32_t version = 1;
    std::uint32_t reserved = 0;
};

/// How a component of a key runs to the next key. Other values are possible in damaged files.
enum class Interpolation : std::uint32_t { step = 1, linear = 2, bezier = 5, bezier_linear_time = 6, tcb = 7 };

/// A control point of a bezier curve.
struct Handle {
    float time = 0;   ///< seconds or frames
    float value = 0;  ///< absolute
};

/// 128 bytes.
struct Key {
    Vec3 value;  ///< metres; radians (Euler angles); factors
    std::array<Interpolation, 3> interpolation{Interpolation::linear, Interpolation::linear, Interpolation::linear};
    float time = 0;                                  ///< seconds
    std::array<std::array<Handle, 2>, 3> handles{};  ///< of x, y, z: the one after this key, then the one before it
    float tension = 0, continuity = 0, bias = 0, ease_in = 0, ease_out = 0;
    std::uint32_t derivative = 0;
    std::array<float, 6> derivatives{};
    std::uint32_t angle = 0;
};

/// How one part moves in one state. Keys are relative to the offset of the part's connection.
struct Animation {
    std::array<char, 64> part{};   ///< NUL-terminated, garbage behind
    std::array<char, 64> state{};  ///< likewise: "cockpit_opening"
    float duration = 0;            ///< seconds; not always the time of the last key
    std::array<std::uint32_t, 2> reserved{};
    Bulk<Key> positions, rotations, scales, pre_scales, post_scales;
    /// Keys of each kind, in the order above, that the file announces and does not hold; 0 but in files cut off.
    std::array<std::uint32_t, 5> missing{};
};

struct File {
    Header header;
    std::vector<Animation> animations;
    Bytes gap;       ///< bytes between the last descriptor and the first key
    Bytes trailing;  ///< bytes after the last key
};

[[nodiscard]] Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options = {});
[[nodiscard]] Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options = {});
/// With `normalize`, key_offset is made true.
[[nodiscard]] Result<Bytes> write(const File& file, const WriteOptions& options = {});
[[nodiscard]] Result<void> write_file(const File& file, const std::filesystem::path& path,
                                      const WriteOptions& options = {});

[[nodiscard]] Report check(const File& file);

/// Up to the first NUL.
[[nodiscard]] std::string_view part_of(const Animation& animation) noexcept;
[[nodiscard]] std::string_view state_of(const Animation& animation) noexcept;

}  // namespace effigy::ani
