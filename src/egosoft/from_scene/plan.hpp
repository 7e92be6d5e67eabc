#pragma once
/// A scene as a component, in steps: what each node is, then connections, parts and lights, then the parts' meshes.

#include <unordered_map>

#include "egosoft/from_scene/component.hpp"

namespace effigy::egosoft::bridge {

/// What the nodes of a scene are for a component.
struct PlanNodes {
    const Scene& scene;
    std::vector<MeshRole> roles;
    std::vector<glm::dmat4> worlds, frames{};
    std::vector<Json> records{};
    std::vector<std::string> kinds{};
    std::vector<bool> is_joint{}, moves{}, is_part{};
    std::vector<bool> is_leaf_place{};  ///< plain, with nothing below: a place for something
    std::vector<bool> is_other{};       ///< of another component
    std::vector<Index> order{};         ///< parents first, without other components
    std::vector<Index> above{};         ///< the next part above
    Index root = no_index;
    NameList others{};
};
[[nodiscard]] PlanNodes plan_nodes(const Scene& scene);

/// The connection of a known part: its parent, or the one above `<part>.offset`.
[[nodiscard]] Index known_connection(const PlanNodes& nodes, Index part);
/// Where a node stands in another, or in the scene: as it says itself, if it can.
[[nodiscard]] glm::dmat4 inside(const PlanNodes& nodes, Index node, Index base);
/// Where a known part stands in its connection. Tracks take the place of what a node says itself.
[[nodiscard]] glm::dmat4 offset_of(const PlanNodes& nodes, Index part, Index connection);

/// A name for a new file or entry, which has a field of 64 bytes.
[[nodiscard]] std::string new_name(std::string_view name, std::string_view fallback);

/// Which planned part a node is.
struct PartPlaces {
    static constexpr std::size_t none = ~std::size_t{0};
    struct Place {
        std::size_t connection = none, part = none;
    };
    std::vector<Place> part_of{};                      ///< each node
    std::unordered_map<std::string, Index> by_name{};  ///< nodes, by the lower-case name of the part

    [[nodiscard]] PlannedPart* at(Plan& plan, Index node) const {
        if (node == no_index || part_of[node].connection == none) return nullptr;
        return &plan.connections[part_of[node].connection].parts[part_of[node].part];
    }
};
/// Gives parts their levels, collision meshes and wrecks; the names of meshes that belong to no part.
[[nodiscard]] NameList plan_meshes(const PlanNodes& nodes, const PartPlaces& places, Plan& plan, const Making& making);

}  // namespace effigy::egosoft::bridge
