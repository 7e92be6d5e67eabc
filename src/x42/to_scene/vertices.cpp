/// Vertices of a level of detail: unpacked, made fit for glTF, and judged; indices of its groups.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>

#include "x42/to_scene/geometry.hpp"
#include "x42/to_scene/math.hpp"
#include "x42/to_scene/mesh_codes.hpp"

namespace effigy::x42::bridge {
namespace {

bool is_whole(std::size_t size, const File& file) noexcept { return size != 0 && size == file.vertices.size(); }

float finite(float value, MeshFindings& findings) noexcept {
    if (std::isfinite(value)) return value;
    ++findings.not_finite;
    return 0;
}

/// Of length 1, or zero.
glm::dvec3 unit(const glm::dvec3& v) noexcept {
    const double length = glm::length(v);
    return length > 1e-12 && std::isfinite(length) ? v / length : glm::dvec3(0);
}

struct Basis {
    glm::dvec3 tangent, bitangent;
    double sign = 1;  ///< of the normal that they span
};

Basis basis_of(const PackedTangent& packed) noexcept {
    const auto at = [&](std::size_t i) { return static_cast<double>(packed[i]); };
    return {{at(0), at(1), at(2)}, {at(4), at(5), at(6)}, packed[3] < 0 ? -1.0 : 1.0};
}

void add_normals(const File& file, const Level& level, Mesh& mesh) {
    const bool stored = is_whole(file.normals.size(), file);
    if (!stored && !is_whole(file.tangents.size(), file)) return;
    const auto normals = add_attribute<Vec3>(mesh, Semantic::normal, ElementType::vec3, ComponentType::f32);
    each_vertex(level, [&](std::size_t to, std::size_t from) {
        if (stored) {
            normals[to] = narrow(unit(wide(unpack(file.normals[from]))));
        } else {
            const Basis basis = basis_of(file.tangents[from]);
            normals[to] = narrow(basis.sign * unit(glm::cross(basis.tangent, basis.bitangent)));
        }
    });
}

void add_texcoords(const File& file, const Level& level, Mesh& mesh, MeshFindings& findings) {
    const auto places = add_attribute<Vec2>(mesh, Semantic::texcoord, ElementType::vec2, ComponentType::f32);
    each_vertex(level, [&](std::size_t to, std::size_t from) {
        const Vec2 place = unpack(file.texcoords[from], file.pack.texcoords);
        places[to] = {finite(place.x, findings), finite(place.y, findings)};
    });
}

void add_colors(const File& file, const Level& level, Mesh& mesh) {
    const auto colors = add_attribute<std::uint8_t>(mesh, Semantic::color, ElementType::vec4, ComponentType::u8);
    for (const Piece& piece : level.pieces) {
        std::memcpy(&colors[4 * std::size_t{piece.first_vertex}], &file.colors[piece.group->first_vertex],
                    4 * std::size_t{piece.group->vertex_count});
    }
}

/// Some direction at a right angle to a normal.
glm::dvec3 across(const glm::dvec3& n) noexcept {
    return unit(std::abs(n.x) > 0.7 ? glm::dvec3(-n.z, 0, n.x) : glm::dvec3(0, n.z, -n.y));
}

Vec4 tangent_of(const glm::dvec3& normal, const Basis& basis, MeshFindings& findings) noexcept {
    // Bytes are exact to a hundredth or so: less is no direction.
    const glm::dvec3 flat = basis.tangent - glm::dot(basis.tangent, normal) * normal;
    const bool usable = glm::length(flat) > 0.01 * glm::length(basis.tangent);
    const double side = glm::dot(glm::cross(normal, flat), basis.bitangent);
    if (!usable || side == 0) ++findings.bad_tangents;
    const Vec3 tangent = narrow(usable ? unit(flat) : across(normal));
    return {tangent.x, tangent.y, tangent.z, side < 0 ? -1.0f : 1.0f};
}

/// Elements of one primitive in a list; 0 where all elements hang together.
std::size_t list_width(Topology topology) noexcept {
    return topology == Topology::points ? 1 : topology == Topology::lines ? 2 : topology == Topology::triangles ? 3 : 0;
}

/// Lists lose the primitives that cannot be drawn.
void clean_list(Bulk<std::uint32_t>& indices, std::size_t width, std::uint32_t vertices, MeshFindings& findings) {
    findings.incomplete += indices.size() % width;
    std::size_t kept = 0;
    for (std::size_t i = 0; i + width <= indices.size(); i += width) {
        const auto first = indices.begin() + static_cast<std::ptrdiff_t>(i);
        const auto end = first + static_cast<std::ptrdiff_t>(width);
        const auto bad = std::count_if(first, end, [&](std::uint32_t index) { return index >= vertices; });
        findings.astray += static_cast<std::uint64_t>(bad);
        if (bad != 0) continue;
        std::copy(first, end, indices.begin() + static_cast<std::ptrdiff_t>(kept));
        kept += width;
    }
    indices.resize(kept);
}

/// Strips and fans end before what cannot be drawn.
void clean_strip(Bulk<std::uint32_t>& indices, std::size_t least, std::uint32_t vertices, MeshFindings& findings) {
    const auto bad =
        std::find_if(indices.begin(), indices.end(), [&](std::uint32_t index) { return index >= vertices; });
    findings.astray += static_cast<std::uint64_t>(indices.end() - bad);
    indices.erase(bad, indices.end());
    if (indices.size() >= least) return;
    findings.incomplete += indices.size();
    indices.clear();
}

}  // namespace

std::string Vote::text() const { return std::to_string(contradict) + " of " + std::to_string(agree + contradict); }

bool is_textured(const File& file) noexcept { return is_whole(file.texcoords.size(), file); }

void add_vertices(const File& file, const Level& level, Mesh& mesh, MeshFindings& findings) {
    const auto positions = add_attribute<Vec3>(mesh, Semantic::position, ElementType::vec3, ComponentType::f32);
    each_vertex(level, [&](std::size_t to, std::size_t from) {
        const Vec3 v = unpack(file.vertices[from], file.pack.vertex_positions);
        positions[to] = {finite(v.x, findings), finite(v.y, findings), finite(v.z, findings)};
    });
    add_normals(file, level, mesh);
    if (is_textured(file)) add_texcoords(file, level, mesh, findings);
    if (is_whole(file.colors.size(), file)) add_colors(file, level, mesh);
}

void repair_normals(Mesh& mesh, MeshFindings& findings) {
    const auto normals = elements<Vec3>(mesh, Semantic::normal);
    std::vector<bool> bad(normals.size(), false);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < normals.size(); ++i) {
        bad[i] = normals[i] == Vec3{0, 0, 0};
        count += bad[i] ? 1u : 0u;
    }
    if (count == 0) return;
    findings.bad_normals += count;
    const auto positions = elements<Vec3>(mesh, Semantic::position);
    std::unordered_map<std::uint32_t, glm::dvec3> sums;
    for (const Primitive& primitive : mesh.primitives) {
        each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            if (!bad[a] && !bad[b] && !bad[c]) return;
            const glm::dvec3 from = wide(positions[a]);
            const glm::dvec3 face = glm::cross(wide(positions[b]) - from, wide(positions[c]) - from);
            for (const std::uint32_t corner : {a, b, c}) {
                if (bad[corner]) sums.try_emplace(corner, glm::dvec3(0)).first->second += face;
            }
        });
    }
    for (std::uint32_t i = 0; i < normals.size(); ++i) {
        if (!bad[i]) continue;
        const auto sum = sums.find(i);
        const glm::dvec3 normal = sum == sums.end() ? glm::dvec3(0) : unit(sum->second);
        normals[i] = normal == glm::dvec3(0) ? Vec3{0, 1, 0} : narrow(normal);
    }
}

