#pragma once
/// A folder's models as a gallery in the browser: `effigy view --serve`.

#include <string>

#include "common.hpp"

namespace effigy::app {

struct GalleryArguments {
    std::string folder;
    unsigned port = 0;  ///< 0: any that is free
    bool opens = true;  ///< a browser
    CommonOptions common;
};

/// Until the user cancels; returns the exit code.
[[nodiscard]] int serve_gallery(const GalleryArguments& arguments);

}  // namespace effigy::app
