#pragma once
/// What the recovery of a bind pose works on: the stored skeleton, and the points that several bones share.

#include <cstdint>
#include <vector>

#include "effigy/arp_bind.hpp"

#include "arp/bind/rigid_fit.hpp"

namespace effigy::arp {

struct Skeleton {
    static constexpr std::uint32_t none = UINT32_MAX;
    std::vector<std::uint32_t> parents;  ///< without cycles
    std::vector<std::uint32_t> order;    ///< parents before children
    std::vector<Frame> locals;           ///< as stored; what is not finite is no transform
    std::uint32_t root = none;           ///< where recovery begins

    [[nodiscard]] Frame child_of(std::uint32_t bone, const std::vector<Frame>& bones) const {
        return parents[bone] == none ? locals[bone] : bones[parents[bone]] * locals[bone];
    }
    [[nodiscard]] std::vector<Frame> rest() const;
};

struct SharedLink {
    std::uint32_t bone = 0;
    std::uint32_t point = 0;  ///< of BindProblem::points
    double weight = 0;        ///< a point's add up to 1
    glm::dvec3 offset{0};
    glm::dvec3 normal{0};  ///< of unit length, or zero
};

/// The links of one point after the other that say where it is: those of some weight, on bones that exist.
class PointCursor {
public:
    PointCursor(const File& file, const Mesh& mesh);
    /// To the first point, then to the next; false behind the last one.
    [[nodiscard]] bool next();
    [[nodiscard]] std::uint32_t point() const noexcept { return static_cast<std::uint32_t>(next_point_ - 1); }
    [[nodiscard]] const std::vector<SharedLink>& links() const noexcept { return links_; }

private:
    const Points& points_;
    std::vector<std::uint32_t> bones_;  ///< of File::link_names
    std::size_t size_ = 0;              ///< links that all arrays have
    std::size_t next_point_ = 0, next_link_ = 0;
    std::vector<SharedLink> links_;

    [[nodiscard]] bool counts(std::size_t link) const;
};

struct BindProblem {
    Skeleton skeleton;
    std::vector<std::uint32_t> points;        ///< of the mesh: those with several links of some weight
    std::vector<std::uint32_t> first_links;   ///< of each of them, and the end
    std::vector<SharedLink> links;            ///< of all of them
    std::vector<std::uint32_t> first_places;  ///< in bone_links, of each bone, and the end
    std::vector<std::uint32_t> bone_links;    ///< the links of each bone

    /// Calls `each(other)` for all other links of a link's point.
    template <class Each>
    void for_others(std::uint32_t link, Each each) const {
        const std::uint32_t point = links[link].point;
        for (std::uint32_t k = first_links[point]; k < first_links[point + 1]; ++k)
            if (k != link) each(links[k]);
    }
    [[nodiscard]] bool shares(std::uint32_t bone) const { return first_places[bone] < first_places[bone + 1]; }
    template <class Each>
    void for_links_of(std::uint32_t bone, Each each) const {
        for (std::uint32_t k = first_places[bone]; k < first_places[bone + 1]; ++k) each(bone_links[k]);
    }
};

struct BindSolution {
    std::vector<Frame> bones;
    std::vector<BindSource> sources;
};

/// Links of less weight have garbage offsets.
inline constexpr float min_weight = 1e-6F;
/// A free fit needs as many points, and as wide a spread.
inline constexpr std::size_t min_points = 4;
inline constexpr double min_spread = 0.02;

[[nodiscard]] Skeleton skeleton_of(const File& file);
[[nodiscard]] BindProblem problem_of(const File& file, const Mesh& mesh);
/// Without the points whose residual is larger.
[[nodiscard]] BindProblem without_outliers(const BindProblem& problem, const std::vector<double>& residuals,
                                           double largest);

enum class GrowthOrder : std::uint8_t {
    parents_first,
    free,  ///< bones with enough points do not wait for their parents
};
/// From the root outwards, each bone against all that are solved before it.
[[nodiscard]] BindSolution grow_by_constraints(const BindProblem& problem,
                                               GrowthOrder order = GrowthOrder::parents_first);
/// From the root outwards along the pairs of bones that tell each other's place best.
[[nodiscard]] BindSolution grow_by_pairs(const BindProblem& problem);
/// Moves all bones but the root so that the squared distances between the links of points, and of joints from their
/// stored places, become least; bones without shared points keep their place at their parents. From a good start only.
void refine(const BindProblem& problem, BindSolution& solution);
/// Turns bones without shared points so that the joints of those below them, which have some, are where they were
/// found. Joints that are `exact` as they are stay.
void settle_joints(const BindProblem& problem, BindSolution& solution, double exact);

/// For each point, the largest distance of a link's place from the first one's.
[[nodiscard]] std::vector<double> residuals(const BindProblem& problem, const std::vector<Frame>& bones);

}  // namespace effigy::arp
