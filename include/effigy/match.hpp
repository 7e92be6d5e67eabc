#pragma once
/// Which motions fit which models, over whole folders.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "effigy/convert.hpp"
#include "effigy/rig.hpp"

namespace effigy {

struct FittingMotion {
    std::filesystem::path file;
    Fit fit;
    /// How much the files look like parts of one work: names that few other files have, words in the names of the
    /// files and of what they were exported from. A hint that sorts, no more: docs/match.md.
    double likeness = 0;
    /// The text file of a game near the model that names the two together ("units.gfx"), or empty. Such motions stand
    /// in front of others, and are there even if the rule says that they do not fit, as long as a track names
    /// something.
    std::string declared{};
    /// It is called after the model, as its game's figures have it ("npc_cat_run" for "npc_cat_set"): next in order.
    bool is_namesake = false;
};

struct ModelMotions {
    std::filesystem::path model;
    std::vector<FittingMotion> motions;  ///< those that fit or are declared, best first; weak ones last
};

struct MotionMatches {
    std::vector<ModelMotions> models;
    std::size_t motions = 0;             ///< that were compared
    std::vector<Diagnostic> unreadable;  ///< files that are left out, and why
};

/// Gives `take` each model in its turn, so that not all that fits is held at once. Returns what match_motions() does
/// but the models.
[[nodiscard]] Result<MotionMatches> for_each_match(const std::vector<InputFile>& files, const ConvertOptions& options,
                                                   const std::function<void(ModelMotions model)>& take);

/// Compares each model with each motion of its family. Files of other kinds are passed over. Fails with
/// "limit-cancelled".
[[nodiscard]] Result<MotionMatches> match_motions(const std::vector<InputFile>& files,
                                                  const ConvertOptions& options = {});

/// docs/json.md, "match": the text that `effigy match --json` prints.
[[nodiscard]] std::string to_json(const MotionMatches& matches);

/// The inputs, and those motions in the folders of the switch `motions` that fit the model among them: what a
/// conversion with that switch takes.
[[nodiscard]] Result<Loaded<std::vector<InputFile>>> add_fitting_motions(const std::vector<InputFile>& inputs,
                                                                         const ConvertOptions& options);

}  // namespace effigy
