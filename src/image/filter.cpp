/// Pictures made smaller and larger by stb_image_resize, as what their channels mean: colours as light, normals as
/// vectors, alpha that is tested so that as much is left of a leaf.

#include "filter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <new>

#define STB_IMAGE_RESIZE_IMPLEMENTATION
#define STB_IMAGE_RESIZE_STATIC
#include <stb/stb_image_resize.h>

#include "effigy/image_codes.hpp"

#include "core/srgb.hpp"
#include "internal.hpp"

namespace effigy::image {

namespace detail {

namespace {

constexpr std::size_t values_of_16_bits = 65536;

std::array<std::uint16_t, 256> make_light_of_srgb() {
    std::array<std::uint16_t, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double light = srgb_to_linear(static_cast<double>(i) / 255);
        table[i] = static_cast<std::uint16_t>(std::lround(light * 65535));
    }
    return table;
}

std::vector<std::uint8_t> make_srgb_of_light() {
    std::vector<std::uint8_t> table(values_of_16_bits);
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double value = linear_to_srgb(static_cast<double>(i) / 65535);
        table[i] = static_cast<std::uint8_t>(std::lround(value * 255));
    }
    return table;
}

std::uint8_t to_byte(std::uint32_t value) noexcept { return static_cast<std::uint8_t>((value + 128) / 257); }

// Two vectors that cancel each other out leave one that points out of the surface.
void make_unit_vectors(Texels& texels) noexcept {
    for (std::size_t i = 0; i < texels.rgba.size(); i += 4) {
        std::array<float, 3> vector{};
        float square = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            vector[axis] = static_cast<float>(texels.rgba[i + axis]) / 32767.5F - 1;
            square += vector[axis] * vector[axis];
        }
        if (square < 1e-6F) {
            vector = {0, 0, 1};
            square = 1;
        }
        const float scale = 1 / std::sqrt(square);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const float unit = std::clamp((vector[axis] * scale + 1) * 32767.5F, 0.0F, 65535.0F);
            texels.rgba[i + axis] = static_cast<std::uint16_t>(std::lround(unit));
        }
    }
}

// Averages of areas where it becomes smaller.
stbir_filter filter_for(std::uint32_t from, std::uint32_t to) noexcept {
    return to > from ? STBIR_FILTER_TRIANGLE : STBIR_FILTER_BOX;
}

// The alpha that becomes the cutoff: the one for which most nearly as many pixels pass; of several, the least change.
std::uint32_t alpha_that_passes(const Texels& texels, std::uint32_t cutoff, double share) {
    std::vector<std::uint32_t> counts(values_of_16_bits);
    for (std::size_t i = 3; i < texels.rgba.size(); i += 4) ++counts[texels.rgba[i]];
    const std::size_t pixel_count = texels.rgba.size() / 4;
    const double wanted = share * static_cast<double>(pixel_count);
    const auto change = [cutoff](std::uint32_t alpha) { return alpha > cutoff ? alpha - cutoff : cutoff - alpha; };
    std::uint32_t best = cutoff;
    double best_error = HUGE_VAL;
    double passing = 0;
    for (std::uint32_t alpha = values_of_16_bits; alpha > 0; --alpha) {
        if (alpha < values_of_16_bits) passing += counts[alpha];
        const double error = std::abs(passing - wanted);
        if (error > best_error || (error == best_error && change(alpha) >= change(best))) continue;
        best = alpha;
        best_error = error;
    }
    return best;
}

}  // namespace

Texels to_texels(const Picture& picture, Role role) {
    static const std::array<std::uint16_t, 256> light_of_srgb = make_light_of_srgb();
    Texels texels{picture.width, picture.height, std::vector<std::uint16_t>(picture.rgba.size())};
    const std::uint8_t* pixels = pixels_of(picture);
    for (std::size_t i = 0; i < texels.rgba.size(); ++i) {
        const bool is_light = role == Role::color && i % 4 != 3;
        texels.rgba[i] = is_light ? light_of_srgb[pixels[i]] : static_cast<std::uint16_t>(pixels[i] * 257);
    }
    return texels;
}

Texels resampled(const Texels& texels, std::uint32_t width, std::uint32_t height, Role role, bool weighted) {
    Texels result{width, height, std::vector<std::uint16_t>(std::size_t{width} * height * 4)};
    const int done = stbir_resize(texels.rgba.data(), static_cast<int>(texels.width), static_cast<int>(texels.height),
                                  0, result.rgba.data(), static_cast<int>(width), static_cast<int>(height), 0,
                                  STBIR_TYPE_UINT16, 4, weighted ? 3 : STBIR_ALPHA_CHANNEL_NONE, 0, STBIR_EDGE_WRAP,
                                  STBIR_EDGE_WRAP, filter_for(texels.width, width), filter_for(texels.height, height),
                                  STBIR_COLORSPACE_LINEAR, nullptr);
    if (done == 0) throw std::bad_alloc();
    if (role == Role::normal) make_unit_vectors(result);
    return result;
}

