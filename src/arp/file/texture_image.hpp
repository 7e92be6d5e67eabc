#pragma once
/// The image that a file of an avatar has embedded. Rules: docs/conversion/arp.md, "Embedded images".

#include <span>
#include <string>

#include "effigy/arp.hpp"
#include "effigy/image.hpp"

namespace effigy::arp {

/// Whether v = 0 is the first row of the image, embedded or not, and not the last.
[[nodiscard]] bool is_flipped(const File& file) noexcept;

/// Rows as texture coordinates need them: with is_flipped(), v = 0 is the first row, otherwise the last.
/// Fails with "arp-texture-missing", "arp-texture-size", "image-..." or "limit-memory".
[[nodiscard]] Result<image::Picture> texture_picture(const File& file, const Limits& limits = {});

/// As a PNG file: a stored one comes back byte for byte.
[[nodiscard]] Result<Bytes> texture_png(const File& file, const Limits& limits = {});

/// By which records know the image that a scene shows; bytes that are not there have one as well.
[[nodiscard]] std::string image_hash(std::span<const std::byte> bytes);

}  // namespace effigy::arp
