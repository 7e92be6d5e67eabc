/// SampleJob: all channels of a clip at one time, stepped, linear or by a cubic spline. The keys around the time are
/// held in a context, beside each other, so that a channel is searched only when time has left them, and all channels
/// are mixed in vectors.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "effigy/playback.hpp"

#include "playback/checks.hpp"
#include "playback/kernels.hpp"
#include "playback/vector_math.hpp"

namespace effigy::playback {

namespace {

constexpr float endless = std::numeric_limits<float>::infinity();

/// A time in the precision of keys, and what the rounding has cost: 0.1 seconds have to find the key at 0.1f.
struct Moment {
    float rounded;
    float rest;
    explicit Moment(double time)
        : rounded(static_cast<float>(time)), rest(static_cast<float>(time - static_cast<double>(rounded))) {}
};

/// Two keys of a channel and the seconds between which they are the right ones; the same key twice where there is
/// nothing between.
struct KeyPair {
    std::size_t from = 0;
    std::size_t to = 0;
    float begin = 0;
    float end = 0;

    [[nodiscard]] float part(const Moment& moment) const {
        float part = 0;
        reference::find_parts({&begin, 1}, &end, moment.rounded, moment.rest, &part);
        return part;
    }
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

/// What comes next is mostly the key behind those of now, which is far from other channels' in memory.
void fetch(const float* key) { __builtin_prefetch(key); }

/// Finds the keys at one time. Channels one after the other that share their times, as bind() makes them, are searched
/// only once.
class KeyFinder {
public:
    KeyFinder(float time, bool last_before_first) : time_(time), last_before_first_(last_before_first) {}

    /// `cursor` is where the search begins, and then where it ended; any number will do.
    [[nodiscard]] const KeyPair& find(std::span<const float> times, std::uint32_t& cursor) {
        if (times.data() != times_.data() || times.size() != times_.size()) {
            times_ = times;
            keys_ = search(cursor);
            fetch(times.data() + keys_.to + 1);
        }
        cursor = static_cast<std::uint32_t>(keys_.from);
        return keys_;
    }

private:
    [[nodiscard]] KeyPair search(std::size_t cursor) const {
        // In nearly all cases time has passed one key.
        if (cursor + 2 < times_.size() && times_[cursor + 1] <= time_ && time_ < times_[cursor + 2])
            return {cursor + 1, cursor + 2, times_[cursor + 1], times_[cursor + 2]};
        const std::size_t last = times_.size() - 1;
        if (!(times_.front() <= time_)) {
            const std::size_t shown = last_before_first_ ? last : 0;
            return {shown, shown, std::numeric_limits<float>::lowest(), times_.front()};
        }
        const std::size_t key = find_last(times_, time_, cursor);
        if (key == last) return {key, key, times_[key], endless};
        return {key, key + 1, times_[key], times_[key + 1]};
    }

