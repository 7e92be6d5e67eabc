/// D3DDECLTYPE and D3DDECLUSAGE: what stands in a vertex, and what its numbers are.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "effigy/xmf.hpp"

#include "core/half.hpp"
#include "core/text.hpp"
#include "egosoft/file/vertex_elements.hpp"

namespace effigy::xmf {

namespace {

enum class Storage : std::uint8_t { none, f32, half, u8, s16, u16, tens };

/// How a type stores its numbers: as `width` of them, each `unit` times the value.
struct TypeRow {
    Storage storage = Storage::none;
    std::uint8_t width = 0;
    float unit = 1;
};
constexpr std::array<TypeRow, 18> type_rows{{{Storage::f32, 1},
                                             {Storage::f32, 2},
                                             {Storage::f32, 3},
                                             {Storage::f32, 4},
                                             {Storage::u8, 4, 255},  // color
                                             {Storage::u8, 4},
                                             {Storage::s16, 2},
                                             {Storage::s16, 4},
                                             {Storage::u8, 4, 255},
                                             {Storage::s16, 2, 32767},
                                             {Storage::s16, 4, 32767},
                                             {Storage::u16, 2, 65535},
                                             {Storage::u16, 4, 65535},
                                             {Storage::tens, 3},
                                             {Storage::tens, 3, 511},  // signed
                                             {Storage::half, 2},
                                             {Storage::half, 4},
                                             {Storage::none, 0}}};
constexpr std::uint32_t unit_size(Storage storage) noexcept {
    constexpr std::array<std::uint8_t, 7> sizes{0, 4, 2, 1, 2, 2, 4};
    return sizes[static_cast<std::size_t>(storage)];
}
const TypeRow& row_of(ElementType type) noexcept {
    return type_rows[std::min(static_cast<std::size_t>(type), type_rows.size() - 1)];
}

template <class T>
T load(const std::byte* bytes, std::size_t index) noexcept {
    T value;
    std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
    return value;
}

/// The number in ten bits of a word.
template <bool is_signed>
float ten_at(const std::byte* bytes, std::size_t index) noexcept {
    const auto ten = static_cast<std::int32_t>((load<std::uint32_t>(bytes, 0) >> (10 * index)) & 0x3ffu);
    return static_cast<float>(is_signed && ten >= 512 ? ten - 1024 : ten);
}

/// One function for each type, so that each is a few instructions.
template <std::size_t type>
Vec4 decode_as(const std::byte* bytes) noexcept {
    constexpr TypeRow row = type_rows[type];
    std::array<float, 4> v{0, 0, 0, 1};
    for (std::size_t i = 0; i < row.width; ++i) {
        if constexpr (row.storage == Storage::f32) v[i] = load<float>(bytes, i);
        if constexpr (row.storage == Storage::half) v[i] = half_to_float(load<std::uint16_t>(bytes, i));
        if constexpr (row.storage == Storage::u8) v[i] = static_cast<float>(load<std::uint8_t>(bytes, i)) / row.unit;
        if constexpr (row.storage == Storage::s16) v[i] = static_cast<float>(load<std::int16_t>(bytes, i)) / row.unit;
        if constexpr (row.storage == Storage::u16) v[i] = static_cast<float>(load<std::uint16_t>(bytes, i)) / row.unit;
        if constexpr (row.storage == Storage::tens) v[i] = ten_at<row.unit != 1>(bytes, i) / row.unit;
    }
    if constexpr (type == static_cast<std::size_t>(ElementType::color)) std::swap(v[0], v[2]);
    return {v[0], v[1], v[2], v[3]};
}
template <std::size_t... types>
constexpr auto decoders_of(std::index_sequence<types...>) noexcept {
    return std::array{&decode_as<types>...};
}
constexpr auto decoders = decoders_of(std::make_index_sequence<type_rows.size()>());

/// The nearest of the whole numbers from `low` to `high`; `fits` becomes false if it is another one.
std::int32_t whole(float value, float unit, double low, double high, bool& fits) noexcept {
    const double wanted = std::round(static_cast<double>(value) * static_cast<double>(unit));
    const double held = std::clamp(std::isfinite(wanted) ? wanted : 0.0, low, high);
    fits = fits && held == wanted;
    return static_cast<std::int32_t>(held);
}

template <class T>
void put_whole(float value, float unit, std::byte* bytes, bool& fits) noexcept {
    const auto held =
        static_cast<T>(whole(value, unit, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), fits));
    std::memcpy(bytes, &held, sizeof held);
}

void put_half(float value, std::byte* bytes, bool& fits) noexcept {
    constexpr float max_half = 65504;
    const float held = std::clamp(value, -max_half, max_half);
    fits = fits && held == value;
    const std::uint16_t half = half_from_float(held);
    std::memcpy(bytes, &half, sizeof half);
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

std::uint32_t size_of(ElementType type) noexcept {
    const TypeRow& row = row_of(type);
    return unit_size(row.storage) * (row.storage == Storage::tens ? 1u : row.width);
}

Vec4 decode(ElementType type, const std::byte* bytes) noexcept {
    return decoders[std::min(static_cast<std::size_t>(type), decoders.size() - 1)](bytes);
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
        const bool is_known = static_cast<std::size_t>(element.type) < type_rows.size();
        if (!is_known || size > buffer.item_size - offset) break;  // where the next ones stand is unknown as well
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

std::size_t width_of(xmf::ElementType type) noexcept { return xmf::row_of(type).width; }

bool is_unsigned_unit(xmf::ElementType type) noexcept {
    const xmf::TypeRow& row = xmf::row_of(type);
    return row.unit != 1 && (row.storage == xmf::Storage::u8 || row.storage == xmf::Storage::u16);
}

bool is_direction(xmf::Usage usage) noexcept {
    return usage == xmf::Usage::normal || usage == xmf::Usage::tangent || usage == xmf::Usage::binormal;
}

std::string custom_attribute_name(const xmf::Element& element) {
    constexpr std::array names{"POSITION", "BLENDWEIGHT", "BLENDINDICES", "NORMAL", "PSIZE", "TEXCOORD", "TANGENT",
                               "BINORMAL", "TESSFACTOR",  "POSITIONT",    "COLOR",  "FOG",   "DEPTH",    "SAMPLE"};
    const auto usage = static_cast<std::size_t>(element.usage);
    const std::string name = usage < names.size() ? names[usage] : "USAGE" + std::to_string(usage);
    return "_" + name + "_" + std::to_string(element.usage_index);
}

bool encode(xmf::ElementType type, const Vec4& value, std::byte* bytes) noexcept {
    using xmf::Storage;
    const xmf::TypeRow& row = xmf::row_of(type);
    std::array<float, 4> v{value.x, value.y, value.z, value.w};
    if (type == xmf::ElementType::color) std::swap(v[0], v[2]);
    bool fits = true;
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < row.width; ++i) {
        std::byte* const to = bytes + i * xmf::unit_size(row.storage);
        if (row.storage == Storage::f32) std::memcpy(to, &v[i], sizeof(float));
        if (row.storage == Storage::half) xmf::put_half(v[i], to, fits);
        if (row.storage == Storage::u8) xmf::put_whole<std::uint8_t>(v[i], row.unit, to, fits);
        if (row.storage == Storage::s16) xmf::put_whole<std::int16_t>(v[i], row.unit, to, fits);
        if (row.storage == Storage::u16) xmf::put_whole<std::uint16_t>(v[i], row.unit, to, fits);
        if (row.storage == Storage::tens) {
            const bool is_signed = row.unit != 1;
            const std::int32_t held = xmf::whole(v[i], row.unit, is_signed ? -512 : 0, is_signed ? 511 : 1023, fits);
            word |= (static_cast<std::uint32_t>(held) & 0x3ffu) << (10 * i);
        }
    }
    if (row.storage == Storage::tens) std::memcpy(bytes, &word, sizeof word);
    return fits;
}

std::optional<std::array<Vec3, 2>> bounds_of(const xmf::File& file) {
    Vec3 low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
    for (const xmf::Buffer& buffer : file.buffers) {
        for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) {
            if (placed.element.usage != xmf::Usage::position || placed.element.usage_index != 0) continue;
            for (std::size_t at = 0; at + buffer.item_size <= buffer.content.size(); at += buffer.item_size) {
                const Vec4 v = xmf::decode(placed.element.type, buffer.content.data() + at + placed.offset);
                if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) continue;
                low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
                high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
            }
        }
    }
    return low.x > high.x ? std::nullopt : std::optional(std::array{low, high});
}

