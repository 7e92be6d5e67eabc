#pragma once
/// Vertex colours in the text of a mesh's record: modelling programs drop attributes that they do not know, and glTF's
/// own where a switch is off.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy::gltf {

/// The member `kept_colors` of a mesh's `extras.effigy`: all attributes COLOR_n and _COLOR_n, by where the vertices
/// stand and not by their numbers, which programs change; null if there are none.
[[nodiscard]] nlohmann::json color_record(const Mesh& mesh, bool keeps_all);

/// Names of attributes that the mesh has lost.
struct LostColors {
    std::vector<std::string> restored;
    std::vector<std::string> lost;  ///< the mesh is not the one that the record was made of
};

/// Puts back what is missing of `record`, if all vertices stand where they stood, with the texture coordinates that
/// they had. Nothing in the record is trusted.
[[nodiscard]] LostColors restore_colors(Mesh& mesh, const nlohmann::json& record);

}  // namespace effigy::gltf
