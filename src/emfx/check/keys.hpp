#pragma once
/// Rules for the keys of one track, whatever their values are.

#include <span>
#include <string_view>

#include "effigy/emfx_codes.hpp"

#include "emfx/check/check.hpp"

namespace effigy::emfx::checks {

/// Times: finite, from 0 on, rising. `name` is the member that holds the keys.
template <class Key>
void check_times(std::span<const Key> keys, std::string_view name, const Where& track, Findings& findings) {
    if (keys.empty()) return;
    const auto place = [&](std::uint64_t index) { return Where{&track, name, index}; };
    const auto pair_text = [&](std::uint64_t index) {
        return number(keys[index].time) + " after " + number(keys[index - 1].time);
    };
    if (const Tally bad = tally(keys.size(), [&](std::size_t i) { return not_finite(keys[i].time); }))
        findings.add(codes::not_finite, place(bad.first), number(keys[bad.first].time), "a finite time", bad.count);
    if (const Tally bad = tally(keys.size(), [&](std::size_t i) { return keys[i].time < 0; }))
        findings.add(codes::key_time_negative, place(bad.first), number(keys[bad.first].time), "0 or later", bad.count);
    if (keys[0].time > 0) findings.collect(codes::key_time_first, place(0), number(keys[0].time), "0");
    if (keys.size() == 1) findings.collect(codes::key_single, place(0), "1 key", "no keys, or 2 and more");

    const auto later = [&](std::size_t i) { return keys[i + 1].time < keys[i].time; };
    if (const Tally bad = tally(keys.size() - 1, later))
        findings.add(codes::key_time_order, place(bad.first + 1), pair_text(bad.first + 1), "rising times", bad.count);
    const auto same = [&](std::size_t i) { return keys[i + 1].time == keys[i].time; };
    if (const Tally bad = tally(keys.size() - 1, same))
        findings.add(codes::key_time_duplicate, place(bad.first + 1), pair_text(bad.first + 1), "rising times",
                     bad.count);
}

/// Names of tracks: there, and each once. `with_place(index, use)` calls `use` with the track's place; `member` holds
/// the name.
template <class WithPlace>
void check_track_names(std::span<const std::string_view> names, std::string_view member, WithPlace with_place,
                       Findings& findings) {
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (!names[index].empty()) continue;
        with_place(index, [&](const Where& track) {
            findings.add(codes::submotion_name_empty, {&track, member}, in_quotes(names[index]), "a name");
        });
    }
    for (const Duplicate& duplicate : duplicates(names)) {
        if (names[duplicate.index].empty()) continue;
        with_place(duplicate.index, [&](const Where& track) {
            findings.add(codes::submotion_name_duplicate, {&track, member}, in_quotes(names[duplicate.index]),
                         "a name that no earlier track has");
        });
    }
}

}  // namespace effigy::emfx::checks
