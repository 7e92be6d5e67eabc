/// Lists of names for findings of Egosoft's rules.

#include "egosoft/check/rules.hpp"

#include <algorithm>
#include <cstddef>

namespace effigy::egosoft::checks {

std::string listed(const std::vector<std::string>& names, std::string_view noun) {
    constexpr std::size_t most = 5;
    std::string text = std::to_string(names.size()) + " " + std::string(noun) + (names.size() == 1 ? ": " : "s: ");
    for (std::size_t index = 0; index < std::min(most, names.size()); ++index)
        text += (index == 0 ? "" : ", ") + names[index];
    if (names.size() > most) text += ", ...";
    return text;
}

}  // namespace effigy::egosoft::checks
