/// Keys put into rotation tracks so that glTF's slerp follows clips that rotate by other rules.

#include "gltf/write/fit_rotations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <limits>

#include "scene/by_angle.hpp"
#include "scene/wide_math.hpp"

namespace effigy::gltf {
namespace {

/// The way from one key to the next by angle or by nlerp. It never leaves the plane of both, so that one number says
/// where it is: the angle from the first key, half the one that it turns by. A reader's number grows evenly.
class Arc {
public:
    Arc(const Quat& from, const Quat& to, RotationRule rule)
        : is_straight_(rule == RotationRule::nlerp),
          cosine_(std::fabs(product_of(from, to))),
          from_(wide(from)),
          to_(wide(to)) {
        if (from == to) return;
        from_length_ = glm::length(from_);
        to_length_ = glm::length(to_);
        if (from_length_ == 0 || to_length_ == 0) return;
        from_ /= from_length_;
        to_ /= to_length_;
        if (is_straight_) from_length_ = to_length_ = 1;
        const double product = glm::dot(from_, to_);
        if (product_of(from, to) < 0) to_ = -to_;
        const glm::dquat across = to_ - from_ * std::fabs(product);
        const double sine = glm::length(across);
        if (sine == 0) return;
        across_ = across / sine;
        far_along_ = to_length_ * std::fabs(product);
        far_across_ = to_length_ * sine;
    }

    [[nodiscard]] bool turns() const noexcept { return far_across_ > 0; }
    /// Both ways are as long, so far as readers' floats can tell.
    [[nodiscard]] bool is_half_turn() const noexcept { return turns() && far_along_ < 1e-5 * to_length_; }

    [[nodiscard]] double phase(double part) const noexcept {
        const auto factors =
            is_straight_ ? MixFactors<double>{1 - part, part} : factors_by_angle(static_cast<double>(cosine_), part);
        return std::atan2(factors.to * far_across_, factors.from * from_length_ + factors.to * far_along_);
    }
    /// Of unit length.
    [[nodiscard]] glm::dquat at(double part) const noexcept {
        const double angle = phase(part);
        return from_ * std::cos(angle) + across_ * std::sin(angle);
    }

private:
    bool is_straight_;
    float cosine_;
    glm::dquat from_, to_;
    glm::dquat across_{0, 0, 0, 0};
    double from_length_ = 1, to_length_ = 1;
    double far_along_ = 1, far_across_ = 0;  ///< the second key, along the first one and across
};

/// No less than error_between() finds on the whole way, or infinity where that must be looked at. A way of x is off by
/// a thirtieth of x to the third, and by half of x times how much one length is more than the other.
double error_bound(const Quat& from, const Quat& to, RotationRule rule) {
    const glm::dquat a = wide(from), b = wide(to);
    const double begin = glm::dot(a, a), end = glm::dot(b, b), product = glm::dot(a, b);
    const double square_of_sine = 1 - product * product / (begin * end);
    const double longer = rule == RotationRule::nlerp ? 0 : std::fabs(end / begin - 1);
    constexpr double near = 0.01;
    if (!(square_of_sine < near && longer < near)) return std::numeric_limits<double>::infinity();
    return std::sqrt(std::max(square_of_sine, 0.0)) * (square_of_sine / 28 + longer * 0.3);
}

/// How far a reader is off between two parts of the way at which it has keys, looked at in so many steps: the whole way
/// bends to both sides, a piece of it is worst near its middle.
double error_between(const Arc& arc, double begin, double end, int steps) {
    const double first = arc.phase(begin);
    const double last = arc.phase(end);
    double worst = 0;
    for (int i = 1; i < steps; ++i) {
        const double way = static_cast<double>(i) / steps;
        const double phase = arc.phase(begin + way * (end - begin));
        worst = std::max(worst, std::fabs(phase - first - way * (last - first)));
    }
    return 2 * worst;
}

/// The error of a piece is its curvature times the square of its length, so that pieces are best which hold the same
/// sum of the curvature's root.
class Curvature {
public:
    explicit Curvature(const Arc& arc) {
        std::array<double, nodes> phases{};
        for (std::size_t i = 0; i < nodes; ++i) phases[i] = arc.phase(static_cast<double>(i) / (nodes - 1));
        double before = 0;
        for (std::size_t i = 1; i < nodes; ++i) {
            const std::size_t middle = std::clamp<std::size_t>(i, 1, nodes - 2);
            const double bend = phases[middle - 1] - 2 * phases[middle] + phases[middle + 1];
            const double root = std::sqrt(2 * std::fabs(bend));  // times the square of the step, which is left out
            sums_[i] = sums_[i - 1] + (i == 1 ? root : (before + root) / 2);
            before = root;
        }
    }

