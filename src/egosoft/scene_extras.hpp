#pragma once
/// What glTF has no place for, as JSON for `extras.effigy`. Fields are named as in the headers of the formats.

#include <string>

#include "effigy/egosoft_scene.hpp"

#include "core/json.hpp"

namespace effigy::egosoft::bridge {

/// Where a file came from, and its header, descriptors and material records.
[[nodiscard]] Json mesh_record(const Source& source, const xmf::File& file);
[[nodiscard]] Json source_record(const Source& source, std::string_view format, std::string version);
[[nodiscard]] Json component_record(const Component& component);
[[nodiscard]] Json connection_record(const Connection& connection);
[[nodiscard]] Json part_record(const Part& part);
[[nodiscard]] Json light_record(const Light& light);
/// What glTF cannot say of how a part moves in a state: its keys, where they had to be sampled, and pre and post
/// scales.
[[nodiscard]] Json animation_record(const ani::Animation& animation, bool positions, bool rotations, bool scales);
/// The text for asset.extras.effigy.
[[nodiscard]] std::string asset_extras(const SceneInput& input);

}  // namespace effigy::egosoft::bridge
