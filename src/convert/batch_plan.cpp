/// What belongs together: models with their parts, levels, motions and companions; and how outputs are called.

#include "convert/batch_plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <unordered_map>

#include "effigy/match.hpp"
#include "effigy/program_codes.hpp"

#include "convert/inputs.hpp"
#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/unique_names.hpp"
#include "registry/new_files.hpp"
#include "registry/rows.hpp"

namespace effigy::batch {
namespace {

namespace fs = std::filesystem;
using Place = std::uint32_t;

const FamilyRow* family_of(const File& file, const Options& options) {
    return file.format == nullptr ? nullptr : options.convert.formats().family(file.format->family);
}

bool goes_by_name(const File& file, const Options& options) {
    const FamilyRow* family = family_of(file, options);
    return family != nullptr && family->rig != nullptr;
}

/// The same for all files of a folder, whatever the case of letters.
std::string key_of_folder(const Root& root, const fs::path& folder) {
    std::error_code ignored;
    // What is in a game's catalogs, and what lies loose in its folder, are one tree; a catalog is a folder of its own.
    const fs::path below = root.is_archive ? root.path / folder : folder;
    const fs::path whole = fs::absolute(below, ignored).lexically_normal();
    return lower(path_with_slashes(whole.generic_string()));
}

/// Names with a place in front are those of archives.
Result<Bytes> read_for_match(const std::string& name, const Plan& plan, const ConvertOptions& options) {
    const std::size_t colon = name.find(':');
    const auto place = static_cast<Place>(std::strtoul(name.c_str(), nullptr, 10));
    const bool is_archived = colon != std::string::npos && place < plan.files.size() &&
                             plan.path(plan.files[place]).generic_string() == name.substr(colon + 1) &&
                             plan.roots[plan.files[place].root].is_archive;
    if (!is_archived) {
        auto bytes = read_beside(name, nullptr, ~std::uint64_t{0});
        return bytes ? Result<Bytes>(std::move(*bytes)) : fail(problem_at({}, codes::input_open, {}, name));
    }
    auto input = input_of(plan, plan.files[place], options);
    if (!input) return fail(std::move(input.error()));
    return std::move(*input->bytes);
}

/// Gives the jobs of models those motions that are in none yet and fit.
Result<void> pair_by_fit(const Options& options, Plan& plan, std::vector<bool>& used) {
    std::unordered_map<Place, std::size_t> jobs;  // by the files that name them
    for (std::size_t job = 0; job < plan.jobs.size(); ++job) jobs.emplace(plan.jobs[job].files.front(), job);
    std::unordered_map<std::string, Place> places;
    std::vector<InputFile> files;
    ConvertOptions reading = options.convert;
    for (Place place = 0; place < plan.files.size(); ++place) {
        const File& file = plan.files[place];
        if (!goes_by_name(file, options) || (used[place] && !jobs.contains(place))) continue;
        const bool is_archived = plan.roots[file.root].is_archive;
        std::string path = plan.path(file).generic_string();
        if (is_archived) path = std::to_string(place) + ":" + path;
        if (is_archived && !reading.files.read) {
            reading.files.read = [&](const std::string& name) { return read_for_match(name, plan, options.convert); };
        }
        files.emplace_back(path);
        places.emplace(std::move(path), place);
    }
    reading.progress = [&](const Step&) { return !is_cancelled(options); };
    auto matches = for_each_match(files, reading, [&](ModelMotions model) {
        Job& job = plan.jobs[jobs.at(places.at(model.model.generic_string()))];
        const bool is_declared = !model.motions.empty() && !model.motions.front().declared.empty();
        const bool has_namesakes = !is_declared && !model.motions.empty() && model.motions.front().is_namesake;
        for (const FittingMotion& motion : model.motions) {
            if (motion.fit.is_weak || motion.declared.empty() == is_declared) continue;
            if (has_namesakes && !motion.is_namesake) continue;
            const Place place = places.at(motion.file.generic_string());
            used[place] = true;
            job.files.push_back(place);
        }
        std::sort(job.files.begin() + 1, job.files.end());
    });
    return matches ? Result<void>() : fail(std::move(matches.error()));
}

/// "models/soldier.glb", and "models/soldier.xac.glb" where soldier.xmf would be called the same.
void name_outputs(const Options& options, Plan& plan) {
    std::unordered_map<std::string, std::size_t> wishes;
    for (Job& job : plan.jobs) {
        const fs::path name = plan.name(job);
        job.output = (name.parent_path() / (job.output.empty() ? name.stem().string() : job.output)).generic_string();
        ++wishes[lower(job.output)];
    }
    UniqueNames names(UniqueNames::Case::is_ignored);
    for (Job& job : plan.jobs) {
        const bool keeps_all = options.kind == Kind::files || wishes[lower(job.output)] > 1;
        job.output = names.add(keeps_all ? plan.name(job) : job.output, options.ending);
    }
}

class Grouping {
public:
    Grouping(const Options& options, Plan& plan) : options_(options), plan_(plan), used_(plan.files.size()) {}

