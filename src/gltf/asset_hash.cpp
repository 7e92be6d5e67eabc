/// What docs/gltf.md, "Hashes", says is hashed of an accessor.

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "gltf/accessors.hpp"
#include "gltf/asset_problems.hpp"
#include "gltf/element_values.hpp"

namespace effigy::gltf {
namespace {

/// As one block where nothing lies between the elements; else gathered a piece at a time.
void hash_elements(const ElementRange& elements, Hasher& hasher) {
    if (elements.count == 0) return;
    if (elements.stride == elements.size) return hasher.add(elements.bytes.first(elements.count * elements.size));
    for (std::size_t i = 0; i < elements.count; ++i) hasher.add({elements[i], elements.size});
}

void hash_indices(ComponentType component, const ElementRange& elements, Hasher& hasher) {
    std::array<std::uint32_t, 4096> block{};
    for (std::size_t begin = 0; begin < elements.count; begin += block.size()) {
        ElementRange piece = elements;
        piece.count = std::min(block.size(), elements.count - begin);
        piece.bytes = elements.bytes.subspan(begin * elements.stride);
        widen_indices(component, piece, block.data());
        hasher.add(std::as_bytes(std::span(block).first(piece.count)));
    }
}

}  // namespace

// What is hashed is read as well: what is too much for the one would be for the other.
bool Accessors::may_hash(const AccessorShape& shape) noexcept {
    const std::size_t count = shape.base ? shape.count : shape.sparse ? shape.sparse->positions.size() : 0;
    hashed_ += std::uint64_t{count} * shape.element_size();
    return hashed_ <= budget_.limit();
}

Result<void> Accessors::hash(std::uint64_t number, bool as_indices, Hasher& hasher) {
    auto found = shape(number);
    if (!found) return fail(std::move(found.error()));
    if (!may_hash(*found)) return out_of_budget(place("accessors", number), budget_);
    if (!found->base) {
        if (!found->sparse) return {};
        hasher.add(bytes_of(found->sparse->positions));
        hash_elements(found->sparse->values, hasher);
        return {};
    }
    if (found->sparse) {
        const auto elements = gather(*found, place("accessors", number));
        if (!elements) return fail(elements.error());
        hasher.add(bytes_of(elements->bytes));
        return {};
    }
    const bool is_narrow = found->component == ComponentType::u8 || found->component == ComponentType::u16;
    if (as_indices && is_narrow && found->element == ElementType::scalar) {
        hash_indices(found->component, *found->base, hasher);
    } else {
        hash_elements(*found->base, hasher);
    }
    return {};
}

}  // namespace effigy::gltf
