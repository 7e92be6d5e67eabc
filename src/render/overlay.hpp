#pragma once
/// The skeleton, and how it is drawn on top of a finished picture.

#include <glm/glm.hpp>
#include <vector>

#include "effigy/image.hpp"
#include "effigy/poser.hpp"

#include "projection.hpp"

namespace effigy::render {

struct Bone {
    glm::vec3 from, to;
};

struct Bones {
    std::vector<glm::vec3> joints;
    std::vector<Bone> bones;
};

/// The joints that skins name and those that connect them; of a scene without skins, all nodes that are shown.
[[nodiscard]] Bones make_bones(const playback::Poser& poser);

/// Bones as tapered shapes from joint to joint, joints as dots, the farthest first.
void draw_bones(image::Picture& picture, const Bones& bones, const Projection& projection);

}  // namespace effigy::render
