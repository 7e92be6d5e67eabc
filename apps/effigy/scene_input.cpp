#include "scene_input.hpp"

#include <algorithm>
#include <array>
#include <future>

#include "effigy/arp_scene.hpp"
#include "effigy/textures.hpp"

#include "text.hpp"

namespace effigy::app {

namespace {

/// Names the clip of a motion that comes from there.
constexpr const char* standard_input_name = "stdin";

/// Motions of signing avatars have two extensions: hello.cas.xml.
bool is_stem_of(const std::string& stem, const std::filesystem::path& path) {
    return path.stem() == stem || path.stem() == stem + ".cas";
}

/// Large files are hashed while they are read.
std::future<Result<std::string>> start_hash(const std::string& path, std::uint64_t size) {
    constexpr std::uint64_t large = 4 << 20;
    return std::async(size >= large ? std::launch::async : std::launch::deferred,
                      [path] { return content_hash(std::filesystem::path(path)); });
}

/// A path that is none on the disk may be one in the game, where it may be in a catalog.
std::optional<egosoft::Location> find_in_game(const std::string& path, const Game& game) {
    std::error_code error;
    if (path == "-" || std::filesystem::exists(path, error)) return std::nullopt;
    return game.files.find(path);
}

Result<SceneSource> read_from_game(const std::string& path, const egosoft::Location& place, const Game& game,
                                   const Limits& limits, Report& report) {
    const auto bytes = game.files.read(place);
    if (!bytes) return fail(bytes.error());
    auto loaded = open_bytes(*bytes, place.name, {limits});
    if (!loaded) return fail(std::move(loaded.error()));
    report.append(std::move(loaded->report));
    return SceneSource{std::move(loaded->value), path, bytes->size(), content_hash(*bytes)};
}

Result<SceneSource> read_source(const std::string& path, const Game& game, const Limits& limits, Report& report) {
    if (const auto place = find_in_game(path, game)) return read_from_game(path, *place, game, limits, report);
    std::error_code error;
    const std::uint64_t size = path == "-" ? 0 : std::filesystem::file_size(path, error);
    std::future<Result<std::string>> hash;
    if (path != "-" && !error) hash = start_hash(path, size);
    auto loaded = open(path, limits);
    Result<std::string> text = hash.valid() ? hash.get() : Result<std::string>("");
    if (!loaded) {
        const bool is_nowhere = error == std::errc::no_such_file_or_directory && !game.files.empty();
        if (is_nowhere)
            loaded.error().message =
                "there is no such file, neither here nor in the games and mods; `effigy ls` shows theirs";
        return fail(std::move(loaded.error()));
    }
    report.append(std::move(loaded->report));
    return SceneSource{std::move(loaded->value), path == "-" ? standard_input_name : path, error ? 0 : size,
                       text ? std::move(*text) : ""};
}

Report leave_out_textures(Scene& scene) {
    Report report;
    for (Image& image : scene.images) image.bytes.clear();
    const std::size_t count = load_textures(scene, {}).count("texture-missing");
    if (count == 0) return report;
    Diagnostic finding;
    finding.code = "texture-missing";
    finding.severity = Severity::info;
    finding.message = counted(count, "texture") + (count == 1 ? " is" : " are") + " left out, as --no-textures asks";
    report.add(std::move(finding));
    return report;
}

NormalLayout normal_layout(const std::string& name) {
    if (name == "auto") return NormalLayout::automatic;
    return name == "ag" ? NormalLayout::alpha_green : NormalLayout::rgb;
}

arp::ArmTwist arm_twist(const std::string& name) {
    if (name == "none") return arp::ArmTwist::none;
    return name == "bake" ? arp::ArmTwist::bake : arp::ArmTwist::joints;
}

Report add_pictures(Scene& scene, const SceneInput& input, const Game& game) {
    if (input.no_textures) return leave_out_textures(scene);
    TextureOptions textures;
    textures.source = texture_source(game.files);
    textures.folders = texture_folders(input);
    textures.normal_map_green = input.green == "keep" ? GreenChannel::keep : GreenChannel::flip;
    textures.normal_map_layout = normal_layout(input.normal_layout);
    textures.quick = input.quick_textures;
    textures.limits = input.common.limits;
    return load_textures(scene, textures);
}

SceneSettings scene_settings(const SceneInput& input, const Game& game) {
    SceneSettings settings;
    settings.limits = input.common.limits;
    settings.encoding = input.common.encoding;
    settings.morph_normal_range = input.morph_normal_range;
    settings.lod = input.lod == "all" ? -1 : std::stoi(input.lod);
    settings.resample = input.resample;
    settings.frames_per_second = input.frames_per_second;
    settings.retarget = input.retarget;
    settings.raw_colors = input.colors == "raw";
    settings.files = game.files.empty() ? nullptr : &game.files;
    settings.arm_twist = arm_twist(input.arm_twist);
    settings.embed_source = input.embed_source;
    settings.gltf_scene = input.gltf_scene;
    settings.allow_outside = input.allow_outside;
    return settings;
}

}  // namespace

void SceneInput::add_textures(CLI::App& verb) {
    verb.add_option("--textures", textures, "Folder to search for textures, before the inputs' own; may be repeated")
        ->allow_extra_args(false)
        ->option_text("DIR");
    verb.add_flag("--no-textures", no_textures, "Leave out all textures")->excludes("--textures");
    verb.add_option("--normal-map-green", green,
                    "Green of normal maps: flip, keep, or auto (flips, as these games' maps are DirectX-style)")
        ->check(CLI::IsMember({"auto", "flip", "keep"}))
        ->capture_default_str()
        ->option_text("HOW");
    verb.add_option("--normal-map-layout", normal_layout,
                    "Normal maps hold x, y, z in red, green, blue (rgb), or x in alpha and y in green (ag); auto looks")
        ->check(CLI::IsMember({"auto", "rgb", "ag"}))
        ->capture_default_str()
        ->option_text("HOW");
}

void SceneInput::add_game(CLI::App& verb) {
    game.add(verb);
    verb.add_option("--colors", colors,
                    "Egosoft: vertex colours as COLOR_n as they are (raw), or as custom attributes that no viewer "
                    "multiplies with the surface (auto)")
        ->check(CLI::IsMember({"auto", "raw"}))
        ->capture_default_str()
        ->option_text("HOW");
}

void SceneInput::add_gltf(CLI::App& verb) {
    verb.add_option("--scene", gltf_scene, "glTF with several scenes: the one to show, counted from 0")
        ->check(CLI::Range(0, 65535))
        ->option_text("NUMBER");
    verb.add_flag("--allow-outside", allow_outside, "glTF: also read files that do not lie below the input's folder");
}

void SceneInput::add_retarget(CLI::App& verb) {
    verb.add_flag("--retarget", retarget,
                  "Adapt motions that were made for another model to this one's proportions, as the engine does");
}

void SceneInput::add_morph_normal_range(CLI::App& verb) {
    verb.add_option("--morph-normal-range", morph_normal_range, "Morph normal offsets span -1..1 (1) or -2..2 (2)")
        ->check(CLI::IsMember({1, 2}))
        ->capture_default_str()
        ->option_text("1|2");
}

void SceneInput::add_allow_damaged(CLI::App& verb) {
    verb.add_flag("--allow-damaged", allow_damaged, "Convert what can be read of damaged inputs (exit code 1)");
}

void SceneInput::add_report(CLI::App& verb) {
    verb.add_option("--report", report, "Write what was lost, replaced or baked to this JSON file")
        ->option_text("FILE");
}

std::string level_problem(const std::string& text, bool all) {
    const bool number = !text.empty() && text.size() < 4 && text.find_first_not_of("0123456789") == std::string::npos;
    if (number || (all && text == "all")) return "";
    return std::string("a level (0, 1, ...)") + (all ? " or all" : "") + " is needed";
}

std::string input_problem(const SceneInput& input) {
    const std::vector<std::string>& paths = input.inputs;
    for (std::size_t index = 0; index < paths.size(); ++index) {
        const std::string& path = paths[index];
        std::error_code error;
        if (path != "-" && std::filesystem::is_directory(path, error))
            return path + " is a folder; name the files to convert";
        if (!input.report.empty() && is_same_file(path, input.report))
            return "the report is one of the inputs: " + path + "; inputs are never changed";
        const bool twice =
            std::any_of(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(index),
                        [&](const std::string& other) { return path == other || is_same_file(path, other); });
        if (twice) return "this input is named twice: " + path;
    }
    for (const std::string& folder : input.textures) {
        std::error_code error;
        if (!std::filesystem::is_directory(folder, error))
            return "--textures wants a folder; there is none called " + folder;
    }
    if (std::string problem = game_problem(input.game); !problem.empty()) return problem;
    if (scene_paths(input).empty())
        return "these files only go with others; name a model or a motion too (of a .jcs, the .xmf)";
    return {};
}

std::string scene_problem(const SceneInput& input) {
    for (const std::string& path : input.inputs) {
        const FormatInfo* format = format_of_file(path);
        if (format == nullptr) continue;
        if (format->role == Role::archive) {
            return path +
                   " is an archive of files: name one of them and the archive with --game, or unpack it first "
                   "(effigy unpack)";
        }
        if (format->role == Role::library) {
            return path + " (" + std::string(format->name) +
                   ") has nothing to show: name a model; material libraries "
                   "go with --materials, indexes and macros are found in the folder that --game names";
        }
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

std::vector<std::filesystem::path> texture_folders(const SceneInput& input) {
    std::vector<std::filesystem::path> folders;
    const auto add = [&](const std::filesystem::path& folder) {
        const bool known = std::any_of(folders.begin(), folders.end(), [&](const std::filesystem::path& other) {
            return folder == other || is_same_file(folder.string(), other.string());
        });
        if (!known) folders.push_back(folder);
    };
    for (const std::string& folder : input.textures) add(folder);
    for (const std::string& path : input.inputs) {
        const std::filesystem::path folder = std::filesystem::path(path).parent_path();
        if (path != "-") add(folder.empty() ? "." : folder);
    }
    return folders;
}

bool is_motion(const std::string& path) {
    const FormatInfo* format = format_of_file(path);
    return format != nullptr && format->role == Role::motion;
}

bool has_only_motions(const SceneInput& input) {
    const std::vector<std::string> paths = scene_paths(input);
    return !paths.empty() && std::all_of(paths.begin(), paths.end(), is_motion);
}

std::vector<std::string> scene_paths(const SceneInput& input) {
    std::vector<std::string> paths = input.inputs;
    std::erase_if(paths, [](const std::string& path) { return is_companion(path); });
    return paths;
}

Result<Sources> read_sources(const SceneInput& input, Report& report) {
    const std::vector<std::string> paths = scene_paths(input);
    auto game = open_game(input.game, input.inputs, input.common.limits, report);
    if (!game) return fail(std::move(game.error()));
    std::vector<SceneSource> sources;
    Progress progress("reading", paths.size(), input.common.quiet);
    for (std::size_t index = 0; index < paths.size(); ++index) {
        progress.step(index, paths[index]);
        if (cancelled()) return fail(cancelled_error(input));
        auto source = read_source(paths[index], *game, input.common.limits, report);
        if (!source) return fail(std::move(source.error()));
        sources.push_back(std::move(*source));
    }
    if (report.has_errors() && !input.allow_damaged) {
        return fail(
            make_error("damaged-input", input.output,
                       "nothing was written because an input is damaged; --allow-damaged converts what can be read"));
    }
    return Sources{std::move(sources), std::move(*game)};
}

Result<Scene> make_scene(Sources sources, const SceneInput& input, Report& report) {
    const Game& game = sources.game;
    auto loaded = to_scene(std::move(sources.files), scene_settings(input, game));
    if (!loaded) {
        Report reason;
        reason.add(std::move(loaded.error()));
        name_files(reason, input);
        return fail(std::move(reason.diagnostics().front()));
    }
    report.append(std::move(loaded->report));
    report.append(egosoft::resolve_materials(loaded->value, game.materials, game.expected));
    report.append(add_pictures(loaded->value, input, game));
    report.append(generate_missing_tangents(loaded->value));
    return std::move(loaded->value);
}

Result<Scene> load_scene(const SceneInput& input, Report& report) {
    auto sources = read_sources(input, report);
    if (!sources) return fail(std::move(sources.error()));
    return make_scene(std::move(*sources), input, report);
}

void name_files(Report& report, const SceneInput& input) {
    for (Diagnostic& finding : report.diagnostics()) {
        const auto found = std::find_if(input.inputs.begin(), input.inputs.end(), [&](const std::string& path) {
            return path == "-" ? finding.file == standard_input_name : is_stem_of(finding.file, path);
        });
        if (finding.file.empty()) {
            finding.file = input.output;
        } else if (found != input.inputs.end()) {
            finding.file = *found;
        }
    }
}

Diagnostic cancelled_error(const SceneInput& input) {
    return make_error("limit-cancelled", input.output, "cancelled; nothing was written");
}

Json report_json(const Report& report) {
    return {{"effigy_report", 1}, {"findings", to_json(report)}, {"suppressed", suppressed_json(report)}};
}

Result<void> write_report(const Report& report, const SceneInput& input) {
    if (input.report.empty()) return {};
    return write_text(input.report, pretty(report_json(report)));
}

int failed(Diagnostic failure, Report report, const SceneInput& input) {
    print_report(report, !input.common.quiet);
    const int code = fail_with(failure);
    report.add(std::move(failure));
    if (const auto done = write_report(report, input); !done) print_error(to_string(done.error()));
    return code;
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
