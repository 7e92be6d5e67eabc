#pragma once
/// Findings about several things at once, where there are any.

#include <cstdint>
#include <string>
#include <utility>

#include "scene/bridge.hpp"

namespace effigy::x42::bridge {

inline void note_any(BridgeState& build, const NameList& names, const Code& code, const char* path,
                     std::string message = {}) {
    if (!names.empty()) build.note(code, path, std::move(message), names.text());
}
/// `rest`: behind the number.
inline void note_any(BridgeState& build, std::uint64_t count, const Code& code, const char* path, std::string message,
                     const std::string& rest = {}) {
    if (count != 0) build.note(code, path, std::move(message), std::to_string(count) + rest);
}

}  // namespace effigy::x42::bridge
