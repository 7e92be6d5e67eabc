#pragma once
/// The signer's hands, clothes and shoes.

#include "mesh.hpp"

namespace signer {

[[nodiscard]] Mesh make_body();

}  // namespace signer
