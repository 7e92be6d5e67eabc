#pragma once
/// Buffers and buffer views of a glTF file, read and decompressed when they are first needed.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/result.hpp"

#include "core/budget.hpp"
#include "gltf/file/asset_files.hpp"

namespace effigy::gltf {

/// The elements of an array in the JSON's root; `array` may be no array at all.
[[nodiscard]] Result<const nlohmann::json*> element_of(const nlohmann::json& root, std::string_view array,
                                                       std::uint64_t number, std::string_view path);

struct View {
    std::span<const std::byte> bytes;
    std::uint64_t stride = 0;  ///< 0: the elements follow one another
};

class Buffers {
public:
    /// `binary`: the second chunk of a .glb, null without one.
    Buffers(const nlohmann::json& root, std::optional<std::span<const std::byte>> binary, AssetFiles& files,
            Budget& budget) noexcept
        : root_(root), binary_(binary), files_(files), budget_(budget) {}

    /// Fails with "gltf-reference", "gltf-buffer", "gltf-view", "gltf-meshopt" and what AssetFiles says.
    [[nodiscard]] Result<View> view(std::uint64_t number);

private:
    using BytesOrWhyNot = Result<std::span<const std::byte>>;

    [[nodiscard]] BytesOrWhyNot buffer(std::uint64_t number, const std::string& path);
    [[nodiscard]] BytesOrWhyNot load_buffer(const nlohmann::json& json, std::uint64_t number);
    [[nodiscard]] BytesOrWhyNot content_of(const nlohmann::json& json, std::uint64_t number);
    /// The part of a buffer that a view, or its compressed form, stands for.
    [[nodiscard]] BytesOrWhyNot part(const nlohmann::json& json, const std::string& path);
    [[nodiscard]] BytesOrWhyNot decompress(const nlohmann::json& compressed, std::uint64_t number);

    const nlohmann::json& root_;
    std::optional<std::span<const std::byte>> binary_;
    AssetFiles& files_;
    Budget& budget_;
    std::map<std::uint64_t, BytesOrWhyNot> buffers_;
    std::map<std::uint64_t, BytesOrWhyNot> decompressed_;
    std::vector<Bytes> kept_;  ///< what the spans above refer to and nobody else has
};

}  // namespace effigy::gltf
