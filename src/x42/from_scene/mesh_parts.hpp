#pragma once
/// Meshes on their way into a file: vertices where they stand in the model, the groups that they become, influences.

#include <cstdint>
#include <functional>
#include <glm/mat4x4.hpp>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "effigy/scene.hpp"
#include "effigy/x42.hpp"

#include "core/json_fwd.hpp"
#include "x42/to_scene/mesh_codes.hpp"

namespace effigy::x42::bridge {

struct ModelVertex {
    glm::dvec3 position{0}, normal{0, 1, 0}, tangent{1, 0, 0};
    double side = 1;
    glm::dvec2 texcoord{0};
    PackedColor color{255, 255, 255, 255};
    std::uint32_t source = 0;  ///< the mesh's vertex
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
    /// Of each, the mesh's vertex that it is.
    [[nodiscard]] std::span<const std::uint32_t> sources() const noexcept { return sources_; }
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
    Bulk<std::uint32_t> sources_;
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
        glm::dvec3 origin{0};  ///< of the bone, in the model's space
        double reach = 0;
    };
    std::vector<One> all_;
    std::map<std::string, std::size_t> numbers_;
};

/// What a vertex of a mesh is in the file; its weights' joints are numbers of influences, each once.
struct SourceVertex {
    ModelVertex vertex;
    std::vector<Weight> weights;
};

/// Primitives become groups, as many as the limits of one ask for.
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

/// A mesh where it is drawn.
struct Part {
    Index node = no_index;
    const Mesh* mesh = nullptr;
    const effigy::Skin* skin = nullptr;
    Index base = no_index;  ///< the finest level's node
};

/// How a part's vertices go into the model, and what they follow there.
struct Placement {
    glm::dmat4 matrix{1};  ///< of vertices
    glm::dmat3 normals{1};
    bool mirrored = false;
    std::vector<std::size_t> influences;  ///< of each joint, or of the whole part; empty: it stands still
};

struct FileBuild;

/// Surfaces of the file in the records of all meshes that are made anew.
struct KnownSurfaces {
    std::set<std::string> recorded, found;  ///< drawn by the records; those that a primitive is known to be
    std::set<std::string> hidden;           ///< a skin beside the model said that they are not drawn
};

/// Which surface each primitive of a mesh is by the mesh's record.
struct Surfaces {
    std::vector<std::string> names;
    std::vector<std::optional<std::size_t>> of_primitives{};  ///< among the names; nothing for those of no record
    /// Of each name: the shader that a skin beside the model gave the surface, and the file's own.
    std::vector<std::optional<std::pair<std::string, std::string>>> replaced_shaders{};

    /// Null where it is none of the file's.
    [[nodiscard]] const std::string* of(std::size_t primitive) const {
        if (primitive >= of_primitives.size() || !of_primitives[primitive]) return nullptr;
        const std::string& name = names[*of_primitives[primitive]];
        return name.empty() ? nullptr : &name;
    }
    /// The file's own where the material is still called as the skin beside the model has it.
    [[nodiscard]] const std::string& shader_of(std::size_t primitive, const std::string& shown) const {
        if (primitive >= of_primitives.size() || !of_primitives[primitive]) return shown;
        const auto& replaced = replaced_shaders[*of_primitives[primitive]];
        return replaced && replaced->first == shown ? replaced->second : shown;
    }
};

// from_scene/surfaces.cpp
[[nodiscard]] Surfaces surfaces_of(const FileBuild& build, const Mesh& mesh, const Json& extras, KnownSurfaces& known);

class Names;

/// Morph targets of all parts, those of one name together.
class MorphWriter {
public:
    /// Of a mesh whose vertices `sources` are those of the model from `first` on.
    void add(const Mesh& mesh, const Placement& placement, std::span<const std::uint32_t> sources, std::size_t first);
    /// As version 6, stored as `old` has it, when all vertices are there. How many offsets the format cannot count.
    [[nodiscard]] std::uint64_t put_into(File& file, const File& old, Names& names);

private:
    struct Delta {
        std::size_t vertex = 0;
        Vec3 position, normal, tangent;
    };
    struct Target {
        std::string name;
        std::vector<Delta> deltas;
    };
    static void put(const Delta& delta, File& file);

    std::vector<Target> targets_;
    std::map<std::pair<std::string, std::size_t>, std::size_t> numbers_;  ///< by name, and the how many-th of it
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
    std::vector<glm::dvec3> moved_, rotated_;    ///< by the morph targets that are on at rest; empty: not at all
    std::uint64_t lost_ = 0;
};

}  // namespace effigy::x42::bridge
