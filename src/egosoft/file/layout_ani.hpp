#pragma once
/// The layout of ANI: docs/formats/ani.md.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "effigy/core_codes.hpp"

#include "core/access.hpp"
#include "core/element.hpp"
#include "core/path.hpp"
#include "core/problem.hpp"
#include "egosoft/file/formats.hpp"

namespace effigy::layout {

template <>
struct ElementTraits<ani::Key> {
    static constexpr const char* name = "key";
    static constexpr std::array<Part, 8> parts{{{"value", Kind::real, 4, 3},
                                                {"interpolation", Kind::unsigned_integer, 4, 3},
                                                {"time", Kind::real, 4, 1},
                                                {"handles", Kind::real, 4, 12},
                                                {"tcb_and_ease", Kind::real, 4, 5},
                                                {"derivative", Kind::unsigned_integer, 4, 1},
                                                {"derivatives", Kind::real, 4, 6},
                                                {"angle", Kind::unsigned_integer, 4, 1}}};
};
static_assert(sizeof(ani::Key) == 128);

}  // namespace effigy::layout

namespace effigy::ani {

using layout::Access;

inline constexpr std::uint64_t header_size = 16, descriptor_size = 160, key_size = 128;

template <class Animation, class Function>
void for_each_track(Animation& animation, Function&& visit) {
    for (std::size_t i = 0; i < key_lists.size(); ++i)
        visit(key_lists[i].count, key_lists[i].name, animation.*key_lists[i].keys, animation.missing[i]);
}

[[nodiscard]] inline bool lacks_keys(const Animation& animation) noexcept {
    return std::any_of(animation.missing.begin(), animation.missing.end(), [](std::uint32_t n) { return n != 0; });
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Animation>& animation) {
    v.field("part", animation.part);
    v.field("state", animation.state);
    for_each_track(animation, [&](const char* name, const char*, [[maybe_unused]] auto& keys, auto& missing) {
        if constexpr (Visitor::reading) {
            v.field(name, missing);  // until they are read
        } else {
            const std::uint64_t count = keys.size() + std::uint64_t{missing};
            if (count > std::numeric_limits<std::uint32_t>::max()) {
                return v.fail(problem_at(v.path().string(name), codes::write_too_large,
                                         "a list has more keys than its count can say", std::to_string(count)));
            }
            v.field(name, static_cast<std::uint32_t>(count));
        }
    });
    v.field("duration", animation.duration);
    v.field("reserved", animation.reserved);
}

/// What counts of keys turned out to be.
struct Counts {
    bool incomplete = false;  ///< keys are missing, and that is no mistake
    std::string wrong;        ///< a count that is too small, in a dump
};

/// The keys of one animation. `available()` tells how many bytes are left.
template <class Visitor, class Available>
void layout_keys(Visitor& v, Access<Visitor, Animation>& animation, [[maybe_unused]] Counts& counts,
                 [[maybe_unused]] Available&& available) {
    for_each_track(animation, [&]([[maybe_unused]] const char* count, const char* name, auto& keys,
                                  [[maybe_unused]] auto& missing) {
        if constexpr (Visitor::reading) {
            v.bulk(name, keys, std::min<std::uint64_t>(missing, available() / key_size));
            if (!v.ok()) return;
            if (keys.size() > missing && counts.wrong.empty())
                counts.wrong =
                    std::to_string(missing) + " by " + count + ", " + std::to_string(keys.size()) + " " + name;
            missing -= static_cast<std::uint32_t>(std::min<std::uint64_t>(missing, keys.size()));
        } else {
            v.bulk(name, keys);
        }
    });
}

/// Bytes that most files do not have.
template <class Visitor, class Block>
void layout_optional(Visitor& v, const char* name, Block& bytes, std::uint64_t available) {
    if constexpr (Visitor::reading) {
        if (available != 0 || v.source().stated_length(name, 1)) v.bulk(name, bytes, available);
    } else if (!bytes.empty()) {
        v.bulk(name, bytes);
    }
}

/// Bytes between the table of animations and the keys. An offset that leads nowhere counts for nothing.
[[nodiscard]] inline std::uint64_t gap_size(const File& file, std::uint64_t available) noexcept {
    const std::uint64_t table_end = header_size + descriptor_size * file.animations.size();
    const bool any = std::any_of(file.animations.begin(), file.animations.end(),
                                 [](const Animation& animation) { return lacks_keys(animation); });
    const std::uint64_t offset = file.header.key_offset;
    return any && offset > table_end && offset - table_end <= available ? offset - table_end : 0;
}

/// `available()` tells how many bytes are left to be read.
template <class Visitor, class Available>
void layout(Visitor& v, Access<Visitor, File>& file, Counts& counts, Available&& available) {
    if (counts.incomplete || Visitor::reading) v.note("incomplete", counts.incomplete);
    v.count("animation_count", "animation", file.animations, descriptor_size);
    v.field("key_offset", file.header.key_offset);
    v.field("version", file.header.version);
    v.field("reserved", file.header.reserved);
    v.each("animation", file.animations, [&](auto& animation) { layout(v, animation); });
    if (!v.ok()) return;
    layout_optional(v, "gap", file.gap, gap_size(file, available()));
    v.each("keys", file.animations, [&](auto& animation) { layout_keys(v, animation, counts, available); });
    if (v.ok()) layout_optional(v, "trailing", file.trailing, available());
}

}  // namespace effigy::ani

namespace effigy::egosoft {

[[nodiscard]] inline std::string animation_path(std::size_t animation, const char* field) {
    return "animation[" + std::to_string(animation) + "] / " + field;
}
/// Where the keys lie, and whether all of them are there.
void check_places(const ani::File& file, Report& report);
/// Offsets for the findings that name a field by its path.
void locate(const ani::File& file, Report& report);

}  // namespace effigy::egosoft
