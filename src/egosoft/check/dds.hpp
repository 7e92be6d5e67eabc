#pragma once
/// Rules about textures, from their headers alone.

#include <filesystem>

#include "egosoft/check/rules.hpp"

namespace effigy::egosoft::checks {

/// A .dds file, or a gzipped one. What is gzipped and no DDS is no texture, and passed over.
void check_dds(const std::filesystem::path& path, const Place& place, Findings& findings);

}  // namespace effigy::egosoft::checks
