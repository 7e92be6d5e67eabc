/// Clips become ambient motion and CAS. Rules: docs/conversion/arp.md, "From a scene".

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "effigy/arp_codes.hpp"

#include "arp/file/cas_reader.hpp"
#include "arp/file/cas_writer.hpp"
#include "arp/file/zip.hpp"
#include "arp/from_scene/exact.hpp"
#include "arp/from_scene/from_scene.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::native {
namespace {

constexpr double frames_per_second = 25;
constexpr double no_rotation = 1e-6;  ///< radians
constexpr float no_amount = 1e-6F;
constexpr double no_motion = 1e-3;  ///< metres

/// What a frame shows.
struct PoseSample {
    std::vector<glm::dquat> rotations;  ///< local, of bones
    std::vector<glm::dvec3> places;     ///< likewise, in units of the file
    std::vector<float> amounts;         ///< of morph targets
};

class Motion {
public:
    Motion(const Build& build, const Tree& tree, const Skeleton& skeleton, const Figure& figure,
           const std::vector<DrawnMesh>& drawn, const File& file, const Clip& clip)
        : skeleton_(skeleton),
          figure_(figure),
          drawn_(drawn),
          file_(file),
          rest_(tree.worlds),
          sampler_(build.source, tree, clip),
          turns_(skeleton.bones.size()) {
        find_turning(build.source);
    }

    [[nodiscard]] const Sampler& sampler() const noexcept { return sampler_; }
    /// In what was shown so far, bones did more than turn and move.
    [[nodiscard]] bool bends() const noexcept { return bends_; }
    /// Others keep their place beside their parent all the time.
    [[nodiscard]] bool turns(std::size_t bone) const { return turns_[bone]; }

    const PoseSample& at(double time) {
        sampler_.go_to(time);
        const bool is_first = frames_.empty();
        const std::size_t count = skeleton_.bones.size();
        frames_.resize(count);
        pose_.rotations.resize(count);
        pose_.places.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            if (is_first || shown_[i]) place(i);
            if (is_first || turns_[i]) pose(i);
        }
        if (is_first) watch_shown();
        pose_.amounts.assign(figure_.targets.size(), 0.0F);
        for (std::size_t i = 0; i < drawn_.size(); ++i) {
            const std::vector<double> weights = sampler_.weights(drawn_[i].node);
            const std::vector<std::size_t>& places = figure_.target_of.front()[i];
            for (std::size_t k = 0; k < std::min(weights.size(), places.size()); ++k) {
                const float amount = narrow(weights[k]);
                if (std::abs(amount) > no_amount) pose_.amounts[places[k]] = amount;
            }
        }
        return pose_;
    }

private:
    /// Bones that turn or move beside their parent; they and their parents have to be looked at again and again.
    void find_turning(const Scene& scene) {
        const auto& bones = skeleton_.bones;
        shown_.resize(bones.size());
        for (std::size_t i = bones.size(); i-- > 0;) {
            const std::size_t parent = bones[i].parent;
            const bool is_root = parent == none;
            if (bones[i].node != no_index)
                turns_[i] = moves_below(scene, bones[i].node, is_root ? no_index : bones[parent].node);
            const bool has_no_own = bones[i].node == no_index && shown_[i];
            if (turns_[i]) shown_[i] = true;
            if (!is_root && (turns_[i] || has_no_own)) shown_[parent] = true;
        }
    }

    /// Whether a node may move beside one that should stand above it.
    [[nodiscard]] bool moves_below(const Scene& scene, Index node, Index above) const {
        for (; node != above; node = scene.nodes[node].parent) {
            if (node >= scene.nodes.size() || sampler_.has_track(node)) return true;
        }
        return false;
    }

    void watch_shown() {
        std::vector<Index> nodes;
        for (std::size_t i = 0; i < shown_.size(); ++i) {
            if (shown_[i] && skeleton_.bones[i].node != no_index) nodes.push_back(skeleton_.bones[i].node);
        }
        sampler_.watch(nodes);
    }

