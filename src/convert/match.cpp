/// Motions and models, compared; and motions of a folder that become inputs, because they fit.

#include "effigy/match.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "effigy/program_codes.hpp"

#include "convert/declared.hpp"
#include "convert/inputs.hpp"
#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "registry/rows.hpp"
#include "scene/rigs.hpp"

namespace effigy::conversion {
namespace {

namespace fs = std::filesystem;

/// A model or a motion, and what sorts it.
struct Candidate {
    fs::path file;
    const FormatInfo* format = nullptr;
    Rig rig{};
    std::vector<std::size_t> names{};  ///< numbers of names, sorted, each once
    std::vector<std::string> words{};  ///< in the name of the file, sorted, each once
    std::vector<std::string> source_words{};
    DeclaredNames declared{};  ///< of a model
};

/// What a motion is for says nothing about whose it is.
bool is_role(const std::string& word) {
    constexpr std::array<std::string_view, 18> roles{"idle", "move",   "moving", "attack", "walk", "wlk",
                                                     "run",  "static", "anim",   "motion", "set",  "die",
                                                     "dead", "hit",    "skl",    "std",    "atk",  "animation"};
    return std::find(roles.begin(), roles.end(), word) != roles.end();
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    const auto end = [&] {
        if (!word.empty() && !is_role(word)) words.push_back(word);
        word.clear();
    };
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte >= 0x80 || std::isalnum(byte) != 0)
            word += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
        else
            end();
    }
    end();
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
}

/// "C:\work\soldier.max" to "soldier".
std::string_view stem_of(std::string_view path) {
    const std::size_t folder = path.find_last_of("/\\");
    if (folder != std::string_view::npos) path.remove_prefix(folder + 1);
    return path.substr(0, path.find_last_of('.'));
}

/// What two sorted lists share, as a part of what either has.
template <class T, class Weight>
double likeness(const std::vector<T>& a, const std::vector<T>& b, Weight&& weight) {
    double shared = 0, all = 0;
    auto left = a.begin(), right = b.begin();
    while (left != a.end() || right != b.end()) {
        const bool is_left = right == b.end() || (left != a.end() && !(*right < *left));
        const bool is_right = left == a.end() || (right != b.end() && !(*left < *right));
        const double value = weight(is_left ? *left : *right);
        all += value;
        if (is_left && is_right) shared += value;
        if (is_left) ++left;
        if (is_right) ++right;
    }
    return all > 0 ? shared / all : 0;
}

double word_likeness(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return likeness(a, b, [](const std::string&) { return 1.0; });
}

/// Names as numbers, and how rare they are.
class Names {
public:
    void add(Candidate& candidate) {
        for (const std::vector<RigPart>* parts : {&candidate.rig.nodes, &candidate.rig.targets}) {
            for (const RigPart& part : *parts)
                candidate.names.push_back(numbers_.try_emplace(part.name, numbers_.size()).first->second);
        }
        std::sort(candidate.names.begin(), candidate.names.end());
        candidate.names.erase(std::unique(candidate.names.begin(), candidate.names.end()), candidate.names.end());
        counts_.resize(numbers_.size());
        for (const std::size_t name : candidate.names) ++counts_[name];
        ++files_;
    }
    /// Names that only two siblings share betray them; what every file has says nothing.
    [[nodiscard]] double likeness_of(const Candidate& a, const Candidate& b) const {
        return likeness(a.names, b.names, [&](std::size_t name) {
            return std::log(static_cast<double>(files_) / static_cast<double>(counts_[name]));
        });
    }

private:
    std::unordered_map<std::string, std::size_t> numbers_;
    std::vector<std::size_t> counts_;
    std::size_t files_ = 0;
};

