/// From a scene to a signing avatar and CAS motions: the order of the steps, and what the old avatar's records keep.

#include "arp/from_scene/from_scene.hpp"

#include <array>
#include <cmath>

#include "effigy/arp_codes.hpp"

#include "arp/file/layout_arp.hpp"
#include "arp/file/names.hpp"
#include "arp/file/texture_image.hpp"
#include "arp/file/units.hpp"
#include "arp/file/variants.hpp"
#include "arp/from_scene/exact.hpp"
#include "arp/from_scene/motion.hpp"
#include "core/guard.hpp"
#include "core/json_fields.hpp"
#include "core/option_range.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp {
namespace native {
namespace {

constexpr std::array usual_reflectance{0.75F, 0.75F, 0.75F};

/// With its images, and its rotations as text, which is longer than they are.
std::uint64_t size_of_input(const Scene& scene) {
    std::uint64_t size = size_of(scene);
    for (const Image& image : scene.images) size += image.bytes.size();
    for (const Clip& clip : scene.clips) {
        for (const Track& track : clip.tracks) {
            if (track.path == TrackPath::rotation) size += text_of_key * track.times.size();
        }
    }
    return size;
}

/// The avatar that the scene was made of, if its version can have its layout.
std::optional<File> stored_avatar(Build& build) {
    const Json* source = member(build.record, "source");
    const Json* record = member(build.record, "file");
    if (source == nullptr || text_at(*source, "format") != "arp" || record == nullptr) return std::nullopt;
    File file;
    file.reflectance = usual_reflectance;
    const bool is_read = layout::read_json_fields(*record, build.budget, build.options.limits, [&](auto& visitor) {
        layout_record(visitor, file, file.default_pose);
    });
    return is_read ? std::optional(std::move(file)) : std::nullopt;
}

bool has_layout(const File& file) {
    if (version_number(file.version) < 200 || file.version.size() > 16) return false;
    if (file.layout == usual_layout(file.version)) return true;
    const std::vector<LayoutGroup> others = other_layouts(file.version);
    return std::any_of(others.begin(), others.end(), [&](const LayoutGroup& group) {
        return std::find(group.begin(), group.end(), file.layout) != group.end();
    });
}

/// Whether units and places are those of the avatar that the scene was made of.
bool keeps_size(const Build& build, const Skeleton& skeleton) {
    return build.stored && skeleton.is_kept && !(build.options.height > 0);
}

/// Whether the figure can be written in the version and layout that the avatar had.
bool keeps_layout(const Build& build, const Skeleton& skeleton, const Figure& figure) {
    if (!keeps_size(build, skeleton) || !has_layout(*build.stored)) return false;
    if (build.stored->texture.embedded != 0 && !build.keeps_image) return false;
    // What old versions have more than others is not in the scene.
    const bool is_old = version_number(build.stored->version) < 300 || build.stored->layout.adjacency;
    return std::all_of(figure.levels.begin(), figure.levels.end(), [&](const LevelDraft& level) {
        if (level.record.empty()) return false;
        return !is_old || build.only_avatar || (bytes_at(level.record, "exact") && skeleton.is_whole());
    });
}

/// What old versions alone have is not in a scene, and an image that was edited lies beside the avatar.
void note_version(Build& build, const File& file) {
    if (!build.stored || build.stored->version.empty() || build.stored->version == file.version) return;
    const std::string& old = build.stored->version;
    const unsigned number = version_number(old);
    const bool is_old = number >= 200 && number < version_number(file.version);
    build.note(is_old ? codes::arp_version_old : codes::arp_version, "version",
               is_old ? "The avatar was of an older version. Edited, scaled or with its image beside it instead of in "
                        "it, it becomes one of the version that today's players load: for players that know the old "
                        "one only, keep the old file."
                      : "The avatar was of a version that no player is known to load: it becomes one of the version "
                        "that today's players load.",
               shortened(old), file.version);
}

void set_header(Build& build, const Skeleton& skeleton, const Figure& figure, File& file) {
    file.reflectance = build.stored ? build.stored->reflectance : usual_reflectance;
    if (build.stored && build.stored->scale > 0) file.scale = build.stored->scale;
    if (build.stored && skeleton.is_kept) file.skeleton_offset = build.stored->skeleton_offset;
    build.keeps_layout = keeps_layout(build, skeleton, figure);
    if (build.keeps_layout) {
        file.version = build.stored->version;
        file.layout = build.stored->layout;
    }
    if (build.stored && build.stored->layout.texture != file.layout.texture) build.keeps_image = false;
    note_version(build, file);
    // The volume says how long a unit is.
    const double units = skeleton.units, low = (figure.low - skeleton.origin.y) * units;
    const double volume = figure_height * skeleton.units_of_metre;
    const auto side = [&](double value, double origin) { return (value - origin) * units; };
    const double margin = 0.1 * volume;
    file.volume_low = narrow(glm::dvec3(side(figure.least.x, skeleton.origin.x) - margin, low,
                                        side(figure.least.z, skeleton.origin.z) - margin));
    file.volume_high = narrow(glm::dvec3(side(figure.greatest.x, skeleton.origin.x) + margin, low + volume,
                                         side(figure.greatest.z, skeleton.origin.z) + margin));
    if (!keeps_size(build, skeleton)) return;
    const Vec3 &from = build.stored->volume_low, &to = build.stored->volume_high;
    // A volume without height, as a file may have, is kept only if it says the same unit.
    const bool says_unit = std::abs(double{to.y} - double{from.y} - volume) <= 1e-4 * volume;
    if (is_in_inches(*build.stored) ? !build.keeps_layout : !says_unit) return;
    file.volume_low = from;
    file.volume_high = to;
}

PoseEntry rest_of(const Bone& bone) { return {code_of(up_to_nul(bone.name)), bone.translation, bone.rotation}; }

/// As the avatar had it, but for a new name; the rest of a bone that was edited.
PoseEntry kept_entry(const PoseEntry& entry, const BoneDraft& draft, const Bone& bone) {
    PoseEntry kept = rest_of(bone);
    if (text_of(entry.bone) == up_to_nul(bone.name)) kept.bone = entry.bone;
    if (!draft.stored) return kept;
    kept.translation = entry.translation;
    kept.rotation = entry.rotation;
    return kept;
}

/// Of an avatar of so many bones that had other entries than one for each of them in their order: these entries, and
/// behind them the rest of bones that are new.
void add_listed_pose(const Build& build, const Skeleton& skeleton, std::uint32_t bone_count, File& file) {
    const std::vector<BoneDraft>& bones = skeleton.bones;
    const auto places = bones_by_old_code(skeleton, file);
    const auto known = std::count_if(bones.begin(), bones.end(), [](const BoneDraft& bone) { return bone.is_known; });
    const bool has_all = static_cast<std::uint64_t>(known) >= bone_count;
    std::vector<bool> is_listed(bones.size());
    for (const PoseEntry& entry : build.stored->default_pose) {
        const auto place = places.find(std::string(text_of(entry.bone)));
        if (place != places.end()) {
            const std::size_t bone = place->second;
            is_listed[bone] = true;
            file.default_pose.push_back(kept_entry(entry, bones[bone], file.bones[bone]));
        } else if (has_all) {  // then the avatar had no such bone either
            file.default_pose.push_back(entry);
        }
    }
    for (std::size_t i = 0; i < bones.size(); ++i) {
        if (!bones[i].is_known && !is_listed[i]) file.default_pose.push_back(rest_of(file.bones[i]));
    }
}

/// The rest, or what the avatar had.
void add_default_pose(const Build& build, const Skeleton& skeleton, File& file) {
    const bool is_kept = keeps_size(build, skeleton);
    const Json* record = member(build.record, "file");
    const auto bone_count = is_kept && record != nullptr ? whole_in(*record, "default_pose_bones") : std::nullopt;
    if (bone_count) return add_listed_pose(build, skeleton, *bone_count, file);
    for (const Bone& bone : file.bones) file.default_pose.push_back(rest_of(bone));
    if (!is_kept) return;
    const auto bones = bones_by_old_code(skeleton, file);
    for (const PoseEntry& entry : build.stored->default_pose) {
        const auto bone = bones.find(std::string(text_of(entry.bone)));
        if (bone == bones.end() || !skeleton.bones[bone->second].stored) continue;
        file.default_pose[bone->second].translation = entry.translation;
        file.default_pose[bone->second].rotation = entry.rotation;
    }
}

/// Bytes behind the avatar. A damaged one has them in place of what it lacks, which is made anew.
void keep_trailing(Build& build, File& file) {
    const Json* record = member(build.record, "file");
    auto trailing = record == nullptr ? std::nullopt : bytes_at(*record, "trailing");
    if (!trailing || trailing->empty() || !build.stored) return;
    const bool is_whole = std::none_of(part_notes.begin(), part_notes.end(),
                                       [&](const auto& note) { return flag_at(*record, note.second); });
    // Behind a texture that ambient motion may follow they would be read as that.
    const bool is_told = file.layout.ambient != AmbientForm::timed || file.ambient;
    const bool is_same = file.version == build.stored->version && file.layout == build.stored->layout;
    if (is_same && is_whole && is_told) {
        file.trailing = std::move(*trailing);
        return;
    }
    build.note(codes::arp_trailing, "trailing",
               "What followed the old avatar, or what could not be read of it, is left out of the new one.",
               std::to_string(trailing->size()) + " bytes");
}

Bytes bytes_of_text(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

void pack(Build& build, const Skeleton& skeleton, const Figure& figure, TextureDraft texture, Container& container) {
    const std::string folder = folder_name(build.options.name) + "/";
    if (folder != build.options.name + "/") {
        build.note(codes::arp_renamed, "container", "The folder in the container has a name in ASCII.", folder,
                   build.options.name + "/");
    }
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

/// Most often in centimetres, or in the units of a game.
void note_height(Build& build, const Skeleton& skeleton, const Figure& figure) {
    const double height = figure.high - figure.low;
    const bool is_usual = height >= figure_height / 2 && height <= figure_height * 2;
    if (is_usual || !(height > 0) || build.options.height > 0 || skeleton.is_whole()) return;
    build.note(codes::arp_figure_height, "meshes",
               "The figure is much smaller or larger than a person, and so is the avatar: --height 1.8 scales it.",
               number_text(std::round(height * 1000) / 1000) + " m", "about 1.8 m");
}

void set_distances(const Skeleton& skeleton, Figure& figure) {
    constexpr double metres_between = 10;
    for (std::size_t i = 0; i < figure.levels.size(); ++i) {
        double& distance = figure.levels[i].switch_distance;
        if (distance < 0) distance = static_cast<double>(i) * metres_between * skeleton.units;
    }
}

/// Bit by bit, where neither bones nor mesh were touched.
bool is_put_back(Build& build, const Skeleton& skeleton, const LevelDraft& level, File& file, std::size_t mesh) {
    if (!skeleton.is_whole() || !build.keeps_layout) return false;
    const auto exact = bytes_at(level.record, "exact");
    return exact && restore_mesh(*exact, file, mesh, build.budget);
}

/// What is made from a scene is made for an image that is not flipped; what is put back is for that of the avatar.
void restore_meshes(Build& build, const Skeleton& skeleton, const Figure& figure, File& file) {
    if (build.only_avatar || !build.stored) return;
    const bool is_turned = is_flipped(*build.stored) != is_flipped(file);
    for (std::size_t i = 0; i < figure.levels.size(); ++i) {
        Bulk<Vec2> made;
        if (is_turned) made = file.meshes[i].texcoords;
        const bool is_old = is_put_back(build, skeleton, figure.levels[i], file, i);
        if (!is_turned || is_old == build.keeps_image) continue;
        file.meshes[i].texcoords = std::move(made);
        if (is_old) continue;
        for (Vec2& place : file.meshes[i].texcoords) place.y = narrow(1 - double{place.y});
    }
    if (build.keeps_image) file.texture = build.stored->texture;
}

/// Points, texture and pose of an avatar that has its bones.
Result<TextureDraft> add_figure(Build& build, const Skeleton& skeleton, Figure& figure, File& file) {
    note_height(build, skeleton, figure);
    set_distances(skeleton, figure);
    auto texture = add_texture(build, figure, file);
    if (!texture) return texture;
    add_default_pose(build, skeleton, file);
    for (LevelDraft& level : figure.levels) {
        if (auto added = add_mesh(build, skeleton, level, file); !added) return fail(std::move(added.error()));
    }
    name_targets(build, figure);
    if (auto added = add_targets(build, skeleton, figure, file); !added) return fail(std::move(added.error()));
    restore_meshes(build, skeleton, figure, file);
    return texture;
}

Result<Loaded<NativeFiles>> convert(const Scene& scene, const FromSceneOptions& options, bool only_avatar = false) {
    Build build(Budget(options.limits, size_of_input(scene)), scene, options);
    build.only_avatar = only_avatar;
    build.record = record_of(scene.asset_extras);
    build.stored = stored_avatar(build);
    if (!build.stored) build.record = Json::object();
    const Tree tree = tree_of(scene);
    const auto levels = drawn_meshes(build, tree);
    auto skeleton = make_skeleton(build, tree, levels);
    if (!skeleton) return fail(std::move(skeleton.error()));
    auto figure = gather(build, tree, *skeleton, levels);
    if (!figure) return fail(std::move(figure.error()));
    set_units(build, *skeleton, figure->low, figure->high);
    NativeFiles files;
    File& file = files.container.avatar;
    build.keeps_image = keep_image(build, *figure);
    set_header(build, *skeleton, *figure, file);
    add_bones(*skeleton, file);
    Result<TextureDraft> texture;
    if (options.only_motions) {
        name_targets(build, *figure);
        build.report = {};  // of an avatar that is not made
    } else {
        texture = add_figure(build, *skeleton, *figure, file);
    }
    if (!texture) return fail(std::move(texture.error()));
    if (auto added = add_motions(build, tree, *skeleton, *figure, files); !added) return fail(std::move(added.error()));
    if (options.only_motions) {
        files.container = {};
    } else if (!only_avatar) {
        keep_trailing(build, file);
        pack(build, *skeleton, *figure, std::move(*texture), files.container);
    }
    return Loaded<NativeFiles>{std::move(files), std::move(build.report)};
}

}  // namespace

std::optional<std::uint32_t> whole_in(const Json& json, const char* name) {
    const auto value = integer_at(json, name);
    const bool fits = value && *value >= 0 && *value <= UINT32_MAX;
    return fits ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

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
    return without_exceptions([&] {
        return check_structure(scene)
            .and_then([&] { return check_option("height", options.height, 0, 1e6); })
            .and_then([&] { return check_option("max_error", options.max_error, 0); })
            .and_then([&] { return native::convert(scene, options); });
    });
}

}  // namespace effigy::arp
