/// The Huffman code: its table, and streams that end otherwise than they should.

#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "emfx/file/wavelet_code.hpp"

namespace {

using namespace effigy;
using xsm::CodeEnd;

Bytes block_of_bytes(const std::vector<int>& values) {
    Bytes bytes, block;
    for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
    xsm::write_codes(bytes, block);
    return block;
}

CodeEnd read_as(const Bytes& block, std::size_t due, Bytes* out = nullptr) {
    Bytes room(due + xsm::code_slack, std::byte{0xee});
    const CodeEnd end = xsm::read_codes(block, room, due);
    room.resize(due);
    if (out != nullptr) *out = std::move(room);
    return end;
}

TEST(WaveletCode, IsTheEnginesOwn) {
    // 100 11000110100, filled from the lowest bit up.
    EXPECT_EQ(block_of_bytes({0, 0, 0, 0}), (Bytes{std::byte{0x19}, std::byte{0x0b}}));
    // Each byte's length as the engine's table has it: 0 to 7, then the last four.
    const std::size_t lengths[] = {3, 5, 6, 6, 7, 7, 7, 8};
    for (std::size_t value = 0; value < 8; ++value)
        EXPECT_EQ(block_of_bytes(std::vector<int>(8, static_cast<int>(value == 0 ? 1 : value))).size(),
                  ((value == 0 ? 5 : lengths[value]) * 8 + 11 + 7) / 8)
            << value;
    EXPECT_EQ(block_of_bytes(std::vector<int>(8, 255)).size(), (4u * 8 + 11 + 7) / 8);
    EXPECT_EQ(block_of_bytes(std::vector<int>(16, 29)).size(), (11u * 16 + 11 + 7) / 8);
}

TEST(WaveletCode, GivesBackWhatItWasGiven) {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        Bytes bytes(random() % 400), block, again;
        const unsigned kind = random() % 3;
        for (std::byte& byte : bytes)
            byte = static_cast<std::byte>(kind == 0 ? random() : kind == 1 ? random() % 3 : random() % 9 == 0 ? 1 : 0);
        xsm::write_codes(bytes, block);
        ASSERT_EQ(read_as(block, bytes.size(), &again), CodeEnd::exact) << round;
        ASSERT_EQ(again, bytes) << round;
        EXPECT_LE(bytes.size(), xsm::most_decoded(block.size()));
        if (bytes.empty()) continue;
        EXPECT_EQ(read_as(block, bytes.size() - 1), CodeEnd::late);
        EXPECT_EQ(read_as(block, bytes.size() + 1), CodeEnd::early);
        block.insert(block.end(), 3, std::byte{0x5a});
        EXPECT_EQ(read_as(block, bytes.size()), CodeEnd::exact) << "what follows the end mark does not count";
    }
}

TEST(WaveletCode, NeedsAnEndMark) {
    Bytes block = block_of_bytes(std::vector<int>(100, 77));
    EXPECT_EQ(read_as({}, 0), CodeEnd::missing);
    for (std::size_t size = 0; size < block.size(); ++size) {
        const Bytes cut(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_EQ(read_as(cut, 100), CodeEnd::missing) << size;
    }
}

TEST(WaveletCode, StopsAtABomb) {
    EXPECT_EQ(read_as(block_of_bytes(std::vector<int>(400'000, 0)), 128), CodeEnd::late);
}

}  // namespace
