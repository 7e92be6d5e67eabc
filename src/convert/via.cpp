/// Scenes through glTF, which knows which records still hold, and there and back through a game's format.

#include <algorithm>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/diff.hpp"
#include "effigy/gltf.hpp"
#include "effigy/scene_codes.hpp"

#include "convert/inputs.hpp"
#include "core/problem.hpp"

namespace effigy::conversion {
namespace {

bool is_picture(const std::string& name) { return name.ends_with(".png") || name.ends_with(".jpg"); }

/// Pictures that materials name as their game does, and that a conversion to its folder would find there.
void add_known_pictures(const Scene& scene, std::vector<NewFile>& files) {
    for (const Image& image : scene.images) {
        const std::string stem = image.name.substr(image.name.find_last_of("/\\") + 1);  // folders do not count
        const std::string name = stem + (image.mime_type == "image/jpeg" ? ".jpg" : ".png");
        const auto is_same = [&](const NewFile& file) { return file.name == name; };
        if (!stem.empty() && !image.bytes.empty() && std::none_of(files.begin(), files.end(), is_same))
            files.push_back({name, image.bytes});
    }
}

/// Motions lie beside their model under its name and theirs.
void take_off_prefix(Scene& scene, const std::string& stem) {
    for (Clip& clip : scene.clips) {
        if (clip.name.starts_with(stem + "_")) clip.name.erase(0, stem.size() + 1);
    }
}

Files files_in_memory(const std::vector<NewFile>& files) {
    return {[&files](const std::string& name) -> Result<Bytes> {
                const auto found =
                    std::find_if(files.begin(), files.end(), [&](const NewFile& file) { return file.name == name; });
                if (found != files.end()) return found->bytes;
                return fail(problem_at({}, codes::file_missing, "there is no such file", name));
            },
            [&files] {
                std::vector<std::string> names;
                for (const NewFile& file : files) names.push_back(file.name);
                return names;
            }};
}

/// The files that were written, without what goes along: pictures, and what another file leads to.
std::vector<InputFile> inputs_of(const std::vector<NewFile>& files, const ConvertOptions& options) {
    std::vector<InputFile> inputs;
    for (const NewFile& file : files) {
        if (file.name.find('/') != std::string::npos || is_picture(file.name)) continue;
        const FormatInfo* format = format_of(InputFile(file.name), options);
        if (format != nullptr && format->to_scene) inputs.emplace_back(file.name);
    }
    return inputs;
}

}  // namespace

Result<Scene> there_and_back(const Scene& scene, const FormatInfo& format, const std::filesystem::path& first_input,
                             const ConvertOptions& options, Report& report) {
    const std::string stem = first_input.stem().string();
    const std::filesystem::path name =
        (stem.empty() || stem == "-" ? "scene" : stem) + "." + std::string(format.extensions.front());
    // At the root of all folders, so that it is in none of a game's.
    auto files = make_files(scene, "/" / name, {options.values, options.limits, nullptr, nullptr}, options.formats());
    if (!files) return fail(std::move(files.error()));
    report.append(std::move(files->report));
    add_known_pictures(scene, files->value);
    ConvertOptions back;
    for (const DeclaredOption& option : options.formats().options()) {
        const std::string_view switched = option.declaration.name;
        if (!option.declaration.way_back || back.values.has(switched)) continue;
        for (const std::string& value : options.values.list(switched)) back.values.add(switched, value);
    }
    back.pass_over_switches = true;
    back.limits = options.limits;
    back.registry = options.registry;
    back.files = files_in_memory(files->value);
    Report noticed;
    back.report_of_failure = &noticed;
    auto loaded = load_scene(inputs_of(files->value, back), back);
    if (loaded) noticed = std::move(loaded->report);
    // Which textures are lost is said by the comparison.
    std::erase_if(noticed.diagnostics(),
                  [](const Diagnostic& finding) { return finding.code == codes::texture_missing; });
    report.append(std::move(noticed));
    if (!loaded) return fail(std::move(loaded.error()));
    take_off_prefix(loaded->value, name.stem().string());
    DiffOptions comparison;
    comparison.limits = options.limits;
    comparison.is_made_of_a = true;
    auto difference = diff_scenes(scene, loaded->value, comparison);
    if (!difference) return fail(std::move(difference.error()));
    report.append(std::move(*difference));
    return std::move(loaded->value);
}

}  // namespace effigy::conversion
