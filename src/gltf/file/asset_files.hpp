#pragma once
/// Files that a glTF file names: only those that it may.

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "effigy/bytes.hpp"
#include "effigy/gltf.hpp"
#include "effigy/result.hpp"

#include "core/budget.hpp"

namespace effigy::gltf {

/// Whether it can name a file below the glTF file's folder: no other is read.
[[nodiscard]] bool is_relative(std::string_view uri);
[[nodiscard]] bool is_data_uri(std::string_view uri) noexcept;

struct DataUri {
    std::string mime_type;
    Bytes bytes;
};
/// What a data: URI holds. Fails with "gltf-uri" and "limit-memory".
[[nodiscard]] Result<DataUri> decode_data_uri(std::string_view uri, Budget& budget);

/// "%20" becomes a space; what is no escape stays.
[[nodiscard]] std::string unescape_uri(std::string_view uri);

class AssetFiles {
public:
    AssetFiles(const SceneOptions& options, Budget& budget);

    /// The bytes of a file, read once however often and by however many names it is asked for. They stay until the end
    /// of this object. Fails with "gltf-uri" for what is no relative reference, "gltf-uri-outside" for what is not
    /// below the folder, "gltf-file-missing", "limit-memory" and "input-...".
    [[nodiscard]] Result<std::span<const std::byte>> read(std::string_view uri);

private:
    [[nodiscard]] Result<std::filesystem::path> find(std::string_view uri) const;
    [[nodiscard]] bool is_inside(const std::filesystem::path& real) const;
    /// From memory, by the first of the readings that is there.
    [[nodiscard]] Result<std::span<const std::byte>> read_from_memory(std::string_view uri);
    [[nodiscard]] Result<std::span<const std::byte>> keep(const std::filesystem::path& path, Bytes bytes);

    std::filesystem::path folder_;  ///< absolute, without links and dots
    bool allow_outside_;
    std::function<Result<Bytes>(const std::string& path)> read_file_;
    std::function<void(const std::filesystem::path& file)> file_seen_;
    Budget& budget_;
    std::map<std::filesystem::path, Bytes> files_;
};

/// A file name as a URI: everything but letters, digits and "-._~" is escaped.
[[nodiscard]] std::string escape_file_name(std::string_view name);

/// A URI of unknown origin: only what can stand in no URI is escaped, and backslashes become slashes.
[[nodiscard]] std::string escape_uri(std::string_view uri);

}  // namespace effigy::gltf
