#include "convert/batch_progress.hpp"

#include <system_error>
#include <vector>

#include "effigy/program_codes.hpp"

#include "convert/batch_report.hpp"
#include "core/problem.hpp"

namespace effigy::batch {

namespace fs = std::filesystem;

namespace {

/// What the job has found among the outputs: somebody's picture that its model shows.
std::vector<std::string> outputs_in_use(const Record& record, const fs::path& output) {
    std::vector<std::string> outputs;
    if (record.beside.empty()) return outputs;
    std::error_code error;
    const std::string folder = (fs::absolute(output, error) / "").string();
    for (const Stamp& beside : record.beside) {
        if (beside.name.starts_with(folder) && !beside.name.ends_with('/'))
            outputs.push_back(beside.name.substr(folder.size()));
    }
    return outputs;
}

void count_job(const Event& event, std::uint64_t bytes, Summary& summary) {
    Totals& totals = summary.totals;
    ++totals.jobs_ended;
    totals.bytes_ended += bytes;
    if (event.status != Status::unchanged) totals.bytes_made += bytes;
    totals.done += event.status == Status::done;
    totals.warned += event.status == Status::warned;
    totals.failed += event.status == Status::failed;
    totals.unchanged += event.status == Status::unchanged;
    totals.has_errors = totals.has_errors || event.status == Status::failed || status_of(event.codes) == Status::failed;
    add_codes(event.codes, summary.codes);
}

}  // namespace

Progress::Progress(const Plan& plan, const Options& options, const Share& share) : plan_(plan), options_(options) {
    results_.summary.totals.jobs = share.jobs;
    results_.summary.totals.bytes = share.bytes;
}

Result<void> Progress::open_report(const Claims& claims) {
    if (options_.report.empty()) return {};
    const std::string name = options_.report.string();
    if (claims.is_input(options_.report))
        return fail(file_problem(name, codes::usage_output, "the report would replace an input: name another"));
    report_.open(options_.report, std::ios::binary);
    if (!report_) return fail(file_problem(name, codes::output_create, "the report cannot be opened"));
    return {};
}

Result<void> Progress::close_report() {
    if (options_.report.empty()) return {};
    report_.close();
    if (!report_.fail()) return {};
    return fail(file_problem(options_.report.string(), codes::output_write, "the report cannot be written"));
}

void Progress::begin(const Job& job) {
    const std::string name = plan_.name(job);
    const std::lock_guard lock(mutex_);
    if (options_.event) options_.event({name, true, Status::done, {}, {}, nullptr, results_.summary.totals});
}

void Progress::note_nothing_made(const Job& job) {
    const std::lock_guard lock(mutex_);
    results_.folders_to_tidy.insert((options_.output / job.output).parent_path());
}

void Progress::end(const Job& job, const Record& record, Status status, const Report* report) {
    const std::string name = plan_.name(job);
    std::vector<std::string> outputs;
    for (const Made& made : record.outputs) outputs.push_back(made.file.name);
    const std::vector<std::string> in_use = outputs_in_use(record, options_.output);
    const Event event{name, false, status, outputs, record.codes, report, results_.summary.totals};
    const std::lock_guard lock(mutex_);
    // First, so that no job counts as ended whose outputs could be taken for vanished.
    results_.current.insert(outputs.begin(), outputs.end());
    results_.current.insert(in_use.begin(), in_use.end());
    if (record.has_failed) results_.failed.insert(job.output);
    count_job(event, job.bytes, results_.summary);
    if (options_.event) options_.event(event);
    if (options_.report.empty()) return;
    std::vector<std::string> inputs;
    for (const std::uint32_t place : job.files) inputs.push_back(plan_.name(plan_.files[place]));
    report_ << report_line(event, job.bytes, inputs) << std::endl;  // for those who follow it
}

}  // namespace effigy::batch
