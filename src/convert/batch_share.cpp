/// Jobs in chains: what must not be done at once is done by one thread.

#include "convert/batch_share.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <unordered_map>
#include <xxhash.h>

#include "core/text.hpp"
#include "registry/rows.hpp"

namespace effigy::batch {
namespace {

/// Files of games may have pictures beside them that several share: who comes first in a folder writes them, and
/// the others see that. These are made one after the other.
bool is_by_folder(const Options& options) {
    const FormatInfo* format = find_format(options.ending, options.convert.formats());
    const FamilyRow* family = format == nullptr ? nullptr : options.convert.formats().family(format->family);
    return family != nullptr && family->write == nullptr;
}

/// What can go to standard output is one file.
bool has_side_files(const Options& options) {
    const FormatInfo* format = find_format(options.ending, options.convert.formats());
    return format != nullptr && format->from_scene && !format->traits.streams;
}

std::string folder_of(const std::string& output) { return std::filesystem::path(output).parent_path().string(); }

std::string stem_of(const Job& job, const Options& options) {
    return lower(job.output.substr(0, job.output.size() - options.ending.size()));
}

/// The files beside "a" and "a_b" may get the same names: a_b_skin.png. Both have the name of the first.
std::string key_of(const std::string& stem, const std::string& name,
                   const std::unordered_map<std::string, std::string>& names) {
    for (std::size_t end = stem.find('_'); end < stem.size(); end = stem.find('_', end + 1)) {
        if (const auto first = names.find(stem.substr(0, end)); first != names.end()) return first->second;
    }
    return name;
}

/// Jobs of one key are a chain.
std::vector<std::string> chain_keys(const Plan& plan, const Options& options) {
    std::vector<std::string> keys;
    if (is_by_folder(options)) {
        for (const Job& job : plan.jobs) keys.push_back(folder_of(job.output));
        return keys;
    }
    std::unordered_map<std::string, std::string> names;  // of jobs, by what their side files begin with
    if (has_side_files(options)) {
        for (const Job& job : plan.jobs) names.try_emplace(stem_of(job, options), plan.name(job));
    }
    for (const Job& job : plan.jobs)
        keys.push_back(names.empty() ? plan.name(job) : key_of(stem_of(job, options), plan.name(job), names));
    return keys;
}

bool is_own(std::string_view key, const Shard& shard) {
    return XXH3_64bits(key.data(), key.size()) % shard.count == shard.number - 1;
}

}  // namespace

Share share_of(const Plan& plan, const Options& options) {
    Share share;
    const std::vector<std::string> keys = chain_keys(plan, options);
    std::unordered_map<std::string, std::size_t> chains;
    for (std::uint32_t place = 0; place < plan.jobs.size(); ++place) {
        const Job& job = plan.jobs[place];
        const bool is_ours = is_own(keys[place], options.shard);
        (is_ours ? share.own : share.others).insert(job.output);
        if (!is_ours) continue;
        ++share.jobs;
        share.bytes += job.bytes;
        const std::size_t chain = chains.try_emplace(keys[place], share.chains.size()).first->second;
        if (chain == share.chains.size()) share.chains.emplace_back();
        share.chains[chain].bytes += job.bytes;
        share.chains[chain].jobs.push_back(place);
    }
    for (const std::uint32_t place : plan.left) {
        const File& file = plan.files[place];
        if (!falls_to_run(plan.name(file), plan.name(file), options)) continue;
        share.left.push_back(place);
        ++share.jobs;
        share.bytes += file.size;
    }
    std::stable_sort(share.chains.begin(), share.chains.end(),
                     [](const Chain& a, const Chain& b) { return a.bytes > b.bytes; });
    return share;
}

bool falls_to_run(const std::string& job, const std::string& name, const Options& options) {
    return is_own(is_by_folder(options) ? folder_of(job) : name, options.shard);
}

}  // namespace effigy::batch