    [[nodiscard]] bool is_rigid(const BoneDraft& bone, const glm::dmat4& world, const glm::dquat& rotation) const {
        constexpr double least = 1e-3;
        const glm::dmat3 rest(rest_[bone.node]);
        const glm::dmat3 rotated = glm::mat3_cast(rotation * glm::conjugate(bone.rest.rotation)) * rest;
        return !(largest(rotated - glm::dmat3(world)) > least * largest(rest));
    }

    void place(std::size_t i) {
        const BoneDraft& bone = skeleton_.bones[i];
        if (bone.node == no_index) {
            frames_[i] = bone.parent == none ? bone.rest : frames_[bone.parent];
        } else {
            const glm::dmat4& world = sampler_.worlds()[bone.node];
            frames_[i] = rigid_part(world);
            frames_[i].rotation = glm::normalize(frames_[i].rotation * bone.node_to_bone);
            bends_ = bends_ || !is_rigid(bone, world, frames_[i].rotation);
        }
    }

    /// Beside its parent, which has been placed.
    void pose(std::size_t i) {
        const BoneDraft& bone = skeleton_.bones[i];
        const bool is_root = bone.parent == none;
        const glm::dquat back = is_root ? glm::dquat(1, 0, 0, 0) : glm::conjugate(frames_[bone.parent].rotation);
        const glm::dvec3 from = is_root ? skeleton_.origin : frames_[bone.parent].translation;
        glm::dquat rotation = glm::normalize(back * frames_[i].rotation);
        if (rotation.w < 0) rotation = -rotation;
        pose_.rotations[i] = rotation;
        pose_.places[i] = back * (frames_[i].translation - from) * skeleton_.units;
        if (is_root) pose_.places[i].y -= double{file_.skeleton_offset};
    }

    const Skeleton& skeleton_;
    const Figure& figure_;
    const std::vector<DrawnMesh>& drawn_;
    const File& file_;
    const std::vector<glm::dmat4>& rest_;
    Sampler sampler_;
    std::vector<bool> turns_, shown_;  ///< of bones
    std::vector<Frame> frames_;
    PoseSample pose_;
    bool bends_ = false;
};

/// With the fewest decimals that say the same: scenes have seconds as floats.
double milliseconds_of(double seconds) {
    const double exact = 1000 * seconds;
    double factor = 1;
    for (int decimals = 0; decimals <= 6; ++decimals, factor *= 10) {
        const double rounded = std::round(exact * factor) / factor;
        if (narrow(rounded / 1000) == narrow(seconds)) return rounded;
    }
    return exact;
}

/// How far apart they are: radians, amounts, or tenths of a metre.
double difference(const PoseSample& a, const PoseSample& b, double units) {
    double most = 10 * glm::distance(a.places.front(), b.places.front()) / units;
    for (std::size_t i = 0; i < a.rotations.size(); ++i)
        most = std::max(most, angle_between(a.rotations[i], b.rotations[i]));
    for (std::size_t i = 0; i < a.amounts.size(); ++i)
        most = std::max(most, std::abs(double{a.amounts[i]} - double{b.amounts[i]}));
    return most;
}

class MotionMaker {
public:
    MotionMaker(Build& build, const Tree& tree, const Skeleton& skeleton, const Figure& figure,
                const std::vector<DrawnMesh>& drawn, NativeFiles& files)
        : build_(build),
          tree_(tree),
          skeleton_(skeleton),
          figure_(figure),
          drawn_(drawn),
          files_(files),
          file_(files.container.avatar) {
        for (const Bone& bone : file_.bones) names_.emplace_back(up_to_nul(bone.name));
        height_ = figure.high - figure.low;
    }

