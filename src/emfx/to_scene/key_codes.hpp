#pragma once
/// Channels as keys of files: the way back from to_scene/keys.hpp; and keys that it would not give bit by bit, which
/// are kept as they stand: the file's own numbers under the name of the field, in the submotion's record.

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "core/json.hpp"
#include "core/lists.hpp"
#include "emfx/to_scene/keys.hpp"

namespace effigy::emfx::bridge {

/// Floats of unit length are left as they are: what rounding does to them is no reason to change them.
[[nodiscard]] bool is_unit(const Quat& rotation) noexcept;
/// Of unit length as floats have it; not for a rotation of no length.
[[nodiscard]] Quat unit(const Quat& rotation) noexcept;

/// The packed rotation that unit() makes this one of, or the nearest one. Exporters cut digits off, so that packed
/// rotations are up to two units shorter than 32767; of several on one line the one is taken that cutting gives.
[[nodiscard]] xsm::PackedQuat pack(const Quat& rotation) noexcept;

/// Mirrored between the frames of scene and files.
[[nodiscard]] inline Quat mirrored(const Quat& q) noexcept { return {-q.x, -q.y, q.z, q.w}; }

/// From the scene's frame to a file's rotation.
void to_file(const Quat& rotation, Quat& out) noexcept;
void to_file(const Quat& rotation, xsm::PackedQuat& out) noexcept;

/// `z_sign` is -1 for positions and 1 for scales.
[[nodiscard]] Bulk<xsm::VectorKey> vector_keys(std::span<const float> times, std::span<const float> values,
                                               float z_sign);
template <class Rotation>
[[nodiscard]] Bulk<xsm::RotationKey<Rotation>> rotation_keys(std::span<const float> times,
                                                             std::span<const float> values) {
    Bulk<xsm::RotationKey<Rotation>> keys(times.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const float* q = values.data() + 4 * i;
        to_file(Quat{q[0], q[1], q[2], q[3]}, keys[i].value);
        keys[i].time = times[i];
    }
    return keys;
}

/// A weight in units of a 65535th of the range.
[[nodiscard]] std::uint16_t pack_weight(double weight, float low, float high) noexcept;
/// Of `values`, each `stride`th, from `first` on.
[[nodiscard]] Bulk<xpm::WeightKey> weight_keys(std::span<const float> times, std::span<const float> values,
                                               std::size_t first, std::size_t stride, float low, float high);

template <class Key>
void keep_keys(Json& record, const char* name, const Bulk<Key>& keys) {
    if (!keys.empty()) record[name] = json_bytes(std::as_bytes(std::span(keys)));
}

/// Under which name a record says when a track begins in its file, if that is not 0.
[[nodiscard]] inline std::string start_name(const char* name) { return std::string(name) + "_start"; }

/// Whether keys are `again`, once that begins at `start`.
template <class Key>
[[nodiscard]] bool is_same(const Bulk<Key>& keys, Bulk<Key> again, float start) {
    for (Key& key : again) key.time += start;
    return same_bytes(keys, again);
}

/// Whether the way back makes these very keys, to the bit, of what the scene has for them; without making them.
[[nodiscard]] bool come_back(std::span<const xsm::VectorKey> keys, const Channel& channel, float start, float z_sign);
template <class Rotation>
[[nodiscard]] bool come_back(std::span<const xsm::RotationKey<Rotation>> keys, const Channel& channel, float start);

/// Unless they come back, once the track begins at `start`.
template <class Key>
void keep_keys(Json& record, const char* name, const Bulk<Key>& keys, bool comes_back, float start) {
    if (!comes_back) return keep_keys(record, name, keys);
    if (start != 0) record[start_name(name)] = json_number(start);
}

template <class Rotation>
void keep_all_keys(Json& record, const xsm::BasicSubmotion<Rotation>& submotion) {
    record["unmatched"] = true;
    keep_keys(record, "position_keys", submotion.position_keys);
    keep_keys(record, "rotation_keys", submotion.rotation_keys);
    keep_keys(record, "scale_keys", submotion.scale_keys);
    keep_keys(record, "scale_rotation_keys", submotion.scale_rotation_keys);
}

/// Where the weights of one morph target stand: its number among the targets of a track.
struct WeightPlace {
    const Track* track;
    std::size_t number, count;
};
using WeightPlaces = std::unordered_map<std::string_view, WeightPlace>;

/// By the targets' names; of several tracks with one the track of the first node. `targets_of` gives those of a node's
/// mesh, or null.
template <class TargetsOf>
[[nodiscard]] WeightPlaces weight_places(const Clip& clip, TargetsOf targets_of) {
    WeightPlaces places;
    for (const Track& track : clip.tracks) {
        const auto* targets = track.path == TrackPath::weights ? targets_of(track.node) : nullptr;
        for (std::size_t i = 0; targets != nullptr && i < targets->size(); ++i) {
            const WeightPlace place{&track, i, targets->size()};
            const auto [known, is_new] = places.try_emplace((*targets)[i].raw_name, place);
            if (!is_new && track.node < known->second.track->node) known->second = place;
        }
    }
    return places;
}

}  // namespace effigy::emfx::bridge
