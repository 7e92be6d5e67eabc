#pragma once
/// The library's way from files to a scene or a .glb, in one call. Throws std::runtime_error with the diagnostic where
/// it fails.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/emfx_scene.hpp"

namespace convert {

using ByteView = std::span<const std::byte>;

/// The files of one scene. A motion's clip is named after its stem.
struct Input {
    struct Motion {
        std::string stem;
        ByteView bytes;
    };
    std::vector<ByteView> actors;
    std::vector<Motion> motions;
    std::vector<Motion> morph_motions;
};

[[nodiscard]] effigy::Scene to_scene(const Input& input, const effigy::emfx::SceneOptions& options = {});
[[nodiscard]] effigy::Bytes to_glb(const effigy::Scene& scene);
[[nodiscard]] effigy::Bytes to_glb(const Input& input, const effigy::emfx::SceneOptions& options = {});

}  // namespace convert
