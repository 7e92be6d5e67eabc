#pragma once
/// What the checks of XAC, XSM and XPM share: the table of rules, addresses, and the collector of findings.

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "effigy/emfx.hpp"
#include "effigy/result.hpp"

#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::xac {
struct File;
}
namespace effigy::xsm {
struct File;
}
namespace effigy::xpm {
struct File;
}

namespace effigy::emfx::checks {

// clang-format off
inline constexpr auto rules = std::to_array<Rule>({
    // The file and its chunks
    {"header-version", Severity::warning, "all", "The format's version is not 1.0: the games' engines refuse such a file."},
    {"header-endian", Severity::warning, "all", "The byte order is neither 0 nor 1: the file is taken as big-endian, other tools may see it otherwise."},
    {"header-order", Severity::warning, "all", "The multiplication order is neither 0 nor 1: how scale and rotation combine is left to each tool."},
    {"trailing-bytes", Severity::info, "all", "Bytes follow the last chunk: they are kept, and nothing reads them."},
    {"extra-bytes", Severity::warning, "all", "A chunk holds more bytes than its layout explains: a reader that goes by the layout takes them for the next chunk."},
    {"declared-size", Severity::info, "all", "A chunk declares another size than its content has: a reader that trusts it loses its place; --normalize writes true sizes."},
    {"opaque-chunk", Severity::info, "all", "A chunk of an unknown kind or version: it is kept as it is and takes no part in conversions."},
    {"info-missing", Severity::warning, "all", "There is no info chunk: the engine and several tools expect one."},
    {"info-first", Severity::warning, "all", "The info chunk is not the first chunk: tools that expect it there misread the file."},
    {"info-several", Severity::warning, "all", "There is more than one info chunk: which one counts is left to each tool."},
    {"text-encoding", Severity::info, "all", "Text is neither ASCII nor UTF-8: it is in the exporting machine's code page, and needs --encoding if CP1252 shows it wrongly."},
    {"text-mixed", Severity::warning, "all", "Some text is UTF-8 and some is not: no single encoding shows all names rightly, so names that belong together may differ."},
    {"text-control", Severity::warning, "all", "Text holds control characters: engines cut names there, and names cease to match."},
    {"not-finite", Severity::error, "all", "A number is infinite or not a number: whatever it moves disappears or collapses."},
    {"rotation-norm", Severity::warning, "XAC, XSM", "A rotation is not a unit quaternion: the parts that it turns are scaled or skewed."},
    {"event-range", Severity::error, "all", "A motion event refers to a type or parameter that does not exist: the engine reads past its table."},
    {"event-time", Severity::warning, "all", "A motion event ends before it starts: it never fires."},
    {"timestamp", Severity::info, "all", "The time of export is no date: it is shown as unknown."},
    // Nodes
    {"nodes-missing", Severity::error, "XAC", "The actor has no nodes: nothing can be attached, and games refuse it."},
    {"nodes-second", Severity::warning, "XAC", "Other chunks stand before the nodes: engines resolve node numbers as they read and find none."},
    {"nodes-several", Severity::warning, "XAC", "Nodes come in more than one nodes chunk, or in both kinds: engines keep only some of them, and node numbers shift."},
    {"node-range", Severity::error, "XAC", "A node number refers to no node: engines read past the node list."},
    {"node-parent-range", Severity::error, "XAC", "A parent does not exist: the node cannot be placed."},
    {"node-parent-self", Severity::error, "XAC", "A node is its own parent: tools that walk to the root never arrive."},
    {"node-parent-cycle", Severity::error, "XAC", "Parents form a ring: tools that walk to the root never arrive."},
    {"node-parent-order", Severity::error, "XAC", "A parent stands after its child: the engine turns the child into a root, and it loses its place."},
    {"node-child-count", Severity::warning, "XAC", "A stored number of children is wrong: engines that allocate by it drop children or crash."},
    {"node-root-count", Severity::warning, "XAC", "The stored number of roots is wrong: engines that allocate by it drop roots or crash."},
    {"node-name-duplicate", Severity::warning, "XAC", "Two nodes have one name: motions and attachments reach only the first."},
    {"node-name-empty", Severity::warning, "XAC", "A node has no name: no motion can move it."},
    {"node-scale-zero", Severity::info, "XAC", "A node is scaled to nothing: it has no inverse, and what hangs on it is flat."},
    {"node-scale-order", Severity::info, "XAC", "A node scales unevenly after it rotates (multiplication order 1): tools that ignore the order show its children skewed."},
    // Meshes
    {"mesh-duplicate", Severity::warning, "XAC", "Two meshes of one kind stand on one node: the engine keeps the last."},
    {"mesh-vertex-total", Severity::error, "XAC", "The submeshes do not add up to the mesh's vertices: vertices are read from the wrong submesh."},
    {"mesh-index-total", Severity::error, "XAC", "The submeshes do not add up to the mesh's indices: engines allocate too little."},
    {"mesh-index-multiple", Severity::error, "XAC", "A number of indices is not divisible by 3: the last triangle is incomplete."},
    {"mesh-index-range", Severity::error, "XAC", "A triangle refers to a vertex outside its submesh: it is drawn astray or crashes the driver."},
    {"mesh-material-range", Severity::error, "XAC", "A submesh refers to a material that does not exist: it has no texture, or the engine crashes."},
    {"mesh-palette", Severity::warning, "XAC", "A submesh's bones are not the nodes that move its vertices: hardware skinning moves vertices by the wrong bones."},
    {"mesh-layer-size", Severity::error, "XAC", "A vertex layer's size contradicts its kind or the number of vertices: the vertices are misread."},
    {"mesh-layer-order", Severity::info, "XAC", "Vertex layers are not in the exporters' order: tools that go by place instead of kind mix them up."},
    {"mesh-layer-duplicate", Severity::warning, "XAC", "A vertex layer that exists once occurs twice: only the first is used."},
    {"mesh-layer-unknown", Severity::info, "XAC", "A vertex layer of an unknown kind: it is kept and takes no part in conversions."},
    {"mesh-tangent-count", Severity::warning, "XAC", "There is not one tangent layer for each UV set: normal maps are lit wrongly."},
    {"mesh-position-missing", Severity::error, "XAC", "A mesh has no positions: it cannot be drawn."},
    {"mesh-normal-missing", Severity::info, "XAC", "A mesh has no normals: it is lit flat or with made-up ones."},
    {"mesh-original-range", Severity::error, "XAC", "An original vertex number is outside the mesh: the vertex has no weights of its own."},
    {"mesh-uv-not-finite", Severity::warning, "XAC", "A texture coordinate is infinite or not a number: the texture smears there."},
    {"mesh-normal-length", Severity::info, "XAC", "Normals are not of unit length: lighting is uneven there; conversions make them unit."},
    {"mesh-tangent-length", Severity::info, "XAC", "Tangents are not of unit length: conversions make them unit."},
    {"mesh-tangent-sign", Severity::warning, "XAC", "A tangent's w is neither 1 nor -1: normal maps are lit from the wrong side."},
    // Skinning
    {"skin-mesh-missing", Severity::error, "XAC", "Skinning belongs to no mesh: its length is unknown to engines, and nothing is moved."},
    {"skin-mesh-order", Severity::error, "XAC", "Skinning stands before its mesh: engines cannot know its length yet."},
    {"skin-duplicate", Severity::warning, "XAC", "A mesh is skinned twice: only one skinning is used."},
    {"skin-original-missing", Severity::error, "XAC", "A skinned mesh has no original vertex numbers: no vertex finds its weights."},
    {"skin-range-count", Severity::error, "XAC", "The skinning table does not have one entry for each original vertex: the rest of the file is misread."},
    {"skin-range", Severity::error, "XAC", "A vertex takes influences from beyond the table: engines read foreign memory."},
    {"skin-contiguous", Severity::info, "XAC", "The influences are not one run in vertex order without gaps: tools that assume so attach vertices to the wrong bones."},
    {"skin-overlap", Severity::warning, "XAC", "Vertices share influences so often that weights and palettes were not compared: no exporter writes such a table."},
    {"skin-bone-count", Severity::warning, "XAC", "The stored number of bones is not the number of nodes used: engines allocate by it."},
    {"skin-node", Severity::error, "XAC", "An influence refers to no node: engines read past the node list."},
    {"skin-weight", Severity::warning, "XAC", "A weight is below 0 or above 1: the vertex overshoots."},
    {"skin-weight-sum", Severity::warning, "XAC", "A vertex's weights do not add up to 1: it drifts towards or away from the origin when moved."},
    {"skin-vertex-loose", Severity::warning, "XAC", "A vertex has no influences: it stays behind when the figure moves."},
    {"skin-influence-count", Severity::info, "XAC", "A vertex has more than 4 influences: many engines use only 4."},
    // Materials
    {"material-info-missing", Severity::info, "XAC", "There are materials and no chunk that counts them: some tools find none."},
    {"material-info-count", Severity::warning, "XAC", "The stored numbers of materials are wrong: engines reserve and tools read by them."},
    {"material-layer-number", Severity::error, "XAC", "A texture belongs to a material that does not exist: it is lost, or the engine crashes."},
    {"material-map-type", Severity::warning, "XAC", "A texture's use is unknown: it is not shown."},
    {"material-transparency", Severity::warning, "XAC", "A transparency type is unknown: the material is drawn opaque."},
    {"texture-none", Severity::info, "XAC", "A texture name is empty or stands for no texture: nothing is shown there."},
    {"texture-path", Severity::info, "XAC", "A texture name has a path or an extension: games that add their own find no file."},
    // Limits, levels of detail, groups
    {"node-limit-order", Severity::warning, "XAC", "A limit's minimum is above its maximum: the node cannot move as meant."},
    {"lod-actor", Severity::warning, "XAC", "A level of detail holds no actor: the level is not shown."},
    {"lod-node", Severity::warning, "XAC", "A level of detail has a node that the actor does not have: its meshes have no place."},
    {"lod-depth", Severity::warning, "XAC", "Levels of detail are nested too deep: those below were not checked."},
    {"mirror-count", Severity::error, "XAC", "There is not one mirror source for each node: mirrored motions move the wrong nodes."},
    // Morph targets
    {"morph-range", Severity::warning, "XAC", "A morph target's range is empty: its weight cannot move."},
    {"morph-delta-range", Severity::warning, "XAC", "A morph target's smallest offset is above its largest: vertices move the wrong way."},
    {"morph-arrays", Severity::error, "XAC", "A morph target's arrays differ in length: offsets go to the wrong vertices."},
    {"morph-mesh", Severity::error, "XAC", "A morph target changes a node without a mesh: nothing moves, or the engine crashes."},
    {"morph-vertex", Severity::error, "XAC", "A morph target moves a vertex that the mesh does not have: engines write foreign memory."},
    {"morph-name-duplicate", Severity::warning, "XAC", "Two morph targets have one name: motions reach only the first."},
    {"morph-name-empty", Severity::warning, "XAC", "A morph target has no name: no motion can move it."},
    // Motions
    {"motion-empty", Severity::info, "XSM, XPM", "The motion has no tracks: nothing moves."},
    {"motion-wavelet", Severity::warning, "XSM", "The motion is compressed with wavelets, which are not decoded: it is kept, and cannot be converted."},
    {"wavelet-mapping", Severity::error, "XSM", "There is not one track mapping for each submotion: the rest of the file is misread."},
    {"submotion-name-duplicate", Severity::warning, "XSM, XPM", "Two tracks have one name: only the first moves anything."},
    {"submotion-name-empty", Severity::warning, "XSM, XPM", "A track has no name: it moves nothing."},
    {"motion-node-unknown", Severity::warning, "XSM with actor", "A moving track's name is no node of the actor: the movement is lost."},
    {"motion-node-absent", Severity::info, "XSM with actor", "A track without keys names no node of the actor: usual where actors share motions, and nothing is lost."},
    {"motion-node-unmoved", Severity::info, "XSM with actor", "The motion has no track for a node of the actor: the node keeps its bind pose."},
    {"motion-order-mismatch", Severity::info, "XSM with actor", "Motion and actor combine scale and rotation in different orders: unevenly scaled nodes may look different than meant."},
    {"motion-target-unknown", Severity::warning, "XPM with actor", "A track's name is no morph target of the actor: it moves nothing."},
    {"key-time-first", Severity::warning, "XSM, XPM", "The first key is not at time 0: before it, the engine shows the last key."},
    {"key-time-negative", Severity::warning, "XSM, XPM", "A key is before time 0: it is never reached."},
    {"key-time-order", Severity::error, "XSM, XPM", "A key is earlier than the key before it: playback jumps or reads the wrong keys."},
    {"key-time-duplicate", Severity::warning, "XSM, XPM", "Two keys share one time: some tools divide by zero, and glTF forbids it; conversions keep the later."},
    {"key-single", Severity::info, "XSM, XPM", "A track has a single key: exporters write none and a pose instead; some engines want at least two."},
    {"key-sign-flip", Severity::info, "XSM", "Neighbouring rotation keys have opposite signs: tools that do not turn the sign spin the long way round."},
    {"key-pose", Severity::info, "XSM", "The first key differs from the pose: tools that show the pose show another stance than playback."},
    {"weight-range", Severity::warning, "XPM", "A track's smallest weight is above its largest: the morph runs backwards."},
    {"weight-pose", Severity::info, "XPM", "A pose weight is outside the track's range: it is clamped where it is used."},
    {"weight-target-range", Severity::info, "XPM with actor", "A track's range exceeds that of its morph target: weights beyond it are clamped."},
});
// clang-format on

using Code = RuleCode<rules>;

/// A part of a path. Parts are linked, so that the text is only made when there is something to report.
struct Where {
    static constexpr std::uint64_t no_index = ~std::uint64_t{0};

