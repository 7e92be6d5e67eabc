/// Edges that collapse, the cheapest first: in passes, each over places that do not touch one another.

#include "levels/simplify.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>

#include "levels/distance.hpp"

namespace effigy::levels {
namespace {

/// How much more a border or a seam counts than the surface beside it.
constexpr double border_weight = 4, seam_weight = 1, hard_edge_weight = 0.1;
/// What the place that goes is off by counts more than what the surface around it is off by on average.
constexpr double moved_weight = 2;
/// A quarter of the chord, and what joints that turn by 90 degrees make of that.
constexpr double bow_weight = 0.35;
/// Of two collapses that change nothing the shorter one comes first.
constexpr double length_weight = 1e-9;
/// Cosine of the angle that one step may turn a triangle by.
constexpr double min_cosine = 0.25;
constexpr double endless = std::numeric_limits<double>::max();

constexpr Surface::Triangle dead{0xffffffffu, 0xffffffffu, 0xffffffffu};

double squared(double value) { return value * value; }

}  // namespace

Simplifier::Simplifier(Surface surface) : surface_(std::move(surface)) {
    planes_.resize(surface_.places.size());
    areas_.resize(surface_.places.size());
    moved_.resize(surface_.places.size());
    marks_.resize(surface_.places.size());
    value_areas_.resize(surface_.wedges.size());
    value_squares_.resize(surface_.width == 0 ? 0 : surface_.wedges.size());
    value_slopes_.resize(surface_.width * surface_.wedges.size());
    value_offsets_.resize(value_slopes_.size());
    list_stars();
    add_planes();
    add_edges();
    add_values();
}

std::span<const std::uint32_t> Simplifier::star(std::uint32_t place) const {
    return std::span(stars_).subspan(star_begins_[place], star_begins_[place + 1] - star_begins_[place]);
}

std::size_t Simplifier::corner_at(const Surface::Triangle& triangle, std::uint32_t place) const {
    std::size_t corner = 0;
    while (corner < 3 && place_of(triangle[corner]) != place) ++corner;
    return corner;
}

// --- what collapses are measured by

void Simplifier::add_planes() {
    for (const Surface::Triangle& triangle : surface_.triangles) {
        const glm::dvec3 cross = glm::cross(at(triangle[1]) - at(triangle[0]), at(triangle[2]) - at(triangle[0]));
        const double area = glm::length(cross);
        if (area == 0) continue;
        const glm::dvec3 normal = cross / area;
        for (const std::uint32_t wedge : triangle) {
            planes_[place_of(wedge)].add(normal, -glm::dot(normal, at(triangle[0])), area);
            areas_[place_of(wedge)] += area;
        }
    }
}

/// Planes that stand upright on borders and seams keep these where they are.
void Simplifier::add_edges() {
    for (std::uint32_t number = 0; number < surface_.triangles.size(); ++number) {
        const Surface::Triangle& triangle = surface_.triangles[number];
        const glm::dvec3 cross = glm::cross(at(triangle[1]) - at(triangle[0]), at(triangle[2]) - at(triangle[0]));
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = triangle[i], b = triangle[(i + 1) % 3];
            double weight = border_weight;
            for (const std::uint32_t other : star(place_of(a))) {
                if (other == number) continue;
                const Surface::Triangle& beside = surface_.triangles[other];
                const std::size_t first = corner_at(beside, place_of(a)), second = corner_at(beside, place_of(b));
                if (second == 3) continue;
                const auto& wedges = surface_.wedges;
                const bool looks_alike =
                    wedges[beside[first]].look == wedges[a].look && wedges[beside[second]].look == wedges[b].look;
                const bool is_same = beside[first] == a && beside[second] == b;
                weight = is_same ? 0 : looks_alike ? hard_edge_weight : seam_weight;
                break;
            }
            if (weight == 0) continue;
            const glm::dvec3 along = at(b) - at(a), upright = glm::cross(along, cross);
            const double length = glm::length(upright);
            if (length == 0) continue;
            for (const std::uint32_t end : {a, b})
                planes_[place_of(end)].add(upright / length, -glm::dot(upright / length, at(a)),
                                           weight * glm::dot(along, along));
        }
    }
}

