#pragma once
/// Measures a .glb against the file that it was made from: the oracle's reading on one side, a viewer's on the other.
/// The file's frame is left-handed; glTF's world is its mirror image in Z.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "proof/glb.hpp"
#include "proof/oracle.hpp"

namespace measure {

/// A mesh of the file and the node that draws it in the .glb.
struct Match {
    const oracle::Mesh* mesh = nullptr;
    std::size_t node = 0;
    double error = 0;  ///< largest distance of a vertex in the rest pose, in units of the model's size
    std::vector<std::pair<const oracle::Submesh*, const glb::Primitive*>> parts;
};

struct Matching {
    std::vector<Match> matches;
    std::vector<std::string> missing;  ///< meshes of the file that no node draws
};

/// Diagonal of everything that the file draws at rest (of its joints, where it draws nothing).
[[nodiscard]] double size_of(const oracle::Drawing& drawing, const std::vector<oracle::Mat4>& world);

/// Finds for each mesh of the file the node that draws the same vertices at the same places. `world` has the rest
/// matrices of the nodes: the file's own, or those of another actor that it joins.
[[nodiscard]] Matching match_meshes(const oracle::Drawing& drawing, const std::vector<oracle::Mat4>& world,
                                    const glb::Document& document, double size);
[[nodiscard]] Matching match_meshes(const oracle::Drawing& drawing, const glb::Document& document, double size);

/// Which way surfaces and tangents point. Corners of triangles without area, and zero vectors, are left out.
struct Surface {
    std::size_t faces = 0, agreeing_faces = 0;      ///< file: triangle against the sum of its normals
    std::size_t corners = 0, agreeing_normals = 0;  ///< file
    std::size_t drawn_normals = 0;                  ///< .glb: corners that agree
    std::size_t tangent_corners = 0;
    std::size_t agreeing_tangents = 0, drawn_tangents = 0;
    std::size_t agreeing_bitangents = 0, drawn_bitangents = 0;
    std::size_t borderline = 0;       ///< |cos| too small to tell, on either side
    std::size_t contradictions = 0;   ///< corners that agree on one side only
    std::size_t other_triangles = 0;  ///< triangles over other vertices than in the file
    std::size_t lost_tangents = 0;    ///< corners whose first tangent is not in the .glb

    void add(const Surface& other);
};

[[nodiscard]] Surface compare_surface(const oracle::Drawing& drawing, const glb::Document& document,
                                      const Matching& matching, double size);

/// How far joints lie from the vertices that they move.
struct Joints {
    std::size_t links = 0, drawn_links = 0;   ///< pairs of a vertex and a joint that moves it
    double distance = 0, drawn_distance = 0;  ///< their mean distance
    double error = 0;  ///< largest distance between weighted mean joint positions, in units of the size
};

[[nodiscard]] Joints compare_joints(const oracle::Drawing& drawing, const glb::Document& document,
                                    const Matching& matching, double size);

/// Largest error of any node's matrix, by name, in units of the size; missing names are infinitely far.
[[nodiscard]] double compare_nodes(const oracle::Actor& actor, const std::vector<oracle::Mat4>& world,
                                   const glb::Pose& pose, double size);

/// Largest error of some vertices (about `most` of each submesh) in units of the size. Rigid collision meshes are left
/// out: they stand beside the scene, in the rest pose.
[[nodiscard]] double compare_vertices(const oracle::Drawing& drawing, const std::vector<oracle::Mat4>& world,
                                      const std::vector<double>& weights, const glb::Document& document,
                                      const glb::Pose& pose, const Matching& matching, double size, std::size_t most);

/// A name as the .glb has it.
[[nodiscard]] std::string decoded(const std::string& raw);

}  // namespace measure
