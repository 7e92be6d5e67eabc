#pragma once
/// Meshes compressed by Draco's own encoder.

#include <cstdint>
#include <span>
#include <string>

namespace effigy::gltf_test {

struct DracoInput {
    std::span<const float> positions;       ///< attribute 0
    std::span<const float> texcoords;       ///< attribute 1
    std::span<const std::uint16_t> joints;  ///< attribute 2
    std::span<const std::uint32_t> indices;
};

/// `edgebreaker`: the method that packs best; otherwise the sequential one.
std::string draco_encoded(const DracoInput& input, bool edgebreaker);

}  // namespace effigy::gltf_test
