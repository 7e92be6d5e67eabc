/// Triangles of two meshes matched as sets, by hashes and by a grid for those that are nearly equal.

#include "diff/elements.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "scene/triangles.hpp"
#include "scene/wide_math.hpp"

namespace effigy::diff {

namespace {

/// The grid's cells are so many times as wide as the tolerance: most searches then end in one cell.
constexpr double cell_width = 8;
/// Candidates that are looked at for one element: only meshes with hundreds of triangles in one spot have more.
constexpr std::size_t max_candidates = 256;

struct Hashed {
    std::uint64_t hash = 0;
    std::uint32_t element = 0;
    friend auto operator<=>(const Hashed&, const Hashed&) = default;  // NOLINT(modernize-use-nullptr)
};

/// Equal whichever corner comes first.
std::uint64_t hash_of(const Element& element, const Bulk<std::uint64_t>& vertices) {
    std::array<std::uint64_t, 3> corners{};
    for (std::size_t i = 0; i < element.corner_count; ++i) corners[i] = vertices[element.corners[i]];
    if (element.corner_count == 3) {
        std::array<std::uint64_t, 3> best = corners;
        for (int turn = 0; turn < 2; ++turn) {
            std::rotate(corners.begin(), corners.begin() + 1, corners.end());
            best = std::min(best, corners);
        }
        corners = best;
    }
    std::uint64_t hash = element.corner_count * 0x9e3779b97f4a7c15u + element.material;
    for (const std::uint64_t corner : corners) hash = (hash ^ corner) * 0xff51afd7ed558ccdu + (hash >> 31);
    return hash;
}

struct Cell {
    std::int64_t x = 0, y = 0, z = 0;
    friend auto operator<=>(const Cell&, const Cell&) = default;  // NOLINT(modernize-use-nullptr)
};

class Matcher {
public:
    Matcher(Vertices& vertices, const Bulk<Element>& a, const Bulk<Element>& b)
        : vertices_(vertices), a_(a), b_(b), taken_a_(a.size()), taken_b_(b.size()) {}

    ElementMatch run(std::uint32_t vertices_a, std::uint32_t vertices_b) {
        match_equal(vertices_a, vertices_b);
        if (vertices_.has_positions()) match_near();
        return count_left();
    }

private:
    void match_equal(std::uint32_t vertices_a, std::uint32_t vertices_b) {
        const Bulk<Hashed> in_a = hashes(a_, vertices_a, false), in_b = hashes(b_, vertices_b, true);
        for (std::size_t i = 0, j = 0; i < in_a.size() && j < in_b.size();) {
            if (in_a[i].hash == in_b[j].hash) {
                taken_a_[in_a[i++].element] = true;
                taken_b_[in_b[j++].element] = true;
            } else if (in_a[i].hash < in_b[j].hash) {
                ++i;
            } else {
                ++j;
            }
        }
    }

    Bulk<Hashed> hashes(const Bulk<Element>& elements, std::uint32_t vertex_count, bool of_b) const {
        Bulk<std::uint64_t> vertices(vertex_count);
        for (std::uint32_t i = 0; i < vertex_count; ++i) vertices[i] = vertices_.hash(of_b, i);
        Bulk<Hashed> list(elements.size());
        for (std::uint32_t i = 0; i < list.size(); ++i) list[i] = {hash_of(elements[i], vertices), i};
        std::sort(list.begin(), list.end());
        return list;
    }

    // The rest: a grid over the middles of what is left of `b`.

    void match_near() {
        fill_grid();
        for (const Level level : {Level::all, Level::positions, Level::places}) {
            if (cells_.empty()) return;
            for (std::uint32_t i = 0; i < a_.size(); ++i) {
                if (!taken_a_[i]) find(i, level);
            }
        }
    }

    enum class Level : std::uint8_t { all, positions, places };

    [[nodiscard]] glm::dvec3 middle(const Element& element, bool of_b) const {
        glm::dvec3 sum(0.0);
        for (std::uint32_t i = 0; i < element.corner_count; ++i) {
            const std::uint32_t corner = element.corners[i];
            sum += wide(of_b ? vertices_.position_b(corner) : vertices_.position_a(corner));
        }
        return sum / static_cast<double>(element.corner_count);
    }

