/// Lines of an animation.cfg by what they play.

#include "x42/to_scene/config_lines.hpp"

#include <cstdlib>

#include "x42/file/companion_text.hpp"

namespace effigy::x42::bridge {
namespace {

/// Frames from where the loop begins to the last one; 0: it plays once.
std::int64_t repeated_frames(const Animation& animation) noexcept {
    if (animation.loop_start == no_loop) return 0;
    const bool backwards = animation.last_frame < animation.first_frame;
    const std::int64_t last = animation.last_frame, start = animation.loop_start;
    return (backwards ? start - last : last - start) + 1;
}

}  // namespace

PlayedFrames frames_of(const ConfigAnimation& line, std::int64_t base_frame) noexcept {
    const std::int64_t low = std::int64_t{line.first_frame} - base_frame;
    const std::int64_t high = low + std::abs(std::int64_t{line.frame_count}) - 1;
    return line.frame_count < 0 ? PlayedFrames{high, low} : PlayedFrames{low, high};
}

ConfigLines::ConfigLines(std::span<const ConfigInput> configs, std::int64_t base_frame) {
    for (const ConfigInput& input : configs) {
        for (const ConfigAnimation& line : input.config.animations) {
            const auto rate = static_cast<double>(line.frame_rate);
            if (!is_credible_rate(rate) || line.frame_count == 0) continue;
            const PlayedFrames frames = frames_of(line, base_frame);
            lines_.emplace(Played{line.name, frames.first, frames.last, line.loop_frames, whole_rate(rate)},
                           Found{&input.config, &line});
        }
    }
}

std::optional<ConfigLines::Found> ConfigLines::take(std::string_view name, const Animation& animation,
                                                    std::int64_t base) {
    const Played played{name, animation.first_frame - base, animation.last_frame - base, repeated_frames(animation),
                        animation.frame_rate};
    const auto found = lines_.lower_bound(played);  // the first of those that say the same
    if (found == lines_.end() || found->first != played) return std::nullopt;
    const Found line = found->second;
    lines_.erase(found);
    taken_.insert(line.line);
    return line;
}

}  // namespace effigy::x42::bridge
