#pragma once
/// Which clip of a scene a verb shows, and names of files that are numbered.

#include <cstdint>
#include <optional>
#include <string>

#include "effigy/scene.hpp"

namespace effigy::app {

struct ClipChoice {
    std::string name;   ///< empty: the first
    bool rest = false;  ///< none, whatever there is
};

/// The clip's number, no_index for the rest pose; nothing if there is no such clip.
[[nodiscard]] std::optional<Index> find_clip(const Scene& scene, const ClipChoice& choice);
/// What to tell the user then.
[[nodiscard]] std::string no_such_clip(const Scene& scene, const ClipChoice& choice);

/// What speaks against a moment on the command line; empty if nothing does.
[[nodiscard]] std::string time_problem(const std::string& text);

/// "out/posed.glb" to "out/posed_0007.glb"; more digits where `last` has more.
[[nodiscard]] std::string numbered_path(const std::string& path, std::uint64_t number, std::uint64_t last);

}  // namespace effigy::app
