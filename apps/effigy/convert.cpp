/// effigy convert: any format to any other.

#include <algorithm>
#include <future>

#include "common.hpp"
#include "effigy/files.hpp"
#include "effigy/gltf.hpp"
#include "effigy/textures.hpp"

namespace effigy::app {

namespace {

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

int usage_error(const std::string& message) {
    print_error("effigy convert: " + message);
    return exit_code::usage;
}

int failed(Diagnostic failure, Report report, const Options& options) {
    const int code = exit_code_of(failure);
    print_report(report, !options.common.quiet);
    print_error(to_string(failure));
    report.add(std::move(failure));
    if (!options.report.empty()) (void)write_text(options.report, Json{{"effigy_report", 1}, {"findings", to_json(report)}}.dump(2) + "\n");
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
    if (options.output == "-") return format.id == "glb" ? "" : "." + std::string(format.id) + " is several files and cannot go to standard output; use --to glb";
    const FormatInfo* extension = find_format(std::filesystem::path(options.output).extension().string());
    if (extension == &format) return {};
    return "--to " + std::string(format.id) + " wants an output that ends in ." + std::string(format.extensions.front());
}

bool is_same_file(const std::string& a, const std::string& b) {
    std::error_code error;
    return a != "-" && b != "-" && std::filesystem::equivalent(a, b, error);
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
    inputs.sources.push_back({std::move(loaded->value), path == "-" ? "" : path, error ? 0 : size, text ? std::move(*text) : ""});
    return {};
}

std::vector<std::filesystem::path> texture_folders(const Options& options) {
    std::vector<std::filesystem::path> folders(options.textures.begin(), options.textures.end());
    for (const std::string& input : options.inputs) {
        const std::filesystem::path folder = std::filesystem::path(input).parent_path();
        if (input != "-") folders.push_back(folder.empty() ? "." : folder);
    }
    return folders;
}

Json summary(const Scene& scene, const Options& options) {
    Json clips = Json::array();
    for (const Clip& clip : scene.clips) clips.push_back({{"name", clip.name}, {"duration", clip.duration}, {"tracks", clip.tracks.size()}});
    std::size_t triangles = 0;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& primitive : mesh.primitives) triangles += primitive.indices.size() / 3;
    }
    return {{"output", options.output},
            {"counts",
             {{"nodes", scene.nodes.size()},
              {"meshes", scene.meshes.size()},
              {"triangles", triangles},
              {"skins", scene.skins.size()},
              {"materials", scene.materials.size()},
              {"images", scene.images.size()},
              {"clips", scene.clips.size()}}},
            {"clips", std::move(clips)}};
}

