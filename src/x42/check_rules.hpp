#pragma once
/// The rules for X42 files, and what their checks share.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "effigy/x42.hpp"

#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::x42::checks {

// clang-format off
inline constexpr auto rules = std::to_array<Rule>({
    {"x42-missing", Severity::error, "X42", "The file ends before all that its header announces: the game refuses it. What is there can be used."},
    {"x42-version", Severity::warning, "X42", "The version is not 5, the only one that the game loads: it refuses this file."},
    {"x42-trailing", Severity::warning, "X42", "Bytes follow the strings: they are kept, and nothing reads them."},
    {"x42-array-size", Severity::error, "X42", "An array has another size than the arrays and flags beside it ask for: written like this, everything behind it is misread."},
    {"x42-flags", Severity::warning, "X42", "A flag of the model is unknown: the layout may be another than the one that is read here."},
    {"x42-frames", Severity::error, "X42", "The model has no frames: the game divides by their number."},
    {"x42-base-frame", Severity::warning, "X42", "The base frame is negative: animations cannot name the frames before 0."},
    {"x42-not-finite", Severity::error, "X42", "A number is infinite or not a number: whatever it moves disappears or collapses."},
    {"x42-range", Severity::error, "X42", "A range of packed numbers runs backwards, or is infinite or not a number: what is packed in it cannot be told."},
    {"x42-code-high", Severity::info, "X42", "Packed numbers have codes above 65530: they lie beyond the upper end of their range, which tools that clamp show otherwise."},
    {"x42-bounds", Severity::warning, "X42", "The model's bounding box does not hold its vertices: the game leaves the model out while parts of it are in sight."},
    {"x42-sphere", Severity::warning, "X42", "The model's bounding sphere does not hold its vertices: the game picks a level of detail too coarse, or leaves the model out."},
    {"x42-name-range", Severity::error, "X42", "A name begins beyond the strings: the game reads foreign memory."},
    {"x42-name-end", Severity::error, "X42", "A name has no zero at its end: the game reads on beyond the strings."},
    {"x42-strings-end", Severity::warning, "X42", "The last byte of the strings is not zero: a tool that reads the last string runs beyond its end."},
    {"x42-name-duplicate", Severity::warning, "X42", "Two of a kind have one name: whoever looks for it finds only the first."},
    {"x42-parent-range", Severity::error, "X42", "A bone's parent does not exist: the game reads foreign memory, and the bone has no place."},
    {"x42-parent-order", Severity::error, "X42", "A bone stands before its parent: the game places it by the parent's place of another frame."},
    {"x42-bone-flags", Severity::warning, "X42", "A flag of a bone is unknown: what it asks for is not done."},
    {"x42-inverse-parent-scale", Severity::warning, "X42", "A bone asks to be freed of its parent's scale: the game does not do that, and neither do conversions."},
    {"x42-extent", Severity::warning, "X42", "A bone's extent is negative: bounds of poses come out too small."},
    {"x42-animation-group-range", Severity::error, "X42", "An animation group has bones that do not exist, or ends before it begins: the game writes into foreign memory."},
    {"x42-animation-group-count", Severity::error, "X42", "There are more than 32 animation groups: the game cannot choose those behind."},
    {"x42-animation-group-overlap", Severity::warning, "X42", "A bone is in several animation groups: which of them moves it is left to each tool."},
    {"x42-animation-group-loose", Severity::warning, "X42", "A bone is in no animation group: the game never moves it."},
    {"x42-rotation-length", Severity::warning, "X42", "A rotation is not a unit quaternion: the game uses it as it is, and what it turns is scaled or skewed; conversions make it unit."},
    {"x42-value-unused", Severity::warning, "X42", "No key uses a value of the palette: it only takes room."},
    {"x42-keys-short", Severity::error, "X42", "There are fewer than six keys for each bone: the game takes what follows for keys."},
    {"x42-key-type", Severity::error, "X42", "A key is neither position nor scale nor rotation: the game reads foreign memory."},
    {"x42-key-bone", Severity::error, "X42", "A key moves a bone that does not exist: the game writes into foreign memory."},
    {"x42-key-value", Severity::error, "X42", "A key's value does not exist: the game reads foreign memory."},
    {"x42-key-frame", Severity::error, "X42", "A key is behind the last frame: it is never reached as it is."},
    {"x42-key-head", Severity::error, "X42", "One of the first six keys of a bone belongs to another bone or is of another type than its place says: the game goes by the place."},
    {"x42-key-order", Severity::error, "X42", "A key is not later than the key before it in its track: the game divides by the difference, and what the track moves jumps or disappears."},
    {"x42-key-repeated", Severity::warning, "X42", "Two keys of a track have one frame and one value: one of them is of no use, and tools that divide by the difference fail."},
    {"x42-key-need-order", Severity::error, "X42", "A key stands behind keys that are needed later: the game comes to it too late, and what it moves goes astray until then."},
    {"x42-key-first", Severity::warning, "X42", "The first key of a track is not at frame 0: before it the game goes on backwards along the line through the first two keys."},
    {"x42-key-last", Severity::warning, "X42", "The last key of a track is before the last frame: behind it the game goes on along the line through the last two keys."},
    {"x42-animation-range", Severity::error, "X42", "An animation or its loop has frames that the model does not have: it stands still or shows others."},
    {"x42-loop-order", Severity::error, "X42", "A loop runs against its animation: it never comes to its end."},
    {"x42-loop-range", Severity::warning, "X42", "A loop leaves its animation: frames are played that are not in it."},
    {"x42-frame-rate", Severity::warning, "X42", "An animation's frame rate is not credible in frames per second: conversions take another; --fps sets it."},
    {"x42-tag-bone", Severity::error, "X42", "A tag hangs on a bone that does not exist: the game reads foreign memory."},
    {"x42-influence-bone", Severity::error, "X42", "An influence follows a bone that does not exist: the game reads foreign memory."},
    {"x42-influence-singular", Severity::warning, "X42", "An influence's matrix has no inverse: its vertices are flat, and the bone's place in the bind pose cannot be told."},
    {"x42-lod-range", Severity::error, "X42", "A level of detail has groups that do not exist: the game reads foreign memory."},
    {"x42-lod-order", Severity::error, "X42", "Levels of detail do not have their groups in order, the finest first: tools that go by the order of the groups mix levels."},
    {"x42-lod-overlap", Severity::warning, "X42", "A group is in several levels of detail: tools that keep levels apart draw it in one of them only."},
    {"x42-lod-loose", Severity::warning, "X42", "A group is in no level of detail: the game never draws it."},
    {"x42-group-palette", Severity::error, "X42", "A group has more than 60 influences: the game takes what follows in its record for influences."},
    {"x42-group-influence", Severity::error, "X42", "A group uses an influence that does not exist: the game reads foreign memory."},
    {"x42-group-weights", Severity::error, "X42", "A group's vertices have more than 4 influences: the game writes beyond its buffer."},
    {"x42-group-static", Severity::warning, "X42", "A group without weights has influences other than the model itself: its vertices do not follow them."},
    {"x42-group-vertices", Severity::error, "X42", "A group has vertices that do not exist: the game reads and writes foreign memory."},
    {"x42-group-overlap", Severity::warning, "X42", "Two groups share vertices: weights of the later one replace those of the earlier."},
    {"x42-group-wide", Severity::warning, "X42", "A group has more than 65536 vertices: its indices cannot reach those behind."},
    {"x42-vertex-loose", Severity::warning, "X42", "A vertex is in no group: it is never drawn."},
    {"x42-group-type", Severity::error, "X42", "A group's kind of primitives is unknown or not allowed: it cannot be drawn."},
    {"x42-group-elements", Severity::error, "X42", "A group draws indices or vertices that it does not have: foreign ones are drawn, or the driver crashes."},
    {"x42-group-incomplete", Severity::warning, "X42", "A group's number of elements does not suit its kind of primitives: what is left over is not drawn."},
    {"x42-group-points", Severity::error, "X42", "A group of points has indices, which the format does not allow."},
    {"x42-index-range", Severity::error, "X42", "An index refers to a vertex outside its group: it is drawn astray or crashes the driver."},
    {"x42-blend-index", Severity::error, "X42", "A vertex follows an influence that its group does not have: the game reads foreign memory."},
    {"x42-weight-sum", Severity::warning, "X42", "A vertex's weights add up to more than 1: the last one becomes negative, and the vertex moves against its bone."},
    {"x42-blend-repeated", Severity::info, "X42", "A vertex follows one influence twice: conversions add the weights up."},
    {"x42-normal-length", Severity::warning, "X42", "A normal has no length: the surface is black or lit at random there."},
    {"x42-tangent-length", Severity::warning, "X42", "A tangent or bitangent has no length: normal maps are lit wrongly there."},
    {"x42-tangent-sign", Severity::warning, "X42", "A tangent's sign is neither 127 nor -127: the normal made from it is too short or turned round."},
    {"x42-morphs-undetermined", Severity::info, "X42", "How morph targets are stored cannot be told from the file: their bytes are kept and not checked."},
    {"x42-morph-range", Severity::error, "X42", "A morph target has offsets that do not exist: whoever blends it reads foreign memory."},
    {"x42-morph-overlap", Severity::warning, "X42", "Morph targets share offsets: no exporter is known to do so, and their vertices were not compared."},
    {"x42-morph-index", Severity::error, "X42", "A morph target moves a vertex that does not exist: whoever blends it writes into foreign memory."},
    {"x42-morph-repeated", Severity::warning, "X42", "A morph target moves one vertex twice: whether both offsets count is left to each tool."},
});
// clang-format on

