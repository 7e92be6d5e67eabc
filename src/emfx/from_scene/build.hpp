#pragma once
/// An actor in the making: what the parts of the way back hand to one another.

#include <cstdint>
#include <cstring>
#include <functional>
#include <glm/mat4x4.hpp>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "effigy/emfx_scene.hpp"
#include "effigy/hashes.hpp"
#include "effigy/scene_access.hpp"

#include "core/budget.hpp"
#include "core/json_fields.hpp"
#include "emfx/file/formats.hpp"
#include "emfx/file/transforms.hpp"
#include "emfx/from_scene/from_scene.hpp"
#include "scene/bridge.hpp"
#include "scene/records.hpp"
#include "scene/worlds.hpp"

namespace effigy::emfx::bridge {

inline constexpr std::uint32_t no_number = no_index;

/// What a scene node is to the actor.
enum class NodeRole : std::uint8_t {
    node,    ///< a node of the actor
    link,    ///< `<node>.scale`, the upper half of a node
    twin,    ///< stands for its parent once more
    holder,  ///< only holds a mesh of another node
    above,   ///< stands above the skeleton's roots and is none of them
};

/// What a node's extras and name say about it.
struct NodePlace {
    NodeRole role = NodeRole::node;
    Index partner = no_index;  ///< of a link and of its node: the other one; of a twin or a holder: the actor's node
    std::uint32_t model = 0;   ///< file that it comes from
    std::uint32_t index = no_number;  ///< its number there
    std::uint64_t level = 0;          ///< of a holder
    bool collision = false;           ///< of a holder
    bool baked = false;               ///< of a holder: the vertices stand in the world
    bool had_owner = false;           ///< of a holder: its mesh had a node in the file
    Index base = no_index;            ///< of a level of detail: the node that it stands in for
    bool is_of_level = false;         ///< a node that only embedded levels of detail have, and not the actor
};

struct ActorNode {
    Index scene_node = no_index;  ///< the one that has the name and the children
    xac::Node record;
    LocalTransform local;
    glm::dmat4 world{1};           ///< at rest, in the scene's frame
    bool is_raw = false;           ///< the record is the file's own
    bool is_raw_to_root = false;   ///< those of its parents are as well
    bool is_moved = false;         ///< see MappedNode
    bool counts_children = false;  ///< the record itself says how many there are
    bool has_box = false;          ///< the record's box is the file's own
    std::uint64_t namesake = 0;    ///< of several of its old name: which, from 1; 0: it was the only one
};

/// A mesh of the scene on its way to a node of the actor.
struct MeshPlace {
    Index scene_node = no_index;
    Index mesh = no_index;
    Index skin = no_index;
    std::uint32_t number = no_number;  ///< of the actor's node
    std::uint64_t level = 0;
    bool collision = false;
    bool baked = false;
    std::uint32_t lod = 0;  ///< as the mesh says in its file
    std::size_t file = 0;   ///< of Build::files
};

/// What the record of a mesh says of the file that it comes from.
struct OldMesh {
    bool has_layers = false;                   ///< it is a file's own mesh, and no part of one
    std::uint64_t model = 0;                   ///< number of the file
    std::uint64_t node = 0;                    ///< number of its node there
    std::uint64_t owner = 0, owner_model = 0;  ///< the same in the file whose node that one became
    std::uint64_t lod = 0;
    std::optional<std::size_t> chunk, skinning_chunk;  ///< where it stood there
};

struct NativeMaterial {
    xac::Record record;
    std::uint32_t version = 2;
    std::optional<std::size_t> chunk;  ///< where the file had it
    bool is_raw = false;
    std::vector<xac::MaterialLayer> separate_layers{};  ///< of a raw one, that the file had in chunks of their own
};

struct NativeMesh {
    xac::Mesh mesh;
    std::optional<xac::Skinning> skinning;
    std::size_t place = 0;                             ///< of Build::places
    std::optional<std::size_t> chunk, skinning_chunk;  ///< where the file had them
    bool is_raw = false;
    std::vector<std::uint32_t> sources;  ///< for each vertex, that of the scene's mesh; empty: the same
    glm::dmat4 placement{1};             ///< what the scene's vertices were moved by
};

/// Node numbers of the file that a mesh is written to.
struct Numbering {
    /// Those of the old file's nodes; empty: they are what they were. no_number, and numbers beyond: the node is gone.
    std::vector<std::uint32_t> old;
    /// Those of the actor's nodes; empty: the same. no_number: the file does not have the node.
    std::vector<std::uint32_t> actor;

