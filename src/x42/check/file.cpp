/// Header, ranges, sizes of the arrays, strings.

#include <algorithm>
#include <type_traits>

#include "effigy/x42_codes.hpp"

#include "x42/check/rules.hpp"
#include "x42/file/layout_x42.hpp"
#include "x42/file/x42_format.hpp"

namespace effigy::x42::checks {

namespace {

constexpr std::array<const char*, section_count> section_names{
    "bone",          "animation_group", "positions", "scales",  "rotations",     "keys",          "animation",
    "tag",           "influence",       "lod",       "group",   "vertices",      "blend",         "normals",
    "tangents",      "texcoords",       "colors",    "indices", "morph_targets", "morph_indices", "morph_positions",
    "morph_normals", "morph_tangents",  "strings"};

std::uint64_t missing(const File& file, Section section) noexcept {
    return file.missing[static_cast<std::size_t>(section)];
}

void check_header(const Context& context) {
    constexpr std::uint16_t known = has_normals | has_tangents | has_texcoords | has_colors | uniform_scale;
    const Header& header = context.file.header;
    const std::uint32_t version = context.file.version;
    if (version != version_5)
        context.findings.add(codes::x42_version, "version", std::to_string(version), std::to_string(version_5));
    if ((header.model_flags & ~known) != 0)
        context.findings.add(codes::x42_flags, "header / model_flags", std::to_string(header.model_flags & ~known),
                             "0");
    if (header.frame_count == 0) context.findings.add(codes::x42_frames, "header / frame_count", "0", "1 or more");
    // Animations that count from 0 name all frames.
    if (header.base_frame < 0 && !context.file.animations.empty() && animation_base(context.file) != 0)
        context.findings.add(codes::x42_base_frame, "header / base_frame", std::to_string(header.base_frame),
                             "0 or more");
}

void check_size(const Context& context, Section section, std::uint64_t size, std::uint64_t expected) {
    const std::uint64_t found = announced(context.file, section, size);
    if (found == expected) return;
    context.findings.add(codes::x42_array_size, section_names[static_cast<std::size_t>(section)],
                         count_text(found, "elements"), count_text(expected, "elements"));
}

void check_vertex_sizes(const Context& context) {
    const File& file = context.file;
    const std::uint64_t vertices = announced(file, Section::vertices, file.vertices.size());
    const auto check = [&](std::uint16_t flag, Section section, std::uint64_t size) {
        check_size(context, section, size, (file.header.model_flags & flag) != 0 ? vertices : 0);
    };
    check(has_normals, Section::normals, file.normals.size());
    check(has_tangents, Section::tangents, file.tangents.size());
    check(has_texcoords, Section::texcoords, file.texcoords.size());
    check(has_colors, Section::colors, file.colors.size());
}

void check_sizes(const Context& context) {
    const File& file = context.file;
    if (file.scales.size() % scale_width(file.header) != 0 && missing(file, Section::scales) == 0)
        context.findings.add(codes::x42_array_size, "scales", count_text(file.scales.size(), "numbers"),
                             "three for each scale");
    check_vertex_sizes(context);
    if (missing(file, Section::groups) != 0) return;
    check_size(context, Section::blend, file.blend.size(), blend_size(file.groups));
}

/// Of elements of one or more codes each.
template <class Element>
void check_codes(const Context& context, const Bulk<Element>& elements, const char* name) {
    constexpr std::uint16_t full = 65530;
    const auto greatest = [](const Element& element) {
        if constexpr (std::is_integral_v<Element>)
            return element;
        else
            return *std::max_element(element.begin(), element.end());
    };
    Tally high;
    for (std::size_t index = 0; index < elements.size(); ++index)
        if (greatest(elements[index]) > full) high.hit(index);
    if (!high) return;
    const auto first = static_cast<std::size_t>(high.first);
    context.findings.add(codes::x42_code_high, element_path(name, first),
                         first_of(std::to_string(greatest(elements[first])), high.count), at_most(full));
}

/// Exporters leave the start of a search for the extremes in ranges of what is not there.
void check_range(const Context& context, const Range& range, std::string path, bool in_use) {
    if (!in_use || (is_usable(range) && range.low <= range.high)) return;
    context.findings.add(codes::x42_range, std::move(path), number_text(range.low) + " to " + number_text(range.high));
}

template <std::size_t channels>
void check_each(const Context& context, const std::array<Range, channels>& ranges, const char* name, bool in_use) {
    for (std::size_t channel = 0; channel < channels; ++channel)
        check_range(context, ranges[channel], element_path(std::string("pack / ") + name, channel), in_use);
}

}  // namespace

void check_missing(const Context& context) {
    const auto& lacks = context.file.missing;
    const auto first = std::find_if(lacks.begin(), lacks.end(), [](std::uint64_t count) { return count != 0; });
    if (first == lacks.end()) return;
    const auto sections =
        static_cast<std::uint64_t>(std::count_if(first, lacks.end(), [](std::uint64_t count) { return count != 0; }));
    const char* name = section_names[static_cast<std::size_t>(first - lacks.begin())];
    context.findings.add(codes::x42_missing, name, first_of(count_text(*first, "elements missing"), sections));
}

void check_file(const Context& context) {
    check_header(context);
    check_sizes(context);
    // In a file that is cut off these are what is left of the next element.
    if (!context.file.trailing.empty() && !is_cut_off(context.file))
        context.findings.add(codes::x42_trailing, "trailing", count_text(context.file.trailing.size(), "bytes"),
                             "0 bytes");
}

void check_strings_end(const Context& context) {
    const auto& strings = context.file.strings;
    if (!strings.empty() && strings.back() != '\0' && missing(context.file, Section::strings) == 0)
        context.findings.add(codes::x42_strings_end, element_path("strings", strings.size() - 1));
}

void check_ranges(const Context& context) {
    const File& file = context.file;
    check_each(context, file.pack.animation_positions, "animation_positions", !file.positions.empty());
    check_range(context, file.pack.animation_scales, "pack / animation_scales", !file.scales.empty());
    check_each(context, file.pack.vertex_positions, "vertex_positions", !file.vertices.empty());
    check_each(context, file.pack.texcoords, "texcoords", !file.texcoords.empty());
    check_each(context, file.pack.morph_positions, "morph_positions", !file.morphs.positions.empty());
    check_codes(context, file.positions, "positions");
    check_codes(context, file.scales, "scales");
    check_codes(context, file.vertices, "vertices");
    check_codes(context, file.texcoords, "texcoords");
    check_codes(context, file.morphs.positions, "morph_positions");
}

}  // namespace effigy::x42::checks