    Result<void> group() {
        const bool by_itself = options_.pairing == Pairing::none || options_.kind == Kind::files;
        if (options_.pairing != Pairing::none) {
            if (auto found = add_components(); !found) return found;
        }
        if (!by_itself) add_levels();
        for (Place place = 0; place < plan_.files.size(); ++place) {
            if (!used_[place] && (options_.kind == Kind::files || is_model(place))) add_job(place);
        }
        if (!by_itself && options_.kind == Kind::scenes) {
            if (auto paired = pair(); !paired) return paired;
        }
        for (Place place = 0; place < plan_.files.size() && options_.kind == Kind::scenes; ++place) {
            if (!used_[place]) add_alone(place);
        }
        return {};
    }

private:
    [[nodiscard]] const FormatInfo* format(Place place) const { return plan_.files[place].format; }
    [[nodiscard]] Role role(Place place) const { return format(place) == nullptr ? Role::model : format(place)->role; }
    /// What is of no known format was named by the user: trying to convert it says so.
    [[nodiscard]] bool is_model(Place place) const { return role(place) == Role::model || role(place) == Role::scene; }
    [[nodiscard]] const FamilyRow* family(Place place) const { return family_of(plan_.files[place], options_); }

    [[nodiscard]] std::string folder_key(Place place) const {
        const File& file = plan_.files[place];
        return key_of_folder(plan_.roots[file.root], plan_.path(file).parent_path());
    }

    /// Of a folder that is called as the file is, without extension: animations are beside the meshes' folder.
    [[nodiscard]] std::string key_beside(Place place) const {
        const File& file = plan_.files[place];
        return key_of_folder(plan_.roots[file.root], plan_.path(file).replace_extension());
    }

    Job& add_job(Place place) {
        used_[place] = true;
        Job& job = plan_.jobs.emplace_back();
        job.files = {place};
        return job;
    }

    /// Motions without a model, and companions.
    void add_alone(Place place) {
        if (role(place) == Role::companion) return;
        if (format(place)->traits.shows_alone)
            add_job(place);
        else
            plan_.left.push_back(place);
    }

    // --- components and levels ---

    /// What a file's paths begin at: in archives, the top or its extension's folder.
    [[nodiscard]] std::vector<fs::path> roots_of_parts(const FamilyRow& row, const File& file) const {
        if (!plan_.roots[file.root].is_archive) return {row.root_of(plan_.path(file), nullptr)};
        Files names;  // begin at no place on the disk
        names.read = [](const std::string&) -> Result<Bytes> { return fail(problem_at({}, codes::file_missing)); };
        return {fs::path(), row.root_of(plan_.path(file), &names)};
    }

    Result<void> add_components() {
        std::unordered_map<std::string, std::vector<std::size_t>> owners;  // jobs by the folder of their parts
        for (Place place = 0; place < plan_.files.size(); ++place) {
            const FamilyRow* row = family(place);
            if (row == nullptr || row->part_folders == nullptr || !format(place)->traits.reads_beside) continue;
            if (is_cancelled(options_)) return fail(cancelled_finding());
            const File& file = plan_.files[place];
            const Root& root = plan_.roots[file.root];
            Report ignored;
            auto input = input_of(plan_, file, options_.convert);
            auto source = input ? conversion::read_source(*input, {}, options_.convert, ignored)
                                : Result<SceneSource>(fail(input.error()));
            const std::size_t job = plan_.jobs.size();
            add_job(place);  // what is wrong with it is said when it is converted
            if (!source) continue;
            for (const fs::path& from : roots_of_parts(*row, file)) {
                for (const fs::path& folder : row->part_folders(source->document, from))
                    owners[key_of_folder(root, folder)].push_back(job);
            }
        }
        if (owners.empty()) return {};
        for (Place place = 0; place < plan_.files.size(); ++place) {
            if (used_[place] || family(place) == nullptr || family(place)->part_folders == nullptr) continue;
            auto owner = owners.find(folder_key(place));
            if (owner == owners.end()) owner = owners.find(key_beside(place));
            if (owner == owners.end()) continue;
            used_[place] = options_.kind != Kind::files;  // there a part is looked at for itself as well
            for (const std::size_t job : owner->second) {
                if (plan_.jobs[job].parts.empty() || plan_.jobs[job].parts.back() != place)
                    plan_.jobs[job].parts.push_back(place);
            }
        }
        return {};
    }