    const Where* parent = nullptr;
    std::string_view name = {};
    std::uint64_t index = no_index;
    std::string_view kind = {};  ///< of a chunk
};

[[nodiscard]] std::string to_string(const Where& where);

/// Tallies the indices for which `bad` holds. Counting goes before searching because a loop without exits is one
/// that compilers can vectorise, and because nearly always nothing is found.
template <class Bad>
[[nodiscard]] Tally tally(std::size_t size, Bad bad) {
    std::size_t count = 0;
    for (std::size_t index = 0; index < size; ++index) count += bad(index) ? 1u : 0u;
    if (count == 0) return {};
    std::size_t first = 0;
    while (!bad(first)) ++first;
    return {count, first};
}

/// Collects the findings of one file, or of one file inside another.
class Findings {
public:
    explicit Findings(Report& report, const Where* base = nullptr) : report_(&report), base_(base) {}

    /// The parent of all paths: null, or the place of the embedded file.
    [[nodiscard]] const Where* base() const noexcept { return base_; }
    [[nodiscard]] Report& report() const noexcept { return *report_; }
    [[nodiscard]] Where file() const noexcept { return base_ == nullptr ? Where{} : *base_; }

    /// `count` findings of one kind, reported as one with the address of the first.
    void add(Code code, const Where& where, std::string found, std::string expected, std::uint64_t count = 1);
    /// As add(), but one for the whole file: counted, and reported by finish().
    void collect(Code code, const Where& where, std::string_view found, std::string_view expected);
    /// Looks at the encoding of a string.
    void text(std::string_view bytes, const Where& where);
    void finish();

private:
    struct Collected {
        Code code;
        std::string path, found, expected;
        std::uint64_t count;
    };
    void add(Code code, std::string path, std::string found, std::string expected, std::uint64_t count);

