#pragma once
/// Byte offsets for findings that name a field by its path.

#include "effigy/result.hpp"
#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

namespace effigy::emfx {

void locate(const xac::File& file, Report& report);
void locate(const xsm::File& file, Report& report);
void locate(const xpm::File& file, Report& report);

}  // namespace effigy::emfx
