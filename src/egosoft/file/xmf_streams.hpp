#pragma once
/// What buffers hold, and the bytes that it is stored as.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "effigy/result.hpp"
#include "effigy/xmf.hpp"

#include "core/budget.hpp"
#include "core/rules.hpp"

struct libdeflate_decompressor;

namespace effigy::egosoft {

/// Bytes that a buffer's content must have, or nothing if that is no 64-bit number.
[[nodiscard]] std::optional<std::uint64_t> content_size(const xmf::Buffer& buffer) noexcept;

/// The range of File::data that a buffer names; nothing if that reaches beyond its end.
[[nodiscard]] std::optional<std::span<const std::byte>> stored_bytes(const xmf::Buffer& buffer,
                                                                     const Bytes& data) noexcept;

/// A zlib stream.
[[nodiscard]] Bytes compressed(std::span<const std::byte> plain, int level);

/// The outcome of decoding one buffer.
struct Stream {
    Bytes content;                      ///< little-endian; empty if there is a problem of severity error
    std::optional<Diagnostic> problem;  ///< with a path below the buffer's, without a place
    bool exceeds_limit = false;         ///< nothing was decoded because the limit of memory would be passed
};

class StreamDecoder {
public:
    StreamDecoder();

    [[nodiscard]] Stream decode(const xmf::Buffer& buffer, const Bytes& data, bool big_endian, Budget& budget);

private:
    struct Release {
        void operator()(libdeflate_decompressor* decompressor) const noexcept;
    };
    void inflate(std::span<const std::byte> stored, Bytes& content, Stream& stream);

    std::unique_ptr<libdeflate_decompressor, Release> decompressor_;
};

/// Where streams lie: overlaps, gaps, bytes that belong to none.
void check_streams(const xmf::File& file, Findings& findings);
/// Offsets for the findings that name a field by its path; those about content get the place of its stream.
void locate(const xmf::File& file, Report& report);
/// "buffer[2] / content[17]"
[[nodiscard]] std::string buffer_path(std::size_t buffer, std::string_view field = {});

/// The file with every stream in its place: `file` itself where all contents are what is stored, else a copy with new
/// streams and without contents. With `normalize`, streams stand in the order of their buffers without gaps, and the
/// header's counts are true.
[[nodiscard]] Result<std::optional<xmf::File>> lay_out(const xmf::File& file, bool normalize);

}  // namespace effigy::egosoft
