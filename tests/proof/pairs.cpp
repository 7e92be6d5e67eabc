/// Chooses moments to measure, keys among them.

#include "proof/pairs.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace pairs {
namespace {

void sort_once(std::vector<double>& times) {
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
}

template <class T>
void add_times(const std::vector<oracle::Key<T>>& keys, std::vector<double>& times) {
    for (const auto& key : keys) times.push_back(key.time);
}

bool has_key(const std::vector<oracle::Key<oracle::Quat>>& keys, double time) {
    return keys.empty() || time >= keys.back().time ||
           std::ranges::any_of(keys, [&](const auto& key) { return key.time == time; });
}

}  // namespace

std::vector<double> some_of(const std::vector<double>& all, std::size_t most) {
    if (all.size() <= most) return all;
    std::vector<double> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * (all.size() - 1) / (most - 1)]);
    return some;
}

Timing timing_of(const oracle::Actor& actor, const oracle::Motion& motion, std::size_t most) {
    std::vector<double> all{0};
    for (const oracle::Submotion& submotion : motion.submotions) {
        if (!moves(actor, submotion)) continue;
        add_times(submotion.positions, all);
        add_times(submotion.rotations, all);
        add_times(submotion.scales, all);
        add_times(submotion.scale_rotations, all);
    }
    sort_once(all);
    // Times of several tracks that only differ by what subtracting floats leaves: what is seen between them, where
    // tracks may jump, is nobody's meaning.
    constexpr double rounding = 1e-5;
    std::vector<double> keys, halfway;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool after = i > 0 && all[i] - all[i - 1] < rounding;
        const bool before = i + 1 < all.size() && all[i + 1] - all[i] < rounding;
        if (!after && !before) keys.push_back(all[i]);
        if (!before && i + 1 < all.size()) halfway.push_back(0.5 * (all[i] + all[i + 1]));
    }
    return {some_of(keys, most), some_of(halfway, most)};
}

bool moves(const oracle::Actor& actor, const oracle::Submotion& submotion) {
    return std::ranges::find(actor.nodes, submotion.name, &oracle::Node::name) != actor.nodes.end();
}

bool exact_at(const oracle::Actor& actor, const oracle::Motion& motion, double time) {
    return std::ranges::all_of(motion.submotions, [&](const oracle::Submotion& submotion) {
        return !moves(actor, submotion) ||
               (has_key(submotion.rotations, time) && has_key(submotion.scale_rotations, time));
    });
}

std::vector<double> sampled_instants(double duration, std::size_t most) {
    std::vector<double> times;
    for (int k = 0; k / rate < duration; ++k) times.push_back(static_cast<double>(static_cast<float>(k / rate)));
    times.push_back(duration);
    return some_of(times, most);
}

double reach(const std::vector<oracle::Mat4>& world) {
    oracle::Vec3 low(world.at(0)[3]), high = low;
    for (const oracle::Mat4& node : world) {
        low = glm::min(low, oracle::Vec3(node[3]));
        high = glm::max(high, oracle::Vec3(node[3]));
    }
    return glm::length(high - low);
}

void each_moved_actor(const UseActor& use) {
    std::vector<FittingMotion> motions;
    for (const corpus::File* file : corpus::files_of("XSM "))
        motions.push_back({file, oracle::read_motion(file->bytes), "motion" + std::to_string(motions.size())});
    for (const corpus::File* file : corpus::files_of("XAC ")) {
        SCOPED_TRACE(file->path.string());
        const oracle::Actor actor = oracle::read_actor(file->bytes);
        std::vector<const FittingMotion*> fitting;
        convert::Input input{{file->bytes}, {}, {}};
        for (const FittingMotion& motion : motions) {
            if (!oracle::fits(actor, motion.motion)) continue;
            fitting.push_back(&motion);
            input.motions.push_back({motion.stem, motion.file->bytes});
        }
        if (!fitting.empty()) use(*file, actor, fitting, input);
    }
}

std::vector<Variant> variants() {
    using synthetic::Scales;
    std::vector<Variant> all;
    const auto add = [&](const char* name, int order, Scales scales, bool packed, bool single, bool big_endian) {
        const auto seed = static_cast<unsigned>(20 + all.size());
        all.push_back({name,
                       {seed, big_endian, order, scales, true, false, single, false},
                       {seed + 100, big_endian, order, packed, single, scales, false, 0.1, 0.5}});
    };
    add("uniform", 0, Scales::uniform, false, false, false);
    add("uniform_rotation_first", 1, Scales::uniform, true, false, false);
    add("packed_big_endian", 0, Scales::uniform, true, false, true);
    add("single_chunks", 0, Scales::uniform, false, true, false);
    add("single_chunks_packed", 1, Scales::uniform, true, true, true);
    add("stretched_scale_first", 0, Scales::stretched, false, false, false);
    add("stretched_rotation_first", 1, Scales::stretched, false, false, true);
    add("turned_scale_first", 0, Scales::turned, false, false, false);
    add("turned_rotation_first", 1, Scales::turned, true, false, false);
    return all;
}

}  // namespace pairs
