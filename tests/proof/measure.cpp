/// Compares places of vertices, reading against viewer.

#include "proof/measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace measure {
namespace {

using oracle::Mat4;
using oracle::Vec2;
using oracle::Vec3;
using oracle::Vec4;
using Mat3 = glm::dmat3;

constexpr double unclear = 1e-4;  ///< cosines below it say nothing

Vec3 mirrored(const Vec3& v) { return {v.x, v.y, -v.z}; }

Mat4 mirrored(const Mat4& m) {
    Mat4 z(1.0);
    z[2][2] = -1;
    return z * m * z;
}

using Parts = std::vector<std::pair<const oracle::Submesh*, const glb::Primitive*>>;

/// Pairs submeshes with primitives, or nothing if they are not of the same shape.
Parts pair_parts(const oracle::Mesh& mesh, const glb::Mesh& drawn) {
    Parts parts;
    for (const oracle::Submesh& submesh : mesh.submeshes) {
        if (submesh.indices.empty()) continue;
        if (parts.size() == drawn.primitives.size()) return {};
        const glb::Primitive& primitive = drawn.primitives[parts.size()];
        if (primitive.positions.size() != submesh.vertex_count) return {};
        if (primitive.indices.size() != submesh.indices.size()) return {};
        parts.emplace_back(&submesh, &primitive);
    }
    return parts.size() == drawn.primitives.size() ? parts : Parts{};
}

bool draws_something(const oracle::Mesh& mesh) {
    return std::ranges::any_of(mesh.submeshes, [](const oracle::Submesh& submesh) { return !submesh.indices.empty(); });
}

/// Largest distance between a vertex as the file means it and as it is drawn.
double vertex_error(const oracle::Drawing& drawing, const std::vector<Mat4>& world, const std::vector<double>& weights,
                    const glb::Document& document, const glb::Pose& pose, const Match& match, std::size_t most) {
    double worst = 0;
    for (const auto& [submesh, primitive] : match.parts) {
        const std::size_t count = submesh->vertex_count, step = std::max<std::size_t>(1, count / most);
        for (std::size_t v = 0; v < count; v += step) {
            const Vec3 meant = drawing.position(*match.mesh, submesh->first_vertex + v, world, weights);
            const Vec3 drawn = glb::position(document, pose, match.node, *primitive, v);
            const double error = glm::length(drawn - mirrored(meant));
            if (!(error <= worst)) worst = error;  // keeps NaN
        }
    }
    return worst;
}

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

/// One corner's measures: agreement of a vector with another, and whether it can be told.
struct Sign {
    bool agrees = false;
    bool clear = false;
};

Sign sign_of(const Vec3& a, const Vec3& b) {
    const double length = glm::length(a) * glm::length(b);
    if (!(length > 0)) return {};
    const double cosine = glm::dot(a, b) / length;
    return {cosine > 0, std::abs(cosine) >= unclear};
}

/// A triangle's corners in the world of one side.
struct Triangle {
    std::array<Vec3, 3> positions, normals, tangents, bitangents;
    std::array<Vec2, 3> uvs;

