#pragma once
/// The clothed body and what it carries.

#include "shape.hpp"

namespace figure {

/// Everything soft below the head as one field: for weights and for the shade in the folds.
[[nodiscard]] const Field& body_field();

/// `detail` 1 is the finest level; 0.5 has half as many vertices along every edge.
[[nodiscard]] Shape make_body(float detail);
[[nodiscard]] Shape make_hat(float detail);      ///< in the space of its node
[[nodiscard]] Shape make_lantern(float detail);  ///< in the space of its node
[[nodiscard]] Shape make_hull();                 ///< for collisions, in the space of the root

}  // namespace figure
