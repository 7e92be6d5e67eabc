#pragma once
/// From files on the command line to a scene: what the verbs that make one share.

#include <filesystem>
#include <string>
#include <vector>

#include "effigy/registry.hpp"
#include "effigy/scene.hpp"

#include "common.hpp"
#include "game_input.hpp"

namespace effigy::app {

/// The inputs, and the switches about what they mean.
struct SceneInput {
    CommonOptions common;
    std::vector<std::string> inputs;
    std::string output;  ///< findings about the whole scene are said to be about it
    std::string report;  ///< file for the findings, or empty
    std::vector<std::string> textures;
    bool no_textures = false;
    GameInput game;
    std::string green = "auto";
    std::string normal_layout = "auto";
    std::string colors = "auto";
    std::string lod = "all";
    float morph_normal_range = 1;
    double resample = 0;
    double frames_per_second = 0;  ///< of motions that count in frames; 0: as they say
    std::string arm_twist = "joints";
    bool retarget = false;
    bool embed_source = false;
    int gltf_scene = -1;
    bool allow_outside = false;
    bool allow_damaged = false;
    bool quick_textures = false;  ///< the pictures are only drawn, not written

    void add_textures(CLI::App& verb);  ///< --textures, --no-textures, --normal-map-green, --normal-map-layout
    void add_game(CLI::App& verb);      ///< --game, --materials, --colors
    void add_gltf(CLI::App& verb);      ///< --scene, --allow-outside
    void add_retarget(CLI::App& verb);
    void add_morph_normal_range(CLI::App& verb);
    void add_allow_damaged(CLI::App& verb);
    void add_report(CLI::App& verb);
};

/// For --lod: what speaks against the text; empty if nothing does. `all` is a level for those that write them all.
[[nodiscard]] std::string level_problem(const std::string& text, bool all);

/// What speaks against the inputs, the texture folders and the report before anything is read; empty if nothing does.
[[nodiscard]] std::string input_problem(const SceneInput& input);
/// What speaks against making a scene of them: files that only say what others mean. Empty if nothing does.
[[nodiscard]] std::string scene_problem(const SceneInput& input);
/// Whether a file to write is one of those to read or the report; empty if it is not.
[[nodiscard]] std::string output_problem(const std::string& output, const SceneInput& input);

/// Where textures are looked for: the folders that were asked for, then the inputs' own; each once, as the user wrote
/// it first.
[[nodiscard]] std::vector<std::filesystem::path> texture_folders(const SceneInput& input);
[[nodiscard]] bool is_motion(const std::string& path);
/// A motion moves nodes by their names, and does not know how they hang together: nothing can be seen of it alone.
[[nodiscard]] bool has_only_motions(const SceneInput& input);
/// The inputs without files that only go with others.
[[nodiscard]] std::vector<std::string> scene_paths(const SceneInput& input);
/// What the inputs are, and the game that they are in.
struct Sources {
    std::vector<SceneSource> files;
    Game game;
};
/// Reads them, from the disk or else from the game; what is noticed goes to `report`, also when it fails.
[[nodiscard]] Result<Sources> read_sources(const SceneInput& input, Report& report);
/// Joins the sources into one scene, with textures and tangents.
[[nodiscard]] Result<Scene> make_scene(Sources sources, const SceneInput& input, Report& report);
/// Both.
[[nodiscard]] Result<Scene> load_scene(const SceneInput& input, Report& report);

/// A scene's findings name an input by its stem, or nothing where they are about the whole scene: says which file.
void name_files(Report& report, const SceneInput& input);
[[nodiscard]] Diagnostic cancelled_error(const SceneInput& input);

[[nodiscard]] Json report_json(const Report& report);
/// To the file that --report asks for. Before any output, so that there is none if the report cannot be written.
[[nodiscard]] Result<void> write_report(const Report& report, const SceneInput& input);
/// Says what was noticed and what failed, in the report file as well; returns the exit code.
[[nodiscard]] int failed(Diagnostic failure, Report report, const SceneInput& input);

/// {"nodes": 40, "meshes": 2, ...} of a scene.
[[nodiscard]] Json counts_json(const Scene& scene);
/// "40 nodes, 2 meshes, 1 clip" of such counts; what there is none of is left out.
[[nodiscard]] std::string counts_text(const Json& counts);

}  // namespace effigy::app
