#pragma once
/// The files of a scene with their names, for the registry.

#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "effigy/emfx_scene.hpp"
#include "effigy/image.hpp"
#include "effigy/registry.hpp"

namespace effigy::emfx {

/// Target, from the second on.
inline constexpr std::array<std::string_view, 5> target_names{"victoria2", "eu3", "tos", "xrebirth", "hoi3"};
[[nodiscard]] Target target_of(const OptionValues& options);
/// Those whose models lie in folders of their own.
inline constexpr std::array<std::string_view, 4> folder_targets{"victoria2", "eu3", "hoi3", "tos"};
/// Tree of Savior's motions are called after the part of the model's name that says who it is: npc_cat_set.xac,
/// npc_cat_run.xsm.
inline constexpr std::string_view figure_ending = "_set";
/// LevelStorage, from the second on.
inline constexpr std::array<std::string_view, 2> level_names{"embedded", "fields"};

/// `--wavelets`: keys, then xsm::Transform.
inline constexpr std::array<std::string_view, 4> wavelet_names{"off", "haar", "d4", "cdf97"};
[[nodiscard]] MotionCoding coding_of(const OptionValues& options);
[[nodiscard]] xsm::WaveletOptions wavelets_of(const OptionValues& options);

/// What the mask in a material's specular slot is for; nothing for games without one.
[[nodiscard]] constexpr std::optional<image::MaskUse> mask_use(Target target) noexcept {
    if (target == Target::eu3) return image::MaskUse::highlight_and_colors;
    if (target == Target::victoria2) return image::MaskUse::colors;
    if (target == Target::hoi3) return image::MaskUse::highlight_and_brightness;
    return std::nullopt;
}
/// The games' own picture of a mask that says nothing; Hearts of Iron 3 has none, and black would make its models
/// black.
[[nodiscard]] constexpr std::string_view empty_mask(image::MaskUse use) noexcept {
    if (use == image::MaskUse::highlight_and_colors) return "nospec";
    return use == image::MaskUse::colors ? "standinspec" : "effigy_nospec";
}

/// An actor with its motions, or one motion: FamilyRow::from_scene.
[[nodiscard]] Result<Loaded<std::vector<NewFile>>> make_files(const Scene& scene, const FormatInfo& format,
                                                              const std::filesystem::path& path,
                                                              const ConversionContext& context);

/// The same in a game's folders, with what makes the model known to the game: FamilyRow::to_folder.
[[nodiscard]] Result<Loaded<std::vector<NewFile>>> make_folder(const Scene& scene, const std::filesystem::path& path,
                                                               const ConversionContext& context);

}  // namespace effigy::emfx
