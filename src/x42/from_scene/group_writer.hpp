#pragma once
/// Primitives become groups, as many as the limits of one ask for.

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "effigy/x42.hpp"

#include "x42/from_scene/model_vertices.hpp"
#include "x42/to_scene/mesh_codes.hpp"

namespace effigy::x42::bridge {

/// What a vertex of a mesh is in the file; its weights' joints are numbers of influences, each once.
struct SourceVertex {
    ModelVertex vertex;
    std::vector<Weight> weights;
};

class GroupWriter {
public:
    GroupWriter(File& file, ModelVertices& vertices, Influences& influences, std::size_t max_bones) noexcept
        : file_(file), vertices_(vertices), influences_(influences), max_bones_(max_bones) {}

    /// `corners`: vertices of the mesh, `width` of them a primitive. Of points each corner becomes a vertex.
    void write(std::uint16_t material, std::uint16_t surface, std::span<const std::uint32_t> corners, std::size_t width,
               const std::function<SourceVertex(std::uint32_t)>& source);

private:
    void add(std::span<const std::uint32_t> corners, std::span<const SourceVertex> vertices, bool indexed);
    [[nodiscard]] bool has_room(std::span<const SourceVertex> corners) const;
    [[nodiscard]] std::uint16_t put(const SourceVertex& vertex);
    void flush(std::uint16_t material, std::uint16_t surface, PrimitiveType type);

    File& file_;
    ModelVertices& vertices_;
    Influences& influences_;
    std::size_t max_bones_;
    std::unordered_map<std::uint32_t, std::uint16_t> places_;  ///< of the mesh's vertices in the open group
    std::vector<std::uint16_t> palette_;                       ///< of the open group
    std::vector<std::vector<Weight>> weights_;                 ///< of its vertices
    std::vector<std::uint16_t> indices_;
};

}  // namespace effigy::x42::bridge
