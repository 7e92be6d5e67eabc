/// Which motions fit, as JSON.

#include "effigy/match.hpp"

#include "core/json.hpp"

namespace effigy {
namespace {

Json motion_json(const FittingMotion& motion) {
    const Fit& fit = motion.fit;
    Json json{{"file", motion.file.string()},
              {"nodes", fit.nodes},
              {"nodes_with_track", fit.nodes_with_track},
              {"tracks", fit.tracks},
              {"tracks_found", fit.tracks_found},
              {"moving_tracks", fit.moving_tracks},
              {"moving_tracks_found", fit.moving_tracks_found},
              {"bind_distance", fit.bind_distance},
              {"other_skeleton", fit.has_other_skeleton()},
              {"likeness", motion.likeness},
              {"weak", fit.is_weak}};
    if (!motion.declared.empty()) json["declared"] = motion.declared;
    return json;
}

}  // namespace

std::string to_json(const MotionMatches& matches) {
    Json models = Json::array();
    for (const ModelMotions& model : matches.models) {
        Json motions = Json::array();
        for (const FittingMotion& motion : model.motions) motions.push_back(motion_json(motion));
        models.push_back({{"file", model.model.string()}, {"motions", std::move(motions)}});
    }
    const Json json{{"effigy_match", 1}, {"motions", matches.motions}, {"models", std::move(models)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace effigy
