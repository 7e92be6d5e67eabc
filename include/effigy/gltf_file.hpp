#pragma once
/// glTF 2.0 files as they stand on disk: the chunks of a .glb, or the text of a .gltf. What they mean:
/// effigy/gltf.hpp.

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::gltf {

inline constexpr std::uint32_t json_chunk = 0x4e4f534a;    ///< "JSON"
inline constexpr std::uint32_t binary_chunk = 0x004e4942;  ///< "BIN" and a zero

struct Chunk {
    std::uint32_t type = json_chunk;
    Bytes bytes;  ///< with the padding at the end
};

/// A .glb has chunks, a .gltf has text.
struct File {
    bool is_binary = true;
    std::uint32_t version = 2;          ///< .glb: 2
    std::uint32_t declared_length = 0;  ///< .glb: of the whole file, as it says
    std::vector<Chunk> chunks;          ///< .glb: the JSON first, then the buffer, then what extensions add
    Bytes trailing;                     ///< .glb: bytes behind the last whole chunk
    Bytes text;                         ///< .gltf: JSON
};

/// Any bytes that begin like glTF are read; what is wrong stands in the report.
[[nodiscard]] Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options = {});
[[nodiscard]] Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options = {});

[[nodiscard]] Result<Bytes> write(const File& file, const effigy::WriteOptions& options = {});

}  // namespace effigy::gltf
