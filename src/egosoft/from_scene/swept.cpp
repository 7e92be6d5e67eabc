/// The room that parts take, and what they go through while they move.

#include <algorithm>
#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>
#include <vector>

#include "egosoft/from_scene/component.hpp"
#include "egosoft/to_scene/curves.hpp"
#include "scene/wide_math.hpp"

namespace effigy::egosoft::bridge {
namespace {

void grow(std::optional<Box>& box, const glm::dvec3& low, const glm::dvec3& high) {
    glm::dvec3 lowest = low, highest = high;
    if (box) {
        lowest = glm::min(lowest, wide(box->center) - wide(box->half_size));
        highest = glm::max(highest, wide(box->center) + wide(box->half_size));
    }
    box = Box{narrow((lowest + highest) * 0.5), narrow((highest - lowest) * 0.5)};
}

glm::dvec3 corner_of(const Box& box, int corner) {
    const auto side = [&](int bit, float center, float half) {
        return static_cast<double>((corner >> bit & 1) != 0 ? center + half : center - half);
    };
    return {side(0, box.center.x, box.half_size.x), side(1, box.center.y, box.half_size.y),
            side(2, box.center.z, box.half_size.z)};
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
        constexpr std::size_t max_times = 4096;
        std::vector<double> keys, times;
        for (const Curve* curve : {&positions_, &rotations_, &scales_})
            keys.insert(keys.end(), curve->times().begin(), curve->times().end());
        std::sort(keys.begin(), keys.end());
        for (std::size_t i = 0; i < keys.size() && times.size() < max_times; ++i) {
            times.push_back(keys[i]);
            for (int step = 1; step < steps && i + 1 < keys.size(); ++step)
                times.push_back(keys[i] + (keys[i + 1] - keys[i]) * step / steps);
        }
        return times;
    }

    void sweep(std::optional<Box>& swept, const Box& box, double time) const {
        const Values angles = value(rotations_, time, 0), scale = value(scales_, time, 1),
                     at = value(positions_, time, 0);
        // In the file's frame, whose x is the other way.
        const glm::dquat scene = rotation_by(angles);
        const glm::dquat q(scene.w, scene.x, -scene.y, -scene.z);
        for (int corner = 0; corner < 8; ++corner) {
            const glm::dvec3 point = corner_of(box, corner) * glm::dvec3(scale[0], scale[1], scale[2]);
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

Box box_around(const Box& a, const Box& b) {
    std::optional<Box> both = a;
    grow(both, wide(b.center) - wide(b.half_size), wide(b.center) + wide(b.half_size));
    return *both;
}

Box room_of(const Plan& plan) {
    std::optional<Box> room;
    const glm::dvec3 flip(-1, 1, 1);  // between the file's frame and the scene's
    for (const PlannedConnection& connection : plan.connections) {
        if (!connection.parent.empty()) continue;
        for (const PlannedPart& part : connection.parts) {
            if (part.levels.empty() || !part.levels.front().box) continue;
            for (int corner = 0; corner < 8; ++corner) {
                const glm::dvec3 inside = flip * corner_of(*part.levels.front().box, corner);
                const glm::dvec3 at = flip * glm::dvec3(connection.offset * part.offset * glm::dvec4(inside, 1));
                grow(room, at, at);
            }
        }
    }
    return room.value_or(Box{});
}

}  // namespace effigy::egosoft::bridge
