#pragma once
/// From EMotion FX files to the scene: what the parts of the bridge share.
///
/// Findings of the bridge (code, severity, meaning):
///
///   actor-depth            warning  An actor is nested deeper than the limit allows; that level of detail is left out.
///   alpha-map-lost         warning  An opacity map that is not the base colour texture cannot be carried.
///   binds-differ           info     A joined part has other rest transforms than the first actor; the first one's win.
///   blending-lost          warning  Additive or subtractive blending becomes ordinary blending.
///   clip-empty             warning  A motion matches nothing in the scene and is left out.
///   collision-baked        info     A collision mesh is stored in world space: its node's transform has shear.
///   color-clamped          info     Vertex colours outside of 0..1 are clamped.
///   encoding-unknown       warning  The code page is not known here; only ASCII is decoded.
///   key-before-zero        warning  Keys before time 0 are moved to 0.
///   key-duplicate          info     Keys that share a time are moved apart by the smallest step.
///   key-late-start         info     The first key is after 0: the engine shows the last key before it, glTF the first.
///   key-order              warning  Keys that are not in order of time are sorted.
///   key-time               warning  Keys without a finite time are left out.
///   layer-kept             info     A vertex layer that has no place in glTF is kept in extras only.
///   layer-size             warning  A vertex layer does not fit its type or the vertex count; kept in extras only.
///   limit-memory           error    The memory limit is reached.
///   lod-kind               warning  A level of detail is skinned where level 0 is not, or the other way round.
///   lod-without-base       warning  A level of detail has no level 0; it is kept, hidden.
///   material-missing       warning  A submesh names a material that does not exist.
///   mesh-empty             warning  A mesh without usable triangles is left out.
///   mesh-no-positions      warning  A mesh without usable positions is left out.
///   mesh-node              warning  A mesh names a node that does not exist; it hangs at the root of the scene.
///   mesh-vertex-count      warning  The submeshes' vertex counts do not add up to the mesh's.
///   morph-empty            warning  A morph target has no usable offset for a mesh.
///   morph-mesh             warning  A morph target deforms a node that has no mesh.
///   morph-range            info     Weights are clamped to the target's range.
///   morph-transform-lost   warning  A morph target moves nodes; that stays in extras only.
///   morph-vertex           warning  Morph offsets for vertices that do not exist are left out.
///   motion-order-differs   warning  Actor and motion disagree on the order of scale and rotation; the actor's is used.
///   motion-unmatched       warning  Tracks of a motion that name no node or morph target.
///   motion-retargeted      info     Positions and scales were adapted to the actor's bind pose.
///   motion-repeated        warning  A motion names a node or target twice; the first one counts.
///   node-parent            warning  A node's parent does not come before it; the node becomes a root.
///   normal-repaired        warning  Normals that are not unit are normalised, those of no length are made anew.
///   not-finite-replaced    warning  Numbers that are not finite become 0.
///   nothing-to-show        error    No input has anything that can be shown.
///   original-vertices-kept info     Original vertex numbers beyond 2^24 are kept in extras only.
///   rotation-zero          warning  A rotation of no length becomes no rotation.
///   scale-rotation-unused  info     Scale rotation keys have no effect because the scale is uniform.
///   scale-baked            info     A transform that one glTF node cannot say becomes a chain of two nodes.
///   skin-bind              warning  A joint's bind transform has no inverse.
///   skin-node              warning  Influences of nodes that do not exist are left out.
///   skin-range             warning  Vertices refer to influences or original vertices that do not exist.
///   skin-repeated-joint    info     Influences of one vertex that name a node twice are added up.
///   skin-unbound           info     Vertices without influences are bound to the mesh's own node.
///   skin-weight            warning  Negative weights or weights that are not numbers are left out.
///   tangent-repaired       warning  Tangents that are not unit or whose handedness is not +-1 are repaired.
///   tangent-without-normal warning  Tangents of a mesh without normals become a custom attribute.
///   texture-coordinates    warning  A material asks for texture coordinates that a mesh lacks.
///   texture-kept           info     Texture layers that have no place in glTF are kept in extras only.
///   texture-repeated       warning  Two texture layers of one kind: the first one counts.
///   texture-turned         info     A texture is turned; the centre of the turn is assumed to be the origin.
///   ticks-format           error    A file of ticks is none (read_ticks).
///   track-resampled        info     Rotation and scale rotation both move: their product is resampled.
///   triangle-index         warning  Triangles with indices out of range, or incomplete ones, are left out.
///   wavelet-not-decoded    error    A wavelet-compressed motion is left out.
///   wireframe-lost         info     A wireframe material is drawn solid.

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "effigy/emfx_scene.hpp"

