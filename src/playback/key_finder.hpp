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
        : time_(time), rounded_(static_cast<float>(time)), last_before_first_(last_before_first) {}

    /// `cursor` is where the search begins, and then where it ended; any number will do.
    [[nodiscard]] const KeyPair& find(std::span<const float> times, std::uint32_t& cursor) {
        if (times.data() != times_.data() || times.size() != times_.size()) {
            times_ = times;
            search(cursor);
        }
        return keys_;
    }

private:
    void search(std::uint32_t& cursor);
    void search_everywhere(std::uint32_t& cursor);
    void go_between(std::size_t key);

    double time_;
    float rounded_;  ///< keys are floats, and 0.1 seconds have to find the key at 0.1f
    bool last_before_first_;
    std::span<const float> times_;
    KeyPair keys_;
};

}  // namespace effigy::playback
