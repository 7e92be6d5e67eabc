#pragma once
/// Buffer views and accessors while a document is laid out, and the text that the JSON has of them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "effigy/math.hpp"
#include "effigy/scene.hpp"

namespace effigy::gltf {

enum class ViewTarget : std::uint16_t { none = 0, vertices = 34962, indices = 34963 };

/// How meshoptimizer is to see what stands in a view.
enum class ViewMode : std::uint8_t { attributes, triangles, indices };

/// What stands for a view's content, as EXT_meshopt_compression has it.
struct StreamLayout {
    std::uint64_t offset = 0, size = 0;
    std::size_t stride = 0;  ///< of the content
    ViewMode mode = ViewMode::attributes;
};

struct ViewLayout {
    std::uint64_t offset = 0, size = 0;
    std::size_t stride = 0;  ///< 0: one element stands right behind the other
    ViewTarget target = ViewTarget::none;
    bool is_record = false;                ///< the bulk data of one
    std::optional<StreamLayout> stream{};  ///< in the buffer; the view is in the one that is not there
};

/// The elements of an accessor that are not zero, or not as in its view.
struct SparseLayout {
    std::uint64_t count = 0;
    Index indices_view = no_index, values_view = no_index;
    std::uint64_t indices_offset = 0, values_offset = 0;
    ComponentType index_component = ComponentType::u32;
};

struct AccessorLayout {
    Index view = no_index;  ///< no_index: zeros
    std::uint64_t offset = 0;
    std::uint64_t count = 0;
    ComponentType component = ComponentType::f32;
    ElementType element = ElementType::scalar;
    bool normalized = false;
    ViewMode mode = ViewMode::attributes;
    std::uint8_t bounded = 0;  ///< how many numbers of an element have bounds
    std::array<float, 3> min{}, max{};
    std::optional<SparseLayout> sparse{};

    [[nodiscard]] std::size_t element_size() const noexcept {
        return component_size(component) * component_count(element);
    }
};

/// About what an accessor takes, with the JSON of what refers to it.
inline constexpr std::uint64_t accessor_bytes = 256, morph_accessor_bytes = 512;

/// Adds the array of all of them.
void add_text(std::string& out, const std::vector<ViewLayout>& views);
void add_text(std::string& out, const std::vector<AccessorLayout>& accessors);

}  // namespace effigy::gltf
