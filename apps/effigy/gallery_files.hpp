#pragma once
/// The gallery's page, from web/gallery: made by the build.

#include <string_view>

namespace effigy::app {

extern const std::string_view gallery_html, gallery_css, gallery_script, gallery_icon;

}  // namespace effigy::app
