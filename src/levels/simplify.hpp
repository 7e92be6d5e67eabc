#pragma once
/// Fewer triangles for a surface, by collapsing edges into one of their ends.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "levels/quadric.hpp"
#include "levels/surface.hpp"

namespace effigy::levels {

/// Takes triangles out of a surface, step by step. What it is off by is always counted from the surface it began with.
/// No vertex is moved or made: those that are left are as they were. Borders and seams are only shortened along
/// themselves, both sides at once, so that no gap opens; no triangle turns over.
class Simplifier {
public:
    explicit Simplifier(Surface surface);

    /// Until no more than `target` triangles are left, or every further step would be off by more than `max_error`, as
    /// part of the size. Hard edges, where normals differ and nothing else does, give way where it cannot be done
    /// otherwise.
    void reduce(std::size_t target, double max_error);

    [[nodiscard]] const Surface& surface() const noexcept { return surface_; }
    [[nodiscard]] const std::vector<Surface::Triangle>& triangles() const noexcept { return surface_.triangles; }

private:
    using Wedges = std::pair<std::uint32_t, std::uint32_t>;  ///< one, and the one that it becomes

    struct Collapse {
        double cost = 0;
        std::uint32_t from = 0, to = 0;  ///< places
    };
    struct Neighbour {
        std::uint32_t place = 0;
        std::uint32_t triangles = 0;  ///< that have the edge to it
        double cost = 0;
    };

    [[nodiscard]] std::uint32_t place_of(std::uint32_t wedge) const { return surface_.wedges[wedge].place; }
    [[nodiscard]] const glm::dvec3& at(std::uint32_t wedge) const { return surface_.places[place_of(wedge)]; }
    [[nodiscard]] std::span<const std::uint32_t> star(std::uint32_t place) const;
    /// The corner of a triangle at a place, or 3.
    [[nodiscard]] std::size_t corner_at(const Surface::Triangle& triangle, std::uint32_t place) const;

    void add_planes();
    void add_edges();
    void add_values();
    void list_stars();

    void pass(std::size_t target, double max_error);
    void list_collapses(double max_error);
    bool find_collapse(std::uint32_t from, double max_error, Collapse& found);
    /// What is around a place; false if it has to stay.
    bool look_around(std::uint32_t place);
    /// Which wedge each of `from` becomes; false if one has nowhere to go.
    bool match_wedges(std::uint32_t from, std::uint32_t to);
    bool match_hard_edges(std::uint32_t from, std::uint32_t to);
    [[nodiscard]] std::uint32_t become(std::uint32_t wedge) const;
    [[nodiscard]] double cost_of(std::uint32_t from, std::uint32_t to) const;
    [[nodiscard]] double value_cost(const Wedges& pair, const glm::dvec3& place) const;
    /// What part of their weights two wedges give to different joints.
    [[nodiscard]] double skin_difference(std::uint32_t a, std::uint32_t b) const;
    /// How far an edge is off the bow that its skin makes of what was between its ends, where joints turn far.
    [[nodiscard]] double bow(std::uint32_t a, std::uint32_t b) const;
    [[nodiscard]] double bow_after(std::uint32_t from, std::uint32_t to) const;
    /// Whether the surface stays one of the same kind.
    bool keeps_connections(std::uint32_t from, const Neighbour& to);
    [[nodiscard]] bool turns_over(std::uint32_t from, std::uint32_t to) const;
    /// How far the place `from` is off the surface afterwards; more than any size if there is none.
    [[nodiscard]] double distance_after(std::uint32_t from, std::uint32_t to) const;
    void apply(const Collapse& collapse);

    Surface surface_;
    bool hard_edges_give_way_ = false;
    std::vector<Quadric> planes_;           ///< of places
    std::vector<double> areas_;             ///< of places: of the triangles that `planes_` are of
    std::vector<double> moved_;             ///< of places: how far they are off what has become of them
    std::vector<Quadric> value_squares_;    ///< of wedges: of all values together
    std::vector<double> value_areas_;       ///< of wedges
    std::vector<glm::dvec3> value_slopes_;  ///< of each value of each wedge
    std::vector<double> value_offsets_;

    // For one pass.
    std::vector<std::uint32_t> star_begins_, stars_;
    std::vector<Collapse> collapses_;
    std::vector<bool> is_frozen_;
    std::size_t removed_ = 0;

    // For one place, and for one of its collapses.
    std::vector<Neighbour> ring_;
    std::vector<Wedges> matches_;
    std::vector<std::uint32_t> marks_;
    std::uint32_t mark_ = 0;
};

}  // namespace effigy::levels
