#pragma once
/// A whole picture.

#include "effigy/render.hpp"

#include "geometry.hpp"
#include "overlay.hpp"
#include "surface.hpp"
#include "tracer.hpp"

namespace effigy::render {

/// What is to be seen.
struct Content {
    Geometry geometry;
    Bones bones;
};

[[nodiscard]] Result<Frame> draw_frame(const Content& content, const Surfaces& surfaces, const Tracer& tracer,
                                       const Camera& camera, const Options& options);

}  // namespace effigy::render
