/// The rows that Egosoft's formats give to the registry.

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "effigy/egosoft_codes.hpp"
#include "effigy/egosoft_scene.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/from_scene/files.hpp"
#include "egosoft/game/layers.hpp"
#include "egosoft/game/surroundings.hpp"
#include "egosoft/to_scene/to_scene.hpp"
#include "registry/document_row.hpp"
#include "registry/shared_options.hpp"

namespace effigy::egosoft {

namespace {

/// For files in memory, whose paths begin at no place on the disk.
std::filesystem::path root_in(const std::filesystem::path& file, const Files* files) {
    if (files == nullptr || !files->read) return root_of(file);
    for (std::filesystem::path folder = file.parent_path(); !folder.empty(); folder = folder.parent_path()) {
        const std::string name = lower(folder.filename().string());
        if (name == "assets" || name == "index" || name == "libraries") return folder.parent_path();
        if (!folder.has_parent_path() || folder == folder.parent_path()) break;
    }
    return file.parent_path();
}

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

constexpr std::array<std::string_view, 1> jolt_extensions{"jcs"};
constexpr FormatInfo companions[] = {{"jcs",
                                      "Jolt collision shape",
                                      "egosoft",
                                      Role::companion,
                                      jolt_extensions,
                                      "X4 6.0 and later; named only: each version of the game has its own",
                                      false,
                                      false,
                                      false,
                                      false,
                                      {.instead = "of a .jcs, the .xmf"}}};

constexpr Relative relatives[] = {
    {"XMF_", "this is an eXtensible Music Format file (.xmf), which is music and no mesh"},
    {"\x1f\x8b",
     "this is a gzip file, as the games' textures (.gz) are; name the game's folder with --game, or its own with "
     "--textures, when you convert a model"},
};

/// "hull", "compound" or "mesh" for one of Jolt's collision shapes, else nothing.
std::string_view jolt_shape(std::string_view text) noexcept {
    constexpr std::string_view start("\0\0\0\0", 4);
    if (text.size() <= start.size() || !text.starts_with(start)) return {};
    switch (text[start.size()]) {
        case 6:
            return "hull";
        case 7:
            return "compound";
        case 12:
            return "mesh";
        default:
            return {};
    }
}

Recognition recognize_relative(std::span<const std::byte> head, std::string_view name) {
    const std::string_view text = as_text(head);
    const std::string_view shape = lower(name).ends_with(".jcs") ? jolt_shape(text) : "";
    if (!shape.empty()) {
        return {companions,
                "this is a collision shape that X4 bakes for its physics (.jcs); effigy names it, and reads the .xmf "
                "beside it",
                shape};
    }
    const bool is_xml = text.starts_with("<") || text.starts_with("\xef\xbb\xbf<");
    if (!is_xml || !lower(name).ends_with(".xmf")) return {};
    return {nullptr, "this is an Adobe XML file that happens to be called .xmf, and no mesh", {}};
}

Diagnostic no_part_of_a_scene(const SceneSource& source) {
    Diagnostic diagnostic =
        problem_at({}, codes::nothing_to_show,
                   "this file has nothing to show: name meshes or components to convert, a game's folder with "
                   "--game, a material library with --materials",
                   std::string(source.document.format().name));
    diagnostic.file = source.path.string();
    return diagnostic;
}

Result<Loaded<Scene>> sources_to_scene(std::vector<SceneSource> sources, const ConversionContext& context) {
    SceneInput input;
    const GameFiles* files = game_of(context.surroundings).files;
    if (files != nullptr && !files->empty()) input.files = files;
    for (SceneSource& source : sources) {
        Source origin{source.named().stem().string(), source.size, source.hash};
        if (auto* const mesh = source.document.get_if<xmf::File>()) {
            input.meshes.push_back({std::move(origin), std::move(*mesh)});
        } else if (auto* const animation = source.document.get_if<ani::File>()) {
            input.animations.push_back({std::move(origin), std::move(*animation)});
        } else if (auto* const component = source.document.get_if<ComponentFile>()) {
            input.components.push_back({std::move(origin), std::move(*component)});
        } else {
            return fail(no_part_of_a_scene(source));
        }
    }
    SceneOptions options;
    options.limits = context.limits;
    options.lod = static_cast<int>(context.options.number("lod", -1));
    options.resample = context.options.number("resample");
    options.colors = context.options.text("colors") == "raw" ? ColorExport::vertex : ColorExport::custom;
    return to_scene(std::move(input), options);
}

/// The game around an extension that lies in its folder of extensions, else nothing.
std::optional<std::filesystem::path> game_around(const std::filesystem::path& root) {
    const std::filesystem::path above = root.parent_path();
    if (lower(above.filename().string()) + '/' != extensions_folder) return std::nullopt;
    return above.parent_path();
}

std::vector<std::filesystem::path> part_folders(const Document& document, const std::filesystem::path& root) {
    std::vector<std::filesystem::path> folders;
    const auto game = game_around(root);
    const auto* file = document.get_if<ComponentFile>();
    for (const Component& component : file != nullptr ? file->components : std::vector<Component>()) {
        const auto geometry = normal_path(component.geometry);
        if (!geometry || geometry->empty()) continue;
        const std::filesystem::path path = *geometry;
        folders.push_back(root / path);
        folders.push_back(root / path.filename());
        // Mods are unpacked under many names.
        if (!extension_of(*geometry).empty()) folders.push_back(root / without_extension_folder(*geometry));
        // Extensions borrow meshes of the game and of one another.
        if (game) folders.push_back(*game / path);
    }
    return folders;
}

bool shows_nothing(const Document& document) {
    if (const auto* file = document.get_if<ComponentFile>()) return file->components.empty();
    const auto* file = document.get_if<ani::File>();
    const auto is_empty = [](const ani::Animation& one) {
        return one.positions.empty() && one.rotations.empty() && one.scales.empty() && one.pre_scales.empty() &&
               one.post_scales.empty();
    };
    return file != nullptr && std::all_of(file->animations.begin(), file->animations.end(), is_empty);
}

std::string shared_stem(const FormatInfo& format, std::string_view stem) {
    return format.id == XmfFormat::format().id ? bridge::parse_mesh_name(stem).part : std::string();
}

constexpr Advice advices[] = {{codes::material_unresolved, "name the game's folder with --game DIR"}};

constexpr std::array<std::string_view, 2> color_choices{"auto", "raw"};
constexpr std::array<std::string_view, 1> component_formats{"component"};
constexpr std::array<std::string_view, 2> mesh_formats{"xmf", "component"};
constexpr OptionDeclaration path_option(std::string_view name, std::string_view argument, std::string_view help) {
    return {.name = name,
            .type = OptionType::path,
            .help = help,
            .argument = argument,
            .reads = true,
            .locates = true,
            .repeats = true,
            .way_back = true};
}
constexpr std::array<std::string_view, 22> class_choices{
    "prop",     "destructible", "ship_s",          "ship_m",          "ship_l",        "ship_xl",
    "engine",   "weapon",       "turret",          "missilelauncher", "missileturret", "missile",
    "bullet",   "effectobject", "shieldgenerator", "production",      "storage",       "habitation",
    "dockarea", "dockingbay",   "defencemodule",   "connectionmodule"};
constexpr OptionDeclaration text_of_mod(std::string_view name, std::string_view argument, std::string_view help) {
    return {.name = name,
            .type = OptionType::text,
            .help = help,
            .argument = argument,
            .formats = component_formats,
            .writes = true};
}
constexpr std::array options_of_family{
    path_option("game", "DIR",
                "Folder of the game or of a mod, or a .cat, to find parts, materials and textures in; may be repeated"),
    path_option("materials", "FILE", "Material library to use besides those of the games and mods; may be repeated"),
    OptionDeclaration{.name = "colors",
                      .type = OptionType::choice,
                      .help = "Vertex colours as COLOR_n as they are (raw), or as custom attributes that no viewer "
                              "multiplies with the surface (auto)",
                      .argument = "HOW",
                      .default_value = "auto",
                      .choices = color_choices,
                      .reads = true},
    target_option(target_names),
    OptionDeclaration{.name = "class",
                      .type = OptionType::choice,
                      .help = "What a new component is; to a folder, a prop if nothing is said",
                      .argument = "CLASS",
                      .choices = class_choices,
                      .formats = component_formats,
                      .writes = true},
    text_of_mod(
        "mod", "NAME",
        "To a folder: what the mod's folder is called in the game, if not as its index says or, without one, as the "
        "output"),
    text_of_mod("author", "NAME", "To a folder: who made the mod, for a new content.xml"),
    OptionDeclaration{.name = "stubs",
                      .help = "To a folder: texts and a ware as well, to be filled in",
                      .formats = component_formats,
                      .writes = true},
    OptionDeclaration{.name = "mirror-connections",
                      .type = OptionType::choice,
                      .help = "Makes connections and lights on one side of the model on the other side, too, where "
                              "they are not there: x for left and right",
                      .argument = "AXIS",
                      .choices = mirror_axes,
                      .formats = component_formats,
                      .writes = true},
    max_error_option,
    levels_option(component_formats),
    level_ratios_option(component_formats),
    level_error_option(component_formats),
    collision_option(mesh_formats),
};

}  // namespace

namespace {
/// What property_of() is asked for.
constexpr std::array<std::string_view, 4> known_properties{"class", "group", "tags", "value"};
}  // namespace

const FamilyRow& family_row() noexcept {
    static const FamilyRow family{
        .name = "egosoft",
        .title = "Egosoft",
        .formats = {&operations<XmfFormat>(), &operations<AniFormat>(), &operations<ComponentFormat>(),
                    &operations<LibraryFormat>(), &operations<IndexFormat>(), &operations<MacroFormat>(),
                    &operations<CatalogFormat>()},
        .recognize = recognize,
        .to_scene = sources_to_scene,
        .check_folder = check_mod,
        .from_scene = files_of_scene,
        .to_folder = mod_of_scene,
        .folder_format = ComponentFormat::format().id,
        .folder_targets = target_names,
        .other_formats = companions,
        .relatives = relatives,
        .advices = advices,
        .recognize_relative = recognize_relative,
        .options = options_of_family,
        .open_surroundings = open_surroundings,
        .root_of = root_in,
        .part_folders = part_folders,
        .shared_stem = shared_stem,
        .shows_nothing = shows_nothing,
        .known_properties = known_properties};
    return family;
}

}  // namespace effigy::egosoft
