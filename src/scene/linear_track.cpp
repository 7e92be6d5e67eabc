/// Tracks of any interpolation as linear ones, with as many keys as that takes.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <utility>

#include "scene/between_keys.hpp"
#include "scene/keys.hpp"
#include "scene/wide_math.hpp"

namespace effigy {
namespace {

/// A track whose times rise and whose values are numbers.
struct Keys {
    std::size_t components = 0;
    bool cubic = false;
    Bulk<float> times, values;
    std::uint64_t left_out = 0, not_finite = 0;

    [[nodiscard]] KeyValues view() const noexcept { return {values, components, cubic}; }
    [[nodiscard]] std::span<const float> value(std::size_t key) const noexcept { return view().value(key); }
};

Keys usable_keys(const Track& track, std::size_t components) {
    Keys keys;
    keys.components = components;
    keys.cubic = track.interpolation == Interpolation::cubic_spline;
    const std::size_t stride = keys.view().stride();
    const std::size_t count = stride == 0 ? 0 : std::min(track.times.size(), track.values.size() / stride);
    keys.times.reserve(count);
    keys.values.reserve(count * stride);
    for (std::size_t i = 0; i < count; ++i) {
        const float time = track.times[i];
        if (!std::isfinite(time) || (!keys.times.empty() && !(time > keys.times.back()))) {
            ++keys.left_out;
            continue;
        }
        keys.times.push_back(time);
        for (std::size_t k = 0; k < stride; ++k) {
            const float value = track.values[i * stride + k];
            keys.values.push_back(std::isfinite(value) ? value : 0.0f);
            keys.not_finite += std::isfinite(value) ? 0u : 1u;
        }
    }
    return keys;
}

/// Between two keys of the result; `begin` and `end` are parts of the way from key to key.
struct Piece {
    std::size_t key;
    double begin, end;
    double error;
    friend bool operator<(const Piece& a, const Piece& b) noexcept { return a.error < b.error; }
};

/// Splits the worst piece, and again, until all are good or there are keys enough.
class Refiner {
public:
    Refiner(const Keys& keys, TrackPath path, RuleChange rules, double tolerance)
        : keys_(keys), path_(path), rules_(rules), tolerance_(tolerance), wanted_(keys.components) {
        reached_ = wanted_;
        from_.resize(keys.components);
        to_ = from_;
    }

    LinearTrack run(std::size_t max_keys) {
        for (std::size_t key = 0; key < keys_.times.size(); ++key) {
            places_.emplace_back(key, 0);
            if (key + 1 < keys_.times.size()) judge(key, 0, 1);
        }
        while (!pieces_.empty() && places_.size() < max_keys) {
            const Piece worst = pieces_.top();
            pieces_.pop();
            split(worst);
        }
        if (!pieces_.empty()) error_ = std::max(error_, pieces_.top().error);
        std::sort(places_.begin(), places_.end());
        return take();
    }

private:
    static constexpr double min_part = 1.0 / 4096;
    using Place = std::pair<std::size_t, double>;

    [[nodiscard]] SegmentSampler segment(std::size_t key) const {
        const double seconds = static_cast<double>(keys_.times[key + 1]) - static_cast<double>(keys_.times[key]);
        return {keys_.view(), key, seconds, path_, rules_.from};
    }

    void value_at(const SegmentSampler& way, const Place& place, std::span<float> out) {
        way.at(place.second, wanted_);
        std::transform(wanted_.begin(), wanted_.end(), out.begin(), [](double value) { return narrow(value); });
    }

    /// Samples and a margin for what lies between them: a cubic that is 0 at both ends rises above them by less. A
    /// whole way from key to key may have more turns than that.
    double error_of(const SegmentSampler& way, const Place& begin, const Place& end) {
        constexpr double margin = 1.06;
        const int steps = keys_.cubic && end.second - begin.second == 1 ? 24 : 8;
        value_at(way, begin, from_);
        value_at(way, end, to_);
        const BetweenKeys line(from_, to_, path_, rules_.to);
        double worst = 0;
        for (int i = 1; i < steps; ++i) {
            const double fraction = static_cast<double>(i) / steps;
            way.at(begin.second + fraction * (end.second - begin.second), wanted_);
            line.at(fraction, reached_);
            worst = std::max(worst, difference_of(path_, wanted_, reached_));
        }
        return margin * worst;
    }

    void judge(std::size_t key, double begin, double end) {
        const SegmentSampler way = segment(key);
        const double error = error_of(way, {key, begin}, {key, end});
        if (error > tolerance_ && end - begin > min_part) {
            pieces_.push({key, begin, end, error});
        } else {
            error_ = std::max(error_, error);
        }
    }

    [[nodiscard]] float time_at(std::size_t key, double fraction) const {
        if (fraction == 0) return keys_.times[key];
        const double begin = keys_.times[key];
        return static_cast<float>(begin + fraction * (static_cast<double>(keys_.times[key + 1]) - begin));
    }

