#pragma once
/// What glTF has no place for, as JSON texts for `extras.effigy`. Fields are named as in the headers of the formats.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
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
    /// `model`: which of the joined files the node comes from.
    [[nodiscard]] std::string extras(const xac::Node& record, std::uint32_t index, std::size_t model) const;

private:
    std::unordered_map<std::uint32_t, Json> notes_;
};

/// Which of the joined files an object comes from: 0 is the first actor itself, the next ones are the actors embedded
/// in it, then come the parts.
void set_model(Json& record, std::size_t model);

/// Values of one vertex layer before they were repaired, in the order in which that happened.
[[nodiscard]] Json old_values_record(std::size_t layer, const OldValues& old);

[[nodiscard]] Json mesh_record(const xac::Mesh& mesh, const xac::Skinning* skinning);
[[nodiscard]] Json morph_target_record(const xac::MorphTarget& target);
[[nodiscard]] Json material_record(const xac::StandardMaterial& material,
                                   const std::vector<const xac::MaterialLayer*>& separate_layers);
[[nodiscard]] Json material_record(const xac::FxMaterial& material);
/// What a material's shine and its strength mean; stands in to_scene/materials.cpp.
[[nodiscard]] float roughness_of(const xac::StandardMaterial& material);
[[nodiscard]] Json motion_record(const SkeletalMotion& motion);
[[nodiscard]] Json motion_record(const MorphMotion& motion);
/// For asset.extras.effigy.
[[nodiscard]] Json asset_extras(const SceneInput& input, std::uint32_t depth);

}  // namespace effigy::emfx::bridge
