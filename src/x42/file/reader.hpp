#pragma once
/// Reading a file under one assumption about how its morph targets are stored.

#include <string>

#include "effigy/x42.hpp"

#include "core/byte_source.hpp"

namespace effigy::x42 {

struct Attempt {
    File file;
    std::string cut_at;  ///< path of the first thing that the file ends before; empty: all is there
    std::uint64_t cut_offset = 0;
    std::uint64_t vertex_count = 0, index_count = 0;  ///< that the header announces
};

/// The version is none that can be read.
[[nodiscard]] Diagnostic version_problem(std::string message, std::uint32_t version);

/// Bytes are read as if Morphs::layout and what belongs to it were as in `morphs`; a frame has no vertices: see
/// write_frame().
[[nodiscard]] Result<Attempt> read_as(ByteSource& source, const Morphs& morphs, const Limits& limits,
                                      bool is_frame = false);

/// Version 6: finds out how the file is stored, or says in `report` why that cannot be told.
[[nodiscard]] Result<Attempt> read_version_6(ByteSource& source, const Limits& limits, Report& report);

}  // namespace effigy::x42
