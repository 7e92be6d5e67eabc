/// Clips from glTF animations: channels, samplers, keys repaired.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/gltf_codes.hpp"
#include "effigy/hashes.hpp"

#include "gltf/file/asset_problems.hpp"
#include "gltf/file/content.hpp"
#include "gltf/file/json.hpp"
#include "gltf/read/context.hpp"

namespace effigy::gltf {
namespace {

std::optional<TrackPath> path_of(std::string_view name) {
    if (name == "translation") return TrackPath::translation;
    if (name == "rotation") return TrackPath::rotation;
    if (name == "scale") return TrackPath::scale;
    if (name == "weights") return TrackPath::weights;
    return std::nullopt;
}

// Keys that are wrong, counted to be reported once a clip.
struct Repairs {
    std::size_t times = 0, numbers = 0, rotations = 0;
};

class TrackRepair {
public:
    TrackRepair(Track& track, std::size_t width, Repairs& repairs) : track_(track), width_(width), repairs_(repairs) {}

    void run() {
        repair_numbers();
        repair_times();
    }

    // Tangents of cubic splines have any length.
    void repair_rotations() {
        if (track_.path != TrackPath::rotation) return;
        const std::size_t begin = track_.interpolation == Interpolation::cubic_spline ? 4 : 0;
        for (std::size_t i = begin; i < track_.values.size(); i += width_) {
            float* const key = &track_.values[i];
            const Quat rotation{key[0], key[1], key[2], key[3]};
            if (is_about_unit(rotation)) continue;
            const Quat repaired = unit(rotation);
            std::copy_n(std::array{repaired.x, repaired.y, repaired.z, repaired.w}.begin(), 4, key);
            ++repairs_.rotations;
        }
    }

private:
    void repair_numbers() {
        if (!find_not_finite(track_.values)) return;
        for (float& value : track_.values) {
            if (std::isfinite(value)) continue;
            value = 0;
            ++repairs_.numbers;
        }
    }

    [[nodiscard]] bool times_are_right() const {
        return !find_not_finite(track_.times) && track_.times.front() >= 0 &&
               std::adjacent_find(track_.times.begin(), track_.times.end(), std::greater_equal<>()) ==
                   track_.times.end();
    }

    // In order, from 0 on; of keys at one time the last one counts.
    void repair_times() {
        if (track_.times.empty() || times_are_right()) return;
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < track_.times.size(); ++i) {
            if (std::isfinite(track_.times[i])) order.push_back(i);
        }
        const auto time = [&](std::size_t i) { return std::max(0.0f, track_.times[i]); };
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return time(a) < time(b); });
        Bulk<float> times, values;
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i + 1 < order.size() && time(order[i + 1]) == time(order[i])) continue;
            times.push_back(time(order[i]));
            const auto from = track_.values.begin() + static_cast<std::ptrdiff_t>(order[i] * width_);
            values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(width_));
        }
        track_.times = std::move(times);
        track_.values = std::move(values);
        ++repairs_.times;
    }

    Track& track_;
    std::size_t width_;  // numbers for each time
    Repairs& repairs_;
};

class ClipReader {
public:
    ClipReader(Reading& reading, const Value& json, std::size_t number)
        : reading_(reading), json_(json), path_(element_path("animations", number)) {}

    Result<Clip> read() {
        clip_.name = name_of(json_);
        ReadExtras extras = read_extras(reading_, json_, path_, {}, {"fitted"});
        const float known_duration = reading_.number(extras.effigy, "duration", -1, path_ + " / extras / effigy");
        clip_.extras = std::move(extras.extras);
        fitted_ = std::move(extras.known["fitted"]);
        const Value& channels = reading_.list(json_, "channels", path_);
        for (std::size_t i = 0; i < channels.size(); ++i) {
            tracks_of_channels_.push_back(clip_.tracks.size());
            if (auto done = read_channel(channels[i], path_ + " / " + element_path("channels", i)); !done) {
                return fail(std::move(done.error()));
            }
        }
        std::erase_if(clip_.tracks, [](const Track& track) { return track.times.empty(); });
        finish(known_duration);
        note_repairs();
        return std::move(clip_);
    }

private:
    // In a clip that nobody has edited rotations stay as they are, and it is as long as its record says.
    void finish(float known_duration) {
        const bool untouched = clip_.extras.hash != 0 && clip_.extras.hash == hash_of(reading_.scene, clip_);
        if (untouched && take_out_fitted()) clip_.extras.hash = hash_of(reading_.scene, clip_);
        for (Track& track : clip_.tracks) {
            clip_.duration = std::max(clip_.duration, track.times.back());
            if (untouched) continue;
            TrackRepair(track, track.interpolation == Interpolation::cubic_spline ? 12 : 4, repairs_)
                .repair_rotations();
        }
        if (untouched && known_duration >= 0) clip_.duration = known_duration;
    }

