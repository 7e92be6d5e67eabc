#pragma once
/// Submotions with rotations of the other form: floats, or 16 bits.

#include <cstddef>

#include "effigy/xsm.hpp"

#include "emfx/file/wavelets.hpp"
#include "emfx/to_scene/key_codes.hpp"

namespace effigy::emfx::bridge {

inline void set_rotation(const Quat& from, Quat& to) { to = from; }
inline void set_rotation(const Quat& from, xsm::PackedQuat& to) { to = pack(from); }

[[nodiscard]] inline Bulk<xsm::RotationKey<Quat>> as_floats(const Bulk<xsm::RotationKey<Quat>>& keys) { return keys; }
[[nodiscard]] inline Bulk<xsm::RotationKey<Quat>> as_floats(const Bulk<xsm::RotationKey<xsm::PackedQuat>>& keys) {
    return xsm::decode(keys);
}

template <class To, class From>
[[nodiscard]] Bulk<xsm::RotationKey<To>> keys_as(const Bulk<xsm::RotationKey<From>>& from) {
    const Bulk<xsm::RotationKey<Quat>> floats = as_floats(from);
    Bulk<xsm::RotationKey<To>> to(floats.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
        set_rotation(floats[i].value, to[i].value);
        to[i].time = floats[i].time;
    }
    return to;
}

template <class To, class From>
[[nodiscard]] xsm::BasicSubmotion<To> submotion_as(const xsm::BasicSubmotion<From>& from) {
    xsm::BasicSubmotion<To> to;
    xsm::copy_poses(from, to, [](const auto& rotation) {
        To converted;
        set_rotation(xsm::decode(rotation), converted);
        return converted;
    });
    to.position_keys = from.position_keys;
    to.rotation_keys = keys_as<To>(from.rotation_keys);
    to.scale_keys = from.scale_keys;
    to.scale_rotation_keys = keys_as<To>(from.scale_rotation_keys);
    return to;
}

}  // namespace effigy::emfx::bridge
