#pragma once
/// Codes of findings about scenes of any family: conversions and their textures.

#include "effigy/code.hpp"

// clang-format off
#define EFFIGY_SCENE_CODES(SECTION, CODE) \
    SECTION(conversion) \
    CODE(skin_node, "skin-node", error_or_warning, "skins", "An influence refers to no node: engines read past the node list; conversions leave it out (warning).") \
    CODE(skin_weight, "skin-weight", warning, "skins", "A weight is below 0, above 1 or not a number: the vertex overshoots; conversions leave negative ones and those that are no numbers out.") \
    CODE(morph_vertex, "morph-vertex", error_or_warning, "morph targets", "A morph target moves a vertex that the mesh does not have: engines write foreign memory; conversions leave the offset out (warning).") \
    CODE(binds_differ, "binds-differ", info, "conversions", "A joined part has other rest transforms than the first actor; the first one's win.") \
    CODE(blending_lost, "blending-lost", warning, "conversions", "Additive or subtractive blending, or a mode that is not known, becomes ordinary blending.") \
    CODE(clip_empty, "clip-empty", warning, "conversions", "A motion matches nothing in the scene and is left out.") \
    CODE(color_clamped, "color-clamped", info, "conversions", "Vertex colours outside of 0..1 are clamped.") \
    CODE(encoding_unknown, "encoding-unknown", warning, "conversions", "The code page is not known here; only ASCII is decoded.") \
    CODE(joined_names, "joined-names", info, "conversions", "Several inputs have objects of one name; those of later inputs are called after their file as well.") \
    CODE(joined_records, "joined-records", info, "conversions", "Records of extras.effigy can speak of one file only: those of a joined input are left out, and what it has is written from the scene.") \
    CODE(key_duplicate, "key-duplicate", info, "conversions", "Keys that share a time are moved apart by the smallest step; the later one holds from then on.") \
    CODE(key_left_out, "key-left-out", warning, "conversions", "Keys of a scene's tracks whose times are not finite or do not rise are left out.") \
    CODE(key_order, "key-order", warning, "conversions", "Keys that are not in order of time are sorted.") \
    CODE(key_time, "key-time", warning, "conversions", "Keys without a finite time are left out.") \
    CODE(mesh_empty, "mesh-empty", warning, "conversions", "A mesh without usable triangles is left out.") \
    CODE(mesh_no_positions, "mesh-no-positions", warning, "conversions", "A mesh without usable positions is left out.") \
    CODE(morph_empty, "morph-empty", warning, "conversions", "A morph target has no usable offset for a mesh.") \
    CODE(motion_unmatched, "motion-unmatched", warning, "conversions", "Tracks of a motion that name no node or morph target, or states of a part that is not there.") \
    CODE(motion_repeated, "motion-repeated", warning, "conversions", "A motion names a node or target twice; the first one counts.") \
    CODE(node_parent, "node-parent", warning, "conversions", "A node's parent does not come before it; the node becomes a root.") \
    CODE(normal_repaired, "normal-repaired", warning_or_info, "conversions", "Normals that are not unit length are normalised, zero ones are made anew. Info where the format wants normals and the scene has none.") \
    CODE(not_finite_replaced, "not-finite-replaced", warning, "conversions", "Numbers that are not finite become 0, in scales 1.") \
    CODE(nothing_to_show, "nothing-to-show", error, "conversions", "No input has anything that can be shown.") \
    CODE(rotation_zero, "rotation-zero", warning, "conversions", "A zero quaternion becomes no rotation.") \
    CODE(scale_baked, "scale-baked", info, "conversions", "A transform that one glTF node cannot say becomes a chain of two nodes.") \
    CODE(tangent_repaired, "tangent-repaired", warning, "conversions", "Tangents that are not unit or whose handedness is not +-1 are repaired.") \
    CODE(tangent_without_normal, "tangent-without-normal", warning, "conversions", "Tangents of a mesh without normals become a custom attribute.") \
    CODE(texture_coordinates, "texture-coordinates", warning, "conversions", "A material asks for texture coordinates that a mesh lacks.") \
    CODE(texture_kept, "texture-kept", info, "conversions", "Texture layers that have no place in glTF are kept in extras only.") \
    CODE(triangle_index, "triangle-index", warning, "conversions", "Triangles with indices out of range, or incomplete ones, are left out.") \
    CODE(lod_other, "lod-other", info, "conversions", "Parts lack the level of detail that was asked for; the next finer one that they have is shown, or else their finest.") \
    CODE(model_left, "model-left", info, "conversions", "A file of motions says nothing of the model that it moves: the scene's meshes are left out. Write a format of models to get both.") \
    CODE(properties_lost, "properties-lost", warning, "conversions", "Custom properties (glTF `extras`) that the format has no place for are left out.") \
    SECTION(validation) \
    CODE(scene_invalid, "scene-invalid", error, "scenes", "The scene contradicts itself, or what every writer takes for granted; the path says where.") \
    CODE(scene_not_finite, "scene-not-finite", error, "scenes", "A number of the scene is not finite.") \
    SECTION(textures) \
    CODE(texture_missing, "texture-missing", warning_or_info, "textures", "A texture was not found in the folders that were searched, or not looked for; it is left out of its materials. Info where --no-textures asks for it.") \
    CODE(texture_damaged, "texture-damaged", warning, "textures", "A texture file cannot be used; it is left out of its materials.") \
    CODE(texture_alpha_unused, "texture-alpha-unused", info, "textures", "A texture has an alpha channel and its material is opaque; the channel is kept and makes nothing transparent.") \
    CODE(texture_without_alpha, "texture-without-alpha", info, "textures", "A material takes its opacity from a texture that is opaque throughout; it becomes an opaque material, which viewers draw more reliably.") \
    CODE(texture_unused, "texture-unused", info, "textures", "No material uses an image; it is left out.") \
    CODE(tangents_generated, "tangents-generated", info, "textures", "A mesh with a normal map had no tangents; they were computed from its texture coordinates.") \
    CODE(normal_map_without_uv, "normal-map-without-uv", warning, "textures", "A mesh has no texture coordinates for its normal map; it is drawn without the map.") \
    CODE(normal_map_without_normals, "normal-map-without-normals", warning, "textures", "A mesh has no positions and normals that a normal map needs; it is drawn without the map.")
// clang-format on

namespace effigy::codes {
EFFIGY_SCENE_CODES(EFFIGY_NO_SECTION, EFFIGY_CODE_CONSTANT)
}  // namespace effigy::codes
