/// effigy convert: any format to any other.

#include <algorithm>
#include <array>
#include <future>

#include "effigy/files.hpp"
#include "effigy/gltf.hpp"
#include "effigy/textures.hpp"

#include "common.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

/// Names the clip of a motion that comes from there.
constexpr const char* standard_input_name = "stdin";

struct Options {
    CommonOptions common;
    std::vector<std::string> inputs;
    std::string output;
    std::string to;
    std::string report;
    std::vector<std::string> textures;
    bool no_textures = false;
    std::string green = "auto";
    std::string lod = "all";
    float morph_normal_range = 1;
    double resample = 0;
    bool normalize = false;
    bool embed_source = false;
    bool embed_images = false;
    bool allow_damaged = false;
    bool fsync = false;
};

int usage_error(const std::string& message) { return fail_usage("convert", message); }

Json report_json(const Report& report) {
    return {{"effigy_report", 1}, {"findings", to_json(report)}, {"suppressed", suppressed_json(report)}};
}

/// Before the output, so that there is none if the report cannot be written.
Result<void> write_report(const Report& report, const Options& options) {
    if (options.report.empty()) return {};
    return write_text(options.report, pretty(report_json(report)));
}

int failed(Diagnostic failure, Report report, const Options& options) {
    print_report(report, !options.common.quiet);
    const int code = fail_with(failure);
    report.add(std::move(failure));
    if (const auto done = write_report(report, options); !done) print_error(to_string(done.error()));
    return code;
}

/// The format to write: what --to says, or the output's extension.
const FormatInfo* output_format(const Options& options) {
    if (!options.to.empty()) return find_format(options.to);
    const std::string extension = std::filesystem::path(options.output).extension().string();
    return extension.empty() ? nullptr : find_format(extension);
}

std::string writable_formats() {
    std::string list;
    for (const FormatInfo& format : formats()) {
        if (format.writes || format.from_scene) list += (list.empty() ? "" : ", ") + std::string(format.id);
    }
    return list;
}

/// The writer goes by the output's extension, so the two must not contradict each other.
std::string output_problem(const FormatInfo& format, const Options& options) {
    if (!format.from_scene) return {};
    if (options.output == "-")
        return format.id == "glb"
                   ? ""
                   : "." + std::string(format.id) + " is several files and cannot go to standard output; use --to glb";
    const FormatInfo* extension = find_format(std::filesystem::path(options.output).extension().string());
    if (extension == &format) return {};
    return "--to " + std::string(format.id) + " wants an output that ends in ." +
           std::string(format.extensions.front());
}

struct Inputs {
    std::vector<SceneSource> sources;
    Report report;
};

/// Large files are hashed while they are read.
std::future<Result<std::string>> start_hash(const std::string& path, std::uint64_t size) {
    constexpr std::uint64_t large = 4 << 20;
    return std::async(size >= large ? std::launch::async : std::launch::deferred,
                      [path] { return content_hash(std::filesystem::path(path)); });
}

Result<void> read_input(const std::string& path, const Options& options, Inputs& inputs) {
    std::error_code error;
    const std::uint64_t size = path == "-" ? 0 : std::filesystem::file_size(path, error);
    std::future<Result<std::string>> hash;
    if (path != "-" && !error) hash = start_hash(path, size);
    auto loaded = open(path, options.common.limits);
    Result<std::string> text = hash.valid() ? hash.get() : Result<std::string>("");
    if (!loaded) return fail(std::move(loaded.error()));
    inputs.report.append(std::move(loaded->report));
    inputs.sources.push_back({std::move(loaded->value), path == "-" ? standard_input_name : path, error ? 0 : size,
                              text ? std::move(*text) : ""});
    return {};
}

/// The folders that were asked for, then the inputs' own; each once, as the user wrote it first.
std::vector<std::filesystem::path> texture_folders(const Options& options) {
    std::vector<std::filesystem::path> folders;
    const auto add = [&](const std::filesystem::path& folder) {
        const bool known = std::any_of(folders.begin(), folders.end(), [&](const std::filesystem::path& other) {
            return folder == other || is_same_file(folder.string(), other.string());
        });
        if (!known) folders.push_back(folder);
    };
    for (const std::string& folder : options.textures) add(folder);
    for (const std::string& input : options.inputs) {
        const std::filesystem::path folder = std::filesystem::path(input).parent_path();
        if (input != "-") add(folder.empty() ? "." : folder);
    }
    return folders;
}

