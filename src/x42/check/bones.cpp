/// Bones, animation groups, tags and influences.

#include <algorithm>
#include <cmath>

#include "effigy/x42_codes.hpp"

#include "x42/check/rules.hpp"
#include "x42/file/x42_format.hpp"

namespace effigy::x42::checks {

namespace {

void check_parent(const Context& context, std::size_t index) {
    const std::uint16_t parent = context.file.bones[index].parent;
    if (parent == no_bone) return;
    if (parent >= context.file.bones.size()) {
        context.findings.add(codes::x42_parent_range, field_path("bone", index, "parent"), std::to_string(parent),
                             below(context.file.bones.size()));
    } else if (parent >= index) {
        context.findings.add(codes::x42_parent_order, field_path("bone", index, "parent"), std::to_string(parent),
                             below(index));
    }
}

void check_bone(const Context& context, std::size_t index) {
    const Bone& bone = context.file.bones[index];
    check_name(context, bone.name, field_path("bone", index, "name"));
    check_parent(context, index);
    if ((bone.flags & inverse_parent_scale) != 0)
        context.findings.add(codes::x42_inverse_parent_scale, field_path("bone", index, "flags"),
                             std::to_string(bone.flags));
    if ((bone.flags & ~inverse_parent_scale) != 0)
        context.findings.add(codes::x42_bone_flags, field_path("bone", index, "flags"), std::to_string(bone.flags),
                             "0 or 1");
    if (!std::isfinite(bone.extent)) {
        context.findings.add(codes::x42_not_finite, field_path("bone", index, "extent"), number_text(bone.extent));
    } else if (bone.extent < 0) {
        context.findings.add(codes::x42_extent, field_path("bone", index, "extent"), number_text(bone.extent),
                             "0 or more");
    }
}

void check_all_bones(const Context& context) {
    Duplicates duplicates(context, "bone", false);
    for (std::size_t index = 0; index < context.file.bones.size(); ++index) {
        check_bone(context, index);
        duplicates.add(context.file.bones[index].name, index);
    }
    duplicates.report();
}

void check_membership(const Context& context, const Coverage& members) {
    Tally loose, shared;
    members.each([&](std::size_t bone, std::int64_t groups) {
        if (groups == 0) loose.hit(bone);
        if (groups > 1) shared.hit(bone);
    });
    const auto say = [&](const Code& code, const Tally& tally, const char* found) {
        if (tally)
            context.findings.add(code, element_path("bone", tally.first), first_of(found, tally.count), "one group");
    };
    say(codes::x42_animation_group_loose, loose, "no group");
    say(codes::x42_animation_group_overlap, shared, "several groups");
}

void check_animation_groups(const Context& context) {
    const auto& groups = context.file.animation_groups;
    const std::size_t bones = context.file.bones.size();
    if (groups.size() > max_animation_groups)
        context.findings.add(codes::x42_animation_group_count, element_path("animation_group", max_animation_groups),
                             std::to_string(groups.size()), at_most(max_animation_groups));
    Coverage members(bones);
    Duplicates duplicates(context, "animation_group", false);
    for (std::size_t index = 0; index < groups.size(); ++index) {
        const AnimationGroup& group = groups[index];
        check_name(context, group.name, field_path("animation_group", index, "name"));
        duplicates.add(group.name, index);
        const std::size_t end = std::min<std::size_t>(group.end_bone, bones);
        if (group.begin_bone < end) members.add(group.begin_bone, end);
        if (group.end_bone > bones) {
            context.findings.add(codes::x42_animation_group_range, field_path("animation_group", index, "end_bone"),
                                 std::to_string(group.end_bone), at_most(bones));
        } else if (group.begin_bone > group.end_bone) {
            context.findings.add(codes::x42_animation_group_range, field_path("animation_group", index, "begin_bone"),
                                 std::to_string(group.begin_bone), at_most(group.end_bone));
        }
    }
    duplicates.report();
    check_membership(context, members);
}

bool exists(const Context& context, std::uint16_t bone) noexcept {
    return bone == no_bone || bone < context.file.bones.size();
}

void check_tags(const Context& context) {
    Duplicates duplicates(context, "tag", true);
    for (std::size_t index = 0; index < context.file.tags.size(); ++index) {
        const Tag& tag = context.file.tags[index];
        check_name(context, tag.name, field_path("tag", index, "name"));
        duplicates.add(tag.name, index);
        if (!exists(context, tag.bone))
            context.findings.add(codes::x42_tag_bone, field_path("tag", index, "bone"), std::to_string(tag.bone),
                                 below(context.file.bones.size()));
        if (!is_finite(tag.matrix)) context.findings.add(codes::x42_not_finite, field_path("tag", index, "matrix"));
    }
    duplicates.report();
}

/// The volume that the axes span, as a part of what axes of their lengths can span.
double openness(const Matrix& m) noexcept {
    const auto length = [&](std::size_t axis) {
        return std::hypot(double{m[axis]}, double{m[axis + 1]}, double{m[axis + 2]});
    };
    const double most = length(0) * length(3) * length(6);
    const double volume = double{m[0]} * (double{m[4]} * m[8] - double{m[5]} * m[7]) -
                          double{m[1]} * (double{m[3]} * m[8] - double{m[5]} * m[6]) +
                          double{m[2]} * (double{m[3]} * m[7] - double{m[4]} * m[6]);
    return most > 0 ? std::abs(volume) / most : 0;
}

void check_influences(const Context& context) {
    constexpr double closed = 1e-6;  // no float tells such axes from a plane
    for (std::size_t index = 0; index < context.file.influences.size(); ++index) {
        const Influence& influence = context.file.influences[index];
        if (!exists(context, influence.bone))
            context.findings.add(codes::x42_influence_bone, field_path("influence", index, "bone"),
                                 std::to_string(influence.bone), below(context.file.bones.size()));
        if (!is_finite(influence.mesh_to_bone)) {
            context.findings.add(codes::x42_not_finite, field_path("influence", index, "mesh_to_bone"));
        } else if (openness(influence.mesh_to_bone) < closed) {
            context.findings.add(codes::x42_influence_singular, field_path("influence", index, "mesh_to_bone"));
        }
    }
}

}  // namespace

void check_bones(const Context& context) {
    check_all_bones(context);
    check_animation_groups(context);
    check_tags(context);
    check_influences(context);
}

}  // namespace effigy::x42::checks
