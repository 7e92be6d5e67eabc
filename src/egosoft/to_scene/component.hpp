#pragma once
/// A component in the scene, in steps: the nodes of its connections and parts, then the meshes of the parts.

#include <map>

#include "egosoft/to_scene/store.hpp"
#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft::bridge {

/// A part that stands in the scene.
struct PlacedPart {
    const Part* part = nullptr;
    std::string name;  ///< lower case
    Index node = no_index;
    bool moves = false;
    std::vector<std::uint32_t> absent{};  ///< levels that the XML names and the scene lacks
};

struct ComponentNodes {
    Index root = no_index;
    std::vector<PlacedPart> parts{};
    PartNodes by_name{};
    std::unordered_set<std::string> wrecks{};  ///< parts that are wrecks of others, in lower case
    std::vector<NamedRange> ranges{};
    std::vector<Transform> rest{};  ///< in the scene, of the nodes from the root on
    std::uint64_t not_finite = 0;

    [[nodiscard]] const Transform& rest_of(Index node) const { return rest[node - root]; }
};
/// `moving` are the lower-case names of parts with keys.
[[nodiscard]] Result<ComponentNodes> add_component_nodes(Build& build, const ComponentInput& input,
                                                         const Component& component,
                                                         const std::unordered_set<std::string>& moving);

/// Where the meshes of parts come from, and what is found on the way.
struct PartMeshes {
    Build& build;
    Store& store;
    const ComponentNodes& nodes;
    std::string file;  ///< of the component, for findings
    NameList missing{}, other_materials{};
    std::map<std::string, NameList> unborrowed{};  ///< parts by what is wrong with what they borrow
};
/// Levels of detail, collision meshes and the wreck of a part, which may borrow them from another component.
[[nodiscard]] Result<void> add_part_meshes(PartMeshes& to, PlacedPart& placed, const MeshFolder& folder);

}  // namespace effigy::egosoft::bridge
