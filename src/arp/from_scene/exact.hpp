#pragma once
/// What an avatar's arrays have that those made from its scene have not: the order of links, rounding, joins of the
/// strip. Kept in extras, so that an untouched avatar comes back bit by bit. Rules: docs/formats/arp.md, "Extras".

#include "effigy/arp.hpp"

#include "core/budget.hpp"

namespace effigy::arp {

/// Empty if there is nothing to be said, or it cannot be said. `made` is what was made from the scene.
[[nodiscard]] Bytes exact_mesh(const File& made, std::size_t made_mesh, const File& original, std::size_t mesh);
[[nodiscard]] Bytes exact_ambient(const File& made, const File& original);

/// Puts what was kept into what was made; false, and nothing changed, if it does not suit.
bool restore_mesh(const Bytes& kept, File& made, std::size_t mesh, Budget& budget);
bool restore_ambient(const Bytes& kept, File& made, Budget& budget);

}  // namespace effigy::arp
