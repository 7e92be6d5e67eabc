/// The key before a time, searched from where the last one was.

#include "playback/key_finder.hpp"

#include <algorithm>

namespace effigy::playback {
namespace {

/// So many keys from the cursor are searched before all others: time mostly goes on, be it in larger steps.
constexpr std::size_t nearby_keys = 16;

/// The last key that is not after `time`; the first one is not.
std::size_t find_last(std::span<const float> times, float time, std::size_t cursor) {
    const std::size_t begin = cursor < times.size() && times[cursor] <= time ? cursor : 0;
    const std::size_t nearby = std::min(times.size(), begin + nearby_keys);
    const std::size_t end = time < times[nearby - 1] ? nearby : times.size();
    const float* next = std::upper_bound(times.data() + begin + 1, times.data() + end, time);
    return static_cast<std::size_t>(next - times.data()) - 1;
}

}  // namespace

void KeyFinder::search_everywhere(std::uint32_t& cursor) {
    const std::size_t last = times_.size() - 1;
    if (!(times_.front() <= rounded_)) {
        cursor = 0;
        const std::size_t shown = last_before_first_ ? last : 0;
        keys_ = {shown, shown, 0};
        return;
    }
    const std::size_t key = find_last(times_, rounded_, cursor);
    cursor = static_cast<std::uint32_t>(key);
    if (key == last) {
        keys_ = {key, key, 0};
    } else {
        go_between(key);
    }
}

}  // namespace effigy::playback