    void add_levels() {
        std::unordered_map<std::string, std::size_t> jobs;
        for (Place place = 0; place < plan_.files.size(); ++place) {
            const FamilyRow* row = used_[place] ? nullptr : family(place);
            if (row == nullptr || row->shared_stem == nullptr || !is_model(place)) continue;
            const fs::path path = plan_.path(plan_.files[place]);
            const std::string stem = row->shared_stem(*format(place), path.stem().string());
            if (stem.empty()) continue;
            const auto [job, is_new] = jobs.try_emplace(folder_key(place) + "/" + lower(stem), plan_.jobs.size());
            if (is_new) {
                add_job(place).output = stem;
                continue;
            }
            used_[place] = true;
            plan_.jobs[job->second].files.push_back(place);
        }
    }

    // --- motions and companions ---

    Result<void> pair() {
        std::unordered_map<std::string, std::vector<std::size_t>> models;  // jobs by folder and family
        for (std::size_t job = 0; job < plan_.jobs.size(); ++job) {
            const Place place = plan_.jobs[job].files.front();
            if (format(place) != nullptr) models[key_with(place, format(place)->family)].push_back(job);
        }
        const auto companions = chosen_companions();
        bool has_motions = false;
        for (Place place = 0; place < plan_.files.size(); ++place) {
            if (used_[place] || is_model(place)) continue;
            if (role(place) == Role::motion && goes_by_name(plan_.files[place], options_) &&
                options_.pairing == Pairing::fit) {
                has_motions = true;
                continue;
            }
            const auto found = models.find(key_with(place, format(place)->family));
            if (found == models.end()) continue;
            if (role(place) == Role::companion && companions.at(key_with(place, format(place)->id)) != place) continue;
            used_[place] = true;
            for (const std::size_t job : found->second) plan_.jobs[job].files.push_back(place);
        }
        return has_motions ? pair_by_fit(options_, plan_, used_) : Result<void>();
    }

    [[nodiscard]] std::string key_with(Place place, std::string_view name) const {
        return folder_key(place) + "\n" + std::string(name);
    }

    /// Of several companions of one format in a folder, the one that is called default, else the first.
    [[nodiscard]] std::unordered_map<std::string, Place> chosen_companions() const {
        std::unordered_map<std::string, Place> chosen;
        for (Place place = 0; place < plan_.files.size(); ++place) {
            if (used_[place] || role(place) != Role::companion) continue;
            const auto [known, is_new] = chosen.try_emplace(key_with(place, format(place)->id), place);
            const auto is_default = [&](Place one) {
                return lower(plan_.path(plan_.files[one]).stem().string()).ends_with("default");
            };
            if (!is_new && !is_default(known->second) && is_default(place)) known->second = place;
        }
        return chosen;
    }

    const Options& options_;
    Plan& plan_;
    std::vector<bool> used_;
};

}  // namespace

Result<void> group(const Options& options, Plan& plan) {
    if (auto grouped = Grouping(options, plan).group(); !grouped) return grouped;
    std::sort(plan.jobs.begin(), plan.jobs.end(),
              [](const Job& a, const Job& b) { return a.files.front() < b.files.front(); });
    for (Job& job : plan.jobs) {
        for (const auto* list : {&job.files, &job.parts}) {
            for (const Place place : *list) job.bytes += plan.files[place].size;
        }
    }
    name_outputs(options, plan);
    return {};
}

Diagnostic left_finding(const Plan& plan, const File& file) {
    return file_problem(plan.path(file).string(), codes::batch_left,
                        "no model in the inputs takes this motion, and it shows nothing alone");
}

Result<Plan> make_plan(const std::vector<std::string>& inputs, const Options& options) {
    return without_exceptions([&]() -> Result<Plan> {
        Plan plan;
        if (auto gathered = gather(inputs, options, plan); !gathered) return fail(std::move(gathered.error()));
        if (auto grouped = group(options, plan); !grouped) return fail(std::move(grouped.error()));
        return plan;
    });
}

}  // namespace effigy::batch
