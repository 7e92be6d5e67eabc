#pragma once
/// What X42's row in the registry needs beside the public functions.

#include <string>

#include "effigy/x42.hpp"

#include "core/byte_source.hpp"
#include "core/json.hpp"

namespace effigy::x42 {

[[nodiscard]] Result<Loaded<File>> read(ByteSource source, const ReadOptions& options);
[[nodiscard]] Result<File> build(const Json& nodes, bool normalize, const Limits& limits);
[[nodiscard]] Result<Json> dump(const File& file, const DumpOptions& options);
[[nodiscard]] Result<std::string> hex_map(const File& file, const DumpOptions& options);
[[nodiscard]] Json info(const File& file, const std::string& encoding);
/// In info and extras.
[[nodiscard]] const char* name_of(MorphLayout layout) noexcept;

/// All of a file but its vertices and indices, laid out as in a file: what extras keep of it.
[[nodiscard]] Result<Bytes> write_frame(const File& file);

/// x42::check without what reading says anyway: where the file is cut off.
[[nodiscard]] Report check_after_reading(const File& file);

/// Byte offsets for findings that name a field by its path, as in dumps: "bone[3] / parent", "groups" ...
void locate(const File& file, Report& report);

}  // namespace effigy::x42
