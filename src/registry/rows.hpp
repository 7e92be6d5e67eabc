#pragma once
/// What a family gives to the registry: one row a format, and one function that makes a scene.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/registry.hpp"

#include "core/byte_source.hpp"
#include "core/json.hpp"

namespace effigy {

struct Document::Operations {
    const FormatInfo* format;
    Result<Loaded<Document>> (*read)(ByteSource source, const ReadOptions& options);
    Result<Document> (*build)(const Json& nodes, bool normalize, const Limits& limits);
    Result<Bytes> (*write)(const void* file, const WriteOptions& options);
    Result<void> (*write_file)(const void* file, const std::filesystem::path& path, const WriteOptions& options);
    Report (*check)(const void* file, const Document* model);
    Json (*info)(const void* file, const InfoOptions& options);
    Json (*dump)(const void* file, bool expand);
    std::string (*hex_map)(const void* file);
};

/// How sure a family is that bytes are its own: certain (magic), or not at all.
struct FamilyRow {
    std::string_view name;
    std::span<const Document::Operations> formats;
    /// The format whose magic stands in `head`, or null.
    const Document::Operations* (*recognize)(std::span<const std::byte> head);
    Result<Loaded<Scene>> (*to_scene)(std::vector<SceneSource> sources, const SceneSettings& settings);
};

/// One line for each family: src/registry/registry.cpp lists them.
namespace emfx {
[[nodiscard]] const FamilyRow& family_row() noexcept;
}

}  // namespace effigy
