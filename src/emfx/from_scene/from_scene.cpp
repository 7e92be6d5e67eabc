/// emfx::from_scene(): a scene to an actor and motions, step by step.

#include "emfx/from_scene/from_scene.hpp"

#include "effigy/emfx_codes.hpp"

#include "core/guard.hpp"
#include "core/option_range.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "emfx/from_scene/build.hpp"
#include "scene/validate.hpp"

namespace effigy::emfx {
namespace bridge {
namespace {

void note_parts(Build& build, const Json& asset) {
    const Json& parts = list_at(asset, "parts");
    if (parts.empty()) return;
    build.note(codes::emfx_parts, "asset",
               "The scene was joined from several actors; they become one. --split writes each for itself.",
               std::to_string(parts.size() + 1) + " actors");
}

void note_lost(Build& build) {
    NameList lights;
    for (const Node& node : build.scene.nodes) {
        if (node.light != no_index) lights.add(node.name);
    }
    if (lights.empty()) return;
    build.note(codes::emfx_light, "nodes", "Actors have no lights; the nodes stay, without them.", lights.text());
}

void note_names(Build& build) {
    NameList names;
    for (const std::string& name : build.beyond_page) names.add(name);
    build.note_any(names, codes::emfx_name_encoding, "names",
                   "The code page of the actor's names does not have all characters of these, which stand there in "
                   "UTF-8: the game may show them wrongly. Rename them, or choose another page with --encoding.",
                   build.options.encoding);
}

/// Tree of Savior has FX materials, Paradox's games have none.
bool is_ported(const Scene& scene, Target target) {
    if (target != Target::tree_of_savior && !is_paradox(target)) return false;
    bool has_fx = false, has_standard = false;
    for (const Material& material : scene.materials) {
        const std::string type = text_member(record_of(material.extras), "type");
        has_fx = has_fx || type == "fx";
        has_standard = has_standard || type == "standard";
    }
    return target == Target::tree_of_savior ? has_standard && !has_fx : has_fx;
}

Result<xac::File> make_actor(Build& build) {
    build.map.is_ported = is_ported(build.scene, build.options.target);
    const Json asset = record_of(build.scene.asset_extras);
    const Json* source = member(asset, "source");
    const bool is_actor = source != nullptr && text_member(*source, "format") == "xac";
    if (const Json* file = member(asset, "file"); is_actor && file != nullptr && file->is_object())
        build.files.front().json = *file;
    // Tree of Savior's files are written in another code page than files are read in where nobody chooses one.
    build.encodings = encodings_of(asset, build.options.encoding, SceneOptions().encoding);
    note_parts(build, asset);
    note_lost(build);
    find_places(build);
    promote_holders(build);
    read_levels(build);
    if (auto added = add_nodes(build); !added) return fail(std::move(added.error()));
    name_targets(build);
    cover_weights(build.scene, build.untouched, build.map);
    if (auto added = add_files(build); !added) return fail(std::move(added.error()));
    add_materials(build);
    add_masks(build);
    if (auto added = add_meshes(build); !added) return fail(std::move(added.error()));
    add_boxes(build);
    auto actor = assemble(build);
    note_names(build);
    return actor;
}

/// A file with longer ones could not be read again.
Result<void> check_names(const Scene& scene, std::size_t most) {
    Result<void> checked;
    const auto check = [&](const auto& objects, const std::string& list) {
        for (std::size_t i = 0; checked && i < objects.size(); ++i) {
            const std::size_t size = objects[i].name.size();
            if (size <= most) continue;
            checked = fail(problem_at(element_path(list, i), codes::limit_string,
                                      "The name is longer than what can be read again; shorten it.",
                                      std::to_string(size) + " bytes", "at most " + std::to_string(most) + " bytes"));
        }
    };
    check(scene.nodes, "nodes");
    check(scene.materials, "materials");
    check(scene.images, "images");
    for (std::size_t i = 0; i < scene.meshes.size(); ++i)
        check(scene.meshes[i].targets, element_path("meshes", i) + " / targets");
    return checked;
}

/// `spent`: the same scene, if vertices and indices may be moved out of it; else null.
Result<Loaded<NativeFiles>> convert(const Scene& scene, Scene* spent, const FromSceneOptions& options) {
    if (auto checked = check_structure(scene); !checked) return fail(std::move(checked.error()));
    if (auto checked = check_indices(scene); !checked) return fail(std::move(checked.error()));
    auto checked =
        check_names(scene, options.limits.string)
            .and_then([&] { return check_option("max_error", options.max_error, 0); })
            .and_then([&] { return check_option("morph_normal_range", double{options.morph_normal_range}, 1, 2); });
    if (!checked) return fail(std::move(checked.error()));
    if (!is_known_encoding(options.encoding)) {
        return fail(problem_at("options", codes::emfx_encoding, {}, options.encoding));
    }
    if (scene.nodes.empty()) {
        return fail(problem_at("nodes", codes::emfx_empty));
    }
    Build build(scene, spent, options, Budget(options.limits, size_of(scene)));
    // Asked before meshes are used up: weights of a mesh that is not drawn are not asked about.
    for (const Clip& clip : scene.clips) (void)build.untouched(clip);
    auto actor = make_actor(build);
    if (!actor) return fail(std::move(actor.error()));
    NativeFiles files;
    files.actor = std::move(*actor);
    add_motions(scene, build.untouched, build.map, options, build.encodings, files, build.report);
    return Loaded<NativeFiles>{std::move(files), std::move(build.report)};
}

}  // namespace
}  // namespace bridge

Result<Loaded<NativeFiles>> from_scene(const Scene& scene, const FromSceneOptions& options) {
    return without_exceptions([&] { return bridge::convert(scene, nullptr, options); });
}

Result<Loaded<NativeFiles>> from_scene(Scene&& scene, const FromSceneOptions& options) {
    return without_exceptions([&] { return bridge::convert(scene, &scene, options); });
}

}  // namespace effigy::emfx
