#pragma once
/// The skeleton as it is drawn.

#include <glm/glm.hpp>
#include <vector>

#include "effigy/poser.hpp"

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

}  // namespace effigy::render
