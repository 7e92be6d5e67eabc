#pragma once
/// XML files beside an avatar as JSON, within bounds.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "effigy/result.hpp"

#include "core/budget.hpp"
#include "core/json.hpp"

namespace effigy::arp {

/// Of asd.xml the skeleton, of others their elements; null or empty if there are none. Fails with "xml-..." or
/// "limit-...".
[[nodiscard]] Result<Json> companion_json(std::string_view name, std::span<const std::byte> content, Budget& budget);
/// What findings about one that cannot be used say.
[[nodiscard]] std::string companion_message(const Diagnostic& why);

}  // namespace effigy::arp
