#pragma once
/// What actors and motions know each other by.

#include "effigy/rig.hpp"
#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

namespace effigy::emfx {

/// Whether the submotion moves anything.
template <class Rotation>
[[nodiscard]] bool has_movement(const xsm::BasicSubmotion<Rotation>& submotion) noexcept {
    return !submotion.position_keys.empty() || !submotion.rotation_keys.empty() || !submotion.scale_keys.empty() ||
           !submotion.scale_rotation_keys.empty();
}

/// Whether a node of a compressed motion has a track.
[[nodiscard]] inline bool has_movement(const xsm::WaveletMapping& mapping) noexcept {
    constexpr std::uint16_t no_track = 0xffff;
    return (mapping.position_track & mapping.rotation_track & mapping.scale_rotation_track & mapping.scale_track) !=
           no_track;
}

/// Nodes in file order, then the morph targets of all levels. Those nodes move what is shown that have weights in the
/// meshes of the first level, or carry one that has no weights.
[[nodiscard]] Rig rig_of(const xac::File& file);
/// Tracks in file order.
[[nodiscard]] Rig rig_of(const xsm::File& file);
[[nodiscard]] Rig rig_of(const xpm::File& file);

}  // namespace effigy::emfx
