#pragma once
/// References from the JSON to files.

#include <string>
#include <string_view>

namespace effigy::gltf {

/// A file name as a URI: everything but letters, digits and "-._~" is escaped.
[[nodiscard]] std::string escape_file_name(std::string_view name);

/// A URI of unknown origin: only what can stand in no URI is escaped, and backslashes become slashes.
[[nodiscard]] std::string escape_uri(std::string_view uri);

}  // namespace effigy::gltf
