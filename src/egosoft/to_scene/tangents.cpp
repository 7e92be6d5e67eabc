/// Normals and tangents of an XMF, and on which side the bitangent is: the normal's alpha says where texture
/// coordinates are mirrored.

#include "egosoft/to_scene/mesh.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// The fourth numbers of packed vectors: one that all vertices have, or several.
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

bool has_alpha(const VertexStream& stream) noexcept {
    return is_unsigned_unit(stream.type()) && width_of(stream.type()) == 4;
}

/// A perpendicular of a unit vector.
Vec3 perpendicular(const Vec3& n) noexcept {
    const Vec3 v = std::fabs(n.x) > 0.7f ? Vec3{-n.z, 0, n.x} : Vec3{0, n.z, -n.y};
    const float length = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    return {v.x / length, v.y / length, v.z / length};
}

Vec3 mirrored(const Vec4& v, bool packed) noexcept {
    return packed ? Vec3{1 - 2 * v.x, 2 * v.y - 1, 2 * v.z - 1} : Vec3{-v.x, v.y, v.z};
}

/// The vector with length 1; `fallback`, which is counted, if it has no direction.
Vec3 unit(const Vec3& v, const Vec3& fallback, bool packed, std::uint64_t& bad) noexcept {
    // Packed numbers cannot say zero: 127 or 128 of 255 stands for it.
    const float min_square = packed ? 4e-4f : 1e-24f;
    const float square = v.x * v.x + v.y * v.y + v.z * v.z;
    // glTF takes for a unit vector what rounding to bytes makes of one; as it is, it finds the way back.
    constexpr float tolerance = 0.0067f;
    if (square > (1 - tolerance) * (1 - tolerance) && square < (1 + tolerance) * (1 + tolerance)) return v;
    if (square > min_square && square < 1e30f) {
        const float scale = 1.0f / std::sqrt(square);
        return {v.x * scale, v.y * scale, v.z * scale};
    }
    ++bad;
    return fallback;
}

/// What a vector was before it was made a unit vector.
void keep_exact(const VertexStream& stream, std::size_t vertex, Bytes& changed) {
    const auto number = static_cast<std::uint32_t>(vertex);
    const auto which = std::as_bytes(std::span<const std::uint32_t, 1>(&number, 1));
    const std::byte* const from = stream.at(vertex);
    changed.insert(changed.end(), which.begin(), which.end());
    changed.insert(changed.end(), from, from + xmf::size_of(stream.type()));
}

Result<void> add_alpha(MeshAttributes& to, const VertexStream& stream, std::string name) {
    auto bytes = to.add(Semantic::custom, 0, std::move(name), ElementType::scalar, ComponentType::u8);
    if (!bytes) return fail(std::move(bytes.error()));
    std::byte* out = bytes->data();
    for_each_value(stream, to.vertex_count,
                   [&](std::size_t i, const Vec4& v) { out[i] = static_cast<std::byte>(to_byte(v.w)); });
    return {};
}

Result<std::span<const Vec3>> add_normals(MeshAttributes& to, const VertexStream& stream, bool has_tangents) {
    auto bytes = to.add(Semantic::normal, 0, {}, ElementType::vec3);
    if (!bytes) return fail(std::move(bytes.error()));
    Vec3* const out = values_of<Vec3>(*bytes);
    const std::span<const Vec3> normals(out, to.vertex_count);
    const bool packed = is_unsigned_unit(stream.type());
    Alpha alpha;
    Bytes changed;
    for_each_value(stream, to.vertex_count, [&](std::size_t i, const Vec4& v) {
        const Vec3 m = mirrored(v, packed);
        out[i] = unit(m, {0, 0, 1}, packed, to.bad_normals);
        if (out[i] != m) keep_exact(stream, i, changed);
        if (packed) alpha.add(i, to_byte(v.w));
    });
    if (!changed.empty()) to.record["exact"]["normal"] = json_bytes(changed);
    if (!has_alpha(stream)) return normals;
    if (alpha.uniform) to.record["normal_alpha"] = alpha.value;
    to.unknown_bitangents = has_tangents && alpha.uniform && alpha.value == 0;
    // Where there are tangents, 0 and 255 stand in their w.
    if (alpha.uniform || (has_tangents && alpha.only_extremes)) return normals;
    return add_alpha(to, stream, "_NORMAL_ALPHA").map([&] { return normals; });
}

/// The w of a tangent is the sign of the bitangent: -1 where the normal's alpha says that texture coordinates are
/// mirrored.
void set_bitangent_signs(const VertexStream& normals, std::span<Vec4> tangents) {
    if (normals.type() == xmf::ElementType::color) {
        for_each_color(normals, tangents.size(), [&](std::size_t i, const std::byte* bgra) {
            if (static_cast<unsigned>(bgra[3]) > 127) tangents[i].w = -1;
        });
    } else if (has_alpha(normals)) {
        for_each_value(normals, tangents.size(), [&](std::size_t i, const Vec4& v) {
            if (to_byte(v.w) > 127) tangents[i].w = -1;
        });
    }
}

Result<void> add_tangents(MeshAttributes& to, const VertexStream& stream, const VertexStream& normal_stream,
                          std::span<const Vec3> normals) {
    auto bytes = to.add(Semantic::tangent, 0, {}, ElementType::vec4);
    if (!bytes) return fail(std::move(bytes.error()));
    Vec4* const out = values_of<Vec4>(*bytes);
    const bool packed = is_unsigned_unit(stream.type());
    Alpha alpha;
    Bytes changed;
    for_each_value(stream, to.vertex_count, [&](std::size_t i, const Vec4& v) {
        // The file's tangents point against the direction in which u grows.
        const Vec3 m = mirrored(v, packed), reversed{-m.x, -m.y, -m.z};
        const Vec3 t = unit(reversed, perpendicular(normals[i]), packed, to.bad_tangents);
        if (t != reversed) keep_exact(stream, i, changed);
        out[i] = {t.x, t.y, t.z, 1};
        if (packed) alpha.add(i, to_byte(v.w));
    });
    if (!changed.empty()) to.record["exact"]["tangent"] = json_bytes(changed);
    set_bitangent_signs(normal_stream, {out, to.vertex_count});
    if (!has_alpha(stream) || (alpha.uniform && alpha.value == 0)) return {};
    if (!alpha.uniform) return add_alpha(to, stream, "_TANGENT_ALPHA");
    to.record["tangent_alpha"] = alpha.value;
    return {};
}

}  // namespace

Result<void> add_normals_and_tangents(MeshAttributes& to, const VertexStream& normals, const VertexStream* tangents) {
    const auto added = add_normals(to, normals, tangents != nullptr);
    if (!added) return fail(added.error());
    return tangents == nullptr ? Result<void>() : add_tangents(to, *tangents, normals, *added);
}

}  // namespace effigy::egosoft::bridge
