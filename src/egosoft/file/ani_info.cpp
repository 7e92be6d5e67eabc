/// What is in an ANI, as JSON: docs/json.md, "info".

#include <algorithm>
#include <map>
#include <set>

#include "core/text.hpp"
#include "egosoft/file/ani_format.hpp"

namespace effigy::ani {

namespace {

std::string interpolation_name(Interpolation kind) {
    switch (kind) {
        case Interpolation::step:
            return "step";
        case Interpolation::linear:
            return "linear";
        case Interpolation::bezier:
            return "bezier";
        case Interpolation::bezier_linear_time:
            return "bezier_linear_time";
        case Interpolation::tcb:
            return "tcb";
    }
    return std::to_string(static_cast<std::uint32_t>(kind));
}

struct Totals {
    std::uint64_t positions = 0, rotations = 0, scales = 0, pre_scales = 0, post_scales = 0;
    std::set<std::uint32_t> kinds;

    void add(const Bulk<Key>& keys, std::uint64_t& count) {
        count += keys.size();
        for (const Key& key : keys) {
            for (const Interpolation kind : key.interpolation) kinds.insert(static_cast<std::uint32_t>(kind));
        }
    }
};

Json animation_json(const Animation& animation, const std::string& encoding) {
    Json json;
    json["part"] = to_utf8(part_of(animation), encoding);
    json["state"] = to_utf8(state_of(animation), encoding);
    json["duration"] = json_number(animation.duration);
    json["position_keys"] = animation.positions.size();
    json["rotation_keys"] = animation.rotations.size();
    json["scale_keys"] = animation.scales.size();
    json["pre_scale_keys"] = animation.pre_scales.size();
    json["post_scale_keys"] = animation.post_scales.size();
    return json;
}

/// In the order in which they occur first.
Json names_of(const File& file, std::string_view (*name_of)(const Animation&) noexcept, const std::string& encoding) {
    Json names = Json::array();
    std::set<std::string_view> seen;
    for (const Animation& animation : file.animations) {
        if (seen.insert(name_of(animation)).second) names.push_back(to_utf8(name_of(animation), encoding));
    }
    return names;
}

}  // namespace

Json info(const File& file, const std::string& encoding) {
    Json json;
    json["format"] = "ani";
    json["version"] = std::to_string(file.header.version);
    Totals totals;
    float duration = 0;
    Json animations = Json::array();
    for (const Animation& animation : file.animations) {
        totals.add(animation.positions, totals.positions);
        totals.add(animation.rotations, totals.rotations);
        totals.add(animation.scales, totals.scales);
        totals.add(animation.pre_scales, totals.pre_scales);
        totals.add(animation.post_scales, totals.post_scales);
        duration = std::max(duration, animation.duration);
        animations.push_back(animation_json(animation, encoding));
    }
    constexpr std::size_t max_kinds = 16;  // a damaged file may have as many as numbers
    Json kinds = Json::array();
    for (const std::uint32_t kind : totals.kinds) {
        if (kinds.size() < max_kinds) kinds.push_back(interpolation_name(static_cast<Interpolation>(kind)));
    }
    json["duration"] = json_number(duration);
    json["interpolation"] = std::move(kinds);
    json["counts"] = {{"animations", file.animations.size()}, {"position_keys", totals.positions},
                      {"rotation_keys", totals.rotations},    {"scale_keys", totals.scales},
                      {"pre_scale_keys", totals.pre_scales},  {"post_scale_keys", totals.post_scales}};
    json["states"] = names_of(file, state_of, encoding);
    json["parts"] = names_of(file, part_of, encoding);
    json["animations"] = std::move(animations);
    return json;
}

}  // namespace effigy::ani
