#pragma once
/// The ray tracer's library, opened while the program runs. Nothing here needs its headers.

#include <memory>

#include "effigy/result.hpp"

namespace effigy::render {

struct Embree;  // its functions, see embree_api.hpp

/// What the system's loader knows the library as.
inline constexpr const char* embree_name = "libembree3.so.3";

/// "render-unavailable" if it is not there, or this build cannot use it.
[[nodiscard]] Result<std::shared_ptr<const Embree>> open_embree(const char* name = embree_name);

}  // namespace effigy::render
