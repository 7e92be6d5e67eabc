/// Finds clips by name or number; numbers names of files.

#include "clip_choice.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "text.hpp"

namespace effigy::app {

std::optional<Index> find_clip(const Scene& scene, const ClipChoice& choice) {
    if (choice.rest) return no_index;
    if (choice.name.empty()) return scene.clips.empty() ? no_index : 0;
    const auto found = std::find_if(scene.clips.begin(), scene.clips.end(),
                                    [&](const Clip& clip) { return clip.name == choice.name; });
    if (found == scene.clips.end()) return std::nullopt;
    return static_cast<Index>(found - scene.clips.begin());
}

std::string no_such_clip(const Scene& scene, const ClipChoice& choice) {
    const std::string names = joined(scene.clips, ", ", [](const Clip& clip) { return clip.name; });
    return "there is no clip called " + choice.name +
           (names.empty() ? "; no input moves what is shown" : "; the clips are " + names);
}

std::string time_problem(const std::string& text) {
    constexpr double most = 1e6;
    double seconds = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, seconds);
    const bool fits = error == std::errc() && stop == end && std::abs(seconds) <= most;
    return fits ? "" : "seconds between -1000000 and 1000000 are needed, as in 0.4";
}

std::string numbered_path(const std::string& path, std::uint64_t number, std::uint64_t last) {
    const std::filesystem::path whole(path);
    const std::size_t width = std::max<std::size_t>(4, std::to_string(last).size());
    std::string digits = std::to_string(number);
    digits.insert(0, width - std::min(width, digits.size()), '0');
    return (whole.parent_path() / (whole.stem().string() + "_" + digits + whole.extension().string())).string();
}

}  // namespace effigy::app
