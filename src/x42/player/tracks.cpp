/// Tracks of X42's key stream: which keys a bone has, and values between two of them.

#include "x42/player/tracks.hpp"

#include <numeric>

#include "scene/by_angle.hpp"

namespace effigy::x42 {
namespace {

std::size_t track_of(std::size_t bone, KeyType type) noexcept {
    return key_types.size() * bone + static_cast<std::size_t>(type);
}

bool leads_somewhere(const File& file, const Key& key) noexcept {
    return key.bone < file.bones.size() && key.value < palette_size(file, key.type);
}

}  // namespace

std::size_t palette_size(const File& file, KeyType type) noexcept {
    switch (type) {
        case KeyType::position:
            return file.positions.size();
        case KeyType::scale:
            return file.scales.size() / scale_width(file.header);
        case KeyType::rotation:
            return file.rotations.size();
    }
    return 0;
}

Tracks::Tracks(const File& file) {
    const std::size_t tracks = key_types.size() * file.bones.size();
    std::vector<std::uint32_t> ends(tracks + 1, 0);
    for (const Key& key : file.keys) {
        if (leads_somewhere(file, key)) ++ends[track_of(key.bone, key.type) + 1];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    Bulk<TrackKey> sorted(ends.back());
    begins_ = ends;
    for (const Key& key : file.keys) {
        if (leads_somewhere(file, key)) sorted[begins_[track_of(key.bone, key.type)]++] = {key.frame, key.value};
    }
    keys_.reserve(sorted.size());
    for (std::size_t track = 0; track < tracks; ++track) {
        begins_[track] = static_cast<std::uint32_t>(keys_.size());
        for (std::uint32_t i = ends[track]; i < ends[track + 1]; ++i) {
            const bool is_first = keys_.size() == begins_[track];
            if (is_first || sorted[i].frame > keys_.back().frame) {
                keys_.push_back(sorted[i]);
            } else if (sorted[i].frame != keys_.back().frame || sorted[i].value != keys_.back().value) {
                ++left_out_;
            }
        }
    }
    begins_[tracks] = static_cast<std::uint32_t>(keys_.size());
    left_out_ += file.keys.size() - sorted.size();
}

std::span<const TrackKey> Tracks::keys(std::size_t bone, KeyType type) const noexcept {
    const std::size_t track = track_of(bone, type);
    return std::span<const TrackKey>(keys_).subspan(begins_[track], begins_[track + 1] - begins_[track]);
}

Quat mix(const Quat& from, const Quat& to, float fraction) noexcept { return mix_by_angle(from, to, fraction); }

Transform sample(const File& file, const Tracks& tracks, std::size_t bone, double frame) noexcept {
    const auto at = [&](KeyType type) { return place_at(tracks.keys(bone, type), frame); };
    Transform transform;
    if (const auto place = at(KeyType::position)) {
        const auto value = [&](std::size_t i) { return unpack(file.positions[i], file.pack.animation_positions); };
        transform.translation = mixed(value(place->from), value(place->to), place->fraction);
    }
    if (const auto place = at(KeyType::rotation)) {
        transform.rotation =
            mix(unpack(file.rotations[place->from]), unpack(file.rotations[place->to]), place->fraction);
    }
    if (const auto place = at(KeyType::scale)) {
        transform.scale = mixed(scale_at(file, place->from), scale_at(file, place->to), place->fraction);
    }
    return transform;
}

}  // namespace effigy::x42
