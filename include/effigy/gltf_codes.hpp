#pragma once
/// Codes of findings about glTF files, read and written.

#include "effigy/code.hpp"
#include "effigy/core_codes.hpp"
#include "effigy/scene_codes.hpp"

// clang-format off
#define EFFIGY_GLTF_CODES(SECTION, CODE) \
    SECTION(output) \
    CODE(gltf_extras, "gltf-extras", error, "to glTF", "An object's extras are not the text of one JSON object.") \
    CODE(gltf_too_large, "gltf-too-large", error, "to glTF", "A .glb cannot be larger than 4 GiB; as .gltf the scene can be written.") \
    CODE(clip_fitted, "clip-fitted", info, "to glTF", "Readers of glTF turn at constant speed, and the game does not: rotation keys were inserted; how many in all clips, and the error that remains.") \
    CODE(clip_keys_kept, "clip-keys-kept", warning, "to glTF", "Readers of glTF turn bones otherwise than their game between keys, and `--keep-keys` asks that none be inserted; the largest error, and where it is.") \
    CODE(clip_fit_limit, "clip-fit-limit", warning, "to glTF", "Readers of glTF will turn bones otherwise than their game: too many keys would have to be inserted, or the keys are not of unit length.") \
    SECTION(input) \
    CODE(gltf_header, "gltf-header", error, "glTF", "The file ends within the header of a .glb. It is kept; nothing can be read of it.") \
    CODE(gltf_version, "gltf-version", error, "glTF", "A .glb or a glTF of another version than 2, or one whose `minVersion` is later. The bytes are kept, the meaning is not read.") \
    CODE(gltf_length, "gltf-length", warning, "glTF", "A .glb is not as long as it says. It is read by its chunks; `--normalize` writes the true length.") \
    CODE(gltf_chunk_order, "gltf-chunk-order", error_or_warning, "glTF", "The first chunk is not the JSON, or there is none (error); a further JSON or BIN chunk stands where no reader looks for it (warning).") \
    CODE(gltf_chunk_truncated, "gltf-chunk-truncated", error, "glTF", "The last chunk is cut off; what is left of it is kept as trailing bytes.") \
    CODE(gltf_chunk_unknown, "gltf-chunk-unknown", info, "glTF", "A chunk of a kind that glTF does not know; it is kept.") \
    CODE(gltf_padding, "gltf-padding", warning, "glTF", "A chunk's length is no multiple of 4, or the JSON is filled up with zeros instead of spaces.") \
    CODE(gltf_trailing, "gltf-trailing", warning, "glTF", "Bytes behind the last chunk; they are kept and mean nothing.") \
    CODE(gltf_mark, "gltf-mark", warning, "glTF", "A byte order mark before the JSON of a .gltf. It is read all the same.") \
    CODE(gltf_json, "gltf-json", error, "glTF", "There is no JSON, it is not valid, or it is nested deeper than 256 levels.") \
    CODE(gltf_extension_required, "gltf-extension-required", error, "glTF", "The file cannot be read without an extension that effigy does not know, which is named.") \
    CODE(gltf_extension_unknown, "gltf-extension-unknown", warning, "glTF", "The file uses extensions that effigy does not know, which are named, without needing them (VRM's bones of a humanoid, expressions and springs are such); what they say is left out.") \
    CODE(gltf_alignment, "gltf-alignment", warning, "glTF", "Elements of accessors do not begin at multiples of their components' size. They are read; other readers may refuse.") \
    CODE(gltf_reference, "gltf-reference", error, "glTF", "A number leads to no buffer, buffer view, accessor or image of the file.") \
    CODE(gltf_buffer, "gltf-buffer", error, "glTF", "A buffer has no data or less than it says.") \
    CODE(gltf_view, "gltf-view", error, "glTF", "A buffer view does not say what it stands for, or ends beyond its buffer.") \
    CODE(gltf_accessor, "gltf-accessor", error, "glTF", "An accessor has a type that glTF does not have or effigy has no use for (MAT2, MAT3), ends beyond its view, or has elements larger than the stride.") \
    CODE(gltf_sparse, "gltf-sparse", error, "glTF", "The replaced elements of a sparse accessor do not increase, go too far, or have no place.") \
    CODE(gltf_image, "gltf-image", error, "glTF", "An image has neither a uri nor a buffer view.") \
    CODE(gltf_uri, "gltf-uri", error_or_warning, "glTF", "A URI that is neither a relative name nor a whole data: URI: absolute paths and `http:`, `file:` and the like are not read. Of an image only its name is known then (warning).") \
    CODE(gltf_uri_outside, "gltf-uri-outside", error, "glTF", "A file that is not below the glTF file's own folder, by its name or through a link. `--allow-outside` reads it.") \
    CODE(gltf_file_missing, "gltf-file-missing", error, "glTF", "A buffer's file is not there. (An image's is a missing texture.)") \
    CODE(gltf_meshopt, "gltf-meshopt", error, "glTF", "A buffer view compressed by EXT_meshopt_compression is damaged, or its mode, filter, stride and count do not go together.") \
    CODE(gltf_draco, "gltf-draco", error, "glTF", "A mesh compressed by KHR_draco_mesh_compression is damaged or contradicts the file.") \
    CODE(gltf_value, "gltf-value", warning, "glTF", "A value is not of the kind that glTF wants there; the default is used.") \
    CODE(gltf_range, "gltf-range", warning, "glTF", "A number of a material or light lies outside of what glTF allows and is cut off, as is any that 32 bits cannot hold; or the cones of a spotlight do not fit.") \
    CODE(gltf_not_a_number, "gltf-not-a-number", warning, "glTF", "Numbers in the buffer that are not finite are replaced by 0, matrices with such numbers by none.") \
    CODE(gltf_rotation, "gltf-rotation", warning, "glTF", "Rotations that are not of unit length (off by more than 1e-3) are made so.") \
    CODE(gltf_tree, "gltf-tree", error, "glTF", "A node is its own ancestor, the child of two nodes, or its own level of detail.") \
    CODE(gltf_scene_missing, "gltf-scene-missing", error, "glTF", "The file does not have the scene that is asked for.") \
    CODE(gltf_scenes, "gltf-scenes", info, "glTF", "The file has several scenes, or nodes that are in none; what is not in the chosen one is hidden.") \
    CODE(gltf_mesh_unused, "gltf-mesh-unused", info, "glTF", "Meshes that hang on no node. glTF keeps them, other formats do not.") \
    CODE(gltf_variants_lost, "gltf-variants-lost", warning, "glTF", "Variants of materials (KHR_materials_variants) have no place in the scene; the first materials are kept.") \
    CODE(gltf_camera_lost, "gltf-camera-lost", warning, "glTF", "Cameras have no place in the scene.") \
    CODE(gltf_record_bulk_lost, "gltf-record-bulk-lost", info, "glTF", "Bulk data of a record is gone, as after modelling programs; what needs it is made anew.") \
    CODE(gltf_inside_out, "gltf-inside-out", warning, "glTF", "Triangles of a mesh from Blender wind the wrong way round for its normals, so that it is seen from inside. Blender's exporter makes such of skinned objects that are mirrored: apply the scale (Ctrl+A), and export again.") \
    CODE(gltf_level_alone, "gltf-level-alone", warning, "glTF", "Levels of detail whose finest mesh is gone or has another name, so that nothing is seen of near. Delete them as well, or name one as that mesh was, which shows it in its place.") \
    CODE(gltf_properties_lost, "gltf-properties-lost", warning, "glTF", "Blender wrote the file without custom properties, and names in it (`body skin`, `body.mesh`, `part-lod0` below `part` beside `position`, or all of an X42 model) say that it read a file of effigy's: what only extras know is lost, levels of detail may all be seen at once, and bones that its importer turned stay turned. Export again with Custom Properties.") \
    CODE(gltf_bones_turned_back, "gltf-bones-turned-back", info, "glTF", "Blender's importer rotates bones unless Bone Dir is \"Blender (best for re-importing)\"; they stand as in the game's file again, and their keys, children and binding with them.") \
    CODE(gltf_bones_turned, "gltf-bones-turned", warning, "glTF", "Most bones are rotated otherwise than when effigy wrote the file, and not by quarter turns, which it would undo: the game's motions do not fit them. Begin anew, with Bone Dir \"Blender (best for re-importing)\".") \
    CODE(gltf_colors_lost, "gltf-colors-lost", warning, "glTF", "Vertex colours that the game's mesh had are not in the file, and the mesh was edited, so that they cannot be put back: the format's default stands in their place. What to tick is said.") \
    CODE(gltf_colors_restored, "gltf-colors-restored", info, "glTF", "Vertex colours that the file lost are back from the record, because the mesh's vertices stand where they stood.") \
    CODE(gltf_extras_lost, "gltf-extras-lost", warning, "glTF", "Custom properties that are no object, or nested too deeply, are left out.") \
    CODE(gltf_primitive_lost, "gltf-primitive-lost", warning, "glTF", "A primitive without positions is left out.") \
    CODE(gltf_mode, "gltf-mode", error, "glTF", "There is no such kind of primitive.") \
    CODE(gltf_counts, "gltf-counts", error_or_warning, "glTF", "Attributes or morph targets do not have one element for each vertex (error); there is not one weight for each target, not one value for each time, or not the same number of targets in all primitives: what is missing is 0, what is left over is left out (warning).") \
    CODE(gltf_too_many_vertices, "gltf-too-many-vertices", error, "glTF", "A mesh would have more than 4294967294 vertices.") \
    CODE(gltf_attribute_type, "gltf-attribute-type", error, "glTF", "Positions, joints or offsets of morph targets are of a type that they cannot have.") \
    CODE(gltf_attribute_lost, "gltf-attribute-lost", warning, "glTF", "A vertex attribute that glTF does not know, of an impossible type, or joints without weights, is left out.") \
    CODE(gltf_attribute_made, "gltf-attribute-made", info, "glTF", "A vertex attribute was made up, because only other primitives of the mesh have it, or because a number was missing in the row of its sets.") \
    CODE(gltf_target_lost, "gltf-target-lost", warning, "glTF", "Morph targets move positions, normals and tangents only; what else is in them is left out.") \
    CODE(gltf_index_range, "gltf-index-range", warning, "glTF", "Points, lines or triangles with a corner that is no vertex are left out.") \
    CODE(gltf_indices_left, "gltf-indices-left", warning, "glTF", "The indices form no whole triangles or lines; those left over are left out.") \
    CODE(gltf_skin, "gltf-skin", error, "glTF", "A skin without joints, or without one inverse bind matrix for each joint.") \
    CODE(gltf_joint_range, "gltf-joint-range", error, "glTF", "A vertex follows a joint that its skin does not have. (Where it has no weight, it is made the first joint.)") \
    CODE(gltf_weights, "gltf-weights", warning, "glTF", "The weights of vertices in a skin do not add up to 1, as glTF wants it; they are made to. What shows the file as it is may draw such vertices towards the origin.") \
    CODE(gltf_joint_twice, "gltf-joint-twice", info, "glTF", "A node is a joint of one skin twice; for the second time it gets a child `<node>.twin` that moves with it.") \
    CODE(gltf_material_converted, "gltf-material-converted", info_or_warning, "glTF", "Specular and glossiness became metal and roughness; a texture of them is left out (warning).") \
    CODE(gltf_material_lost, "gltf-material-lost", warning, "glTF", "Extensions of a material for which the scene has no place; they are named.") \
    CODE(gltf_texture_empty, "gltf-texture-empty", warning, "glTF", "A texture without an image is left out.") \
    CODE(gltf_image_missing, "gltf-image-missing", warning, "glTF", "An image's file is not there; its name is kept.") \
    CODE(gltf_image_lost, "gltf-image-lost", warning, "glTF", "An image is neither PNG, JPEG, WebP, DDS nor TGA, or is damaged, and is left out.") \
    CODE(gltf_channel_lost, "gltf-channel-lost", warning, "glTF", "A channel of an animation is left out: it moves no node, a node with a matrix, weights of a node without targets, or what another channel moves.") \
    CODE(gltf_times, "gltf-times", warning, "glTF", "Times of an animation do not increase from 0 on; keys were sorted, moved to 0, or left out.")
// clang-format on

namespace effigy::gltf::codes {
using namespace effigy::codes;
EFFIGY_GLTF_CODES(EFFIGY_NO_SECTION, EFFIGY_CODE_CONSTANT)
}  // namespace effigy::gltf::codes