/// In each triangle a value is a linear function of the place.
void Simplifier::add_values() {
    const std::size_t width = surface_.width;
    for (const Surface::Triangle& triangle : surface_.triangles) {
        const glm::dvec3 e1 = at(triangle[1]) - at(triangle[0]), e2 = at(triangle[2]) - at(triangle[0]);
        const double d11 = glm::dot(e1, e1), d12 = glm::dot(e1, e2), d22 = glm::dot(e2, e2);
        const double area = glm::length(glm::cross(e1, e2)), determinant = d11 * d22 - d12 * d12;
        for (const std::uint32_t wedge : triangle) value_areas_[wedge] += area;
        for (std::size_t k = 0; k < width; ++k) {
            const auto value = [&](std::size_t corner) { return surface_.values[width * triangle[corner] + k]; };
            const double s1 = value(1) - value(0), s2 = value(2) - value(0);
            glm::dvec3 slope(0);
            if (determinant > 1e-12 * d11 * d22)
                slope = (e1 * (s1 * d22 - s2 * d12) + e2 * (s2 * d11 - s1 * d12)) / determinant;
            const double offset = value(0) - glm::dot(slope, at(triangle[0]));
            for (const std::uint32_t wedge : triangle) {
                value_squares_[wedge].add(slope, offset, area);
                value_slopes_[width * wedge + k] += slope * area;
                value_offsets_[width * wedge + k] += offset * area;
            }
        }
    }
}

void Simplifier::list_stars() {
    star_begins_.assign(surface_.places.size() + 2, 0);
    for (const Surface::Triangle& triangle : surface_.triangles) {
        for (const std::uint32_t wedge : triangle) ++star_begins_[place_of(wedge) + 2];
    }
    std::partial_sum(star_begins_.begin(), star_begins_.end(), star_begins_.begin());
    stars_.resize(3 * surface_.triangles.size());
    for (std::uint32_t i = 0; i < surface_.triangles.size(); ++i) {
        for (const std::uint32_t wedge : surface_.triangles[i]) stars_[star_begins_[place_of(wedge) + 1]++] = i;
    }
}

// --- steps

void Simplifier::reduce(std::size_t target, double max_error) {
    while (surface_.triangles.size() > target) {
        const std::size_t before = surface_.triangles.size();
        pass(target, max_error);
        const std::size_t taken = before - surface_.triangles.size();
        constexpr std::size_t worth_while = 500;  // of so many triangles one has to go in a pass
        if (taken > before / worth_while) continue;
        if (hard_edges_give_way_) return;
        hard_edges_give_way_ = true;
    }
}

void Simplifier::pass(std::size_t target, double max_error) {
    list_stars();
    list_collapses(max_error);
    const std::size_t excess = surface_.triangles.size() - target, wanted = (excess + 1) / 2;
    // What is much dearer than all that are wanted waits until these are done.
    const double dearest = wanted < collapses_.size() ? 2.25 * collapses_[wanted].cost : endless;
    is_frozen_.assign(surface_.places.size(), false);
    removed_ = 0;
    for (const Collapse& collapse : collapses_) {
        if (removed_ >= excess || collapse.cost > dearest) break;
        if (!is_frozen_[collapse.from] && !is_frozen_[collapse.to]) apply(collapse);
    }
    std::erase(surface_.triangles, dead);
}

void Simplifier::list_collapses(double max_error) {
    collapses_.clear();
    Collapse found;
    for (std::uint32_t place = 0; place < surface_.places.size(); ++place) {
        if (find_collapse(place, max_error, found)) collapses_.push_back(found);
    }
    std::sort(collapses_.begin(), collapses_.end(), [](const Collapse& a, const Collapse& b) {
        return a.cost != b.cost ? a.cost < b.cost : a.from < b.from;
    });
}

