#pragma once
/// Limits and switches for reading and writing.

#include <cstdint>

namespace effigy {

/// What a reader may use up. Exceeding one ends the reading with the code "limit-...".
struct Limits {
    /// Bytes of memory for one input and everything derived from it. 0: 64 MiB + 16 times the size of the input, and of
    /// what it has to become (vertices of meshes without normals, motions as text).
    std::uint64_t memory = 0;
    /// Elements of one array of records (nodes, layers, keys' tracks ...).
    std::uint64_t count = 16'777'216;
    /// Bytes of one string.
    std::uint32_t string = 1'048'576;
    /// Files inside files (XAC levels of detail).
    std::uint32_t depth = 8;
};

struct ReadOptions {
    Limits limits;
};

struct DumpOptions {
    bool expand = false;  ///< blocks as numbers instead of base64
    Limits limits{};     ///< of these the memory; 0: 2 GiB, because a dump of small fields is much larger than its file
    bool blocks = true;  ///< without: blocks' values are null; nothing can be built from such a dump
};

struct WriteOptions {
    /// Write true lengths instead of the declared ones that the file came with.
    bool normalize = false;
    /// Flush to the device before the new file takes its name.
    bool fsync = false;
};

}  // namespace effigy
