#pragma once
/// The signer's bones in the T-pose to which its points are bound: metres, feet at 0, facing +Z, +X to its left.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace signer {

using glm::dmat3;
using glm::dquat;
using glm::dvec3;

inline constexpr std::size_t no_bone = ~std::size_t{0};

struct Joint {
    std::string name;
    std::size_t parent;  ///< no_bone: none
    dvec3 position;
    dquat rotation;  ///< +X leads along the bone
    double length;
};

/// Parents first.
[[nodiscard]] const std::vector<Joint>& skeleton();
[[nodiscard]] std::size_t bone(std::string_view name);
[[nodiscard]] const Joint& joint(std::string_view name);
/// Steps in the tree from one to the other.
[[nodiscard]] int tree_distance(std::size_t a, std::size_t b);

/// The five fingers of a hand, thumb first.
inline constexpr const char* fingers[] = {"TH", "IF", "MF", "RF", "PF"};

/// Rotations away from the T-pose, about the model's axes as the parent carries them along.
struct Pose {
    std::vector<dquat> turns;
    Pose() : turns(skeleton().size(), dquat(1, 0, 0, 0)) {}
    [[nodiscard]] dquat& operator[](std::string_view name) { return turns[bone(name)]; }
};
/// What a file stores of it: the rotation in the parent's frame.
[[nodiscard]] dquat local_rotation(const Pose& pose, std::size_t bone);
[[nodiscard]] dvec3 local_translation(std::size_t bone);
/// Where a bone has gone to, and how far it has turned away from the T-pose.
struct Place {
    dvec3 position;
    dquat turn;
};
[[nodiscard]] std::vector<Place> places(const Pose& pose);
/// One pose of the skeleton on the way to another one.
[[nodiscard]] Pose mix(const Pose& from, const Pose& to, double part);

}  // namespace signer
