#pragma once
/// What glTF has no place for, as JSON for `extras.effigy`. Fields are named as in effigy/arp.hpp.

#include <span>
#include <string>

#include "arp/to_scene/to_scene.hpp"
#include "core/json.hpp"

namespace effigy::arp::bridge {

[[nodiscard]] std::string bone_extras(const File& file, std::size_t number);
/// `step`: from 0.
[[nodiscard]] std::string helper_extras(std::string_view bone, std::size_t step);
[[nodiscard]] std::string material_extras(const File& file);
[[nodiscard]] Result<Json> mesh_extras(Build& build, const File& file, std::size_t number, std::size_t targets);
[[nodiscard]] std::string skin_extras(const Bind& bind);
[[nodiscard]] Result<std::string> ambient_extras(Build& build, const Avatar& avatar);
[[nodiscard]] Result<std::string> signs_extras(Build& build, const MotionInput& input, std::span<const float> seconds);

/// asset.extras.effigy.
[[nodiscard]] Result<Json> asset_extras(Build& build, const Avatar& avatar, const SceneInput& input);

/// Which bone is which of a person's, by VRM's names. (to_scene/humanoid.cpp)
[[nodiscard]] Json humanoid_json(const Avatar& avatar);

/// What lies beside the avatar: the pose and the places on the skin of asd.xml, the faces of nonmanuals.xml, the
/// settings of config.xml, and the names of all files. What is left out is reported.
/// (to_scene/companions.cpp)
[[nodiscard]] Json companions_json(Build& build, const AvatarInput& input);

}  // namespace effigy::arp::bridge
