#pragma once
/// Avatars whose bind is known, for tests of its recovery.

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <random>
#include <string>
#include <vector>

#include "effigy/arp.hpp"
#include "effigy/arp_bind.hpp"

#include "arp/bind/rigid_fit.hpp"

namespace puppets {

namespace arp = effigy::arp;
using arp::Frame;
using glm::dquat;
using glm::dvec3;

inline constexpr double pi = 3.14159265358979323846;

[[nodiscard]] effigy::Vec3 narrow(const dvec3& v);
[[nodiscard]] effigy::Quat narrow(const dquat& q);
[[nodiscard]] dvec3 wide(const effigy::Vec3& v);
/// Of unit length.
[[nodiscard]] dquat unit(const effigy::Quat& q);
[[nodiscard]] Frame inverse(const Frame& frame);
[[nodiscard]] Frame frame_of(const arp::BoneFrame& bone);
[[nodiscard]] double degrees_between(const dquat& a, const dquat& b);

/// Seeded, and the same everywhere: the standard's distributions are not.
class Dice {
public:
    explicit Dice(unsigned seed) : engine_(seed) {}
    double between(double low, double high);
    dvec3 vector(double size);
    dvec3 direction();
    /// By up to so many degrees.
    dquat turn(double max_degrees);
    /// By at least so many degrees.
    dquat turn(double min_degrees, double max_degrees);

private:
    std::mt19937 engine_;
};

struct Hold {
    std::string bone;
    double weight = 0.5;
};

/// An avatar whose bind is known: the rest turns each joint away from it.
class Puppet {
public:
    arp::File file;
    std::vector<Frame> bind;

    explicit Puppet(unsigned seed = 1);

    /// `local` holds at the bind, `rest_turn` at the stored rest; both have the same joint.
    void add_bone(const std::string& name, const std::string& parent, const dvec3& joint, const dquat& local,
                  const dquat& rest_turn);
    void add_bone(const std::string& name, const std::string& parent, const dvec3& joint);

    void add_point(const dvec3& place, const dvec3& normal, const std::vector<Hold>& holds);
    /// Points around the joint of `joint`, that both bones hold.
    void add_cloud(const std::string& a, const std::string& b, const std::string& joint, int count, double size = 1.5);
    [[nodiscard]] const Frame& bind_of(const std::string& bone) const { return bind[arp::find_bone(file, bone)]; }
    Dice& dice() { return dice_; }

private:
    Dice dice_;
};

/// Head and foot, so that it has a height of 20.
void add_ends(Puppet& puppet);
/// Spine, two arms and a head that ends in a bone without points.
[[nodiscard]] Puppet torso(unsigned seed, int points);

/// Of all bones, or of all but some.
void expect_bind(const Puppet& puppet, const arp::Bind& bind, double distance, double degrees,
                 const std::vector<std::string>& except = {});

}  // namespace puppets
