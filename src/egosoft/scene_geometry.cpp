#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <utility>

#include "egosoft/scene_extras.hpp"
#include "egosoft/to_scene.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// One element of one vertex buffer.
struct Stream {
    const xmf::Buffer* buffer = nullptr;
    xmf::PlacedElement placed;

    [[nodiscard]] xmf::ElementType type() const noexcept { return placed.element.type; }
    [[nodiscard]] xmf::Usage usage() const noexcept { return placed.element.usage; }
    [[nodiscard]] std::uint8_t usage_index() const noexcept { return placed.element.usage_index; }
};

/// Numbers that an element of this type stores.
std::size_t width_of(xmf::ElementType type) noexcept {
    using Type = xmf::ElementType;
    switch (type) {
        case Type::float1:
            return 1;
        case Type::float2:
        case Type::short2:
        case Type::short2n:
        case Type::ushort2n:
        case Type::half2:
            return 2;
        case Type::float3:
        case Type::udec3:
        case Type::dec3n:
            return 3;
        default:
            return 4;
    }
}

/// Types whose 0..1 stands for -1..1 in directions.
bool is_unsigned_unit(xmf::ElementType type) noexcept {
    using Type = xmf::ElementType;
    return type == Type::color || type == Type::ubyte4n || type == Type::ushort4n || type == Type::ushort2n;
}

bool is_bytes(xmf::ElementType type) noexcept {
    return type == xmf::ElementType::color || type == xmf::ElementType::ubyte4n;
}

bool is_direction(xmf::Usage usage) noexcept {
    return usage == xmf::Usage::normal || usage == xmf::Usage::tangent || usage == xmf::Usage::binormal;
}

bool is_position(xmf::Usage usage) noexcept {
    return usage == xmf::Usage::position || usage == xmf::Usage::transformed_position;
}

/// Calls `take(index, bytes)` for the D3DCOLOR of each vertex.
template <class Take>
void for_each_color(const Stream& stream, std::size_t count, Take&& take) {
    const std::byte* from = stream.buffer->content.data() + stream.placed.offset;
    const std::size_t stride = stream.buffer->item_size;
    for (std::size_t i = 0; i < count; ++i, from += stride) take(i, from);
}

/// Calls `take(index, value)` for the element of each vertex. The common types are read here, where the compiler sees
/// the loop.
template <class Take>
void for_each_value(const Stream& stream, std::size_t count, Take&& take) {
    const std::byte* from = stream.buffer->content.data() + stream.placed.offset;
    const std::size_t stride = stream.buffer->item_size;
    const auto floats = [&](auto width) {
        for (std::size_t i = 0; i < count; ++i, from += stride) {
            std::array<float, 4> v{0, 0, 0, 1};
            std::memcpy(v.data(), from, sizeof(float) * width);
            take(i, Vec4{v[0], v[1], v[2], v[3]});
        }
    };
    switch (stream.type()) {
        case xmf::ElementType::float2:
            return floats(std::integral_constant<std::size_t, 2>());
        case xmf::ElementType::float3:
            return floats(std::integral_constant<std::size_t, 3>());
        case xmf::ElementType::color:
            return for_each_color(stream, count, [&](std::size_t i, const std::byte* bgra) {
                const auto part = [&](std::size_t k) { return static_cast<float>(bgra[k]) * (1.0f / 255.0f); };
                take(i, Vec4{part(2), part(1), part(0), part(3)});
            });
        default:
            for (std::size_t i = 0; i < count; ++i, from += stride) take(i, xmf::decode(stream.type(), from));
    }
}

/// A perpendicular of a unit vector.
Vec3 across(const Vec3& n) noexcept {
    const Vec3 v = std::fabs(n.x) > 0.7f ? Vec3{-n.z, 0, n.x} : Vec3{0, n.z, -n.y};
    const float length = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    return {v.x / length, v.y / length, v.z / length};
}

/// A share of the vertices: a value that all have, or a set of their own.
struct Alpha {
    bool uniform = true;
    std::uint8_t value = 0;
    bool only_extremes = true;  ///< nothing but 0 and 255

    void add(std::size_t index, std::uint8_t alpha) noexcept {
        if (index == 0) value = alpha;
        uniform &= alpha == value;
        only_extremes &= alpha == 0 || alpha == 255;
    }
};

struct TriangleRange {
    std::uint64_t first = 0, end = 0;  ///< of indices
    Index material = no_index;
};

