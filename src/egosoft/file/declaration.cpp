/// D3DDECLTYPE and D3DDECLUSAGE: what stands in a vertex, and what its numbers are.

#include <algorithm>
#include <array>
#include <cstring>

#include "effigy/xmf.hpp"

#include "core/half.hpp"
#include "core/text.hpp"
#include "egosoft/file/xmf_elements.hpp"

namespace effigy::xmf {

namespace {

template <class T>
T load(const std::byte* bytes, std::size_t index) noexcept {
    T value;
    std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
    return value;
}

/// `count` numbers of type T, divided by `unit`.
template <class T>
Vec4 numbers(const std::byte* bytes, std::size_t count, float unit = 1) noexcept {
    std::array<float, 4> all{0, 0, 0, 1};
    for (std::size_t index = 0; index < count; ++index) all[index] = static_cast<float>(load<T>(bytes, index)) / unit;
    return {all[0], all[1], all[2], all[3]};
}

Vec4 halves(const std::byte* bytes, std::size_t count) noexcept {
    std::array<float, 4> all{0, 0, 0, 1};
    for (std::size_t index = 0; index < count; ++index) all[index] = half_to_float(load<std::uint16_t>(bytes, index));
    return {all[0], all[1], all[2], all[3]};
}

/// Ten bits of a number, the sign in the highest of them.
float signed_ten(std::uint32_t word, unsigned shift) noexcept {
    const auto ten = static_cast<std::int32_t>((word >> shift) & 0x3ffu);
    return static_cast<float>(ten >= 512 ? ten - 1024 : ten);
}

Usage implicit_usage(std::uint32_t kind) noexcept {
    switch (kind) {
        case 0:
        case 1:
            return Usage::position;
        case 2:
        case 3:
            return Usage::normal;
        case 4:
            return Usage::tangent;
        case 5:
            return Usage::binormal;
        case 8:
            return Usage::color;
        case 20:
            return Usage::point_size;
        default:
            return Usage::texcoord;
    }
}

}  // namespace

std::uint32_t size_of(xmf::ElementType type) noexcept {
    constexpr std::array<std::uint8_t, 18> sizes{4, 8, 12, 16, 4, 4, 4, 8, 4, 4, 8, 4, 8, 4, 4, 4, 8, 0};
    const auto number = static_cast<std::uint32_t>(type);
    return number < sizes.size() ? sizes[number] : 0;
}

Vec4 decode(xmf::ElementType type, const std::byte* bytes) noexcept {
    switch (type) {
        case xmf::ElementType::float1:
            return numbers<float>(bytes, 1);
        case xmf::ElementType::float2:
            return numbers<float>(bytes, 2);
        case xmf::ElementType::float3:
            return numbers<float>(bytes, 3);
        case xmf::ElementType::float4:
            return numbers<float>(bytes, 4);
        case xmf::ElementType::color: {
            const Vec4 stored = numbers<std::uint8_t>(bytes, 4, 255);
            return {stored.z, stored.y, stored.x, stored.w};
        }
        case xmf::ElementType::ubyte4:
            return numbers<std::uint8_t>(bytes, 4);
        case xmf::ElementType::short2:
            return numbers<std::int16_t>(bytes, 2);
        case xmf::ElementType::short4:
            return numbers<std::int16_t>(bytes, 4);
        case xmf::ElementType::ubyte4n:
            return numbers<std::uint8_t>(bytes, 4, 255);
        case xmf::ElementType::short2n:
            return numbers<std::int16_t>(bytes, 2, 32767);
        case xmf::ElementType::short4n:
            return numbers<std::int16_t>(bytes, 4, 32767);
        case xmf::ElementType::ushort2n:
            return numbers<std::uint16_t>(bytes, 2, 65535);
        case xmf::ElementType::ushort4n:
            return numbers<std::uint16_t>(bytes, 4, 65535);
        case xmf::ElementType::udec3: {
            const auto word = load<std::uint32_t>(bytes, 0);
            return {static_cast<float>(word & 0x3ffu), static_cast<float>((word >> 10) & 0x3ffu),
                    static_cast<float>((word >> 20) & 0x3ffu), 1};
        }
        case xmf::ElementType::dec3n: {
            const auto word = load<std::uint32_t>(bytes, 0);
            return {signed_ten(word, 0) / 511, signed_ten(word, 10) / 511, signed_ten(word, 20) / 511, 1};
        }
        case xmf::ElementType::half2:
            return halves(bytes, 2);
        case xmf::ElementType::half4:
            return halves(bytes, 4);
        case xmf::ElementType::unused:
            break;
    }
    return {0, 0, 0, 1};
}

std::vector<PlacedElement> declaration(const Buffer& buffer) {
    std::vector<PlacedElement> placed;
    if (is_index_buffer(buffer)) return placed;
    if (buffer.element_count == 0) {
        const Element element{static_cast<xmf::ElementType>(buffer.format),
                              implicit_usage(buffer.kind),
                              static_cast<std::uint8_t>(std::min(buffer.usage_index, 255u)),
                              {}};
        if (size_of(element.type) != 0 && size_of(element.type) <= buffer.item_size) placed.push_back({element, 0});
        return placed;
    }
    std::uint32_t offset = 0;
    const std::size_t count = std::min<std::size_t>(buffer.element_count, max_elements);
    for (const Element& element : std::span(buffer.elements).first(count)) {
        const std::uint32_t size = size_of(element.type);
        if (size > buffer.item_size - offset) break;  // where the next ones stand is unknown as well
        if (size != 0) placed.push_back({element, offset});
        offset += size;
    }
    return placed;
}

Bulk<std::uint32_t> indices(const Buffer& buffer) {
    Bulk<std::uint32_t> all;
    if (!is_index_buffer(buffer) || (buffer.item_size != 2 && buffer.item_size != 4)) return all;
    all.resize(buffer.content.size() / buffer.item_size);
    if (buffer.item_size == 4) {
        if (!all.empty()) std::memcpy(all.data(), buffer.content.data(), all.size() * 4);
        return all;
    }
    for (std::size_t index = 0; index < all.size(); ++index)
        all[index] = load<std::uint16_t>(buffer.content.data(), index);
    return all;
}

bool is_collision_mesh(const File& file) noexcept {
    if (!file.materials.empty()) return false;
    const auto is_indices = [](const Buffer& buffer) { return is_index_buffer(buffer); };
    if (std::count_if(file.buffers.begin(), file.buffers.end(), is_indices) + 1 !=
        static_cast<std::ptrdiff_t>(file.buffers.size())) {
        return false;
    }
    const Buffer& vertices = *std::find_if_not(file.buffers.begin(), file.buffers.end(), is_indices);
    if (vertices.element_count == 0) return implicit_usage(vertices.kind) == Usage::position;
    return vertices.element_count == 1 && vertices.elements.front().usage == Usage::position;
}

std::string_view name_of(const Material& material) noexcept { return up_to_nul(material.name); }

}  // namespace effigy::xmf

