/// Values of vector and weight channels between keys: stepped, linear, cubic spline.

#include "playback/channels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "playback/vector_math.hpp"

namespace effigy::playback {
namespace {

/// The numbers of one key.
const float* key_value(const Channel& channel, std::size_t key) {
    const std::size_t group = channel.interpolation == Interpolation::cubic_spline ? 3 * key + 1 : key;
    return channel.values.data() + group * channel.width;
}

/// Hermite spline of glTF. A key is three groups of numbers, and `from` and `to` point to the second one, the value:
/// before it stands the tangent on the way in, after it the one on the way out.
void interpolate_spline(const float* from, const float* to, float part, float seconds, std::size_t width, float* out) {
    const float square = part * part;
    const float cube = square * part;
    const float from_factor = 2 * cube - 3 * square + 1;
    const float from_tangent = seconds * (cube - 2 * square + part);
    const float to_factor = -2 * cube + 3 * square;
    const float to_tangent = seconds * (cube - square);
    const float* leaving = from + width;
    const float* arriving = to - width;
    for (std::size_t i = 0; i < width; ++i) {
        out[i] = from_factor * from[i] + from_tangent * leaving[i] + to_factor * to[i] + to_tangent * arriving[i];
    }
}

/// Number by number, as everything but rotations in a linear channel is mixed. The channel's `width` is a parameter,
/// so that compilers can know it.
void interpolate(const Channel& channel, const KeyPair& keys, std::size_t width, float* out) {
    const float* from = key_value(channel, keys.from);
    const float* to = key_value(channel, keys.to);
    if (keys.from == keys.to || channel.interpolation == Interpolation::step) {
        std::copy_n(from, width, out);
    } else if (channel.interpolation == Interpolation::cubic_spline) {
        interpolate_spline(from, to, keys.part, channel.times[keys.to] - channel.times[keys.from], width, out);
    } else {
        for (std::size_t i = 0; i < width; ++i) out[i] = from[i] + keys.part * (to[i] - from[i]);
    }
}

}  // namespace

void sample_vectors(std::span<const Channel> channels, KeyFinder& finder, std::uint32_t* cursors, std::span<Vec3> out) {
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const Channel& channel = channels[i];
        const KeyPair& keys = finder.find(channel.times, cursors[i]);
        Vec3& place = out[channel.target];
        if (channel.interpolation == Interpolation::linear) {
            const float* from = channel.values.data() + 3 * keys.from;
            const float* to = channel.values.data() + 3 * keys.to;
            place = mix({from[0], from[1], from[2]}, {to[0], to[1], to[2]}, keys.part);
        } else {
            interpolate(channel, keys, 3, &place.x);
        }
    }
}

void sample_weights(std::span<const Channel> channels, KeyFinder& finder, std::uint32_t* cursors,
                    std::span<float> out) {
    for (const Channel& channel : channels) {
        interpolate(channel, finder.find(channel.times, *cursors++), channel.width, out.data() + channel.target);
    }
}

void gather_rotations(std::span<const Channel> channels, KeyFinder& finder, std::uint32_t* cursors,
                      SampleContext& context) {
    Quat* from = context.from.data();
    Quat* to = context.to.data();
    float* parts = context.parts.data();
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const Channel& channel = channels[i];
        const KeyPair& keys = finder.find(channel.times, cursors[i]);
        if (channel.interpolation == Interpolation::linear) {
            std::memcpy(static_cast<void*>(from + i), channel.values.data() + 4 * keys.from, sizeof(Quat));
            std::memcpy(static_cast<void*>(to + i), channel.values.data() + 4 * keys.to, sizeof(Quat));
            parts[i] = keys.part;
        } else {
            interpolate(channel, keys, 4, &from[i].x);
            // Not every rule brings what it mixes to unit length, and splines leave it.
            if (channel.interpolation == Interpolation::cubic_spline) from[i] = normalized(from[i]);
            to[i] = from[i];
            parts[i] = 0;
        }
    }
}

}  // namespace effigy::playback
