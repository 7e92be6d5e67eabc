#pragma once
/// The rules over several files as a table, and the collector of what breaks them.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/component.hpp"
#include "effigy/result.hpp"

#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::egosoft::checks {

/// "3 files: a, b, c" of many names; only the first ones are listed.
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::string_view noun);

}  // namespace effigy::egosoft::checks
