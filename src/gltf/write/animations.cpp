/// The animations of a glTF file: clips as samplers and channels, with keys fitted to how readers rotate.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

#include "core/hasher.hpp"
#include "gltf/write/document.hpp"
#include "gltf/write/fit_rotations.hpp"
#include "scene/bridge.hpp"
#include "scene/validate.hpp"

namespace effigy::gltf {
namespace {

const char* path_name(TrackPath path) {
    switch (path) {
        case TrackPath::translation:
            return "translation";
        case TrackPath::rotation:
            return "rotation";
        case TrackPath::scale:
            return "scale";
        case TrackPath::weights:
            return "weights";
    }
    return "";
}

ElementType element_of(TrackPath path) {
    if (path == TrackPath::rotation) return ElementType::vec4;
    return path == TrackPath::weights ? ElementType::scalar : ElementType::vec3;
}

// Any order will do that finds equal bytes.
struct ByBytes {
    bool operator()(std::span<const float> a, std::span<const float> b) const {
        if (a.size() != b.size()) return a.size() < b.size();
        return std::memcmp(a.data(), b.data(), a.size_bytes()) < 0;
    }
};

// All times of the file stand in one view, all values in another; tracks with the same times share their accessor.
class AnimationWriter {
public:
    AnimationWriter(Document& document, const Scene& scene)
        : document_(document), scene_(scene), fitter_(scene, document.keeps_keys) {}

    Result<void> write() {
        return add_times().and_then([&] {
            add_values();
            document_.report.append(fitter_.report());
            return add_clips();
        });
    }

private:
    using Place = std::pair<std::uint32_t, std::uint32_t>;  // of FittedTrack::places

    struct Sampler {
        const Track* track;
        std::size_t clip;
        std::size_t number;            // in the clip
        std::span<const float> times;  // the track's, or what replaces them
        Piece values;                  // likewise
        Index input = no_index;
        Index output = no_index;
        std::optional<std::span<const Place>> fitted{};
    };

    // Tracks without keys say nothing, and neither do weights of a mesh that was left out.
    [[nodiscard]] bool is_written(const Track& track) const {
        if (track.times.empty()) return false;
        return track.path != TrackPath::weights || document_.mesh_numbers[scene_.nodes[track.node].mesh] != no_index;
    }

    Result<void> add_times() {
        for (std::size_t clip = 0; clip < scene_.clips.size(); ++clip) {
            const auto& tracks = scene_.clips[clip].tracks;
            const std::size_t first = samplers_.size();
            for (std::size_t i = 0; i < tracks.size(); ++i) {
                if (!is_written(tracks[i])) continue;
                const std::span<const float> values(tracks[i].values);
                samplers_.push_back({&tracks[i], clip, i, tracks[i].times, std::as_bytes(values)});
                if (auto checked = check_keys(scene_, clip, i); !checked) return checked;
                if (auto taken = document_.memory.take(2, accessor_bytes, "tracks"); !taken) return taken;
                if (!needs_fitting(scene_.clips[clip], tracks[i])) continue;
                if (auto fitted = fit(samplers_.back()); !fitted) return fitted;
            }
            hold(std::span(samplers_).subspan(first), scene_.clips[clip]);
        }
        if (samplers_.empty()) return {};
        const auto begin = document_.buffer.add(PlainPiece());
        const Index view = document_.add_view(begin, 0, ViewTarget::none);
        std::map<std::span<const float>, Index, ByBytes> known;
        for (Sampler& sampler : samplers_) {
            const auto [place, is_new] = known.try_emplace(sampler.times, no_index);
            if (is_new) place->second = document_.add_accessor(time_accessor(sampler.times, view, begin));
            sampler.input = place->second;
        }
        end_view(view, begin);
        return {};
    }

