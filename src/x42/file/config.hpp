#pragma once
/// One line of animation.cfg.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "effigy/x42_companions.hpp"

#include "x42/file/companion_text.hpp"

namespace effigy::x42 {

/// Frames a second that an animation may credibly have.
inline constexpr double lowest_frame_rate = 0.001, highest_frame_rate = 240;

[[nodiscard]] constexpr bool is_credible_rate(double rate) noexcept {
    return rate >= lowest_frame_rate && rate <= highest_frame_rate;
}

enum class ConfigLine : std::uint8_t {
    named,    ///< name and four numbers, as in Space Trader
    unnamed,  ///< four numbers, as in Quake III; a remark is the name
    setting,
    unknown,
};

struct ParsedConfigLine {
    ConfigLine kind = ConfigLine::unknown;
    ConfigAnimation animation;  ///< of the first two kinds; its name may be empty
    std::size_t words = 0;      ///< that have a meaning; more may follow
    bool is_known_word = true;  ///< of settings
    std::string_view word;      ///< of settings
    std::string value;          ///< of settings: its words, with a blank between them
};

[[nodiscard]] ParsedConfigLine parse_config_line(const TextLine& line);

}  // namespace effigy::x42
