#pragma once
/// The vertices of a mesh, where they stand in the model.

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <map>
#include <vector>

#include "effigy/scene.hpp"

#include "x42/from_scene/group_writer.hpp"
#include "x42/to_scene/mesh_codes.hpp"

namespace effigy::x42::bridge {

/// A mesh where it is drawn.
struct Part {
    Index node = no_index;
    const Mesh* mesh = nullptr;
    const effigy::Skin* skin = nullptr;
};

/// How a part's vertices go into the model, and what they follow there.
struct Placement {
    glm::dmat4 matrix{1};  ///< of vertices
    glm::dmat3 normals{1};
    bool mirrored = false;
    std::vector<std::size_t> influences;  ///< of each joint, or of the whole part; empty: it stands still
};

/// Its vertices as the model has them.
class PartSource {
public:
    /// `placement` stays where it is.
    PartSource(const Part& part, const Placement& placement);
    [[nodiscard]] bool drawable() const noexcept { return !positions_.empty(); }
    [[nodiscard]] bool mirrored() const noexcept { return placement_.mirrored; }
    [[nodiscard]] std::uint64_t lost() const noexcept { return lost_; }  ///< vertices with too many joints
    [[nodiscard]] const Values& texcoords(std::uint32_t set);
    /// `slot`: of the texture that the texture coordinates are for, or null.
    [[nodiscard]] SourceVertex at(std::uint32_t number, const Values& texcoords, const TextureSlot* slot);

private:
    void set_tangent(std::uint32_t number, ModelVertex& vertex) const;
    void set_weights(std::uint32_t number, std::vector<Weight>& result);
    void compute_normals();
    void add_targets();
    [[nodiscard]] glm::dvec3 position(std::size_t number) const;
    [[nodiscard]] glm::dvec3 normal(std::size_t number) const;

    const Mesh& mesh_;
    const Placement& placement_;
    bool skinned_;
    Values positions_, normals_, tangents_, colors_;
    Weights weights_;
    std::map<std::uint32_t, Values> texcoords_;  ///< by set
    std::vector<glm::dvec3> computed_;           ///< normals of the faces, where the mesh has none
    std::vector<glm::dvec3> moved_, turned_;     ///< by the morph targets that are on at rest; empty: not at all
    std::uint64_t lost_ = 0;
};

}  // namespace effigy::x42::bridge
