#pragma once
/// One component while it is checked: what its rules share.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/component.hpp"
#include "effigy/registry.hpp"

#include "egosoft/check/meshes.hpp"
#include "egosoft/check/rules.hpp"
#include "egosoft/check/scope.hpp"
#include "egosoft/check/targets.hpp"

namespace effigy::egosoft::checks {

/// A part and where it stands.
struct PlacedPart {
    const Connection* connection = nullptr;
    const Part* part = nullptr;
    Place place;
};

/// Where a component's meshes are.
enum class Geometry : std::uint8_t {
    none,     ///< it has none, or nothing is known of any file
    here,     ///< among the files
    outside,  ///< not among them, and may be the game's
    missing,
};

struct ComponentCheck {
    const ComponentFile& file;
    const Component& component;
    const CheckContext& context;
    Scope& scope;
    MeshFiles& meshes;
    Targets& targets;
    Findings& findings;
    Place place;                     ///< of the component
    std::vector<Place> connections;  ///< their places, in their order
    std::vector<PlacedPart> parts;
    std::set<std::string> names;  ///< of the parts, in lower case
    std::string folder;           ///< of the meshes, a normal path; empty if there is none
    Geometry geometry = Geometry::none;

    /// "<folder>/<part>-<what>", e.g. "lod0.xmf"
    [[nodiscard]] std::string mesh_path(std::string_view part, std::string_view what) const;
};

[[nodiscard]] bool has_tag(const Connection& connection, std::string_view tag) noexcept;
/// Effects and parts that are tagged so need no collision.
[[nodiscard]] bool collides(const ComponentCheck& check, const PlacedPart& part) noexcept;
/// Its meshes have its own name.
[[nodiscard]] bool has_own_meshes(const Part& part) noexcept;

void check_names(ComponentCheck& check);
void check_parents(ComponentCheck& check);
void check_references(ComponentCheck& check);
void check_geometry(ComponentCheck& check);  ///< sets `folder` and `geometry`
void check_meshes(ComponentCheck& check);
void check_shapes(ComponentCheck& check);
void check_materials(ComponentCheck& check);
void check_animations(ComponentCheck& check);

}  // namespace effigy::egosoft::checks