    Result<void> make() {
        bool has_ambient = false;
        for (const Clip& clip : build_.source.clips) {
            const Json record = record_of(clip.extras);
            const std::string kind = text_at(record, "kind").value_or("");
            const bool is_ambient =
                !has_ambient && (kind == "ambient" || (kind.empty() && lower(clip.name) == "ambient"));
            Motion motion(build_, tree_, skeleton_, figure_, drawn_, file_, clip);
            note_losses(clip, motion.sampler());
            if (is_ambient && file_.layout.ambient == AmbientForm::none) {
                build_.note(codes::arp_ambient_lost, path_of(clip),
                            "The avatar's version has no ambient motion: the clip is lost.");
                continue;
            }
            auto made = is_ambient ? add_ambient(clip, record, motion) : add_cas(clip, record, motion);
            if (!made) return made;
            if (motion.bends() && !motion.sampler().scales()) {
                build_.note(codes::arp_scale_lost, path_of(clip),
                            "The clip turns bones below others of uneven scale, which shears what hangs on them: an "
                            "avatar's bones only turn. Apply the scale to the figure first.");
            }
            has_ambient = has_ambient || is_ambient;
        }
        return {};
    }

private:
    [[nodiscard]] static std::string path_of(const Clip& clip) { return "clip " + shortened(clip.name); }

    void note_losses(const Clip& clip, const Sampler& sampler) {
        if (sampler.odd_tracks() != 0) {
            build_.note(codes::arp_track_odd, path_of(clip), {}, std::to_string(sampler.odd_tracks()));
        }
        if (sampler.scales()) {
            build_.note(codes::arp_scale_lost, path_of(clip),
                        "Bones of an avatar turn and have one size: that the clip changes their size is lost.");
        }
    }

    /// Of the clip; frames times what each may take.
    Result<void> take(std::uint64_t frames) {
        return build_.take(frames, (skeleton_.bones.size() + 1) * 2 * sizeof(PoseEntry) + figure_.targets.size() * 16,
                           "frames of motion");
    }

    static std::uint64_t count_of(double seconds, double rate) {
        const double count = std::round(seconds * rate);
        return count < 1e9 ? static_cast<std::uint64_t>(std::max(count, 1.0)) : std::uint64_t{1} << 40U;
    }

    /// Bones that are moved, which players do not do.
    void note_moved(const PoseSample& pose, std::size_t first, std::vector<bool>& moved) const {
        const double most = std::max(no_motion, 1e-3 * height_) * skeleton_.units;
        for (std::size_t i = first; i < moved.size(); ++i) {
            if (skeleton_.bones[i].node == no_index || moved[i]) continue;
            moved[i] = glm::distance(pose.places[i], wide(file_.bones[i].translation)) > most;
        }
    }
    void report_moved(const Clip& clip, const std::vector<bool>& moved, const char* what) {
        NameList names;
        for (std::size_t i = 0; i < moved.size(); ++i) {
            if (moved[i]) names.add(names_[i]);
        }
        build_.note_any(names, codes::arp_translation_ignored.as(Severity::warning), path_of(clip), what);
    }

    // Ambient motion

