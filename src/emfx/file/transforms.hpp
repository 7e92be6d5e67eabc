#pragma once
/// Transforms of EMotion FX in the scene's frame (z mirrored), in double precision.

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <optional>

#include "effigy/math.hpp"
#include "effigy/scene.hpp"
#include "effigy/xac.hpp"

#include "scene/wide_math.hpp"

namespace effigy::emfx::bridge {

/// How scale and rotation of a node follow each other, for column vectors.
enum class Order : std::uint8_t {
    scale_first,     ///< header byte 0: T * R * SR * S * SR^-1
    rotation_first,  ///< header byte 1: T * SR * S * SR^-1 * R
};

[[nodiscard]] inline Order order_of(const Header& header) noexcept {
    return header.multiplication_order == 0 ? Order::scale_first : Order::rotation_first;
}

struct LocalTransform {
    glm::dvec3 position{0, 0, 0};
    glm::dquat rotation{1, 0, 0, 0};
    glm::dquat scale_rotation{1, 0, 0, 0};
    glm::dvec3 scale{1, 1, 1};
};

/// A local transform as glTF can say it: one node, or two of which the second one only turns.
struct Chain {
    Transform first;
    Quat second;  ///< rotation of the last link, if the transform needs two
};

/// What had to be replaced while numbers were read.
struct Repairs {
    std::uint64_t not_finite = 0;
    std::uint64_t zero_rotations = 0;
};

[[nodiscard]] glm::dvec3 to_scene_position(Vec3 v, Repairs& repairs) noexcept;
[[nodiscard]] glm::dvec3 to_scene_scale(Vec3 v, Repairs& repairs) noexcept;
/// Unit; a rotation of no length becomes no rotation.
[[nodiscard]] glm::dquat to_scene_rotation(Quat q, Repairs& repairs) noexcept;

[[nodiscard]] LocalTransform local_transform(const xac::Node& record, Repairs& repairs) noexcept;

[[nodiscard]] glm::dmat4 matrix(const LocalTransform& local, Order order) noexcept;

/// The rotation that stands right of the scale in the product.
[[nodiscard]] glm::dquat inner_rotation(const glm::dquat& rotation, const glm::dquat& scale_rotation,
                                        Order order) noexcept;
/// The rotation that stands left of the scale.
[[nodiscard]] glm::dquat outer_rotation(const glm::dquat& rotation, const glm::dquat& scale_rotation,
                                        Order order) noexcept;
[[nodiscard]] bool is_uniform(const glm::dvec3& scale) noexcept;
[[nodiscard]] bool is_identity(const glm::dquat& rotation) noexcept;
/// Whether one node with translation, rotation and scale cannot say this transform.
[[nodiscard]] bool needs_chain(const LocalTransform& local, Order order) noexcept;
[[nodiscard]] Transform plain(const LocalTransform& local) noexcept;
/// Gives `record` the position, rotation and scale that the scene's node says, zeros without a sign.
void take_transform(xac::Node& record, const Transform& local) noexcept;
[[nodiscard]] Chain chain(const LocalTransform& local, Order order) noexcept;

/// Translation, rotation and scale of a matrix that has no shear.
[[nodiscard]] std::optional<Transform> decompose(const glm::dmat4& matrix) noexcept;
/// The largest difference between the elements of two affine matrices, and the largest element of the first; at
/// least 1.
struct Apart {
    double difference = 0, size = 1;
};
[[nodiscard]] Apart apart(const glm::dmat4& a, const glm::dmat4& b) noexcept;
/// What moves the offsets of morph targets: those of normals and tangents, which are of unit length wherever they are,
/// stay as long as they are.
struct OffsetFrame {
    glm::dmat3 positions, normals, tangents;
};
[[nodiscard]] OffsetFrame offset_frame(const glm::dmat4& matrix) noexcept;
/// What is flat mirrors nothing.
[[nodiscard]] bool is_mirrored(const glm::dmat4& matrix) noexcept;

}  // namespace effigy::emfx::bridge
