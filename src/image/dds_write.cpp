/// DDS written: the plain header, a chain of levels, block-compressed by libsquish or uncompressed.

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <squish.h>

#include "effigy/image_codes.hpp"

#include "filter.hpp"
#include "internal.hpp"

namespace effigy::image {

namespace {

using namespace detail;

void put(std::span<std::byte> bytes, std::size_t offset, std::uint32_t value) noexcept {
    for (std::size_t i = 0; i < 4; ++i) bytes[offset + i] = static_cast<std::byte>(value >> (8 * i));
}

std::uint32_t level_count(const Picture& picture, const DdsOptions& options) noexcept {
    return options.mips ? static_cast<std::uint32_t>(std::bit_width(std::max(picture.width, picture.height))) : 1;
}

std::uint32_t half(std::uint32_t size) noexcept { return std::max(size / 2, 1U); }

// What becomes of the pixels of all levels.
class LevelWriter {
public:
    LevelWriter(const Picture& picture, const DdsOptions& options)
        : coding_(options.coding), has_alpha_(any_transparent(picture)) {
        const bool opacity = options.filtering.role == Role::color && options.filtering.alpha_is_opacity;
        if (opacity && options.filtering.alpha_cutoff) cutoff_ = min_alpha(*options.filtering.alpha_cutoff);
        weighted_ = opacity && has_alpha_;
    }

    [[nodiscard]] bool has_alpha() const noexcept { return has_alpha_; }
    [[nodiscard]] std::uint32_t bytes_per_pixel() const noexcept { return has_alpha_ ? 4 : 3; }

    [[nodiscard]] std::size_t size(std::uint32_t width, std::uint32_t height) const noexcept {
        if (coding_ == DdsCoding::uncompressed) return std::size_t{width} * height * bytes_per_pixel();
        const bool small = coding_ == DdsCoding::bc1 || coding_ == DdsCoding::bc4;
        return ((std::size_t{width} + 3) / 4) * ((std::size_t{height} + 3) / 4) * (small ? 8 : 16);
    }

    void write(const Picture& level, std::byte* target) const {
        if (coding_ == DdsCoding::uncompressed) return write_pixels(level, target);
        if (coding_ == DdsCoding::bc1 && cutoff_ != 0) return write_blocks(with_two_alphas(level), target);
        write_blocks(level, target);
    }

private:
    void write_pixels(const Picture& level, std::byte* target) const noexcept {
        for (std::size_t i = 0; i < level.rgba.size(); i += 4, target += bytes_per_pixel()) {
            for (std::size_t channel = 0; channel < 3; ++channel) target[channel] = level.rgba[i + 2 - channel];
            if (has_alpha_) target[3] = level.rgba[i + 3];
        }
    }

    // BC1 itself has its cutoff at one half.
    [[nodiscard]] Picture with_two_alphas(const Picture& level) const {
        Picture result = level;
        std::uint8_t* pixels = pixels_of(result);
        for (std::size_t i = 3; i < result.rgba.size(); i += 4) pixels[i] = pixels[i] >= cutoff_ ? 255 : 0;
        return result;
    }

    void write_blocks(const Picture& level, std::byte* target) const {
        const int weight = weighted_ ? squish::kWeightColourByAlpha : 0;
        squish::CompressImage(pixels_of(level), static_cast<int>(level.width), static_cast<int>(level.height), target,
                              squish_format() | squish::kColourIterativeClusterFit | weight);
    }

    [[nodiscard]] int squish_format() const noexcept {
        switch (coding_) {
            case DdsCoding::bc1:
                return squish::kDxt1;
            case DdsCoding::bc4:
                return squish::kBc4;
            case DdsCoding::bc5:
                return squish::kBc5;
            case DdsCoding::bc3:
            case DdsCoding::uncompressed:
                break;
        }
        return squish::kDxt5;
    }

