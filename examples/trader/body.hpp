#pragma once
/// What the trader is made of: surfaces in the modelled pose, their colours, and the bones that they follow.

#include <functional>
#include <vector>

#include "shared/surface.hpp"
#include "skeleton.hpp"

namespace trader {

using surfaces::Chart;
using surfaces::Shape;
using surfaces::Surface;

struct Weight {
    Bone bone;
    float weight;
};
using Weights = std::vector<Weight>;  ///< heaviest first, the sum is 1

enum class Texture { shell, suit };

/// What is drawn in one go.
struct Group {
    const char* surface;
    Texture texture;
    std::size_t max_weights;  ///< of a vertex
    bool is_strip;
};
[[nodiscard]] const std::vector<Group>& groups();

struct Patch {
    std::size_t group;
    Surface surface;  ///< in a space of its own
    glm::mat4 frame;  ///< from there to the model's
    int around, along;
    Chart chart;
    std::function<Weights(vec3 point)> weights;
    std::function<vec3(vec3 point)> color;  ///< sRGB, 0..1
    bool is_paired;                         ///< there is another one on the right side
};
[[nodiscard]] const std::vector<Patch>& patches();

/// How much light reaches a place between the limbs: 1 is all of it.
[[nodiscard]] float openness(vec3 point, vec3 normal);

}  // namespace trader
