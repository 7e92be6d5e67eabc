#pragma once
/// A model's way to glTF, through Blender and back to the game's file.

#include <string>

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

#include "blender/models.hpp"

namespace effigy::blender_test {

enum class Settings { documented, ticked, as_it_comes };  ///< trip.py says what they are

[[nodiscard]] std::string name_of(Settings settings);

/// A trip that was made, with both of its ends.
struct Trip {
    Model model;
    Settings settings = Settings::documented;
    Scene before, after;  ///< the game's files as scenes, without motions that are files of their own
    Report report;        ///< of the way from Blender's file to the game's
    std::filesystem::path original, back;
};

/// Whether Blender is there at all.
[[nodiscard]] bool has_blender();

/// Made once for each model and settings; nothing if the corpus does not have the model. Fails the test if it does not
/// come to its end.
[[nodiscard]] const Trip* trip_of(const std::string& model, Settings settings);

/// The scene of a file with motions of the game's own.
[[nodiscard]] Scene scene_with(const std::filesystem::path& file, const Trip& trip);

}  // namespace effigy::blender_test
