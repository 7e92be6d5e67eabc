#pragma once
/// What extras.effigy has of a file for the way back: `file`, all of it but vertices and indices, by its own layout,
/// and `loose_indices`, which no mesh has.

#include <optional>

#include "effigy/x42.hpp"

#include "core/json_fwd.hpp"
#include "scene/bridge.hpp"

namespace effigy::x42::bridge {

/// A file less its vertices and indices.
struct Records {
    File file;
    std::uint64_t vertex_count = 0, index_count = 0;
    std::uint64_t clip_count = 0;         ///< clips that it gave to the scene
    Bulk<std::uint16_t> loose_indices{};  ///< those that no group draws, in their order
};

/// Nothing of a file that cannot be written.
[[nodiscard]] Result<Json> file_record(BridgeState& build, const File& file);
/// From `asset.extras.effigy`, of a single file. Untrusted: any numbers may stand in the result. Nothing if something
/// is missing or of a wrong size.
[[nodiscard]] std::optional<Records> records_from(const Json& asset, const Limits& limits);

}  // namespace effigy::x42::bridge