    // In glTF a loop ends with its last key. The record of a clip that nobody has edited says how long it lasts; of
    // others a track that stays as it is holds its last value.
    void hold(std::span<Sampler> samplers, const Clip& clip) {
        const auto own = std::find_if(samplers.begin(), samplers.end(), [](const Sampler& one) { return !one.fitted; });
        if (own == samplers.end() || !lasts_longer(samplers, clip) || has_current_record(clip)) return;
        Clip held;
        held.duration = clip.duration;
        held.tracks = {*own->track};
        fill_duration(held);
        own->times = keep<float>(held.tracks.front().times);
        own->values = std::as_bytes(keep<float>(held.tracks.front().values));
    }
    [[nodiscard]] static bool lasts_longer(std::span<const Sampler> samplers, const Clip& clip) {
        return std::isfinite(clip.duration) && std::all_of(samplers.begin(), samplers.end(), [&](const Sampler& one) {
                   return one.times.back() < clip.duration;
               });
    }
    [[nodiscard]] bool has_current_record(const Clip& clip) const {
        return !clip.extras.json.empty() && (clip.extras.hash == 0 || clip.extras.hash == hash_of(scene_, clip));
    }

    Result<void> fit(Sampler& sampler) {
        const FittedTrack fitted = fitter_.fit(sampler.clip, sampler.number);
        if (auto taken = document_.memory.take(fitted.inserted, fitted_key_bytes, "inserted rotation keys"); !taken)
            return taken;
        sampler.fitted = keep<Place>(fitted.places);
        if (fitted.inserted != 0) sampler.times = keep<float>(fitted.times);
        if (scene_.clips[sampler.clip].rules.rotation == RotationRule::nlerp) {
            // The track's own keys are among them as they are.
            sampler.values =
                InsertPiece{sampler.track->values, keep<float>(inserted_values(fitted)), *sampler.fitted, 4};
        } else {
            sampler.values = std::as_bytes(keep<float>(fitted.values));
        }
        return {};
    }

    static Bulk<float> inserted_values(const FittedTrack& fitted) {
        const std::span<const float> all(fitted.values);
        Bulk<float> inserted;
        inserted.reserve(4 * fitted.inserted);
        for (const auto& [key, count] : fitted.places) {
            const auto some = all.subspan(4 * (key + std::size_t{1}) + inserted.size(), std::size_t{4} * count);
            inserted.insert(inserted.end(), some.begin(), some.end());
        }
        return inserted;
    }

    template <class T>
    std::span<const T> keep(std::span<const T> values) {
        const auto bytes = std::as_bytes(values);
        const auto kept = document_.buffer.keep(Bytes(bytes.begin(), bytes.end()));
        return {reinterpret_cast<const T*>(kept.data()), values.size()};
    }

    AccessorLayout time_accessor(std::span<const float> times, Index view, std::uint64_t begin) {
        const auto offset = document_.buffer.add(std::as_bytes(times));
        return {.view = view,
                .offset = offset - begin,
                .count = times.size(),
                .bounded = 1,
                .min = {times.front()},
                .max = {times.back()}};
    }

    void add_values() {
        if (!document_.is_compact) return add_values([](const Sampler&) { return true; });
        for (const ElementType kind : {ElementType::vec3, ElementType::vec4, ElementType::scalar})
            add_values([kind](const Sampler& sampler) { return element_of(sampler.track->path) == kind; });
    }

    template <class Wanted>
    void add_values(Wanted&& wanted) {
        if (std::none_of(samplers_.begin(), samplers_.end(), wanted)) return;
        const auto begin = document_.buffer.add(PlainPiece());
        const Index view = document_.add_view(begin, 0, ViewTarget::none);
        for (Sampler& sampler : samplers_) {
            if (!wanted(sampler)) continue;
            const ElementType element = element_of(sampler.track->path);
            const auto offset = document_.buffer.add(sampler.values);
            const std::uint64_t count = size_of(sampler.values) / sizeof(float) / component_count(element);
            sampler.output =
                document_.add_accessor({.view = view, .offset = offset - begin, .count = count, .element = element});
        }
        end_view(view, begin);
    }

    void end_view(Index view, std::uint64_t begin) { document_.views[view].size = document_.buffer.size() - begin; }

