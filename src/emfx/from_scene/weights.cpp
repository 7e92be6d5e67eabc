/// Morph motions made of a clip's tracks.

#include <algorithm>
#include <cmath>

#include "effigy/emfx_codes.hpp"

#include "emfx/file/container_write.hpp"
#include "emfx/from_scene/clip.hpp"
#include "emfx/to_scene/key_codes.hpp"

namespace effigy::emfx::bridge {
namespace {

/// The weights of one target, whatever meshes have it.
struct TargetMotion {
    const MappedTarget* target;
    Channel weights;
};

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
        note(differing_, codes::motion_weights_differ,
             "Meshes, or targets of one mesh, that share a target's name move by different weights, but the name has "
             "only one; the first counts. Give the targets names of their own.");
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

xpm::Submotion submotion_of(const TargetMotion& motion) {
    xpm::Submotion submotion;
    submotion.name = motion.target->raw_name;
    submotion.phoneme_set = motion.target->phoneme_sets;
    submotion.min_weight = std::min(motion.target->range_min, motion.target->range_max);
    submotion.max_weight = std::max(motion.target->range_min, motion.target->range_max);
    submotion.pose_weight = motion.weights.pose[0];
    submotion.keys =
        weight_keys(motion.weights.times, motion.weights.values, 0, 1, submotion.min_weight, submotion.max_weight);
    return submotion;
}

}  // namespace

std::optional<xpm::File> new_morph_motion(MotionBuild& build, const Json* record) {
    WeightMaker maker(build);
    for (const Track& track : build.clip->tracks) {
        if (track.path == TrackPath::weights) maker.add(track);
    }
    std::vector<TargetMotion> motions = maker.take();
    if (motions.empty()) return std::nullopt;
    fill(motions, build.clip->duration);
    std::vector<xpm::Submotion> others;
    xpm::File file = morph_motion_frame(build, record, others);
    xpm::Submotions list;
    for (const TargetMotion& motion : motions) list.submotions.push_back(submotion_of(motion));
    for (xpm::Submotion& other : others) list.submotions.push_back(std::move(other));
    insert_submotions(file, {102, 1, std::nullopt, std::move(list), {}});
    (void)set_wrapped_size(file.wrapper_head, file, false);
    return file;
}

}  // namespace effigy::emfx::bridge