bool Simplifier::find_collapse(std::uint32_t from, double max_error, Collapse& found) {
    if (!look_around(from)) return false;
    const bool is_border = std::any_of(ring_.begin(), ring_.end(), [](const Neighbour& n) { return n.triangles == 1; });
    for (Neighbour& to : ring_) {
        const bool can_be = (!is_border || to.triangles == 1) && match_wedges(from, to.place);
        to.cost = can_be ? cost_of(from, to.place) : endless;
    }
    std::sort(ring_.begin(), ring_.end(), [](const Neighbour& a, const Neighbour& b) {
        return a.cost != b.cost ? a.cost < b.cost : a.place < b.place;
    });
    for (const Neighbour& to : ring_) {
        if (to.cost > squared(max_error)) return false;
        if (!keeps_connections(from, to) || !match_wedges(from, to.place) || turns_over(from, to.place)) continue;
        const double moved = moved_[from] + distance_after(from, to.place);
        if (moved > max_error) continue;
        found = {to.cost + moved_weight * squared(moved) + squared(bow_after(from, to.place)), from, to.place};
        return true;
    }
    return false;
}

bool Simplifier::look_around(std::uint32_t place) {
    ring_.clear();
    for (const std::uint32_t number : star(place)) {
        for (const std::uint32_t wedge : surface_.triangles[number]) {
            if (place_of(wedge) == place) continue;
            const auto known = std::find_if(ring_.begin(), ring_.end(),
                                            [&](const Neighbour& n) { return n.place == place_of(wedge); });
            if (known == ring_.end()) {
                ring_.push_back({place_of(wedge), 1, 0});
            } else {
                ++known->triangles;
            }
        }
    }
    // Where more than two triangles meet at an edge, or several borders at a place, nothing is moved.
    const auto borders = std::count_if(ring_.begin(), ring_.end(), [](const Neighbour& n) { return n.triangles == 1; });
    const bool is_plain = std::all_of(ring_.begin(), ring_.end(), [](const Neighbour& n) { return n.triangles <= 2; });
    constexpr std::size_t most = 100;
    return is_plain && !ring_.empty() && (borders == 0 || borders == 2) && ring_.size() <= most;
}

bool Simplifier::match_wedges(std::uint32_t from, std::uint32_t to) {
    matches_.clear();
    for (const std::uint32_t number : star(from)) {
        const Surface::Triangle& triangle = surface_.triangles[number];
        const std::size_t other = corner_at(triangle, to);
        if (other == 3) continue;
        const std::uint32_t wedge = triangle[corner_at(triangle, from)];
        const auto known =
            std::find_if(matches_.begin(), matches_.end(), [&](const Wedges& pair) { return pair.first == wedge; });
        if (known == matches_.end()) {
            matches_.emplace_back(wedge, triangle[other]);
        } else if (known->second != triangle[other]) {
            const auto& wedges = surface_.wedges;
            const bool looks_alike = wedges[known->second].look == wedges[triangle[other]].look;
            if (!hard_edges_give_way_ || !looks_alike) return false;
        }
    }
    return match_hard_edges(from, to);
}

