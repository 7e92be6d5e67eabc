#pragma once
/// Where in its keys a channel is at a time.

#include <cstddef>
#include <cstdint>
#include <span>

namespace effigy::playback {

/// Two keys of a channel and the way between them, 0..1; the same key twice where there is nothing between.
struct KeyPair {
    std::size_t from = 0;
    std::size_t to = 0;
    float part = 0;
};

/// Finds the keys at one time. Channels one after the other that share their times, as bind() makes them, are searched
/// only once.
class KeyFinder {
public:
    KeyFinder(double time, bool last_before_first)
        : rounded_(static_cast<float>(time)),
          rest_(static_cast<float>(time - static_cast<double>(rounded_))),
          last_before_first_(last_before_first) {}

    /// `cursor` is where the search begins, and then where it ended; any number will do.
    [[nodiscard]] const KeyPair& find(std::span<const float> times, std::uint32_t& cursor) {
        if (times.data() != times_.data() || times.size() != times_.size()) {
            times_ = times;
            search(cursor);
        }
        return keys_;
    }

private:
    // Each channel with times of its own comes here every time: these two are worth being inlined.

    void search(std::uint32_t& cursor) {
        const float* times = times_.data();
        std::size_t key = cursor;
        if (key + 2 >= times_.size()) return search_everywhere(cursor);
        // In nearly all cases time has passed one key or none, which nobody can foretell: a sum, not a branch.
        key += static_cast<std::size_t>(times[key + 1] <= rounded_);
        if (!(times[key] <= rounded_ && rounded_ < times[key + 1])) return search_everywhere(cursor);
        cursor = static_cast<std::uint32_t>(key);
        go_between(key);
    }

    /// From `key` to the one behind it.
    void go_between(std::size_t key) {
        const float begin = times_[key];
        const float way = (rounded_ - begin) + rest_;
        // The time may lie before a key that it was rounded to, and is taken for the key's own then.
        keys_ = {key, key + 1, (way > 0 ? way : 0) / (times_[key + 1] - begin)};
    }

    void search_everywhere(std::uint32_t& cursor);

    float rounded_;  ///< keys are floats, and 0.1 seconds have to find the key at 0.1f
    float rest_;     ///< what the rounding has cost
    bool last_before_first_;
    std::span<const float> times_;
    KeyPair keys_;
};

}  // namespace effigy::playback
