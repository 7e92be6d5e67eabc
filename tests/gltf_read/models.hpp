#pragma once
/// Small models of what the field tests readers of glTF with (the Khronos samples and the like), made number by number
/// without the library's writer.

#include <string>
#include <string_view>
#include <vector>

namespace effigy::gltf_test {

struct NamedModel {
    std::string name;
    std::string glb;
};

/// Skinned, morphing and textured models, each of which any target format can hold in part.
[[nodiscard]] std::vector<NamedModel> gltf_models();
/// One of them; empty, and a failure of the running test, if there is none of that name.
[[nodiscard]] std::string gltf_model(std::string_view name);

}  // namespace effigy::gltf_test
