/// Inputs as one scene: joined by their family, with materials, textures and tangents.

#include <algorithm>
#include <array>
#include <memory>

#include "effigy/core_codes.hpp"
#include "effigy/hashes.hpp"
#include "effigy/image.hpp"
#include "effigy/scene_codes.hpp"
#include "effigy/textures.hpp"

#include "convert/inputs.hpp"
#include "convert/shared.hpp"
#include "core/guard.hpp"
#include "core/problem.hpp"

namespace effigy::conversion {
namespace {

/// Some have two extensions.
bool is_stem_of(const std::string& stem, const std::filesystem::path& path) {
    return path.stem() == stem || path.stem().stem() == stem;
}

Result<FoundTexture> no_such_texture(std::string_view name) {
    return fail(problem_at({}, codes::file_missing, "there is no such texture", std::string(name)));
}

bool has_game(const Sources& sources) {
    return std::any_of(sources.surroundings.begin(), sources.surroundings.end(),
                       [](const Surroundings& around) { return around.texture != nullptr; });
}

/// Those of games first, then those in memory.
TextureSource texture_source(const Sources& sources, const ConvertOptions& options) {
    const Files& files = options.files;
    auto library = std::make_shared<image::Library>(
        image::Library::of_names(files.list ? files.list() : std::vector<std::string>()));
    return [&sources, &files, &options, library](std::string_view name) -> Result<FoundTexture> {
        for (const Surroundings& around : sources.surroundings) {
            if (!around.texture) continue;
            auto found = around.texture(name);
            if (found && !found->file.empty() && options.on_texture) options.on_texture(found->file);
            if (found || found.error().code != codes::file_missing) return found;
        }
        if (!files.read) return no_such_texture(name);
        const std::string listed = library->find(name).generic_string();
        const std::string wanted = listed.empty() ? std::string(name) : listed;
        auto bytes = files.read(wanted);
        if (!bytes) return no_such_texture(name);
        return FoundTexture{std::move(*bytes), wanted};
    };
}

/// Maybe in what was searched for other models, too.
std::function<std::filesystem::path(std::string_view)> search_of(const std::vector<std::filesystem::path>& folders,
                                                                 const ConvertOptions& options) {
    return [&folders, &options, library = image::Library(folders)](std::string_view name) {
        std::filesystem::path file = options.shared ? options.shared->find_texture(folders, name) : library.find(name);
        if (!file.empty() && options.on_texture) options.on_texture(file);
        return file;
    };
}

Report leave_out_textures(Scene& scene) {
    const KeepMaterials keep(scene);
    Report report;
    for (Image& image : scene.images) image.bytes.clear();
    const std::size_t count = load_textures(scene, {}).count(codes::texture_missing);
    if (count == 0) return report;
    report.add(problem_at(
        {}, codes::texture_missing.as(Severity::info),
        (count == 1 ? "1 texture is" : std::to_string(count) + " textures are") + " left out, as --no-textures asks"));
    return report;
}

/// The folder above a file in which its game has all textures, where the file's path goes through one; else empty.
std::filesystem::path game_textures(const std::filesystem::path& folder, const Registry& registry) {
    std::error_code error;
    std::filesystem::path at = std::filesystem::absolute(folder, error).lexically_normal();
    if (error) return {};
    for (; at.has_relative_path(); at = at.parent_path()) {
        const std::string path = lower(at.generic_string());
        for (const FamilyRow* family : registry.families()) {
            const std::string_view wanted = family->texture_folder;
            if (!wanted.empty() && path.ends_with("/" + std::string(wanted))) return at;
        }
    }
    return {};
}

}  // namespace

Result<Scene> join(Sources& sources, const ConvertOptions& options, Report& report) {
    ConversionContext context{options.values, options.limits, nullptr, &options.files};
    const bool is_exchange = std::all_of(sources.files.begin(), sources.files.end(), [](const SceneSource& source) {
        return source.document.format().traits.is_exchange;
    });
    for (const Surroundings& around : sources.surroundings) {
        if (std::any_of(sources.files.begin(), sources.files.end(),
                        [&](const SceneSource& source) { return source.document.format().family == around.family; }))
            context.surroundings = &around;
    }
    auto loaded = to_scene(std::move(sources.files), context, options.formats());
    if (!loaded) {
        Report reason;
        reason.add(std::move(loaded.error()));
        name_files(reason, sources.inputs);
        return fail(std::move(reason.diagnostics().front()));
    }
    report.append(std::move(loaded->report));
    for (const Surroundings& around : sources.surroundings) {
        // What glTF says of a material is how it looks, edited or not.
        if (around.finish && !is_exchange) report.append(around.finish(loaded->value));
    }
    return std::move(loaded->value);
}

Report add_textures(Scene& scene, const Sources& sources, const ConvertOptions& options) {
    const OptionValues& values = options.values;
    if (values.flag("no-textures")) return leave_out_textures(scene);
    constexpr std::array<std::string_view, 3> layouts{"auto", "rgb", "ag"};  // NormalLayout
    TextureOptions textures;
    textures.source_is_game = has_game(sources);
    if (textures.source_is_game || options.files.read) textures.source = texture_source(sources, options);
    if (!options.files.read) textures.folders = texture_folders(sources.inputs, options);
    textures.find = search_of(textures.folders, options);
    textures.normal_map_green = values.text("normal-map-green") == "keep" ? GreenChannel::keep : GreenChannel::flip;
    textures.normal_map_layout = static_cast<NormalLayout>(values.choice("normal-map-layout", layouts).value_or(0));
    textures.quick = options.quick_textures;
    textures.limits = options.limits;
    Report report = load_textures(scene, textures);
    if (report.count(codes::texture_missing) == 0) return report;
    for (const std::filesystem::path& folder : textures.folders) note_closed(folder, report);
    return report;
}

void name_files(Report& report, const std::vector<std::filesystem::path>& inputs) {
    for (Diagnostic& finding : report.diagnostics()) {
        const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const std::filesystem::path& path) {
            return path == "-" ? finding.file == standard_input_name
                               : !finding.file.empty() && is_stem_of(finding.file, path);
        });
        if (found != inputs.end()) finding.file = found->string();
    }
}

}  // namespace effigy::conversion

