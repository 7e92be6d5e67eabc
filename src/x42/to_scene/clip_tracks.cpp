/// Tracks of clips from X42's key stream, with keys put in where glTF's interpolation would leave the game's arcs.

#include "x42/to_scene/clip_tracks.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <utility>

#include "scene/by_angle.hpp"
#include "scene/wide_math.hpp"
#include "x42/to_scene/packing.hpp"

namespace effigy::x42::bridge {

namespace {

/// Keys are put in until the error at the places where it is measured is this small; between them it is little more.
constexpr double aimed_error = 1e-5;
constexpr std::size_t measured_places = 7;
/// What floats of the game's leave of an arc's place, in radians for each step that it goes on beyond its keys.
constexpr double arc_resolution = 1e-6;
/// Frames; two keys need not be closer.
constexpr double shortest_step = 1e-4;

Quat as_quat(const Vec3& vector) noexcept { return {vector.x, vector.y, vector.z, 0}; }

double length(const Quat& q) noexcept { return glm::length(wide(q)); }

double product(const Quat& a, const Quat& b) noexcept { return glm::dot(wide(a), wide(b)); }

/// Between two rotations, in radians; they need not be of unit length.
double angle_between(const Quat& a, const Quat& b) noexcept {
    const double size_a = length(a), size_b = length(b);
    return size_a > 0 && size_b > 0 ? effigy::angle_between(wide(a) / size_a, wide(b) / size_b) : 0;
}

Quat to_unit(const Quat& q) noexcept {
    const double size = length(q);
    return size > 0 ? narrow(wide(q) / size) : Quat{};
}

Quat rest_of(const Transform& rest, KeyType type) noexcept {
    if (type == KeyType::rotation) return rest.rotation;
    return as_quat(type == KeyType::position ? rest.translation : rest.scale);
}

bool says_the_same(const Quat& value, const Quat& rest, KeyType type) noexcept {
    constexpr double too_small_to_see = 1e-6;
    return type == KeyType::rotation ? angle_between(value, rest) < too_small_to_see : value == rest;
}

/// Makes one track, by ascending frames.
class TrackMaker {
public:
    TrackMaker(Build& build, const Curve& curve, const FrameRange& range, TrackFindings& findings)
        : build_(build), curve_(curve), range_(range), findings_(findings) {}

    Result<std::optional<Track>> make() {
        const double low = range_.low(), high = range_.high();
        const bool moves = curve_.moves_within(low, high);
        if (!moves && is_at_rest(repaired(curve_.at(low)))) return std::nullopt;
        if (auto room = build_.take(1, sizeof(Track), "tracks of animations"); !room) {
            return fail(std::move(room.error()));
        }
        const bool bakes = build_.options.resample > 0;
        const auto done = !moves ? add(low, curve_.at(low)) : bakes ? bake(low, high) : keep(low, high);
        if (!done) return fail(done.error());
        return finished(moves);
    }

private:
    [[nodiscard]] bool is_rotation() const noexcept { return curve_.type() == KeyType::rotation; }
    [[nodiscard]] std::size_t width() const noexcept { return is_rotation() ? 4 : 3; }

    [[nodiscard]] bool is_at_rest(const Quat& value) const noexcept {
        return says_the_same(value, rest_of(build_.scene.nodes[curve_.node()].local, curve_.type()), curve_.type());
    }

    Quat repaired(Quat value) noexcept {
        if (is_rotation()) {
            if (length(value) > 0) return value;
            ++findings_.no_rotation;
            return {};
        }
        for (float* number : {&value.x, &value.y, &value.z}) {
            if (std::isfinite(*number)) continue;
            ++findings_.not_finite;
            *number = curve_.type() == KeyType::position ? 0.0f : 1.0f;
        }
        return value;
    }

    Result<void> add(double frame, const Quat& value) {
        if (auto room = build_.take(1, sizeof(float) * (1 + width()), "keys of animations"); !room) return room;
        frames_.push_back(frame);
        values_.push_back(repaired(value));
        return {};
    }

    /// The keys as they are, with one at each end of the range.
    Result<void> keep(double low, double high) {
        const std::span<const TrackKey> keys = curve_.keys();
        const auto is_before = [](const TrackKey& key, double frame) { return key.frame < frame; };
        auto key = std::lower_bound(keys.begin(), keys.end(), low, is_before);
        const bool low_is_key = key != keys.end() && key->frame == low;
        if (auto done = add(low, low_is_key ? curve_.value(key->value) : curve_.at(low)); !done) return done;
        if (low_is_key) ++key;
        for (; key != keys.end() && key->frame <= high; ++key) {
            if (auto done = go_to(key->frame, curve_.value(key->value)); !done) return done;
        }
        return frames_.back() < high ? go_to(high, curve_.at(high)) : Result<void>{};
    }

