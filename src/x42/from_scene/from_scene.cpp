/// From a scene to an X42 model and its animation.cfg: the order of the steps.

#include "x42/from_scene/from_scene.hpp"

#include <algorithm>

#include "effigy/x42_codes.hpp"

#include "core/guard.hpp"
#include "core/lists.hpp"
#include "core/option_range.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "scene/material_slots.hpp"
#include "scene/texture_names.hpp"

namespace effigy::x42 {
namespace bridge {

Names::Names(const Bulk<char>& strings) : strings_(strings) {
    if (!strings_.empty() && strings_.back() != '\0') strings_.push_back('\0');
    for (std::size_t begin = 0; begin < strings_.size();) {
        const auto end = static_cast<std::size_t>(
            std::find(strings_.begin() + static_cast<std::ptrdiff_t>(begin), strings_.end(), '\0') - strings_.begin());
        places_.try_emplace(std::string(strings_.data() + begin, end - begin), begin);
        begin = end + 1;
    }
}

std::uint16_t Names::add(std::string_view name) {
    const auto [place, is_new] = places_.try_emplace(std::string(up_to_nul(name)), strings_.size());
    if (is_new) {
        strings_.insert(strings_.end(), place->first.begin(), place->first.end());
        strings_.push_back('\0');
    }
    return static_cast<std::uint16_t>(place->second);  // of too many, nothing is written
}

Diagnostic too_many(std::string path, std::uint64_t found, std::uint64_t most, std::string message) {
    return problem_at(std::move(path), codes::x42_too_many, std::move(message), std::to_string(found),
                      "at most " + std::to_string(most));
}

namespace {

/// Images, factors and textures that a name cannot say.
void note_materials(FileBuild& build) {
    NameList reduced;
    for (const Material& material : build.scene.materials) {
        const bool plain = material.base_color.r == 1 && material.base_color.g == 1 && material.base_color.b == 1 &&
                           material.base_color.a == 1 && material.emissive == Vec3{} && material.metallic == 0 &&
                           material.roughness == 1 && !material.unlit && reflects_as_usual(material) &&
                           material.base_color_texture.wrap_u == Wrap::repeat &&
                           material.base_color_texture.wrap_v == Wrap::repeat &&
                           material.alpha_mode == AlphaMode::opaque && !material.double_sided &&
                           !material.normal_texture.used() && !material.emissive_texture.used() &&
                           !material.occlusion_texture.used() && !material.metallic_roughness_texture.used();
        if (!plain && !is_known(build.untouched, material, "shader"))
            reduced.add(label(build.scene.materials, material, "material"));
    }
    build.note_any(
        reduced, codes::x42_material_reduced, "materials",
        "Of a material the format has the name of a shader only: colours, transparency and textures other than "
        "the colour's need a shader script in the game.");
}

/// What stands in the file beside its objects, if all of it came back.
void finish(FileBuild& build) {
    File& file = build.file;
    file.strings = build.names.strings();
    if (!build.records) return;
    const File& old = build.records->file;
    file.big_endian = old.big_endian;
    file.header.base_frame = build.keys_kept ? old.header.base_frame : std::int16_t{0};
    const bool all_kept = build.keys_kept && build.meshes_kept && file.tags.size() == old.tags.size();
    if (!all_kept) return;
    file.header.padding = old.header.padding;
    file.header.model_flags = old.header.model_flags;
    file.padding = old.padding;
    file.trailing = old.trailing;
}

Result<void> make(FileBuild& build) {
    if (build.records) build.names = Names(build.records->file.strings);
    if (!build.records) static_cast<void>(build.names.add(""));
    build.shaders = shaders_of(build.scene, build.options.shader_folder, build.encodings);
    build.plain_shader = plain_shader_of(build.options.shader_folder, build.shaders);
    return plan_nodes(build)
        .and_then([&] { return plan_clips(build); })
        .and_then([&] { return make_bones(build); })
        .and_then([&] { return keep_meshes(build); })
        .and_then([&](bool kept) {
            build.meshes_kept = kept;
            return kept ? Result<void>() : make_meshes(build);
        })
        .and_then([&] { return make_keys(build); })
        .and_then([&] { return make_animations(build); })
        .and_then([&]() -> Result<void> {
            finish(build);
            make_config(build);
            note_materials(build);
            if (build.file.strings.size() > 0xffff) {
                return fail(too_many("names", build.file.strings.size(), 0xffff,
                                     "The names take more bytes than the format can count. Shorten names of bones, "
                                     "meshes, materials and clips."));
            }
            const bool empty = build.file.bones.empty() && build.file.tags.empty() && build.file.groups.empty();
            return empty ? fail(nothing_to_show("The scene has neither bones nor meshes that the format can hold."))
                         : Result<void>();
        });
}

/// The game divides by the number of frames: only a file that comes back as it was may have none.
void have_frames(FileBuild& build) {
    File& file = build.file;
    if (file.header.frame_count != 0) return;
    const bool is_kept =
        build.records && build.keys_kept && build.meshes_kept && same_bytes(file.bones, build.records->file.bones) &&
        same_bytes(file.tags, build.records->file.tags) &&
        same_bytes(file.animations, build.records->file.animations) &&
        same_bytes(file.groups, build.records->file.groups) && same_bytes(file.strings, build.records->file.strings);
    if (!is_kept) file.header.frame_count = 1;
}

Result<Loaded<NativeFiles>> attempt(const Scene& scene, const FromSceneOptions& options, bool with_records) {
    const std::optional<Scene> straight = without_shear(scene);
    const Scene& plain = straight ? *straight : scene;
    const std::optional<Scene> even = without_scales(plain);
    FileBuild build(Budget(options.limits, size_of(scene)), even ? *even : plain, options);
    const std::uint64_t copies = (straight ? 1u : 0u) + (even ? 1u : 0u);
    if (auto taken = build.take(copies, size_of(scene), "a scene without scales and shear"); !taken)
        return fail(std::move(taken.error()));
    if (auto taken = build.take(8 * scene.asset_extras.json.size() + 2 * scene.asset_extras.bulk.size(), 1, "extras");
        !taken)
        return fail(std::move(taken.error()));
    build.asset = record_of(scene.asset_extras);
    build.encodings = encodings_of(build.asset, options);
    if (with_records) build.records = records_from(build.asset, options.limits);
    if (auto made = make(build); !made) return fail(std::move(made.error()));
    have_frames(build);
    return Loaded<NativeFiles>{{std::move(build.file), std::move(build.config)}, std::move(build.report)};
}

/// But for a lack of frames, see have_frames(), and for animations that lead out of the key stream: only those of a
/// file that come back as they were can do so, and the game does not read them.
std::optional<Diagnostic> first_error(const File& file) {
    const Report report = check(file);
    for (const Diagnostic& one : report.diagnostics()) {
        const bool may_stay = one.code == codes::x42_frames || one.code == codes::x42_animation_range;
        if (one.severity == Severity::error && !may_stay) return one;
    }
    return std::nullopt;
}

/// Records are untrusted, and those of a damaged file lead to one that is damaged again: then all is made anew.
Result<Loaded<NativeFiles>> convert(const Scene& scene, const FromSceneOptions& options) {
    if (auto checked = check_structure(scene); !checked) return fail(std::move(checked.error()));
    if (auto checked = check_indices(scene); !checked) return fail(std::move(checked.error()));
    auto checked = check_option("max_error", options.max_error, 0).and_then([&] {
        return check_option("frames_per_second", options.frames_per_second, 0);
    });
    if (!checked) return fail(std::move(checked.error()));
    auto kept = attempt(scene, options, true);
    if (kept && !first_error(kept->value.model)) return kept;
    if (!kept && scene.asset_extras.json.empty()) return kept;
    auto anew = attempt(scene, options, false);
    if (!anew) return anew;
    if (auto error = first_error(anew->value.model)) return fail(std::move(*error));
    if (!scene.asset_extras.json.empty()) {
        anew->report.add(problem_at("asset", codes::x42_records_unused,
                                    "The records of the file that the scene comes from are damaged, and are not "
                                    "used: everything is made anew."));
    }
    return anew;
}

}  // namespace
}  // namespace bridge

Result<Loaded<NativeFiles>> from_scene(const Scene& scene, const FromSceneOptions& options) {
    return without_exceptions([&] { return bridge::convert(scene, options); });
}

}  // namespace effigy::x42
