/// A run replaces nothing but what runs have made.

#include "convert/batch_claims.hpp"

#include <algorithm>
#include <system_error>

#include "effigy/core_codes.hpp"
#include "effigy/program_codes.hpp"

#include "convert/batch_plan.hpp"
#include "core/problem.hpp"

namespace effigy::batch {

namespace fs = std::filesystem;

namespace {

fs::path real_path(const fs::path& path, std::error_code& error) {
    const fs::path whole = fs::absolute(path, error);
    return error ? whole : fs::weakly_canonical(whole, error);
}

fs::path real_path(const fs::path& path) {
    std::error_code ignored;
    return real_path(path, ignored);
}

Diagnostic unreachable_place(const fs::path& file, const std::error_code& error) {
    const bool is_too_long = error == std::errc::filename_too_long;
    return file_problem(
        file.string(), codes::output_create,
        "nothing can be written here: " + error.message() +
            (is_too_long ? "; give the input a shorter name, or the output folder a shorter path" : ""));
}

}  // namespace

Claims::Claims(const Plan& plan, const Options& options, const Share& share, const Manifest& manifest)
    : options_(options), root_(real_path(options.output)), share_(share), manifest_(manifest) {
    const auto add = [this](const fs::path& file) {
        if (const auto id = conversion::id_of(file)) inputs_.insert(*id);
    };
    for (const std::string& list : plan.lists) add(list);
    for (const File& file : plan.files) add(path_on_disk(plan, file));
    for (const Root& root : plan.roots) std::for_each(root.above.begin(), root.above.end(), add);
}

bool Claims::is_input(const fs::path& file) const {
    const auto id = conversion::id_of(file);
    return id && inputs_.contains(*id);
}

Result<void> Claims::check_place(const fs::path& file) const {
    std::error_code error;
    const fs::path real = real_path(file, error);
    if (error) return fail(unreachable_place(file, error));
    if (std::mismatch(root_.begin(), root_.end(), real.begin(), real.end()).first == root_.end()) return {};
    return fail(file_problem(file.string(), codes::output_create,
                             "a link leads out of the output folder here; nothing is written through it", real.string(),
                             "a place below " + root_.string()));
}

Result<Existing> Claims::claim(const fs::path& file, const Job& job) {
    if (auto checked = check_place(file); !checked) return fail(std::move(checked.error()));
    const std::string name = file.lexically_normal().lexically_relative(options_.output).generic_string();
    const std::string whose = owner_of(name, job);
    if (whose != job.output)
        return fail(file_problem(file.string(), codes::usage_output,
                                 "a file of this name goes with another output as well; give one of the two models "
                                 "another name, or convert it to a folder of its own",
                                 whose));
    if (is_input(file))
        return fail(file_problem(file.string(), codes::usage_output,
                                 "a file that goes with the output would replace an input; write to another folder"));
    return may_replace(file, name) ? Existing::replaced : Existing::kept;
}

/// What runs have made and nobody has changed since. What a killed run has made without remembering it need not be
/// replaced, where it is what is made again.
bool Claims::may_replace(const fs::path& file, const std::string& name) {
    std::error_code error;
    if (options_.overwrite || fs::symlink_status(file, error).type() == fs::file_type::not_found) return true;
    const auto known = manifest_.output(name);
    if (known && is_as_made(known->file)) return true;
    const std::lock_guard lock(mutex_);
    return made_.contains(file.string());
}

bool Claims::is_as_made(const Stamp& made) const {
    const fs::path file = options_.output / made.name;
    const auto now = stamp_of(file);
    return now && is_as(*now, made, file);
}

/// The output of the job whose file this is: `job`'s, unless it is another's already.
std::string Claims::owner_of(const std::string& name, const Job& job) {
    if (name == job.output || share_.own.contains(name) || share_.others.contains(name)) return name;
    const std::lock_guard lock(mutex_);
    return claims_.try_emplace(name, job.output).first->second;
}

bool Claims::claim_all(const Job& job, const Record& record) {
    return std::all_of(record.outputs.begin(), record.outputs.end(),
                       [&](const Made& made) { return made.is_shared || owner_of(made.file.name, job) == job.output; });
}

void Claims::allow_again(const std::vector<std::string>& files) {
    const std::lock_guard lock(mutex_);
    made_.insert(files.begin(), files.end());
}

}  // namespace effigy::batch
