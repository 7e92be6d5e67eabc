#pragma once
/// X42 files written by hand from the tables of docs/formats/x42.md, true or lying. Nothing of the library's layout is
/// used here, so that a mistake in it cannot hide.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "effigy/bytes.hpp"

namespace effigy::test::x42 {

struct RawRange {
    float low = 0, high = 1;
};
using RawMatrix = std::array<float, 12>;
inline constexpr RawMatrix raw_identity{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
inline constexpr unsigned none = 0xffff;
inline constexpr std::uint32_t not_indexed = 0xffffffff;

/// `name` of all records is an offset in Description::strings; name() adds one.
struct RawBone {
    unsigned name = 0, flags = 0, parent = none;
    float extent = 1;
};
struct RawAnimationGroup {
    unsigned name = 0, begin = 0, end = 0;
};
struct RawKey {
    unsigned type = 0, bone = 0, frame = 0, value = 0;
};
struct RawAnimation {
    unsigned name = 0, first = 0, last = 0, loop_start = none, loop_end = none, rate = 30;
};
struct RawTag {
    unsigned name = 0, bone = none;
    RawMatrix matrix = raw_identity;
};
struct RawInfluence {
    unsigned bone = none;
    RawMatrix matrix = raw_identity;
};
struct RawLod {
    unsigned name = 0, first_group = 0, groups = 0;
};
struct RawGroup {
    unsigned material = 0, surface = 0, vertex_influences = 0;
    std::vector<unsigned> influences = {};  ///< the palette, up to 60
    unsigned type = 4;
    std::uint32_t first_vertex = 0, vertices = 0, first_index = not_indexed, elements = 0;
};
struct RawTarget {
    unsigned name = 0;
    std::uint32_t first = 0, count = 0;
};

/// The ways in which version 6 may be stored.
enum class MorphForm { plain, small_6, small_12, wide_6, wide_12 };

struct Description {
    bool big = false;
    std::string ident = {};  ///< "HW42" or "24WH" if empty
    std::uint32_t version = 101;
    unsigned flags = 0;
    int base_frame = 0;
    unsigned frames = 1;
    std::array<float, 3> bounds_low{-10, 0, -10}, bounds_high{10, 40, 10}, sphere_center{0, 20, 0};
    float sphere_radius = 30;
    std::array<RawRange, 3> animation_positions{RawRange{-20, 20}, RawRange{-20, 20}, RawRange{-20, 20}};
    RawRange animation_scales{0, 2};
    std::array<RawRange, 3> vertex_positions{RawRange{-10, 10}, RawRange{0, 40}, RawRange{-10, 10}};
    std::array<RawRange, 2> texcoord_ranges{RawRange{0, 1}, RawRange{0, 1}};
    std::array<RawRange, 3> morph_ranges{RawRange{-1, 1}, RawRange{-1, 1}, RawRange{-1, 1}};

    std::vector<RawBone> bones = {};
    std::vector<RawAnimationGroup> animation_groups = {};
    std::vector<std::array<unsigned, 3>> positions = {};
    std::vector<unsigned> scales = {};  ///< numbers: three a scale without the flag of uniform scale
    std::vector<std::array<int, 4>> rotations = {};
    std::vector<RawKey> keys = {};
    std::vector<RawAnimation> animations = {};
    std::vector<RawTag> tags = {};
    std::vector<RawInfluence> influences = {};
    std::vector<RawLod> lods = {};
    std::vector<RawGroup> groups = {};
    std::vector<std::array<unsigned, 3>> vertices = {};
    std::vector<unsigned> blend = {};
    std::vector<std::array<int, 3>> normals = {};  ///< all optional ones are written as they are: see set_flags()
    std::vector<std::array<int, 7>> tangents = {};
    std::vector<std::array<unsigned, 2>> texcoords = {};
    std::vector<std::array<unsigned, 4>> colors = {};
    std::vector<unsigned> indices = {};
    std::string strings = {};

    MorphForm form = MorphForm::plain;
    std::vector<RawTarget> targets = {};
    std::vector<unsigned> morph_indices = {};
    std::vector<std::array<unsigned, 3>> morph_positions = {};
    std::vector<std::array<int, 3>> morph_normals = {};
    std::vector<std::array<int, 7>> morph_tangents = {};

    unsigned filling = 0;  ///< of all padding; each byte is one more than the one before
    Bytes trailing = {};
    /// Counts that the header states instead of the true ones: "bones", "keys", "vertices", "strings" ...
    std::map<std::string, std::uint32_t> lies = {};
};

[[nodiscard]] Bytes make(const Description& description);

/// Adds a string and its zero; returns where it begins.
unsigned name(Description& description, const std::string& text);

/// The packed form of a number.
[[nodiscard]] unsigned pack(float value, RawRange range);

/// Sets flags and fills the sections that they ask for, or empties those that they do not, for all vertices.
void set_flags(Description& description, unsigned flags);

/// The frames and palette places of one bone's tracks: positions, scales, rotations; at least two each.
struct RawTracks {
    std::array<std::vector<std::pair<unsigned, unsigned>>, 3> keys;
};
/// The key stream of all bones: the head, then the rest in the order of need.
[[nodiscard]] std::vector<RawKey> key_stream(const std::vector<RawTracks>& bones);

/// All optional sections; three scales each.
inline constexpr unsigned all_flags = 0x000f;

/// A tube on three bones that bends and turns, with a static plate beside it and a coarse second level: 12 frames, two
/// animation groups, two animations, two tags. Sound in every respect.
[[nodiscard]] Description figure(unsigned flags = all_flags, bool big = false);

/// figure() with two morph targets, which move the tube's upper ring and all of its first eight vertices.
[[nodiscard]] Description morphing_figure(MorphForm form, unsigned flags = all_flags, bool big = false);

struct Fixture {
    std::string name;
    Description description;
};
/// Everything that the format allows, each with what is odd about it. Small.
[[nodiscard]] std::vector<Fixture> all_fixtures();

}  // namespace effigy::test::x42