/// Of a file that is of no known format, why it cannot be read.
Result<Candidate> read_candidate(const InputFile& input, const FormatInfo* format, const ConvertOptions& options) {
    Report report;
    auto source = read_source(input, {}, options, report);
    if (!source) return fail(std::move(source.error()));
    Candidate candidate{input.path, format};
    if (format == nullptr) return candidate;
    if (auto rig = options.formats().family(format->family)->rig(source->document)) candidate.rig = std::move(*rig);
    candidate.words = words_of(source->named().stem().string());
    candidate.source_words = words_of(stem_of(candidate.rig.source));
    return candidate;
}

/// Formats whose models and motions know each other by names.
bool has_rig(const FormatInfo* format, const Registry& registry) {
    if (format == nullptr || (format->role != Role::model && format->role != Role::motion)) return false;
    const FamilyRow* family = registry.family(format->family);
    return family != nullptr && family->rig != nullptr;
}

/// "npc_cat_" for "npc_cat_set.xac" of a game whose figures share names; empty for others.
std::string figure_prefix(const Candidate& model, const Registry& registry) {
    const std::string_view ending = registry.family(model.format->family)->figure_ending;
    const std::string stem = lower(model.file.stem().string());
    if (!model.rig.shares_names || ending.empty() || !stem.ends_with(ending)) return {};
    return stem.substr(0, stem.size() - ending.size()) + "_";
}

bool is_better(const FittingMotion& a, const FittingMotion& b) {
    if (a.fit.is_weak != b.fit.is_weak) return b.fit.is_weak;
    if (a.declared.empty() != b.declared.empty()) return b.declared.empty();
    if (a.is_namesake != b.is_namesake) return a.is_namesake;
    if (a.likeness != b.likeness) return a.likeness > b.likeness;
    return a.file < b.file;
}

class Matching {
public:
    explicit Matching(const ConvertOptions& options) : options_(options), definitions_(options) {}

    Result<void> read(const std::vector<InputFile>& files) {
        for (std::size_t index = 0; index < files.size(); ++index) {
            const std::string name = files[index].path.string();
            if (auto going = report_step(options_, {"reading", name, index, files.size()}); !going) return going;
            const FormatInfo* format = format_of(files[index], options_);
            if (format != nullptr && !has_rig(format, options_.formats())) continue;
            auto candidate = read_candidate(files[index], format, options_);
            if (!candidate) {
                if (candidate.error().file.empty()) candidate.error().file = name;
                result_.unreadable.push_back(std::move(candidate.error()));
                continue;
            }
            if (format == nullptr) continue;
            if (format->role == Role::model)
                candidate->declared = definitions_.of(files[index].path, *options_.formats().family(format->family));
            names_.add(*candidate);
            (format->role == Role::model ? models_ : motions_).push_back(std::move(*candidate));
        }
        return {};
    }

    Result<MotionMatches> compare() {
        return compare([this](ModelMotions model) { result_.models.push_back(std::move(model)); });
    }

    Result<MotionMatches> compare(const std::function<void(ModelMotions model)>& take) {
        result_.motions = motions_.size();
        for (std::size_t index = 0; index < models_.size(); ++index) {
            const std::string name = models_[index].file.string();
            if (auto going = report_step(options_, {"comparing", name, index, models_.size()}); !going)
                return fail(std::move(going.error()));
            take({models_[index].file, motions_of(models_[index])});
        }
        return std::move(result_);
    }

