#pragma once
/// The signer's texture: charts, each a rectangle over places of its own, coloured by place.

#include <cstdint>
#include <glm/glm.hpp>

#include "effigy/image.hpp"

namespace signer {

using glm::vec2;
using glm::vec3;

enum class Chart : std::uint8_t {
    head,  ///< across and up from the mouth, drawn together outwards
    eye,   ///< across and up from the pupil, in radii of the eye
    lid,   ///< along the lid, and away from its edge, 0..1
    mouth,
    teeth,  ///< along the teeth, and away from the gums, 0..1
    tongue,
    brow,
    neck,
    hair_front,  ///< this and the next ones: metres, as seen along an axis
    hair_back,
    sweater_front,
    sweater_back,
    trousers_front,
    trousers_back,
    shoe_outer,
    shoe_inner,
    hand_back,
    hand_palm,
    rib,  ///< around, and along the tube
    count
};

/// The texture coordinate of a place in a chart; v = 0 is the bottom row.
[[nodiscard]] vec2 texcoord(Chart chart, vec2 place);
/// Of the head's chart: from metres on the skin to places in the chart.
[[nodiscard]] vec2 drawn_together(vec2 plane);

[[nodiscard]] effigy::image::Picture paint();

}  // namespace signer
