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
    Report (*check)(const void* file, const CheckContext& context);
    Json (*info)(const void* file, const InfoOptions& options);
    Result<Json> (*dump)(const void* file, const DumpOptions& options);
    Result<std::string> (*hex_map)(const void* file, const DumpOptions& options);
};

struct FamilyRow {
    std::string_view name;
    std::vector<const Document::Operations*> formats;
    /// The format that `head` is of, or null. The name breaks a tie between formats that content does not tell apart.
    const Document::Operations* (*recognize)(std::span<const std::byte> head, std::string_view name);
    Result<Loaded<Scene>> (*to_scene)(std::vector<SceneSource> sources, const SceneSettings& settings);
    /// Null for families whose files say nothing about each other.
    Report (*check_folder)(const std::filesystem::path& folder, const CheckContext& context) = nullptr;
    /// The files that mean the scene, that of `path` first; `format` is one of the family's with from_scene. Null: the
    /// family's files are not made from scenes.
    Result<Loaded<std::vector<NewFile>>> (*from_scene)(const Scene& scene, const FormatInfo& format,
                                                       const std::filesystem::path& path,
                                                       const NativeOptions& options) = nullptr;
};

/// One line for each family: src/registry/registry.cpp lists them.
namespace emfx {
[[nodiscard]] const FamilyRow& family_row() noexcept;
}
namespace egosoft {
[[nodiscard]] const FamilyRow& family_row() noexcept;
}
namespace x42 {
[[nodiscard]] const FamilyRow& family_row() noexcept;
}
namespace arp {
[[nodiscard]] const FamilyRow& family_row() noexcept;
}
namespace gltf {
[[nodiscard]] const FamilyRow& family_row() noexcept;
}

}  // namespace effigy
