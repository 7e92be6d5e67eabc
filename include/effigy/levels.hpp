#pragma once
/// Levels of detail and collision meshes, made where a scene has none.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy {

enum class CollisionShape : std::uint8_t {
    none,
    mesh,      ///< the finest level as it is
    hull,      ///< its convex hull
    simplify,  ///< cut down to `collision_triangles`
};

struct LevelOptions {
    /// What part of the triangles of the finest level each further one is to have, between 0 and 1. Empty: no levels.
    std::vector<double> ratios{};
    /// How far a level may be off the finest one, as part of the longest edge of the mesh's box.
    double max_error = 0.1;
    CollisionShape collision = CollisionShape::none;
    std::size_t collision_triangles = 5000;  ///< at most, of hulls and of what is cut down
    Limits limits{};
    /// Called before each mesh; false ends with "limit-cancelled", and the scene is as it was.
    std::function<bool(std::string_view mesh, std::size_t done, std::size_t total)> progress{};
};

/// Ratios of so many levels altogether: 1/2, 1/4, 1/10, and half as many triangles with each further one.
[[nodiscard]] std::vector<double> usual_level_ratios(std::size_t levels);

/// Gives levels (Node::lods) and collision meshes to the visible meshes that have none. What has levels already, by
/// Node::lods or as nodes called `<name>-lod1`, keeps them; hidden meshes, collision meshes and wrecks get none, and
/// parts tagged or called `detail_xl` and so on get no levels.
/// Vertices of levels are some of the mesh's own with all that they carry; borders between materials and seams of
/// textures stay closed, and no triangle turns over. Reported: what was made, ratios that could not be reached, levels
/// that would equal others and are left out. Fails with "limit-...".
[[nodiscard]] Result<Report> make_levels(Scene& scene, const LevelOptions& options);

/// The largest distance between two surfaces, either way round, in the meshes' own units: of about so many points of
/// each, spread over its triangles. 0 for two meshes without triangles, infinite if only one has none.
[[nodiscard]] double surface_distance(const Mesh& a, const Mesh& b, std::size_t samples = 100'000);

}  // namespace effigy
