#pragma once
/// Codes of findings about Egosoft's files: checks of files and mods, reading, conversions in both directions.

#include "effigy/code.hpp"
#include "effigy/core_codes.hpp"
#include "effigy/scene_codes.hpp"

// clang-format off
#define EFFIGY_EGOSOFT_CODES(SECTION, CODE) \
    SECTION(xmf) \
    CODE(xmf_version, "xmf-version", error_or_warning, "XMF", "The version is not 3, the only one that the games have ever read: they refuse the file, and its layout may be another. A warning where it is shown all the same.") \
    CODE(xmf_endian, "xmf-endian", warning, "XMF", "The byte order is neither 0 nor 1: the file is taken as big-endian, other tools may see it otherwise.") \
    CODE(xmf_primitive, "xmf-primitive", error, "XMF", "The primitive type is not 4, a list of triangles: the games draw nothing else, and every tool takes the indices for triangles.") \
    CODE(xmf_header_size, "xmf-header-size", warning, "XMF", "The header does not have 64 bytes: tools that expect the descriptors at 64 misread everything behind it.") \
    CODE(xmf_record_size, "xmf-record-size", warning, "XMF", "Descriptors do not have 56 or 188 bytes, or materials not 136: no known file has such records, and most tools have one size built in.") \
    CODE(xmf_header_counts, "xmf-header-counts", info, "XMF", "The header's numbers of vertices and indices are not those of the buffers: XRConverters writes garbage there. The games go by the buffers, other tools may not.") \
    CODE(xmf_header_reserved, "xmf-header-reserved", info, "XMF", "Reserved bytes of the header are not zero: the games ignore them, and some tools refuse the file.") \
    CODE(stream_gap, "stream-gap", warning, "XMF", "Bytes between two streams belong to no buffer: they are kept, and nothing reads them.") \
    CODE(stream_overlap, "stream-overlap", warning, "XMF", "Two buffers share bytes of the file: changing one would damage the other, so a changed stream is stored behind all others.") \
    CODE(stream_order, "stream-order", info, "XMF", "The streams do not stand in the order of their buffers: tools that ignore data_offset mix them up.") \
    CODE(stream_trailing, "stream-trailing", warning, "XMF", "Bytes follow the last stream: they are kept, and nothing reads them.") \
    CODE(xmf_index_buffers, "xmf-index-buffers", error, "XMF", "There is not exactly one index buffer: the games and all tools expect one.") \
    CODE(xmf_vertex_buffers, "xmf-vertex-buffers", error, "XMF", "There is no vertex buffer: there is nothing to draw.") \
    CODE(xmf_vertex_counts, "xmf-vertex-counts", error, "XMF", "The vertex buffers do not have the same number of vertices: the games read past the end of the shorter one.") \
    CODE(xmf_sections, "xmf-sections", warning, "XMF", "A buffer has not exactly one section: no known file has that, and tools read only the first.") \
    CODE(xmf_uncompressed, "xmf-uncompressed", info, "XMF", "A buffer is stored without compression: the descriptor allows it, no known file does it, and most tools decompress regardless.") \
    CODE(xmf_item_size, "xmf-item-size", error, "XMF", "The elements of a vertex do not add up to the item size: everything behind the first vertex is misread.") \
    CODE(xmf_element_count, "xmf-element-count", error_or_warning, "XMF", "A declaration has more than 16 elements, for which there is no room: the games read foreign memory. A warning where they are shown all the same.") \
    CODE(xmf_element_type, "xmf-element-type", error_or_warning, "XMF", "An element's type is unknown: where the elements behind it stand cannot be told. A warning where those before it are shown all the same.") \
    CODE(xmf_element_usage, "xmf-element-usage", warning, "XMF", "An element's usage is unknown: it is not used.") \
    CODE(xmf_element_repeated, "xmf-element-repeated", warning, "XMF", "Two elements have the same usage and index: the shaders see only one of them.") \
    CODE(xmf_format_zero, "xmf-format-zero", info, "XMF", "A buffer with explicit elements has the format 0: XRConverters writes that instead of 32, and the games accept it.") \
    CODE(xmf_format, "xmf-format", warning, "XMF", "A buffer's format does not go with what it holds: the games write 32 for explicit elements, a declaration type for an implicit one.") \
    CODE(xmf_index_format, "xmf-index-format", error_or_warning, "XMF", "The index format (30 for 16 bits, 31 for 32) and the size of an index contradict each other: the triangles are misread. A warning where they are shown all the same.") \
    CODE(xmf_index_width, "xmf-index-width", info, "XMF", "Indices have 32 bits although 16 would do: the games' own tools use 32 only beyond 65535 vertices, and for collision.") \
    CODE(xmf_index_count, "xmf-index-count", error, "XMF", "The number of indices is not divisible by 3: the last triangle is incomplete.") \
    CODE(xmf_triangles_missing, "xmf-triangles-missing", warning, "XMF", "A mesh that should be seen has no triangle; conversions leave it out.") \
    CODE(xmf_index_range, "xmf-index-range", error, "XMF", "An index refers to a vertex that does not exist: triangles are drawn astray, or the driver crashes.") \
    CODE(xmf_range, "xmf-range", info, "XMF", "The stated minimum and maximum are not those of the content: the games are not known to use them.") \
    CODE(xmf_sets_sparse, "xmf-sets-sparse", info, "XMF", "Sets of texture coordinates or colours are not numbered without gaps: glTF needs them so; conversions pack them and keep the numbers.") \
    CODE(xmf_position_missing, "xmf-position-missing", error, "XMF", "No buffer holds positions: there is nothing to draw.") \
    CODE(xmf_normal_missing, "xmf-normal-missing", info, "XMF", "A visible mesh has no normals: it is lit flat or not at all.") \
    CODE(xmf_not_finite, "xmf-not-finite", error, "XMF", "Numbers are infinite or not numbers: the triangles around them disappear or cover the screen.") \
    CODE(xmf_collision_stream, "xmf-collision-stream", error, "XMF", "A collision mesh must be one buffer with one implicit FLOAT3 position (no elements) and no materials: the games crash on anything else.") \
    CODE(xmf_collision_indices, "xmf-collision-indices", warning, "XMF", "A collision mesh has 16-bit indices: X4 logs \"Could not process collision mesh ... for octree generation (index buffer is corrupt)\"; such mods are said to collide all the same. Write 32 bits, as the tools of the games do.") \
    CODE(xmf_materials_missing, "xmf-materials-missing", info, "XMF", "A visible mesh has no materials: all triangles are drawn with a default.") \
    CODE(xmf_material_range, "xmf-material-range", error, "XMF", "A material's triangles reach beyond the indices: the games read foreign memory.") \
    CODE(xmf_material_count, "xmf-material-count", error, "XMF", "A material's number of indices is not divisible by 3: its triangles are cut.") \
    CODE(xmf_material_order, "xmf-material-order", warning, "XMF", "The materials' ranges do not follow each other from 0 on: some triangles are drawn twice, or not at all.") \
    CODE(xmf_material_sum, "xmf-material-sum", warning, "XMF", "The materials do not cover all indices: the rest is not drawn.") \
    CODE(xmf_material_name_end, "xmf-material-name-end", error, "XMF", "A material's name fills its field without an end: readers run into the next record.") \
    CODE(xmf_material_name, "xmf-material-name", warning, "XMF", "A material's name is not of the form collection.material: the games find no such material and draw a default.") \
    CODE(xmf_triangle_degenerate, "xmf-triangle-degenerate", info, "XMF", "Triangles without area: they are not drawn, and tools that compute tangents or collision from them stumble.") \
    CODE(xmf_triangle_inverted, "xmf-triangle-inverted", warning_or_info, "XMF", "Triangles wind the wrong way round for their normals: they are culled from the front and seen from behind. Info where the material is glass or a window, which is seen from inside: published cockpits are made so.") \
    CODE(xmf_triangle_inverted_some, "xmf-triangle-inverted-some", info, "XMF", "Some triangles wind the wrong way round for their normals: they are culled from the front, unless the material is two-sided.") \
    CODE(xmf_decal_inverted, "xmf-decal-inverted", info, "XMF", "A flat mesh, as decals are, winds the wrong way round for its normals: shipped decals do so and are seen all the same.") \
    CODE(xmf_normal_length, "xmf-normal-length", info, "XMF", "Normals are not of unit length: lighting is uneven there; conversions normalise them.") \
    CODE(xmf_tangent_alpha, "xmf-tangent-alpha", info, "XMF", "The fourth byte of tangents is not 0: nothing reads it; the bitangent's sign stands in the normals' fourth byte.") \
    CODE(xmf_normal_alpha, "xmf-normal-alpha", info, "XMF", "The fourth byte of normals is neither 0 nor 255: it is the bitangent's sign, and values in between are rounded.") \
    CODE(xmf_tangent_direction, "xmf-tangent-direction", warning, "XMF", "Tangents run along the texture's U instead of against it, as the games have them: normal maps are lit from the wrong side.") \
    CODE(xmf_tangent_sign, "xmf-tangent-sign", warning, "XMF", "The bitangent's sign contradicts the texture coordinates where it says that they are mirrored: normal maps are lit upside down there.") \
    CODE(xmf_tangent_unmarked, "xmf-tangent-unmarked", info, "XMF", "Texture coordinates are mirrored where the normals' fourth byte does not say so: many exporters never set it; normal maps may be lit upside down there.") \
    SECTION(ani) \
    CODE(ani_version, "ani-version", error, "ANI", "The version is not 1, the only one known: the games refuse such a file, and its layout may be another.") \
    CODE(ani_key_offset, "ani-key-offset", error, "ANI", "The offset of the keys leads into the table or beyond the end: the games read other bytes as keys. Here the keys are taken from behind the table.") \
    CODE(ani_gap, "ani-gap", warning, "ANI", "Bytes stand between the table and the keys: they are kept; tools that expect the keys behind the table misread the file.") \
    CODE(ani_keys_missing, "ani-keys-missing", error, "ANI", "The file ends before all keys that it announces: the games read foreign memory. The keys that are there can be used.") \
    CODE(ani_trailing, "ani-trailing", warning, "ANI", "Bytes follow the last key: they are kept, and nothing reads them.") \
    CODE(ani_name_end, "ani-name-end", error, "ANI", "A name fills its field without an end: readers run into the next field.") \
    CODE(ani_name_empty, "ani-name-empty", warning, "ANI", "An animation names no part: it moves nothing.") \
    CODE(ani_repeated, "ani-repeated", warning, "ANI", "Two animations move the same part in the same state: only one of them plays.") \
    CODE(ani_duration, "ani-duration", error, "ANI", "A duration is negative, infinite or not a number: the state never ends.") \
    CODE(ani_key_late, "ani-key-late", info, "ANI", "Keys stand behind the end of the animation: they are not reached unless the component names frames there, and conversions keep them.") \
    CODE(ani_key_order, "ani-key-order", error, "ANI", "A key is earlier than the key before it: playback jumps or reads the wrong keys.") \
    CODE(ani_key_repeated, "ani-key-repeated", warning, "ANI", "Two keys share one time: playback jumps there, and tools that divide by the difference fail; conversions keep the later.") \
    CODE(ani_key_negative, "ani-key-negative", info, "ANI", "A key is half a frame or more before time 0: it is never reached. The games' own exporter writes some.") \
    CODE(ani_not_finite, "ani-not-finite", error, "ANI", "A key's numbers are infinite or not numbers: the part disappears or collapses.") \
    CODE(ani_interpolation, "ani-interpolation", error, "ANI", "A kind of interpolation is unknown: how the value runs to the next key is left to each tool.") \
    CODE(ani_interpolation_rare, "ani-interpolation-rare", info, "ANI", "Keys interpolate by a kind (6 or 7, TCB) that no known file has and few tools read; conversions sample it.") \
    SECTION(connections) \
    CODE(part_name_case, "part-name-case", warning, "component", "Names of two parts differ in case only: the game takes them for one, some tools for two.") \
    CODE(connection_name_case, "connection-name-case", warning, "component", "Names of two connections differ in case only: the game takes them for one, some tools for two.") \
    CODE(connection_parent_missing, "connection-parent-missing", warning, "component", "A connection's parent is no part of the component: what hangs on it does not stand or move where it should. Add the part, or correct `parent`.") \
    CODE(connection_parent_cycle, "connection-parent-cycle", error, "component", "Connections are their own parents by way of others: their parts have no place.") \
    CODE(connection_position_missing, "connection-position-missing", warning, "component", "A component with meshes of its own has no connection that is tagged `position`: every known one has, with `value=\"1\"`. Add `<connection name=\"position\" tags=\"position\" value=\"1\" />`.") \
    CODE(connection_space_missing, "connection-space-missing", warning, "component", "Nothing ties the component to what it is in: an object of its own needs a connection `space` whose tags say its class (`ship ship_s`), equipment one that is tagged `component`, or of weapons and missile launchers `weapon`.") \
    CODE(class_missing, "class-missing", error, "component", "A component has no class: the game cannot make anything of it. Write `class`, as `ship_s`, `turret` or `destructible`.") \
    CODE(name_upper_case, "name-upper-case", info, "component", "Names of the component or of its parts have other letters than a-z, 0-9 and `_`: Egosoft's own checker refuses that, and tools on Linux may not find the meshes.") \
    SECTION(references) \
    CODE(reference_form, "reference-form", warning, "component", "A reference is not of the form component.part: the game finds nothing under it.") \
    CODE(reference_component_missing, "reference-component-missing", error, "component", "A part borrows the geometry of a component that does not exist: nothing of it is shown.") \
    CODE(reference_part_missing, "reference-part-missing", error, "component", "A part borrows the geometry of a part that its component does not have: nothing of it is shown.") \
    CODE(reference_cycle, "reference-cycle", error, "component", "Parts borrow each other's geometry in a ring: there is none, and the game may hang.") \
    CODE(reference_unresolved, "reference-unresolved", info, "component without game", "Parts borrow geometry from components that are not in the mod: with --game they are looked up.") \
    SECTION(parts) \
    CODE(geometry_missing, "geometry-missing", error, "component", "The folder of the meshes is not there: nothing of the component is shown. Correct `geometry` of `<source>`: `extensions\\FOLDER\\`, then the folder of the meshes. If they are in catalogs of a game, name its folder with --game DIR, or take them out with `effigy unpack`.") \
    CODE(geometry_unresolved, "geometry-unresolved", info, "component without game", "The meshes are in a folder outside of the mod: they are checked if --game DIR names the game that has them, or once `effigy unpack` has taken them out of its catalogs.") \
    CODE(geometry_case, "geometry-case", info, "component", "A folder is spelled in another case than on the disk: the game does not care, tools on Linux find nothing.") \
    CODE(lod_missing, "lod-missing", error, "component", "A mesh that the XML names is not there: the part is not drawn at that level of detail.") \
    CODE(lod_gap, "lod-gap", warning, "component", "Levels of detail are not numbered from 0 without gaps: the part vanishes at some distances.") \
    CODE(lod_order, "lod-order", warning, "component", "A level of detail has more triangles than the one before it: the part gets costlier with distance.") \
    CODE(lod_equal, "lod-equal", info, "component", "Levels of detail have as many triangles as the level before: they save nothing. The games' public tools make the second level so.") \
    CODE(lod_unnamed, "lod-unnamed", info, "component", "There are levels of detail that the XML does not name: conversions take them by the names of their files, and whether the game does is not known. Name them in `<lods>`, or delete what an older export has left.") \
    CODE(part_levels_missing, "part-levels-missing", info_or_warning, "component", "A part names no level of detail and borrows none: nothing of it is shown. Warning where a mesh of it is in the folder: name it in `<lods>`, or delete it if the part has lost it.") \
    CODE(part_level_single, "part-level-single", info, "component", "Large parts of a ship have one level of detail: they are drawn with all of their triangles at any distance. Four levels (100, 50, 25, 10 %) are usual; parts tagged `detail_...` have one.") \
    CODE(mesh_uv_missing, "mesh-uv-missing", warning, "component", "A visible mesh has no texture coordinates: textures cannot be laid on it, and nearly all known meshes have some. Unwrap it.") \
    CODE(mesh_color_missing, "mesh-color-missing", warning_or_info, "component", "A visible mesh has no vertex colours: the games read the tint of the surface and its dirt from them, and Egosoft's own checker wants them. White with alpha 0 changes nothing. Info where only effects and moving parts lack them.") \
    CODE(mesh_damaged, "mesh-damaged", error, "component", "A mesh or an animation that the component uses cannot be read, or has errors of its own: check that file by itself.") \
    CODE(collision_missing, "collision-missing", warning, "component", "A part that is not tagged nocollision has no collision mesh: ships and shots pass through it.") \
    CODE(collision_layout, "collision-layout", error, "component", "A collision mesh is not one stream of float positions with triangles and without materials: the game crashes when it loads it.") \
    CODE(wreck_missing, "wreck-missing", warning, "component", "There is no mesh for a wreck: when the part is destroyed, nothing stays.") \
    CODE(wreck_collision_missing, "wreck-collision-missing", warning, "component", "A wreck has a mesh, and none for collision: ships and shots pass through it, and every known wreck has one.") \
    CODE(wreck_absent, "wreck-absent", warning_or_info, "component, to XMF, ANI, XML", "No part of a ship or a station module names a wreck: nothing stays when it is destroyed, and the game logs that a module has no wreck geometry. Info for small ships, of which some have none.") \
    CODE(size_small, "size-small", warning, "component", "A part's size is smaller than its mesh: the game stops drawing it while it can still be seen.") \
    CODE(size_large, "size-large", info, "component", "A part's size is larger than its mesh: it is drawn where it need not be, which moving parts want.") \
    CODE(size_raw_differs, "size-raw-differs", info, "component", "The second box of a moving part (size_raw) is not that of its mesh: usual where the mesh or its place was changed later, and no loss is known.") \
    SECTION(shapes) \
    CODE(jcs_rebake, "jcs-rebake", info, "component", "There are baked collision shapes (.jcs): they fit one version of the game only, and must be baked again with the game's own tool after updates, as stale ones crash it. Parts tagged nocollision need none, though the game's tool makes them.") \
    CODE(jcs_older, "jcs-older", info, "component", "Baked collision shapes (.jcs) are older than the collision meshes that they were baked from: they may not show the latest state.") \
    CODE(jcs_alone, "jcs-alone", warning, "component", "Of the two baked collision shapes of a part (`<part>-hull.jcs`, `<part>-mesh.jcs`) one is there only; the game's own tool always makes both, so one was not copied, or is of an older state.") \
    CODE(jcs_orphan, "jcs-orphan", warning, "component", "Baked collision shapes (.jcs) belong to no part and no mesh: nothing uses them, and updates of the game make them stale.") \
    SECTION(materials) \
    CODE(material_list_differs, "material-list-differs", info, "component", "The materials of the XML and those of the mesh differ, and the mesh decides what is drawn: mods replace a mesh's materials that way; where that is not meant, one of the two is out of date.") \
    CODE(material_unknown, "material-unknown", warning, "component, XMF", "A material is not in the library, or the mod has none and the material's name begins with the mod's: the game shows a replacement or nothing. Define it in libraries/material_library.xml.") \
    CODE(material_unresolved, "material-unresolved", warning_or_info, "component, XMF, without game", "No material library that was named or found has the material: it stays plain; --game names the game's folder, --materials a library. Info where the mod alone is checked, whose materials may be the game's, and where the name has no dot and hence no collection, as those of empty nodes have.") \
    CODE(material_texture_missing, "material-texture-missing", warning, "component, library", "Textures that materials name are not there: the surface is black, white or untinted. Put them there, or correct the paths in the library.") \
    CODE(material_texture_unresolved, "material-texture-unresolved", info, "component, library without game", "Textures outside of the mod are not looked up: with --game they are.") \
    CODE(material_texture_form, "material-texture-form", warning, "component, library", "Textures that materials name are pictures (PNG, TGA, JPEG): the game loads DDS, block-compressed with all levels and gzipped as .gz. Convert them.") \
    CODE(material_texture_ending, "material-texture-ending", warning, "component, library", "Textures are named with an ending, which the game puts there itself: it looks for name.gz.gz and finds nothing. Take the ending out of the library.") \
    CODE(material_shader_unknown, "material-shader-unknown", warning_or_info, "library", "A material's shader is none that is known, nor one of the game's library: the game draws nothing, or magenta. Info without game where the name begins as the game's do. Most surfaces have P1_complex_surface.fx, glass p1_glass.fx.") \
    SECTION(animations) \
    CODE(animation_file_missing, "animation-file-missing", warning, "component", "The XML has ranges of animations, and there is no ANI file: nothing moves.") \
    CODE(animation_range_order, "animation-range-order", warning, "component", "A range of an animation ends before it starts: the part jumps or stays as it is.") \
    CODE(animation_state_missing, "animation-state-missing", warning, "component", "The ANI file has no such state for the part: it does not move in it.") \
    CODE(animation_unnamed, "animation-unnamed", info, "component", "The ANI file moves parts of the component, and the XML names no animation: conversions take the file all the same, and whether the game does is not known. Name its states in `<animations>`, or delete what an older export has left.") \
    CODE(animation_part_missing, "animation-part-missing", info, "component", "The ANI file moves parts that the component does not have: nothing uses that, and a part that was renamed has lost its movement.") \
    SECTION(folder) \
    CODE(content_missing, "content-missing", info, "folder", "There is no content.xml: the game does not load the folder as an extension.") \
    CODE(content_damaged, "content-damaged", error, "folder", "content.xml cannot be read, or has no `<content>`: the game does not load the extension.") \
    CODE(content_id, "content-id", info, "folder", "content.xml gives no id: no other mod can depend on this one, and saves cannot note it. Write one in lower case without spaces.") \
    CODE(content_version, "content-version", warning, "folder", "The version in content.xml is no number: the game compares versions as whole numbers, 100 for 1.00.") \
    CODE(folder_name, "folder-name", error, "folder", "The mod's folder has another name than its paths say: the game finds nothing under them. Rename the folder, or correct the paths.") \
    CODE(path_folder, "path-folder", error, "folder", "A path lacks `extensions\\FOLDER\\`, or has another folder there, and the file is in this mod: the game looks elsewhere and finds nothing. The folder's name counts, not the id of content.xml.") \
    CODE(path_case, "path-case", warning, "folder", "Names of two files differ in case only: the game sees one of them, and Windows cannot hold both.") \
    CODE(file_unnamed, "file-unnamed", info, "folder", "Meshes, animations or baked shapes belong to no part of a component here: the game does not load them.") \
    CODE(index_dangling, "index-dangling", warning, "folder", "The index names a file that the mod does not have: whatever asks for the name gets nothing.") \
    CODE(index_dangling_used, "index-dangling-used", error, "folder", "A macro uses a component whose file does not exist: the object cannot be made in the game.") \
    CODE(component_unindexed, "component-unindexed", warning_or_info, "folder", "No index names the component: the game does not find it. Info where no macro of the index uses it: then nothing asks for it.") \
    CODE(macro_unindexed, "macro-unindexed", info_or_warning, "folder", "No index names the macro: the game finds no such object. Warning where a ware or a macro of the index asks for it: add it to index/macros.xml.") \
    CODE(macro_stub, "macro-stub", info, "folder", "The macro of a piece of equipment or a station module lacks what makes it work in X4, such as an engine's `thrust`: most likely nobody has filled it in yet.") \
    CODE(macro_class_differs, "macro-class-differs", warning, "folder, to XMF, ANI, XML", "A macro has no class, or another one than its component: the object is not what it should be. Only turret and missileturret, weapon and missilelauncher, bullet and effectobject go together.") \
    CODE(macro_component_missing, "macro-component-missing", error, "folder with game", "A macro uses a component that neither the mod nor the game has: the object cannot be made.") \
    CODE(macro_component_unresolved, "macro-component-unresolved", info, "folder without game", "Macros use components that are not in the mod: with --game they are looked up.") \
    CODE(macro_connection_missing, "macro-connection-missing", warning, "folder, to XMF, ANI, XML", "A macro hangs something on a connection that its component does not have: it is left out in the game. Correct `ref`, or add the connection.") \
    CODE(macro_child_connection_missing, "macro-child-connection-missing", error, "folder", "A macro hangs on another by a connection that its own component does not have: it is not attached. Every known mod has them right.") \
    CODE(ware_macro_missing, "ware-macro-missing", warning_or_info, "folder", "A ware's macro does not exist: it cannot be bought or built. Info without game where the name is not that of the ware, or where the mod depends on another: the macro may be theirs.") \
    CODE(text_missing, "text-missing", warning_or_info, "folder", "A text {page,id} is not in the mod's own page: the game shows the numbers. Info where the page has a number that the game's own pages have.") \
    CODE(text_file_case, "text-file-case", info, "folder", "Files of texts have capitals in their names (0001-L044.xml): the game on Linux wants 0001-l044.xml.") \
    CODE(file_name_case, "file-name-case", info, "folder", "Names of files have capitals: the game does not care on Windows, tools on Linux may not find them.") \
    CODE(diff_dead, "diff-dead", error, "folder", "A change in a `<diff>` cannot match anything in the file that it is for: the game skips it, and all that it adds is lost. Correct `sel`.") \
    CODE(texture_damaged_header, "texture-damaged-header", error, "folder", "A texture is no readable DDS file: the game cannot load it.") \
    CODE(texture_power, "texture-power", warning, "folder", "A texture's width or height is no power of two: its smaller levels are blurred or refused. Icons (assets/fx/gui) may have any size.") \
    CODE(texture_levels, "texture-levels", warning, "folder", "A texture lacks smaller levels: surfaces shimmer at a distance, or the texture is refused. Icons (assets/fx/gui) have one level.") \
    CODE(texture_uncompressed, "texture-uncompressed", warning, "folder", "A texture is not block-compressed: X4 is known to draw such ones wrongly. Convert it to DXT5 with all levels. Icons (assets/fx/gui) may be so.") \
    CODE(texture_header_dx10, "texture-header-dx10", warning, "folder", "A texture has the longer header of DirectX 10 (BC7 and others): no known file of the game has it. DXT5 with the short header is safe.") \
    CODE(texture_unpacked, "texture-unpacked", warning, "folder", "A texture is a plain .dds: every known one is gzipped and called .gz. Gzip it under the same name with .gz instead of .dds.") \
    SECTION(reading) \
    CODE(record_too_small, "record-too-small", error, "XMF, ANI, XML", "A record's declared size is smaller than what every reader needs of it; nothing behind it can be found.") \
    CODE(stream_size, "stream-size", error, "XMF, ANI, XML", "A buffer's items multiply to more than any memory; it is not decoded, and kept.") \
    CODE(stream_outside, "stream-outside", error, "XMF, ANI, XML", "A buffer's bytes lie beyond the end of the file; it has no content.") \
    CODE(stream_damaged, "stream-damaged", error, "XMF, ANI, XML", "A compressed stream is damaged or is none; it is kept as it is, and the buffer has no content.") \
    CODE(stream_too_long, "stream-too-long", error, "XMF, ANI, XML", "A compressed stream goes on behind the last item, as a bomb or a wrong count would; it is kept, and the buffer has no content.") \
    CODE(stream_too_short, "stream-too-short", error, "XMF, ANI, XML", "A stream ends before all items that its descriptor announces; it is kept, and the buffer has no content.") \
    CODE(stream_extra_bytes, "stream-extra-bytes", warning, "XMF, ANI, XML", "Bytes follow the end of a stream inside the buffer's range; they are kept, and nothing reads them.") \
    CODE(xml_name, "xml-name", warning, "XMF, ANI, XML", "A component, connection, part, material or entry has no name: nothing can refer to it.") \
    CODE(offset_rotation, "offset-rotation", warning_or_info, "XMF, ANI, XML", "A quaternion has not unit length; it is scaled. Info where it has no length: it is read as no rotation.") \
    CODE(name_repeated, "name-repeated", info_or_warning, "XMF, ANI, XML", "Two parts or two connections of a component have one name: published ships do so for several instances, and which one is meant is not certain. Warning where a `parent` or a macro refers to the name, and for two components.") \
    CODE(diff_selector, "diff-selector", warning, "XMF, ANI, XML", "A change in a `<diff>` is not understood and has no effect: only `<add>`, `<replace>` and `<remove>` with selectors of names and `[@attribute='value']` are.") \
    CODE(diff_no_match, "diff-no-match", warning, "XMF, ANI, XML", "A change selects nothing in the library that it is applied to.") \
    CODE(diff_several, "diff-several", warning, "XMF, ANI, XML", "The selector of a change selects several elements or attributes. The game skips such a change, as a selector has to match exactly one; so does effigy.") \
    CODE(diff_applied, "diff-applied", info, "XMF, ANI, XML", "Extensions of the game change this component (`<diff>`); what is read is the component with their changes.") \
    CODE(diff_base, "diff-base", info, "XMF, ANI, XML", "Changes are for a file that was not given, and have no effect here: said once of each file, with their number.") \
    CODE(library_duplicate, "library-duplicate", warning, "XMF, ANI, XML", "A library has two materials of one name; the last one counts.") \
    CODE(catalog_line, "catalog-line", error, "XMF, ANI, XML", "A line is no entry (`path size time md5`) and is left out; files after it may be taken from the wrong place.") \
    CODE(catalog_size, "catalog-size", error, "XMF, ANI, XML", "An entry's size is negative or too large, alone or with those before; it is left out.") \
    CODE(catalog_duplicate, "catalog-duplicate", warning, "XMF, ANI, XML", "A path stands twice in one catalog, maybe in another case; the last one counts.") \
    CODE(catalog_data, "catalog-data", error_or_warning, "XMF, ANI, XML", "The .dat is not there, too short, or no plain file. Warning: it has bytes that no entry names.") \
    CODE(catalog_md5, "catalog-md5", error, "XMF, ANI, XML", "The bytes of an entry do not have the MD5 sum that the catalog gives.") \
    CODE(path_outside, "path-outside", error_or_warning, "XMF, ANI, XML", "A path is absolute, has a drive, a zero byte or a step \"..\", or a link leads out of the folder that was named; it is not followed. Warning: an extension behind such a link is left out.") \
    SECTION(writing) \
    CODE(pack_path, "pack-path", error, "XMF, ANI, XML", "A path has a line break, or a space at its start or end: it has no place in a catalog.") \
    CODE(pack_duplicate, "pack-duplicate", error, "XMF, ANI, XML", "Two files have one path, or paths that differ in case only.") \
    CODE(pack_empty, "pack-empty", error, "XMF, ANI, XML", "An empty file cannot be packed: an entry of no bytes deletes its path.") \
    SECTION(to_scene) \
    CODE(animation_duration, "animation-duration", info, "XMF, ANI, XML", "Keys of an ANI go on after the duration that its state names; all of them are kept.") \
    CODE(animation_empty, "animation-empty", info, "XMF, ANI, XML", "A state of an ANI has no keys for a part, which does not move in it.") \
    CODE(animation_range, "animation-range", warning, "XMF, ANI, XML", "A range of frames in a component is no state of its part and cannot be cut from one: the part has several states, or the range ends before it starts. It is left out.") \
    CODE(connection_cycle, "connection-cycle", warning, "XMF, ANI, XML", "The parents of a component's connections lead round in a circle; it is cut there, and the connection hangs at the component itself.") \
    CODE(connection_parent, "connection-parent", warning, "XMF, ANI, XML", "A connection names a parent that is no part; it hangs at the component itself.") \
    CODE(emission_clamped, "emission-clamped", info, "XMF, ANI, XML", "Materials glow stronger than 1, which a glTF material cannot say without an extension: they glow with strength 1; the number is kept in extras. One line for the scene.") \
    CODE(handle_time, "handle-time", info, "XMF, ANI, XML", "Handles of bezier curves do not stand at thirds of their intervals, which bends time; such tracks are sampled.") \
    CODE(index_buffers, "index-buffers", warning, "XMF, ANI, XML", "A mesh has several buffers of indices; the first one counts.") \
    CODE(key_interpolation, "key-interpolation", warning, "XMF, ANI, XML", "Keys name an interpolation that is not known; they are read as linear.") \
    CODE(light_inferred, "light-inferred", info, "XMF, ANI, XML", "The direction and the cone of a light that is no omni light are inferred.") \
    CODE(light_kept, "light-kept", info, "XMF, ANI, XML", "glTF has no lights of this kind (area lights); they are plain nodes, with their fields in extras.") \
    CODE(material_gap, "material-gap", warning, "XMF, ANI, XML", "Triangles are in no material's range; they get no material.") \
    CODE(material_range, "material-range", warning, "XMF, ANI, XML", "Ranges of materials overlap, cut triangles or end beyond the indices; they are clipped.") \
    CODE(mesh_beside, "mesh-beside", warning, "XMF, ANI, XML", "Other meshes or animations of the same names lie beside a component than where it says, in its own folders or the game's; those where it says are taken.") \
    CODE(mesh_bytes_lost, "mesh-bytes-lost", warning, "XMF, ANI, XML", "Bytes of a mesh file are left out: those of a vertex that no element describes, an element of an unknown type and all behind it, or what stands between and behind the streams.") \
    CODE(mesh_missing, "mesh-missing", warning, "XMF, ANI, XML", "A mesh that a component names, a level of detail or a wreck, is not there.") \
    CODE(mesh_unmatched, "mesh-unmatched", warning, "XMF, ANI, XML", "A mesh that was given beside a component is named by none of its parts; it is left out.") \
    CODE(mesh_unused, "mesh-unused", info, "XMF, ANI, XML", "Meshes in a component's folder belong to none of its parts; they are left out.") \
    CODE(part_empty, "part-empty", info, "XMF, ANI, XML", "Parts of a component have no mesh.") \
    CODE(primitive_type, "primitive-type", warning, "XMF, ANI, XML", "A mesh is no list of triangles; it is left out.") \
    CODE(reference_missing, "reference-missing", warning, "XMF, ANI, XML", "Parts borrow their meshes from a component or a part that is not there, or in a circle. Meshes of the game are found with `--game`.") \
    CODE(rotation_sampled, "rotation-sampled", info, "XMF, ANI, XML", "Angles became quaternions, sampled where they do not step; the largest error is stated.") \
    CODE(scale_keys_lost, "scale-keys-lost", warning, "XMF, ANI, XML", "Scales before or after the rotation (pre and post scale keys) have no place in glTF; they stay in extras only.") \
    CODE(size_differs, "size-differs", warning_or_info, "XMF, ANI, XML", "The size that a component states for a part is not that of its finest mesh. Info where it holds all of the mesh: nothing is lost of it.") \
    CODE(stream_count, "stream-count", warning, "XMF, ANI, XML", "Vertex buffers have other numbers of vertices than the positions: longer ones are cut, shorter ones left out.") \
    CODE(stream_missing, "stream-missing", warning, "XMF, ANI, XML", "Vertex buffers whose content is damaged are left out.") \
    CODE(tangent_sign_unknown, "tangent-sign-unknown", info, "XMF, ANI, XML", "The normals of a mesh mark no mirrored texture coordinates, but there are some; normal maps may look inverted there.") \
    CODE(track_sampled, "track-sampled", info, "XMF, ANI, XML", "An animation's curves are none that glTF has; they are sampled, and the largest error is stated.") \
    SECTION(from_scene) \
    CODE(ani_name_cut, "ani-name-cut", warning, "to XMF, ANI, XML", "Names of parts and states have at most 63 bytes; these are cut. Shorten them, or the component will not find them.") \
    CODE(ani_number_repaired, "ani-number-repaired", warning, "to XMF, ANI, XML", "Numbers of tracks that are not finite become 0.") \
    CODE(ani_shear_lost, "ani-shear-lost", warning, "to XMF, ANI, XML", "Parts rotate or scale below non-uniformly scaled nodes, which shears them: the format cannot say that. Apply the scale to the meshes first.") \
    CODE(ani_part_missing, "ani-part-missing", warning, "to XMF, ANI, XML", "Nodes that are no parts move, and only parts do in the file: their tracks are left out. A part needs a name.") \
    CODE(ani_rotation_angles, "ani-rotation-angles", info, "to XMF, ANI, XML", "Rotations became angles about three axes, with keys between where straight lines would be off; the error is stated.") \
    CODE(ani_state_repeated, "ani-state-repeated", warning, "to XMF, ANI, XML", "A part has a state twice; the first one is written. Give clips different names.") \
    CODE(ani_too_many, "ani-too-many", error, "to XMF, ANI, XML", "A rotation needs more keys than are made; a larger `--max-error` leaves some out.") \
    CODE(ani_weights_lost, "ani-weights-lost", warning, "to XMF, ANI, XML", "The format moves parts only; tracks of morph weights are left out.") \
    CODE(component_borrowed, "component-borrowed", info, "to XMF, ANI, XML", "Parts borrow their meshes from other components and go on doing so; meshes of theirs that differ from what was read are not written.") \
    CODE(component_class, "component-class", info, "to XMF, ANI, XML", "The class of a new component is a guess by its folder; a custom property `class` of the root says another one.") \
    CODE(component_collision_made, "component-collision-made", info, "to XMF, ANI, XML", "Parts and wrecks without a collision mesh got one, out of their finest level.") \
    CODE(component_collision_shown, "component-collision-shown", warning, "to XMF, ANI, XML", "Meshes are called `<part>_collision`, which parts are that games show; they become parts of their own. Collision meshes are called `<part>-collision`.") \
    CODE(component_file_twice, "component-file-twice", warning, "to XMF, ANI, XML", "Two meshes would get one name; the first is written.") \
    CODE(component_jcs, "component-jcs", warning, "to XMF, ANI, XML", "Parts have new collision meshes, and X4's baked shapes (`.jcs`) of them are missing or no longer fit: only the game's own tool makes those.") \
    CODE(component_level_equal, "component-level-equal", info, "to XMF, ANI, XML", "Levels of detail with as many triangles as the level before save nothing; they are left out.") \
    CODE(component_light_left, "component-light-left", warning, "to XMF, ANI, XML", "Components have no directional lights; they are left out.") \
    CODE(component_light_units, "component-light-units", info, "to XMF, ANI, XML", "Intensities of new lights are written as they stand; lights without a range got one.") \
    CODE(component_mesh_absent, "component-mesh-absent", info, "to XMF, ANI, XML", "The XML goes on naming meshes that were not there when the scene was made; they are not written.") \
    CODE(component_mesh_empty, "component-mesh-empty", warning, "to XMF, ANI, XML", "Meshes without triangles that have an area are left out.") \
    CODE(component_level_alone, "component-level-alone", warning, "to XMF, ANI, XML", "Meshes are called like levels of detail of a part that is not there; they become parts of their own.") \
    CODE(component_mesh_left, "component-mesh-left", warning, "to XMF, ANI, XML", "Levels, collision meshes or hidden meshes belong to no part that is known; they are left out.") \
    CODE(component_places_made, "component-places-made", warning, "to XMF, ANI, XML", "A new ship got connections for crew and equipment that the game looks for and the scene does not have.") \
    CODE(component_pose_left, "component-pose-left", info, "to XMF, ANI, XML", "Parts that some clips move, and others do not, stand elsewhere than where they rest: that is taken for a pose, and their place stays.") \
    CODE(component_origin, "component-origin", info, "to XMF, ANI, XML", "The root node of a component does not stand at the origin of the scene; it is said what that means.") \
    CODE(mod_class_kept, "mod-class-kept", info, "to XMF, ANI, XML", "Nothing says what a component is that the mod has already: it keeps its class.") \
    CODE(mod_component_foreign, "mod-component-foreign", error, "to XMF, ANI, XML", "A mod has a component of the name already that was not written by effigy, or was edited since; nothing is written.") \
    CODE(mod_connections_lost, "mod-connections-lost", warning, "to XMF, ANI, XML", "A component that takes the place of one with more connections comes without the records that would keep them.") \
    CODE(mod_encoding, "mod-encoding", error, "to XMF, ANI, XML", "A list of a mod that is to be extended is not UTF-8.") \
    CODE(mod_files_left, "mod-files-left", warning, "to XMF, ANI, XML", "A mod has files of a component from before that were not written anew: levels, collision meshes and motions that are still taken for it, or meshes of parts that are gone; or the macro of a storage, of what was a ship. Delete them if they are not meant, or convert into a new folder.") \
    CODE(mod_game_name, "mod-game-name", warning, "to XMF, ANI, XML", "A new component has the name of one of the game, which it takes the place of everywhere.") \
    CODE(mod_list_root, "mod-list-root", error, "to XMF, ANI, XML", "A list of a mod that is to be extended has a root that the game does not read.") \
    CODE(mod_macro_replaced, "mod-macro-replaced", info, "to XMF, ANI, XML", "A macro that effigy wrote and nobody edited was of another class than its component is now, or hung things on connections that are gone; it was written anew, and with a ship's the one of its storage.") \
    CODE(mod_macro_stub, "mod-macro-stub", info, "to XMF, ANI, XML", "New macros of equipment and station modules have a name and a hull only, and do nothing in the game until the modder fills them in.") \
    CODE(mod_material_foreign, "mod-material-foreign", info, "to XMF, ANI, XML", "Materials of other collections than the mod's, without textures and unedited, have to be there already; no entries are written for them.") \
    CODE(mod_material_lost, "mod-material-lost", warning, "to XMF, ANI, XML", "Materials say what the game's cannot: an alpha cutoff other than 0.5, unlit surfaces, refraction and reflection, textures that do not repeat. Put it into the textures where it matters.") \
    CODE(mod_material_own, "mod-material-own", info, "to XMF, ANI, XML", "Materials of other collections were edited or have textures; the mod gets entries of its own for them.") \
    CODE(mod_material_replaced, "mod-material-replaced", warning, "to XMF, ANI, XML", "New materials take the places of other entries of their names in the mod's library: whatever uses those looks like the new ones.") \
    CODE(mod_texture_missing, "mod-texture-missing", warning, "to XMF, ANI, XML", "Materials name textures of the mod that is written, which neither it nor the scene has: the surface is black, white or untinted until they are put there.") \
    CODE(connections_mirrored, "connections-mirrored", info, "to XMF, ANI, XML", "Connections and lights got mirror images on the other side (`--mirror-connections`).") \
    CODE(component_tags_missing, "component-tags-missing", info, "to XMF, ANI, XML", "Connections of a new component have no parts and no tags: the game goes by tags, and does nothing with them. Custom properties `tags` say what they are.") \
    CODE(component_xml_lost, "component-xml-lost", warning, "to XMF, ANI, XML", "The first component of a file with several is gone, and with it the XML of all; a new file is made, without what only that XML said.") \
    CODE(component_xml_damaged, "component-xml-damaged", warning, "to XMF, ANI, XML", "The XML in the extras is no component; a new one is made, without what only that XML says.") \
    CODE(xmf_attributes_filled, "xmf-attributes-filled", info, "to XMF, ANI, XML", "The layout has elements that the mesh has nothing for; they are filled with a default.") \
    CODE(xmf_attributes_lost, "xmf-attributes-lost", warning, "to XMF, ANI, XML", "The layout has no place for these attributes; they are left out.") \
    CODE(xmf_made_anew, "xmf-made-anew", warning, "to XMF, ANI, XML", "A mesh that nobody edited is not written as its file was, because that was damaged or its materials overlapped; it is made anew.") \
    CODE(ani_made_anew, "ani-made-anew", warning, "to XMF, ANI, XML", "Animations that nobody edited are not written as their file had them, because that was damaged, as by keys that are not in order or not finite; these are made anew.") \
    CODE(xmf_clips_left, "xmf-clips-left", info, "to XMF, ANI, XML", "A mesh file has no animations; they stand in an ANI beside it.") \
    CODE(xmf_texture_placed, "xmf-texture-placed", warning, "to XMF, ANI, XML", "Textures of a material are shifted, rotated or scaled (`KHR_texture_transform`), or lie on other coordinates than the first, which the format has no word for: put that into the first texture coordinates, or bake it.") \
    CODE(xmf_material_edited, "xmf-material-edited", warning, "to XMF, ANI, XML", "Materials were edited, and a component or a mesh alone has only their names: write a mod, whose library gets them, or change the library.") \
    CODE(xmf_material_new, "xmf-material-new", info, "to XMF, ANI, XML", "Materials got names of the form `collection.material`: add entries of these names to the game's library.") \
    CODE(xmf_meshes_left, "xmf-meshes-left", info, "to XMF, ANI, XML", "Levels of detail, collision meshes and wrecks are files of their own; they are left out of this one.") \
    CODE(xmf_morphs_lost, "xmf-morphs-lost", warning, "to XMF, ANI, XML", "The format has no morph targets; the mesh is as it looks at rest.") \
    CODE(xmf_normals_made, "xmf-normals-made", info, "to XMF, ANI, XML", "Normals that the mesh lacks are computed from its triangles.") \
    CODE(xmf_number_repaired, "xmf-number-repaired", warning, "to XMF, ANI, XML", "Numbers of a mesh that are not finite become 0.") \
    CODE(xmf_skin_lost, "xmf-skin-lost", warning, "to XMF, ANI, XML", "The format has no skins; vertices stand where they are at rest.") \
    CODE(xmf_tangents_made, "xmf-tangents-made", info, "to XMF, ANI, XML", "Tangents that the mesh lacks, or that run against its texture coordinates, are computed from those.") \
    CODE(xmf_too_many, "xmf-too-many", error, "to XMF, ANI, XML", "Something is more than the format can count: the number, the limit, and what to do.") \
    CODE(xmf_topology, "xmf-topology", warning, "to XMF, ANI, XML", "The format has triangles only; points and lines are left out.") \
    CODE(xmf_triangle_flat, "xmf-triangle-flat", info, "to XMF, ANI, XML", "Triangles without an area are left out.") \
    CODE(xmf_value_clamped, "xmf-value-clamped", warning, "to XMF, ANI, XML", "Numbers are beyond what the layout can store; the nearest that it can is written.")
// clang-format on

namespace effigy::egosoft::codes {
using namespace effigy::codes;
EFFIGY_EGOSOFT_CODES(EFFIGY_NO_SECTION, EFFIGY_CODE_CONSTANT)
}  // namespace effigy::egosoft::codes