    /// On from the last key, within one step of the track.
    Result<void> go_to(double frame, const Quat& value) {
        const double from = frames_.back();
        const std::span<const TrackKey> keys = curve_.keys();
        const std::size_t upper = upper_key(keys, frame);
        const TrackKey &begin = keys[upper - 1], &end = keys[upper];
        const bool whole = from == begin.frame && frame == end.frame;
        if (!is_rotation() || whole || begin.value == end.value) return add(frame, value);
        return continue_rotation(begin, end, frame);
    }

    /// A part of a step, or what lies outside of all steps: by the rule of the whole step, which the rule gives in
    /// another way for its part.
    Result<void> continue_rotation(const TrackKey& begin, const TrackKey& end, double to) {
        const Quat first = curve_.value(begin.value), second = curve_.value(end.value);
        const double step = end.frame - begin.frame;
        const auto part_at = [&](double frame) { return (frame - begin.frame) / step; };
        const auto at = [&](double frame) { return mix(first, second, static_cast<float>(part_at(frame))); };
        constexpr double never_an_arc = shortened_cosine + 1e-3;
        if (std::fabs(product(first, second)) >= never_an_arc) return refine(at, to, at(to), aimed_error);
        // An arc goes round and round: each of its steps by itself, or measuring would miss whole turns.
        while (frames_.back() < to) {
            const double next = std::min(frames_.back() + step, to);
            const double blurred = arc_resolution * std::fabs(part_at(next));
            if (auto done = refine(at, next, at(next), std::max(aimed_error, blurred)); !done) return done;
        }
        return {};
    }

    /// Keys from the last one to `to`, so close that the rule leads from each to the next as `at` says.
    template <class At>
    Result<void> refine(const At& at, double to, const Quat& target, double tolerance) {
        struct End {
            double frame = 0;
            Quat value;
        };
        std::vector<End> ends{{to, target}};
        while (!ends.empty()) {
            const double from = frames_.back();
            const End end = ends.back();
            const double error = max_error(at, from, end.frame, end.value);
            const double middle = (from + end.frame) / 2;
            if (error > tolerance && end.frame - from > shortest_step) {
                ends.push_back({middle, at(middle)});
                continue;
            }
            findings_.rotation_error = std::max(findings_.rotation_error, error);
            if (auto done = add(end.frame, end.value); !done) return done;
            ++findings_.inserted;
            ends.pop_back();
        }
        return {};
    }

    template <class At>
    [[nodiscard]] double max_error(const At& at, double from, double to, const Quat& target) const {
        const Quat start = values_.back();
        double error = 0;
        for (std::size_t i = 1; i <= measured_places; ++i) {
            const double fraction = static_cast<double>(i) / (measured_places + 1);
            const Quat shown = mix(start, target, static_cast<float>(fraction));
            error = std::max(error, angle_between(shown, at(from + fraction * (to - from))));
        }
        return error;
    }

    /// Values at the rate that was asked for, counted from the beginning of the clip, and at both ends.
    Result<void> bake(double low, double high) {
        const double begin = range_.backwards() ? range_.time_of(high) : range_.time_of(low);
        const double length_of_range = (high - low) / range_.rate;
        const double count = std::floor(length_of_range * build_.options.resample) + 2;
        if (auto room = build_.take(count < 1e15 ? static_cast<std::uint64_t>(count) : UINT64_MAX / 32,
                                    sizeof(float) * (1 + width()), "resampled keys of animations");
            !room) {
            return room;
        }
        const auto frame_at = [&](double time) {
            const double passed = (time - begin) * range_.rate;
            return range_.backwards() ? high - passed : low + passed;
        };
        std::vector<double> frames{frame_at(begin)};
        const double end = begin + length_of_range;
        for (double number = std::floor(begin * build_.options.resample) + 1; number / build_.options.resample < end;
             ++number) {
            frames.push_back(frame_at(number / build_.options.resample));
        }
        frames.push_back(frame_at(end));
        if (range_.backwards()) std::reverse(frames.begin(), frames.end());
        for (const double frame : frames) {
            frames_.push_back(std::clamp(frame, low, high));
            values_.push_back(repaired(curve_.at(frames_.back())));
        }
        return {};
    }

