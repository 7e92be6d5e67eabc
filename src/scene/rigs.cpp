/// Whether a motion fits a model. Names decide. Where nodes stand confirms it: rotations of the bind pose say nothing,
/// because games' own motions were bound in any pose of their actor.

#include "scene/rigs.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <vector>

namespace effigy {
namespace {

double length(const Vec3& v) { return std::hypot(v.x, v.y, v.z); }

/// As a share of the distance from the parent; nothing for what stands at its parent.
std::optional<double> distance_of(const std::optional<Vec3>& rest, const std::optional<Vec3>& bind) {
    if (!rest || !bind) return std::nullopt;
    const double far = std::max(length(*rest), length(*bind));
    if (far < 1e-6) return std::nullopt;
    return length({rest->x - bind->x, rest->y - bind->y, rest->z - bind->z}) / far;
}

double median_of(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

RigNames::RigNames(const Rig& model) : model_(model) {
    for (const RigPart& node : model.nodes) nodes_.try_emplace(node.name, &node);
    for (const RigPart& target : model.targets) targets_.try_emplace(target.name, &target);
}

RigNames::Track RigNames::node_track(const RigPart& track) const {
    const auto node = nodes_.find(track.name);
    if (node == nodes_.end()) return {};
    return {true, distance_of(node->second->position, track.position)};
}

RigNames::Track RigNames::target_track(const RigPart& track) const { return {targets_.contains(track.name), {}}; }

Fit RigNames::fit(const Rig& motion) const {
    Fit fit;
    std::vector<double> distances;
    const auto count = [&](const RigPart& part, const Track& track) {
        ++fit.tracks;
        if (part.moves) ++fit.moving_tracks;
        if (!track.is_found) return;
        ++fit.tracks_found;
        if (part.moves) ++fit.moving_tracks_found;
        if (!track.distance) return;
        distances.push_back(*track.distance);
        if (track.differs()) ++fit.positions_differing;
    };
    std::unordered_set<std::string_view> names;
    for (const RigPart& track : motion.nodes) {
        count(track, node_track(track));
        names.insert(track.name);
    }
    for (const RigPart& track : motion.targets) count(track, target_track(track));
    fit.positions = distances.size();
    fit.bind_distance = median_of(std::move(distances));
    if (!motion.nodes.empty()) {
        for (const RigPart& node : model_.nodes) {
            if (!node.moves) continue;
            ++fit.nodes;
            if (names.contains(node.name)) ++fit.nodes_with_track;
        }
    }
    fit.is_strict = model_.shares_names;
    fit.is_weak = fit.moving_tracks == 0 || (model_.is_plain && !motion.nodes.empty());
    return fit;
}

Fit fit_of(const Rig& model, const Rig& motion) { return RigNames(model).fit(motion); }

}  // namespace effigy
