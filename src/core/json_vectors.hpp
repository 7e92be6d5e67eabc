#pragma once
/// Vectors and rotations as arrays of their numbers.

#include "effigy/math.hpp"

#include "core/json.hpp"

namespace effigy {

[[nodiscard]] inline Json json_numbers(const Vec3& v) {
    return Json::array({json_number(v.x), json_number(v.y), json_number(v.z)});
}
[[nodiscard]] inline Json json_numbers(const Quat& q) {
    return Json::array({json_number(q.x), json_number(q.y), json_number(q.z), json_number(q.w)});
}

}  // namespace effigy