    /// The models as one: parts join by the names of their nodes.
    void join_models() {
        if (models_.size() < 2) return;
        Rig joined;
        DeclaredNames declared;
        std::map<std::string, std::size_t> known;
        joined.is_plain = true;
        for (const Candidate& model : models_) {
            joined.shares_names = joined.shares_names || model.rig.shares_names;
            declared.insert(model.declared.begin(), model.declared.end());
            joined.is_plain = joined.is_plain && model.rig.is_plain;
            for (const RigPart& node : model.rig.nodes) {
                const auto [place, is_new] = known.try_emplace(node.name, joined.nodes.size());
                if (is_new) joined.nodes.push_back(node);
                joined.nodes[place->second].moves |= node.moves;
            }
            joined.targets.insert(joined.targets.end(), model.rig.targets.begin(), model.rig.targets.end());
        }
        models_.front().rig = std::move(joined);
        models_.front().declared = std::move(declared);
        models_.erase(models_.begin() + 1, models_.end());
    }

private:
    std::vector<FittingMotion> motions_of(const Candidate& model) const {
        const RigNames names(model.rig);
        const std::string prefix = figure_prefix(model, options_.formats());
        std::vector<FittingMotion> fitting;
        for (const Candidate& motion : motions_) {
            if (motion.format->family != model.format->family) continue;
            const Fit fit = names.fit(motion.rig);
            const auto declared = model.declared.find(lower(motion.file.filename().string()));
            const bool is_declared = declared != model.declared.end();
            // What a game plays is adapted by it, however few names are the same.
            if (!fit.fits() && !(is_declared && fit.tracks_found != 0)) continue;
            const double likeness = names_.likeness_of(model, motion) + word_likeness(model.words, motion.words) +
                                    word_likeness(model.source_words, motion.source_words) / 2;
            const bool is_namesake = !prefix.empty() && lower(motion.file.stem().string() + "_").starts_with(prefix);
            fitting.push_back(
                {motion.file, fit, likeness, is_declared ? declared->second : std::string(), is_namesake});
        }
        std::sort(fitting.begin(), fitting.end(), is_better);
        return fitting;
    }

    const ConvertOptions& options_;
    std::vector<Candidate> models_, motions_;
    Names names_;
    DeclaredFiles definitions_;
    MotionMatches result_;
};

/// Files of the folders that are called like motions, without the inputs.
std::vector<InputFile> motions_in(const std::vector<std::string>& folders, const std::vector<InputFile>& inputs,
                                  const ConvertOptions& options) {
    std::vector<fs::path> paths;
    const auto add = [&](const fs::path& path) {
        const FormatInfo* format = format_of_name(path, options.formats());
        if (format == nullptr || format->role != Role::motion || !has_rig(format, options.formats())) return;
        const bool is_input = std::any_of(inputs.begin(), inputs.end(), [&](const InputFile& input) {
            return input.path == path || (!options.files.read && is_same_file(input.path, path));
        });
        if (!is_input) paths.push_back(path);
    };
    for (const std::string& folder : folders) {
        if (options.files.read) {
            for (const std::string& name : options.files.list ? options.files.list() : std::vector<std::string>()) {
                if (folder == "." || name.starts_with(folder + "/")) add(name);
            }
            continue;
        }
        std::error_code error, ignored;
        for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
             !error && entry != end; entry.increment(error)) {
            if (entry->is_regular_file(ignored)) add(entry->path());
        }
    }
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return {paths.begin(), paths.end()};
}

/// "3: idle.xsm, run.xsm, walk.xsm"
std::string names_text(const std::vector<InputFile>& files) {
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t i = 0; i < files.size() && i < most; ++i)
        text += (i == 0 ? ": " : ", ") + files[i].path.filename().string();
    return files.size() > most ? text + ", ..." : text;
}

void note_taken(const std::vector<InputFile>& taken, std::size_t all, std::size_t weak, Report& report) {
    std::string found = std::to_string(taken.size()) + " of " + std::to_string(all) + names_text(taken);
    if (weak != 0) found += "; " + std::to_string(weak) + " fit as they fit most models, and are left out";
    report.add(taken.empty() ? problem_at({}, codes::motions_taken.as(Severity::warning),
                                          "No motion in the folders of --motions fits the model.", std::move(found))
                             : problem_at({}, codes::motions_taken,
                                          "Motions that fit the model were taken from the folders of --motions.",
                                          std::move(found)));
}

