/// From signing avatars and CAS motions to a scene: the order of the steps.

#include "arp/to_scene/to_scene.hpp"

#include <algorithm>
#include <cmath>

#include "effigy/arp_codes.hpp"
#include "effigy/hashes.hpp"

#include "arp/file/units.hpp"
#include "core/option_range.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "scene/records.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp {
namespace bridge {
namespace {

std::uint64_t size_of(const Mesh& mesh) noexcept {
    const Points& points = mesh.points;
    std::uint64_t size = size_of(points.link_counts) + size_of(points.offsets) + size_of(points.normals) +
                         size_of(points.bones) + size_of(points.weights) + size_of(points.distances) +
                         size_of(mesh.strip) + size_of(mesh.duplicates) + size_of(mesh.texcoords);
    for (const MorphTarget& target : mesh.morph_targets) size += size_of(target.sets);
    return size;
}

std::uint64_t size_of(const File& file) noexcept {
    std::uint64_t size =
        file.bones.size() * std::uint64_t{56} + size_of(file.default_pose) + size_of(file.texture.image);
    for (const Mesh& mesh : file.meshes) size += size_of(mesh);
    if (!file.ambient) return size;
    for (const AmbientFrame& frame : file.ambient->frames) size += size_of(frame.morphs) + size_of(frame.bones);
    return size;
}

/// What the caller says and what the arrays say: the larger one.
std::uint64_t input_size(const SceneInput& input) noexcept {
    std::uint64_t size = 0;
    for (const AvatarInput& one : input.avatars) {
        size += std::max(one.source.size, size_of(one.file));
        for (const auto& [name, content] : one.companions) size += content.size();
    }
    for (const MotionInput& one : input.motions) size += std::max(one.source.size, size_of(one.file.text));
    return size;
}

double metres_of(Build& build, const File& file) {
    if (!is_in_inches(file) && volume_height(file) == 0) {
        build.note(codes::arp_volume, "volume",
                   "The volume has no height, so that nothing says how long a unit is: it is taken for a metre.",
                   number_text(double{file.volume_high.y} - double{file.volume_low.y}), "more than 0");
    }
    return metres_per_unit(file);
}

Diagnostic too_many(std::size_t count) {
    return problem_at({}, codes::arp_avatars,
                      "A scene has one avatar: convert them one by one, each with the motions meant for it.",
                      std::to_string(count) + " avatars", "1");
}

Result<void> add_avatar(Build& build, Avatar& avatar) {
    avatar.metres = metres_of(build, *avatar.file);
    return add_nodes(build, avatar).and_then([&] { return add_material(build, avatar); }).and_then([&] {
        return add_meshes(build, avatar);
    });
}

Result<void> build_all(Build& build, const SceneInput& input) {
    if (!is_known_encoding(build.options.encoding)) {
        build.note(codes::encoding_unknown, "options", "The code page is not known here; only ASCII is decoded.",
                   build.options.encoding);
    }
    if (input.avatars.empty()) {
        return fail(nothing_to_show("There is no avatar to show: name its .jar or .jarp as an input, too."));
    }
    if (input.avatars.size() > 1) return fail(too_many(input.avatars.size()));
    Avatar avatar;
    avatar.input = &input.avatars.front();
    avatar.file = &avatar.input->file;
    build.file = avatar.input->source.named();
    avatar.name = build.text(avatar.input->name.empty() ? avatar.input->source.stem : avatar.input->name);
    build.scene.name = avatar.name;
    if (auto added = add_avatar(build, avatar); !added) return added;
    auto extras = asset_extras(build, avatar, input);
    if (!extras) return fail(std::move(extras.error()));
    set_record(build.scene.asset_extras, std::move(*extras));
    if (Json beside = companions_json(build, *avatar.input); !beside.empty())
        set_record(build.scene.nodes[avatar.root].extras, {{"beside", std::move(beside)}});
    for (const MotionInput& motion : input.motions) {
        build.file = motion.source.named();
        if (auto added = add_signs(build, avatar, motion); !added) return added;
    }
    // Last: viewers begin with the first clip, and who names a motion wants to see that.
    build.file = avatar.input->source.named();
    if (auto added = add_ambient(build, avatar); !added) return added;
    set_hashes(build.scene);
    build.file.clear();
    const bool empty = avatar.bone_nodes.empty() && build.scene.meshes.empty();
    return empty ? fail(nothing_to_show("The avatar has neither bones nor meshes; take it from another copy."))
                 : Result<void>();
}

}  // namespace

Result<Build> build_scene(const SceneInput& input, const SceneOptions& options) {
    if (auto checked = check_option("resample", options.resample, 0); !checked) return fail(std::move(checked.error()));
    Build build(Budget(options.limits, input_size(input)), options);
    if (auto built = build_all(build, input); !built) return fail(std::move(built.error()));
    return build;
}

std::string Build::text(std::string_view raw) const { return to_utf8(raw, options.encoding); }

glm::dquat unit(const Quat& raw, std::uint64_t& bad) noexcept {
    const glm::dquat wide_raw = wide(raw);
    const double length = glm::length(wide_raw);
    if (std::isfinite(length) && length > 1e-6) return wide_raw / length;
    ++bad;
    return glm::dquat(1, 0, 0, 0);
}

}  // namespace bridge

}  // namespace effigy::arp