    Track finished(bool moves) {
        Track track;
        track.node = curve_.node();
        track.path = path_of(curve_.type());
        if (range_.backwards()) {
            std::reverse(frames_.begin(), frames_.end());
            std::reverse(values_.begin(), values_.end());
        }
        if (is_rotation() && build_.options.resample > 0) make_unit();
        track.times.reserve(frames_.size());
        track.values.reserve(frames_.size() * width());
        for (std::size_t i = 0; i < frames_.size(); ++i) {
            const auto time = moves ? static_cast<float>(range_.time_of(frames_[i])) : 0.0f;
            // Keys too close for seconds as floats have them: the later one counts.
            if (track.times.empty() || time > track.times.back()) {
                track.times.push_back(time);
            } else {
                track.values.resize(track.values.size() - width());
            }
            const Quat& value = values_[i];
            track.values.insert(track.values.end(), {value.x, value.y, value.z});
            if (is_rotation()) track.values.push_back(value.w);
        }
        return track;
    }

    /// Of unit length, each on the side of the one before it.
    void make_unit() {
        for (std::size_t i = 0; i < values_.size(); ++i) {
            Quat& value = values_[i];
            value = to_unit(value);
            if (i > 0 && product(value, values_[i - 1]) < 0) value = {-value.x, -value.y, -value.z, -value.w};
        }
    }

    Build& build_;
    const Curve& curve_;
    const FrameRange& range_;
    TrackFindings& findings_;
    std::vector<double> frames_;
    std::vector<Quat> values_;
};

}  // namespace

TrackPath path_of(KeyType type) noexcept {
    if (type == KeyType::rotation) return TrackPath::rotation;
    return type == KeyType::position ? TrackPath::translation : TrackPath::scale;
}

Curve::Curve(const File& file, const Tracks& tracks, std::size_t bone, KeyType type, Index node)
    : file_(&file), keys_(tracks.keys(bone, type)), run_ends_(keys_.size()), type_(type), node_(node) {
    for (std::size_t i = keys_.size(); i-- > 0;) {
        const bool goes_on = i + 1 < keys_.size() && keys_[i].value == keys_[i + 1].value;
        run_ends_[i] = goes_on ? run_ends_[i + 1] : static_cast<std::uint16_t>(i);
    }
}

bool Curve::moves_within(double low, double high) const noexcept {
    if (!moves() || !(low < high)) return false;
    const auto is_behind = [](double frame, const TrackKey& key) { return frame < key.frame; };
    const auto behind = std::upper_bound(keys_.begin(), keys_.end(), low, is_behind) - keys_.begin();
    // The step that goes on from `low`; outside of all keys it is the first or the last one.
    const std::size_t step = std::min(behind > 0 ? static_cast<std::size_t>(behind - 1) : 0, keys_.size() - 2);
    const std::size_t end = run_ends_[step];
    const bool holds_forever = end + 1 == keys_.size() && end > step;
    return end == step || (!holds_forever && keys_[end].frame < high);
}

Quat Curve::value(std::uint16_t place) const noexcept {
    if (type_ == KeyType::rotation) return unpack(file_->rotations[place]);
    if (type_ == KeyType::scale) return as_quat(scale_at(*file_, place));
    return as_quat(unpack(file_->positions[place], file_->pack.animation_positions));
}

Quat Curve::at(double frame) const noexcept {
    const auto place = place_at(keys_, frame);
    if (!place) return {};
    if (place->from == place->to) return value(place->from);
    const Quat from = value(place->from), to = value(place->to);
    if (type_ == KeyType::rotation) return mix(from, to, place->fraction);
    return as_quat(mixed({from.x, from.y, from.z}, {to.x, to.y, to.z}, place->fraction));
}

bool leaves_rest(const Build& build, const File& file, const Curve& curve, double frame) {
    constexpr double seen_angle = 5e-4;  // packed numbers of unit rotations leave a tenth of it
    const Quat value = curve.at(frame), rest = rest_of(build.scene.nodes[curve.node()].local, curve.type());
    if (curve.type() == KeyType::rotation) return angle_between(value, rest) > seen_angle;
    double step = 0;
    const auto add = [&](const Range& range) {
        step = std::max(step, (static_cast<double>(range.high) - static_cast<double>(range.low)) / full_code);
    };
    if (curve.type() == KeyType::scale) add(file.pack.animation_scales);
    if (curve.type() == KeyType::position)
        std::for_each(file.pack.animation_positions.begin(), file.pack.animation_positions.end(), add);
    return glm::length(wide(value) - wide(rest)) > 2 * step;
}

Result<std::optional<Track>> make_track(Build& build, const Curve& curve, const FrameRange& range,
                                        TrackFindings& findings) {
    return TrackMaker(build, curve, range, findings).make();
}

}  // namespace effigy::x42::bridge
