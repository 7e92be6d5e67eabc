#pragma once
/// What types and usages of an XMF's vertex elements mean, and the parts that a vertex or index consists of.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "effigy/component.hpp"
#include "effigy/xmf.hpp"

#include "core/element.hpp"

namespace effigy::egosoft {

/// Bytes of an index of that format; 0 if it is none of indices.
[[nodiscard]] constexpr std::uint32_t index_size_of(std::uint32_t format) noexcept {
    return format == xmf::index_format_16 ? 2 : format == xmf::index_format_32 ? 4 : 0;
}
/// Explicit elements that the descriptors of a file have room for.
[[nodiscard]] constexpr std::size_t element_room(const xmf::Header& header) noexcept {
    constexpr std::size_t before = 60, each = 8;
    return header.descriptor_size < before ? 0 : std::min((header.descriptor_size - before) / each, xmf::max_elements);
}
/// Numbers that an element of this type stores.
[[nodiscard]] std::size_t width_of(xmf::ElementType type) noexcept;
/// Types whose 0..1 stands for -1..1 in directions.
[[nodiscard]] bool is_unsigned_unit(xmf::ElementType type) noexcept;
[[nodiscard]] bool is_direction(xmf::Usage usage) noexcept;
/// "_BLENDWEIGHT_0": a custom attribute's name for what glTF has none for.
[[nodiscard]] std::string custom_attribute_name(const xmf::Element& element);
/// Writes one value as `type` stores it; false if it cannot hold it, and what is nearest is written.
bool encode(xmf::ElementType type, const Vec4& value, std::byte* bytes) noexcept;
/// The lowest and the highest corner of the positions that are finite.
[[nodiscard]] std::optional<std::array<Vec3, 2>> bounds_of(const xmf::File& file);
[[nodiscard]] std::optional<Box> box_of(const xmf::File& file);

/// What `content` consists of. The declaration decides, as far as item_size agrees with it; bytes that belong to no
/// element are bytes. Content that is no whole number of items is bytes throughout.
class ItemType {
public:
    explicit ItemType(const xmf::Buffer& buffer);

    /// Valid as long as this is.
    [[nodiscard]] layout::ElementType type() const noexcept { return {name_, size_, parts_}; }

private:
    void add_bytes(std::uint32_t count);
    void add_elements(const xmf::Buffer& buffer);

    const char* name_ = "bytes";
    std::uint32_t size_ = 1;
    std::vector<layout::Part> parts_;
};

/// Reverses the bytes of content that a big-endian file stores the other way.
void swap_content(const xmf::Buffer& buffer, std::span<std::byte> content);

}  // namespace effigy::egosoft
