#pragma once
/// Custom properties that Blender has turned into text.

#include <string>
#include <string_view>

namespace effigy::gltf {

/// The JSON for an object as Python prints it: {'name': "it's", 'whole': True, 'none': None}. Blender keeps custom
/// properties like that where its own types cannot hold all numbers of an object. JSON stays as it is; what is neither
/// becomes something that is no JSON either.
[[nodiscard]] std::string json_of_python(std::string_view text);

}  // namespace effigy::gltf
