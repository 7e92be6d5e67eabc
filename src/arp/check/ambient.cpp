/// The motion that avatars make when they make no other.

#include <unordered_set>

#include "effigy/arp_codes.hpp"

#include "arp/check/rules.hpp"

namespace effigy::arp::checks {

namespace {

class AmbientCheck {
public:
    AmbientCheck(const Context& context, const Ambient& ambient) : context_(context), ambient_(ambient) {
        for (const Mesh& mesh : context.file.meshes)
            for (const MorphTarget& target : mesh.morph_targets) morphs_.insert(up_to_nul(target.name));
    }

    void run() {
        if (context_.file.layout.ambient == AmbientForm::timed)
            check_times();
        else
            check_rate();
        for (std::size_t frame = 0; frame < ambient_.frames.size(); ++frame) check_frame(frame);
        report_all();
    }

private:
    void check_rate() {
        const float rate = ambient_.frames_per_second;
        if (!(rate >= 1 && rate <= 240))
            context_.findings.add(codes::arp_ambient_rate, "frames_per_second", number_text(rate), "1 to 240");
    }

    void check_times() {
        Tally late, not_finite;
        float before = 0;
        for (std::size_t frame = 0; frame < ambient_.frames.size(); ++frame) {
            const float time = ambient_.frames[frame].time;
            if (!std::isfinite(time)) {
                not_finite.hit(frame);
                continue;
            }
            // A zero on a later frame stands for 40 ms after the one before.
            const float meant = frame != 0 && time == 0 ? before + 40 : time;
            if (frame != 0 && meant <= before) late.hit(frame);
            before = meant;
        }
        const auto path = [](std::uint64_t frame) { return below(frame_path(frame), "time"); };
        report(context_.findings, codes::arp_not_finite, not_finite, "frames", path);
        report(context_.findings, codes::arp_ambient_time, late, "frames", path);
    }

    void check_frame(std::size_t frame) {
        const auto place = [&](std::size_t index) { return std::uint64_t{frame} << 32U | (index & 0xffffffff); };
        const AmbientFrame& content = ambient_.frames[frame];
        for (std::size_t index = 0; index < content.bones.size(); ++index) {
            const PoseEntry& entry = content.bones[index];
            if (!context_.bones.contains(text_of(entry.bone))) foreign_bone_.hit(place(index));
            rotations_.add(entry.rotation, place(index));
        }
        for (std::size_t index = 0; index < content.morphs.size(); ++index) {
            const MorphAmount& morph = content.morphs[index];
            if (!morphs_.contains(text_of(morph.target))) foreign_morph_.hit(place(index));
            if (!std::isfinite(morph.amount)) not_finite_.hit(place(index));
        }
    }

    static std::string frame_path(std::uint64_t frame) { return element_path("frame", frame); }
    static std::string bone_path(std::uint64_t at) {
        return below(frame_path(at >> 32U), element_path("bones", at & 0xffffffff));
    }
    static std::string morph_path(std::uint64_t at) {
        return below(frame_path(at >> 32U), element_path("morphs", at & 0xffffffff));
    }

    void report_all() const {
        rotations_.report(context_.findings, bone_path);
        report(context_.findings, codes::arp_not_finite, not_finite_, "amounts", morph_path);
        if (foreign_bone_) {
            const AmbientFrame& frame = ambient_.frames[static_cast<std::size_t>(foreign_bone_.first >> 32U)];
            context_.findings.add(
                codes::arp_ambient_bone, bone_path(foreign_bone_.first),
                first_of(std::string(text_of(frame.bones[foreign_bone_.first & 0xffffffff].bone)), foreign_bone_.count),
                "a bone of the skeleton");
        }
        if (foreign_morph_) {
            const AmbientFrame& frame = ambient_.frames[static_cast<std::size_t>(foreign_morph_.first >> 32U)];
            const MorphAmount& morph = frame.morphs[foreign_morph_.first & 0xffffffff];
            context_.findings.add(codes::arp_ambient_morph, morph_path(foreign_morph_.first),
                                  first_of(std::string(text_of(morph.target)), foreign_morph_.count),
                                  "a morph target of the avatar");
        }
    }

    const Context& context_;
    const Ambient& ambient_;
    std::unordered_set<std::string_view> morphs_;
    Rotations rotations_;
    Tally foreign_bone_, foreign_morph_, not_finite_;
};

}  // namespace

void check_ambient(const Context& context) {
    const File& file = context.file;
    if (file.layout.ambient == AmbientForm::none && file.ambient)
        context.findings.add(codes::arp_array_size, "frame_count", count_text(file.ambient->frames.size(), "frames"),
                             "no ambient motion in this version");
    if (file.ambient) AmbientCheck(context, *file.ambient).run();
}

}  // namespace effigy::arp::checks
