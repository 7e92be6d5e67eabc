#pragma once
/// The compressed rows of a PNG image.

#include "effigy/image.hpp"

namespace effigy::image::detail {

/// Red, green and blue of each pixel, and alpha if it is wanted, as the zlib stream of a PNG image. Rows are filtered
/// if that makes a sample of them smaller: textures that were block-compressed are better off without. Throws
/// std::bad_alloc.
[[nodiscard]] Bytes png_stream(const Picture& picture, bool has_alpha);

}  // namespace effigy::image::detail
