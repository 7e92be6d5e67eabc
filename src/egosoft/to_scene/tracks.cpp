/// Tracks of clips from curves: keys kept, cubic splines, or samples close enough for linear interpolation.

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <numbers>

#include "egosoft/to_scene/curves.hpp"
#include "scene/wide_math.hpp"

namespace effigy::egosoft::bridge {
namespace {

using std::numbers::pi;

/// Where a track has keys: those of the curve, and the ends of the window where it cuts one of the curve's segments.
std::vector<double> knots_of(const Curve& curve, const Window& window) {
    std::vector<double> knots;
    const auto times = curve.times();
    if (static_cast<double>(times.front()) < window.start) knots.push_back(window.start);
    for (const float time : times) {
        const auto t = static_cast<double>(time);
        if (t >= window.start && t <= window.end && (knots.empty() || t > knots.back())) knots.push_back(t);
    }
    if (static_cast<double>(times.back()) > window.end && (knots.empty() || window.end > knots.back())) {
        knots.push_back(window.end);
    }
    return knots;
}

/// Keys of one track as they are added, in order of time.
class Keys {
public:
    Keys(std::size_t width, double start) : width_(width), start_(start) {}

    void add(double time, std::span<const double> values) {
        const float t = time_of(time);
        if (!track.times.empty() && !(t > track.times.back())) {
            // Closer than floats can tell: the later one holds.
            track.values.resize(track.values.size() - width_);
        } else {
            track.times.push_back(t);
        }
        for (const double value : values) {
            const auto number = static_cast<float>(value);
            track.values.push_back(std::isfinite(number) ? number : 0.0f);
        }
    }

    /// Whether floats can tell the time from that of the last key and from `end`.
    [[nodiscard]] bool has_room(double time, double end) const noexcept {
        const float t = time_of(time);
        return t > track.times.back() && t < time_of(end);
    }

    Track track;

private:
    [[nodiscard]] float time_of(double time) const noexcept { return static_cast<float>(std::max(time - start_, 0.0)); }

    std::size_t width_;
    double start_;
};

struct VectorReader {
    static constexpr std::size_t width = 3;
    using Value = Values;
    Values signs{1, 1, 1};

    [[nodiscard]] Value value(const Values& v) const noexcept {
        return {signs[0] * v[0], signs[1] * v[1], signs[2] * v[2]};
    }
    static void add(Keys& keys, double time, const Value& v) { keys.add(time, v); }
    [[nodiscard]] static Value between(const Value& a, const Value& b, double u) noexcept {
        return {a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u, a[2] + (b[2] - a[2]) * u};
    }
    [[nodiscard]] static double distance(const Value& a, const Value& b) noexcept {
        return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
    }
};

struct RotationReader {
    static constexpr std::size_t width = 4;
    using Value = glm::dquat;
    glm::dquat last{1, 0, 0, 0};

    [[nodiscard]] Value value(const Values& v) const noexcept { return rotation_by(v); }
    /// Neighbours are kept on one half of the sphere, so that no reader turns the long way round.
    void add(Keys& keys, double time, const Value& q) {
        const double sign = glm::dot(q, last) < 0 ? -1 : 1;
        last = glm::dquat(sign * q.w, sign * q.x, sign * q.y, sign * q.z);
        const Values xyz{last.x, last.y, last.z};
        keys.add(time, std::array{xyz[0], xyz[1], xyz[2], last.w});
    }
    [[nodiscard]] static Value between(const Value& a, const Value& b, double u) noexcept {
        return glm::slerp(a, b, u);
    }
    [[nodiscard]] static double distance(const Value& a, const Value& b) noexcept {
        return effigy::angle_between(a, b);
    }
};

/// Keys close enough for linear interpolation between them.
template <class Reader>
class Sampler {
public:
    Sampler(Build& build, const Curve& curve, Reader reader, const Window& window, double tolerance, double step)
        : build_(build),
          curve_(curve),
          reader_(reader),
          keys_(Reader::width, window.start),
          tolerance_(tolerance),
          step_(step) {}

