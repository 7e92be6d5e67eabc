#pragma once
/// Writes small glTF files without the library, number by number as a test wants them.

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/gltf.hpp"

#include "gltf/file/asset.hpp"

namespace effigy::gltf_test {

using nlohmann::json;

template <class T>
std::string packed(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
/// One behind the other, without the padding that a struct of them would have.
template <class... T>
std::string packed_row(T... values) {
    std::string text;
    (text.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
    return text;
}

std::string base64(std::string_view bytes);

struct AssetBuilder {
    json root = {{"asset", {{"version", "2.0"}}}};
    std::string buffer;

    /// Adds bytes at the next multiple of four; the number of their view.
    std::size_t view(std::string_view bytes, std::size_t stride = 0);
    std::size_t accessor(json description);
    /// An accessor with a view of its own.
    std::size_t accessor(std::string_view bytes, int component, std::string_view type, std::size_t count,
                         std::size_t stride = 0, std::size_t offset = 0);

    std::string glb() const;
    /// The buffer as a data: URI.
    std::string gltf() const;
};

/// A chunk as it stands in a .glb.
std::string chunk(std::string_view type, std::string_view bytes);
/// A whole .glb of chunks.
std::string glb_of(std::string_view chunks);

gltf::File file_of(std::string_view bytes);

/// An asset together with the file that it refers to.
struct Opened {
    gltf::File file;
    Report report;
    Result<gltf::Asset> asset = tl::unexpected(Diagnostic{});
};
std::unique_ptr<Opened> open(std::string_view bytes, const gltf::SceneOptions& options = {});
inline std::unique_ptr<Opened> open(const AssetBuilder& builder, const gltf::SceneOptions& options = {}) {
    return open(builder.glb(), options);
}

template <class T>
std::vector<T> values_of(const Accessor& accessor) {
    const auto values = accessor.as<T>();
    return {values.begin(), values.end()};
}

/// The code that reading ends with, or "".
template <class T>
std::string code_of(const Result<T>& result) {
    return result ? "" : result.error().code;
}

}  // namespace effigy::gltf_test
