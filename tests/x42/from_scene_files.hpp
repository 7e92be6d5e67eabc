#pragma once
/// What the tests of the way back share.

#include "effigy/scene.hpp"

namespace effigy::test::x42 {

/// As the reader of glTF does where no hash has changed.
inline void set_untouched(Scene& scene) {
    const auto set = [](auto& objects) {
        for (auto& one : objects) one.extras.untouched = !one.extras.json.empty();
    };
    set(scene.nodes);
    set(scene.meshes);
    set(scene.materials);
    set(scene.clips);
}

}  // namespace effigy::test::x42
