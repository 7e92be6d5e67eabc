/// A plan carried out: jobs on several threads, the largest first, with one store of memory for all.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "effigy/batch.hpp"
#include "effigy/program_codes.hpp"
#include "effigy/scene_codes.hpp"

#include "convert/batch_claims.hpp"
#include "convert/batch_manifest.hpp"
#include "convert/batch_memory.hpp"
#include "convert/batch_plan.hpp"
#include "convert/batch_progress.hpp"
#include "convert/batch_record.hpp"
#include "convert/batch_report.hpp"
#include "convert/batch_share.hpp"
#include "convert/batch_vanished.hpp"
#include "convert/inputs.hpp"
#include "core/guard.hpp"
#include "core/problem.hpp"
#include "registry/rows.hpp"

namespace effigy::batch {
namespace {

namespace fs = std::filesystem;

std::uint64_t half_of_machine() {
    const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
    constexpr std::uint64_t little = std::uint64_t{1} << 30;
    return pages <= 0 || size <= 0 ? little : static_cast<std::uint64_t>(pages) / 2 * static_cast<std::uint64_t>(size);
}

/// Threads that do the jobs of a share.
class Workers {
public:
    Workers(const Plan& plan, const Options& options, const Work& work, const Share& share, Manifest& manifest,
            Claims& claims, Progress& progress)
        : plan_(plan),
          options_(options),
          work_(work),
          share_(share),
          manifest_(manifest),
          claims_(claims),
          progress_(progress),
          memory_(options.memory != 0 ? options.memory : half_of_machine()),
          purpose_(content_hash(std::as_bytes(std::span(options.purpose)))),
          names_(options.ending),
          lookups_(options.convert.shared ? options.convert.shared : make_shared_lookups({options.memory})) {}

    /// Fails with the first problem that the run could not go on after.
    Result<void> work() {
        const unsigned wanted = options_.threads != 0 ? options_.threads : std::thread::hardware_concurrency();
        const std::size_t count = std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(share_.chains.size(), 1));
        std::vector<std::thread> others;
        try {
            while (others.size() + 1 < count) others.emplace_back([this] { work_on_chains(); });
        } catch (const std::system_error&) {
            // No further thread: those that there are do it.
        }
        work_on_chains();
        for (std::thread& other : others) other.join();
        return problem_ ? fail(std::move(*problem_)) : Result<void>();
    }

private:
    void work_on_chains() {
        auto done = without_exceptions([this]() -> Result<void> {
            for (std::size_t chain = next_++; chain < share_.chains.size(); chain = next_++) {
                for (const std::uint32_t job : share_.chains[chain].jobs) {
                    if (stops_ || is_cancelled(options_)) return {};
                    if (auto ended = do_job(plan_.jobs[job]); !ended) return ended;
                }
            }
            return {};
        });
        if (done) return;
        const std::lock_guard lock(mutex_);
        stops_ = true;
        if (!problem_) problem_ = std::move(done.error());
    }

    /// Fails only where the run cannot go on.
    Result<void> do_job(const Job& job) {
        const Record* known = manifest_.find(job.output);
        if (known != nullptr && may_stay(*known) && is_as_recorded(plan_, job, *known, names_, claims_)) {
            progress_.end(job, *known, Status::unchanged, nullptr);
            return {};
        }
        progress_.begin(job);
        if (auto begun = manifest_.begin(job.output); !begun) return begun;
        Record record;
        record.inputs = input_stamps(plan_, job);
        Report report;
        auto outcome = try_job(job, record, report);
        const bool is_left_out = !outcome && shows_nothing(job, outcome.error());
        if (is_left_out) outcome = left_out(job, std::exchange(report, {}));
        if (!outcome || is_left_out) progress_.note_nothing_made(job);
        if (!outcome && (outcome.error().code == codes::limit_cancelled || is_cancelled(options_))) return {};
        return end_job(job, std::move(outcome), std::move(record), std::move(report));
    }

    /// Remembers and tells what has come of a job. `report` is what was noticed before a failure.
    Result<void> end_job(const Job& job, Result<Outcome> outcome, Record record, Report report) {
        if (outcome) {
            report = std::move(outcome->report);
        } else {
            if (outcome.error().file.empty()) outcome.error().file = plan_.path(first_file(job)).string();
            report.add(std::move(outcome.error()));
        }
        record.has_failed = !outcome;
        record.codes = count_codes(report);
        record.purpose = purpose_;
        record.time = std::chrono::system_clock::now().time_since_epoch().count();
        if (outcome) record.inputs = finished(std::move(record.inputs), plan_, job);
        record.path = first_path(plan_, job);
        const bool is_on_disk = !plan_.roots[first_file(job).root].is_archive;
        if (is_on_disk && has_missed_files(record)) record.beside.push_back(names_.beside(record.path));
        if (outcome) record.outputs = made_of(*outcome, options_.output, manifest_);
        const Status status = outcome ? status_of(record.codes) : Status::failed;
        auto remembered = manifest_.end(job.output, std::move(record));
        if (status == Status::failed && options_.fail_fast) stops_ = true;
        progress_.end(job, *manifest_.find(job.output), status, &report);
        return remembered;
    }

