#pragma once
/// Lines of an animation.cfg that say what the model says itself: both are one clip.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>

#include "effigy/x42.hpp"
#include "effigy/x42_scene.hpp"

namespace effigy::x42::bridge {

/// Frames of the key stream.
struct PlayedFrames {
    std::int64_t first = 0;
    std::int64_t last = 0;  ///< inclusive; before `first`: backwards
};
[[nodiscard]] PlayedFrames frames_of(const ConfigAnimation& line, std::int64_t base_frame) noexcept;

class ConfigLines {
public:
    struct Found {
        const AnimationConfig* config = nullptr;
        const ConfigAnimation* line = nullptr;
    };

    ConfigLines(std::span<const ConfigInput> configs, std::int64_t base_frame);

    /// A line of that name with the same frames, loop and whole rate, and only once. Lines loop until the last frame.
    /// `base`: what to subtract from the animation's frames.
    [[nodiscard]] std::optional<Found> take(std::string_view name, const Animation& animation, std::int64_t base);
    [[nodiscard]] bool is_taken(const ConfigAnimation& line) const { return taken_.contains(&line); }

private:
    /// Name, first and last frame, frames that repeat, frames a second.
    using Played = std::tuple<std::string_view, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

    std::multimap<Played, Found> lines_;
    std::set<const ConfigAnimation*> taken_;
};

}  // namespace effigy::x42::bridge
