/// The curve through an ANI's keys: linear, stepped, Bezier and TCB segments, and their values at any time.

#include "egosoft/to_scene/curves.hpp"

#include <algorithm>
#include <cmath>

namespace effigy::egosoft::bridge {
namespace {

double wide(float value) noexcept { return static_cast<double>(value); }

void repair(float& value, KeyFindings& findings) {
    if (std::isfinite(value)) return;
    value = 0;
    ++findings.not_finite;
}

void repair(ani::Key& key, KeyFindings& findings) {
    for (float* value : {&key.value.x, &key.value.y, &key.value.z, &key.tension, &key.continuity, &key.bias,
                         &key.ease_in, &key.ease_out}) {
        repair(*value, findings);
    }
    for (auto& pair : key.handles) {
        for (ani::Handle& handle : pair) {
            repair(handle.time, findings);
            repair(handle.value, findings);
        }
    }
}

double hermite(double p0, double p1, double m0, double m1, double u) noexcept {
    const double u2 = u * u, u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * p0 + (u3 - 2 * u2 + u) * m0 + (3 * u2 - 2 * u3) * p1 + (u3 - u2) * m1;
}

double hermite_slope(double p0, double p1, double m0, double m1, double u) noexcept {
    const double u2 = u * u;
    return (6 * u2 - 6 * u) * (p0 - p1) + (3 * u2 - 4 * u + 1) * m0 + (3 * u2 - 2 * u) * m1;
}

/// The parameter at which a cubic from 0 to 1 with inner control values a and b (within 0..1) has the value x.
double parameter_of(double x, double a, double b) noexcept {
    double low = 0, high = 1;
    for (int i = 0; i < 52; ++i) {
        const double u = (low + high) / 2, v = 1 - u;
        const double here = 3 * v * v * u * a + 3 * v * u * u * b + u * u * u;
        (here < x ? low : high) = u;
    }
    return (low + high) / 2;
}

/// Slow out of one key and into the next: parts of the interval over which speed grows and falls.
double eased(double u, double out, double in) noexcept {
    const double sum = out + in;
    if (sum <= 0) return u;
    if (sum > 1) {
        out /= sum;
        in /= sum;
    }
    const double speed = 1 / (2 - out - in);
    if (u < out) return speed / out * u * u;
    if (u < 1 - in) return speed * (2 * u - out);
    return in > 0 ? 1 - speed / in * (1 - u) * (1 - u) : 1;
}

}  // namespace

Curve::Curve(std::span<const ani::Key> keys, KeyFindings& findings) {
    clean(keys, findings);
    segments_.resize(keys_.empty() ? 0 : keys_.size() - 1);
    for (std::size_t key = 0; key < segments_.size(); ++key) {
        for (std::size_t axis = 0; axis < 3; ++axis) segments_[key][axis] = make_segment(key, axis, findings);
    }
}

/// In order of time, each time once. Of keys that share one, the first and the last stay: the curve reaches the first
/// just before, and goes on from the last.
void Curve::clean(std::span<const ani::Key> keys, KeyFindings& findings) {
    std::vector<ani::Key> sorted;
    sorted.reserve(keys.size());
    for (const ani::Key& key : keys) {
        if (std::isfinite(key.time)) sorted.push_back(key);
    }
    findings.bad_times += keys.size() - sorted.size();
    const auto earlier = [](const ani::Key& a, const ani::Key& b) { return a.time < b.time; };
    if (!std::is_sorted(sorted.begin(), sorted.end(), earlier)) {
        std::stable_sort(sorted.begin(), sorted.end(), earlier);
        ++findings.unsorted;
    }
    for (std::size_t first = 0; first < sorted.size();) {
        std::size_t end = first + 1;
        while (end < sorted.size() && sorted[end].time == sorted[first].time) ++end;
        findings.duplicates += end - first - 1;
        const float time = sorted[first].time + 0.0f;
        const float just_before = std::nextafter(time, -INFINITY);
        if (end - first > 1 && std::isfinite(just_before) && (times_.empty() || times_.back() < just_before)) {
            keys_.push_back(sorted[first]);
            times_.push_back(just_before);
        }
        keys_.push_back(sorted[end - 1]);
        times_.push_back(time);
        first = end;
    }
    for (ani::Key& key : keys_) repair(key, findings);
}

double Curve::value(std::size_t key, std::size_t axis) const noexcept {
    return wide(component(keys_[key].value, axis));
}

Curve::Segment Curve::make_segment(std::size_t key, std::size_t axis, KeyFindings& findings) const {
    Segment segment;
    segment.from = value(key, axis);
    segment.to = value(key + 1, axis);
    const auto set_straight = [&](Kind kind) { segment.kind = segment.from == segment.to ? Kind::constant : kind; };
    switch (keys_[key].interpolation[axis]) {
        case ani::Interpolation::step:
            set_straight(Kind::step);
            break;
        case ani::Interpolation::bezier:
            set_bezier(segment, key, axis, true, findings);
            break;
        case ani::Interpolation::bezier_linear_time:
            set_bezier(segment, key, axis, false, findings);
            break;
        case ani::Interpolation::tcb:
            set_tcb(segment, key, axis);
            break;
        default:
            ++findings.unknown_kinds;
            [[fallthrough]];
        case ani::Interpolation::linear:
            set_straight(Kind::linear);
            break;
    }
    if (segment.kind == Kind::linear) segment.slope_from = segment.slope_to = segment.to - segment.from;
    return segment;
}

void Curve::set_bezier(Segment& segment, std::size_t key, std::size_t axis, bool bends_time,
                       KeyFindings& findings) const {
    const ani::Handle& out = keys_[key].handles[axis][0];
    const ani::Handle& in = keys_[key + 1].handles[axis][1];
    segment.slope_from = 3 * (wide(out.value) - segment.from);
    segment.slope_to = 3 * (segment.to - wide(in.value));
    const bool flat = segment.from == segment.to && segment.slope_from == 0 && segment.slope_to == 0;
    segment.kind = flat ? Kind::constant : Kind::cubic;
    if (flat || !bends_time) return;
    constexpr double third = 1.0 / 3, tolerance = 0.01, frames = 30;
    const double length = wide(times_[key + 1]) - wide(times_[key]);
    const double one = (wide(out.time) - wide(times_[key])) / length;
    const double two = (wide(in.time) - wide(times_[key])) / length;
    if (std::abs(one - third) <= tolerance && std::abs(two - 2 * third) <= tolerance) return;
    // Times of the scene that the exporter worked in start anywhere; their distance tells as much.
    const double distance = (wide(in.time) - wide(out.time)) / length;
    if (std::abs(distance - third) <= tolerance || std::abs(distance - frames * third) <= frames * tolerance) return;
    // What is not within the interval is in no unit that is known.
    if (one < 0 || one > 1 || two < 0 || two > 1) return;
    if (out.time == 0 && in.time == 0) return;
    segment.kind = Kind::warped;
    segment.time_1 = one;
    segment.time_2 = two;
    ++findings.handle_times;
}

/// Kochanek and Bartels, with the slopes fitted to uneven intervals.
void Curve::set_tcb(Segment& segment, std::size_t key, std::size_t axis) const {
    const auto difference = [&](std::size_t first) { return value(first + 1, axis) - value(first, axis); };
    const auto length = [&](std::size_t first) { return wide(times_[first + 1]) - wide(times_[first]); };
    const std::size_t last = keys_.size() - 1;
    const auto slope_of = [&](std::size_t at, bool leaving) {
        const std::size_t next = at < last ? at : at - 1;
        const std::size_t previous = at > 0 ? at - 1 : at;
        const double t = wide(keys_[at].tension), b = wide(keys_[at].bias);
        const double c = leaving ? wide(keys_[at].continuity) : -wide(keys_[at].continuity);
        const double sum =
            (1 - t) * (1 + c) * (1 + b) / 2 * difference(previous) + (1 - t) * (1 - c) * (1 - b) / 2 * difference(next);
        const double here = length(leaving ? next : previous);
        return sum * 2 * here / (length(previous) + length(next));
    };
    segment.slope_from = slope_of(key, true);
    segment.slope_to = slope_of(key + 1, false);
    segment.ease_out = std::clamp(wide(keys_[key].ease_out), 0.0, 1.0);
    segment.ease_in = std::clamp(wide(keys_[key + 1].ease_in), 0.0, 1.0);
    const bool flat = segment.from == segment.to && segment.slope_from == 0 && segment.slope_to == 0;
    const bool bent = segment.ease_out + segment.ease_in > 0;
    segment.kind = flat ? Kind::constant : bent ? Kind::warped : Kind::cubic;
}

Curve::Forms Curve::forms() const noexcept {
    Forms forms;
    forms.prefers_step = !keys_.empty() && keys_.front().interpolation[0] == ani::Interpolation::step;
    for (const auto& axes : segments_) {
        for (const Segment& segment : axes) {
            if (segment.kind == Kind::constant) continue;
            forms.step &= segment.kind == Kind::step;
            forms.linear &= segment.kind == Kind::linear;
            forms.cubic &= segment.kind == Kind::linear || segment.kind == Kind::cubic;
        }
    }
    return forms;
}

/// The segment that starts at a time or before it; the number of segments: behind the last key.
std::size_t Curve::segment_from(double time) const noexcept {
    const auto after = std::upper_bound(times_.begin(), times_.end(), time,
                                        [](double t, float key) { return t < static_cast<double>(key); });
    return after == times_.begin() ? 0 : static_cast<std::size_t>(after - times_.begin()) - 1;
}

/// The segment that ends at a time or behind it.
std::size_t Curve::segment_to(double time) const noexcept {
    const auto at = std::lower_bound(times_.begin(), times_.end(), time,
                                     [](float key, double t) { return static_cast<double>(key) < t; });
    return at == times_.begin() ? 0 : static_cast<std::size_t>(at - times_.begin()) - 1;
}

Values Curve::read(std::size_t segment, double time, Reader reader) const noexcept {
    const bool holds = segment >= segments_.size() || time < wide(times_.front());
    Values values{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (holds) {
            Segment constant;
            constant.from = constant.to = value(std::min(segment, keys_.size() - 1), axis);
            values[axis] = (this->*reader)(constant, 0, 1);
            continue;
        }
        const double start = wide(times_[segment]);
        const double length = wide(times_[segment + 1]) - start;
        values[axis] = (this->*reader)(segments_[segment][axis], std::clamp((time - start) / length, 0.0, 1.0), length);
    }
    return values;
}

double Curve::value(const Segment& segment, double unit, double) const noexcept {
    switch (segment.kind) {
        case Kind::constant:
        case Kind::step:
            return segment.from;
        case Kind::linear:
            return std::lerp(segment.from, segment.to, unit);  // exact at the end
        case Kind::warped:
            unit = segment.ease_out + segment.ease_in > 0 ? eased(unit, segment.ease_out, segment.ease_in)
                                                          : parameter_of(unit, segment.time_1, segment.time_2);
            break;
        case Kind::cubic:
            break;
    }
    return hermite(segment.from, segment.to, segment.slope_from, segment.slope_to, unit);
}

double Curve::slope(const Segment& segment, double unit, double length) const noexcept {
    switch (segment.kind) {
        case Kind::constant:
        case Kind::step:
        case Kind::warped:  // never asked for
            return 0;
        case Kind::linear:
            return (segment.to - segment.from) / length;
        case Kind::cubic:
            break;
    }
    return hermite_slope(segment.from, segment.to, segment.slope_from, segment.slope_to, unit) / length;
}

double Curve::travel(double from, double to) const noexcept {
    const std::size_t number = segment_from(from);
    if (number >= segments_.size() || to <= wide(times_.front())) return 0;
    const double fraction = std::clamp((to - from) / (wide(times_[number + 1]) - wide(times_[number])), 0.0, 1.0);
    double sum = 0;
    for (const Segment& segment : segments_[number]) {
        if (segment.kind == Kind::constant || segment.kind == Kind::step) continue;
        // No longer than the way over the control points.
        const double first = std::abs(segment.slope_from) / 3, third = std::abs(segment.slope_to) / 3;
        const double second = std::abs(segment.to - segment.slope_to / 3 - segment.from - segment.slope_from / 3);
        sum += segment.kind == Kind::linear ? std::abs(segment.to - segment.from) * fraction : first + second + third;
    }
    return sum;
}

}  // namespace effigy::egosoft::bridge
