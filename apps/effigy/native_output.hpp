#pragma once
/// Scenes as files of games: what `convert` asks for, what it writes, and the way there and back.

#include <string>
#include <vector>

#include "effigy/registry.hpp"

#include "scene_input.hpp"

namespace effigy::app {

/// How the files of a game are to be.
struct NativeOutput {
    std::string target;
    std::string levels;
    unsigned most_bones = 0;
    double max_error = 0;
    double height = 0;
    bool collision = false;
    bool animation_config = false;

    /// --target, --levels, --bones, --max-error, --collision, --height, --animation-config
    void add(CLI::App& verb);
    /// Whether any of them was given: a copy would not heed it.
    [[nodiscard]] bool asked() const noexcept;
    /// What speaks against these switches for this format; empty if nothing does.
    [[nodiscard]] std::string problem(const FormatInfo& format) const;
    [[nodiscard]] NativeOptions options(const SceneInput& input) const;
};

/// The scene as it comes back from glTF, which finds out which records still describe it: files of one family become
/// one another as if by way of a .glb.
[[nodiscard]] Result<Scene> with_records(const Scene& scene);

/// Pictures that are there already under the same names stay as they are: games' own textures are not overwritten.
void keep_pictures(std::vector<NewFile>& files, const std::filesystem::path& folder, Report& report);

/// Which of the inputs a new file would replace; empty if none.
[[nodiscard]] std::string replaced_input(const std::vector<NewFile>& files, const std::filesystem::path& folder,
                                         const SceneInput& input);

/// What is left of a scene after it was written in a format and read again; `report` says what was lost on the way
/// there and back. Nothing of those files stays.
[[nodiscard]] Result<Scene> there_and_back(const Scene& scene, const FormatInfo& format, const NativeOutput& output,
                                           const SceneInput& input, Report& report);

}  // namespace effigy::app
