/// Differences of clips: both motions compared at all keys and halfway between them.

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <map>
#include <optional>

#include "effigy/diff_codes.hpp"
#include "effigy/scene_access.hpp"

#include "core/lists.hpp"
#include "core/text.hpp"
#include "diff/compare.hpp"
#include "scene/wide_math.hpp"

namespace effigy::diff {

namespace {

/// A node's track at any time; the rest where nothing moves it.
class Sampler {
public:
    Sampler(const Track* track, const Scene& scene, const ClipRules& rules, std::vector<float> rest)
        : rest_(std::move(rest)), values_(rest_.size()) {
        if (track != nullptr) track_.emplace(*track, value_width(scene, *track), rules);
    }

    [[nodiscard]] std::span<const float> times() const {
        return track_ ? std::span<const float>(track_->track().times) : std::span<const float>();
    }
    [[nodiscard]] double largest() const {
        double most = 0;
        if (track_) {
            for (const float value : track_->track().values) most = std::max(most, distance(value, 0));
        }
        for (const float value : rest_) most = std::max(most, distance(value, 0));
        return std::isfinite(most) ? most : 0;
    }

    const std::vector<float>& at(double time) {
        if (!track_) return rest_;
        exact_.resize(track_->width());
        track_->at(std::max(time, 0.0), exact_);
        std::transform(exact_.begin(), exact_.end(), values_.begin(), [](double value) { return narrow(value); });
        return values_;
    }

private:
    std::optional<TrackSampler> track_;
    std::vector<float> rest_, values_;
    std::vector<double> exact_;
};

double angle(const std::vector<float>& a, const std::vector<float>& b) {
    if (a == b) return 0;
    return angle_between(glm::normalize(wide(Quat{a[0], a[1], a[2], a[3]})),
                         glm::normalize(wide(Quat{b[0], b[1], b[2], b[3]})));
}

std::string text(const std::vector<float>& values) {
    std::string all;
    for (const float value : values) all += (all.empty() ? "" : ", ") + shown(value);
    return "(" + all + ")";
}

/// One scene's clip, by node.
class Side {
public:
    Side(const Scene& scene, const Clip& clip) : scene_(scene), clip_(clip) {
        for (const Track& track : clip.tracks) {
            if (value_width(scene, track) != 0) tracks_.try_emplace({track.node, track.path}, &track);
        }
    }

    [[nodiscard]] const Track* track(Index node, TrackPath path) const {
        const auto found = tracks_.find({node, path});
        return found != tracks_.end() ? found->second : nullptr;
    }
    [[nodiscard]] Sampler sampler(Index node, TrackPath path) const {
        return {track(node, path), scene_, clip_.rules, rest(node, path)};
    }
    /// Of rotations 4 numbers, of translations and scales 3, else the weights.
    [[nodiscard]] std::vector<float> rest(Index node, TrackPath path) const {
        const Transform& local = scene_.nodes[node].local;
        if (path == TrackPath::translation) return {local.translation.x, local.translation.y, local.translation.z};
        if (path == TrackPath::scale) return {local.scale.x, local.scale.y, local.scale.z};
        if (path == TrackPath::rotation)
            return {local.rotation.x, local.rotation.y, local.rotation.z, local.rotation.w};
        const Index mesh = scene_.nodes[node].mesh;
        if (mesh >= scene_.meshes.size()) return {};
        std::vector<float> weights = scene_.meshes[mesh].weights;
        weights.resize(scene_.meshes[mesh].targets.size());
        return weights;
    }
    [[nodiscard]] const ClipRules& rules() const { return clip_.rules; }
    [[nodiscard]] const Scene& scene() const { return scene_; }

private:
    const Scene& scene_;
    const Clip& clip_;
    std::map<std::pair<Index, TrackPath>, const Track*> tracks_;
};

class ClipComparison {
public:
    ClipComparison(Comparison& all, Side a, Side b, std::string path)
        : all_(all), a_(std::move(a)), b_(std::move(b)), path_(std::move(path)) {}

    Result<void> run() {
        for (const Index node : all_.tree_a.order) {
            const Index other = all_.nodes.to_b[node];
            if (other == no_index) continue;
            for (const TrackPath path :
                 {TrackPath::translation, TrackPath::rotation, TrackPath::scale, TrackPath::weights}) {
                if (auto done = compare(node, other, path); !done) return done;
            }
        }
        return {};
    }

private:
    Result<void> compare(Index node_a, Index node_b, TrackPath path) {
        if (a_.track(node_a, path) == nullptr && b_.track(node_b, path) == nullptr) return {};
        const std::vector<std::size_t> order = order_of(node_a, node_b, path);
        if (order.empty() && path == TrackPath::weights) return {};
        if (is_same(a_.track(node_a, path), b_.track(node_b, path), order)) return {};
        Sampler a = a_.sampler(node_a, path), b = b_.sampler(node_b, path);
        const std::uint64_t max_times = 2 * (a.times().size() + b.times().size() + 2);
        if (auto done = all_.take(max_times, sizeof(double)); !done) return done;
        const std::vector<double> times = times_of(a, b, path);
        report(node_a, path, a, b, times, order);
        all_.budget.give_back(max_times * sizeof(double));
        return {};
    }

    /// Whether both have the same keys, which have not to be sampled then.
    [[nodiscard]] bool is_same(const Track* a, const Track* b, const std::vector<std::size_t>& order) const {
        const auto in_order = [&] {
            for (std::size_t i = 0; i < order.size(); ++i) {
                if (order[i] != i) return false;
            }
            return true;
        };
        return a != nullptr && b != nullptr && a_.rules() == b_.rules() && a->interpolation == b->interpolation &&
               in_order() && same_bytes(a->times, b->times) && same_bytes(a->values, b->values);
    }

