/// SampleJob: all channels of a clip at one time; vectors and weights between keys stepped, linear or by a cubic
/// spline, rotations put next to each other, so that they can be mixed in vectors.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "effigy/playback.hpp"

#include "playback/checks.hpp"
#include "playback/kernels.hpp"
#include "playback/vector_math.hpp"

namespace effigy::playback {

namespace {

/// Two keys of a channel and the way between them, 0..1; the same key twice where there is nothing between.
struct KeyPair {
    std::size_t from = 0;
    std::size_t to = 0;
    float part = 0;
};

/// Finds the keys at one time. Channels one after the other that share their times, as bind() makes them, are searched
/// only once.
class KeyFinder {
public:
    KeyFinder(double time, bool last_before_first)
        : rounded_(static_cast<float>(time)),
          rest_(static_cast<float>(time - static_cast<double>(rounded_))),
          last_before_first_(last_before_first) {}

    /// `cursor` is where the search begins, and then where it ended; any number will do.
    [[nodiscard]] const KeyPair& find(std::span<const float> times, std::uint32_t& cursor) {
        if (times.data() != times_.data() || times.size() != times_.size()) {
            times_ = times;
            search(cursor);
        }
        return keys_;
    }

private:
    // Each channel with times of its own comes here every time: these two are worth being inlined.

    void search(std::uint32_t& cursor) {
        const float* times = times_.data();
        std::size_t key = cursor;
        if (key + 2 >= times_.size()) return search_everywhere(cursor);
        // In nearly all cases time has passed one key or none, which nobody can foretell: a sum, not a branch.
        key += static_cast<std::size_t>(times[key + 1] <= rounded_);
        if (!(times[key] <= rounded_ && rounded_ < times[key + 1])) return search_everywhere(cursor);
        cursor = static_cast<std::uint32_t>(key);
        go_between(key);
    }

    /// From `key` to the one behind it.
    void go_between(std::size_t key) {
        const float begin = times_[key];
        const float way = (rounded_ - begin) + rest_;
        // The time may lie before a key that it was rounded to, and is taken for the key's own then.
        keys_ = {key, key + 1, (way > 0 ? way : 0) / (times_[key + 1] - begin)};
    }

    void search_everywhere(std::uint32_t& cursor);

