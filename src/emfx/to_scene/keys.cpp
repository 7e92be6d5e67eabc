/// Keys of tracks as channels: sorted, unit, on one half of the sphere; sampled by linear and normalised linear
/// interpolation.

#include "emfx/to_scene/keys.hpp"

#include <algorithm>
#include <cmath>

#include "emfx/to_scene/key_codes.hpp"

namespace effigy::emfx::bridge {
namespace {

bool is_clean(std::span<const float> times) {
    if (times.empty()) return true;
    bool clean = times.front() >= 0 && std::isfinite(times.back());
    for (std::size_t i = 1; i < times.size(); ++i) clean &= times[i - 1] < times[i];
    return clean;
}

/// Numbers of the keys with a finite time, in order of time.
std::vector<std::uint32_t> order_of_times(std::span<const float> times, KeyFindings& findings) {
    std::vector<std::uint32_t> order;
    order.reserve(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (std::isfinite(times[i])) order.push_back(static_cast<std::uint32_t>(i));
    }
    findings.bad_times += times.size() - order.size();
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) { return times[a] < times[b]; };
    if (!std::is_sorted(order.begin(), order.end(), earlier)) {
        std::stable_sort(order.begin(), order.end(), earlier);
        ++findings.unsorted;
    }
    return order;
}

/// Keys before 0 are over before a motion begins. The last one stays unless another one stands at 0.
void drop_past(std::span<const float> times, std::vector<std::uint32_t>& order, KeyFindings& findings) {
    const auto seen = std::find_if(order.begin(), order.end(), [&](std::uint32_t key) { return times[key] >= 0; });
    if (seen == order.begin()) return;
    findings.negative += static_cast<std::uint64_t>(seen - order.begin());
    const bool is_at_zero = seen != order.end() && times[*seen] == 0;
    order.erase(order.begin(), is_at_zero ? seen : seen - 1);
}

struct TimedKey {
    float time;
    std::uint32_t key;
};

/// Moves keys of one time apart: the later value holds from that time on.
std::vector<TimedKey> spread(std::span<const float> times, std::span<const std::uint32_t> order,
                             KeyFindings& findings) {
    std::vector<TimedKey> result;
    result.reserve(order.size());
    const auto time_of = [&](std::size_t i) { return std::max(times[order[i]], 0.0f) + 0.0f; };
    for (std::size_t first = 0; first < order.size();) {
        const float time = time_of(first);
        std::size_t end = first + 1;
        while (end < order.size() && time_of(end) == time) ++end;
        findings.duplicates += end - first - 1;
        const float before = std::nextafter(time, -1.0f);
        const bool room = before >= 0 && (result.empty() || result.back().time < before);
        if (end - first > 1 && room) result.push_back({before, order[first]});
        result.push_back({time, order[end - 1]});
        first = end;
    }
    return result;
}

float finite(float value, KeyFindings& findings, float fallback = 0) {
    if (std::isfinite(value)) return value;
    ++findings.values.not_finite;
    return fallback;
}

/// Mirrored, and unit but for rounding. Packed rotations never are; the fast way holds for everything but broken
/// numbers.
Quat mirrored_unit(Quat q, KeyFindings& findings) {
    if (is_unit(q)) return mirrored(q);
    const float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (square > 1e-12f && square < 1e30f) return mirrored(unit(q));
    return narrow(to_scene_rotation(q, findings.values));
}

/// Neighbours on the same half of the sphere, so that nothing turns the long way round.
void fix_signs(Bulk<float>& values) {
    float sign = 1;  // of the key before; the engine compares keys as they are stored
    for (std::size_t i = 4; i + 3 < values.size(); i += 4) {
        float dot = 0;
        for (std::size_t k = 0; k < 4; ++k) dot += values[i + k] * values[i + k - 4];
        if (dot * sign < 0) sign = -sign;
        for (std::size_t k = 0; k < 4; ++k) values[i + k] *= sign;
    }
}

glm::dquat quaternion(std::span<const float> values) { return {values[3], values[0], values[1], values[2]}; }

void store(const glm::dquat& q, std::span<float> out) {
    const Quat value = narrow(glm::normalize(q));
    out[0] = value.x;
    out[1] = value.y;
    out[2] = value.z;
    out[3] = value.w;
}

/// The first of two keys moves from `from`, before 0, to 0, and becomes what the track shows there on its way to the
/// other one.
void begin_at_zero(double from, double to, std::size_t width, std::span<float> values) {
    const std::span<float> first = values.first(width);
    const std::span<const float> second = values.subspan(width, width);
    const double part = from / (from - to);
    double dot = 0;
    for (std::size_t k = 0; k < width; ++k) dot += static_cast<double>(first[k]) * static_cast<double>(second[k]);
    const bool rotates = width == 4;
    const double share = rotates && dot < 0 ? -part : part;
    std::array<double, 4> value{};
    for (std::size_t k = 0; k < width; ++k)
        value[k] = static_cast<double>(first[k]) * (1 - part) + static_cast<double>(second[k]) * share;
    if (rotates) return store(glm::dquat{value[3], value[0], value[1], value[2]}, first);
    for (std::size_t k = 0; k < width; ++k) first[k] = static_cast<float>(value[k]);
}

/// Each key of a channel times (or after) a rotation that does not change.
Channel multiplied(Channel keyed, const glm::dquat& constant, bool keyed_first) {
    for (std::size_t i = 0; i < keyed.times.size(); ++i) {
        const std::span<float> key = std::span(keyed.values).subspan(4 * i, 4);
        store(keyed_first ? quaternion(key) * constant : constant * quaternion(key), key);
    }
    fix_signs(keyed.values);
    return keyed;
}

/// The product of two rotations that both move, as keys close enough for linear interpolation between them.
class ProductSampler {
public:
    ProductSampler(const Channel& a, const Channel& b, bool refine) : a_(a, false), b_(b, false), refine_(refine) {}

