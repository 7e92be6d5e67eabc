#pragma once
/// Memory of a .glb's buffer that is given back while a scene is made of it, so that both are never there as a whole.

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

namespace effigy::gltf {

/// Counts who still reads a buffer view. Only views that nothing but vertex attributes and indices of meshes refers to,
/// and that share no byte with another one, are ever given back.
class SpentViews {
public:
    /// Gives nothing back.
    SpentViews() = default;
    /// `binary`: the first buffer, which nobody needs beyond its views; bytes that are given back read as 0.
    SpentViews(const nlohmann::json& root, std::span<std::byte> binary);

    /// An attribute of a mesh, or the indices of a primitive, was read from this accessor for the last time.
    void read_from(std::uint64_t accessor);

private:
    const nlohmann::json* root_ = nullptr;
    std::span<std::byte> binary_;
    std::vector<std::uint32_t> readers_;  ///< of each view, those to come; 0: it stays
};

}  // namespace effigy::gltf
