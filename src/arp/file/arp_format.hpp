#pragma once
/// What ARP's rows in the registry need beside the public functions.

#include <string>

#include "effigy/arp.hpp"
#include "effigy/arp_bind.hpp"

#include "core/byte_source.hpp"
#include "core/json_fwd.hpp"

namespace effigy::arp {

[[nodiscard]] Result<Loaded<File>> read(ByteSource source, const ReadOptions& options);
[[nodiscard]] Result<File> build(const Json& nodes, bool normalize, const Limits& limits);
[[nodiscard]] Result<Json> dump(const File& file, const DumpOptions& options);
[[nodiscard]] Result<std::string> hex_map(const File& file, const DumpOptions& options);
[[nodiscard]] Json info(const File& file, const std::string& encoding);
/// How well a bind pose explains its points.
[[nodiscard]] Json bind_json(const Bind& bind);

/// What `check` says but for what reading has said already: that parts are missing, left over or laid out unusually.
[[nodiscard]] Report check_after_reading(const File& file);

/// Byte offsets for findings that name a field by its path.
void locate(const File& file, Report& report);

}  // namespace effigy::arp