    // Keys that the writer has inserted go again, and the rule that they stood for comes back.
    bool take_out_fitted() {
        std::vector<std::pair<Track*, std::vector<std::size_t>>> kept;
        for (const Value& list : fitted_) {
            const auto channel = list.is_array() && !list.empty() ? whole(list.front()) : std::nullopt;
            const std::size_t track =
                channel && *channel < tracks_of_channels_.size() ? tracks_of_channels_[*channel] : clip_.tracks.size();
            if (track >= clip_.tracks.size() || (!kept.empty() && &clip_.tracks[track] <= kept.back().first))
                return false;
            const Track& fitted = clip_.tracks[track];
            if (fitted.path != TrackPath::rotation || fitted.interpolation != Interpolation::linear) return false;
            auto own = own_keys(list, fitted.times.size());
            if (!own) return false;
            kept.emplace_back(&clip_.tracks[track], std::move(*own));
        }
        for (const auto& [track, keys] : kept) {
            for (std::size_t i = 0; i < keys.size(); ++i) {
                track->times[i] = track->times[keys[i]];
                std::copy_n(track->values.data() + 4 * keys[i], 4, track->values.data() + 4 * i);
            }
            track->times.resize(keys.size());
            track->values.resize(4 * keys.size());
        }
        if (!kept.empty()) clip_.rules.rotation = RotationRule::nlerp;
        return !kept.empty();
    }

    static std::optional<std::size_t> whole(const Value& value) {
        return value.is_number_unsigned() ? std::optional(value.get<std::size_t>()) : std::nullopt;
    }

    // Numbers of the keys that were not inserted.
    static std::optional<std::vector<std::size_t>> own_keys(const Value& list, std::size_t count) {
        std::vector<std::size_t> own;
        std::size_t next = 0;
        for (std::size_t i = 1; i + 1 < list.size(); i += 2) {
            const auto steps = whole(list[i]), inserted = whole(list[i + 1]);
            if (!steps || !inserted || *steps > count || *inserted > count) return std::nullopt;
            const std::size_t upto = (i == 1 ? 1 : 0) + *steps;
            if (upto > count - next) return std::nullopt;
            for (std::size_t k = 0; k < upto; ++k) own.push_back(next++);
            if (*inserted >= count - next) return std::nullopt;
            next += *inserted;
        }
        while (next < count) own.push_back(next++);
        return own;
    }

    Result<const Value*> sampler_of(const Value& channel, const std::string& path) {
        const Value& samplers = list_member(json_, "samplers");
        const auto number = reading_.reference(channel, "sampler", "samplers", samplers.size(), path);
        if (!number) return fail(number.error());
        if (*number != no_index) return &samplers[*number];
        return refuse(path, codes::gltf_reference, "the channel has no sampler");
    }

    Result<void> read_channel(const Value& channel, const std::string& path) {
        const Value& target = reading_.object(channel, "target", path);
        const auto node = reading_.reference(target, "node", "nodes", path);
        if (!node) return fail(node.error());
        const std::string_view name = text_member(target, "path");
        const auto path_kind = path_of(name);
        if (*node == no_index || !path_kind) {
            lose(path, "it moves no node", std::string(name.substr(0, 80)));
            return {};
        }
        const std::size_t components = components_of(*node, *path_kind);
        if (components == 0) {
            lose(path, "it moves weights of a node without morph targets");
        } else if (*path_kind != TrackPath::weights && reading_.scene.nodes[*node].matrix) {
            lose(path, "a node with a matrix cannot be animated");
        } else {
            return read_track({*node, *path_kind, Interpolation::linear, {}, {}}, components, channel, path);
        }
        return {};
    }

    void lose(const std::string& path, const char* why, std::string found = {}) {
        reading_.note(codes::gltf_channel_lost, path, std::string("this channel is left out: ") + why,
                      std::move(found));
    }

