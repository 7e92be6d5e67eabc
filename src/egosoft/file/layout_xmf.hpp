#pragma once
/// The layout of XMF: docs/formats/xmf.md.

#include <algorithm>
#include <cstdint>
#include <string>

#include "effigy/egosoft_codes.hpp"
#include "effigy/xmf.hpp"

#include "core/access.hpp"
#include "core/element.hpp"
#include "core/path.hpp"
#include "core/problem.hpp"
#include "egosoft/file/vertex_elements.hpp"

namespace effigy::layout {

template <>
struct ElementTraits<xmf::ElementType> : ElementTraits<std::uint32_t> {};
template <>
struct ElementTraits<xmf::Usage> : ElementTraits<std::uint8_t> {};

}  // namespace effigy::layout

namespace effigy::xmf {

using layout::Access;

/// A record whose size the file states: it holds its fields as far as these fit, and then bytes.
template <class Visitor>
class Fitted {
public:
    /// `size` bytes are left of the record.
    Fitted(Visitor& visitor, std::uint64_t size) noexcept : visitor_(visitor), left_(size) {}

    /// Whether `size` bytes fit; once something did not, nothing does.
    [[nodiscard]] bool take(std::uint64_t size) noexcept {
        open_ = open_ && size <= left_;
        if (open_) left_ -= size;
        return open_;
    }
    template <class T>
    void field(const char* name, T& value) {
        if (take(sizeof(T))) visitor_.field(name, value);
    }
    /// The bytes that remain.
    template <class Rest>
    void rest(Rest& rest) {
        if (left_ != 0 || !rest.empty()) visitor_.bulk("rest", rest, left_);
    }
    [[nodiscard]] std::uint64_t left() const noexcept { return left_; }

private:
    Visitor& visitor_;
    std::uint64_t left_;
    bool open_ = true;
};

inline constexpr std::uint64_t header_base = 26, descriptor_base = 40, material_base = 8;
inline constexpr std::uint64_t element_size = 8;

/// Nothing can be read behind a record that is smaller than what every reader needs of it.
template <class Visitor>
void require(Visitor& v, const char* field, std::uint64_t size, std::uint64_t min_size) {
    if (size >= min_size) return;
    v.fail(problem_at(field, egosoft::codes::record_too_small,
                      "a record is declared too small for what it must hold; nothing behind it can be found",
                      std::to_string(size) + " bytes", "at least " + std::to_string(min_size) + " bytes"));
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Header>& header, auto& buffers, auto& materials) {
    v.field("magic", header.magic);
    v.field("version", header.version);
    v.field("big_endian", header.big_endian);
    v.field("size", header.size);
    v.field("reserved", header.reserved);
    v.template count<std::uint8_t>("buffer_count", "buffer", buffers, descriptor_base);
    v.field("descriptor_size", header.descriptor_size);
    v.template count<std::uint8_t>("material_count", "material", materials, material_base);
    v.field("material_size", header.material_size);
    v.field("cull", header.cull);
    v.field("right_handed", header.right_handed);
    v.field("vertex_count", header.vertex_count);
    v.field("index_count", header.index_count);
    v.field("primitive_type", header.primitive_type);
    if (!v.ok()) return;
    require(v, "size", header.size, header_base);
    if (!buffers.empty()) require(v, "descriptor_size", header.descriptor_size, descriptor_base);
    if (!materials.empty()) require(v, "material_size", header.material_size, material_base);
    if (!v.ok()) return;
    Fitted<Visitor> end(v, header.size - header_base);
    end.field("mesh_optimization", header.mesh_optimization);
    end.field("box_center", header.box_center);
    end.field("box_half_size", header.box_half_size);
    end.field("reserved_end", header.reserved_end);
    end.rest(header.rest);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Element>& element) {
    v.field("type", element.type);
    v.field("usage", element.usage);
    v.field("usage_index", element.usage_index);
    v.field("padding", element.padding);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Buffer>& buffer, std::uint64_t descriptor_size) {
    v.field("kind", buffer.kind);
    v.field("usage_index", buffer.usage_index);
    v.field("data_offset", buffer.data_offset);
    v.field("compressed", buffer.compressed);
    v.field("reserved", buffer.reserved);
    v.field("format", buffer.format);
    v.field("stored_size", buffer.stored_size);
    v.field("item_count", buffer.item_count);
    v.field("item_size", buffer.item_size);
    v.field("section_count", buffer.section_count);
    Fitted<Visitor> end(v, descriptor_size - descriptor_base);
    end.field("minimum", buffer.minimum);
    end.field("maximum", buffer.maximum);
    end.field("element_count", buffer.element_count);
    for (std::size_t index = 0; index < buffer.elements.size() && v.ok(); ++index) {
        auto& element = buffer.elements[index];
        if (end.take(element_size)) v.record("element", index, [&] { layout(v, element); });
    }
    end.rest(buffer.rest);
    if (!v.ok()) return;
    const egosoft::ItemType item(buffer);
    v.derived("content", buffer.content, item.type());
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Material>& material, std::uint64_t material_size) {
    v.field("first_index", material.first_index);
    v.field("index_count", material.index_count);
    Fitted<Visitor> end(v, material_size - material_base);
    if (end.left() >= material.name.size()) {
        end.field("name", material.name);
        return end.rest(material.rest);
    }
    const auto reached = material.name.begin() + static_cast<std::ptrdiff_t>(end.left());
    Bytes name;
    if constexpr (!Visitor::reading) {
        if (std::any_of(reached, material.name.end(), [](char letter) { return letter != 0; }) ||
            !material.rest.empty()) {
            return v.fail(problem_at(v.path().string("name"), codes::write_contradiction,
                                     "a material's name is longer than the record that has to hold it",
                                     std::string(name_of(material)), std::to_string(end.left()) + " bytes"));
        }
        const auto bytes = std::as_bytes(std::span<const char>(material.name.begin(), reached));
        name.assign(bytes.begin(), bytes.end());
    }
    if (end.left() != 0) v.bulk("name", name, end.left());
    if constexpr (Visitor::reading) {
        for (std::size_t index = 0; index < std::min(name.size(), material.name.size()); ++index)
            material.name[index] = static_cast<char>(name[index]);
    }
}

/// `data_size` tells how many bytes follow the tables, where the visitor does not know.
template <class Visitor, class DataSize>
void layout(Visitor& v, Access<Visitor, File>& file, DataSize&& data_size) {
    layout(v, file.header, file.buffers, file.materials);
    if (!v.ok()) return;
    v.each("buffer", file.buffers, [&](auto& buffer) { layout(v, buffer, file.header.descriptor_size); });
    v.each("material", file.materials, [&](auto& material) { layout(v, material, file.header.material_size); });
    if (v.ok()) v.bulk("data", file.data, data_size());
}

}  // namespace effigy::xmf