using Findings = RuleFindings<rules>;

/// The names of a file without reading any of them more than once, however many records share a long one.
class Names {
public:
    explicit Names(const Bulk<char>& strings);

    [[nodiscard]] bool begins(std::uint16_t name) const noexcept { return name < ends_.size(); }
    [[nodiscard]] bool ends(std::uint16_t name) const noexcept { return begins(name) && ends_[name] != no_end; }
    /// Equal for equal names; the name must end.
    [[nodiscard]] std::uint64_t key(std::uint16_t name, bool ignore_case) const noexcept;

private:
    static constexpr std::uint32_t no_end = ~std::uint32_t{0};
    std::vector<std::uint32_t> ends_;  // for each byte, where the string ends that begins there
    std::vector<std::uint64_t> exact_, lower_;
};

/// What every part of the check works on.
struct Context {
    const File& file;
    const Names& names;
    Findings& findings;
};

/// Elements that a section has, with those that are cut off: nothing is wrong with what refers to them.
[[nodiscard]] inline std::uint64_t announced(const File& file, Section section, std::uint64_t there) noexcept {
    return there + std::min(~there, file.missing[static_cast<std::size_t>(section)]);
}

[[nodiscard]] inline std::string record(const char* kind, std::size_t index) {
    return std::string(kind) + "[" + std::to_string(index) + "]";
}
[[nodiscard]] inline std::string record(const char* kind, std::size_t index, const char* field) {
    return record(kind, index) + " / " + field;
}
[[nodiscard]] inline std::string below(std::uint64_t count) { return "less than " + std::to_string(count); }
[[nodiscard]] inline std::string at_most(std::uint64_t count) { return "at most " + std::to_string(count); }

