/// The switches of `effigy render` as settings, and what contradicts itself in them.

#include "render_options.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "common.hpp"
#include "sheet.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

constexpr std::size_t max_pictures = 10000;
constexpr const char* usual_view = "three-quarter";

std::string extension_of(const RenderOptions& options) {
    return options.png ? ".png" : lower(std::filesystem::path(options.output()).extension().string());
}

bool is_animation(const std::string& extension) { return extension == ".webp" || extension == ".gif"; }

std::string output_form_problem(const RenderOptions& options) {
    const std::string extension = extension_of(options);
    const bool animation = is_animation(extension);
    if (options.output() == "-") {
        if (options.animate) return "an animation cannot go to standard output; name a file that ends in .webp or .gif";
        if (form_of(options) == Form::files) return "several files cannot go to standard output; use --sheet";
        return options.input.common.json ? "--json and the output cannot both go to standard output; use --report FILE"
                                         : "";
    }
    if (extension != ".png" && !animation)
        return "no picture can be written as " + options.output() + "; use .png, or .webp or .gif for an animation";
    if (options.animate && !animation) return "--animate needs an output that ends in .webp or .gif";
    if (animation && options.sheet) return "a sheet is one picture: write it as .png";
    return {};
}

/// Options that a contact sheet has no use for.
std::string folder_problem(const RenderOptions& options) {
    if (!options.sheet) return "a folder's models can only be drawn as a contact sheet: add --sheet";
    if (options.frames != 0) return "--frames does not go with a folder: motions are not shown there";
    if (options.turntable) return "--turntable does not go with a folder: each model gets one picture";
    if (options.time || !options.clip.name.empty()) return "a folder's models are shown in their rest pose";
    const auto& inputs = options.input.inputs;
    const auto motion = std::find_if(inputs.begin(), inputs.end(), is_motion);
    if (motion != inputs.end()) return "a folder's models are shown in their rest pose; leave out " + *motion;
    return {};
}

std::string count_problem(const RenderOptions& options) {
    if (options.turntable && options.frames != 0)
        return "--turntable and --frames both say how many pictures; use --turntable N";
    const bool animation = form_of(options) == Form::animation;
    if (options.frames != 0 && options.time) return "--frames covers the whole clip; leave out --time";
    if (options.frames_per_second != 0 && !animation) return "--fps is for animations: write .webp or .gif";
    if (options.frames_per_second != 0 && options.frames != 0)
        return "--fps and --frames both say how many pictures one loop has; use one of them";
    if (animation && !options.turntable && options.time)
        return "an animation plays the whole clip; leave out --time, or use --turntable";
    if (form_of(options) == Form::sheet && options.frames == 0 && !options.turntable && !options.view.empty())
        return "--sheet shows four views of one moment; --view needs --frames N with it";
    return {};
}

render::View view_of(const RenderOptions& options) {
    return parse_view(options.view.empty() ? usual_view : options.view).value_or(render::View{});
}

/// A turntable starts at the front.
render::View first_view(const RenderOptions& options) {
    if (!options.view.empty()) return view_of(options);
    return {0, named_view(usual_view).pitch};
}

std::string number_text(double number, int digits) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, number);
    return text.data();
}

std::string angle_text(double degrees) {
    const double positive = std::fmod(std::fmod(degrees, 360) + 360, 360);
    return number_text(positive, std::abs(positive - std::round(positive)) < 0.05 ? 0 : 1) + " deg";
}

std::size_t turn_count(const RenderOptions& options, Form form) {
    if (!options.turns.empty()) return static_cast<std::size_t>(std::stoul(options.turns));
    return form == Form::sheet ? 8 : 36;
}

/// Seconds. Viewers show pictures of a GIF that stay for less than two hundredths as if they stayed for ten.
double shortest_picture_time(const RenderOptions& options) {
    return animation_kind(options) == image::AnimationKind::gif ? 0.02 : 0.01;
}

/// How many pictures a clip has at a rate. A rate that can be shown does not become one that cannot by rounding up.
double picture_count(const RenderOptions& options, double duration, double rate) {
    const double count = std::max(1.0, std::round(duration * rate));
    const double shortest = shortest_picture_time(options);
    if (rate * shortest > 1 + 1e-9) return count;
    return std::min(count, std::max(1.0, std::floor(duration / shortest + 1e-6)));
}

/// Without a motion a turn at the usual speed would be a whirl.
double pictures_per_second(const RenderOptions& options, bool plays) {
    if (options.frames_per_second != 0) return options.frames_per_second;
    return plays ? 25 : 12;
}

/// The camera goes around once. In an animation the clip plays meanwhile, in whole loops, so that the end meets the
/// beginning, and at its own speed unless the pictures a second were asked for.
ShotList turn(const RenderOptions& options, Form form, std::optional<double> duration) {
    const bool plays = form == Form::animation && duration && *duration > 0 && !options.time;
    const std::size_t count = turn_count(options, form);
    const render::View first = first_view(options);
    ShotList list{{}, Framing::turntable, 1 / pictures_per_second(options, plays)};
    const double length = static_cast<double>(count) * list.picture_time;
    const double loops = plays ? std::max(1.0, std::round(length / *duration)) : 0;
    if (plays && options.frames_per_second == 0) list.picture_time = loops * *duration / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(count);
        const double yaw = double{first.yaw} + 360 * part;
        const double time = plays ? std::fmod(loops * *duration * part, *duration) : options.time.value_or(0);
        list.shots.push_back({{static_cast<float>(yaw), first.pitch}, time, angle_text(yaw)});
    }
    return list;
}

