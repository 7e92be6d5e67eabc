#pragma once
/// Findings of conversions about several things at once; nothing is said of none.

#include "scene/bridge.hpp"

namespace effigy::arp {

inline void note_names(BridgeState& build, const NameList& names, const Code& code, std::string path,
                       std::string message) {
    if (!names.empty()) build.note(code, std::move(path), std::move(message), names.text());
}

inline void note_count(BridgeState& build, std::uint64_t count, const Code& code, std::string path,
                       std::string message = {}, std::string expected = {}) {
    if (count != 0) build.note(code, std::move(path), std::move(message), std::to_string(count), std::move(expected));
}

}  // namespace effigy::arp
