/// An XMF as a mesh of the scene: the order of the steps, the vertex streams that can be used, and the box around it.

#include "egosoft/to_scene/mesh.hpp"

#include <limits>
#include <set>

#include "effigy/egosoft_codes.hpp"

#include "core/lists.hpp"
#include "core/rules.hpp"
#include "egosoft/file/xmf_streams.hpp"
#include "egosoft/to_scene/to_scene.hpp"

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

Result<void> left_out(const MeshNotes& notes, const Code& code, const std::string& reason, std::string found = {},
                      std::string expected = {}) {
    notes.note(code, reason + " It is left out.", std::move(found), std::move(expected));
    return {};
}

/// What the games would not read either, but which is shown.
void note_header(const xmf::File& file, const MeshNotes& notes) {
    if (file.header.version != 3)
        notes.note(codes::xmf_version.as(Severity::warning), {}, std::to_string(file.header.version), "3");
    for (const xmf::Buffer& buffer : file.buffers) {
        const std::uint32_t expected = index_size_of(buffer.format);
        if (!xmf::is_index_buffer(buffer) || (expected != 0 && buffer.item_size == expected)) continue;
        notes.note(codes::xmf_index_format.as(Severity::warning), {},
                   "format " + std::to_string(buffer.format) + " with " + count_text(buffer.item_size, "bytes"),
                   "format 30 with 2 bytes or 31 with 4");
    }
}

/// Elements that the games misread, where those before them are shown.
void note_elements(const xmf::File& file, const MeshNotes& notes) {
    const std::size_t room = element_room(file.header);
    for (std::size_t i = 0; i < file.buffers.size(); ++i) {
        const xmf::Buffer& buffer = file.buffers[i];
        if (xmf::is_index_buffer(buffer)) continue;
        if (buffer.element_count > room)
            notes.note(codes::xmf_element_count.as(Severity::warning), {},
                       std::to_string(buffer.element_count) + ", " + buffer_path(i), "at most " + std::to_string(room));
        const auto elements = std::span(buffer.elements).first(std::min<std::size_t>(buffer.element_count, room));
        const auto unknown = std::find_if(elements.begin(), elements.end(), [](const xmf::Element& element) {
            return element.type > xmf::ElementType::unused;
        });
        if (unknown != elements.end())
            notes.note(codes::xmf_element_type.as(Severity::warning), {},
                       std::to_string(static_cast<std::uint32_t>(unknown->type)) + ", " + buffer_path(i), "0 to 17");
    }
}

std::uint64_t size_of_elements(const xmf::Buffer& buffer) {
    std::uint64_t size = 0;
    const std::size_t count = std::min<std::size_t>(buffer.element_count, xmf::max_elements);
    for (const xmf::Element& element : std::span(buffer.elements).first(count)) size += xmf::size_of(element.type);
    return size;
}

/// Bytes that become no attribute, and stand in no record.
void note_bytes_left(const xmf::File& file, const MeshNotes& notes) {
    std::uint64_t stored = 0;
    for (std::size_t i = 0; i < file.buffers.size(); ++i) {
        const xmf::Buffer& buffer = file.buffers[i];
        stored += buffer.stored_size;
        if (xmf::is_index_buffer(buffer)) continue;
        const auto placed = xmf::declaration(buffer);
        if (const std::uint64_t said = size_of_elements(buffer); said > buffer.item_size)
            notes.note(codes::mesh_bytes_lost, "Elements reach beyond their vertex, and are left out.",
                       count_text(said, "bytes") + " of elements, " + buffer_path(i),
                       count_text(buffer.item_size, "bytes"));
        const std::uint32_t end = placed.empty() ? 0 : placed.back().offset + xmf::size_of(placed.back().element.type);
        if (end >= buffer.item_size || buffer.content.empty()) continue;
        notes.note(codes::mesh_bytes_lost, "Bytes of each vertex that no known element describes are left out.",
                   count_text(buffer.item_size - end, "bytes") + " from byte " + std::to_string(end) + " on, " +
                       buffer_path(i));
    }
    if (stored < file.data.size())
        notes.note(codes::mesh_bytes_lost, "Bytes between or behind the streams are left out.",
                   count_text(file.data.size() - stored, "bytes"));
}

Index material_of(const xmf::Material& record, Build& build) {
    const std::string_view raw = xmf::name_of(record);
    if (raw.empty()) return no_index;
    const auto [place, is_new] = build.materials.try_emplace(std::string(raw), no_index);
    if (is_new) {
        place->second = static_cast<Index>(build.scene.materials.size());
        build.scene.materials.emplace_back().name = text(raw);
    }
    return place->second;
}

}  // namespace

