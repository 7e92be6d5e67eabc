#pragma once
/// Pictures made smaller and larger, as what their channels mean.

#include <cstdint>
#include <vector>

#include "effigy/image.hpp"

namespace effigy::image::detail {

// A picture whose values can be averaged: light instead of sRGB, 16 bits a channel.
struct Texels {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint16_t> rgba;
};

// Throws std::bad_alloc, as all of these.
[[nodiscard]] Texels to_texels(const Picture& picture, Role role);
// `weighted`: colours count by their alpha.
[[nodiscard]] Texels resampled(const Texels& texels, std::uint32_t width, std::uint32_t height, Role role,
                               bool weighted);

// As many pixels of other sizes pass the test of alpha as did in the first one.
class Coverage {
public:
    // Without a cutoff, nothing is changed.
    Coverage(const Picture& picture, const Filtering& filtering) noexcept;

    // The picture, its alpha scaled so that the share is what it was.
    [[nodiscard]] Picture to_picture(const Texels& texels, Role role) const;

private:
    std::uint32_t cutoff_ = 0;  // the least alpha of 0..255 that passes; 0: no test
    double share_ = 0;
};

// Can textures be as large?
[[nodiscard]] Result<void> check_texture_size(std::uint32_t width, std::uint32_t height);

// Do colours count by their alpha?
[[nodiscard]] bool is_weighted(const Picture& picture, const Filtering& filtering) noexcept;

// The least alpha of 0..255 that is not below a cutoff of 0..1.
[[nodiscard]] std::uint32_t min_alpha(float cutoff) noexcept;

}  // namespace effigy::image::detail
