#pragma once
/// What the parts of to_scene() share: the file, the scene in the making, and careful ways to take values from JSON.

#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/math.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

#include "gltf/file/asset.hpp"
#include "scene/worlds.hpp"

namespace effigy::gltf {

struct Reading {
    Asset& asset;
    const Limits& limits;
    Scene scene{};
    Report report{};
    std::vector<Value> hints{};  ///< what `extras.effigy` of each node says that has a place of its own
    std::vector<std::string> colors_restored{}, colors_lost{};  ///< meshes whose colours a program has dropped

    void note(const Code& code, std::string path, std::string message = {}, std::string found = {},
              std::string expected = {});

    /// Memory for `count` objects of `size` bytes; fails with "limit-memory".
    [[nodiscard]] Result<void> take(std::uint64_t count, std::uint64_t size, const std::string& path);

    // A missing member means `fallback`; one of another kind is reported as "gltf-value" and means the same.
    [[nodiscard]] float number(const Value& object, const char* name, float fallback, const std::string& path);
    [[nodiscard]] bool flag(const Value& object, const char* name, const std::string& path);
    template <std::size_t count>
    [[nodiscard]] std::array<float, count> numbers(const Value& object, const char* name,
                                                   std::array<float, count> fallback, const std::string& path) {
        static_cast<void>(read_numbers(object, name, fallback, path));
        return fallback;
    }

    /// Members that ought to be a list, or an object; empty ones where they are missing, or of another kind.
    [[nodiscard]] const Value& list(const Value& object, const char* name, const std::string& path);
    [[nodiscard]] const Value& object(const Value& object, const char* name, const std::string& path);

    /// The number of an object in one of the root's arrays, which has `count` of them; no_index for a missing member.
    /// Fails with "gltf-reference".
    [[nodiscard]] Result<Index> reference(const Value& object, const char* name, std::string_view array,
                                          std::size_t count, const std::string& path);
    [[nodiscard]] Result<Index> reference(const Value& object, const char* name, std::string_view array,
                                          const std::string& path);
    /// The same for a value instead of a member.
    [[nodiscard]] Result<Index> target_of(const Value& value, std::string_view array, std::size_t count,
                                          const std::string& path);

private:
    const Value& member_of(const Value& object, const char* name, const Value& nothing, const std::string& path);
    void note_too_large(const Value& found, std::string path);
    bool read_numbers(const Value& object, const char* name, std::span<float> numbers, const std::string& path);
    void note_value(const Value& found, std::string path, std::string expected);
};

/// A flag that modelling programs may have turned into a number.
[[nodiscard]] bool is_set(const Value& object, const char* name);

/// Whether Blender's own exporter says that it wrote the file.
[[nodiscard]] bool is_made_by_blender(const Reading& reading);
/// Whether there is anything left of what effigy said in extras.
[[nodiscard]] bool has_records(const Reading& reading);

/// A member that ought to be an object; an empty one where it is missing.
[[nodiscard]] const Value& object_member(const Value& object, const char* name);
/// The name of an object, or an empty text.
[[nodiscard]] std::string name_of(const Value& object);
/// A value in a message.
[[nodiscard]] std::string shown(const Value& value);

/// Fills `list` with what a Reader makes of each object of one of the root's arrays.
template <class Reader, class Object>
[[nodiscard]] Result<void> read_objects(Reading& reading, const char* array, std::vector<Object>& list) {
    const Value& objects = reading.asset.array(array);
    if (auto taken = reading.take(objects.size(), sizeof(Object), array); !taken) return taken;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        auto object = Reader(reading, objects[i], i).read();
        if (!object) return fail(std::move(object.error()));
        list.push_back(std::move(*object));
    }
    return {};
}

// The parts of to_scene(), in this order, each in a file of its own.
[[nodiscard]] Result<void> read_images(Reading& reading);
[[nodiscard]] Result<void> read_materials(Reading& reading);
[[nodiscard]] Result<void> read_meshes(Reading& reading);
[[nodiscard]] Result<void> read_lights(Reading& reading);
[[nodiscard]] Result<void> read_nodes(Reading& reading, int scene);
[[nodiscard]] Result<void> read_skins(Reading& reading);
[[nodiscard]] Result<void> read_animations(Reading& reading);

/// Weights whose sum is not 1, and says so. Meshes of a game's files, whose records say that they are, keep theirs.
void normalize_weights(Reading& reading, Index mesh);

/// Of each node, whether it is a joint of a skin.
[[nodiscard]] std::vector<bool> joints_of(const Scene& scene);

/// What does not harm bones.
inline constexpr const char* what_to_tick =
    "Blender's importer: Bone Dir \"Blender (best for re-importing)\", and Guess Original Bind Pose off.";

// What modelling programs do to scenes that effigy wrote, undone, in this order.
/// Bones that were turned.
void turn_bones_back(Reading& reading);
/// Which way a model looks that was an X42 by its nodes' records, where the asset's is lost.
void find_lost_facing(Reading& reading);
/// Says so where names are all that is left of a file of effigy's, and which way an X42 model of such names looks.
void note_lost_properties(Reading& reading);
/// Poses at rest, meshes that were taken off their nodes, armatures above bones that had none.
void restore(Reading& reading);
/// Nodes that were hidden, levels of detail and collision among them.
void hide_again(Reading& reading);
/// Says so where meshes are seen from inside only. The scene's structure has been checked before.
void note_inside_out(Reading& reading);

/// The rotation with unit length; none at all if it has no length.
[[nodiscard]] inline Quat unit(const Quat& q) noexcept {
    const double length = std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
    if (!(length > 1e-30)) return {};
    const auto part = [&](float value) { return static_cast<float>(value / length); };
    return {part(q.x), part(q.y), part(q.z), part(q.w)};
}

struct ReadExtras {
    Extras extras;
    Value effigy;  ///< what `extras.json` says
    Value known;   ///< members of `extras.effigy` that have a place of their own; an object
};

/// The JSON for an object as Python prints it: {'name': "it's", 'whole': True, 'none': None}. Blender keeps custom
/// properties like that where its own types cannot hold all numbers of an object. JSON stays as it is; what is neither
/// becomes something that is no JSON either.
[[nodiscard]] std::string json_of_python(std::string_view text);

/// Members of `extras` that are called as in `known` have a place of their own in the scene, and so have those of
/// `extras.effigy` that are called as in `known_of_effigy`.
[[nodiscard]] ReadExtras read_extras(Reading& reading, const Value& object, const std::string& path,
                                     std::initializer_list<const char*> known = {},
                                     std::initializer_list<const char*> known_of_effigy = {});

}  // namespace effigy::gltf