    void fill_grid() {
        const double tolerance = vertices_.position_tolerance();
        double far = 0;
        struct Placed {
            Cell cell;
            std::uint32_t element;
        };
        std::vector<glm::dvec3> middles;
        std::vector<std::uint32_t> left;
        for (std::uint32_t i = 0; i < b_.size(); ++i) {
            if (taken_b_[i]) continue;
            const glm::dvec3 place = middle(b_[i], true);
            if (!is_finite(place)) continue;
            far = std::max(far, largest(place));
            middles.push_back(place);
            left.push_back(i);
        }
        width_ = std::max(cell_width * tolerance, std::max(far, 1e-30) * 1e-9);
        reach_ = std::max(tolerance, std::max(far, 1e-30) * 1e-12);
        std::vector<Placed> placed;
        placed.reserve(left.size());
        for (std::size_t i = 0; i < left.size(); ++i) placed.push_back({cell_of(middles[i]), left[i]});
        std::sort(placed.begin(), placed.end(), [](const Placed& one, const Placed& other) {
            return std::tie(one.cell, one.element) < std::tie(other.cell, other.element);
        });
        for (const Placed& one : placed) {
            if (cells_.empty() || cells_.back() != one.cell) {
                cells_.push_back(one.cell);
                ranges_.emplace_back(static_cast<std::uint32_t>(members_.size()), 0U);
            }
            members_.push_back(one.element);
            ++ranges_.back().second;
        }
    }

    [[nodiscard]] Cell cell_of(const glm::dvec3& place) const {
        const auto number = [&](double value) {
            return static_cast<std::int64_t>(std::clamp(std::floor(value / width_), -4e18, 4e18));
        };
        return {number(place.x), number(place.y), number(place.z)};
    }

    void find(std::uint32_t element, Level level) {
        const glm::dvec3 place = middle(a_[element], false);
        if (!is_finite(place)) return;
        const Cell low = cell_of(place - glm::dvec3(reach_)), high = cell_of(place + glm::dvec3(reach_));
        Candidate best;
        for (Cell cell = low; cell.x <= high.x; ++cell.x) {
            for (cell.y = low.y; cell.y <= high.y; ++cell.y) {
                for (cell.z = low.z; cell.z <= high.z; ++cell.z) look_into(cell, a_[element], level, best);
            }
        }
        if (best.range == no_range) return;
        take(element, best, level);
    }

    static constexpr std::size_t no_range = SIZE_MAX;
    struct Candidate {
        std::size_t range = no_range, member = 0, beyond = SIZE_MAX, looked_at = 0;
        std::uint32_t turn = 0;
    };

    void look_into(const Cell& cell, const Element& element, Level level, Candidate& best) {
        const auto found = std::lower_bound(cells_.begin(), cells_.end(), cell);
        if (found == cells_.end() || *found != cell) return;
        const std::size_t range = static_cast<std::size_t>(found - cells_.begin());
        for (std::size_t i = 0; i < ranges_[range].second && best.beyond != 0; ++i) {
            if (++best.looked_at > max_candidates) return;
            const std::size_t member = ranges_[range].first + i;
            const Element& other = b_[members_[member]];
            if (other.corner_count != element.corner_count) continue;
            if (level != Level::places && other.material != element.material) continue;
            const std::uint32_t turns = element.corner_count == 3 ? 3 : 1;
            for (std::uint32_t turn = 0; turn < turns; ++turn) {
                const std::size_t beyond = compare(element, other, turn, level);
                if (beyond >= best.beyond) continue;
                best.range = range;
                best.member = member;
                best.beyond = beyond;
                best.turn = turn;
            }
        }
    }

    /// How much is beyond its tolerance; SIZE_MAX if they do not match.
    [[nodiscard]] std::size_t compare(const Element& a, const Element& b, std::uint32_t turn, Level level) const {
        for (std::uint32_t i = 0; i < a.corner_count; ++i) {
            if (!vertices_.same_position(a.corners[i], b.corners[(i + turn) % b.corner_count])) return SIZE_MAX;
        }
        std::size_t beyond = 0;
        for (std::uint32_t i = 0; i < a.corner_count; ++i)
            beyond += vertices_.beyond(a.corners[i], b.corners[(i + turn) % b.corner_count]);
        return level == Level::all && beyond != 0 ? SIZE_MAX : beyond;
    }

