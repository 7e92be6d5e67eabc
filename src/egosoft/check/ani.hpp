#pragma once
/// Rules for one ANI alone.

#include "effigy/ani.hpp"
#include "effigy/result.hpp"

#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::egosoft {

/// Where the keys lie, and whether all of them are there.
void check_places(const ani::File& file, Report& report);

/// Offsets for the findings that name a field by its path.
void locate(const ani::File& file, Report& report);

}  // namespace effigy::egosoft