void add_tangents(const File& file, const Level& level, Mesh& mesh, MeshFindings& findings) {
    if (!is_whole(file.tangents.size(), file) || has_points_only(mesh)) return;
    const auto tangents = add_attribute<Vec4>(mesh, Semantic::tangent, ElementType::vec4, ComponentType::f32);
    const auto normals = elements<Vec3>(mesh, Semantic::normal);
    each_vertex(level, [&](std::size_t to, std::size_t from) {
        tangents[to] = tangent_of(wide(normals[to]), basis_of(file.tangents[from]), findings);
    });
}

void judge_winding(Mesh& mesh, Vote& vote) {
    const auto positions = elements<Vec3>(mesh, Semantic::position);
    const auto normals = elements<Vec3>(mesh, Semantic::normal);
    if (normals.empty()) return;
    for (const Primitive& primitive : mesh.primitives) {
        each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            const glm::dvec3 from = wide(positions[a]);
            const glm::dvec3 face = glm::cross(wide(positions[b]) - from, wide(positions[c]) - from);
            // Clockwise is what files have.
            vote.count(-glm::dot(face, wide(normals[a]) + wide(normals[b]) + wide(normals[c])));
        });
    }
}

void judge_bitangents(Mesh& mesh, Vote& vote) {
    const auto positions = elements<Vec3>(mesh, Semantic::position);
    const auto normals = elements<Vec3>(mesh, Semantic::normal);
    const auto tangents = elements<Vec4>(mesh, Semantic::tangent);
    const auto places = elements<Vec2>(mesh, Semantic::texcoord);
    if (tangents.empty() || places.empty()) return;
    const auto bitangent = [&](std::uint32_t i) {
        const Vec4& t = tangents[i];
        return static_cast<double>(t.w) * glm::cross(wide(normals[i]), wide(Vec3{t.x, t.y, t.z}));
    };
    for (const Primitive& primitive : mesh.primitives) {
        each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            const auto step = [&](std::uint32_t to) {
                return glm::dvec2(static_cast<double>(places[to].x) - static_cast<double>(places[a].x),
                                  static_cast<double>(places[to].y) - static_cast<double>(places[a].y));
            };
            const glm::dvec3 from = wide(positions[a]);
            const glm::dvec2 u = step(b), v = step(c);
            const double area = u.x * v.y - v.x * u.y;
            const glm::dvec3 along_v =
                (u.x * (wide(positions[c]) - from) - v.x * (wide(positions[b]) - from)) * (area < 0 ? -1.0 : 1.0);
            if (area != 0) vote.count(-glm::dot(along_v, bitangent(a) + bitangent(b) + bitangent(c)));
        });
    }
}

Bulk<std::uint32_t> elements_of(const File& file, const DrawnGroup& group, MeshFindings& findings) {
    Bulk<std::uint32_t> indices;
    indices.reserve(std::size_t{group.element_count} + 1);
    for (std::uint32_t i = 0; i < group.element_count; ++i) {
        indices.push_back(group.indexed() ? file.indices[std::size_t{group.first_index} + i] : i);
    }
    if (const std::size_t width = list_width(group.topology); width != 0) {
        clean_list(indices, width, group.vertex_count, findings);
    } else {
        clean_strip(indices, group.topology == Topology::line_strip ? 2 : 3, group.vertex_count, findings);
    }
    return indices;
}

}  // namespace effigy::x42::bridge