    /// Pieces that are needed for errors below `tolerance`.
    [[nodiscard]] double pieces(double tolerance) const noexcept { return sums_.back() / std::sqrt(8 * tolerance); }

    /// Where the sum has reached a part of the whole.
    [[nodiscard]] double place(double part) const noexcept {
        const double wanted = part * sums_.back();
        const auto next = std::upper_bound(sums_.begin() + 1, sums_.end() - 1, wanted);
        const auto index = static_cast<double>(next - sums_.begin());
        const double step = *next - *(next - 1);
        return (index - 1 + (step > 0 ? (wanted - *(next - 1)) / step : 0)) / (nodes - 1);
    }

private:
    static constexpr std::size_t nodes = 65;
    std::array<double, nodes> sums_{};
};

constexpr int max_tries = 6;

/// The rest is for keys that are rounded to floats.
constexpr double tolerance_before_rounding(double tolerance) noexcept {
    return std::max(tolerance - 1e-6, tolerance / 2);
}

Quat value_at(const Track& track, std::size_t key) noexcept {
    const float* const v = track.values.data() + 4 * key;
    return {v[0], v[1], v[2], v[3]};
}

/// Keys of one track as they are made.
class Fitter {
public:
    Fitter(const Track& track, std::size_t max_inserted, double tolerance, RotationRule rule, double share)
        : track_(track), room_(max_inserted), tolerance_(tolerance), rule_(rule), share_(share) {
        fitted_.times.reserve(track.times.size());
        fitted_.values.reserve(track.values.size());
    }

    FittedTrack run() {
        for (std::size_t key = 0; key < track_.times.size(); ++key) {
            if (key > 0 && track_.interpolation == Interpolation::linear) add_between(key - 1);
            const glm::dquat q = wide(value(key));
            if (rule_ == RotationRule::nlerp) {
                add(track_.times[key], q);
                continue;
            }
            // By the rule's own product: half a turn goes the way of the track's signs, which the written keys can
            // lack.
            if (key > 0 ? product_of(value(key - 1), value(key)) < 0 : q.w < 0) sign_ = -sign_;
            const double length = glm::length(q);
            add(track_.times[key], length > 0 ? q / length : glm::dquat(1, 0, 0, 0));
        }
        return std::move(fitted_);
    }

private:
    [[nodiscard]] Quat value(std::size_t key) const { return value_at(track_, key); }

    void add(float time, const glm::dquat& q) {
        fitted_.times.push_back(time);
        for (const double number : {q.x, q.y, q.z, q.w}) fitted_.values.push_back(static_cast<float>(sign_ * number));
    }

    void add_between(std::size_t key) {
        // Most keys of most motions are so near that nothing needs to be looked at.
        if (const double bound = error_bound(value(key), value(key + 1), rule_); bound < tolerance_ / 100) {
            fitted_.error = std::max(fitted_.error, bound);
            return;
        }
        const Arc arc(value(key), value(key + 1), rule_);
        if (!arc.turns()) return;
        const double tolerance = tolerance_before_rounding(tolerance_);
        std::vector<double> parts{0, 1};
        double error = error_between(arc, 0, 1, room_ == 0 ? 64 : 8);
        if (error > tolerance && room_ != 0) {
            const Curvature curvature(arc);
            double pieces = std::ceil(std::max(curvature.pieces(tolerance), 2.0));
            constexpr auto any = static_cast<double>(max_pieces);
            const double most = share_ < 1 ? 1 + std::round(share_ * (std::min(pieces, any) - 1)) : any;
            for (int i = 0; i < max_tries && error > tolerance; ++i) {
                pieces = std::min(pieces, most);
                if (pieces < 2 || pieces - 1 > static_cast<double>(room_ - fitted_.inserted)) break;
                parts = places(curvature, key, pieces);
                error = max_error(arc, parts);
                if (pieces >= most) break;
                pieces = std::ceil(pieces * 1.125);
            }
        }
        // Rounding would choose a reader's way.
        if (parts.size() == 2 && arc.is_half_turn() && room_ > fitted_.inserted) parts = halves(key);
        fitted_.error = std::max(fitted_.error, error);
        fitted_.inserted += parts.size() - 2;
        const auto inserted = static_cast<std::uint32_t>(parts.size() - 2);
        if (inserted != 0) fitted_.places.emplace_back(static_cast<std::uint32_t>(key), inserted);
        for (std::size_t i = 1; i + 1 < parts.size(); ++i) add(time_at(key, parts[i]), arc.at(parts[i]));
    }

