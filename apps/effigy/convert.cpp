/// effigy convert: any format to any other.

#include <algorithm>

#include "effigy/arp_container.hpp"
#include "effigy/x42.hpp"

#include "common.hpp"
#include "native_output.hpp"
#include "scene_input.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

struct Options {
    SceneInput input;
    NativeOutput native;
    std::string to;
    std::string via;
    int x42_version = 0;  ///< 0: as it is
    bool normalize = false;
    bool embed_images = false;
    bool fsync = false;

    [[nodiscard]] const std::string& output() const { return input.output; }
};

int usage_error(const std::string& message) { return fail_usage("convert", message); }

/// The format to write: what --to says, that of an input with the same extension, or what the extension says.
const FormatInfo* output_format(const Options& options) {
    if (!options.to.empty()) return find_format(options.to);
    const std::string extension = std::filesystem::path(options.output()).extension().string();
    if (extension.empty()) return nullptr;
    // A copy of hello.cas.json or of avatar.zip, whose extensions say nothing.
    const std::vector<std::string>& inputs = options.input.inputs;
    if (inputs.size() == 1 && std::filesystem::path(inputs.front()).extension() == extension) {
        const FormatInfo* format = format_of_file(inputs.front());
        if (format != nullptr && format->writes) return format;
    }
    return find_format(extension);
}

std::string writable_formats() {
    std::string list;
    for (const FormatInfo& format : formats()) {
        if (format.writes || format.from_scene) list += (list.empty() ? "" : ", ") + std::string(format.id);
    }
    return list;
}

/// Formats that share an extension (.xml) are told apart by content, and copied by extension.
bool is_same_format(const FormatInfo& input, const FormatInfo& output, const Options& options) {
    if (input.id == output.id) return true;
    const auto has = [&](std::string_view known) {
        return std::find(output.extensions.begin(), output.extensions.end(), known) != output.extensions.end();
    };
    return options.to.empty() && input.writes && std::any_of(input.extensions.begin(), input.extensions.end(), has);
}

/// A single input of the format to write is copied; a .gltf names other files, which would be missing beside a copy.
bool is_copied(const FormatInfo& input, const FormatInfo& output, const Options& options) {
    return is_same_format(input, output, options) && input.writes && input.id != "gltf" && options.via.empty() &&
           !options.native.asked() && scene_paths(options.input).size() == 1;
}

/// The same before anything is read; standard input is not known yet.
bool may_be_copied(const FormatInfo& output, const Options& options) {
    const std::vector<std::string> paths = scene_paths(options.input);
    if (paths.size() != 1) return false;
    const FormatInfo* input = format_of_file(paths.front());
    if (paths.front() == "-" || input == nullptr) return output.writes;
    return is_copied(*input, output, options);
}

/// The writer goes by the output's extension, so the two must not contradict each other.
std::string format_problem(const FormatInfo& format, const Options& options) {
    if (options.output().empty()) return {};
    if (options.output() == "-")
        return format.id == "glb" ? "" : "." + std::string(format.id) + " cannot go to standard output; use --to glb";
    const FormatInfo* extension = find_format(std::filesystem::path(options.output()).extension().string());
    if (extension != nullptr && extension->id == format.id) return {};
    return "--to " + std::string(format.id) + " wants an output that ends in ." +
           std::string(format.extensions.front());
}

/// The format on the way; null if there is no such.
const FormatInfo* format_on_the_way(const Options& options) {
    const FormatInfo* format = options.via.empty() ? nullptr : find_format(options.via);
    const bool goes = format != nullptr && format->from_scene && format->to_scene && format->family != "gltf";
    return goes ? format : nullptr;
}

std::string native_problem(const FormatInfo& format, const Options& options) {
    if (!options.via.empty() && format_on_the_way(options) == nullptr)
        return "--via wants a game's format that scenes can be written in; `effigy formats` shows which";
    const FormatInfo* native = options.via.empty() ? &format : format_on_the_way(options);
    return options.native.problem(*native);
}

Json summary(const Scene& scene) {
    Json clips = Json::array();
    for (const Clip& clip : scene.clips)
        clips.push_back({{"name", clip.name}, {"duration", clip.duration}, {"tracks", clip.tracks.size()}});
    return {{"counts", counts_json(scene)}, {"clips", std::move(clips)}};
}

