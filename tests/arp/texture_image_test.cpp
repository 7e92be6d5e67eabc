// Embedded images of every form come out the right way up; sizes that lie are refused.

#include "arp/file/texture_image.hpp"

#include <gtest/gtest.h>
#include <libdeflate.h>
#include <limits>

namespace effigy::test {
namespace {

using arp::File;

void add_u32(Bytes& bytes, std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>(value >> shift & 0xff));
}

/// Two pixels wide and three high: row r is all r.
Bytes rows() {
    Bytes bytes;
    for (int row = 0; row < 3; ++row)
        for (int byte = 0; byte < 8; ++byte) bytes.push_back(static_cast<std::byte>(byte % 4 == 3 ? 255 : row));
    return bytes;
}

Bytes block(std::uint32_t width = 2, std::uint32_t height = 3) {
    Bytes bytes;
    add_u32(bytes, width);
    add_u32(bytes, height);
    const Bytes pixels = rows();
    bytes.insert(bytes.end(), pixels.begin(), pixels.end());
    return bytes;
}

Bytes with_size(std::uint32_t size, const Bytes& rest) {
    Bytes bytes;
    add_u32(bytes, size);
    bytes.insert(bytes.end(), rest.begin(), rest.end());
    return bytes;
}

Bytes gzip(const Bytes& bytes) {
    libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
    Bytes packed(libdeflate_gzip_compress_bound(compressor, bytes.size()));
    packed.resize(libdeflate_gzip_compress(compressor, bytes.data(), bytes.size(), packed.data(), packed.size()));
    libdeflate_free_compressor(compressor);
    return packed;
}

File jib(Bytes image, bool compressed = false) {
    File file;
    file.texture.flags = {1, static_cast<std::uint8_t>(compressed), 0, 0, 1};
    file.texture.stored_size = static_cast<std::uint32_t>(image.size());
    file.texture.image = std::move(image);
    return file;
}

File old(Bytes image) {
    File file = jib(std::move(image));
    file.layout.texture = arp::TextureForm::flag;
    file.texture.flags = {};
    file.texture.embedded = 1;
    return file;
}

/// The first byte of each row.
std::string rows_of(const File& file) {
    const auto picture = arp::texture_picture(file);
    if (!picture) return to_string(picture.error());
    if (picture->width != 2 || picture->height != 3 || picture->rgba.size() != 24) return "another size";
    std::string rows;
    for (std::size_t row = 0; row < 3; ++row)
        rows += static_cast<char>('0' + std::to_integer<int>(picture->rgba[row * 8]));
    return rows;
}

std::string code_of(const File& file, const Limits& limits = {}) {
    const auto picture = arp::texture_picture(file, limits);
    const auto png = arp::texture_png(file, limits);
    EXPECT_EQ(picture.has_value(), png.has_value());
    return picture ? "" : picture.error().code;
}

Bytes png_file() {
    image::Picture picture;
    picture.width = 2;
    picture.height = 3;
    picture.rgba = rows();
    return image::encode_png(picture).value();
}

TEST(ArpTextureImage, JibBeginsAtTheBottom) { EXPECT_EQ(rows_of(jib(block())), "210"); }

TEST(ArpTextureImage, CompressedJibHasItsSizeInside) {
    EXPECT_EQ(rows_of(jib(gzip(with_size(32, block())), true)), "210");
    EXPECT_EQ(rows_of(jib(gzip(block()), true)), "210");
}

TEST(ArpTextureImage, OldImagesAreRecognisedByTheirBytes) {
    EXPECT_EQ(rows_of(old(block())), "210");
    EXPECT_EQ(rows_of(old(with_size(24, block()))), "210");
    EXPECT_EQ(rows_of(old(gzip(with_size(24, block())))), "210");
    EXPECT_EQ(rows_of(old(png_file())), "012");
}

TEST(ArpTextureImage, FlippedRowsStayInTheirOrder) {
    File file = jib(block());
    file.texture.flags[5] = 1;
    EXPECT_TRUE(arp::is_flipped(file));
    EXPECT_EQ(rows_of(file), "012");
    file.texture.flags = {1};  // of no kind
    EXPECT_TRUE(arp::is_flipped(file));
    EXPECT_FALSE(arp::is_flipped(old(block())));
}

TEST(ArpTextureImage, StoredPngComesBackToTheByte) {
    File file = jib(png_file());
    file.texture.flags = {1, 0, 1};
    EXPECT_EQ(rows_of(file), "012");
    EXPECT_EQ(arp::texture_png(file).value(), png_file());
}

TEST(ArpTextureImage, BytesKnowBetterThanFlags) {
    EXPECT_EQ(rows_of(jib(png_file())), "012");
    EXPECT_EQ(rows_of(jib(gzip(block()), false)), "210");
    EXPECT_EQ(rows_of(jib(block(), true)), "210");
}

TEST(ArpTextureImage, TgaIsDecodedThoughPlayersRefuseIt) {
    Bytes tga(18, std::byte{0});
    tga[2] = std::byte{2};
    tga[12] = std::byte{2};
    tga[14] = std::byte{3};
    tga[16] = std::byte{32};
    tga[17] = std::byte{8};
    for (int row = 0; row < 3; ++row)
        for (int byte = 0; byte < 8; ++byte) tga.push_back(static_cast<std::byte>(byte % 4 == 3 ? 255 : row));
    File file = jib(std::move(tga));
    file.texture.flags = {1, 0, 0, 1};
    EXPECT_EQ(rows_of(file), "210");
    EXPECT_TRUE(arp::texture_png(file));
}

TEST(ArpTextureImage, RowsThatAreSaidToBeAPngAreRefused) {
    File file = jib(block());
    file.texture.flags = {1, 0, 1};
    EXPECT_EQ(code_of(file), "image-unknown");
}

TEST(ArpTextureImage, JibBecomesPng) {
    const auto png = arp::texture_png(jib(block()));
    ASSERT_TRUE(png) << to_string(png.error());
    const auto picture = image::decode(*png);
    ASSERT_TRUE(picture) << to_string(picture.error());
    EXPECT_EQ(picture->rgba, arp::texture_picture(jib(block()))->rgba);
    EXPECT_FALSE(picture->has_alpha);
}

TEST(ArpTextureImage, AlphaIsNoticed) {
    Bytes bytes = block();
    bytes.back() = std::byte{7};
    EXPECT_TRUE(arp::texture_picture(jib(std::move(bytes)))->has_alpha);
}

TEST(ArpTextureImage, NoneIsMissing) { EXPECT_EQ(code_of(File{}), "arp-texture-missing"); }

TEST(ArpTextureImage, HostileSizesAreRefused) {
    constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
    const std::uint32_t sizes[][2] = {{0, 0},
                                      {0, 3},
                                      {6, 0},
                                      {2, 4},
                                      {2, 2},
                                      {most, most},
                                      {most, 1},
                                      {1u << 31, 1u << 31},
                                      {1u << 30, 1u << 30},
                                      {0x80000000u, 2},
                                      {0x40000000u, 4},
                                      {6, 0x40000001u}};
    for (const auto& [width, height] : sizes) {
        SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height));
        const Bytes lying = block(width, height);
        EXPECT_EQ(code_of(jib(lying)), "arp-texture-size");
        EXPECT_EQ(code_of(jib(gzip(lying), true)), "arp-texture-size");
        EXPECT_EQ(code_of(jib(gzip(with_size(32, lying)), true)), "arp-texture-size");
        EXPECT_EQ(code_of(old(with_size(24, lying))), "arp-texture-size");
    }
    for (std::size_t size = 0; size < block().size(); ++size) {
        Bytes cut = block();
        cut.resize(size);
        EXPECT_EQ(code_of(jib(cut)), "arp-texture-size") << size;
        EXPECT_NE(code_of(old(gzip(cut))), "") << size;
    }
    Bytes longer = block();
    longer.push_back(std::byte{0});
    EXPECT_EQ(code_of(jib(longer)), "arp-texture-size");
}

