#pragma once
/// Keys that a clip's tracks would not give back bit by bit, kept as they stand: the file's own numbers under the name
/// of the field, in the submotion's record.

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/json.hpp"
#include "emfx/to_scene/key_codes.hpp"

namespace effigy::emfx::bridge {

template <class Key>
void keep_keys(Json& record, const char* name, const Bulk<Key>& keys) {
    if (!keys.empty()) record[name] = json_bytes(std::as_bytes(std::span(keys)));
}

/// Under which name a record says when a track begins in its file, if that is not 0.
[[nodiscard]] inline std::string start_name(const char* name) { return std::string(name) + "_start"; }

/// Unless `again` is the same, once it begins at `start`.
template <class Key>
void keep_keys(Json& record, const char* name, const Bulk<Key>& keys, Bulk<Key> again, float start) {
    for (Key& key : again) key.time += start;
    const bool same = keys.size() == again.size() &&
                      (keys.empty() || std::memcmp(keys.data(), again.data(), keys.size() * sizeof(Key)) == 0);
    if (!same) return keep_keys(record, name, keys);
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

/// The submotions in the record of a motion's chunks, in the order of the file.
[[nodiscard]] std::vector<Json*> submotion_records(Json& chunks);

}  // namespace effigy::emfx::bridge