namespace effigy {

std::vector<std::filesystem::path> texture_folders(const std::vector<std::filesystem::path>& inputs,
                                                   const ConvertOptions& options) {
    std::vector<std::filesystem::path> folders;
    const auto add = [&](const std::filesystem::path& folder) {
        const bool known = std::any_of(folders.begin(), folders.end(), [&](const std::filesystem::path& other) {
            return folder == other || conversion::is_same_file(folder, other);
        });
        if (!known) folders.push_back(folder);
    };
    for (const std::string& folder : options.values.list("textures")) add(folder);
    for (const std::filesystem::path& path : inputs) {
        const std::filesystem::path folder = path.parent_path();
        if (path != "-") add(folder.empty() ? "." : folder);
    }
    for (const std::filesystem::path& path : inputs) {
        const std::filesystem::path folder = path.parent_path();
        const std::filesystem::path shared =
            conversion::game_textures(folder.empty() ? "." : folder, options.formats());
        if (path != "-" && !shared.empty()) add(shared);
    }
    return folders;
}

Result<Loaded<Scene>> load_scene(Sources sources, const ConvertOptions& options) {
    using namespace conversion;
    return without_exceptions([&]() -> Result<Loaded<Scene>> {
        Report report;
        const bool is_exchange =
            sources.files.size() == 1 && sources.files.front().document.format().traits.is_exchange;
        auto scene = join(sources, options, report);
        if (!scene) return stop<Loaded<Scene>>(std::move(scene.error()), std::move(report), options);
        report.append(add_textures(*scene, sources, options));
        report.append(generate_missing_tangents(*scene));
        name_files(report, sources.inputs);
        // Places in a scene are those of the input, and none of what is made of it.
        if (is_exchange && sources.inputs.size() == 1)
            report.name_file(sources.inputs[0] == "-" ? standard_input_name : sources.inputs[0].string());
        if (auto attached = attach_all(*scene, options, report); !attached)
            return stop<Loaded<Scene>>(std::move(attached.error()), std::move(report), options);
        return Loaded<Scene>{std::move(*scene), std::move(report)};
    });
}

Result<Loaded<Scene>> load_scene(const std::vector<InputFile>& named, const ConvertOptions& options) {
    using namespace conversion;
    Report read;
    std::vector<InputFile> store;
    const auto all = with_fitting_motions(named, store, options, read);
    if (!all) return fail(all.error());
    const std::vector<InputFile>& inputs = **all;
    const std::vector<const FormatInfo*> formats = formats_of(inputs, options);
    auto sources = check_inputs(inputs, formats, options)
                       .and_then([&] { return check_shows(inputs, formats); })
                       .and_then([&] { return check_applies(formats, nullptr, options); })
                       .and_then([&] { return open_sources(inputs, options); });
    if (!sources) return fail(std::move(sources.error()));
    read.append(std::move(sources->report));
    auto scene = load_scene(std::move(sources->value), options);
    if (!scene) {
        if (options.report_of_failure != nullptr) {
            read.append(std::move(*options.report_of_failure));
            *options.report_of_failure = std::move(read);
        }
        return scene;
    }
    read.append(std::move(scene->report));
    scene->report = std::move(read);
    return scene;
}

}  // namespace effigy
