#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <optional>

#include "effigy/playback.hpp"

#include "core/text.hpp"
#include "diff/compare.hpp"
#include "scene/wide_math.hpp"

namespace effigy::diff {

namespace {

using playback::Animation;
using playback::Channel;

/// The numbers of one joint's track, or of one node's morph weights, at any time; the rest where nothing moves it.
class Sampler {
public:
    /// `rest`: of rotations 4 numbers, of translations and scales 3, else the weights.
    Sampler(TrackPath path, const Channel* channel, const ClipRules& rules, double duration, std::vector<float> rest)
        : path_(path), rest_(std::move(rest)) {
        pose_.resize(1);
        still_.resize(1);
        still_.translations[0] = {};
        still_.rotations[0] = {};
        still_.scales[0] = {1, 1, 1};
        if (path == TrackPath::weights) weights_.resize(rest_.size());
        animation_.rules = rules;
        animation_.duration = static_cast<float>(duration);
        if (channel == nullptr) return;
        times_ = channel->times;
        keys_ = channel->values;
        Channel own = *channel;
        own.target = 0;
        list().push_back(own);
        context_.emplace(animation_);
    }

    [[nodiscard]] std::span<const float> times() const { return times_; }
    [[nodiscard]] double largest() const {
        double most = 0;
        for (const float value : keys_) most = std::max(most, distance(value, 0));
        for (const float value : rest_) most = std::max(most, distance(value, 0));
        return std::isfinite(most) ? most : 0;
    }

    const std::vector<float>& at(double time) {
        if (!context_) return rest_;
        playback::SampleJob job;
        job.animation = &animation_;
        job.context = &*context_;
        job.time = time;
        job.loop = false;
        job.rest = still_.view();
        job.rest_weights = path_ == TrackPath::weights ? std::span<const float>(rest_) : std::span<const float>();
        job.pose = pose_.span();
        job.weights = weights_;
        job.kernel = playback::Kernel::scalar;
        if (!job.run()) return rest_;
        take_values();
        return values_;
    }

private:
    std::vector<Channel>& list() {
        return path_ == TrackPath::translation ? animation_.translations
               : path_ == TrackPath::rotation  ? animation_.rotations
               : path_ == TrackPath::scale     ? animation_.scales
                                               : animation_.weights;
    }
    void take_values() {
        const Vec3 &place = pose_.translations[0], &scale = pose_.scales[0];
        const Quat& turn = pose_.rotations[0];
        if (path_ == TrackPath::translation) values_ = {place.x, place.y, place.z};
        if (path_ == TrackPath::rotation) values_ = {turn.x, turn.y, turn.z, turn.w};
        if (path_ == TrackPath::scale) values_ = {scale.x, scale.y, scale.z};
        if (path_ == TrackPath::weights) values_.assign(weights_.begin(), weights_.end());
    }

    TrackPath path_;
    std::span<const float> times_, keys_;
    Animation animation_;
    std::optional<playback::SampleContext> context_;
    playback::Pose pose_, still_;
    std::vector<float> rest_, values_;
    std::vector<float> weights_;
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
    Side(const Scene& scene, const playback::Skeleton& skeleton, const Clip& clip)
        : scene_(scene), skeleton_(skeleton), animation_(playback::bind(scene, skeleton, clip)) {}

    [[nodiscard]] const Channel* channel(Index node, TrackPath path) const {
        const auto& channels = path == TrackPath::translation ? animation_.translations
                               : path == TrackPath::rotation  ? animation_.rotations
                               : path == TrackPath::scale     ? animation_.scales
                                                              : animation_.weights;
        const Index joint = skeleton_.joints[node];
        const std::uint32_t target = path == TrackPath::weights ? skeleton_.weights[joint] : joint;
        if (path == TrackPath::weights && skeleton_.weights[joint + 1] == target) return nullptr;
        const auto found =
            std::lower_bound(channels.begin(), channels.end(), target,
                             [](const Channel& channel, std::uint32_t wanted) { return channel.target < wanted; });
        return found != channels.end() && found->target == target ? &*found : nullptr;
    }
    [[nodiscard]] std::vector<float> rest(Index node, TrackPath path) const {
        const Transform& local = scene_.nodes[node].local;
        if (path == TrackPath::translation) return {local.translation.x, local.translation.y, local.translation.z};
        if (path == TrackPath::scale) return {local.scale.x, local.scale.y, local.scale.z};
        if (path == TrackPath::rotation)
            return {local.rotation.x, local.rotation.y, local.rotation.z, local.rotation.w};
        const Index joint = skeleton_.joints[node];
        const auto begin = skeleton_.rest_weights.begin();
        return {begin + skeleton_.weights[joint], begin + skeleton_.weights[joint + 1]};
    }
    [[nodiscard]] const ClipRules& rules() const { return animation_.rules; }
    [[nodiscard]] double duration() const { return animation_.duration; }
    [[nodiscard]] const Scene& scene() const { return scene_; }

private:
    const Scene& scene_;
    const playback::Skeleton& skeleton_;
    Animation animation_;
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
        const Channel *const in_a = a_.channel(node_a, path), *const in_b = b_.channel(node_b, path);
        if (in_a == nullptr && in_b == nullptr) return {};
        const std::vector<std::size_t> order = order_of(node_a, node_b, path);
        if (order.empty() && path == TrackPath::weights) return {};
        double duration = std::max(a_.duration(), b_.duration());
        for (const Channel* channel : {in_a, in_b}) {
            if (channel != nullptr) duration = std::max(duration, double{channel->times.back()});
        }
        Sampler a(path, in_a, a_.rules(), duration, a_.rest(node_a, path));
        Sampler b(path, in_b, b_.rules(), duration, b_.rest(node_b, path));
        const std::uint64_t most_times = 2 * (a.times().size() + b.times().size() + 2);
        if (auto done = all_.take(most_times, sizeof(double)); !done) return done;
        const std::vector<double> times = times_of(a, b, path);
        report(node_a, path, a, b, times, order);
        all_.budget.give_back(most_times * sizeof(double));
        return {};
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
        if (path == TrackPath::translation) return tolerances.position * std::max(all_.size, most);
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
            "diff-track", path_ + " / " + all_.node_path(node) + " / " + names[static_cast<std::size_t>(path)],
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
    const playback::Skeleton skeleton_a = playback::make_skeleton(all.a), skeleton_b = playback::make_skeleton(all.b);
    for (std::size_t i = 0; i < all.clips.to_b.size(); ++i) {
        const Clip& a = all.a.clips[i];
        const std::string path = object_path("clips", i, a.name);
        if (all.clips.to_b[i] == no_index) {
            all.findings.add("diff-clip", path, "the second has no such clip", "a clip", "nothing");
            continue;
        }
        const Clip& b = all.b.clips[all.clips.to_b[i]];
        all.findings.text("diff-name", path, "the name", a.name, b.name);
        all.findings.number("diff-duration", path, "the duration in seconds", a.duration, b.duration,
                            all.findings.tolerances().time);
        ClipComparison clips(all, Side(all.a, skeleton_a, a), Side(all.b, skeleton_b, b), path);
        if (auto done = clips.run(); !done) return done;
    }
    for (std::size_t i = 0; i < all.clips.to_a.size(); ++i) {
        if (all.clips.to_a[i] != no_index) continue;
        all.findings.add("diff-clip", object_path("clips", i, all.b.clips[i].name), "the first has no such clip",
                         "nothing", "a clip");
    }
    return {};
}

}  // namespace effigy::diff