/// ", beside it soldier_walk.xsm, soldier_talk.xpm and 4 more"
std::string files_text(const Json& files) {
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t i = 1; i < files.size() && i <= most; ++i) {
        const std::filesystem::path path = files[i].get_ref<const std::string&>();
        text += (text.empty() ? ", beside it " : ", ") + path.filename().string();
    }
    if (files.size() > most + 1) text += " and " + std::to_string(files.size() - most - 1) + " more";
    return text;
}

/// "wrote soldier.glb (1.2 MB): 40 nodes, 2 meshes, 1 clip; 1 warning"
std::string summary_line(const Json& result, const Report& report, std::uint64_t size) {
    std::string line = "wrote " + result["output"].get<std::string>() + " (" + size_text(size) + ")";
    const std::string counts = result.contains("counts") ? counts_text(result["counts"]) : "";
    if (!counts.empty()) line += ": " + counts;
    if (result.contains("files")) line += files_text(result["files"]);
    if (report.count(Severity::warning) != 0) line += "; " + counted(report.count(Severity::warning), "warning");
    return line;
}

/// "via xac: 40 nodes, 2 meshes, 1 clip are left; 1 warning"
std::string way_line(const Json& result, const Report& report, const Options& options) {
    const std::size_t warnings = report.count(Severity::warning);
    return "via " + options.via + ": " + counts_text(result["counts"]) + " are left; " +
           (warnings == 0 ? "nothing is lost" : counted(warnings, "warning"));
}

int finish(const Json& counts, const Report& report, const Options& options) {
    const int code = report.has_errors() ? exit_code::findings : exit_code::fine;
    if (options.output() == "-") return code;
    Json result{{"output", options.output()}};
    result.update(counts);
    if (options.input.common.json) {
        result.update(report_json(report));
        print(pretty(result));
    } else if (!options.input.common.quiet && options.output().empty()) {
        print(way_line(result, report, options) + "\n");
    } else if (!options.input.common.quiet) {
        std::error_code error;
        const std::uint64_t size = std::filesystem::file_size(options.output(), error);
        print(summary_line(result, report, error ? 0 : size) + "\n");
    }
    return code;
}

/// Report first, output last: if anything fails, there is no output.
int write(const std::function<Result<void>()>& write_output, const Json& counts, Report report,
          const Options& options) {
    name_files(report, options.input);
    if (cancelled()) return failed(cancelled_error(options.input), std::move(report), options.input);
    if (const auto done = write_report(report, options.input); !done) {
        print_report(report, !options.input.common.quiet);
        return fail_with(done.error());
    }
    if (auto done = write_output(); !done) {
        if (done.error().file.empty()) done.error().file = options.output();
        return failed(std::move(done.error()), std::move(report), options.input);
    }
    print_report(report, !options.input.common.quiet);
    return finish(counts, report, options);
}

int copy(const Document& document, Report report, const Options& options) {
    const auto output = [&] { return document.write_file(options.output(), {options.normalize, options.fsync}); };
    return write(output, Json::object(), std::move(report), options);
}

/// An X42 file as another version of its format.
int copy_as_version(SceneSource& source, Report report, const Options& options) {
    auto changed = x42::with_version(std::move(source.document.as<x42::File>()), options.x42_version);
    if (!changed) {
        changed.error().file = source.path.string();
        return failed(std::move(changed.error()), std::move(report), options.input);
    }
    report.append(std::move(changed->report));
    const auto output = [&] {
        return x42::write_file(changed->value, options.output(), {options.normalize, options.fsync});
    };
    return write(output, Json::object(), std::move(report), options);
}

/// The avatar of a container, without what lies beside it.
int take_out_avatar(const SceneSource& source, Report report, const Options& options) {
    const auto& container = source.document.as<arp::Container>();
    if (container.entries.size() > 1) {
        Diagnostic finding;
        finding.code = "arp-file-left-out";
        finding.severity = Severity::info;
        finding.message = "Only the avatar is taken out of its container; the other entries stay there.";
        finding.found = std::to_string(container.entries.size() - 1);
        finding.file = source.path.string();
        report.add(std::move(finding));
    }
    const auto output = [&] {
        return arp::write_file(container.avatar, options.output(), {options.normalize, options.fsync});
    };
    return write(output, Json::object(), std::move(report), options);
}

