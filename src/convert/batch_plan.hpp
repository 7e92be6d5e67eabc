#pragma once
/// The steps of making a plan.

#include <string>
#include <vector>

#include "effigy/batch.hpp"

namespace effigy::batch {

/// Folder in the output folder with what runs remember.
inline constexpr const char* state_folder = ".effigy-batch";

/// Files, by their names and each once; those in folders only if they are of a format that the run is about.
[[nodiscard]] Result<void> gather(const std::vector<std::string>& inputs, const Options& options, Plan& plan);

/// Jobs: what belongs together, and how each is called.
[[nodiscard]] Result<void> group(const Options& options, Plan& plan);

[[nodiscard]] inline bool is_cancelled(const Options& options) { return options.cancelled && options.cancelled(); }
[[nodiscard]] Diagnostic cancelled_finding();

/// What lies in the catalogs of a root.
[[nodiscard]] Result<Surroundings> open_archive(const Root& root, const ConvertOptions& options,
                                                Report* report = nullptr);
/// Of what is in an archive, the archive.
[[nodiscard]] std::filesystem::path path_on_disk(const Plan& plan, const File& file);
/// A file as an input of a conversion, with its bytes if it is in an archive.
[[nodiscard]] Result<InputFile> input_of(const Plan& plan, const File& file, const ConvertOptions& options);

}  // namespace effigy::batch
