#pragma once
/// Switches that several families have in the same words.

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "effigy/option_values.hpp"

namespace effigy {

inline constexpr OptionDeclaration max_error_option{
    .name = "max-error",
    .type = OptionType::number,
    .help =
        "To a game's format: leave out keys of new and edited animations where the others say the same up to this much "
        "(units of length, radians, factors, weights)",
    .argument = "NUMBER",
    .max = 1000,
    .range_text = "a number between 0 and 1000 is needed",
    .writes = true};

inline constexpr OptionDeclaration max_bones_option{.name = "bones",
                                                    .type = OptionType::integer,
                                                    .help = "At most this many joints in one submesh or group",
                                                    .argument = "COUNT",
                                                    .min = 4,
                                                    .max = 65535,
                                                    .range_text = "a number between 4 and 65535 is needed",
                                                    .writes = true};

/// What is wrong with a list of percents: "50,25,10".
[[nodiscard]] std::string level_ratios_problem(std::string_view text);

/// CollisionShape.
inline constexpr std::array<std::string_view, 4> collision_shapes{"none", "mesh", "hull", "simplify"};

constexpr OptionDeclaration levels_option(std::span<const std::string_view> formats) {
    return {.name = "lods",
            .type = OptionType::integer,
            .help = "Make levels of detail where there are none: so many altogether",
            .argument = "COUNT",
            .min = 2,
            .max = 16,
            .range_text = "a number between 2 and 16 is needed",
            .formats = formats,
            .writes = true};
}
constexpr OptionDeclaration level_ratios_option(std::span<const std::string_view> formats) {
    return {.name = "lod-ratios",
            .type = OptionType::text,
            .help = "Triangles of each level that is made, in percent of the finest",
            .argument = "PERCENTS",
            .default_value = "50,25,10",
            .formats = formats,
            .writes = true,
            .problem = level_ratios_problem};
}
constexpr OptionDeclaration level_error_option(std::span<const std::string_view> formats) {
    return {.name = "lod-error",
            .type = OptionType::number,
            .help = "How far levels that are made may be off the finest, as part of the mesh's size",
            .argument = "NUMBER",
            .default_value = "0.1",
            .max = 1,
            .range_text = "a number between 0 and 1 is needed",
            .formats = formats,
            .writes = true};
}
constexpr OptionDeclaration collision_option(std::span<const std::string_view> formats) {
    return {.name = "collision",
            .type = OptionType::choice,
            .help =
                "Collision meshes where there are none: the finest level (mesh), its convex hull, or cut down to "
                "5,000 triangles (simplify); to .xmf: write a collision mesh",
            .argument = "SHAPE",
            .choices = collision_shapes,
            .formats = formats,
            .writes = true,
            .alone = "mesh"};
}

constexpr OptionDeclaration target_option(std::span<const std::string_view> games) {
    return {.name = "target",
            .type = OptionType::choice,
            .help = "Game to write for",
            .argument = "GAME",
            .choices = games,
            .writes = true};
}

}  // namespace effigy
