#pragma once
/// What glTF has no place for, as JSON texts for `extras.effigy`. Fields are named as in the headers of the formats.

#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/emfx_scene.hpp"

#include "core/json.hpp"
#include "emfx/to_scene.hpp"

namespace effigy::emfx::bridge {

/// What a file's chunks say about its nodes beside their records.
class NodeNotes {
public:
    explicit NodeNotes(const xac::File& file);
    [[nodiscard]] std::string extras(const xac::Node& record, std::uint32_t index) const;

private:
    std::unordered_map<std::uint32_t, Json> notes_;
};

[[nodiscard]] Json mesh_record(const xac::Mesh& mesh, const xac::Skinning* skinning);
[[nodiscard]] Json morph_target_record(const xac::MorphTarget& target);
[[nodiscard]] Json material_record(const xac::StandardMaterial& material,
                                   const std::vector<const xac::MaterialLayer*>& separate_layers);
[[nodiscard]] Json material_record(const xac::FxMaterial& material);
[[nodiscard]] Json motion_record(const SkeletalMotion& motion);
[[nodiscard]] Json motion_record(const MorphMotion& motion);
/// The text for asset.extras.effigy.
[[nodiscard]] std::string asset_extras(const SceneInput& input, std::uint32_t depth);

}  // namespace effigy::emfx::bridge
