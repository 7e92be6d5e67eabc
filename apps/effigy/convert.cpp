/// effigy convert: any format to any other.

#include <algorithm>

#include "effigy/program_codes.hpp"

#include "batch.hpp"
#include "common.hpp"
#include "declared_options.hpp"
#include "findings.hpp"
#include "scene_input.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

struct ConvertArguments {
    SceneInput input;
    BatchArguments batch;

    [[nodiscard]] const std::string& output() const { return input.output; }
};

int fail_convert(const ConvertArguments& options, const std::string& message, const Code& code = codes::usage_option) {
    return failed("convert", make_finding(code, {}, message), {}, options.input);
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

/// Of all files of a folder, or of the output alone.
std::uint64_t written_size(const Json& result, const std::string& output) {
    std::error_code error;
    std::uint64_t size = 0;
    const Json files = std::filesystem::is_directory(output, error) ? result["files"] : Json::array({output});
    for (const Json& file : files) {
        const std::uint64_t one = std::filesystem::file_size(file.get_ref<const std::string&>(), error);
        size += error ? 0 : one;
    }
    return size;
}

/// "wrote soldier.glb (1.2 MB): 40 nodes, 2 meshes, 1 clip; nothing is lost"
std::string summary_line(const Json& result, const Report& report, std::uint64_t size,
                         const ConvertArguments& options) {
    std::error_code error;
    const bool is_folder = std::filesystem::is_directory(options.output(), error);
    std::string line = "wrote " + result["output"].get<std::string>() + " (" +
                       (is_folder ? std::to_string(result["files"].size()) + " files, " : "") + size_text(size) + ")";
    const std::string counts = result.contains("counts") ? counts_text(result["counts"]) : "";
    if (!counts.empty()) line += ": " + counts;
    if (result.contains("files") && !is_folder) line += files_text(result["files"]);
    return line + closing_words(report, options.output(), options.input.common);
}

/// "via xac: 40 nodes, 2 meshes, 1 clip are left; nothing is lost"
std::string way_line(const Json& result, const Report& report, const ConvertArguments& options) {
    return "via " + options.input.values.text("via") + ": " + counts_text(result["counts"]) + " are left" +
           closing_words(report, "", options.input.common);
}

int finish(const Json& counts, const Report& report, const ConvertArguments& options) {
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
        print(summary_line(result, report, written_size(result, options.output()), options) + "\n");
    }
    return code;
}

/// What the summary and --json say: counts and clips of what is in an exchange format or was looked at, names of a
/// game's files.
Json result_json(const Conversion& done, const ConvertArguments& options) {
    const FormatInfo* format = format_of_name(options.output());
    const bool is_exchange =
        options.output().empty() || options.output() == "-" || (format && format->traits.is_exchange);
    if (done.scene && is_exchange) return summary(*done.scene);
    if (!done.scene || (format && format->role == Role::scene)) return Json::object();
    return {{"files", done.files}};
}

/// Many inputs, each to a file of its own.
int run_folders(const ConvertArguments& options) {
    const std::string to = options.input.values.text("to");
    const FormatInfo* format = find_format(to);
    const auto refuse = [&](const std::string& message) {
        return fail_run("convert", make_finding(codes::usage_option, {}, message), options.input.common);
    };
    if (to.empty()) return refuse("of folders each model is written to a file of its own: say as what, --to glb");
    if (format == nullptr || !(format->writes || format->from_scene))
        return refuse("--to " + to + " is no format that can be written; `effigy formats` lists them");
    for (const char* const one : {"via", "attach", "split"}) {
        if (options.input.values.has(one))
            return refuse("--" + std::string(one) + " is for one model, not for whole folders");
    }
    batch::Options run;
    run.convert.values = options.input.values;
    run.convert.keep_scene = false;
    run.output = options.output();
    run.ending = "." + std::string(format->extensions.front());
    run.report = options.input.report;
    return run_batch("convert", options.input.inputs, options.input.common, options.batch, std::move(run),
                     batch::convert_job);
}

/// One model to a folder of a game is no run: its files go where the game wants them.
bool converts_each(const ConvertArguments& options) {
    const OptionValues& values = options.input.values;
    if (!is_run(options.input.inputs, options.output())) return false;
    const bool has_many = std::any_of(options.input.inputs.begin(), options.input.inputs.end(), stands_for_many);
    return has_many || (values.has("to") && !values.has("via"));
}

