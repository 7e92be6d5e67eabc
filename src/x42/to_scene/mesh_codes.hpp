#pragma once
/// Meshes of a scene as a file packs them. Both ways use this: on the way to the scene, to see which codes do not come
/// back of themselves and have to be kept.

#include <cstdint>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "effigy/scene_access.hpp"
#include "effigy/x42.hpp"

namespace effigy::x42::bridge {

/// One attribute of a mesh as numbers, whatever its components are.
class Values {
public:
    /// Empty if the mesh has no such attribute with an element for each vertex.
    Values(const Mesh& mesh, Semantic semantic, std::uint32_t set = 0) : view_(mesh, semantic, set) {}
    [[nodiscard]] bool empty() const noexcept { return view_.values().empty(); }
    /// Fractions where integers are normalised; colours without alpha are opaque; what is not finite is 0.
    [[nodiscard]] glm::dvec4 at(std::size_t vertex) const noexcept;

private:
    FloatView view_;
};

/// A joint's part in a vertex, in 1 / 255.
struct Weight {
    std::uint32_t joint = 0;
    std::uint32_t weight = 0;
};
/// The heaviest joints of each vertex, each once, four at most; weights sum up to 255. Weights that are bytes already
/// and sum up stay as they are, in their order. `lost`: vertices that had more.
class Weights {
public:
    explicit Weights(const Mesh& mesh) : reader_(mesh, 65536) {}
    [[nodiscard]] bool empty() const noexcept { return reader_.empty(); }
    [[nodiscard]] std::span<const Weight> at(std::size_t vertex, std::uint64_t& lost);

private:
    InfluenceReader reader_;
    std::vector<Weight> shares_;
};

struct MeshCodes {
    Bulk<PackedVec3> positions;
    Bulk<PackedNormal> normals;
    Bulk<PackedTangent> tangents;
    Bulk<PackedVec2> texcoords;
    Bulk<PackedColor> colors;
};
/// Calls `visit(name, codes, section, has)` for each, with the file's section, and whether the header says that it is
/// there.
template <class Codes, class SomeFile, class Visit>
void each_code(Codes& codes, SomeFile& file, Visit&& visit) {
    const auto has = [&](std::uint16_t flag) { return (file.header.model_flags & flag) != 0; };
    visit("positions", codes.positions, file.vertices, true);
    visit("normals", codes.normals, file.normals, has(has_normals));
    visit("tangents", codes.tangents, file.tangents, has(has_tangents));
    visit("texcoords", codes.texcoords, file.texcoords, has(has_texcoords));
    visit("colors", codes.colors, file.colors, has(has_colors));
}
/// The sections that the header's flags name, in the ranges of the pack header.
[[nodiscard]] MeshCodes codes_of(const Mesh& mesh, const Header& header, const PackHeader& pack);

/// Such a mesh goes to scenes without tangents: points have no surface for them to lie in, and glTF has none for
/// points. What the file had stays among the codes of the mesh's record.
[[nodiscard]] bool has_points_only(const Mesh& mesh) noexcept;

/// Appends the blend bytes of one vertex: `places[joint]` is a place in the group's palette.
void append_blend(std::span<const Weight> weights, std::size_t terms, std::span<const std::uint8_t> places,
                  Bytes& blend);
/// Joint to its first place in a palette of joints; 0 for joints that are not in it.
[[nodiscard]] std::vector<std::uint8_t> places_of(std::span<const std::uint32_t> palette, std::size_t joints);

}  // namespace effigy::x42::bridge
