#pragma once
/// What an avatar's arrays have that those made from its scene have not: the order of links, rounding, joins of the
/// strip. Kept in extras, so that an untouched avatar comes back bit by bit. Rules: docs/conversion/arp.md, "Extras".

#include "effigy/arp_scene.hpp"

#include "core/budget.hpp"

namespace effigy::arp {

/// Of one mesh; empty if it cannot be said. `made` is what was made from the scene.
[[nodiscard]] Bytes exact_mesh(const File& made, const File& original, std::size_t mesh);

/// Puts it into the records of the scene that was made of a file, if it has all of its meshes. Nothing of it is needed
/// to show the avatar.
void keep_exact(Scene& scene, const File& file, const Limits& limits, Budget& budget);

/// Puts what was kept into what was made; false, and nothing changed, if it does not suit. With `has_old_names` bones
/// and targets are called as in the avatar, so that ambient motion may name some that this did not have either.
bool restore_mesh(const Bytes& kept, File& made, std::size_t mesh, Budget& budget);
bool restore_ambient(const Bytes& kept, File& made, bool has_old_names, Budget& budget);

}  // namespace effigy::arp
