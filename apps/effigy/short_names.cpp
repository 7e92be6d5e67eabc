/// Cuts names by the room that they have, and where they differ.

#include "short_names.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>

namespace effigy::app {

namespace {

constexpr char32_t ellipsis = U'\u2026';

std::size_t common_start(std::u32string_view a, std::u32string_view b) {
    const std::size_t end = std::min(a.size(), b.size());
    return static_cast<std::size_t>(
        std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(end), b.begin()).first - a.begin());
}

/// How much each name has in common with the beginning of another one; the one that has most stands beside it in order.
std::vector<std::size_t> shared_starts(const std::vector<std::u32string>& names) {
    std::vector<std::size_t> order(names.size()), shared(names.size(), 0);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const std::size_t before = order[i - 1], after = order[i];
        const std::size_t same = common_start(names[before], names[after]);
        shared[before] = std::max(shared[before], same);
        shared[after] = std::max(shared[after], same);
    }
    return shared;
}

std::vector<std::size_t> shared_ends(std::vector<std::u32string> names) {
    for (std::u32string& name : names) std::reverse(name.begin(), name.end());
    return shared_starts(names);
}

/// The largest number from `least` to `most` that fits, if larger ones need more room; 0 if none does.
std::size_t largest(std::size_t least, std::size_t most, const std::function<bool(std::size_t)>& fits) {
    if (least > most || !fits(least)) return 0;
    while (least < most) {
        const std::size_t middle = least + (most - least + 1) / 2;
        fits(middle) ? least = middle : most = middle - 1;
    }
    return least;
}

/// The beginning of the word that the place is in.
std::size_t word_start(const std::u32string& name, std::size_t place) {
    constexpr std::size_t max_word = 16;
    const std::size_t start = name.find_last_of(U"/\\_-. ", std::min(place, name.size() - 1));
    return start != std::u32string::npos && place - start <= max_word ? start + 1 : place;
}

std::u32string end_of(const std::u32string& name, std::size_t kept) {
    return ellipsis + name.substr(name.size() - kept);
}

/// Some of the name from a place on, and of its end.
std::u32string two_pieces(const std::u32string& name, std::size_t start, std::size_t kept) {
    const std::size_t head = (kept + 1) / 2;
    return (start == 0 ? U"" : std::u32string(1, ellipsis)) + name.substr(start, head) + end_of(name, kept - head);
}

/// A name that does not fit: its end if as much of it has room, or else what stands at `start` as well.
std::u32string cut(const std::u32string& name, std::size_t start, std::size_t min_end,
                   const std::function<bool(const std::u32string&)>& fits) {
    const std::size_t end = largest(min_end, name.size(), [&](std::size_t kept) { return fits(end_of(name, kept)); });
    if (end != 0) return end_of(name, end);
    const std::size_t word = word_start(name, std::min(start, name.size() - 1));
    const std::size_t both =
        largest(2, name.size() - word, [&](std::size_t kept) { return fits(two_pieces(name, word, kept)); });
    if (both != 0) return two_pieces(name, word, both);
    const std::size_t rest = largest(1, name.size(), [&](std::size_t kept) { return fits(end_of(name, kept)); });
    return rest == 0 ? std::u32string() : end_of(name, rest);
}

}  // namespace

std::vector<std::string> without_common_path(const std::vector<std::string>& paths) {
    namespace fs = std::filesystem;
    std::vector<fs::path> all;
    for (const std::string& path : paths) all.push_back(fs::path(path).lexically_normal());
    fs::path common = all.empty() ? fs::path() : all.front().parent_path();
    for (const fs::path& path : all) {
        const fs::path folder = path.parent_path();
        const auto end = std::mismatch(common.begin(), common.end(), folder.begin(), folder.end()).first;
        fs::path shared;
        for (auto part = common.begin(); part != end; ++part) shared /= *part;
        common = shared;
    }
    std::vector<std::string> names;
    for (const fs::path& path : all)
        names.push_back(common.empty() ? path.string() : path.lexically_relative(common).string());
    return names;
}

std::vector<std::u32string> shortened(const std::vector<std::u32string>& names,
                                      const std::function<bool(const std::u32string&)>& fits) {
    const std::vector<std::size_t> starts = shared_starts(names), ends = shared_ends(names);
    std::vector<std::u32string> all;
    std::map<std::u32string, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < names.size(); ++i) {
        all.push_back(names[i].empty() || fits(names[i]) ? names[i] : cut(names[i], starts[i], ends[i] + 1, fits));
        alike[all.back()].push_back(i);
    }
    // Where the last difference does not tell enough of them apart, the first one has to be there.
    for (const auto& [text, group] : alike) {
        std::size_t start = names[group.front()].size();
        for (const std::size_t i : group) start = std::min(start, common_start(names[group.front()], names[i]));
        if (group.size() == 1 || text.empty()) continue;
        for (const std::size_t i : group) all[i] = cut(names[i], start, names[i].size() + 1, fits);
    }
    return all;
}

}  // namespace effigy::app
