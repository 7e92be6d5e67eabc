/// Vertex colours as text, and back onto vertices in another order.

#include "gltf/file/colors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
#include <xxhash.h>
#include <zlib.h>

#include "effigy/scene_access.hpp"

#include "core/hasher.hpp"
#include "core/json.hpp"
#include "gltf/file/json.hpp"
#include "scene/attribute_names.hpp"

namespace effigy::gltf {
namespace {

constexpr std::size_t max_key_sets = 2;  // of texture coordinates that tell vertices in one place apart

constexpr std::size_t max_attributes = 16;

/// A vertex with its place: neighbours have like colours, which packs well.
struct PlacedVertex {
    std::uint32_t x;  ///< of its place, in an order that numbers have
    std::uint32_t vertex;
    std::uint64_t key;  ///< of all of its place: two are one by accident once in 10^19 times

    [[nodiscard]] bool operator<(const PlacedVertex& other) const noexcept {
        return std::tie(x, key, vertex) < std::tie(other.x, other.key, other.vertex);
    }
};

using CornerKey = std::array<float, 3 + 2 * max_key_sets>;

/// As programs leave it that turn pictures upside down and back.
float flipped_twice(float v) {
    const float flipped = 1 - v;
    return 1 - flipped;
}

/// Bits in the order of the numbers.
std::uint32_t sortable(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

/// Vertices of surfaces by where they stand, in an order that only the places decide; those in no triangle are dropped
/// by programs.
class Places {
public:
    Places(const Mesh& mesh, std::size_t sets) {
        const std::vector<bool> used = used_vertices(mesh);
        const FloatView positions(mesh, Semantic::position);
        std::vector<FloatView> coordinates;
        for (std::uint32_t set = 0; set < sets; ++set) coordinates.emplace_back(mesh, Semantic::texcoord, set);
        for (std::uint32_t i = 0; i < mesh.vertex_count; ++i) {
            if (used[i]) order_.push_back(placed(positions, coordinates, i));
        }
        std::sort(order_.begin(), order_.end());
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (i == 0 || order_[i].key != order_[i - 1].key) starts_.push_back(i);
        }
    }

    [[nodiscard]] std::size_t count() const noexcept { return starts_.size(); }
    /// All vertices in one place.
    [[nodiscard]] std::span<const PlacedVertex> at(std::size_t place) const noexcept {
        const std::size_t end = place + 1 < starts_.size() ? starts_[place + 1] : order_.size();
        return std::span(order_).subspan(starts_[place], end - starts_[place]);
    }
    [[nodiscard]] std::string hash() const {
        Hasher hasher;
        for (const std::size_t start : starts_) hasher.add(std::as_bytes(std::span(&order_[start].key, 1)));
        return hash_text(hasher.digest());
    }

private:
    static PlacedVertex placed(const FloatView& positions, const std::vector<FloatView>& coordinates, std::uint32_t i) {
        CornerKey key{};
        if (positions.width() == 3) std::copy_n(positions[i].begin(), 3, key.begin());
        for (std::size_t set = 0; set < coordinates.size(); ++set) {
            if (coordinates[set].width() != 2) continue;
            key[3 + 2 * set] = coordinates[set][i][0];
            key[4 + 2 * set] = flipped_twice(coordinates[set][i][1]);
        }
        for (float& one : key) one += 0.0f;  // -0 is 0
        return {sortable(key[0]), i, XXH3_64bits(key.data(), sizeof key)};
    }

    static std::vector<bool> used_vertices(const Mesh& mesh) {
        std::vector<bool> used(mesh.vertex_count);
        for (const Primitive& primitive : mesh.primitives) {
            const auto& all = primitive.indices;
            const bool is_list = primitive.topology == Topology::triangles;
            for (std::size_t i = 0; i < all.size(); i += 3) {
                const std::size_t count = std::min<std::size_t>(3, all.size() - i);
                const bool is_flat =
                    count == 3 && (all[i] == all[i + 1] || all[i] == all[i + 2] || all[i + 1] == all[i + 2]);
                if (is_list && (is_flat || count < 3)) continue;
                for (std::size_t k = i; k < i + count; ++k) used[primitive.first_vertex + all[k]] = true;
            }
        }
        return used;
    }

    std::vector<PlacedVertex> order_;
    std::vector<std::size_t> starts_;  // in order_, of each place
};

bool is_color(const Attribute& attribute) {
    return attribute.semantic == Semantic::color ||
           (attribute.semantic == Semantic::custom && attribute.custom_name.starts_with("_COLOR_"));
}

/// Several attributes as one.
struct Columns {
    std::vector<const Attribute*> attributes;
    std::size_t width = 0;