    /// Whether what was made so counts for this run.
    [[nodiscard]] bool may_stay(const Record& record) const {
        if (record.has_failed || record.purpose != purpose_) return false;
        return !options_.overwrite || !record.codes.contains(std::string(codes::output_picture_kept.name));
    }

    /// Whether a job has failed because there is nothing to be seen in a file that is as it should be.
    [[nodiscard]] bool shows_nothing(const Job& job, const Diagnostic& failure) const {
        const File& file = first_file(job);
        if (failure.code != codes::nothing_to_show || file.format == nullptr) return false;
        const FamilyRow* family = options_.convert.formats().family(file.format->family);
        if (family == nullptr || family->shows_nothing == nullptr) return false;
        Report ignored;
        const auto input = input_of(plan_, file, options_.convert);
        if (!input) return false;
        const auto source = conversion::read_source(*input, {}, options_.convert, ignored);
        return source && !ignored.has_errors() && family->shows_nothing(source->document);
    }

    [[nodiscard]] Outcome left_out(const Job& job, Report report) const {
        report.add(file_problem(plan_.path(first_file(job)).string(), codes::batch_left,
                                "this file shows nothing alone, and is left out"));
        return {std::move(report), {}, {}};
    }

    /// `noticed` is what was noticed before a failure.
    Result<Outcome> try_job(const Job& job, Record& record, Report& noticed) {
        const std::uint64_t usual = (std::uint64_t{64} << 20) + 16 * job.bytes;
        const std::uint64_t share = std::min(usual, memory_.total());
        auto outcome = try_job_with(job, record, share, noticed);
        // What was said on the command line is for the largest job as well.
        const bool was_short = (outcome ? outcome->report : noticed).count(codes::limit_memory) != 0 ||
                               (!outcome && outcome.error().code == codes::limit_memory);
        if (!was_short || options_.memory == 0 || share >= memory_.total()) return outcome;
        if (outcome) claims_.allow_again(outcome->files);
        return try_job_with(job, record, memory_.total(), noticed);
    }

    Result<Outcome> try_job_with(const Job& job, Record& record, std::uint64_t share, Report& noticed) {
        memory_.take(share);
        record.beside.clear();
        noticed = Report();
        Task task{plan_, job, {}, options_.output / job.output, options_.convert};
        task.options.limits.memory = options_.memory != 0 ? share : 0;
        task.options.shared = lookups_;
        task.options.progress = [this](const Step&) { return !is_cancelled(options_); };
        task.options.report_of_failure = &noticed;
        task.options.before_file = [&](const fs::path& file) { return claims_.claim(file, job); };
        task.options.on_texture = task.options.files.seen = [&](const fs::path& file) {
            if (auto stamp = stamp_of(fs::absolute(file))) record.beside.push_back(std::move(*stamp));
        };
        task.options.on_input = [&](std::size_t input, const std::string& hash) {
            if (input < job.files.size() && record.inputs[input].hash.empty()) record.inputs[input].hash = hash;
        };
        auto outcome = without_exceptions([&]() -> Result<Outcome> {
            for (const std::uint32_t file : job.files) {
                auto input = input_of(plan_, plan_.files[file], task.options);
                if (!input) return fail(std::move(input.error()));
                task.inputs.push_back(std::move(*input));
            }
            return work_in_folder(task);
        });
        memory_.give_back(share);
        return outcome;
    }

    /// Another shard may take a folder away that it has no file in.
    Result<Outcome> work_in_folder(const Task& task) {
        const fs::path folder = task.output.parent_path();
        if (auto checked = claims_.check_place(folder); !checked) return fail(std::move(checked.error()));
        constexpr int most = 5;
        for (int attempt = 1;; ++attempt) {
            std::error_code error;
            fs::create_directories(folder, error);
            if (error == std::errc::no_such_file_or_directory && attempt != most) continue;
            if (error)
                return fail(file_problem(folder.string(), codes::output_create,
                                         "the folder cannot be made: " + error.message()));
            auto outcome = work_(task);
            const bool is_gone = !outcome && outcome.error().code == codes::output_create && !fs::exists(folder, error);
            if (!is_gone || attempt == most) return outcome;
        }
    }