    /// Likewise, where a float is between.
    [[nodiscard]] std::vector<double> halves(std::size_t key) const {
        const float begin = track_.times[key], middle = time_at(key, 0.5), end = track_.times[key + 1];
        if (!(middle > begin && middle < end)) return {0, 1};
        return {0, (static_cast<double>(middle) - begin) / (static_cast<double>(end) - begin), 1};
    }

    [[nodiscard]] float time_at(std::size_t key, double part) const {
        const double begin = track_.times[key];
        return static_cast<float>(begin + part * (static_cast<double>(track_.times[key + 1]) - begin));
    }

    /// Parts of the way that stand at times that floats can tell apart.
    [[nodiscard]] std::vector<double> places(const Curvature& curvature, std::size_t key, double pieces) const {
        const float begin = track_.times[key];
        const float end = track_.times[key + 1];
        std::vector<double> parts{0};
        float last = begin;
        for (int i = 1; i < pieces; ++i) {
            const float time = time_at(key, curvature.place(i / pieces));
            if (!(time > last && time < end)) continue;
            last = time;
            parts.push_back((static_cast<double>(time) - begin) / (static_cast<double>(end) - begin));
        }
        parts.push_back(1);
        return parts;
    }

    [[nodiscard]] static double max_error(const Arc& arc, const std::vector<double>& parts) {
        double worst = 0;
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
            worst = std::max(worst, error_between(arc, parts[i], parts[i + 1], 4));
        }
        return worst;
    }

    const Track& track_;
    std::size_t room_;
    double tolerance_;
    RotationRule rule_;
    double share_;
    FittedTrack fitted_;
    double sign_ = 1;  ///< of what is written, as against the track; of nlerp's keys, which stay, always 1
};

}  // namespace

bool needs_fitting(const Clip& clip, const Track& track) noexcept {
    const RotationRule rule = clip.rules.rotation;
    if (rule == RotationRule::slerp || track.path != TrackPath::rotation ||
        track.interpolation == Interpolation::cubic_spline || track.values.size() != 4 * track.times.size())
        return false;
    if (rule == RotationRule::by_angle) return true;
    // Closer ones are off by at most a thirtieth of the third power of half their angle: below the tolerance.
    constexpr float near = 0.9966f;
    for (std::size_t key = 1; track.interpolation == Interpolation::linear && key < track.times.size(); ++key) {
        if (std::fabs(product_of(value_at(track, key - 1), value_at(track, key))) < near) return true;
    }
    return false;
}

FittedTrack fit_rotations(const Track& track, std::size_t max_inserted, double tolerance, RotationRule rule,
                          double share) {
    return Fitter(track, max_inserted, tolerance, rule, share).run();
}

double keys_needed(const Track& track, RotationRule rule) {
    const double tolerance = tolerance_before_rounding(fit_tolerance);
    double sum = 0;
    for (std::size_t key = 1; track.interpolation == Interpolation::linear && key < track.times.size(); ++key) {
        const Quat from = value_at(track, key - 1), to = value_at(track, key);
        if (error_bound(from, to, rule) < tolerance / 100) continue;
        const Arc arc(from, to, rule);
        if (!arc.turns()) continue;
        const double pieces = std::ceil(Curvature(arc).pieces(tolerance));
        sum += std::clamp(pieces, 1.0, static_cast<double>(max_pieces)) - 1;
    }
    constexpr double again = 1.125;  // of those that the first try does not do for
    return sum * again;
}

}  // namespace effigy::gltf
