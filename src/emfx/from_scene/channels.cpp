/// Tracks of a clip resampled to linear keys, thinned within an error, begun at 0 and held until the end.

#include <algorithm>
#include <cmath>

#include "effigy/emfx_codes.hpp"

#include "core/text.hpp"
#include "emfx/from_scene/clip.hpp"
#include "scene/keys.hpp"

namespace effigy::emfx::bridge {
namespace {

/// Where no error is given: what keys of 16 bits cannot tell, more or less.
constexpr double usual_error = 1e-4;

/// Splines may take many keys; a track gets no more than so many for each of its own.
constexpr std::size_t max_for_one = 64;

double range_of(const Track& track) {
    const auto [least, most] = std::minmax_element(track.values.begin(), track.values.end());
    const double range = track.values.empty() ? 0 : static_cast<double>(*most) - static_cast<double>(*least);
    return std::isfinite(range) ? range : 1;
}

/// Before its first key a track shows the first value or, by other formats' rule, the last one.
void start_at_zero(Channel& channel, bool last_before_first) {
    const float first = channel.times.front();
    if (!(first > 0)) return;
    const std::size_t from = last_before_first ? channel.values.size() - channel.width : 0;
    const Bulk<float> value(channel.values.begin() + static_cast<std::ptrdiff_t>(from),
                            channel.values.begin() + static_cast<std::ptrdiff_t>(from + channel.width));
    const float before = std::nextafter(first, 0.0f);
    if (last_before_first && before > 0) {
        channel.times.insert(channel.times.begin(), before);
        channel.values.insert(channel.values.begin(), value.begin(), value.end());
    }
    channel.times.insert(channel.times.begin(), 0.0f);
    channel.values.insert(channel.values.begin(), value.begin(), value.end());
}

void drop_constant(Channel& channel) {
    const auto first = channel.values.begin();
    for (auto value = first; value != channel.values.end(); value += static_cast<std::ptrdiff_t>(channel.width)) {
        if (!std::equal(first, first + static_cast<std::ptrdiff_t>(channel.width), value)) return;
    }
    channel.times.clear();
    channel.values.clear();
}

/// The pose of a keyed channel is its first key; one that never changes needs no keys.
void finish(Channel& channel, bool last_before_first) {
    if (!channel.keyed()) return;
    start_at_zero(channel, last_before_first);
    std::copy_n(channel.values.begin(), channel.width, channel.pose.begin());
    drop_constant(channel);
}

}  // namespace

Channel ChannelMaker::linear(const Track& track, std::size_t components) {
    const double bound = track.path == TrackPath::translation ? usual_error * range_of(track) : usual_error;
    const double wanted = max_error_ > 0 ? max_error_ : bound;
    const std::size_t most = max_for_one * std::max<std::size_t>(track.times.size(), 16);
    LinearTrack result = linear_track(track, components, wanted, most, {clip_.rules.rotation, engine_rules.rotation});
    if (result.times.size() > track.times.size()) ++resampled_;
    if (result.error > wanted && result.error > 1e-5) {
        ++rough_;
        rough_error_ = std::max(rough_error_, result.error);
    }
    error_ = std::max(error_, result.error);
    unordered_ += result.left_out;
    not_finite_ += result.not_finite;
    Channel channel;
    channel.width = components;
    KeyFindings findings;
    clean_times(result.times, result.values, components, findings);  // none before 0
    channel.times = std::move(result.times);
    channel.values = std::move(result.values);
    return channel;
}

void ChannelMaker::thin(Channel& channel, TrackPath path) {
    if (!(max_error_ > 0) || !channel.keyed()) return;
    const std::vector<std::uint32_t> kept =
        keys_to_keep(channel.times, channel.values, path, channel.width, engine_rules.rotation, max_error_);
    left_out_ += channel.times.size() - kept.size();
    for (std::size_t i = 0; i < kept.size(); ++i) {
        channel.times[i] = channel.times[kept[i]];
        std::copy_n(channel.values.begin() + static_cast<std::ptrdiff_t>(kept[i] * channel.width), channel.width,
                    channel.values.begin() + static_cast<std::ptrdiff_t>(i * channel.width));
    }
    channel.times.resize(kept.size());
    channel.values.resize(kept.size() * channel.width);
}

Channel ChannelMaker::make(const Track* track, TrackPath path, std::span<const float> rest) {
    Channel channel;
    if (track != nullptr) channel = linear(*track, rest.size());
    channel.width = rest.size();
    std::copy(rest.begin(), rest.end(), channel.pose.begin());
    finish(channel, clip_.rules.last_before_first);
    thin(channel, path);
    return channel;
}

std::vector<Channel> ChannelMaker::make_weights(const Track& track, std::size_t targets) {
    const Channel all = linear(track, targets);
    std::vector<Channel> channels(targets);
    for (std::size_t target = 0; target < targets; ++target) {
        Channel& one = channels[target];
        one.width = 1;
        one.times = all.times;
        one.values.resize(all.times.size());
        for (std::size_t i = 0; i < one.values.size(); ++i) one.values[i] = all.values[i * targets + target];
        finish(one, clip_.rules.last_before_first);
        thin(one, TrackPath::weights);
    }
    return channels;
}

void ChannelMaker::note(MotionBuild& build) const {
    if (rough_ != 0) {
        build.note(codes::motion_keys_rough,
                   "Tracks would take too many keys to be followed closer; split the clip, or give the tracks keys.",
                   std::to_string(rough_) + " tracks, off by " + number_text(rough_error_));
    } else if (resampled_ != 0) {
        build.note(codes::motion_keys_added,
                   "The engine knows linear keys only: steps, splines and long turns get keys between.",
                   std::to_string(resampled_) + " tracks, off by " + number_text(error_) + " at most");
    }
    if (left_out_ != 0) {
        build.note(codes::motion_keys_left_out, "Keys are left out that the others give within the error.",
                   std::to_string(left_out_) + " keys");
    }
    if (unordered_ != 0) build.note(codes::key_left_out, {}, std::to_string(unordered_) + " keys");
    if (not_finite_ != 0) build.note(codes::emfx_not_finite, {}, std::to_string(not_finite_) + " numbers");
}

void hold_until(Channel& channel, float time) {
    if (!channel.keyed()) {
        channel.times.assign({0.0f, time});
        channel.values.clear();
        for (int i = 0; i < 2; ++i) {
            channel.values.insert(channel.values.end(), channel.pose.begin(),
                                  channel.pose.begin() + static_cast<std::ptrdiff_t>(channel.width));
        }
    } else if (channel.times.back() < time) {
        channel.times.push_back(time);
        const Bulk<float> last(channel.values.end() - static_cast<std::ptrdiff_t>(channel.width), channel.values.end());
        channel.values.insert(channel.values.end(), last.begin(), last.end());
    }
}

}  // namespace effigy::emfx::bridge
