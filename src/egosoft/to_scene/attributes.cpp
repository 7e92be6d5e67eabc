/// Vertex streams of an XMF as attributes: positions, texture coordinates, colours, and custom ones for the rest.

#include "effigy/scene_codes.hpp"

#include "egosoft/to_scene/mesh.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// The components of an element that its attribute has no room for.
Result<void> add_components(MeshAttributes& to, const VertexStream& stream, const std::string& name,
                            std::initializer_list<float Vec4::*> which) {
    auto bytes = to.add(Semantic::custom, 0, name, which.size() == 1 ? ElementType::scalar : ElementType::vec2);
    if (!bytes) return fail(std::move(bytes.error()));
    float* out = values_of<float>(*bytes);
    for_each_value(stream, to.vertex_count, [&](std::size_t, const Vec4& v) {
        for (float Vec4::*const component : which) *out++ = to.finite(v.*component);
    });
    return {};
}

Result<void> add_positions(MeshAttributes& to, const VertexStream& stream) {
    auto bytes = to.add(Semantic::position, 0, {}, ElementType::vec3);
    if (!bytes) return fail(std::move(bytes.error()));
    Vec3* out = values_of<Vec3>(*bytes);
    bool has_w = false;
    for_each_value(stream, to.vertex_count, [&](std::size_t i, const Vec4& v) {
        out[i] = {-to.finite(v.x), to.finite(v.y), to.finite(v.z)};
        has_w |= v.w != 0;
    });
    if (!has_w || width_of(stream.type()) < 4) return {};
    return add_components(to, stream, "_POSITION_W", {&Vec4::w});
}

Result<void> add_texcoords(MeshAttributes& to, const VertexStream& stream) {
    Json& sets = to.record["texcoords"];
    auto bytes = to.add(Semantic::texcoord, static_cast<std::uint32_t>(sets.size()), {}, ElementType::vec2);
    if (!bytes) return fail(std::move(bytes.error()));
    sets.push_back(stream.usage_index());
    Vec2* out = values_of<Vec2>(*bytes);
    for_each_value(stream, to.vertex_count, [&](std::size_t i, const Vec4& v) {
        out[i] = {to.finite(v.x), to.finite(v.y)};
    });
    const std::string name = "_TEXCOORD_" + std::to_string(stream.usage_index());
    const std::size_t width = width_of(stream.type());
    if (width == 3) return add_components(to, stream, name + "_Z", {&Vec4::z});
    if (width == 4) return add_components(to, stream, name + "_ZW", {&Vec4::z, &Vec4::w});
    return {};
}

/// Colours as numbers; those that are shown are clamped to 0..1.
void read_colors(MeshAttributes& to, const VertexStream& stream, bool shown, Vec4* out, const MeshNotes& notes) {
    std::uint64_t clamped = 0;
    const auto channel = [&](float value) {
        const float number = to.finite(value);
        const float kept = shown ? std::clamp(number, 0.0f, 1.0f) : number;
        clamped += kept != number ? 1u : 0u;
        return kept;
    };
    for_each_value(stream, to.vertex_count, [&](std::size_t i, const Vec4& v) {
        out[i] = {channel(v.x), channel(v.y), channel(v.z), channel(v.w)};
    });
    notes.count(codes::color_clamped, clamped, " numbers");
}

Result<void> add_colors(MeshAttributes& to, const VertexStream& stream, const MeshNotes& notes) {
    const bool shown = to.build.options.colors == ColorExport::vertex;
    Json& sets = to.record["colors"];
    const bool is_bytes = stream.type() == xmf::ElementType::color || stream.type() == xmf::ElementType::ubyte4n;
    auto bytes = to.add(shown ? Semantic::color : Semantic::custom, static_cast<std::uint32_t>(shown ? sets.size() : 0),
                        "_COLOR_" + std::to_string(stream.usage_index()), ElementType::vec4,
                        is_bytes ? ComponentType::u8 : ComponentType::f32);
    if (!bytes) return fail(std::move(bytes.error()));
    sets.push_back(stream.usage_index());
    std::byte* out = bytes->data();
    if (stream.type() == xmf::ElementType::color) {
        for_each_color(stream, to.vertex_count, [&](std::size_t i, const std::byte* bgra) {
            const std::array rgba{bgra[2], bgra[1], bgra[0], bgra[3]};
            std::memcpy(out + 4 * i, rgba.data(), 4);
        });
    } else if (is_bytes) {
        for_each_value(stream, to.vertex_count, [&](std::size_t i, const Vec4& v) {
            const std::array color{to_byte(v.x), to_byte(v.y), to_byte(v.z), to_byte(v.w)};
            std::memcpy(out + 4 * i, color.data(), 4);
        });
    } else {
        read_colors(to, stream, shown, values_of<Vec4>(*bytes), notes);
    }
    return {};
}

