// Hashes: the same numbers whatever vectors a machine has, and however the bytes are handed over.

#include "core/hasher.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace effigy::test {
namespace {

std::uint64_t hashed_in(std::span<const std::byte> bytes, std::size_t piece) {
    Hasher hasher;
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(piece, bytes.size())))
        hasher.add(bytes.first(std::min(piece, bytes.size())));
    return hasher.digest();
}

TEST(Hasher, LongAndShortPiecesGiveTheSame) {
    std::minstd_rand random;
    std::vector<std::byte> bytes(100'003);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() >> 8);
    for (const std::size_t size : {0u, 1u, 240u, 241u, 1023u, 1024u, 1025u, 4096u, 65537u, 100'000u}) {
        for (const std::size_t first : {0u, 1u, 3u}) {
            const auto some = std::span<const std::byte>(bytes).subspan(first, size);
            // Short pieces never take the longest vectors.
            EXPECT_EQ(hashed_in(some, size + 1), hashed_in(some, 1000)) << size;
            EXPECT_EQ(hashed_in(some, 5000), hashed_in(some, 7)) << size;
        }
    }
}

// The number is that of XXH3_64bits(), which hashes all at once.
TEST(Hasher, IsXxh3) {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "effigy";
    EXPECT_EQ(hash_text(hashed_in(std::as_bytes(std::span(text)), text.size())), "xxh3:0093d1f7ed9cc361");
}

}  // namespace
}  // namespace effigy::test
