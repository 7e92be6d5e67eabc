#pragma once
/// Vertices of two meshes, number by number.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "effigy/scene.hpp"

#include "diff/compare.hpp"
#include "diff/sparse.hpp"

namespace effigy::diff {

/// One thing that vertices have, and how far it is apart so far.
struct Measure {
    const Code* code = nullptr;
    std::string name;  ///< "NORMAL"
    double tolerance = 0;
    bool relative = false;  ///< beyond 1, a part of the number
    double largest = 0;
    std::uint64_t count = 0;                   ///< vertices beyond the tolerance
    std::uint32_t vertex_a = 0, vertex_b = 0;  ///< where it is `largest`

    [[nodiscard]] bool allows(double apart, double number) const noexcept {
        return apart <= tolerance || (relative && apart <= tolerance * (number < 0 ? -number : number));
    }
};

class Vertices {
public:
    /// Reports attributes and morph targets that only one of the meshes has.
    [[nodiscard]] static Result<Vertices> make(Comparison& comparison, const MeshPair& pair, const std::string& path);

    [[nodiscard]] bool has_positions() const noexcept { return !columns_.empty() && columns_[0].is_position; }
    [[nodiscard]] Vec3 position_a(std::uint32_t vertex) const { return position(columns_[0].a, vertex); }
    [[nodiscard]] Vec3 position_b(std::uint32_t vertex) const { return position(columns_[0].b, vertex); }
    [[nodiscard]] double position_tolerance() const { return measures_[0].tolerance; }

    [[nodiscard]] bool same_position(std::uint32_t a, std::uint32_t b) const { return !differs(columns_[0], a, b); }
    /// How many measures are beyond their tolerance.
    [[nodiscard]] std::size_t beyond(std::uint32_t a, std::uint32_t b) const;
    void tally(std::uint32_t a, std::uint32_t b);
    void clear_tallies();
    /// Equal for vertices that are equal in all.
    [[nodiscard]] std::uint64_t hash_a(std::uint32_t vertex) const;
    [[nodiscard]] std::uint64_t hash_b(std::uint32_t vertex) const;

    [[nodiscard]] const std::vector<Measure>& measures() const noexcept { return measures_; }
    /// "(0, 1, 0)", of what a measure is about; empty where it is no attribute.
    [[nodiscard]] std::string text_a(std::size_t measure, std::uint32_t vertex) const;
    [[nodiscard]] std::string text_b(std::size_t measure, std::uint32_t vertex) const;

private:
    struct Side {
        std::span<const float> values;
        Bulk<float> own;
    };
    /// An attribute that both have; the column of a number is that of its measure.
    struct Column {
        std::size_t width = 0;
        bool is_position = false;
        Side a, b;
        std::size_t measure = 0;
    };
    class Maker;

    [[nodiscard]] static Vec3 position(const Side& side, std::uint32_t vertex) {
        const float* const place = side.values.data() + std::size_t{vertex} * 3;
        return {place[0], place[1], place[2]};
    }
    [[nodiscard]] bool differs(const Column& column, std::uint32_t a, std::uint32_t b) const;
    [[nodiscard]] std::uint64_t hash(bool of_b, std::uint32_t vertex) const;

    std::vector<Measure> measures_;
    std::vector<Column> columns_;
    std::size_t weight_measure_ = 0, morph_measure_ = 0;
    Sparse<1> weights_a_, weights_b_;
    Sparse<3> morphs_a_, morphs_b_;
};

}  // namespace effigy::diff