/// The files of a game that a scene becomes.
int write_native(const Scene& scene, Report report, const Options& options) {
    const std::filesystem::path path = options.output();
    auto files = make_files(scene, path, options.native.options(options.input));
    if (!files) return failed(std::move(files.error()), std::move(report), options.input);
    report.append(std::move(files->report));
    if (const std::string input = replaced_input(files->value, path.parent_path(), options.input); !input.empty()) {
        return failed(make_error("usage-output", input,
                                 "a file that goes with the output would replace this input; write to another folder"),
                      std::move(report), options.input);
    }
    keep_pictures(files->value, path.parent_path(), report);
    Json names = Json::array();
    for (const NewFile& file : files->value) names.push_back((path.parent_path() / file.name).string());
    const auto output = [&] { return write_files(files->value, path.parent_path(), options.fsync); };
    return write(output, {{"files", std::move(names)}}, std::move(report), options);
}

int convert(Sources sources, const FormatInfo& format, Report report, const Options& options) {
    const FormatInfo* const way = format_on_the_way(options);
    const std::string_view family = (way != nullptr ? *way : format).family;
    const bool in_family = sources.files.front().document.format().family == family && family != "gltf";
    auto scene = make_scene(std::move(sources), options.input, report);
    if (scene && in_family) scene = with_records(*scene);
    if (!scene) return failed(scene.error(), std::move(report), options.input);
    if (way != nullptr) {
        scene = there_and_back(*scene, *way, options.native, options.input, report);
        if (!scene) return failed(scene.error(), std::move(report), options.input);
    }
    if (options.output().empty()) return write([]() -> Result<void> { return {}; }, summary(*scene), report, options);
    if (format.to_scene && format.family != "gltf") return write_native(*scene, std::move(report), options);
    report.append(scene_losses(*scene, options.output()));
    const auto output = [&]() -> Result<void> {
        const auto losses = write_scene(*scene, options.output(), {options.fsync, options.embed_images});
        if (!losses) return fail(losses.error());
        return {};
    };
    // A scene has more than a format for its rest pose shows.
    const Json counts = format.family == "gltf" ? summary(*scene) : Json::object();
    return write(output, counts, std::move(report), options);
}

/// What speaks against the command line before anything is read; empty if nothing does.
std::string usage_problem(const FormatInfo& format, const Options& options) {
    if (options.output().empty() && options.via.empty())
        return "--output FILE is required, but with --via; `effigy convert --help` explains the usage";
    const bool copies = may_be_copied(format, options);
    if (std::string problem = format_problem(format, options); !copies && !problem.empty()) return problem;
    if (std::string problem = native_problem(format, options); !copies && !problem.empty()) return problem;
    if (std::string problem = output_problem(options.output(), options.input); !problem.empty()) return problem;
    if (std::string problem = input_problem(options.input); !problem.empty()) return problem;
    if (std::string problem = scene_problem(options.input); !copies && format.from_scene && !problem.empty())
        return problem;
    if (options.output() == "-" && options.input.common.json)
        return "--json and the output cannot both go to standard output; use --report FILE";
    if (options.x42_version != 0 && format.id != "x42")
        return "--x42-version is for .x42 outputs, and this one is ." + std::string(format.extensions.front());
    if (format.from_scene || scene_paths(options.input).size() == 1) return {};
    return "several inputs make one scene, which ." + std::string(format.extensions.front()) +
           " cannot hold; write .glb or .gltf";
}

int run(const Options& options) {
    // With nothing to write, what comes back from --via would be glTF.
    const FormatInfo* format = options.output().empty() ? find_format("glb") : output_format(options);
    if (format == nullptr || !(format->writes || format->from_scene)) {
        return usage_error("what to write is not known from \"" + (options.to.empty() ? options.output() : options.to) +
                           "\"; use an extension or --to with one of: " + writable_formats());
    }
    if (const std::string problem = usage_problem(*format, options); !problem.empty()) return usage_error(problem);
    Report report;
    auto sources = read_sources(options.input, report);
    if (!sources) return failed(std::move(sources.error()), std::move(report), options.input);
    SceneSource& source = sources->files.front();
    const FormatInfo& input = source.document.format();
    if (is_copied(input, *format, options)) {
        return options.x42_version == 0 ? copy(source.document, std::move(report), options)
                                        : copy_as_version(source, std::move(report), options);
    }
    if (input.id == "jar" && format->id == "jarp" && options.via.empty())
        return take_out_avatar(source, std::move(report), options);
    if (const std::string problem = format_problem(*format, options); !problem.empty()) return usage_error(problem);
    if (format->from_scene) return convert(std::move(*sources), *format, std::move(report), options);
    return usage_error(scene_paths(options.input).front() + " is ." + std::string(input.extensions.front()) +
                       " and cannot become ." + std::string(format->extensions.front()) + "; write .glb or .gltf");
}