    float rounded_;  ///< keys are floats, and 0.1 seconds have to find the key at 0.1f
    float rest_;     ///< what the rounding has cost
    bool last_before_first_;
    std::span<const float> times_;
    KeyPair keys_;
};

/// So many keys from the cursor are searched before all others: time mostly goes on, be it in larger steps.
constexpr std::size_t nearby_keys = 16;

/// The last key that is not after `time`; the first one is not.
std::size_t find_last(std::span<const float> times, float time, std::size_t cursor) {
    const std::size_t begin = cursor < times.size() && times[cursor] <= time ? cursor : 0;
    const std::size_t nearby = std::min(times.size(), begin + nearby_keys);
    const std::size_t end = time < times[nearby - 1] ? nearby : times.size();
    const float* next = std::upper_bound(times.data() + begin + 1, times.data() + end, time);
    return static_cast<std::size_t>(next - times.data()) - 1;
}

void KeyFinder::search_everywhere(std::uint32_t& cursor) {
    const std::size_t last = times_.size() - 1;
    if (!(times_.front() <= rounded_)) {
        cursor = 0;
        const std::size_t shown = last_before_first_ ? last : 0;
        keys_ = {shown, shown, 0};
        return;
    }
    const std::size_t key = find_last(times_, rounded_, cursor);
    cursor = static_cast<std::uint32_t>(key);
    if (key == last) {
        keys_ = {key, key, 0};
    } else {
        go_between(key);
    }
}

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

/// What a kind of channels should be like: `width` numbers each (0: as many as each says), for `targets` places.
struct Kind {
    const char* name = "";
    std::size_t width = 0;
    std::size_t targets = 0;
};

std::uint64_t value_count(const Channel& channel) {
    const std::size_t groups = channel.interpolation == Interpolation::cubic_spline ? 3 : 1;
    return std::uint64_t{channel.times.size()} * channel.width * groups;
}

bool is_within(const Channel& channel, const Kind& kind) {
    const std::size_t taken = kind.width == 0 ? channel.width : 1;
    return channel.target + taken <= kind.targets;
}

bool fits(const Channel& channel, const Kind& kind) {
    return is_within(channel, kind) && (kind.width == 0 || channel.width == kind.width) && !channel.times.empty() &&
           channel.values.size() == value_count(channel);
}

tl::unexpected<Diagnostic> misfit(const Channel& channel, std::size_t number, const Kind& kind) {
    const std::string path = std::string(kind.name) + "[" + std::to_string(number) + "]";
    if (!is_within(channel, kind)) {
        return wrong_index(path + ".target", channel.target, "less than " + std::to_string(kind.targets));
    }
    if (channel.times.empty()) return wrong_size(path + ".times", 0, "at least 1");
    if (channel.values.size() != value_count(channel)) {
        return wrong_size(path + ".values", channel.values.size(), std::to_string(value_count(channel)));
    }
    return wrong_size(path + ".width", channel.width, std::to_string(kind.width));
}

/// All channels are looked at every time, and nearly all are of this sort: so this is the short way to say `fits`.
template <std::size_t width>
bool is_plain(const Channel& channel, std::size_t targets) {
    return channel.interpolation != Interpolation::cubic_spline && channel.width == width && channel.target < targets &&
           channel.values.size() == width * channel.times.size() && !channel.times.empty();
}

template <std::size_t width>
Result<void> check_channels(const char* name, std::span<const Channel> channels, std::size_t targets) {
    for (const Channel& channel : channels) {
        if (is_plain<width>(channel, targets)) continue;
        const Kind kind{name, width, targets};
        if (!fits(channel, kind)) return misfit(channel, static_cast<std::size_t>(&channel - channels.data()), kind);
    }
    return {};
}

Result<void> check_context(const Animation& animation, const SampleContext& context) {
    const std::size_t rotations = animation.rotations.size();
    const std::size_t channels =
        animation.translations.size() + rotations + animation.scales.size() + animation.weights.size();
    return check_sizes({{"context.cursors", context.cursors.size(), channels},
                        {"context.from", context.from.size(), rotations},
                        {"context.to", context.to.size(), rotations},
                        {"context.parts", context.parts.size(), rotations}});
}

Result<void> check_animation(const Animation& animation, std::size_t joints, std::size_t weights) {
    if (!std::isfinite(animation.duration)) {
        return wrong_value("animation.duration", std::to_string(animation.duration), "a finite number");
    }
    if (auto fits = check_channels<3>("animation.translations", animation.translations, joints); !fits) return fits;
    if (auto fits = check_channels<4>("animation.rotations", animation.rotations, joints); !fits) return fits;
    if (auto fits = check_channels<3>("animation.scales", animation.scales, joints); !fits) return fits;
    return check_channels<0>("animation.weights", animation.weights, weights);
}

Result<void> check(const SampleJob& job) {
    if (job.animation == nullptr) return wrong_value("animation", "null", "an animation");
    if (job.context == nullptr) return wrong_value("context", "null", "a context");
    if (!std::isfinite(job.time)) return wrong_value("time", std::to_string(job.time), "a finite number");
    const std::size_t joints = job.rest.size();
    if (auto fits = check_pose("rest", job.rest, joints); !fits) return fits;
    if (auto fits = check_pose("pose", job.pose, joints); !fits) return fits;
    if (auto fits = check_sizes({{"weights", job.weights.size(), job.rest_weights.size()}}); !fits) return fits;
    if (auto fits = check_context(*job.animation, *job.context); !fits) return fits;
    return check_animation(*job.animation, joints, job.weights.size());
}

double time_within(const SampleJob& job) {
    const double duration = job.animation->duration;
    if (!(duration > 0)) return 0;
    if (!job.loop || (job.time >= 0 && job.time <= duration)) return std::clamp(job.time, 0.0, duration);
    const double rest = std::fmod(job.time, duration);
    return rest < 0 ? rest + duration : rest;
}

void sample_rotations(const SampleJob& job, KeyFinder& finder, std::uint32_t* cursors) {
    const std::vector<Channel>& channels = job.animation->rotations;
    SampleContext& context = *job.context;
    gather_rotations(channels, finder, cursors, context);
    const auto mix = job.kernel == Kernel::vector ? kernels::mix_rotations : reference::mix_rotations;
    mix(job.animation->rules.rotation, context.from, context.to.data(), context.parts.data());
    for (std::size_t i = 0; i < channels.size(); ++i) job.pose.rotations[channels[i].target] = context.from[i];
}

}  // namespace

Result<void> SampleJob::run() const {
    if (auto fits = check(*this); !fits) return fits;
    std::copy(rest.translations.begin(), rest.translations.end(), pose.translations.begin());
    std::copy(rest.rotations.begin(), rest.rotations.end(), pose.rotations.begin());
    std::copy(rest.scales.begin(), rest.scales.end(), pose.scales.begin());
    std::copy(rest_weights.begin(), rest_weights.end(), weights.begin());

    KeyFinder finder(time_within(*this), animation->rules.last_before_first);
    std::uint32_t* cursors = context->cursors.data();
    sample_vectors(animation->translations, finder, cursors, pose.translations);
    cursors += animation->translations.size();
    sample_rotations(*this, finder, cursors);
    cursors += animation->rotations.size();
    sample_vectors(animation->scales, finder, cursors, pose.scales);
    cursors += animation->scales.size();
    sample_weights(animation->weights, finder, cursors, weights);
    return {};
}

}  // namespace effigy::playback
