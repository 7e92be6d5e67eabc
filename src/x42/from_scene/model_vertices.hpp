#pragma once
/// Vertices and influences of a file in the making, before they are packed.

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <map>
#include <string>
#include <vector>

#include "effigy/x42.hpp"

namespace effigy::x42::bridge {

struct ModelVertex {
    glm::dvec3 position{0}, normal{0, 1, 0}, tangent{1, 0, 0};
    double side = 1;
    glm::dvec2 texcoord{0};
    PackedColor color{255, 255, 255, 255};
};

/// Which sections a model has.
struct VertexSections {
    bool normals = false, tangents = false, texcoords = false, colors = false;
};

class ModelVertices {
public:
    explicit ModelVertices(VertexSections sections) noexcept : sections_(sections) {}
    void add(const ModelVertex& vertex);
    [[nodiscard]] std::size_t size() const noexcept { return positions_.size(); }
    /// The sections, their ranges and flags, and the bounds. `old`: the ranges of the file that the model comes from.
    void pack_into(File& file, const PackHeader* old) const;

private:
    void pack_positions(File& file, const PackHeader* old) const;
    VertexSections sections_;
    Bulk<Vec3> positions_;
    Bulk<PackedNormal> normals_;
    Bulk<PackedTangent> tangents_;
    Bulk<Vec2> texcoords_;
    Bulk<PackedColor> colors_;
};

/// Bones with matrices, each pair once.
class Influences {
public:
    /// Numbers beyond what the format counts are given as well.
    [[nodiscard]] std::size_t add(std::uint16_t bone, const glm::dmat4& mesh_to_bone);
    /// A vertex follows it: how far it is from the bone.
    void reach(std::size_t influence, const glm::dvec3& position);
    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
    void put_into(File& file) const;

private:
    struct One {
        Influence record;
        glm::dmat4 matrix{1};
        double reach = 0;
    };
    std::vector<One> all_;
    std::map<std::string, std::size_t> numbers_;
};

}  // namespace effigy::x42::bridge
