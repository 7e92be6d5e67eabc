/// effigy render: pictures and animations.

#include "render.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "effigy/core_codes.hpp"
#include "effigy/files.hpp"
#include "effigy/playback_codes.hpp"
#include "effigy/program_codes.hpp"

#include "common.hpp"
#include "declared_options.hpp"
#include "findings.hpp"
#include "sheet.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

int fail_render(const std::string& message, const RenderOptions& options, Report report = {}) {
    return failed("render", make_finding(codes::usage_option, {}, message), std::move(report), options.input);
}

std::vector<std::string> output_names(const RenderOptions& options, Form form, std::size_t count) {
    if (form != Form::files) return {options.output()};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back(numbered_path(options.output(), i, count - 1));
    return names;
}

Result<void> write_png(const image::Picture& picture, const std::string& output) {
    const auto bytes = image::encode_png(picture);
    if (!bytes) return fail(bytes.error());
    return write_bytes(output, *bytes);
}

/// Draws the pictures of one scene and writes them in one form or another.
class Drawing {
public:
    Drawing(Studio& studio, const render::Options& drawing, const RenderOptions& options, RenderOutcome& outcome)
        : studio_(studio), drawing_(drawing), options_(options), outcome_(outcome) {}

    [[nodiscard]] Result<void> write(Form form, double picture_time) {
        if (form == Form::sheet) return write_sheet();
        if (form == Form::animation) return write_animation(picture_time);
        return write_files();
    }

private:
    [[nodiscard]] std::size_t count() const { return outcome_.shots.size(); }

    template <class Take>
    Result<void> for_each_picture(Take&& take) {
        Progress progress("drawing", count(), options_.input.common.quiet);
        for (std::size_t i = 0; i < count(); ++i) {
            progress.step(i, outcome_.shots[i].label);
            if (cancelled()) return fail(cancelled_error(options_.input));
            auto picture = studio_.draw(i, drawing_);
            if (cancelled()) return fail(cancelled_error(options_.input));
            if (!picture) return fail(std::move(picture.error()));
            if (Result<void> taken = take(i, *picture); !taken) return taken;
        }
        return {};
    }

    /// If it fails, the files written before are whole and stay; the failure names them.
    Result<void> write_files() {
        std::size_t written = 0;
        auto done = for_each_picture([&](std::size_t i, const image::Picture& picture) {
            auto result = write_png(picture, outcome_.outputs[i]);
            if (result) ++written;
            return result;
        });
        if (done || written == 0) return done;
        Diagnostic failure = std::move(done.error());
        if (failure.code == codes::limit_cancelled) failure.message = "cancelled";
        failure.message += "; " + std::to_string(written) + " of " + std::to_string(count()) +
                           " files are written: " + outcome_.outputs.front() + " to " + outcome_.outputs[written - 1];
        return fail(std::move(failure));
    }

    Result<void> write_sheet() {
        const Size cell{drawing_.width, drawing_.height};
        std::vector<std::string> labels;
        for (const Shot& shot : outcome_.shots) labels.push_back(shot.label);
        Sheet sheet(labels, cell, drawing_.background, options_.has_plain_letters());
        auto done = for_each_picture([&](std::size_t i, const image::Picture& picture) -> Result<void> {
            sheet.put(i, picture);
            return {};
        });
        if (!done) return done;
        outcome_.size = Sheet::size_of(count(), cell);
        return write_png(sheet.picture(), options_.output());
    }

    Result<void> write_animation(double picture_time) {
        const double milliseconds = std::clamp(picture_time * 1000, 10.0, 60000.0);
        auto encoder =
            image::AnimationEncoder::make(animation_kind(options_), drawing_.width, drawing_.height, milliseconds);
        if (!encoder) return fail(std::move(encoder.error()));
        auto done = for_each_picture([&](std::size_t, const image::Picture& picture) { return encoder->add(picture); });
        if (!done) return done;
        const auto bytes = encoder->finish();
        if (!bytes) return fail(bytes.error());
        return write_bytes(options_.output(), *bytes);
    }

    Studio& studio_;
    const render::Options& drawing_;
    const RenderOptions& options_;
    RenderOutcome& outcome_;
};

std::uint64_t size_on_disk(const std::vector<std::string>& files) {
    std::uint64_t total = 0;
    for (const std::string& file : files) {
        std::error_code error;
        const std::uint64_t size = std::filesystem::file_size(file, error);
        if (!error) total += size;
    }
    return total;
}

