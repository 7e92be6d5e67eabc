/// A scene as files, on the disk or given to the caller.

#include <algorithm>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "effigy/image.hpp"
#include "effigy/program_codes.hpp"

#include "convert/inputs.hpp"
#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "registry/new_files.hpp"
#include "registry/rows.hpp"
#include "scene/bridge.hpp"
#include "scene/level_names.hpp"
#include "scene/texture_names.hpp"
#include "scene/worlds.hpp"

namespace effigy::conversion {
namespace {

namespace fs = std::filesystem;

bool is_picture(const fs::path& file) {
    const fs::path extension = file.extension();
    return extension == ".png" || extension == ".jpg" || extension == ".gz" || extension == ".dds";
}

/// Whether the textures that go with the model have the file elsewhere, so that nothing is lost with it.
bool is_copy(const Bytes& bytes, const fs::path& path, const image::Library& textures) {
    const auto original = original_dds(textures, path.filename().string());
    return original && original->bytes == bytes && !is_same_file(original->path, path);
}

/// Pictures that are there already under the same names stay as they are, unless they were written for this model:
/// neither a game's own textures nor another model's are overwritten, unless they are copies.
void keep_pictures(std::vector<NewFile>& files, const fs::path& folder, const std::string& model,
                   const image::Library& textures, const ConvertOptions& options, Conversion& conversion) {
    std::erase_if(files, [&](const NewFile& file) {
        if (!is_picture(file.name)) return false;
        const auto old = read_beside(folder / file.name, nullptr, ~std::uint64_t{0});
        if (!old || image::was_written_for(*old, model)) return false;
        if (image::is_same_but_for_origin(*old, file.bytes)) {
            conversion.kept.push_back((folder / file.name).string());
            return true;
        }
        if (is_copy(*old, folder / file.name, textures)) return false;
        Diagnostic finding = problem_at({}, codes::output_picture_kept,
                                        "There is another picture of this name, which was not written for this model "
                                        "or was edited since: it stays, and the model will show it. Give the image "
                                        "another name, or write all of them with --overwrite.");
        finding.file = (folder / file.name).string();
        conversion.report.add(std::move(finding));
        if (options.on_texture) options.on_texture(folder / file.name);
        return true;
    });
}

/// Fails if one of the new files would replace an input.
Result<void> spare_inputs(const std::vector<NewFile>& files, const fs::path& folder,
                          const std::vector<fs::path>& inputs) {
    for (const NewFile& file : files) {
        for (const fs::path& input : inputs) {
            if (!is_same_file(folder / file.name, input)) continue;
            return fail(
                file_problem(input.string(), codes::usage_output,
                             "a file that goes with the output would replace this input; write to another folder"));
        }
    }
    return {};
}

/// Says that all is known, then writes.
template <class Write>
Result<void> finish(Report& report, const fs::path& path, const std::vector<fs::path>& inputs,
                    const ConvertOptions& options, Write&& write) {
    name_files(report, inputs);
    report.name_file(path.string());
    return report_step(options, {"writing", path.string(), 0, 1})
        .and_then([&] { return options.before_output ? options.before_output(report) : Result<void>(); })
        .and_then(write);
}

bool has_clip(const Scene& scene, const std::string& name) {
    return std::any_of(scene.clips.begin(), scene.clips.end(), [&](const Clip& clip) { return clip.name == name; });
}

/// "walk,run" where no clip is called so.
std::vector<std::string> asked_clips(const Scene& scene, const OptionValues& values) {
    std::vector<std::string> names;
    for (const std::string& text : values.list("clips")) {
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = has_clip(scene, text) ? text.size() : std::min(text.find(',', begin), text.size());
            names.push_back(text.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    return names;
}

/// Only those that the switch names.
Result<void> choose_clips(Scene& scene, const OptionValues& values) {
    const std::vector<std::string> names = asked_clips(scene, values);
    if (names.empty()) return {};
    for (const std::string& name : names) {
        if (has_clip(scene, name)) continue;
        std::string known;
        for (const Clip& clip : scene.clips) known += (known.empty() ? "; the clips are " : ", ") + clip.name;
        return fail(
            problem_at({}, codes::usage_option, "there is no clip called " + (name.empty() ? "\"\"" : name) + known));
    }
    std::erase_if(scene.clips,
                  [&](const Clip& clip) { return std::find(names.begin(), names.end(), clip.name) == names.end(); });
    return {};
}

Result<void> take_files(std::vector<NewFile> files, const OutputFiles& output, Conversion& conversion) {
    for (const NewFile& file : files) conversion.files.push_back(file.name);
    return output.take(std::move(files));
}

/// What the model is called.
std::string model_name(const Scene& scene, const OutputFiles& output, const std::vector<fs::path>& inputs) {
    if (!is_folder(output)) return output.path.stem().string();
    const std::string name = (inputs.empty() ? fs::path(scene.name).filename() : inputs.front().stem()).string();
    return name.empty() ? "model" : name;
}

/// Whether a scene's record names a file of the family as its source. It is not parsed: records may be long.
bool names_source(std::string_view record, std::string_view family, const Registry& registry) {
    constexpr std::string_view key = "\"format\"";
    for (std::size_t at = record.find(key); at != std::string_view::npos; at = record.find(key, at)) {
        at += key.size();
        const std::size_t begin = record.find('"', at);
        if (begin == std::string_view::npos) return false;
        const std::string_view id = record.substr(begin + 1, record.find('"', begin + 1) - begin - 1);
        const FormatInfo* const format = find_format(id, registry);
        if (format != nullptr && format->family == family) return true;
    }
    return false;
}

/// Says which games there are, where none was named and the scene is not one of the family's own.
void note_target(const Scene& scene, const FormatInfo& format, const ConvertOptions& options, Report& report) {
    if (options.values.has("target") || names_source(scene.asset_extras.json, format.family, options.formats())) return;
    for (const DeclaredOption& option : options.formats().options()) {
        if (option.declaration.name != "target" || !applies(option, format)) continue;
        report.add(problem_at("options", codes::target_missing,
                              "Games want their own versions, names and textures: say which one with --target.", {},
                              joined(option.declaration.choices)));
    }
}

bool has_surface(const Scene& scene, Index mesh) {
    return mesh < scene.meshes.size() && scene.meshes[mesh].vertex_count != 0 && !scene.meshes[mesh].primitives.empty();
}

/// Whether the scene has meshes that somebody may want to see: of a game's own, those that are not just hit.
bool has_meshes_to_see(const Scene& scene) {
    std::vector<bool> is_hit(scene.meshes.size(), false);
    for (const Node& node : scene.nodes) {
        if (node.collision && node.mesh < is_hit.size() && !scene.asset_extras.json.empty()) is_hit[node.mesh] = true;
    }
    for (Index mesh = 0; mesh < scene.meshes.size(); ++mesh) {
        if (!is_hit[mesh] && has_surface(scene, mesh)) return true;
    }
    return false;
}

/// Says so where a model is written of a scene that shows none, but for a game's own that is without meshes, and for a
/// skeleton with its motions, which is none in a game's folder: there the model is what the game shows.
void note_empty(const Scene& scene, const FormatInfo& format, bool to_folder, Report& report) {
    const bool is_foreign = scene.asset_extras.json.empty() && (to_folder || scene.clips.empty());
    if (format.role != Role::model || (!is_foreign && !has_meshes_to_see(scene))) return;
    const std::vector<bool> hidden = hidden_nodes(scene);
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        if (!hidden[i] && has_surface(scene, scene.nodes[i].mesh)) return;
    }
    report.add(problem_at("meshes", codes::scene_shows_nothing,
                          "No node shows a mesh, so that nothing can be seen of what is written. In Blender, look "
                          "whether the export was limited to selected or visible objects."));
}

/// Names meshes that a game shows beside others, though they are called as if it did not. What has a record is meant to
/// be seen.
void note_shown(const Scene& scene, const FormatInfo& format, const Registry& registry, Report& report) {
    const auto is_target = [&](const DeclaredOption& option) {
        return option.declaration.name == "target" && applies(option, format);
    };
    const bool is_of_game = std::any_of(registry.options().begin(), registry.options().end(), is_target);
    if (!is_of_game || format.role != Role::model || format.traits.has_wrecks) return;
    const std::vector<bool> hidden = hidden_nodes(scene);
    const auto is_seen = [&](Index i) { return scene.nodes[i].mesh != no_index && !hidden[i]; };
    PartFinder parts(scene);
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        if (is_seen(i)) parts.add(i);
    }
    NameList shown;
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        if (!is_seen(i) || !scene.nodes[i].extras.json.empty()) continue;
        const PartName name = part_name_of(scene.nodes[i].name);
        const auto wrecked = part_of_wreck(name.stem);
        const auto part = wrecked ? wrecked : part_of_shown_collision(name.stem);
        if (part && parts.find({std::string(*part), name.copy}, i) != no_index) shown.add(scene.nodes[i].name);
    }
    if (shown.empty()) return;
    report.add(problem_at("nodes", codes::mesh_shown_beside,
                          "These meshes are called like wrecks or collision meshes of others, and are seen together "
                          "with those: the game has no wrecks, and collision meshes are called <part>-collision. Leave "
                          "out of the export what is not to be seen.",
                          shown.text()));
}

/// Whether it holds what was there before as well: a mod's lists, and files that name a model and its motions.
bool is_extended(const NewFile& file, const FormatInfo& target, const Registry& registry) {
    const FormatInfo* const format = format_of_name(file.name, registry);
    if (format != nullptr && format->traits.shares_extension && !format->traits.goes_with_model) return true;
    const FamilyRow* const family = registry.family(target.family);
    return family->declarations && lower(file.name).ends_with(family->declarations->extension);
}

/// The files of a game's folder that stay if they are there, as nobody has named them as outputs: all but pictures and
/// what is extended. A component may be replaced by now, and with it the meshes and animations that come after it.
std::set<fs::path> files_that_stay(const std::vector<NewFile>& files, const fs::path& folder, const FormatInfo& target,
                                   const Registry& registry) {
    std::set<fs::path> stay;
    bool is_replaced = false;
    for (const NewFile& file : files) {
        std::error_code error;
        if (is_extended(file, target, registry))
            is_replaced = fs::exists(folder / file.name, error);
        else if (!is_replaced && !is_picture(file.name))
            stay.insert(folder / file.name);
    }
    return stay;
}

/// Of a file that is going to be written.
Result<Existing> tell_file(const fs::path& file, Conversion& conversion, const ConvertOptions& options) {
    conversion.files.push_back(file.string());
    return options.before_file ? options.before_file(file) : Existing::replaced;
}

/// The files of a game.
Result<void> save_files(Scene& scene, const OutputFiles& output, const FormatInfo& format, Conversion& conversion,
                        const std::vector<fs::path>& inputs, const ConvertOptions& options) {
    const bool to_folder = is_folder(output);
    const std::string model = model_name(scene, output, inputs);
    name_images(scene, model);
    const fs::path folder = to_folder ? output.path : output.path.parent_path();
    const image::Library textures(options.files.read ? std::vector<fs::path>() : texture_folders(inputs, options));
    const ConversionContext context{.options = options.values,
                                    .limits = options.limits,
                                    .textures = &textures,
                                    .for_disk = !output.take,
                                    .spent = options.keep_scene ? nullptr : &scene};
    auto made = to_folder ? make_folder(scene, folder / model, context, options.formats())
                          : make_files(scene, output.path, context, options.formats());
    if (!made) return fail(std::move(made.error()));
    note_target(scene, format, options, conversion.report);
    conversion.report.append(std::move(made->report));
    note_empty(scene, format, to_folder, conversion.report);
    note_shown(scene, format, options.formats(), conversion.report);
    for (NewFile& file : made->value) {
        if (is_picture(file.name) && !file.is_copy) file.bytes = image::with_origin(std::move(file.bytes), model);
    }
    std::set<fs::path> stay;
    if (!output.take) {
        if (auto spared = spare_inputs(made->value, folder, inputs); !spared) return spared;
        if (!options.values.flag("overwrite")) {
            keep_pictures(made->value, folder, model, textures, options, conversion);
            if (to_folder) stay = files_that_stay(made->value, folder, format, options.formats());
        }
    }
    return finish(conversion.report, output.path, inputs, options, [&]() -> Result<void> {
        if (output.take) return take_files(std::move(made->value), output, conversion);
        // Which pictures stay is decided: keep_pictures().
        const auto before = [&](const fs::path& file) {
            auto existing = tell_file(file, conversion, options);
            if (existing && is_picture(file)) existing = Existing::replaced;
            if (existing && stay.contains(file)) existing = Existing::kept;
            return existing;
        };
        return write_files(made->value, folder, options.values.flag("fsync"), before);
    });
}

/// What is written piece by piece.
Result<void> save_pieces(const Scene& scene, const OutputFiles& output, Conversion& conversion,
                         const std::vector<fs::path>& inputs, const ConvertOptions& options) {
    SceneWriteOptions writing;
    writing.fsync = options.values.flag("fsync");
    writing.context.options = options.values;
    writing.context.limits = options.limits;
    conversion.report.append(scene_losses(scene, output.path, writing, options.formats()));
    return finish(conversion.report, output.path, inputs, options, [&]() -> Result<void> {
        if (output.take) {
            auto files = write_scene_to_memory(scene, output.path, writing, options.formats());
            return files ? take_files(std::move(files->value), output, conversion) : fail(std::move(files.error()));
        }
        writing.before_file = [&](const fs::path& file) { return tell_file(file, conversion, options); };
        const auto losses = write_scene(scene, output.path, writing, options.formats());
        if (!losses) return fail(losses.error());
        // The file that names the others is written last.
        std::rotate(conversion.files.begin(), conversion.files.end() - 1, conversion.files.end());
        return {};
    });
}

}  // namespace

Result<Conversion> save(Scene scene, const OutputFiles& output, const FormatInfo& format, Report report,
                        const std::vector<fs::path>& inputs, const ConvertOptions& options) {
    Conversion conversion;
    conversion.report = std::move(report);
    if (auto chosen = choose_clips(scene, options.values); !chosen)
        return stop<Conversion>(std::move(chosen.error()), std::move(conversion.report), options);
    const FamilyRow* family = options.formats().family(format.family);
    const bool makes_files = family != nullptr && family->write == nullptr;
    auto saved = makes_files ? save_files(scene, output, format, conversion, inputs, options)
                             : save_pieces(scene, output, conversion, inputs, options);
    if (!saved) {
        if (saved.error().file.empty()) saved.error().file = output.path.string();
        name_files(conversion.report, inputs);
        return stop<Conversion>(std::move(saved.error()), std::move(conversion.report), options);
    }
    conversion.scene = std::move(scene);
    return conversion;
}

}  // namespace effigy::conversion
