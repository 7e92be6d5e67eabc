#pragma once
/// Playback: from a clip to posed vertices, as jobs over buffers of the caller.
///
/// What is prepared once (Skeleton, Animation, SampleContext, Influences) allocates; a job never does. Without memory
/// the first three throw std::bad_alloc, as any container does; Poser::make() makes a Result of it. A job names its
/// inputs and outputs as spans; run() looks whether they fit each other, and either does the whole work or changes
/// nothing and says what is wrong. Outputs may not overlap inputs unless a job says so. Jobs share nothing: any number
/// of them may run at once.
///
/// The frame is the scene's: right-handed, Y up, quaternions xyzw, column-major matrices for column vectors.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/math.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy::playback {

/// How the work is done. Both give the same results but for rounding.
enum class Kernel : std::uint8_t {
    vector,  ///< the widest vector instructions that the machine has
    scalar,  ///< one number after the other, the reference
};

/// The vector instructions that Kernel::vector uses on this machine: "AVX2", "NEON" ...
[[nodiscard]] std::string_view vector_target() noexcept;

/// Local transforms of all joints.
struct PoseView {
    std::span<const Vec3> translations;
    std::span<const Quat> rotations;
    std::span<const Vec3> scales;
    [[nodiscard]] std::size_t size() const noexcept { return translations.size(); }
};
struct PoseSpan {
    std::span<Vec3> translations;
    std::span<Quat> rotations;
    std::span<Vec3> scales;
    [[nodiscard]] std::size_t size() const noexcept { return translations.size(); }
    operator PoseView() const noexcept { return {translations, rotations, scales}; }
};
/// A pose with memory of its own.
struct Pose {
    Bulk<Vec3> translations;
    Bulk<Quat> rotations;
    Bulk<Vec3> scales;
    void resize(std::size_t joints);
    [[nodiscard]] PoseSpan span() noexcept { return {translations, rotations, scales}; }
    [[nodiscard]] PoseView view() const noexcept { return {translations, rotations, scales}; }
};

/// A joint whose local transform is a matrix that translation, rotation and scale cannot say.
struct MatrixJoint {
    Index joint = no_index;
    Mat4 matrix;
};

/// All nodes of a scene in an order in which parents come first: joint numbers. Every node is a joint, whether a skin
/// names it or not.
struct Skeleton {
    std::vector<Index> nodes;            ///< scene node of each joint
    std::vector<Index> joints;           ///< joint of each scene node
    std::vector<Index> parents;          ///< joint above each joint, with a smaller number, or no_index
    Pose rest;                           ///< the scene's own transforms
    std::vector<MatrixJoint> matrices;   ///< by ascending joint
    std::vector<std::uint32_t> weights;  ///< first morph weight of each joint, and the number of all weights at the end
    Bulk<float> rest_weights;            ///< the meshes' default weights
};

/// A level of detail stands under the parent of the node that it replaces. Nodes in a circle become roots.
[[nodiscard]] Skeleton make_skeleton(const Scene& scene);

/// One component of one joint over time.
struct Channel {
    std::uint32_t target = 0;  ///< joint, or first weight
    std::uint32_t width = 3;   ///< numbers in one value
    Interpolation interpolation = Interpolation::linear;
    std::span<const float> times;   ///< seconds, strictly increasing, at least one
    std::span<const float> values;  ///< width (cubic splines: 3 * width) numbers for each time
};

/// A clip made ready for a skeleton. Refers to the clip's keys, which must stay as they are.
struct Animation {
    std::vector<Channel> translations, rotations, scales, weights;  ///< each by ascending target, each target once
    ClipRules rules;
    float duration = 0;  ///< seconds
};

/// Tracks without keys, of nodes that do not exist or with a wrong number of values are left out; of several for one
/// target the first counts.
[[nodiscard]] Animation bind(const Scene& scene, const Skeleton& skeleton, const Clip& clip);

/// The two keys between which each channel of a kind was last, beside each other. Only when time has left them, the
/// animation's keys are looked at.
template <class Value>
struct HeldKeys {
    Bulk<float> begins, ends;  ///< seconds: held from `begins` on until before `ends`; nothing is if that is never
    Bulk<Value> from, to;      ///< equal where nothing is mixed
    Bulk<Value> mixed;
    Bulk<std::uint32_t> targets, cursors;  ///< joints; numbers of the keys
    bool in_a_row = false;                 ///< the targets, so that they can be written as one
};

/// What a SampleJob found last, and room for its work, so that time going forward costs little. One for each animation
/// that plays at once. Other channels in its place are noticed; where those or their keys have changed, release() has
/// to be called.
struct SampleContext {
    HeldKeys<Vec3> translations, scales;
    HeldKeys<Quat> rotations;
    Bulk<std::uint32_t> weights;            ///< cursors
    Bulk<std::uint32_t> outdated;           ///< as many as the kind with most channels
    Bulk<float> parts;                      ///< likewise
    std::array<const Channel*, 3> known{};  ///< the animation's translations, rotations and scales, whose keys are held
    std::size_t joints = 0;                 ///< for how many

    explicit SampleContext(const Animation& animation);
    /// Makes the next job look at all keys.
    void release();
};

/// The pose of an animation at a time. What no channel moves gets its rest value.
struct SampleJob {
    const Animation* animation = nullptr;
    SampleContext* context = nullptr;  ///< made for this animation
    double time = 0;                   ///< seconds
    bool loop = true;  ///< times beyond 0..duration wrap around; otherwise the first or last moment holds
    PoseView rest;
    std::span<const float> rest_weights;
    PoseSpan pose;             ///< out; as many joints as `rest`
    std::span<float> weights;  ///< out; as many as `rest_weights`
    Kernel kernel = Kernel::vector;

