#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "effigy/gltf.hpp"

#include "core/problem.hpp"
#include "gltf/fit_rotations.hpp"

namespace effigy::gltf {
namespace {

struct ClipFit {
    std::size_t tracks = 0;
    std::size_t inserted = 0;
    double error = 0;
};

ClipFit fit_clip(const Clip& clip, std::size_t most_inserted) {
    ClipFit sum;
    for (const Track& track : clip.tracks) {
        if (!needs_fitting(clip, track) || track.values.size() != 4 * track.times.size()) continue;
        const FittedTrack fitted = fit_rotations(track, most_inserted - sum.inserted);
        sum.tracks += fitted.inserted != 0 ? 1 : 0;
        sum.inserted += fitted.inserted;
        sum.error = std::max(sum.error, fitted.error);
    }
    return sum;
}

std::string described(const ClipFit& fit) {
    std::array<char, 96> text{};
    std::snprintf(text.data(), text.size(), "%zu keys in %zu tracks, at most %.1e rad off", fit.inserted, fit.tracks,
                  fit.error);
    return text.data();
}

}  // namespace

Report losses(const Scene& scene) {
    Report report;
    std::size_t room = most_fitted_keys;
    for (std::size_t i = 0; i < scene.clips.size(); ++i) {
        const ClipFit fit = fit_clip(scene.clips[i], room);
        room -= fit.inserted;
        const std::string path = "clips[" + std::to_string(i) + "] " + scene.clips[i].name;
        if (fit.inserted != 0) {
            Diagnostic finding = problem_at(path, "clip-fitted",
                                            "Readers of glTF turn at constant speed, and this clip does not: rotation "
                                            "keys were inserted between its own.",
                                            described(fit));
            finding.severity = Severity::info;
            report.add(std::move(finding));
        }
        if (fit.error > fit_tolerance) {
            Diagnostic finding = problem_at(path, "clip-fit-limit",
                                            "Readers of glTF will turn bones of this clip otherwise than its game: too "
                                            "many keys would have to be inserted, or its keys are not of unit length.",
                                            described(fit), "at most 2.0e-05 rad");
            finding.severity = Severity::warning;
            report.add(std::move(finding));
        }
    }
    return report;
}

}  // namespace effigy::gltf
