#pragma once
/// Reading a scene: attributes as numbers of one type, influences of vertices, world matrices, clips at any time.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/scene.hpp"

namespace effigy {

// Attributes

/// The first attribute of this name, if it has exactly one element for each vertex; else null.
[[nodiscard]] const Attribute* find_attribute(const Mesh& mesh, Semantic semantic, std::uint32_t set = 0) noexcept;
/// Likewise, of Semantic::custom.
[[nodiscard]] const Attribute* find_attribute(const Mesh& mesh, std::string_view custom_name) noexcept;

/// Copies elements into `out` as float, double or std::uint32_t, `width` numbers for each (0: as many as an element
/// has): components beyond that are left out, and what an element lacks stays as it is in `out`. Normalised integers
/// become fractions, of which the lowest is -1; what is no whole number from 0 on becomes no_index among integers.
template <class Number>
void read_numbers(const Accessor& data, std::span<Number> out, std::size_t width = 0) noexcept;

/// The numbers of an attribute, whatever type they are stored as: the scene's own memory where that type is Number,
/// else a copy. The scene must outlive it.
template <class Number>
class NumberView {
public:
    NumberView() = default;
    /// Empty where there is no attribute.
    explicit NumberView(const Attribute* attribute);
    NumberView(const Mesh& mesh, Semantic semantic, std::uint32_t set = 0)
        : NumberView(find_attribute(mesh, semantic, set)) {}
    NumberView(NumberView&&) noexcept = default;
    NumberView& operator=(NumberView&&) noexcept = default;
    NumberView(const NumberView&) = delete;
    NumberView& operator=(const NumberView&) = delete;
    ~NumberView() = default;

    [[nodiscard]] bool empty() const noexcept { return width_ == 0; }
    [[nodiscard]] std::size_t width() const noexcept { return width_; }  ///< numbers of one element
    [[nodiscard]] std::span<const Number> values() const noexcept { return values_; }
    /// Those of one vertex.
    [[nodiscard]] std::span<const Number> operator[](std::size_t vertex) const noexcept {
        return values_.subspan(width_ * vertex, width_);
    }

private:
    std::size_t width_ = 0;
    std::span<const Number> values_;
    Bulk<Number> own_;
};
using FloatView = NumberView<float>;

// Influences

struct VertexInfluence {
    std::uint32_t joint = 0;  ///< of the skin
    double weight = 0;
};

/// Joints and weights of vertices, over all sets. Weights that are not above 0 or not finite, and joints that the skin
/// does not have, count for nothing.
class InfluenceReader {
public:
    enum class Order { stored, heaviest_first };

    InfluenceReader() = default;
    /// `same_as`: a number for each joint; joints with the same number count as one. Empty: each is one of its own.
    InfluenceReader(const Mesh& mesh, std::size_t joint_count, std::vector<std::uint32_t> same_as = {});

    /// The mesh has no set.
    [[nodiscard]] bool empty() const noexcept { return sets_.empty(); }
    /// How many influences a vertex may have.
    [[nodiscard]] std::size_t most() const noexcept { return 4 * sets_.size(); }
    /// As they stand, until the next call of either function.
    [[nodiscard]] std::span<const VertexInfluence> all(std::size_t vertex);
    /// Each joint once; if there are more than `limit`, the heaviest, in that order.
    [[nodiscard]] std::span<const VertexInfluence> heaviest(std::size_t vertex, std::size_t limit,
                                                            Order order = Order::heaviest_first);
    /// How many influences the last call of heaviest() has left out, and what part of the whole weight they have.
    [[nodiscard]] std::size_t dropped() const noexcept { return dropped_; }
    [[nodiscard]] double dropped_weight() const noexcept { return dropped_weight_; }

private:
    /// Joints of the types that glTF has are read where they stand.
    struct Set {
        std::span<const std::uint8_t> bytes;
        std::span<const std::uint16_t> words;
        NumberView<std::uint32_t> others;
        FloatView weights;
    };
    template <class Joint>
    void add(std::span<const Joint> joints, const FloatView& weights, std::size_t vertex);
    void merge();

    std::vector<Set> sets_;
    std::size_t joint_count_ = 0;
    std::vector<std::uint32_t> same_as_;
    std::vector<VertexInfluence> list_;
    std::size_t dropped_ = 0;
    double dropped_weight_ = 0;
};

// Nodes

/// Nodes by their numbers, each behind the one above it; what goes round in a circle or hangs below it is not in it.
[[nodiscard]] std::vector<Index> parents_first(const Scene& scene);

/// Where each node stands at rest, column by column. Rotations count as if they had unit length, and as none if they
/// have no length; a local matrix with a number that is not finite counts as none.
[[nodiscard]] std::vector<std::array<double, 16>> world_matrices(const Scene& scene);

// Clips

/// How many numbers a key's value has; 0 if the track's keys cannot be used: there is no such node or target, there is
/// not one value for each time, times do not rise, or numbers are not finite.
[[nodiscard]] std::size_t value_width(const Scene& scene, const Track& track) noexcept;

/// A track at any time, as its clip's format plays it, in double precision; before the first key and behind the last
/// one nothing changes. Rotations come out with unit length.
class TrackSampler {
public:
    /// `width` as value_width() says, and not 0. The track must outlive it.
    TrackSampler(const Track& track, std::size_t width, const ClipRules& rules) noexcept
        : track_(&track), width_(width), rules_(rules) {}

    [[nodiscard]] const Track& track() const noexcept { return *track_; }
    [[nodiscard]] std::size_t width() const noexcept { return width_; }
    /// Writes `width()` numbers. A time that rounds to that of a key, as floats, is the key's.
    void at(double time, std::span<double> out) const;

private:
    const Track* track_;
    std::size_t width_;
    ClipRules rules_;
};

}  // namespace effigy
