#pragma once
/// From the command line to the library's conversions: what the verbs that make a scene share.

#include <filesystem>
#include <string>
#include <vector>

#include "effigy/convert.hpp"
#include "effigy/poser.hpp"
#include "effigy/scene.hpp"

#include "common.hpp"

namespace effigy::app {

/// The inputs, and the switches about what they mean.
struct SceneInput {
    CommonOptions common;
    std::vector<std::string> inputs;
    std::string output;  ///< findings about the whole scene are said to be about it
    std::string report;  ///< file for the findings, or empty
    OptionValues values;
    bool allow_damaged = false;   ///< one of many: whatever the switch says, and whether others say something about it
    bool quick_textures = false;  ///< the pictures are only drawn, not written
    ReadFiles read{};             ///< with all of convert_options(): neither the output nor the report may be one

    void add_report(CLI::App& verb);
    /// `noticed` gets what was noticed before a failure.
    [[nodiscard]] ConvertOptions convert_options(Report& noticed) const;
};

/// What speaks against the report before anything is read; empty if nothing does.
[[nodiscard]] std::string input_problem(const SceneInput& input);
/// Whether a file to write is one of those to read or the report; empty if it is not.
[[nodiscard]] std::string output_problem(const std::string& output, const SceneInput& input);

/// Whether the report would lie among the files that go with an output, called as one of them; empty if it would not.
[[nodiscard]] std::string side_file_problem(const SceneInput& input);

[[nodiscard]] bool is_motion(const std::string& path);
/// A motion moves nodes by their names, and does not know how they hang together: nothing can be seen of it alone.
[[nodiscard]] bool has_only_motions(const SceneInput& input);
/// The inputs as the library takes them, with the bytes of standard input.
[[nodiscard]] Result<std::vector<InputFile>> input_files(const std::vector<std::string>& paths, const Limits& limits);
/// Fails with "usage-output" if a file to write is one that was read beside the inputs.
[[nodiscard]] Result<void> spare_read(const SceneInput& input, const std::string& file);
/// What a conversion asks for while it runs: a line on a terminal, and whether it was cancelled.
[[nodiscard]] std::function<bool(const Step&)> progress_line(bool quiet);
/// One scene of the inputs; what is noticed goes to `report`, also when it fails.
[[nodiscard]] Result<Scene> load_scene(const SceneInput& input, Report& report);

/// Where the textures of the inputs are looked for.
[[nodiscard]] std::vector<std::filesystem::path> texture_folders(const SceneInput& input);

/// Findings about the whole scene are about the output.
void name_files(Report& report, const SceneInput& input);
[[nodiscard]] Diagnostic cancelled_error(const SceneInput& input);

[[nodiscard]] Json report_json(const Report& report);
/// To the file that --report asks for. Before any output, so that there is none if the report cannot be written.
[[nodiscard]] Result<void> write_report(const Report& report, const SceneInput& input);
/// Says what was noticed and what failed, in the report file and with --json as well; returns the exit code.
[[nodiscard]] int failed(const Diagnostic& failure, Report report, const SceneInput& input);
/// The same of a verb, which is named where the command line is at fault.
[[nodiscard]] int failed(const char* verb, Diagnostic failure, Report report, const SceneInput& input);

/// {"nodes": 40, "meshes": 2, ...} of a scene.
[[nodiscard]] Json counts_json(const Scene& scene);
/// "40 nodes, 2 meshes, 1 clip" of such counts; what there is none of is left out.
[[nodiscard]] std::string counts_text(const Json& counts);

}  // namespace effigy::app