    void append(std::uint32_t vertex, Bytes& bytes) const {
        for (const Attribute* one : attributes) {
            const std::size_t stride = one->data.stride();
            const std::byte* const from = one->data.bytes.data() + stride * vertex;
            bytes.insert(bytes.end(), from, from + stride);
        }
    }
    [[nodiscard]] bool is_constant(std::uint32_t count) const {
        // Each element equals the next one.
        return count != 0 && std::all_of(attributes.begin(), attributes.end(), [&](const Attribute* one) {
                   const std::size_t stride = one->data.stride();
                   const std::byte* const bytes = one->data.bytes.data();
                   return std::memcmp(bytes, bytes + stride, stride * (count - 1)) == 0;
               });
    }
    [[nodiscard]] bool differ(std::uint32_t a, std::uint32_t b) const {
        return std::any_of(attributes.begin(), attributes.end(), [&](const Attribute* one) {
            const std::size_t stride = one->data.stride();
            const std::byte* const bytes = one->data.bytes.data();
            return std::memcmp(bytes + stride * a, bytes + stride * b, stride) != 0;
        });
    }
};

Columns colors_of(const Mesh& mesh) {
    Columns columns;
    for (const Attribute& attribute : mesh.attributes) {
        if (!is_color(attribute) || attribute.data.count() != mesh.vertex_count) continue;
        columns.attributes.push_back(&attribute);
        columns.width += attribute.data.stride();
    }
    return columns;
}

using Normal = std::array<std::int8_t, 4>;  // the last one is 0

Normal normal_at(const FloatView& normals, std::uint32_t vertex) {
    Normal result{};
    for (std::size_t i = 0; i < 3 && normals.width() == 3; ++i) {
        const float number = normals[vertex][i];
        result[i] = static_cast<std::int8_t>(std::isfinite(number) ? 127 * std::clamp(number, -1.0f, 1.0f) : 0);
    }
    return result;
}

int similarity(const Normal& a, const Normal& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// What stands for one of several vertices in one place with other colours: number of the place, normal, colours.
constexpr std::size_t head_size = sizeof(std::uint32_t) + sizeof(Normal);

template <class T>
void put_raw(Bytes& bytes, const T& value) {
    const auto raw = std::as_bytes(std::span(&value, 1));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
}

/// Colours of each place, then of the places where vertices differ.
Bytes packed_colors(const Mesh& mesh, const Columns& columns, const Places& places) {
    Bytes plain, others;
    plain.reserve(places.count() * columns.width);
    const FloatView normals(mesh, Semantic::normal);
    for (std::size_t place = 0; place < places.count(); ++place) {
        const auto vertices = places.at(place);
        const std::uint32_t first = vertices.front().vertex;
        columns.append(first, plain);
        const auto differs = [&](const auto& vertex) { return columns.differ(vertex.vertex, first); };
        if (std::none_of(vertices.begin(), vertices.end(), differs)) continue;
        for (const auto& [x, vertex, key] : vertices) {
            put_raw(others, static_cast<std::uint32_t>(place));
            put_raw(others, normal_at(normals, vertex));
            columns.append(vertex, others);
        }
    }
    plain.insert(plain.end(), others.begin(), others.end());
    return plain;
}

Bytes deflated(const Bytes& plain) {
    uLongf size = compressBound(static_cast<uLong>(plain.size()));
    Bytes packed(size);
    const int done =
        compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(plain.data()),
                  static_cast<uLong>(plain.size()), Z_DEFAULT_COMPRESSION);
    packed.resize(done == Z_OK ? size : 0);
    return packed;
}

/// Nothing if it is not of that size.
std::optional<Bytes> inflated(const Bytes& packed, std::size_t expected) {
    Bytes plain(expected);
    uLongf size = static_cast<uLongf>(expected);
    const int done = uncompress(reinterpret_cast<Bytef*>(plain.data()), &size,
                                reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()));
    if (done != Z_OK || size != expected) return std::nullopt;
    return plain;
}

/// An attribute as the record describes it, still without data; nothing if that cannot be.
std::optional<Attribute> attribute_from(const nlohmann::json& json) {
    const std::string_view name = text_member(json, "name");
    const auto component = whole_member(json, "component");
    const auto count = whole_member(json, "count");
    constexpr std::array elements{ElementType::scalar, ElementType::vec2, ElementType::vec3, ElementType::vec4};
    constexpr std::array<std::uint64_t, 3> components{5121, 5123, 5126};
    if (!component || !count || *count < 1 || *count > 4) return std::nullopt;
    if (std::find(components.begin(), components.end(), *component) == components.end()) return std::nullopt;
    Attribute attribute;
    attribute.data.element = elements[static_cast<std::size_t>(*count - 1)];
    attribute.data.component = static_cast<ComponentType>(*component);
    attribute.data.normalized = attribute.data.component != ComponentType::f32;
    if (name.starts_with("_COLOR_") && name.size() < 64) {
        attribute.semantic = Semantic::custom;
        attribute.custom_name = name;
        return attribute;
    }
    if (!name.starts_with("COLOR_") || name.size() != 7 || name[6] < '0' || name[6] > '9' || *count < 3)
        return std::nullopt;
    attribute.semantic = Semantic::color;
    attribute.set = static_cast<std::uint32_t>(name[6] - '0');
    return attribute;
}

/// Either way of saying them counts.
bool has_color(const Mesh& mesh, const std::string& name) {
    const std::string other = name.front() == '_' ? name.substr(1) : "_" + name;
    return std::any_of(mesh.attributes.begin(), mesh.attributes.end(), [&](const Attribute& attribute) {
        const std::string own = attribute_name(attribute);
        return own == name || own == other;
    });
}

/// The record's colours on the vertices of a mesh.
class Restorer {
public:
    Restorer(Mesh& mesh, const nlohmann::json& record, std::vector<Attribute> attributes)
        : mesh_(mesh), record_(record), attributes_(std::move(attributes)) {
        for (const Attribute& one : attributes_) width_ += one.data.stride();
    }

