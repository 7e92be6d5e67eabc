/// WebP through libwebp: single pictures, lossy or not.

#include <webp/decode.h>

#include "effigy/image_codes.hpp"

#include "internal.hpp"

namespace effigy::image::detail {

namespace {

tl::unexpected<Diagnostic> webp_failure(VP8StatusCode status, std::uint64_t size) {
    if (status == VP8_STATUS_NOT_ENOUGH_DATA) return fail(truncated(size, size + 1));
    if (status == VP8_STATUS_OUT_OF_MEMORY) throw std::bad_alloc();
    if (status == VP8_STATUS_UNSUPPORTED_FEATURE)
        return fail(problem(codes::image_unsupported, "The WebP image is of a kind that cannot be read."));
    return fail(problem(codes::image_damaged, "The WebP image is damaged."));
}

}  // namespace

Result<Picture> decode_webp(std::span<const std::byte> bytes, std::uint64_t budget) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    WebPDecoderConfig config;
    if (WebPInitDecoderConfig(&config) == 0)
        return fail(problem(codes::image_unsupported, "libwebp is of another version."));
    if (const auto status = WebPGetFeatures(data, bytes.size(), &config.input); status != VP8_STATUS_OK)
        return webp_failure(status, bytes.size());
    if (config.input.has_animation != 0)
        return fail(problem(codes::image_unsupported, "The WebP image is an animation.", {}, "a single picture"));
    const auto width = static_cast<std::uint32_t>(config.input.width);
    const auto height = static_cast<std::uint32_t>(config.input.height);
    // Lossless pictures are unpacked beside the result.
    Result<Picture> picture = make_picture(width, height, std::uint64_t{width} * height * 4, budget);
    if (!picture) return picture;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = {pixels_of(*picture), static_cast<int>(row_bytes(*picture)), picture->rgba.size()};
    const VP8StatusCode status = WebPDecode(data, bytes.size(), &config);
    WebPFreeDecBuffer(&config.output);
    if (status != VP8_STATUS_OK) return webp_failure(status, bytes.size());
    return picture;
}

}  // namespace effigy::image::detail
