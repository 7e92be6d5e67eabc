/// Interpolation from one key of a track to the next (lines, arcs, cubic splines), and tracks sampled at any time by
/// the rules of their clip.

#include "scene/between_keys.hpp"

#include <algorithm>
#include <cmath>

#include "effigy/scene_access.hpp"

#include "scene/by_angle.hpp"
#include "scene/wide_math.hpp"

namespace effigy {
namespace {

glm::dquat rotation_of(std::span<const float> q) { return {q[3], q[0], q[1], q[2]}; }
glm::dquat rotation_of(std::span<const double> q) { return {q[3], q[0], q[1], q[2]}; }

void store(const glm::dquat& q, std::span<double> out) {
    out[0] = q.x;
    out[1] = q.y;
    out[2] = q.z;
    out[3] = q.w;
}

/// Below this angle the straight line and the arc are the same in double precision.
constexpr double no_angle = 1e-6;

}  // namespace

glm::dquat unit_rotation(const glm::dquat& rotation) noexcept {
    const double length = glm::length(rotation);
    return std::isfinite(length) && length > 1e-30 ? rotation / length : glm::dquat(1, 0, 0, 0);
}

BetweenKeys::BetweenKeys(std::span<const float> from, std::span<const float> to, TrackPath path, RotationRule rule)
    : from_(from), to_(to), rotates_(path == TrackPath::rotation), rule_(rule) {
    if (!rotates_) return;
    equal_ = std::equal(from.begin(), from.end(), to.begin(), to.end());
    first_ = rotation_of(from);
    last_ = rotation_of(to);
    if (rule != RotationRule::by_angle) {
        first_ = unit_rotation(first_);
        last_ = unit_rotation(last_);
    }
    if (glm::dot(first_, last_) < 0) last_ = -last_;
    cosine_ = glm::dot(first_, last_);
    angle_ = angle_between(unit_rotation(first_), unit_rotation(last_)) / 2;
}

glm::dquat BetweenKeys::rotation_at(double t) const {
    if (equal_) return unit_rotation(first_);
    if (rule_ == RotationRule::by_angle) {
        const auto factors = factors_by_angle(cosine_, t);
        return unit_rotation(first_ * factors.from + last_ * factors.to);
    }
    if (rule_ == RotationRule::nlerp || angle_ < no_angle) return unit_rotation(first_ * (1 - t) + last_ * t);
    return unit_rotation(first_ * std::sin((1 - t) * angle_) + last_ * std::sin(t * angle_));
}

void BetweenKeys::at(double t, std::span<double> out) const {
    if (rotates_) return store(rotation_at(t), out);
    for (std::size_t k = 0; k < out.size(); ++k) {
        const double from = from_[k];
        out[k] = from + t * (static_cast<double>(to_[k]) - from);
    }
}

double BetweenKeys::unevenness() const noexcept {
    if (!rotates_ || equal_ || rule_ == RotationRule::slerp) return 0;
    return angle_ * angle_ * angle_ / 20;  // computed for all steps along straight ways of up to 157 degrees: 1 / 22.8
}

void SegmentSampler::at(double t, std::span<double> out) const {
    if (!keys_.cubic) return line_.at(t, out);
    const auto from = keys_.value(key_), to = keys_.value(key_ + 1);
    const auto leaving = keys_.out_tangent(key_), arriving = keys_.in_tangent(key_ + 1);
    const double rest = 1 - t;
    for (std::size_t k = 0; k < out.size(); ++k) {
        const double begin = from[k], end = to[k];
        const double bend = rest * leaving[k] - t * static_cast<double>(arriving[k]);
        out[k] = rest * rest * (1 + 2 * t) * begin + t * t * (3 - 2 * t) * end + t * rest * seconds_ * bend;
    }
    if (rotates_) store(unit_rotation(rotation_of(out)), out);
}

double difference_of(TrackPath path, std::span<const double> a, std::span<const double> b) noexcept {
    if (path == TrackPath::rotation) {
        return angle_between(unit_rotation(rotation_of(a)), unit_rotation(rotation_of(b)));
    }
    double largest = 0;
    double squares = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const double difference = std::abs(a[k] - b[k]);
        if (!(difference <= largest)) largest = difference;  // what is no number stays one that no bound holds for
        squares += difference * difference;
    }
    return path == TrackPath::weights ? largest : std::sqrt(squares);
}

std::size_t value_width(const Scene& scene, const Track& track) noexcept {
    if (track.node >= scene.nodes.size() || track.times.empty()) return 0;
    std::size_t width = track.path == TrackPath::rotation ? 4 : 3;
    if (track.path == TrackPath::weights) {
        const Index mesh = scene.nodes[track.node].mesh;
        width = mesh < scene.meshes.size() ? scene.meshes[mesh].targets.size() : 0;
    }
    const std::size_t groups = track.interpolation == Interpolation::cubic_spline ? 3 : 1;
    if (track.values.size() != std::uint64_t{track.times.size()} * width * groups) return 0;
    const auto is_finite = [](float value) { return std::isfinite(value); };
    const bool rise =
        std::adjacent_find(track.times.begin(), track.times.end(), std::greater_equal<>()) == track.times.end();
    return rise && std::all_of(track.times.begin(), track.times.end(), is_finite) &&
                   std::all_of(track.values.begin(), track.values.end(), is_finite)
               ? width
               : 0;
}

void TrackSampler::at(double time, std::span<double> out) const {
    const auto& times = track_->times;
    const KeyValues keys{track_->values, width_, track_->interpolation == Interpolation::cubic_spline};
    const auto after = std::upper_bound(times.begin(), times.end(), static_cast<float>(time));
    const auto next = static_cast<std::size_t>(after - times.begin());
    const std::size_t last = times.size() - 1;
    std::size_t key = next == 0 ? (rules_.last_before_first ? last : 0) : next - 1;
    double fraction = 0;
    if (next != 0 && key != last && track_->interpolation != Interpolation::step) {
        const double begin = times[key];
        fraction = std::max(0.0, time - begin) / (static_cast<double>(times[next]) - begin);
    }
    if (fraction > 0) {
        const double seconds = static_cast<double>(times[next]) - static_cast<double>(times[key]);
        return SegmentSampler(keys, key, seconds, track_->path, rules_.rotation).at(fraction, out);
    }
    const auto value = keys.value(key);
    BetweenKeys(value, value, track_->path, rules_.rotation).at(0, out);
}

}  // namespace effigy
