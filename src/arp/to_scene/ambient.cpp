/// The file's own motion: what an avatar does while it signs nothing. Rules: docs/formats/arp.md, "Ambient motion".

#include <cmath>

#include "effigy/arp_codes.hpp"

#include "arp/to_scene/clips.hpp"
#include "arp/to_scene/extras.hpp"
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
        if (odd == 0) return;
        build_.note(codes::arp_frame_time, "ambient",
                    "Frames that are not later than the one before them follow it after 40 ms.", std::to_string(odd));
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

}  // namespace

Result<void> add_ambient(Build& build, const Avatar& avatar) {
    const auto& ambient = avatar.file->ambient;
    if (!ambient || ambient->frames.empty()) return {};
    return AmbientBuilder(build, avatar, *ambient).add();
}

}  // namespace effigy::arp::bridge
