/// Which clips become ambient motion and which CAS, and what is lost of them. Rules: docs/conversion/arp.md, "From a
/// scene".

#include "arp/from_scene/motion.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "effigy/arp_codes.hpp"

#include "arp/from_scene/exact.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::native {
namespace {

constexpr double no_motion = 1e-3;  ///< metres

void note_losses(Build& build, const Clip& clip, const Sampler& sampler) {
    if (sampler.odd_tracks() != 0) {
        build.note(codes::arp_track_odd, path_of(clip), {}, std::to_string(sampler.odd_tracks()));
    }
    if (sampler.scales()) {
        build.note(codes::arp_scale_lost, path_of(clip),
                   "Bones of an avatar turn and have one size: that the clip changes their size is lost.");
    }
}

/// Bones and targets are those of the avatar and called as they were.
bool has_old_names(const Character& character) {
    const auto& levels = character.figure.levels;
    const auto is_untouched = [](const LevelDraft& level) { return !level.record.empty(); };
    return !any_renamed(character.skeleton.bones) && !any_renamed(character.figure.targets) && !levels.empty() &&
           std::all_of(levels.begin(), levels.end(), is_untouched);
}

}  // namespace

std::string path_of(const Clip& clip) { return "clip " + shortened(clip.name); }

std::uint64_t frame_count(double seconds, double rate) {
    const double count = std::isfinite(seconds) ? std::round(seconds * rate) : 0;
    return count < 1e9 ? static_cast<std::uint64_t>(std::max(count, 1.0)) : std::uint64_t{1} << 40U;
}

Result<void> take_frames(Build& build, const Character& character, std::uint64_t count) {
    const std::size_t bones = character.skeleton.bones.size(), targets = character.figure.targets.size();
    return build.take(count, (bones + 1) * 2 * sizeof(PoseEntry) + targets * 16, "frames of motion");
}

void find_moved(const Character& character, const PoseSample& pose, std::size_t first, std::vector<bool>& moved) {
    const Skeleton& skeleton = character.skeleton;
    const double height = character.figure.high - character.figure.low;
    const double most = std::max(no_motion, 1e-3 * height) * skeleton.units;
    for (std::size_t i = first; i < moved.size(); ++i) {
        if (skeleton.bones[i].node == no_index || moved[i]) continue;
        moved[i] = glm::distance(pose.places[i], wide(character.file.bones[i].translation)) > most;
    }
}

void report_moved(Build& build, const Character& character, const Clip& clip, const std::vector<bool>& moved,
                  const char* what) {
    NameList names;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        if (moved[i]) names.add(std::string(up_to_nul(character.file.bones[i].name)));
    }
    build.note_any(names, codes::arp_translation_ignored.as(Severity::warning), path_of(clip), what);
}

Result<void> add_motions(Build& build, const Tree& tree, const Skeleton& skeleton, const Figure& figure,
                         NativeFiles& files) {
    File& file = files.container.avatar;
    const Character character{tree, skeleton, figure, file};
    bool has_ambient = false;
    for (const Clip& clip : build.source.clips) {
        const Json record = record_of(clip.extras);
        const std::string kind = text_at(record, "kind").value_or("");
        const bool is_ambient = !has_ambient && (kind == "ambient" || (kind.empty() && lower(clip.name) == "ambient"));
        if (is_ambient && build.options.only_motions) {  // it stands in the avatar
            has_ambient = true;
            continue;
        }
        Motion motion(build.source, character, clip);
        note_losses(build, clip, motion.sampler());
        if (is_ambient && file.layout.ambient == AmbientForm::none) {
            build.note(codes::arp_ambient_lost, path_of(clip),
                       "The avatar's version has no ambient motion: the clip is lost.");
            continue;
        }
        if (is_ambient) {
            auto ambient = ambient_of(build, character, clip, record, motion);
            if (!ambient) return fail(std::move(ambient.error()));
            file.ambient = std::move(*ambient);
            const auto exact = bytes_at(record, "exact");
            const bool has_form = build.stored && build.stored->layout.ambient == file.layout.ambient;
            if (exact && has_form && build.untouched(clip) && skeleton.is_whole() && !(build.options.height > 0))
                restore_ambient(*exact, file, has_old_names(character), build.budget);
            has_ambient = true;
        } else {
            auto cas = cas_of(build, character, clip, record, motion);
            if (!cas) return fail(std::move(cas.error()));
            files.motions.emplace_back(clip.name, std::move(*cas));
        }
        if (motion.has_unlike_amounts()) {
            build.note(
                codes::arp_weights_differ, path_of(clip),
                "Meshes have targets of one name by different amounts, and an avatar has one amount for all: the "
                "last that is not 0 counts. Give such targets names of their own.");
        }
        if (motion.bends() && !motion.sampler().scales()) {
            build.note(
                codes::arp_scale_lost, path_of(clip),
                "The clip turns bones below others of uneven scale, which shears what hangs on them: an avatar's "
                "bones only turn. Apply the scale to the figure first.");
        }
    }
    return {};
}

}  // namespace effigy::arp::native
