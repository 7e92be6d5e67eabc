#pragma once
/// What motions and models know each other by: names, and where nodes stand below their parents.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "effigy/math.hpp"

namespace effigy {

/// A node or morph target of a model, or a track of a motion.
struct RigPart {
    std::string name;  ///< raw bytes
    /// Of a model: it moves what is shown. Of a motion: it has keys.
    bool moves = false;
    std::optional<Vec3> position{};  ///< of a node below its parent: at rest, or in the motion's bind pose
};

/// A model, or a motion, as far as it has to be known to tell whether the two fit.
struct Rig {
    std::vector<RigPart> nodes;
    std::vector<RigPart> targets{};  ///< morph targets
    std::string source{};            ///< the scene that it was exported from, as the exporter wrote it; raw bytes
    bool is_plain = false;  ///< of a model: all that moves has a name that says nothing, because many models have it
    /// Of a model: the figures of its game share the names of most bones, so that a stranger's motion has many of them.
    bool shares_names = false;
};

/// How well a motion fits a model. Shares are numbers between 0 and 1.
struct Fit {
    std::size_t tracks = 0;         ///< of the motion
    std::size_t tracks_found = 0;   ///< of these, names of the model
    std::size_t moving_tracks = 0;  ///< with keys
    std::size_t moving_tracks_found = 0;
    std::size_t nodes = 0;  ///< of the model that move what is shown
    std::size_t nodes_with_track = 0;
    std::size_t positions = 0;            ///< tracks with a node whose places can be compared
    std::size_t positions_differing = 0;  ///< by more than a twentieth
    /// Median distance of a node's place at rest to that in the bind pose, as a share of its distance from its parent.
    double bind_distance = 0;
    bool is_weak = false;    ///< it fits, but so do most: no track has keys, or only a common name decides
    bool is_strict = false;  ///< more is wanted: the model shares its names with others of its game

    /// At least this much is wanted of both.
    static constexpr double min_node_share = 0.85, min_track_share = 0.5;
    /// And this much where it is strict.
    static constexpr double min_strict_share = 0.95;

    [[nodiscard]] double node_share() const noexcept { return share(nodes_with_track, nodes); }
    [[nodiscard]] double track_share() const noexcept { return share(moving_tracks_found, moving_tracks); }
    /// Whether the motion can be played on the model.
    [[nodiscard]] bool fits() const noexcept {
        const double nodes_wanted = is_strict ? min_strict_share : min_node_share;
        const double tracks_wanted = is_strict ? min_strict_share : min_track_share;
        return tracks_found != 0 && node_share() >= nodes_wanted && track_share() >= tracks_wanted;
    }
    /// Most nodes stand elsewhere than in the motion's bind pose: another skeleton, or bones that were turned.
    [[nodiscard]] bool has_other_skeleton() const noexcept {
        return positions_differing >= 4 && 2 * positions_differing > positions;
    }

private:
    static double share(std::size_t part, std::size_t whole) noexcept {
        return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
    }
};

[[nodiscard]] Fit fit_of(const Rig& model, const Rig& motion);

}  // namespace effigy
