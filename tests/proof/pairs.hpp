#pragma once
/// Actors with the motions that move them, and the moments at which to measure.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "proof/convert.hpp"
#include "proof/oracle.hpp"
#include "proof/synthetic.hpp"

namespace pairs {

inline constexpr double key_limit = 1e-4;  ///< of the model's size
/// glTF turns at constant speed between keys, the engine does not: over long gaps that can be seen.
inline constexpr double between_limit = 4e-3;
inline constexpr double time_limit = 1e-6;       ///< seconds
inline constexpr std::size_t max_vertices = 48;  ///< measured in each submesh
inline constexpr double rate = 60;               ///< of resampling

/// Some of a sorted list: evenly spread, first and last always.
[[nodiscard]] std::vector<double> some_of(const std::vector<double>& all, std::size_t most);

/// What a motion says about time, for one actor.
struct Timing {
    std::vector<double> keys;     ///< of any component
    std::vector<double> between;  ///< halfway from key to key
};

/// At most `most` moments of each kind.
[[nodiscard]] Timing timing_of(const oracle::Actor& actor, const oracle::Motion& motion, std::size_t most);

[[nodiscard]] bool moves(const oracle::Actor& actor, const oracle::Submotion& submotion);

/// Does no rotation stand between two keys?
[[nodiscard]] bool exact_at(const oracle::Actor& actor, const oracle::Motion& motion, double time);

/// At most `most` of the times at which a resampled clip has keys.
[[nodiscard]] std::vector<double> sampled_instants(double duration, std::size_t most);

/// The extent of the posed skeleton: a motion of a larger figure carries a smaller one along.
[[nodiscard]] double reach(const std::vector<oracle::Mat4>& world);

struct FittingMotion {
    const corpus::File* file;
    oracle::Motion motion;
    std::string stem;
};

/// Called with an actor of the corpus and all motions that move it.
using UseActor = std::function<void(const corpus::File&, const oracle::Actor&, const std::vector<const FittingMotion*>&,
                                    const convert::Input&)>;
void each_moved_actor(const UseActor& use);

/// A made actor with a motion.
struct Variant {
    const char* name;
    synthetic::ActorOptions actor;
    synthetic::MotionOptions motion;
};
[[nodiscard]] std::vector<Variant> variants();

}  // namespace pairs
