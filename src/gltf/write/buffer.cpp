/// The binary buffer of glTF written piece by piece: padded, narrowed or scattered on the way.

#include "gltf/write/buffer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace effigy::gltf {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF is little-endian, and bulk data is written as it is");

// Large enough to keep calls rare, small enough to stay in the cache.
using Stage = std::array<std::byte, 16 * 1024>;

Result<void> emit(PlainPiece piece, const Sink& sink) { return sink(piece); }

template <class T>
Result<void> write_indices(const IndexPiece& piece, const Sink& sink) {
    std::array<T, sizeof(Stage) / sizeof(T)> stage;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    for (auto rest = piece.values; !rest.empty();) {
        const std::size_t count = std::min(rest.size(), stage.size());
        for (std::size_t i = 0; i < count; ++i) stage[i] = static_cast<T>(rest[i] - piece.base);
        if (auto written = sink(std::as_bytes(std::span(stage).first(count))); !written) return written;
        rest = rest.subspan(count);
    }
    return {};
}

Result<void> emit(const IndexPiece& piece, const Sink& sink) {
    if (piece.width == 2) return write_indices<std::uint16_t>(piece, sink);
    if (piece.base != 0) return write_indices<std::uint32_t>(piece, sink);
    return sink(std::as_bytes(piece.values));
}

Result<void> emit(const StridePiece& piece, const Sink& sink) {
    Stage stage{};
    const std::size_t most = stage.size() / piece.stride;
    for (auto rest = piece.bytes; !rest.empty();) {
        const std::size_t count = std::min(rest.size() / piece.element, most);
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(stage.data() + i * piece.stride, rest.data() + i * piece.element, piece.element);
        }
        if (auto written = sink(std::span(stage).first(count * piece.stride)); !written) return written;
        rest = rest.subspan(count * piece.element);
    }
    return {};
}

Result<void> emit(const ScatterPiece& piece, const Sink& sink) {
    std::array<Vec3, 1024> stage;
    std::size_t next = 0;
    for (std::uint32_t first = 0; first < piece.count;) {
        const auto count = std::min(piece.count - first, static_cast<std::uint32_t>(stage.size()));
        std::fill_n(stage.begin(), count, Vec3{});
        for (; next < piece.indices.size() && piece.indices[next] - piece.base < first + count; ++next) {
            stage[piece.indices[next] - piece.base - first] = piece.values[next];
        }
        if (auto written = sink(std::as_bytes(std::span(stage).first(count))); !written) return written;
        first += count;
    }
    return {};
}

Result<void> emit(const InsertPiece& piece, const Sink& sink) {
    Stage stage;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    std::size_t filled = 0;
    const auto put = [&](std::span<const std::byte> bytes) -> Result<void> {
        while (!bytes.empty()) {
            const std::size_t size = std::min(bytes.size(), stage.size() - filled);
            std::memcpy(stage.data() + filled, bytes.data(), size);
            bytes = bytes.subspan(size);
            filled += size;
            if (filled < stage.size()) continue;
            filled = 0;
            if (auto written = sink(stage); !written) return written;
        }
        return {};
    };
    std::size_t own = 0, other = 0;
    for (const auto& [element, count] : piece.places) {
        const std::size_t end = (element + std::size_t{1}) * piece.width, more = count * piece.width;
        if (auto done = put(std::as_bytes(piece.values.subspan(own, end - own))); !done) return done;
        if (auto done = put(std::as_bytes(piece.inserted.subspan(other, more))); !done) return done;
        own = end;
        other += more;
    }
    if (auto done = put(std::as_bytes(piece.values.subspan(own))); !done) return done;
    return sink(std::span(stage).first(filled));
}

}  // namespace

std::uint64_t size_of(const Piece& piece) noexcept {
    struct Size {
        std::uint64_t operator()(const PlainPiece& plain) const { return plain.size(); }
        std::uint64_t operator()(const IndexPiece& index) const {
            return std::uint64_t{index.values.size()} * index.width;
        }
        std::uint64_t operator()(const StridePiece& stride) const {
            return std::uint64_t{stride.bytes.size() / stride.element} * stride.stride;
        }
        std::uint64_t operator()(const ScatterPiece& scatter) const {
            return std::uint64_t{scatter.count} * sizeof(Vec3);
        }
        std::uint64_t operator()(const InsertPiece& insert) const {
            return insert.values.size_bytes() + insert.inserted.size_bytes();
        }
    };
    return std::visit(Size{}, piece);
}

Result<void> write_piece(const Piece& piece, const Sink& sink) {
    return std::visit([&](const auto& kind) { return emit(kind, sink); }, piece);
}

std::uint64_t Buffer::add(const Piece& piece, std::uint64_t alignment) {
    const std::uint64_t offset = (size_ + alignment - 1) / alignment * alignment;
    entries_.push_back({offset, piece});
    size_ = offset + size_of(piece);
    return offset;
}

std::span<const std::byte> Buffer::keep(Bytes bytes) { return kept_.emplace_back(std::move(bytes)); }

Result<void> Buffer::write(const Sink& sink) const {
    constexpr std::array<std::byte, 8> zeros{};
    std::uint64_t position = 0;
    for (const Entry& entry : entries_) {
        const auto padding = static_cast<std::size_t>(entry.offset - position);
        if (auto written = sink(std::span(zeros).first(padding)); !written) return written;
        if (auto written = write_piece(entry.piece, sink); !written) return written;
        position = entry.offset + size_of(entry.piece);
    }
    return {};
}

}  // namespace effigy::gltf
