/// The rows that X42 and the files beside it give to the registry.

#include <array>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "effigy/program_codes.hpp"
#include "effigy/x42.hpp"
#include "effigy/x42_codes.hpp"
#include "effigy/x42_scene.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "registry/document_row.hpp"
#include "registry/new_files.hpp"
#include "registry/shared_options.hpp"
#include "scene/bridge.hpp"
#include "scene/records.hpp"
#include "x42/file/formats.hpp"
#include "x42/from_scene/folder.hpp"
#include "x42/from_scene/from_scene.hpp"

namespace effigy::x42 {

namespace {

constexpr std::array<std::string_view, 1> model_extensions{"x42"};
constexpr std::array<std::string_view, 1> config_extensions{"cfg"};
constexpr std::array<std::string_view, 1> skin_extensions{"skin"};

constexpr FormatInfo model_format = faithful_format(
    "x42", "X42 character model", "x42", Role::model, model_extensions,
    "5, little- and big-endian; 6 where the file shows how its morph targets are stored; 0 to 4 are named only");
constexpr FormatTraits traits_beside_models{.goes_with_model = true, .shares_extension = true};
constexpr FormatInfo config_format =
    faithful_format("animation-cfg", "animations of an X42 model", "x42", Role::companion, config_extensions,
                    "animation.cfg of Space Trader and Quake III", traits_beside_models);
constexpr FormatInfo skin_format =
    faithful_format("skin", "shaders of an X42 model's surfaces", "x42", Role::companion, skin_extensions,
                    "default.skin of Space Trader and Quake III", traits_beside_models);

bool looks_like_model(std::span<const std::byte> head) noexcept {
    return head.size() >= 4 && (std::memcmp(head.data(), "HW42", 4) == 0 || std::memcmp(head.data(), "24WH", 4) == 0);
}

const Document::Operations* recognize(std::span<const std::byte> head, std::string_view name) {
    if (looks_like_model(head)) return &operations<ModelFormat>();
    if (looks_like_config(head, name)) return &operations<ConfigFormat>();
    if (looks_like_skin(head, name)) return &operations<SkinFormat>();
    return nullptr;
}

/// Files that the game reads beside a model, and that nobody named.
std::string unused_beside(const std::filesystem::path& model, const Files* files, const SceneInput& input) {
    std::string names;
    const auto look_for = [&](const char* name) {
        if (read_beside(model.parent_path() / name, files, std::uint64_t{1} << 20))
            names += (names.empty() ? "" : ", ") + std::string(name);
    };
    if (input.configs.empty()) look_for("animation.cfg");
    if (input.skins.empty()) look_for("default.skin");
    if (input.skins.empty()) look_for("char_default.skin");
    return names;
}

void note_unused(const std::filesystem::path& model, const Files* files, const SceneInput& input, Report& report) {
    const std::string names = model.empty() || model == "-" ? "" : unused_beside(model, files, input);
    if (names.empty()) return;
    Diagnostic finding = problem_at(
        {}, codes::x42_beside,
        "Files beside the model are not used; name them as inputs too to get their animations and shaders.", names);
    finding.file = model.stem().string();
    report.add(std::move(finding));
}

Result<Loaded<Scene>> sources_to_scene(std::vector<SceneSource> sources, const ConversionContext& context) {
    SceneInput input;
    std::filesystem::path first_model;
    for (SceneSource& source : sources) {
        Source origin{source.named().stem().string(), source.size, source.hash, source.named().string()};
        const std::string_view id = source.document.format().id;
        if (id == model_format.id) {
            if (first_model.empty()) first_model = source.path;
            input.models.push_back({std::move(origin), std::move(*source.document.get_if<File>())});
        } else if (id == config_format.id) {
            input.configs.push_back({std::move(origin), std::move(*source.document.get_if<AnimationConfig>())});
        } else {
            input.skins.push_back({std::move(origin), std::move(*source.document.get_if<Skin>())});
        }
    }
    SceneOptions options;
    options.limits = context.limits;
    options.encoding = context.options.text("encoding", options.encoding);
    options.lod = static_cast<int>(context.options.number("lod", -1));
    options.resample = context.options.number("resample");
    options.frames_per_second = context.options.number("fps");
    Report report;
    note_unused(first_model, context.files, input, report);
    auto scene = to_scene(std::move(input), options);
    if (scene) scene->report.append(std::move(report));
    return scene;
}

Result<FromSceneOptions> options_of(const ConversionContext& context) {
    const OptionValues& values = context.options;
    if (values.has("x42-version")) {
        return fail(problem_at("options / x42-version", codes::usage_option,
                               "--x42-version changes an X42 file and nothing else; leave it out"));
    }
    FromSceneOptions options;
    options.limits = context.limits;
    options.encoding = values.text("encoding", options.encoding);
    options.frames_per_second = values.number("fps");
    options.max_error = values.number("max-error");
    options.max_bones = static_cast<std::uint32_t>(values.number("bones", options.max_bones));
    return options;
}

/// Of the clips that only an animation.cfg would name.
void note_config(const Scene& scene, const NativeFiles& made, Report& report) {
    if (made.config.animations.size() <= made.model.animations.size()) return;
    NameList left;
    for (const Clip& clip : scene.clips) {
        if (text_at(record_of(clip.extras), "kind") == "config") left.add(clip.name);
    }
    if (!left.empty()) report.add(problem_at("clips", codes::x42_config_left_out, {}, left.text()));
}

/// The model, its animations and textures; `made` has what it was written from.
Result<NewFiles> files_of(const Scene& scene, const std::string& name, const ConversionContext& context,
                          Loaded<NativeFiles>& made) {
    auto bytes = write(made.value.model);
    if (!bytes) return fail(std::move(bytes.error()));
    NewFiles files{{}, std::move(made.report)};
    files.value.push_back({name, std::move(*bytes)});
    const OptionValues& values = context.options;
    const bool wants_config = values.flag("animation-config") || values.has("target");
    if (wants_config && !made.value.config.text.empty())
        files.value.push_back({"animation.cfg", std::move(made.value.config.text)});
    if (!wants_config) note_config(scene, made.value, files.report);
    if (!values.flag("no-textures"))
        files.report.append(append_images(scene,
                                          {.mark = "shader",
                                           .form = texture_form(values),
                                           .limits = context.limits,
                                           .textures = context.textures,
                                           .slots = bridge::named_slots,
                                           .marks = texture_marks_without_blanks},
                                          files.value));
    return files;
}

Result<NewFiles> files_from_scene(const Scene& scene, const FormatInfo& /*format*/, const std::filesystem::path& path,
                                  const ConversionContext& context) {
    auto options = options_of(context);
    if (!options) return fail(std::move(options.error()));
    auto made = from_scene(scene, *options);
    if (!made) return fail(std::move(made.error()));
    return files_of(scene, path.filename().string(), context, *made);
}

/// A character in the game's folders.
Result<NewFiles> folder_of_scene(const Scene& given, const std::filesystem::path& path,
                                 const ConversionContext& context) {
    const std::optional<Scene> flat = with_flat_textures(given, "shader");
    const Scene& scene = flat ? *flat : given;
    auto options = options_of(context);
    if (!options) return fail(std::move(options.error()));
    const std::string name = plain_text(path.filename().string(), "-_");
    options->shader_folder = "models/players/" + name + "/";
    auto made = from_scene(scene, *options);
    if (!made) return fail(std::move(made.error()));
    auto files = files_of(scene, "char.x42", context, *made);
    if (!files) return files;
    for (NewFile& file : files->value) file.name = options->shader_folder + file.name;
    if (auto added = add_character(scene, made->value.model, *options, context, *files); !added)
        return fail(std::move(added.error()));
    files->report.add(problem_at(options->shader_folder, codes::game_entry,
                                 "The game asks for characters by the names of their folders, in its table of npcs; "
                                 "icon_default is a stand-in for a portrait, without which it refuses them.",
                                 name));
    return files;
}

/// The same file as another version of the format.
Result<std::optional<Loaded<Document>>> recode(Document& document, const FormatInfo& format,
                                               const OptionValues& options, const std::filesystem::path& /*output*/) {
    File* file = document.get_if<File>();
    if (file == nullptr || format.id != model_format.id || !options.has("x42-version")) return std::nullopt;
    auto changed = with_version(std::move(*file), static_cast<int>(options.number("x42-version")));
    if (!changed) return fail(std::move(changed.error()));
    return Loaded<Document>{document_of<ModelFormat>(std::move(changed->value)), std::move(changed->report)};
}

constexpr std::array<std::string_view, 2> versions{"5", "6"};
constexpr std::array<std::string_view, 1> target_names{"spacetrader"};
constexpr std::array model_formats{model_format.id};
constexpr std::array options_of_family{
    OptionDeclaration{.name = "fps",
                      .type = OptionType::number,
                      .help = "Frames a second of all animations, instead of what the files say",
                      .argument = "FPS",
                      .min = 0.001,
                      .max = 10000,
                      .range_text = "frames a second between 0.001 and 10000 are needed",
                      .reads = true,
                      .writes = true},
    target_option(target_names),
    levels_option(model_formats),
    level_ratios_option(model_formats),
    level_error_option(model_formats),
    max_bones_option,
    max_error_option,
    OptionDeclaration{.name = "animation-config", .help = "Write animation.cfg beside the model", .writes = true},
    OptionDeclaration{
        .name = "x42-version",
        .type = OptionType::choice,
        .help = "X42 to X42: write version 5 or 6 (6 as docs/formats/x42.md reads it; no game is known to)",
        .argument = "5|6",
        .choices = versions,
        .writes = true,
        .rare = true},
};

}  // namespace

const FormatInfo& ModelFormat::format() { return model_format; }
const FormatInfo& ConfigFormat::format() { return config_format; }
const FormatInfo& SkinFormat::format() { return skin_format; }

const FamilyRow& family_row() noexcept {
    static const FamilyRow family{
        .name = "x42",
        .title = "X42",
        .formats = {&operations<ModelFormat>(), &operations<ConfigFormat>(), &operations<SkinFormat>()},
        .recognize = recognize,
        .to_scene = sources_to_scene,
        .from_scene = files_from_scene,
        .to_folder = folder_of_scene,
        .folder_format = model_format.id,
        .folder_targets = target_names,
        .options = options_of_family,
        .recode = recode};
    return family;
}

}  // namespace effigy::x42
