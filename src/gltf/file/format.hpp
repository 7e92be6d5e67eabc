#pragma once
/// What the registry takes of glTF's faithful files beside effigy/gltf_file.hpp.

#include <filesystem>
#include <string>
#include <string_view>

#include "effigy/gltf.hpp"
#include "effigy/gltf_file.hpp"

#include "core/byte_source.hpp"
#include "core/file_set.hpp"
#include "core/json_fwd.hpp"

namespace effigy::gltf {

[[nodiscard]] Result<Loaded<File>> read(ByteSource source, const ReadOptions& options);
/// A scene as a file's bytes, with those that go with it.
[[nodiscard]] Result<Report> write_into(const Scene& scene, const std::filesystem::path& path,
                                        const WriteOptions& options, FileSet& files);
[[nodiscard]] Result<void> write_parts(const File& file, const std::filesystem::path& path,
                                       const effigy::WriteOptions& options);
[[nodiscard]] Result<File> build(const effigy::Json& nodes, bool normalized, const Limits& limits);
[[nodiscard]] Result<effigy::Json> dump(const File& file, const DumpOptions& options);
[[nodiscard]] Result<std::string> hex_map(const File& file, const DumpOptions& options);

/// What the JSON of a file says, as JSON: docs/json.md, "info". Buffers are not looked at.
[[nodiscard]] effigy::Json file_info(const File& file, std::string_view format);

}  // namespace effigy::gltf
