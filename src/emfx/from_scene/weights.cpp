/// Morph motions made of a clip's tracks.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "effigy/emfx_codes.hpp"

#include "emfx/file/container_write.hpp"
#include "emfx/from_scene/clip.hpp"
#include "emfx/to_scene/key_codes.hpp"
#include "scene/worlds.hpp"

namespace effigy::emfx::bridge {
namespace {

/// The weights of one target, whatever meshes have it.
struct TargetMotion {
    const MappedTarget* target;
    Channel weights;
};

constexpr const char* share_names =
    "Meshes, or targets of one mesh, that share a target's name move by different weights, but the name has only one; "
    "the first counts. Give the targets names of their own.";

bool is_near(const Channel& a, const Channel& b) {
    const float tolerance = 1e-3f * std::max(1.0f, std::fabs(a.pose[0]));
    const auto close = [&](float one, float two) { return std::fabs(one - two) <= tolerance; };
    if (!a.keyed() || !b.keyed()) return a.keyed() == b.keyed() && close(a.pose[0], b.pose[0]);
    const std::array<const Channel*, 2> both{&a, &b};
    Sampler first(a, false);
    Sampler second(b, false);
    for (const float time : united_times(both)) {
        float one = 0, two = 0;
        first.sample(time, std::span(&one, 1));
        second.sample(time, std::span(&two, 1));
        if (!close(one, two)) return false;
    }
    return true;
}

class WeightMaker {
public:
    WeightMaker(MotionBuild& build) : build_(build), maker_(*build.clip, build.options.max_error) {}

    void add(const Track& track) {
        const std::size_t count = components_of(build_.scene, track);
        if (count == 0) return;
        const Index mesh = build_.scene.nodes[track.node].mesh;
        if (mesh >= build_.map.targets.size() || build_.map.targets[mesh].size() != count) {
            lost_.add(build_.scene.nodes[track.node].name);
            return;
        }
        std::vector<Channel> channels = maker_.make_weights(track, count);
        for (std::size_t i = 0; i < count; ++i) add(build_.map.targets[mesh][i], std::move(channels[i]));
    }

    std::vector<TargetMotion> take() {
        maker_.note(build_);
        note(lost_, codes::motion_track_lost,
             "Tracks move weights of meshes that are not in the actor; they are left out.");
        note(differing_, codes::motion_weights_differ, share_names);
        note(clamped_, codes::motion_weights_clamped);
        return std::move(motions_);
    }

private:
    void add(const MappedTarget& target, Channel weights) {
        const auto [known, is_new] = by_name_.try_emplace(target.raw_name, motions_.size());
        if (is_new) {
            clamp(target, weights);
            motions_.push_back({&target, std::move(weights)});
        } else if (!is_near(motions_[known->second].weights, weights)) {
            differing_.add(target.raw_name);
        }
    }

    void clamp(const MappedTarget& target, Channel& weights) {
        const float low = std::min(target.range_min, target.range_max);
        const float high = std::max(target.range_min, target.range_max);
        bool outside = false;
        const auto fit = [&](float& weight) {
            const float fitted = std::clamp(weight, low, high);
            outside = outside || fitted != weight;
            weight = fitted;
        };
        fit(weights.pose[0]);
        for (float& weight : weights.values) fit(weight);
        if (outside) clamped_.add(target.raw_name);
    }

    void note(const NameList& names, const Code& code, std::string message = {}) {
        if (!names.empty()) build_.note(code, std::move(message), names.text());
    }