/// A scene's findings name an input by its stem, or nothing where they are about the whole scene: say which file.
void name_files(Report& report, const Options& options) {
    for (Diagnostic& finding : report.diagnostics()) {
        const auto input = std::find_if(options.inputs.begin(), options.inputs.end(), [&](const std::string& path) {
            return path == "-" ? finding.file == standard_input_name
                               : std::filesystem::path(path).stem().string() == finding.file;
        });
        if (finding.file.empty()) {
            finding.file = options.output;
        } else if (input != options.inputs.end()) {
            finding.file = *input;
        }
    }
}

Report leave_out_textures(Scene& scene) {
    Report report;
    const std::size_t count = load_textures(scene, {}).count("texture-missing");
    if (count == 0) return report;
    Diagnostic finding;
    finding.code = "texture-missing";
    finding.severity = Severity::info;
    finding.message = counted(count, "texture") + (count == 1 ? " is" : " are") + " left out, as --no-textures asks";
    report.add(std::move(finding));
    return report;
}

Report add_textures(Scene& scene, const Options& options) {
    if (options.no_textures) return leave_out_textures(scene);
    TextureOptions textures;
    textures.folders = texture_folders(options);
    textures.normal_map_green = options.green == "keep" ? GreenChannel::keep : GreenChannel::flip;
    textures.limits = options.common.limits;
    return load_textures(scene, textures);
}

Json summary(const Scene& scene) {
    Json clips = Json::array();
    for (const Clip& clip : scene.clips)
        clips.push_back({{"name", clip.name}, {"duration", clip.duration}, {"tracks", clip.tracks.size()}});
    std::size_t triangles = 0;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& primitive : mesh.primitives) triangles += primitive.indices.size() / 3;
    }
    return {{"counts",
             {{"nodes", scene.nodes.size()},
              {"meshes", scene.meshes.size()},
              {"triangles", triangles},
              {"skins", scene.skins.size()},
              {"materials", scene.materials.size()},
              {"images", scene.images.size()},
              {"clips", scene.clips.size()}}},
            {"clips", std::move(clips)}};
}

/// "wrote soldier.glb (1.2 MB): 40 nodes, 2 meshes, 1 clip; 1 warning"
std::string summary_line(const Json& result, const Report& report, std::uint64_t size) {
    std::string line = "wrote " + result["output"].get<std::string>() + " (" + size_text(size) + ")";
    static constexpr std::array<std::pair<const char*, const char*>, 7> nouns{{{"nodes", "node"},
                                                                               {"meshes", "mesh"},
                                                                               {"triangles", "triangle"},
                                                                               {"skins", "skin"},
                                                                               {"materials", "material"},
                                                                               {"images", "image"},
                                                                               {"clips", "clip"}}};
    std::string counts;
    for (const auto& [key, noun] : nouns) {
        const std::uint64_t number = result.contains("counts") ? result["counts"][key].get<std::uint64_t>() : 0;
        if (number != 0) counts += (counts.empty() ? ": " : ", ") + counted(number, noun);
    }
    line += counts;
    if (report.count(Severity::warning) != 0) line += "; " + counted(report.count(Severity::warning), "warning");
    return line;
}

int finish(const Json& counts, const Report& report, const Options& options) {
    const int code = report.has_errors() ? exit_code::findings : exit_code::fine;
    if (options.output == "-") return code;
    Json result{{"output", options.output}};
    result.update(counts);
    if (options.common.json) {
        result.update(report_json(report));
        print(pretty(result));
    } else if (!options.common.quiet) {
        std::error_code error;
        const std::uint64_t size = std::filesystem::file_size(options.output, error);
        print(summary_line(result, report, error ? 0 : size) + "\n");
    }
    return code;
}

/// Report first, output last: if anything fails, there is no output.
int write(const std::function<Result<void>()>& write_output, const Json& counts, Report report,
          const Options& options) {
    name_files(report, options);
    if (cancelled())
        return failed(make_error("limit-cancelled", options.output, "cancelled; nothing was written"),
                      std::move(report), options);
    if (const auto done = write_report(report, options); !done) {
        print_report(report, !options.common.quiet);
        return fail_with(done.error());
    }
    if (auto done = write_output(); !done) {
        if (done.error().file.empty()) done.error().file = options.output;
        return failed(std::move(done.error()), std::move(report), options);
    }
    print_report(report, !options.common.quiet);
    return finish(counts, report, options);
}