    /// How many keys from one time of either channel to the next, that at the end included. The product bends the more
    /// the further both rotate, and a rotation that the other channel's key cuts is uneven; the error of a straight
    /// line falls with the square of the number of steps.
    [[nodiscard]] int steps(float from, float to) const {
        if (!refine_) return 1;
        const double a = angle_over(a_, from, to);
        const double b = angle_over(b_, from, to);
        constexpr double uneven = 0.12;   // no rotation of up to pi between two keys changes its speed by more
        constexpr double allowed = 1e-5;  // radians; joints add up
        const double bend = a * b + uneven * (a * a + b * b);
        return static_cast<int>(std::clamp(std::ceil(std::sqrt(bend / (8 * allowed))), 1.0, 64.0));
    }

    /// Goes on to a time: a sampler that stays behind would search its way anew each time.
    void skip(float time) {
        std::array<float, 4> unused{};
        a_.sample(time, unused);
        b_.sample(time, unused);
    }

    /// Adds keys between the last one and `time`, and at `time`.
    void add(float time, Channel& out) {
        if (!out.times.empty()) {
            const float from = out.times.back();
            const int count = steps(from, time);
            const double step = (static_cast<double>(time) - static_cast<double>(from)) / count;
            for (int i = 1; i < count; ++i) {
                const auto between = static_cast<float>(static_cast<double>(from) + i * step);
                if (between > out.times.back() && between < time) push(between, out);
            }
        }
        push(time, out);
    }

private:
    static double angle_over(Sampler sampler, float from, float to) {
        std::array<float, 4> one{};
        std::array<float, 4> two{};
        sampler.sample(from, one);
        sampler.sample(to, two);
        return angle(one, two);
    }

    static double angle(std::span<const float> a, std::span<const float> b) {
        return 2 * std::acos(std::min(1.0, std::abs(glm::dot(quaternion(a), quaternion(b)))));
    }

    void push(float time, Channel& out) {
        std::array<float, 4> one{};
        std::array<float, 4> two{};
        a_.sample(time, one);
        b_.sample(time, two);
        std::array<float, 4> value{};
        store(quaternion(one) * quaternion(two), value);
        out.times.push_back(time);
        out.values.insert(out.values.end(), value.begin(), value.end());
    }