    bool run(const std::vector<bool>& is_missing) {
        if (!(member(record_, "constant") != nullptr ? fill() : place_all())) return false;
        for (std::size_t i = 0; i < attributes_.size(); ++i) {
            if (is_missing[i]) mesh_.attributes.push_back(std::move(attributes_[i]));
        }
        return true;
    }

private:
    void make_room() {
        for (Attribute& one : attributes_) one.data.bytes.resize(mesh_.vertex_count * one.data.stride());
    }

    /// All vertices alike, however the mesh was edited.
    bool fill() {
        const auto color = from_base64(text_member(record_, "constant"));
        if (!color || color->size() != width_) return false;
        make_room();
        for (std::uint32_t i = 0; i < mesh_.vertex_count; ++i) put(i, color->data());
        return true;
    }

    bool place_all() {
        const Places places(mesh_, static_cast<std::size_t>(std::min<std::uint64_t>(
                                       whole_member_or(record_, "sets", 0).value_or(0), max_key_sets)));
        if (places.hash() != text_member(record_, "places")) return false;
        const auto size = whole_member(record_, "size");
        const std::uint64_t plain = std::uint64_t{places.count()} * width_;
        const std::uint64_t most = plain + std::uint64_t{mesh_.vertex_count} * (width_ + head_size);
        const auto packed = from_base64(text_member(record_, "data"));
        if (!packed || !size || *size < plain || *size > std::min<std::uint64_t>(most, SIZE_MAX) ||
            (*size - plain) % (width_ + head_size) != 0)
            return false;
        const auto colors = inflated(*packed, static_cast<std::size_t>(*size));
        if (!colors) return false;
        make_room();
        for (std::size_t place = 0; place < places.count(); ++place) {
            for (const auto& [x, vertex, key] : places.at(place)) put(vertex, colors->data() + place * width_);
        }
        put_others(places, std::span(*colors).subspan(static_cast<std::size_t>(plain)));
        return true;
    }

