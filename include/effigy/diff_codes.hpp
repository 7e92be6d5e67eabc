#pragma once
/// Codes of differences between files.

#include "effigy/code.hpp"
#include "effigy/core_codes.hpp"

// clang-format off
#define EFFIGY_DIFF_CODES(SECTION, CODE) \
    SECTION(differences) \
    CODE(diff_node, "diff-node", warning_or_info, "diff", "A node is in one file only; nodes below it are counted.") \
    CODE(diff_name, "diff-name", warning, "diff", "An object has another name.") \
    CODE(diff_parent, "diff-parent", warning, "diff", "A node hangs on another node.") \
    CODE(diff_transform, "diff-transform", warning, "diff", "A node rests elsewhere.") \
    CODE(diff_flags, "diff-flags", warning, "diff", "A node is hidden, for collisions, or follows another node in one file only.") \
    CODE(diff_levels, "diff-levels", warning, "diff", "A node has other levels of detail.") \
    CODE(diff_mesh, "diff-mesh", warning, "diff", "A node has a mesh, or a mesh has a skin, in one file only.") \
    CODE(diff_attribute, "diff-attribute", warning_or_info, "diff", "A mesh has an attribute in one file only.") \
    CODE(diff_triangles, "diff-triangles", warning, "diff", "Triangles, lines or points have no counterpart in the same place.") \
    CODE(diff_position, "diff-position", warning, "diff", "Vertices are elsewhere.") \
    CODE(diff_normal, "diff-normal", warning, "diff", "Normals, tangents or bitangents differ.") \
    CODE(diff_texcoord, "diff-texcoord", warning, "diff", "Texture coordinates differ.") \
    CODE(diff_color, "diff-color", warning, "diff", "Vertex colours differ.") \
    CODE(diff_weight, "diff-weight", warning, "diff", "Vertices hang on other bones, or with other weights.") \
    CODE(diff_data, "diff-data", warning, "diff", "Custom attributes differ.") \
    CODE(diff_target, "diff-target", warning_or_info, "diff", "A mesh has a morph target in one file only.") \
    CODE(diff_morph, "diff-morph", warning, "diff", "A morph target moves vertices otherwise, or has another weight at rest.") \
    CODE(diff_assignment, "diff-assignment", warning_or_info, "diff", "Triangles have another material.") \
    CODE(diff_bind, "diff-bind", warning, "diff", "A joint is bound elsewhere.") \
    CODE(diff_material, "diff-material", warning_or_info, "diff", "A material differs, or is in one file only.") \
    CODE(diff_image, "diff-image", warning, "diff", "A material uses another texture.") \
    CODE(diff_light, "diff-light", warning, "diff", "A light differs, or is in one file only.") \
    CODE(diff_clip, "diff-clip", warning_or_info, "diff", "A clip is in one file only.") \
    CODE(diff_duration, "diff-duration", warning, "diff", "A clip lasts longer or shorter.") \
    CODE(diff_track, "diff-track", warning, "diff", "A clip moves a node otherwise.") \
    CODE(diff_extras, "diff-extras", warning, "diff", "What the file knows beyond glTF differs.") \
    CODE(diff_content, "diff-content", warning, "diff", "A field of a file that makes no scene differs.") \
    CODE(diff_file, "diff-file", warning, "diff", "Only one of the folders has a file of this name.") \
    CODE(diff_skipped, "diff-skipped", info, "diff", "Something is not compared, because only one file has it or because the files are of different families.") \
    CODE(diff_beside, "diff-beside", info, "diff", "The files are the same byte by byte, but what is read with them is not: files that they name, or that lie beside them. `effigy diff` of their folders says how.") \
    CODE(diff_formats, "diff-formats", error, "diff", "Files of these two formats have nothing in common.")
// clang-format on

namespace effigy::codes {
EFFIGY_DIFF_CODES(EFFIGY_NO_SECTION, EFFIGY_CODE_CONSTANT)
}  // namespace effigy::codes