void check_name(const Context& context, std::uint16_t name, std::string path);
/// Whether every code in it is a number.
[[nodiscard]] bool is_usable(const Range& range) noexcept;

/// Names that occur twice among the records of one kind.
class Duplicates {
public:
    Duplicates(const Context& context, const char* kind, bool ignore_case)
        : context_(context), kind_(kind), ignore_case_(ignore_case) {}
    void add(std::uint16_t name, std::size_t index);
    void report();

private:
    const Context& context_;
    const char* kind_;
    bool ignore_case_;
    std::unordered_map<std::uint64_t, std::size_t> seen_;
    Tally repeated_;
    std::uint16_t name_ = 0;
    std::size_t earlier_ = 0;
};

/// How many ranges hold each of so many places; ranges must lie within.
class Coverage {
public:
    explicit Coverage(std::size_t places) : changes_(places + 1) {}
    void add(std::size_t begin, std::size_t end) {
        ++changes_[begin];
        --changes_[end];
    }
    template <class Visit>
    void each(Visit&& visit) const {
        std::int64_t covered = 0;
        for (std::size_t place = 0; place + 1 < changes_.size(); ++place) {
            covered += changes_[place];
            visit(place, covered);
        }
    }

private:
    std::vector<std::int64_t> changes_;
};

void check_missing(const Context& context);
void check_file(const Context& context);  ///< header and array sizes
void check_strings_end(const Context& context);
void check_ranges(const Context& context);  ///< pack header
void check_bones(const Context& context);   ///< bones, animation groups, tags, influences
void check_keys(const Context& context);    ///< palettes and key stream
void check_animations(const Context& context);
void check_groups(const Context& context);  ///< groups and levels of detail
void check_blend(const Context& context);
void check_vertices(const Context& context);  ///< bounds, normals, tangents
void check_morphs(const Context& context);

}  // namespace effigy::x42::checks