    Result<void> add_ambient(const Clip& clip, const Json& record, Motion& motion) {
        Ambient ambient;
        const double rate = number_at(record, "frames_per_second").value_or(frames_per_second);
        ambient.frames_per_second = narrow(rate >= 1 && rate <= 240 ? rate : frames_per_second);
        const double seconds = std::max(double{clip.duration}, motion.sampler().end());
        auto count = count_of(std::isfinite(seconds) ? seconds : 0, double{ambient.frames_per_second});
        if (auto taken = take(count); !taken) return taken;
        std::vector<bool> moved(skeleton_.bones.size()), rotated(moved.size());
        std::vector<std::vector<glm::dquat>> rotations;
        std::vector<glm::dquat> back;
        for (const Bone& bone : file_.bones) back.push_back(glm::conjugate(glm::normalize(wide(bone.rotation))));
        ambient.frames.resize(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < count; ++i) {
            const PoseSample& pose = motion.at(static_cast<double>(i) / double{ambient.frames_per_second});
            note_moved(pose, 0, moved);
            auto& row = rotations.emplace_back(i == 0 ? std::vector<glm::dquat>(back.size()) : rotations.back());
            for (std::size_t bone = 0; bone < back.size(); ++bone) {
                if (i > 0 && !motion.turns(bone)) continue;
                glm::dquat rotation = glm::normalize(back[bone] * pose.rotations[bone]);
                if (rotation.w < 0) rotation = -rotation;
                row[bone] = rotation;
                if (angle_between(rotation, {1, 0, 0, 0}) > no_rotation) rotated[bone] = true;
            }
            for (std::size_t k = 0; k < pose.amounts.size(); ++k) {
                if (pose.amounts[k] != 0)
                    ambient.frames[i].morphs.push_back({code_of(figure_.targets[k].code), pose.amounts[k]});
            }
        }
        fill(ambient, rotations, rotated, places_in(record, clip));
        report_moved(clip, moved, "Ambient motion turns bones only: that the clip moves them is lost.");
        const bool is_timed = file_.layout.ambient == AmbientForm::timed;
        for (std::size_t i = 0; is_timed && i < ambient.frames.size(); ++i)
            ambient.frames[i].time = narrow(static_cast<double>(i) * 1000 / double{ambient.frames_per_second});
        file_.ambient = std::move(ambient);
        const auto exact = bytes_at(record, "exact");
        if (exact && build_.untouched(clip) && build_.keeps_layout && skeleton_.is_whole())
            restore_ambient(*exact, file_, build_.budget);
        return {};
    }

    /// What the avatar stored as places, which players ignore; else those of the rest.
    [[nodiscard]] std::vector<Vec3> places_in(const Json& record, const Clip& clip) const {
        std::vector<Vec3> places;
        const bool is_own = build_.untouched(clip) && text_at(record, "kind") == "ambient";
        for (const Bone& bone : file_.bones) places.push_back(is_own ? Vec3{} : bone.translation);
        const Json* stored = member(record, "translations");
        if (!is_own || stored == nullptr || !stored->is_array()) return places;
        std::unordered_map<std::string_view, std::size_t> bones;
        for (std::size_t i = 0; i < names_.size(); ++i) bones.try_emplace(names_[i], i);
        for (const Json& entry : *stored) {
            const auto name = text_at(entry, "bone");
            const Json* place = member(entry, "translation");
            const auto bone = name ? bones.find(*name) : bones.end();
            if (place == nullptr || bone == bones.end()) continue;
            Vec3& kept = places[bone->second];
            (void)element_from_json(layout::element_type<Vec3>, *place, reinterpret_cast<std::byte*>(&kept));
        }
        return places;
    }

    void fill(Ambient& ambient, const std::vector<std::vector<glm::dquat>>& rotations, const std::vector<bool>& rotated,
              const std::vector<Vec3>& places) const {
        for (std::size_t i = 0; i < ambient.frames.size(); ++i) {
            for (std::size_t bone = 0; bone < rotated.size(); ++bone) {
                if (rotated[bone])
                    ambient.frames[i].bones.push_back(
                        {code_of(names_[bone]), places[bone], narrow(rotations[i][bone])});
            }
        }
    }

    // CAS

    /// Frames at the usual rate up to the end, and at the keys, between which players turn bones as clips do.
    static std::vector<double> frame_times(std::vector<double> times, std::size_t count, double seconds) {
        constexpr double least = 1e-3;  // times are in milliseconds
        for (std::size_t i = 0; i < count; ++i) times.push_back(static_cast<double>(i) / frames_per_second);
        times.push_back(std::max(seconds, 0.0));
        std::sort(times.begin(), times.end());
        std::vector<double> kept;
        for (const double time : times) {
            if (std::isfinite(time) && time >= 0 && time <= seconds && (kept.empty() || time >= kept.back() + least))
                kept.push_back(time);
        }
        if (kept.empty()) kept.push_back(0);
        return kept;
    }

