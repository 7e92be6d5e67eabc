#pragma once
/// Names of vertex attributes in glTF.

#include <string>

#include "effigy/scene.hpp"

namespace effigy {

[[nodiscard]] inline bool is_numbered(Semantic semantic) {
    return semantic == Semantic::texcoord || semantic == Semantic::color || semantic == Semantic::joints ||
           semantic == Semantic::weights;
}

[[nodiscard]] inline std::string attribute_name(const Attribute& attribute) {
    const auto numbered = [&](const char* name) { return name + std::to_string(attribute.set); };
    switch (attribute.semantic) {
        case Semantic::position:
            return "POSITION";
        case Semantic::normal:
            return "NORMAL";
        case Semantic::tangent:
            return "TANGENT";
        case Semantic::texcoord:
            return numbered("TEXCOORD_");
        case Semantic::color:
            return numbered("COLOR_");
        case Semantic::joints:
            return numbered("JOINTS_");
        case Semantic::weights:
            return numbered("WEIGHTS_");
        case Semantic::custom:
            return attribute.custom_name;
    }
    return {};
}

}  // namespace effigy
