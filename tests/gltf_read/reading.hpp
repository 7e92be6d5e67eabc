#pragma once
/// Reading and writing in tests, with texts for bytes.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "effigy/gltf.hpp"

namespace effigy::gltf_test {

[[nodiscard]] inline Result<Loaded<Scene>> try_to_read(std::string_view bytes, const gltf::SceneOptions& options = {}) {
    auto file = gltf::read(std::as_bytes(std::span(bytes)));
    if (!file) return fail(std::move(file.error()));
    return gltf::to_scene(file->value, options);
}

[[nodiscard]] inline Loaded<Scene> load(std::string_view bytes, const gltf::SceneOptions& options = {}) {
    auto loaded = try_to_read(bytes, options);
    if (loaded) return std::move(*loaded);
    ADD_FAILURE() << to_string(loaded.error());
    return {};
}

[[nodiscard]] inline Scene read_text(std::string_view bytes) { return load(bytes).value; }

[[nodiscard]] inline std::string written(const Scene& scene, const gltf::WriteOptions& options = {}) {
    const auto glb = gltf::write_glb(scene, options);
    if (glb) return {reinterpret_cast<const char*>(glb->data()), glb->size()};
    ADD_FAILURE() << to_string(glb.error());
    return {};
}

/// The first chunk of a .glb.
[[nodiscard]] inline std::string json_of(std::string_view glb) {
    std::uint32_t length = 0;
    if (glb.size() >= 20) std::memcpy(&length, glb.data() + 12, sizeof length);
    return std::string(glb.substr(std::min<std::size_t>(20, glb.size()), length));
}

}  // namespace effigy::gltf_test
