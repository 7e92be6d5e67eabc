#pragma once
/// Names of Risen's files, which have a head in front of the actor or motion.

#include <filesystem>

#include "effigy/result.hpp"

namespace effigy::emfx {

/// Whether a file may be called so. Of the head of Risen's files only the size is known: no new one can be made.
[[nodiscard]] Result<void> check_wrapper(const std::filesystem::path& path, bool has_wrapper);

}  // namespace effigy::emfx
