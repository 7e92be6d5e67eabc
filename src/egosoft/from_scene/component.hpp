#pragma once
/// A component in the making: which nodes of the scene are its connections, parts and meshes.

#include <glm/mat4x4.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "egosoft/from_scene/from_scene.hpp"

namespace effigy::egosoft::bridge {

/// One mesh file of a part.
struct PlannedMesh {
    std::uint32_t number = 0;  ///< of the level, or of the collision mesh
    Piece piece;
    // Known once it is made.
    bool kept = false;                     ///< nobody has touched it since it was read
    bool other_materials = true;           ///< than the file had that it comes from
    std::vector<std::string> materials{};  ///< of its ranges
    std::uint64_t triangles = 0;
    std::optional<Box> box{};
};

struct PlannedLight {
    Index node = no_index;
    bool known = false;
    Json record;
    glm::dmat4 place{1};  ///< in the part or the component, in the scene's frame
};

struct PlannedPart {
    std::string name;
    Index node = no_index;
    Json record;
    bool known = false;  ///< its extras say that it is a part
    bool moves = false;
    glm::dmat4 offset{1};  ///< in its connection, in the scene's frame
    std::vector<PlannedMesh> levels, collisions;
    std::string wreck;
    std::vector<PlannedMesh> wreck_levels, wreck_collisions;
    std::vector<PlannedLight> lights;
    std::optional<Box> swept{};  ///< all that the part's finest mesh goes through, in the file's frame
};

struct PlannedConnection {
    std::string name;
    Index node = no_index;
    Json record;
    bool known = false;    ///< its extras say that it is a connection
    std::string parent;    ///< name of a part; empty: the component
    glm::dmat4 offset{1};  ///< in the parent, without scale, in the scene's frame
    std::vector<PlannedPart> parts;
};

struct Plan {
    Index root = no_index;
    Json record;  ///< of the root
    std::vector<PlannedConnection> connections;
    std::vector<PlannedLight> lights;  ///< of the component itself
    std::vector<std::string> part_of;  ///< of each node that moves: its part's name
};

/// XML, meshes and animations.
[[nodiscard]] Result<NativeFiles> make_component(Making& making);

[[nodiscard]] Plan make_plan(Making& making);

/// A custom property of a node, as modelling programs let people set them.
[[nodiscard]] std::optional<std::string> property_of(const Node& node, std::string_view name);
[[nodiscard]] std::optional<Offset> offset_at(const Json& json, std::string_view name);
/// What keys of a part stand in that comes from a component, whatever its node says now; nothing for other nodes.
[[nodiscard]] std::optional<Transform> known_rest(const Scene& scene, Index node, const Json& record);

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
[[nodiscard]] ComponentPlaces places_of(const Making& making, const Plan& plan, const std::string& wish,
                                        const std::string& above);
/// As the games call ships in folders of these names.
[[nodiscard]] std::string class_by_folder(const std::string& folder);
/// Makes the box hold all that `box` goes through.
void sweep(std::optional<Box>& swept, const Box& box, const ani::Animation& animation);

/// What the file was, with what has changed since, or a new one.
[[nodiscard]] Result<Bytes> component_xml(Making& making, const Plan& plan, const ComponentNames& names,
                                          const ani::File& animations);
/// Whether things of these tags, class and name are hit by others.
[[nodiscard]] bool needs_collision(std::string_view class_name, std::string_view tags, std::string_view part) noexcept;

}  // namespace effigy::egosoft::bridge
