#pragma once
/// What the times of keys mean: every track, which is the keys of one component of one node or of one target's weight,
/// begins at 0 if its first key is later (docs/formats/xsm.md, "Key times").

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <variant>

#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

namespace effigy::emfx {

/// The earliest and the latest finite time of a track; both 0 where there is none.
struct TimeSpan {
    float first = 0, last = 0;

    /// What is subtracted from all times: the engine moves late tracks only.
    [[nodiscard]] float start() const noexcept { return std::max(first, 0.0f); }
    [[nodiscard]] float length() const noexcept { return last - start(); }
};

template <class Key>
[[nodiscard]] TimeSpan span_of(const Bulk<Key>& track) noexcept {
    TimeSpan span{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
    for (const Key& key : track) {
        if (!std::isfinite(key.time)) continue;
        span.first = std::min(span.first, key.time);
        span.last = std::max(span.last, key.time);
    }
    return span.first <= span.last ? span : TimeSpan{};
}

template <class Submotion, class Use>
requires requires(Submotion& one) { one.rotation_keys; }
void each_track(Submotion& submotion, Use use) {
    use(submotion.position_keys);
    use(submotion.rotation_keys);
    use(submotion.scale_keys);
    use(submotion.scale_rotation_keys);
}

template <class Submotion, class Use>
requires std::is_same_v<std::remove_const_t<Submotion>, xpm::Submotion>
void each_track(Submotion& submotion, Use use) { use(submotion.keys); }

/// Calls `use` with the keys of each track of a file.
template <class File, class Use>
void each_track_of(File& file, Use use) {
    for (auto& chunk : file.chunks) {
        const auto visit = [&](auto& record) {
            if constexpr (requires { each_track(record, use); }) {
                each_track(record, use);
            } else if constexpr (requires { each_track(record.submotions.front(), use); }) {
                for (auto& submotion : record.submotions) each_track(submotion, use);
            }
        };
        std::visit(visit, chunk.record);
    }
}

/// The length of the longest track. `as_stored`: the latest time.
template <class File>
[[nodiscard]] float length_of_tracks(const File& file, bool as_stored) noexcept {
    float longest = 0;
    each_track_of(file, [&](const auto& track) {
        const TimeSpan span = span_of(track);
        longest = std::max(longest, as_stored ? span.last : span.length());
    });
    return longest;
}

}  // namespace effigy::emfx
