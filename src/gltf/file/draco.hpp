#pragma once
/// KHR_draco_mesh_compression.

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "effigy/result.hpp"

#include "core/budget.hpp"
#include "gltf/file/accessors.hpp"
#include "gltf/file/asset.hpp"
#include "gltf/file/buffers.hpp"

namespace draco {
class Mesh;
}

namespace effigy::gltf {

class DracoMeshes {
public:
    DracoMeshes(Buffers& buffers, Accessors& accessors, Budget& budget) noexcept
        : buffers_(buffers), accessors_(accessors), budget_(budget) {}

    /// Nothing if the primitive is not compressed. Fails with "gltf-draco", "gltf-accessor", "gltf-reference",
    /// "limit-memory" and what Buffers says.
    [[nodiscard]] Result<std::optional<DecodedPrimitive>> decode(const nlohmann::json& primitive);

private:
    using Mesh = std::shared_ptr<const draco::Mesh>;

    [[nodiscard]] Result<Mesh> mesh_of(std::uint64_t view);
    [[nodiscard]] Result<Accessor> attribute(const draco::Mesh& mesh, std::uint64_t id, std::uint64_t accessor);
    [[nodiscard]] Result<Bulk<std::uint32_t>> indices(const draco::Mesh& mesh);

    Buffers& buffers_;
    Accessors& accessors_;
    Budget& budget_;
    std::map<std::uint64_t, Mesh> meshes_;  ///< by buffer view
};

}  // namespace effigy::gltf
