/// An XMF as a mesh of the scene: the order of the steps, and the box around it.

#include "egosoft/to_scene/mesh.hpp"

#include "effigy/egosoft_codes.hpp"
#include "effigy/scene_codes.hpp"

#include "egosoft/to_scene/extras.hpp"

namespace effigy::egosoft::bridge {
namespace {

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
        const float winding = (places[b].x - places[a].x) * (places[c].y - places[a].y) -
                              (places[c].x - places[a].x) * (places[b].y - places[a].y);
        // v grows downwards, so that an upright picture winds the other way.
        return (outward > 0 && winding > 0) || (outward < 0 && winding < 0);
    };
    for (const Primitive& primitive : mesh.primitives) {
        for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3) {
            const auto corner = [&](std::size_t k) { return primitive.first_vertex + primitive.indices[i + k]; };
            if (is_mirrored(corner(0), corner(1), corner(2))) return true;
        }
    }
    return false;
}

Result<Index> left_out(const MeshNotes& notes, const Code& code, const std::string& reason, std::string found = {},
                       std::string expected = {}) {
    notes.note(code, reason + " It is left out.", std::move(found), std::move(expected));
    return no_index;
}

}  // namespace

Result<Index> add_mesh(Build& build, const Source& source, const xmf::File& file) {
    build.file = text(source.stem);
    const MeshNotes notes{build, build.file};
    const VertexStreams streams = vertex_streams(file, notes);
    if (streams.vertex_count == 0)
        return left_out(notes, codes::mesh_no_positions, "The mesh has no usable positions.");
    if (file.header.primitive_type != 4) {
        return left_out(notes, codes::primitive_type,
                        "The mesh is no list of triangles, which is all that is understood.",
                        std::to_string(file.header.primitive_type), "4");
    }
    auto primitives = triangles(file, streams.vertex_count, notes);
    if (!primitives) return fail(std::move(primitives.error()));
    if (primitives->empty()) return left_out(notes, codes::mesh_empty, "The mesh has no usable triangles.");
    MeshAttributes attributes{build, streams.vertex_count, mesh_record(source, file)};
    if (auto added = add_attributes(attributes, streams, notes); !added) return fail(std::move(added.error()));
    Mesh mesh;
    mesh.name = notes.name;
    mesh.vertex_count = streams.vertex_count;
    mesh.primitives = std::move(*primitives);
    mesh.attributes = std::move(attributes.list);
    set_record(mesh.extras, std::move(attributes.record));
    if (attributes.unknown_bitangents && has_mirrored_texture(mesh)) build.unknown_signs.add(notes.name);
    build.bad_numbers.add(attributes.not_finite, notes.name);
    build.bad_normals.add(attributes.bad_normals, notes.name);
    build.bad_tangents.add(attributes.bad_tangents, notes.name);
    build.scene.meshes.push_back(std::move(mesh));
    return static_cast<Index>(build.scene.meshes.size() - 1);
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