/// Those that fit and are no inputs.
Result<std::vector<InputFile>> fitting_motions(const std::vector<InputFile>& inputs,
                                               const std::vector<std::string>& folders, const ConvertOptions& options,
                                               Report& report) {
    std::vector<InputFile> models;
    bool is_unknown = false;  // what cannot be read is said when it is opened
    for (const InputFile& input : inputs) {
        const FormatInfo* format = format_of(input, options);
        is_unknown = is_unknown || format == nullptr;
        if (has_rig(format, options.formats()) && format->role == Role::model) models.push_back(input);
    }
    if (models.empty() && (is_unknown || options.pass_over_switches)) return models;
    if (models.empty())
        return fail(problem_at({}, codes::usage_option,
                               "--motions finds motions by the names of a model's nodes, and no input is a model that "
                               "goes by them; name the motions as inputs beside the model"));
    Matching matching(options);
    const std::vector<InputFile> motions = motions_in(folders, inputs, options);
    auto read = matching.read(models);
    matching.join_models();
    if (read) read = matching.read(motions);
    if (!read) return fail(std::move(read.error()));
    auto matches = matching.compare();
    if (!matches) return fail(std::move(matches.error()));
    std::vector<InputFile> taken;
    std::size_t weak = 0;
    if (matches->models.empty()) return taken;  // what is wrong with them is said when they are read again
    for (const FittingMotion& motion : matches->models.front().motions)
        motion.fit.is_weak ? void(++weak) : void(taken.emplace_back(motion.file));
    for (const InputFile& motion : taken) {
        if (options.files.seen && !motion.bytes) options.files.seen(motion.path);
    }
    for (Diagnostic& problem : matches->unreadable) {
        problem.severity = Severity::warning;
        report.add(std::move(problem));
    }
    for (const std::string& folder : folders) {
        if (!options.files.read) note_closed(folder, report);
    }
    note_taken(taken, motions.size(), weak, report);
    return taken;
}

}  // namespace

Result<const std::vector<InputFile>*> with_fitting_motions(const std::vector<InputFile>& named,
                                                           std::vector<InputFile>& store, const ConvertOptions& options,
                                                           Report& report) {
    const std::vector<std::string> folders = options.values.list("motions");
    if (folders.empty()) return &named;
    return without_exceptions([&]() -> Result<const std::vector<InputFile>*> {
        auto more = fitting_motions(named, folders, options, report);
        if (!more) return fail(std::move(more.error()));
        store = named;
        store.insert(store.end(), more->begin(), more->end());
        return &store;
    });
}

}  // namespace effigy::conversion

namespace effigy {

Result<MotionMatches> match_motions(const std::vector<InputFile>& files, const ConvertOptions& options) {
    std::vector<ModelMotions> models;
    auto matches = for_each_match(files, options, [&](ModelMotions model) { models.push_back(std::move(model)); });
    if (matches) matches->models = std::move(models);
    return matches;
}

Result<MotionMatches> for_each_match(const std::vector<InputFile>& files, const ConvertOptions& options,
                                     const std::function<void(ModelMotions model)>& take) {
    return without_exceptions([&]() -> Result<MotionMatches> {
        conversion::Matching matching(options);
        if (auto read = matching.read(files); !read) return fail(std::move(read.error()));
        return matching.compare(take);
    });
}

Result<Loaded<std::vector<InputFile>>> add_fitting_motions(const std::vector<InputFile>& inputs,
                                                           const ConvertOptions& options) {
    return without_exceptions([&]() -> Result<Loaded<std::vector<InputFile>>> {
        Report report;
        if (auto checked = conversion::check_inputs(inputs, conversion::formats_of(inputs, options), options); !checked)
            return fail(std::move(checked.error()));
        std::vector<InputFile> store;
        const auto all = conversion::with_fitting_motions(inputs, store, options, report);
        if (!all) return fail(all.error());
        if (*all == &inputs) store = inputs;
        return Loaded<std::vector<InputFile>>{std::move(store), std::move(report)};
    });
}

}  // namespace effigy
