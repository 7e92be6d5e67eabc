#pragma once
/// The layout of the one binary buffer: what stands where, and how it gets there without being gathered first.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/math.hpp"
#include "effigy/result.hpp"

#include "core/output.hpp"

namespace effigy::gltf {

/// Bytes as they are.
using PlainPiece = std::span<const std::byte>;

/// Unsigned numbers less `base`, written with `width` bytes (2 or 4), into which they fit.
struct IndexPiece {
    std::span<const std::uint32_t> values;
    std::uint32_t base = 0;
    std::uint32_t width = 4;
};

/// Elements of `element` bytes, each followed by zeros up to `stride`.
struct StridePiece {
    std::span<const std::byte> bytes;
    std::size_t element = 1;
    std::size_t stride = 1;
};

/// `count` vectors, zero except for `values` at `indices` less `base` (increasing, below `count`).
struct ScatterPiece {
    std::span<const std::uint32_t> indices;
    std::span<const Vec3> values;
    std::uint32_t base = 0;
    std::uint32_t count = 0;
};

/// Elements of `width` numbers, and others inserted behind some of them.
struct InsertPiece {
    std::span<const float> values, inserted;
    std::span<const std::pair<std::uint32_t, std::uint32_t>> places;  ///< increasing elements, and how many behind each
    std::size_t width = 1;
};

using Piece = std::variant<PlainPiece, IndexPiece, StridePiece, ScatterPiece, InsertPiece>;

[[nodiscard]] std::uint64_t size_of(const Piece& piece) noexcept;
[[nodiscard]] Result<void> write_piece(const Piece& piece, const Sink& sink);

/// Pieces refer to the caller's data, which must outlive the buffer.
class Buffer {
public:
    /// Bytes so far.
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    /// Adds a piece at the next multiple of `alignment` and returns its offset.
    std::uint64_t add(const Piece& piece, std::uint64_t alignment = 4);
    /// Keeps small data that the scene does not hold in this form.
    std::span<const std::byte> keep(Bytes bytes);

    [[nodiscard]] Result<void> write(const Sink& sink) const;

private:
    struct Entry {
        std::uint64_t offset;
        Piece piece;
    };
    std::vector<Entry> entries_;
    std::deque<Bytes> kept_;
    std::uint64_t size_ = 0;
};

}  // namespace effigy::gltf