    void take(std::uint32_t element, const Candidate& best, Level level) {
        const std::uint32_t other = members_[best.member];
        taken_a_[element] = taken_b_[other] = true;
        auto& [first, count] = ranges_[best.range];
        std::swap(members_[best.member], members_[first + --count]);
        if (best.beyond != 0) {
            match_.differs = true;
            const Element &a = a_[element], &b = b_[other];
            for (std::uint32_t i = 0; i < a.corner_count; ++i)
                vertices_.tally(a.corners[i], b.corners[(i + best.turn) % b.corner_count]);
        }
        if (level != Level::places) return;
        if (match_.other_material++ == 0) match_.materials = {a_[element].material, b_[other].material};
    }

    ElementMatch count_left() {
        for (std::size_t i = a_.size(); i-- > 0;) {
            if (taken_a_[i]) continue;
            ++match_.only_a;
            match_.first_only_a = i;
        }
        for (std::size_t i = b_.size(); i-- > 0;) {
            if (taken_b_[i]) continue;
            ++match_.only_b;
            match_.first_only_b = i;
        }
        return match_;
    }

    Vertices& vertices_;
    const Bulk<Element>&a_, &b_;
    std::vector<bool> taken_a_, taken_b_;
    double width_ = 1, reach_ = 0;
    std::vector<Cell> cells_;                                      ///< ascending
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges_;  ///< of each cell: first of its members, and how many
    std::vector<std::uint32_t> members_;                           ///< elements of `b`
    ElementMatch match_;
};

}  // namespace

Bulk<Element> elements_of(const Mesh& mesh, const std::vector<Index>& materials) {
    Bulk<Element> elements;
    for (const Primitive& primitive : mesh.primitives) {
        const Index material = primitive.material < materials.size() ? materials[primitive.material] : no_index;
        const auto add = [&](std::uint32_t count, std::array<std::uint32_t, 3> corners) {
            for (std::uint32_t i = 0; i < count; ++i) {
                const std::uint64_t vertex = std::uint64_t{primitive.first_vertex} + corners[i];
                if (vertex >= mesh.vertex_count) return;
                corners[i] = static_cast<std::uint32_t>(vertex);
            }
            if (count == 2 && corners[0] == corners[1]) return;
            if (count == 3 && (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]))
                return;
            elements.push_back({corners, count, material});
        };
        const Bulk<std::uint32_t>& indices = primitive.indices;
        if (primitive.topology == Topology::points) {
            for (const std::uint32_t index : indices) add(1, {index, 0, 0});
        } else if (!has_triangles(primitive.topology)) {
            const std::size_t step = primitive.topology == Topology::lines ? 2 : 1;
            for (std::size_t i = 0; i + 1 < indices.size(); i += step) add(2, {indices[i], indices[i + 1], 0});
        } else {
            for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) { add(3, {a, b, c}); });
        }
    }
    return elements;
}

Result<ElementMatch> match_elements(Comparison& comparison, Vertices& vertices, const Bulk<Element>& a,
                                    const Bulk<Element>& b, std::uint32_t vertices_a, std::uint32_t vertices_b) {
    constexpr std::uint64_t for_each_element = 2 * sizeof(Hashed) + 2 * sizeof(Cell) + 64;
    if (auto done = comparison.take(a.size() + b.size(), for_each_element); !done) return fail(std::move(done.error()));
    if (auto done = comparison.take(std::uint64_t{vertices_a} + vertices_b, 8); !done)
        return fail(std::move(done.error()));
    ElementMatch match = Matcher(vertices, a, b).run(vertices_a, vertices_b);
    comparison.budget.give_back((a.size() + b.size()) * for_each_element +
                                (std::uint64_t{vertices_a} + vertices_b) * 8);
    return match;
}

}  // namespace effigy::diff
