#pragma once
/// Vertices of two meshes, number by number.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/scene.hpp"

#include "diff/compare.hpp"
#include "diff/findings.hpp"

namespace effigy::diff {

template <std::size_t width>
struct SparseEntry {
    std::uint32_t key = 0;
    std::array<float, width> values{};
};

/// For each vertex a list of entries by ascending key, each key once. What is not listed is 0.
template <std::size_t width>
class Sparse {
public:
    using Entry = SparseEntry<width>;

    /// `counts`: how many entries each vertex may get.
    void reserve(const Bulk<std::uint32_t>& counts) {
        first_.resize(counts.size() + 1);
        first_[0] = 0;
        for (std::size_t i = 0; i < counts.size(); ++i) first_[i + 1] = first_[i] + counts[i];
        entries_.resize(static_cast<std::size_t>(first_.back()));
        used_ = Bulk<std::uint32_t>(counts.size(), 0);
    }
    void add(std::uint32_t vertex, const Entry& entry) {
        entries_[static_cast<std::size_t>(first_[vertex]) + used_[vertex]++] = entry;
    }
    /// Sorts each vertex's entries, and adds up those of one key.
    void finish() {
        for (std::uint32_t vertex = 0; vertex < used_.size(); ++vertex) {
            const std::span<Entry> list(entries_.data() + first_[vertex], used_[vertex]);
            std::sort(list.begin(), list.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
            std::uint32_t kept = 0;
            for (const Entry& entry : list) {
                if (kept != 0 && list[kept - 1].key == entry.key) {
                    for (std::size_t i = 0; i < width; ++i) list[kept - 1].values[i] += entry.values[i];
                } else {
                    list[kept++] = entry;
                }
            }
            used_[vertex] = kept;
        }
    }
    [[nodiscard]] std::span<const Entry> of(std::uint32_t vertex) const {
        return used_.empty() ? std::span<const Entry>()
                             : std::span<const Entry>(entries_.data() + first_[vertex], used_[vertex]);
    }

private:
    Bulk<std::uint64_t> first_;
    Bulk<std::uint32_t> used_;
    Bulk<Entry> entries_;
};

/// Calls `visit(key, how far apart)` for the keys of both lists.
template <std::size_t width, class Visit>
void for_each_key(std::span<const SparseEntry<width>> a, std::span<const SparseEntry<width>> b, Visit&& visit) {
    constexpr SparseEntry<width> nothing{};
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        const bool has_a = i < a.size() && (j == b.size() || a[i].key <= b[j].key);
        const bool has_b = j < b.size() && (i == a.size() || b[j].key <= a[i].key);
        const SparseEntry<width>&in_a = has_a ? a[i] : nothing, &in_b = has_b ? b[j] : nothing;
        double apart = 0;
        for (std::size_t n = 0; n < width; ++n) apart = std::max(apart, distance(in_a.values[n], in_b.values[n]));
        visit(has_a ? in_a.key : in_b.key, apart);
        i += has_a ? 1 : 0;
        j += has_b ? 1 : 0;
    }
}

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
    [[nodiscard]] std::uint64_t hash(bool of_b, std::uint32_t vertex) const;

    [[nodiscard]] const std::vector<Measure>& measures() const noexcept { return measures_; }
    /// "(0, 1, 0)", of what a measure is about; empty where it is no attribute.
    [[nodiscard]] std::string text(bool of_b, std::size_t measure, std::uint32_t vertex) const;

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

    std::vector<Measure> measures_;
    std::vector<Column> columns_;
    std::size_t weight_measure_ = 0, morph_measure_ = 0;
    Sparse<1> weights_a_, weights_b_;
    Sparse<3> morphs_a_, morphs_b_;
};

}  // namespace effigy::diff
