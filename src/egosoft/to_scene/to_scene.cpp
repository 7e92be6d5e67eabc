/// From Egosoft's files to a scene: the order of the steps, and findings that are said once.

#include "egosoft/to_scene/to_scene.hpp"

#include <algorithm>

#include "effigy/egosoft_codes.hpp"
#include "effigy/hashes.hpp"

#include "core/guard.hpp"
#include "core/option_range.hpp"
#include "egosoft/file/formats.hpp"

namespace effigy::egosoft {
namespace bridge {
namespace {

std::uint64_t keys_size(const ani::File& file) {
    std::uint64_t size = 0;
    for (const ani::Animation& animation : file.animations) {
        size += 160;
        for (const ani::KeyList& list : ani::key_lists) size += sizeof(ani::Key) * (animation.*list.keys).size();
    }
    return size;
}

/// What the caller says and what the arrays say: the larger one.
std::uint64_t input_size(const SceneInput& input) {
    std::uint64_t size = 0;
    for (const ComponentInput& one : input.components) {
        size += std::max<std::uint64_t>(one.source.size, one.file.text.size());
    }
    for (const MeshInput& one : input.meshes) size += std::max(one.source.size, bulk_size(one.file));
    for (const AnimationInput& one : input.animations) size += std::max(one.source.size, keys_size(one.file));
    return size;
}

std::string scene_name(const SceneInput& input) {
    if (!input.components.empty()) return text(input.components.front().source.stem);
    if (!input.meshes.empty()) return text(input.meshes.front().source.stem);
    if (!input.animations.empty()) return text(input.animations.front().source.stem);
    return {};
}

Result<void> add_lone_files(Build& build, SceneInput& input) {
    if (input.meshes.empty()) {
        for (const AnimationInput& one : input.animations) {
            const PartNodes nodes = nodes_from_motions(build, one);
            if (auto added = add_motions(build, one, nodes, {}); !added) return added;
        }
        return {};
    }
    auto nodes = add_lone_meshes(build, input.meshes, !input.animations.empty());
    if (!nodes) return fail(std::move(nodes.error()));
    for (const AnimationInput& one : input.animations) {
        if (auto added = add_motions(build, one, *nodes, {}); !added) return added;
    }
    return {};
}

Result<void> build_scene(Build& build, SceneInput& input) {
    auto added = input.components.empty() ? add_lone_files(build, input) : add_components(build, input);
    if (!added) return added;
    build.file.clear();
    build.note_once();
    if (build.scene.meshes.empty() && !build.absent.empty())
        return fail(nothing_to_show("None of the meshes is there that the component names: " + build.absent +
                                    ". Correct geometry of <source> (check says where it leads), put the meshes "
                                    "there, or name the game's folder with --game."));
    if (!build.scene.nodes.empty()) return {};
    // What was left out is the better reason.
    const auto& findings = build.report.diagnostics();
    std::string reason = "There is no mesh, component or animation that can be shown.";
    if (!findings.empty()) reason += " " + findings.front().message;
    return fail(nothing_to_show(std::move(reason)));
}

Result<Loaded<Scene>> convert(SceneInput& input, const SceneOptions& options) {
    if (auto checked = check_option("resample", options.resample, 0); !checked) return fail(std::move(checked.error()));
    Build build(options, Budget(options.limits, input_size(input)));
    build.scene.name = scene_name(input);
    Json asset = asset_record(input);
    if (auto built = build_scene(build, input); !built) return fail(std::move(built.error()));
    if (!build.animation_files.empty()) asset["animation_files"] = std::move(build.animation_files);
    set_record(build.scene.asset_extras, std::move(asset));
    set_hashes(build.scene);
    return Loaded<Scene>{std::move(build.scene), std::move(build.report)};
}

}  // namespace

std::uint64_t bulk_size(const xmf::File& file) {
    std::uint64_t size = file.data.size() + file.materials.size() * sizeof(xmf::Material);
    for (const xmf::Buffer& buffer : file.buffers) size += sizeof(buffer) + buffer.content.size();
    return size;
}

void Build::note_once() {
    const auto add_repairs = [&](const Repairs& repairs, const Code& code, const std::string& what,
                                 const char* message) {
        note_any(repairs.count, code, "meshes", message, what + " in meshes " + repairs.meshes.text());
    };
    add_repairs(bad_numbers, codes::not_finite_replaced, " numbers", "Numbers that are not finite become 0.");
    add_repairs(bad_normals, codes::normal_repaired, " normals", "Normals without a direction are replaced.");
    add_repairs(bad_tangents, codes::tangent_repaired, " tangents", "Tangents without a direction are replaced.");
    note_any(
        unknown_signs, codes::tangent_sign_unknown, "meshes",
        "The normals of these meshes mark no mirrored texture coordinates, but there are some: normal maps may look "
        "turned round there.");
    note_any(other_levels, codes::lod_other, "parts",
             "These parts lack the level of detail that was asked for; the next one that they have is shown.",
             "level " + std::to_string(std::max(options.lod, 0)));
    note_any(area_lights, codes::light_kept, "lights",
             "glTF has no lights of this kind; they are plain nodes, with their fields in extras.");
    note_any(spot_lights, codes::light_inferred, "lights",
             "That these lights shine along the file's z axis, and how wide, is inferred.");
    note_any(nothing_there, codes::part_empty, "parts", "These parts have no meshes.");
    note_any(keyless, codes::animation_empty, "animations",
             "These states have no keys for their parts, which do not move in them.");
    note_any(longer_tracks, codes::animation_duration, "animations",
             "Keys go on after the stated duration; all of them are kept.");
    note_any(
        sampled_tracks, codes::track_sampled, "animations",
        "glTF has no such curves; they are sampled, with an error of at most " + rounded_text(sampled_error, 2) + ".");
    note_any(rotations, codes::rotation_sampled, "animations",
             "Angles became quaternions, sampled where they do not step, with an error of at most " +
                 rounded_text(rotation_error, 2) + " radians.",
             " tracks");
}

}  // namespace bridge

Result<Loaded<Scene>> to_scene(SceneInput input, const SceneOptions& options) {
    return without_exceptions([&] { return bridge::convert(input, options); });
}

}  // namespace effigy::egosoft
