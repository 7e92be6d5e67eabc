#pragma once
/// Codes of findings about ARP avatars, their containers and CAS motions: checks, reading, conversions in both
/// directions.

#include "effigy/code.hpp"
#include "effigy/core_codes.hpp"
#include "effigy/scene_codes.hpp"

// clang-format off
#define EFFIGY_ARP_CODES(SECTION, CODE) \
    SECTION(avatar) \
    CODE(arp_missing, "arp-missing", error, "ARP", "The file ends before all that it announces: players fail to load the avatar. What is there can be used.") \
    CODE(arp_version, "arp-version", warning, "ARP", "The version is none that players know: they refuse the file, or each reads it differently.") \
    CODE(arp_version_old, "arp-version-old", info, "ARP", "The version is below 3.1: players in browsers refuse it, only the older ones load it.") \
    CODE(arp_layout, "arp-layout", info, "ARP", "The layout is not the usual one of the version: it is the one that fits the file exactly, and not every player knows it.") \
    CODE(arp_array_size, "arp-array-size", error, "ARP", "An array has another size than the counts and arrays beside it ask for: written like this, everything behind it is misread.") \
    CODE(arp_not_finite, "arp-not-finite", error, "ARP", "A number is infinite or not a number: whatever it moves disappears or collapses.") \
    CODE(arp_scale, "arp-scale", warning, "ARP", "The scale is not positive: morphs do nothing, or move the face the wrong way.") \
    CODE(arp_volume, "arp-volume", warning, "ARP", "The volume has no height: how large the avatar is in metres cannot be told; conversions take a unit for a metre.") \
    CODE(arp_reflectance, "arp-reflectance", warning, "ARP", "The material's reflectance is outside 0 to 1: players cut it off or light the avatar wrongly.") \
    CODE(arp_skeleton_offset, "arp-skeleton-offset", info, "ARP", "The skeleton has an offset upwards: players add it to the root with every pose.") \
    CODE(arp_trailing, "arp-trailing", warning, "ARP", "Bytes follow the end of the avatar: they are kept, and nothing reads them.") \
    CODE(arp_mesh_missing, "arp-mesh-missing", error, "ARP", "There is no mesh: nothing can be drawn.") \
    CODE(arp_meshes, "arp-meshes", info, "ARP", "There is more than one mesh: players draw the first one only.") \
    CODE(arp_strip_index, "arp-strip-index", error, "ARP", "The strip refers to a vertex that does not exist: it is drawn astray or crashes the driver.") \
    CODE(arp_strip_empty, "arp-strip-empty", warning, "ARP", "The strip has no triangle: nothing is drawn.") \
    CODE(arp_duplicate_range, "arp-duplicate-range", error_or_warning, "ARP", "A duplicate stands for a point that does not exist: it has no place; conversions take the first point (warning).") \
    CODE(arp_vertex_count, "arp-vertex-count", error, "ARP", "Points and duplicates are more than 65536 vertices: the strip cannot reach those behind.") \
    CODE(arp_vertex_unused, "arp-vertex-unused", info, "ARP", "The strip does not use a vertex: it only takes room.") \
    CODE(arp_texcoord_count, "arp-texcoord-count", error_or_warning, "ARP", "Texture coordinates are not as many as points and duplicates: the texture lies wrongly, or players read foreign memory; conversions leave out those of vertices that do not exist (warning).") \
    CODE(arp_point_loose, "arp-point-loose", error_or_warning, "ARP", "A point hangs on no bone: it has no place; conversions let it follow the first one (warning).") \
    CODE(arp_link_many, "arp-link-many", info, "ARP", "A point hangs on more than 4 bones: players in browsers have room for 4.") \
    CODE(arp_link_name, "arp-link-name", error, "ARP", "A link names a bone that is not in the list of names: it cannot be written.") \
    CODE(arp_link_bone, "arp-link-bone", error, "ARP", "Points hang on a bone that the skeleton does not have: players fail to load the avatar.") \
    CODE(arp_link_repeated, "arp-link-repeated", info, "ARP", "A point hangs on one bone twice: conversions add the weights up.") \
    CODE(arp_weight_negative, "arp-weight-negative", warning, "ARP", "A weight is negative: the point moves against its bone.") \
    CODE(arp_weight_sum, "arp-weight-sum", warning, "ARP", "A point's weights do not add up to 1: it is drawn towards the origin or pushed away from it; conversions scale them.") \
    CODE(arp_weight_zero, "arp-weight-zero", info, "ARP", "A link has no weight: its offset means nothing and is ignored; conversions leave it out.") \
    CODE(arp_normal_length, "arp-normal-length", warning, "ARP", "A normal has no length: the surface is black or lit at random there.") \
    CODE(arp_distance, "arp-distance", info, "ARP", "A link's distance along the bone is not that of its offset: the twist of arms treats the point as if it were elsewhere; conversions do not keep it.") \
    CODE(arp_neighbour_range, "arp-neighbour-range", warning, "ARP", "A neighbour of a point does not exist: tools that go by neighbours read foreign memory.") \
    CODE(arp_morph_name, "arp-morph-name", warning, "ARP", "A morph target's name is empty or longer than four characters: motions cannot name it.") \
    CODE(arp_morph_duplicate, "arp-morph-duplicate", warning, "ARP", "Two morph targets have one name: motions reach only one of them.") \
    CODE(arp_morph_missing, "arp-morph-missing", info, "ARP", "Morph targets that all known avatars have are missing: signs that use them leave the face still.") \
    CODE(arp_morph_point, "arp-morph-point", error, "ARP", "A morph target moves a point that does not exist: players write into foreign memory.") \
    CODE(arp_morph_repeated, "arp-morph-repeated", warning, "ARP", "A morph target moves one point twice: whether both offsets count is left to each player; in conversions the first one does.") \
    CODE(arp_morph_normal_length, "arp-morph-normal-length", info, "ARP", "A morph target's normal is not a unit vector: mixed with the point's own, it counts for more or less than its amount.") \
    CODE(arp_bone_missing, "arp-bone-missing", error, "ARP", "There is no skeleton: points have nothing to hang on.") \
    CODE(arp_bone_name, "arp-bone-name", warning, "ARP", "A bone's name is not one to four printable characters: motions cannot name it.") \
    CODE(arp_bone_duplicate, "arp-bone-duplicate", error, "ARP", "Two bones have one name: points and motions reach only one of them.") \
    CODE(arp_parent_missing, "arp-parent-missing", error, "ARP", "A bone's parent does not exist: the bone has no place.") \
    CODE(arp_parent_order, "arp-parent-order", error, "ARP", "A bone stands before its parent: players rely on the order and put the bone in the wrong place.") \
    CODE(arp_root_several, "arp-root-several", warning, "ARP", "More than one bone has no parent: motions move only ROOT, and what hangs on the others stays behind.") \
    CODE(arp_root_missing, "arp-root-missing", error, "ARP", "There is no bone called ROOT: players fail to load the avatar.") \
    CODE(arp_head_missing, "arp-head-missing", error, "ARP", "There is no bone called HEAD: players need it for morph targets.") \
    CODE(arp_arm_missing, "arp-arm-missing", info, "ARP", "A bone of the arms that players twist is missing: the skin of that arm is not twisted.") \
    CODE(arp_bone_length, "arp-bone-length", info_or_warning, "ARP", "A bone's length is not the distance to any of its children: the twist of arms ends elsewhere than the bone. Warning where an arm that players twist, and that points hang on, has no length: players divide by it.") \
    CODE(arp_inverse_twist, "arp-inverse-twist", info, "ARP", "A bone's stored inverse twist is not that of its rest: the twist of arms does not vanish at rest.") \
    CODE(arp_rotation_length, "arp-rotation-length", info, "ARP", "A rotation is a unit quaternion only roughly: conversions make it unit.") \
    CODE(arp_rotation_scaled, "arp-rotation-scaled", warning, "ARP", "A rotation is not a unit quaternion: players use it as it is, and what it turns is scaled or skewed.") \
    CODE(arp_rotation_none, "arp-rotation-none", error, "ARP", "A rotation is all zeros: what it turns collapses.") \
    CODE(arp_pose_bones, "arp-pose-bones", warning, "ARP", "The default pose does not have the skeleton's bones in their order: players put transforms on the wrong bones, or leave bones out.") \
    CODE(arp_pose_translation, "arp-pose-translation", info, "ARP", "The default pose moves bones from where the skeleton has them: players take its rotations only.") \
    CODE(arp_ambient_rate, "arp-ambient-rate", warning, "ARP", "The ambient motion's frames a second are not credible: it stands still or flickers; conversions take 25.") \
    CODE(arp_ambient_time, "arp-ambient-time", warning, "ARP", "A frame of the ambient motion is not later than the one before it: it is never seen, or the motion runs backwards.") \
    CODE(arp_ambient_bone, "arp-ambient-bone", warning, "ARP", "The ambient motion turns a bone that the skeleton does not have: players leave it out or fail.") \
    CODE(arp_ambient_morph, "arp-ambient-morph", warning, "ARP", "The ambient motion uses a morph target that the avatar does not have: that part of the face stays still.") \
    CODE(arp_texture_name, "arp-texture-name", warning, "ARP", "No texture is named, and none is embedded: the avatar is drawn without one.") \
    CODE(arp_texture_flags, "arp-texture-flags", warning, "ARP", "The texture's flags are unknown or contradict each other: which kind of image it is, is left to each player.") \
    CODE(arp_texture_tga, "arp-texture-tga", warning, "ARP", "The texture is said to be a TGA: players refuse it.") \
    CODE(arp_texture_embedded, "arp-texture-embedded", info, "ARP", "The texture is embedded: players in browsers look for a PNG file beside the avatar only. Conversions make a PNG of it.") \
    CODE(arp_texture_size, "arp-texture-size", error, "ARP", "The embedded texture's sizes do not suit its bytes, or it cannot be decoded: players fail to load the avatar.") \
    SECTION(container) \
    CODE(container_texture_missing, "container-texture-missing", warning, "container", "The texture that the avatar names is not in the container: the avatar is shown without it.") \
    CODE(container_texture_damaged, "container-texture-damaged", warning, "container", "The texture that the avatar names cannot be decoded: the avatar is shown without it.") \
    CODE(container_file_missing, "container-file-missing", info, "container", "A file that signing tools look for beside the avatar is not in the container: they go without its settings or gestures.") \
    CODE(container_entry_repeated, "container-entry-repeated", warning, "container", "Two entries have one name: tools take the first or the last of them.") \
    SECTION(motion) \
    CODE(cas_version, "cas-version", info, "CAS XML", "The version is not 2.1: what differs in it is not known, and it is read like 2.1.") \
    CODE(cas_empty, "cas-empty", warning, "CAS", "There is no frame: nothing moves.") \
    CODE(cas_sign_empty, "cas-sign-empty", info, "CAS", "A sign has no frame of its own: it is not shown.") \
    CODE(cas_time, "cas-time", warning, "CAS", "A frame is not later than the frame before it: players jump there or skip it.") \
    CODE(cas_duration, "cas-duration", warning, "CAS", "A frame lasts less than no time: players that add up durations run backwards.") \
    CODE(cas_rotation_length, "cas-rotation-length", warning, "CAS", "A rotation is not of unit length: players that do not normalise it distort the bone.") \
    CODE(cas_bone_repeated, "cas-bone-repeated", warning, "CAS", "A frame names a bone twice: which of the two counts is left to each tool.") \
    CODE(cas_morph_repeated, "cas-morph-repeated", warning, "CAS", "A frame names a morph target twice: which of the two counts is left to each tool.") \
    CODE(cas_bone_late, "cas-bone-late", info, "CAS", "A bone is not in the first frame and moves later on: until then it rests as the avatar says.") \
    CODE(cas_bone_unknown, "cas-bone-unknown", warning, "CAS with avatar", "The avatar has no bone of this name: its movement is lost.") \
    CODE(cas_morph_unknown, "cas-morph-unknown", warning, "CAS with avatar", "The avatar has no morph target of this name: what it shows is lost.") \
    SECTION(reading) \
    CODE(arp_layout_ambiguous, "arp-layout-ambiguous", error, "ARP, CAS", "The avatar is not laid out as its version says, and fits several other layouts, which give it different contents. They are named.") \
    CODE(arp_layout_other, "arp-layout-other", info, "ARP, CAS", "The avatar is not laid out as its version says, but fits exactly one other layout: it is read, and written, by that.") \
    CODE(arp_layout_doubtful, "arp-layout-doubtful", warning, "ARP, CAS", "The avatar ends where the layout of its version ends, but breaks a rule by which layouts are told apart (weights, indices, names, unit quaternions); `found` says where.") \
    CODE(arp_string_form, "arp-string-form", error, "ARP, CAS", "The file begins with an avatar's version in a form that no known program writes (big-endian, 16-bit lengths, strings that end with a zero ...).") \
    CODE(container_damaged, "container-damaged", error, "ARP, CAS", "The directory of a ZIP archive cannot be read: the file is cut off or damaged, or has no entries.") \
    CODE(container_no_avatar, "container-no-avatar", error, "ARP, CAS", "The container has no entry avatardef.jarp or avatardef.arp. Folders are searched without such containers.") \
    CODE(container_avatar_damaged, "container-avatar-damaged", error, "ARP, CAS", "The entry avatardef.jarp or avatardef.arp, or each of several, is damaged, encrypted or packed by another method than stored and deflated.") \
    CODE(container_avatars, "container-avatars", warning, "ARP, CAS", "There is more than one avatar in the container; the first one that can be read is used, the others are kept.") \
    CODE(container_entry_name, "container-entry-name", error, "ARP, CAS", "The name of an entry is empty, absolute, begins with a drive, has a NUL in it, or leads up (`..`), with slashes or backslashes; the container is neither read nor written.") \
    CODE(container_entry_unsupported, "container-entry-unsupported", error, "ARP, CAS", "An entry is encrypted, or packed by another method than stored and deflated; it is kept in copies, and has no content.") \
    CODE(container_entry_damaged, "container-entry-damaged", error, "ARP, CAS", "An entry does not unpack to the size and checksum that the archive states, or more is stored than the archive can hold; it is kept in copies, and has no content.") \
    CODE(cas_field, "cas-field", warning, "ARP, CAS", "An attribute or member of a CAS file is missing or of another kind; what it belongs to is left out, and times follow from the frame before.") \
    CODE(cas_bone, "cas-bone", warning, "ARP, CAS", "It cannot be told which bone is meant: there is neither a name nor an index that the first frame has. It is left out.") \
    CODE(cas_bone_index, "cas-bone-index", warning, "ARP, CAS", "Index and name of a bone in a frame that is not complete are those of two bones; the index counts.") \
    CODE(cas_count, "cas-count", warning, "ARP, CAS", "There are more or fewer frames, signs, bones or morphs than the file says; those that are there are used.") \
    CODE(cas_base_frame, "cas-base-frame", warning, "ARP, CAS", "A sign says that it begins at another frame than it does; frames are taken one after the other.") \
    CODE(cas_end, "cas-end", info, "ARP, CAS", "A CAS stream does not end with {}: it may have been cut off between two signs.") \
    CODE(cas_json_syntax, "cas-json-syntax", error, "ARP, CAS", "A CAS stream is no JSON from here on, or is cut off, or one of its signs is none; what stands before it is used.") \
    SECTION(writing) \
    CODE(container_entry_kept, "container-entry-kept", error, "ARP, CAS", "The avatar or an entry changed, and another entry could not be unpacked: the container cannot be packed anew. The avatar can be written as .jarp.") \
    SECTION(to_scene) \
    CODE(arp_avatars, "arp-avatars", error, "ARP, CAS", "A scene has one avatar: more than one is refused.") \
    CODE(arp_bind, "arp-bind", info, "ARP, CAS", "The bind pose was recovered; the distances between the links of points that hang on several bones are stated, in units and as a part of the height.") \
    CODE(arp_bind_rest, "arp-bind-rest", warning, "ARP, CAS", "No bind pose explains how points hang on several bones; the rest pose is used, and the skin may tear or bulge where bones turn.") \
    CODE(arp_bone_count, "arp-bone-count", warning, "ARP, CAS", "There are more joints than glTF has numbers for; the mesh stands still.") \
    CODE(arp_bone_repeated, "arp-bone-repeated", warning, "ARP, CAS", "Several bones have one name; points and motions reach the first one only.") \
    CODE(arp_companion, "arp-companion", warning, "ARP, CAS", "`asd.xml`, `nonmanuals.xml` or `config.xml` beside the avatar cannot be used: conversions leave it out.") \
    CODE(arp_file_left_out, "arp-file-left-out", info, "ARP, CAS", "Files of a container have no place in a scene, and only their names are kept; or an avatar was taken out of its container, and the files beside it stay behind.") \
    CODE(arp_frame_time, "arp-frame-time", warning_or_info, "ARP, CAS", "Frames are not later than the one before them; they follow it after its duration, or after 40 ms. Info in CAS, where each sign of a stream may count its time anew.") \
    CODE(arp_head, "arp-head", warning, "ARP, CAS", "There is no bone HEAD, whose frame the morph targets are in; they are taken to be in the model's.") \
    CODE(arp_many_links, "arp-many-links", info, "ARP, CAS", "Points hang on more than four bones; viewers that read only `JOINTS_0` show them wrongly.") \
    CODE(arp_morph_name_repeated, "arp-morph-name-repeated", warning, "ARP, CAS", "Several morph targets have one name; motions reach the first one only.") \
    CODE(arp_neighbours, "arp-neighbours", info, "ARP, CAS", "Lists of neighbours and of copies, as old versions have them, are not kept; the triangles say the same.") \
    CODE(arp_normals_apart, "arp-normals-apart", info, "ARP, CAS", "The links of points with several have different normals at the bind; glTF has their mean. How many, and the largest angle, are stated.") \
    CODE(arp_translation_ignored, "arp-translation-ignored", info_or_warning, "ARP, CAS", "Frames move bones that players only turn (all but ROOT, in ambient motion ROOT, too); that is left out. Warning where it is the clip of a scene that loses it.") \
    CODE(arp_texture_missing, "arp-texture-missing", error, "ARP, CAS", "The avatar has no embedded texture, and one was asked for.") \
    SECTION(from_scene) \
    CODE(arp_ambient_lost, "arp-ambient-lost", warning, "to ARP, CAS", "The avatar keeps its old version, which has no ambient motion; the clip is lost.") \
    CODE(arp_atlas, "arp-atlas", info_or_warning, "to ARP, CAS", "An avatar has one texture: textures and colours of all materials stand side by side in it. Warning where they had to be reduced.") \
    CODE(arp_bone_added, "arp-bone-added", info, "to ARP, CAS", "Players ask for bones by name (ROOT, HEAD, upper and lower arms) that the figure lacks; they are added and hold nothing.") \
    CODE(arp_bone_beside, "arp-bone-beside", warning, "to ARP, CAS", "Bones that were beside the pelvis hang on ROOT and follow it.") \
    CODE(arp_bone_joined, "arp-bone-joined", info, "to ARP, CAS", "Bones above the pelvis became part of ROOT.") \
    CODE(arp_clip_choice, "arp-clip-choice", error, "to ARP, CAS", "A motion alone was wanted, and the scene has none or several that could be meant.") \
    CODE(arp_clip_form, "arp-clip-form", warning_or_info, "to ARP, CAS", "A motion in XML is rewritten as JSON, as the output is called (`.cas.json`), and its `camera_location` is lost. Info: the avatar's name is.") \
    CODE(arp_collision_left_out, "arp-collision-left-out", warning, "to ARP, CAS", "Avatars have no collision meshes; they are left out.") \
    CODE(arp_features_kept, "arp-features-kept", warning, "to ARP, CAS", "Named points of the skin in `asd.xml` stand beside joints as they were, and those bones were edited: signs that touch them may miss.") \
    CODE(arp_figure_height, "arp-figure-height", info, "to ARP, CAS", "The figure is less than half or more than twice as high as a person of 1.8 m, as figures in centimetres or a game's units are; `--height 1.8` scales it.") \
    CODE(arp_links_left_out, "arp-links-left-out", warning, "to ARP, CAS", "Points hang on four bones at most; the lightest links are left out. How many points, and the largest weight lost, are stated.") \
    CODE(arp_material_lost, "arp-material-lost", warning_or_info, "to ARP, CAS", "Metalness, normal maps, emission, occlusion and transparency of materials are lost. Info where only roughness and double sides are.") \
    CODE(arp_mesh_beside, "arp-mesh-beside", warning, "to ARP, CAS", "Meshes that hang on no bone, beside a figure that has bones, hang on ROOT and follow it.") \
    CODE(arp_not_triangles, "arp-not-triangles", warning, "to ARP, CAS", "Points and lines are left out.") \
    CODE(arp_origin, "arp-origin", info, "to ARP, CAS", "The figure is moved so that its pelvis is at the origin; by how much is stated, and stands in `names.json`.") \
    CODE(arp_renamed, "arp-renamed", info_or_warning, "to ARP, CAS", "Bones or morph targets have names of four characters; what they were called stands in `names.json`. Warning where `nonmanuals.xml` names them as they were.") \
    CODE(arp_scale_lost, "arp-scale-lost", warning, "to ARP, CAS", "A clip scales bones, or shears what hangs on them by rotating bones below non-uniformly scaled ones, which avatars cannot.") \
    CODE(arp_sign_times, "arp-sign-times", warning, "to ARP, CAS", "An edited clip has other keys and another length than its CAS had, or ends before signs begin: they begin when they did, and those behind the end have no frames. Correct `time` of the signs in the animation's extras if the clip was stretched or cut at its start.") \
    CODE(arp_skeleton_deep, "arp-skeleton-deep", warning, "to ARP, CAS", "More than 200 joints hang below one another; `asd.xml`, which signing tools read, is left out.") \
    CODE(arp_target_added, "arp-target-added", info, "to ARP, CAS", "Morph targets that signs use and the figure lacks are added and move nothing.") \
    CODE(arp_texture_beyond, "arp-texture-beyond", warning, "to ARP, CAS", "A texture is repeated more than 16 times; texture coordinates beyond that are held at the edge.") \
    CODE(arp_texture_left_out, "arp-texture-left-out", warning, "to ARP, CAS", "A texture is not at hand or cannot be decoded; the avatar names it, and it is not beside it.") \
    CODE(arp_texture_repeated, "arp-texture-repeated", info, "to ARP, CAS", "A texture is used beyond its edges; it stands in the avatar's texture as often as it is seen.") \
    CODE(arp_too_many_bones, "arp-too-many-bones", error, "to ARP, CAS", "More bones than names of four characters can be invented for (46655).") \
    CODE(arp_too_many_targets, "arp-too-many-targets", error, "to ARP, CAS", "More morph targets than names of four characters can be invented for (46655).") \
    CODE(arp_too_many_materials, "arp-too-many-materials", error, "to ARP, CAS", "The textures and colours of all materials do not fit into 4096 x 4096 pixels.") \
    CODE(arp_too_many_vertices, "arp-too-many-vertices", error, "to ARP, CAS", "Points and copies at seams of the texture are more than the 65536 that a strip reaches.") \
    CODE(arp_track_odd, "arp-track-odd", warning, "to ARP, CAS", "Tracks whose keys do not suit what they move are left out.") \
    CODE(arp_vertex_colors, "arp-vertex-colors", warning, "to ARP, CAS", "Colours of vertices are lost.") \
    CODE(arp_weights_differ, "arp-weights-differ", warning, "to ARP, CAS", "A clip has targets of one name on several meshes by different amounts, and an avatar has one amount for all: the last that is not 0 counts.") \
    CODE(arp_weights_lost, "arp-weights-lost", warning, "to ARP, CAS", "Avatars rest with their morph targets off, and these are on at rest: a clip has to turn them on.")
// clang-format on

namespace effigy::arp::codes {
using namespace effigy::codes;
EFFIGY_ARP_CODES(EFFIGY_NO_SECTION, EFFIGY_CODE_CONSTANT)
}  // namespace effigy::arp::codes