int copy(Inputs inputs, const Options& options) {
    const Document& document = inputs.sources.front().document;
    const auto output = [&] { return document.write_file(options.output, {options.normalize, options.fsync}); };
    return write(output, Json::object(), std::move(inputs.report), options);
}

SceneSettings scene_settings(const Options& options) {
    SceneSettings settings;
    settings.limits = options.common.limits;
    settings.encoding = options.common.encoding;
    settings.morph_normal_range = options.morph_normal_range;
    settings.lod = options.lod == "all" ? -1 : std::stoi(options.lod);
    settings.resample = options.resample;
    settings.embed_source = options.embed_source;
    return settings;
}

int convert_to_gltf(Inputs inputs, const Options& options) {
    Report report = std::move(inputs.report);
    auto loaded = to_scene(std::move(inputs.sources), scene_settings(options));
    if (!loaded) {
        Report reason;
        reason.add(std::move(loaded.error()));
        name_files(reason, options);
        return failed(std::move(reason.diagnostics().front()), std::move(report), options);
    }
    report.append(std::move(loaded->report));
    Scene& scene = loaded->value;
    report.append(add_textures(scene, options));
    report.append(generate_missing_tangents(scene));
    gltf::WriteOptions settings;
    settings.fsync = options.fsync;
    settings.embed_images = options.embed_images;
    return write([&] { return gltf::write_file(scene, options.output, settings); }, summary(scene), std::move(report),
                 options);
}

/// What speaks against the command line before anything is read; empty if nothing does.
std::string usage_problem(const Options& options) {
    const std::vector<std::string>& inputs = options.inputs;
    for (std::size_t index = 0; index < inputs.size(); ++index) {
        const std::string& path = inputs[index];
        std::error_code error;
        if (path != "-" && std::filesystem::is_directory(path, error))
            return path + " is a folder; name the files to convert";
        if (is_same_file(path, options.output))
            return "the output is one of the inputs: " + path + "; inputs are never changed";
        if (!options.report.empty() && is_same_file(path, options.report))
            return "the report is one of the inputs: " + path + "; inputs are never changed";
        const bool twice =
            std::any_of(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(index),
                        [&](const std::string& other) { return path == other || is_same_file(path, other); });
        if (twice) return "this input is named twice: " + path;
    }
    for (const std::string& folder : options.textures) {
        std::error_code error;
        if (!std::filesystem::is_directory(folder, error))
            return "--textures wants a folder; there is none called " + folder;
    }
    if (options.output == options.report || is_same_file(options.output, options.report))
        return "the output and the report are one file";
    if (options.output == "-" && options.common.json)
        return "--json and the output cannot both go to standard output; use --report FILE";
    return {};
}

int read_all(const std::vector<std::string>& paths, const Options& options, Inputs& inputs) {
    Progress progress("reading", paths.size(), options.common.quiet);
    for (std::size_t index = 0; index < paths.size(); ++index) {
        progress.step(index, paths[index]);
        if (cancelled())
            return failed(make_error("limit-cancelled", options.output, "cancelled; nothing was written"),
                          inputs.report, options);
        if (auto done = read_input(paths[index], options, inputs); !done)
            return failed(std::move(done.error()), inputs.report, options);
    }
    if (inputs.report.has_errors() && !options.allow_damaged) {
        return failed(
            make_error("damaged-input", options.output,
                       "nothing was written because an input is damaged; --allow-damaged converts what can be read"),
            inputs.report, options);
    }
    return exit_code::fine;
}

int run(const Options& options) {
    const FormatInfo* format = output_format(options);
    if (format == nullptr || !(format->writes || format->from_scene)) {
        return usage_error("what to write is not known from \"" + (options.to.empty() ? options.output : options.to) +
                           "\"; use an extension or --to with one of: " + writable_formats());
    }
    if (const std::string problem = output_problem(*format, options); !problem.empty()) return usage_error(problem);
    if (const std::string problem = usage_problem(options); !problem.empty()) return usage_error(problem);
    std::vector<std::string> paths = options.inputs;
    std::erase_if(paths, is_companion);
    if (paths.empty()) return usage_error("these files only go with others; name a model or a motion too");
    if (!format->from_scene && paths.size() != 1) {
        return usage_error("several inputs make one scene, which ." + std::string(format->id) +
                           " cannot hold; write .glb or .gltf");
    }
    Inputs inputs;
    if (const int code = read_all(paths, options, inputs); code != exit_code::fine) return code;
    if (format->from_scene) return convert_to_gltf(std::move(inputs), options);
    const std::string_view input = inputs.sources.front().document.format().id;
    if (input == format->id) return copy(std::move(inputs), options);
    return usage_error(paths.front() + " is ." + std::string(input) + " and cannot become ." + std::string(format->id) +
                       "; write .glb or .gltf");
}

