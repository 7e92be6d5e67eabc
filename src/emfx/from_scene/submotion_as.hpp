#pragma once
/// Submotions with rotations of the other form: floats, or 16 bits.

#include <cstddef>
#include <type_traits>
#include <utility>

#include "effigy/xsm.hpp"

#include "emfx/file/wavelets.hpp"
#include "emfx/to_scene/key_codes.hpp"

namespace effigy::emfx::bridge {

[[nodiscard]] inline Bulk<xsm::RotationKey<xsm::PackedQuat>> packed_keys(const Bulk<xsm::RotationKey<Quat>>& from) {
    Bulk<xsm::RotationKey<xsm::PackedQuat>> to(from.size());
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = {pack(from[i].value), from[i].time};
    return to;
}

template <class To, class From>
[[nodiscard]] xsm::BasicSubmotion<To> submotion_as(xsm::BasicSubmotion<From> from) {
    if constexpr (std::is_same_v<To, From>) {
        return from;
    } else if constexpr (std::is_same_v<To, Quat>) {
        return xsm::float_submotion(from);
    } else {
        xsm::PackedSubmotion to;
        xsm::copy_poses(from, to, pack);
        to.position_keys = std::move(from.position_keys);
        to.rotation_keys = packed_keys(from.rotation_keys);
        to.scale_keys = std::move(from.scale_keys);
        to.scale_rotation_keys = packed_keys(from.scale_rotation_keys);
        return to;
    }
}

}  // namespace effigy::emfx::bridge
