#pragma once
/// Which version of effigy the headers are of.

#include <string_view>

namespace effigy {

inline constexpr std::string_view version = "0.1.0";
inline constexpr int version_major = 0, version_minor = 1, version_patch = 0;

}  // namespace effigy
