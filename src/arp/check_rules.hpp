#pragma once
/// The rules for avatars, and what their checks share.

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "effigy/arp.hpp"

#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::arp::checks {

// clang-format off
inline constexpr auto rules = std::to_array<Rule>({
    {"arp-missing", Severity::error, "ARP", "The file ends before all that it announces: players fail to load the avatar. What is there can be used."},
    {"arp-version", Severity::warning, "ARP", "The version is none that players know: they refuse the file, or each reads it differently."},
    {"arp-version-old", Severity::info, "ARP", "The version is below 3.1: players in browsers refuse it, only the older ones load it."},
    {"arp-layout", Severity::info, "ARP", "The layout is not the usual one of the version: it is the one that fits the file exactly, and not every player knows it."},
    {"arp-array-size", Severity::error, "ARP", "An array has another size than the counts and arrays beside it ask for: written like this, everything behind it is misread."},
    {"arp-not-finite", Severity::error, "ARP", "A number is infinite or not a number: whatever it moves disappears or collapses."},
    {"arp-scale", Severity::warning, "ARP", "The scale is not positive: morphs do nothing, or move the face the wrong way."},
    {"arp-volume", Severity::warning, "ARP", "The volume has no height: how large the avatar is in metres cannot be told."},
    {"arp-reflectance", Severity::warning, "ARP", "The material's reflectance is outside 0 to 1: players cut it off or light the avatar wrongly."},
    {"arp-skeleton-offset", Severity::info, "ARP", "The skeleton has an offset upwards: players add it to the root with every pose."},
    {"arp-trailing", Severity::warning, "ARP", "Bytes follow the end of the avatar: they are kept, and nothing reads them."},
    {"arp-mesh-missing", Severity::error, "ARP", "There is no mesh: nothing can be drawn."},
    {"arp-meshes", Severity::info, "ARP", "There is more than one mesh: players draw the first one only."},
    {"arp-strip-index", Severity::error, "ARP", "The strip refers to a vertex that does not exist: it is drawn astray or crashes the driver."},
    {"arp-strip-empty", Severity::warning, "ARP", "The strip has no triangle: nothing is drawn."},
    {"arp-duplicate-range", Severity::error, "ARP", "A duplicate stands for a point that does not exist: it has no place."},
    {"arp-vertex-count", Severity::error, "ARP", "Points and duplicates are more than 65536 vertices: the strip cannot reach those behind."},
    {"arp-vertex-unused", Severity::info, "ARP", "The strip does not use a vertex: it only takes room."},
    {"arp-texcoord-count", Severity::error, "ARP", "Texture coordinates are not as many as points and duplicates: the texture lies wrongly, or players read foreign memory."},
    {"arp-point-loose", Severity::error, "ARP", "A point hangs on no bone: it has no place."},
    {"arp-link-many", Severity::info, "ARP", "A point hangs on more than 4 bones: players in browsers have room for 4."},
    {"arp-link-name", Severity::error, "ARP", "A link names a bone that is not in the list of names: it cannot be written."},
    {"arp-link-bone", Severity::error, "ARP", "Points hang on a bone that the skeleton does not have: players fail to load the avatar."},
    {"arp-link-repeated", Severity::info, "ARP", "A point hangs on one bone twice: conversions add the weights up."},
    {"arp-weight-negative", Severity::warning, "ARP", "A weight is negative: the point moves against its bone."},
    {"arp-weight-sum", Severity::warning, "ARP", "A point's weights do not add up to 1: it is drawn towards the origin or pushed away from it; conversions scale them."},
    {"arp-weight-zero", Severity::info, "ARP", "A link has no weight: its offset means nothing and is ignored."},
    {"arp-normal-length", Severity::warning, "ARP", "A normal has no length: the surface is black or lit at random there."},
    {"arp-distance", Severity::info, "ARP", "A link's distance along the bone is not that of its offset: the twist of arms treats the point as if it were elsewhere."},
    {"arp-neighbour-range", Severity::warning, "ARP", "A neighbour of a point does not exist: tools that go by neighbours read foreign memory."},
    {"arp-morph-name", Severity::warning, "ARP", "A morph target's name is empty or longer than four characters: motions cannot name it."},
    {"arp-morph-duplicate", Severity::warning, "ARP", "Two morph targets have one name: motions reach only one of them."},
    {"arp-morph-missing", Severity::info, "ARP", "Morph targets that all known avatars have are missing: signs that use them leave the face still."},
    {"arp-morph-point", Severity::error, "ARP", "A morph target moves a point that does not exist: players write into foreign memory."},
    {"arp-morph-repeated", Severity::warning, "ARP", "A morph target moves one point twice: whether both offsets count is left to each player."},
    {"arp-morph-normal-length", Severity::info, "ARP", "A morph target's normal is not a unit vector: mixed with the point's own, it counts for more or less than its amount."},
    {"arp-bone-missing", Severity::error, "ARP", "There is no skeleton: points have nothing to hang on."},
    {"arp-bone-name", Severity::warning, "ARP", "A bone's name is not one to four printable characters: motions cannot name it."},
    {"arp-bone-duplicate", Severity::error, "ARP", "Two bones have one name: points and motions reach only one of them."},
    {"arp-parent-missing", Severity::error, "ARP", "A bone's parent does not exist: the bone has no place."},
    {"arp-parent-order", Severity::error, "ARP", "A bone stands before its parent: players rely on the order and put the bone in the wrong place."},
    {"arp-root-several", Severity::warning, "ARP", "More than one bone has no parent: motions move only ROOT, and what hangs on the others stays behind."},
    {"arp-root-missing", Severity::error, "ARP", "There is no bone called ROOT: players fail to load the avatar."},
    {"arp-head-missing", Severity::error, "ARP", "There is no bone called HEAD: players need it for morph targets."},
    {"arp-arm-missing", Severity::info, "ARP", "A bone of the arms that players twist is missing: the skin of that arm is not twisted."},
    {"arp-bone-length", Severity::info, "ARP", "A bone's length is not the distance to any of its children: the twist of arms ends elsewhere than the bone."},
    {"arp-inverse-twist", Severity::info, "ARP", "A bone's stored inverse twist is not that of its rest: the twist of arms does not vanish at rest."},
    {"arp-rotation-length", Severity::info, "ARP", "A rotation is a unit quaternion only roughly: conversions make it unit."},
    {"arp-rotation-scaled", Severity::warning, "ARP", "A rotation is not a unit quaternion: players use it as it is, and what it turns is scaled or skewed."},
    {"arp-rotation-none", Severity::error, "ARP", "A rotation is all zeros: what it turns collapses."},
    {"arp-pose-bones", Severity::warning, "ARP", "The default pose does not have the skeleton's bones in their order: players put transforms on the wrong bones, or leave bones out."},
    {"arp-pose-translation", Severity::info, "ARP", "The default pose moves bones from where the skeleton has them: players take its rotations only."},
    {"arp-ambient-rate", Severity::warning, "ARP", "The ambient motion's frames a second are not credible: it stands still or flickers."},
    {"arp-ambient-time", Severity::warning, "ARP", "A frame of the ambient motion is not later than the one before it: it is never seen, or the motion runs backwards."},
    {"arp-ambient-bone", Severity::warning, "ARP", "The ambient motion turns a bone that the skeleton does not have: players leave it out or fail."},
    {"arp-ambient-morph", Severity::warning, "ARP", "The ambient motion uses a morph target that the avatar does not have: that part of the face stays still."},
    {"arp-texture-name", Severity::warning, "ARP", "No texture is named, and none is embedded: the avatar is drawn without one."},
    {"arp-texture-flags", Severity::warning, "ARP", "The texture's flags are unknown or contradict each other: which kind of image it is, is left to each player."},
    {"arp-texture-tga", Severity::warning, "ARP", "The texture is said to be a TGA: players refuse it."},
    {"arp-texture-embedded", Severity::info, "ARP", "The texture is embedded: players in browsers look for a PNG file beside the avatar only."},
    {"arp-texture-size", Severity::error, "ARP", "The embedded texture's sizes do not suit its bytes, or it cannot be decoded: players fail to load the avatar."},
});
// clang-format on