    Result<MadeTrack> run(const std::vector<double>& knots) {
        for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
            const std::size_t before = keys_.track.times.size();
            add_piece(knots[i], knots[i + 1]);
            const std::size_t added = keys_.track.times.size() - before;
            if (auto taken = build_.take(added, 4 * (1 + Reader::width), "sampled animation"); !taken) {
                return fail(std::move(taken.error()));
            }
        }
        reader_.add(keys_, knots.back(), at(knots.back()));
        return MadeTrack{std::move(keys_.track), true, error_};
    }

private:
    [[nodiscard]] auto at(double time) const { return reader_.value(curve_.at(time)); }

    /// From one key to the next, whose own time is left to the next piece.
    void add_piece(double from, double to) {
        constexpr double max_pieces = 1024;
        constexpr int max_halvings = 6;
        const double wanted = std::ceil(curve_.travel(from, to) / step_);
        // No track can follow thousands of turns between two keys, which are damage; the keys themselves remain.
        const bool is_followed = wanted <= max_pieces * (1 << max_halvings);
        const auto pieces = is_followed ? static_cast<int>(std::clamp(wanted, 1.0, max_pieces)) : 1;
        const auto end = reader_.value(curve_.before(to));
        for (int piece = 0; piece < pieces; ++piece) {
            const double a = from + (to - from) * piece / pieces;
            const double b = from + (to - from) * (piece + 1) / pieces;
            if (piece > 0 && !keys_.has_room(a, to)) continue;
            const auto first = at(a);
            reader_.add(keys_, a, first);
            refine(a, first, b, piece + 1 == pieces ? end : at(b), is_followed ? max_halvings : 0);
        }
        // What steps does so at the very end.
        if (Reader::distance(end, at(to)) > 0) {
            const auto just_before = static_cast<double>(std::nextafter(static_cast<float>(to), -INFINITY));
            if (just_before > from) reader_.add(keys_, just_before, end);
        }
    }

    void refine(double a, const typename Reader::Value& first, double b, const typename Reader::Value& last,
                int halvings) {
        double worst = 0;
        for (int i = 1; i < 8; ++i) {
            const double u = i / 8.0;
            worst = std::max(worst, Reader::distance(at(a + (b - a) * u), Reader::between(first, last, u)));
        }
        const double middle = (a + b) / 2;
        if (worst > tolerance_ && !keys_.has_room(middle, b)) return;  // no time lies between
        if (!(worst > tolerance_) || halvings == 0) {
            error_ = std::max(error_, worst);
            return;
        }
        const auto value = at(middle);
        refine(a, first, middle, value, halvings - 1);
        reader_.add(keys_, middle, value);
        refine(middle, value, b, last, halvings - 1);
    }