/// "wrote walk.png (81.2 KB): 1536 x 409 pixels, 4 pictures; walk; 1 warning"
std::string summary_line(const RenderOutcome& outcome, const Report& report, const RenderOptions& options) {
    const std::size_t files = outcome.outputs.size();
    std::string line = "wrote " + outcome.outputs.front();
    if (files > 1) line += " to " + outcome.outputs.back();
    line += " (" + size_text(size_on_disk(outcome.outputs)) + "): ";
    line += std::to_string(outcome.size.width) + " x " + std::to_string(outcome.size.height) + " pixels";
    if (outcome.shots.size() > 1) line += ", " + counted(outcome.shots.size(), "picture");
    if (outcome.clip) line += "; " + (outcome.clip->empty() ? "a clip without a name" : *outcome.clip);
    const bool is_whole = report.count(Severity::error) + report.count(Severity::warning) == 0;
    return is_whole ? line : line + closing_words(report, options.output(), options.input.common);
}

Json outcome_json(const RenderOutcome& outcome, const Report& report, const RenderOptions& options) {
    Json outputs = Json::array();
    for (const std::string& path : outcome.outputs) outputs.push_back({{"path", path}});
    Json pictures = Json::array();
    for (const Shot& shot : outcome.shots) {
        pictures.push_back({{"label", shot.label},
                            {"view", {{"yaw", shot.view.yaw}, {"pitch", shot.view.pitch}}},
                            {"time", shot.time}});
    }
    Json json{{"outputs", std::move(outputs)},
              {"width", outcome.size.width},
              {"height", outcome.size.height},
              {"samples", options.samples},
              {"clip", outcome.clip ? Json(*outcome.clip) : Json()},
              {"pictures", std::move(pictures)}};
    json.update(report_json(report));
    return json;
}

int draw(Scene scene, Index clip, ShotList list, Form form, Report report, const RenderOptions& options) {
    RenderOutcome outcome{output_names(options, form, list.shots.size()), picture_size(options, form), {}, list.shots};
    if (clip != no_index) outcome.clip = scene.clips[clip].name;
    for (const std::string& output : outcome.outputs) {
        if (const std::string problem = output_problem(output, options.input); !problem.empty())
            return fail_render(problem, options);
    }
    const auto stop = [&](Diagnostic failure) {
        if (failure.file.empty()) failure.file = options.output();
        name_files(report, options.input);
        return failed(failure, std::move(report), options.input);
    };
    if (auto spared = spare_textures(scene, options.input, outcome.outputs); !spared) return stop(spared.error());
    auto studio = Studio::open(std::move(scene), {.collision = options.collision}, options.input.common.limits, report);
    if (!studio) return stop(std::move(studio.error()));
    const float aspect = static_cast<float>(outcome.size.width) / static_cast<float>(outcome.size.height);
    if (auto done = studio->arrange(std::move(list.shots), clip, list.framing, aspect); !done)
        return stop(std::move(done.error()));
    render::Options drawing = drawing_options(options, outcome.size);
    if (studio->is_bare()) drawing.skeleton = true;
    name_files(report, options.input);
    if (const auto done = write_report(report, options.input); !done) return stop(done.error());
    if (auto done = Drawing(*studio, drawing, options, outcome).write(form, list.picture_time); !done)
        return stop(std::move(done.error()));
    if (studio->note_blank(report)) {  // which the report that was written first cannot know
        name_files(report, options.input);
        if (const auto done = write_report(report, options.input); !done) return stop(done.error());
    }
    return finish_render(outcome, report, options);
}

int draw_scene(const RenderOptions& options, Form form) {
    Report report;
    auto scene = load_scene(options.input, report);
    if (!scene) return failed("render", std::move(scene.error()), std::move(report), options.input);
    const std::optional<Index> clip = find_clip(*scene, options.clip);
    // Damage may be why a clip is not there.
    const auto refuse = [&](const std::string& message) { return fail_render(message, options, std::move(report)); };
    if (!clip) return refuse(no_such_clip(*scene, options.clip));
    std::optional<double> duration;
    if (*clip != no_index) duration = scene->clips[*clip].duration;
    if (options.time && !duration) return refuse("--time wants a motion, and no input moves what is shown");
    auto list = list_shots(options, form, duration);
    if (!list) return refuse(list.error());
    std::string problem = amount_problem(form, list->shots.size(), picture_size(options, form));
    if (problem.empty()) problem = pace_problem(options, form, *list);
    if (!problem.empty()) return fail_render(problem, options);
    return draw(std::move(*scene), *clip, std::move(*list), form, std::move(report), options);
}