    Sampler a_, b_;
    bool refine_;
};

void finish(Channel& channel, KeyFindings& findings) {
    clean_times(channel.times, channel.values, channel.width, findings);
    if (channel.keyed() && channel.times.front() > 0) ++findings.late;
}

Channel at_times(const Channel& channel, Bulk<float> times, bool engine_rule) {
    Channel result;
    result.width = channel.width;
    result.pose = channel.pose;
    result.values.resize(times.size() * channel.width);
    Sampler sampler(channel, engine_rule);
    for (std::size_t i = 0; i < times.size(); ++i) {
        sampler.sample(times[i], std::span(result.values).subspan(i * channel.width, channel.width));
    }
    result.times = std::move(times);
    return result;
}

}  // namespace

void clean_times(Bulk<float>& times, Bulk<float>& values, std::size_t width, KeyFindings& findings) {
    if (is_clean(times)) {
        if (!times.empty()) times.front() += 0.0f;  // -0 becomes 0
        return;
    }
    std::vector<std::uint32_t> order = order_of_times(times, findings);
    drop_past(times, order, findings);
    const std::vector<TimedKey> keys = spread(times, order, findings);
    Bulk<float> new_times(keys.size());
    Bulk<float> new_values(keys.size() * width);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        new_times[i] = keys[i].time;
        std::copy_n(values.data() + keys[i].key * width, width, new_values.data() + i * width);
    }
    if (keys.size() > 1 && times[keys[0].key] < 0)
        begin_at_zero(static_cast<double>(times[keys[0].key]), static_cast<double>(times[keys[1].key]), width,
                      new_values);
    times = std::move(new_times);
    values = std::move(new_values);
}

Channel vector_channel(std::span<const xsm::VectorKey> keys, float start, Vec3 pose, VectorKind kind,
                       KeyFindings& findings) {
    const bool is_scale = kind == VectorKind::scale;
    const float z_sign = is_scale ? 1.0f : -1.0f;
    const auto repaired = [&](float value) { return finite(value, findings, is_scale ? 1.0f : 0.0f); };
    Channel channel;
    channel.pose = {repaired(pose.x), repaired(pose.y), z_sign * repaired(pose.z), 0};
    channel.times.resize(keys.size());
    channel.values.resize(3 * keys.size());
    float sum = 0;  // of zeros, unless a value is not finite
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Vec3 v = keys[i].value;
        channel.times[i] = keys[i].time - start;
        channel.values[3 * i] = v.x;
        channel.values[3 * i + 1] = v.y;
        channel.values[3 * i + 2] = z_sign * v.z;
        sum += v.x * 0.0f + v.y * 0.0f + v.z * 0.0f;
    }
    if (!(sum == 0)) {
        for (float& value : channel.values) value = repaired(value);
    }
    finish(channel, findings);
    return channel;
}

template <class Rotation>
Channel rotation_channel(std::span<const xsm::RotationKey<Rotation>> keys, float start, Rotation pose,
                         KeyFindings& findings) {
    Channel channel;
    channel.width = 4;
    const Quat rest = mirrored_unit(unpacked(pose), findings);
    channel.pose = {rest.x, rest.y, rest.z, rest.w};
    channel.times.resize(keys.size());
    channel.values.resize(4 * keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Quat q = mirrored_unit(unpacked(keys[i].value), findings);
        channel.times[i] = keys[i].time - start;
        channel.values[4 * i] = q.x;
        channel.values[4 * i + 1] = q.y;
        channel.values[4 * i + 2] = q.z;
        channel.values[4 * i + 3] = q.w;
    }
    finish(channel, findings);
    fix_signs(channel.values);
    return channel;
}

template Channel rotation_channel(std::span<const xsm::RotationKey<Quat>>, float, Quat, KeyFindings&);
template Channel rotation_channel(std::span<const xsm::RotationKey<xsm::PackedQuat>>, float, xsm::PackedQuat,
                                  KeyFindings&);

Channel weight_channel(std::span<const xpm::WeightKey> keys, float start, float pose, float min_weight,
                       float max_weight, KeyFindings& findings) {
    Channel channel;
    channel.width = 1;
    channel.pose = {finite(pose, findings), 0, 0, 0};
    const double low = static_cast<double>(finite(min_weight, findings));
    const double high = static_cast<double>(finite(max_weight, findings));
    channel.times.resize(keys.size());
    channel.values.resize(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        channel.times[i] = keys[i].time - start;
        channel.values[i] = static_cast<float>(low + (high - low) * (keys[i].value / 65535.0));
    }
    finish(channel, findings);
    return channel;
}

