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

/// Vertices whose vectors were made unit vectors, in runs.
class ChangedVectors {
public:
    void add(std::size_t vertex) {
        if (vertex != end_) runs_.push_back({static_cast<std::uint32_t>(vertex), 0});
        ++runs_.back().count;
        ++count_;
        end_ = vertex + 1;
    }
    /// As they were, if there are any: each run's first vertex and its number of them, and then their values.
    void record(const VertexStream& stream, const char* name, Json& mesh_record) const {
        if (runs_.empty()) return;
        const std::size_t size = xmf::size_of(stream.type());
        // The compiler copies best what it knows the size of, and nearly all vectors have this one.
        const Bytes bytes = size == 4 ? stored(stream, std::integral_constant<std::size_t, 4>()) : stored(stream, size);
        mesh_record["stored"][name] = json_bytes(bytes);
    }

private:
    struct Run {
        std::uint32_t first, count;
    };
    [[nodiscard]] Bytes stored(const VertexStream& stream, auto size) const {
        Bytes bytes(runs_.size() * sizeof(Run) + count_ * size);
        std::byte* to = bytes.data();
        for (const Run& run : runs_) {
            std::memcpy(to, &run, sizeof run);
            to += sizeof run;
            for (std::size_t i = 0; i < run.count; ++i, to += size) std::memcpy(to, stream.at(run.first + i), size);
        }
        return bytes;
    }

    std::vector<Run> runs_;
    std::size_t count_ = 0;
    std::size_t end_ = SIZE_MAX;  ///< of the last run
};

/// Vectors with length 1. `fallback(i)`, which is counted, stands for one without a direction.
template <class Vector, class Fallback>
ChangedVectors make_unit(std::span<Vector> vectors, bool packed, std::uint64_t& bad, Fallback&& fallback) {
    // glTF takes for a unit vector what rounding to bytes makes of one; as it is, it finds the way back.
    constexpr float tolerance = 0.0067f;
    constexpr float low = (1 - tolerance) * (1 - tolerance), high = (1 + tolerance) * (1 + tolerance);
    // Packed numbers cannot say zero: 127 or 128 of 255 stands for it.
    const float min_square = packed ? 4e-4f : 1e-24f;
    ChangedVectors changed;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        Vector& v = vectors[i];
        const float square = v.x * v.x + v.y * v.y + v.z * v.z;
        if (square > low && square < high) continue;
        changed.add(i);
        const bool has_direction = square > min_square && square < 1e30f;
        bad += has_direction ? 0u : 1u;
        const Vec3 from = has_direction ? Vec3{v.x, v.y, v.z} : fallback(i);
        const float scale = has_direction ? 1.0f / std::sqrt(square) : 1.0f;
        v.x = from.x * scale;
        v.y = from.y * scale;
        v.z = from.z * scale;
    }
    return changed;
}

Result<void> add_alpha(MeshAttributes& to, const VertexStream& stream, const std::string& name) {
    auto bytes = to.add(Semantic::custom, 0, name, ElementType::scalar, ComponentType::u8);
    if (!bytes) return fail(std::move(bytes.error()));
    std::byte* out = bytes->data();
    for_each_value(stream, to.vertex_count,
                   [&](std::size_t i, const Vec4& v) { out[i] = static_cast<std::byte>(to_byte(v.w)); });
    return {};
}

/// Fourth numbers that are no bytes.
bool has_signed_fourth(const VertexStream& stream) noexcept {
    return !is_unsigned_unit(stream.type()) && width_of(stream.type()) == 4;
}

/// Fourth numbers as they are, for the way back.
Result<void> add_fourths(MeshAttributes& to, const VertexStream& stream, const std::string& name) {
    auto bytes = to.add(Semantic::custom, 0, name, ElementType::scalar);
    if (!bytes) return fail(std::move(bytes.error()));
    float* const out = values_of<float>(*bytes);
    for_each_value(stream, to.vertex_count, [&](std::size_t i, const Vec4& v) { out[i] = to.finite(v.w); });
    return {};
}