    /// At a time that floats can tell from both ends.
    void split(const Piece& piece) {
        const double begin = keys_.times[piece.key];
        const double length = static_cast<double>(keys_.times[piece.key + 1]) - begin;
        const float time = time_at(piece.key, (piece.begin + piece.end) / 2);
        const double fraction = (static_cast<double>(time) - begin) / length;
        if (!(fraction > piece.begin && fraction < piece.end)) {
            error_ = std::max(error_, piece.error);
            return;
        }
        places_.emplace_back(piece.key, fraction);
        judge(piece.key, piece.begin, fraction);
        judge(piece.key, fraction, piece.end);
    }

    LinearTrack take() {
        LinearTrack result;
        result.error = error_;
        result.times.resize(places_.size());
        result.values.resize(places_.size() * keys_.components);
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const auto [key, fraction] = places_[i];
            const std::span<float> out = std::span(result.values).subspan(i * keys_.components, keys_.components);
            result.times[i] = time_at(key, fraction);
            if (fraction == 0) {
                std::copy_n(keys_.value(key).begin(), keys_.components, out.begin());
            } else {
                value_at(segment(key), places_[i], out);
            }
        }
        return result;
    }

    const Keys& keys_;
    TrackPath path_;
    RuleChange rules_;
    double tolerance_;
    double error_ = 0;
    std::vector<double> wanted_, reached_;
    std::vector<float> from_, to_;
    std::vector<Place> places_;
    std::priority_queue<Piece> pieces_;
};

/// A value holds until just before the next key, unless that has it as well.
LinearTrack stepped(const Keys& keys) {
    LinearTrack result;
    const auto push = [&](float time, std::span<const float> value) {
        result.times.push_back(time);
        result.values.insert(result.values.end(), value.begin(), value.end());
    };
    for (std::size_t key = 0; key < keys.times.size(); ++key) {
        const auto value = keys.value(key);
        if (key > 0) {
            const auto before = keys.value(key - 1);
            const float time = std::nextafter(keys.times[key], keys.times[key - 1]);
            const bool same = std::equal(value.begin(), value.end(), before.begin(), before.end());
            if (!same && time > keys.times[key - 1]) push(time, before);
        }
        push(keys.times[key], value);
    }
    return result;
}

double magnitude(const Keys& keys) {
    double largest = 0;
    for (std::size_t key = 0; key < keys.times.size(); ++key) {
        for (const float value : keys.value(key)) largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    return largest;
}

/// What is unit but for rounding stays as it is.
void tidy_rotations(LinearTrack& track) {
    constexpr double rounding = 1e-5;
    for (std::size_t i = 0; i < track.times.size(); ++i) {
        const std::span<float> q = std::span(track.values).subspan(4 * i, 4);
        glm::dquat value(q[3], q[0], q[1], q[2]);
        if (!(std::abs(glm::length(value) - 1) <= rounding)) value = unit_rotation(value);
        if (i > 0) {
            const std::span<float> before = std::span(track.values).subspan(4 * (i - 1), 4);
            if (glm::dot(value, glm::dquat(before[3], before[0], before[1], before[2])) < 0) value = -value;
        }
        const Quat narrowed = narrow(value);
        q[0] = narrowed.x;
        q[1] = narrowed.y;
        q[2] = narrowed.z;
        q[3] = narrowed.w;
    }
}

void keep_only(LinearTrack& track, std::size_t components, const std::vector<std::uint32_t>& kept) {
    for (std::size_t i = 0; i < kept.size(); ++i) {
        track.times[i] = track.times[kept[i]];
        std::copy_n(track.values.data() + kept[i] * components, components, track.values.data() + i * components);
    }
    track.times.resize(kept.size());
    track.values.resize(kept.size() * components);
}

/// Gives up precision until there are few enough keys.
void reduce(LinearTrack& track, std::size_t components, TrackPath path, RotationRule rule, double tolerance,
            std::size_t max_keys) {
    std::vector<std::uint32_t> kept(1, 0);
    double error = tolerance;
    if (max_keys >= 2) {
        do {
            kept = keys_to_keep(track.times, track.values, path, components, rule, error);
            if (kept.size() > max_keys) error *= 2;
        } while (kept.size() > max_keys && std::isfinite(error));
    }
    if (kept.size() > max_keys || max_keys < 2) {
        kept.resize(max_keys);
        error = HUGE_VAL;
    }
    track.error += error;
    keep_only(track, components, kept);
}

}  // namespace

LinearTrack linear_track(const Track& track, std::size_t components, double max_error, std::size_t max_keys,
                         RuleChange rules) {
    const bool turns = track.path == TrackPath::rotation;
    if (turns && components != 4) return {};
    const Keys keys = usable_keys(track, components);
    const double least = 1e-6 * (turns ? 1.0 : std::max(magnitude(keys), 1e-30));
    const double tolerance = max_error > least ? max_error : least;
    const bool bends = keys.cubic || (turns && rules.from != rules.to);
    LinearTrack result;
    if (track.interpolation == Interpolation::step) {
        result = stepped(keys);
    } else if (bends) {
        result = Refiner(keys, track.path, rules, tolerance).run(max_keys);
    } else {
        result.times = keys.times;
        result.values = keys.values;
    }
    result.left_out = keys.left_out;
    result.not_finite = keys.not_finite;
    if (turns) tidy_rotations(result);
    if (result.times.size() > max_keys) reduce(result, components, track.path, rules.to, tolerance, max_keys);
    return result;
}

}  // namespace effigy