    Report* report_;
    const Where* base_;
    std::vector<Collected> collected_;
    std::string utf8_;  ///< the first text that is UTF-8 and not ASCII
};

/// Numbers and raw strings as text for `found` and `expected`.
[[nodiscard]] inline std::string number(std::integral auto value) { return std::to_string(value); }
[[nodiscard]] inline std::string number(float value) { return number_text(value); }
[[nodiscard]] std::string numbers(std::span<const float> values);
[[nodiscard]] std::string numbers(const Vec3& value);
[[nodiscard]] std::string numbers(const Quat& value);
[[nodiscard]] std::string in_quotes(std::string_view bytes);

[[nodiscard]] inline bool not_finite(float value) noexcept {
    return (std::bit_cast<std::uint32_t>(value) & 0x7f800000u) == 0x7f800000u;
}
[[nodiscard]] inline bool not_finite(const Vec3& v) noexcept {
    return not_finite(v.x) || not_finite(v.y) || not_finite(v.z);
}
[[nodiscard]] inline bool not_finite(const Quat& q) noexcept {
    return not_finite(q.x) || not_finite(q.y) || not_finite(q.z) || not_finite(q.w);
}

/// |length - 1| up to about 0.001 is rounding.
inline constexpr float square_tolerance = 2e-3f;

[[nodiscard]] inline bool not_unit(float square_of_length) noexcept {
    return std::fabs(square_of_length - 1.0f) > square_tolerance;
}
[[nodiscard]] inline bool not_unit(const Quat& q) noexcept {
    return not_unit(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

/// Single values: not-finite and rotation-norm.
void check_finite(float value, const Where& where, Findings& findings);
void check_finite(const Vec3& value, const Where& where, Findings& findings);
void check_rotation(const Quat& value, const Where& where, Findings& findings);

/// Positions in `names` whose name occurs earlier, in order.
struct Duplicate {
    std::size_t index, earlier;
};
[[nodiscard]] std::vector<Duplicate> duplicates(std::span<const std::string_view> names);

void check_header(const Header& header, Findings& findings);
void check_events(const MotionEvents& events, std::uint32_t version, const Where& where, Findings& findings);
void check_timestamp(const Timestamp& timestamp, const Where& where, Findings& findings);
void check_motion_info(const MotionInfo& info, const Where& where, Findings& findings);
/// The place of the info chunk among the others, given the chunks that are info.
void check_info_place(std::span<const std::size_t> infos, std::string_view kind, Findings& findings);

/// declared-size: needs the layouts, and is defined beside them.
void check_lengths(const xac::File& file, Findings& findings);
void check_lengths(const xsm::File& file, Findings& findings);
void check_lengths(const xpm::File& file, Findings& findings);

/// The name of a chunk's kind in paths.
[[nodiscard]] std::string_view kind_of(const xac::File& file, std::size_t chunk) noexcept;
[[nodiscard]] std::string_view kind_of(const xsm::File& file, std::size_t chunk) noexcept;
[[nodiscard]] std::string_view kind_of(const xpm::File& file, std::size_t chunk) noexcept;

template <class File>
[[nodiscard]] Where chunk_place(const File& file, std::size_t chunk, const Findings& findings) noexcept {
    return {findings.base(), "chunk", chunk, kind_of(file, chunk)};
}

/// What concerns every file: header, sizes, bytes that nothing explains, the info chunk.
template <class InfoRecord, class File>
void check_container(const File& file, Findings& findings) {
    check_header(file.header, findings);
    std::vector<std::size_t> infos;
    std::string_view info_kind;
    for (std::size_t index = 0; index < file.chunks.size(); ++index) {
        const auto& chunk = file.chunks[index];
        const Where place = chunk_place(file, index, findings);
        if (const auto* opaque = std::get_if<Opaque>(&chunk.record))
            findings.add("opaque-chunk", place,
                         "id " + number(chunk.id) + ", version " + number(chunk.version) + ", " +
                             number(opaque->bytes.size()) + " bytes",
                         "a known chunk");
        if (!chunk.trailing.empty())
            findings.add("extra-bytes", {&place, "trailing"}, number(chunk.trailing.size()) + " bytes", "0 bytes");
        if (std::holds_alternative<InfoRecord>(chunk.record)) {
            infos.push_back(index);
            info_kind = place.kind;
        }
    }
    check_info_place(infos, info_kind, findings);
    check_lengths(file, findings);
    if (!file.trailing.empty())
        findings.add("trailing-bytes", {findings.base(), "trailing"}, number(file.trailing.size()) + " bytes",
                     "0 bytes");
}

}  // namespace effigy::emfx::checks