    float time_;
    bool last_before_first_;
    std::span<const float> times_;
    KeyPair keys_;
};

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

/// Number by number.
void interpolate(const Channel& channel, const KeyPair& keys, float part, std::size_t width, float* out) {
    const float* from = key_value(channel, keys.from);
    const float* to = key_value(channel, keys.to);
    if (keys.from == keys.to || channel.interpolation == Interpolation::step) {
        std::copy_n(from, width, out);
    } else if (channel.interpolation == Interpolation::cubic_spline) {
        interpolate_spline(from, to, part, keys.end - keys.begin, width, out);
    } else {
        for (std::size_t i = 0; i < width; ++i) out[i] = from[i] + part * (to[i] - from[i]);
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

template <class Value>
bool has_room(const HeldKeys<Value>& held, std::size_t channels) {
    return held.begins.size() == channels && held.ends.size() == channels && held.from.size() == channels &&
           held.to.size() == channels && held.mixed.size() == channels && held.targets.size() == channels &&
           held.cursors.size() == channels;
}

Result<void> check_context(const Animation& animation, const SampleContext& context) {
    const std::size_t translations = animation.translations.size();
    const std::size_t rotations = animation.rotations.size();
    const std::size_t scales = animation.scales.size();
    const std::size_t most = std::max({translations, rotations, scales});
    if (!has_room(context.translations, translations))
        return wrong_size("context.translations", context.translations.begins.size(), std::to_string(translations));
    if (!has_room(context.rotations, rotations))
        return wrong_size("context.rotations", context.rotations.begins.size(), std::to_string(rotations));
    if (!has_room(context.scales, scales))
        return wrong_size("context.scales", context.scales.begins.size(), std::to_string(scales));
    return check_sizes({{"context.weights", context.weights.size(), animation.weights.size()},
                        {"context.outdated", context.outdated.size(), most},
                        {"context.parts", context.parts.size(), most}});
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
    const double duration = static_cast<double>(job.animation->duration);
    if (!std::isfinite(duration)) return wrong_value("animation.duration", std::to_string(duration), "a finite number");
    const Kind kind{"animation.weights", 0, job.weights.size()};
    for (std::size_t i = 0; i < job.animation->weights.size(); ++i) {
        if (const Channel& channel = job.animation->weights[i]; !fits(channel, kind)) return misfit(channel, i, kind);
    }
    return {};
}

double time_within(const SampleJob& job) {
    const double duration = job.animation->duration;
    if (!(duration > 0)) return 0;
    // 1.3 seconds are the end of a clip of 1.3f.
    const bool is_within = job.time >= 0 && static_cast<float>(job.time) <= job.animation->duration;
    if (!job.loop || is_within) return std::clamp(job.time, 0.0, duration);
    const double rest = std::fmod(job.time, duration);
    return rest < 0 ? rest + duration : rest;
}

/// A spline, which only its time can mix, is held for no longer than that.
template <class Value>
void hold_spline(const Channel& channel, const KeyPair& keys, const Moment& moment, HeldKeys<Value>& held,
                 std::size_t i) {
    interpolate(channel, keys, keys.part(moment), sizeof(Value) / sizeof(float), &held.from[i].x);
    // Not every rule brings what it mixes to unit length, and splines leave it.
    if constexpr (std::is_same_v<Value, Quat>) held.from[i] = normalized(held.from[i]);
    held.to[i] = held.from[i];
}

template <class Value>
void hold(const Channel& channel, const KeyPair& keys, HeldKeys<Value>& held, std::size_t i) {
    constexpr std::size_t width = sizeof(Value) / sizeof(float);
    const std::size_t to = channel.interpolation == Interpolation::step ? keys.from : keys.to;
    std::memcpy(static_cast<void*>(&held.from[i]), channel.values.data() + width * keys.from, sizeof(Value));
    std::memcpy(static_cast<void*>(&held.to[i]), channel.values.data() + width * to, sizeof(Value));
    held.begins[i] = keys.begin;
    held.ends[i] = keys.end;
    fetch(channel.values.data() + width * (keys.to + 1));
}

/// Whether each number is one above the one before it.
bool is_row(std::span<const std::uint32_t> numbers) {
    return std::adjacent_find(numbers.begin(), numbers.end(), [](auto a, auto b) { return b != a + 1; }) ==
           numbers.end();
}

template <class Value>
void release_keys(HeldKeys<Value>& held) {
    std::fill(held.begins.begin(), held.begins.end(), endless);
    std::fill(held.ends.begin(), held.ends.end(), -endless);
}

template <class Value>
HeldKeys<Value> room_for(std::size_t channels) {
    HeldKeys<Value> held;
    held.begins.resize(channels);
    held.ends.resize(channels);
    held.from.resize(channels);
    held.to.resize(channels);
    held.mixed.resize(channels);
    held.targets.resize(channels);
    held.cursors.assign(channels, 0);
    release_keys(held);
    return held;
}

class Sampler {
public:
    explicit Sampler(const SampleJob& job)
        : job_(job),
          context_(*job.context),
          moment_(time_within(job)),
          finder_(moment_.rounded, job.animation->rules.last_before_first),
          is_vector_(job.kernel == Kernel::vector) {}

    /// Checks all channels if the context does not know them.
    [[nodiscard]] Result<void> recognise() {
        const Animation& animation = *job_.animation;
        const std::size_t joints = job_.rest.size();
        const std::array<const Channel*, 3> channels{animation.translations.data(), animation.rotations.data(),
                                                     animation.scales.data()};
        if (context_.known == channels && context_.joints == joints) return {};
        context_.release();
        if (auto fits = take_targets("animation.translations", animation.translations, context_.translations); !fits)
            return fits;
        if (auto fits = take_targets("animation.rotations", animation.rotations, context_.rotations); !fits)
            return fits;
        if (auto fits = take_targets("animation.scales", animation.scales, context_.scales); !fits) return fits;
        context_.known = channels;
        context_.joints = joints;
        return {};
    }

    /// Only the context changes.
    [[nodiscard]] Result<void> hold_all() {
        const Animation& animation = *job_.animation;
        if (auto held = hold_outdated("animation.translations", animation.translations, context_.translations); !held)
            return held;
        if (auto held = hold_outdated("animation.rotations", animation.rotations, context_.rotations); !held)
            return held;
        return hold_outdated("animation.scales", animation.scales, context_.scales);
    }

    void write() {
        const auto mix_vectors = is_vector_ ? kernels::mix_vectors : reference::mix_vectors;
        write(context_.translations, job_.pose.translations, mix_vectors);
        write(context_.scales, job_.pose.scales, mix_vectors);
        write(context_.rotations, job_.pose.rotations, [&](auto... all) {
            const auto mix = is_vector_ ? kernels::mix_rotations : reference::mix_rotations;
            mix(job_.animation->rules.rotation, all...);
        });
        const std::vector<Channel>& weights = job_.animation->weights;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const KeyPair& keys = finder_.find(weights[i].times, context_.weights[i]);
            interpolate(weights[i], keys, keys.part(moment_), weights[i].width,
                        job_.weights.data() + weights[i].target);
        }
    }

private:
    template <class Value>
    Result<void> take_targets(const char* name, const std::vector<Channel>& channels, HeldKeys<Value>& held) {
        const Kind kind{name, sizeof(Value) / sizeof(float), job_.rest.size()};
        for (std::size_t i = 0; i < channels.size(); ++i) {
            if (!fits(channels[i], kind)) return misfit(channels[i], i, kind);
            held.targets[i] = channels[i].target;
        }
        held.in_a_row = is_row(held.targets);
        return {};
    }

    template <class Value>
    Result<void> hold_outdated(const char* name, const std::vector<Channel>& channels, HeldKeys<Value>& held) {
        const Kind kind{name, sizeof(Value) / sizeof(float), job_.rest.size()};
        const auto find = is_vector_ ? kernels::find_outdated : reference::find_outdated;
        const std::size_t count = find(held.begins, held.ends.data(), moment_.rounded, context_.outdated.data());
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t i = context_.outdated[k];
            const Channel& channel = channels[i];
            // Another one than was met, in its place: what is read of it must be there.
            if (!fits(channel, kind)) return misfit(channel, i, kind);
            const KeyPair& keys = finder_.find(channel.times, held.cursors[i]);
            if (channel.interpolation == Interpolation::cubic_spline) {
                hold_spline(channel, keys, moment_, held, i);
            } else {
                hold(channel, keys, held, i);
            }
        }
        return {};
    }

    template <class Value, class Mix>
    void write(HeldKeys<Value>& held, std::span<Value> out, Mix&& mix) {
        if (held.from.empty()) return;
        const auto find_parts = is_vector_ ? kernels::find_parts : reference::find_parts;
        find_parts(held.begins, held.ends.data(), moment_.rounded, moment_.rest, context_.parts.data());
        Value* const mixed = held.in_a_row ? &out[held.targets.front()] : held.mixed.data();
        mix(std::span<const Value>(held.from), held.to.data(), context_.parts.data(), mixed);
        for (std::size_t i = 0; !held.in_a_row && i < held.targets.size(); ++i) out[held.targets[i]] = mixed[i];
    }

    const SampleJob& job_;
    SampleContext& context_;
    Moment moment_;
    KeyFinder finder_;
    bool is_vector_;
};

}  // namespace

SampleContext::SampleContext(const Animation& animation)
    : translations(room_for<Vec3>(animation.translations.size())),
      scales(room_for<Vec3>(animation.scales.size())),
      rotations(room_for<Quat>(animation.rotations.size())),
      weights(animation.weights.size(), 0),
      outdated(std::max({translations.from.size(), scales.from.size(), rotations.from.size()})),
      parts(outdated.size()) {}

void SampleContext::release() {
    known = {};
    release_keys(translations);
    release_keys(scales);
    release_keys(rotations);
}

Result<void> SampleJob::run() const {
    if (auto fits = check(*this); !fits) return fits;
    Sampler sampler(*this);
    if (auto fits = sampler.recognise(); !fits) return fits;
    if (auto held = sampler.hold_all(); !held) return held;
    std::copy(rest.translations.begin(), rest.translations.end(), pose.translations.begin());
    std::copy(rest.rotations.begin(), rest.rotations.end(), pose.rotations.begin());
    std::copy(rest.scales.begin(), rest.scales.end(), pose.scales.begin());
    std::copy(rest_weights.begin(), rest_weights.end(), weights.begin());
    sampler.write();
    return {};
}

}  // namespace effigy::playback