std::string level_problem(const std::string& text) {
    const bool number = !text.empty() && text.size() < 4 && text.find_first_not_of("0123456789") == std::string::npos;
    return text == "all" || number ? "" : "a level (0, 1, ...) or all is needed";
}

void add_scene_options(CLI::App& verb, Options& options) {
    verb.add_option("--textures", options.textures,
                    "Folder to search for textures, before the inputs' own; may be repeated")
        ->allow_extra_args(false)
        ->option_text("DIR");
    verb.add_flag("--no-textures", options.no_textures, "Leave out all textures")->excludes("--textures");
    verb.add_option("--normal-map-green", options.green,
                    "Green of normal maps: flip, keep, or auto (flips, as these games' maps are DirectX-style)")
        ->check(CLI::IsMember({"auto", "flip", "keep"}))
        ->capture_default_str()
        ->option_text("HOW");
    verb.add_option("--lod", options.lod,
                    "Level of detail to write: 0, 1, ..., or all: level 0 shown, the others as MSFT_lod")
        ->check(level_problem)
        ->capture_default_str()
        ->option_text("LEVEL");
    verb.add_option("--resample", options.resample,
                    "Bake motions at this many frames a second, exactly as the engine plays them")
        ->check([](const std::string& text) {
            double rate = 0;
            const bool fits = CLI::detail::lexical_cast(text, rate) && rate >= 0.001 && rate <= 10000;
            return fits ? "" : "frames a second between 0.001 and 10000 are needed";
        })
        ->option_text("FPS");
    verb.add_option("--morph-normal-range", options.morph_normal_range,
                    "Morph normal offsets span -1..1 (1) or -2..2 (2)")
        ->check(CLI::IsMember({1, 2}))
        ->capture_default_str()
        ->option_text("1|2");
    verb.add_flag("--embed-source", options.embed_source, "Keep the inputs' original bytes in extras");
    verb.add_flag("--embed-images", options.embed_images, ".gltf: images inside the .bin");
}

void add_options(CLI::App& verb, Options& options) {
    verb.add_option("INPUT", options.inputs, "A model, its parts, its motions; - is standard input")->required();
    verb.add_option("-o,--output", options.output,
                    "The file to write: .glb, .gltf or the input's own format; - is standard output")
        ->required()
        ->option_text("FILE");
    verb.add_option("--to", options.to, "Format to write, if the output's extension does not say it")
        ->option_text("FORMAT");
    add_scene_options(verb, options);
    verb.add_flag("--normalize", options.normalize, "Same format: write true lengths instead of the declared ones");
    verb.add_flag("--allow-damaged", options.allow_damaged, "Convert what can be read of damaged inputs (exit code 1)");
    verb.add_option("--report", options.report, "Write what was lost, replaced or baked to this JSON file")
        ->option_text("FILE");
    options.common.add_json(verb);
    options.common.add_encoding(verb);
    verb.add_flag("--fsync", options.fsync, "Flush to the device before the file takes its name");
    options.common.add_limit(verb);
    options.common.add_quiet(verb);
}

constexpr const char* footer =
    "The first model's nodes and rest pose count, parts join it by node name, each motion becomes an\n"
    "animation. Same format to same format is byte-exact. What cannot be carried is reported on\n"
    "standard error.\n"
    "\n"
    "Examples:\n"
    "  effigy convert soldier.xac walk.xsm -o soldier.glb --textures gfx\n"
    "  effigy convert body.xac hair.xac walk.xsm face.xpm -o character.gltf --report losses.json\n"
    "  effigy convert soldier.xac -o copy.xac\n"
    "  effigy convert - --to glb -o - < soldier.xac > soldier.glb";

}  // namespace

void add_convert(CLI::App& program, Verb& chosen) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = add_verb(program, "convert",
                              "Convert; several inputs make one scene: a model, further parts, motions.", footer);
    add_options(*verb, *options);
    verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace effigy::app
