#pragma once
/// Actors and motions that are made into bytes only when they are written.

#include <string>

#include "effigy/files.hpp"
#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

namespace effigy::emfx {

/// Fails at once if the file cannot be written.
[[nodiscard]] Result<NewFile> for_disk(std::string name, xac::File file);
[[nodiscard]] Result<NewFile> for_disk(std::string name, xsm::File file);
[[nodiscard]] Result<NewFile> for_disk(std::string name, xpm::File file);

}  // namespace effigy::emfx