    void put(std::uint32_t vertex, const std::byte* from) {
        for (Attribute& one : attributes_) {
            const std::size_t stride = one.data.stride();
            std::memcpy(one.data.bytes.data() + vertex * stride, from, stride);
            from += stride;
        }
    }

    /// Of several in one place, each vertex gets those of the one whose normal is the most like its own.
    void put_others(const Places& places, std::span<const std::byte> others) {
        const FloatView normals(mesh_, Semantic::normal);
        std::vector<int> best(mesh_.vertex_count, -1 << 30);
        for (; others.size() >= head_size + width_; others = others.subspan(head_size + width_)) {
            std::uint32_t place = 0;
            Normal normal{};
            std::memcpy(&place, others.data(), sizeof place);
            std::memcpy(&normal, others.data() + sizeof place, sizeof normal);
            if (place >= places.count()) continue;
            for (const auto& [x, vertex, key] : places.at(place)) {
                const int like = similarity(normal, normal_at(normals, vertex));
                if (like <= best[vertex]) continue;
                best[vertex] = like;
                put(vertex, others.data() + head_size);
            }
        }
    }

    Mesh& mesh_;
    const nlohmann::json& record_;
    std::vector<Attribute> attributes_;
    std::size_t width_ = 0;
};

nlohmann::json constant_record(const Columns& columns) {
    Bytes color;
    columns.append(0, color);
    return {{"constant", to_base64(color)}};
}

nlohmann::json record_of_places(const Mesh& mesh, const Columns& columns) {
    std::size_t sets = 0;
    while (sets < max_key_sets && find_attribute(mesh, Semantic::texcoord, static_cast<std::uint32_t>(sets)) != nullptr)
        ++sets;
    const Places places(mesh, sets);
    if (places.count() == 0) return {};
    const Bytes plain = packed_colors(mesh, columns, places);
    return {{"places", places.hash()}, {"sets", sets}, {"size", plain.size()}, {"data", to_base64(deflated(plain))}};
}

}  // namespace

nlohmann::json color_record(const Mesh& mesh, bool keeps_all) {
    const Columns columns = colors_of(mesh);
    if (columns.width == 0) return {};
    nlohmann::json record = nlohmann::json::object();  // what it had, so that its loss is seen
    if (columns.is_constant(mesh.vertex_count)) {
        record = constant_record(columns);
    } else if (keeps_all) {
        record = record_of_places(mesh, columns);
    }
    if (record.is_null()) return {};
    for (const Attribute* one : columns.attributes) {
        record["attributes"].push_back({{"name", attribute_name(*one)},
                                        {"component", static_cast<std::uint16_t>(one->data.component)},
                                        {"count", component_count(one->data.element)}});
    }
    return record;
}

LostColors restore_colors(Mesh& mesh, const nlohmann::json& record) {
    LostColors result;
    const nlohmann::json* const list = member(record, "attributes");
    if (list == nullptr || !list->is_array()) return result;
    std::vector<Attribute> attributes;
    std::vector<bool> is_missing;
    for (const nlohmann::json& json : *list) {
        auto attribute = attribute_from(json);
        if (!attribute || attributes.size() >= max_attributes) return result;
        const std::string name = attribute_name(*attribute);
        is_missing.push_back(!has_color(mesh, name));
        if (is_missing.back()) result.lost.push_back(name);
        attributes.push_back(std::move(*attribute));
    }
    if (!result.lost.empty() && Restorer(mesh, record, std::move(attributes)).run(is_missing))
        std::swap(result.lost, result.restored);
    return result;
}

}  // namespace effigy::gltf