    MotionBuild& build_;
    ChannelMaker maker_;
    std::vector<TargetMotion> motions_;
    std::unordered_map<std::string_view, std::size_t> by_name_;
    NameList lost_, differing_, clamped_;
};

void fill(std::vector<TargetMotion>& motions, float duration) {
    float last = 0;
    for (const TargetMotion& motion : motions) {
        if (motion.weights.keyed()) last = std::max(last, motion.weights.times.back());
    }
    if (motions.empty() || !std::isfinite(duration) || !(last < duration)) return;
    const auto keyed =
        std::find_if(motions.begin(), motions.end(), [](const TargetMotion& motion) { return motion.weights.keyed(); });
    hold_until((keyed == motions.end() ? motions.front() : *keyed).weights, duration);
}

using PhonemeSets = std::map<std::string, std::uint32_t>;

/// `old`: what the old file says of targets.
xpm::Submotion submotion_of(const TargetMotion& motion, const PhonemeSets& old) {
    xpm::Submotion submotion;
    submotion.name = motion.target->raw_name;
    const auto told = old.find(motion.target->old_name.value_or(submotion.name));
    submotion.phoneme_set = told == old.end() ? motion.target->phoneme_sets : told->second;
    submotion.min_weight = std::min(motion.target->range_min, motion.target->range_max);
    submotion.max_weight = std::max(motion.target->range_min, motion.target->range_max);
    submotion.pose_weight = motion.weights.pose[0];
    submotion.keys =
        weight_keys(motion.weights.times, motion.weights.values, 0, 1, submotion.min_weight, submotion.max_weight);
    return submotion;
}

/// What meshes that are seen and that the clip does not move have at rest, by names of targets.
std::map<std::string_view, float> still_weights(const MotionBuild& build) {
    std::map<std::string_view, float> still;
    const std::vector<bool> hidden = hidden_nodes(build.scene);
    for (Index i = 0; i < build.scene.nodes.size(); ++i) {
        const Node& node = build.scene.nodes[i];
        if (hidden[i] || node.collision || node.mesh >= build.map.targets.size()) continue;
        if (build.find(i, TrackPath::weights) != nullptr) continue;
        const std::vector<float>& weights = build.scene.meshes[node.mesh].weights;
        const auto& targets = build.map.targets[node.mesh];
        for (std::size_t t = 0; t < targets.size(); ++t)
            still.try_emplace(targets[t].raw_name, t < weights.size() ? weights[t] : 0.0F);
    }
    return still;
}

/// Whether the track ever gives the target another weight.
bool moves_from(const Track& track, std::size_t target, std::size_t count, float weight) {
    const std::size_t step = track.interpolation == Interpolation::cubic_spline ? 3 * count : count;
    const std::size_t first = step == count ? target : count + target;
    constexpr float tolerance = 1e-3F;
    for (std::size_t i = first; i < track.values.size(); i += step) {
        if (std::fabs(track.values[i] - weight) > tolerance) return true;
    }
    return false;
}

}  // namespace

void note_still_weights(MotionBuild& build) {
    const std::map<std::string_view, float> still = still_weights(build);
    if (still.empty()) return;
    std::set<std::string_view> differing;
    for (const Track& track : build.clip->tracks) {
        const std::size_t count = track.path == TrackPath::weights ? components_of(build.scene, track) : 0;
        if (count == 0) continue;
        const Index mesh = build.scene.nodes[track.node].mesh;
        if (mesh >= build.map.targets.size() || build.map.targets[mesh].size() != count) continue;
        for (std::size_t i = 0; i < count; ++i) {
            const auto found = still.find(build.map.targets[mesh][i].raw_name);
            if (found != still.end() && moves_from(track, i, count, found->second)) differing.insert(found->first);
        }
    }
    NameList names;
    for (const std::string_view name : differing) names.add(std::string(name));
    if (!names.empty()) build.note(codes::motion_weights_differ, share_names, names.text());
}

std::optional<xpm::File> new_morph_motion(MotionBuild& build, const Json* record) {
    WeightMaker maker(build);
    for (const Track& track : build.clip->tracks) {
        if (track.path == TrackPath::weights) maker.add(track);
    }
    std::vector<TargetMotion> motions = maker.take();
    if (motions.empty()) return std::nullopt;
    fill(motions, build.clip->duration);
    std::vector<xpm::Submotion> others;
    PhonemeSets phoneme_sets;
    xpm::File file = morph_motion_frame(build, record, others, phoneme_sets);
    xpm::Submotions list;
    for (const TargetMotion& motion : motions) list.submotions.push_back(submotion_of(motion, phoneme_sets));
    for (xpm::Submotion& other : others) list.submotions.push_back(std::move(other));
    insert_submotions(file, {102, 1, std::nullopt, std::move(list), {}});
    (void)set_wrapped_size(file.wrapper_head, file, false);
    return file;
}

}  // namespace effigy::emfx::bridge