TEST(ArpTextureImage, DamagedImagesAreRefused) {
    Bytes packed = gzip(block());
    for (std::size_t size = 0; size < packed.size(); ++size) {
        Bytes cut = packed;
        cut.resize(size);
        EXPECT_NE(code_of(jib(cut, true)), "") << size;
    }
    const Bytes png = png_file();
    for (std::size_t size = 0; size < png.size() / 2; ++size) {
        File file = jib(png);
        file.texture.image.resize(size);
        file.texture.flags = {1, 0, 1};
        EXPECT_NE(code_of(file), "") << size;
    }
}

TEST(ArpTextureImage, BombsEndAtTheLimit) {
    constexpr std::uint32_t side = 2048;
    Bytes large;
    add_u32(large, side);
    add_u32(large, side);
    large.resize(large.size() + std::size_t{side} * side * 4, std::byte{0});
    Limits limits;
    limits.memory = 1 << 20;
    EXPECT_EQ(code_of(jib(gzip(large), true), limits), "limit-memory");
    EXPECT_EQ(code_of(jib(large), limits), "limit-memory");
    // The block fits, the picture beside it does not.
    limits.memory = large.size() + (1 << 20);
    EXPECT_EQ(code_of(jib(gzip(large), true), limits), "limit-memory");
}

}  // namespace
}  // namespace effigy::test
