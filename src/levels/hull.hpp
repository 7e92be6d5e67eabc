#pragma once
/// Convex hulls.

#include <optional>

#include "effigy/scene.hpp"

namespace effigy::levels {

/// The hull of the vertices that triangles of a mesh use, as a closed mesh of nothing but places: some of the mesh's
/// own. Nothing if they lie in one plane, or if there are too few.
[[nodiscard]] std::optional<Mesh> hull_of(const Mesh& mesh);

}  // namespace effigy::levels
