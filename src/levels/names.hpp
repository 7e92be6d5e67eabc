#pragma once
/// Which meshes of a scene are seen and stand for themselves, and what belongs to them by its name.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy::levels {

/// "hull" of "hull-lod0", "hull.mesh", "hull-collision"; other names as they are.
[[nodiscard]] std::string stem_of(std::string_view name);

/// Whether a part is tagged or called as what is seen from nearby only, which has one level: "detail_xs" to
/// "detail_xxl".
[[nodiscard]] bool is_detail(const Scene& scene, Index node);

class VisibleMeshes {
public:
    explicit VisibleMeshes(const Scene& scene);

    /// Nodes with meshes that are seen and are no levels, wrecks or collision meshes.
    [[nodiscard]] const std::vector<Index>& nodes() const noexcept { return nodes_; }
    [[nodiscard]] bool has_levels(Index node) const;
    [[nodiscard]] bool has_collision(Index node) const;

private:
    const Scene& scene_;
    std::vector<Index> nodes_;
    std::set<Index> with_levels_, with_collision_;  ///< nodes
    std::set<Index> collided_;                      ///< nodes that a collision mesh follows
};

}  // namespace effigy::levels
