#pragma once
/// A component on its way into files: what each node of the scene is, then its connections, parts and lights, then the
/// meshes of the parts.

#include <deque>
#include <functional>
#include <glm/mat4x4.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/unique_names.hpp"
#include "egosoft/from_scene/from_scene.hpp"

namespace effigy::egosoft::bridge {

struct OldConnection;
struct OldLight;
struct OldPart;

/// One mesh file of a part.
struct PlannedMesh {
    std::uint32_t number = 0;     ///< of the level, or of the collision mesh
    std::vector<Piece> pieces;    ///< several where somebody has taken a mesh apart, or put another one beside it
    bool has_new_number = false;  ///< a level before it is gone
    // Known once it is made.
    bool kept = false;                     ///< nobody has touched it since it was read
    bool other_materials = true;           ///< than the file had that it comes from
    std::vector<std::string> materials{};  ///< of its ranges
    std::uint64_t triangles = 0;
    std::optional<Box> box{};
};

struct PlannedLight {
    Index node = no_index;
    std::string name{};  ///< if not as the node
    bool known = false;
    Json record;
    glm::dmat4 place{1};      ///< in the part or the component, in the scene's frame
    OldLight* old = nullptr;  ///< what it is in the file that the component comes from
};

struct PlannedPart {
    std::string name;
    Index node = no_index;
    Json record;
    bool known = false;      ///< its extras say that it is a part
    bool is_new = true;      ///< not one of the file that the component comes from, or a copy of one
    OldPart* old = nullptr;  ///< what it is in that file
    bool moves = false;
    bool is_new_mover = false;  ///< it is one of the file, in which nothing moved it
    glm::dmat4 offset{1};       ///< in its connection, in the scene's frame
    std::vector<PlannedMesh> levels, collisions;
    std::string wreck;
    std::vector<PlannedMesh> wreck_levels, wreck_collisions;
    bool lost_wreck = false;  ///< somebody has deleted the one that its file names
    std::vector<PlannedLight> lights;
    std::optional<Box> swept{};  ///< what its finest mesh goes through, in the file's frame; with new keys only if kept
};

struct PlannedConnection {
    std::string name;
    Index node = no_index;
    Json record;
    bool known = false;            ///< its extras say that it is a connection
    bool is_image = false;         ///< of another one, on the other side
    OldConnection* old = nullptr;  ///< what it is in the file that the component comes from
    std::string tags, group;
    std::string parent;    ///< name of a part; empty: the component
    glm::dmat4 offset{1};  ///< in the parent, without scale, in the scene's frame
    std::vector<PlannedPart> parts;
};

/// The XML that components of the scene come from.
struct SourceText {
    const Json* xml = nullptr;      ///< as the first one's record has it
    std::set<std::size_t> numbers;  ///< there, of the components that go back into it
    bool was_shared = false;        ///< it had several
};

/// A custom property of a node, as modelling programs let people set them.
[[nodiscard]] std::optional<std::string> property_of(const Node& node, std::string_view name);
/// The same, or a number as it is printed: programs make numbers unless they are told otherwise.
[[nodiscard]] std::optional<std::string> property_or_number_of(const Node& node, std::string_view name);
[[nodiscard]] std::optional<Offset> offset_at(const Json& json, std::string_view name);

/// How many clips move a node, and how.
struct MovingClips {
    std::uint32_t all = 0, translation = 0, rotation = 0;
};

/// One component of the scene.
struct Plan {
    Index root = no_index;
    Json record;                         ///< of the root
    const SourceText* text = nullptr;    ///< null: it comes from no file
    std::size_t component_count = 1;     ///< in the scene
    std::vector<bool> is_other;          ///< nodes of other components
    std::span<const glm::dmat4> worlds;  ///< of all nodes, in PlanNodes
    std::span<const MovingClips> clips;  ///< likewise
    std::vector<PlannedConnection> connections;
    std::vector<PlannedLight> lights;           ///< of the component itself
    std::vector<std::string> part_of;           ///< of each node that moves: its part's name
    std::unordered_set<std::string> old_parts;  ///< of the file that it comes from: their names in lower case
};

/// Which component of its file a record means.
[[nodiscard]] std::size_t number_in_file(const Json& file);
/// The text of the file that the component comes from, as it was; empty for a new one.
[[nodiscard]] std::string source_text(const Plan& plan);
/// XML, meshes and animations. The XML is empty where it is in `Context::documents`.
[[nodiscard]] Result<NativeFiles> make_component(Context& context, Plan plan);
/// All of the scene's. `prepare` sets the options of each.
[[nodiscard]] Result<std::vector<NativeFiles>> make_components(
    Context& context, const std::function<void(const Plan&, FromSceneOptions&)>& prepare);
/// The class that the user or the scene says; empty if neither does.
[[nodiscard]] std::string stated_class(const Context& context, const Plan& plan);
/// Of several meshes with one name the first stays. `to` has nothing but what this adds.
void add_files(Context& context, std::vector<NamedFile>& to, std::vector<NamedFile> more);

/// Of each node.
[[nodiscard]] std::vector<MovingClips> moving_clips(const Scene& scene);
/// What keys of a part stand in that comes from a component; nothing for other nodes. The node says where it is as far
/// as no clip moves it; all else is of the pose that it was left in.
[[nodiscard]] std::optional<Transform> known_rest(const Scene& scene, Index node, const Json& record,
                                                  const MovingClips& moving);
/// The same as it was when the component was read.
[[nodiscard]] std::optional<Transform> old_rest(const Scene& scene, Index node, const Json& record);
/// Whether two places are the same but for rounding, and two rotations.
[[nodiscard]] bool same_place(const glm::dvec3& a, const glm::dvec3& b);
[[nodiscard]] bool same_rotation(const glm::dquat& a, const glm::dquat& b);

/// What all parts that hang on the component itself take at rest, in the file's frame.
[[nodiscard]] Box room_of(const Plan& plan);

/// What the XML says beside the plan.
struct ComponentNames {
    std::string name;      ///< of the component
    std::string geometry;  ///< with backslashes
    std::string class_name;
};
struct ComponentPlaces {
    ComponentNames xml;
    std::string data;    ///< the folder of the meshes beside the XML
    std::string folder;  ///< the same from the root
};
/// What comes from a component keeps its names unless it is to be called otherwise or to stand elsewhere.
[[nodiscard]] ComponentPlaces places_of(const Context& context, const Plan& plan, const std::string& wish,
                                        const std::string& above);
/// As the games call ships in folders of these names.
[[nodiscard]] std::string class_by_folder(const std::string& folder);
/// Makes the box hold all that `box` goes through.
void sweep(std::optional<Box>& swept, const Box& box, const ani::Animation& animation);
/// The smallest one that holds both.
[[nodiscard]] Box box_around(const Box& a, const Box& b);

struct MadeAnimations;

/// Whether the component goes into the XML of others that were made before.
[[nodiscard]] bool joins_others(const Context& context, const Plan& plan);
/// The file that the component comes from, in which it finds what its connections and parts are, or a new one.
[[nodiscard]] Result<std::shared_ptr<ComponentDocument>> component_document(Context& context, Plan& plan);
/// What the file was, with what has changed since, or a new one; empty where it is in `Context::documents`.
[[nodiscard]] Result<Bytes> component_xml(Context& context, const std::shared_ptr<ComponentDocument>& document,
                                          const Plan& plan, const ComponentNames& names,
                                          const MadeAnimations& animations);
/// A connection that the game looks for by a tag.
struct ExpectedConnection {
    std::string_view name;
    std::string tags;
    std::string_view value;
    std::string_view role;  ///< the tag
    Vec3 at;                ///< from the centre of all parts, in shares of their half size; the file's frame
};
/// Those of a class: what ties it to the game, and with `with_places` the places that ships have.
[[nodiscard]] std::vector<ExpectedConnection> expected_connections(std::string_view class_name, bool with_places);
[[nodiscard]] bool has_tag(std::string_view tags, std::string_view tag) noexcept;

/// What the nodes of a scene are for a component.
struct PlanNodes {
    const Scene& scene;
    std::vector<MeshRole> roles;
    std::vector<glm::dmat4> worlds, frames{};
    std::vector<bool> hidden{};  ///< with all that is below one
    std::vector<Json> records{};
    std::vector<std::string> kinds{};
    std::vector<bool> is_joint{};  ///< that only bends meshes
    std::vector<bool> moves{};
    std::vector<MovingClips> clips{};
    std::vector<Index> roots{};                    ///< of all components
    std::deque<SourceText> texts{};                ///< which plans point to
    std::map<Index, const SourceText*> text_of{};  ///< by root, of those that come from a file
    // For the component that was chosen.
    std::vector<bool> is_part{};
    std::vector<bool> is_leaf_place{};     ///< plain, with nothing below: a place for something
    std::vector<bool> is_other{};          ///< of another component
    std::vector<Index> order{};            ///< parents first, without other components
    std::vector<Index> above{};            ///< the next part above
    std::map<Index, Index> left_meshes{};  ///< finest ones of parts that were renamed without them
    Index root = no_index;
};
/// `each_alone`: no two components go back into one file.
[[nodiscard]] PlanNodes plan_nodes(const Scene& scene, bool each_alone);
/// `number`: of one of the components, counted from 0.
void choose_component(PlanNodes& nodes, std::size_t number);
[[nodiscard]] Plan make_plan(Context& context, const PlanNodes& nodes);

/// The connection of a known part: its parent, or the one above `<part>.offset`.
[[nodiscard]] Index known_connection(const PlanNodes& nodes, Index part);
/// Where a node stands in another, or in the scene: as it says itself, if it can.
[[nodiscard]] glm::dmat4 inside(const PlanNodes& nodes, Index node, Index base);
/// Where a known part stands in its connection. Tracks take the place of what a node says itself.
[[nodiscard]] glm::dmat4 offset_of(const PlanNodes& nodes, Index part, Index connection);

/// Makes what stands on one side of the component on the other side as well, unless it is there; the new names. `names`
/// are those of connections.
[[nodiscard]] NameList mirror_connections(const PlanNodes& nodes, Plan& plan, int axis, UniqueNames& names);

/// A name for a new file or entry, which has a field of 64 bytes.
[[nodiscard]] std::string new_name(std::string_view name, std::string_view fallback);

/// Which planned part a node is.
struct PartPlaces {
    static constexpr std::size_t none = ~std::size_t{0};
    struct Place {
        std::size_t connection = none, part = none;
    };
    std::vector<Place> part_of{};                                       ///< each node
    std::unordered_map<std::string, Index> by_name{};                   ///< nodes, by the lower-case name of the part
    std::unordered_map<std::string, std::vector<Index>> by_old_name{};  ///< by that which it had in its file

    [[nodiscard]] PlannedPart* at(Plan& plan, Index node) const {
        if (node == no_index || part_of[node].connection == none) return nullptr;
        return &plan.connections[part_of[node].connection].parts[part_of[node].part];
    }
};
/// Gives parts their levels, collision meshes and wrecks; the names of meshes that belong to no part.
[[nodiscard]] NameList plan_meshes(const PlanNodes& nodes, const PartPlaces& places, Plan& plan,
                                   const Context& context);

}  // namespace effigy::egosoft::bridge