bool Simplifier::match_hard_edges(std::uint32_t from, std::uint32_t to) {
    const auto& wedges = surface_.wedges;
    const std::size_t sure = matches_.size();
    for (const std::uint32_t number : star(from)) {
        const Surface::Triangle& triangle = surface_.triangles[number];
        const std::uint32_t wedge = triangle[corner_at(triangle, from)];
        if (become(wedge) != wedge) continue;
        if (!hard_edges_give_way_) return false;
        const auto alike =
            std::find_if(matches_.begin(), matches_.begin() + static_cast<std::ptrdiff_t>(sure),
                         [&](const Wedges& pair) { return wedges[pair.first].look == wedges[wedge].look; });
        if (alike == matches_.begin() + static_cast<std::ptrdiff_t>(sure)) return false;
        // The one whose normal is nearest.
        std::uint32_t best = alike->second;
        const auto nearness = [&](std::uint32_t one) {
            return glm::dot(surface_.normals[one], surface_.normals[wedge]);
        };
        for (const std::uint32_t there : star(to)) {
            const std::uint32_t one = surface_.triangles[there][corner_at(surface_.triangles[there], to)];
            if (wedges[one].look == wedges[best].look && nearness(one) > nearness(best)) best = one;
        }
        matches_.emplace_back(wedge, best);
    }
    return true;
}

std::uint32_t Simplifier::become(std::uint32_t wedge) const {
    for (const Wedges& pair : matches_) {
        if (pair.first == wedge) return pair.second;
    }
    return wedge;
}

double Simplifier::cost_of(std::uint32_t from, std::uint32_t to) const {
    const glm::dvec3& place = surface_.places[to];
    const glm::dvec3 step = place - surface_.places[from];
    double cost = std::max(0.0, planes_[from].at(place));
    double skin = 0;
    for (const Wedges& pair : matches_) {
        cost += value_cost(pair, place);
        if (!surface_.influences.empty()) skin = std::max(skin, bow(pair.first, pair.second));
    }
    return cost / std::max(areas_[from], 1e-30) + squared(skin) + length_weight * glm::dot(step, step);
}

double Simplifier::value_cost(const Wedges& pair, const glm::dvec3& place) const {
    const std::size_t width = surface_.width;
    if (width == 0) return 0;
    double cost = value_squares_[pair.first].at(place);
    for (std::size_t k = 0; k < width; ++k) {
        const double value = surface_.values[width * pair.second + k];
        const std::size_t own = width * pair.first + k;
        const double expected = glm::dot(value_slopes_[own], place) + value_offsets_[own];
        cost += value * (value * value_areas_[pair.first] - 2 * expected);
    }
    return std::max(0.0, cost);
}

double Simplifier::skin_difference(std::uint32_t a, std::uint32_t b) const {
    const Surface::Influences &one = surface_.influences[a], &other = surface_.influences[b];
    double common = 0;
    for (std::size_t i = 0; i < one.joints.size(); ++i) {
        for (std::size_t k = 0; k < one.joints.size(); ++k) {
            if (one.joints[i] == other.joints[k]) common += std::min(one.weights[i], other.weights[k]);
        }
    }
    return std::max(0.0, 1 - common);
}

double Simplifier::bow(std::uint32_t a, std::uint32_t b) const {
    return bow_weight * glm::distance(at(a), at(b)) * skin_difference(a, b);
}

double Simplifier::bow_after(std::uint32_t from, std::uint32_t to) const {
    double most = 0;
    for (const std::uint32_t number : star(from)) {
        const Surface::Triangle& triangle = surface_.triangles[number];
        if (surface_.influences.empty() || corner_at(triangle, to) != 3) continue;
        const std::size_t corner = corner_at(triangle, from);
        const std::uint32_t wedge = become(triangle[corner]);
        most = std::max({most, bow(wedge, triangle[(corner + 1) % 3]), bow(wedge, triangle[(corner + 2) % 3])});
    }
    return most;
}

