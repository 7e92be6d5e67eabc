/// Records of an ARP avatar for extras.effigy: header, layout, bones, meshes, morph targets, texture, signs, and VRM's
/// names of bones. Rules: docs/conversion/arp.md, "Extras" and "Bones".

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "effigy/arp_codes.hpp"

#include "arp/file/arp_format.hpp"
#include "arp/file/cas_reader.hpp"
#include "arp/file/layout_arp.hpp"
#include "arp/file/texture_image.hpp"
#include "arp/file/zip.hpp"
#include "arp/to_scene/to_scene.hpp"
#include "core/fields_json.hpp"
#include "core/text.hpp"
#include "scene/records.hpp"

namespace effigy::arp::bridge {
namespace {

constexpr std::uint64_t record_size = 800;  ///< a small object in memory, and its text

/// Where a damaged file stops being readable.
void add_damage(Json& json, const File& file) {
    for (const auto& [part, name] : part_notes) {
        if (file.first_missing == part) json[name] = true;
    }
    if (file.first_missing < Part::default_pose) json["mesh_count"] = file.mesh_count;
}

/// The weight of each point that a target moves, in their order; one number where all are equal. No player uses them.
Json set_weights_json(const MorphTarget& target) {
    std::vector<std::pair<std::uint32_t, float>> weights;
    weights.reserve(target.sets.size());
    for (const MorphSet& set : target.sets) weights.emplace_back(set.point, set.weight);
    const auto by_point = [](const auto& left, const auto& right) { return left.first < right.first; };
    std::stable_sort(weights.begin(), weights.end(), by_point);
    const auto is_same_point = [](const auto& left, const auto& right) { return left.first == right.first; };
    weights.erase(std::unique(weights.begin(), weights.end(), is_same_point), weights.end());
    if (weights.empty()) return {};
    const float first = weights.front().second;
    if (std::all_of(weights.begin(), weights.end(), [&](const auto& weight) { return weight.second == first; }))
        return first == 1 ? Json() : json_number(first);
    Bulk<float> numbers;
    for (const auto& [point, weight] : weights) numbers.push_back(weight);
    return json_bytes(packed(bytes_of(numbers)));
}

/// By its name as files are expected to have it: filled up with zeros.
bool is_entry_of(const PoseEntry& entry, const Bone& bone) {
    const std::string_view name = up_to_nul(bone.name), code(entry.bone.data(), entry.bone.size());
    return text_of(entry.bone) == name && code.find_first_not_of('\0', name.size()) == std::string_view::npos;
}

/// The default pose has an entry for each bone, in their order.
bool poses_each_bone(const File& file) {
    return std::equal(file.default_pose.begin(), file.default_pose.end(), file.bones.begin(), file.bones.end(),
                      is_entry_of);
}

/// To the bit: -0 is not 0.
template <class T>
bool is_same(const T& a, const T& b) noexcept {
    return std::memcmp(&a, &b, sizeof a) == 0;  // NOLINT(*-suspicious-memory-comparison)
}

/// Entries that are not the rest of the bone in their place; all of them if they are of other bones.
Bulk<PoseEntry> unusual_pose(const File& file) {
    if (!poses_each_bone(file)) return file.default_pose;
    Bulk<PoseEntry> pose;
    for (std::size_t i = 0; i < file.bones.size(); ++i) {
        const PoseEntry& entry = file.default_pose[i];
        if (!is_same(entry.translation, file.bones[i].translation) || !is_same(entry.rotation, file.bones[i].rotation))
            pose.push_back(entry);
    }
    return pose;
}

Json file_json(const File& file) {
    const Bulk<PoseEntry> pose = unusual_pose(file);
    Json json = layout::fields_json([&](auto& visitor) { layout_record(visitor, file, pose); });
    // Nothing else tells a list of all entries from one of those that are unlike the rest.
    if (!poses_each_bone(file)) json["default_pose_bones"] = file.bones.size();
    add_damage(json, file);
    if (!file.trailing.empty()) json["trailing"] = json_bytes(file.trailing);
    return json;
}

struct HumanBone {
    const char* human;
    const char* bone;
};

/// VRM's names for the codes, of which those of the left and the right side differ by their first letter.
constexpr std::array<HumanBone, 8> middle_bones{{{"hips", "ROOT"},
                                                 {"spine", "SPI1"},
                                                 {"chest", "SPI2"},
                                                 {"upperChest", "SPI3"},
                                                 {"neck", "NEC1"},
                                                 {"head", "HEAD"},
                                                 {"leftEye", "LEYE"},
                                                 {"rightEye", "REYE"}}};
constexpr std::array<HumanBone, 22> side_bones{
    {{"Shoulder", "CLR"},     {"UpperArm", "UPA"},        {"LowerArm", "LRA"},
     {"Hand", "WRI"},         {"UpperLeg", "THG"},        {"LowerLeg", "CLF"},
     {"Foot", "FOT"},         {"ThumbMetacarpal", "TH1"}, {"ThumbProximal", "TH2"},
     {"ThumbDistal", "TH3"},  {"IndexProximal", "IF1"},   {"IndexIntermediate", "IF2"},
     {"IndexDistal", "IF3"},  {"MiddleProximal", "MF1"},  {"MiddleIntermediate", "MF2"},
     {"MiddleDistal", "MF3"}, {"RingProximal", "RF1"},    {"RingIntermediate", "RF2"},
     {"RingDistal", "RF3"},   {"LittleProximal", "PF1"},  {"LittleIntermediate", "PF2"},
     {"LittleDistal", "PF3"}}};

}  // namespace

std::string bone_extras(const File& file, std::size_t number) {
    const Bone& bone = file.bones[number];
    Json json = layout::fields_json([&](auto& visitor) { layout_rest(visitor, bone); });
    json["bone"] = number;
    const std::string_view name = up_to_nul(bone.name);
    if (!is_utf8(bone.name)) {
        json["name"] = json_text(bone.name);
    } else if (!name.empty()) {
        json["code"] = name;
    }
    return to_text(json);
}

std::string helper_extras(std::string_view bone, std::size_t step) {
    return to_text({{"helper", true},
                    {"twist_of", json_text(bone)},
                    {"part", json_number(static_cast<double>(step + 1) / static_cast<double>(twist_steps))}});
}

std::string material_extras(const File& file) {
    return to_text(layout::fields_json([&](auto& visitor) { layout_reflectance(visitor, file); }));
}

Result<Json> mesh_extras(Build& build, const File& file, std::size_t number, std::size_t targets) {
    const Mesh& mesh = file.meshes[number];
    std::uint64_t sets = 0;
    for (const MorphTarget& target : mesh.morph_targets) sets += target.sets.size();
    auto taken = build.take(mesh.morph_targets.size(), record_size, "extras").and_then([&] {
        return build.take(sets, 4 * sizeof(float), "extras");
    });
    if (!taken) return fail(std::move(taken.error()));
    Json json{{"mesh", number},
              {"points", mesh.points.size()},
              {"duplicates", duplicate_points(mesh, file.layout).size()},
              {"switch_distance", json_number(mesh.switch_distance)}};
    for (std::size_t i = 0; i < std::min(targets, mesh.morph_targets.size()); ++i) {
        const std::string_view name = up_to_nul(mesh.morph_targets[i].name);
        json["codes"].push_back(is_utf8(name) ? name : std::string_view());
        Json target = Json::object();
        if (!is_utf8(name)) target["name"] = json_text(name);
        if (Json weights = set_weights_json(mesh.morph_targets[i]); !weights.is_null()) target["weights"] = weights;
        if (target.empty()) continue;
        target["target"] = i;
        json["targets"].push_back(std::move(target));
    }
    return json;
}

std::string skin_extras(const Bind& bind) {
    constexpr std::array<const char*, 3> names{"stored", "rotation", "rigid"};
    Json json{{"bind", bind_json(bind)}};
    for (const BindSource source : bind.sources) {
        json["sources"].push_back(names[std::min<std::size_t>(static_cast<std::size_t>(source), 2)]);
    }
    return to_text(json);
}

namespace {

Json humanoid_json(const Avatar& avatar) {
    Json json = Json::object();
    const auto add = [&](const std::string& human, const std::string& bone) {
        if (avatar.find(bone) != avatar.no_bone()) json[human] = bone;
    };
    for (const HumanBone& entry : middle_bones) add(entry.human, entry.bone);
    for (const HumanBone& entry : side_bones) {
        add(std::string("left") + entry.human, std::string("L") + entry.bone);
        add(std::string("right") + entry.human, std::string("R") + entry.bone);
    }
    return json;
}

/// Of each bone, where it is the same in all frames. Players ignore them.
Json ambient_translations(Build& build, const Avatar& avatar) {
    std::vector<const PoseEntry*> first(avatar.no_bone(), nullptr);
    std::vector<bool> moves(avatar.no_bone());
    for (const AmbientFrame& frame : avatar.file->ambient->frames) {
        for (const PoseEntry& entry : frame.bones) {
            const std::size_t bone = avatar.find(text_of(entry.bone));
            if (bone == avatar.no_bone()) continue;
            if (first[bone] == nullptr) first[bone] = &entry;
            if (!(first[bone]->translation == entry.translation)) moves[bone] = true;
        }
    }
    Json json = Json::array();
    NameList moving;
    for (std::size_t bone = 0; bone < first.size(); ++bone) {
        if (first[bone] == nullptr || (!moves[bone] && first[bone]->translation == Vec3{})) continue;
        const std::string_view name = text_of(first[bone]->bone);
        if (moves[bone]) {
            moving.add(build.text(name));
        } else {
            json.push_back({{"bone", json_text(name)}, {"translation", json_numbers(first[bone]->translation)}});
        }
    }
    build.note_any(moving, codes::arp_translation_ignored, "ambient",
                   "Players turn these bones only: that the ambient motion also moves them is left out.");
    return json;
}

/// When anything has a key.
std::vector<float> key_times(const Clip& clip) {
    std::vector<float> times;
    for (const Track& track : clip.tracks) times.insert(times.end(), track.times.begin(), track.times.end());
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

}  // namespace

Result<std::string> ambient_extras(Build& build, const Avatar& avatar) {
    const File& file = *avatar.file;
    auto taken = build.take(file.bones.size(), record_size, "extras");
    if (!taken) return fail(std::move(taken.error()));
    Json json{{"kind", "ambient"}, {"loop", true}, {"frames", file.ambient->frames.size()}};
    if (file.layout.ambient == AmbientForm::counted) {
        json["frames_per_second"] = json_number(file.ambient->frames_per_second);
    }
    if (Json translations = ambient_translations(build, avatar); !translations.empty())
        json["translations"] = std::move(translations);
    return to_text(json);
}

Result<Extras> signs_extras(Build& build, const MotionInput& input, std::span<const float> seconds, const Clip& clip) {
    std::uint64_t text = 0, key_count = 0;
    for (const cas::Sign& sign : input.file.signs) text += sign.gloss.size();
    for (const Track& track : clip.tracks) key_count += track.times.size();
    auto taken = build.take(input.file.signs.size(), record_size, "signs").and_then([&] {
        return build.take(text + input.file.version.size() + input.file.avatar.size(), 8, "signs");
    });
    if (taken) taken = build.take(key_count, sizeof(float), "keys of signs");
    if (!taken) return fail(std::move(taken.error()));
    const std::vector<float> keys = key_times(clip);
    Json json{{"kind", "cas"}, {"source", source_json(input.source, "cas")}, {"loop", false}};
    if (!input.file.version.empty()) json["version"] = json_text(input.file.version);
    if (!input.file.avatar.empty()) json["avatar"] = json_text(input.file.avatar);
    if (input.file.camera) {
        Json& camera = json["camera_location"];
        for (const auto& [name, field] : cas::camera_fields) camera[name] = json_number((*input.file.camera).*field);
    }
    // By which signs are found where keys have been moved.
    json["keys"] = keys.size();
    json["seconds"] = json_number(clip.duration);
    for (const cas::Sign& sign : input.file.signs) {
        Json entry{{"gloss", json_text(sign.gloss)}, {"frame", sign.first_frame}};
        const bool has_frames = sign.first_frame < seconds.size();
        if (has_frames) entry["time"] = json_number(seconds[sign.first_frame]);
        entry["key"] = has_frames ? std::lower_bound(keys.begin(), keys.end(), seconds[sign.first_frame]) - keys.begin()
                                  : std::ssize(keys);
        json["signs"].push_back(std::move(entry));
    }
    // Resampled motion comes back otherwise in any case.
    const std::span<const std::byte> whole(input.file.text);
    if (!whole.empty() && !(build.options.resample > 0)) {
        if (auto room = build.take(whole.size(), 3, "the text of a motion"); !room)
            return fail(std::move(room.error()));
        json["text"] = json_bytes(packed(whole));
    }
    Extras extras;
    set_record(extras, std::move(json));
    return extras;
}

namespace {

/// What the avatar has in itself, which the scene's image is or was made of.
Result<Json> image_json(Build& build, const Avatar& avatar) {
    const Texture& texture = avatar.file->texture;
    const Index image = build.scene.materials[avatar.material].base_color_texture.image;
    const Bytes nothing;
    const Bytes& shown = image < build.scene.images.size() ? build.scene.images[image].bytes : nothing;
    Json json{{"size", texture.stored_size}, {"shown", image_hash(shown)}};
    if (shown == texture.image) return json;
    if (auto taken = build.take(texture.image.size(), 3, "extras"); !taken) return fail(std::move(taken.error()));
    json["bytes"] = json_bytes(packed(texture.image));
    return json;
}

}  // namespace

Result<Json> asset_extras(Build& build, const Avatar& avatar, const SceneInput& input) {
    const File& file = *avatar.file;
    auto taken = build.take(file.default_pose.size() + 8, record_size, "extras").and_then([&] {
        return build.take(file.trailing.size() + file.texture.name.size() + file.version.size(), 8, "extras");
    });
    if (!taken) return fail(std::move(taken.error()));
    Json source = source_json(avatar.input->source, "arp", json_text(file.version));
    Json json{{"version", 1},
              {"source", std::move(source)},
              {"file", file_json(file)},
              {"metres", json_number(avatar.metres)}};
    if (has_image(file) && file.first_missing == Part::end && avatar.material != no_index) {
        auto image = image_json(build, avatar);
        if (!image) return fail(std::move(image.error()));
        json["file"]["image"] = std::move(*image);
    }
    Json humanoid = humanoid_json(avatar);
    if (!humanoid.empty()) json["humanoid"] = std::move(humanoid);
    for (const MotionInput& motion : input.motions) json["motions"].push_back(source_json(motion.source, "cas"));
    return json;
}

}  // namespace effigy::arp::bridge
