/// Names of levels of detail and collision meshes.

#include "scene/level_names.hpp"

#include <charconv>
#include <utility>

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
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), last, value);
    if (error != std::errc() || end != last) return none;
    number = value;
    return place - 1;
}

}  // namespace

std::string_view copy_number_of(std::string_view name) noexcept {
    constexpr std::size_t size = 4;
    if (name.size() <= size || name[name.size() - size] != '.') return {};
    const bool has_number = name.find_first_not_of("0123456789", name.size() - size + 1) == std::string_view::npos;
    return has_number ? name.substr(name.size() - size) : std::string_view();
}

std::string_view without_copy_number(std::string_view name) noexcept {
    return name.substr(0, name.size() - copy_number_of(name).size());
}

namespace {

std::optional<std::string_view> stem_before(std::string_view name, std::string_view mark) noexcept {
    if (name.size() <= mark.size() || !name.ends_with(mark)) return std::nullopt;
    return name.substr(0, name.size() - mark.size());
}

}  // namespace

std::optional<std::string_view> part_of_wreck(std::string_view name) noexcept {
    const auto part = stem_before(name, "_wreck");
    return part ? part : stem_before(name, "-wreck");
}

std::optional<std::string_view> part_of_shown_collision(std::string_view name) noexcept {
    return stem_before(name, "_collision");
}

PartName part_name_of(std::string_view name) {
    const LevelName level = parse_level_name(name);
    PartName result{lower(without_copy_number(level.part)), std::string(copy_number_of(name))};
    if (result.copy.empty()) result.copy = copy_number_of(level.part);
    // "hull.001_wreck" is the wreck of "hull.001".
    const auto part = part_of_wreck(result.stem);
    const std::string_view number = part ? copy_number_of(*part) : std::string_view();
    if (number.empty()) return result;
    if (result.copy.empty()) result.copy = number;
    result.stem.erase(part->size() - number.size(), number.size());
    return result;
}

PartName part_name_of_mesh(std::string_view name) {
    constexpr std::string_view mark = ".mesh";
    PartName part = part_name_of(name);
    if (part.stem.size() > mark.size() && part.stem.ends_with(mark)) part.stem.resize(part.stem.size() - mark.size());
    return part;
}

void PartFinder::add(Index node, PartName name) {
    Alike& alike = stems_[name.stem][name.copy];
    if (alike.first == no_index) alike.first = node;
    alike.by_parent.try_emplace(scene_->nodes[node].parent, node);
    names_.emplace(node, std::move(name));
}

template <class Accepts>
Index PartFinder::above(Index from, Accepts&& accepts) const {
    constexpr int far = 8;  // what hangs deeper has more than its name between it and its part
    Index node = scene_->nodes[from].parent;
    for (int steps = 0; steps < far && node != no_index; ++steps, node = scene_->nodes[node].parent) {
        const auto known = names_.find(node);
        if (known != names_.end() && accepts(known->second)) return node;
    }
    return no_index;
}

Index PartFinder::nearest(const Alike& alike, const PartName& name, Index from) const {
    const Index holder = above(from, [&](const PartName& one) { return one == name; });
    if (holder != no_index) return holder;
    const auto beside = alike.by_parent.find(scene_->nodes[from].parent);
    return beside != alike.by_parent.end() ? beside->second : alike.first;
}

Index PartFinder::find_copy(const PartName& name, Index from) const {
    const auto stem = stems_.find(name.stem);
    if (stem == stems_.end()) return no_index;
    const auto same = stem->second.find(name.copy);
    return same == stem->second.end() ? no_index : nearest(same->second, name, from);
}

Index PartFinder::find(const PartName& name, Index from) const {
    const auto stem = stems_.find(name.stem);
    if (stem == stems_.end()) return no_index;
    if (const Index same = find_copy(name, from); same != no_index) return same;
    const Index holder = above(from, [&](const PartName& one) { return one.stem == name.stem; });
    if (holder != no_index) return holder;
    const auto& [copy, alike] = *stem->second.begin();  // the empty one is first
    return copy.empty() || stem->second.size() == 1 ? nearest(alike, {name.stem, copy}, from) : no_index;
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
