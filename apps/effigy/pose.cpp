/// effigy pose: one moment of a motion, or several, as models that stand still.

#include <algorithm>
#include <charconv>
#include <optional>

#include "effigy/core_codes.hpp"
#include "effigy/poser.hpp"
#include "effigy/program_codes.hpp"

#include "clip_choice.hpp"
#include "common.hpp"
#include "declared_options.hpp"
#include "findings.hpp"
#include "scene_input.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

struct PoseArguments {
    SceneInput input;
    double time = 0;
    ClipChoice clip;
    std::string frames;
    double frames_per_second = 30;
    bool no_loop = false;
};

/// One file to write.
struct Moment {
    std::string path;
    double time = 0;  ///< seconds
};

struct Frames {
    std::uint32_t first = 0, last = 0;
};

/// "0:30"; numbers of up to six digits, in order.
std::optional<Frames> parse_frames(const std::string& text) {
    const auto parse = [](std::string_view digits, std::uint32_t& number) {
        const char* const end = digits.data() + digits.size();
        const auto [stop, error] = std::from_chars(digits.data(), end, number);
        return error == std::errc() && stop == end && digits.size() <= 6;
    };
    const std::size_t colon = text.find(':');
    Frames frames;
    if (colon == std::string::npos || !parse(std::string_view(text).substr(0, colon), frames.first) ||
        !parse(std::string_view(text).substr(colon + 1), frames.last) || frames.first > frames.last) {
        return std::nullopt;
    }
    return frames;
}

std::vector<Moment> moments_of(const PoseArguments& options) {
    if (options.frames.empty()) return {{options.input.output, options.time}};
    const Frames frames = parse_frames(options.frames).value_or(Frames{});
    std::vector<Moment> moments;
    for (std::uint32_t frame = frames.first; frame <= frames.last; ++frame)
        moments.push_back({numbered_path(options.input.output, frame, frames.last), frame / options.frames_per_second});
    return moments;
}

int fail_pose(const std::string& message, const PoseArguments& options, Report report = {}) {
    return failed("pose", make_finding(codes::usage_option, {}, message), std::move(report), options.input);
}

std::string format_problem(const PoseArguments& options) {
    if (options.input.output == "-") {
        if (!options.frames.empty()) return "--frames writes several files, which cannot go to standard output";
        return options.input.common.json ? "--json and the output cannot both go to standard output; use --report FILE"
                                         : "";
    }
    // A game's formats want the rest pose, over which their motions play.
    const auto fits = [](const FormatInfo& format) { return format.traits.is_exchange || format.role == Role::scene; };
    const FormatInfo* format = format_of_name(options.input.output);
    if (format != nullptr && fits(*format)) return "";
    std::string list;
    for (const FormatInfo& each : formats()) {
        if (fits(each)) list += (list.empty() ? "." : ", .") + std::string(each.id);
    }
    return "no pose can be written as " + options.input.output + "; use one of: " + list;
}

/// What speaks against the command line before anything is read; empty if nothing does.
std::string usage_problem(const PoseArguments& options, const std::vector<Moment>& moments) {
    if (std::string problem = format_problem(options); !problem.empty()) return problem;
    for (const Moment& moment : moments) {
        if (std::string problem = output_problem(moment.path, options.input); !problem.empty()) return problem;
    }
    if (std::string problem = input_problem(options.input); !problem.empty()) return problem;
    if (std::string problem = side_file_problem(options.input); !problem.empty()) return problem;
    return has_only_motions(options.input) ? "a motion alone cannot be posed; name the model that it moves too" : "";
}

Diagnostic at_rest_finding() {
    return make_finding(codes::pose_at_rest, {}, "no input moves anything: the rest pose is written");
}

/// Poses the scene for each moment and writes it.
class PoseWriter {
public:
    PoseWriter(playback::Poser poser, Index clip, const PoseArguments& options)
        : poser_(std::move(poser)), clip_(clip), options_(options) {}

    [[nodiscard]] Result<Scene> pose(double time) {
        if (auto posed = poser_.pose(clip_, time, !options_.no_loop); !posed) return fail(std::move(posed.error()));
        return playback::bake(poser_);
    }