std::string rate_problem(const std::string& text) {
    double rate = 0;
    const bool fits = CLI::detail::lexical_cast(text, rate) && rate >= 0.001 && rate <= 10000;
    return fits ? "" : "frames a second between 0.001 and 10000 are needed";
}

void add_scene_options(CLI::App& verb, Options& options) {
    SceneInput& input = options.input;
    input.add_textures(verb);
    input.add_game(verb);
    verb.add_option("--lod", input.lod,
                    "Level of detail to write: 0, 1, ..., or all: level 0 shown, the others as MSFT_lod")
        ->check([](const std::string& text) { return level_problem(text, true); })
        ->capture_default_str()
        ->option_text("LEVEL");
    verb.add_option(
            "--arp-twist", input.arm_twist,
            "Signing avatars: arms twist by helper joints in clips (joints), with a key at each frame (bake), or "
            "not (none)")
        ->check(CLI::IsMember({"none", "joints", "bake"}))
        ->capture_default_str()
        ->option_text("HOW");
    input.add_gltf(verb);
    input.add_retarget(verb);
    verb.add_option("--resample", input.resample,
                    "Bake motions at this many frames a second, exactly as the engine plays them")
        ->check(rate_problem)
        ->option_text("FPS");
    verb.add_option("--fps", input.frames_per_second,
                    "X42: frames a second of all animations, instead of what the files say")
        ->check(rate_problem)
        ->option_text("FPS");
    input.add_morph_normal_range(verb);
    verb.add_flag("--embed-source", input.embed_source, "Keep the inputs' original bytes in extras");
    verb.add_flag("--embed-images", options.embed_images, ".gltf: images inside the .bin");
}

void add_options(CLI::App& verb, Options& options) {
    SceneInput& input = options.input;
    verb.add_option("INPUT", input.inputs,
                    "A model, its parts, its motions and what goes with them; - is standard input")
        ->required();
    verb.add_option("-o,--output", input.output,
                    "The file to write: .glb, .gltf, .obj, .ply or a game's format; - is standard output")
        ->option_text("FILE");
    verb.add_option("--to", options.to, "Format to write, if the output's extension does not say it")
        ->option_text("FORMAT");
    verb.add_option("--via", options.via,
                    "There and back through this format, of which nothing is kept: the report says what it loses, and "
                    "-o, if given, holds what is left")
        ->option_text("FORMAT");
    add_scene_options(verb, options);
    options.native.add(verb);
    verb.add_flag("--normalize", options.normalize, "Same format: write true lengths instead of the declared ones");
    verb.add_option("--x42-version", options.x42_version,
                    "X42 to X42: write version 5 or 6 (6 as docs/formats/x42.md reads it; no game is known to)")
        ->check(CLI::IsMember({"5", "6"}))
        ->option_text("5|6");
    input.add_allow_damaged(verb);
    input.add_report(verb);
    input.common.add_json(verb);
    input.common.add_encoding(verb);
    verb.add_flag("--fsync", options.fsync, "Flush to the device before the file takes its name");
    input.common.add_limit(verb);
    input.common.add_quiet(verb);
}

constexpr const char* footer =
    "The first model's nodes and rest pose count, parts join it by node name, each motion becomes an\n"
    "animation; .obj and .ply hold the rest pose. Same format to same format is byte-exact. What\n"
    "cannot be carried is reported on standard error.\n"
    "\n"
    "Examples:\n"
    "  effigy convert soldier.xac walk.xsm -o soldier.glb --textures gfx\n"
    "  effigy convert body.xac hair.xac walk.xsm face.xpm -o character.gltf --report losses.json\n"
    "  effigy convert trader.x42 animation.cfg default.skin -o trader.glb --textures base\n"
    "  effigy convert signer.jar hello.cas.xml -o hello.glb\n"
    "  effigy convert my_mod/assets/units/size_s/ship_test.xml -o ship.glb --game \"X4 Foundations\"\n"
    "  effigy convert soldier.xac -o copy.xac\n"
    "  effigy convert soldier.glb -o soldier.xac --target victoria2\n"
    "  effigy convert soldier.glb --via xac\n"
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
