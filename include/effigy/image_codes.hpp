#pragma once
/// Codes of findings about images.

#include "effigy/code.hpp"
#include "effigy/core_codes.hpp"

// clang-format off
#define EFFIGY_IMAGE_CODES(SECTION, CODE) \
    SECTION(images) \
    CODE(image_unknown, "image-unknown", error, "images", "The bytes are no image that can be read, plain or gzipped.") \
    CODE(image_unsupported, "image-unsupported", error, "images", "The image is of a kind or pixel format that is not decoded.") \
    CODE(image_damaged, "image-damaged", error_or_warning, "images", "The image or its gzip stream is damaged; a JPEG whose pixels could still be decoded is used (warning).") \
    CODE(image_truncated, "image-truncated", error_or_warning, "images", "The image ends before its last pixel, or is shorter than any gzip file; a JPEG is used as far as it goes, and in glTF both it and a PNG stay as they are (warning).") \
    CODE(image_premultiplied, "image-premultiplied", warning, "images", "A DDS file's colours are multiplied by its alpha; they are kept so and may look dark.") \
    CODE(image_size, "image-size", error, "images", "A picture's size does not fit its pixels; it cannot be encoded.") \
    CODE(image_encode, "image-encode", error, "images", "An animation cannot be written: its pictures differ in size, there is none, or the kind of file cannot hold its size or its times.") \
    CODE(image_kind, "image-kind", warning, "images", "An image that the scene brings is damaged, or neither PNG, JPEG nor WebP; it is not written beside the model.") \
    CODE(image_resized, "image-resized", info, "images", "Textures whose sides are no powers of two, or too small, were resized for a game.")
// clang-format on

namespace effigy::codes {
EFFIGY_IMAGE_CODES(EFFIGY_NO_SECTION, EFFIGY_CODE_CONSTANT)
}  // namespace effigy::codes