bool Simplifier::keeps_connections(std::uint32_t from, const Neighbour& to) {
    if (mark_ > 0xfffffff0u) {
        std::fill(marks_.begin(), marks_.end(), 0);
        mark_ = 0;
    }
    const std::uint32_t around = ++mark_, common = ++mark_;
    for (const Neighbour& neighbour : ring_) marks_[neighbour.place] = around;
    marks_[to.place] = 0;
    std::size_t shared = 0;
    for (const std::uint32_t number : star(to.place)) {
        for (const std::uint32_t wedge : surface_.triangles[number]) {
            std::uint32_t& mark = marks_[place_of(wedge)];
            if (mark != around) continue;
            mark = common;
            ++shared;
        }
    }
    if (shared != to.triangles) return false;
    if (ring_.size() != 3 || shared != 2) return true;
    // The triangle that is left may be there already.
    const auto is_common = [&](std::uint32_t wedge) { return marks_[place_of(wedge)] == common; };
    for (const std::uint32_t number : star(to.place)) {
        const Surface::Triangle& triangle = surface_.triangles[number];
        if (corner_at(triangle, from) == 3 && std::count_if(triangle.begin(), triangle.end(), is_common) == 2)
            return false;
    }
    return true;
}

bool Simplifier::turns_over(std::uint32_t from, std::uint32_t to) const {
    for (const std::uint32_t number : star(from)) {
        const Surface::Triangle& triangle = surface_.triangles[number];
        if (corner_at(triangle, to) != 3) continue;
        const std::size_t corner = corner_at(triangle, from);
        const std::uint32_t second = triangle[(corner + 1) % 3], third = triangle[(corner + 2) % 3];
        const auto area = [&](const glm::dvec3& first) { return glm::cross(at(second) - first, at(third) - first); };
        const glm::dvec3 before = area(surface_.places[from]), after = area(surface_.places[to]);
        const double length = glm::length(after), old_length = glm::length(before);
        if (!(length > 1e-14)) return true;
        if (old_length > 1e-14 && glm::dot(before, after) < min_cosine * length * old_length) return true;
        const glm::dvec3& first_normal = surface_.normals[become(triangle[corner])];
        const glm::dvec3 others = surface_.normals[second] + surface_.normals[third];
        const bool was_over = glm::dot(before, surface_.normals[triangle[corner]] + others) <= 0;
        if (!was_over && glm::dot(after, first_normal + others) <= 0) return true;
    }
    return false;
}

double Simplifier::distance_after(std::uint32_t from, std::uint32_t to) const {
    double nearest = endless;
    for (const std::uint32_t number : star(from)) {
        const Surface::Triangle& triangle = surface_.triangles[number];
        if (corner_at(triangle, to) != 3) continue;
        const std::size_t corner = corner_at(triangle, from);
        const glm::dvec3 &second = at(triangle[(corner + 1) % 3]), &third = at(triangle[(corner + 2) % 3]);
        nearest = std::min(nearest, squared_distance(surface_.places[from], {surface_.places[to], second, third}));
    }
    return nearest == endless ? endless : std::sqrt(nearest);
}

void Simplifier::apply(const Collapse& collapse) {
    const auto [cost, from, to] = collapse;
    (void)match_wedges(from, to);
    moved_[to] = std::max(moved_[to], moved_[from] + distance_after(from, to));
    for (const std::uint32_t number : star(from)) {
        Surface::Triangle& triangle = surface_.triangles[number];
        for (const std::uint32_t wedge : triangle) is_frozen_[place_of(wedge)] = true;
    }
    for (const std::uint32_t number : star(from)) {
        Surface::Triangle& triangle = surface_.triangles[number];
        if (corner_at(triangle, to) != 3) {
            triangle = dead;
            ++removed_;
        } else {
            std::uint32_t& wedge = triangle[corner_at(triangle, from)];
            wedge = become(wedge);
        }
    }
    planes_[to] += planes_[from];
    areas_[to] += areas_[from];
    const std::size_t width = surface_.width;
    for (const auto& [old, now] : matches_) {
        value_areas_[now] += value_areas_[old];
        if (width == 0) continue;
        value_squares_[now] += value_squares_[old];
        for (std::size_t k = 0; k < width; ++k) {
            value_slopes_[width * now + k] += value_slopes_[width * old + k];
            value_offsets_[width * now + k] += value_offsets_[width * old + k];
        }
    }
}

}  // namespace effigy::levels