    [[nodiscard]] Vec3 normal() const { return glm::cross(positions[1] - positions[0], positions[2] - positions[0]); }
    /// dP/du and dP/dv; zero where the texture has no area.
    [[nodiscard]] std::pair<Vec3, Vec3> texture_axes() const {
        const Vec3 a = positions[1] - positions[0], b = positions[2] - positions[0];
        const Vec2 s = uvs[1] - uvs[0], t = uvs[2] - uvs[0];
        const double area = s.x * t.y - t.x * s.y;
        if (area == 0) return {Vec3(0), Vec3(0)};
        return {(a * t.y - b * s.y) / area, (b * s.x - a * t.x) / area};
    }
    /// The smallest height in proportion to the size of the model: rounding turns slivers.
    [[nodiscard]] double height() const {
        const double longest =
            std::max({glm::length(positions[1] - positions[0]), glm::length(positions[2] - positions[1]),
                      glm::length(positions[0] - positions[2])});
        return longest > 0 ? glm::length(normal()) / longest : 0;
    }
};

void set_directions(Triangle& triangle, std::size_t corner, const Mat4& matrix, const Vec3& normal,
                    const Vec4* tangent) {
    const Mat3 linear(matrix);
    triangle.normals[corner] = glm::transpose(glm::inverse(linear)) * normal;
    if (tangent == nullptr) return;
    triangle.tangents[corner] = linear * Vec3(*tangent);
    // It lies in the surface, and moves with it: what mirrors the surface does not turn the texture round.
    triangle.bitangents[corner] = linear * glm::cross(normal, Vec3(*tangent)) * tangent->w;
}

/// What the comparison of one mesh needs at every corner.
struct Side {
    const oracle::Drawing& drawing;
    const glb::Document& document;
    const glb::Pose& pose;
    const Match& match;
};

Triangle meant_triangle(const Side& side, const std::array<std::uint32_t, 3>& vertices, std::size_t set) {
    const oracle::Mesh& mesh = *side.match.mesh;
    Triangle triangle;
    for (std::size_t c = 0; c < 3; ++c) {
        const std::uint32_t v = vertices[c];
        const Mat4 matrix = side.drawing.vertex_matrix(mesh, v, side.drawing.bind_world());
        triangle.positions[c] = Vec3(matrix * Vec4(mesh.positions[v], 1));
        if (set < mesh.uvs.size()) triangle.uvs[c] = mesh.uvs[set][v];
        const Vec4* tangent = set < mesh.tangents.size() ? &mesh.tangents[set][v] : nullptr;
        set_directions(triangle, c, matrix, mesh.normals.empty() ? Vec3(0) : mesh.normals[v], tangent);
    }
    return triangle;
}

Triangle drawn_triangle(const Side& side, const glb::Primitive& primitive, const std::array<std::uint32_t, 3>& vertices,
                        std::size_t set) {
    Triangle triangle;
    for (std::size_t c = 0; c < 3; ++c) {
        const std::uint32_t v = vertices[c];
        const Mat4 matrix = glb::vertex_matrix(side.document, side.pose, side.match.node, primitive, v);
        triangle.positions[c] = Vec3(matrix * Vec4(primitive.positions[v], 1));
        if (set < primitive.uvs.size()) triangle.uvs[c] = primitive.uvs[set][v];
        const Vec4* tangent = set < primitive.tangents.size() ? &primitive.tangents[set][v] : nullptr;
        set_directions(triangle, c, matrix, primitive.normals.empty() ? Vec3(0) : primitive.normals[v], tangent);
    }
    return triangle;
}

/// A viewer turns triangles over where the node mirrors; skins are drawn without the node.
double facing(const Side& side) {
    if (side.pose.nodes[side.match.node].skin != glb::none) return 1;
    return glm::determinant(Mat3(side.pose.world[side.match.node])) < 0 ? -1 : 1;
}

void count_sign(Sign meant, Sign drawn, std::size_t& agreeing, std::size_t& also_drawn, Surface& surface) {
    agreeing += meant.agrees;
    also_drawn += drawn.agrees;
    if (!meant.clear || !drawn.clear)
        ++surface.borderline;
    else if (meant.agrees != drawn.agrees)
        ++surface.contradictions;
}

void compare_normals(const Triangle& meant, const Triangle& drawn, const std::array<std::size_t, 3>& partner,
                     double turn, Surface& surface) {
    const Vec3 sum = meant.normals[0] + meant.normals[1] + meant.normals[2];
    if (sum != Vec3(0)) {
        ++surface.faces;
        surface.agreeing_faces += sign_of(meant.normal(), sum).agrees;
    }
    for (std::size_t c = 0; c < 3; ++c) {
        if (meant.normals[c] == Vec3(0)) continue;
        ++surface.corners;
        count_sign(sign_of(meant.normal(), meant.normals[c]), sign_of(turn * drawn.normal(), drawn.normals[partner[c]]),
                   surface.agreeing_normals, surface.drawn_normals, surface);
    }
}

void compare_tangents(const Triangle& meant, const Triangle& drawn, const std::array<std::size_t, 3>& partner,
                      Surface& surface) {
    const auto [meant_u, meant_v] = meant.texture_axes();
    const auto [drawn_u, drawn_v] = drawn.texture_axes();
    if (meant_u == Vec3(0) || meant_v == Vec3(0)) return;
    for (std::size_t c = 0; c < 3; ++c) {
        if (meant.tangents[c] == Vec3(0) || meant.bitangents[c] == Vec3(0)) continue;
        ++surface.tangent_corners;
        count_sign(sign_of(meant.tangents[c], meant_u), sign_of(drawn.tangents[partner[c]], drawn_u),
                   surface.agreeing_tangents, surface.drawn_tangents, surface);
        count_sign(sign_of(meant.bitangents[c], meant_v), sign_of(drawn.bitangents[partner[c]], -drawn_v),
                   surface.agreeing_bitangents, surface.drawn_bitangents, surface);
    }
}

Surface compare_part(const Side& side, const oracle::Submesh& submesh, const glb::Primitive& primitive, double size) {
    Surface surface;
    const oracle::Mesh& mesh = *side.match.mesh;
    const double turn = facing(side);
    const std::size_t sets = std::max<std::size_t>(1, std::min(mesh.tangents.size(), mesh.uvs.size()));
    for (std::size_t i = 0; i + 2 < submesh.indices.size(); i += 3) {
        std::array<std::uint32_t, 3> own{}, theirs{};
        std::array<std::size_t, 3> partner{};  // the same vertex in the drawn triangle
        bool same = true;
        for (std::size_t c = 0; c < 3; ++c) {
            own[c] = submesh.indices[i + c];
            theirs[c] = primitive.indices[i + c];
        }
        for (std::size_t c = 0; c < 3; ++c) {
            const auto found = std::ranges::find(theirs, own[c]);
            same =
                same && found != theirs.end() && std::ranges::count(theirs, own[c]) == std::ranges::count(own, own[c]);
            partner[c] = found == theirs.end() ? 0 : static_cast<std::size_t>(found - theirs.begin());
        }
        if (!same) {
            ++surface.other_triangles;
            continue;
        }
        for (std::uint32_t& v : own) v += submesh.first_vertex;
        for (std::size_t set = 0; set < sets; ++set) {
            const Triangle meant = meant_triangle(side, own, set);
            if (meant.height() <= 1e-6 * size) break;
            const Triangle drawn = drawn_triangle(side, primitive, theirs, set);
            if (set == 0) compare_normals(meant, drawn, partner, turn, surface);
            if (set >= mesh.tangents.size() || set >= mesh.uvs.size()) break;
            if (set < primitive.tangents.size())
                compare_tangents(meant, drawn, partner, surface);
            else if (set == 0 && !mesh.normals.empty())
                surface.lost_tangents += 3;
        }
    }
    return surface;
}

}  // namespace

