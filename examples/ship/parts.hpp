#pragma once
/// The parts of the example ship.

#include <array>
#include <string>
#include <vector>

#include "shared/surface.hpp"

namespace ship {

using namespace surfaces;

/// Keys of one component's motion, in seconds; values in the file's frame (left-handed).
struct Track {
    enum class Of : std::uint8_t { position, rotation } of = Of::position;
    bool bezier = false;
    std::vector<float> times;
    std::vector<vec3> values;
};

struct State {
    std::string name;
    int start = 0, end = 0;  // frames at 30 a second
    std::vector<Track> tracks;
};

struct Part {
    std::string name, parent, tags;
    vec3 offset{0, 0, 0};
    std::vector<Shape> levels;  // of detail, finest first
    Shape collision;            // no triangles: it has none
    std::string wreck;
    std::vector<State> states;
};

[[nodiscard]] std::vector<Part> make_parts();
/// What is left of the hull.
[[nodiscard]] Shape make_wreck();

}  // namespace ship
