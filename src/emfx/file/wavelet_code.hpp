#pragma once
/// The Huffman code of wavelet motions. Its table stands in no file: it is the engine's, and always the same.

#include <cstddef>
#include <span>

#include "effigy/bytes.hpp"

namespace effigy::xsm {

/// How a stream of codes ended.
enum class CodeEnd : unsigned char {
    exact,    ///< with the end mark, after as many bytes as were due
    early,    ///< with the end mark, and bytes are missing
    late,     ///< more bytes than were due
    missing,  ///< the block has no end mark
};

/// Bytes behind those that are due which read_codes() may write over: it works in steps.
inline constexpr std::size_t code_slack = 80;

/// Writes `due` bytes to the begin of `out`, which is larger by code_slack. What follows the end mark is not looked at.
[[nodiscard]] CodeEnd read_codes(std::span<const std::byte> block, std::span<std::byte> out, std::size_t due) noexcept;

/// The codes of `bytes` and the end mark, added to `block`.
void write_codes(std::span<const std::byte> bytes, Bytes& block);

/// The most bytes that a block of a size can stand for: three bits for four zeros.
[[nodiscard]] constexpr unsigned long long most_decoded(unsigned long long size) noexcept { return size / 3 * 32 + 32; }

}  // namespace effigy::xsm