    [[nodiscard]] const File& first_file(const Job& job) const { return plan_.files[job.files.front()]; }

    const Plan& plan_;
    const Options& options_;
    const Work& work_;
    const Share& share_;
    Manifest& manifest_;
    Claims& claims_;
    Progress& progress_;
    Memory memory_;
    const std::string purpose_;
    FolderNames names_;
    const std::shared_ptr<SharedLookups> lookups_;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> stops_ = false;
    std::mutex mutex_;  ///< for what follows
    std::optional<Diagnostic> problem_;
};

void tell_left(const Plan& plan, const Share& share, Progress& progress) {
    for (const std::uint32_t place : share.left) {
        const File& file = plan.files[place];
        Report report;
        report.add(left_finding(plan, file));
        Record record;
        record.codes = count_codes(report);
        progress.end({{place}, {}, plan.name(file), file.size}, record, Status::warned, &report);
    }
}

Result<Summary> run_with(const Plan& plan, const Options& options, const Work& work, Manifest& manifest) {
    const Share share = share_of(plan, options);
    Claims claims(plan, options, share, manifest);
    Progress progress(plan, options, share);
    if (auto opened = progress.open_report(claims); !opened) return fail(std::move(opened.error()));
    tell_left(plan, share, progress);
    auto worked = Workers(plan, options, work, share, manifest, claims, progress).work();
    Results results = progress.take_results();
    for (const fs::path& folder : results.folders_to_tidy) remove_empty_folders(folder, options.output, claims);
    Summary& summary = results.summary;
    summary.cancelled = summary.totals.jobs_ended != summary.totals.jobs;
    summary.is_unsure = !plan.problems.empty();
    if (!summary.cancelled && !summary.is_unsure) find_vanished(plan, options, share, claims, manifest, results);
    auto finished = manifest.finish();
    if (auto closed = progress.close_report(); !closed) finished = std::move(closed);
    if (!worked) return fail(std::move(worked.error()));
    if (!finished) return fail(std::move(finished.error()));
    return std::move(summary);
}

/// How the report would be called as an output; empty without one.
std::string report_among_outputs(const Options& options) {
    if (options.report.empty()) return {};
    std::error_code error;
    const fs::path report = fs::weakly_canonical(fs::absolute(options.report, error), error);
    const fs::path root = fs::weakly_canonical(fs::absolute(options.output, error), error);
    return report.lexically_relative(root).generic_string();
}

Diagnostic report_is_output(const Options& options) {
    return problem_at({}, codes::usage_output,
                      "the output and the report are one file: " + options.report.string() + "; name another report");
}

/// What speaks against a run before anything of it is written.
Result<void> check_run(const Plan& plan, const Options& options) {
    const Shard& shard = options.shard;
    if (shard.number < 1 || shard.number > shard.count)
        return fail(problem_at({}, codes::usage_option,
                               "a share is one of so many: name a number from 1 to their count",
                               std::to_string(shard.number) + "/" + std::to_string(shard.count), "1/1, or as 3/8"));
    const std::string report = report_among_outputs(options);
    const bool is_output = !report.empty() && std::any_of(plan.jobs.begin(), plan.jobs.end(),
                                                          [&](const Job& job) { return job.output == report; });
    return is_output ? fail(report_is_output(options)) : Result<void>();
}

}  // namespace

Result<Summary> run(const Plan& plan, const Options& options, const Work& work) {
    return without_exceptions([&]() -> Result<Summary> {
        Options clean = options;
        clean.output = options.output.lexically_normal();
        if (!clean.output.has_filename()) clean.output = clean.output.parent_path();
        if (auto checked = check_run(plan, clean); !checked) return fail(std::move(checked.error()));
        auto manifest = Manifest::open(clean.output, clean.shard);
        if (!manifest) return fail(std::move(manifest.error()));
        if (manifest->output(report_among_outputs(clean))) return fail(report_is_output(clean));
        return run_with(plan, clean, work, *manifest);
    });
}

Result<void> write_output(const Task& task, std::span<const std::byte> bytes) {
    const auto existing = task.options.before_file ? task.options.before_file(task.output) : Existing::replaced;
    return existing ? write_bytes(task.output, bytes, false, *existing) : fail(existing.error());
}

Result<Outcome> convert_job(const Task& task) {
    auto done = convert(task.inputs, OutputFiles(task.output), task.options);
    if (!done) return fail(std::move(done.error()));
    return Outcome{std::move(done->report), std::move(done->files), std::move(done->kept)};
}

}  // namespace effigy::batch
