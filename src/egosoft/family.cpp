/// The rows that Egosoft's formats give to the registry.

#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "effigy/egosoft_scene.hpp"

#include "core/text.hpp"
#include "egosoft/formats.hpp"
#include "registry/document_row.hpp"
#include "registry/new_files.hpp"

namespace effigy::egosoft {

namespace {

const Document::Operations* recognize(std::span<const std::byte> head, std::string_view name) {
    if (looks_like_xmf(head)) return &operations<XmfFormat>();
    switch (xml_kind(head)) {
        case XmlKind::component:
            return &operations<ComponentFormat>();
        case XmlKind::material_library:
            return &operations<LibraryFormat>();
        case XmlKind::index:
            return &operations<IndexFormat>();
        case XmlKind::macros:
            return &operations<MacroFormat>();
        case XmlKind::none:
            break;
    }
    if (looks_like_ani(head, name)) return &operations<AniFormat>();
    if (looks_like_catalog(head, name)) return &operations<CatalogFormat>();
    return nullptr;
}

Diagnostic no_part_of_a_scene(const SceneSource& source) {
    Diagnostic diagnostic;
    diagnostic.code = "nothing-to-show";
    diagnostic.file = source.path.string();
    diagnostic.message =
        "this file has nothing to show: name meshes or components to convert, a game's folder with "
        "--game, a material library with --materials";
    diagnostic.found = source.document.format().name;
    return diagnostic;
}

Result<Loaded<Scene>> sources_to_scene(std::vector<SceneSource> sources, const SceneSettings& settings) {
    SceneInput input;
    input.files = settings.files;
    for (SceneSource& source : sources) {
        Source origin{source.path.stem().string(), source.size, source.hash};
        const std::string_view id = source.document.format().id;
        if (id == XmfFormat::format().id) {
            input.meshes.push_back({std::move(origin), std::move(source.document.as<xmf::File>())});
        } else if (id == AniFormat::format().id) {
            input.animations.push_back({std::move(origin), std::move(source.document.as<ani::File>())});
        } else if (id == ComponentFormat::format().id) {
            input.components.push_back({std::move(origin), std::move(source.document.as<ComponentFile>())});
        } else {
            return fail(no_part_of_a_scene(source));
        }
    }
    SceneOptions options;
    options.limits = settings.limits;
    options.lod = settings.lod;
    options.resample = settings.resample;
    options.colors = settings.raw_colors ? ColorExport::vertex : ColorExport::custom;
    return to_scene(std::move(input), options);
}

FromSceneOptions settings_of(const NativeOptions& options, const std::filesystem::path& path) {
    FromSceneOptions settings;
    settings.limits = options.limits;
    if (options.target == "xrebirth") settings.target = Target::x_rebirth;
    if (options.target == "x4") settings.target = Target::x4;
    settings.collision = options.collision || names_collision(path);
    settings.collection = path.stem().string();
    settings.max_error = options.max_error;
    return settings;
}

using NewFiles = Loaded<std::vector<NewFile>>;

Result<NewFiles> mesh_file(const Scene& scene, const std::filesystem::path& path, const FromSceneOptions& options) {
    auto made = mesh_from_scene(scene, options);
    if (!made) return fail(std::move(made.error()));
    auto bytes = xmf::write(made->value);
    if (!bytes) return fail(std::move(bytes.error()));
    NewFiles files{{}, std::move(made->report)};
    files.value.push_back({path.filename().string(), std::move(*bytes)});
    return files;
}

Result<NewFiles> animation_file(const Scene& scene, const std::filesystem::path& path,
                                const FromSceneOptions& options) {
    auto made = animation_from_scene(scene, options);
    if (!made) return fail(std::move(made.error()));
    auto bytes = ani::write(made->value);
    if (!bytes) return fail(std::move(bytes.error()));
    NewFiles files{{}, std::move(made->report)};
    files.value.push_back({path.filename().string(), std::move(*bytes)});
    return files;
}

/// "extensions/mod/assets/units/size_m" for a file in it, as the game spells it; empty outside of "assets".
std::string folder_in_game(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(path, error).lexically_normal();
    std::filesystem::path folder = whole.parent_path(), below;
    while (folder.has_relative_path()) {
        const std::filesystem::path name = folder.filename();
        below = below.empty() ? name : name / below;
        folder = folder.parent_path();
        if (lower(name.string()) == "assets") break;
    }
    if (below.empty() || lower(below.begin()->string()) != "assets") return {};
    const bool is_extension = lower(folder.parent_path().filename().string()) == "extensions" ||
                              std::filesystem::exists(folder / "content.xml", error);
    if (is_extension && !folder.filename().empty())
        below = std::filesystem::path("extensions") / folder.filename() / below;
    return below.generic_string();
}

/// The spelling of a file that is there already in another case: the games see one of the two only.
std::string spelled(const std::filesystem::path& folder, const std::string& name,
                    std::map<std::string, std::map<std::string, std::string>>& listings) {
    const std::size_t slash = name.find('/');
    if (slash != std::string::npos) {
        const std::string first = spelled(folder, name.substr(0, slash), listings);
        return first + "/" + spelled(folder / first, name.substr(slash + 1), listings);
    }
    const auto [listing, is_new] = listings.try_emplace(folder.string());
    if (is_new) {
        std::error_code error;
        const std::filesystem::path place = folder.empty() ? std::filesystem::path(".") : folder;
        constexpr std::size_t most = 100'000;
        for (std::filesystem::directory_iterator entry(place, error), end;
             !error && entry != end && listing->second.size() < most; entry.increment(error)) {
            const std::string there = entry->path().filename().string();
            std::string& known = listing->second[lower(there)];
            if (known.empty() || there < known) known = there;
        }
    }
    const auto found = listing->second.find(lower(name));
    return found == listing->second.end() ? name : found->second;
}

Result<NewFiles> component_files(const Scene& scene, const std::filesystem::path& path,
                                 const FromSceneOptions& options) {
    auto made = component_from_scene(scene, path.stem().string(), folder_in_game(path), options);
    if (!made) return fail(std::move(made.error()));
    NewFiles files{{}, std::move(made->report)};
    files.value.push_back({path.filename().string(), std::move(made->value.component)});
    std::map<std::string, std::map<std::string, std::string>> listings;
    for (NamedFile& file : made->value.files) {
        files.value.push_back({spelled(path.parent_path(), file.name, listings), std::move(file.bytes)});
    }
    return files;
}

Result<NewFiles> files_of_scene(const Scene& scene, const FormatInfo& format, const std::filesystem::path& path,
                                const NativeOptions& options) {
    const FromSceneOptions settings = settings_of(options, path);
    const bool is_animation = format.id == AniFormat::format().id;
    const bool is_component = format.id == ComponentFormat::format().id;
    auto files = is_animation   ? animation_file(scene, path, settings)
                 : is_component ? component_files(scene, path, settings)
                                : mesh_file(scene, path, settings);
    if (files && options.write_images && !is_animation)
        files->report.append(append_images(scene, "material_library", GreenChannel::flip, files->value));
    return files;
}

}  // namespace

const FamilyRow& family_row() noexcept {
    static const FamilyRow family{"egosoft",
                                  {&operations<XmfFormat>(), &operations<AniFormat>(), &operations<ComponentFormat>(),
                                   &operations<LibraryFormat>(), &operations<IndexFormat>(), &operations<MacroFormat>(),
                                   &operations<CatalogFormat>()},
                                  recognize,
                                  sources_to_scene,
                                  check_mod,
                                  files_of_scene};
    return family;
}

}  // namespace effigy::egosoft
