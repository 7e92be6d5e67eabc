#pragma once
/// Whole folders at once: what lies in them, what of it belongs together, and the same done to each. A run can end at
/// any moment and be started again: docs/batch.md.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "effigy/convert.hpp"

namespace effigy::batch {

/// Which motions become animations of a model.
enum class Pairing : std::uint8_t {
    fit,     ///< those that a game's text files name with it, else those that fit (docs/match.md) and say so
    folder,  ///< those in its folder
    none,    ///< none: every file by itself
};

/// What a run looks for.
enum class Kind : std::uint8_t {
    scenes,  ///< models, with what belongs to them, and motions that no model takes
    models,
    files,  ///< whatever effigy reads, each by itself
};

/// The share of a run: of the jobs, those whose name falls to `number` of `count`.
struct Shard {
    std::uint32_t number = 1, count = 1;
};

/// What a name in a plan is below.
struct Root {
    std::filesystem::path path{};  ///< a folder; or a game's folder or catalog
    std::string prefix{};          ///< of names: "models/", where several folders are mirrored beside each other
    bool is_archive = false;       ///< what is in the catalogs of `path`
    std::vector<std::filesystem::path> above{};  ///< further catalogs: what is in them counts before what is below
};

struct File {
    std::uint32_t root = 0;
    std::string name;  ///< below the root, with slashes
    std::uint64_t size = 0;
    std::int64_t time = 0;  ///< of the last change, in ns since 1970
    const FormatInfo* format = nullptr;
    std::string hash{};  ///< ArchivedFile::hash
};

/// One scene, or one file: what is done at once.
struct Job {
    std::vector<std::uint32_t> files{};  ///< places in Plan::files; the first one names the job
    std::vector<std::uint32_t> parts{};  ///< what is read with them: meshes of a component
    std::string output{};                ///< below the output folder, with slashes
    std::uint64_t bytes = 0;             ///< of files and parts
};

struct Plan {
    std::vector<Root> roots;
    std::vector<File> files;
    std::vector<Job> jobs;             ///< by name
    std::vector<std::uint32_t> left;   ///< motions that show nothing alone and that no model takes
    std::vector<Diagnostic> problems;  ///< what could not be looked into
    std::vector<std::string> lists{};  ///< of inputs: "@list.txt" without the "@"
    /// Patterns of whole paths, of all that was looked through: what lay there and is gone has vanished.
    std::vector<std::string> searched{};

    /// On the disk or, in an archive, as the game calls it.
    [[nodiscard]] std::filesystem::path path(const File& file) const;
    /// What is mirrored: "models/units/soldier.xac".
    [[nodiscard]] std::string name(const File& file) const { return roots[file.root].prefix + file.name; }
    [[nodiscard]] std::string name(const Job& job) const { return name(files[job.files.front()]); }
};

/// Why a file of Plan::left is in no job. A run tells it of each of its share as of a job that has ended.
[[nodiscard]] Diagnostic left_finding(const Plan& plan, const File& file);

enum class Status : std::uint8_t {
    done,
    warned,     ///< with findings of severity warning
    failed,     ///< or with findings of severity error
    unchanged,  ///< made before of the same files
};
[[nodiscard]] std::string_view to_string(Status status) noexcept;

/// Findings of one code.
struct CodeCount {
    Severity severity = Severity::info;
    std::uint64_t findings = 0, jobs = 0;
};

struct Totals {
    std::uint64_t jobs = 0, bytes = 0;              ///< in all
    std::uint64_t jobs_ended = 0, bytes_ended = 0;  ///< unchanged ones among them
    std::uint64_t done = 0, warned = 0, failed = 0, unchanged = 0;
    std::uint64_t bytes_made = 0;  ///< of inputs, without those of unchanged ones
    bool has_errors = false;       ///< failed, now or when what is unchanged was made
};

/// What a run tells while it is at work; never two at once.
struct Event {
    const std::string& name;  ///< of the job
    bool begins = false;
    Status status = Status::done;
    const std::vector<std::string>& outputs;  ///< below the output folder
    const std::map<std::string, CodeCount>& codes;
    const Report* report = nullptr;  ///< null: begins, or unchanged
    const Totals& totals;
};

struct Summary {
    Totals totals;
    std::map<std::string, CodeCount> codes;
    std::vector<std::string> vanished;  ///< outputs of earlier runs that nothing is made into any more
    std::vector<std::string> pruned;    ///< those of them that were removed; others were changed since
    std::uint64_t repeated = 0;         ///< lines of merged reports that later ones about files of that name replace
    std::uint64_t torn = 0;             ///< last lines of merged reports that are cut off, and count for nothing
    bool is_unsure = false;             ///< not all inputs could be looked into, so that nothing counts as vanished
    bool cancelled = false;             ///< or ended at the first failure
};

struct Options {
    Kind kind = Kind::scenes;
    ConvertOptions convert{};        ///< of each job; its limits are those of a job
    std::filesystem::path output{};  ///< folder
    std::string ending{};            ///< of outputs: ".glb"
    std::string purpose{};           ///< what is done and how: what was made by another is made anew
    Pairing pairing = Pairing::fit;
    unsigned threads = 0;      ///< 0: one for each core
    std::uint64_t memory = 0;  ///< bytes for all that is done at once; 0: half of what the machine has
    Shard shard{};
    bool fail_fast = false;
    bool prune = false;              ///< remove what has vanished
    bool overwrite = false;          ///< also what no run has made, or somebody has changed since
    std::filesystem::path report{};  ///< gets a line of JSON for each job
    std::function<void(const Event& event)> event{};
    std::function<bool()> cancelled{};
};

/// A job as it is handed out.
struct Task {
    const Plan& plan;
    const Job& job;
    std::vector<InputFile> inputs{};
    std::filesystem::path output{};
    ConvertOptions options{};  ///< with the memory that this job may use
};
struct Outcome {
    Report report{};
    std::vector<std::string> files{};   ///< that were written
    std::vector<std::string> shared{};  ///< that another job has written, and this one needs as well
};
/// Writes Task::output, for work that makes but this file.
[[nodiscard]] Result<void> write_output(const Task& task, std::span<const std::byte> bytes);

/// Called on several threads at once.
using Work = std::function<Result<Outcome>(const Task& task)>;

/// Files, folders, patterns ("models/**.xac"), lists of all these ("@list.txt"), catalogs (one tree) and folders of
/// games. Folders are mirrored from themselves on, below their names if there are several; files keep the path that
/// they are named by. Fails with "usage-input", "usage-output", "limit-cancelled".
[[nodiscard]] Result<Plan> make_plan(const std::vector<std::string>& inputs, const Options& options);

/// The largest first. What fails is counted and does not stop the others. Fails with "usage-busy" where another run is
/// at work on the folder, and where the manifest or the report cannot be written.
[[nodiscard]] Result<Summary> run(const Plan& plan, const Options& options, const Work& work);

/// Each job to the format of the switch `to`.
[[nodiscard]] Result<Outcome> convert_job(const Task& task);

/// Reports of several shards as one, by name; what stands in several counts as in the last one. `merged` may be empty.
[[nodiscard]] Result<Summary> merge_reports(const std::vector<std::filesystem::path>& reports,
                                            const std::filesystem::path& merged);

}  // namespace effigy::batch