using Findings = RuleFindings<rules>;

/// What every part of the check works on.
struct Context {
    const File& file;
    Findings& findings;
    std::unordered_map<std::string_view, std::size_t> bones;  ///< the first of each name
    bool was_read = false;  ///< reading has said what is missing, left over or laid out unusually

    /// Whether the file goes on behind `part`: what is cut off is not blamed for what it lacks.
    [[nodiscard]] bool has(Part part) const noexcept {
        if (part == Part::texture && file.first_missing == Part::ambient)
            return file.layout.ambient == AmbientForm::timed;
        if (part == Part::ambient && file.first_missing == Part::texture)
            return file.layout.ambient != AmbientForm::timed;
        return part < file.first_missing;
    }
    /// Likewise of a mesh: only the last one can be cut off.
    [[nodiscard]] bool has(Part part, const Mesh& mesh) const noexcept {
        return file.first_missing > Part::morph_targets || &mesh != &file.meshes.back() || part < file.first_missing ||
               file.first_missing <= Part::points;
    }
};

[[nodiscard]] inline std::string record(const char* kind, std::uint64_t index) {
    return std::string(kind) + "[" + std::to_string(index) + "]";
}
[[nodiscard]] inline std::string below(const std::string& outer, const std::string& inner) {
    return outer + " / " + inner;
}

