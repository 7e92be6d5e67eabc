/// How the vertices of a new file are laid out: as in the file that the mesh comes from, or as the game's own files
/// are.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <span>

#include "core/json_fields.hpp"
#include "core/text.hpp"
#include "egosoft/file/layout_xmf.hpp"
#include "egosoft/file/vertex_elements.hpp"
#include "egosoft/from_scene/from_scene.hpp"

namespace effigy::egosoft::bridge {
namespace {

using xmf::Buffer;
using xmf::Element;
using xmf::Usage;
using Type = xmf::ElementType;

constexpr std::uint32_t explicit_format = 32;

/// The slots of a declaration that nothing uses.
void restore_unused(Buffer& buffer, const Json& json) {
    const auto bytes = bytes_at(json, "unused_elements");
    const std::size_t used = std::min<std::size_t>(buffer.element_count, buffer.elements.size());
    const std::size_t size = (buffer.elements.size() - used) * sizeof(Element);
    if (size != 0) std::memset(static_cast<void*>(buffer.elements.data() + used), 0, size);
    if (bytes && bytes->size() == size && size != 0)
        std::memcpy(static_cast<void*>(buffer.elements.data() + used), bytes->data(), size);
}

bool is_sound(const Buffer& buffer, const xmf::Header& header) {
    if (xmf::is_index_buffer(buffer)) {
        return (buffer.format == xmf::index_format_16 && buffer.item_size == 2) ||
               (buffer.format == xmf::index_format_32 && buffer.item_size == 4);
    }
    if (buffer.element_count > element_room(header)) return false;
    std::uint64_t sum = 0;
    for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) sum += xmf::size_of(placed.element.type);
    const auto elements = std::span(buffer.elements).first(buffer.element_count);
    const auto without_bytes = std::count_if(elements.begin(), elements.end(),
                                             [](const Element& element) { return element.type == Type::unused; });
    const std::size_t wanted = elements.empty() ? 1 : elements.size() - static_cast<std::size_t>(without_bytes);
    return sum == buffer.item_size && xmf::declaration(buffer).size() == wanted;
}

bool is_sound(const xmf::File& file) {
    std::size_t indices = 0;
    bool positions = false;
    for (const Buffer& buffer : file.buffers) {
        if (!is_sound(buffer, file.header)) return false;
        indices += xmf::is_index_buffer(buffer) ? 1u : 0u;
        for (const xmf::PlacedElement& placed : xmf::declaration(buffer))
            positions = positions || placed.element.usage == Usage::position;
    }
    return indices == 1 && positions && file.header.primitive_type == 4;
}

/// Whether records and what is left of them are as long as the header says.
bool has_true_sizes(xmf::File file) {
    for (Buffer& buffer : file.buffers) buffer.item_count = buffer.compressed = 0;
    return xmf::write(file).has_value();
}

/// Slots that nothing uses: newer files of X4 mark them so, older ones have whatever was there.
void fill_unused(Buffer& buffer, Target target) {
    for (std::size_t i = buffer.element_count; i < buffer.elements.size(); ++i)
        buffer.elements[i].type = static_cast<Type>(target == Target::x4 ? 0xffffffffu : 0u);
}

Buffer index_buffer(Target target) {
    Buffer buffer;
    buffer.kind = xmf::index_buffer_kind;
    fill_unused(buffer, target);
    buffer.format = xmf::index_format_16;
    buffer.item_size = 2;
    return buffer;
}

void add(Buffer& buffer, Type type, Usage usage, unsigned number = 0) {
    if (buffer.element_count >= xmf::max_elements) return;
    buffer.elements[buffer.element_count++] = {type, usage, static_cast<std::uint8_t>(number), {}};
    buffer.item_size += xmf::size_of(type);
}

}  // namespace

