/// A clip as an avatar's ambient motion: rotations behind those of the rest, and amounts of morph targets.

#include <algorithm>
#include <string_view>

#include "arp/file/names.hpp"
#include "arp/from_scene/motion.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::native {
namespace {

/// What the avatar stored as places, which players ignore; else those of the rest.
std::vector<Vec3> ambient_places(const Build& build, const File& file, const Clip& clip, const Json& record) {
    std::vector<Vec3> places;
    const bool is_own = build.untouched(clip) && text_at(record, "kind") == "ambient";
    for (const Bone& bone : file.bones) places.push_back(is_own ? Vec3{} : bone.translation);
    if (!is_own) return places;
    const BonesByName bones = bones_by_name(file);
    for (const Json& entry : list_at(record, "translations")) {
        const auto name = text_at(entry, "bone");
        const Json* place = member(entry, "translation");
        const auto bone = name ? bones.find(*name) : bones.end();
        if (place == nullptr || bone == bones.end()) continue;
        Vec3& kept = places[bone->second];
        (void)element_from_json(layout::element_type<Vec3>, *place, reinterpret_cast<std::byte*>(&kept));
    }
    return places;
}

}  // namespace

Result<Ambient> ambient_of(Build& build, const Character& character, const Clip& clip, const Json& record,
                           Motion& motion) {
    const File& file = character.file;
    Ambient ambient;
    const double wanted = number_at(record, "frames_per_second").value_or(frames_per_second);
    ambient.frames_per_second = narrow(wanted >= 1 && wanted <= 240 ? wanted : frames_per_second);
    const double rate = ambient.frames_per_second;
    const auto count = frame_count(std::max(double{clip.duration}, motion.sampler().end()), rate);
    if (auto taken = take_frames(build, character, count); !taken) return fail(std::move(taken.error()));
    std::vector<glm::dquat> back;
    for (const Bone& bone : file.bones) back.push_back(glm::conjugate(glm::normalize(wide(bone.rotation))));
    std::vector<bool> moved(back.size()), rotated(back.size());
    std::vector<std::vector<glm::dquat>> rotations;
    ambient.frames.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
        const PoseSample& pose = motion.at(static_cast<double>(i) / rate);
        find_moved(character, pose, 0, moved);
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
                ambient.frames[i].morphs.push_back({code_of(character.figure.targets[k].code), pose.amounts[k]});
        }
    }
    const std::vector<Vec3> places = ambient_places(build, file, clip, record);
    std::vector<FourCC> codes;
    for (const Bone& bone : file.bones) codes.push_back(code_of(up_to_nul(bone.name)));
    const bool is_timed = file.layout.ambient == AmbientForm::timed;
    for (std::size_t i = 0; i < ambient.frames.size(); ++i) {
        AmbientFrame& frame = ambient.frames[i];
        if (is_timed) frame.time = narrow(static_cast<double>(i) * 1000 / rate);
        for (std::size_t bone = 0; bone < rotated.size(); ++bone) {
            if (rotated[bone]) frame.bones.push_back({codes[bone], places[bone], narrow(rotations[i][bone])});
        }
    }
    report_moved(build, character, clip, moved, "Ambient motion turns bones only: that the clip moves them is lost.");
    return ambient;
}

}  // namespace effigy::arp::native
