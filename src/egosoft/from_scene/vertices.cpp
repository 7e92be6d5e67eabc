/// Attributes into the elements of an XMF's vertex buffers: what to_scene/attributes.cpp and tangents.cpp do, reversed.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <set>

#include "effigy/egosoft_codes.hpp"

#include "core/lists.hpp"
#include "core/unique_names.hpp"
#include "egosoft/file/vertex_elements.hpp"
#include "egosoft/from_scene/from_scene.hpp"

namespace effigy::egosoft::bridge {
namespace {

using xmf::Usage;
using Type = xmf::ElementType;

struct Place {
    xmf::Buffer* buffer = nullptr;
    xmf::PlacedElement placed;

    [[nodiscard]] Usage usage() const noexcept { return placed.element.usage; }
    [[nodiscard]] unsigned number() const noexcept { return placed.element.usage_index; }
};

/// What vertices are filled with.
struct VertexSource {
    const Geometry& geometry;
    Target target = Target::x4;
    const Json* record = nullptr;  ///< null where not all of it holds
    const Json* stored = nullptr;  ///< vectors that the scene could not hold as they were
};
/// What was read, and what could not be said.
struct FillFindings {
    std::set<std::string> used;
    NameList missing, clamped;
};

/// The elements of all vertex buffers, which get room for their contents, in order of their numbers.
std::vector<Place> prepared_places(xmf::File& file, std::uint32_t count, bool sets_counts) {
    std::vector<Place> places;
    for (xmf::Buffer& buffer : file.buffers) {
        if (xmf::is_index_buffer(buffer)) continue;
        if (sets_counts) buffer.item_count = count;
        buffer.content.assign(std::size_t{count} * buffer.item_size, std::byte{0});
        for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) places.push_back({&buffer, placed});
    }
    std::stable_sort(places.begin(), places.end(),
                     [](const Place& a, const Place& b) { return a.number() < b.number(); });
    return places;
}

const Place* first_of(const std::vector<Place>& places, Usage usage) {
    return first_where(places, [&](const Place& place) { return place.usage() == usage; });
}

/// Writes `value(vertex)` for all vertices.
template <class Value>
void fill(const Place& place, std::uint32_t count, FillFindings& found, Value&& value) {
    std::byte* to = place.buffer->content.data() + place.placed.offset;
    bool fits = true;
    for (std::size_t i = 0; i < count; ++i, to += place.buffer->item_size)
        fits = encode(place.placed.element.type, value(i), to) && fits;
    if (!fits) found.clamped.add(custom_attribute_name(place.placed.element));
}

/// A custom attribute of that name with as many numbers, or null.
const Geometry::Custom* custom(const Geometry& geometry, const std::string& name, std::size_t width,
                               FillFindings& found) {
    const auto one = geometry.customs.find(name);
    if (one == geometry.customs.end() || one->second.width != width) return nullptr;
    found.used.insert(name);
    return one->second.values.size() == width * geometry.count ? &one->second : nullptr;
}

void fill_positions(const VertexSource& from, const Place& place, FillFindings& found) {
    const Geometry::Custom* const w = custom(from.geometry, "_POSITION_W", 1, found);
    fill(place, from.geometry.count, found, [&](std::size_t i) {
        const Vec3& p = from.geometry.positions[i];
        return Vec4{-p.x, p.y, p.z, w == nullptr ? 0.0f : w->values[i]};
    });
}

/// `fourth` is an alpha where the vector is packed.
Vec4 packed_direction(const Vec3& mirrored, float fourth, bool packed) {
    if (!packed) return {mirrored.x, mirrored.y, mirrored.z, fourth};
    return {packed_unit(mirrored.x), packed_unit(mirrored.y), packed_unit(mirrored.z), fourth};
}

std::optional<float> uniform_alpha(const Json* record, std::string_view name) {
    const auto alpha = record == nullptr ? std::nullopt : integer_at(*record, name);
    return alpha && *alpha >= 0 && *alpha <= 255 ? std::optional(static_cast<float>(*alpha) / 255) : std::nullopt;
}

/// The packed vector before it was made a unit vector, if it still points there; normals have to be nearly of unit
/// length, as tangents in the games' own files often are not.
void restore_direction(const Place& place, const std::byte* from, std::byte* to) {
    const Type type = place.placed.element.type;
    if (!is_unsigned_unit(type)) return;
    const auto vector = [](const Vec4& v) { return glm::dvec3(v.x, v.y, v.z) * 2.0 - 1.0; };
    const Vec4 old = xmf::decode(type, from), now = xmf::decode(type, to);
    const double length = glm::length(vector(old));
    if (!(length > 0.01) || (place.usage() == Usage::normal && !(std::fabs(length - 1) < 0.04))) return;
    const glm::dvec3 off = glm::abs(vector(old) / length - vector(now));
    if (std::max({off.x, off.y, off.z}) > 1.5 / 255) return;
    encode(type, {old.x, old.y, old.z, now.w}, to);
}

/// What the scene could not hold as it was stored: runs of vertices.
void restore(const VertexSource& from, const Place& place, std::string_view name) {
    const auto bytes = from.stored == nullptr ? std::nullopt : bytes_at(*from.stored, name);
    const std::size_t size = xmf::size_of(place.placed.element.type);
    if (!bytes || size == 0) return;
    for (std::span<const std::byte> rest = *bytes; rest.size() >= 8;) {
        std::array<std::uint32_t, 2> run{};
        std::memcpy(run.data(), rest.data(), sizeof run);
        rest = rest.subspan(sizeof run);
        for (std::uint64_t vertex = run[0]; run[1] > 0 && rest.size() >= size; ++vertex, --run[1]) {
            const std::byte* const stored = rest.data();
            rest = rest.subspan(size);
            if (vertex >= from.geometry.count) continue;
            std::byte* const to = place.buffer->content.data() + vertex * place.buffer->item_size + place.placed.offset;
            if (from.record != nullptr) {
                std::memcpy(to, stored, size);
            } else {
                restore_direction(place, stored, to);
            }
        }
    }
}

void fill_normals(const VertexSource& from, const Place& place, bool has_tangents, FillFindings& found) {
    const Geometry& geometry = from.geometry;
    const bool packed = is_unsigned_unit(place.placed.element.type), is_known = from.record != nullptr;
    const Geometry::Custom* const alphas = custom(geometry, "_NORMAL_ALPHA", 1, found);
    const Geometry::Custom* const fourths = packed ? nullptr : custom(geometry, "_NORMAL_W", 1, found);
    const auto uniform = is_known ? uniform_alpha(from.record, "normal_alpha") : geometry.normal_sign;
    const bool tangents = has_tangents && !geometry.tangents.empty();
    fill(place, geometry.count, found, [&](std::size_t i) {
        float alpha = tangents ? (geometry.tangents[i].w < 0 ? 1.0f : 0.0f) : uniform.value_or(0.0f);
        if (is_known && uniform) alpha = *uniform;
        // Only 0 and 1 have a meaning.
        if (alphas != nullptr && !is_known && !tangents) alpha = alphas->values[i] > 0.5f ? 1.0f : 0.0f;
        if (alphas != nullptr && is_known) alpha = alphas->values[i];
        if (fourths != nullptr && (is_known || !tangents)) alpha = fourths->values[i];
        const Vec3 n = geometry.normals.empty() ? Vec3{0, 1, 0} : geometry.normals[i];
        return packed_direction({-n.x, n.y, n.z}, alpha, packed);
    });
    restore(from, place, "normal");
}

void fill_tangents(const VertexSource& from, const Place& place, FillFindings& found) {
    const Geometry& geometry = from.geometry;
    if (geometry.tangents.empty()) return found.missing.add("TANGENT");
    const bool packed = is_unsigned_unit(place.placed.element.type);
    const Geometry::Custom* const alphas = custom(geometry, "_TANGENT_ALPHA", 1, found);
    const Geometry::Custom* const fourths = packed ? nullptr : custom(geometry, "_TANGENT_W", 1, found);
    const float uniform = uniform_alpha(from.record, "tangent_alpha").value_or(0.0f);
    fill(place, geometry.count, found, [&](std::size_t i) {
        // The file's tangents point against the direction in which u grows.
        const Vec4& t = geometry.tangents[i];
        float fourth = alphas != nullptr && from.record != nullptr ? alphas->values[i] : uniform;
        if (!packed) fourth = t.w < 0 ? 1.0f : -1.0f;
        if (fourths != nullptr && from.record != nullptr) fourth = fourths->values[i];
        return packed_direction({t.x, -t.y, -t.z}, fourth, packed);
    });
    restore(from, place, "tangent");
}

void fill_texcoords(const Geometry& geometry, const Place& place, std::size_t set, FillFindings& found) {
    const std::string name = "TEXCOORD_" + std::to_string(place.number());
    if (set >= geometry.texcoords.size()) found.missing.add(name);
    const Geometry::Custom* const z = custom(geometry, "_" + name + "_Z", 1, found);
    const Geometry::Custom* const zw = custom(geometry, "_" + name + "_ZW", 2, found);
    fill(place, geometry.count, found, [&](std::size_t i) {
        const Vec2 uv = set < geometry.texcoords.size() ? geometry.texcoords[set][i] : Vec2{};
        if (z != nullptr) return Vec4{uv.x, uv.y, z->values[i], 1};
        if (zw != nullptr) return Vec4{uv.x, uv.y, zw->values[2 * i], zw->values[2 * i + 1]};
        return Vec4{uv.x, uv.y, 0, 1};
    });
}

/// Of colours, what the game takes for plain; 0 for all else.
void fill_default(const VertexSource& from, const Place& place, FillFindings& found) {
    const bool is_color = place.usage() == Usage::color;
    const Vec4 color = default_color(place.number(), from.target);
    if (is_color) fill(place, from.geometry.count, found, [&](std::size_t) { return color; });
    const unsigned plain_sets = from.target == Target::x4 ? 2 : 1;
    if (!is_color || place.number() >= plain_sets) found.missing.add(custom_attribute_name(place.placed.element));
}

/// `name` is that of the attribute, whatever its width.
void fill_custom(const VertexSource& from, const Place& place, const std::string& name, FillFindings& found) {
    const Geometry& geometry = from.geometry;
    const Geometry::Custom* values = nullptr;
    for (std::size_t width = 4; width > 0 && values == nullptr; --width) values = custom(geometry, name, width, found);
    if (values == nullptr) return fill_default(from, place, found);
    const bool direction = is_direction(place.usage());
    const bool packed = direction && is_unsigned_unit(place.placed.element.type);
    const bool mirrored = direction || place.usage() == Usage::transformed_position;
    const float x_sign = mirrored || place.usage() == Usage::position ? -1.0f : 1.0f;
    fill(place, geometry.count, found, [&](std::size_t i) {
        std::array<float, 4> v{0, 0, 0, 1};
        std::copy_n(values->values.begin() + static_cast<std::ptrdiff_t>(i * values->width), values->width, v.begin());
        v[0] *= x_sign;
        for (std::size_t k = 0; packed && k < 3; ++k) v[k] = packed_unit(v[k]);
        return Vec4{v[0], v[1], v[2], v[3]};
    });
}

/// Single positions state their range; what others state does not depend on their contents.
void set_range(xmf::Buffer& buffer) {
    const auto elements = xmf::declaration(buffer);
    if (buffer.element_count != 0 || elements.size() != 1 || buffer.content.empty()) return;
    if (elements.front().element.usage != Usage::position) return;
    buffer.minimum = 1e300;
    buffer.maximum = -1e300;
    for (std::size_t at = 0; at < buffer.content.size(); at += buffer.item_size) {
        const Vec4 v = xmf::decode(elements.front().element.type, buffer.content.data() + at);
        for (const float one : {v.x, v.y, v.z}) {
            buffer.minimum = std::min(buffer.minimum, static_cast<double>(one));
            buffer.maximum = std::max(buffer.maximum, static_cast<double>(one));
        }
    }
}

void note_findings(Context& context, const Geometry& geometry, const FillFindings& found, std::size_t texcoords,
                   const std::string& path) {
    NameList lost;
    for (const auto& [name, custom] : geometry.customs) {
        const bool read =
            name == "_NORMAL_ALPHA" || name == "_TANGENT_ALPHA" || name == "_NORMAL_W" || name == "_TANGENT_W";
        if (!read && !found.used.contains(name)) lost.add(name);
    }
    for (std::size_t set = texcoords; set < geometry.texcoords.size(); ++set)
        lost.add("TEXCOORD_" + std::to_string(set));
    context.note_any(lost, codes::xmf_attributes_lost, path);
    context.note_any(found.missing, codes::xmf_attributes_filled, path,
                     "The layout has these attributes and the mesh does not; they are filled with a default.");
    context.note_any(found.clamped, codes::xmf_value_clamped, path);
}

}  // namespace

