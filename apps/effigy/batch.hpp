#pragma once
/// Runs over whole folders: what the verbs that have them share.

#include <string>
#include <vector>

#include "effigy/batch.hpp"

#include "common.hpp"

namespace effigy::app {

/// Switches of runs.
struct BatchArguments {
    std::string pairing = "fit";
    std::string shard;
    unsigned jobs = 0;
    bool fail_fast = false;
    bool prune = false;
    bool overwrite = false;  ///< also a declared switch of conversions

    /// With `pairs`, which conversions have, motions and parts go with models.
    void add(CLI::App& verb, bool pairs);
};

/// What is wrong where one of a run's switches is given for something else; empty if none is.
[[nodiscard]] std::string run_only_problem(const BatchArguments& arguments);
/// Whether an output is a folder, or can only be one, because the inputs are many: folders, patterns, lists, archives.
[[nodiscard]] bool is_run(const std::vector<std::string>& inputs, const std::string& output);
/// Whether an input stands for any number of files.
[[nodiscard]] bool stands_for_many(const std::string& input);

/// For Options::purpose, of a switch that may name a file or folder: which, and of a file what is in it.
[[nodiscard]] std::string with_content(const std::string& text);

/// Does `work` with all that the inputs hold; what `options` lacks is taken from the arguments. Returns the exit code.
[[nodiscard]] int run_batch(const char* verb, const std::vector<std::string>& inputs, const CommonOptions& common,
                            const BatchArguments& arguments, batch::Options options, const batch::Work& work);

/// What speaks against a run, for people and programs; returns the exit code.
[[nodiscard]] int fail_run(const char* verb, const Diagnostic& failure, const CommonOptions& common);

/// What was done and found, by code; on standard output.
void print_summary(const batch::Summary& summary, const CommonOptions& common, bool prunes);
/// docs/json.md, "runs".
[[nodiscard]] Json summary_json(const batch::Summary& summary);

void add_report(CLI::App& program, Verb& chosen);

}  // namespace effigy::app