int run_render(const RenderOptions& options) {
    const bool is_folder = is_run(options.input.inputs, options.output());
    if (const std::string problem = render_usage_problem(options); !is_folder && !problem.empty())
        return fail_render(problem, options);
    if (const std::string problem = run_only_problem(options.batch); !is_folder && !problem.empty())
        return fail_render(problem, options);
    if (std::string missing = render::missing_component(); !missing.empty()) {
        const Diagnostic failure = make_finding(codes::render_unavailable, {}, std::move(missing));
        return is_folder ? fail_run("render", failure, options.input.common) : failed(failure, {}, options.input);
    }
    if (is_folder) return draw_run(options);
    const Form form = form_of(options);
    return form == Form::contacts ? draw_contacts(options) : draw_scene(options, form);
}

/// For numbers on the command line; what speaks against the text.
template <class Number>
auto between(Number least, Number most, std::string what) {
    return [least, most, what = std::move(what)](const std::string& text) {
        Number number{};
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        const bool fits = error == std::errc() && stop == end && number >= least && number <= most;
        return fits ? std::string() : what;
    };
}

void add_moment_options(CLI::App& verb, RenderOptions& options) {
    auto* const clip =
        verb.add_option("--clip", options.clip.name, "Clip by its name (default: the first)")->option_text("NAME");
    auto* const time = verb.add_option("--time", options.time, "Moment in seconds; wraps at the clip's end")
                           ->check(time_problem)
                           ->option_text("SECONDS");
    verb.add_option("--frames", options.frames, "N moments, evenly over the clip: numbered files or one sheet")
        ->check(between(1U, 10000U, "a number of pictures between 1 and 10000 is needed"))
        ->option_text("N");
    verb.add_flag("--rest", options.clip.rest, "The rest pose, whatever the inputs move")
        ->excludes(clip)
        ->excludes(time);
}

void add_form_options(CLI::App& verb, RenderOptions& options) {
    verb.add_flag("--sheet", options.sheet,
                  "One picture of several: four views, the moments of --frames, or the models of a folder");
    verb.add_flag("--animate", options.animate, "Play the clip, over one loop; .webp and .gif do so by themselves");
    verb.add_option("--fps", options.frames_per_second,
                    "Pictures a second of an animation (default: 25; a turntable: 12, or as its motion's speed wants)")
        ->check(between(1.0, 100.0, "pictures a second between 1 and 100 are needed"))
        ->option_text("FPS");
    verb.add_option_function<std::string>(
            "--turntable",
            [&options](const std::string& turns) {
                options.turntable = true;
                options.turns = turns;
            },
            "Go around once in N pictures (default: 36; on a sheet 8)")
        ->expected(0, 1)
        ->check([numbers = between(1U, 10000U, "no")](const std::string& text) {
            return text.empty() || numbers(text).empty()
                       ? ""
                       : "a number of pictures between 1 and 10000 or nothing is needed; inputs go before it";
        })
        ->option_text("[N]");
}

void add_look_options(CLI::App& verb, RenderOptions& options) {
    verb.add_option("--size", options.size,
                    "Pixels: W or WxH, on a sheet of each cell (default: 1024; animations 512, sheets 384)")
        ->check([](const std::string& text) {
            return parse_size(text) ? "" : "a size such as 512 or 400x300 is needed, each side 1 to 16384";
        })
        ->option_text("SIZE");
    verb.add_option("--view", options.view,
                    "From where: " + view_names() + ", or YAW,PITCH in degrees (default: three-quarter)")
        ->check(
            [](const std::string& text) {
                return parse_view(text) ? std::string()
                                        : "there is no view " + text + "; use one of " + view_names() +
                                              ", or YAW,PITCH such as 30,10 (PITCH -90 to 90)";
            },
            word_list(view_names(",")))
        ->option_text("VIEW");
    verb.add_option("--background", options.background, "none (transparent), white, black, #rrggbb or #rrggbbaa")
        ->check(
            [](const std::string& text) {
                return parse_background(text) ? "" : "none, white, black, #rrggbb or #rrggbbaa is needed";
            },
            word_list("none,white,black"))
        ->capture_default_str()
        ->option_text("COLOR");
    auto* const normals = verb.add_flag("--normals", options.normals, "Show normals as colours");
    verb.add_flag("--uv", options.texcoords, "Show texture coordinates as a checker")->excludes(normals);
    verb.add_flag("--wireframe", options.wireframe, "Edges of the triangles on top");
    verb.add_flag("--skeleton", options.skeleton, "Joints and bones on top");
    verb.add_flag("--collision", options.collision, "Collision meshes as well");
    verb.add_option("--samples", options.samples, "Rays for each pixel; more are smoother and slower")
        ->check(between(1U, 4096U, "a number between 1 and 4096 is needed"))
        ->capture_default_str()
        ->option_text("N");
    verb.add_option("--letters", options.letters,
                    "Names on sheets in a font of this machine (auto), or built in and the same everywhere (plain)")
        ->check(CLI::IsMember({"auto", "plain"}))
        ->capture_default_str()
        ->option_text("HOW");
    verb.add_option("--threads", options.threads, "Threads to draw with (default: as many as the machine has)")
        ->check(between(1U, 1024U, "a number between 1 and 1024 is needed"))
        ->option_text("N");
}