void fill_vertices(Context& context, xmf::File& file, const Geometry& geometry, Remembered remembered,
                   const std::string& path) {
    const VertexSource from{geometry, target_of(file), remembered.untouched ? remembered.record : nullptr,
                            remembered.record == nullptr ? nullptr : member(*remembered.record, "stored")};
    FillFindings found;
    const std::vector<Place> places = prepared_places(file, geometry.count, from.record == nullptr);
    const Place* const positions = first_of(places, Usage::position);
    const Place* const normals = first_of(places, Usage::normal);
    const Place* const tangents = normals == nullptr ? nullptr : first_of(places, Usage::tangent);
    if (positions != nullptr) fill_positions(from, *positions, found);
    if (normals != nullptr) fill_normals(from, *normals, tangents != nullptr, found);
    if (tangents != nullptr) fill_tangents(from, *tangents, found);
    std::size_t texcoords = 0;
    UniqueNames names;  // as they were given where one was taken
    for (const Place& place : places) {
        if (&place == positions || &place == normals || &place == tangents) continue;
        place.usage() == Usage::texcoord
            ? fill_texcoords(geometry, place, texcoords++, found)
            : fill_custom(from, place, names.add(custom_attribute_name(place.placed.element)), found);
    }
    for (xmf::Buffer& buffer : file.buffers) {
        if (from.record == nullptr) set_range(buffer);
    }
    note_findings(context, geometry, found, texcoords, path);
}

void fill_indices(xmf::File& file, const Geometry& geometry, bool wide) {
    for (xmf::Buffer& buffer : file.buffers) {
        if (!xmf::is_index_buffer(buffer)) continue;
        buffer.format = wide ? xmf::index_format_32 : xmf::index_format_16;
        buffer.item_size = wide ? 4 : 2;
        buffer.content.resize(std::size_t{buffer.item_size} * geometry.indices.size());
        for (std::size_t i = 0; i < geometry.indices.size(); ++i)
            std::memcpy(buffer.content.data() + i * buffer.item_size, &geometry.indices[i], buffer.item_size);
    }
}

}  // namespace effigy::egosoft::bridge
