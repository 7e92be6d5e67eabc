#pragma once
/// The signer as an avatar definition.

#include "effigy/arp.hpp"

#include "skeleton.hpp"

namespace signer {

inline constexpr double units_per_metre = 25;
inline constexpr const char* texture_name = "signer.png";

[[nodiscard]] effigy::Vec3 to_units(dvec3 metres);  ///< of a distance
[[nodiscard]] effigy::Quat to_quat(const dquat& rotation);

[[nodiscard]] effigy::arp::File make_avatar();

}  // namespace signer
