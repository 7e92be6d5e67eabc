#pragma once
/// What goes through Blender: the project's own examples, and a few real files where there are some.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "effigy/convert.hpp"

namespace effigy::blender_test {

struct Model {
    std::string name;
    std::vector<InputFile> inputs;   ///< of which the glTF file is made
    std::string back;                ///< the game's file that is made of it again
    std::vector<InputFile> motions;  ///< the game's own, for the model that came back; none: its clips are in it
    OptionValues values{};
    bool is_bound_at_rest = true;  ///< else "Guess Original Bind Pose: off" moves vertices to where they are at rest
    std::filesystem::path mod{};   ///< it comes back into a copy of this folder
};

/// The names of them all. Those of the corpus begin with "Corpus".
[[nodiscard]] std::vector<std::string> model_names();
/// Makes the example, once; nothing where the corpus does not have it.
[[nodiscard]] std::optional<Model> model_named(const std::string& name);
/// A folder for everything that the tests write.
[[nodiscard]] std::filesystem::path folder();

}  // namespace effigy::blender_test
