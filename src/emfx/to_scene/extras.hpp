#pragma once
/// What glTF has no place for, as JSON texts for `extras.effigy`. Fields are named as in the headers of the formats.

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/emfx_scene.hpp"

#include "core/json.hpp"
#include "emfx/to_scene/geometry.hpp"
#include "emfx/to_scene/to_scene.hpp"

namespace effigy::emfx::bridge {

/// What a file's chunks say about its nodes beside their records.
class NodeNotes {
public:
    explicit NodeNotes(const xac::File& file);
    /// Of what the record has, all that `told` has not: what the scene says of the node.
    /// `part`: of several actors, the one that it comes from.
    [[nodiscard]] std::string extras(const SkeletonNode& node, const xac::Node& record, xac::Node told,
                                     std::size_t part) const;

private:
    std::unordered_map<std::uint32_t, Json> notes_;
};

/// Position, rotation, scale and scale rotation, to the bit; flags and padding; and box of a node.
using NodeTransform = std::array<float, 14>;
using NodeFlags = std::array<std::uint8_t, 4>;
using NodeBox = std::array<float, 16>;
template <class Value>
struct NodeValue {
    std::uint32_t node;
    Value value;
};
[[nodiscard]] inline NodeTransform transform_of(const xac::Node& n) noexcept {
    return {n.position.x,       n.position.y,       n.position.z,       n.rotation.x,      n.rotation.y,
            n.rotation.z,       n.rotation.w,       n.scale.x,          n.scale.y,         n.scale.z,
            n.scale_rotation.x, n.scale_rotation.y, n.scale_rotation.z, n.scale_rotation.w};
}
inline void set_transform(xac::Node& n, const NodeTransform& t) noexcept {
    n.position = {t[0], t[1], t[2]};
    n.rotation = {t[3], t[4], t[5], t[6]};
    n.scale = {t[7], t[8], t[9]};
    n.scale_rotation = {t[10], t[11], t[12], t[13]};
}
[[nodiscard]] inline NodeFlags flags_of(const xac::Node& n) noexcept {
    return {n.flags, n.padding[0], n.padding[1], n.padding[2]};
}

/// Of the first file's nodes what is too large or too odd for what modelling programs keep.
void add_node_values(Json& file, const Context& context);

/// Which of the joined files an object comes from: 0 is the first actor itself, the next ones are the actors embedded
/// in it, then come the parts.
void set_model(Json& record, std::size_t model);

/// What layers of a type usually have.
[[nodiscard]] Json usual_layer(std::uint64_t type, Json padding);

/// Values of one vertex layer before they were repaired, in the order in which that happened.
[[nodiscard]] Json old_values_record(std::size_t layer, const OldValues& old);

[[nodiscard]] Json mesh_record(const xac::Mesh& mesh, const xac::Skinning* skinning);
[[nodiscard]] Json morph_target_record(const xac::MorphTarget& target);
[[nodiscard]] Json material_record(const xac::StandardMaterial& material,
                                   const std::vector<const xac::MaterialLayer*>& separate_layers);
[[nodiscard]] Json material_record(const xac::FxMaterial& material);
/// Maps of a material's layers that a glTF material has too: docs/formats/xac.md.
enum MapType : std::uint8_t { diffuse = 2, opacity = 4, bump = 5, self_illumination = 6 };
[[nodiscard]] inline bool is_shown(std::uint8_t map_type) noexcept {
    return map_type == diffuse || map_type == opacity || map_type == bump || map_type == self_illumination;
}

/// What a material's shine and its strength mean; stands in to_scene/materials.cpp.
[[nodiscard]] Vec3 color_of(const xac::StandardMaterial& material);
[[nodiscard]] float roughness_of(const xac::StandardMaterial& material);
[[nodiscard]] float refraction_of(const xac::StandardMaterial& material);
[[nodiscard]] Vec3 highlight_of(const xac::StandardMaterial& material);
/// `map`: the layer of self-illumination that is shown, or null.
[[nodiscard]] Vec3 emission_of(const xac::StandardMaterial& material, const xac::MaterialLayer* map);
[[nodiscard]] Json motion_record(const SkeletalMotion& motion);
[[nodiscard]] Json motion_record(const MorphMotion& motion);
/// For asset.extras.effigy.
[[nodiscard]] Json asset_extras(const SceneInput& input, std::uint32_t depth);

}  // namespace effigy::emfx::bridge
