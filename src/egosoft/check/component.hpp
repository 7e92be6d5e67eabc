#pragma once
/// One component while it is checked: what its rules share, its meshes, and the components that its parts borrow from.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/component.hpp"
#include "effigy/registry.hpp"
#include "effigy/xmf.hpp"

#include "egosoft/check/scope.hpp"

namespace effigy::egosoft::checks {

struct MeshSummary {
    std::string name;     ///< of its file
    std::string trouble;  ///< codes of what is wrong with the file itself, or empty
    bool is_read = false;
    bool collision = false;  ///< laid out as collision meshes are
    bool has_uv = false;
    bool has_color = false;
    std::uint64_t triangles = 0;
    std::optional<Box> bounds;
    std::vector<std::string> materials;  ///< of its ranges, in order
};

/// The meshes that parts name; each file is read once.
class MeshFiles {
public:
    MeshFiles(const Scope& scope, const Limits& limits) : scope_(&scope), limits_(limits) {}
    /// Null if there is no such file.
    [[nodiscard]] const MeshSummary* find(const std::string& path);

private:
    const Scope* scope_;
    Limits limits_;
    std::map<std::string, std::optional<MeshSummary>> known_;
};

enum class Lookup : std::uint8_t {
    yes,
    unreadable,  ///< there, and nothing is known of its parts
    outside,     ///< no index among the files names it
    dangling,    ///< an index names a file that is not there
};

struct Target {
    Lookup lookup = Lookup::outside;
    std::string path;
    std::map<std::string, std::string> parts;  ///< what each part, in lower case, borrows
    std::string class_name;
    std::set<std::string> connections;  ///< in lower case
};

/// Components by name; each is looked up once, and few files are read twice.
class Targets {
public:
    Targets(const ComponentFile& own, const Scope& scope, const Limits& limits);

    /// `name`: in lower case.
    [[nodiscard]] const Target& find(const std::string& name);

private:
    using Components = std::map<std::string, Target>;  ///< by name in lower case

    void look_up(const std::string& name, Target& target);
    [[nodiscard]] const Components& read(const Location& location);

    const Scope& scope_;
    Limits limits_;
    Components known_;
    std::map<std::string, Components> files_;  ///< by place: those read of late
};

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
    bool is_indexed = false;  ///< the game finds it, so that what it lacks is missed

    /// "<folder>/<part>-<what>", e.g. "lod0.xmf"
    [[nodiscard]] std::string mesh_path(std::string_view part, std::string_view what) const;
};

[[nodiscard]] bool has_tag(const Connection& connection, std::string_view tag) noexcept;
/// Effects and parts that are tagged so need no collision.
[[nodiscard]] bool collides(const ComponentCheck& check, const PlacedPart& part) noexcept;

void check_names(ComponentCheck& check);
void check_class(ComponentCheck& check);  ///< what its class wants: connections, wrecks
void check_parents(ComponentCheck& check);
void check_references(ComponentCheck& check);
void check_geometry(ComponentCheck& check);  ///< sets `folder` and `geometry`
void check_meshes(ComponentCheck& check);
void check_shapes(ComponentCheck& check);
void check_materials(ComponentCheck& check);
void check_animations(ComponentCheck& check);

}  // namespace effigy::egosoft::checks
