#pragma once
/// What few vertices have much of: influences of joints, offsets of morph targets.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "effigy/bytes.hpp"

#include "diff/findings.hpp"

namespace effigy::diff {

template <std::size_t width>
struct SparseEntry {
    std::uint32_t key = 0;
    std::array<float, width> values{};
};

/// For each vertex a list of entries by ascending key, each key once. What is not listed is 0.
template <std::size_t width>
class Sparse {
public:
    using Entry = SparseEntry<width>;

    /// `counts`: how many entries each vertex may get.
    void reserve(const Bulk<std::uint32_t>& counts) {
        first_.resize(counts.size() + 1);
        first_[0] = 0;
        for (std::size_t i = 0; i < counts.size(); ++i) first_[i + 1] = first_[i] + counts[i];
        entries_.resize(first_.back());
        used_ = Bulk<std::uint32_t>(counts.size(), 0);
    }
    void add(std::uint32_t vertex, const Entry& entry) { entries_[first_[vertex] + used_[vertex]++] = entry; }
    /// Sorts each vertex's entries, and adds up those of one key.
    void finish() {
        for (std::uint32_t vertex = 0; vertex < used_.size(); ++vertex) {
            const std::span<Entry> list(entries_.data() + first_[vertex], used_[vertex]);
            std::sort(list.begin(), list.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
            std::uint32_t kept = 0;
            for (const Entry& entry : list) {
                if (kept != 0 && list[kept - 1].key == entry.key) {
                    for (std::size_t i = 0; i < width; ++i) list[kept - 1].values[i] += entry.values[i];
                } else {
                    list[kept++] = entry;
                }
            }
            used_[vertex] = kept;
        }
    }
    [[nodiscard]] std::span<const Entry> of(std::uint32_t vertex) const {
        return used_.empty() ? std::span<const Entry>()
                             : std::span<const Entry>(entries_.data() + first_[vertex], used_[vertex]);
    }

private:
    Bulk<std::uint64_t> first_;
    Bulk<std::uint32_t> used_;
    Bulk<Entry> entries_;
};

/// Calls `visit(key, how far apart)` for the keys of both lists.
template <std::size_t width, class Visit>
void for_each_key(std::span<const SparseEntry<width>> a, std::span<const SparseEntry<width>> b, Visit&& visit) {
    constexpr SparseEntry<width> nothing{};
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        const bool has_a = i < a.size() && (j == b.size() || a[i].key <= b[j].key);
        const bool has_b = j < b.size() && (i == a.size() || b[j].key <= a[i].key);
        const SparseEntry<width>&in_a = has_a ? a[i] : nothing, &in_b = has_b ? b[j] : nothing;
        double apart = 0;
        for (std::size_t n = 0; n < width; ++n) apart = std::max(apart, distance(in_a.values[n], in_b.values[n]));
        visit(has_a ? in_a.key : in_b.key, apart);
        i += has_a ? 1 : 0;
        j += has_b ? 1 : 0;
    }
}

}  // namespace effigy::diff