[[nodiscard]] inline bool is_finite(const Vec3& v) noexcept {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
[[nodiscard]] inline double length(const Vec3& v) noexcept {
    return std::sqrt(double{v.x} * v.x + double{v.y} * v.y + double{v.z} * v.z);
}
/// Below it a direction is lost in rounding.
inline constexpr double no_length = 1e-6;

/// One finding for all elements that break a rule; `place` names the first.
template <class PlaceOf>
void report(Findings& findings, RuleCode<rules> code, const Tally& tally, const char* noun, PlaceOf&& place,
            const std::string& expected = {}) {
    if (tally) findings.add(code, place(tally.first), count_text(tally.count, noun), expected);
}

/// Quaternions of one kind.
class Rotations {
public:
    void add(const Quat& q, std::uint64_t index) noexcept {
        const double size = std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
        const double off = std::abs(size - 1);
        if (!std::isfinite(size))
            not_finite_.hit(index);
        else if (size < no_length)
            none_.hit(index);
        else if (off > 1e-2)
            scaled_.hit(index);
        else if (off > 1e-3)
            rough_.hit(index);
    }
    template <class PlaceOf>
    void report(Findings& findings, PlaceOf&& place) const {
        checks::report(findings, "arp-not-finite", not_finite_, "rotations", place);
        checks::report(findings, "arp-rotation-none", none_, "rotations", place);
        checks::report(findings, "arp-rotation-scaled", scaled_, "rotations", place, "length 1");
        checks::report(findings, "arp-rotation-length", rough_, "rotations", place, "length 1");
    }

private:
    Tally not_finite_, none_, scaled_, rough_;
};

/// What the points of all meshes hang on: thousands of meshes may share thousands of names.
struct LinkedBones {
    explicit LinkedBones(const Context& context) : last_points(context.file.link_names.size()) {
        for (const std::string& name : context.file.link_names)
            missing.push_back(!context.bones.contains(up_to_nul(name)));
    }
    std::vector<bool> missing;               ///< of File::link_names
    std::vector<std::uint64_t> last_points;  ///< likewise: the last point of any mesh, counted from 1
    std::uint64_t points = 0;                ///< of the meshes so far
};

void check_header(const Context& context);
void check_meshes(const Context& context);  ///< strip, duplicates, texture coordinates, and what follows
void check_points(const Context& context, const Mesh& mesh, const std::string& path, LinkedBones& bones);
void check_morphs(const Context& context, const Mesh& mesh, const std::string& path);
void check_common_morphs(const Context& context);
void check_bones(const Context& context);
void check_pose(const Context& context);  ///< the default one
void check_ambient(const Context& context);
void check_texture(const Context& context);

}  // namespace effigy::arp::checks
