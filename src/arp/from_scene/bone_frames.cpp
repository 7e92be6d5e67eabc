/// How an avatar's bones lie at rest: x along the bone, z ahead, and how long they are.

#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "arp/file/names.hpp"
#include "arp/from_scene/from_scene.hpp"

namespace effigy::arp::native {
namespace {

using Children = std::vector<std::vector<std::size_t>>;  ///< of each bone

/// Whom a bone leads to, for those that have several below.
constexpr auto next_bones = std::to_array<std::pair<std::string_view, std::array<std::string_view, 3>>>({
    {"ROOT", {"SPI1", "SPI2", "NEC1"}},
    {"SPI1", {"SPI2", "SPI3", "NEC1"}},
    {"SPI2", {"SPI3", "NEC1", "HEAD"}},
    {"SPI3", {"NEC1", "HEAD", ""}},
    {"NEC1", {"HEAD", "", ""}},
    {"CLR", {"UPA", "", ""}},
    {"UPA", {"LRA", "", ""}},
    {"LRA", {"WRI", "", ""}},
    {"WRI", {"MC3", "MF1", "IF1"}},
    {"THG", {"CLF", "", ""}},
    {"CLF", {"FOT", "", ""}},
});

double distance(const Skeleton& skeleton, std::size_t a, std::size_t b) {
    return glm::distance(skeleton.bones[a].rest.translation, skeleton.bones[b].rest.translation);
}

/// The bone that this one leads to, away from it.
std::size_t child_of(const Skeleton& skeleton, const Children& children, std::size_t i) {
    const std::string& code = skeleton.bones[i].code;
    const bool has_side = code.size() == 4 && (code.front() == 'L' || code.front() == 'R');
    for (const auto& [from, wanted] : next_bones) {
        if (code != from && !(has_side && code.substr(1) == from)) continue;
        for (const std::string_view to : wanted) {
            const std::string name = code == from ? std::string(to) : code.substr(0, 1) + std::string(to);
            for (const std::size_t child : children[i]) {
                if (skeleton.bones[child].code == name && distance(skeleton, i, child) > no_distance) return child;
            }
        }
    }
    std::size_t best = none;
    for (const std::size_t child : children[i]) {
        if (distance(skeleton, i, child) <= no_distance) continue;
        if (best == none || children[child].size() > children[best].size()) best = child;
    }
    return best;
}

void set_length(Skeleton& skeleton, const Children& children, std::size_t i, std::size_t child) {
    BoneDraft& bone = skeleton.bones[i];
    if (child != none) {
        bone.length = distance(skeleton, i, child);
    } else if ((children[i].empty() || is_twisted_arm(bone.code)) && bone.parent != none && bone.node != no_index) {
        std::size_t above = bone.parent;
        if (is_twisted_arm(bone.code)) {
            while (distance(skeleton, above, i) <= no_distance && skeleton.bones[above].parent != none)
                above = skeleton.bones[above].parent;
        }
        bone.length = distance(skeleton, above, i) / 2;
    }
}

/// Beside its parent; a lower arm at the end of an upper one that leads nowhere else.
void place_added(Skeleton& skeleton, const Children& children, std::size_t i) {
    BoneDraft& bone = skeleton.bones[i];
    const BoneDraft& parent = skeleton.bones[bone.parent];
    bone.rest.rotation = parent.rest.rotation;
    if (is_twisted_arm(bone.code) && is_twisted_arm(parent.code) && child_of(skeleton, children, bone.parent) == none)
        bone.rest.translation = parent.rest * glm::dvec3(parent.length, 0, 0);
}

void set_rotation(BoneDraft& bone, const glm::dquat& wanted) {
    bone.node_to_bone = glm::normalize(glm::conjugate(bone.rest.rotation) * wanted);
    bone.rest.rotation = wanted;
}

/// x along the bone, z ahead as far as that goes.
glm::dquat rotation_along(const glm::dvec3& x) {
    const glm::dvec3 wish = std::abs(x.z) < 0.9 ? glm::dvec3(0, 0, 1) : glm::dvec3(0, 1, 0);
    const glm::dvec3 z = glm::normalize(wish - glm::dot(wish, x) * x);
    return glm::normalize(glm::quat_cast(glm::dmat3(x, glm::cross(z, x), z)));
}

void align_bone(Skeleton& skeleton, const Children& children, std::size_t i) {
    BoneDraft& bone = skeleton.bones[i];
    const std::size_t child = child_of(skeleton, children, i);
    set_length(skeleton, children, i, child);
    if (bone.is_known || bone.node == no_index) {
        if (bone.node == no_index && i != 0) place_added(skeleton, children, i);
        return;
    }
    const bool is_eye = bone.code == "LEYE" || bone.code == "REYE";
    if ((child == none || is_eye) && bone.code != "HEAD" && i != 0) {
        set_rotation(bone, skeleton.bones[bone.parent].rest.rotation);
        return;
    }
    glm::dvec3 along(0, 1, 0);
    if (child != none) {
        along = skeleton.bones[child].rest.translation - bone.rest.translation;
        along /= glm::length(along);
    }
    if (bone.code == "HEAD" && along.y < 0.7) along = {0, 1, 0};  // towards the eyes, which are ahead
    if (glm::dot(bone.rest.rotation * glm::dvec3(1, 0, 0), along) > 0.9999999) return;
    set_rotation(bone, rotation_along(along));
}

}  // namespace

void align_bones(Skeleton& skeleton, const Tree& tree) {
    Children children(skeleton.bones.size());
    for (std::size_t i = 1; i < skeleton.bones.size(); ++i) children[skeleton.bones[i].parent].push_back(i);
    for (BoneDraft& bone : skeleton.bones) {
        if (bone.node != no_index) {
            bone.rest = rigid_part(tree.worlds[bone.node]);
        } else if (bone.parent != none) {
            bone.rest = skeleton.bones[bone.parent].rest;
        }
    }
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) align_bone(skeleton, children, i);
}

}  // namespace effigy::arp::native
