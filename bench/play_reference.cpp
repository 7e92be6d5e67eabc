/// Playback one joint after the other in double precision: what the benchmark compares with.

#include <algorithm>
#include <cmath>

#include "playback_reference.hpp"

namespace effigy::bench {
namespace {

/// The keys around a time.
struct Place {
    std::size_t before = 0, after = 0;
    double part = 0;
};

Place place_of(std::span<const float> times, double time) {
    const auto after = std::upper_bound(times.begin(), times.end(), time,
                                        [](double t, float key) { return t < static_cast<double>(key); });
    if (after == times.begin()) return {};
    if (after == times.end()) return {times.size() - 1, times.size() - 1, 0};
    const double from = static_cast<double>(*std::prev(after)), to = static_cast<double>(*after);
    const auto index = static_cast<std::size_t>(after - times.begin());
    return {index - 1, index, (time - from) / (to - from)};
}

template <std::size_t width>
std::array<double, width> value_at(const playback::Channel& channel, std::size_t key) {
    std::array<double, width> value{};
    for (std::size_t i = 0; i < width; ++i) value[i] = static_cast<double>(channel.values[key * width + i]);
    return value;
}

std::array<double, 3> vector_at(const playback::Channel& channel, double time) {
    const Place place = place_of(channel.times, time);
    std::array<double, 3> value = value_at<3>(channel, place.before);
    const std::array<double, 3> next = value_at<3>(channel, place.after);
    for (std::size_t i = 0; i < 3; ++i) value[i] += place.part * (next[i] - value[i]);
    return value;
}

std::array<double, 4> rotation_at(const playback::Channel& channel, double time, RotationRule rule) {
    const Place place = place_of(channel.times, time);
    const std::array<double, 4> from = value_at<4>(channel, place.before), to = value_at<4>(channel, place.after);
    double cosine = 0;
    for (std::size_t i = 0; i < 4; ++i) cosine += from[i] * to[i];
    const double sign = cosine < 0 ? -1 : 1;
    double first = 1 - place.part, second = place.part;
    const double size = std::abs(cosine);
    if (size < (rule == RotationRule::slerp ? 0.9999 : rule == RotationRule::by_angle ? 0.2 : 0)) {
        const double angle = std::acos(size);
        first = std::sin(first * angle) / std::sin(angle);
        second = std::sin(second * angle) / std::sin(angle);
    }
    std::array<double, 4> value{};
    double squared = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        value[i] = first * from[i] + sign * second * to[i];
        squared += value[i] * value[i];
    }
    if (rule == RotationRule::by_angle && (size < 0.2 || size >= 1 - 1e-5)) return value;
    for (double& number : value) number /= std::sqrt(squared);
    return value;
}

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix result{};
    for (std::size_t column = 0; column < 4; ++column)
        for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t k = 0; k < 4; ++k) result[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    return result;
}

Matrix matrix_of(const std::array<double, 3>& translation, const std::array<double, 4>& rotation,
                 const std::array<double, 3>& scale) {
    const auto [x, y, z, w] = rotation;
    return {(1 - 2 * (y * y + z * z)) * scale[0],
            2 * (x * y + z * w) * scale[0],
            2 * (x * z - y * w) * scale[0],
            0,
            2 * (x * y - z * w) * scale[1],
            (1 - 2 * (x * x + z * z)) * scale[1],
            2 * (y * z + x * w) * scale[1],
            0,
            2 * (x * z + y * w) * scale[2],
            2 * (y * z - x * w) * scale[2],
            (1 - 2 * (x * x + y * y)) * scale[2],
            0,
            translation[0],
            translation[1],
            translation[2],
            1};
}

std::array<double, 3> widened(const Vec3& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

}  // namespace

PlainPlayer::PlainPlayer(const playback::Animation& animation, const playback::Skeleton& skeleton)
    : animation_(animation), parents_(skeleton.parents), models_(skeleton.parents.size()) {
    for (std::size_t joint = 0; joint < parents_.size(); ++joint) {
        const Quat& rotation = skeleton.rest.rotations[joint];
        rest_.push_back({widened(skeleton.rest.translations[joint]),
                         widened(skeleton.rest.scales[joint]),
                         {static_cast<double>(rotation.x), static_cast<double>(rotation.y),
                          static_cast<double>(rotation.z), static_cast<double>(rotation.w)}});
    }
    pose_ = rest_;
}

void PlainPlayer::play(double time) {
    pose_ = rest_;
    for (const playback::Channel& channel : animation_.translations)
        pose_[channel.target].translation = vector_at(channel, time);
    for (const playback::Channel& channel : animation_.rotations)
        pose_[channel.target].rotation = rotation_at(channel, time, animation_.rules.rotation);
    for (const playback::Channel& channel : animation_.scales) pose_[channel.target].scale = vector_at(channel, time);
    for (std::size_t joint = 0; joint < pose_.size(); ++joint) {
        const Local& local = pose_[joint];
        const Matrix own = matrix_of(local.translation, local.rotation, local.scale);
        models_[joint] = parents_[joint] == no_index ? own : product(models_[parents_[joint]], own);
    }
}

double max_difference(std::span<const Mat4> a, std::span<const Matrix> b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t k = 0; k < 16; ++k)
            largest = std::max(largest, std::abs(static_cast<double>(a[i].m[k]) - b[i][k]));
    }
    return largest;
}

}  // namespace effigy::bench