Coverage::Coverage(const Picture& picture, const Filtering& filtering) noexcept {
    if (filtering.role != Role::color || !filtering.alpha_is_opacity || !filtering.alpha_cutoff) return;
    cutoff_ = min_alpha(*filtering.alpha_cutoff);
    const std::uint8_t* pixels = pixels_of(picture);
    std::size_t passing = 0;
    for (std::size_t i = 3; i < picture.rgba.size(); i += 4) passing += pixels[i] >= cutoff_ ? 1 : 0;
    const std::size_t pixel_count = picture.rgba.size() / 4;
    share_ = static_cast<double>(passing) / static_cast<double>(pixel_count);
}

Picture Coverage::to_picture(const Texels& texels, Role role) const {
    static const std::vector<std::uint8_t> srgb_of_light = make_srgb_of_light();
    Picture picture;
    picture.width = texels.width;
    picture.height = texels.height;
    picture.rgba.resize(texels.rgba.size());
    std::uint8_t* pixels = pixels_of(picture);
    const std::uint32_t cutoff = cutoff_ * 257;
    const std::uint32_t passes = cutoff == 0 ? 0 : alpha_that_passes(texels, cutoff, share_);
    for (std::size_t i = 0; i < texels.rgba.size(); ++i) {
        const std::uint32_t value = texels.rgba[i];
        if (i % 4 != 3) {
            pixels[i] = role == Role::color ? srgb_of_light[value] : to_byte(value);
        } else if (passes == 0) {
            pixels[i] = to_byte(value);
        } else {
            // Rounded down, so that nothing passes by rounding.
            const std::uint64_t scaled = std::uint64_t{value} * cutoff / passes;
            pixels[i] = static_cast<std::uint8_t>(std::min<std::uint64_t>(scaled / 257, 255));
        }
    }
    picture.has_alpha = any_transparent(picture);
    return picture;
}

std::uint32_t min_alpha(float cutoff) noexcept {
    const double least = std::ceil(double{cutoff} * 255 - 1e-4);  // 0.2F * 255 is a little more than 51
    return least > 0 ? static_cast<std::uint32_t>(std::min(least, 255.0)) : 0;
}

Result<void> check_texture_size(std::uint32_t width, std::uint32_t height) {
    constexpr std::uint32_t most = 16384;  // no graphics card of the games' time takes more
    if (width >= 1 && height >= 1 && width <= most && height <= most) return {};
    return fail(problem(codes::image_size, "The texture's size is out of range.",
                        std::to_string(width) + " x " + std::to_string(height) + " pixels",
                        "1 to " + std::to_string(most) + " pixels on each side"));
}

bool is_weighted(const Picture& picture, const Filtering& filtering) noexcept {
    return filtering.role == Role::color && filtering.alpha_is_opacity && any_transparent(picture);
}

}  // namespace detail

std::uint32_t nearest_power_of_two(std::uint32_t size) noexcept {
    constexpr std::uint32_t largest = 1U << 31U;
    if (size >= largest) return largest;
    const std::uint64_t below = std::bit_floor(std::max(size, 1U));
    return static_cast<std::uint32_t>(std::uint64_t{size} * size >= 2 * below * below ? 2 * below : below);
}

Result<Picture> resized(const Picture& picture, std::uint32_t width, std::uint32_t height, const Filtering& filtering,
                        const Limits& limits) {
    using namespace detail;
    const auto fits =
        check_size(picture).and_then([&] { return check_texture_size(picture.width, picture.height); }).and_then([&] {
            return check_texture_size(width, height);
        });
    if (!fits) return fail(fits.error());
    const std::uint64_t both = picture.rgba.size() + std::uint64_t{width} * height * 4;
    try {
        Result<Picture> result = make_picture(width, height, 2 * both, memory_budget(limits, picture.rgba.size()));
        if (!result) return result;
        const Texels texels = to_texels(picture, filtering.role);
        *result = Coverage(picture, filtering)
                      .to_picture(resampled(texels, width, height, filtering.role, is_weighted(picture, filtering)),
                                  filtering.role);
        return result;
    } catch (const std::bad_alloc&) {
        return fail(problem(codes::limit_memory, "There is not enough memory for the image."));
    }
}

Result<bool> resize_to_powers_of_two(Picture& picture, const Filtering& filtering, const Limits& limits) {
    const std::uint32_t width = nearest_power_of_two(picture.width), height = nearest_power_of_two(picture.height);
    if (width == picture.width && height == picture.height) return false;
    auto fitted = resized(picture, width, height, filtering, limits);
    if (!fitted) return fail(std::move(fitted.error()));
    picture = std::move(*fitted);
    return true;
}

}  // namespace effigy::image
