#include "convert/batch_manifest.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "effigy/program_codes.hpp"

#include "convert/batch_plan.hpp"
#include "convert/batch_report.hpp"
#include "core/json.hpp"
#include "core/output.hpp"
#include "core/problem.hpp"

namespace effigy::batch {
namespace {

namespace fs = std::filesystem;

Diagnostic state_problem(const Code& code, const fs::path& file, std::string message, int error) {
    return file_problem(file.string(), code, std::move(message), std::generic_category().message(error));
}

constexpr int version = 3;

Json to_json(const Stamp& stamp) { return {json_text(stamp.name), stamp.size, stamp.time, stamp.hash}; }

Json to_json(const std::vector<Stamp>& stamps) {
    Json list = Json::array();
    for (const Stamp& stamp : stamps) list.push_back(to_json(stamp));
    return list;
}

Json json_of(const std::string& job, const Record& record) {
    Json outputs = Json::array();
    for (const Made& made : record.outputs) outputs.push_back({to_json(made.file), made.is_shared});
    return {{"end", json_text(job)},
            {"time", record.time},
            {"purpose", record.purpose},
            {"path", json_text(record.path)},
            {"failed", record.has_failed},
            {"inputs", to_json(record.inputs)},
            {"beside", to_json(record.beside)},
            {"outputs", std::move(outputs)},
            {"codes", codes_json(record.codes)}};
}

Stamp stamp_from(const Json& json) {
    return {text_from_json(json.at(0)).value_or(""), json.at(1).get<std::uint64_t>(), json.at(2).get<std::int64_t>(),
            json.at(3).get<std::string>()};
}

std::vector<Stamp> stamps_of(const Json& list) {
    std::vector<Stamp> stamps;
    for (const Json& one : list) stamps.push_back(stamp_from(one));
    return stamps;
}

/// Anybody may have edited it: what is not as it should be throws.
Record record_of(const Json& json) {
    Record record;
    record.time = json.at("time").get<std::int64_t>();
    record.purpose = json.at("purpose").get<std::string>();
    record.path = text_from_json(json.at("path")).value_or("");
    record.has_failed = json.at("failed").get<bool>();
    record.inputs = stamps_of(json.at("inputs"));
    record.beside = stamps_of(json.at("beside"));
    for (const Json& one : json.at("outputs")) {
        Made made{stamp_from(one.at(0)), one.at(1).get<bool>()};
        if (is_inside(made.file.name)) record.outputs.push_back(std::move(made));
    }
    record.codes = codes_from(json.at("codes"));
    return record;
}

void remove_temporaries(const fs::path& folder, const std::set<std::string>& processes) {
    std::error_code error, ignored;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        constexpr std::string_view start = ".effigy-";
        if (!name.starts_with(start) || !name.ends_with(".tmp")) continue;
        const std::string process = name.substr(start.size(), name.find('-', start.size()) - start.size());
        if (processes.contains(process)) fs::remove(entry->path(), ignored);
    }
}

std::vector<fs::path> files_called(const fs::path& folder, std::string_view start) {
    std::vector<fs::path> files;
    std::error_code error, ignored;  // a pipe of that name would never end
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        if (entry->path().filename().string().starts_with(start) && entry->is_regular_file(ignored))
            files.push_back(entry->path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

std::string shard_text(const Shard& shard) {
    return shard.count == 1 ? "" : "-" + std::to_string(shard.number) + "-of-" + std::to_string(shard.count);
}

bool is_inside(const std::string& relative) noexcept {
    const fs::path path(relative);
    return !relative.empty() && path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end() &&
           *path.begin() != state_folder;
}

std::set<std::string> outputs_made(const fs::path& output, std::string_view ending) {
    std::set<std::string> made;
    for (const fs::path& file : files_called(output / state_folder, "manifest")) {
        std::ifstream stream(file, std::ios::binary);
        for (std::string line; std::getline(stream, line);) {
            const auto json = parse_json(line);
            if (!json || !json->is_object()) continue;
            try {
                const bool is_done = json->contains("end") && !json->at("failed").get<bool>();
                const Json name = is_done ? json->at("end") : json->at("stale").at(0);
                const std::string job = text_from_json(name).value_or("");
                if (job.ends_with(ending)) made.insert(job);
            } catch (const nlohmann::json::exception&) {
                continue;
            }
        }
    }
    return made;
}

Manifest::Manifest(Manifest&& other) noexcept
    : output_(std::move(other.output_)),
      folder_(std::move(other.folder_)),
      file_(std::move(other.file_)),
      shard_(other.shard_),
      locks_(std::exchange(other.locks_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      records_(std::move(other.records_)),
      outputs_(std::move(other.outputs_)),
      begun_(std::move(other.begun_)),
      processes_(std::move(other.processes_)) {}

Manifest::~Manifest() {
    if (descriptor_ >= 0) ::close(descriptor_);
    for (const int descriptor : locks_) ::close(descriptor);  // which opens the lock
}

Result<Manifest> Manifest::open(const fs::path& output, const Shard& shard) {
    Manifest manifest;
    manifest.output_ = output;
    manifest.folder_ = output / state_folder;
    manifest.shard_ = shard;
    manifest.file_ = manifest.folder_ / ("manifest" + shard_text(shard) + ".jsonl");
    std::error_code error;
    if (fs::is_symlink(manifest.folder_, error))
        return fail(state_problem(codes::output_create, manifest.folder_,
                                  "runs write nothing through links; remove this one", ELOOP));
    fs::create_directories(manifest.folder_, error);
    if (error)
        return fail(state_problem(codes::output_create, output, "the output folder cannot be made", error.value()));
    if (auto locked = manifest.lock(); !locked) return fail(std::move(locked.error()));
    if (auto done = manifest.read_all(); !done) return fail(std::move(done.error()));
    manifest.clean();
    constexpr int how = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;
    manifest.descriptor_ = ::open(manifest.file_.c_str(), how, 0666);
    if (manifest.descriptor_ < 0)
        return fail(state_problem(codes::output_create, manifest.file_, "the manifest cannot be opened", errno));
    if (auto done = manifest.append(to_text({{"effigy_batch", version}, {"process", process_token()}})); !done)
        return fail(std::move(done.error()));
    return manifest;
}

/// A run has the folder for itself; shards of one division have it together, each its own share.
Result<void> Manifest::lock() {
    const auto take = [&](const fs::path& file, int how) {
        const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor < 0) return errno;
        if (::flock(descriptor, how | LOCK_NB) == 0) {
            locks_.push_back(descriptor);
            return 0;
        }
        const int error = errno;
        ::close(descriptor);
        return error;
    };
    const bool is_whole = shard_.count == 1;
    int error = take(folder_ / "lock", is_whole ? LOCK_EX : LOCK_SH);
    if (error == 0 && !is_whole) error = take(folder_ / ("lock" + shard_text(shard_)), LOCK_EX);
    const std::string ending = "-of-" + std::to_string(shard_.count);
    for (const fs::path& other : is_whole ? std::vector<fs::path>() : files_called(folder_, "lock-")) {
        if (error == 0 && !other.filename().string().ends_with(ending)) error = take(other, LOCK_SH);
    }
    if (error == 0) return {};
    if (error == EWOULDBLOCK)
        return fail(state_problem(codes::usage_busy, output_,
                                  "another run is at work on this output folder; wait for it, or name another folder",
                                  error));
    return fail(state_problem(codes::output_create, folder_, "the output folder cannot be locked", error));
}

Result<void> Manifest::read_all() {
    for (const fs::path& file : files_called(folder_, "manifest")) {
        if (file.extension() != ".jsonl") continue;
        if (auto done = read(file, shard_.count == 1 || file == file_); !done) return done;
    }
    return {};
}

Result<void> Manifest::read(const fs::path& file, bool is_own) {
    std::ifstream stream(file, std::ios::binary);
    // What one file has begun another one did not end, whatever it says of an earlier run.
    std::set<std::string> here, begun;
    for (std::string line; std::getline(stream, line);) {
        const auto json = parse_json(line);
        if (!json || !json->is_object()) continue;
        try {
            if (json->contains("effigy_batch") && json->at("effigy_batch").get<int>() > version)
                return fail(problem_at({}, codes::usage_output,
                                       "a later version of effigy has made the outputs in " + output_.string() +
                                           ": run that one, or name another folder"));
            if (json->contains("process") && is_own) processes_.insert(json->at("process").get<std::string>());
            if (json->contains("begin") && is_own) begun.insert(text_from_json(json->at("begin")).value_or(""));
            if (json->contains("stale")) {
                Stamp stale = stamp_from(json->at("stale"));
                const std::string output = stale.name;
                KnownOutput known{text_from_json(json->at("of")).value_or(""),
                                  text_from_json(json->at("name")).value_or(""),
                                  text_from_json(json->at("input")).value_or(""), std::move(stale)};
                if (is_inside(output)) outputs_.try_emplace(output, std::move(known));
            }
            if (!json->contains("end")) continue;
            const std::string job = text_from_json(json->at("end")).value_or("");
            Record record = record_of(*json);
            record.is_own = is_own;
            begun.erase(job);
            // Of one file the last line counts, whatever the clock says; of several, the latest.
            const auto known = records_.find(job);
            const bool counts =
                !here.insert(job).second || known == records_.end() || record.time >= known->second.time;
            remember(job, std::move(record), counts);
        } catch (const nlohmann::json::exception&) {
            continue;
        }
    }
    begun_.insert(begun.begin(), begun.end());
    return {};
}

void Manifest::remember(const std::string& job, Record record, bool counts) {
    for (const Made& made : record.outputs) {
        if (record.inputs.empty()) break;
        KnownOutput known{job, record.inputs.front().name, record.path, made.file};
        if (made.is_shared || !counts)
            outputs_.try_emplace(made.file.name, std::move(known));
        else
            outputs_[made.file.name] = std::move(known);
    }
    if (counts) records_[job] = std::move(record);
}

void Manifest::clean() const {
    std::set<fs::path> folders{folder_, output_};
    for (const std::string& output : begun_) {
        if (is_inside(output)) folders.insert((output_ / output).parent_path());
    }
    for (const fs::path& folder : folders) remove_temporaries(folder, processes_);
}

const Record* Manifest::find(const std::string& job) const {
    const std::lock_guard guard(mutex_);
    const auto found = records_.find(job);
    return found == records_.end() ? nullptr : &found->second;
}

Result<void> Manifest::append(const std::string& line) {
    // In one piece: what others append, and what a kill leaves, is whole lines but for the last.
    const std::string text = (std::exchange(is_torn_, true) ? "\n" : "") + line + "\n";
    if (::write(descriptor_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        return fail(state_problem(codes::output_write, file_, "the manifest cannot be written", errno));
    is_torn_ = false;
    return {};
}

std::optional<KnownOutput> Manifest::output(const std::string& name) const {
    const std::lock_guard guard(mutex_);
    const auto found = outputs_.find(name);
    return found == outputs_.end() ? std::nullopt : std::optional(found->second);
}

Result<void> Manifest::begin(const std::string& job) {
    const std::lock_guard guard(mutex_);
    return append(to_text({{"begin", json_text(job)}}));
}

Result<void> Manifest::end(const std::string& job, Record record) {
    record.is_own = true;
    const std::string line = to_text(json_of(job, record));
    const std::lock_guard guard(mutex_);
    remember(job, std::move(record), true);
    return append(line);
}

Result<void> Manifest::finish() {
    auto file = OutputFile::create(file_);
    if (!file) return fail(std::move(file.error()));
    const auto write = [&](const Json& json) {
        const std::string line = to_text(json) + "\n";
        return file->write(std::as_bytes(std::span(line)));
    };
    const bool is_whole = shard_.count == 1;
    std::vector<std::string> jobs;
    for (const auto& [job, record] : records_) {
        if (is_whole || record.is_own) jobs.push_back(job);
    }
    std::sort(jobs.begin(), jobs.end());
    auto written = write({{"effigy_batch", version}});
    std::set<std::string> current;
    const auto is_here = [&](const std::string& job) {
        const auto found = records_.find(job);
        return is_whole || (found != records_.end() && found->second.is_own);
    };
    for (std::size_t index = 0; written && index < jobs.size(); ++index) {
        const Record& record = records_.at(jobs[index]);
        for (const Made& made : record.outputs) current.insert(made.file.name);
        written = write(json_of(jobs[index], record));
    }
    for (const auto& [output, known] : outputs_) {
        if (written && !current.contains(output) && is_here(known.job))
            written = write({{"stale", to_json(known.file)},
                             {"of", json_text(known.job)},
                             {"name", json_text(known.name)},
                             {"input", json_text(known.input)}});
    }
    if (written) written = file->commit(false);
    if (!written) return written;
    std::error_code ignored;
    for (const fs::path& other : is_whole ? files_called(folder_, "manifest-") : std::vector<fs::path>())
        fs::remove(other, ignored);
    return {};
}

}  // namespace effigy::batch