Vec3 between(const Vec3& from, const Vec3& to) noexcept { return {to.x - from.x, to.y - from.y, to.z - from.z}; }

/// Whether the first set of texture coordinates is a mirror image on any triangle.
bool has_mirrored_texture(const Mesh& mesh) {
    std::span<const Vec3> positions, normals;
    std::span<const Vec2> places;
    for (const Attribute& attribute : mesh.attributes) {
        if (attribute.semantic == Semantic::position) positions = attribute.data.as<Vec3>();
        if (attribute.semantic == Semantic::normal) normals = attribute.data.as<Vec3>();
        if (attribute.semantic == Semantic::texcoord && attribute.set == 0) places = attribute.data.as<Vec2>();
    }
    if (normals.empty() || places.empty()) return false;
    const auto is_mirrored = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const Vec3 u = between(positions[a], positions[b]), v = between(positions[a], positions[c]), n = normals[a];
        const float outward = n.x * (u.y * v.z - u.z * v.y) + n.y * (u.z * v.x - u.x * v.z) +  //
                              n.z * (u.x * v.y - u.y * v.x);
        const float turn = (places[b].x - places[a].x) * (places[c].y - places[a].y) -
                           (places[c].x - places[a].x) * (places[b].y - places[a].y);
        // v grows downwards, so that an upright picture turns the other way.
        return (outward > 0 && turn > 0) || (outward < 0 && turn < 0);
    };
    for (const Primitive& primitive : mesh.primitives) {
        for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3) {
            const auto corner = [&](std::size_t k) { return primitive.first_vertex + primitive.indices[i + k]; };
            if (is_mirrored(corner(0), corner(1), corner(2))) return true;
        }
    }
    return false;
}

class MeshBuilder {
public:
    MeshBuilder(Context& context, const Source& source, const xmf::File& file)
        : context_(context), source_(source), file_(file), extras_(mesh_record(source, file)) {}

    Result<Index> build() {
        collect_streams();
        if (!take_vertex_count()) return without("mesh-no-positions", "The mesh has no usable positions.");
        if (file_.header.primitive_type != 4) {
            return without("primitive-type", "The mesh is no list of triangles, which is all that is understood.",
                           std::to_string(file_.header.primitive_type), "4");
        }
        return add_triangles().and_then([&]() -> Result<Index> {
            if (mesh_.primitives.empty()) return without("mesh-empty", "The mesh has no usable triangles.");
            return add_attributes().map([&] { return finish(); });
        });
    }

private:
    void note(std::string_view code, Severity severity, std::string message, std::string found = {},
              std::string expected = {}) {
        context_.note(code, severity, "mesh " + text(source_.stem), std::move(message), std::move(found),
                      std::move(expected));
    }

    Result<Index> without(std::string_view code, const std::string& reason, std::string found = {},
                          std::string expected = {}) {
        note(code, Severity::warning, reason + " It is left out.", std::move(found), std::move(expected));
        return no_index;
    }