    [[nodiscard]] std::uint32_t of_old(std::uint32_t number) const noexcept {
        if (old.empty()) return number;
        return number < old.size() ? old[number] : no_number;
    }
    [[nodiscard]] std::uint32_t of_actor(std::uint32_t number) const noexcept {
        if (actor.empty()) return number;
        return number < actor.size() ? actor[number] : no_number;
    }
};

/// One file in the making: the actor, or a level of detail embedded in it.
struct FileParts {
    Json json = Json::object();  ///< what extras say of the old file, or empty
    std::uint64_t level = 0;
    Numbering numbering;
    std::vector<xac::Node> nodes;
    bool are_nodes_raw = false;                   ///< nobody has touched any of them
    std::vector<NativeMaterial> materials;        ///< in the order of the file
    std::vector<std::uint32_t> material_numbers;  ///< for each material of the scene, or no_number
    std::vector<NativeMesh> meshes;
    bool is_same = true;  ///< as it is assembled, the old file

    std::unordered_map<std::string, std::uint32_t> known;                     ///< materials by all their fields
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> copies;  ///< of materials, by these and the level
    std::map<std::uint32_t, std::vector<std::uint32_t>> of_level;  ///< materials by level: see material_level()
    std::size_t listed = 0;                                        ///< materials in these lists
};

struct Build : BridgeState {
    Build(const Scene& from, Scene* to_use_up, const FromSceneOptions& from_options, Budget memory)
        : BridgeState(memory), scene(from), spent(to_use_up), options(from_options) {}

    const Scene& scene;
    Scene* spent = nullptr;  ///< the same, if vertices and indices may be moved out of it
    const FromSceneOptions& options;
    Untouched untouched{scene};
    Order order = Order::scale_first;
    NodeMap map;
    std::vector<OldMesh> old_meshes;        ///< for each mesh of the scene
    std::vector<NodePlace> node_places;     ///< for each node of the scene
    std::vector<ActorNode> nodes;           ///< in the order of the file; behind them those that only levels have
    std::vector<std::uint32_t> renumbered;  ///< for each node of the old file
    Encodings encodings;                    ///< code pages in which the old file's names may have been read
    bool has_raw_names = false;             ///< some names are in the code page of an exporter's machine
    std::set<std::string> beyond_page{};    ///< names that the code page of the others cannot say
    bool numbers_kept = false;              ///< all of the old file's nodes are there under their old numbers
    std::vector<glm::dmat4> worlds;         ///< of the scene's nodes at rest
    std::vector<MeshPlace> places;
    std::vector<std::uint32_t> place_counts;  ///< for each mesh of the scene: in how many places it is
    std::vector<FileParts> files{1};          ///< the actor, those that were embedded in it, then new levels of detail

