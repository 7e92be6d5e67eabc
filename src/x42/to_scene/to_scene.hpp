#pragma once
/// The bridge in the making: what its parts share.

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "effigy/x42_scene.hpp"

#include "scene/bridge.hpp"
#include "x42/player/tracks.hpp"

namespace effigy::x42::bridge {

/// What skins say of a surface.
struct SurfaceShader {
    std::string surface;  ///< raw bytes, as the line has them
    std::string shader;
    bool used = false;
};

struct Build : SceneBuild {
    Build(Budget memory, const SceneOptions& settings) : SceneBuild(memory), options(settings) {}
    SceneOptions options;

    Index root = no_index;                             ///< above the bones of all models
    std::unordered_map<std::string, Index> bones;      ///< by raw name, the first of each
    std::unordered_map<Index, glm::dmat4> worlds;      ///< rest of the root and all bones in the scene's space
    std::map<std::string, SurfaceShader> shaders;      ///< by lower-case surface
    std::unordered_map<std::string, Index> materials;  ///< by raw name, and whether it has a texture

    /// UTF-8 of a string in a file.
    [[nodiscard]] std::string text(std::string_view raw) const;
};

/// One model on its way into the scene.
struct Model {
    const Source* source = nullptr;
    const File* file = nullptr;
    const Tracks* tracks = nullptr;
    std::vector<Index> bone_nodes;  ///< node of each bone
    Index root = no_index;          ///< node of the model, above all of its bones
};

/// Bones and tags. (to_scene/nodes.cpp)
[[nodiscard]] Result<void> add_nodes(Build& build, Model& model);

/// What vertices follow: the distinct influences of a model. (to_scene/skins.cpp)
struct Joints {
    effigy::Skin skin;
    std::vector<std::uint32_t> of_influences;  ///< joint of each of the file's influences
    /// Of what follows no bone and stands where it is. Another one after all influences, or one of theirs.
    std::uint32_t still = no_index;
    std::size_t joint_count = 0;  ///< of the skin, which goes to the scene before meshes are done
};
[[nodiscard]] Result<Joints> make_joints(Build& build, const Model& model, bool needs_still);

/// What the skins say, by surface. (to_scene/materials.cpp)
void read_skins(Build& build, std::span<const SkinInput> skins);
void note_unused_shaders(Build& build);
/// The shader of a group, raw; nothing if the group is not drawn.
[[nodiscard]] std::optional<std::string_view> shader_of(Build& build, const File& file, const Group& group);
[[nodiscard]] Index material_of(Build& build, std::string_view shader, bool textured);

/// Meshes with their levels of detail, skins and morph targets. (to_scene/levels.cpp)
[[nodiscard]] Result<void> add_meshes(Build& build, const Model& model);

/// Clips of a model: its own animations, those of the configs, or all frames as one. (to_scene/clips.cpp)
[[nodiscard]] Result<void> add_clips(Build& build, const Model& model, std::span<const ConfigInput> configs);

}  // namespace effigy::x42::bridge