    /// If it fails, the files written before are whole and stay; the failure names them.
    [[nodiscard]] Result<void> write(const std::vector<Moment>& moments) {
        Progress progress("posing", moments.size(), options_.input.common.quiet);
        for (std::size_t done = 0; done < moments.size(); ++done) {
            progress.step(done, moments[done].path);
            auto written = cancelled() ? fail(make_finding(codes::limit_cancelled, moments[done].path, "cancelled"))
                                       : write(moments[done], done == 0);
            if (written) continue;
            Diagnostic failure = std::move(written.error());
            if (failure.file.empty()) failure.file = moments[done].path;
            failure.message += "; " + written_text(moments, done);
            return fail(std::move(failure));
        }
        return {};
    }

private:
    /// The files of a sequence share the images that the first one comes with.
    Result<void> write(const Moment& moment, bool first) {
        const auto scene = pose(moment.time);
        if (!scene) return fail(scene.error());
        SceneWriteOptions settings;
        settings.fsync = options_.input.values.flag("fsync");
        settings.context.options = options_.input.values;
        settings.context.limits = options_.input.common.limits;
        settings.image_stem = std::filesystem::path(options_.input.output).stem().string();
        settings.write_images = first;
        settings.before_file = options_.input.read.spare(keep_others(moment.path));
        const auto losses = write_scene(*scene, moment.path, settings);
        if (!losses) return fail(losses.error());
        return {};
    }

    static std::string written_text(const std::vector<Moment>& moments, std::size_t count) {
        if (count == 0) return "nothing was written";
        const std::string names = count == 1 ? moments[0].path : moments[0].path + " to " + moments[count - 1].path;
        return std::to_string(count) + " of " + std::to_string(moments.size()) + " files are written: " + names;
    }

    playback::Poser poser_;
    Index clip_;
    const PoseArguments& options_;
};

struct Outcome {
    std::vector<Moment> moments;
    std::string clip;  ///< empty: the rest pose
    Json counts;
};