    Build& build_;
    const Curve& curve_;
    Reader reader_;
    Keys keys_;
    double tolerance_, step_;
    double error_ = 0;
};

/// At the rate that the user asked for.
template <class Reader>
Result<MadeTrack> resampled(Build& build, const Curve& curve, Reader reader, const Window& window, double end) {
    const double rate = build.options.resample;
    const double count = std::floor((end - window.start) * rate + 1e-6) + 1;
    const auto keys_count = count < 1e15 ? static_cast<std::uint64_t>(count) : std::uint64_t{1} << 60;
    if (auto taken = build.take(keys_count + 1, 4 * (1 + Reader::width), "resampled animation"); !taken) {
        return fail(std::move(taken.error()));
    }
    Keys keys(Reader::width, window.start);
    for (std::uint64_t i = 0; i < keys_count; ++i) {
        const double time = window.start + static_cast<double>(i) / rate;
        reader.add(keys, time, reader.value(curve.at(time)));
    }
    const double last = window.start + static_cast<double>(keys_count - 1) / rate;
    if (end > last + 1e-6) reader.add(keys, end, reader.value(curve.at(end)));
    return MadeTrack{std::move(keys.track), true, 0};
}

template <class Reader>
MadeTrack plain(const Curve& curve, Reader reader, const Window& window, const std::vector<double>& knots,
                Interpolation interpolation) {
    Keys keys(Reader::width, window.start);
    for (const double knot : knots) reader.add(keys, knot, reader.value(curve.at(knot)));
    keys.track.interpolation = interpolation;
    return {std::move(keys.track), false, 0};
}

MadeTrack cubic(const Curve& curve, const VectorReader& reader, const Window& window,
                const std::vector<double>& knots) {
    Keys keys(9, window.start);
    for (std::size_t i = 0; i < knots.size(); ++i) {
        const double knot = knots[i];
        const Values in = i == 0 ? Values{} : reader.value(curve.slope_before(knot));
        const Values out = i + 1 == knots.size() ? Values{} : reader.value(curve.slope_at(knot));
        const Values value = reader.value(curve.at(knot));
        keys.add(knot, std::array{in[0], in[1], in[2], value[0], value[1], value[2], out[0], out[1], out[2]});
    }
    keys.track.interpolation = Interpolation::cubic_spline;
    return {std::move(keys.track), false, 0};
}

}  // namespace

glm::dquat rotation_by(const Values& angles) noexcept {
    const glm::dquat x = glm::angleAxis(-angles[0], glm::dvec3(1, 0, 0));
    const glm::dquat y = glm::angleAxis(angles[1], glm::dvec3(0, 1, 0));
    const glm::dquat z = glm::angleAxis(-angles[2], glm::dvec3(0, 0, 1));
    const glm::dquat q = y * z * x;
    return {q.w, q.x, -q.y, -q.z};
}

Result<MadeTrack> vector_track(Build& build, const Curve& curve, TrackPath path, const Window& window) {
    VectorReader reader;
    if (path == TrackPath::translation) reader.signs[0] = -1;
    const std::vector<double> knots = knots_of(curve, window);
    if (auto taken = build.take(knots.size(), 40, "animation"); !taken) return fail(std::move(taken.error()));
    Result<MadeTrack> made;
    const Curve::Forms forms = curve.forms();
    if (build.options.resample > 0) {
        made = resampled(build, curve, reader, window, knots.back());
    } else if (forms.step && (forms.prefers_step || !forms.linear)) {
        made = plain(curve, reader, window, knots, Interpolation::step);
    } else if (forms.linear) {
        made = plain(curve, reader, window, knots, Interpolation::linear);
    } else if (forms.cubic) {
        made = cubic(curve, reader, window, knots);
    } else {
        double travel = 0;
        for (std::size_t i = 0; i + 1 < knots.size(); ++i) travel += curve.travel(knots[i], knots[i + 1]);
        const double tolerance = std::max(1e-4 * travel, 1e-7);
        made = Sampler(build, curve, reader, window, tolerance, std::max(travel / 8, 1e-6)).run(knots);
    }
    if (made) made->track.path = path;
    return made;
}

Result<MadeTrack> rotation_track(Build& build, const Curve& curve, const Window& window) {
    constexpr double tolerance = 5e-4;  // radians
    const std::vector<double> knots = knots_of(curve, window);
    if (auto taken = build.take(knots.size(), 20, "animation"); !taken) return fail(std::move(taken.error()));
    Result<MadeTrack> made;
    if (build.options.resample > 0) {
        made = resampled(build, curve, RotationReader(), window, knots.back());
    } else if (curve.forms().step && curve.forms().prefers_step) {
        made = plain(curve, RotationReader(), window, knots, Interpolation::step);
    } else {
        made = Sampler(build, curve, RotationReader(), window, tolerance, pi / 4).run(knots);
    }
    if (made) made->track.path = TrackPath::rotation;
    return made;
}

}  // namespace effigy::egosoft::bridge
