#pragma once
/// The files of a scene with their names, for the registry.

#include <filesystem>
#include <vector>

#include "effigy/registry.hpp"

namespace effigy::emfx {

/// An actor with its motions, or one motion: FamilyRow::from_scene.
[[nodiscard]] Result<Loaded<std::vector<NewFile>>> make_files(const Scene& scene, const FormatInfo& format,
                                                              const std::filesystem::path& path,
                                                              const NativeOptions& options);

}  // namespace effigy::emfx