    [[nodiscard]] Result<void> run() const;
};

/// One pose on its way into a blend.
struct BlendLayer {
    PoseView pose;
    std::span<const float> weights;  ///< morph weights, as many as the job's, or empty
    float weight = 1;                ///< not negative
    std::span<const float> mask;     ///< factor for each joint, or empty: 1
};

/// Mixes poses: each joint gets the mean of the layers, weighted by weight * mask; where these sum up to less than
/// `threshold`, the rest pose fills up. Rotations are added on the nearer side and normalised. Additive layers, which
/// hold differences (see DifferenceJob), are put on top: weight * translation is added, the rotation, turned only by
/// that part, follows, the scale is multiplied by 1 + weight * (scale - 1). Morph weights are blended alike, additive
/// ones added.
struct BlendJob {
    std::span<const BlendLayer> layers;
    std::span<const BlendLayer> additive;
    PoseView rest;
    std::span<const float> rest_weights;
    float threshold = 0.1f;    ///< above 0
    PoseSpan pose;             ///< out
    std::span<float> weights;  ///< out, or empty

    [[nodiscard]] Result<void> run() const;
};

/// The difference of a pose from a reference, as BlendJob's additive layers want it: pose = reference + difference.
struct DifferenceJob {
    PoseView pose;
    PoseView reference;
    PoseSpan difference;  ///< out; may be `pose`

    [[nodiscard]] Result<void> run() const;
};

/// Local transforms to matrices in the model's space.
struct LocalToModelJob {
    std::span<const Index> parents;
    PoseView pose;
    std::span<const MatrixJoint> matrices;  ///< take the place of the pose
    std::span<Mat4> models;                 ///< out
    Kernel kernel = Kernel::vector;

    [[nodiscard]] Result<void> run() const;
};

/// out[i] = models[joints[i]] * inverse_bind_matrices[i]
struct SkinMatricesJob {
    std::span<const Mat4> models;
    std::span<const Index> joints;  ///< of the skin, as numbers of the skeleton's joints
    std::span<const Mat4> inverse_bind_matrices;
    std::span<Mat4> out;
    Kernel kernel = Kernel::vector;

    [[nodiscard]] Result<void> run() const;
};

/// Positions, normals and tangents of a mesh; normals and tangents may be empty. The w of a tangent is its handedness.
struct VertexView {
    std::span<const Vec3> positions;
    std::span<const Vec3> normals;
    std::span<const Vec4> tangents;
};
struct VertexSpan {
    std::span<Vec3> positions;
    std::span<Vec3> normals;
    std::span<Vec4> tangents;
    operator VertexView() const noexcept { return {positions, normals, tangents}; }
};

/// Adds the targets' offsets, weighted. Normals and tangents are not normalised: that comes after skinning.
struct MorphJob {
    VertexView base;
    std::span<const MorphTarget> targets;
    std::span<const float> weights;  ///< one for each target
    VertexSpan out;                  ///< as large as `base`

    [[nodiscard]] Result<void> run() const;
};

/// Vertices that have the same number of influences.
struct InfluenceBatch {
    std::uint32_t influences = 0;             ///< of each vertex
    std::span<const std::uint32_t> vertices;  ///< ascending
    std::span<const std::uint16_t> joints;    ///< of the skin, `influences` for each vertex
    std::span<const float> weights;           ///< likewise
};

/// The influences of a mesh in batches by their number: influences without weight are dropped, so that a vertex costs
/// as much as it has.
struct Influences {
    Bulk<std::uint32_t> vertices;
    Bulk<std::uint16_t> joints;
    Bulk<float> weights;
    std::vector<InfluenceBatch> batches;  ///< over the arrays above
    Influences() = default;
    Influences(Influences&&) = default;
    Influences& operator=(Influences&&) = default;
};

/// From the mesh's JOINTS_n and WEIGHTS_n of any component type. Fails if one is without the other, or a joint is not
/// below `joint_count`. Vertices without influences follow joint 0.
[[nodiscard]] Result<Influences> make_influences(const Mesh& mesh, std::size_t joint_count);

/// Linear blend skinning: positions by the weighted sum of the matrices, normals and tangents by its upper 3x3 part,
/// then to unit length (a vector of no length stays) unless `normalize` is false, which saves a fifth of the time
/// where a shader does so anyway. Vertices that no batch names stay untouched.
struct SkinJob {
    std::span<const Mat4> matrices;  ///< see SkinMatricesJob
    std::span<const InfluenceBatch> batches;
    VertexView in;
    VertexSpan out;  ///< as large as `in`; normals and tangents may be empty
    Kernel kernel = Kernel::vector;
    bool normalize = true;

    [[nodiscard]] Result<void> run() const;
};

/// Vertices of a mesh that is not skinned: positions and tangents by the matrix, normals by its inverse transposed,
/// the last two to unit length.
struct TransformJob {
    Mat4 matrix;
    VertexView in;
    VertexSpan out;  ///< as large as `in`; may be `in` itself
    Kernel kernel = Kernel::vector;

    [[nodiscard]] Result<void> run() const;
};

struct Bounds {
    Vec3 low, high;
    bool empty = true;
    /// Takes points in; ones that are not finite are left out.
    void add(std::span<const Vec3> points) noexcept;
    void add(const Bounds& other) noexcept;
};

}  // namespace effigy::playback
