#pragma once
/// A compact reader of .glb for the tests: what a viewer makes of the file, by the rules of glTF 2.0, in double
/// precision. It shares no code with the library's writer. Throws std::runtime_error on anything that is not glTF.

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glb {

using Vec2 = glm::dvec2;
using Vec3 = glm::dvec3;
using Vec4 = glm::dvec4;
using Quat = glm::dquat;
using Mat4 = glm::dmat4;

inline constexpr int none = -1;

struct Node {
    std::string name;
    int parent = none;
    std::vector<int> children;
    int mesh = none;
    int skin = none;
    std::optional<Mat4> matrix;
    Vec3 translation{0};
    Quat rotation{1, 0, 0, 0};
    Vec3 scale{1};
    std::vector<double> weights;  ///< of the mesh's morph targets
    std::vector<int> lods;        ///< MSFT_lod
    bool in_scene = false;        ///< reached from the default scene's roots
};

struct Influence {
    int joint = 0;  ///< in the skin's list
    double weight = 0;
};

struct Target {
    std::vector<Vec3> positions, normals, tangents;  ///< offsets, empty or one for each vertex
};

struct Primitive {
    std::vector<Vec3> positions, normals;
    std::vector<std::vector<Vec4>> tangents;  ///< TANGENT, then _TANGENT_1 ...
    std::vector<std::vector<Vec2>> uvs;
    std::vector<std::vector<Vec4>> colors;
    std::vector<std::vector<Influence>> influences;
    std::vector<std::uint32_t> indices;
    std::vector<Target> targets;
    int material = none;
};

struct Mesh {
    std::vector<std::string> target_names;
    std::vector<Primitive> primitives;
    std::vector<double> weights;
};

struct Skin {
    std::vector<int> joints;
    std::vector<Mat4> inverse_bind;
};

enum class Path { translation, rotation, scale, weights };

struct Channel {
    int node = none;
    Path path = Path::translation;
    bool step = false;
    bool cubic = false;     ///< in-tangent, value and out-tangent for each time
    std::size_t width = 3;  ///< numbers of a value
    std::vector<double> times;
    std::vector<double> values;
};

struct Animation {
    std::string name;
    std::vector<Channel> channels;
    [[nodiscard]] double duration() const;
};

struct Document {
    nlohmann::json json;
    std::vector<Node> nodes;  ///< in the rest pose
    std::vector<Mesh> meshes;
    std::vector<Skin> skins;
    std::vector<Animation> animations;
    std::vector<std::vector<std::byte>> images;  ///< encoded; empty if they are not in the file
};

[[nodiscard]] Document read(std::span<const std::byte> bytes);

/// The nodes at one moment, and their matrices.
struct Pose {
    std::vector<Node> nodes;
    std::vector<Mat4> world;
};

[[nodiscard]] Pose rest(const Document& document);
[[nodiscard]] Pose sample(const Document& document, const Animation& animation, double time);

/// The matrix that carries a vertex of the node's mesh from the accessor to the world.
[[nodiscard]] Mat4 vertex_matrix(const Document& document, const Pose& pose, std::size_t node,
                                 const Primitive& primitive, std::size_t vertex);
/// Where a vertex is drawn: morphed, then moved by its node or by its skin.
[[nodiscard]] Vec3 position(const Document& document, const Pose& pose, std::size_t node, const Primitive& primitive,
                            std::size_t vertex);

}  // namespace glb
