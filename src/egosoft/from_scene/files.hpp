#pragma once
/// The files of a scene with their names, for the registry.

#include <array>
#include <filesystem>
#include <string_view>

#include "registry/rows.hpp"

namespace effigy::egosoft {

/// Target, by its numbers.
inline constexpr std::array<std::string_view, 2> target_names{"x4", "xrebirth"};
inline constexpr std::array<std::string_view, 3> mirror_axes{"x", "y", "z"};

/// A component, a mesh or an animation with what goes beside it: FamilyRow::from_scene.
[[nodiscard]] Result<NewFiles> files_of_scene(const Scene& scene, const FormatInfo& format,
                                              const std::filesystem::path& path, const ConversionContext& context);

/// A mod, or what is added to one: FamilyRow::to_folder.
[[nodiscard]] Result<NewFiles> mod_of_scene(const Scene& scene, const std::filesystem::path& path,
                                            const ConversionContext& context);

}  // namespace effigy::egosoft
