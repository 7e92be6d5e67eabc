#pragma once
/// The rules for avatars, and what their checks share.

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/arp.hpp"
#include "effigy/arp_codes.hpp"

#include "arp/file/names.hpp"
#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::arp::checks {

/// What every part of the check works on.
struct Context {
    const File& file;
    Findings& findings;
    BonesByName bones;
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
void report(Findings& findings, const Code& code, const Tally& tally, const char* noun, PlaceOf&& place,
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
        checks::report(findings, codes::arp_not_finite, not_finite_, "rotations", place);
        checks::report(findings, codes::arp_rotation_none, none_, "rotations", place);
        checks::report(findings, codes::arp_rotation_scaled, scaled_, "rotations", place, "length 1");
        checks::report(findings, codes::arp_rotation_length, rough_, "rotations", place, "length 1");
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