std::optional<MeshRecord> mesh_record_from(const Extras& extras) {
    MeshRecord record;
    record.json = record_of(extras);
    const Json* const buffers = member(record.json, "buffers");
    if (buffers == nullptr || !buffers->is_array() || buffers->size() > 255) return std::nullopt;
    const Json* const materials = member(record.json, "materials");
    if (materials != nullptr && materials->is_array() && materials->size() > 255) return std::nullopt;
    const Limits limits;
    Budget budget(limits, extras.json.size());
    const bool read = layout::read_json_fields(record.json, budget, limits, [&](auto& visitor) {
        xmf::layout(visitor, record.file, [] { return std::uint64_t{0}; });
    });
    if (!read) return std::nullopt;
    for (std::size_t i = 0; i < std::min<std::size_t>(record.file.buffers.size(), buffers->size()); ++i) {
        Buffer& buffer = record.file.buffers[i];
        restore_unused(buffer, (*buffers)[i]);
        buffer.content.clear();
        buffer.data_offset = buffer.stored_size = 0;
    }
    record.file.data.clear();
    record.file.header.magic = xmf::Header().magic;
    if (!is_sound(record.file) || !has_true_sizes(record.file)) return std::nullopt;
    return record;
}

std::optional<unsigned> color_number(const std::string& name) {
    constexpr std::string_view start = "_COLOR_";
    if (!name.starts_with(start)) return std::nullopt;
    const auto number = number_from<unsigned>(std::string_view(name).substr(start.size()));
    return number && *number < 256 ? number : std::nullopt;
}

Vec4 default_color(unsigned set, Target target) noexcept {
    constexpr float middle = 128.0f / 255;
    if (target == Target::x_rebirth || set > 1) return {middle, middle, middle, 0};
    return set == 0 ? Vec4{1, 1, 1, 0} : Vec4{1, 0, 0, 0};
}

Target target_of(const xmf::File& file) noexcept {
    return file.header.cull == 1 || file.header.mesh_optimization == 1 ? Target::x_rebirth : Target::x4;
}

xmf::File target_layout(const Geometry& geometry, Target target) {
    const bool old = target == Target::x_rebirth;
    xmf::File file;
    Buffer buffer;
    buffer.format = explicit_format;
    add(buffer, Type::float3, Usage::position);
    add(buffer, Type::color, Usage::normal);
    if (!geometry.tangents.empty()) add(buffer, Type::color, Usage::tangent);
    for (std::size_t set = 0; set < geometry.texcoords.size(); ++set)
        add(buffer, old ? Type::half2 : Type::float2, Usage::texcoord, static_cast<unsigned>(set));
    // The colour, and in X4 where paint goes.
    std::set<unsigned> colors{0};
    if (!old) colors.insert(1);
    for (const auto& [name, custom] : geometry.customs) {
        if (const auto number = color_number(name)) colors.insert(*number);
    }
    for (const unsigned number : colors) add(buffer, Type::color, Usage::color, number);
    if (old) {
        file.header.cull = 1;
        file.header.mesh_optimization = 1;
    }
    fill_unused(buffer, target);
    file.buffers = {std::move(buffer), index_buffer(target)};
    return file;
}

xmf::File collision_layout(Target target) {
    xmf::File file;
    file.header.cull = target == Target::x_rebirth ? 1 : 0;
    Buffer buffer;
    buffer.format = static_cast<std::uint32_t>(Type::float3);
    buffer.item_size = 12;
    fill_unused(buffer, target);
    file.buffers = {std::move(buffer), index_buffer(target)};
    return file;
}

xmf::File reused_layout(const xmf::File& old) {
    xmf::File file;
    file.header.descriptor_size = old.header.descriptor_size == 56 ? 56 : 188;
    file.header.cull = old.header.cull == 1 ? 1 : 0;
    file.header.mesh_optimization = old.header.mesh_optimization == 1 ? 1 : 0;
    for (const Buffer& from : old.buffers) {
        if (xmf::is_index_buffer(from)) {
            file.buffers.push_back(index_buffer(target_of(old)));
            continue;
        }
        Buffer& buffer = file.buffers.emplace_back();
        buffer.kind = from.kind;
        buffer.usage_index = from.usage_index;
        buffer.format = from.element_count != 0 ? explicit_format : from.format;
        buffer.item_size = from.item_size;
        buffer.element_count = from.element_count;
        buffer.elements = from.elements;
        for (std::size_t i = 0; i < from.element_count; ++i) buffer.elements[i].padding = {};
        if (from.element_count != 0) continue;
        // Single streams say what they can hold, interleaved ones nothing.
        buffer.minimum = std::isfinite(from.minimum) ? from.minimum : 0;
        buffer.maximum = std::isfinite(from.maximum) ? from.maximum : 0;
    }
    return file;
}

}  // namespace effigy::egosoft::bridge
