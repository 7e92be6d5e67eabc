#pragma once
/// Codes of what the program and whole conversions report beside their formats.

#include "effigy/code.hpp"
#include "effigy/core_codes.hpp"

// clang-format off
#define EFFIGY_PROGRAM_CODES(SECTION, CODE) \
    SECTION(program) \
    CODE(damaged_input, "damaged-input", error, "program", "Nothing was converted because an input is damaged; `--allow-damaged` converts what can be read.") \
    CODE(usage_option, "usage-option", error, "program", "A switch is not known, has a value that does not fit, or says nothing about the formats that it is given with; or a number among the options that the library is called with is out of range.") \
    CODE(usage_input, "usage-input", error, "program", "An input is named twice, is a folder, only goes with others, or has nothing to show.") \
    CODE(usage_input_twice, "usage-input-twice", error, "program", "Standard input is named twice; it can be read only once.") \
    CODE(usage_output, "usage-output", error, "program", "A file to write is an input or one of the model's textures, which are never changed, or its format is not known or cannot hold the scene.") \
    CODE(pose_at_rest, "pose-at-rest", info, "program", "`pose` was given no motion: the rest pose is written.") \
    CODE(families_differ, "families-differ", error, "program", "The inputs are of different families, which cannot be joined into one scene.") \
    CODE(usage_no_archive, "usage-no-archive", error, "program", "`ls` or `unpack` was given no catalog and no folder.") \
    CODE(output_picture_kept, "output-picture-kept", warning, "program", "A picture that goes with the output is there already and was not written for this model, or was edited since: it stays as it is.") \
    CODE(copied_alone, "copied-alone", warning, "program", "A file was copied, byte for byte as files of one format are, without what belongs to it: the folder of the meshes that a component names, or the `.xsmtime` beside a motion. That has to be copied as well.") \
    CODE(game_entry, "game-entry", info, "program", "What has to be entered by hand in the game's own files, before it finds the model.") \
    CODE(scene_shows_nothing, "scene-shows-nothing", warning, "program", "A model is written of a scene without meshes: nothing can be seen of it.") \
    CODE(mesh_shown_beside, "mesh-shown-beside", warning, "program", "Meshes are called `<part>_wreck`, or `<part>_collision` instead of `<part>-collision`, and the game shows them together with the part.") \
    CODE(target_missing, "target-missing", info, "program", "No game was named with `--target`, and games want their own versions, names and textures: the files follow none of them.") \
    CODE(motions_taken, "motions-taken", info_or_warning, "program", "How many of the motions in the folders of `--motions` fit the model and were taken. A warning if none does.") \
    CODE(folder_closed, "folder-closed", warning, "program", "A folder in which motions, or textures that are missing, were looked for may not be read: what is in it was not found.") \
    CODE(view_page, "view-page", error, "program", "The page that `view` puts files into is not there, or has no place for files.") \
    CODE(view_serve, "view-serve", error, "program", "`view --serve` cannot listen: the port is taken, or may not be used.") \
    CODE(usage_busy, "usage-busy", error, "program", "Another run is at work on this output folder; two would undo each other's work.") \
    CODE(batch_left, "batch-left", warning, "program", "What shows nothing alone was left out of a run over folders: a motion that no model there takes, an animation without keys, or a component file that only changes another one, which has the change if the game is an input.") \
    CODE(usage_no_match, "usage-no-match", error, "program", "A pattern of `ls` or `unpack` matches nothing.")
// clang-format on

namespace effigy::codes {
EFFIGY_PROGRAM_CODES(EFFIGY_NO_SECTION, EFFIGY_CODE_CONSTANT)

/// Whether the program was called in a way that makes no sense: its exit code is 2 then.
[[nodiscard]] constexpr bool is_usage(std::string_view code) noexcept {
    return code == usage_option || code == usage_input || code == usage_input_twice || code == usage_output ||
           code == usage_no_archive || code == usage_no_match || code == usage_busy;
}
}  // namespace effigy::codes
