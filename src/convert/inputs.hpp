#pragma once
/// Inputs of conversions: what they are, what speaks against them, and their bytes.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "effigy/convert.hpp"

namespace effigy::conversion {

/// Names the clip of a motion that comes from there.
inline constexpr const char* standard_input_name = "stdin";

/// ".xac": the usual one.
[[nodiscard]] inline std::string extension_of(const FormatInfo& format) {
    return "." + std::string(format.extensions.front());
}

/// Ends with what was noticed given to `options.report_of_failure`.
template <class T>
[[nodiscard]] Result<T> stop(Diagnostic failure, Report report, const ConvertOptions& options) {
    if (options.report_of_failure != nullptr) options.report_of_failure->append(std::move(report));
    return fail(std::move(failure));
}

/// Says where the conversion stands. Fails with "limit-cancelled".
[[nodiscard]] Result<void> report_step(const ConvertOptions& options, const Step& step);

/// The same for all names of a file.
using FileId = std::pair<std::uint64_t, std::uint64_t>;
/// Nothing for what is not there.
[[nodiscard]] std::optional<FileId> id_of(const std::filesystem::path& file);

/// Whether both name one file, however they are written.
[[nodiscard]] bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// A warning about the folder, and about each in it, that may not be read.
void note_closed(const std::filesystem::path& folder, Report& report);

/// Whether an output is a folder: it ends in a slash, or is one already and has no extension.
[[nodiscard]] bool is_folder(const OutputFiles& output);

/// What an input is by its content, or by its extension; null where neither says it, and for what is not there.
[[nodiscard]] const FormatInfo* format_of(const InputFile& input, const ConvertOptions& options);
[[nodiscard]] std::vector<const FormatInfo*> formats_of(const std::vector<InputFile>& inputs,
                                                        const ConvertOptions& options);

/// What speaks against the inputs, the switches and the folders of textures before anything is read.
[[nodiscard]] Result<void> check_inputs(const std::vector<InputFile>& inputs,
                                        const std::vector<const FormatInfo*>& formats, const ConvertOptions& options);
/// What speaks against making a scene of them: archives, and files that only say what others mean.
[[nodiscard]] Result<void> check_shows(const std::vector<InputFile>& inputs,
                                       const std::vector<const FormatInfo*>& formats);
/// Switches that say nothing about any of the formats: those of the inputs, and `output` if it is not null.
[[nodiscard]] Result<void> check_applies(const std::vector<const FormatInfo*>& inputs, const FormatInfo* output,
                                         const ConvertOptions& options);

/// What lies around the inputs, of each family that has something.
[[nodiscard]] Result<std::vector<Surroundings>> open_all_surroundings(const std::vector<InputFile>& inputs,
                                                                      const std::vector<const FormatInfo*>& formats,
                                                                      const ConvertOptions& options, Report& report);

/// An input from where it lies: its own bytes, the files in memory, the disk, or a game.
[[nodiscard]] Result<SceneSource> read_source(const InputFile& input, const std::vector<Surroundings>& surroundings,
                                              const ConvertOptions& options, Report& report);

/// The inputs, and those motions in the folders that the switch `motions` names which fit the model among them; how
/// many of how many goes to `report`. Without the switch it is `named` itself, else what is then in `store`.
[[nodiscard]] Result<const std::vector<InputFile>*> with_fitting_motions(const std::vector<InputFile>& named,
                                                                         std::vector<InputFile>& store,
                                                                         const ConvertOptions& options, Report& report);

/// A scene of sources with materials, and what is noticed. Nothing is named or looked for.
[[nodiscard]] Result<Scene> join(Sources& sources, const ConvertOptions& options, Report& report);
/// Loads textures as the switches say.
[[nodiscard]] Report add_textures(Scene& scene, const Sources& sources, const ConvertOptions& options);
/// Hangs the models of the switch `attach` on their nodes. Fails with "usage-option" where there is no such node.
[[nodiscard]] Result<void> attach_all(Scene& scene, const ConvertOptions& options, Report& report);
/// Makes levels of detail and collision meshes, if the switches ask for them. `file` names the step.
[[nodiscard]] Result<void> complete_levels(Scene& scene, const std::filesystem::path& file,
                                           const ConvertOptions& options, Report& report);
/// A scene's findings name an input by its stem, or nothing where they are about the whole scene: says which file.
void name_files(Report& report, const std::vector<std::filesystem::path>& inputs);

[[nodiscard]] Result<Conversion> save(Scene scene, const OutputFiles& output, const FormatInfo& format, Report report,
                                      const std::vector<std::filesystem::path>& inputs, const ConvertOptions& options);

/// The first model of a scene that was put together from several as the output, the others beside it.
[[nodiscard]] Result<Conversion> save_parts(const Scene& scene, const OutputFiles& output, const FormatInfo& format,
                                            Report report, const std::vector<std::filesystem::path>& inputs,
                                            const ConvertOptions& options);

/// What is left of a scene after it was written in a format and read again; `report` says what was lost on the way
/// there and back. Nothing goes to the disk.
[[nodiscard]] Result<Scene> there_and_back(const Scene& scene, const FormatInfo& format,
                                           const std::filesystem::path& first_input, const ConvertOptions& options,
                                           Report& report);

}  // namespace effigy::conversion
