/// What a part goes through while it moves.

#include <algorithm>
#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>
#include <vector>

#include "egosoft/from_scene/component.hpp"
#include "egosoft/to_scene/curves.hpp"

namespace effigy::egosoft::bridge {
namespace {

void grow(std::optional<Box>& box, const glm::dvec3& low, const glm::dvec3& high) {
    glm::dvec3 least = low, most = high;
    if (box) {
        const glm::dvec3 center(box->center.x, box->center.y, box->center.z);
        const glm::dvec3 half(box->half_size.x, box->half_size.y, box->half_size.z);
        least = glm::min(least, center - half);
        most = glm::max(most, center + half);
    }
    const glm::dvec3 center = (least + most) * 0.5, half = (most - least) * 0.5;
    const auto narrow = [](const glm::dvec3& v) {
        return Vec3{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
    };
    box = Box{narrow(center), narrow(half)};
}

/// Keys of one animation over time, in the file's frame.
class Motion {
public:
    explicit Motion(const ani::Animation& animation)
        : positions_(animation.positions, findings_),
          rotations_(animation.rotations, findings_),
          scales_(animation.scales, findings_) {}

    [[nodiscard]] std::vector<double> times() const {
        constexpr int steps = 8;
        constexpr std::size_t most = 4096;
        std::vector<double> keys, times;
        for (const Curve* curve : {&positions_, &rotations_, &scales_})
            keys.insert(keys.end(), curve->times().begin(), curve->times().end());
        std::sort(keys.begin(), keys.end());
        for (std::size_t i = 0; i < keys.size() && times.size() < most; ++i) {
            times.push_back(keys[i]);
            for (int step = 1; step < steps && i + 1 < keys.size(); ++step)
                times.push_back(keys[i] + (keys[i + 1] - keys[i]) * step / steps);
        }
        return times;
    }

    void sweep(std::optional<Box>& swept, const Box& box, double time) const {
        const Values angles = value(rotations_, time, 0), scale = value(scales_, time, 1),
                     at = value(positions_, time, 0);
        const glm::dquat x = glm::angleAxis(-angles[0], glm::dvec3(1, 0, 0)),
                         y = glm::angleAxis(angles[1], glm::dvec3(0, 1, 0)),
                         z = glm::angleAxis(-angles[2], glm::dvec3(0, 0, 1));
        const glm::dquat q = y * z * x;
        for (int corner = 0; corner < 8; ++corner) {
            const auto side = [&](int bit, float center, float half) {
                return static_cast<double>((corner >> bit & 1) != 0 ? center + half : center - half);
            };
            const glm::dvec3 point(side(0, box.center.x, box.half_size.x) * scale[0],
                                   side(1, box.center.y, box.half_size.y) * scale[1],
                                   side(2, box.center.z, box.half_size.z) * scale[2]);
            const glm::dvec3 moved = q * point + glm::dvec3(at[0], at[1], at[2]);
            grow(swept, moved, moved);
        }
    }

private:
    static Values value(const Curve& curve, double time, double fallback) {
        return curve.empty() ? Values{fallback, fallback, fallback} : curve.at(time);
    }

    KeyFindings findings_;
    Curve positions_, rotations_, scales_;
};

}  // namespace

void sweep(std::optional<Box>& swept, const Box& box, const ani::Animation& animation) {
    const Motion motion(animation);
    for (const double time : motion.times()) motion.sweep(swept, box, time);
}

}  // namespace effigy::egosoft::bridge