    void collect_streams() {
        std::uint64_t damaged = 0;
        for (const xmf::Buffer& buffer : file_.buffers) {
            if (xmf::is_index_buffer(buffer)) continue;
            const std::uint64_t count = xmf::item_count(buffer);
            const bool whole = buffer.item_size != 0 && count <= buffer.content.size() / buffer.item_size;
            damaged += whole || count == 0 ? 0u : 1u;
            if (!whole) continue;
            for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) {
                const std::uint64_t size = xmf::size_of(placed.element.type);
                if (size == 0 || placed.offset + size > buffer.item_size) continue;
                streams_.push_back({&buffer, placed});
            }
        }
        std::stable_sort(streams_.begin(), streams_.end(),
                         [](const Stream& a, const Stream& b) { return a.usage_index() < b.usage_index(); });
        if (damaged == 0) return;
        note("stream-missing", Severity::warning, "Buffers without usable content are left out.",
             std::to_string(damaged) + " buffers");
    }

    const Stream* main_stream(xmf::Usage usage) const {
        const auto found = std::find_if(streams_.begin(), streams_.end(),
                                        [&](const Stream& stream) { return stream.usage() == usage; });
        return found == streams_.end() ? nullptr : &*found;
    }

    /// All streams are joined by index; those that are too short are left out.
    bool take_vertex_count() {
        const Stream* positions = main_stream(xmf::Usage::position);
        if (positions == nullptr) return false;
        const std::uint64_t count = xmf::item_count(*positions->buffer);
        if (count == 0 || count > std::numeric_limits<std::uint32_t>::max() - 1) return false;
        mesh_.vertex_count = static_cast<std::uint32_t>(count);
        std::set<const xmf::Buffer*> others, shorter;
        for (const Stream& stream : streams_) {
            const std::uint64_t its = xmf::item_count(*stream.buffer);
            if (its != count) others.insert(stream.buffer);
            if (its < count) shorter.insert(stream.buffer);
        }
        std::erase_if(streams_, [&](const Stream& stream) { return shorter.contains(stream.buffer); });
        if (others.empty()) return true;
        note("stream-count", Severity::warning,
             "Vertex buffers have other numbers of vertices than the positions: longer ones are cut, shorter ones left "
             "out.",
             std::to_string(others.size()) + " buffers", std::to_string(count) + " vertices each");
        return true;
    }

    // Triangles.

    Index material_of(const xmf::Material& record) {
        const std::string_view raw = xmf::name_of(record);
        if (raw.empty()) return no_index;
        const auto [place, is_new] = context_.materials.try_emplace(std::string(raw), no_index);
        if (is_new) {
            place->second = static_cast<Index>(context_.scene.materials.size());
            context_.scene.materials.emplace_back().name = text(raw);
        }
        return place->second;
    }

    /// The records' ranges in whole triangles, side by side, and what is between them.
    std::vector<TriangleRange> triangle_ranges(std::uint64_t count) {
        std::vector<TriangleRange> ranges;
        for (const xmf::Material& record : file_.materials) {
            if (record.index_count == 0) continue;
            const std::uint64_t first = record.first_index;
            ranges.push_back({first, first + record.index_count, material_of(record)});
        }
        std::stable_sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::uint64_t repaired = 0, uncovered = 0, cursor = 0;
        std::vector<TriangleRange> result;
        const auto leave_gap = [&](std::uint64_t end) {
            if (cursor >= end) return;
            if (!file_.materials.empty()) uncovered += end - cursor;
            result.push_back({cursor, end, no_index});
        };
        for (TriangleRange range : ranges) {
            const TriangleRange stated = range;
            range.first = std::clamp((range.first + 2) / 3 * 3, cursor, count);
            range.end = std::clamp(range.end / 3 * 3, range.first, count);
            repaired += range.first != stated.first || range.end != stated.end ? 1u : 0u;
            if (range.first >= range.end) continue;
            leave_gap(range.first);
            result.push_back(range);
            cursor = range.end;
        }
        leave_gap(count);
        if (repaired != 0) {
            note("material-range", Severity::warning,
                 "Ranges of materials overlap, cut triangles or end beyond the indices; they are clipped.",
                 std::to_string(repaired) + " ranges");
        }
        if (uncovered != 0) {
            note("material-gap", Severity::warning, "Triangles are in no material's range; they get no material.",
                 std::to_string(uncovered / 3) + " triangles");
        }
        return result;
    }

    Result<void> add_triangles() {
        const auto found = std::find_if(file_.buffers.begin(), file_.buffers.end(),
                                        [](const xmf::Buffer& buffer) { return xmf::is_index_buffer(buffer); });
        if (found == file_.buffers.end()) return {};
        const auto others = std::count_if(file_.buffers.begin(), file_.buffers.end(),
                                          [](const xmf::Buffer& buffer) { return xmf::is_index_buffer(buffer); });
        if (others > 1) {
            note("index-buffers", Severity::warning, "There are several buffers of indices; the first one counts.",
                 std::to_string(others), "1");
        }
        // Of a damaged buffer only the number is left.
        const std::uint64_t there = found->content.size() / std::max(found->item_size, 1u);
        if (auto taken = context_.take(2 * there, 4, "indices"); !taken) return taken;
        const Bulk<std::uint32_t> indices = xmf::indices(*found);
        const std::uint64_t count = indices.size() / 3 * 3;
        std::uint64_t lost = indices.size() % 3 == 0 ? 0 : 1;
        for (const TriangleRange& range : triangle_ranges(count)) {
            Primitive primitive;
            primitive.vertex_count = mesh_.vertex_count;
            primitive.material = range.material;
            primitive.indices.assign(indices.begin() + static_cast<std::ptrdiff_t>(range.first),
                                     indices.begin() + static_cast<std::ptrdiff_t>(range.end));
            lost += drop_bad_triangles(primitive.indices);
            if (!primitive.indices.empty()) mesh_.primitives.push_back(std::move(primitive));
        }
        if (lost != 0) {
            note("triangle-index", Severity::warning,
                 "Triangles with indices out of range, or incomplete ones, are left out.",
                 std::to_string(lost) + " triangles", "indices below " + std::to_string(mesh_.vertex_count));
        }
        return {};
    }

    std::uint64_t drop_bad_triangles(Bulk<std::uint32_t>& indices) const {
        std::uint32_t largest = 0;
        for (const std::uint32_t index : indices) largest = std::max(largest, index);
        if (largest < mesh_.vertex_count) return 0;
        std::size_t kept = 0;
        for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
            if (std::max({indices[i], indices[i + 1], indices[i + 2]}) >= mesh_.vertex_count) continue;
            std::copy_n(indices.begin() + static_cast<std::ptrdiff_t>(i), 3,
                        indices.begin() + static_cast<std::ptrdiff_t>(kept));
            kept += 3;
        }
        const std::size_t dropped = (indices.size() - kept) / 3;
        indices.resize(kept);
        return dropped;
    }

    // Attributes.

    Result<std::span<std::byte>> add(Semantic semantic, std::uint32_t set, std::string custom_name, ElementType element,
                                     ComponentType component = ComponentType::f32) {
        Attribute attribute;
        attribute.semantic = semantic;
        attribute.set = set;
        if (semantic == Semantic::custom) attribute.custom_name = unique_name(std::move(custom_name));
        attribute.data.element = element;
        attribute.data.component = component;
        attribute.data.normalized = component != ComponentType::f32;
        const std::size_t stride = attribute.data.stride();
        if (auto taken = context_.take(mesh_.vertex_count, stride, "vertices"); !taken) {
            return fail(std::move(taken.error()));
        }
        attribute.data.bytes.resize(mesh_.vertex_count * stride);
        mesh_.attributes.push_back(std::move(attribute));
        return std::span<std::byte>(mesh_.attributes.back().data.bytes);
    }

    std::string unique_name(std::string name) {
        const std::string wish = name;
        for (int number = 2; !custom_names_.insert(name).second; ++number) name = wish + "_" + std::to_string(number);
        return name;
    }

    template <class T>
    static T* as(std::span<std::byte> bytes) noexcept {
        return reinterpret_cast<T*>(bytes.data());
    }

    float finite(float value) noexcept {
        if (std::isfinite(value)) return value;
        ++not_finite_;
        return 0;
    }

    Result<void> add_attributes() {
        const Stream* positions = main_stream(xmf::Usage::position);
        const Stream* normals = main_stream(xmf::Usage::normal);
        const Stream* tangents = main_stream(xmf::Usage::tangent);
        if (tangents != nullptr && normals == nullptr) {
            note("tangent-without-normal", Severity::warning,
                 "glTF has no tangents without normals; they become a custom attribute.");
            tangents = nullptr;
        }
        auto added = add_positions(*positions).and_then([&] { return add_normals(normals, tangents); });
        if (added && tangents != nullptr) added = add_tangents(*normals, *tangents);
        for (const Stream& stream : streams_) {
            if (!added) return added;
            if (&stream == positions || &stream == normals || &stream == tangents) continue;
            added = add_other(stream);
        }
        if (!added) return added;
        if (no_signs_ && has_mirrored_texture(mesh_)) context_.unknown_signs.add(text(source_.stem));
        note_repairs();
        return {};
    }

    Result<void> add_positions(const Stream& stream) {
        auto bytes = add(Semantic::position, 0, {}, ElementType::vec3);
        if (!bytes) return fail(std::move(bytes.error()));
        Vec3* out = as<Vec3>(*bytes);
        bool has_w = false;
        for_each_value(stream, mesh_.vertex_count, [&](std::size_t i, const Vec4& v) {
            out[i] = {-finite(v.x), finite(v.y), finite(v.z)};
            has_w |= v.w != 0;
        });
        if (!has_w || width_of(stream.type()) < 4) return {};
        return add_components(stream, "_POSITION_W", {3});
    }

    Result<void> add_normals(const Stream* stream, const Stream* tangents) {
        if (stream == nullptr) return {};
        auto bytes = add(Semantic::normal, 0, {}, ElementType::vec3);
        if (!bytes) return fail(std::move(bytes.error()));
        Vec3* out = as<Vec3>(*bytes);
        const bool packed = is_unsigned_unit(stream->type());
        Alpha alpha;
        Bytes changed;
        for_each_value(*stream, mesh_.vertex_count, [&](std::size_t i, const Vec4& v) {
            const Vec3 m = mirrored(v, packed);
            out[i] = unit(m, {0, 0, 1}, packed, bad_normals_);
            if (out[i] != m) keep_exact(*stream, i, changed);
            if (packed) alpha.add(i, to_byte(v.w));
        });
        if (!changed.empty()) extras_["exact"]["normal"] = to_base64(changed);
        if (!packed || width_of(stream->type()) < 4) return {};
        // Where there are tangents, 0 and 255 stand in their w.
        if (alpha.uniform) extras_["normal_alpha"] = alpha.value;
        no_signs_ = tangents != nullptr && alpha.uniform && alpha.value == 0;
        if (alpha.uniform || (tangents != nullptr && alpha.only_extremes)) return {};
        return add_alpha(*stream, "_NORMAL_ALPHA");
    }

    Result<void> add_tangents(const Stream& normals, const Stream& stream) {
        const auto found = std::find_if(mesh_.attributes.begin(), mesh_.attributes.end(),
                                        [](const Attribute& one) { return one.semantic == Semantic::normal; });
        const std::span<const Vec3> unit_normals = std::as_const(found->data).as<Vec3>();
        auto bytes = add(Semantic::tangent, 0, {}, ElementType::vec4);
        if (!bytes) return fail(std::move(bytes.error()));
        Vec4* out = as<Vec4>(*bytes);
        const bool packed = is_unsigned_unit(stream.type());
        Alpha alpha;
        Bytes changed;
        for_each_value(stream, mesh_.vertex_count, [&](std::size_t i, const Vec4& v) {
            // The file's tangents point against the direction in which u grows.
            const Vec3 m = mirrored(v, packed), turned{-m.x, -m.y, -m.z};
            const Vec3 t = unit(turned, across(unit_normals[i]), packed, bad_tangents_);
            if (t != turned) keep_exact(stream, i, changed);
            out[i] = {t.x, t.y, t.z, 1};
            if (packed) alpha.add(i, to_byte(v.w));
        });
        if (!changed.empty()) extras_["exact"]["tangent"] = to_base64(changed);
        set_signs(normals, out);
        if (!packed || width_of(stream.type()) < 4 || (alpha.uniform && alpha.value == 0)) return {};
        if (alpha.uniform) {
            extras_["tangent_alpha"] = alpha.value;
            return {};
        }
        return add_alpha(stream, "_TANGENT_ALPHA");
    }

    /// The normal's alpha tells mirrored texture coordinates.
    void set_signs(const Stream& normals, Vec4* tangents) const {
        if (normals.type() == xmf::ElementType::color) {
            for_each_color(normals, mesh_.vertex_count, [&](std::size_t i, const std::byte* bgra) {
                if (static_cast<unsigned>(bgra[3]) > 127) tangents[i].w = -1;
            });
        } else if (is_unsigned_unit(normals.type()) && width_of(normals.type()) == 4) {
            for_each_value(normals, mesh_.vertex_count, [&](std::size_t i, const Vec4& v) {
                if (to_byte(v.w) > 127) tangents[i].w = -1;
            });
        }
    }

    Result<void> add_alpha(const Stream& stream, std::string name) {
        auto bytes = add(Semantic::custom, 0, std::move(name), ElementType::scalar, ComponentType::u8);
        if (!bytes) return fail(std::move(bytes.error()));
        std::byte* out = bytes->data();
        for_each_value(stream, mesh_.vertex_count,
                       [&](std::size_t i, const Vec4& v) { out[i] = static_cast<std::byte>(to_byte(v.w)); });
        return {};
    }

    Result<void> add_other(const Stream& stream) {
        switch (stream.usage()) {
            case xmf::Usage::texcoord:
                return add_texcoords(stream);
            case xmf::Usage::color:
                return add_colors(stream);
            default:
                return add_custom(stream);
        }
    }

    Result<void> add_texcoords(const Stream& stream) {
        extras_["texcoords"].push_back(stream.usage_index());
        auto bytes = add(Semantic::texcoord, texcoords_++, {}, ElementType::vec2);
        if (!bytes) return fail(std::move(bytes.error()));
        Vec2* out = as<Vec2>(*bytes);
        for_each_value(stream, mesh_.vertex_count, [&](std::size_t i, const Vec4& v) {
            out[i] = {finite(v.x), finite(v.y)};
        });
        const std::string name = "_TEXCOORD_" + std::to_string(stream.usage_index());
        const std::size_t width = width_of(stream.type());
        if (width == 3) return add_components(stream, name + "_Z", {2});
        if (width == 4) return add_components(stream, name + "_ZW", {2, 3});
        return {};
    }

    Result<void> add_colors(const Stream& stream) {
        const bool shown = context_.options.colors == ColorExport::vertex;
        extras_["colors"].push_back(stream.usage_index());
        const bool bytes_as_they_are = is_bytes(stream.type());
        auto bytes = add(shown ? Semantic::color : Semantic::custom, shown ? colors_++ : 0,
                         "_COLOR_" + std::to_string(stream.usage_index()), ElementType::vec4,
                         bytes_as_they_are ? ComponentType::u8 : ComponentType::f32);
        if (!bytes) return fail(std::move(bytes.error()));
        if (stream.type() == xmf::ElementType::color) {
            std::byte* out = bytes->data();
            for_each_color(stream, mesh_.vertex_count, [&](std::size_t i, const std::byte* bgra) {
                const std::array rgba{bgra[2], bgra[1], bgra[0], bgra[3]};
                std::memcpy(out + 4 * i, rgba.data(), 4);
            });
            return {};
        }
        if (bytes_as_they_are) {
            std::byte* out = bytes->data();
            for_each_value(stream, mesh_.vertex_count, [&](std::size_t i, const Vec4& v) {
                const std::array color{to_byte(v.x), to_byte(v.y), to_byte(v.z), to_byte(v.w)};
                std::memcpy(out + 4 * i, color.data(), 4);
            });
            return {};
        }
        Vec4* out = as<Vec4>(*bytes);
        std::uint64_t clamped = 0;
        const auto part = [&](float value) {
            const float number = finite(value);
            const float kept = shown ? std::clamp(number, 0.0f, 1.0f) : number;
            clamped += kept != number ? 1u : 0u;
            return kept;
        };
        for_each_value(stream, mesh_.vertex_count, [&](std::size_t i, const Vec4& v) {
            out[i] = {part(v.x), part(v.y), part(v.z), part(v.w)};
        });
        if (clamped != 0) {
            note("color-clamped", Severity::info, "Vertex colours outside of 0..1 are clamped.",
                 std::to_string(clamped) + " numbers");
        }
        return {};
    }

    static std::string usage_name(const Stream& stream) {
        constexpr std::array names{"POSITION", "BLENDWEIGHT", "BLENDINDICES", "NORMAL", "PSIZE", "TEXCOORD", "TANGENT",
                                   "BINORMAL", "TESSFACTOR",  "POSITIONT",    "COLOR",  "FOG",   "DEPTH",    "SAMPLE"};
        const auto usage = static_cast<std::size_t>(stream.usage());
        const std::string name = usage < names.size() ? names[usage] : "USAGE" + std::to_string(usage);
        return "_" + name + "_" + std::to_string(stream.usage_index());
    }

    Result<void> add_custom(const Stream& stream) {
        const std::size_t width = width_of(stream.type());
        constexpr std::array elements{ElementType::scalar, ElementType::vec2, ElementType::vec3, ElementType::vec4};
        auto bytes = add(Semantic::custom, 0, usage_name(stream), elements.at(width - 1));
        if (!bytes) return fail(std::move(bytes.error()));
        float* out = as<float>(*bytes);
        const bool direction = is_direction(stream.usage());
        const bool packed = direction && is_unsigned_unit(stream.type());
        const float x_sign = direction || is_position(stream.usage()) ? -1.0f : 1.0f;
        for_each_value(stream, mesh_.vertex_count, [&](std::size_t i, const Vec4& v) {
            std::array<float, 4> parts{v.x, v.y, v.z, v.w};
            for (std::size_t k = 0; packed && k < 3; ++k) parts[k] = 2 * parts[k] - 1;
            parts[0] *= x_sign;
            for (std::size_t k = 0; k < width; ++k) out[i * width + k] = finite(parts[k]);
        });
        return {};
    }

    /// The components of an element that its attribute has no room for.
    Result<void> add_components(const Stream& stream, std::string name, std::vector<std::size_t> which) {
        auto bytes =
            add(Semantic::custom, 0, std::move(name), which.size() == 1 ? ElementType::scalar : ElementType::vec2);
        if (!bytes) return fail(std::move(bytes.error()));
        float* out = as<float>(*bytes);
        for_each_value(stream, mesh_.vertex_count, [&](std::size_t, const Vec4& v) {
            const std::array<float, 4> parts{v.x, v.y, v.z, v.w};
            for (const std::size_t k : which) *out++ = finite(parts[k]);
        });
        return {};
    }

    /// What a vector was before it was made a unit vector.
    static void keep_exact(const Stream& stream, std::size_t vertex, Bytes& changed) {
        const auto number = static_cast<std::uint32_t>(vertex);
        const std::span<const std::uint32_t, 1> numbers(&number, 1);
        const auto which = std::as_bytes(numbers);
        const std::byte* from =
            stream.buffer->content.data() + vertex * stream.buffer->item_size + stream.placed.offset;
        changed.insert(changed.end(), which.begin(), which.end());
        changed.insert(changed.end(), from, from + xmf::size_of(stream.type()));
    }

    static std::uint8_t to_byte(float unit) noexcept {
        return static_cast<std::uint8_t>(std::lround(std::clamp(unit, 0.0f, 1.0f) * 255.0f));
    }

    static Vec3 mirrored(const Vec4& v, bool packed) noexcept {
        return packed ? Vec3{1 - 2 * v.x, 2 * v.y - 1, 2 * v.z - 1} : Vec3{-v.x, v.y, v.z};
    }

    static Vec3 unit(const Vec3& v, const Vec3& otherwise, bool packed, std::uint64_t& bad) noexcept {
        // Packed numbers cannot say zero: 127 or 128 of 255 stands for it.
        const float least = packed ? 4e-4f : 1e-24f;
        const float square = v.x * v.x + v.y * v.y + v.z * v.z;
        // glTF takes for a unit vector what rounding to bytes makes of one; as it is, it finds the way back.
        constexpr float tolerance = 0.0067f;
        if (square > (1 - tolerance) * (1 - tolerance) && square < (1 + tolerance) * (1 + tolerance)) return v;
        if (square > least && square < 1e30f) {
            const float scale = 1.0f / std::sqrt(square);
            return {v.x * scale, v.y * scale, v.z * scale};
        }
        ++bad;
        return otherwise;
    }

    void note_repairs() {
        const std::string name = text(source_.stem);
        context_.bad_numbers.add(not_finite_, name);
        context_.bad_normals.add(bad_normals_, name);
        context_.bad_tangents.add(bad_tangents_, name);
    }

    Index finish() {
        mesh_.name = text(source_.stem);
        mesh_.extras.json = to_text(extras_);
        context_.scene.meshes.push_back(std::move(mesh_));
        return static_cast<Index>(context_.scene.meshes.size() - 1);
    }

    Context& context_;
    const Source& source_;
    const xmf::File& file_;
    Json extras_;
    Mesh mesh_;
    std::vector<Stream> streams_;  ///< in order of usage index
    std::set<std::string> custom_names_;
    std::uint32_t texcoords_ = 0, colors_ = 0;
    bool no_signs_ = false;  ///< there are tangents, and no normal marks mirrored texture coordinates
    std::uint64_t not_finite_ = 0, bad_normals_ = 0, bad_tangents_ = 0;
};

}  // namespace

Result<Index> add_mesh(Context& context, const Source& source, const xmf::File& file) {
    context.file = text(source.stem);
    return MeshBuilder(context, source, file).build();
}

std::optional<Box> bounds_of(const Mesh& mesh) {
    for (const Attribute& attribute : mesh.attributes) {
        if (attribute.semantic != Semantic::position || mesh.vertex_count == 0) continue;
        const std::span<const Vec3> points = attribute.data.as<Vec3>();
        Vec3 low = points.front(), high = points.front();
        for (const Vec3& p : points) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        Box box;
        box.center = {-(low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2};
        box.half_size = {(high.x - low.x) / 2, (high.y - low.y) / 2, (high.z - low.z) / 2};
        return box;
    }
    return std::nullopt;
}

}  // namespace effigy::egosoft::bridge