    /// The file that a clip was, if neither the clip nor a bone was touched, and what it names has its old name.
    [[nodiscard]] std::optional<cas::File> kept_file(const Clip& clip, const Json& record) const {
        const bool is_same = skeleton_.is_whole() && !(build_.options.height > 0) && !any_renamed(skeleton_.bones) &&
                             !any_renamed(figure_.targets);
        const auto kept = is_same && build_.untouched(clip) ? bytes_at(record, "text") : std::nullopt;
        auto text = kept ? unpacked(*kept, build_.budget) : std::nullopt;
        if (!text) return std::nullopt;
        auto read = cas::read(std::move(*text), {build_.options.limits});
        return read ? std::optional(std::move(read->value)) : std::nullopt;
    }

    Result<void> add_cas(const Clip& clip, const Json& record, Motion& motion) {
        if (auto kept = kept_file(clip, record)) {
            files_.motions.emplace_back(clip.name, std::move(*kept));
            return {};
        }
        const bool is_own = text_at(record, "kind") == "cas";
        std::vector<double> times;
        const double seconds = std::max(double{clip.duration}, motion.sampler().end());
        times = motion.sampler().key_times();
        if (is_own && (times.empty() || times.front() > 0)) times.insert(times.begin(), 0.0);
        const auto count = is_own ? 0 : count_of(std::isfinite(seconds) ? seconds : 0, frames_per_second);
        if (auto taken = take(times.size() + count); !taken) return taken;
        if (!is_own) times = frame_times(times, static_cast<std::size_t>(count), std::isfinite(seconds) ? seconds : 0);
        // A sign that begins with the last key makes that a frame, whatever it shows.
        if (signs_of(clip, record, times).back().first_frame + 1 < times.size()) drop_held_end(motion, seconds, times);
        cas::File motion_file = head_of(clip, record, times);
        std::vector<bool> moved(skeleton_.bones.size());
        last_ = {};
        for (std::size_t i = 0; i < times.size(); ++i) {
            const PoseSample& pose = motion.at(times[i]);
            note_moved(pose, 1, moved);
            cas::Frame& frame = motion_file.frames.emplace_back(frame_of(i == 0, pose));
            frame.time = milliseconds_of(times[i]);
            const double end = milliseconds_of(i + 1 < times.size() ? times[i + 1] : std::max(seconds, times[i]));
            frame.duration = end > frame.time ? end - frame.time : 1000 / frames_per_second;
            // What a frame takes, also as text, is not known beforehand.
            constexpr std::uint64_t text_size = 200;
            const std::uint64_t keys = frame.bones.size() + frame.morphs.size() + 1;
            if (auto taken = build_.take(keys, sizeof(cas::BoneKey) + 4 * text_size, "frames of motion"); !taken)
                return taken;
        }
        report_moved(clip, moved, "Players move ROOT only: that the clip moves these bones as well is lost.");
        const std::string text = cas::text_of(motion_file, false);
        const auto bytes = std::as_bytes(std::span(text));
        auto read = cas::read(Bytes(bytes.begin(), bytes.end()), {build_.options.limits});
        if (!read) return fail(std::move(read.error()));
        files_.motions.emplace_back(clip.name, std::move(read->value));
        return {};
    }

    /// A key at the end that shows what the one before it does is how long that one lasts: so clips hold the last frame
    /// of a CAS. Sampled at another rate it may begin a little late, where the motion before has not quite ended.
    void drop_held_end(Motion& motion, double seconds, std::vector<double>& times) const {
        constexpr double rounding = 1e-6, nothing = 1e-5, unseen = 1e-3, rest = 0.1;
        if (times.size() < 2 || times.back() < seconds - rounding) return;
        const double start = times[times.size() - 2], length = times.back() - start;
        const PoseSample end = motion.at(times.back()), held = motion.at(start);
        const double before = difference(motion.at(std::max(0.0, start - length)), held, skeleton_.units);
        const double most = std::max(nothing, std::min(unseen, rest * before));
        if (difference(held, end, skeleton_.units) <= most) times.pop_back();
    }

