/// Vertices of a mesh with room for their poses: positions, normals, tangents.

#include "playback/vertices.hpp"

#include <algorithm>
#include <string>

#include "effigy/playback_codes.hpp"

#include "core/problem.hpp"

namespace effigy::playback {
namespace {

Diagnostic attribute_problem(Index mesh, const char* name, std::string found) {
    return problem_at("meshes[" + std::to_string(mesh) + "] / " + name, codes::playback_attribute,
                      "Only vectors of floats, one for each vertex, can be posed.", std::move(found));
}

template <class Vector>
Result<std::span<const Vector>> vectors_of(const Mesh& mesh, Index number, Semantic semantic, const char* name) {
    const auto found = std::find_if(mesh.attributes.begin(), mesh.attributes.end(),
                                    [&](const Attribute& attribute) { return attribute.semantic == semantic; });
    if (found == mesh.attributes.end()) return std::span<const Vector>();
    const Accessor& data = found->data;
    constexpr ElementType element = sizeof(Vector) == sizeof(Vec3) ? ElementType::vec3 : ElementType::vec4;
    if (data.element != element || data.component != ComponentType::f32)
        return fail(attribute_problem(number, name, "another type"));
    const auto vectors = data.as<Vector>();
    if (vectors.size() != mesh.vertex_count || vectors.size_bytes() != data.bytes.size())
        return fail(attribute_problem(number, name, std::to_string(vectors.size()) + " vectors"));
    return vectors;
}

template <class Vector>
std::span<Vector> part_of(Bulk<Vector>& vectors, std::size_t size) {
    return std::span(vectors).first(std::min(size, vectors.size()));
}

template <class Vector>
void make_room(Bulk<Vector>& vectors, std::size_t size) {
    if (vectors.size() < size) vectors.resize(size);
}

}  // namespace

void Vertices::grow(const VertexView& like) {
    make_room(positions, like.positions.size());
    make_room(normals, like.normals.size());
    make_room(tangents, like.tangents.size());
}

VertexSpan Vertices::first(const VertexView& like) noexcept {
    return {part_of(positions, like.positions.size()), part_of(normals, like.normals.size()),
            part_of(tangents, like.tangents.size())};
}

Result<VertexView> vertices_of(const Mesh& mesh, Index number) {
    if (mesh.vertex_count == 0) return VertexView{};
    const auto positions = vectors_of<Vec3>(mesh, number, Semantic::position, "POSITION");
    if (!positions) return fail(positions.error());
    if (positions->empty()) return fail(attribute_problem(number, "POSITION", "none"));
    const auto normals = vectors_of<Vec3>(mesh, number, Semantic::normal, "NORMAL");
    if (!normals) return fail(normals.error());
    const auto tangents = vectors_of<Vec4>(mesh, number, Semantic::tangent, "TANGENT");
    if (!tangents) return fail(tangents.error());
    return VertexView{*positions, *normals, *tangents};
}

}  // namespace effigy::playback
