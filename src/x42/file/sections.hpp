#pragma once
/// The sections of an X42 one after the other: where they begin, what is announced and what of it is there.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "effigy/x42.hpp"

#include "core/access.hpp"

namespace effigy::x42 {

using layout::Access;

inline constexpr std::array<char, 4> ident_little{'H', 'W', '4', '2'}, ident_big{'2', '4', 'W', 'H'};
inline constexpr std::uint64_t ident_size = 8, header_size = 80, pack_header_size = 72, morph_ranges_size = 24;
inline constexpr std::uint64_t small_target_size = 6, large_target_size = 12;

[[nodiscard]] constexpr std::size_t number_of(Section section) noexcept { return static_cast<std::size_t>(section); }

/// Whether the header has the counts and the ranges of morph targets.
[[nodiscard]] inline bool has_morph_header(const File& file) noexcept {
    return file.morphs.layout != MorphLayout::none && !file.morphs.plain_header;
}
[[nodiscard]] inline bool has_morph_sections(const File& file) noexcept {
    return file.morphs.layout == MorphLayout::small || file.morphs.layout == MorphLayout::large;
}
/// Where the first section begins, before it is aligned.
[[nodiscard]] inline std::uint64_t headers_size(const File& file) noexcept {
    const std::uint64_t counts = file.morphs.wide_counts ? 8 : 4;
    return ident_size + header_size + pack_header_size + (has_morph_header(file) ? counts + morph_ranges_size : 0);
}

[[nodiscard]] inline std::uint64_t add_saturated(std::uint64_t left, std::uint64_t right) noexcept {
    return right > UINT64_MAX - left ? UINT64_MAX : left + right;
}
/// Of all groups.
[[nodiscard]] inline std::uint64_t blend_size(const Bulk<Group>& groups) noexcept {
    std::uint64_t size = 0;
    for (const Group& group : groups) size = add_saturated(size, blend_size(group));
    return size;
}

/// Whether the file ends before its sections do.
[[nodiscard]] inline bool is_cut_off(const File& file) noexcept {
    return file.ends_early ||
           std::any_of(file.missing.begin(), file.missing.end(), [](std::uint64_t count) { return count != 0; });
}

/// Calls `visit(section, array)` for all of them.
template <class Visit>
void each_section(const File& file, Visit&& visit) {
    visit(Section::bones, file.bones);
    visit(Section::animation_groups, file.animation_groups);
    visit(Section::positions, file.positions);
    visit(Section::scales, file.scales);
    visit(Section::rotations, file.rotations);
    visit(Section::keys, file.keys);
    visit(Section::animations, file.animations);
    visit(Section::tags, file.tags);
    visit(Section::influences, file.influences);
    visit(Section::lods, file.lods);
    visit(Section::groups, file.groups);
    visit(Section::vertices, file.vertices);
    visit(Section::blend, file.blend);
    visit(Section::normals, file.normals);
    visit(Section::tangents, file.tangents);
    visit(Section::texcoords, file.texcoords);
    visit(Section::colors, file.colors);
    visit(Section::indices, file.indices);
    visit(Section::morph_targets, file.morphs.targets);
    visit(Section::morph_indices, file.morphs.indices);
    visit(Section::morph_positions, file.morphs.positions);
    visit(Section::morph_normals, file.morphs.normals);
    visit(Section::morph_tangents, file.morphs.tangents);
    visit(Section::strings, file.strings);
}

/// What one walk finds out, or has to know beside the file.
struct Walk {
    bool from_dump = false;
    bool normalize = false;              ///< a dump's counts and padding need not be right
    bool without_vertices = false;       ///< a frame: see write_frame() in x42_format.hpp
    bool cut_off = false;                ///< nothing stands behind the last element that is there, but trailing bytes
    std::size_t padded = section_count;  ///< writing: sections from here on have no padding
    std::array<std::uint64_t, section_count> announced{};
    std::uint64_t elements_end = 0;  ///< behind the last element
    std::string wrong;               ///< what does not match in a dump
    std::string cut_at;              ///< path of the first thing that is not there
};

/// The sections one after the other: keeps account of the offset, of what is announced and of what is there.
/// `available()` tells how many bytes are left to be read.
template <class Visitor, class Available>
class Sections {
public:
    Sections(Visitor& visitor, Access<Visitor, File>& file, Walk& walk, Available available)
        : v_(visitor), file_(file), walk_(walk), available_(available), offset_(headers_size(file)) {
        walk_.elements_end = offset_;
    }

