/// The file's own motion (what an avatar does while it signs nothing) and CAS motions become clips. Rules:
/// docs/conversion/arp.md, "Ambient motion" and "CAS".

#include <cmath>
#include <glm/geometric.hpp>

#include "effigy/arp_codes.hpp"

#include "arp/to_scene/clips.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::bridge {
namespace {

class AmbientBuilder {
public:
    AmbientBuilder(Build& build, const Avatar& avatar, const Ambient& ambient)
        : build_(build), avatar_(avatar), ambient_(ambient) {}

    Result<void> add() {
        std::uint64_t entries = 0;
        for (const AmbientFrame& frame : ambient_.frames) entries += frame.bones.size();
        const std::uint64_t first = ambient_.frames.front().bones.size();
        auto maker = ClipMaker::make(build_, avatar_, Gap::rest, ambient_.frames.size() + 1, entries + first);
        if (!maker) return fail(std::move(maker.error()));
        set_times();
        const auto count = static_cast<std::uint32_t>(ambient_.frames.size());
        // It goes on with the first frame.
        for (std::uint32_t i = 0; i <= count; ++i) add_frame(*maker, i, ambient_.frames[i < count ? i : 0]);
        Clip clip;
        clip.name = "ambient";
        clip.duration = times_.seconds().back();
        auto extras = ambient_extras(build_, avatar_);
        if (!extras) return fail(std::move(extras.error()));
        clip.extras.json = std::move(*extras);
        return maker->finish(std::move(clip), times_.seconds());
    }

private:
    void set_times() {
        const bool timed = avatar_.file->layout.ambient == AmbientForm::timed;
        double usual = usual_frame;
        const double rate = ambient_.frames_per_second;
        if (!timed && rate >= 1e-3 && rate <= 1e6) {
            usual = 1000 / rate;
        } else if (!timed) {
            build_.note(codes::arp_ambient_rate, "ambient",
                        "The rate of frames is not credible: 25 frames a second are used.", number_text(rate));
        }
        std::uint64_t odd = 0;
        double before = 0;
        for (const AmbientFrame& frame : ambient_.frames) {
            const double time = timed ? double{frame.time} : before + usual;
            const bool is_first = &frame == &ambient_.frames.front();
            // A time of 0 says that the frame follows at the usual distance.
            if (!times_.add(time - before, usual) && time != 0) ++odd;
            before = std::isfinite(time) && (is_first || time > before) ? time : before + usual;
        }
        times_.add(usual, usual);
        build_.note_any(odd, codes::arp_frame_time, "ambient",
                        "Frames that are not later than the one before them follow it after 40 ms.");
    }

    void add_frame(ClipMaker& maker, std::uint32_t number, const AmbientFrame& frame) {
        for (const PoseEntry& entry : frame.bones) {
            const std::size_t bone = maker.bone(text_of(entry.bone));
            if (bone == avatar_.no_bone()) continue;
            const Quat& rest = build_.scene.nodes[avatar_.bone_nodes[bone]].local.rotation;
            maker.put_rotation(number, bone, glm::normalize(wide(rest) * maker.rotation(entry.rotation)));
        }
        for (const MorphAmount& morph : frame.morphs) maker.set_morph(text_of(morph.target), morph.amount);
        maker.put_morphs(number);
    }

    Build& build_;
    const Avatar& avatar_;
    const Ambient& ambient_;
    FrameTimes times_;
};

class SignBuilder {
public:
    SignBuilder(Build& build, const Avatar& avatar, const MotionInput& input)
        : build_(build),
          avatar_(avatar),
          input_(input),
          frames_(input.file.frames),
          moved_(avatar.file->bones.size()) {}