int finish(Json result, const Report& report, const Options& options) {
    if (!options.report.empty()) {
        const Json document{{"effigy_report", 1}, {"findings", to_json(report)}};
        if (auto done = write_text(options.report, document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"); !done) {
            print_error(to_string(done.error()));
            return exit_code::findings;
        }
    }
    print_report(report, !options.common.quiet);
    if (options.output == "-") return exit_code::fine;
    if (options.common.json) {
        result["findings"] = to_json(report);
        print(result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    } else if (!options.common.quiet) {
        std::string line = "wrote " + options.output;
        if (result.contains("counts")) {
            line += ":";
            for (const auto& [name, count] : result["counts"].items()) {
                if (count != 0) line += " " + count.dump() + " " + name;
            }
        }
        print(line + "\n");
    }
    return exit_code::fine;
}

int copy(const Inputs& inputs, const Options& options) {
    const Document& document = inputs.sources.front().document;
    if (auto done = document.write_file(options.output, {options.normalize, options.fsync}); !done) {
        return failed(std::move(done.error()), inputs.report, options);
    }
    return finish({{"output", options.output}}, inputs.report, options);
}

int convert_to_gltf(Inputs inputs, const Options& options) {
    SceneSettings settings;
    settings.limits = options.common.limits;
    settings.encoding = options.common.encoding;
    settings.morph_normal_range = options.morph_normal_range;
    settings.lod = options.lod == "all" ? -1 : std::stoi(options.lod);
    settings.resample = options.resample;
    settings.embed_source = options.embed_source;
    Report report = std::move(inputs.report);
    auto loaded = to_scene(std::move(inputs.sources), settings);
    if (!loaded) return failed(std::move(loaded.error()), std::move(report), options);
    report.append(std::move(loaded->report));
    Scene& scene = loaded->value;
    if (!options.no_textures) {
        TextureOptions textures;
        textures.folders = texture_folders(options);
        textures.normal_map_green = options.green == "keep" ? GreenChannel::keep : GreenChannel::flip;
        textures.limits = options.common.limits;
        report.append(load_textures(scene, textures));
    } else {
        report.append(load_textures(scene, {}));
    }
    report.append(generate_missing_tangents(scene));
    Diagnostic cancel;
    cancel.code = "limit-cancelled";
    cancel.message = "cancelled; nothing was written";
    if (cancelled()) return failed(std::move(cancel), std::move(report), options);
    gltf::WriteOptions write;
    write.fsync = options.fsync;
    write.embed_images = options.embed_images;
    if (auto done = gltf::write_file(scene, options.output, write); !done) {
        return failed(std::move(done.error()), std::move(report), options);
    }
    return finish(summary(scene, options), report, options);
}

int run(const Options& options) {
    const FormatInfo* format = output_format(options);
    if (format == nullptr || !(format->writes || format->from_scene)) {
        return usage_error("what to write is not known from \"" + (options.to.empty() ? options.output : options.to) +
                           "\"; use an extension or --to with one of: " + writable_formats());
    }
    if (const std::string problem = output_problem(*format, options); !problem.empty()) return usage_error(problem);
    std::vector<std::string> paths;
    for (const std::string& path : options.inputs) {
        if (is_same_file(path, options.output)) return usage_error("the output is one of the inputs: " + path + "; inputs are never changed");
        if (!is_companion(path)) paths.push_back(path);
    }
    if (paths.empty()) return usage_error("these files only accompany others; name a model or a motion");
    Inputs inputs;
    Progress progress("reading", paths.size(), options.common.quiet);
    for (std::size_t index = 0; index < paths.size(); ++index) {
        progress.step(index, paths[index]);
        if (auto done = read_input(paths[index], options, inputs); !done) return failed(std::move(done.error()), std::move(inputs.report), options);
    }
    if (inputs.report.has_errors() && !options.allow_damaged) {
        Diagnostic diagnostic;
        diagnostic.code = "damaged-input";
        diagnostic.message = "nothing was written because an input is damaged; --allow-damaged converts what can be read";
        return failed(std::move(diagnostic), std::move(inputs.report), options);
    }
    if (format->from_scene) return convert_to_gltf(std::move(inputs), options);
    if (paths.size() != 1) return usage_error("several inputs make one scene, which ." + std::string(format->id) + " cannot hold; write .glb or .gltf");
    const FormatInfo& input = inputs.sources.front().document.format();
    if (input.id != format->id) return usage_error(std::string(input.id) + " cannot be converted to " + std::string(format->id) + "; write .glb or .gltf");
    return copy(inputs, options);
}

void add_options(CLI::App& verb, Options& options) {
    verb.add_option("INPUT", options.inputs, "A model, its parts, its motions; - is standard input")->required();
    verb.add_option("-o,--output", options.output, "The file to write (.glb, .gltf, or the input's own format); - is standard output")
        ->required();
    verb.add_option("--to", options.to, "Format to write, if the output's extension does not say it");
    verb.add_option("--textures", options.textures, "Folder to search for textures, before the inputs' own; may be repeated")
        ->allow_extra_args(false);
    verb.add_flag("--no-textures", options.no_textures, "Leave out all textures");
    verb.add_option("--normal-map-green", options.green, "Green of normal maps: auto flips DirectX-style maps of this family")
        ->check(CLI::IsMember({"auto", "flip", "keep"}))
        ->capture_default_str();
    verb.add_option("--lod", options.lod, "Level of detail to write: 0, 1, ... or all (level 0 shown, the others as MSFT_lod)")
        ->check([](const std::string& text) {
            const bool number = !text.empty() && text.size() < 4 && text.find_first_not_of("0123456789") == std::string::npos;
            return text == "all" || number ? std::string() : "a level (0, 1, ...) or all is needed";
        })
        ->capture_default_str();
    verb.add_option("--resample", options.resample, "Bake motions at this many frames a second, exactly as the engine plays them")
        ->check(CLI::Range(0.001, 10000.0));
    verb.add_option("--morph-normal-range", options.morph_normal_range, "Morph normal offsets span -1..1 (1) or -2..2 (2)")
        ->check(CLI::IsMember({1, 2}))
        ->capture_default_str();
    verb.add_flag("--normalize", options.normalize, "Same format: write true lengths instead of the declared ones");
    verb.add_flag("--embed-source", options.embed_source, "Keep the inputs' original bytes in extras");
    verb.add_flag("--embed-images", options.embed_images, ".gltf: images inside the .bin");
    verb.add_flag("--allow-damaged", options.allow_damaged, "Convert what can be read of damaged inputs");
    verb.add_option("--report", options.report, "Write what was lost, replaced or baked to this JSON file");
    verb.add_flag("--fsync", options.fsync, "Flush to the device before the file takes its name");
    options.common.add_to(verb);
}

}  // namespace

void add_convert(CLI::App& program, Verb& chosen) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = program.add_subcommand("convert", "Convert; several inputs make one scene: a model, further parts, motions");
    add_options(*verb, *options);
    verb->footer("The first model's nodes and rest pose count, parts join it by node name, each motion becomes an animation.\n"
                 "Same format to same format is byte-exact. What cannot be carried is reported on standard error.\n"
                 "Example: effigy convert soldier.xac walk.xsm -o soldier.glb --textures gfx");
    verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace effigy::app
