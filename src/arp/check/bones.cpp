/// The skeleton and the default pose.

#include <algorithm>
#include <vector>

#include "effigy/arp_codes.hpp"

#include "arp/check/rules.hpp"
#include "arp/file/names.hpp"

namespace effigy::arp::checks {

namespace {

bool is_usable_name(const std::string& raw) noexcept {
    const std::string_view name = up_to_nul(raw);
    return !name.empty() && name.size() <= 4 &&
           std::all_of(name.begin(), name.end(), [](char letter) { return letter > ' ' && letter <= '~'; });
}

double distance(const Vec3& a, const Vec3& b) noexcept {
    return std::hypot(double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z);
}

/// How far the stored inverse twist is from that of the rest; 0 where the rest turns by 180 degrees about another
/// axis and has no twist that could be told.
double twist_error(const Bone& bone) noexcept {
    const Quat &rest = bone.rotation, &stored = bone.inverse_twist;
    const double size = std::hypot(double{rest.x}, double{rest.w});
    if (!(size > 1e-3)) return 0;
    const double x = -rest.x / size, w = rest.w / size;
    const double off = std::max(std::abs(double{stored.y}), std::abs(double{stored.z}));
    const auto apart = [&](double sign) {
        return std::max({off, std::abs(stored.x - sign * x), std::abs(stored.w - sign * w)});
    };
    return std::min(apart(1), apart(-1));
}

class BonesCheck {
public:
    explicit BonesCheck(const Context& context) : context_(context), bones_(context.file.bones) {}

    void run() {
        if (bones_.empty()) {
            context_.findings.add(codes::arp_bone_missing, "bone_count", "0 bones");
            return;
        }
        nearest_.resize(bones_.size(), -1);
        for (std::size_t index = 0; index < bones_.size(); ++index) check_bone(index);
        for (std::size_t index = 0; index < bones_.size(); ++index) check_length(index);
        report_all();
        check_needed();
    }

private:
    void check_bone(std::size_t index) {
        const Bone& bone = bones_[index];
        if (!is_usable_name(bone.name)) odd_name_.hit(index);
        if (context_.bones.find(up_to_nul(bone.name))->second != index) repeated_.hit(index);
        check_parent(index);
        rests_.add(bone.rotation, index);
        twists_.add(bone.inverse_twist, index);
        if (!is_finite(bone.translation) || !std::isfinite(bone.length)) not_finite_.hit(index);
        if (twist_error(bone) > 2e-3) twist_.hit(index);
    }

    void check_parent(std::size_t index) {
        const std::string_view name = up_to_nul(bones_[index].parent);
        if (name.empty()) {
            if (roots_++ == 1) second_root_ = index;
            return;
        }
        const auto parent = context_.bones.find(name);
        if (parent == context_.bones.end()) {
            orphan_.hit(index);
        } else if (parent->second >= index) {
            order_.hit(index);
        } else {
            note_child(parent->second, index);
        }
    }

    /// Keeps the child whose distance suits the parent's length best.
    void note_child(std::size_t parent, std::size_t child) {
        const double along = length(bones_[child].translation);
        const auto off = [&](double candidate) { return std::abs(candidate - double{bones_[parent].length}); };
        if (nearest_[parent] < 0 || off(along) < off(nearest_[parent])) nearest_[parent] = along;
    }

    void check_length(std::size_t index) {
        if (nearest_[index] < 0) return;
        if (std::abs(nearest_[index] - double{bones_[index].length}) > 1e-3 * std::max(1.0, nearest_[index]))
            length_.hit(index);
    }

    static std::string bone_path(std::uint64_t index, const char* field) {
        return below(element_path("bone", index), field);
    }

    void say(const Code& code, const Tally& tally, const char* field, std::string Bone::*text,
             std::string expected = {}) const {
        if (!tally) return;
        const std::string& found = bones_[static_cast<std::size_t>(tally.first)].*text;
        context_.findings.add(code, bone_path(tally.first, field), first_of(shortened(up_to_nul(found)), tally.count),
                              std::move(expected));
    }

