/// The games' own channels of glTF's pictures: what reading does, backwards.

#include <algorithm>
#include <cmath>

#include "compose.hpp"
#include "internal.hpp"

namespace effigy::image {

namespace {

// Red, green and blue made of one channel.
Picture grey_of(const Picture& picture, std::size_t channel, const ChannelUse& use) {
    Picture result = picture;
    const std::uint8_t* source = detail::pixels_of(picture);
    std::uint8_t* pixels = detail::pixels_of(result);
    for (std::size_t i = 0; i < result.rgba.size(); i += 4) {
        const float value = use.apply(static_cast<float>(source[i + channel]) / 255);
        std::fill_n(pixels + i, 3, static_cast<std::uint8_t>(std::lround(value * 255)));
    }
    drop_alpha(result);
    return result;
}

// A colour's value times a share of its light.
std::uint8_t dimmed(std::uint8_t srgb, float share) noexcept {
    const float value = static_cast<float>(srgb) / 255;
    const float light = value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
    const float left = light * share;
    const float result = left <= 0.0031308F ? left * 12.92F : 1.055F * std::pow(left, 1 / 2.4F) - 0.055F;
    return static_cast<std::uint8_t>(std::lround(std::clamp(result, 0.0F, 1.0F) * 255));
}

}  // namespace

Picture smoothness_map(const Picture& metallic_roughness, float roughness_factor) {
    return grey_of(metallic_roughness, 1, {nullptr, roughness_factor, true});
}

Picture metalness_map(const Picture& metallic_roughness, float metallic_factor) {
    return grey_of(metallic_roughness, 2, {nullptr, metallic_factor, false});
}

GlowMap glow_map(const Picture& emissive, const std::array<float, 3>& factor) {
    GlowMap glow{emissive, std::max({factor[0], factor[1], factor[2], 0.0F})};
    std::array<std::array<std::uint8_t, 256>, 3> tables{};
    for (std::size_t channel = 0; channel < 3; ++channel) {
        const float share = glow.strength > 0 ? std::max(factor[channel], 0.0F) / glow.strength : 1;
        for (std::size_t i = 0; i < 256; ++i) tables[channel][i] = dimmed(static_cast<std::uint8_t>(i), share);
    }
    std::uint8_t* pixels = detail::pixels_of(glow.picture);
    for (std::size_t i = 0; i < glow.picture.rgba.size(); i += 4) {
        for (std::size_t channel = 0; channel < 3; ++channel)
            pixels[i + channel] = tables[channel][pixels[i + channel]];
        pixels[i + 3] = 0;
    }
    glow.picture.has_alpha = true;
    return glow;
}

Picture paradox_mask(MaskUse use, const Picture& metallic_roughness, float roughness_factor) {
    Picture mask = smoothness_map(metallic_roughness, roughness_factor);
    const auto green = use == MaskUse::highlight_and_brightness ? std::byte{255} : std::byte{0};
    for (std::size_t i = 0; i < mask.rgba.size(); i += 4) {
        if (use == MaskUse::colors) mask.rgba[i] = std::byte{0};
        mask.rgba[i + 1] = green;
        mask.rgba[i + 2] = std::byte{0};
    }
    return mask;
}

}  // namespace effigy::image
