#pragma once
/// What other rooms need of the file's beside the public functions.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "effigy/x42.hpp"

#include "core/byte_source.hpp"
#include "core/json_fwd.hpp"

namespace effigy::x42 {

[[nodiscard]] Result<Loaded<File>> read(ByteSource source, const ReadOptions& options);
[[nodiscard]] Result<File> build(const Json& nodes, bool normalize, const Limits& limits);
[[nodiscard]] Result<Json> dump(const File& file, const DumpOptions& options);
[[nodiscard]] Result<std::string> hex_map(const File& file, const DumpOptions& options);
[[nodiscard]] Json info(const File& file, const std::string& encoding);

/// All of a file but its vertices and indices, laid out as in a file: what extras keep of it.
[[nodiscard]] Result<Bytes> write_frame(const File& file);

/// x42::check without what reading says anyway: where the file is cut off.
[[nodiscard]] Report check_after_reading(const File& file);

/// Byte offsets for findings that name a field by its path, as in dumps: "bone[3] / parent", "groups" ...
void locate(const File& file, Report& report);

// Reading a file under one assumption about how its morph targets are stored.

struct Attempt {
    File file;
    std::string cut_at;  ///< path of the first thing that the file ends before; empty: all is there
    std::uint64_t cut_offset = 0;
    std::uint64_t vertex_count = 0, index_count = 0;  ///< that the header announces
};

/// The version is none that can be read.
[[nodiscard]] Diagnostic version_problem(std::string message, std::uint32_t version);

/// Bytes are read as if Morphs::layout and what belongs to it were as in `morphs`; a frame has no vertices: see
/// write_frame().
[[nodiscard]] Result<Attempt> read_as(ByteSource& source, const Morphs& morphs, const Limits& limits,
                                      bool is_frame = false);

/// Version 6: finds out how the file is stored, or says in `report` why that cannot be told.
[[nodiscard]] Result<Attempt> read_version_6(ByteSource& source, const Limits& limits, Report& report);

/// How far a rotation may be from unit length: sixteen bits leave a hundredth of it.
inline constexpr double max_length_error = 0.01;

/// Line loops (2) do not occur.
[[nodiscard]] constexpr bool is_known(PrimitiveType type) noexcept {
    const auto number = static_cast<std::uint16_t>(type);
    return number <= 6 && number != 2;
}

/// Whether the key stream has all first and last frames of the model's animations if it begins at `start`.
[[nodiscard]] inline bool has_animations_from(const File& file, std::int64_t start) noexcept {
    const std::int64_t count = std::max<std::int64_t>(1, file.header.frame_count);
    const auto is_there = [&](std::int64_t frame) { return frame >= start && frame - start < count; };
    return std::all_of(file.animations.begin(), file.animations.end(), [&](const Animation& animation) {
        return is_there(animation.first_frame) && is_there(animation.last_frame);
    });
}

/// What to subtract from the frames of the model's animations. They are taken for the artist's numbers if the key
/// stream has all of those; if not, they may count from 0 as well, as the format's description says of what is stored.
[[nodiscard]] inline std::int64_t animation_base(const File& file) noexcept {
    const std::int64_t base = file.header.base_frame;
    return has_animations_from(file, base) || !has_animations_from(file, 0) ? base : 0;
}

[[nodiscard]] inline bool is_finite(const Matrix& matrix) noexcept {
    return std::all_of(matrix.begin(), matrix.end(), [](float value) { return std::isfinite(value); });
}

}  // namespace effigy::x42