    void report_all() const {
        Findings& findings = context_.findings;
        say(codes::arp_bone_name, odd_name_, "name", &Bone::name, "one to four characters");
        say(codes::arp_bone_duplicate, repeated_, "name", &Bone::name);
        say(codes::arp_parent_missing, orphan_, "parent", &Bone::parent, "a bone of the skeleton");
        say(codes::arp_parent_order, order_, "parent", &Bone::parent, "a bone before this one");
        if (roots_ > 1)
            findings.add(codes::arp_root_several, bone_path(second_root_, "parent"), count_text(roots_, "bones"),
                         "1 bone");
        const auto path = [](const char* field) {
            return [field](std::uint64_t index) { return bone_path(index, field); };
        };
        report(findings, codes::arp_not_finite, not_finite_, "bones", path("translation"));
        rests_.report(findings, path("rotation"));
        twists_.report(findings, path("inverse_twist"));
        report(findings, codes::arp_bone_length, length_, "bones", path("length"));
        report(findings, codes::arp_inverse_twist, twist_, "bones", path("inverse_twist"));
    }

    void check_needed() const {
        if (!context_.bones.contains("ROOT")) context_.findings.add(codes::arp_root_missing, "bone_count", "", "ROOT");
        if (!context_.bones.contains("HEAD")) context_.findings.add(codes::arp_head_missing, "bone_count", "", "HEAD");
        std::string missing;
        for (const std::string_view arm : twisted_arms)
            if (!context_.bones.contains(arm)) (missing += missing.empty() ? "" : " ") += arm;
        if (!missing.empty()) context_.findings.add(codes::arp_arm_missing, "bone_count", "no " + missing);
    }

    const Context& context_;
    const std::vector<Bone>& bones_;
    std::vector<double> nearest_;  // of each bone: a child's distance, or -1
    Tally odd_name_, repeated_, orphan_, order_, not_finite_, twist_, length_;
    Rotations rests_, twists_;
    std::size_t roots_ = 0, second_root_ = 0;
};

}  // namespace

void check_bones(const Context& context) { BonesCheck(context).run(); }

void check_pose(const Context& context) {
    const auto& bones = context.file.bones;
    const auto& pose = context.file.default_pose;
    Tally foreign, moved, not_finite;
    Rotations rotations;
    for (std::size_t index = 0; index < pose.size(); ++index) {
        rotations.add(pose[index].rotation, index);
        if (!is_finite(pose[index].translation)) not_finite.hit(index);
        if (index >= bones.size()) continue;
        if (text_of(pose[index].bone) != up_to_nul(bones[index].name)) {
            foreign.hit(index);
        } else {
            const double size = std::max(1.0, length(bones[index].translation));
            if (distance(pose[index].translation, bones[index].translation) > 1e-4 * size) moved.hit(index);
        }
    }
    const auto path = [](std::uint64_t index) { return element_path("default_pose", index); };
    if (!context.has(Part::bones)) {
        // Nothing to compare with.
    } else if (pose.size() != bones.size()) {
        context.findings.add(codes::arp_pose_bones, "pose_count", count_text(pose.size(), "bones"),
                             count_text(bones.size(), "bones"));
    } else if (foreign) {
        const auto first = static_cast<std::size_t>(foreign.first);
        context.findings.add(codes::arp_pose_bones, below(path(foreign.first), "bone"),
                             first_of(std::string(text_of(pose[first].bone)), foreign.count),
                             shortened(up_to_nul(bones[first].name)));
    }
    report(context.findings, codes::arp_not_finite, not_finite, "translations", path);
    rotations.report(context.findings, path);
    report(context.findings, codes::arp_pose_translation, moved, "bones", path);
}

}  // namespace effigy::arp::checks
