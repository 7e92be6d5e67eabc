#pragma once
/// Codes of findings about X42 models and the files beside them: checks, reading, conversions in both directions.

#include "effigy/code.hpp"
#include "effigy/core_codes.hpp"
#include "effigy/scene_codes.hpp"

// clang-format off
#define EFFIGY_X42_CODES(SECTION, CODE) \
    SECTION(model) \
    CODE(x42_missing, "x42-missing", error, "X42", "The file ends before all that its header announces: the game refuses it. What is there can be used.") \
    CODE(x42_version, "x42-version", warning, "X42", "The version is not 5, the only one that the game loads: it refuses this file.") \
    CODE(x42_trailing, "x42-trailing", warning, "X42", "Bytes follow the strings: they are kept, and nothing reads them.") \
    CODE(x42_array_size, "x42-array-size", error_or_warning, "X42", "An array has another size than the arrays and flags beside it ask for: written like this, everything behind it is misread; conversions go without what is missing (warning).") \
    CODE(x42_flags, "x42-flags", warning, "X42", "A flag of the model is unknown: the layout may be another than the one that is read here.") \
    CODE(x42_frames, "x42-frames", error, "X42", "The model has no frames: the game divides by their number.") \
    CODE(x42_base_frame, "x42-base-frame", warning, "X42", "The base frame is negative: animations cannot name the frames before 0.") \
    CODE(x42_not_finite, "x42-not-finite", error, "X42", "A number is infinite or not a number: whatever it moves disappears or collapses.") \
    CODE(x42_range, "x42-range", error, "X42", "A range of packed numbers runs backwards, or is infinite or not a number: what is packed in it cannot be told.") \
    CODE(x42_code_high, "x42-code-high", info, "X42", "Packed numbers have codes above 65530: they lie beyond the upper end of their range, which tools that clamp show otherwise.") \
    CODE(x42_bounds, "x42-bounds", warning, "X42", "The model's bounding box does not hold its vertices: the game leaves the model out while parts of it are in sight.") \
    CODE(x42_sphere, "x42-sphere", warning, "X42", "The model's bounding sphere does not hold its vertices: the game picks a level of detail too coarse, or leaves the model out.") \
    CODE(x42_name_range, "x42-name-range", error, "X42", "A name begins beyond the strings: the game reads foreign memory.") \
    CODE(x42_name_end, "x42-name-end", error, "X42", "A name has no zero at its end: the game reads on beyond the strings.") \
    CODE(x42_strings_end, "x42-strings-end", warning, "X42", "The last byte of the strings is not zero: a tool that reads the last string runs beyond its end.") \
    CODE(x42_name_duplicate, "x42-name-duplicate", warning, "X42", "Two of a kind have one name: whoever looks for it finds only the first.") \
    CODE(x42_parent_range, "x42-parent-range", error, "X42", "A bone's parent does not exist: the game reads foreign memory, and the bone has no place.") \
    CODE(x42_parent_order, "x42-parent-order", error_or_warning, "X42", "A bone stands before its parent: the game places it by the parent's place of another frame; conversions make it a root (warning).") \
    CODE(x42_bone_flags, "x42-bone-flags", warning, "X42", "A flag of a bone is unknown: what it asks for is not done.") \
    CODE(x42_inverse_parent_scale, "x42-inverse-parent-scale", warning, "X42", "A bone asks to be freed of its parent's scale: the game does not do that, and neither do conversions.") \
    CODE(x42_extent, "x42-extent", warning, "X42", "A bone's extent is negative: bounds of poses come out too small.") \
    CODE(x42_animation_group_range, "x42-animation-group-range", error, "X42", "An animation group has bones that do not exist, or ends before it begins: the game writes into foreign memory.") \
    CODE(x42_animation_group_count, "x42-animation-group-count", error, "X42", "There are more than 32 animation groups: the game cannot choose those behind.") \
    CODE(x42_animation_group_overlap, "x42-animation-group-overlap", warning, "X42", "A bone is in several animation groups: which of them moves it is left to each tool.") \
    CODE(x42_animation_group_loose, "x42-animation-group-loose", warning, "X42", "A bone is in no animation group: the game never moves it.") \
    CODE(x42_rotation_length, "x42-rotation-length", warning, "X42", "A rotation is not a unit quaternion: the game uses it as it is, and what it turns is scaled or skewed; conversions make it unit.") \
    CODE(x42_value_unused, "x42-value-unused", warning, "X42", "No key uses a value of the palette: it only takes room.") \
    CODE(x42_keys_short, "x42-keys-short", error, "X42", "There are fewer than six keys for each bone: the game takes what follows for keys.") \
    CODE(x42_key_type, "x42-key-type", error, "X42", "A key is neither position nor scale nor rotation: the game reads foreign memory.") \
    CODE(x42_key_bone, "x42-key-bone", error, "X42", "A key moves a bone that does not exist: the game writes into foreign memory.") \
    CODE(x42_key_value, "x42-key-value", error, "X42", "A key's value does not exist: the game reads foreign memory.") \
    CODE(x42_key_frame, "x42-key-frame", error, "X42", "A key is behind the last frame: it is never reached as it is.") \
    CODE(x42_key_head, "x42-key-head", error, "X42", "One of the first six keys of a bone belongs to another bone or is of another type than its place says: the game goes by the place.") \
    CODE(x42_key_order, "x42-key-order", error, "X42", "A key is not later than the key before it in its track: the game divides by the difference, and what the track moves jumps or disappears.") \
    CODE(x42_key_repeated, "x42-key-repeated", warning, "X42", "Two keys of a track have one frame and one value: one of them is of no use, and tools that divide by the difference fail.") \
    CODE(x42_key_need_order, "x42-key-need-order", error, "X42", "A key stands behind keys that are needed later: the game comes to it too late, and what it moves goes astray until then.") \
    CODE(x42_key_first, "x42-key-first", warning, "X42", "The first key of a track is not at frame 0: before it the game goes on backwards along the line through the first two keys.") \
    CODE(x42_key_last, "x42-key-last", warning, "X42", "The last key of a track is before the last frame: behind it the game goes on along the line through the last two keys.") \
    CODE(x42_animation_range, "x42-animation-range", error, "X42", "An animation or its loop has frames that the model does not have: it stands still or shows others.") \
    CODE(x42_loop_order, "x42-loop-order", error, "X42", "A loop runs against its animation: it never comes to its end.") \
    CODE(x42_loop_range, "x42-loop-range", warning, "X42", "A loop leaves its animation: frames are played that are not in it.") \
    CODE(x42_frame_rate, "x42-frame-rate", warning, "X42", "An animation's frame rate is not credible in frames per second: conversions take another; --fps sets it.") \
    CODE(x42_tag_bone, "x42-tag-bone", error_or_warning, "X42", "A tag hangs on a bone that does not exist: the game reads foreign memory; conversions let it follow the model's root (warning).") \
    CODE(x42_influence_bone, "x42-influence-bone", error_or_warning, "X42", "An influence follows a bone that does not exist: the game reads foreign memory; conversions let its vertices follow the model's root (warning).") \
    CODE(x42_influence_singular, "x42-influence-singular", warning, "X42", "An influence's matrix has no inverse: its vertices are flat, and the bone's place in the bind pose cannot be told.") \
    CODE(x42_lod_range, "x42-lod-range", error_or_warning, "X42", "A level of detail has groups that do not exist: the game reads foreign memory; conversions take those that do (warning).") \
    CODE(x42_lod_order, "x42-lod-order", error, "X42", "Levels of detail do not have their groups in order, the finest first: tools that go by the order of the groups mix levels.") \
    CODE(x42_lod_overlap, "x42-lod-overlap", warning, "X42", "A group is in several levels of detail: tools that keep levels apart draw it in one of them only.") \
    CODE(x42_lod_loose, "x42-lod-loose", warning, "X42", "A group is in no level of detail: the game never draws it.") \
    CODE(x42_group_palette, "x42-group-palette", error_or_warning, "X42", "A group has more than 60 influences: the game takes what follows in its record for influences; conversions take the first 60 (warning).") \
    CODE(x42_group_influence, "x42-group-influence", error_or_warning, "X42", "A group uses an influence that does not exist: the game reads foreign memory; conversions let what follows it stand still (warning).") \
    CODE(x42_group_weights, "x42-group-weights", error_or_warning, "X42", "A group's vertices have more than 4 influences: the game writes beyond its buffer; conversions keep the strongest four (warning).") \
    CODE(x42_group_static, "x42-group-static", warning, "X42", "A group without weights has influences other than the model itself: its vertices do not follow them.") \
    CODE(x42_group_vertices, "x42-group-vertices", error_or_warning, "X42", "A group has vertices that do not exist: the game reads and writes foreign memory; conversions take those that do (warning).") \
    CODE(x42_group_overlap, "x42-group-overlap", warning, "X42", "Two groups share vertices: weights of the later one replace those of the earlier.") \
    CODE(x42_group_wide, "x42-group-wide", warning, "X42", "A group has more than 65536 vertices: its indices cannot reach those behind.") \
    CODE(x42_vertex_loose, "x42-vertex-loose", warning, "X42", "A vertex is in no group: it is never drawn.") \
    CODE(x42_group_type, "x42-group-type", error_or_warning, "X42", "A group's kind of primitives is unknown or not allowed: it cannot be drawn; conversions leave it out (warning).") \
    CODE(x42_group_elements, "x42-group-elements", error_or_warning, "X42", "A group draws indices or vertices that it does not have: foreign ones are drawn, or the driver crashes; conversions draw those that it has (warning).") \
    CODE(x42_group_incomplete, "x42-group-incomplete", warning, "X42", "A group's number of elements does not suit its kind of primitives: what is left over is not drawn.") \
    CODE(x42_group_points, "x42-group-points", error, "X42", "A group of points has indices, which the format does not allow.") \
    CODE(x42_index_range, "x42-index-range", error_or_warning, "X42", "An index refers to a vertex outside its group: it is drawn astray or crashes the driver; conversions leave out what it draws (warning).") \
    CODE(x42_blend_index, "x42-blend-index", error_or_warning, "X42", "A vertex follows an influence that its group does not have: the game reads foreign memory; conversions take the group's first (warning).") \
    CODE(x42_weight_sum, "x42-weight-sum", warning, "X42", "A vertex's weights add up to more than 1: the last one becomes negative, and the vertex moves against its bone.") \
    CODE(x42_blend_repeated, "x42-blend-repeated", info, "X42", "A vertex follows one influence twice: conversions add the weights up.") \
    CODE(x42_normal_length, "x42-normal-length", warning, "X42", "A normal has no length: the surface is black or lit at random there.") \
    CODE(x42_tangent_length, "x42-tangent-length", warning, "X42", "A tangent or bitangent has no length: normal maps are lit wrongly there.") \
    CODE(x42_tangent_sign, "x42-tangent-sign", warning, "X42", "A tangent's sign is neither 127 nor -127: the normal made from it is too short or flipped.") \
    CODE(x42_morphs_undetermined, "x42-morphs-undetermined", warning_or_error, "X42", "None of the ways in which X42 version 6 may store its morph targets fits the file, or more than one does: their bytes are kept and not checked, and the model without them is read. The version of such a file cannot be changed (error).") \
    CODE(x42_morph_range, "x42-morph-range", error_or_warning, "X42", "A morph target has offsets that do not exist: whoever blends it reads foreign memory; conversions take those that do (warning).") \
    CODE(x42_morph_overlap, "x42-morph-overlap", warning, "X42", "Morph targets share offsets: no exporter is known to do so, and their vertices were not compared.") \
    CODE(x42_morph_index, "x42-morph-index", error_or_warning, "X42", "A morph target moves a vertex that does not exist: whoever blends it writes into foreign memory; conversions leave the offset out (warning).") \
    CODE(x42_morph_repeated, "x42-morph-repeated", warning, "X42", "A morph target moves one vertex twice: whether both offsets count is left to each tool.") \
    SECTION(player) \
    CODE(x42_not_playable, "x42-not-playable", error, "X42", "The key stream of an X42 model cannot be played: keys without bone, type or value, a track without its first two keys, a bone before its parent, animation groups beyond 32 or beyond the bones.") \
    SECTION(companions) \
    CODE(config_name_repeated, "config-name-repeated", warning, "animation.cfg", "Two animations have one name: whoever looks for it finds one of them.") \
    CODE(config_frame_count, "config-frame-count", warning, "animation.cfg", "An animation has no frames: nothing moves, and conversions leave it out.") \
    CODE(config_frame_rate, "config-frame-rate", warning, "animation.cfg", "A frame rate is below 0.001 or above 240: the animation stands still or flickers; conversions take another rate.") \
    CODE(config_loop, "config-loop", warning, "animation.cfg", "More frames repeat than the animation has, or fewer than none: frames are played that are not in it.") \
    CODE(config_frame_range, "config-frame-range", warning, "animation.cfg with model", "An animation has frames that the model does not have: the nearest frame holds there.") \
    CODE(surface_repeated, "surface-repeated", warning, ".skin", "A surface has two shaders: the first one counts.") \
    CODE(surface_unknown, "surface-unknown", warning, ".skin with model", "The model has no surface of this name: its shader is not shown anywhere.") \
    CODE(surface_unnamed, "surface-unnamed", info, ".skin with model", "The skin does not name a surface of the model: the surface keeps the model's own shader.") \
    CODE(skin_tag_unknown, "skin-tag-unknown", info, ".skin with model", "The model has no tag of this name: usual where models share skins, and nothing is lost.") \
    SECTION(reading) \
    CODE(config_line, "config-line", warning, "X42", "A line of an animation.cfg is neither an animation nor a setting and is left out; or it has more words than an animation, or a quote without an end.") \
    CODE(config_setting, "config-setting", info, "X42", "A setting of an animation.cfg is not known; it is kept and means nothing here.") \
    CODE(skin_line, "skin-line", warning, "X42", "A line of a .skin names no surface and is left out; or it has more words than a surface and its shader, no shader, or a quote without an end.") \
    CODE(companion_comment, "companion-comment", warning, "X42", "A `/*` comment in an animation.cfg or a .skin is never closed: all that follows it is left out.") \
    SECTION(to_scene) \
    CODE(animation_base_frame, "animation-base-frame", info, "X42", "Animations lead out of the key stream if their frames count from the base frame, and do not if they count from 0: they are taken so.") \
    CODE(animation_frame_range, "animation-frame-range", warning, "X42", "Animations have frames that the model does not have; its first or last frame holds there.") \
    CODE(animation_frame_rate, "animation-frame-rate", warning, "X42", "Frame rates of animations are not credible and 30 frames a second are used instead, or the rate that was asked for is none. `--fps` sets the rate.") \
    CODE(animation_none, "animation-none", info, "X42", "The model names no animations, and no animation.cfg was given: all of its frames are one clip.") \
    CODE(rotation_cut, "rotation-cut", info, "X42", "Animations begin or end between keys of rotations, or go on beyond them: keys are put in there, and the largest error is stated.") \
    CODE(x42_pose_hidden, "x42-pose-hidden", info, "X42", "All frames of a model without animations are one pose, which is not the one that its vertices are bound in: the bones rest in the latter, and no clip shows the former. A line of an animation.cfg makes it one.") \
    CODE(x42_keys_left_out, "x42-keys-left-out", warning, "X42", "Keys of a key stream that name no bone, type or value, or that are not later than the key before them in their track, are left out.") \
    CODE(x42_rest_shear, "x42-rest-shear", warning, "X42", "Vertices were bound to a bone in a place with shear, which a node cannot hold; the bone rests in the nearest one. The largest error is stated, as a part of the longest axis.") \
    CODE(x42_several_binds, "x42-several-binds", info, "X42", "Several influences of a bone have other matrices: the first one says how the bone rests, the others have joints of their own.") \
    CODE(x42_group_empty, "x42-group-empty", info, "X42", "A group has nothing to draw: it is left out.") \
    CODE(x42_not_drawn, "x42-not-drawn", info, "X42", "A skin says that a surface is not drawn: it is left out.") \
    CODE(x42_winding_kept, "x42-winding-kept", warning, "X42", "Triangles turn the other way round than those of known files, as their normals show: they are left as they are.") \
    CODE(x42_bitangents_turned, "x42-bitangents-turned", info, "X42", "The file's bitangents run along v, as its triangles show: the tangents' w is negated, as glTF has it.") \
    CODE(x42_skin_repeated, "x42-skin-repeated", warning, "X42", "A surface has several lines in the skins: the first one counts.") \
    CODE(x42_skin_unmatched, "x42-skin-unmatched", info, "X42", "Lines of a skin name surfaces that no model has.") \
    CODE(x42_beside, "x42-beside", info, "X42", "The game reads `animation.cfg` and `default.skin` beside a model; they are not among the inputs.") \
    CODE(x42_version_unknown, "x42-version-unknown", error, "X42", "X42 can be written as version 5 or 6 only.") \
    CODE(x42_morphs_dropped, "x42-morphs-dropped", warning, "X42", "Version 5 of X42 has no room for morph targets; they are left out.") \
    CODE(x42_trailing_dropped, "x42-trailing-dropped", warning, "X42", "Bytes behind the end of an X42 are left out, because in version 6 they would hide how morph targets are stored.") \
    SECTION(from_scene) \
    CODE(x42_character_height, "x42-character-height", warning, "to X42, --target spacetrader", "A character is much smaller or larger than the game's, which are about 56 units tall: units stay as they are, so scale the figure before it is exported.") \
    CODE(x42_character_names, "x42-character-names", info, "to X42, --target spacetrader", "Names that the game asks its characters for are missing: it hangs weapons and views on tags, and turns the body at two bones.") \
    CODE(x42_collision_left_out, "x42-collision-left-out", warning, "to X42", "The format has no collision meshes.") \
    CODE(x42_config_left_out, "x42-config-left-out", warning, "to X42", "Clips that an `animation.cfg` named are not in the model, which comes back as it was; `--animation-config` writes them beside it.") \
    CODE(x42_frame_rate_rounded, "x42-frame-rate-rounded", warning, "to X42", "The format counts whole frames a second, 1 to 240: a clip plays a little faster or slower; `--fps` sets another rate.") \
    CODE(x42_keys_between_frames, "x42-keys-between-frames", info, "to X42", "Keys of a clip stand between frames; the key stream has what it shows at the whole frames beside them.") \
    CODE(x42_keys_thinned, "x42-keys-thinned", warning, "to X42", "More than 65535 keys: so many are left out that the stated error remains.") \
    CODE(x42_light_left_out, "x42-light-left-out", warning, "to X42", "The format has no lights.") \
    CODE(x42_material_reduced, "x42-material-reduced", info, "to X42", "Of a material the format has the name of a shader only.") \
    CODE(x42_morphs_left_out, "x42-morphs-left-out", warning, "to X42", "Version 5 has no morph targets; meshes are as they look at rest.") \
    CODE(x42_node_left_out, "x42-node-left-out", info, "to X42", "Nodes that carry nothing are left out; \"tag_\" at the beginning of the name makes tags of them.") \
    CODE(x42_records_unused, "x42-records-unused", warning, "to X42", "The records in extras are damaged, or were those of a damaged file: everything is made anew.") \
    CODE(x42_positions_coarse, "x42-positions-coarse", warning, "to X42", "Bones stand below a scale, as of an armature in centimetres: positions in units of different size share the steps that the format has. Apply the scale before the export.") \
    CODE(x42_shaders_of_game, "x42-shaders-of-game", info, "to X42, --target spacetrader", "Shaders that the model already had are taken to be in the game, with their textures, which are not written again.") \
    CODE(x42_sets_left_out, "x42-sets-left-out", warning, "to X42", "The format has one set of texture coordinates and one of colours, and no attributes that only some programs know.") \
    CODE(x42_surface_lost, "x42-surface-lost", warning, "to X42", "Edited meshes have no part that is a surface of the file: it was deleted, joined with another, or a `.skin` beside the model had hidden it. Lines of a `.skin` for it do nothing.") \
    CODE(x42_too_many, "x42-too-many", error, "to X42", "Something is more than the format can count: the number, the limit, and what to do.") \
    CODE(x42_weights_left_out, "x42-weights-left-out", warning, "to X42", "Vertices follow more than four joints; the strongest four remain.")
// clang-format on

namespace effigy::x42::codes {
using namespace effigy::codes;
EFFIGY_X42_CODES(EFFIGY_NO_SECTION, EFFIGY_CODE_CONSTANT)
}  // namespace effigy::x42::codes