namespace effigy::egosoft {

namespace {

using layout::Kind;

layout::Part part_of(xmf::ElementType type) noexcept {
    switch (type) {
        case xmf::ElementType::float1:
        case xmf::ElementType::float2:
        case xmf::ElementType::float3:
        case xmf::ElementType::float4:
            return {"", Kind::real, 4, static_cast<std::uint8_t>(xmf::size_of(type) / 4)};
        case xmf::ElementType::short2:
        case xmf::ElementType::short4:
        case xmf::ElementType::short2n:
        case xmf::ElementType::short4n:
            return {"", Kind::signed_integer, 2, static_cast<std::uint8_t>(xmf::size_of(type) / 2)};
        case xmf::ElementType::ushort2n:
        case xmf::ElementType::ushort4n:
            return {"", Kind::unsigned_integer, 2, static_cast<std::uint8_t>(xmf::size_of(type) / 2)};
        case xmf::ElementType::udec3:
        case xmf::ElementType::dec3n:
            return {"", Kind::unsigned_integer, 4, 1};
        case xmf::ElementType::half2:
        case xmf::ElementType::half4:
            return {"", Kind::real, 2, static_cast<std::uint8_t>(xmf::size_of(type) / 2)};
        default:
            return {"", Kind::unsigned_integer, 1, static_cast<std::uint8_t>(xmf::size_of(type))};
    }
}

}  // namespace

ItemType::ItemType(const xmf::Buffer& buffer) {
    constexpr std::uint32_t max_bytes = 4096;  // wider items are nonsense, and would need long lists of parts
    const bool whole =
        buffer.item_size != 0 && buffer.item_size <= max_bytes && buffer.content.size() % buffer.item_size == 0;
    if (whole && xmf::is_index_buffer(buffer) && (buffer.item_size == 2 || buffer.item_size == 4)) {
        name_ = buffer.item_size == 2 ? "u16" : "u32";
        size_ = buffer.item_size;
        parts_.push_back({"", Kind::unsigned_integer, static_cast<std::uint8_t>(size_), 1});
    } else if (whole && !xmf::is_index_buffer(buffer)) {
        add_elements(buffer);
    } else {
        add_bytes(1);
    }
}

void ItemType::add_elements(const xmf::Buffer& buffer) {
    name_ = "vertex";
    for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) {
        parts_.push_back(part_of(placed.element.type));
        size_ = placed.offset + xmf::size_of(placed.element.type);
    }
    if (parts_.empty()) size_ = 0;
    add_bytes(buffer.item_size - size_);
    size_ = buffer.item_size;
}

void ItemType::add_bytes(std::uint32_t count) {
    for (constexpr std::uint32_t most = 255; count != 0; count -= std::min(count, most))
        parts_.push_back({"", Kind::unsigned_integer, 1, static_cast<std::uint8_t>(std::min(count, most))});
}

void swap_content(const xmf::Buffer& buffer, std::span<std::byte> content) {
    const ItemType item(buffer);
    layout::swap_bytes(item.type(), content.data(), content.size() / item.type().size);
}

}  // namespace effigy::egosoft
