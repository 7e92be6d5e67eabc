#pragma once
/// Channels as keys of files: the way back from to_scene/keys.hpp.

#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "emfx/to_scene/keys.hpp"

namespace effigy::emfx::bridge {

/// Floats of unit length are left as they are: what rounding does to them is no reason to change them.
[[nodiscard]] bool is_unit(const Quat& rotation) noexcept;
/// Of unit length as floats have it; not for a rotation of no length.
[[nodiscard]] Quat unit(const Quat& rotation) noexcept;

/// The packed rotation that unit() makes this one of, or the nearest one. Exporters cut digits off, so that packed
/// rotations are up to two units shorter than 32767; of several on one line the one is taken that cutting gives.
[[nodiscard]] xsm::PackedQuat pack(const Quat& rotation) noexcept;

/// Mirrored between the frames of scene and files.
[[nodiscard]] inline Quat mirrored(const Quat& q) noexcept { return {-q.x, -q.y, q.z, q.w}; }

/// From the scene's frame to a file's rotation.
void to_file(const Quat& rotation, Quat& out) noexcept;
void to_file(const Quat& rotation, xsm::PackedQuat& out) noexcept;

/// `z_sign` is -1 for positions and 1 for scales.
[[nodiscard]] Bulk<xsm::VectorKey> vector_keys(std::span<const float> times, std::span<const float> values,
                                               float z_sign);
template <class Rotation>
[[nodiscard]] Bulk<xsm::RotationKey<Rotation>> rotation_keys(std::span<const float> times,
                                                             std::span<const float> values) {
    Bulk<xsm::RotationKey<Rotation>> keys(times.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const float* q = values.data() + 4 * i;
        to_file(Quat{q[0], q[1], q[2], q[3]}, keys[i].value);
        keys[i].time = times[i];
    }
    return keys;
}

/// A weight in units of a 65535th of the range.
[[nodiscard]] std::uint16_t pack_weight(double weight, float low, float high) noexcept;
/// Of `values`, each `stride`th, from `first` on.
[[nodiscard]] Bulk<xpm::WeightKey> weight_keys(std::span<const float> times, std::span<const float> values,
                                               std::size_t first, std::size_t stride, float low, float high);

}  // namespace effigy::emfx::bridge
