#pragma once
/// What is looked at before anything of a glTF file is used.

#include <nlohmann/json.hpp>
#include <span>

#include "effigy/result.hpp"

namespace effigy::gltf {

/// The text behind a byte order mark, which does not belong to JSON.
[[nodiscard]] std::span<const std::byte> without_mark(std::span<const std::byte> text) noexcept;

/// Fails with "gltf-version" unless the file is glTF 2.
[[nodiscard]] Result<void> check_version(const nlohmann::json& root);

/// Fails with "gltf-extension-required" for an extension that is needed and not known; reports the other unknown ones.
[[nodiscard]] Result<void> check_extensions(const nlohmann::json& root, Report& report);

/// Reports accessors whose elements do not begin at multiples of their components' size: "gltf-alignment". They are
/// read all the same.
void check_alignment(const nlohmann::json& root, Report& report);

}  // namespace effigy::gltf