void Surface::add(const Surface& other) {
    faces += other.faces;
    agreeing_faces += other.agreeing_faces;
    corners += other.corners;
    agreeing_normals += other.agreeing_normals;
    drawn_normals += other.drawn_normals;
    tangent_corners += other.tangent_corners;
    agreeing_tangents += other.agreeing_tangents;
    drawn_tangents += other.drawn_tangents;
    agreeing_bitangents += other.agreeing_bitangents;
    drawn_bitangents += other.drawn_bitangents;
    borderline += other.borderline;
    contradictions += other.contradictions;
    other_triangles += other.other_triangles;
    lost_tangents += other.lost_tangents;
}

double size_of(const oracle::Drawing& drawing, const std::vector<Mat4>& world) {
    Vec3 low(std::numeric_limits<double>::max()), high(std::numeric_limits<double>::lowest());
    const auto include = [&](const Vec3& point) {
        low = glm::min(low, point);
        high = glm::max(high, point);
    };
    const std::vector<double> weights(drawing.actor().targets.size(), 0.0);
    for (const oracle::Mesh& mesh : drawing.actor().meshes)
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) include(drawing.position(mesh, v, world, weights));
    if (low.x > high.x)
        for (const Mat4& node : world) include(Vec3(node[3]));
    const double diagonal = low.x > high.x ? 0 : glm::length(high - low);
    return diagonal > 0 ? diagonal : 1;
}

Matching match_meshes(const oracle::Drawing& drawing, const glb::Document& document, double size) {
    return match_meshes(drawing, drawing.bind_world(), document, size);
}

Matching match_meshes(const oracle::Drawing& drawing, const std::vector<Mat4>& world, const glb::Document& document,
                      double size) {
    Matching matching;
    const glb::Pose pose = glb::rest(document);
    const std::vector<double> weights = oracle::weights_at(drawing.actor(), nullptr, 0);
    std::vector<bool> used(document.nodes.size());
    for (const oracle::Mesh& mesh : drawing.actor().meshes) {
        if (!draws_something(mesh)) continue;
        Match best;
        best.error = std::numeric_limits<double>::infinity();
        for (std::size_t n = 0; n < document.nodes.size(); ++n) {
            const glb::Node& node = document.nodes[n];
            if (used[n] || node.mesh == glb::none) continue;
            Match match{&mesh, n, 0, pair_parts(mesh, document.meshes.at(static_cast<std::size_t>(node.mesh)))};
            if (match.parts.empty()) continue;
            match.error = vertex_error(drawing, world, weights, document, pose, match, all) / size;
            if (match.error < best.error) best = match;
        }
        if (best.mesh == nullptr) {
            matching.missing.push_back("the mesh of " + decoded(drawing.actor().nodes.at(mesh.node).name));
            continue;
        }
        used[best.node] = true;
        matching.matches.push_back(best);
    }
    return matching;
}

Surface compare_surface(const oracle::Drawing& drawing, const glb::Document& document, const Matching& matching,
                        double size) {
    Surface surface;
    const glb::Pose pose = glb::rest(document);
    for (const Match& match : matching.matches)
        for (const auto& [submesh, primitive] : match.parts)
            surface.add(compare_part({drawing, document, pose, match}, *submesh, *primitive, size));
    return surface;
}