    [[nodiscard]] std::vector<cas::Sign> signs_of(const Clip& clip, const Json& record,
                                                  const std::vector<double>& times) const {
        std::vector<cas::Sign> signs;
        const Json* stored = member(record, "signs");
        if (stored != nullptr && stored->is_array()) {
            for (const Json& entry : *stored) {
                const auto gloss = text_at(entry, "gloss");
                const auto time = number_at(entry, "time");
                if (!gloss || !time) continue;
                const auto place = std::lower_bound(times.begin(), times.end(), *time - 1e-5);
                if (place == times.end()) continue;
                const auto frame = static_cast<std::uint32_t>(place - times.begin());
                if (signs.empty() || frame > signs.back().first_frame) signs.push_back({*gloss, frame});
            }
        }
        if (signs.empty()) signs.push_back({clip.name, 0});
        return signs;
    }

    /// All but the frames.
    [[nodiscard]] cas::File head_of(const Clip& clip, const Json& record, const std::vector<double>& times) const {
        cas::File file;
        file.avatar = text_at(record, "avatar").value_or(build_.options.name);
        file.signs = signs_of(clip, record, times);
        if (const Json* camera = member(record, "camera_location")) {
            file.camera.emplace();
            for (const auto& [name, field] : cas::camera_fields)
                (*file.camera).*field = number_at(*camera, name).value_or(0);
        }
        return file;
    }

    /// The first frame has all bones, the others have those that are not as in the frame before.
    cas::Frame frame_of(bool is_first, const PoseSample& pose) {
        cas::Frame frame;
        frame.complete = is_first;
        for (std::size_t k = 0; k < pose.amounts.size(); ++k) {
            if (cas::number(double{pose.amounts[k]}) != "0")
                frame.morphs.push_back({figure_.targets[k].code, pose.amounts[k]});
        }
        if (is_first) {
            last_.rotations = pose.rotations;
            last_.places = pose.places;
        }
        for (std::size_t i = 0; i < pose.rotations.size(); ++i) add_bone(i, is_first, pose, frame);
        return frame;
    }

    void add_bone(std::size_t i, bool is_first, const PoseSample& pose, cas::Frame& frame) {
        const double most = build_.options.max_error;
        const bool rotates =
            is_first || angle_between(pose.rotations[i], last_.rotations[i]) > std::max(most, no_rotation);
        const bool moves = is_first || (i == 0 && glm::distance(pose.places[i], last_.places[i]) >
                                                      std::max(most * skeleton_.units, 1e-6));
        if (!rotates && !moves) return;
        cas::BoneKey& key = frame.bones.emplace_back();
        key.name = names_[i];
        if (moves) {
            last_.places[i] = pose.places[i];
            key.translation = i == 0 ? narrow(pose.places[i]) : file_.bones[i].translation;
        }
        if (rotates) {
            last_.rotations[i] = pose.rotations[i];
            key.rotation = narrow(pose.rotations[i]);
        }
    }

    Build& build_;
    const Tree& tree_;
    const Skeleton& skeleton_;
    const Figure& figure_;
    const std::vector<DrawnMesh>& drawn_;
    NativeFiles& files_;
    File& file_;
    std::vector<std::string> names_;
    double height_ = 0;
    PoseSample last_;
};

}  // namespace

Result<void> add_motions(Build& build, const Tree& tree, const Skeleton& skeleton, const Figure& figure,
                         const std::vector<std::vector<DrawnMesh>>& levels, NativeFiles& files) {
    return MotionMaker(build, tree, skeleton, figure, levels.front(), files).make();
}

}  // namespace effigy::arp::native
