#pragma once
/// Arrays of values: what is found in them, and whether two are the same.

#include <algorithm>
#include <cstring>
#include <iterator>

namespace effigy {

/// The first element that `is_wanted`, or null.
template <class Range, class Predicate>
[[nodiscard]] auto* first_where(Range& range, Predicate&& is_wanted) {
    const auto found = std::find_if(std::begin(range), std::end(range), is_wanted);
    return found == std::end(range) ? nullptr : &*found;
}

/// Whether two arrays are the same to the bit.
template <class List>
[[nodiscard]] bool same_bytes(const List& a, const List& b) noexcept {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

}  // namespace effigy
