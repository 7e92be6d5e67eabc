#pragma once
/// What can be wrong with the parts of a glTF file, whatever they mean.

#include <cstdint>

#include "effigy/gltf_file.hpp"

namespace effigy::gltf {

/// `size`: bytes of the whole file.
void check_parts(const File& file, std::uint64_t size, Report& report);

}  // namespace effigy::gltf