    [[nodiscard]] Diagnostic memory_limit() const;
    /// The bytes of a name: those in `extras` where they mean the same.
    [[nodiscard]] std::string raw_name(const std::string& name, const Json& extras, const char* member);
    /// Whether the bytes of an old file are what the scene has as `name`, in whichever code page they were read.
    [[nodiscard]] bool means(const std::string& raw, const std::string& name) const;
};

[[nodiscard]] Diagnostic beyond(const Code& code, std::string path, std::string message, std::uint64_t found,
                                std::uint64_t most);

[[nodiscard]] std::optional<std::uint64_t> number_member(const Json& json, const char* name) noexcept;
/// Nothing also for what is beyond 32 bits.
[[nodiscard]] std::optional<std::uint32_t> size_member(const Json& json) noexcept;
[[nodiscard]] std::string text_member(const Json& json, const char* name);
/// Bytes in extras as elements; nothing if they are none.
template <class T>
[[nodiscard]] std::optional<Bulk<T>> elements_at(const Json& json, const char* name) {
    const std::optional<Bytes> bytes = bytes_at(json, name);
    if (!bytes || bytes->size() % sizeof(T) != 0) return std::nullopt;
    Bulk<T> elements(bytes->size() / sizeof(T));
    if (!bytes->empty()) std::memcpy(elements.data(), bytes->data(), bytes->size());
    return elements;
}

/// The same in one go: vectors with allocators of their own copy element by element.
template <class T>
[[nodiscard]] Bulk<T> block_copy(const Bulk<T>& from) {
    Bulk<T> copy(from.size());
    if (!from.empty()) std::memcpy(copy.data(), from.data(), from.size() * sizeof(T));
    return copy;
}

/// Several nodes of the old files had the name of this one, or it had none.
[[nodiscard]] inline bool keeps_name(const Node& node) noexcept {
    return node.extras.json.find("\"keeps_name\"") != std::string::npos;
}

/// Chunks of a file in extras.
[[nodiscard]] inline const Json& chunks_of(const Json& file) noexcept { return list_at(file, "chunks"); }

/// Whether a chunk in extras is one that nobody could read, or of which the scene has nothing.
[[nodiscard]] inline bool is_kept_as_bytes(const Json& chunk) {
    const Json* const record = member(chunk, "record");
    return record != nullptr && member(*record, "bytes") != nullptr;
}
/// Whether it is a mesh of the scene.
[[nodiscard]] inline bool is_mesh(const Json& chunk) {
    return number_member(chunk, "id") == 1u && !is_kept_as_bytes(chunk);
}
/// Whether it is a material of the scene.
[[nodiscard]] inline bool is_material(const Json& chunk) {
    const std::uint64_t id = number_member(chunk, "id").value_or(0);
    return (id == 3 || id == 5) && !is_kept_as_bytes(chunk);
}

/// What stands before and behind a file's chunks; false without memory for it. Games that are named get the only
/// version that their engines take, and nothing of Risen's; for their byte order see fit_target().
template <class File>
[[nodiscard]] bool read_frame(Budget& budget, const FromSceneOptions& options, const Json& json, File& file) {
    Header header = file.header;
    const bool read =
        layout::read_json_fields(json, budget, options.limits, [&](auto& visitor) { layout(visitor, header); });
    const bool is_for_game = has_known_files(options.target);
    if (read && header.magic == file.header.magic) {
        if (!is_for_game) file.header = header;
        file.header.multiplication_order = header.multiplication_order;
        file.header.endian = header.endian;
    }
    if (auto bytes = bytes_at(json, "trailing")) file.trailing = std::move(*bytes);
    if (is_for_game) return read;
    if (auto bytes = bytes_at(json, "wrapper_head")) file.wrapper_head = std::move(*bytes);
    if (auto bytes = bytes_at(json, "wrapper_tail")) file.wrapper_tail = std::move(*bytes);
    return read;
}

/// A record of a chunk as extras hold it.
template <class Record>
[[nodiscard]] bool read_record(Build& build, const Json& json, std::uint32_t version, Record& record) {
    return layout::read_json_fields(json, build.budget, build.options.limits, [&](auto& visitor) {
        if constexpr (std::is_same_v<Record, xac::Skinning>) {
            layout(visitor, record, version, [] { return std::uint64_t{0}; });
        } else {
            layout(visitor, record, version);
        }
    });
}

// from_scene/math.cpp
/// What chain() made two nodes of.
[[nodiscard]] LocalTransform undo_chain(const Transform& upper, const Quat& lower, Order order) noexcept;
/// Translation, rotation and scale as in glTF, where scale comes first.
[[nodiscard]] LocalTransform from_transform(const Transform& transform, Order order) noexcept;
/// Any affine matrix.
[[nodiscard]] LocalTransform from_matrix(const glm::dmat4& matrix, Order order) noexcept;

// from_scene/places.cpp
/// Fills old_meshes, node_places and places.
void find_places(Build& build);
/// A holder that has to be a node of its own after all.
void promote_holders(Build& build);
/// Where a mesh without a skin stands at rest. A level of detail that stands nowhere stands in for another node.
[[nodiscard]] glm::dmat4 rest_world(const Build& build, const MeshPlace& place);
/// Whether a mesh without a skin stands elsewhere than the node that it goes to, as it does where somebody has moved
/// its holder. To be called after add_nodes().
[[nodiscard]] bool is_apart_from_node(const Build& build, const MeshPlace& place);

// from_scene/nodes.cpp
/// Fills nodes, map, order.
[[nodiscard]] Result<void> add_nodes(Build& build);

// from_scene/materials.cpp
/// To be called after add_files().
void add_materials(Build& build);

/// Number of a file's material with the same fields, or no_number.
[[nodiscard]] std::uint32_t find_equal(FileParts& file, const NativeMaterial& material);

/// Number, among those of a level, of the material for triangles that have none; it is added where the level lacks it.
[[nodiscard]] std::uint32_t default_material(FileParts& file, std::uint32_t level);

/// All fields of a material: equal texts mean equal materials.
[[nodiscard]] std::string text_of(const NativeMaterial& material);

// from_scene/standard_materials.cpp
/// As many as fit.
void join_layers(xac::StandardMaterial& material, const std::vector<xac::MaterialLayer>& layers);

// from_scene/masks.cpp
/// A mask, or one that says nothing, for each new material of Paradox's games. To be called after add_materials().
void add_masks(Build& build);

// from_scene/own_nodes.cpp
/// Marks the nodes that only levels of detail have, if they can stay with them: nobody has touched them, and nothing
/// else needs them. To be called after read_levels(); false if there are none or they have to become the actor's.
[[nodiscard]] bool set_own_nodes_aside(Build& build);

// from_scene/levels.cpp
/// The embedded actor that a mesh comes from, by its number in Build::files; 0: the actor itself, or a new mesh.
[[nodiscard]] std::size_t old_level_of(const Build& build, const OldMesh& mesh) noexcept;
/// Makes files of the embedded actors that extras tell of.
void read_levels(Build& build);
/// Says of each mesh where it goes, and makes the levels that are missing. To be called after add_nodes().
[[nodiscard]] Result<void> add_files(Build& build);

// from_scene/meshes.cpp
[[nodiscard]] Result<void> add_meshes(Build& build);

/// The actor's number of a joint, or no_number.
[[nodiscard]] std::uint32_t joint_number(const Build& build, Index scene_node) noexcept;
/// The level of detail that a material says it is of.
[[nodiscard]] std::uint32_t lod_of(const NativeMaterial& material) noexcept;
void set_lod(NativeMaterial& material, std::uint32_t lod) noexcept;
/// The level whose materials meshes of a level have: their own, or 0 where it has none.
[[nodiscard]] std::uint32_t material_level(FileParts& file, std::uint32_t level);
/// Number of a material of the scene among those that meshes of a level have, or no_number; a level that lacks it gets
/// a copy. `old`: that of the old file, which counts if it means the same.
[[nodiscard]] std::uint32_t material_number(FileParts& file, Index material, std::uint32_t level,
                                            std::uint32_t old = no_number);

// from_scene/boxes.cpp
/// Once nodes and meshes are there: what is lost of the old file's boxes, and those of new nodes.
void add_boxes(Build& build);

// from_scene/raw.cpp
/// The mesh as its file had it, or nothing if it cannot be had that way.
[[nodiscard]] std::optional<NativeMesh> raw_mesh(Build& build, std::size_t place_number);

// from_scene/raw_layers.cpp
/// Numbers that a repair replaced, and where.
struct RepairedNumbers {
    Bulk<std::uint32_t> places;
    Bulk<float> values;
};
/// What one layer of an untouched mesh is made of.
struct RawLayer {
    std::size_t layer = 0;
    std::size_t attribute = 0;  ///< of the scene's mesh
    bool is_last = true;        ///< no later layer is made of the same attribute
    std::vector<RepairedNumbers> old_values;
};
/// Finds what the layers of an untouched mesh became, as `record` says; those of vertex numbers, and those that are no
/// attributes, get their contents. Nothing if it cannot. `spent`: the same mesh, if nobody needs its attributes any
/// more; else null.
[[nodiscard]] std::optional<std::vector<RawLayer>> find_raw_layers(Build& build, const Mesh& mesh, Mesh* spent,
                                                                   const Json& record,
                                                                   std::vector<xac::VertexLayer>& layers);
/// Gives the others theirs.
void fill_raw_layers(const Mesh& mesh, Mesh* spent, std::span<const RawLayer> found,
                     std::vector<xac::VertexLayer>& layers);

// from_scene/raw_skinning.cpp
/// `record`: of the skinning. `mesh`: complete. Nothing if somebody has changed the skin, or what it is bound to.
[[nodiscard]] std::optional<xac::Skinning> raw_skinning(Build& build, const MeshPlace& place, const Json& record,
                                                        const xac::Mesh& mesh);

// from_scene/skins.cpp
/// The joints of one vertex of the scene, by the actor's numbers, the heaviest first.
using Influences = std::span<const xac::Influence>;

/// Influences of one vertex, joints and vertices of one submesh (0: no bound): what engines use, or what the shaders of
/// Paradox's games sum up and their files have room for.
struct SkinLimits {
    std::size_t influences;
    std::uint32_t bones;
    std::uint32_t vertices;
};
[[nodiscard]] SkinLimits skin_limits(const FromSceneOptions& options) noexcept;
/// Whether a mesh without a skin is bound to its node, its vertices standing in the model: the technique of Paradox's
/// games for props that do not move applies no node's transform. What is clicked there is never skinned.
[[nodiscard]] bool binds_to_node(const Build& build, const MeshPlace& place) noexcept;

/// What a skin says of the vertices of a mesh.
class SkinReader {
public:
    SkinReader(Build& build, const MeshPlace& place);

