/// The games' own channels of glTF's pictures: what reading does, backwards.

#include <algorithm>
#include <cmath>

#include "compose.hpp"
#include "core/srgb.hpp"
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
    return byte_of(linear_to_srgb(srgb_to_linear(static_cast<float>(srgb) / 255) * share));
}

}  // namespace

void tint(Picture& picture, const std::array<float, 4>& shares) {
    if (shares == std::array<float, 4>{1, 1, 1, 1}) return;
    std::array<std::array<std::uint8_t, 256>, 4> tables{};
    for (std::size_t i = 0; i < 256; ++i) {
        const auto value = static_cast<std::uint8_t>(i);
        for (std::size_t channel = 0; channel < 3; ++channel) tables[channel][i] = dimmed(value, shares[channel]);
        tables[3][i] = byte_of(static_cast<float>(i) / 255 * shares[3]);
    }
    std::uint8_t* pixels = detail::pixels_of(picture);
    for (std::size_t i = 0; i < picture.rgba.size(); ++i) pixels[i] = tables[i % 4][pixels[i]];
    picture.has_alpha = picture.has_alpha || shares[3] < 1;
}

Result<void> darken(Picture& picture, const Picture& occlusion, float strength, const Limits& limits) {
    const auto fitted = resized(occlusion, picture.width, picture.height, {Role::linear}, limits);
    if (!fitted) return fail(fitted.error());
    const std::uint8_t* shadows = detail::pixels_of(*fitted);
    std::uint8_t* pixels = detail::pixels_of(picture);
    for (std::size_t i = 0; i < picture.rgba.size(); ++i) {
        if (i % 4 == 3) continue;
        const float share = 1 + strength * (static_cast<float>(shadows[i - i % 4]) / 255 - 1);
        pixels[i] = dimmed(pixels[i], share);
    }
    return {};
}

Picture smoothness_map(const Picture& metallic_roughness, float roughness_factor) {
    return grey_of(metallic_roughness, 1, {nullptr, roughness_factor, true});
}

Picture metalness_map(const Picture& metallic_roughness, float metallic_factor) {
    return grey_of(metallic_roughness, 2, {nullptr, metallic_factor, false});
}

GlowMap glow_map(const Picture& emissive, const std::array<float, 3>& factor) {
    GlowMap glow{emissive, std::max({factor[0], factor[1], factor[2], 0.0F})};
    const auto share = [&](float part) { return glow.strength > 0 ? std::max(part, 0.0F) / glow.strength : 1; };
    tint(glow.picture, {share(factor[0]), share(factor[1]), share(factor[2]), 0});
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
