/// Attributes into the elements of an XMF's vertex buffers: what to_scene/attributes.cpp and tangents.cpp do, reversed.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <set>

#include "effigy/egosoft_codes.hpp"

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

class VertexFiller {
public:
    VertexFiller(Making& making, xmf::File& file, const Geometry& geometry, Remembered remembered,
                 const std::string& path)
        : making_(making),
          file_(file),
          geometry_(geometry),
          remembered_(remembered),
          record_(remembered.untouched ? remembered.record : nullptr),
          path_(path) {}

    void run() {
        collect();
        const Place* const positions = first_of(Usage::position);
        const Place* const normals = first_of(Usage::normal);
        const Place* const tangents = normals == nullptr ? nullptr : first_of(Usage::tangent);
        if (positions != nullptr) fill_positions(*positions);
        if (normals != nullptr) fill_normals(*normals, tangents != nullptr);
        if (tangents != nullptr) fill_tangents(*tangents);
        for (const Place& place : places_) {
            if (&place == positions || &place == normals || &place == tangents) continue;
            place.usage() == Usage::texcoord ? fill_texcoords(place) : fill_custom(place);
        }
        set_ranges();
        report();
    }

private:
    void collect() {
        for (xmf::Buffer& buffer : file_.buffers) {
            if (xmf::is_index_buffer(buffer)) continue;
            if (record_ == nullptr) buffer.item_count = geometry_.count;
            buffer.content.resize(std::size_t{geometry_.count} * buffer.item_size);
            std::fill(buffer.content.begin(), buffer.content.end(), std::byte{0});
            for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) places_.push_back({&buffer, placed});
        }
        std::stable_sort(places_.begin(), places_.end(),
                         [](const Place& a, const Place& b) { return a.number() < b.number(); });
    }

    const Place* first_of(Usage usage) const {
        const auto found =
            std::find_if(places_.begin(), places_.end(), [&](const Place& place) { return place.usage() == usage; });
        return found == places_.end() ? nullptr : &*found;
    }

    /// Writes `value(vertex)` for all vertices.
    template <class Value>
    void fill(const Place& place, Value&& value) {
        std::byte* to = place.buffer->content.data() + place.placed.offset;
        bool fits = true;
        for (std::size_t i = 0; i < geometry_.count; ++i, to += place.buffer->item_size)
            fits = encode(place.placed.element.type, value(i), to) && fits;
        if (!fits) clamped_.add(custom_attribute_name(place.placed.element));
    }

    /// A custom attribute of that name with as many numbers, or null.
    const Geometry::Custom* custom(const std::string& name, std::size_t width) {
        const auto found = geometry_.customs.find(name);
        if (found == geometry_.customs.end() || found->second.width != width) return nullptr;
        used_.insert(name);
        return found->second.values.size() == width * geometry_.count ? &found->second : nullptr;
    }
    /// By the rule by which names are given where one is taken.
    std::string unique_name(std::string name) {
        const std::string wish = name;
        for (int number = 2; !names_.insert(name).second; ++number) name = wish + "_" + std::to_string(number);
        return name;
    }

    void fill_positions(const Place& place) {
        const Geometry::Custom* const w = custom("_POSITION_W", 1);
        fill(place, [&](std::size_t i) {
            const Vec3& p = geometry_.positions[i];
            return Vec4{-p.x, p.y, p.z, w == nullptr ? 0.0f : w->values[i]};
        });
    }

    static Vec4 packed_direction(const Vec3& mirrored, float alpha, bool packed) {
        if (!packed) return {mirrored.x, mirrored.y, mirrored.z, 1};
        return {(mirrored.x + 1) / 2, (mirrored.y + 1) / 2, (mirrored.z + 1) / 2, alpha};
    }

    std::optional<float> uniform_alpha(std::string_view name) const {
        if (record_ == nullptr) return std::nullopt;
        const auto alpha = integer_at(*record_, name);
        return alpha && *alpha >= 0 && *alpha <= 255 ? std::optional(static_cast<float>(*alpha) / 255) : std::nullopt;
    }

    void fill_normals(const Place& place, bool has_tangents) {
        const bool packed = is_unsigned_unit(place.placed.element.type);
        const Geometry::Custom* const alphas = custom("_NORMAL_ALPHA", 1);
        const auto uniform = record_ != nullptr ? uniform_alpha("normal_alpha") : geometry_.normal_sign;
        const bool tangents = has_tangents && !geometry_.tangents.empty();
        const bool normals = !geometry_.normals.empty();
        fill(place, [&](std::size_t i) {
            float alpha = tangents ? (geometry_.tangents[i].w < 0 ? 1.0f : 0.0f) : uniform.value_or(0.0f);
            if (record_ != nullptr && uniform) alpha = *uniform;
            // Only 0 and 1 have a meaning.
            if (alphas != nullptr && record_ == nullptr && !tangents) alpha = alphas->values[i] > 0.5f ? 1.0f : 0.0f;
            if (alphas != nullptr && record_ != nullptr) alpha = alphas->values[i];
            const Vec3 n = normals ? geometry_.normals[i] : Vec3{0, 1, 0};
            return packed_direction({-n.x, n.y, n.z}, alpha, packed);
        });
        restore(place, "normal");
    }

    void fill_tangents(const Place& place) {
        if (geometry_.tangents.empty()) {
            missing_.add("TANGENT");
            return;
        }
        const bool packed = is_unsigned_unit(place.placed.element.type);
        const Geometry::Custom* const alphas = custom("_TANGENT_ALPHA", 1);
        const float uniform = uniform_alpha("tangent_alpha").value_or(0.0f);
        fill(place, [&](std::size_t i) {
            // The file's tangents point against the direction in which u grows.
            const Vec4& t = geometry_.tangents[i];
            const float alpha = alphas != nullptr && record_ != nullptr ? alphas->values[i] : uniform;
            return packed_direction({t.x, -t.y, -t.z}, alpha, packed);
        });
        restore(place, "tangent");
    }

    /// What the scene could not hold as it was.
    void restore(const Place& place, std::string_view name) {
        const Json* const exact = remembered_.record == nullptr ? nullptr : member(*remembered_.record, "exact");
        const auto bytes = exact == nullptr ? std::nullopt : bytes_at(*exact, name);
        const std::size_t size = xmf::size_of(place.placed.element.type);
        if (!bytes || bytes->size() % (4 + size) != 0) return;
        for (std::size_t at = 0; at < bytes->size(); at += 4 + size) {
            std::uint32_t vertex = 0;
            std::memcpy(&vertex, bytes->data() + at, 4);
            if (vertex >= geometry_.count) continue;
            std::byte* const to =
                place.buffer->content.data() + std::size_t{vertex} * place.buffer->item_size + place.placed.offset;
            const std::byte* const from = bytes->data() + at + 4;
            if (record_ != nullptr) {
                std::memcpy(to, from, size);
            } else {
                restore_direction(place, from, to);
            }
        }
    }

    /// The packed vector before it was made a unit vector, if it still points there; normals have to be nearly of unit
    /// length, as tangents in the games' own files often are not.
    static void restore_direction(const Place& place, const std::byte* from, std::byte* to) {
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

    void fill_texcoords(const Place& place) {
        const std::size_t set = texcoords_++;
        if (set >= geometry_.texcoords.size()) missing_.add("TEXCOORD_" + std::to_string(place.number()));
        const std::string name = "_TEXCOORD_" + std::to_string(place.number());
        const Geometry::Custom* const z = custom(name + "_Z", 1);
        const Geometry::Custom* const zw = custom(name + "_ZW", 2);
        fill(place, [&](std::size_t i) {
            const Vec2 uv = set < geometry_.texcoords.size() ? geometry_.texcoords[set][i] : Vec2{};
            if (z != nullptr) return Vec4{uv.x, uv.y, z->values[i], 1};
            if (zw != nullptr) return Vec4{uv.x, uv.y, zw->values[2 * i], zw->values[2 * i + 1]};
            return Vec4{uv.x, uv.y, 0, 1};
        });
    }

    const Geometry::Custom* find_custom(const Place& place) {
        const std::string name = unique_name(custom_attribute_name(place.placed.element));
        for (std::size_t width = 4; width > 0; --width) {
            if (const Geometry::Custom* found = custom(name, width)) return found;
        }
        return nullptr;
    }

    void fill_custom(const Place& place) {
        const Geometry::Custom* const values = find_custom(place);
        if (values == nullptr) return fill_default(place);
        const bool direction = is_direction(place.usage());
        const bool packed = direction && is_unsigned_unit(place.placed.element.type);
        const bool mirrored = direction || place.usage() == Usage::transformed_position;
        const float x_sign = mirrored || place.usage() == Usage::position ? -1.0f : 1.0f;
        fill(place, [&](std::size_t i) {
            std::array<float, 4> v{0, 0, 0, 1};
            std::copy_n(values->values.begin() + static_cast<std::ptrdiff_t>(i * values->width), values->width,
                        v.begin());
            v[0] *= x_sign;
            for (std::size_t k = 0; packed && k < 3; ++k) v[k] = (v[k] + 1) / 2;
            return Vec4{v[0], v[1], v[2], v[3]};
        });
    }

    /// Middle grey, as most meshes of the games have it; 0 for all else.
    void fill_default(const Place& place) {
        if (place.usage() != Usage::color) return missing_.add(custom_attribute_name(place.placed.element));
        constexpr float middle = 128.0f / 255;
        fill(place, [](std::size_t) { return Vec4{middle, middle, middle, 0}; });
        if (place.number() != 0) missing_.add(custom_attribute_name(place.placed.element));
    }

    /// Single positions state their range; what others state does not depend on their contents.
    void set_ranges() {
        if (record_ != nullptr) return;
        for (xmf::Buffer& buffer : file_.buffers) {
            const auto elements = xmf::declaration(buffer);
            if (buffer.element_count != 0 || elements.size() != 1 || geometry_.count == 0) continue;
            if (elements.front().element.usage != Usage::position) continue;
            buffer.minimum = 1e300;
            buffer.maximum = -1e300;
            for (std::size_t i = 0; i < geometry_.count; ++i) {
                const Vec4 v = xmf::decode(elements.front().element.type, buffer.content.data() + i * buffer.item_size);
                for (const float one : {v.x, v.y, v.z}) {
                    buffer.minimum = std::min(buffer.minimum, static_cast<double>(one));
                    buffer.maximum = std::max(buffer.maximum, static_cast<double>(one));
                }
            }
        }
    }

    void report() {
        NameList lost;
        for (const auto& [name, custom] : geometry_.customs) {
            const bool read = name == "_NORMAL_ALPHA" || name == "_TANGENT_ALPHA";
            if (!read && !used_.contains(name)) lost.add(name);
        }
        for (std::size_t set = texcoords_; set < geometry_.texcoords.size(); ++set)
            lost.add("TEXCOORD_" + std::to_string(set));
        if (!lost.empty()) {
            making_.note(codes::xmf_attributes_lost, path_, {}, lost.text());
        }
        if (!missing_.empty()) {
            making_.note(codes::xmf_attributes_filled, path_,
                         "The layout has these attributes and the mesh does not; they are filled with a default.",
                         missing_.text());
        }
        if (!clamped_.empty()) {
            making_.note(codes::xmf_value_clamped, path_, {}, clamped_.text());
        }
    }

    Making& making_;
    xmf::File& file_;
    const Geometry& geometry_;
    Remembered remembered_;
    const Json* record_;  ///< null where not all of it holds
    const std::string& path_;
    std::vector<Place> places_;
    std::set<std::string> names_, used_;
    std::size_t texcoords_ = 0;
    NameList missing_, clamped_;
};

}  // namespace

void fill_vertices(Making& making, xmf::File& file, const Geometry& geometry, Remembered remembered,
                   const std::string& path) {
    VertexFiller(making, file, geometry, remembered, path).run();
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
