/// Keys of one part: into the frame of its rest, and from quaternions to angles.

#include "scene/keys.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <numbers>

#include "effigy/egosoft_codes.hpp"

#include "core/problem.hpp"
#include "egosoft/from_scene/motions.hpp"
#include "egosoft/to_scene/curves.hpp"
#include "scene/wide_math.hpp"

namespace effigy::egosoft::bridge {
namespace {

using std::numbers::pi;

/// Between keys, in radians: as close as the way from angles to quaternions is.
constexpr double angle_tolerance = 5e-4;
constexpr std::size_t max_keys = 1u << 20;

using Angles = glm::dvec3;

double nearest(double angle, double to) noexcept { return angle + 2 * pi * std::round((to - angle) / (2 * pi)); }

/// The angles of a scene's rotation that are nearest to others: M = Ry(y) Rz(-z) Rx(-x) in the file's frame.
Angles angles_of(const glm::dquat& scene, const Angles& near) noexcept {
    const glm::dmat3 m = glm::mat3_cast(glm::dquat(scene.w, scene.x, -scene.y, -scene.z));
    // Columns first: m[c][r]. Ry(a) Rz(b) Rx(c): m10 = sin b, m00 = cos a cos b, m20 = -sin a cos b.
    const double sine = std::clamp(m[0][1], -1.0, 1.0);
    double a = 0, c = 0;
    const double b = std::asin(sine);
    if (std::fabs(sine) < 1 - 1e-12) {
        a = std::atan2(-m[0][2], m[0][0]);
        c = std::atan2(-m[2][1], m[1][1]);
    } else {
        // Both turn about one axis: the other stays where it was.
        c = -near.x;
        const double both = std::atan2(m[2][0], m[2][2]);
        a = sine > 0 ? both - c : both + c;
    }
    const auto as_file = [&](double y, double z, double x) {
        return Angles{nearest(-x, near.x), nearest(y, near.y), nearest(-z, near.z)};
    };
    const Angles one = as_file(a, b, c), other = as_file(a + pi, pi - b, c + pi);
    return glm::distance(other, near) < glm::distance(one, near) - 1e-9 ? other : one;
}

ani::Key key_at(float time, const glm::dvec3& value, ani::Interpolation interpolation) {
    ani::Key key;
    key.time = time;
    key.value = narrow(value);
    key.interpolation.fill(interpolation);
    return key;
}

glm::dvec3 vector_at(const Bulk<float>& values, std::size_t place) noexcept {
    const auto number = [&](std::size_t k) { return std::isfinite(values[place + k]) ? values[place + k] : 0.0f; };
    return {number(0), number(1), number(2)};
}

/// A value of a track in the file's frame; slopes have no place of their own.
glm::dvec3 into_part(const MovingPart& part, TrackPath path, glm::dvec3 value, bool is_slope) {
    if (path == TrackPath::scale) return part.at_origin ? value : value / part.scale;
    if (!part.at_origin) value = glm::inverse(part.rotation) * (is_slope ? value : value - part.translation);
    return {0.0 - value.x, value.y, value.z};
}

/// Handles at thirds of the intervals, which is what cubic splines are.
void add_handles(Bulk<ani::Key>& keys, const Track& track, const MovingPart& part) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const glm::dvec3 in = into_part(part, track.path, vector_at(track.values, 9 * i), true);
        const glm::dvec3 out = into_part(part, track.path, vector_at(track.values, 9 * i + 6), true);
        const double before = i > 0 ? static_cast<double>(keys[i].time - keys[i - 1].time) / 3 : 0;
        const double after = i + 1 < keys.size() ? static_cast<double>(keys[i + 1].time - keys[i].time) / 3 : 0;
        for (int axis = 0; axis < 3; ++axis) {
            const auto value = static_cast<double>(component(keys[i].value, static_cast<std::size_t>(axis)));
            const auto time = static_cast<double>(keys[i].time);
            keys[i].handles[static_cast<std::size_t>(axis)] = {
                {{narrow(time + after), narrow(value + out[axis] * after)},
                 {narrow(time - before), narrow(value - in[axis] * before)}}};
        }
    }
}

