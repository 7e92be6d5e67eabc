#pragma once
/// From clips to the keys of parts.

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "egosoft/from_scene/from_scene.hpp"

namespace effigy::egosoft::bridge {

/// A node that moves, as the format has it: its rest is the place that keys are relative to.
struct MovingPart {
    glm::dvec3 translation{0};
    glm::dquat rotation{1, 0, 0, 0};
    glm::dvec3 scale{1};
    bool at_origin = true;  ///< nothing of that changes a key
};
[[nodiscard]] MovingPart moving_part(const Transform& rest);

/// What became of tracks.
struct KeyLosses {
    double rotation_error = 0;  ///< radians
    std::uint64_t rotations = 0;
    std::uint64_t not_finite = 0;
    std::uint64_t left_out = 0;  ///< keys whose times are not finite or do not rise, and those behind them
};

[[nodiscard]] Result<Bulk<ani::Key>> vector_keys(Context& context, const Track& track, const MovingPart& part,
                                                 KeyLosses& losses);
[[nodiscard]] Result<Bulk<ani::Key>> rotation_keys(Context& context, const Track& track, RotationRule rule,
                                                   const MovingPart& part, KeyLosses& losses);

struct Plan;

struct MadeAnimations {
    ani::File file;
    std::vector<bool> is_new;  ///< of each animation: its keys were made of a clip's tracks
};
/// The whole file: what nobody has touched as it was, all else anew. `part_of` names the part of a node; empty: the
/// node is none. Parts of a component stand in frames without scale.
[[nodiscard]] Result<MadeAnimations> make_animations(Context& context, const std::vector<std::string>& part_of,
                                                     const Plan* component = nullptr);
/// What parts are called now, by their names in the file that the component comes from, in lower case.
[[nodiscard]] std::map<std::string, std::string> names_of_old_parts(const Plan& plan);
/// A part and its state, both in lower case.
using PartState = std::pair<std::string, std::string>;
[[nodiscard]] PartState part_state(const ani::Animation& animation);
/// The part that one of a record's animations moves, in lower case.
[[nodiscard]] std::string part_in(const Json& animation);
/// The record of the file that the scene comes from, or the component, each of which has its name there if there are
/// several. Null: there is none, or it is not known which one.
[[nodiscard]] const Json* old_animation_file(Context& context, const Plan* component);
/// Whether the scene comes from such a file, or the component does.
[[nodiscard]] bool has_old_animations(Context& context, const Plan* component);
/// The state that the clip was made of, unless the clip has been given another name.
[[nodiscard]] std::string state_of(const Clip& clip, const Json& record);
[[nodiscard]] bool is_renamed(const std::string& state, const Json& record);
/// How long a clip of that record was in the scene, in seconds.
[[nodiscard]] std::optional<float> old_length(const Json& record);
/// Place and rotation of a matrix, without scale, shear and reflection.
[[nodiscard]] glm::dmat4 frame_of(const glm::dmat4& matrix);

}  // namespace effigy::egosoft::bridge