    void align(Section section, const char* name, std::uint64_t alignment) {
        const std::uint64_t size = (alignment - offset_ % alignment) % alignment;
        if (!v_.ok()) return;
        if constexpr (Visitor::reading) {
            if (walk_.from_dump ? !has_padding_node(name, size) : !has_room(name, size)) return;
            Bytes bytes;
            v_.bulk(name, bytes, size);
            if (walk_.from_dump && bytes.size() != size) contradict(name, bytes.size(), size);
            auto& padding = file_.padding[number_of(section)];
            for (std::size_t at = 0; at < std::min<std::uint64_t>(bytes.size(), size); ++at)
                padding[at] = std::to_integer<std::uint8_t>(bytes[at]);
        } else {
            if (size == 0 || number_of(section) >= walk_.padded) return;
            const auto padding =
                std::as_bytes(std::span(file_.padding[number_of(section)])).first(static_cast<std::size_t>(size));
            v_.bulk(name, Bytes(padding.begin(), padding.end()));
        }
        offset_ += size;
    }

    /// A block whose number of elements, of `width` values each, stands in the header.
    template <class Array>
    void block(Section section, const char* name, Array& array, std::uint64_t width = 1) {
        const std::uint64_t size = width * sizeof(typename Array::value_type);
        if constexpr (Visitor::reading) {
            v_.bulk(name, array, width * there(section, size));
            take_note(section, name, array.size(), width, size, true);
        } else {
            v_.bulk(name, array);
            offset_ += array.size() / width * size;
        }
    }

    /// A block that has as many elements as other parts of the file say.
    template <class Array>
    void block_of(std::uint64_t expected, Section section, const char* name, Array& array) {
        constexpr std::uint64_t size = sizeof(typename Array::value_type);
        if constexpr (Visitor::reading) {
            walk_.announced[number_of(section)] = expected;
            v_.bulk(name, array, there(section, size));
            take_note(section, name, array.size(), 1, size, false);
        } else {
            const std::uint64_t missing = file_.missing[number_of(section)];
            v_.bulk(name, array, missing > expected ? UINT64_MAX : expected - missing);
            offset_ += array.size() * size;
        }
    }

    /// Records of `size` bytes; `name` is one record's.
    template <class Array, class Visit>
    void records(Section section, const char* name, Array& array, std::uint64_t size, Visit&& visit) {
        if constexpr (Visitor::reading) {
            v_.each(name, array, there(section, size), size, visit);
            take_note(section, name, array.size(), 1, size, true);
            if (walk_.cut_at == name) walk_.cut_at += "[" + std::to_string(array.size()) + "]";
        } else {
            v_.each(name, array, visit);
            offset_ += array.size() * size;
        }
    }

    /// What is not understood.
    template <class Block>
    void opaque(const char* name, Block& bytes) {
        if constexpr (Visitor::reading) {
            const std::uint64_t left = available_(), strings = walk_.announced[number_of(Section::strings)];
            v_.bulk(name, bytes, walk_.cut_off || walk_.from_dump || strings > left ? 0 : left - strings);
        } else {
            v_.bulk(name, bytes);
        }
        offset_ += bytes.size();
        if (!bytes.empty()) walk_.elements_end = offset_;
    }

private:
    /// Elements of a section whose bytes are there. A dump says by itself how many it has.
    [[nodiscard]] std::uint64_t there(Section section, std::uint64_t size) const {
        if (walk_.cut_off || walk_.from_dump) return 0;
        return std::min(walk_.announced[number_of(section)], available_() / size);
    }
    [[nodiscard]] bool has_room(const char* name, std::uint64_t size) {
        if (!walk_.cut_off && size > available_()) cut_off(name);
        return !walk_.cut_off && size != 0;
    }
    [[nodiscard]] bool has_padding_node(const char* name, std::uint64_t size) {
        return v_.source().stated_length(name, 1) || (size != 0 && !walk_.cut_off && !walk_.normalize);
    }
    void cut_off(const char* name) {
        if (walk_.cut_at.empty()) walk_.cut_at = name;
        walk_.cut_off = true;
    }
    void contradict(const char* name, std::uint64_t found, std::uint64_t expected) {
        if (walk_.normalize || !walk_.wrong.empty()) return;
        walk_.wrong = std::to_string(found) + " x " + name + " instead of " + std::to_string(expected);
    }
    /// Compares what has been read with what was announced.
    void take_note(Section section, const char* name, std::uint64_t values, std::uint64_t width, std::uint64_t size,
                   bool has_own_count) {
        if (!v_.ok()) return;
        const std::uint64_t found = values / width;
        std::uint64_t& announced = walk_.announced[number_of(section)];
        if (walk_.from_dump && walk_.normalize && has_own_count) announced = found;
        if (walk_.from_dump && (found > announced || values % width != 0 || (found < announced && !walk_.cut_off)))
            contradict(name, found, announced);
        const std::uint64_t missing = announced - std::min(found, announced);
        file_.missing[number_of(section)] = missing;
        if (missing != 0 && !walk_.from_dump) cut_off(name);
        offset_ += found * size;
        if (found != 0) walk_.elements_end = offset_;
    }

    Visitor& v_;
    Access<Visitor, File>& file_;
    Walk& walk_;
    Available available_;
    std::uint64_t offset_;
};

}  // namespace effigy::x42