void Sampler::sample(float time, std::span<float> out) {
    const std::size_t width = channel_.width;
    const auto key = [&](std::size_t i) { return std::span(channel_.values).subspan(i * width, width); };
    const auto copy = [&](std::size_t i) { std::copy_n(key(i).begin(), width, out.begin()); };
    const std::size_t count = channel_.times.size();
    while (next_ < count && channel_.times[next_] <= time) ++next_;
    if (next_ == count) return copy(count - 1);
    if (next_ == 0) return copy(engine_rule_ ? count - 1 : 0);
    const double from = static_cast<double>(channel_.times[next_ - 1]);
    const double to = static_cast<double>(channel_.times[next_]);
    const double t = (static_cast<double>(time) - from) / (to - from);
    const auto a = key(next_ - 1);
    const auto b = key(next_);
    if (t == 0) return copy(next_ - 1);
    if (width == 4) {
        store(quaternion(a) * (1 - t) + quaternion(b) * t, out);
        return;
    }
    for (std::size_t k = 0; k < width; ++k) {
        out[k] = static_cast<float>(static_cast<double>(a[k]) * (1 - t) + static_cast<double>(b[k]) * t);
    }
}

Channel resampled(const Channel& channel, std::span<const float> times) {
    Channel result = at_times(channel, Bulk<float>(times.begin(), times.end()), true);
    if (result.width == 4) fix_signs(result.values);
    return result;
}

std::uint64_t product_size(const Channel& a, const Channel& b, bool refine) {
    if (!a.keyed() || !b.keyed()) return a.times.size() + b.times.size();
    const std::array<const Channel*, 2> both{&a, &b};
    const Bulk<float> times = united_times(both);
    ProductSampler sampler(a, b, refine);
    std::uint64_t count = 1;
    for (std::size_t i = 1; i < times.size(); ++i) {
        count += static_cast<std::uint64_t>(sampler.steps(times[i - 1], times[i]));
        sampler.skip(times[i]);
    }
    return count;
}

Channel product(Channel a, Channel b, bool refine, bool& united) {
    if (!a.keyed() && !b.keyed()) {
        Channel result;
        result.width = 4;
        store(quaternion(a.pose) * quaternion(b.pose), result.pose);
        return result;
    }
    if (!b.keyed()) return multiplied(std::move(a), quaternion(b.pose), true);
    if (!a.keyed()) return multiplied(std::move(b), quaternion(a.pose), false);
    united = true;
    const std::array<const Channel*, 2> both{&a, &b};
    ProductSampler sampler(a, b, refine);
    Channel result;
    result.width = 4;
    for (const float time : united_times(both)) sampler.add(time, result);
    fix_signs(result.values);
    return result;
}

Channel conjugated(Channel rotation) {
    for (std::size_t k = 0; k < 3; ++k) rotation.pose[k] = -rotation.pose[k];
    for (std::size_t i = 0; i < rotation.values.size(); ++i) {
        if (i % 4 != 3) rotation.values[i] = -rotation.values[i];
    }
    return rotation;
}

bool differs(std::span<const float> pose, std::span<const float> rest) {
    float dot = 0;
    for (std::size_t k = 0; k < rest.size(); ++k) dot += pose[k] * rest[k];
    const float sign = rest.size() == 4 && dot < 0 ? -1.0f : 1.0f;
    for (std::size_t k = 0; k < rest.size(); ++k) {
        if (!(std::abs(pose[k] - sign * rest[k]) <= 1e-6f * std::max(1.0f, std::abs(rest[k])))) return true;
    }
    return false;
}

Bulk<float> united_times(std::span<const Channel* const> channels) {
    Bulk<float> times;
    std::size_t count = 0;
    for (const Channel* channel : channels) count += channel->times.size();
    times.reserve(count);
    for (const Channel* channel : channels) times.insert(times.end(), channel->times.begin(), channel->times.end());
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

}  // namespace effigy::emfx::bridge
