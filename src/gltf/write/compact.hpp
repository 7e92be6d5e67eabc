#pragma once
/// glTF for the web: compressed buffer views, and numbers as short as eyes allow.

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy::gltf {

struct Document;

inline constexpr const char* meshopt_extension_name = "EXT_meshopt_compression";
inline constexpr const char* quantization_extension_name = "KHR_mesh_quantization";

/// Normals and tangents become bytes, texture coordinates between 0 and 1 sixteen bits; all else keeps its numbers.
/// Whether readers need KHR_mesh_quantization for that.
[[nodiscard]] bool quantize(Scene& scene);

/// Compresses the views of vertices, indices and animations where that makes the file smaller. From then on the
/// document holds all bytes by itself.
[[nodiscard]] Result<void> compress(Document& document);

}  // namespace effigy::gltf
