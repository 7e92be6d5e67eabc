#pragma once
/// How the rules for XMF and ANI say what they found.

#include <cstdint>
#include <string>

#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::egosoft {

[[nodiscard]] inline std::string count_text(std::uint64_t count, const char* noun) {
    return std::to_string(count) + " " + noun;
}

/// The first of `count` finds, and how many there are beside it.
[[nodiscard]] inline std::string first_of(const std::string& found, std::uint64_t count) {
    return count > 1 ? found + " and " + std::to_string(count - 1) + " more like it" : found;
}

}  // namespace effigy::egosoft