    [[nodiscard]] std::size_t components_of(Index number, TrackPath path) const {
        if (path == TrackPath::rotation) return 4;
        if (path != TrackPath::weights) return 3;
        const Node& node = reading_.scene.nodes[number];
        return node.mesh == no_index ? 0 : reading_.scene.meshes[node.mesh].targets.size();
    }

    Result<void> read_track(Track track, std::size_t components, const Value& channel, const std::string& path) {
        const auto sampler = sampler_of(channel, path);
        if (!sampler) return fail(sampler.error());
        track.interpolation = interpolation_of(**sampler, path);
        const std::size_t width = track.interpolation == Interpolation::cubic_spline ? components * 3 : components;
        return read_floats(track.times, **sampler, "input", path)
            .and_then([&] { return read_floats(track.values, **sampler, "output", path); })
            .map([&] {
                fit_counts(track, width, path);
                TrackRepair(track, width, repairs_).run();
                keep(std::move(track), path);
            });
    }

    Interpolation interpolation_of(const Value& sampler, const std::string& path) {
        const std::string_view name = text_member(sampler, "interpolation");
        if (name == "STEP") return Interpolation::step;
        if (name == "CUBICSPLINE") return Interpolation::cubic_spline;
        if (!name.empty() && name != "LINEAR") {
            reading_.note(codes::gltf_value, path, "there is no such interpolation; keys are joined by lines",
                          std::string(name.substr(0, 80)), "LINEAR, STEP or CUBICSPLINE");
        }
        return Interpolation::linear;
    }

    Result<void> read_floats(Bulk<float>& numbers, const Value& sampler, const char* name, const std::string& path) {
        const auto number = reading_.reference(sampler, name, "accessors", path);
        if (!number) return fail(number.error());
        if (*number == no_index) return refuse(path, codes::gltf_reference, std::string("the sampler has no ") + name);
        auto data = reading_.asset.floats(*number);
        if (!data) return fail(std::move(data.error()));
        if (auto taken = reading_.take(data->bytes.size(), 1, path); !taken) return taken;
        const auto values = data->as<float>();
        numbers.assign(values.begin(), values.end());
        return {};
    }

    void fit_counts(Track& track, std::size_t width, const std::string& path) {
        const std::size_t keys = std::min(track.times.size(), track.values.size() / width);
        if (keys != track.times.size() || keys * width != track.values.size()) {
            reading_.note(codes::gltf_counts.as(Severity::warning), path,
                          "there is not one value for each time; what is left over is left out",
                          std::to_string(track.values.size()) + " numbers",
                          std::to_string(track.times.size()) + " x " + std::to_string(width));
        }
        track.times.resize(keys);
        track.values.resize(keys * width);
    }

    // Of two channels that move the same thing the last one counts.
    void keep(Track track, const std::string& path) {
        const auto [known, is_new] = places_.try_emplace({track.node, track.path}, clip_.tracks.size());
        if (is_new) {
            clip_.tracks.push_back(std::move(track));
            return;
        }
        lose(path, "another channel of the animation moves the same thing; the last one counts");
        clip_.tracks[known->second] = std::move(track);
    }

    void note_repairs() {
        if (repairs_.times != 0) {
            reading_.note(codes::gltf_times, path_,
                          "times must increase and begin at 0 or later: keys were sorted, moved to 0 or left out",
                          std::to_string(repairs_.times) + " channels");
        }
        if (repairs_.numbers != 0) {
            reading_.note(codes::gltf_not_a_number, path_, "numbers that are not finite are replaced by 0",
                          std::to_string(repairs_.numbers));
        }
        if (repairs_.rotations != 0) {
            reading_.note(codes::gltf_rotation, path_, "rotations that are not of unit length are made so",
                          std::to_string(repairs_.rotations) + " keys");
        }
    }

    Reading& reading_;
    const Value& json_;
    std::string path_;
    Clip clip_;
    std::map<std::pair<Index, TrackPath>, std::size_t> places_;  // of tracks in the clip
    Repairs repairs_;
    Value fitted_;  // as the writer has noted it
    std::vector<std::size_t> tracks_of_channels_;
};

}  // namespace

Result<void> read_animations(Reading& reading) {
    return read_objects<ClipReader>(reading, "animations", reading.scene.clips);
}

}  // namespace effigy::gltf
