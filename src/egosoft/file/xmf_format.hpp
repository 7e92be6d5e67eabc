#pragma once
/// What XMF's rows in the registry need beside the public functions.

#include <string>

#include "effigy/xmf.hpp"

#include "core/byte_source.hpp"
#include "core/json.hpp"

namespace effigy::xmf {

[[nodiscard]] Result<Loaded<File>> read(ByteSource source, const ReadOptions& options);
/// From the nodes of a dump. Buffers without content there have the one that their bytes decode to.
[[nodiscard]] Result<File> build(const Json& nodes, bool normalize, const Limits& limits);
[[nodiscard]] Result<Json> dump(const File& file, const DumpOptions& options);
[[nodiscard]] Result<std::string> hex_map(const File& file, const DumpOptions& options);
[[nodiscard]] Json info(const File& file, const std::string& encoding);

}  // namespace effigy::xmf
