#include "convert/batch_record.hpp"

#include <algorithm>
#include <optional>
#include <system_error>

#include "effigy/registry.hpp"

#include "convert/batch_plan.hpp"

namespace effigy::batch {
namespace {

namespace fs = std::filesystem;

/// The input that a stamp is of; nothing for what is in an archive.
fs::path file_on_disk(const Plan& plan, const Job& job, std::size_t number) {
    const File& file = plan.files[number < job.files.size() ? job.files[number] : job.parts[number - job.files.size()]];
    return plan.roots[file.root].is_archive ? fs::path() : plan.path(file);
}

/// What many share is hashed once.
Stamp stamp_of_output(const fs::path& file, bool is_shared, const fs::path& output, const Manifest& manifest) {
    Stamp stamp = stamp_of(file).value_or(Stamp());
    stamp.name = file.lexically_relative(output).generic_string();
    const auto known = is_shared ? manifest.output(stamp.name) : std::nullopt;
    const bool is_known = known && known->file.size == stamp.size && known->file.time == stamp.time;
    stamp.hash = is_known ? known->file.hash : content_hash(file).value_or("");
    return stamp;
}

}  // namespace

std::vector<Stamp> input_stamps(const Plan& plan, const Job& job) {
    std::vector<Stamp> stamps;
    for (const auto* list : {&job.files, &job.parts}) {
        for (const std::uint32_t place : *list) {
            const File& file = plan.files[place];
            stamps.push_back({plan.name(file), file.size, file.time, file.hash});
        }
    }
    return stamps;
}

std::vector<Stamp> finished(std::vector<Stamp> inputs, const Plan& plan, const Job& job) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Stamp& stamp = inputs[i];
        const fs::path file = file_on_disk(plan, job, i);
        if (file.empty()) continue;
        if (stamp.hash.empty()) stamp.hash = content_hash(file).value_or("");
        const auto now = stamp_of(file);
        if (!now || now->time != stamp.time || now->size != stamp.size) stamp = {stamp.name, stamp.size, -1};
    }
    return inputs;
}

std::string first_path(const Plan& plan, const Job& job) {
    std::error_code ignored;
    return fs::absolute(path_on_disk(plan, plan.files[job.files.front()]), ignored).lexically_normal().string();
}

std::vector<Made> made_of(const Outcome& outcome, const fs::path& output, const Manifest& manifest) {
    std::vector<Made> made;
    for (const std::string& file : outcome.files)
        made.push_back({stamp_of_output(file, false, output, manifest), false});
    for (const std::string& file : outcome.shared)
        made.push_back({stamp_of_output(file, true, output, manifest), true});
    return made;
}

bool is_as_recorded(const Plan& plan, const Job& job, const Record& record, FolderNames& names, Claims& claims) {
    const std::vector<Stamp> now = input_stamps(plan, job);
    if (now.size() != record.inputs.size()) return false;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const Stamp& then = record.inputs[i];
        if (now[i].name != then.name || !is_as(now[i], then, file_on_disk(plan, job, i))) return false;
    }
    for (const Stamp& then : record.beside) {
        if (then.name.ends_with('/')) {
            const Stamp folder = names.beside(first_path(plan, job));
            if (folder.name != then.name || folder.hash != then.hash) return false;
            continue;
        }
        const auto stamp = stamp_of(then.name);
        if (!stamp || !is_as(*stamp, then, {})) return false;
    }
    const bool are_there = std::all_of(record.outputs.begin(), record.outputs.end(),
                                       [&](const Made& made) { return claims.is_as_made(made.file); });
    return are_there && claims.claim_all(job, record);
}

bool has_missed_files(const Record& record) {
    return std::any_of(record.codes.begin(), record.codes.end(),
                       [](const auto& code) { return code.first.ends_with("-missing"); });
}

}  // namespace effigy::batch