/// How many keys of a track can be used: their times are finite and rise, and their values are whole.
std::size_t usable_keys(const Track& track, std::size_t width, KeyLosses& losses) {
    const std::size_t count = std::min(track.times.size(), track.values.size() / width);
    const auto bad = std::count_if(track.values.begin(), track.values.end(), [](float v) { return !std::isfinite(v); });
    losses.not_finite += static_cast<std::uint64_t>(bad);
    std::size_t usable = 0;
    while (usable < count && std::isfinite(track.times[usable]) &&
           (usable == 0 || track.times[usable] > track.times[usable - 1])) {
        ++usable;
    }
    losses.left_out += count - usable;
    return usable;
}

/// Keys without those that the others give.
Bulk<ani::Key> reduced(Bulk<ani::Key> keys, double max_error) {
    std::vector<float> times, values;
    for (const ani::Key& key : keys) {
        times.push_back(key.time);
        for (std::size_t axis = 0; axis < 3; ++axis) values.push_back(component(key.value, axis));
    }
    Bulk<ani::Key> kept;
    for (const std::uint32_t index :
         keys_to_keep(times, values, TrackPath::translation, 3, RotationRule::slerp, max_error)) {
        kept.push_back(keys[index]);
    }
    return kept;
}

/// Angles between which straight lines are close to what the track does.
class AngleSampler {
public:
    explicit AngleSampler(double tolerance) : tolerance_(tolerance) {}

    void run(const std::vector<float>& times, const std::vector<glm::dquat>& values) {
        last_ = angles_of(values.front(), Angles(0));
        add(times.front(), last_);
        for (std::size_t i = 0; i + 1 < times.size(); ++i) {
            if (keys.size() >= max_keys) return;
            refine(static_cast<double>(times[i]), values[i], static_cast<double>(times[i + 1]), values[i + 1], 0, 1, 7);
        }
    }

    Bulk<ani::Key> keys;
    double error = 0;

private:
    void add(double time, const Angles& angles) {
        last_ = angles;
        const auto t = narrow(time);
        if (!keys.empty() && t <= keys.back().time)
            keys.pop_back();  // closer than floats can tell: the later one holds
        keys.push_back(key_at(t, angles, ani::Interpolation::linear));
    }

    /// From where the last key is to `to`, both as fractions of the way from one key of the track to the next.
    void refine(double start, const glm::dquat& a, double end, const glm::dquat& b, double from, double to,
                int halvings) {
        const Angles first = last_, second = angles_of(glm::slerp(a, b, to), first);
        double worst = 0;
        for (int k = 1; k < 4; ++k) {
            const double u = k / 4.0;
            const Angles between = first + (second - first) * u;
            const glm::dquat straight = rotation_by({between.x, between.y, between.z});
            worst = std::max(worst, angle_between(straight, glm::slerp(a, b, from + (to - from) * u)));
        }
        const double middle = (from + to) / 2;
        // Where floats cannot tell the middle from both ends, no time lies between at which this would be seen.
        if (worst > tolerance_) {
            const auto time_at = [&](double part) { return narrow(start + (end - start) * part); };
            if (!(time_at(middle) > keys.back().time && time_at(middle) < time_at(to))) worst = 0;
        }
        if (worst > tolerance_ && halvings > 0) {
            refine(start, a, end, b, from, middle, halvings - 1);
            refine(start, a, end, b, middle, to, halvings - 1);
            return;
        }
        error = std::max(error, worst);
        add(start + (end - start) * to, second);
    }

    double tolerance_;
    Angles last_{0};
};

glm::dquat quaternion_at(const Bulk<float>& values, std::size_t place, const MovingPart& part) {
    const glm::dquat raw(values[place + 3], values[place], values[place + 1], values[place + 2]);
    const double length = glm::length(raw);
    const glm::dquat q = std::isfinite(length) && length > 1e-12 ? raw / length : glm::dquat(1, 0, 0, 0);
    return part.at_origin ? q : glm::inverse(part.rotation) * q;
}

}  // namespace

