#pragma once
/// A second, independent reading of XAC, XSM and XPM: straight from the bytes, in double precision, in the file's own
/// left-handed frame. It shares no code with the library, so that both can be measured against each other.
/// Only for valid files: anything else throws std::runtime_error.

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>
#include <string>
#include <vector>

namespace oracle {

using Vec2 = glm::dvec2;
using Vec3 = glm::dvec3;
using Vec4 = glm::dvec4;
using Quat = glm::dquat;
using Mat4 = glm::dmat4;
using ByteView = std::span<const std::byte>;

inline constexpr std::uint32_t no_node = 0xffffffffu;

struct Transform {
    Vec3 position{0};
    Quat rotation{1, 0, 0, 0};
    Vec3 scale{1};
    Quat scale_rotation{1, 0, 0, 0};
};

struct Node {
    std::string name;  ///< raw bytes
    std::uint32_t parent = no_node;
    Transform bind;
};

struct Influence {
    std::uint32_t node = 0;
    double weight = 0;
};

struct Submesh {
    std::uint32_t first_vertex = 0;
    std::uint32_t vertex_count = 0;
    std::vector<std::uint32_t> indices;  ///< into the vertices of the submesh
};

struct Mesh {
    std::uint32_t node = 0;
    std::uint32_t lod = 0;
    bool collision = false;
    std::uint32_t original_count = 0;
    std::vector<std::uint32_t> originals;
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;
    std::vector<std::vector<Vec2>> uvs;
    std::vector<std::vector<Vec4>> tangents;
    std::vector<Submesh> submeshes;
    bool skinned = false;
    std::vector<std::vector<Influence>> influences;  ///< of each original vertex

    [[nodiscard]] const std::vector<Influence>& influences_of(std::size_t vertex) const {
        return influences.at(originals.empty() ? vertex : originals.at(vertex));
    }
};

/// What one morph target does to the mesh of one node.
struct Deformation {
    std::uint32_t node = 0;
    std::vector<std::uint32_t> vertices;
    std::vector<Vec3> positions, normals, tangents;
};

struct MorphTarget {
    std::string name;
    double range_min = 0, range_max = 1;
    std::uint32_t lod = 0;
    std::uint32_t phoneme_sets = 0;
    std::vector<Deformation> deformations;
};

/// Embedded levels of detail are joined in: their meshes stand after the actor's own, on the actor's nodes of the
/// same name.
struct Actor {
    int multiplication_order = 0;
    std::vector<Node> nodes;
    std::vector<Mesh> meshes;
    std::vector<MorphTarget> targets;
};

template <class T>
struct Key {
    double time = 0;
    T value{};
};

struct Submotion {
    std::string name;
    Transform pose;
    Vec3 bind_position{0}, bind_scale{1};
    std::vector<Key<Vec3>> positions, scales;
    std::vector<Key<Quat>> rotations, scale_rotations;
};

struct Motion {
    std::vector<Submotion> submotions;
    double duration = 0;
};

struct WeightTrack {
    std::string name;
    double pose_weight = 0;
    std::vector<Key<double>> keys;
};

struct MorphMotion {
    std::vector<WeightTrack> tracks;
    double duration = 0;
};

[[nodiscard]] Actor read_actor(ByteView bytes);
/// Each track begins at 0, as the engine plays it, or when its file says.
enum class Times { from_zero, as_stored };
[[nodiscard]] Motion read_motion(ByteView bytes, Times times = Times::from_zero);
[[nodiscard]] MorphMotion read_morph_motion(ByteView bytes, Times times = Times::from_zero);

/// How rotations run between two keys: the engine's way, or the way of glTF.
enum class Interpolation { nlerp, slerp };

/// One column-vector matrix for a local transform: order 0 scales, rotates, translates; order 1 rotates first.
[[nodiscard]] Mat4 matrix(const Transform& transform, int multiplication_order);

[[nodiscard]] std::vector<Transform> bind_pose(const Actor& actor);
/// `time` in 0..duration. Nodes that the motion does not name keep their bind transform.
[[nodiscard]] std::vector<Transform> pose_at(const Actor& actor, const Motion& motion, double time,
                                             Interpolation interpolation = Interpolation::nlerp);
/// The motion as the engine adapts it to the actor on request. Every position and scale of a node moves by the
/// difference of the two bind poses; where no node above moves and there is a height to speak of, positions are
/// scaled by the heights instead.
[[nodiscard]] Motion retargeted(const Actor& actor, Motion motion);
[[nodiscard]] std::vector<Mat4> world_matrices(const Actor& actor, const std::vector<Transform>& local);

/// The weight of each of the actor's morph targets.
[[nodiscard]] std::vector<double> weights_at(const Actor& actor, const MorphMotion* motion, double time);

/// Everything that the drawing of vertices needs, computed once for an actor.
class Drawing {
public:
    explicit Drawing(const Actor& actor);

    [[nodiscard]] const Actor& actor() const noexcept { return *actor_; }
    [[nodiscard]] const std::vector<Mat4>& bind_world() const noexcept { return bind_world_; }

    /// The matrix that carries a vertex of the mesh from the file's numbers to the world.
    [[nodiscard]] Mat4 vertex_matrix(const Mesh& mesh, std::size_t vertex, const std::vector<Mat4>& world) const;
    /// Where a vertex is drawn.
    [[nodiscard]] Vec3 position(const Mesh& mesh, std::size_t vertex, const std::vector<Mat4>& world,
                                const std::vector<double>& weights) const;
    /// Which way a vertex with a normal faces, in any length: the unit normal is morphed, then moved as the vertex is.
    [[nodiscard]] Vec3 normal(const Mesh& mesh, std::size_t vertex, const std::vector<Mat4>& world,
                              const std::vector<double>& weights) const;

private:
    using Offsets = std::vector<Vec3> Deformation::*;
    [[nodiscard]] Vec3 morphed(Vec3 value, Offsets offsets, const Mesh& mesh, std::size_t vertex,
                               const std::vector<double>& weights) const;

    const Actor* actor_;
    std::vector<Mat4> bind_world_;
    std::vector<Mat4> inverse_bind_;
};

/// Does the motion move anything of the actor?
[[nodiscard]] bool fits(const Actor& actor, const Motion& motion);

}  // namespace oracle
