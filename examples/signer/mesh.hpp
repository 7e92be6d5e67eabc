#pragma once
/// What the signer's skin and clothes are put together from, in the T-pose.

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "paint.hpp"
#include "shared/blobs.hpp"
#include "skeleton.hpp"

namespace signer {

using glm::vec2;
using glm::vec3;
using surfaces::Blob;

struct Weight {
    std::size_t bone;
    double weight;
};
using Weights = std::vector<Weight>;  ///< one to four, the sum is 1

/// What expressions move.
enum class Organ : std::uint8_t { none, skin, mouth, upper_teeth, lower_teeth, tongue, upper_lid, lower_lid, brow };

/// A place on the face. On skin and in the mouth, `around` is the angle about the mouth and `out` the distance from its
/// slit; on lids and brows, `around` runs along them from the inner end and `out` away from their edge.
struct Feature {
    Organ organ = Organ::none;
    bool is_left = false;
    float around = 0, out = 0;
    vec2 plane{0, 0};  ///< of skin: across and up from the mouth, metres
};

struct Point {
    vec3 position;
    Weights weights;
    Feature feature{};
    vec3 normal{0};
};

struct Corner {
    std::uint32_t point;
    vec2 texcoord;  ///< v = 0 is the bottom row
};

struct Mesh {
    std::vector<Point> points;
    std::vector<std::array<Corner, 3>> triangles;  ///< counter-clockwise
};

using Row = std::vector<std::uint32_t>;  ///< a single point is a pole

[[nodiscard]] Row add_row(Mesh& mesh, int count, const std::function<Point(int)>& point);
/// Quads between two rows; the face is seen from where "along the row" x "from low to high" points. Closed rows have
/// no last column of their own. `place` is the spot in the chart of a column, in the low (0) or high (1) row.
void stitch(Mesh& mesh, const Row& low, const Row& high, bool closed, Chart chart,
            const std::function<vec2(int column, int row)>& place);

/// Two charts, one for each side of a body along an axis, which are seen along it.
struct Sides {
    int axis;
    Chart positive, negative;
};
void add_solid(Mesh& mesh, const surfaces::Solid& solid, Sides sides, const std::function<Weights(vec3)>& weights);
/// By how near the bones' blobs are; those further away in the tree than two steps do not pull.
[[nodiscard]] Weights weigh(const std::vector<Blob>& blobs, vec3 p, float falloff);

void append(Mesh& mesh, const Mesh& other);
/// The other side's twin.
[[nodiscard]] Mesh mirrored(Mesh mesh);
/// From the triangles, weighted by area.
[[nodiscard]] std::vector<vec3> smooth_normals(const Mesh& mesh, const std::vector<vec3>& positions);

}  // namespace signer
