#pragma once
/// Draco's decoder within limits: it believes the numbers of points and faces that it reads.

#include <memory>
#include <span>
#include <string>

#include "effigy/result.hpp"

#include "core/budget.hpp"

namespace draco {
class Mesh;
}

namespace effigy::gltf {

/// Fails with "gltf-draco" and "limit-memory".
[[nodiscard]] Result<std::shared_ptr<const draco::Mesh>> decode_draco(std::span<const std::byte> bytes,
                                                                      const std::string& path, Budget& budget);

}  // namespace effigy::gltf
