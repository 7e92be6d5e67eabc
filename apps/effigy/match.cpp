/// effigy match: which motions fit which models.

#include "effigy/match.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "effigy/core_codes.hpp"

#include "common.hpp"
#include "scene_input.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

struct MatchArguments {
    CommonOptions common;
    std::vector<std::string> paths;
};

/// Rounded down, so that only what is whole says so.
int percent(double share) { return static_cast<int>(std::floor(share * 100)); }

std::string motion_line(const FittingMotion& motion) {
    std::array<char, 64> numbers{};
    std::snprintf(numbers.data(), numbers.size(), "%5d %% %6d %% %7.3f %6.2f  ", percent(motion.fit.node_share()),
                  percent(motion.fit.track_share()), motion.fit.bind_distance, motion.likeness);
    const char* note = motion.fit.is_weak                ? "  (weak: it fits most models)"
                       : motion.fit.has_other_skeleton() ? "  (another skeleton: --retarget)"
                                                         : "";
    const std::string declared = motion.declared.empty() ? "" : "  (declared in " + motion.declared + ")";
    return numbers.data() + motion.file.string() + declared + note + "\n";
}

std::string model_text(const ModelMotions& model, std::size_t motions) {
    const std::string name = model.model.string();
    if (model.motions.empty()) return name + ": none of " + counted(motions, "motion") + " fits\n";
    std::string text = name + ": " + std::to_string(model.motions.size()) + " of " + counted(motions, "motion") +
                       (model.motions.size() == 1 ? " fits\n" : " fit\n") + "  nodes   tracks    bind  alike  motion\n";
    for (const FittingMotion& motion : model.motions) text += motion_line(motion);
    return text;
}

void print_text(const MotionMatches& matches) {
    const char* before = "";
    for (const ModelMotions& model : matches.models) {
        print(before + model_text(model, matches.motions));
        before = "\n";
    }
}

/// What is missing to compare anything; empty if nothing is.
std::string missing_in(const MotionMatches& matches) {
    const std::string which = matches.models.empty() ? "model" : matches.motions == 0 ? "motion" : "";
    return which.empty()
               ? which
               : "there is no " + which +
                     " of a format that is matched by names (.xac with .xsm and .xpm); of others any motion goes with "
                     "any model, as in `effigy convert MODEL MOTION`";
}

int run_match(const MatchArguments& options) {
    const InputList inputs = collect_inputs(options.paths);
    int worst = exit_code::fine;
    for (const Diagnostic& problem : inputs.problems) worst = std::max(worst, fail_with(problem));
    ConvertOptions reading;
    reading.limits = options.common.limits;
    reading.progress = progress_line(options.common.quiet);
    const auto files = input_files(inputs.paths, options.common.limits);
    if (!files) return fail_with(files.error(), options.common);
    const auto matches = match_motions(*files, reading);
    if (!matches) return fail_with(matches.error(), options.common);
    for (const Diagnostic& problem : matches->unreadable) worst = std::max(worst, fail_with(problem));
    if (const std::string missing = missing_in(*matches); !missing.empty())
        worst = std::max(worst, fail_with(make_finding(codes::input_none, {}, missing)));
    options.common.json ? print(to_json(*matches) + "\n") : print_text(*matches);
    return worst;
}

constexpr const char* match_footer =
    "A motion fits if at least 85 % of the nodes that move what is shown have a track, and at least\n"
    "50 % of its tracks with keys name a node; Tree of Savior's actors, which share their names, want\n"
    "95 % of both. Best first: those that a game's interface/*.gfx around the model names with it; those\n"
    "that are called after it (npc_cat_run for npc_cat_set); then by `alike`, which compares names in\n"
    "the files and of the files and is a hint and no more. `bind` is how far nodes stand from where the\n"
    "motion was made for (0: there). docs/match.md says how well that finds the motions of games.\n"
    "\n"
    "Examples:\n"
    "  effigy match soldier.xac walk.xsm\n"
    "  effigy match models\n"
    "  effigy match models --json";

}  // namespace

void add_match(CLI::App& program, Verb& chosen) {
    const auto [verb, options] = add_verb(program, chosen, run_match, "match",
                                          "Show for each model which motions fit, best first.", match_footer);
    verb->add_option("PATH", options->paths, "Models and motions, or folders with them; - is standard input")
        ->required();
    options->common.add(*verb);
}

}  // namespace effigy::app
