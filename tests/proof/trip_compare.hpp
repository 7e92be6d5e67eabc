#pragma once
/// What two .glb files show differently, in numbers: the one that went on a trip through a game's format, and the one
/// that came back.

#include <map>
#include <set>
#include <string>

#include "proof/glb.hpp"
#include "proof/trip.hpp"

namespace trip {

/// How far numbers may lie apart and still be what the format makes of them. Places are parts of the model's diagonal.
struct Tolerances {
    double place = 0, motion = 0, morph = 0;
    double normal = 0;  ///< radians
    double coordinates = 0, color = 0;
    double picture = 0;            ///< of the shown base colour, as sRGB from 0 to 1
    double duration = 0;           ///< seconds
    double material = 0;           ///< factors
    bool names = true;             ///< of materials
    bool has_made_colors = false;  ///< vertices without colours get some that are not shown
};

struct Comparison {
    std::set<std::string> lost;           ///< kinds of things that are not the same any more
    std::map<std::string, double> worst;  ///< of everything that was compared with a number
};

/// `placed` is how the format places a model of its own: turned, or moved.
[[nodiscard]] Comparison compare(const glb::Document& before, const glb::Document& after, const glb::Mat4& placed,
                                 const Renamed& renamed, const Tolerances& tolerances);

/// The same for a file that holds nothing but motion: what clips do with each node, seen from its rest.
[[nodiscard]] Comparison compare_nodes(const glb::Document& before, const glb::Document& after,
                                       const Tolerances& tolerances);

/// At least nine moments of a clip, none of them where its keys are likely to be, but for both ends.
[[nodiscard]] std::vector<double> moments(const glb::Animation& animation);

}  // namespace trip
