#pragma once
/// What a texture's DDS header says, and which forms games of its time are known to load. Facts: docs/formats/dds.md.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "effigy/result.hpp"

namespace effigy::image {

struct DdsHeader {
    static constexpr std::size_t size = 128;

    std::uint32_t stated_size = 0;  ///< without the magic
    std::uint32_t width = 0, height = 0, levels = 0;
    bool has_dx10_header = false;
    bool is_compressed = false;  ///< in blocks
    bool is_cube_or_volume = false;

    [[nodiscard]] bool is_damaged() const noexcept { return stated_size != size - 4 || width == 0 || height == 0; }
    [[nodiscard]] bool has_powers_of_two() const noexcept {
        return std::has_single_bit(width) && std::has_single_bit(height);
    }
    /// With enough levels the last one is a single block of 4x4.
    [[nodiscard]] bool has_all_levels() const noexcept {
        constexpr std::uint32_t block = 4;
        return levels > 31 || (std::max(width, height) >> (std::max(levels, 1U) - 1)) <= block;
    }
    /// Games before Direct3D 10 have no other textures.
    [[nodiscard]] bool suits_old_games() const noexcept {
        return !is_damaged() && !has_dx10_header && !is_cube_or_volume && has_powers_of_two();
    }
};

/// Nothing of bytes that are no DDS, or too few for a header.
[[nodiscard]] inline std::optional<DdsHeader> read_dds_header(std::span<const std::byte> bytes) noexcept {
    if (bytes.size() < DdsHeader::size || std::memcmp(bytes.data(), "DDS ", 4) != 0) return std::nullopt;
    const auto number_at = [&](std::size_t offset) {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + offset, sizeof value);
        return value;
    };
    constexpr std::size_t format_at = 80, shape_at = 112;
    constexpr std::uint32_t four_letters = 4, cube = 0x200, volume = 0x200000;
    return DdsHeader{number_at(4),
                     number_at(16),
                     number_at(12),
                     number_at(28),
                     std::memcmp(bytes.data() + format_at + 4, "DX10", 4) == 0,
                     (number_at(format_at) & four_letters) != 0,
                     (number_at(shape_at) & (cube | volume)) != 0};
}

/// Bytes of a DDS that begins so: its headers and `levels` levels of its first face or slice; saturates. Fails with
/// "image-unsupported" where the pixel format is none that is known, and with "image-truncated".
[[nodiscard]] Result<std::uint64_t> dds_size(std::span<const std::byte> head, std::uint32_t levels);

}  // namespace effigy::image
