/// Collects inputs and switches from the command line and hands them to the library.

#include "scene_input.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "effigy/core_codes.hpp"
#include "effigy/program_codes.hpp"

#include "findings.hpp"
#include "page_files.hpp"
#include "text.hpp"

namespace effigy::app {

void SceneInput::add_report(CLI::App& verb) {
    verb.add_option("--report", report, "Write what was lost, replaced or baked to this JSON file")
        ->option_text("FILE");
}

Result<void> spare_read(const SceneInput& input, const std::string& file) {
    if (!input.read.contains(file)) return {};
    return fail(make_finding(codes::usage_output, file, "the inputs refer to this file; write another one"));
}

ConvertOptions SceneInput::convert_options(Report& noticed) const {
    ConvertOptions options;
    options.values = values;
    if (allow_damaged) options.values.set("allow-damaged");
    options.pass_over_switches = allow_damaged;
    options.limits = common.limits;
    options.progress = progress_line(common.quiet);
    options.report_of_failure = &noticed;
    options.quick_textures = quick_textures;
    read.note(options);
    return options;
}

std::string input_problem(const SceneInput& input) {
    for (const std::string& path : input.inputs) {
        if (!input.report.empty() && is_same_file(path, input.report))
            return "the report is one of the inputs: " + path + "; inputs are never changed";
    }
    return {};
}

std::string output_problem(const std::string& output, const SceneInput& input) {
    if (output.empty()) return {};
    for (const std::string& path : input.inputs) {
        if (is_same_file(path, output))
            return "the output is one of the inputs: " + path + "; inputs are never changed";
    }
    if (output == input.report || is_same_file(output, input.report)) return "the output and the report are one file";
    return {};
}

namespace {

/// As conversions call what they write beside an output; the very names are known only when all is converted. Beside
/// exchange formats all begin as the output does.
bool is_called_as_side_file(const std::filesystem::path& file, const std::filesystem::path& output) {
    constexpr std::array<std::string_view, 7> endings{".bin", ".mtl", ".png", ".jpg", ".webp", ".dds", ".gz"};
    const FormatInfo* const format = format_of_name(output);
    if (format != nullptr && format->traits.streams) return false;
    const std::string extension = file.extension().string();
    const bool is_like = std::find(endings.begin(), endings.end(), extension) != endings.end() || format_of_name(file);
    const bool is_exchange = format != nullptr && format->traits.is_exchange;
    return is_like && (!is_exchange || file.filename().string().starts_with(output.stem().string()));
}

}  // namespace

std::string side_file_problem(const SceneInput& input) {
    const std::filesystem::path output(input.output), report(input.report);
    if (report.empty() || output.empty() || output == "-" || !is_called_as_side_file(report, output)) return {};
    std::error_code error;
    const auto folder_of = [&](const std::filesystem::path& file) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(file, error).parent_path(), error);
    };
    const bool is_folder = !output.has_filename() || std::filesystem::is_directory(output, error);
    const bool is_beside =
        is_folder ? lies_in(folder_of(report), folder_of(output / "")) : folder_of(report) == folder_of(output);
    return is_beside ? "the output and the report are one file, or may be: files that go with an output are called "
                       "like " +
                           input.report + "; end the report's name with .json"
                     : "";
}

bool is_motion(const std::string& path) {
    const FormatInfo* format = format_of_file(path);
    return format != nullptr && format->role == Role::motion;
}

bool has_only_motions(const SceneInput& input) {
    std::vector<std::string> paths = input.inputs;
    std::erase_if(paths, [](const std::string& path) { return is_companion(path); });
    return !paths.empty() && std::all_of(paths.begin(), paths.end(), is_motion);
}

Result<std::vector<InputFile>> input_files(const std::vector<std::string>& paths, const Limits& limits) {
    std::vector<InputFile> files(paths.begin(), paths.end());
    const auto standard =
        std::find_if(files.begin(), files.end(), [](const InputFile& file) { return file.path == "-"; });
    if (standard == files.end()) return files;
    auto bytes = read_standard_input(limits);
    if (!bytes) return fail(std::move(bytes.error()));
    standard->bytes = std::move(*bytes);
    return files;
}

