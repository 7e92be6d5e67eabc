#pragma once
/// Drawings on top of a finished picture.

#include "effigy/image.hpp"

#include "bones.hpp"
#include "projection.hpp"

namespace effigy::render {

/// Bones as tapered shapes from joint to joint, joints as dots, the farthest first.
void draw_bones(image::Picture& picture, const Bones& bones, const Projection& projection);

}  // namespace effigy::render