int run_convert(const ConvertArguments& options) {
    if (converts_each(options)) return run_folders(options);
    if (std::string problem = run_only_problem(options.batch); !problem.empty()) return fail_convert(options, problem);
    if (options.output() == "-" && options.input.common.json)
        return fail_usage("convert", "--json and the output cannot both go to standard output; use --report FILE");
    if (std::string problem = output_problem(options.output(), options.input); !problem.empty())
        return fail_convert(options, problem, codes::usage_output);
    if (std::string problem = input_problem(options.input); !problem.empty())
        return fail_convert(options, problem, codes::usage_input);
    if (std::string problem = side_file_problem(options.input); !problem.empty())
        return fail_convert(options, problem, codes::usage_output);
    Report noticed;
    const auto stop = [&](Diagnostic failure) {
        return failed("convert", std::move(failure), std::move(noticed), options.input);
    };
    const auto files = input_files(options.input.inputs, options.input.common.limits);
    if (!files) return stop(files.error());
    ConvertOptions asked = options.input.convert_options(noticed);
    // Report first, output last: if anything fails, there is no output.
    asked.before_output = [&](const Report& report) -> Result<void> {
        if (cancelled()) return fail(cancelled_error(options.input));
        return write_report(report, options.input);
    };
    asked.keep_scene = false;  // result_json() looks into those of exchange formats only, which stay whole
    const auto done = effigy::convert(*files, OutputFiles(options.output()), asked);
    if (!done) return stop(done.error());
    print_report(done->report, options.input.common);
    return finish(result_json(*done, options), done->report, options);
}

/// "xac,xsm", for word_list(): of all that a scene becomes.
std::string scene_formats() {
    std::vector<FormatInfo> known;
    for (const FormatInfo& format : formats()) {
        if (format.from_scene) known.push_back(format);
    }
    return joined(known, ",", [](const FormatInfo& format) { return format.id; });
}

void add_options(CLI::App& verb, ConvertArguments& options) {
    SceneInput& input = options.input;
    verb.add_option("INPUT", input.inputs,
                    "A model, its parts, its motions and what goes with them; - is standard input. Or whole folders, "
                    "patterns, @lists, catalogs and games, of which each model is converted")
        ->required();
    verb.add_option("-o,--output", input.output,
                    "The file to write: .glb, .gltf, .obj, .ply or a game's format; with --target the folder of a mod; "
                    "- is standard output; of folders a FOLDER/, with --to")
        ->option_text("FILE");
    input.add_report(verb);
    input.common.add(verb);
    add_declared_options(verb, input.values, [](const DeclaredOption&) { return true; });
    for (const char* const name : {"--to", "--via"})
        verb.get_option(name)->check([](const std::string&) { return std::string(); }, word_list(scene_formats()));
    options.batch.add(verb, true);
}

constexpr const char* convert_footer =
    "The first model's nodes and rest pose count, parts join it by node name, each motion becomes an\n"
    "animation; .obj and .ply hold the rest pose. Same format to same format is byte-exact. What\n"
    "cannot be carried is reported on standard error. Runs over folders go on where they were ended,\n"
    "and convert only what has changed (docs/batch.md).\n"
    "\n"
    "Examples:\n"
    "  effigy convert soldier.xac walk.xsm -o soldier.glb --textures gfx\n"
    "  effigy convert body.xac hair.xac walk.xsm face.xpm -o character.gltf --report losses.json\n"
    "  effigy convert trader.x42 animation.cfg default.skin -o trader.glb --textures base\n"
    "  effigy convert signer.jar hello.cas.xml -o hello.glb\n"
    "  effigy convert my_mod/assets/units/size_s/ship_test.xml -o ship.glb --game \"X4 Foundations\"\n"
    "  effigy convert soldier.xac -o copy.xac\n"
    "  effigy convert soldier.glb -o soldier.xac --target victoria2\n"
    "  effigy convert soldier.glb -o my_mod/ --target x4 --class prop\n"
    "  effigy convert soldier.glb --via xac\n"
    "  effigy convert models -o converted/ --to glb\n"
    "  effigy convert - --to glb -o - < soldier.xac > soldier.glb";

}  // namespace

void add_convert(CLI::App& program, Verb& chosen) {
    const auto [verb, options] =
        add_verb(program, chosen, run_convert, "convert",
                 "Convert; several inputs make one scene: a model, further parts, motions.", convert_footer);
    add_options(*verb, *options);
}

}  // namespace effigy::app
