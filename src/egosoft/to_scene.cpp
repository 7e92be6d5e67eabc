#include "egosoft/to_scene.hpp"

#include <algorithm>
#include <cstdio>

#include "core/guard.hpp"
#include "egosoft/scene_extras.hpp"

namespace effigy::egosoft {
namespace bridge {
namespace {

std::uint64_t bulk_size(const xmf::File& file) {
    std::uint64_t size = file.data.size() + file.materials.size() * sizeof(xmf::Material);
    for (const xmf::Buffer& buffer : file.buffers) size += sizeof(buffer) + buffer.content.size();
    return size;
}

std::uint64_t bulk_size(const ani::File& file) {
    std::uint64_t size = 0;
    for (const ani::Animation& animation : file.animations) {
        size += 160 +
                sizeof(ani::Key) * (animation.positions.size() + animation.rotations.size() + animation.scales.size() +
                                    animation.pre_scales.size() + animation.post_scales.size());
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
    for (const AnimationInput& one : input.animations) size += std::max(one.source.size, bulk_size(one.file));
    return size;
}

std::string scene_name(const SceneInput& input) {
    if (!input.components.empty()) return text(input.components.front().source.stem);
    if (!input.meshes.empty()) return text(input.meshes.front().source.stem);
    if (!input.animations.empty()) return text(input.animations.front().source.stem);
    return {};
}

Result<void> add_lone_files(Context& context, SceneInput& input) {
    if (input.meshes.empty()) {
        for (const AnimationInput& one : input.animations) {
            const PartNodes nodes = nodes_from_motions(context, one);
            if (auto added = add_motions(context, one, nodes, {}); !added) return added;
        }
        return {};
    }
    auto nodes = add_lone_meshes(context, input.meshes, !input.animations.empty());
    if (!nodes) return fail(std::move(nodes.error()));
    for (const AnimationInput& one : input.animations) {
        if (auto added = add_motions(context, one, *nodes, {}); !added) return added;
    }
    return {};
}

Result<void> build(Context& context, SceneInput& input) {
    auto added = input.components.empty() ? add_lone_files(context, input) : add_components(context, input);
    if (!added) return added;
    context.file.clear();
    context.note_once();
    if (!context.scene.nodes.empty()) return {};
    // What was left out is the better reason.
    const auto& findings = context.report.diagnostics();
    std::string reason = "There is no mesh, component or animation that can be shown.";
    if (!findings.empty()) reason += " " + findings.front().message;
    return fail(nothing_to_show(std::move(reason)));
}

Result<Loaded<Scene>> convert(SceneInput& input, const SceneOptions& options) {
    Context context(options, Budget(options.limits, input_size(input)));
    context.scene.name = scene_name(input);
    Json asset = asset_record(input);
    if (auto built = build(context, input); !built) return fail(std::move(built.error()));
    if (!context.animation_files.empty()) asset["animation_files"] = std::move(context.animation_files);
    context.scene.asset_extras.json = to_text(asset);
    return Loaded<Scene>{std::move(context.scene), std::move(context.report)};
}

std::string error_text(double error) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.2g", error);
    return buffer;
}

}  // namespace

void Context::note_once() {
    const auto add = [&](const NameList& names, std::string_view code, Severity severity, const char* path,
                         std::string message, std::string expected = {}) {
        if (!names.empty()) note(code, severity, path, std::move(message), names.text(), std::move(expected));
    };
    const auto add_repairs = [&](const Repairs& repairs, std::string_view code, const char* what, std::string message) {
        if (repairs.count == 0) return;
        note(code, Severity::warning, "meshes", std::move(message),
             std::to_string(repairs.count) + what + " in meshes " + repairs.meshes.text());
    };
    add_repairs(bad_numbers, "not-finite-replaced", " numbers", "Numbers that are not finite become 0.");
    add_repairs(bad_normals, "normal-repaired", " normals", "Normals without a direction are replaced.");
    add_repairs(bad_tangents, "tangent-repaired", " tangents", "Tangents without a direction are replaced.");
    add(unknown_signs, "tangent-sign-unknown", Severity::info, "meshes",
        "The normals of these meshes mark no mirrored texture coordinates, but there are some: normal maps may look "
        "turned round there.");
    add(other_levels, "lod-other", Severity::info, "parts",
        "These parts lack the level of detail that was asked for; the next one that they have is shown.",
        "level " + std::to_string(std::max(options.lod, 0)));
    add(area_lights, "light-kept", Severity::info, "lights",
        "glTF has no lights of this kind; they are plain nodes, with their fields in extras.");
    add(spot_lights, "light-inferred", Severity::info, "lights",
        "That these lights shine along the file's z axis, and how wide, is inferred.");
    add(nothing_there, "part-empty", Severity::info, "parts", "These parts have no meshes.");
    add(keyless, "animation-empty", Severity::info, "animations",
        "These states have no keys for their parts, which do not move in them.");
    add(longer_tracks, "animation-duration", Severity::info, "animations",
        "Keys go on after the stated duration; all of them are kept.");
    add(sampled_tracks, "track-sampled", Severity::info, "animations",
        "glTF has no such curves; they are sampled, with an error of at most " + error_text(sampled_error) + ".");
    if (rotations == 0) return;
    note("rotation-sampled", Severity::info, "animations",
         "Angles became quaternions, sampled where they do not step, with an error of at most " +
             error_text(rotation_error) + " radians.",
         std::to_string(rotations) + " tracks");
}

}  // namespace bridge

Result<Loaded<Scene>> to_scene(SceneInput input, const SceneOptions& options) {
    return without_exceptions([&] { return bridge::convert(input, options); });
}

}  // namespace effigy::egosoft
