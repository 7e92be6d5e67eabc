#pragma once
/// Which extensions of glTF the reader knows.

#include <nlohmann/json.hpp>

#include "effigy/result.hpp"

namespace effigy::gltf {

/// Fails with "gltf-extension-required" if the file cannot be read without an extension that effigy does not know.
/// Others that it uses stand in the report.
[[nodiscard]] Result<void> check_extensions(const nlohmann::json& root, Report& report);

}  // namespace effigy::gltf
