#pragma once
/// Meshes on their way into the scene.

#include <cstddef>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <vector>

#include "arp/to_scene/to_scene.hpp"

namespace effigy::arp::bridge {

/// Where a bone was when points were bound to it, in units of the file.
struct BoundBone {
    glm::dmat3 rotation{1};
    glm::dvec3 translation{0};
};

inline constexpr std::size_t shares_in_set = 4;  ///< of glTF's JOINTS_n

/// One joint of a point.
struct JointWeight {
    std::uint32_t joint = 0;
    double weight = 0;
};

/// Points of a mesh, each with its joints.
struct BoundPoints {
    std::vector<glm::dvec3> positions;        ///< in units of the file
    std::vector<glm::dvec3> normals;          ///< unit, or zero
    std::vector<std::uint32_t> first_shares;  ///< one for each point, and the number of all at the end
    std::vector<JointWeight> shares;
    std::size_t max_shares = 0;  ///< of one point
};

/// What was found wrong with a mesh.
struct MeshFindings {
    NameList unknown_bones;         ///< that points hang on
    std::uint64_t bad_weights = 0;  ///< links with weights below 0 or not finite
    std::uint64_t loose = 0;        ///< points that no link holds
    std::uint64_t not_finite = 0;   ///< points
    std::uint64_t bad_normals = 0;
    std::uint64_t bad_duplicates = 0;
    std::uint64_t no_texcoords = 0;   ///< vertices
    std::uint64_t astray = 0;         ///< triangles
    std::uint64_t weightless = 0;     ///< links that hold nothing
    std::uint64_t scaled = 0;         ///< points whose weights do not add up to 1
    std::uint64_t distances = 0;      ///< links whose distance along the bone is not that of their offset
    std::uint64_t normals_apart = 0;  ///< points whose links have different normals at the bind
    double worst_normal = 0;          ///< degrees
};

/// Where points are at the bind, and what they follow. (to_scene/skin.cpp)
[[nodiscard]] Result<BoundPoints> bind_points(Build& build, const Avatar& avatar, const Mesh& mesh,
                                              std::span<const BoundBone> bones, MeshFindings& findings);

/// A mesh of the scene and what its vertices are copies of.
struct Copies {
    std::vector<std::uint32_t> points;          ///< of each vertex
    std::vector<std::uint32_t> first_vertices;  ///< for each point in `vertices`, and their number at the end
    std::vector<std::uint32_t> vertices;        ///< by point, then ascending
};

/// Primitive, positions, normals and texture coordinates, for which memory has been taken. (to_scene/vertices.cpp)
void add_vertices(Build& build, const Avatar& avatar, const Mesh& mesh, const Copies& copies, const BoundPoints& bound,
                  effigy::Mesh& made, MeshFindings& findings);

/// False: there are no joints, or more than glTF has numbers for. (to_scene/skin.cpp)
[[nodiscard]] Result<bool> add_weights(Build& build, const Avatar& avatar, const Copies& copies,
                                       const BoundPoints& bound, const std::string& path, effigy::Mesh& made);
/// All bones in the file's order, then the helper joints.
[[nodiscard]] Index add_skin(Build& build, const Avatar& avatar, std::span<const BoundBone> bones, const Bind& bind,
                             std::string name);

/// (to_scene/morphs.cpp)
[[nodiscard]] Result<void> add_morphs(Build& build, const Avatar& avatar, const Mesh& mesh, const Copies& copies,
                                      const glm::dmat3& head, effigy::Mesh& made, PlacedMesh& placed);

}  // namespace effigy::arp::bridge
