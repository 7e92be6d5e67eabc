// Gzipped pictures, and gzip files that lie.

#include <gtest/gtest.h>

#include "samples.hpp"

namespace effigy::image::test {
namespace {

const Data small_dds = dds(2, 1, by_dxgi(28), {1, 2, 3, 4, 5, 6, 7, 8});

void expect_code(const Result<Picture>& picture, std::string_view code) {
    ASSERT_FALSE(picture);
    EXPECT_EQ(picture.error().code, code) << picture.error().message;
    EXPECT_FALSE(picture.error().message.empty());
}

TEST(Gzip, EveryKindIsReadAsIfItWerePlain) {
    for (const Data& file : all_kinds()) {
        if (is_gzip(as_bytes(file))) continue;
        const Data zipped = gzip(file);
        EXPECT_TRUE(is_gzip(as_bytes(zipped)));
        EXPECT_EQ(probe(as_bytes(zipped)), probe(as_bytes(file)));
        const auto plain = decode(file);
        const auto inflated = decode(zipped);
        ASSERT_TRUE(plain && inflated);
        EXPECT_EQ(plain->rgba, inflated->rgba);
    }
}

TEST(Gzip, MembersAreJoinedAndWhatFollowsIsLeft) {
    const auto middle = small_dds.begin() + 100;
    Data zipped = gzip({small_dds.begin(), middle});
    append(zipped, gzip({middle, small_dds.end()}));
    append(zipped, Data(20, 0));
    const auto bytes = gunzip(as_bytes(zipped));
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_TRUE(std::equal(bytes->begin(), bytes->end(), as_bytes(small_dds).begin(), as_bytes(small_dds).end()));
    EXPECT_TRUE(decode(zipped));
}

TEST(Gzip, WhatIsInsideMustBeAPicture) {
    EXPECT_EQ(probe(as_bytes(gzip(Data(100, 7)))), Kind::unknown);
    expect_code(decode(gzip(Data(100, 7))), "image-unknown");
    expect_code(decode(gzip({})), "image-unknown");
    // Twice zipped is none either.
    expect_code(decode(gzip(gzip(small_dds))), "image-unknown");
}

TEST(Gzip, DamageIsNoticed) {
    const Data zipped = gzip(small_dds);
    Data wrong_sum = zipped;
    wrong_sum[wrong_sum.size() - 6] = static_cast<std::uint8_t>(~wrong_sum[wrong_sum.size() - 6]);
    expect_code(decode(wrong_sum), "image-damaged");
    // The size at the end is checked as well, however large it claims to be.
    for (const unsigned lie : {0x00U, 0x7FU, 0xFFU}) {
        Data wrong_size = zipped;
        std::fill(wrong_size.end() - 4, wrong_size.end(), static_cast<std::uint8_t>(lie));
        expect_code(decode(wrong_size), "image-damaged");
    }
    for (std::size_t size = 0; size < zipped.size(); ++size) {
        EXPECT_FALSE(decode(Data(zipped.begin(), zipped.begin() + static_cast<std::ptrdiff_t>(size)))) << size;
    }
    expect_code(decode({0x1F, 0x8B, 8, 0}), "image-unknown");
    EXPECT_EQ(gunzip(as_bytes({0x1F, 0x8B, 8, 0})).error().code, "image-truncated");
}

TEST(Gzip, BombsEndAtTheLimit) {
    Data bomb = dds(4, 4, by_code("DXT1"), Data(64 << 20));
    bomb = gzip(bomb);
    ASSERT_LT(bomb.size(), 200'000U);
    expect_code(decode(bomb, {.memory = 1 << 20}), "limit-memory");
    // Within the limit, what follows the largest level is no harm.
    EXPECT_TRUE(decode(bomb));
    // The inflated bytes and the picture share the limit.
    const Data wide = gzip(dds(1024, 1024, by_code("ATI1"), Data(std::size_t{512} << 10)));
    EXPECT_TRUE(decode(wide, {.memory = 5 << 20}));
    expect_code(decode(wide, {.memory = 4 << 20}), "limit-memory");
}

}  // namespace
}  // namespace effigy::image::test
