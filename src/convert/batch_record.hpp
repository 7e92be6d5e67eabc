#pragma once
/// What is remembered of a job: its inputs and outputs as they were, and whether they still are so.

#include <filesystem>
#include <string>
#include <vector>

#include "effigy/batch.hpp"

#include "convert/batch_claims.hpp"
#include "convert/batch_manifest.hpp"
#include "convert/batch_stamp.hpp"

namespace effigy::batch {

/// Files and parts as they were when the run began; only what is in archives has a hash.
[[nodiscard]] std::vector<Stamp> input_stamps(const Plan& plan, const Job& job);
/// The same after the work, with the hashes that it has not told. What is not any more as it was when the run began may
/// have changed under the work: it never counts as unchanged.
[[nodiscard]] std::vector<Stamp> finished(std::vector<Stamp> inputs, const Plan& plan, const Job& job);
/// Record::path
[[nodiscard]] std::string first_path(const Plan& plan, const Job& job);
/// `output` is the folder of all.
[[nodiscard]] std::vector<Made> made_of(const Outcome& outcome, const std::filesystem::path& output,
                                        const Manifest& manifest);

/// Whether everything that the job reads and has made is as it was. Its outputs are claimed then.
[[nodiscard]] bool is_as_recorded(const Plan& plan, const Job& job, const Record& record, FolderNames& names,
                                  Claims& claims);

/// Whether a job has missed a file that may still come.
[[nodiscard]] bool has_missed_files(const Record& record);

}  // namespace effigy::batch
