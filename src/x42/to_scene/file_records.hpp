#pragma once
/// The parts of a file that no object of a scene holds, as one member of extras: `asset.extras.effigy.records`. Each
/// array stands there as its bytes, so that the way back has every bit of it.

#include <optional>

#include "effigy/x42.hpp"

#include "core/json.hpp"

namespace effigy::x42::bridge {

/// Calls `visit(name, array)` for every array of a file but those that meshes hold.
template <class SomeFile, class Visit>
void each_kept_array(SomeFile& file, Visit&& visit) {
    visit("bones", file.bones);
    visit("animation_groups", file.animation_groups);
    visit("positions", file.positions);
    visit("scales", file.scales);
    visit("rotations", file.rotations);
    visit("keys", file.keys);
    visit("animations", file.animations);
    visit("tags", file.tags);
    visit("influences", file.influences);
    visit("lods", file.lods);
    visit("groups", file.groups);
    visit("strings", file.strings);
    visit("morph_targets", file.morphs.targets);
    visit("morph_indices", file.morphs.indices);
    visit("morph_positions", file.morphs.positions);
    visit("morph_normals", file.morphs.normals);
    visit("morph_tangents", file.morphs.tangents);
}

/// What a file was, without its vertices and indices.
struct Records {
    File file;
    std::uint64_t vertex_count = 0, index_count = 0;
    std::uint64_t clip_count = 0;  ///< clips that it gave to the scene
};

/// Bytes of text that records_json() makes, at most.
[[nodiscard]] std::uint64_t size_of_records(const File& file) noexcept;
[[nodiscard]] Json records_json(const File& file, std::uint64_t clip_count);
/// From `asset.extras.effigy`. Untrusted: any numbers may stand in the result. Nothing if something is missing or of a
/// wrong size.
[[nodiscard]] std::optional<Records> records_from(const Json& asset);

}  // namespace effigy::x42::bridge
