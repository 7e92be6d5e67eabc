/// Skinning one vertex after the other, as plain as it can be: what the benchmark compares with.

#include <cmath>

#include "playback_reference.hpp"

namespace effigy::bench {
namespace {

Vec3 turned(const Mat4& matrix, float x, float y, float z) {
    const auto& m = matrix.m;
    return {m[0] * x + m[4] * y + m[8] * z, m[1] * x + m[5] * y + m[9] * z, m[2] * x + m[6] * y + m[10] * z};
}

Vec3 unit(const Vec3& v) {
    const float squared = v.x * v.x + v.y * v.y + v.z * v.z;
    if (squared == 0) return v;
    const float factor = 1 / std::sqrt(squared);
    return {v.x * factor, v.y * factor, v.z * factor};
}

}  // namespace

void skin_plainly(const SkinnedVertices& mesh, const playback::VertexSpan& out) {
    for (std::size_t v = 0; v < mesh.in.positions.size(); ++v) {
        Mat4 blend{std::array<float, 16>{}};
        for (std::uint32_t i = 0; i < mesh.influences; ++i) {
            const std::size_t link = v * mesh.influences + i;
            const Mat4& matrix = mesh.matrices[mesh.joints[link]];
            const float weight = mesh.weights[link];
            for (std::size_t column = 0; column < 4; ++column)
                for (std::size_t row = 0; row < 3; ++row)
                    blend.m[4 * column + row] += weight * matrix.m[4 * column + row];
        }
        const Vec3 position = mesh.in.positions[v], normal = mesh.in.normals[v];
        const Vec4 tangent = mesh.in.tangents[v];
        const Vec3 moved = turned(blend, position.x, position.y, position.z);
        out.positions[v] = {moved.x + blend.m[12], moved.y + blend.m[13], moved.z + blend.m[14]};
        out.normals[v] = unit(turned(blend, normal.x, normal.y, normal.z));
        const Vec3 along = unit(turned(blend, tangent.x, tangent.y, tangent.z));
        out.tangents[v] = {along.x, along.y, along.z, tangent.w};
    }
}

}  // namespace effigy::bench
