/// The rows that X42 and the files beside it give to the registry.

#include <array>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "effigy/x42_scene.hpp"

#include "core/problem.hpp"
#include "registry/document_row.hpp"
#include "registry/new_files.hpp"
#include "x42/formats.hpp"

namespace effigy::x42 {

namespace {

constexpr std::array<std::string_view, 1> model_extensions{"x42"};
constexpr std::array<std::string_view, 1> config_extensions{"cfg"};
constexpr std::array<std::string_view, 1> skin_extensions{"skin"};

constexpr FormatInfo model_format{
    "x42",
    "X42 character model",
    "x42",
    Role::model,
    model_extensions,
    "5, little- and big-endian; 6 where the file shows how its morph targets are stored; 0 to 4 are named only",
    true,
    true,
    true,
    true};
constexpr FormatInfo config_format{"animation-cfg",
                                   "animations of an X42 model",
                                   "x42",
                                   Role::companion,
                                   config_extensions,
                                   "animation.cfg of Space Trader and Quake III",
                                   true,
                                   true,
                                   true,
                                   false};
constexpr FormatInfo skin_format{"skin",
                                 "shaders of an X42 model's surfaces",
                                 "x42",
                                 Role::companion,
                                 skin_extensions,
                                 "default.skin of Space Trader and Quake III",
                                 true,
                                 true,
                                 true,
                                 false};

const Document::Operations* recognize(std::span<const std::byte> head, std::string_view name) {
    if (looks_like_model(head)) return &operations<ModelFormat>();
    if (looks_like_config(head, name)) return &operations<ConfigFormat>();
    if (looks_like_skin(head, name)) return &operations<SkinFormat>();
    return nullptr;
}

/// Files that the game reads beside a model, and that nobody named.
std::string unused_beside(const std::filesystem::path& model, const SceneInput& input) {
    std::string names;
    const auto look_for = [&](const char* name) {
        std::error_code error;
        if (std::filesystem::exists(model.parent_path() / name, error))
            names += (names.empty() ? "" : ", ") + std::string(name);
    };
    if (input.configs.empty()) look_for("animation.cfg");
    if (input.skins.empty()) look_for("default.skin");
    return names;
}

void note_unused(const std::filesystem::path& model, const SceneInput& input, Report& report) {
    const std::string names = model.empty() || model == "-" ? "" : unused_beside(model, input);
    if (names.empty()) return;
    Diagnostic finding = problem_at(
        {}, "x42-beside",
        "Files beside the model are not used; name them as inputs too to get their animations and shaders.", names);
    finding.severity = Severity::info;
    finding.file = model.stem().string();
    report.add(std::move(finding));
}

Result<Loaded<Scene>> sources_to_scene(std::vector<SceneSource> sources, const SceneSettings& settings) {
    SceneInput input;
    std::filesystem::path first_model;
    for (SceneSource& source : sources) {
        Source origin{source.path.stem().string(), source.size, source.hash};
        const std::string_view id = source.document.format().id;
        if (id == model_format.id) {
            if (first_model.empty()) first_model = source.path;
            input.models.push_back({std::move(origin), std::move(source.document.as<File>())});
        } else if (id == config_format.id) {
            input.configs.push_back({std::move(origin), std::move(source.document.as<AnimationConfig>())});
        } else {
            input.skins.push_back({std::move(origin), std::move(source.document.as<Skin>())});
        }
    }
    SceneOptions options;
    options.limits = settings.limits;
    options.encoding = settings.encoding;
    options.lod = settings.lod;
    options.resample = settings.resample;
    options.frames_per_second = settings.frames_per_second;
    Report report;
    note_unused(first_model, input, report);
    auto scene = to_scene(std::move(input), options);
    if (scene) scene->report.append(std::move(report));
    return scene;
}

Result<Loaded<std::vector<NewFile>>> files_from_scene(const Scene& scene, const FormatInfo& /*format*/,
                                                      const std::filesystem::path& path, const NativeOptions& options) {
    FromSceneOptions settings;
    settings.limits = options.limits;
    settings.encoding = options.encoding;
    settings.frames_per_second = options.frames_per_second;
    settings.max_error = options.max_error;
    if (options.most_bones != 0) settings.most_bones = options.most_bones;
    auto made = from_scene(scene, settings);
    if (!made) return fail(std::move(made.error()));
    auto bytes = write(made->value.model);
    if (!bytes) return fail(std::move(bytes.error()));
    Loaded<std::vector<NewFile>> loaded;
    loaded.report = std::move(made->report);
    loaded.value.push_back({path.filename().string(), std::move(*bytes)});
    if (options.animation_config) loaded.value.push_back({"animation.cfg", std::move(made->value.config.text)});
    if (options.write_images) loaded.report.append(append_images(scene, "shader", GreenChannel::keep, loaded.value));
    return loaded;
}

}  // namespace

const FormatInfo& ModelFormat::format() { return model_format; }
const FormatInfo& ConfigFormat::format() { return config_format; }
const FormatInfo& SkinFormat::format() { return skin_format; }

bool looks_like_model(std::span<const std::byte> head) noexcept {
    return head.size() >= 4 && (std::memcmp(head.data(), "HW42", 4) == 0 || std::memcmp(head.data(), "24WH", 4) == 0);
}

const FamilyRow& family_row() noexcept {
    static const FamilyRow family{
        "x42",     {&operations<ModelFormat>(), &operations<ConfigFormat>(), &operations<SkinFormat>()},
        recognize, sources_to_scene,
        nullptr,   files_from_scene};
    return family;
}

}  // namespace effigy::x42
