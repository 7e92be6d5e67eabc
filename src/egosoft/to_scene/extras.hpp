#pragma once
/// What glTF has no place for, as JSON for `extras.effigy`. Fields are named as in the headers of the formats.

#include <string>
#include <vector>

#include "effigy/egosoft_scene.hpp"

#include "core/json.hpp"

namespace effigy::egosoft::bridge {

/// Where a file came from, and its header, descriptors and material records.
[[nodiscard]] Json mesh_record(const Source& source, const xmf::File& file);
[[nodiscard]] Json component_record(const Component& component);
[[nodiscard]] Json connection_record(const Connection& connection);
[[nodiscard]] Json part_record(const Part& part);
[[nodiscard]] Json light_record(const Light& light);
/// How a part moves in a state, as the file has it; `index` is its place there.
[[nodiscard]] Json animation_record(const ani::Animation& animation, std::size_t index);
/// A range of frames that was cut from a state; its keys are there.
[[nodiscard]] Json range_record(const ani::Animation& animation, std::size_t index, const AnimationRange& range);
/// What no clip holds: the header, and animations that became none.
[[nodiscard]] Json animation_file_record(const ani::File& file, const std::vector<bool>& in_clips);
/// asset.extras.effigy.
[[nodiscard]] Json asset_record(const SceneInput& input);

}  // namespace effigy::egosoft::bridge
