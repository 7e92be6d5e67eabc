#pragma once
/// Switches that several families have in the same words.

#include "effigy/option_values.hpp"

namespace effigy {

inline constexpr OptionDeclaration max_error_option{
    .name = "max-error",
    .type = OptionType::number,
    .help =
        "To a game's format: leave out keys of animations where the others say the same up to this much (units of "
        "length, radians, factors, weights)",
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

inline constexpr std::string_view target_help = "Game to write for";

}  // namespace effigy