    Result<void> add_clips() {
        for (auto sampler = samplers_.begin(); sampler != samplers_.end();) {
            const std::size_t number = sampler->clip;
            ArrayText samplers, channels;
            const Clip& clip = scene_.clips[number];
            const auto first = sampler;
            nlohmann::json fitted = nlohmann::json::array();
            for (; sampler != samplers_.end() && sampler->clip == number; ++sampler) {
                if (is_listed(*sampler)) fitted.push_back(fitted_json(channels.size(), *sampler->fitted));
                add_channel(channels, *sampler->track);
                add_sampler(samplers, *sampler);
            }
            Json json = Json::object();
            if (!clip.name.empty()) json["name"] = clip.name;
            json["channels"] = as_value(std::move(channels).take());
            json["samplers"] = as_value(std::move(samplers).take());
            const std::span<const Sampler> all(samplers_);
            const auto count = static_cast<std::size_t>(sampler - first);
            const auto own = all.subspan(static_cast<std::size_t>(first - samplers_.begin()), count);
            const std::uint64_t hash = hash_for(clip, own);
            // So that readers find the track's own keys among those that were inserted, and the rule between them.
            nlohmann::json more = nlohmann::json::object();
            if (hash != 0 && !fitted.empty()) more["fitted"] = std::move(fitted);
            if (hash != 0 && count != 0 && lasts_longer(own, clip)) more["duration"] = clip.duration;
            if (auto added = add_extras(document_, json, clip.extras, hash, {{"clips", number}}, more); !added)
                return added;
            document_.animations.push_back(json);
        }
        return {};
    }

    // By angle, all keys are others.
    [[nodiscard]] bool is_listed(const Sampler& sampler) const {
        return sampler.fitted && scene_.clips[sampler.clip].rules.rotation == RotationRule::nlerp &&
               (document_.keeps_keys || !sampler.fitted->empty());
    }

    // Readers find fitted tracks instead of the clip's own: they are what the record of an untouched clip describes.
    [[nodiscard]] std::uint64_t hash_for(const Clip& clip, std::span<const Sampler> samplers) const {
        const bool is_other =
            std::any_of(samplers.begin(), samplers.end(), [](const Sampler& one) { return one.fitted.has_value(); });
        if (clip.extras.json.empty()) return 0;
        const bool is_current = clip.extras.hash == 0 || (is_other && clip.extras.hash == hash_of(scene_, clip));
        if (!is_current) return clip.extras.hash;
        Hasher hasher;
        for (const Sampler& one : samplers) {
            hasher.add(std::as_bytes(one.times));
            (void)write_piece(one.values, [&](std::span<const std::byte> bytes) -> Result<void> {
                hasher.add(bytes);
                return {};
            });
            const std::span<const Interpolation, 1> kind(&one.track->interpolation, 1);
            if (kind.front() != Interpolation::linear) hasher.add(std::as_bytes(kind));
        }
        return hasher.digest();
    }

    // The channel; then own keys, each counted from the one before, and how many were inserted behind it.
    static nlohmann::json fitted_json(std::size_t channel, std::span<const Place> places) {
        nlohmann::json list = {channel};
        std::uint32_t last = 0;
        for (const auto& [key, count] : places) {
            list.push_back(key - last);
            list.push_back(count);
            last = key;
        }
        return list;
    }

    static void add_channel(ArrayText& channels, const Track& track) {
        const std::size_t number = channels.size();
        ObjectText channel(channels.next());
        channel.add("sampler", number);
        ObjectText target = channel.object("target");
        target.add("node", track.node);
        target.add("path", path_name(track.path));
    }

    static void add_sampler(ArrayText& samplers, const Sampler& sampler) {
        ObjectText object(samplers.next());
        object.add("input", sampler.input);
        if (sampler.track->interpolation == Interpolation::step) object.add("interpolation", "STEP");
        if (sampler.track->interpolation == Interpolation::cubic_spline) object.add("interpolation", "CUBICSPLINE");
        object.add("output", sampler.output);
    }

    Document& document_;
    const Scene& scene_;
    std::vector<Sampler> samplers_;  // of all clips, in their order
    ClipFitter fitter_;
};

}  // namespace

Result<void> add_animations(Document& document, const Scene& scene) { return AnimationWriter(document, scene).write(); }

}  // namespace effigy::gltf