Joints compare_joints(const oracle::Drawing& drawing, const glb::Document& document, const Matching& matching,
                      double size) {
    Joints joints;
    const glb::Pose pose = glb::rest(document);
    const std::vector<Mat4>& world = drawing.bind_world();
    for (const Match& match : matching.matches) {
        if (!match.mesh->skinned) continue;
        const int skin_index = document.nodes[match.node].skin;
        if (skin_index == glb::none) {
            joints.error = std::numeric_limits<double>::infinity();
            continue;
        }
        const glb::Skin& skin = document.skins.at(static_cast<std::size_t>(skin_index));
        for (const auto& [submesh, primitive] : match.parts)
            for (std::size_t v = 0; v < submesh->vertex_count; ++v) {
                const std::size_t vertex = submesh->first_vertex + v;
                const Vec3 place = match.mesh->positions[vertex];
                std::map<std::uint32_t, double> weights;
                double total = 0;
                for (const oracle::Influence& influence : match.mesh->influences_of(vertex)) {
                    weights[influence.node] += influence.weight;
                    total += influence.weight;
                }
                if (weights.empty()) weights[match.mesh->node] = total = 1;
                Vec3 mean(0), drawn_mean(0);
                for (const auto& [node, weight] : weights) {
                    if (weight == 0) continue;
                    mean += weight / total * Vec3(world.at(node)[3]);
                    joints.distance += glm::length(Vec3(world.at(node)[3]) - place);
                    ++joints.links;
                }
                for (const glb::Influence& influence : primitive->influences.at(v)) {
                    const int joint = skin.joints.at(static_cast<std::size_t>(influence.joint));
                    const Vec3 joint_place(pose.world.at(static_cast<std::size_t>(joint))[3]);
                    drawn_mean += influence.weight * joint_place;
                    joints.drawn_distance += glm::length(joint_place - primitive->positions[v]);
                    ++joints.drawn_links;
                }
                joints.error = std::max(joints.error, glm::length(drawn_mean - mirrored(mean)) / size);
            }
    }
    if (joints.links > 0) joints.distance /= static_cast<double>(joints.links);
    if (joints.drawn_links > 0) joints.drawn_distance /= static_cast<double>(joints.drawn_links);
    return joints;
}

double compare_nodes(const oracle::Actor& actor, const std::vector<Mat4>& world, const glb::Pose& pose, double size) {
    std::multimap<std::string, std::size_t> by_name;
    for (std::size_t n = 0; n < pose.nodes.size(); ++n) by_name.emplace(pose.nodes[n].name, n);
    // Four points see the whole matrix; the arm gives turns a weight in lengths.
    const double arm = 0.1 * size;
    const std::array<Vec4, 4> points{Vec4(0, 0, 0, 1), Vec4(arm, 0, 0, 1), Vec4(0, arm, 0, 1), Vec4(0, 0, arm, 1)};
    double worst = 0;
    for (std::size_t i = 0; i < actor.nodes.size(); ++i) {
        const Mat4 meant = mirrored(world[i]);
        double best = std::numeric_limits<double>::infinity();
        const auto [begin, end] = by_name.equal_range(decoded(actor.nodes[i].name));
        for (auto candidate = begin; candidate != end; ++candidate) {
            double error = 0;
            for (const Vec4& point : points)
                error = std::max(error, glm::length(Vec3((pose.world[candidate->second] - meant) * point)));
            best = std::min(best, error);
        }
        worst = std::max(worst, best);
    }
    return worst / size;
}

double compare_vertices(const oracle::Drawing& drawing, const std::vector<Mat4>& world,
                        const std::vector<double>& weights, const glb::Document& document, const glb::Pose& pose,
                        const Matching& matching, double size, std::size_t most) {
    double worst = 0;
    for (const Match& match : matching.matches) {
        if (match.mesh->collision && !match.mesh->skinned) continue;
        const double error = vertex_error(drawing, world, weights, document, pose, match, most);
        if (!(error <= worst)) worst = error;
    }
    return worst / size;
}

std::string decoded(const std::string& raw) {
    std::string text;
    std::size_t rest = 0;  // bytes to come of a UTF-8 character
    bool valid = true;
    for (const char c : raw) {
        const auto byte = static_cast<unsigned char>(c);
        if (rest > 0) {
            valid = valid && (byte & 0xc0u) == 0x80u;
            --rest;
        } else if (byte >= 0x80u) {
            rest = byte >= 0xf0u ? 3 : byte >= 0xe0u ? 2 : 1;
            valid = valid && byte >= 0xc2u;
        }
        // Latin-1, which CP1252 agrees with for all letters
        if (byte < 0x80u) {
            text += c;
        } else {
            text += static_cast<char>(0xc0u | (byte >> 6));
            text += static_cast<char>(0x80u | (byte & 0x3fu));
        }
    }
    return valid && rest == 0 ? raw : text;
}

}  // namespace measure
