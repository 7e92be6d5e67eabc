/// Units and origin of an avatar, and its bones as records in these. Rules: docs/conversion/arp.md, "From a scene".

#include <cmath>
#include <glm/geometric.hpp>

#include "effigy/arp_codes.hpp"

#include "arp/from_scene/from_scene.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::native {
namespace {

constexpr double usual_units = 25;  ///< of a metre, where no avatar says another number

/// Units of a metre, as the avatar had them that the scene was made of.
std::optional<double> known_units(const Build& build, const Skeleton& skeleton) {
    const auto metres = number_at(build.record, "metres");
    if (metres && *metres > 1e-9 && *metres < 1e9) return 1 / *metres;
    double longest = 0, units = 0;
    for (const BoneDraft& bone : skeleton.bones) {
        if (!bone.stored) continue;
        const double here = glm::length(wide(build.source.nodes[bone.node].local.translation));
        if (here <= longest) continue;
        longest = here;
        units = glm::length(wide(bone.stored->translation)) / here;
    }
    const bool is_sound = units > 1e-9 && units < 1e9;
    return is_sound ? std::optional(units) : std::nullopt;
}

/// Where the avatar had ROOT, in metres.
glm::dvec3 recorded_place(const Build& build, const BoneDraft& root, double units_of_metre) {
    const Json record = record_of(build.source.nodes[root.node].extras);
    const Json* stored = member(record, "translation");
    Vec3 place;
    if (stored == nullptr ||
        !element_from_json(layout::element_type<Vec3>, *stored, reinterpret_cast<std::byte*>(&place)))
        return root.rest.translation;
    if (build.stored) place.y += build.stored->skeleton_offset;
    return is_finite(wide(place)) ? wide(place) / units_of_metre : root.rest.translation;
}

Quat inverse_twist_of(const Quat& rest) noexcept {
    const double size = std::hypot(double{rest.x}, double{rest.w});
    if (!(size > 1e-3)) return {};
    return {narrow(-rest.x / size), 0, 0, narrow(rest.w / size)};
}

}  // namespace

void set_units(Build& build, Skeleton& skeleton, double low, double high) {
    const auto known = known_units(build, skeleton);
    const double height = high - low;
    double factor = 1;
    if (build.options.height > 0 && height > 1e-9) factor = build.options.height / height;
    skeleton.units_of_metre = known.value_or(usual_units);
    skeleton.units = skeleton.units_of_metre * factor;
    skeleton.is_kept = known && skeleton.bones.front().is_known;
    const BoneDraft& root = skeleton.bones.front();
    if (!skeleton.is_kept) {
        skeleton.origin = root.rest.translation;
    } else if (!root.stored) {
        skeleton.origin = root.rest.translation - recorded_place(build, root, skeleton.units_of_metre);
    }
    if (glm::length(skeleton.origin) < no_distance) skeleton.origin = glm::dvec3(0);
    if (!skeleton.is_kept || factor != 1) {
        for (BoneDraft& bone : skeleton.bones) bone.stored.reset();
    }
    if (skeleton.origin != glm::dvec3(0)) {
        const auto text = [](double value) { return number_text(std::round(value * 1e6) / 1e6 + 0.0); };
        build.note(codes::arp_origin, "bones",
                   skeleton.is_kept ? "The pelvis stays where the avatar had it: the figure is moved there."
                                    : "An avatar's pelvis is at the origin: the figure is moved there.",
                   text(skeleton.origin.x) + ", " + text(skeleton.origin.y) + ", " + text(skeleton.origin.z),
                   "0, 0, 0");
    }
}

void add_bones(const Skeleton& skeleton, File& file) {
    const auto as_code = [&](std::string name) {
        if (!file.layout.bone_name_lengths) name.resize(4, '\0');
        return name;
    };
    for (const BoneDraft& draft : skeleton.bones) {
        const Frame* parent = draft.parent == none ? nullptr : &skeleton.bones[draft.parent].rest;
        Bone bone;
        const glm::dquat back = parent == nullptr ? glm::dquat(1, 0, 0, 0) : glm::conjugate(parent->rotation);
        const glm::dvec3 from = parent == nullptr ? skeleton.origin : parent->translation;
        bone.translation = narrow(back * (draft.rest.translation - from) * skeleton.units);
        bone.rotation = narrow(glm::normalize(back * draft.rest.rotation));
        if (bone.rotation.w < 0)
            bone.rotation = {-bone.rotation.x, -bone.rotation.y, -bone.rotation.z, -bone.rotation.w};
        bone.inverse_twist = inverse_twist_of(bone.rotation);
        bone.length = narrow(draft.length * skeleton.units);
        if (parent == nullptr) bone.translation.y -= file.skeleton_offset;
        if (draft.stored) bone = *draft.stored;
        bone.name = as_code(draft.stored && !draft.stored->name.empty() ? draft.stored->name : draft.code);
        bone.parent = parent == nullptr ? as_code("") : file.bones[draft.parent].name;
        file.bones.push_back(std::move(bone));
    }
}

std::unordered_map<std::string, std::size_t> bones_by_old_code(const Skeleton& skeleton, const File& file) {
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
        const std::string& old = skeleton.bones[i].old_code;
        places.try_emplace(old.empty() ? std::string(up_to_nul(file.bones[i].name)) : old, i);
    }
    return places;
}

}  // namespace effigy::arp::native
