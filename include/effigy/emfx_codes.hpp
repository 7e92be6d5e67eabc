#pragma once
/// Codes of findings about EMotion FX files: checks, reading, conversions in both directions.

#include "effigy/code.hpp"
#include "effigy/core_codes.hpp"
#include "effigy/scene_codes.hpp"

// clang-format off
#define EFFIGY_EMFX_CODES(SECTION, CODE) \
    SECTION(file) \
    CODE(header_version, "header-version", warning, "all", "The format's version is not 1.0: the games' engines refuse such a file.") \
    CODE(header_endian, "header-endian", warning, "all", "The byte order is neither 0 nor 1: the file is taken as big-endian, other tools may see it otherwise.") \
    CODE(header_order, "header-order", warning, "all", "The multiplication order is neither 0 nor 1: how scale and rotation combine is left to each tool.") \
    CODE(trailing_bytes, "trailing-bytes", warning, "all", "Bytes that are no chunk follow the last chunk: they are kept, and nothing reads them.") \
    CODE(extra_bytes, "extra-bytes", warning, "all", "A chunk holds more bytes than its layout explains: a reader that goes by the layout takes them for the next chunk.") \
    CODE(declared_size, "declared-size", info, "all", "A chunk declares another size than its content has: a reader that trusts it loses its place; --normalize writes true sizes.") \
    CODE(opaque_chunk, "opaque-chunk", info, "all", "A chunk of an unknown kind or version, or a damaged one: it is kept as it is and takes no part in conversions.") \
    CODE(info_missing, "info-missing", warning, "all", "There is no info chunk: the engine and several tools expect one.") \
    CODE(info_first, "info-first", warning, "all", "The info chunk is not the first chunk: tools that expect it there misread the file.") \
    CODE(info_several, "info-several", warning, "all", "There is more than one info chunk: which one counts is left to each tool.") \
    CODE(text_encoding, "text-encoding", info, "all", "Text is neither ASCII nor UTF-8: it is in the exporting machine's code page, and needs --encoding if CP1252 shows it wrongly.") \
    CODE(text_mixed, "text-mixed", warning, "all", "Some text is UTF-8 and some is not: no single encoding shows all names rightly, so names that belong together may differ.") \
    CODE(text_control, "text-control", warning, "all", "Text holds control characters: engines cut names there, and names cease to match.") \
    CODE(not_finite, "not-finite", error, "all", "A number is infinite or not a number: whatever it moves disappears or collapses.") \
    CODE(rotation_norm, "rotation-norm", warning, "XAC, XSM", "A rotation is not a unit quaternion: the parts that it turns are scaled or skewed.") \
    CODE(event_range, "event-range", error, "all", "A motion event refers to a type or parameter that does not exist: the engine reads past its table.") \
    CODE(event_time, "event-time", warning, "all", "A motion event ends before it starts: it never fires.") \
    CODE(timestamp, "timestamp", info, "all", "The time of export is no date: it is shown as unknown.") \
    SECTION(nodes) \
    CODE(nodes_missing, "nodes-missing", error, "XAC", "The actor has no nodes: nothing can be attached, and games refuse it.") \
    CODE(nodes_second, "nodes-second", warning, "XAC", "Other chunks stand before the nodes: engines resolve node numbers as they read and find none.") \
    CODE(nodes_several, "nodes-several", warning, "XAC", "Nodes come in more than one nodes chunk, or in both kinds: engines keep only some of them, and node numbers shift.") \
    CODE(node_range, "node-range", error, "XAC", "A node number refers to no node: engines read past the node list.") \
    CODE(node_parent_range, "node-parent-range", error, "XAC", "A parent does not exist: the node cannot be placed.") \
    CODE(node_parent_self, "node-parent-self", error, "XAC", "A node is its own parent: tools that walk to the root never arrive.") \
    CODE(node_parent_cycle, "node-parent-cycle", error, "XAC", "Parents form a ring: tools that walk to the root never arrive.") \
    CODE(node_parent_order, "node-parent-order", error, "XAC", "A parent stands after its child: the engine turns the child into a root, and it loses its place.") \
    CODE(node_child_count, "node-child-count", warning, "XAC", "A stored number of children is wrong: engines that allocate by it drop children or crash.") \
    CODE(node_root_count, "node-root-count", warning, "XAC", "The stored number of roots is wrong: engines that allocate by it drop roots or crash.") \
    CODE(node_name_duplicate, "node-name-duplicate", warning, "XAC", "Two nodes have one name: motions and attachments reach only the first.") \
    CODE(node_name_empty, "node-name-empty", warning, "XAC", "A node has no name: no motion can move it.") \
    CODE(node_scale_zero, "node-scale-zero", info, "XAC", "A node is scaled to nothing: it has no inverse, and what hangs on it is flat.") \
    CODE(node_scale_order, "node-scale-order", info, "XAC", "A node scales non-uniformly after it rotates (multiplication order 1): tools that ignore the order show its children skewed.") \
    SECTION(meshes) \
    CODE(mesh_duplicate, "mesh-duplicate", warning, "XAC", "Two meshes of one kind stand on one node: the engine keeps the last.") \
    CODE(mesh_vertex_total, "mesh-vertex-total", error, "XAC", "The submeshes do not add up to the mesh's vertices: vertices are read from the wrong submesh.") \
    CODE(mesh_index_total, "mesh-index-total", error, "XAC", "The submeshes do not add up to the mesh's indices: engines allocate too little.") \
    CODE(mesh_index_multiple, "mesh-index-multiple", error, "XAC", "A number of indices is not divisible by 3: the last triangle is incomplete.") \
    CODE(mesh_index_range, "mesh-index-range", error, "XAC", "A triangle refers to a vertex outside its submesh: it is drawn astray or crashes the driver.") \
    CODE(mesh_material_range, "mesh-material-range", error, "XAC", "A submesh refers to a material that does not exist: it has no texture, or the engine crashes.") \
    CODE(mesh_palette, "mesh-palette", warning, "XAC", "A submesh's bones are not the nodes that move its vertices: hardware skinning moves vertices by the wrong bones.") \
    CODE(mesh_layer_size, "mesh-layer-size", error, "XAC", "A vertex layer's size contradicts its kind or the number of vertices: the vertices are misread.") \
    CODE(mesh_layer_order, "mesh-layer-order", info, "XAC", "Vertex layers are not in the exporters' order: tools that go by place instead of kind mix them up.") \
    CODE(mesh_layer_duplicate, "mesh-layer-duplicate", warning, "XAC", "A vertex layer that exists once occurs twice: only the first is used.") \
    CODE(mesh_layer_unknown, "mesh-layer-unknown", info, "XAC", "A vertex layer of an unknown kind: it is kept and takes no part in conversions.") \
    CODE(mesh_tangent_count, "mesh-tangent-count", warning, "XAC", "There is not one tangent layer for each UV set: normal maps are lit wrongly.") \
    CODE(mesh_position_missing, "mesh-position-missing", error, "XAC", "A mesh has vertices and no positions: it cannot be drawn.") \
    CODE(mesh_normal_missing, "mesh-normal-missing", info, "XAC", "A mesh has no normals: it is lit flat or with made-up ones.") \
    CODE(mesh_original_range, "mesh-original-range", error, "XAC", "An original vertex number is outside the mesh: the vertex has no weights of its own.") \
    CODE(mesh_uv_not_finite, "mesh-uv-not-finite", warning, "XAC", "A texture coordinate is infinite or not a number: the texture smears there.") \
    CODE(mesh_normal_length, "mesh-normal-length", info, "XAC", "Normals are not of unit length: lighting is uneven there; conversions normalise them.") \
    CODE(mesh_tangent_length, "mesh-tangent-length", info, "XAC", "Tangents are not of unit length: conversions normalise them.") \
    CODE(mesh_tangent_sign, "mesh-tangent-sign", warning, "XAC", "A tangent's w is neither 1 nor -1: normal maps are lit from the wrong side.") \
    SECTION(skinning) \
    CODE(skin_mesh_missing, "skin-mesh-missing", error, "XAC", "Skinning belongs to no mesh: its length is unknown to engines, and nothing is moved.") \
    CODE(skin_mesh_order, "skin-mesh-order", error, "XAC", "Skinning stands before its mesh: engines cannot know its length yet.") \
    CODE(skin_duplicate, "skin-duplicate", warning, "XAC", "A mesh is skinned twice: only one skinning is used.") \
    CODE(skin_original_missing, "skin-original-missing", error, "XAC", "A skinned mesh has no original vertex numbers: no vertex finds its weights.") \
    CODE(skin_range_count, "skin-range-count", error, "XAC", "The skinning table does not have one entry for each original vertex: the rest of the file is misread.") \
    CODE(skin_range, "skin-range", error_or_warning, "XAC", "A vertex takes influences from beyond the table, or its original vertex does not exist: engines read foreign memory; conversions leave the influences out (warning).") \
    CODE(skin_contiguous, "skin-contiguous", info, "XAC", "The influences are not one run in vertex order without gaps: tools that assume so attach vertices to the wrong bones.") \
    CODE(skin_overlap, "skin-overlap", warning, "XAC", "Vertices share influences so often that weights and palettes were not compared: no exporter writes such a table.") \
    CODE(skin_bone_count, "skin-bone-count", warning, "XAC", "The stored number of bones is not the number of nodes used: engines allocate by it.") \
    CODE(skin_weight_sum, "skin-weight-sum", warning, "XAC", "A vertex's weights do not add up to 1: it drifts towards or away from the origin when moved.") \
    CODE(skin_vertex_loose, "skin-vertex-loose", warning, "XAC", "A vertex has no influences: it stays behind when the figure moves.") \
    CODE(skin_influence_count, "skin-influence-count", info, "XAC", "A vertex has more than 4 influences: many engines use only 4.") \
    SECTION(materials) \
    CODE(material_info_missing, "material-info-missing", info, "XAC", "There are materials and no chunk that counts them: some tools find none.") \
    CODE(material_info_count, "material-info-count", warning, "XAC", "The stored numbers of materials are wrong: engines reserve and tools read by them.") \
    CODE(material_layer_number, "material-layer-number", error, "XAC", "A texture belongs to a material that does not exist: it is lost, or the engine crashes.") \
    CODE(material_map_type, "material-map-type", warning, "XAC", "A texture's use is unknown: it is not shown.") \
    CODE(material_transparency, "material-transparency", warning, "XAC", "A transparency type is unknown: the material is drawn opaque.") \
    CODE(material_opacity, "material-opacity", warning, "XAC", "An opacity is below 0 or above 1: games differ in what they show, and conversions take the nearer of both.") \
    CODE(texture_none, "texture-none", info, "XAC", "A texture name is empty or stands for no texture: nothing is shown there.") \
    CODE(texture_path, "texture-path", info, "XAC", "A texture name has a path or an extension: games that add their own find no file.") \
    SECTION(levels) \
    CODE(node_limit_order, "node-limit-order", warning, "XAC", "A limit's minimum is above its maximum: the node cannot move as meant.") \
    CODE(lod_actor, "lod-actor", warning, "XAC", "A level of detail holds no actor: the level is not shown.") \
    CODE(lod_node, "lod-node", warning, "XAC", "A level of detail has a node that the actor does not have: its meshes have no place.") \
    CODE(lod_depth, "lod-depth", warning, "XAC", "Levels of detail are nested too deep: those below were not checked.") \
    CODE(mirror_count, "mirror-count", error, "XAC", "There is not one mirror source for each node: mirrored motions move the wrong nodes.") \
    SECTION(morphs) \
    CODE(morph_range, "morph-range", warning_or_info, "XAC", "A morph target's range is empty: its weight cannot move. Where a conversion clamps weights to the range, it says so (info).") \
    CODE(morph_delta_range, "morph-delta-range", warning, "XAC", "A morph target's smallest offset is above its largest: vertices move the wrong way.") \
    CODE(morph_arrays, "morph-arrays", error, "XAC", "A morph target's arrays differ in length: offsets go to the wrong vertices.") \
    CODE(morph_vertex_repeated, "morph-vertex-repeated", warning, "XAC", "A morph target names a vertex twice: tools take one of its offsets or both; conversions add them up.") \
    CODE(morph_mesh, "morph-mesh", error_or_warning, "XAC", "A morph target changes a node without a mesh: nothing moves, or the engine crashes; conversions leave it out (warning).") \
    CODE(morph_name_duplicate, "morph-name-duplicate", warning, "XAC", "Two morph targets have one name: motions reach only the first.") \
    CODE(morph_name_empty, "morph-name-empty", warning, "XAC", "A morph target has no name: no motion can move it.") \
    SECTION(motions) \
    CODE(motion_empty, "motion-empty", warning_or_info, "XSM, XPM", "The motion has no tracks: nothing moves. (Of a morph motion that is usual, and info.) A clip that moves nothing that the actor has is not written.") \
    CODE(wavelet_rice, "wavelet-rice", error_or_warning, "XSM", "The motion's samples are in Rice's code, of which no description was ever published: the motion is kept as it is (warning), and conversions leave it out.") \
    CODE(wavelet_coder, "wavelet-coder", error, "XSM", "The samples are in a code, or by a wavelet, that does not exist: the motion is kept as it is, and conversions leave it out.") \
    CODE(wavelet_size, "wavelet-size", error, "XSM", "Sizes of a compressed motion cannot be true, or contradict one another: nothing of it can be played, and conversions leave it out.") \
    CODE(wavelet_mapping, "wavelet-mapping", error, "XSM", "A node of a compressed motion names a track that does not exist, or there is not one mapping for each node: nothing of it can be played.") \
    CODE(wavelet_stream, "wavelet-stream", error, "XSM", "A compressed block does not give exactly the bytes that are due and then its end mark: it is damaged, or coded by another table. Nothing of the motion is shown, and conversions leave it out.") \
    CODE(wavelet_times, "wavelet-times", warning, "XSM", "The times of a compressed motion do not go together: chunks that do not follow one another, a spacing that does not fill them, or an end that they do not reach. Each chunk is played from its own time on.") \
    CODE(wavelet_scale, "wavelet-scale", warning, "XSM", "A quantisation factor is 0 or below, or a chunk's scale is below 0: no exporter writes that, and what is compressed with it may be nothing.") \
    CODE(wavelet_offset, "wavelet-offset", warning, "XSM", "The place of the scale rotations is not behind the rotations, where they are: the field is not needed, and not heeded.") \
    CODE(wavelet_values, "wavelet-values", warning, "XSM", "Decoded rotations have no length, or decoded numbers are not finite: the pose is shown in their place.") \
    CODE(submotion_name_duplicate, "submotion-name-duplicate", warning, "XSM, XPM", "Two tracks have one name: only the first moves anything.") \
    CODE(submotion_name_empty, "submotion-name-empty", warning, "XSM, XPM", "A track has no name: it moves nothing.") \
    CODE(motion_names_nothing, "motion-names-nothing", warning, "XSM, XPM with actor", "None of the motion's tracks has a name of the actor: nothing moves, and the motion is probably another actor's; `effigy match` finds those that fit.") \
    CODE(motion_node_unknown, "motion-node-unknown", warning, "XSM with actor", "A moving track's name is no node of the actor: the movement is lost.") \
    CODE(motion_node_absent, "motion-node-absent", info, "XSM with actor", "A track without keys names no node of the actor: usual where actors share motions, and nothing is lost.") \
    CODE(motion_node_unmoved, "motion-node-unmoved", info, "XSM with actor", "The motion has no track for a node of the actor: the node keeps its bind pose.") \
    CODE(motion_skeleton_differs, "motion-skeleton-differs", warning, "XSM with actor", "Most nodes of the actor stand elsewhere below their parents than in the motion's bind pose: the motion is another skeleton's, or the bones were turned or scaled on the way. For an actor that was in Blender, import it with Bone Dir: Blender, and export it again.") \
    CODE(motion_order_mismatch, "motion-order-mismatch", info, "XSM with actor", "Motion and actor combine scale and rotation in different orders: non-uniformly scaled nodes may look different than meant.") \
    CODE(motion_target_unknown, "motion-target-unknown", warning, "XPM with actor", "A track's name is no morph target of the actor: it moves nothing.") \
    CODE(key_time_first, "key-time-first", info, "XSM, XPM", "A track's first key is not at time 0: the engine lets every track begin at 0, and conversions subtract the first time; other tools may not.") \
    CODE(key_time_negative, "key-time-negative", warning, "XSM, XPM", "A key is before time 0: exporters write none, and tools that take times as they stand never reach it.") \
    CODE(key_time_order, "key-time-order", error, "XSM, XPM", "A key is earlier than the key before it: playback jumps or reads the wrong keys.") \
    CODE(key_time_duplicate, "key-time-duplicate", warning, "XSM, XPM", "Two keys share one time: some tools divide by zero, and glTF forbids it; conversions keep the later.") \
    CODE(key_single, "key-single", info, "XSM, XPM", "A track has a single key: exporters write none and a pose instead; some engines want at least two.") \
    CODE(key_sign_flip, "key-sign-flip", info, "XSM", "Neighbouring rotation keys have opposite signs: tools that do not turn the sign spin the long way round.") \
    CODE(key_pose, "key-pose", info, "XSM", "The first key differs from the pose: tools that show the pose show another stance than playback.") \
    CODE(weight_range, "weight-range", warning, "XPM", "A track's smallest weight is above its largest: the morph runs backwards.") \
    CODE(weight_pose, "weight-pose", info, "XPM", "A pose weight is outside the track's range: it is clamped where it is used.") \
    CODE(weight_target_range, "weight-target-range", info, "XPM with actor", "A track's range exceeds that of its morph target: weights beyond it are clamped.") \
    SECTION(reading) \
    CODE(chunk_damaged, "chunk-damaged", error, "XAC, XSM, XPM", "A chunk's content contradicts itself or its place; the chunk is kept as bytes, reading goes on behind it.") \
    CODE(chunk_not_decoded, "chunk-not-decoded", warning, "XAC, XSM, XPM", "A chunk whose layouts only its size tells apart fits none of them; it is kept as bytes.") \
    CODE(chunk_trailing_bytes, "chunk-trailing-bytes", warning, "XAC, XSM, XPM", "A chunk is longer than its content; the rest is kept as bytes.") \
    CODE(chunk_unknown, "chunk-unknown", warning, "XAC, XSM, XPM", "A chunk of unknown kind; it is kept as bytes.") \
    CODE(chunk_unknown_version, "chunk-unknown-version", warning, "XAC, XSM, XPM", "A chunk of known kind in a version that is not known; it is kept as bytes.") \
    CODE(wrapper_size, "wrapper-size", warning, "XAC, XSM, XPM", "A Risen wrapper gives its content a size that it cannot have; the content is read to the end of the file.") \
    CODE(ticks_format, "ticks-format", warning_or_error, "XAC, XSM, XPM", "The `.xsmtime` file beside a motion is none; the motion is converted without it. `emfx::read_ticks` itself fails with this code (error).") \
    SECTION(to_scene) \
    CODE(actor_depth, "actor-depth", warning, "XAC, XSM, XPM", "An actor is nested deeper than the limit allows; that level of detail is left out.") \
    CODE(alpha_map_lost, "alpha-map-lost", warning, "XAC, XSM, XPM", "An opacity map that is not the base colour texture cannot be carried.") \
    CODE(collision_baked, "collision-baked", info, "XAC, XSM, XPM", "A collision mesh, or a level of detail without level 0, is stored in world space: its node's transform has shear. Such levels, and what is edited, are computed anew on the way back.") \
    CODE(key_before_zero, "key-before-zero", warning, "XAC, XSM, XPM", "Keys before time 0 are never seen: conversions cut such tracks at 0.") \
    CODE(key_late_start, "key-late-start", info, "XAC, XSM, XPM", "The first key is after 0, and times are kept as they stand: the engine shows the last key before it, glTF the first.") \
    CODE(key_times_rebased, "key-times-rebased", info, "XAC, XSM, XPM", "Tracks begin after time 0: as in the engine each begins there, and its first time is subtracted.") \
    CODE(layer_kept, "layer-kept", info, "XAC, XSM, XPM", "A vertex layer that has no place in glTF is kept in extras only.") \
    CODE(layer_size, "layer-size", warning, "XAC, XSM, XPM", "A vertex layer does not fit its type or the vertex count; kept in extras only.") \
    CODE(lod_kind, "lod-kind", warning, "XAC, XSM, XPM", "A level of detail is skinned where level 0 is not, or the other way round.") \
    CODE(lod_without_base, "lod-without-base", warning, "XAC, XSM, XPM", "A level of detail has no level 0; it is kept, hidden.") \
    CODE(material_missing, "material-missing", warning, "XAC, XSM, XPM", "A submesh names a material that does not exist.") \
    CODE(mesh_node, "mesh-node", warning, "XAC, XSM, XPM", "A mesh names a node that does not exist; it hangs at the root of the scene.") \
    CODE(mesh_vertex_count, "mesh-vertex-count", warning, "XAC, XSM, XPM", "The submeshes' vertex counts do not add up to the mesh's.") \
    CODE(morph_transform_lost, "morph-transform-lost", warning, "XAC, XSM, XPM", "A morph target moves nodes; that stays in extras only.") \
    CODE(motion_order_differs, "motion-order-differs", warning, "XAC, XSM, XPM", "Actor and motion disagree on the order of scale and rotation; the actor's is used.") \
    CODE(motion_retargeted, "motion-retargeted", info, "XAC, XSM, XPM", "Positions and scales were adapted to the actor's bind pose, as `--retarget` asks.") \
    CODE(original_vertices_kept, "original-vertices-kept", info, "XAC, XSM, XPM", "Original vertex numbers beyond 2^24 are kept in extras only.") \
    CODE(scale_rotation_unused, "scale-rotation-unused", info, "XAC, XSM, XPM", "Scale rotation keys have no effect because the scale is uniform.") \
    CODE(skin_bind, "skin-bind", warning, "XAC, XSM, XPM", "A joint's bind transform has no inverse.") \
    CODE(skin_repeated_joint, "skin-repeated-joint", info, "XAC, XSM, XPM", "Influences of one vertex that name a node twice are added up.") \
    CODE(skin_unbound, "skin-unbound", info, "XAC, XSM, XPM", "Vertices without influences are bound to the mesh's own node.") \
    CODE(texture_repeated, "texture-repeated", warning, "XAC, XSM, XPM", "Two texture layers of one kind: the first one counts.") \
    CODE(texture_turned, "texture-turned", info, "XAC, XSM, XPM", "A texture is rotated; the centre of the rotation is assumed to be the origin.") \
    CODE(track_resampled, "track-resampled", info, "XAC, XSM, XPM", "Rotation and scale rotation both move: their product is resampled.") \
    CODE(wireframe_lost, "wireframe-lost", info, "XAC, XSM, XPM", "A wireframe material is drawn solid.") \
    SECTION(from_scene) \
    CODE(emfx_attribute, "emfx-attribute", warning, "to XAC, XSM, XPM", "A mesh is made anew and has vertex attributes that actors have no place for, or layers that glTF has none for; they are left out.") \
    CODE(emfx_bind_differs, "emfx-bind-differs", warning, "to XAC, XSM, XPM", "A skin was bound over another pose than its joints have: they were moved since, or an earlier skin of theirs has another pose. Its vertices are moved to where they stand at rest.") \
    CODE(emfx_bind_pose, "emfx-bind-pose", info, "to XAC, XSM, XPM", "Joints do not rest where their skin was bound: the actor rests in the bind pose, and motions say the poses of nodes that they do not move.") \
    CODE(emfx_chunk_lost, "emfx-chunk-lost", warning, "to XAC, XSM, XPM", "A chunk that is kept as bytes names nodes or vertices by numbers, and nodes or vertices are others now, or says how a clip moved that was edited; it is left out.") \
    CODE(emfx_chunk_version, "emfx-chunk-version", warning, "to XAC, XSM, XPM", "Chunks of a kind or version that no known file of the target game has: it may not read them.") \
    CODE(emfx_clip, "emfx-clip", error, "to XAC, XSM, XPM", "One motion was asked for and the scene has none, or several and none of that name: name the file after a clip, or write an actor.") \
    CODE(emfx_empty, "emfx-empty", error, "to XAC, XSM, XPM", "The scene has no nodes: there is nothing to make an actor of.") \
    CODE(emfx_encoding, "emfx-encoding", error, "to XAC, XSM, XPM", "The code page is not known here: choose another one.") \
    CODE(emfx_hidden_left_out, "emfx-hidden-left-out", info, "to XAC, XSM, XPM", "Meshes that the scene does not show, and that are neither levels of detail nor collision meshes, are left out; list their nodes in the scene to have them.") \
    CODE(emfx_influences, "emfx-influences", warning_or_info, "to XAC, XSM, XPM", "Vertices have more influences than the engine uses (4; 2 with `--target victoria2`, `eu3` and `hoi3`): the heaviest are kept and made to add up to 1. Unedited meshes keep all, as the games' own files do (info).") \
    CODE(emfx_level_node, "emfx-level-node", warning, "to XAC, XSM, XPM", "An embedded level of detail lacks a node that its mesh needs; the mesh is left out. `--levels fields` has no such limit.") \
    CODE(emfx_light, "emfx-light", warning, "to XAC, XSM, XPM", "Actors have no lights; their nodes stay.") \
    CODE(emfx_material_lost, "emfx-material-lost", warning, "to XAC, XSM, XPM", "The game's materials cannot say these properties; put them into the textures where they matter.") \
    CODE(emfx_material_name, "emfx-material-name", warning, "to XAC, XSM, XPM", "X Rebirth looks materials up by names of the form `collection.material`.") \
    CODE(emfx_mesh_anew, "emfx-mesh-anew", warning, "to XAC, XSM, XPM", "A mesh that nobody edited stood in world space, because its node's transform has shear; it is computed anew, and layers of unknown types are left out.") \
    CODE(emfx_mesh_empty, "emfx-mesh-empty", warning, "to XAC, XSM, XPM", "A mesh has no positions or no triangles; it is left out.") \
    CODE(emfx_name_encoding, "emfx-name-encoding", warning, "to XAC, XSM, XPM", "Names have characters that the code page of the actor's names lacks (`--encoding`), and are written as UTF-8: the game may show them wrongly.") \
    CODE(emfx_node_count, "emfx-node-count", error, "to XAC, XSM, XPM", "The scene has more nodes than the 65535 that an actor can have: leave out nodes that move nothing.") \
    CODE(emfx_node_renamed, "emfx-node-renamed", info_or_warning, "to XAC, XSM, XPM", "Another node has this name; motions would find the first one only, so this one is renamed. Warning for a node of the file: it may be the other one that somebody has renamed.") \
    CODE(emfx_not_finite, "emfx-not-finite", warning, "to XAC, XSM, XPM", "Numbers that are not finite become 0.") \
    CODE(emfx_palette, "emfx-palette", error, "to XAC, XSM, XPM", "One triangle alone is moved by more nodes than a submesh may have: reduce its influences or allow more.") \
    CODE(emfx_parts, "emfx-parts", info, "to XAC, XSM, XPM", "The scene was joined from several actors; they become one.") \
    CODE(emfx_tangents, "emfx-tangents", info, "to XAC, XSM, XPM", "Tangents that the target or a normal map wants are computed from the texture coordinates.") \
    CODE(emfx_topology, "emfx-topology", warning, "to XAC, XSM, XPM", "Actors have triangles only; points and lines are left out.") \
    CODE(emfx_unbound, "emfx-unbound", info, "to XAC, XSM, XPM", "Vertices of a skinned mesh without weights are bound to the mesh's own node.") \
    CODE(emfx_vertex_count, "emfx-vertex-count", error, "to XAC, XSM, XPM", "A mesh has more corners than 32 bits can count: split it.") \
    CODE(emfx_weights_lost, "emfx-weights-lost", warning, "to XAC, XSM, XPM", "Actors begin with their morph targets off, and these are on at rest: a clip has to turn them on.") \
    CODE(emfx_wrapper, "emfx-wrapper", error, "to XAC, XSM, XPM", "Files called `._xmac` and `._xmot` begin with a head that only Risen's own files have: write `.xac` or `.xsm`, or change one of these through glTF.") \
    CODE(motion_helper_moved, "motion-helper-moved", warning, "to XAC, XSM, XPM", "A clip moves or scales the lower half of a node and its helper, which can only turn.") \
    CODE(motion_keys_added, "motion-keys-added", info, "to XAC, XSM, XPM", "The engine knows linear keys only: steps, splines and long turns get keys between; the largest error is stated.") \
    CODE(motion_keys_left_out, "motion-keys-left-out", info, "to XAC, XSM, XPM", "Keys are left out that the others give within `--max-error`.") \
    CODE(motion_keys_rough, "motion-keys-rough", warning, "to XAC, XSM, XPM", "Tracks would take too many keys to be followed closer; the error is stated.") \
    CODE(motion_sampled, "motion-sampled", warning, "to XAC, XSM, XPM", "A motion was sampled and compressed with wavelets, as `--wavelets` asks; the largest errors at its keys are stated. `--wavelet-rate` and `--quality` make them smaller.") \
    CODE(motion_ticks, "motion-ticks", info, "to XAC, XSM, XPM", "A clip is longer or shorter than its file was: the times beside it (`.xsmtime`), by which Tree of Savior plays it, are the ends of its frames now, 30 a second.") \
    CODE(motion_track_lost, "motion-track-lost", warning, "to XAC, XSM, XPM", "Tracks move nodes, or weights of meshes, that are not in the actor; they are left out.") \
    CODE(motion_weights_clamped, "motion-weights-clamped", warning, "to XAC, XSM, XPM", "Weights beyond the range of their target are clamped to it.") \
    CODE(motion_weights_differ, "motion-weights-differ", warning, "to XAC, XSM, XPM", "Targets that share a name move by different weights, but the name has only one: the first counts.")
// clang-format on

namespace effigy::emfx::codes {
using namespace effigy::codes;
EFFIGY_EMFX_CODES(EFFIGY_NO_SECTION, EFFIGY_CODE_CONSTANT)
}  // namespace effigy::emfx::codes
