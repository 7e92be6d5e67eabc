/// Names of levels of detail and collision meshes.

#include "scene/level_names.hpp"

#include <charconv>

#include "core/text.hpp"

namespace effigy {
namespace {

/// What stands in front of `word` and its number at the end of the name; npos if it does not end so.
std::size_t place_of(std::string_view lower_name, std::string_view word, std::string_view marks, bool needs_number,
                     std::uint32_t& number) {
    constexpr std::size_t none = std::string_view::npos;
    const std::size_t place = lower_name.rfind(word);
    if (place == none || place < 2 || marks.find(lower_name[place - 1]) == none) return none;
    const std::string_view digits = lower_name.substr(place + word.size());
    if (digits.empty()) return needs_number ? none : place - 1;
    const char* const last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, number);
    return error == std::errc() && end == last ? place - 1 : none;
}

}  // namespace

std::string_view without_copy_number(std::string_view name) noexcept {
    constexpr std::size_t size = 4;
    if (name.size() <= size || name[name.size() - size] != '.') return name;
    const bool has_number = name.find_first_not_of("0123456789", name.size() - size + 1) == std::string_view::npos;
    return has_number ? name.substr(0, name.size() - size) : name;
}

LevelName parse_level_name(std::string_view whole) {
    const std::string_view name = without_copy_number(whole);
    const std::string text = lower(name);
    std::uint32_t number = 0;
    if (const std::size_t place = place_of(text, "lod", "-_.", true, number); place != std::string::npos)
        return {std::string(name.substr(0, place)), LevelName::Kind::level, number};
    // Games have parts that are called "anim_ladder_collision" and are seen.
    if (const std::size_t place = place_of(text, "collision", "-.", false, number); place != std::string::npos)
        return {std::string(name.substr(0, place)), LevelName::Kind::collision, number};
    return {std::string(whole)};
}

}  // namespace effigy