Result<void> make_mesh(MeshBuild& build, const Source& source, const xmf::File& file) {
    build.materials = file.materials;
    const MeshNotes notes{build};
    const VertexStreams streams = vertex_streams(file, notes);
    if (streams.vertex_count == 0)
        return left_out(notes, codes::mesh_no_positions, "The mesh has no usable positions.");
    if (file.header.primitive_type != 4) {
        return left_out(notes, codes::primitive_type,
                        "The mesh is no list of triangles, which is all that is understood.",
                        std::to_string(file.header.primitive_type), "4");
    }
    note_header(file, notes);
    note_elements(file, notes);
    note_bytes_left(file, notes);
    auto primitives = triangles(file, streams.vertex_count, notes);
    if (!primitives) return fail(std::move(primitives.error()));
    if (primitives->empty()) return left_out(notes, codes::mesh_empty, "The mesh has no usable triangles.");
    MeshAttributes attributes{build, streams.vertex_count, mesh_record(source, file)};
    if (auto added = add_attributes(attributes, streams, notes); !added) return fail(std::move(added.error()));
    Mesh& mesh = build.mesh.emplace();
    mesh.name = build.file;
    mesh.vertex_count = streams.vertex_count;
    mesh.primitives = std::move(*primitives);
    mesh.attributes = std::move(attributes.list);
    set_record(mesh.extras, std::move(attributes.record));
    build.has_unknown_sign = attributes.unknown_bitangents && has_mirrored_texture(mesh);
    return {};
}

Result<Index> add_mesh(Build& build, MeshBuild made) {
    build.file = made.file;
    build.report.append(std::move(made.report));
    if (auto taken = build.take(made.budget.used() - made.taken_before, 1, "a mesh"); !taken)
        return fail(std::move(taken.error()));
    if (!made.mesh) return no_index;
    std::vector<Index> materials(made.materials.size(), no_index);
    for (std::size_t i = 0; i < materials.size(); ++i) {
        if (made.materials[i].index_count != 0) materials[i] = material_of(made.materials[i], build);
    }
    for (Primitive& primitive : made.mesh->primitives) {
        if (primitive.material != no_index) primitive.material = materials[primitive.material];
    }
    if (made.has_unknown_sign) build.unknown_signs.add(made.file);
    build.bad_numbers.add(made.bad_numbers, made.file);
    build.bad_normals.add(made.bad_normals, made.file);
    build.bad_tangents.add(made.bad_tangents, made.file);
    build.scene.meshes.push_back(std::move(*made.mesh));
    return static_cast<Index>(build.scene.meshes.size() - 1);
}

Result<Index> add_given(Build& build, MeshInput& input) {
    MeshBuild made(build.options, build.budget, input.source.stem);
    if (auto done = make_mesh(made, input.source, input.file); !done) return fail(std::move(done.error()));
    input.file = {};
    return add_mesh(build, std::move(made));
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

namespace {

/// Elements of buffers that hold what they state, in order of usage index.
std::vector<VertexStream> usable_streams(const xmf::File& file, const MeshNotes& notes) {
    std::vector<VertexStream> streams;
    std::uint64_t damaged = 0;
    for (const xmf::Buffer& buffer : file.buffers) {
        if (xmf::is_index_buffer(buffer)) continue;
        const std::uint64_t count = xmf::item_count(buffer);
        const bool whole = buffer.item_size != 0 && count <= buffer.content.size() / buffer.item_size;
        damaged += whole || count == 0 ? 0u : 1u;
        if (!whole) continue;
        for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) {
            const std::uint64_t size = xmf::size_of(placed.element.type);
            if (size == 0 || placed.offset + size > buffer.item_size) continue;
            streams.push_back({&buffer, placed});
        }
    }
    std::stable_sort(streams.begin(), streams.end(),
                     [](const VertexStream& a, const VertexStream& b) { return a.usage_index() < b.usage_index(); });
    notes.count(codes::stream_missing, damaged, " buffers", "Buffers without usable content are left out.");
    return streams;
}

}  // namespace

const VertexStream* VertexStreams::first_of(xmf::Usage usage) const noexcept {
    return first_where(streams, [&](const VertexStream& stream) { return stream.usage() == usage; });
}

/// Streams that are too short are left out.
VertexStreams vertex_streams(const xmf::File& file, const MeshNotes& notes) {
    VertexStreams result{usable_streams(file, notes)};
    const VertexStream* const positions = result.first_of(xmf::Usage::position);
    if (positions == nullptr) return result;
    const std::uint64_t count = xmf::item_count(*positions->buffer);
    if (count == 0 || count > std::numeric_limits<std::uint32_t>::max() - 1) return result;
    result.vertex_count = static_cast<std::uint32_t>(count);
    std::set<const xmf::Buffer*> others, shorter;
    for (const VertexStream& stream : result.streams) {
        const std::uint64_t its = xmf::item_count(*stream.buffer);
        if (its != count) others.insert(stream.buffer);
        if (its < count) shorter.insert(stream.buffer);
    }
    std::erase_if(result.streams, [&](const VertexStream& stream) { return shorter.contains(stream.buffer); });
    if (others.empty()) return result;
    notes.note(codes::stream_count, {}, std::to_string(others.size()) + " buffers",
               std::to_string(count) + " vertices each");
    return result;
}

}  // namespace effigy::egosoft::bridge
