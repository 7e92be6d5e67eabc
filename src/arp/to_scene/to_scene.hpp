#pragma once
/// The bridge in the making: what its parts share.

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "effigy/arp_bind.hpp"
#include "effigy/arp_scene.hpp"

#include "core/json_fwd.hpp"
#include "scene/bridge.hpp"

namespace effigy::arp::bridge {

struct Build : SceneBuild {
    Build(Budget memory, const SceneOptions& settings) : SceneBuild(memory), options(settings) {}
    SceneOptions options;

    /// UTF-8 of a string in a file.
    [[nodiscard]] std::string text(std::string_view raw) const;
};

/// Of the whole twist, helper joints hold these parts: 1/4, 2/4, 3/4 and all. None of it is the bone itself.
inline constexpr std::size_t twist_steps = 4;

/// A bone of an arm whose points turn about it.
struct TwistedBone {
    std::size_t bone = 0;
    std::size_t driver = 0;  ///< the bone whose turn about x it is: itself, or of forearms the hand
    bool is_forearm = false;
    std::uint32_t first_joint = 0;             ///< of the helpers, in every skin
    std::array<Index, twist_steps> helpers{};  ///< nodes
};

/// A mesh of the file that is in the scene.
struct PlacedMesh {
    Index node = no_index;
    std::unordered_map<std::string_view, std::uint32_t> targets;  ///< by raw name, the first of each
};

/// The avatar on its way into the scene.
struct Avatar {
    const AvatarInput* input = nullptr;
    const File* file = nullptr;
    std::string name;       ///< UTF-8
    double metres = 1;      ///< of one unit
    Index root = no_index;  ///< above all bones
    std::vector<Index> bone_nodes;
    std::vector<std::size_t> parents;                         ///< of bones; the number of bones: none
    std::unordered_map<std::string_view, std::size_t> bones;  ///< by name, the first of each
    std::vector<TwistedBone> twists;
    Index material = no_index;
    std::vector<PlacedMesh> meshes;

    [[nodiscard]] std::size_t no_bone() const noexcept { return file->bones.size(); }
    [[nodiscard]] std::size_t find(std::string_view code) const noexcept {
        const auto found = bones.find(code);
        return found == bones.end() ? no_bone() : found->second;
    }
};

/// Of unit length; no rotation for what has no length or is not finite, which `bad` counts.
[[nodiscard]] glm::dquat unit(const Quat& raw, std::uint64_t& bad) noexcept;

/// Bones, and helper joints for arms. (to_scene/nodes.cpp)
[[nodiscard]] Result<void> add_nodes(Build& build, Avatar& avatar);

/// (to_scene/materials.cpp)
[[nodiscard]] Result<void> add_material(Build& build, Avatar& avatar);

/// One mesh for each level of detail, with its skin. (to_scene/meshes.cpp)
[[nodiscard]] Result<void> add_meshes(Build& build, Avatar& avatar);

/// The file's own motion. (to_scene/motions.cpp)
[[nodiscard]] Result<void> add_ambient(Build& build, const Avatar& avatar);

/// The whole scene, hashes included. (to_scene/to_scene.cpp)
[[nodiscard]] Result<Build> build_scene(const SceneInput& input, const SceneOptions& options);

/// (to_scene/motions.cpp)
[[nodiscard]] Result<void> add_signs(Build& build, const Avatar& avatar, const MotionInput& input);

// to_scene/extras.cpp: what glTF has no place for, as JSON for `extras.effigy`

[[nodiscard]] std::string bone_extras(const File& file, std::size_t number);
/// `step`: from 0.
[[nodiscard]] std::string helper_extras(std::string_view bone, std::size_t step);
[[nodiscard]] std::string material_extras(const File& file);
[[nodiscard]] Result<Json> mesh_extras(Build& build, const File& file, std::size_t number, std::size_t targets);
[[nodiscard]] std::string skin_extras(const Bind& bind);
[[nodiscard]] Result<std::string> ambient_extras(Build& build, const Avatar& avatar);
/// `seconds`: of the frames. `clip`: what became of them.
[[nodiscard]] Result<Extras> signs_extras(Build& build, const MotionInput& input, std::span<const float> seconds,
                                          const Clip& clip);

/// asset.extras.effigy.
[[nodiscard]] Result<Json> asset_extras(Build& build, const Avatar& avatar, const SceneInput& input);

/// What lies beside the avatar: the pose and the places on the skin of asd.xml, the faces of nonmanuals.xml, the
/// settings of config.xml, and the names of all files. What is left out is reported.
/// (to_scene/companions.cpp)
[[nodiscard]] Json companions_json(Build& build, const AvatarInput& input);

}  // namespace effigy::arp::bridge
