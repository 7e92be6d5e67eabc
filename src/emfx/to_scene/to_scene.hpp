#pragma once
/// From EMotion FX files to the scene: what the parts of the bridge share.

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "effigy/emfx_scene.hpp"

#include "emfx/file/namesakes.hpp"
#include "emfx/file/transforms.hpp"
#include "scene/bridge.hpp"
#include "scene/records.hpp"

namespace effigy::emfx::bridge {

/// One node of the joined skeleton.
struct SkeletonNode {
    std::string_view raw_name;  ///< in its file
    std::string name;           ///< UTF-8
    Index parent = no_index;    ///< in the skeleton, always before this one
    Index root = no_index;      ///< topmost ancestor, or itself
    LocalTransform rest;
    Order order = Order::scale_first;
    glm::dmat4 world{1};
    std::size_t model = 0;         ///< where it comes from
    std::uint32_t file_index = 0;  ///< its number there
    std::size_t namesake = 0;      ///< of several of its name, or of none: which, from 1; 0: it is the only one
    bool chained = false;          ///< stands as two scene nodes
    Index first = no_index;        ///< scene node that carries translation and scale
    Index last = no_index;         ///< scene node that carries name, children and mesh
};

struct Skeleton {
    std::vector<SkeletonNode> nodes;
    std::map<NumberedName, Index> by_name;

    [[nodiscard]] Index find(const NumberedName& raw_name) const noexcept;
};

/// One actor file: a part given by the caller, or a level of detail embedded in one.
struct Model {
    const Source* source = nullptr;
    xac::File* file = nullptr;
    std::size_t part = 0;
    std::uint64_t base_level = 0;
    Order order = Order::scale_first;
    std::vector<const xac::Node*> records;
    std::vector<Index> to_skeleton;                         ///< for each record
    std::vector<glm::dmat4> world_bind;                     ///< for each record, from this file's own transforms
    std::map<std::uint32_t, std::vector<Index>> materials;  ///< scene materials by level, in file order
};

/// How the engine reads keys.
inline constexpr ClipRules engine_rules{RotationRule::nlerp, true};

struct BoundTarget {
    std::string_view raw_name;
    float range_min = 0, range_max = 1;
};

/// A scene node whose mesh has morph targets.
struct MorphedNode {
    Index node = no_index;
    std::vector<BoundTarget> targets;  ///< as in the mesh
};

/// A mesh of a file on its way into the scene.
struct MeshJob {
    std::size_t model = 0;
    std::size_t chunk = 0;
    xac::Mesh* mesh = nullptr;
    xac::Skinning* skinning = nullptr;
    std::size_t skinning_chunk = 0;
    std::uint64_t level = 0;
    Index node = no_index;  ///< in the skeleton
    bool collision = false;
    bool keep_winding = false;  ///< the node mirrors and the mesh follows it
    bool is_baked = false;      ///< its vertices stand where its node's transform puts them
    Index scene_mesh = no_index;
    Index scene_skin = no_index;
    Index scene_node = no_index;
};

/// A chunk that the scene has nothing of, as it stands in its file.
struct KeptChunk {
    std::size_t model = 0, chunk = 0;
    Bytes content;
};

/// What stays of a compressed motion where keys have taken its place.
struct PackedMotion {
    Json record;         ///< with the compressed blocks
    float duration = 0;  ///< that it states
};

struct Context : SceneBuild {
    Context(const SceneOptions& scene_options, Budget memory) : SceneBuild(memory), options(scene_options) {}

    const SceneOptions& options;
    Skeleton skeleton;
    std::vector<Model> models;
    std::vector<MeshJob> jobs;
    std::vector<MorphedNode> morphed;
    std::vector<KeptChunk> kept_chunks;
    std::unordered_map<std::string, Index> images;           ///< by lower-case raw name
    std::unordered_map<std::string, Index> known_materials;  ///< by the whole record
    std::vector<Json> idle_motions;                          ///< that became no clip, for the asset's extras
    std::vector<std::optional<PackedMotion>> packed;         ///< for each motion that is compressed

    [[nodiscard]] std::string text(std::string_view raw) const;
    void note_repairs(const Repairs& repairs, const std::string& path);
    /// Keeps a chunk for the asset's extras.
    void keep_chunk(std::size_t model, std::size_t chunk);
};

// to_scene/nodes.cpp
void join_nodes(Context& context, Model& model);
/// Makes scene nodes of the skeleton, one or two each.
void emit_nodes(Context& context);
/// A node above all of the skeleton if a skin's joints have no other common ancestor.
void set_common_roots(Context& context);

// to_scene/materials.cpp
void add_materials(Context& context, Model& model);
[[nodiscard]] Index find_material(const Model& model, std::uint32_t level, std::uint32_t number) noexcept;

// to_scene/meshes.cpp
/// The scene mesh, or no_index if nothing can be shown.
[[nodiscard]] Result<Index> add_mesh(Context& context, MeshJob& job);

// to_scene/skins.cpp
/// Gives `mesh` joints and weights and the job a skin, if there are influences. What of the table these do not say goes
/// to `record`.
[[nodiscard]] Result<void> add_skin(Context& context, MeshJob& job, Mesh& mesh, std::vector<Attribute>& attributes,
                                    Json& record);

// to_scene/levels.cpp
/// All meshes of all models, with their levels of detail, in their places.
[[nodiscard]] Result<void> add_meshes(Context& context);

// to_scene/morphs.cpp
[[nodiscard]] Result<void> add_morph_targets(Context& context);
[[nodiscard]] Result<void> add_morph_motions(Context& context, std::vector<MorphMotion>& motions);

// to_scene/motions.cpp
/// Retargets if asked to; marks the skeleton's nodes that need two scene nodes because of a motion.
void prepare_motions(Context& context, std::vector<SkeletalMotion>& motions);
[[nodiscard]] Result<void> add_motions(Context& context, std::vector<SkeletalMotion>& motions);
/// A flat skeleton from a motion's own bind pose.
void nodes_from_motion(Context& context, SkeletalMotion& motion);

// to_scene/wavelets.cpp
/// Puts keys in the place of compressed motions, and leaves out those that cannot be decoded.
[[nodiscard]] Result<void> unpack_wavelets(Context& context, std::vector<SkeletalMotion>& motions);

}  // namespace effigy::emfx::bridge
