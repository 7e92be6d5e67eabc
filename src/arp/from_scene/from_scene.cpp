/// From a scene to a signing avatar and CAS motions: the order of the steps, and what the old avatar's records keep.

#include "arp/from_scene/from_scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "arp/file/layout_elements.hpp"
#include "arp/file/variants.hpp"
#include "arp/from_scene/exact.hpp"
#include "core/guard.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp {
namespace native {
namespace {

std::uint64_t size_with_images(const Scene& scene) {
    std::uint64_t size = size_of(scene);
    for (const Image& image : scene.images) size += image.bytes.size();
    return size;
}

template <std::size_t count>
void read_numbers(const Json& json, const char* name, std::array<float, count>& numbers) {
    const Json* list = member(json, name);
    if (list == nullptr || !list->is_array() || list->size() != count) return;
    for (std::size_t i = 0; i < count; ++i) numbers[i] = float_from_json((*list)[i]).value_or(numbers[i]);
}

/// The layout of the file that the scene was made of, if its version can have it.
std::optional<Layout> layout_in(const Json& file, const std::string& version) {
    const Json* stored = member(file, "layout");
    if (stored == nullptr || version_number(version) < 200 || version.size() > 16) return std::nullopt;
    constexpr std::array<std::string_view, 5> duplicates{"u32", "u16", "uncounted", "triples", "lists"};
    constexpr std::array<std::string_view, 3> ambient{"none", "counted", "timed"};
    const auto place_of = [&](const auto& names, const char* name) {
        const auto found = std::find(names.begin(), names.end(), text_at(*stored, name).value_or(""));
        return static_cast<std::uint8_t>(found == names.end() ? 0 : found - names.begin());
    };
    Layout layout;
    layout.material_first = flag_at(*stored, "material_first");
    layout.reflectance_count = whole_in(*stored, "reflectance_count") == 1U ? 1 : 3;
    layout.link_name_lengths = flag_at(*stored, "link_name_lengths");
    layout.adjacency = flag_at(*stored, "adjacency");
    layout.duplicates = static_cast<DuplicateForm>(place_of(duplicates, "duplicates"));
    layout.morph_normals = flag_at(*stored, "morph_normals");
    layout.bone_name_lengths = flag_at(*stored, "bone_name_lengths");
    layout.ambient = static_cast<AmbientForm>(place_of(ambient, "ambient"));
    layout.texture = text_at(*stored, "texture") == "flag" ? TextureForm::flag : TextureForm::named;
    if (layout == usual_layout(version)) return layout;
    for (const LayoutGroup& group : other_layouts(version)) {
        if (std::find(group.begin(), group.end(), layout) != group.end()) return layout;
    }
    return std::nullopt;
}

/// The version and layout that the avatar had; nothing if it cannot be written so again.
std::optional<Layout> kept_layout(const Build& build, const Skeleton& skeleton, const std::string& version,
                                  const Figure& figure) {
    const Json* file = member(build.record, "file");
    if (file == nullptr || !skeleton.is_kept || build.options.height > 0) return std::nullopt;
    const auto layout = layout_in(*file, version);
    const Json* texture = member(*file, "texture");
    const bool is_embedded = texture != nullptr && whole_in(*texture, "embedded").value_or(0) != 0;
    if (!layout || is_embedded) return std::nullopt;
    // What old versions have more than others is not in the scene.
    const bool is_old = version_number(version) < 300 || layout->adjacency;
    const bool fits = std::all_of(figure.levels.begin(), figure.levels.end(), [&](const LevelDraft& level) {
        if (level.record.empty()) return false;
        return !is_old || build.only_avatar || (bytes_at(level.record, "exact") && skeleton.is_whole());
    });
    return fits ? layout : std::nullopt;
}

void set_header(Build& build, const Skeleton& skeleton, const Figure& figure, File& file) {
    file.reflectance = {0.75F, 0.75F, 0.75F};
    const Json* stored = member(build.record, "file");
    if (stored != nullptr) {
        read_numbers(*stored, "reflectance", file.reflectance);
        file.scale = narrow(number_at(*stored, "scale").value_or(1));
        if (!(file.scale > 0)) file.scale = 1;
    }
    if (stored != nullptr && skeleton.is_kept)
        file.skeleton_offset = narrow(number_at(*stored, "skeleton_offset").value_or(0));
    const Json* source = member(build.record, "source");
    const std::string version = source == nullptr ? "" : text_at(*source, "version").value_or("");
    if (const auto layout = kept_layout(build, skeleton, version, figure)) {
        build.keeps_layout = true;
        file.version = version;
        file.layout = *layout;
    }
    // The volume says how long a unit is.
    const double units = skeleton.units, low = (figure.low - skeleton.origin.y) * units;
    const double volume = figure_height * skeleton.units_of_metre;
    const auto side = [&](double value, double origin) { return (value - origin) * units; };
    const double margin = 0.1 * volume;
    file.volume_low = narrow(glm::dvec3(side(figure.least.x, skeleton.origin.x) - margin, low,
                                        side(figure.least.z, skeleton.origin.z) - margin));
    file.volume_high = narrow(glm::dvec3(side(figure.greatest.x, skeleton.origin.x) + margin, low + volume,
                                         side(figure.greatest.z, skeleton.origin.z) + margin));
    if (stored == nullptr || !skeleton.is_kept || build.options.height > 0) return;
    const auto from = vector_in(*stored, "volume_low"), to = vector_in(*stored, "volume_high");
    if (!from || !to) return;
    const bool is_inches = version_number(version) != 0 && version_number(version) < 300;
    if (is_inches && !build.keeps_layout) return;
    const double height = double{to->y} - double{from->y};
    // A volume without height, as a file may have, is kept only if it says the same unit.
    if (!is_inches && std::abs(height - volume) > 1e-4 * volume) return;
    file.volume_low = *from;
    file.volume_high = *to;
}

/// The rest, or what the avatar had.
void add_default_pose(const Build& build, const Skeleton& skeleton, File& file) {
    for (const Bone& bone : file.bones)
        file.default_pose.push_back({code_of(up_to_nul(bone.name)), bone.translation, bone.rotation});
    const Json* stored = member(build.record, "file");
    const Json* pose = stored == nullptr ? nullptr : member(*stored, "default_pose");
    if (pose == nullptr || !pose->is_array() || !skeleton.is_kept || build.options.height > 0) return;
    for (const Json& entry : *pose) {
        const auto name = text_at(entry, "bone");
        const auto place = vector_in(entry, "translation");
        const auto turn = rotation_in(entry, "rotation");
        const std::size_t bone = name ? find_bone(file, *name) : file.bones.size();
        if (bone >= file.bones.size() || !skeleton.bones[bone].stored || !place || !turn) continue;
        file.default_pose[bone].translation = *place;
        file.default_pose[bone].rotation = *turn;
    }
}

Bytes bytes_of_text(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

/// Plain characters: a name of a folder within an archive.
std::string folder_name(std::string_view name) {
    std::string folder;
    for (const char c : name.substr(0, 64)) {
        const bool is_plain =
            (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == ' ';
        folder += is_plain ? c : '_';
    }
    return folder.empty() ? "avatar" : folder;
}

std::string_view without_folder(std::string_view name) noexcept {
    const std::size_t slash = name.find_last_of("/\\");
    return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

void pack(const Build& build, const Skeleton& skeleton, const Figure& figure, TextureDraft texture,
          Container& container) {
    const std::string folder = folder_name(build.options.name) + "/";
    container.entries.push_back({folder, {}, true});
    container.definition = container.entries.size();
    container.entries.push_back({folder + "avatardef.jarp", {}, true});
    const std::string_view name = without_folder(up_to_nul(texture.name));
    const bool is_safe = !name.empty() && name != "." && name != ".." && name.find(':') == std::string_view::npos;
    if (!texture.png.empty() && is_safe)
        container.entries.push_back({folder + std::string(name), std::move(texture.png), true});
    for (auto& [file, text] : files_beside(build, skeleton, figure, container.avatar))
        container.entries.push_back({folder + file, bytes_of_text(text), true});
}

void set_distances(const Skeleton& skeleton, Figure& figure) {
    constexpr double metres_between = 10;
    for (std::size_t i = 0; i < figure.levels.size(); ++i) {
        double& distance = figure.levels[i].switch_distance;
        if (distance < 0) distance = static_cast<double>(i) * metres_between * skeleton.units;
    }
}

/// Bit by bit, where neither bones nor mesh were touched.
void restore_meshes(Build& build, const Skeleton& skeleton, const Figure& figure, File& file) {
    if (!skeleton.is_whole() || !build.keeps_layout) return;
    for (std::size_t i = 0; i < figure.levels.size(); ++i) {
        const auto exact = bytes_at(figure.levels[i].record, "exact");
        if (exact) restore_mesh(*exact, file, i, build.budget);
    }
}

Result<Loaded<NativeFiles>> convert(const Scene& scene, const FromSceneOptions& options, bool only_avatar = false) {
    Build build(Budget(options.limits, size_with_images(scene)), scene, options);
    build.only_avatar = only_avatar;
    build.record = record_of(scene.asset_extras);
    if (const Json* source = member(build.record, "source"); source == nullptr || text_at(*source, "format") != "arp")
        build.record = Json::object();
    const Tree tree = tree_of(scene);
    const auto levels = drawn_meshes(build, tree);
    auto skeleton = make_skeleton(build, tree, levels);
    if (!skeleton) return fail(std::move(skeleton.error()));
    auto figure = gather(build, tree, *skeleton, levels);
    if (!figure) return fail(std::move(figure.error()));
    set_units(build, *skeleton, figure->low, figure->high);
    set_distances(*skeleton, *figure);
    NativeFiles files;
    File& file = files.container.avatar;
    set_header(build, *skeleton, *figure, file);
    auto texture = add_texture(build, *figure, file);
    if (!texture) return fail(std::move(texture.error()));
    add_bones(*skeleton, file);
    add_default_pose(build, *skeleton, file);
    for (LevelDraft& level : figure->levels) {
        if (auto added = add_mesh(build, *skeleton, level, file); !added) return fail(std::move(added.error()));
    }
    name_targets(build, *figure);
    if (auto added = add_targets(build, *skeleton, *figure, file); !added) return fail(std::move(added.error()));
    restore_meshes(build, *skeleton, *figure, file);
    if (auto added = add_motions(build, tree, *skeleton, *figure, levels, files); !added)
        return fail(std::move(added.error()));
    if (!only_avatar) pack(build, *skeleton, *figure, std::move(*texture), files.container);
    return Loaded<NativeFiles>{std::move(files), std::move(build.report)};
}

}  // namespace

FourCC code_of(std::string_view name) noexcept {
    FourCC code{};
    std::copy_n(name.begin(), std::min(name.size(), code.size()), code.begin());
    return code;
}

Result<File> same_avatar(const Scene& scene, const Limits& limits) {
    FromSceneOptions options;
    options.limits = limits;
    auto files = convert(scene, options, true);
    if (!files) return fail(std::move(files.error()));
    return std::move(files->value.container.avatar);
}

}  // namespace native

Result<Loaded<NativeFiles>> from_scene(const Scene& scene, const FromSceneOptions& options) {
    return without_exceptions(
        [&] { return check_structure(scene).and_then([&] { return native::convert(scene, options); }); });
}

}  // namespace effigy::arp
