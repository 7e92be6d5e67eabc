/// One image put together from channels of several, stretched to one size.

#include "compose.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "effigy/core_codes.hpp"

#include "internal.hpp"

namespace effigy::image {

namespace {

std::uint8_t to_byte(float value) noexcept { return static_cast<std::uint8_t>(std::lround(value * 255.0F)); }

// What each of the 256 values becomes.
std::array<std::uint8_t, 256> table_of(const ChannelUse& channel) noexcept {
    std::array<std::uint8_t, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = to_byte(channel.apply(static_cast<float>(i) / 255.0F));
    return table;
}

// Two neighbouring texels, and the second one's share in 256ths.
struct Between {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    std::uint32_t share = 0;
};

// Where the centres of `size` pixels lie among `texels` that repeat.
std::vector<Between> places(std::uint32_t size, std::uint32_t texels) {
    std::vector<Between> result(size);
    for (std::uint32_t i = 0; i < size; ++i) {
        const double at = (i + 0.5) * texels / size - 0.5;
        const double below = std::floor(at);
        const std::uint32_t first = below < 0 ? texels - 1 : static_cast<std::uint32_t>(below);
        result[i] = {first, first + 1 < texels ? first + 1 : 0, static_cast<std::uint32_t>((at - below) * 256)};
    }
    return result;
}

void stretch(const Plane& plane, const std::array<std::uint8_t, 256>& table, Picture& picture, std::uint8_t* target) {
    const std::vector<Between> columns = places(picture.width, plane.width);
    const std::vector<Between> rows = places(picture.height, plane.height);
    const auto* values = reinterpret_cast<const std::uint8_t*>(plane.values.data());
    for (const Between& row : rows) {
        const std::uint8_t* upper = values + std::size_t{row.first} * plane.width;
        const std::uint8_t* lower = values + std::size_t{row.second} * plane.width;
        for (const Between& column : columns) {
            const auto across = [&](const std::uint8_t* line) {
                return line[column.first] * (256 - column.share) + line[column.second] * column.share;
            };
            const std::uint32_t sum = across(upper) * (256 - row.share) + across(lower) * row.share;
            *target = table[(sum + (1U << 15U)) >> 16U];
            target += 4;
        }
    }
}

void fill(const ChannelUse& channel, Picture& picture, std::size_t number) {
    std::uint8_t* target = detail::pixels_of(picture) + number;
    const std::size_t size = picture.rgba.size();
    if (channel.plane == nullptr) {
        const std::uint8_t value = to_byte(channel.apply(1));
        for (std::size_t i = 0; i < size; i += 4) target[i] = value;
        return;
    }
    const Plane& plane = *channel.plane;
    const std::array<std::uint8_t, 256> table = table_of(channel);
    if (plane.width != picture.width || plane.height != picture.height) return stretch(plane, table, picture, target);
    const auto* values = reinterpret_cast<const std::uint8_t*>(plane.values.data());
    for (std::size_t i = 0; i < size; i += 4) target[i] = table[values[i / 4]];
}

}  // namespace

float ChannelUse::apply(float value) const noexcept {
    const float scaled = value * scale;
    const float cut = scaled > 0 ? std::min(scaled, 1.0F) : 0.0F;  // not a number: 0
    return inverted ? 1 - cut : cut;
}

Plane red_plane(const Picture& picture) {
    Plane plane{picture.width, picture.height, Bytes(picture.rgba.size() / 4)};
    for (std::size_t i = 0; i < plane.values.size(); ++i) plane.values[i] = picture.rgba[4 * i];
    return plane;
}

Result<Picture> compose(const std::array<ChannelUse, 3>& channels, const Limits& limits) {
    try {
        std::uint32_t width = 1;
        std::uint32_t height = 1;
        for (const ChannelUse& channel : channels) {
            if (channel.plane == nullptr) continue;
            width = std::max(width, channel.plane->width);
            height = std::max(height, channel.plane->height);
        }
        Result<Picture> picture = detail::make_picture(width, height, 0, detail::memory_budget(limits, 0));
        if (!picture) return picture;
        std::fill(picture->rgba.begin(), picture->rgba.end(), std::byte{255});
        for (std::size_t i = 0; i < channels.size(); ++i) fill(channels[i], *picture, i);
        return picture;
    } catch (const std::bad_alloc&) {
        return fail(detail::problem(codes::limit_memory, "There is not enough memory for the image."));
    }
}

}  // namespace effigy::image