void set_signs_of(const VertexStream& stream, std::span<Vec4> tangents) {
    for_each_value(stream, tangents.size(), [&](std::size_t i, const Vec4& v) {
        if (v.w > 0) tangents[i].w = -1;
    });
}

Result<std::span<const Vec3>> add_normals(MeshAttributes& to, const VertexStream& stream, bool has_tangents) {
    auto bytes = to.add(Semantic::normal, 0, {}, ElementType::vec3);
    if (!bytes) return fail(std::move(bytes.error()));
    const std::span normals(values_of<Vec3>(*bytes), to.vertex_count);
    const bool packed = is_unsigned_unit(stream.type());
    Alpha alpha;
    for_each_value(stream, to.vertex_count, [&](std::size_t i, const Vec4& v) {
        normals[i] = mirrored(v, packed);
        if (packed) alpha.add(i, to_byte(v.w));
    });
    make_unit(normals, packed, to.build.bad_normals, [](std::size_t) {
        return Vec3{0, 0, 1};
    }).record(stream, "normal", to.record);
    if (has_signed_fourth(stream))
        return add_fourths(to, stream, "_NORMAL_W").map([&] { return std::span<const Vec3>(normals); });
    if (!has_alpha(stream)) return normals;
    if (alpha.uniform) to.record["normal_alpha"] = alpha.value;
    to.unknown_bitangents = has_tangents && alpha.uniform && alpha.value == 0;
    // Where there are tangents, 0 and 255 stand in their w.
    if (alpha.uniform || (has_tangents && alpha.only_extremes)) return normals;
    return add_alpha(to, stream, "_NORMAL_ALPHA").map([&] { return normals; });
}

/// The w of a tangent is the sign of the bitangent: -1 where the normal's alpha says that texture coordinates are
/// mirrored.
void set_bitangent_signs(const VertexStream& normals, const VertexStream& stream, std::span<Vec4> tangents) {
    if (normals.type() == xmf::ElementType::color) {
        for_each_color(normals, tangents.size(), [&](std::size_t i, const std::byte* bgra) {
            if (static_cast<unsigned>(bgra[3]) > 127) tangents[i].w = -1;
        });
    } else if (has_alpha(normals)) {
        for_each_value(normals, tangents.size(), [&](std::size_t i, const Vec4& v) {
            if (to_byte(v.w) > 127) tangents[i].w = -1;
        });
    } else if (has_signed_fourth(normals)) {
        set_signs_of(normals, tangents);
    } else if (has_signed_fourth(stream)) {
        // Normals of three numbers have no room for it.
        set_signs_of(stream, tangents);
    }
}

Result<void> add_tangents(MeshAttributes& to, const VertexStream& stream, const VertexStream& normal_stream,
                          std::span<const Vec3> normals) {
    auto bytes = to.add(Semantic::tangent, 0, {}, ElementType::vec4);
    if (!bytes) return fail(std::move(bytes.error()));
    const std::span tangents(values_of<Vec4>(*bytes), to.vertex_count);
    const bool packed = is_unsigned_unit(stream.type());
    Alpha alpha;
    for_each_value(stream, to.vertex_count, [&](std::size_t i, const Vec4& v) {
        // The file's tangents point against the direction in which u grows.
        const Vec3 m = mirrored(v, packed);
        tangents[i] = {-m.x, -m.y, -m.z, 1};
        if (packed) alpha.add(i, to_byte(v.w));
    });
    make_unit(tangents, packed, to.build.bad_tangents, [&](std::size_t i) {
        return perpendicular(normals[i]);
    }).record(stream, "tangent", to.record);
    set_bitangent_signs(normal_stream, stream, tangents);
    if (has_signed_fourth(stream)) return add_fourths(to, stream, "_TANGENT_W");
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
