#pragma once
/// What ANI's row in the registry needs beside the public functions.

#include <string>

#include "effigy/ani.hpp"

#include "core/byte_source.hpp"
#include "core/json.hpp"

namespace effigy::ani {

[[nodiscard]] Result<Loaded<File>> read(ByteSource source, const ReadOptions& options);
[[nodiscard]] Result<File> build(const Json& nodes, bool normalize, const Limits& limits);
[[nodiscard]] Result<Json> dump(const File& file, const DumpOptions& options);
[[nodiscard]] Result<std::string> hex_map(const File& file, const DumpOptions& options);
[[nodiscard]] Json info(const File& file, const std::string& encoding);

}  // namespace effigy::ani
