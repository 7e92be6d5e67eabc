#pragma once
/// The rules over several files as a table, and the collector of what breaks them.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/component.hpp"
#include "effigy/result.hpp"

#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::egosoft::checks {

// clang-format off
inline constexpr auto rules = std::to_array<Rule>({
    // Names and connections
    {"part-name-case", Severity::warning, "component", "Names of two parts differ in case only: the game takes them for one, some tools for two."},
    {"connection-name-case", Severity::warning, "component", "Names of two connections differ in case only: the game takes them for one, some tools for two."},
    {"connection-parent-missing", Severity::warning, "component", "A connection's parent is no part of the component: what hangs on it does not stand or move where it should."},
    {"connection-parent-cycle", Severity::error, "component", "Connections are their own parents by way of others: their parts have no place."},
    // References
    {"reference-form", Severity::warning, "component", "A reference is not of the form component.part: the game finds nothing under it."},
    {"reference-component-missing", Severity::error, "component", "A part borrows the geometry of a component that does not exist: nothing of it is shown."},
    {"reference-part-missing", Severity::error, "component", "A part borrows the geometry of a part that its component does not have: nothing of it is shown."},
    {"reference-cycle", Severity::error, "component", "Parts borrow each other's geometry in a ring: there is none, and the game may hang."},
    {"reference-unresolved", Severity::info, "component without game", "Parts borrow geometry from components that are not in the mod: with --game they are looked up."},
    // Meshes
    {"geometry-missing", Severity::error, "component", "The folder of the meshes is not there: nothing of the component is shown."},
    {"geometry-unresolved", Severity::info, "component without game", "The meshes are in a folder outside of the mod: with --game they are checked."},
    {"geometry-case", Severity::info, "component", "A folder is spelled in another case than on the disk: the game does not care, tools on Linux find nothing."},
    {"lod-missing", Severity::error, "component", "A mesh that the XML names is not there: the part is not drawn at that level of detail."},
    {"lod-gap", Severity::warning, "component", "Levels of detail are not numbered from 0 without gaps: the part vanishes at some distances."},
    {"lod-order", Severity::warning, "component", "A level of detail has more triangles than the one before it: the part gets costlier with distance."},
    {"lod-equal", Severity::info, "component", "A level of detail has as many triangles as the one before it: it saves nothing."},
    {"lod-unnamed", Severity::info, "component", "There are levels of detail that the XML does not name: the game does not show them."},
    {"mesh-damaged", Severity::error, "component", "A mesh or an animation that the component uses cannot be read, or has errors of its own: check that file by itself."},
    {"collision-missing", Severity::warning, "component", "A part that is not tagged nocollision has no collision mesh: ships and shots pass through it."},
    {"collision-layout", Severity::error, "component", "A collision mesh is not one stream of float positions with triangles and without materials: the game crashes when it loads it."},
    {"collision-index-size", Severity::warning, "component", "A collision mesh has 16-bit indices: the game calls its index buffer corrupt and may ignore the mesh."},
    {"wreck-missing", Severity::warning, "component", "There is no mesh for a wreck: when the part is destroyed, nothing stays."},
    {"size-small", Severity::warning, "component", "A part's size is smaller than its mesh: the game stops drawing it while it can still be seen."},
    {"size-large", Severity::info, "component", "A part's size is larger than its mesh: it is drawn where it need not be, which moving parts want."},
    {"size-raw-differs", Severity::info, "component", "The second box of a moving part (size_raw) is not that of its mesh: usual where the mesh or its place was changed later, and no loss is known."},
    // Baked collision
    {"jcs-rebake", Severity::info, "component", "There are baked collision shapes (.jcs): they fit one version of the game only, and must be baked again with the game's own tool after updates, as stale ones crash it."},
    {"jcs-older", Severity::info, "component", "Baked collision shapes (.jcs) are older than the collision meshes that they were baked from: they may not show the latest state."},
    {"jcs-orphan", Severity::warning, "component", "Baked collision shapes (.jcs) belong to no part and no mesh: nothing uses them, and updates of the game make them stale."},
    {"jcs-unneeded", Severity::info, "component", "Parts tagged nocollision have baked collision shapes (.jcs): they can be left out, and then never get stale."},
    // Materials
    {"material-list-differs", Severity::info, "component", "The materials of the XML and those of the mesh differ: mods replace a mesh's materials that way; where that is not meant, one of the two is out of date."},
    {"material-unknown", Severity::warning, "component, XMF, with library", "A material is not in the library: the game shows a replacement or nothing."},
    {"material-unresolved", Severity::info, "component, XMF, without game", "Materials of collections that the mod does not define may be the game's: with --game or --materials they are looked up."},
    {"material-texture-missing", Severity::warning, "component, library", "A texture that a material names is not there: the surface is black, white or untinted."},
    {"material-texture-unresolved", Severity::info, "component, library without game", "Textures outside of the mod are not looked up: with --game they are."},
    // Animations
    {"animation-file-missing", Severity::warning, "component", "The XML has ranges of animations, and there is no ANI file: nothing moves."},
    {"animation-range-order", Severity::warning, "component", "A range of an animation ends before it starts: the part jumps or stays as it is."},
    {"animation-state-missing", Severity::warning, "component", "The ANI file has no such state for the part: it does not move in it."},
    {"animation-part-missing", Severity::info, "component", "The ANI file moves parts that the component does not have: nothing uses that, and a part that was renamed has lost its movement."},
    // The whole folder
    {"content-missing", Severity::info, "folder", "There is no content.xml: the game does not load the folder as an extension."},
    {"path-case", Severity::warning, "folder", "Names of two files differ in case only: the game sees one of them, and Windows cannot hold both."},
    {"file-unnamed", Severity::info, "folder", "Meshes, animations or baked shapes belong to no part of a component here: the game does not load them."},
    {"index-dangling", Severity::warning, "folder", "The index names a file that the mod does not have: whatever asks for the name gets nothing."},
    {"index-dangling-used", Severity::error, "folder", "A macro uses a component whose file does not exist: the object cannot be made in the game."},
    {"component-unindexed", Severity::warning, "folder", "No index names the component: the game does not find it."},
    {"texture-damaged-header", Severity::error, "folder", "A texture is no readable DDS file: the game cannot load it."},
    {"texture-power", Severity::warning, "folder", "A texture's width or height is no power of two: its smaller levels are blurred or refused."},
    {"texture-levels", Severity::warning, "folder", "A texture lacks smaller levels: surfaces shimmer at a distance, or the texture is refused."},
    {"texture-uncompressed", Severity::info, "folder", "A texture is not block-compressed: it takes four to eight times the memory; DXT5 and BC7 with all levels are what games ship."},
});
// clang-format on

using Code = RuleCode<rules>;
using Findings = RuleFindings<rules>;

/// "3 files: a, b, c" of many names; only the first ones are listed.
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::string_view noun);

}  // namespace effigy::egosoft::checks