std::optional<Box> box_of(const xmf::File& file) {
    const auto bounds = bounds_of(file);
    if (!bounds) return std::nullopt;
    const auto& [low, high] = *bounds;
    const Vec3 half{(high.x - low.x) / 2, (high.y - low.y) / 2, (high.z - low.z) / 2};
    return Box{{low.x + half.x, low.y + half.y, low.z + half.z}, half};
}

ItemType::ItemType(const xmf::Buffer& buffer) {
    constexpr std::uint32_t max_bytes = 4096;  // wider items are nonsense, and would need long lists of parts
    const bool whole =
        buffer.item_size != 0 && buffer.item_size <= max_bytes && buffer.content.size() % buffer.item_size == 0;
    if (whole && xmf::is_index_buffer(buffer) && (buffer.item_size == 2 || buffer.item_size == 4)) {
        name_ = buffer.item_size == 2 ? "u16" : "u32";
        size_ = buffer.item_size;
        parts_.push_back({"", layout::Kind::unsigned_integer, static_cast<std::uint8_t>(size_), 1});
    } else if (whole && !xmf::is_index_buffer(buffer)) {
        add_elements(buffer);
    } else {
        add_bytes(1);
    }
}

void ItemType::add_elements(const xmf::Buffer& buffer) {
    name_ = "vertex";
    for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) {
        const xmf::TypeRow& row = xmf::row_of(placed.element.type);
        const bool is_real = row.storage == xmf::Storage::f32 || row.storage == xmf::Storage::half;
        const auto kind = is_real                            ? layout::Kind::real
                          : row.storage == xmf::Storage::s16 ? layout::Kind::signed_integer
                                                             : layout::Kind::unsigned_integer;
        const std::uint32_t each = xmf::unit_size(row.storage);
        const std::uint32_t size = xmf::size_of(placed.element.type);
        parts_.push_back({"", kind, static_cast<std::uint8_t>(each), static_cast<std::uint8_t>(size / each)});
        size_ = placed.offset + size;
    }
    if (parts_.empty()) size_ = 0;
    add_bytes(buffer.item_size - size_);
    size_ = buffer.item_size;
}

void ItemType::add_bytes(std::uint32_t count) {
    for (constexpr std::uint32_t max_count = 255; count != 0; count -= std::min(count, max_count))
        parts_.push_back(
            {"", layout::Kind::unsigned_integer, 1, static_cast<std::uint8_t>(std::min(count, max_count))});
}

void swap_content(const xmf::Buffer& buffer, std::span<std::byte> content) {
    const ItemType item(buffer);
    layout::swap_bytes(item.type(), content.data(), content.size() / item.type().size);
}

}  // namespace effigy::egosoft
