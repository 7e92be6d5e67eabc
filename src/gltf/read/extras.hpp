#pragma once
/// `extras` of a glTF object, taken apart: what effigy wrote, and what others did.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "effigy/scene.hpp"

#include "gltf/read/context.hpp"

namespace effigy::gltf {

struct ReadExtras {
    Extras extras;
    Value effigy;  ///< what `extras.json` says
    Value known;   ///< members of `extras.effigy` that have a place of their own; an object
};

/// `extras.effigy` of an object, also where a program has turned it into text; null if there is none.
[[nodiscard]] Value effigy_of(Reading& reading, const Value& object);

/// The JSON for an object as Python prints it: {'name': "it's", 'whole': True, 'none': None}. Blender keeps custom
/// properties like that where its own types cannot hold all numbers of an object. JSON stays as it is; what is neither
/// becomes something that is no JSON either.
[[nodiscard]] std::string json_of_python(std::string_view text);

/// Members of `extras` that are called as in `known` have a place of their own in the scene, and so have those of
/// `extras.effigy` that are called as in `known_of_effigy`.
[[nodiscard]] ReadExtras read_extras(Reading& reading, const Value& object, const std::string& path,
                                     std::initializer_list<const char*> known = {},
                                     std::initializer_list<const char*> known_of_effigy = {});

}  // namespace effigy::gltf
