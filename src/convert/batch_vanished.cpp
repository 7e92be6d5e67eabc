#include "convert/batch_vanished.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "core/pattern.hpp"

namespace effigy::batch {

namespace fs = std::filesystem;

namespace {

/// Whether the run has looked where a file is, or was.
bool was_searched(const std::string& file, const Plan& plan) {
    return std::any_of(plan.searched.begin(), plan.searched.end(),
                       [&](const std::string& pattern) { return matches_pattern(pattern, file, PatternCase::counts); });
}

/// The job is in this run and has not made it, or it can be in none any more: its input is gone from where this run has
/// looked, or makes another output of the kind. What another command has made is none of this run's business: outputs
/// of another verb or format are told by how they end.
bool has_vanished(const KnownOutput& known, const Plan& plan, const Options& options, const Share& share,
                  const Claims& claims, const std::set<std::string>& failed) {
    if (share.own.contains(known.job)) return !failed.contains(known.job);
    if (known.input.empty() || !known.job.ends_with(options.ending)) return false;
    if (claims.is_input(known.input)) return true;
    std::error_code error;  // where nobody may look, there may be something; a link to nothing is nothing
    const bool is_gone = fs::status(known.input, error).type() == fs::file_type::not_found;
    return is_gone && was_searched(known.input, plan);
}

/// What somebody has changed since, or put behind a link, is not ours any more.
bool remove_made(const Stamp& made, const fs::path& output, const Claims& claims) {
    std::error_code error;
    const fs::path file = output / made.name;
    const fs::path real = fs::canonical(file.parent_path(), error);
    const fs::path root = error ? fs::path() : fs::canonical(output, error);
    const bool is_ours = !error &&
                         std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end() &&
                         fs::is_regular_file(fs::symlink_status(file, error)) && claims.is_as_made(made);
    if (!is_ours || !fs::remove(file, error)) return false;
    remove_empty_folders(file.parent_path(), output, claims);
    return true;
}

}  // namespace

void find_vanished(const Plan& plan, const Options& options, const Share& share, const Claims& claims,
                   Manifest& manifest, Results& results) {
    std::vector<std::string> gone;
    for (const auto& [output, known] : manifest.outputs()) {
        if (results.current.contains(output) || share.others.contains(output) || share.others.contains(known.job))
            continue;
        if (!falls_to_run(known.job, known.name, options)) continue;
        const fs::path file = options.output / output;
        if (!has_vanished(known, plan, options, share, claims, results.failed) || claims.is_input(file)) continue;
        std::error_code error;
        if (!fs::exists(fs::symlink_status(file, error))) {
            gone.push_back(output);
            continue;
        }
        results.summary.vanished.push_back(output);
        if (!options.prune || !remove_made(known.file, options.output, claims)) continue;
        results.summary.pruned.push_back(output);
        gone.push_back(output);
    }
    for (const std::string& output : gone) manifest.forget(output);
}

void remove_empty_folders(fs::path folder, const fs::path& output, const Claims& claims) {
    std::error_code error;
    if (!claims.check_place(folder)) return;
    while (folder != output && folder.has_relative_path() && fs::is_directory(fs::symlink_status(folder, error)) &&
           fs::remove(folder, error))
        folder = folder.parent_path();
}

}  // namespace effigy::batch