std::string seconds_text(double seconds) {
    char text[32];
    return std::string(text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%.6g", seconds)));
}

/// "wrote posed.glb (1.2 MB): 2 nodes, 2 meshes; walk at 0.4 s; nothing is lost"
std::string summary_line(const Outcome& outcome, const Report& report, const PoseArguments& options) {
    std::uint64_t size = 0;
    for (const Moment& moment : outcome.moments) {
        std::error_code error;
        const std::uint64_t bytes = std::filesystem::file_size(moment.path, error);
        if (!error) size += bytes;
    }
    const Moment &first = outcome.moments.front(), &last = outcome.moments.back();
    const bool several = outcome.moments.size() > 1;
    std::string line = "wrote " + first.path;
    if (several) line += " to " + last.path + ": " + counted(outcome.moments.size(), "file");
    line += " (" + size_text(size) + ")";
    const std::string counts = counts_text(outcome.counts);
    if (!counts.empty()) line += (several ? ", each " : ": ") + counts;
    line += "; " + (outcome.clip.empty() ? "rest pose" : outcome.clip + " at " + seconds_text(first.time));
    if (!outcome.clip.empty()) line += (several ? " to " + seconds_text(last.time) : "") + " s";
    return line + closing_words(report, first.path, options.input.common);
}

Json outcome_json(const Outcome& outcome, const Report& report) {
    Json outputs = Json::array();
    for (const Moment& moment : outcome.moments) outputs.push_back({{"path", moment.path}, {"time", moment.time}});
    Json json{{"outputs", std::move(outputs)},
              {"clip", outcome.clip.empty() ? Json() : Json(outcome.clip)},
              {"counts", outcome.counts}};
    json.update(report_json(report));
    return json;
}

int finish(const Outcome& outcome, const Report& report, const PoseArguments& options) {
    print_report(report, options.input.common);
    const int code = report.has_errors() ? exit_code::findings : exit_code::fine;
    if (options.input.output == "-") return code;
    if (options.input.common.json) {
        print(pretty(outcome_json(outcome, report)));
    } else if (!options.input.common.quiet) {
        print(summary_line(outcome, report, options) + "\n");
    }
    return code;
}

/// Report first, output last, as for a conversion.
int write(PoseWriter writer, Outcome outcome, Report report, const PoseArguments& options) {
    const auto first = writer.pose(outcome.moments.front().time);
    if (!first) return failed(first.error(), std::move(report), options.input);
    outcome.counts = counts_json(*first);
    report.append(scene_losses(*first, options.input.output));
    name_files(report, options.input);
    if (const auto done = write_report(report, options.input); !done)
        return failed(done.error(), std::move(report), options.input);
    if (auto done = writer.write(outcome.moments); !done) return failed(done.error(), std::move(report), options.input);
    return finish(outcome, report, options);
}

int run_pose(const PoseArguments& options) {
    Outcome outcome{moments_of(options), "", {}};
    if (const std::string problem = usage_problem(options, outcome.moments); !problem.empty())
        return fail_pose(problem, options);
    Report report;
    const auto scene = load_scene(options.input, report);
    if (!scene) return failed("pose", scene.error(), std::move(report), options.input);
    const std::optional<Index> clip = find_clip(*scene, options.clip);
    const auto refuse = [&](const std::string& message) {
        return fail_pose(message, options, std::move(report));  // damage may be why a clip is not there
    };
    if (!clip) return refuse(no_such_clip(*scene, options.clip));
    if (*clip != no_index) {
        outcome.clip = scene->clips[*clip].name;
    } else if (!options.clip.rest) {
        if (!options.frames.empty()) return refuse("--frames wants a motion; no input moves what is shown");
        report.add(at_rest_finding());
    }
    auto poser = playback::Poser::make(*scene);
    if (!poser) return failed(poser.error(), std::move(report), options.input);
    return write(PoseWriter(std::move(*poser), *clip, options), std::move(outcome), std::move(report), options);
}

void add_moment_options(CLI::App& verb, PoseArguments& options) {
    auto* const time = verb.add_option("--time", options.time, "Moment in seconds; wraps at the clip's end")
                           ->check(time_problem)
                           ->capture_default_str()
                           ->option_text("SECONDS");
    auto* const clip =
        verb.add_option("--clip", options.clip.name, "Clip by its name (default: the first)")->option_text("NAME");
    auto* const frames =
        verb.add_option("--frames", options.frames, "Frames A to B, one file each: posed_0000.glb, posed_0001.glb ...")
            ->check([](const std::string& text) {
                return parse_frames(text) ? "" : "two frame numbers in order are needed, as in 0:30";
            })
            ->excludes(time)
            ->option_text("A:B");
    verb.add_option("--fps", options.frames_per_second, "Frames a second that --frames counts")
        ->check([](const std::string& text) {
            double rate = 0;
            const bool fits = CLI::detail::lexical_cast(text, rate) && rate >= 0.001 && rate <= 10000;
            return fits ? "" : "frames a second between 0.001 and 10000 are needed";
        })
        ->needs(frames)
        ->capture_default_str()
        ->option_text("FPS");
    verb.add_flag("--rest", options.clip.rest, "The rest pose, whatever the inputs move")
        ->excludes(time)
        ->excludes(clip)
        ->excludes(frames);
    verb.add_flag("--no-loop", options.no_loop, "Hold the clip's last moment instead of starting again");
}

void add_options(CLI::App& verb, PoseArguments& options) {
    SceneInput& input = options.input;
    verb.add_option("INPUT", input.inputs, "A model, its parts, its motions; - is standard input")->required();
    verb.add_option("-o,--output", input.output,
                    "The file to write: .glb, .gltf, .obj or .ply; - is standard output, as .glb")
        ->required()
        ->option_text("FILE");
    add_moment_options(verb, options);
    input.add_report(verb);
    input.common.add(verb);
    add_showing_options(verb, input.values);
    add_declared_options(verb, input.values, [](const DeclaredOption& option) {
        return option.declaration.name == "embed-images" || option.declaration.name == "fsync";
    });
}

constexpr const char* pose_footer =
    "The model's vertices are moved to where the motion has them at that moment, morph targets\n"
    "included; what is written has no skeleton and stands still.\n"
    "\n"
    "Examples:\n"
    "  effigy pose soldier.xac walk.xsm --time 0.4 -o posed.glb --textures gfx\n"
    "  effigy pose soldier.xac walk.xsm --frames 0:5 -o posed.obj\n"
    "  effigy pose soldier.xac --rest -o soldier.ply";

}  // namespace

void add_pose(CLI::App& program, Verb& chosen) {
    const auto [verb, options] =
        add_verb(program, chosen, run_pose, "pose", "Write a model as a motion has it at one moment, or at several.",
                 pose_footer);
    add_options(*verb, *options);
}

}  // namespace effigy::app
