#pragma once
/// What is in an EMotion FX file, as the JSON that `effigy info` prints: docs/json.md, "info".

#include <string>

#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "core/json.hpp"

namespace effigy::emfx {

[[nodiscard]] Json info(const xac::File& file, const std::string& encoding);
[[nodiscard]] Json info(const xsm::File& file, const std::string& encoding);
[[nodiscard]] Json info(const xpm::File& file, const std::string& encoding);

}  // namespace effigy::emfx