MovingPart moving_part(const Transform& rest) {
    MovingPart part;
    part.at_origin = rest == Transform();
    part.translation = wide(rest.translation);
    const glm::dquat rotation = wide(rest.rotation);
    if (glm::length(rotation) > 1e-12) part.rotation = glm::normalize(rotation);
    const glm::dvec3 scale = wide(rest.scale);
    for (int axis = 0; axis < 3; ++axis) part.scale[axis] = std::fabs(scale[axis]) > 1e-12 ? scale[axis] : 1;
    return part;
}

Result<Bulk<ani::Key>> vector_keys(Context& context, const Track& track, const MovingPart& part, KeyLosses& losses) {
    const bool cubic = track.interpolation == Interpolation::cubic_spline;
    const std::size_t width = cubic ? 9 : 3;
    const std::size_t count = usable_keys(track, width, losses);
    if (auto taken = context.take(count, 2 * sizeof(ani::Key), "animation"); !taken)
        return fail(std::move(taken.error()));
    const ani::Interpolation kind = cubic                                        ? ani::Interpolation::bezier
                                    : track.interpolation == Interpolation::step ? ani::Interpolation::step
                                                                                 : ani::Interpolation::linear;
    Bulk<ani::Key> keys;
    for (std::size_t i = 0; i < count; ++i) {
        const glm::dvec3 value = vector_at(track.values, width * i + (cubic ? 3 : 0));
        keys.push_back(key_at(track.times[i], into_part(part, track.path, value, false), kind));
    }
    if (cubic) add_handles(keys, track, part);
    return kind == ani::Interpolation::linear && keys.size() > 2 && context.options.max_error > 0
               ? reduced(std::move(keys), context.options.max_error)
               : std::move(keys);
}

Result<Bulk<ani::Key>> rotation_keys(Context& context, const Track& track, RotationRule rule, const MovingPart& part,
                                     KeyLosses& losses) {
    Bulk<ani::Key> keys;
    const std::size_t count = usable_keys(track, track.interpolation == Interpolation::cubic_spline ? 12 : 4, losses);
    if (count == 0) return keys;
    if (track.interpolation == Interpolation::step) {
        if (auto taken = context.take(count, 2 * sizeof(ani::Key), "animation"); !taken)
            return fail(std::move(taken.error()));
        Angles last(0);
        for (std::size_t i = 0; i < count; ++i) {
            last = angles_of(quaternion_at(track.values, 4 * i, part), last);
            keys.push_back(key_at(track.times[i], last, ani::Interpolation::step));
        }
        return keys;
    }
    // Splines, angles and keys that are left out take a part of it each; one axis counts for as much as all three.
    const double tolerance = std::max(context.options.max_error, angle_tolerance) / 3;
    const double axis_tolerance = tolerance / std::sqrt(3.0);
    const LinearTrack linear = linear_track(track, 4, tolerance, max_keys, {rule, RotationRule::slerp});
    std::vector<float> times(linear.times.begin(), linear.times.end());
    std::vector<glm::dquat> values;
    for (std::size_t i = 0; i < times.size() && 4 * i + 3 < linear.values.size(); ++i)
        values.push_back(quaternion_at(linear.values, 4 * i, part));
    times.resize(values.size());
    if (values.empty()) return keys;
    if (auto taken = context.take(times.size(), 4 * sizeof(ani::Key), "animation"); !taken)
        return fail(std::move(taken.error()));
    AngleSampler sampler(tolerance);
    sampler.run(times, values);
    if (sampler.keys.size() >= max_keys) {
        return fail(problem_at(
            "animations", codes::ani_too_many, "A rotation needs too many keys. A larger --max-error leaves some out.",
            std::to_string(sampler.keys.size()) + " and more", "less than " + std::to_string(max_keys)));
    }
    keys = reduced(std::move(sampler.keys), axis_tolerance);
    losses.rotation_error = std::max(losses.rotation_error, linear.error + sampler.error + tolerance);
    ++losses.rotations;
    return keys;
}

}  // namespace effigy::egosoft::bridge
