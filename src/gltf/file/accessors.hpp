#pragma once
/// Accessors of a glTF file: checked, and their elements gathered.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "effigy/scene.hpp"

#include "core/budget.hpp"
#include "gltf/file/asset.hpp"
#include "gltf/file/buffers.hpp"
#include "gltf/file/content.hpp"

namespace effigy::gltf {

/// Where the elements of one array are: in a view, each `stride` bytes behind the one before.
struct ElementRange {
    std::span<const std::byte> bytes;  ///< from the first element to the end of the last
    std::size_t count = 0;
    std::size_t size = 0;  ///< bytes of an element
    std::size_t stride = 0;

    [[nodiscard]] const std::byte* operator[](std::size_t index) const noexcept {
        return bytes.data() + index * stride;
    }
};

/// Replaced elements.
struct SparseRange {
    Bulk<std::uint32_t> positions;  ///< strictly increasing, below the accessor's count
    ElementRange values;
};

/// An accessor of which every number has been checked.
struct AccessorShape {
    ElementType element = ElementType::scalar;
    ComponentType component = ComponentType::f32;
    bool normalized = false;
    std::size_t count = 0;
    std::optional<ElementRange> base;  ///< none: zeros
    std::optional<SparseRange> sparse;

    [[nodiscard]] std::size_t element_size() const noexcept {
        return component_size(component) * component_count(element);
    }
};

class Accessors {
public:
    Accessors(const nlohmann::json& root, Buffers& buffers, Budget& budget) noexcept
        : root_(root), buffers_(buffers), budget_(budget) {}

    /// What an accessor says of itself; its data is not looked at.
    [[nodiscard]] Result<AccessorShape> head(std::uint64_t number) const;
    /// Fails with "gltf-accessor", "gltf-sparse", "gltf-reference", "limit-memory" and what Buffers says.
    [[nodiscard]] Result<AccessorShape> shape(std::uint64_t number);
    [[nodiscard]] Result<Accessor> read(std::uint64_t number);
    [[nodiscard]] Result<Accessor> floats(std::uint64_t number);
    /// All elements of the view that the accessor is a part of, if that begins with one; sparse ones are not put in.
    [[nodiscard]] Result<Accessor> whole_view(std::uint64_t number);
    [[nodiscard]] Result<Bulk<std::uint32_t>> indices(std::uint64_t number);
    [[nodiscard]] Result<std::optional<SparseElements>> sparse(std::uint64_t number);

private:
    [[nodiscard]] Result<ElementRange> range(std::uint64_t view, std::uint64_t offset, std::uint64_t count,
                                             std::size_t element_size, bool is_strided, const std::string& path);
    [[nodiscard]] Result<SparseRange> sparse_range(const nlohmann::json& json, const AccessorShape& shape,
                                                   const std::string& path);
    [[nodiscard]] Result<Bulk<std::uint32_t>> sparse_positions(const nlohmann::json& json, std::uint64_t count,
                                                               std::size_t limit, const std::string& path);
    [[nodiscard]] Result<Accessor> gather(const AccessorShape& shape, const std::string& path);

    const nlohmann::json& root_;
    Buffers& buffers_;
    Budget& budget_;
};

/// Any accessor as f32: normalised integers become fractions, others the number that they are.
[[nodiscard]] Accessor to_floats(const Accessor& accessor);

/// Unsigned scalars as 32 bits, `elements.count` of them.
void widen_indices(ComponentType component, const ElementRange& elements, std::uint32_t* destination) noexcept;

}  // namespace effigy::gltf
