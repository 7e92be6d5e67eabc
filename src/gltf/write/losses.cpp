/// What glTF has no place for, and how well fitted rotations follow, as findings.

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <string>

#include "effigy/gltf.hpp"
#include "effigy/gltf_codes.hpp"

#include "core/problem.hpp"
#include "gltf/write/fit_rotations.hpp"

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

void FitSummary::add(const FittedTrack& fitted, std::size_t clip) {
    if (fitted.inserted != 0) fitted_clips_.insert(clip);
    if (fitted.error > fit_tolerance) limited_clips_.insert(clip);
    tracks_ += fitted.inserted != 0 ? 1 : 0;
    inserted_ += fitted.inserted;
    error_ = std::max(error_, fitted.error);
}

Report FitSummary::report(const Scene& scene) const {
    std::array<char, 32> worst{};
    std::snprintf(worst.data(), worst.size(), "at most %.1e rad off", error_);
    Report report;
    if (!fitted_clips_.empty()) {
        std::string found = counted(inserted_, "key") + " in " + counted(tracks_, "track");
        if (fitted_clips_.size() > 1) found += " of " + std::to_string(fitted_clips_.size()) + " clips";
        report.add(problem_at(path_of(scene, fitted_clips_), codes::clip_fitted,
                              "Readers of glTF turn at constant speed, and the game does not: rotation keys "
                              "were inserted between its own.",
                              found + ", " + worst.data()));
    }
    if (!limited_clips_.empty()) {
        report.add(problem_at(path_of(scene, limited_clips_), codes::clip_fit_limit, {},
                              counted(limited_clips_.size(), "clip") + ", " + worst.data(), "at most 2.0e-05 rad"));
    }
    return report;
}

Report losses(const Scene& scene) {
    FitSummary fits;
    for (std::size_t i = 0; i < scene.clips.size(); ++i) {
        for (const Track& track : scene.clips[i].tracks) {
            if (!needs_fitting(scene.clips[i], track)) continue;
            fits.add(fit_rotations(track, fits.room(), fit_tolerance, scene.clips[i].rules.rotation), i);
        }
    }
    return fits.report(scene);
}

}  // namespace effigy::gltf