ShotList play(const RenderOptions& options, double duration, std::size_t count) {
    ShotList list{{}, Framing::together, duration / static_cast<double>(count)};
    for (std::size_t i = 0; i < count; ++i) {
        const double time = duration * static_cast<double>(i) / static_cast<double>(count);
        list.shots.push_back({view_of(options), time, number_text(time, 2) + " s"});
    }
    return list;
}

ShotList views_of_one_moment(double time) {
    ShotList list;
    for (const char* name : {"front", "side", "back", usual_view}) list.shots.push_back({named_view(name), time, name});
    return list;
}

}  // namespace

bool has_folder(const SceneInput& input) {
    return std::any_of(input.inputs.begin(), input.inputs.end(), [](const std::string& path) {
        std::error_code error;
        return path != "-" && std::filesystem::is_directory(path, error);
    });
}

Form form_of(const RenderOptions& options) {
    if (has_folder(options.input)) return Form::contacts;
    if (options.animate || is_animation(extension_of(options))) return Form::animation;
    if (options.sheet) return Form::sheet;
    return options.frames != 0 || options.turntable ? Form::files : Form::picture;
}

image::AnimationKind animation_kind(const RenderOptions& options) {
    return extension_of(options) == ".gif" ? image::AnimationKind::gif : image::AnimationKind::webp;
}

std::string render_usage_problem(const RenderOptions& options) {
    const bool folder = has_folder(options.input);
    if (folder) {
        if (std::string problem = folder_problem(options); !problem.empty()) return problem;
    }
    if (std::string problem = output_form_problem(options); !problem.empty()) return problem;
    if (std::string problem = count_problem(options); !problem.empty()) return problem;
    if (std::string problem = output_problem(options.output(), options.input); !problem.empty()) return problem;
    if (folder) return {};
    if (std::string problem = input_problem(options.input); !problem.empty()) return problem;
    return has_only_motions(options.input) ? "a motion alone cannot be drawn; name the model that it moves too" : "";
}

Size picture_size(const RenderOptions& options, Form form) {
    if (const auto size = parse_size(options.size)) return *size;
    if (form == Form::animation) return {512, 512};
    if (form == Form::sheet || form == Form::contacts) return {384, 384};
    return {1024, 1024};
}

render::Options drawing_options(const RenderOptions& options, Size size) {
    render::Options drawing;
    drawing.width = size.width;
    drawing.height = size.height;
    drawing.samples = options.samples;
    if (options.normals) drawing.shading = render::Shading::normals;
    if (options.texcoords) drawing.shading = render::Shading::texcoords;
    drawing.wireframe = options.wireframe;
    drawing.skeleton = options.skeleton;
    drawing.background = parse_background(options.background).value_or(Color{0, 0, 0, 0});
    drawing.threads = options.threads;
    drawing.cancelled = cancelled;
    return drawing;
}

std::string amount_problem(Form form, std::size_t count, Size size) {
    constexpr std::uint64_t max_pixels = std::uint64_t{1} << 28U;  // 1 GiB
    const bool is_sheet = form == Form::sheet || form == Form::contacts;
    const Size whole = is_sheet ? Sheet::size_of(count, size) : size;  // labels have room of their own there
    const std::uint64_t pictures = form == Form::animation ? count : 1;
    if (pictures * whole.width <= max_pixels / whole.height) return {};
    return std::to_string(count) + " pictures of " + std::to_string(size.width) + "x" + std::to_string(size.height) +
           " pixels do not go into one file; use a smaller --size";
}

std::string pace_problem(const RenderOptions& options, Form form, const ShotList& list) {
    if (form != Form::animation || list.shots.size() < 2) return {};
    const double shortest = shortest_picture_time(options);
    if (list.picture_time > shortest * (1 - 1e-6)) return {};
    const bool is_gif = animation_kind(options) == image::AnimationKind::gif;
    return std::string(is_gif ? "viewers do not show a GIF's" : "an animation cannot show its") +
           " pictures faster than " + number_text(1 / shortest, 0) + " a second; use " +
           (options.frames != 0 ? "fewer --frames" : "a lower --fps") + (is_gif ? ", or .webp" : "");
}

tl::expected<ShotList, std::string> list_shots(const RenderOptions& options, Form form,
                                               std::optional<double> duration) {
    const double time = options.time.value_or(0);
    if (options.turntable) return turn(options, form, duration);
    if (form != Form::animation && options.frames == 0) {
        if (form == Form::sheet) return views_of_one_moment(time);
        return ShotList{{{view_of(options), time, options.view.empty() ? usual_view : options.view}}};
    }
    if (!duration) {
        const std::string wish =
            options.frames != 0 ? "--frames wants a motion" : "an animation wants a motion or --turntable";
        return tl::unexpected(
            wish + (options.clip.rest ? ", and the rest pose does not move" : ", and no input moves what is shown"));
    }
    const double rate = options.frames_per_second != 0 ? options.frames_per_second : 25;
    const double count = options.frames != 0 ? options.frames : picture_count(options, *duration, rate);
    if (!(count <= static_cast<double>(max_pictures))) {
        return tl::unexpected("the motion is " + number_text(*duration, 0) +
                              " s long, which makes too many pictures; use --frames N or a lower --fps");
    }
    return play(options, *duration, static_cast<std::size_t>(count));
}

Shot portrait(const RenderOptions& options, const std::string& label) { return {view_of(options), 0, label}; }

}  // namespace effigy::app