    [[nodiscard]] bool is_skinned() const noexcept { return skin_ != nullptr || is_bound_to_node_; }
    /// Every vertex follows the mesh's own node, which no skin of the scene says.
    [[nodiscard]] bool is_bound_to_node() const noexcept { return is_bound_to_node_; }
    /// Until the next call.
    [[nodiscard]] Influences influences(std::uint32_t vertex);
    /// From the scene's vertices to where the actor has them at rest; `vertex` counts only if joints differ.
    [[nodiscard]] glm::dmat4 placement(std::uint32_t vertex);
    [[nodiscard]] bool differs() const noexcept { return differs_; }
    void report(const std::string& path);

private:
    void leave_out_idle_joints();
    void compare_placements();

    Build& build_;
    const Mesh& mesh_;
    const Skin* skin_ = nullptr;
    bool is_bound_to_node_ = false;
    std::uint32_t own_ = 0;               ///< the mesh's node
    std::vector<std::uint32_t> numbers_;  ///< for each joint
    std::vector<glm::dmat4> placements_;  ///< for each joint
    bool differs_ = false;
    InfluenceReader reader_;
    std::vector<xac::Influence> influences_;
    std::vector<bool> is_counted_;  ///< vertices that the report counts already
    std::uint64_t reduced_ = 0, unbound_ = 0;
};

/// Where a joint rests in the actor. `number`: of the node that it is, or is the upper half of.
[[nodiscard]] glm::dmat4 joint_world(const Build& build, Index scene_node, std::uint32_t number);
/// What a joint's bind leaves of its place at rest: the identity where they agree.
[[nodiscard]] glm::dmat4 bind_difference(const glm::dmat4& world, const Mat4& inverse_bind);
/// Where a joint stood when its skin was bound; nothing where that has no size.
[[nodiscard]] std::optional<glm::dmat4> bind_of(const Mat4& inverse_bind);
[[nodiscard]] bool is_close(const glm::dmat4& a, const glm::dmat4& b, double tolerance);

// from_scene/vertices.cpp
/// The mesh derived from what the scene has; nothing if nothing of it can be shown.
[[nodiscard]] Result<std::optional<NativeMesh>> new_mesh(Build& build, std::size_t place);

// from_scene/parts.cpp
/// Triangles of one material, before they become submeshes.
struct Part {
    Index material = no_index;
    std::vector<std::uint32_t> corners;  ///< vertices of the scene's mesh, three for each triangle
};
using InfluencesOf = std::function<Influences(std::uint32_t vertex)>;
/// Splits parts whose triangles have more than `max_vertices` vertices. `is_flat`: each corner is a vertex of its own.
void split_long_parts(std::vector<Part>& parts, std::uint32_t max_vertices, bool is_flat);
/// Splits parts whose triangles need more than `max_bones` nodes. Fails if one triangle alone does.
[[nodiscard]] Result<void> split_parts(std::vector<Part>& parts, const std::string& path, std::uint32_t max_bones,
                                       const InfluencesOf& influences);
/// A number for each vertex that is the same where all morph targets move vertices in the same way; empty: no targets.
[[nodiscard]] std::vector<std::uint64_t> morph_keys(const Mesh& mesh);

// from_scene/morphs.cpp
/// What the files call the scene's morph targets.
void name_targets(Build& build);
/// Whether the file's meshes have targets of which only the names were edited.
[[nodiscard]] bool has_renamed_targets(const Build& build, const FileParts& parts);
/// Offsets for the targets that stand in `file` already, under the names that they have now, and a chunk for the
/// others, unless the file is `complete`.
[[nodiscard]] Result<void> add_morphs(Build& build, const FileParts& parts, xac::File& file, bool complete);

// from_scene/file.cpp
/// All parts in one file.
[[nodiscard]] Result<xac::File> assemble(Build& build);

}  // namespace effigy::emfx::bridge
