#pragma once
/// What playback is measured against: the plain ways of doing the same.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "effigy/playback.hpp"

namespace effigy::bench {

/// A mesh with the same number of influences at each vertex.
struct SkinnedVertices {
    std::uint32_t influences = 4;
    playback::VertexView in;
    std::span<const std::uint16_t> joints;
    std::span<const float> weights;
    std::span<const Mat4> matrices;
};

/// Blends matrices, moves positions, normals and tangents, the last two to unit length: vertex by vertex, number by
/// number. Compiled without automatic vectorisation.
void skin_plainly(const SkinnedVertices& mesh, const playback::VertexSpan& out);

#ifdef EFFIGY_OZZ
/// By ozz-animation's SkinningJob, for four influences a vertex; normals and tangents stay as long as they become.
/// False if the job was refused.
[[nodiscard]] bool skin_by_ozz(const SkinnedVertices& mesh, const playback::VertexSpan& out);
#endif

using Matrix = std::array<double, 16>;

/// Samples each channel by binary search, and multiplies whole matrices, in double precision.
class PlainPlayer {
public:
    PlainPlayer(const playback::Animation& animation, const playback::Skeleton& skeleton);
    void play(double time);
    [[nodiscard]] std::span<const Matrix> models() const { return models_; }

private:
    struct Local {
        std::array<double, 3> translation{}, scale{1, 1, 1};
        std::array<double, 4> rotation{0, 0, 0, 1};
    };
    const playback::Animation& animation_;
    std::span<const Index> parents_;
    std::vector<Local> rest_, pose_;
    std::vector<Matrix> models_;
};

/// Between two elements.
[[nodiscard]] double max_difference(std::span<const Mat4> a, std::span<const Matrix> b);

}  // namespace effigy::bench