Result<void> add_custom(MeshAttributes& to, const VertexStream& stream) {
    const std::size_t width = width_of(stream.type());
    constexpr std::array elements{ElementType::scalar, ElementType::vec2, ElementType::vec3, ElementType::vec4};
    auto bytes = to.add(Semantic::custom, 0, custom_attribute_name(stream.placed.element), elements.at(width - 1));
    if (!bytes) return fail(std::move(bytes.error()));
    float* out = values_of<float>(*bytes);
    const bool direction = is_direction(stream.usage());
    const bool packed = direction && is_unsigned_unit(stream.type());
    const bool position = stream.usage() == xmf::Usage::position || stream.usage() == xmf::Usage::transformed_position;
    const float x_sign = direction || position ? -1.0f : 1.0f;
    for_each_value(stream, to.vertex_count, [&](std::size_t i, const Vec4& v) {
        std::array<float, 4> numbers{v.x, v.y, v.z, v.w};
        for (std::size_t k = 0; packed && k < 3; ++k) numbers[k] = 2 * numbers[k] - 1;
        numbers[0] *= x_sign;
        for (std::size_t k = 0; k < width; ++k) out[i * width + k] = to.finite(numbers[k]);
    });
    return {};
}

Result<void> add_other(MeshAttributes& to, const VertexStream& stream, const MeshNotes& notes) {
    switch (stream.usage()) {
        case xmf::Usage::texcoord:
            return add_texcoords(to, stream);
        case xmf::Usage::color:
            return add_colors(to, stream, notes);
        default:
            return add_custom(to, stream);
    }
}

}  // namespace

Result<std::span<std::byte>> MeshAttributes::add(Semantic semantic, std::uint32_t set, const std::string& custom_name,
                                                 ElementType element, ComponentType component) {
    Attribute attribute;
    attribute.semantic = semantic;
    attribute.set = set;
    if (semantic == Semantic::custom) attribute.custom_name = custom_names.add(custom_name);
    attribute.data.element = element;
    attribute.data.component = component;
    attribute.data.normalized = component != ComponentType::f32;
    const std::size_t stride = attribute.data.stride();
    if (auto taken = build.take(vertex_count, stride, "vertices"); !taken) return fail(std::move(taken.error()));
    attribute.data.bytes.resize(vertex_count * stride);
    list.push_back(std::move(attribute));
    return std::span<std::byte>(list.back().data.bytes);
}

Result<void> add_attributes(MeshAttributes& to, const VertexStreams& from, const MeshNotes& notes) {
    const VertexStream* const positions = from.first_of(xmf::Usage::position);
    const VertexStream* const normals = from.first_of(xmf::Usage::normal);
    const VertexStream* tangents = from.first_of(xmf::Usage::tangent);
    if (tangents != nullptr && normals == nullptr) {
        notes.note(codes::tangent_without_normal,
                   "glTF has no tangents without normals; they become a custom attribute.");
        tangents = nullptr;
    }
    auto added = add_positions(to, *positions);
    if (added && normals != nullptr) added = add_normals_and_tangents(to, *normals, tangents);
    for (const VertexStream& stream : from.streams) {
        if (!added) return added;
        if (&stream != positions && &stream != normals && &stream != tangents) added = add_other(to, stream, notes);
    }
    return added;
}

}  // namespace effigy::egosoft::bridge
