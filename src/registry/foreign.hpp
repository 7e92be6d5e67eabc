#pragma once
/// Relatives and namesakes of the supported formats: recognised, so that the answer is more than "unknown".

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace effigy {

/// One sentence that names the file and says where to go, or an empty string.
[[nodiscard]] std::string foreign_relative(std::span<const std::byte> head, std::string_view name);

/// "hull", "compound" or "mesh" for one of Jolt's collision shapes (`.jcs`), else an empty string.
[[nodiscard]] std::string_view jolt_shape(std::span<const std::byte> head, std::string_view name) noexcept;

/// Whether the bytes can be a `.xsmtime` file.
[[nodiscard]] bool looks_like_ticks(std::span<const std::byte> head) noexcept;

}  // namespace effigy
