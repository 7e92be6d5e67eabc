#pragma once
/// Codes of findings about OBJ and PLY files.

#include "effigy/code.hpp"
#include "effigy/core_codes.hpp"

// clang-format off
#define EFFIGY_OBJ_CODES(SECTION, CODE) \
    SECTION(output) \
    CODE(obj_lost, "obj-lost", warning_or_info, "OBJ", "Something has no place in OBJ and is left out, or nothing is drawn at all. Info, where nothing of what is seen is lost: hidden meshes, nodes without meshes, tangents, extras.") \
    CODE(ply_lost, "ply-lost", warning_or_info, "PLY", "Something has no place in PLY, such as lines and points, and is left out; info as for OBJ.") \
    CODE(ply_too_large, "ply-too-large", error, "PLY", "There are more vertices than PLY's 31-bit numbers can name.")
// clang-format on

namespace effigy::codes {
EFFIGY_OBJ_CODES(EFFIGY_NO_SECTION, EFFIGY_CODE_CONSTANT)
}  // namespace effigy::codes
