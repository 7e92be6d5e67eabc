#pragma once
/// Writing a file so that it appears whole or not at all.

#include <filesystem>
#include <span>

#include "effigy/result.hpp"

namespace effigy {

/// Writes under a temporary name in the same folder and renames; "-" is standard output. With `fsync`, flushes to the
/// device first. Failures have the codes "output-create", "output-write" and "output-rename".
[[nodiscard]] Result<void> write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes,
                                       bool fsync = false);

}  // namespace effigy
