/// What glTF has no place for, and how well fitted rotations follow, as findings.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>

#include "effigy/gltf.hpp"
#include "effigy/gltf_codes.hpp"

#include "core/problem.hpp"
#include "gltf/write/document.hpp"
#include "gltf/write/fit_rotations.hpp"
#include "scene/validate.hpp"

namespace effigy::gltf {
namespace {

std::string counted(std::size_t count, const char* noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string path_of(const Scene& scene, const std::set<std::size_t>& clips) {
    if (clips.size() != 1) return "clips";
    return "clips[" + std::to_string(*clips.begin()) + "] " + scene.clips[*clips.begin()].name;
}

}  // namespace

void ClipFitter::find_room() {
    std::size_t keys = 0;
    for (const Clip& clip : scene_.clips) {
        for (const Track& track : clip.tracks) keys += needs_fitting(clip, track) ? track.times.size() : 0;
    }
    room_ = keeps_keys_ ? 0 : room_for_keys(keys);
}

void ClipFitter::find_share(std::size_t clip, std::size_t track) {
    double needed = 0;
    for (std::size_t i = clip; i < scene_.clips.size(); ++i) {
        const Clip& one = scene_.clips[i];
        for (std::size_t k = i == clip ? track : 0; k < one.tracks.size(); ++k)
            needed += needs_fitting(one, one.tracks[k]) ? keys_needed(one.tracks[k], one.rules.rotation) : 0;
    }
    const auto left = static_cast<double>(*room_ - inserted_);
    share_ = needed > left ? left / needed : 1;
}

FittedTrack ClipFitter::fit(std::size_t clip, std::size_t track) {
    if (!room_) find_room();
    const Clip& own = scene_.clips[clip];
    const std::uint64_t most = inserted_ + std::uint64_t{max_pieces} * own.tracks[track].times.size();
    if (!share_ && !keeps_keys_ && most > *room_ / 2) find_share(clip, track);
    FittedTrack fitted =
        fit_rotations(own.tracks[track], *room_ - inserted_, fit_tolerance, own.rules.rotation, share_.value_or(1));
    if (fitted.inserted != 0) fitted_clips_.insert(clip);
    if (fitted.error > fit_tolerance) limited_clips_.insert(clip);
    tracks_ += fitted.inserted != 0 ? 1 : 0;
    inserted_ += fitted.inserted;
    if (fitted.error > error_) {
        error_ = fitted.error;
        worst_clip_ = clip;
        worst_track_ = track;
    }
    return fitted;
}

Report ClipFitter::report() const {
    std::array<char, 32> worst{};
    std::snprintf(worst.data(), worst.size(), "at most %.1e rad off", error_);
    Report report;
    if (keeps_keys_ && !limited_clips_.empty()) {
        const Node& node = scene_.nodes[scene_.clips[worst_clip_].tracks[worst_track_].node];
        report.add(
            problem_at(path_of(scene_, {worst_clip_}) + " / tracks[" + std::to_string(worst_track_) + "] " + node.name,
                       codes::clip_keys_kept,
                       "Readers of glTF turn at constant speed, and the game does not: no keys were inserted "
                       "between its own, as --keep-keys asks. Nowhere is the error larger than here.",
                       counted(limited_clips_.size(), "clip") + ", " + worst.data(), "at most 2.0e-05 rad"));
        return report;
    }
    if (!fitted_clips_.empty()) {
        std::string found = counted(inserted_, "key") + " in " + counted(tracks_, "track");
        if (fitted_clips_.size() > 1) found += " of " + std::to_string(fitted_clips_.size()) + " clips";
        report.add(problem_at(path_of(scene_, fitted_clips_), codes::clip_fitted,
                              "Readers of glTF turn at constant speed, and the game does not: rotation keys "
                              "were inserted between its own.",
                              found + ", " + worst.data()));
    }
    if (!limited_clips_.empty()) {
        report.add(problem_at(path_of(scene_, limited_clips_), codes::clip_fit_limit, {},
                              counted(limited_clips_.size(), "clip") + ", " + worst.data(), "at most 2.0e-05 rad"));
    }
    return report;
}

void note_bad_weights(const Mesh& mesh, std::size_t number, std::uint64_t bad, Report& report) {
    if (bad == 0) return;
    report.add(problem_at("meshes[" + std::to_string(number) + "] " + mesh.name, codes::skin_weight,
                          "Weights that are negative are left out.", counted(static_cast<std::size_t>(bad), "weight")));
}

Report losses(const Scene& scene, const WriteOptions& options) {
    ClipFitter fitter(scene, options.keep_keys);
    for (std::size_t clip = 0; clip < scene.clips.size(); ++clip) {
        const std::vector<Track>& tracks = scene.clips[clip].tracks;
        for (std::size_t track = 0; track < tracks.size(); ++track) {
            if (needs_fitting(scene.clips[clip], tracks[track])) static_cast<void>(fitter.fit(clip, track));
        }
    }
    Report report;
    for (std::size_t i = 0; i < scene.meshes.size(); ++i)
        note_bad_weights(scene.meshes[i], i, count_bad_weights(scene.meshes[i]), report);
    report.append(fitter.report());
    return report;
}

}  // namespace effigy::gltf
