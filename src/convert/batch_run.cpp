/// A plan carried out: jobs on several threads, the largest first, with one store of memory for all.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include "effigy/batch.hpp"
#include "effigy/program_codes.hpp"
#include "effigy/scene_codes.hpp"

#include "convert/batch_claims.hpp"
#include "convert/batch_manifest.hpp"
#include "convert/batch_memory.hpp"
#include "convert/batch_plan.hpp"
#include "convert/batch_report.hpp"
#include "convert/batch_share.hpp"
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

class Run {
public:
    Run(const Plan& plan, const Options& options, const Work& work, Manifest& manifest)
        : plan_(plan),
          options_(options),
          work_(work),
          manifest_(manifest),
          memory_(options.memory != 0 ? options.memory : half_of_machine()),
          purpose_(content_hash(std::as_bytes(std::span(options.purpose)))),
          lookups_(options.convert.shared ? options.convert.shared : make_shared_lookups({options.memory})),
          share_(share_of(plan, options)),
          claims_(plan, options, share_, manifest) {
        summary_.totals.jobs = share_.jobs;
        summary_.totals.bytes = share_.bytes;
    }

    Result<Summary> run() {
        if (!options_.report.empty()) {
            if (claims_.is_input(options_.report))
                return fail(report_problem(codes::usage_output, "the report would replace an input: name another"));
            report_.open(options_.report, std::ios::binary);
            if (!report_) return fail(report_problem(codes::output_create, "the report cannot be opened"));
        }
        work_on_threads();
        for (const fs::path& folder : folders_of_failures_) remove_empty_folders(folder);
        Summary& summary = summary_;
        summary.cancelled = summary.totals.jobs_ended != summary.totals.jobs;
        summary.is_unsure = !plan_.problems.empty();
        if (!summary.cancelled && !summary.is_unsure) find_vanished();
        auto finished = manifest_.finish();
        report_.close();
        if (report_.fail() && !options_.report.empty())
            finished = fail(report_problem(codes::output_write, "the report cannot be written"));
        if (!problem_ && !finished) problem_ = std::move(finished.error());
        if (problem_) return fail(std::move(*problem_));
        return std::move(summary);
    }

private:
    void work_on_threads() {
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
    }

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
        const std::lock_guard lock(telling_);
        stops_ = true;
        if (!problem_) problem_ = std::move(done.error());
    }

    // --- one job ---

    /// Fails only where the run cannot go on.
    Result<void> do_job(const Job& job) {
        const std::string name = plan_.name(job);
        const Record* known = manifest_.find(job.output);
        if (known != nullptr && is_unchanged(job, *known)) return tell_unchanged(job, name, *known);
        tell({name, true, Status::done, {}, {}, nullptr, summary_.totals});
        if (auto begun = manifest_.begin(job.output); !begun) return begun;
        Record record;
        record.inputs = stamps_of(job);
        Report report;
        auto outcome = try_job(job, record, report);
        if (!outcome && shows_nothing(job, outcome.error())) outcome = left_out(job, std::exchange(report, {}));
        if (!outcome && (outcome.error().code == codes::limit_cancelled || is_cancelled(options_))) return {};
        const bool has_failed = !outcome;
        record.has_failed = has_failed;
        if (outcome) {
            report = std::move(outcome->report);
        } else {
            if (outcome.error().file.empty())
                outcome.error().file = plan_.path(plan_.files[job.files.front()]).string();
            report.add(std::move(outcome.error()));
            const std::lock_guard lock(telling_);
            folders_of_failures_.insert((options_.output / job.output).parent_path());
            failed_.insert(job.output);
        }
        record.codes = count_codes(report);
        record.purpose = purpose_;
        record.time = std::chrono::system_clock::now().time_since_epoch().count();
        for (std::size_t i = 0; i < record.inputs.size() && !has_failed; ++i) finish_stamp(record.inputs[i], job, i);
        std::error_code ignored;
        record.path =
            fs::absolute(path_on_disk(plan_, plan_.files[job.files.front()]), ignored).lexically_normal().string();
        std::vector<std::string> names;
        const auto add = [&](const std::vector<std::string>& files, bool are_shared) {
            for (const std::string& file : files) {
                record.outputs.push_back({stamp_of_output(file, are_shared), are_shared});
                names.push_back(record.outputs.back().file.name);
            }
        };
        if (outcome) add(outcome->files, false);
        if (outcome) add(outcome->shared, true);
        note_in_use(record);
        const std::map<std::string, CodeCount> counted = record.codes;
        auto remembered = manifest_.end(job.output, std::move(record));
        const Status status = has_failed ? Status::failed : status_of(counted);
        if (status == Status::failed && options_.fail_fast) stops_ = true;
        auto told = tell_end(job, {name, false, status, names, counted, &report, summary_.totals});
        return remembered ? told : remembered;
    }

    /// What many share is hashed once.
    [[nodiscard]] Stamp stamp_of_output(const fs::path& file, bool is_shared) const {
        Stamp stamp = stamp_of(file).value_or(Stamp());
        stamp.name = fs::path(file).lexically_relative(options_.output).generic_string();
        const auto known = is_shared ? manifest_.output(stamp.name) : std::nullopt;
        const bool is_known = known && known->file.size == stamp.size && known->file.time == stamp.time;
        stamp.hash = is_known ? known->file.hash : content_hash(file).value_or("");
        return stamp;
    }

    /// What the job has found among the outputs: somebody's picture that its model shows.
    void note_in_use(const Record& record) {
        if (record.beside.empty()) return;
        std::error_code error;
        const std::string folder = (fs::absolute(options_.output, error) / "").string();
        const std::lock_guard lock(telling_);
        for (const Stamp& beside : record.beside) {
            if (beside.name.starts_with(folder)) current_.insert(beside.name.substr(folder.size()));
        }
    }

    /// Whether a job has failed because there is nothing to be seen in a file that is as it should be.
    [[nodiscard]] bool shows_nothing(const Job& job, const Diagnostic& failure) const {
        const File& file = plan_.files[job.files.front()];
        if (failure.code != codes::nothing_to_show || file.format == nullptr) return false;
        const FamilyRow* family = options_.convert.formats().family(file.format->family);
        if (family == nullptr || family->shows_nothing == nullptr) return false;
        Report ignored;
        const auto input = input_of(plan_, file, options_.convert);
        if (!input) return false;
        const auto source = conversion::read_source(*input, {}, options_.convert, ignored);
        return source && !ignored.has_errors() && family->shows_nothing(source->document);
    }

    Outcome left_out(const Job& job, Report report) {
        report.add(file_problem(plan_.path(plan_.files[job.files.front()]).string(), codes::batch_left,
                                "this file shows nothing alone, and is left out"));
        const std::lock_guard lock(telling_);
        folders_of_failures_.insert((options_.output / job.output).parent_path());
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
            if (input < job.files.size()) record.inputs[input].hash = hash;
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
            auto outcome = work_(task);
            const bool is_gone = !outcome && outcome.error().code == codes::output_create && !fs::exists(folder, error);
            if (!is_gone || attempt == most) return outcome;
        }
    }

    [[nodiscard]] std::vector<Stamp> stamps_of(const Job& job) const {
        std::vector<Stamp> stamps;
        for (const auto* list : {&job.files, &job.parts}) {
            for (const std::uint32_t place : *list) {
                const File& file = plan_.files[place];
                stamps.push_back({plan_.name(file), file.size, file.time});
            }
        }
        return stamps;
    }

    [[nodiscard]] fs::path file_on_disk(const Job& job, std::size_t number) const {
        const File& file =
            plan_.files[number < job.files.size() ? job.files[number] : job.parts[number - job.files.size()]];
        return plan_.roots[file.root].is_archive ? fs::path() : plan_.path(file);
    }

    /// What is not any more as it was when the run began may have changed under the work: it never counts as unchanged.
    void finish_stamp(Stamp& stamp, const Job& job, std::size_t number) const {
        const fs::path file = file_on_disk(job, number);
        if (file.empty()) return;
        if (stamp.hash.empty()) stamp.hash = content_hash(file).value_or("");
        const auto now = stamp_of(file);
        if (!now || now->time != stamp.time || now->size != stamp.size) stamp = {stamp.name, stamp.size, -1};
    }

    [[nodiscard]] bool is_unchanged(const Job& job, const Record& record) {
        if (record.has_failed || record.purpose != purpose_) return false;
        if (options_.overwrite && record.codes.contains(std::string(codes::output_picture_kept.name))) return false;
        const std::vector<Stamp> now = stamps_of(job);
        if (now.size() != record.inputs.size()) return false;
        for (std::size_t i = 0; i < now.size(); ++i) {
            const Stamp& then = record.inputs[i];
            if (now[i].name != then.name || !is_as(now[i], then, file_on_disk(job, i))) return false;
        }
        for (const Stamp& then : record.beside) {
            const auto stamp = stamp_of(then.name);
            if (!stamp || !is_as(*stamp, then, {})) return false;
        }
        const bool are_there = std::all_of(record.outputs.begin(), record.outputs.end(),
                                           [&](const Made& made) { return claims_.is_as_made(made.file); });
        return are_there && claims_.claim_all(job, record);
    }

    // --- telling ---

    void tell(const Event& event) {
        const std::lock_guard lock(telling_);
        if (options_.event) options_.event(event);
    }

    Result<void> tell_unchanged(const Job& job, const std::string& name, const Record& record) {
        std::vector<std::string> names;
        for (const Made& made : record.outputs) names.push_back(made.file.name);
        note_in_use(record);
        return tell_end(job, {name, false, Status::unchanged, names, record.codes, nullptr, summary_.totals});
    }

    Result<void> tell_end(const Job& job, const Event& event) {
        const std::lock_guard lock(telling_);
        Totals& totals = summary_.totals;
        ++totals.jobs_ended;
        totals.bytes_ended += job.bytes;
        if (event.status != Status::unchanged) totals.bytes_made += job.bytes;
        totals.done += event.status == Status::done;
        totals.warned += event.status == Status::warned;
        totals.failed += event.status == Status::failed;
        totals.unchanged += event.status == Status::unchanged;
        totals.has_errors =
            totals.has_errors || event.status == Status::failed || status_of(event.codes) == Status::failed;
        add_codes(event.codes, summary_.codes);
        for (const std::string& output : event.outputs) current_.insert(output);
        if (options_.event) options_.event(event);
        if (options_.report.empty()) return {};
        std::vector<std::string> inputs;
        for (const std::uint32_t place : job.files) inputs.push_back(plan_.name(plan_.files[place]));
        report_ << report_line(event, job.bytes, inputs) << std::endl;  // for those who follow it
        return {};
    }

    // --- what nothing is made into any more ---

    void find_vanished() {
        std::vector<std::string> gone;
        for (const auto& [output, known] : manifest_.outputs()) {
            if (current_.contains(output) || share_.others.contains(output) || share_.others.contains(known.job))
                continue;
            if (!falls_to_run(known.job, known.name, options_)) continue;
            if (!is_vanished(known) || claims_.is_input(options_.output / output)) continue;
            std::error_code error;
            const fs::path file = options_.output / output;
            if (!fs::exists(fs::symlink_status(file, error))) {
                gone.push_back(output);
                continue;
            }
            summary_.vanished.push_back(output);
            if (!options_.prune || !remove(known.file)) continue;
            summary_.pruned.push_back(output);
            gone.push_back(output);
        }
        for (const std::string& output : gone) manifest_.forget(output);
    }

    /// The job is in this run and has not made it, or it can be in none any more: its input is gone, or makes another
    /// output of the kind. What another command has made of an input that is there is none of this run's business.
    [[nodiscard]] bool is_vanished(const KnownOutput& known) const {
        if (share_.own.contains(known.job)) return !failed_.contains(known.job);
        if (known.input.empty()) return false;
        std::error_code error;  // where nobody may look, there may be something; a link to nothing is nothing
        const bool is_gone = fs::status(known.input, error).type() == fs::file_type::not_found;
        return is_gone || (known.job.ends_with(options_.ending) && claims_.is_input(known.input));
    }

    /// What somebody has changed since, or put behind a link, is not ours any more.
    bool remove(const Stamp& made) const {
        std::error_code error;
        const fs::path file = options_.output / made.name;
        const fs::path real = fs::canonical(file.parent_path(), error);
        const fs::path root = error ? fs::path() : fs::canonical(options_.output, error);
        const bool is_ours = !error &&
                             std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end() &&
                             fs::is_regular_file(fs::symlink_status(file, error)) && claims_.is_as_made(made);
        if (!is_ours || !fs::remove(file, error)) return false;
        remove_empty_folders(file.parent_path());
        return true;
    }

    /// Up to the output folder, or to a link, which is somebody's.
    void remove_empty_folders(fs::path folder) const {
        std::error_code error;
        if (!claims_.check_place(folder)) return;
        while (folder != options_.output && folder.has_relative_path() &&
               fs::is_directory(fs::symlink_status(folder, error)) && fs::remove(folder, error))
            folder = folder.parent_path();
    }

    [[nodiscard]] Diagnostic report_problem(const Code& code, const char* message) const {
        return file_problem(options_.report.string(), code, message);
    }

    const Plan& plan_;
    const Options& options_;
    const Work& work_;
    Manifest& manifest_;
    Memory memory_;
    const std::string purpose_;
    const std::shared_ptr<SharedLookups> lookups_;
    const Share share_;
    Claims claims_;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> stops_ = false;
    std::mutex telling_;  ///< for what follows
    Summary summary_;
    std::set<std::string> current_;  ///< outputs
    std::set<std::string> failed_;   ///< jobs
    std::set<fs::path> folders_of_failures_;
    std::ofstream report_;
    std::optional<Diagnostic> problem_;
};

}  // namespace

Result<Summary> run(const Plan& plan, const Options& options, const Work& work) {
    return without_exceptions([&]() -> Result<Summary> {
        Options clean = options;
        clean.output = options.output.lexically_normal();
        if (!clean.output.has_filename()) clean.output = clean.output.parent_path();
        auto manifest = Manifest::open(clean.output, clean.shard);
        if (!manifest) return fail(std::move(manifest.error()));
        return Run(plan, clean, work, *manifest).run();
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