std::function<bool(const Step&)> progress_line(bool quiet) {
    struct Line {
        std::string what;
        std::optional<Progress> progress;
    };
    return [quiet, line = std::make_shared<Line>()](const Step& step) {
        if (line->what != step.what) {
            line->what = step.what;
            line->progress.emplace(line->what, step.total, quiet);
        }
        line->progress->step(step.done, step.name);
        return !cancelled();
    };
}

Result<Scene> load_scene(const SceneInput& input, Report& report) {
    auto files = input_files(input.inputs, input.common.limits);
    if (!files) return fail(std::move(files.error()));
    auto loaded = effigy::load_scene(*files, input.convert_options(report));
    if (!loaded) return fail(std::move(loaded.error()));
    report.append(std::move(loaded->report));
    return std::move(loaded->value);
}

std::vector<std::filesystem::path> texture_folders(const SceneInput& input) {
    ConvertOptions options;
    options.values = input.values;
    return effigy::texture_folders({input.inputs.begin(), input.inputs.end()}, options);
}

void name_files(Report& report, const SceneInput& input) { report.name_file(input.output); }

Diagnostic cancelled_error(const SceneInput& input) {
    return make_finding(codes::limit_cancelled, input.output, "cancelled; nothing was written");
}

Json report_json(const Report& report) {
    return {{"effigy_report", 1}, {"findings", to_json(report)}, {"suppressed", suppressed_json(report)}};
}

Result<void> write_report(const Report& report, const SceneInput& input) {
    if (input.report.empty()) return {};
    if (auto spared = spare_read(input, input.report); !spared) return spared;
    return write_text(input.report, pretty(report_json(report)));
}

namespace {

/// For programs, unless what they read is the output itself.
void print_failure(const Diagnostic& failure, Report report, const SceneInput& input) {
    if (!input.common.json || input.output == "-") return;
    Json json{{"error", to_json(failure)}};
    report.add(failure);
    json.update(report_json(report));
    print(pretty(json));
}

}  // namespace

int failed(const Diagnostic& failure, Report report, const SceneInput& input) {
    print_report(report, input.common);
    const int code = fail_with(failure);
    print_failure(failure, report, input);
    report.add(failure);
    const auto done = write_report(report, input);
    const bool is_said = done || to_string(done.error()) == to_string(failure);
    if (!is_said) print_error(to_string(done.error()));
    return code;
}

int failed(const char* verb, Diagnostic failure, Report report, const SceneInput& input) {
    if (failure.file.empty() && codes::is_usage(failure.code)) {
        name_files(report, input);
        print_report(report, input.common);
        print_failure(failure, std::move(report), input);
        return fail_usage(verb, failure.message);
    }
    if (failure.file.empty()) failure.file = input.output;
    name_files(report, input);
    return failed(failure, std::move(report), input);
}

Json counts_json(const Scene& scene) {
    std::size_t triangles = 0;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& primitive : mesh.primitives) triangles += triangle_count(primitive);
    }
    return {{"nodes", scene.nodes.size()}, {"meshes", scene.meshes.size()},       {"triangles", triangles},
            {"skins", scene.skins.size()}, {"materials", scene.materials.size()}, {"images", scene.images.size()},
            {"clips", scene.clips.size()}};
}

std::string counts_text(const Json& counts) {
    static constexpr std::array<std::pair<const char*, const char*>, 7> nouns{{{"nodes", "node"},
                                                                               {"meshes", "mesh"},
                                                                               {"triangles", "triangle"},
                                                                               {"skins", "skin"},
                                                                               {"materials", "material"},
                                                                               {"images", "image"},
                                                                               {"clips", "clip"}}};
    std::string text;
    for (const auto& [key, noun] : nouns) {
        const std::uint64_t number = counts[key].get<std::uint64_t>();
        if (number != 0) text += (text.empty() ? "" : ", ") + counted(number, noun);
    }
    return text;
}

}  // namespace effigy::app
