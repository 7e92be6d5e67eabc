#pragma once
/// JSON values by name only, for headers that hand them on.

#include <nlohmann/json_fwd.hpp>

namespace effigy {

using Json = nlohmann::ordered_json;

}  // namespace effigy
