#pragma once
/// CAS as text.

#include <string>

#include "effigy/cas.hpp"

namespace effigy::cas {

/// At most six decimals.
[[nodiscard]] std::string number(double value);

/// What the file says, in XML or JSON, which has neither an avatar nor a camera.
[[nodiscard]] std::string text_of(const File& file, bool as_json);

}  // namespace effigy::cas
