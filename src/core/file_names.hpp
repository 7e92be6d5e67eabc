#pragma once
/// Names of files beside a model.

#include <string>
#include <string_view>

#include "core/text.hpp"

namespace effigy {

/// A clip's name as part of a file's name on any system; not as long as such names may be.
[[nodiscard]] inline std::string file_safe(std::string_view name) {
    std::string safe;
    for (const char c : cut(name, 200)) {
        const bool bad =
            static_cast<unsigned char>(c) < 0x20 || std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos;
        safe += bad ? '_' : c;
    }
    return safe.empty() ? "clip" : safe;
}

/// `<stem>_<clip>`; a clip that is called so already, as those of files are that went together, keeps its name.
[[nodiscard]] inline std::string motion_stem(const std::string& stem, std::string_view clip) {
    const std::string safe = file_safe(clip);
    return safe == stem || safe.starts_with(stem + "_") ? safe : stem + "_" + safe;
}

}  // namespace effigy