#include "core/json.hpp"
#include "emfx/scene_math.hpp"
#include "scene/bridge.hpp"

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
    bool chained = false;          ///< stands as two scene nodes
    Index first = no_index;        ///< scene node that carries translation and scale
    Index last = no_index;         ///< scene node that carries name, children and mesh
};

struct Skeleton {
    std::vector<SkeletonNode> nodes;
    std::unordered_map<std::string_view, Index> by_name;  ///< the first node of each name

    [[nodiscard]] Index find(std::string_view raw_name) const noexcept;
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
    Index scene_mesh = no_index;
    Index scene_skin = no_index;
    Index scene_node = no_index;
};

/// A chunk that the scene has nothing of, as it stands in its file.
struct KeptChunk {
    std::size_t model = 0, chunk = 0;
    Bytes content;
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
    std::vector<std::string> idle_motions;  ///< that became no clip: JSON objects for the asset's extras

    [[nodiscard]] std::string text(std::string_view raw) const;
    void note_repairs(const Repairs& repairs, const std::string& path);
    /// Keeps a chunk for the asset's extras.
    void keep_chunk(std::size_t model, std::size_t chunk);
};

// scene_nodes.cpp
[[nodiscard]] std::vector<const xac::Node*> node_records(const xac::File& file);
[[nodiscard]] Order order_of(const Header& header) noexcept;
void join_nodes(Context& context, Model& model);
/// Makes scene nodes of the skeleton, one or two each.
void emit_nodes(Context& context);
/// A node above all of the skeleton if a skin's joints have no other common ancestor.
void set_common_roots(Context& context);

// scene_materials.cpp
void add_materials(Context& context, Model& model);
[[nodiscard]] Index find_material(const Model& model, std::uint32_t level, std::uint32_t number) noexcept;

// scene_meshes.cpp
/// The scene mesh, or no_index if nothing can be shown.
[[nodiscard]] Result<Index> add_mesh(Context& context, MeshJob& job);

// scene_skins.cpp
/// Gives `mesh` joints and weights and the job a skin, if there are influences. What of the table these do not say goes
/// to `record`.
[[nodiscard]] Result<void> add_skin(Context& context, MeshJob& job, Mesh& mesh, std::vector<Attribute>& attributes,
                                    Json& record);

// scene_levels.cpp
/// All meshes of all models, with their levels of detail, in their places.
[[nodiscard]] Result<void> add_meshes(Context& context);

// scene_morphs.cpp
[[nodiscard]] Result<void> add_morph_targets(Context& context);
[[nodiscard]] Result<void> add_morph_motions(Context& context, std::vector<MorphMotion>& motions);

// scene_motions.cpp
/// Retargets if asked to; marks the skeleton's nodes that need two scene nodes because of a motion.
void prepare_motions(Context& context, std::vector<SkeletalMotion>& motions);
[[nodiscard]] Result<void> add_motions(Context& context, std::vector<SkeletalMotion>& motions);
/// A flat skeleton from a motion's own bind pose.
void nodes_from_motion(Context& context, SkeletalMotion& motion);
[[nodiscard]] bool has_wavelet(const xsm::File& file) noexcept;

}  // namespace effigy::emfx::bridge