    /// For each of the first one's morph targets the second one's; SIZE_MAX where there is none.
    [[nodiscard]] std::vector<std::size_t> order_of(Index node_a, Index node_b, TrackPath path) const {
        if (path != TrackPath::weights) return {};
        const Index mesh_a = a_.scene().nodes[node_a].mesh, mesh_b = b_.scene().nodes[node_b].mesh;
        if (mesh_a >= a_.scene().meshes.size() || mesh_b >= b_.scene().meshes.size()) return {};
        const Match match =
            match_names(names_of(a_.scene().meshes[mesh_a].targets), names_of(b_.scene().meshes[mesh_b].targets));
        std::vector<std::size_t> order;
        for (const Index other : match.to_b) order.push_back(other == no_index ? SIZE_MAX : other);
        return order;
    }

    /// All keys, and where both sides go from one to the next by one rule, the middles between them.
    [[nodiscard]] std::vector<double> times_of(const Sampler& a, const Sampler& b, TrackPath path) const {
        std::vector<double> times;
        times.insert(times.end(), a.times().begin(), a.times().end());
        times.insert(times.end(), b.times().begin(), b.times().end());
        const bool same_start = a_.rules().last_before_first == b_.rules().last_before_first;
        if (same_start) times.push_back(0);
        std::sort(times.begin(), times.end());
        times.erase(std::unique(times.begin(), times.end()), times.end());
        if (!same_start) {
            double start = 0;
            for (const auto own : {a.times(), b.times()})
                start = own.empty() ? start : std::max(start, double{own.front()});
            times.erase(times.begin(), std::lower_bound(times.begin(), times.end(), start));
        }
        if (path == TrackPath::rotation && a_.rules().rotation != b_.rules().rotation) return times;
        const std::size_t keys = times.size();
        for (std::size_t i = 1; i < keys; ++i) times.push_back((times[i - 1] + times[i]) / 2);
        std::sort(times.begin(), times.end());
        return times;
    }

    [[nodiscard]] static double apart(TrackPath path, const std::vector<float>& a, const std::vector<float>& b,
                                      const std::vector<std::size_t>& order) {
        if (path == TrackPath::rotation) return angle(a, b);
        double most = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const std::size_t other = order.empty() ? i : i < order.size() ? order[i] : SIZE_MAX;
            if (other < b.size()) most = std::max(most, distance(a[i], b[other]));
        }
        return most;
    }

    [[nodiscard]] double tolerance(TrackPath path, const Sampler& a, const Sampler& b) const {
        const DiffTolerances& tolerances = all_.findings.tolerances();
        const double most = std::max(a.largest(), b.largest());
        if (path == TrackPath::translation) return tolerances.position * std::max(all_.size(), most);
        if (path == TrackPath::rotation) return tolerances.rotation;
        return path == TrackPath::scale ? tolerances.scale * most : tolerances.weight;
    }

    void report(Index node, TrackPath path, Sampler& a, Sampler& b, const std::vector<double>& times,
                const std::vector<std::size_t>& order) {
        const double allowed = tolerance(path, a, b);
        std::size_t count = 0;
        double largest = 0, when = 0;
        for (const double time : times) {
            const double by = apart(path, a.at(time), b.at(time), order);
            if (by <= allowed || by <= allowed + nearby(path, a, b, time)) continue;
            ++count;
            if (by <= largest) continue;
            largest = by;
            when = time;
        }
        if (count == 0) return;
        static constexpr std::array<const char*, 4> names{"translation", "rotation", "scale", "morph weights"};
        const char* const unit = path == TrackPath::rotation ? " radians" : "";
        all_.findings.add(
            codes::diff_track, path_ + " / " + all_.node_path(node) + " / " + names[static_cast<std::size_t>(path)],
            "the motion differs at " + counted(count, "moment", "moments") + " of " + std::to_string(times.size()) +
                ", by up to " + shown(largest) + unit + " at " + shown(when) + " s",
            text(a.at(when)), text(b.at(when)));
    }

    /// How far either side moves within the tolerance of times.
    [[nodiscard]] double nearby(TrackPath path, Sampler& a, Sampler& b, double time) const {
        const double step = all_.findings.tolerances().time;
        if (step == 0) return 0;
        double most = 0;
        for (Sampler* side : {&a, &b}) {
            const std::vector<float> before = side->at(time - step), after = side->at(time + step);
            most = std::max(most, apart(path, before, after, {}));
        }
        return most;
    }

    Comparison& all_;
    Side a_, b_;
    std::string path_;
};

}  // namespace

Result<void> compare_clips(Comparison& all) {
    for (std::size_t i = 0; i < all.clips.to_b.size(); ++i) {
        const Clip& a = all.a.clips[i];
        const std::string path = object_path("clips", i, a.name);
        if (all.clips.to_b[i] == no_index) {
            all.findings.add(codes::diff_clip, path, "the second has no such clip", "a clip", "nothing");
            continue;
        }
        const Clip& b = all.b.clips[all.clips.to_b[i]];
        all.findings.text(codes::diff_name, path, "the name", a.name, b.name);
        all.findings.number(codes::diff_duration, path, "the duration in seconds", a.duration, b.duration,
                            all.findings.tolerances().time);
        ClipComparison clips(all, Side(all.a, a), Side(all.b, b), path);
        if (auto done = clips.run(); !done) return done;
    }
    for (std::size_t i = 0; i < all.clips.to_a.size(); ++i) {
        if (all.clips.to_a[i] != no_index) continue;
        all.findings.add_gain(codes::diff_clip, object_path("clips", i, all.b.clips[i].name),
                              "the first has no such clip", "a clip");
    }
    return {};
}

}  // namespace effigy::diff