    DdsCoding coding_;
    bool has_alpha_;
    bool weighted_ = false;
    std::uint32_t cutoff_ = 0;
};

std::uint32_t four_cc_of(DdsCoding coding) noexcept {
    constexpr auto code = [](const char* letters) {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<unsigned char>(letters[i])} << (8 * i);
        return value;
    };
    switch (coding) {
        case DdsCoding::bc1:
            return code("DXT1");
        case DdsCoding::bc3:
            return code("DXT5");
        case DdsCoding::bc4:
            return code("ATI1");
        case DdsCoding::bc5:
            return code("ATI2");
        case DdsCoding::uncompressed:
            break;
    }
    return 0;
}

// DDS_PIXELFORMAT, at offset 76.
void put_pixel_format(std::span<std::byte> header, const LevelWriter& writer, DdsCoding coding) noexcept {
    constexpr std::uint32_t four_cc = 0x4, rgb = 0x40, alpha = 0x1;
    put(header, 76, 32);
    if (coding != DdsCoding::uncompressed) {
        put(header, 80, four_cc);
        put(header, 84, four_cc_of(coding));
        return;
    }
    put(header, 80, writer.has_alpha() ? rgb | alpha : rgb);
    put(header, 88, 8 * writer.bytes_per_pixel());
    put(header, 92, 0xFF0000);
    put(header, 96, 0xFF00);
    put(header, 100, 0xFF);
    if (writer.has_alpha()) put(header, 104, 0xFF000000);
}

using Header = std::array<std::byte, 128>;

Header make_header(const Picture& picture, const LevelWriter& writer, DdsCoding coding, std::uint32_t levels) noexcept {
    constexpr std::uint32_t caps_height_width_format = 0x1007, pitch = 0x8, linear_size = 0x80000, mips = 0x20000;
    constexpr std::uint32_t texture = 0x1000, complex_with_mips = 0x400008;
    const bool uncompressed = coding == DdsCoding::uncompressed;
    Header header{};
    put(header, 0, 0x20534444);  // "DDS "
    put(header, 4, 124);
    put(header, 8, caps_height_width_format | (uncompressed ? pitch : linear_size) | (levels > 1 ? mips : 0));
    put(header, 12, picture.height);
    put(header, 16, picture.width);
    put(header, 20, static_cast<std::uint32_t>(writer.size(picture.width, uncompressed ? 1 : picture.height)));
    put(header, 28, levels);
    put_pixel_format(header, writer, coding);
    put(header, 108, levels > 1 ? texture | complex_with_mips : texture);
    return header;
}

std::size_t file_size(const Picture& picture, const LevelWriter& writer, std::uint32_t levels) noexcept {
    std::size_t size = sizeof(Header);
    std::uint32_t width = picture.width, height = picture.height;
    for (std::uint32_t i = 0; i < levels; ++i, width = half(width), height = half(height))
        size += writer.size(width, height);
    return size;
}

// Each level is made of the one before, whose alpha has not been scaled.
void write_smaller_levels(const Picture& picture, const Filtering& filtering, std::uint32_t levels,
                          const LevelWriter& writer, std::byte* target) {
    const Coverage coverage(picture, filtering);
    const bool weighted = is_weighted(picture, filtering);
    Texels texels = to_texels(picture, filtering.role);
    for (std::uint32_t i = 1; i < levels; ++i) {
        texels = resampled(texels, half(texels.width), half(texels.height), filtering.role, weighted);
        writer.write(coverage.to_picture(texels, filtering.role), target);
        target += writer.size(texels.width, texels.height);
    }
}

Result<Bytes> write_dds(const Picture& picture, const DdsOptions& options, std::uint64_t budget) {
    const LevelWriter writer(picture, options);
    const std::uint32_t levels = level_count(picture, options);
    const std::size_t size = file_size(picture, writer, levels);
    const std::uint64_t pixels = std::uint64_t{picture.width} * picture.height;
    const std::uint64_t needed = (options.gzip ? 2 : 1) * size + pixels * (levels > 1 ? 12 : 4);
    if (needed > budget) {
        return fail(problem(codes::limit_memory, "The texture needs more memory than the limit allows.",
                            std::to_string(needed) + " bytes", "at most " + std::to_string(budget) + " bytes"));
    }
    Bytes file(size);
    const Header header = make_header(picture, writer, options.coding, levels);
    std::copy(header.begin(), header.end(), file.begin());
    std::byte* target = file.data() + header.size();
    writer.write(picture, target);
    target += writer.size(picture.width, picture.height);
    if (levels > 1) write_smaller_levels(picture, options.filtering, levels, writer, target);
    if (!options.gzip) return file;
    return gzip(file);
}

}  // namespace

Result<Bytes> encode_dds(const Picture& picture, const DdsOptions& options, const Limits& limits) {
    const auto fits = check_size(picture).and_then([&] { return check_texture_size(picture.width, picture.height); });
    if (!fits) return fail(fits.error());
    try {
        return write_dds(picture, options, memory_budget(limits, picture.rgba.size()));
    } catch (const std::bad_alloc&) {
        return fail(problem(codes::limit_memory, "There is not enough memory for the image."));
    }
}

}  // namespace effigy::image
