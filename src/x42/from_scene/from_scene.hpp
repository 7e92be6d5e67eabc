#pragma once
/// The way back in the making: what its parts share. Rules: docs/conversion/x42.md, "From a scene".

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "effigy/hashes.hpp"
#include "effigy/x42_scene.hpp"

#include "core/budget.hpp"
#include "core/unique_names.hpp"
#include "scene/bridge.hpp"
#include "scene/records.hpp"
#include "scene/validate.hpp"
#include "x42/to_scene/file_records.hpp"

namespace effigy::x42::bridge {

/// The strings of a file in the build.
class Names {
public:
    Names() = default;
    /// Goes on from those that a file had, so that its records keep their places.
    explicit Names(const Bulk<char>& strings);
    /// Where the name begins, without what stands behind a zero in it.
    [[nodiscard]] std::uint16_t add(std::string_view name);
    [[nodiscard]] const Bulk<char>& strings() const noexcept { return strings_; }

private:
    Bulk<char> strings_;
    std::unordered_map<std::string, std::size_t> places_;
};

/// What a node's extras say of its record in a file.
struct NodeRecord {
    std::optional<std::uint32_t> bone, tag;
    std::optional<std::string> name;  ///< raw
    bool helper = false;
};

/// Where nodes go.
struct NodePlan {
    std::vector<Index> order;            ///< all nodes, parents first
    std::vector<Index> parents;          ///< of each node; levels of detail stand beside what they replace
    std::vector<NodeRecord> records;     ///< of each node
    std::vector<Index> bones;            ///< the node of each bone
    std::vector<Index> tags;             ///< likewise
    std::vector<std::uint32_t> ranks;    ///< of each node: how many animation groups of the records end before it
    std::vector<std::uint16_t> bone_of;  ///< of each node: the bone that it is or follows, or no_bone
    std::vector<glm::dmat4> within;      ///< of each node: its place in that bone, or in the model
    std::vector<glm::dmat4> rest;        ///< of each node: its place in the model's space
    glm::dmat4 rotation{1};              ///< of the whole scene
    bool rotated = false;                ///< the scene looks elsewhere than the format's models
    bool bones_kept = false;             ///< the bones are those of the records, at rest as they were
};

/// A clip as a range of frames.
struct ClipPlan {
    const Clip* clip = nullptr;
    Json extras;              ///< effigy's record, or an empty object
    std::string name;         ///< raw
    bool keeps_name = false;  ///< it is that of the record
    double rate = 30;         ///< frames a second
    std::uint32_t first = 0;  ///< of the key stream
    std::uint32_t frames = 1;
    bool backwards = false;                      ///< the first frame shows the clip's end
    bool closes = true;                          ///< its end looks like its beginning
    std::uint64_t left_out = 0, not_finite = 0;  ///< keys and numbers that no file can hold
};

/// Textures that a model names, by its shaders. Others would lie beside it for nothing.
inline constexpr std::array<TextureSlot Material::*, 1> named_slots{&Material::base_color_texture};

[[nodiscard]] inline Encodings encodings_of(const Json& asset, const FromSceneOptions& options) {
    return effigy::encodings_of(asset, options.encoding, SceneOptions().encoding);
}

struct FileBuild : BridgeState {
    FileBuild(Budget memory, const Scene& from, const FromSceneOptions& settings)
        : BridgeState(memory), scene(from), options(settings) {}

    const Scene& scene;
    FromSceneOptions options;
    Untouched untouched{scene};
    Json asset{};  ///< asset.extras.effigy
    Encodings encodings{};
    std::optional<Records> records{};  ///< of the file that the scene comes from
    NodePlan nodes{};
    std::vector<ClipPlan> clips{};
    Names names{};
    std::vector<std::string> shaders{};  ///< of each material
    std::string plain_shader{};          ///< of what has none
    File file{};
    AnimationConfig config{};
    bool keys_kept = false;    ///< the key stream is that of the records
    bool meshes_kept = false;  ///< likewise vertices, groups, levels and influences

    [[nodiscard]] std::string shader(Index material) const {
        return material < shaders.size() ? shaders[material] : plain_shader;
    }
};

/// For findings: names are optional.
template <class T>
[[nodiscard]] std::string label(const std::vector<T>& all, const T& one, const std::string& kind) {
    return one.name.empty() ? kind + " " + std::to_string(&one - all.data()) : one.name;
}

/// Something is more than the format can count.
[[nodiscard]] Diagnostic too_many(std::string path, std::uint64_t found, std::uint64_t most, std::string message);

/// Whether the scene comes from this format; `asset`: its record. Without that, nodes of the format look where the
/// reader of glTF has seen by their records. (from_scene/nodes.cpp)
[[nodiscard]] bool is_own(const Scene& scene, const Json& asset);
/// Whether the node is called as tags are, which need no record then. (from_scene/nodes.cpp)
[[nodiscard]] bool is_named_tag(const Node& node);
/// Whether it only moves, turns and scales evenly: a bone can take it in. (from_scene/nodes.cpp)
[[nodiscard]] bool is_even(const glm::dmat4& matrix) noexcept;
/// The scene with even scales above joints in translations and binds instead, so that it shows the same; nothing if
/// it has none, or is the format's own, whose bones stay as they are. (from_scene/scales.cpp)
[[nodiscard]] std::optional<Scene> without_scales(const Scene& scene);
/// The scene with two nodes for each that shears, of which the lower one turns and the upper one does the rest; nothing
/// if none does. (from_scene/shear.cpp)
[[nodiscard]] std::optional<Scene> without_shear(const Scene& scene);
/// Which nodes are bones and tags, and where all of them are. (from_scene/nodes.cpp)
[[nodiscard]] Result<void> plan_nodes(FileBuild& build);
/// Bones, animation groups and tags. (from_scene/bones.cpp)
[[nodiscard]] Result<void> make_bones(FileBuild& build);

/// The meshes as the records have them; false, and nothing is done, if they are not as they were.
/// (from_scene/kept.cpp)
[[nodiscard]] Result<bool> keep_meshes(FileBuild& build);
/// Groups, levels of detail, vertices and influences, anew. (from_scene/meshes.cpp)
[[nodiscard]] Result<void> make_meshes(FileBuild& build);
/// What each material is called in the game, raw: textures that are written beside the model by their names.
/// (from_scene/meshes.cpp)
[[nodiscard]] std::vector<std::string> shaders_of(const Scene& scene, const std::string& folder,
                                                  const Encodings& encodings);
/// What has no material is called, where the game draws nothing without a shader: none of `shaders`; empty without a
/// folder. (from_scene/meshes.cpp)
[[nodiscard]] std::string plain_shader_of(const std::string& folder, const std::vector<std::string>& shaders);

/// Which frames are which clip. (from_scene/clips.cpp)
[[nodiscard]] Result<void> plan_clips(FileBuild& build);
/// The file's own animations. (from_scene/clips.cpp)
[[nodiscard]] Result<void> make_animations(FileBuild& build);
/// animation.cfg (from_scene/clips.cpp)
void make_config(FileBuild& build);
/// Palettes and key stream. (from_scene/keys.cpp)
[[nodiscard]] Result<void> make_keys(FileBuild& build);

}  // namespace effigy::x42::bridge
