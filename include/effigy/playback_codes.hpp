#pragma once
/// Codes of findings about playback and pictures.

#include "effigy/code.hpp"
#include "effigy/core_codes.hpp"

// clang-format off
#define EFFIGY_PLAYBACK_CODES(SECTION, CODE) \
    SECTION(playback) \
    CODE(playback_node, "playback-node", error, "playback", "A node names a mesh or a level of detail that does not exist, or has more morph targets than can be weighted.") \
    CODE(playback_skin, "playback-skin", error, "playback", "A skin's joints do not exist or lack inverse bind matrices, or a mesh's joints are beyond its skin's.") \
    CODE(playback_attribute, "playback-attribute", error, "playback", "Positions, normals, tangents, joints or weights of a mesh are not of a kind or number that can be posed.") \
    CODE(playback_clip, "playback-clip", error, "playback", "The scene has no clip of that number.") \
    CODE(playback_size, "playback-size", error, "playback", "A span is not as long as the others want it.") \
    CODE(playback_index, "playback-index", error, "playback", "A number leads out of a span.") \
    CODE(playback_value, "playback-value", error, "playback", "A number with which the job makes no sense, or a part that is missing.") \
    SECTION(pictures) \
    CODE(render_unavailable, "render-unavailable", error, "pictures", "No picture can be drawn here: this build or this machine lacks Embree. The message says how to get it.") \
    CODE(render_options, "render-options", error, "pictures", "The picture is too large, or an option is out of its range.") \
    CODE(render_lines, "render-lines", warning, "pictures", "The scene has lines or points; pictures show triangles only.") \
    CODE(render_blank, "render-blank", warning, "pictures", "Nothing is seen in a picture: the scene has nothing to draw, or shows only backs from there, which are not drawn. Another --view may help.")
// clang-format on

namespace effigy::codes {
EFFIGY_PLAYBACK_CODES(EFFIGY_NO_SECTION, EFFIGY_CODE_CONSTANT)
}  // namespace effigy::codes
