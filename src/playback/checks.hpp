#pragma once
/// What jobs look at before they start. Nothing here allocates unless it finds something.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "effigy/playback.hpp"
#include "effigy/result.hpp"

namespace effigy::playback {

/// "playback-size": a span is not as long as the others want it.
[[nodiscard]] tl::unexpected<Diagnostic> wrong_size(std::string name, std::size_t found, std::string expected);
/// "playback-index": a number leads out of a span.
[[nodiscard]] tl::unexpected<Diagnostic> wrong_index(std::string name, std::uint64_t found, std::string expected);
/// "playback-value": a number, or a pointer that leads nowhere, with which the job makes no sense.
[[nodiscard]] tl::unexpected<Diagnostic> wrong_value(std::string name, std::string found, std::string expected);

struct SizeCheck {
    const char* name = "";
    std::size_t found = 0;
    std::uint64_t expected = 0;
};
[[nodiscard]] inline Result<void> check_sizes(std::initializer_list<SizeCheck> checks) {
    for (const SizeCheck& check : checks) {
        if (check.found != check.expected) return wrong_size(check.name, check.found, std::to_string(check.expected));
    }
    return {};
}

[[nodiscard]] Result<void> describe_misfit(const char* name, const PoseView& pose, std::size_t joints);
/// Whether the three spans of a pose have `joints` elements each.
[[nodiscard]] inline Result<void> check_pose(const char* name, const PoseView& pose, std::size_t joints) {
    const bool fits =
        pose.translations.size() == joints && pose.rotations.size() == joints && pose.scales.size() == joints;
    return fits ? Result<void>() : describe_misfit(name, pose, joints);
}

/// Whether normals and tangents are as many as positions, or none, and `out` is as large as `in`.
[[nodiscard]] Result<void> check_vertices(const VertexView& in, const VertexView& out);

/// Whether all numbers are below `limit`.
[[nodiscard]] Result<void> check_indices(const char* name, std::span<const std::uint16_t> indices, std::size_t limit);
[[nodiscard]] Result<void> check_indices(const char* name, std::span<const std::uint32_t> indices, std::size_t limit);
/// Whether all numbers are below `limit` and each is above the one before it.
[[nodiscard]] Result<void> check_ascending(const char* name, std::span<const std::uint32_t> indices, std::size_t limit);

}  // namespace effigy::playback