    Result<void> add() {
        if (frames_.empty()) {
            build_.note(codes::clip_empty, "frames", "The motion has no frames; it is left out.");
            return {};
        }
        std::uint64_t entries = 0;
        for (const cas::Frame& frame : frames_) entries += frame.bones.size();
        // A bone may both move and turn.
        auto maker = ClipMaker::make(build_, avatar_, Gap::hold, frames_.size(), 2 * entries);
        if (!maker) return fail(std::move(maker.error()));
        set_times();
        for (std::uint32_t i = 0; i < frames_.size(); ++i) add_frame(*maker, i);
        report_moved();
        Clip clip;
        clip.name = build_.text(input_.source.stem);
        if (clip.name.empty()) clip.name = "signs";
        const double last = frames_.back().duration;
        clip.duration = times_.seconds().back() + (last > 0 && last < 1e8 ? narrow(last / 1000) : 0.0F);
        const std::size_t count = build_.scene.clips.size();
        if (auto finished = maker->finish(std::move(clip), times_.seconds()); !finished) return finished;
        if (build_.scene.clips.size() == count) return {};
        Clip& made = build_.scene.clips.back();
        auto extras = signs_extras(build_, input_, times_.seconds(), made);
        if (!extras) return fail(std::move(extras.error()));
        made.extras = std::move(*extras);
        return {};
    }

private:
    /// Each sign of a stream may count its time anew: then frames follow one another by their durations.
    void set_times() {
        std::uint64_t odd = 0;
        double before = 0, duration = 0;
        for (const cas::Frame& frame : frames_) {
            const double fallback = duration > 0 && duration < 1e8 ? duration : usual_frame;
            if (!times_.add(frame.time - before, fallback)) ++odd;
            before = std::isfinite(frame.time) ? frame.time : before + fallback;
            duration = frame.duration;
        }
        build_.note_any(
            odd, codes::arp_frame_time.as(Severity::info), "frames",
            "Frames whose time is not later than that of the one before them follow it after its duration.");
    }

    void add_frame(ClipMaker& maker, std::uint32_t number) {
        for (const cas::BoneKey& key : frames_[number].bones) {
            const std::string_view name = up_to_nul(key.name);
            const std::size_t bone = maker.bone(name);
            if (bone == avatar_.no_bone()) continue;
            if (key.rotation) maker.put_rotation(number, bone, maker.rotation(*key.rotation));
            if (!key.translation) continue;
            // Players move no other bone.
            if (name == "ROOT")
                maker.put_translation(number, bone, *key.translation);
            else if (!is_at_rest(bone, *key.translation))
                moved_[bone] = true;
        }
        for (const cas::MorphKey& morph : frames_[number].morphs) maker.set_morph(up_to_nul(morph.name), morph.amount);
        maker.put_morphs(number);
    }

    [[nodiscard]] bool is_at_rest(std::size_t bone, const Vec3& translation) const noexcept {
        constexpr double rounding = 1e-3;  // four decimals are usual
        const Vec3& rest = avatar_.file->bones[bone].translation;
        return glm::distance(wide(translation), wide(rest)) <= rounding;
    }

    void report_moved() {
        NameList names;
        for (std::size_t bone = 0; bone < moved_.size(); ++bone) {
            if (moved_[bone]) names.add(build_.text(up_to_nul(avatar_.file->bones[bone].name)));
        }
        build_.note_any(
            names, codes::arp_translation_ignored, "frames",
            "Players move ROOT only: that the motion has these bones elsewhere than the avatar is left out.");
    }

    Build& build_;
    const Avatar& avatar_;
    const MotionInput& input_;
    const std::vector<cas::Frame>& frames_;
    FrameTimes times_;
    std::vector<bool> moved_;  ///< of bones: away from where the avatar has them
};

}  // namespace

Result<void> add_ambient(Build& build, const Avatar& avatar) {
    const auto& ambient = avatar.file->ambient;
    if (!ambient || ambient->frames.empty()) return {};
    return AmbientBuilder(build, avatar, *ambient).add();
}

Result<void> add_signs(Build& build, const Avatar& avatar, const MotionInput& input) {
    return SignBuilder(build, avatar, input).add();
}

}  // namespace effigy::arp::bridge