void add_options(CLI::App& verb, RenderOptions& options) {
    SceneInput& input = options.input;
    input.quick_textures = true;
    verb.add_option("INPUT", input.inputs, "A model, its parts, its motions, or folders; - is standard input")
        ->required();
    verb.add_option("-o,--output", input.output,
                    "The file to write: .png, .webp or .gif; - is standard output, as .png; a FOLDER/ gets a picture "
                    "of each model in folders (docs/batch.md)")
        ->required()
        ->option_text("FILE");
    verb.add_flag("--png", options.png,
                  "A picture as PNG, whatever the output is called; for programs that say its name");
    add_form_options(verb, options);
    add_moment_options(verb, options);
    add_look_options(verb, options);
    input.add_report(verb);
    input.common.add(verb);
    add_showing_options(verb, input.values);
    options.batch.add(verb, false);
}

constexpr const char* render_footer =
    "Drawn by the processor: no graphics card and no display are needed, and the same input gives\n"
    "the same picture on every run. All pictures of a sheet or an animation are taken from one distance.\n"
    "\n"
    "Examples:\n"
    "  effigy render soldier.xac walk.xsm --time 0.4 -o soldier.png --textures gfx\n"
    "  effigy render soldier.xac --sheet -o views.png --background white\n"
    "  effigy render soldier.xac walk.xsm --frames 12 --sheet --view side -o walk.png\n"
    "  effigy render soldier.xac walk.xsm --size 256 --fps 10 -o walk.gif\n"
    "  effigy render soldier.xac --size 256 --turntable 12 -o soldier.webp\n"
    "  effigy render models --sheet -o models.png\n"
    "  effigy render models -o thumbnails/ --size 256";

}  // namespace

Result<void> spare_textures(const Scene& scene, const SceneInput& input, const std::vector<std::string>& outputs) {
    std::vector<std::string> existing;
    std::copy_if(outputs.begin(), outputs.end(), std::back_inserter(existing), [](const std::string& output) {
        std::error_code error;
        return output != "-" && std::filesystem::exists(output, error);
    });
    if (existing.empty()) return {};
    const image::Library library(texture_folders(input));
    for (const Image& image : scene.images) {
        const std::filesystem::path texture = image.name.empty() ? "" : library.find(image.name);
        if (texture.empty()) continue;
        for (const std::string& output : existing) {
            if (is_same_file(texture.string(), output))
                return fail(
                    make_finding(codes::usage_output, output, "the output is one of the model's textures: " + output));
        }
    }
    for (const std::string& output : existing) {
        if (auto spared = spare_read(input, output); !spared) return spared;  // textures of a glTF are not searched
    }
    return {};
}

int finish_render(const RenderOutcome& outcome, const Report& report, const RenderOptions& options) {
    print_report(report, options.input.common);
    const int code = report.has_errors() ? exit_code::findings : exit_code::fine;
    if (options.output() == "-") return code;
    if (options.input.common.json) {
        print(pretty(outcome_json(outcome, report, options)));
    } else if (!options.input.common.quiet) {
        print(summary_line(outcome, report, options) + "\n");
    }
    return code;
}

void add_render(CLI::App& program, Verb& chosen) {
    const auto [verb, options] = add_verb(program, chosen, run_render, "render",
                                          "Draw a picture, a sheet of pictures or an animation.", render_footer);
    add_options(*verb, *options);
}

}  // namespace effigy::app
