/// DDS files that are written: what they lose, their levels and headers.

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

#include "block_reference.hpp"
#include "samples.hpp"

namespace effigy::image::test {
namespace {

using Make = std::function<Color(std::uint32_t x, std::uint32_t y)>;

Picture draw(std::uint32_t width, std::uint32_t height, const Make& make) {
    Picture picture;
    picture.width = width;
    picture.height = height;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            for (const std::uint8_t value : make(x, y)) picture.rgba.push_back(std::byte{value});
        }
    }
    for (std::size_t i = 3; i < picture.rgba.size(); i += 4)
        picture.has_alpha = picture.has_alpha || picture.rgba[i] != std::byte{255};
    return picture;
}

std::uint8_t byte_of(double value) { return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0))); }

Picture gradient(std::uint32_t width = 64, std::uint32_t height = 64) {
    return draw(width, height, [=](std::uint32_t x, std::uint32_t y) {
        const double u = (x + 0.5) / width, v = (y + 0.5) / height;
        return Color{byte_of(255 * u), byte_of(255 * v), byte_of(255 * (1 - u) * v), 255};
    });
}

// Light and dark, as plaster has it.
Picture noise(std::uint32_t width = 64, std::uint32_t height = 64) {
    std::uint32_t state = 1;
    return draw(width, height, [&](std::uint32_t, std::uint32_t) {
        state = state * 1664525U + 1013904223U;
        const int change = static_cast<int>(state >> 24U) / 4 - 32;
        return Color{byte_of(140 + change), byte_of(120 + change), byte_of(90 + change), 255};
    });
}

// A disc with a soft edge, in what nobody sees bright green.
Picture figure(std::uint32_t width = 64, std::uint32_t height = 64) {
    return draw(width, height, [=](std::uint32_t x, std::uint32_t y) {
        const double u = (x + 0.5) / width - 0.5, v = (y + 0.5) / height - 0.5;
        const double alpha = std::clamp((0.4 - std::hypot(u, v)) * 24 + 0.5, 0.0, 1.0);
        if (alpha == 0) return Color{0, 255, 0, 0};
        return Color{byte_of(200 + 80 * u), byte_of(90 + 80 * v), 60, byte_of(255 * alpha)};
    });
}

Picture normal_map(std::uint32_t width = 64, std::uint32_t height = 64) {
    return draw(width, height, [=](std::uint32_t x, std::uint32_t y) {
        const double a = 0.6 * std::sin(20.0 * x / width), b = 0.6 * std::cos(15.0 * y / height);
        const double length = std::sqrt(a * a + b * b + 1);
        const auto part = [&](double value) { return byte_of((value / length + 1) * 127.5); };
        return Color{part(a), part(b), part(1), 255};
    });
}

Bytes encoded(const Picture& picture, const DdsOptions& options) {
    auto file = encode_dds(picture, options);
    if (file) return std::move(*file);
    ADD_FAILURE() << file.error().message;
    return {};
}

std::size_t level_size(DdsCoding coding, std::uint32_t width, std::uint32_t height, std::size_t pixel_bytes = 4) {
    if (coding == DdsCoding::uncompressed) return width * height * pixel_bytes;
    const std::size_t blocks = ((width + 3) / 4) * ((height + 3) / 4);
    return blocks * (coding == DdsCoding::bc1 || coding == DdsCoding::bc4 ? 8 : 16);
}

// Each level read as if it were a file of its own.
std::vector<Picture> levels_of(const Picture& picture, const DdsOptions& options) {
    Bytes file = encoded(picture, options);
    std::vector<Picture> levels;
    const std::size_t pixel_bytes = std::to_integer<std::size_t>(file[88]) / 8;
    std::size_t offset = 128;
    std::uint32_t width = picture.width, height = picture.height;
    while (offset < file.size()) {
        Data one;
        for (std::size_t i = 0; i < 128; ++i) one.push_back(std::to_integer<std::uint8_t>(file[i]));
        for (unsigned i = 0; i < 4; ++i) {
            one[12 + i] = static_cast<std::uint8_t>(height >> (8 * i));
            one[16 + i] = static_cast<std::uint8_t>(width >> (8 * i));
        }
        const std::size_t size = level_size(options.coding, width, height, pixel_bytes);
        EXPECT_LE(offset + size, file.size());
        for (std::size_t i = 0; i < size; ++i) one.push_back(std::to_integer<std::uint8_t>(file[offset + i]));
        auto level = decode(one);
        EXPECT_TRUE(level);
        levels.push_back(std::move(*level));
        offset += size;
        width = std::max(width / 2, 1U);
        height = std::max(height / 2, 1U);
    }
    EXPECT_EQ(offset, file.size());
    return levels;
}

// Of the channels wanted, as they are seen: colours times alpha.
double psnr(const Picture& a, const Picture& b, std::initializer_list<std::size_t> channels) {
    double sum = 0;
    for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
        const auto seen = [i](const Picture& picture, std::size_t channel) {
            const auto value = [&](std::size_t c) { return static_cast<double>(picture.rgba[i + c]); };
            return channel == 3 ? value(3) : value(channel) * value(3) / 255;
        };
        for (const std::size_t channel : channels) {
            const double difference = seen(a, channel) - seen(b, channel);
            sum += difference * difference;
        }
    }
    const double mean = sum / static_cast<double>(a.rgba.size() / 4 * channels.size());
    return mean == 0 ? 99 : 10 * std::log10(255 * 255 / mean);
}

int largest_difference(const Picture& a, const Picture& b, std::initializer_list<std::size_t> channels) {
    int largest = 0;
    for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
        for (const std::size_t channel : channels) {
            const int difference =
                std::to_integer<int>(a.rgba[i + channel]) - std::to_integer<int>(b.rgba[i + channel]);
            largest = std::max(largest, std::abs(difference));
        }
    }
    return largest;
}

TEST(DdsWrite, LosesAsLittleAsItsFormatsMustByTwoDecoders) {
    struct Case {
        const char* name;
        Picture picture;
        DdsCoding coding;
        Blocks blocks;
        Role role;
        std::initializer_list<std::size_t> channels;
        double least;  // dB
    };
    const Case cases[]{
        {"gradient", gradient(), DdsCoding::bc1, Blocks::bc1, Role::color, {0, 1, 2}, 38},
        {"gradient", gradient(), DdsCoding::bc3, Blocks::bc3, Role::color, {0, 1, 2, 3}, 39},
        {"gradient", gradient(), DdsCoding::bc4, Blocks::bc4, Role::linear, {0}, 50.5},
        {"noise", noise(), DdsCoding::bc1, Blocks::bc1, Role::color, {0, 1, 2}, 35},
        {"noise", noise(), DdsCoding::bc3, Blocks::bc3, Role::color, {0, 1, 2, 3}, 36},
        {"noise", noise(), DdsCoding::bc4, Blocks::bc4, Role::linear, {0}, 40.5},
        {"figure", figure(), DdsCoding::bc3, Blocks::bc3, Role::color, {0, 1, 2, 3}, 41},
        {"normal map", normal_map(), DdsCoding::bc1, Blocks::bc1, Role::normal, {0, 1, 2}, 31.5},
        {"normal map", normal_map(), DdsCoding::bc3, Blocks::bc3, Role::normal, {0, 1, 2}, 31.5},
        {"normal map", normal_map(), DdsCoding::bc5, Blocks::bc5, Role::normal, {0, 1}, 44},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(std::string(one.name) + " " + std::to_string(static_cast<int>(one.coding)));
        const Bytes file = encoded(one.picture, {.coding = one.coding, .mips = false, .filtering = {.role = one.role}});
        const auto own = image::decode(file);
        ASSERT_TRUE(own);
        const Picture other = decode_blocks(one.blocks, 64, 64, std::span(file).subspan(128));
        EXPECT_LE(largest_difference(*own, other, one.channels), 1);
        const double by_own = psnr(one.picture, *own, one.channels), by_other = psnr(one.picture, other, one.channels);
        std::printf("%-10s BC format %d: %.2f dB, %.2f dB by the second decoder\n", one.name,
                    static_cast<int>(one.coding), by_own, by_other);
        EXPECT_GT(by_own, one.least);
        EXPECT_GT(by_other, one.least);
    }
    // z is computed by whoever reads two channels.
    const auto normals =
        image::decode(encoded(normal_map(), {.coding = DdsCoding::bc5, .filtering = {.role = Role::normal}}));
    ASSERT_TRUE(normals);
    EXPECT_GT(psnr(normal_map(), *normals, {0, 1, 2}), 44);
}

TEST(DdsWrite, UncompressedLosesNothing) {
    for (const Picture& picture : {figure(5, 3), gradient(5, 3)}) {
        const Bytes file = encoded(picture, {.coding = DdsCoding::uncompressed, .mips = false});
        EXPECT_EQ(file.size(), 128 + 15 * (picture.has_alpha ? 4U : 3U));
        const auto own = image::decode(file);
        ASSERT_TRUE(own);
        EXPECT_EQ(own->rgba, picture.rgba);
        EXPECT_EQ(file[128], picture.rgba[2]);  // blue first
    }
}

std::uint32_t number_at(const Bytes& file, std::size_t offset) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i) value |= std::to_integer<std::uint32_t>(file[offset + i]) << (8 * i);
    return value;
}

// Every number of the header by its offset; all others are 0.
void expect_header(const Bytes& file, const std::vector<std::pair<std::size_t, std::uint32_t>>& numbers) {
    ASSERT_GE(file.size(), 128U);
    for (std::size_t offset = 0; offset < 128; offset += 4) {
        std::uint32_t expected = 0;
        for (const auto& [where, value] : numbers) {
            if (where == offset) expected = value;
        }
        EXPECT_EQ(number_at(file, offset), expected) << "at " << offset;
    }
}

TEST(DdsWrite, HeaderIsThatOfTheGamesFiles) {
    constexpr std::uint32_t magic = 0x20534444;
    // As the textures of X4 are: DXT5 with all levels.
    expect_header(encoded(gradient(16, 8), {}), {{0, magic},
                                                 {4, 124},
                                                 {8, 0xA1007},
                                                 {12, 8},
                                                 {16, 16},
                                                 {20, 128},
                                                 {28, 5},
                                                 {76, 32},
                                                 {80, 4},
                                                 {84, 0x35545844},
                                                 {108, 0x401008}});
    const std::pair<DdsCoding, std::uint32_t> codes[]{
        {DdsCoding::bc1, 0x31545844}, {DdsCoding::bc4, 0x31495441}, {DdsCoding::bc5, 0x32495441}};
    for (const auto& [coding, code] : codes) {
        const std::uint32_t size = coding == DdsCoding::bc5 ? 128 : 64;
        expect_header(encoded(gradient(16, 8), {.coding = coding, .mips = false}), {{0, magic},
                                                                                    {4, 124},
                                                                                    {8, 0x81007},
                                                                                    {12, 8},
                                                                                    {16, 16},
                                                                                    {20, size},
                                                                                    {28, 1},
                                                                                    {76, 32},
                                                                                    {80, 4},
                                                                                    {84, code},
                                                                                    {108, 0x1000}});
    }
    expect_header(encoded(figure(16, 8), {.coding = DdsCoding::uncompressed}), {{0, magic},
                                                                                {4, 124},
                                                                                {8, 0x2100F},
                                                                                {12, 8},
                                                                                {16, 16},
                                                                                {20, 64},
                                                                                {28, 5},
                                                                                {76, 32},
                                                                                {80, 0x41},
                                                                                {88, 32},
                                                                                {92, 0xFF0000},
                                                                                {96, 0xFF00},
                                                                                {100, 0xFF},
                                                                                {104, 0xFF000000},
                                                                                {108, 0x401008}});
    expect_header(encoded(gradient(16, 8), {.coding = DdsCoding::uncompressed, .mips = false}), {{0, magic},
                                                                                                 {4, 124},
                                                                                                 {8, 0x100F},
                                                                                                 {12, 8},
                                                                                                 {16, 16},
                                                                                                 {20, 48},
                                                                                                 {28, 1},
                                                                                                 {76, 32},
                                                                                                 {80, 0x40},
                                                                                                 {88, 24},
                                                                                                 {92, 0xFF0000},
                                                                                                 {96, 0xFF00},
                                                                                                 {100, 0xFF},
                                                                                                 {108, 0x1000}});
}

TEST(DdsWrite, OddSizesHaveAllTheirLevels) {
    const std::array<std::array<std::uint32_t, 3>, 6> sizes{
        {{1, 1, 1}, {3, 5, 3}, {257, 64, 9}, {4, 1, 3}, {1, 7, 3}, {130, 2, 8}}};
    for (const DdsCoding coding :
         {DdsCoding::bc1, DdsCoding::bc3, DdsCoding::bc4, DdsCoding::bc5, DdsCoding::uncompressed}) {
        for (const auto& [width, height, count] : sizes) {
            SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height));
            const Picture picture = figure(width, height);
            const std::vector<Picture> levels = levels_of(picture, {.coding = coding});
            ASSERT_EQ(levels.size(), count);
            EXPECT_EQ(levels.back().width, 1U);
            EXPECT_EQ(levels.back().height, 1U);
            if (coding == DdsCoding::uncompressed) EXPECT_EQ(levels[0].rgba, picture.rgba);
        }
    }
}

TEST(DdsWrite, ColorsAreAveragedAsLight) {
    const Picture checker = draw(16, 16, [](std::uint32_t x, std::uint32_t y) {
        const std::uint8_t value = (x + y) % 2 == 0 ? 255 : 0;
        return Color{value, value, value, 255};
    });
    const auto middle = [&](Role role) {
        const auto levels = levels_of(checker, {.coding = DdsCoding::uncompressed, .filtering = {.role = role}});
        for (std::size_t i = 1; i < levels.size(); ++i) {
            for (std::uint32_t j = 0; j < levels[i].width * levels[i].width; ++j)
                EXPECT_EQ(pixel(levels[i], j % levels[i].width, j / levels[i].width), pixel(levels.back(), 0, 0));
        }
        return pixel(levels.back(), 0, 0);
    };
    EXPECT_EQ(middle(Role::color), (Color{188, 188, 188, 255}));
    EXPECT_EQ(middle(Role::linear), (Color{128, 128, 128, 255}));
}

TEST(DdsWrite, AreasOfOddSizesAreAveragedInParts) {
    // Three pixels become one, five become two of two and a half each.
    const auto line = [](std::initializer_list<std::uint8_t> values) {
        return draw(static_cast<std::uint32_t>(values.size()), 1, [=](std::uint32_t x, std::uint32_t) {
            const std::uint8_t value = values.begin()[x];
            return Color{value, value, value, 255};
        });
    };
    const DdsOptions options{.coding = DdsCoding::uncompressed, .filtering = {.role = Role::linear}};
    EXPECT_EQ(pixel(levels_of(line({30, 60, 90}), options)[1], 0, 0)[0], 60);
    const Picture two = levels_of(line({10, 20, 100, 60, 80}), options)[1];
    EXPECT_EQ(pixel(two, 0, 0)[0], (10 + 20 + 50) * 2 / 5);
    EXPECT_EQ(pixel(two, 1, 0)[0], (50 + 60 + 80) * 2 / 5);
}

TEST(DdsWrite, WhatCannotBeSeenDoesNotBleed) {
    const auto levels = levels_of(figure(), {.coding = DdsCoding::uncompressed});
    for (const Picture& level : levels) {
        for (std::uint32_t i = 0; i < level.width * level.height; ++i) {
            const Color color = pixel(level, i % level.width, i / level.width);
            if (color[3] > 0) EXPECT_LT(color[1], 160) << level.width << " " << i;
        }
    }
    // Where nothing is seen at all, the colours stay what they were.
    EXPECT_EQ(pixel(levels[1], 0, 0), (Color{0, 255, 0, 0}));
    // Alpha that is no opacity counts for nothing.
    const Picture data = draw(2, 2, [](std::uint32_t x, std::uint32_t) {
        return x == 0 ? Color{200, 0, 0, 0} : Color{200, 0, 255, 255};
    });
    const DdsOptions plain{.coding = DdsCoding::uncompressed, .filtering = {.alpha_is_opacity = false}};
    EXPECT_EQ(pixel(levels_of(data, plain)[1], 0, 0), (Color{200, 0, 188, 128}));
    const DdsOptions linear{.coding = DdsCoding::uncompressed, .filtering = {.role = Role::linear}};
    EXPECT_EQ(pixel(levels_of(data, linear)[1], 0, 0), (Color{200, 0, 128, 128}));
}

double coverage(const Picture& picture, float cutoff) {
    std::size_t passing = 0;
    for (std::size_t i = 3; i < picture.rgba.size(); i += 4)
        passing += static_cast<float>(picture.rgba[i]) / 255 >= cutoff ? 1 : 0;
    return static_cast<double>(passing) / static_cast<double>(picture.rgba.size() / 4);
}

// Thin leaves, of which averaging leaves little.
Picture leaves() {
    return draw(256, 256, [](std::uint32_t x, std::uint32_t y) {
        const double across = std::sin(0.9 * x + 3 * std::sin(0.13 * y)),
                     along = std::sin(0.71 * y + std::cos(0.11 * x));
        return Color{60, 140, 40, byte_of(255 * ((across * along - 0.45) * 4 + 0.5))};
    });
}

TEST(DdsWrite, AsMuchIsLeftOfTestedAlpha) {
    for (const float cutoff : {0.5F, 0.2F, 0.8F}) {
        const double all = coverage(leaves(), cutoff);
        Filtering filtering{.alpha_cutoff = cutoff};
        for (const DdsCoding coding : {DdsCoding::uncompressed, DdsCoding::bc3, DdsCoding::bc1}) {
            const auto levels = levels_of(leaves(), {.coding = coding, .filtering = filtering});
            for (std::size_t i = 0; i < 6; ++i) {
                SCOPED_TRACE(std::to_string(static_cast<int>(coding)) + " level " + std::to_string(i));
                // Of 16 x 16 and 8 x 8 pixels, BC3's own steps of alpha let a few pixels pass that did not, and more.
                const bool few = coding == DdsCoding::bc3 && i > 3;
                EXPECT_NEAR(coverage(levels[i], cutoff), all, few ? 0.08 : 0.02);
            }
        }
        if (cutoff != 0.5F) continue;
        EXPECT_GT(all, 0.15);
        EXPECT_LT(coverage(levels_of(leaves(), {.coding = DdsCoding::uncompressed})[4], cutoff), 0.01);
    }
    // All or nothing stays so.
    for (const std::uint8_t alpha : {std::uint8_t{0}, std::uint8_t{255}}) {
        const Picture same = draw(8, 8, [=](std::uint32_t, std::uint32_t) { return Color{9, 9, 9, alpha}; });
        const DdsOptions options{.coding = DdsCoding::uncompressed, .filtering = {.alpha_cutoff = 0.5F}};
        for (const Picture& level : levels_of(same, options)) EXPECT_EQ(pixel(level, 0, 0)[3], alpha);
    }
}

TEST(DdsWrite, NormalsStayOfUnitLength) {
    const auto levels =
        levels_of(normal_map(96, 40), {.coding = DdsCoding::uncompressed, .filtering = {.role = Role::normal}});
    ASSERT_EQ(levels.size(), 7U);
    for (const Picture& level : levels) {
        for (std::uint32_t i = 0; i < level.width * level.height; ++i) {
            const Color color = pixel(level, i % level.width, i / level.width);
            double square = 0;
            for (std::size_t axis = 0; axis < 3; ++axis) square += std::pow(color[axis] / 127.5 - 1, 2);
            EXPECT_NEAR(std::sqrt(square), 1, 0.01);
        }
    }
    // Two that cancel each other out.
    const Picture opposed = draw(2, 1, [](std::uint32_t x, std::uint32_t) {
        return x == 0 ? Color{255, 128, 128, 255} : Color{0, 127, 127, 255};
    });
    const auto made = levels_of(opposed, {.coding = DdsCoding::uncompressed, .filtering = {.role = Role::normal}});
    EXPECT_EQ(pixel(made[1], 0, 0), (Color{128, 128, 255, 255}));
}

TEST(DdsWrite, Bc1HasItsTransparencyAtTheCutoff) {
    const Picture picture = draw(4, 4, [](std::uint32_t x, std::uint32_t) {
        return Color{200, 100, 50, static_cast<std::uint8_t>(x * 85)};  // 0, 85, 170, 255
    });
    const auto row = [&](const Filtering& filtering) {
        const auto own = image::decode(encoded(picture, {.coding = DdsCoding::bc1, .filtering = filtering}));
        Color alphas{};
        for (std::uint32_t x = 0; x < 4; ++x) alphas[x] = pixel(*own, x, 1)[3];
        return alphas;
    };
    EXPECT_EQ(row({}), (Color{0, 0, 255, 255}));
    EXPECT_EQ(row({.alpha_cutoff = 0.3F}), (Color{0, 255, 255, 255}));
    EXPECT_EQ(row({.alpha_cutoff = 0.9F}), (Color{0, 0, 0, 255}));
}

TEST(DdsWrite, GzipIsAroundIt) {
    const Bytes plain = encoded(figure(), {});
    const Bytes packed = encoded(figure(), {.gzip = true});
    ASSERT_TRUE(is_gzip(packed));
    EXPECT_LT(packed.size(), plain.size());
    const auto unpacked = gunzip(packed);
    ASSERT_TRUE(unpacked);
    EXPECT_EQ(*unpacked, plain);
    EXPECT_EQ(probe(packed), Kind::dds);
    EXPECT_TRUE(image::decode(packed));
    // No name, no time.
    for (const std::size_t i : {3U, 4U, 5U, 6U, 7U}) EXPECT_EQ(packed[i], std::byte{0}) << i;
    EXPECT_EQ(gunzip(image::gzip({}).value()).value(), Bytes{});
}

TEST(DdsWrite, IsTheSameEachTime) {
    for (const DdsCoding coding : {DdsCoding::bc1, DdsCoding::bc3, DdsCoding::bc4, DdsCoding::bc5})
        EXPECT_EQ(encoded(figure(), {.coding = coding, .gzip = true}),
                  encoded(figure(), {.coding = coding, .gzip = true}));
}

TEST(DdsWrite, RefusesWhatIsNoTexture) {
    Picture broken = gradient(4, 4);
    broken.rgba.pop_back();
    EXPECT_EQ(encode_dds(broken).error().code, "image-size");
    EXPECT_EQ(encode_dds(Picture{}).error().code, "image-size");
    EXPECT_EQ(resized(Picture{}, 4, 4).error().code, "image-size");
    EXPECT_EQ(resized(gradient(4, 4), 0, 4).error().code, "image-size");
    EXPECT_EQ(resized(gradient(4, 4), 4, 20000).error().code, "image-size");
    EXPECT_EQ(encode_dds(gradient(20000, 1)).error().code, "image-size");
    EXPECT_EQ(encode_dds(gradient(256, 256), {}, {.memory = 1 << 18}).error().code, "limit-memory");
    EXPECT_EQ(resized(gradient(4, 4), 1024, 1024, {}, {.memory = 1 << 20}).error().code, "limit-memory");
}

TEST(Resized, TakesEveryRoleForWhatItIs) {
    const auto grey = resized(draw(100, 60,
                                   [](std::uint32_t x, std::uint32_t y) {
                                       const std::uint8_t value = (x + y) % 2 == 0 ? 255 : 0;
                                       return Color{value, value, value, 255};
                                   }),
                              50, 30);
    ASSERT_TRUE(grey);
    EXPECT_EQ(grey->width, 50U);
    EXPECT_EQ(grey->height, 30U);
    EXPECT_EQ(pixel(*grey, 7, 3), (Color{188, 188, 188, 255}));
    const auto larger = resized(normal_map(50, 50), 64, 32, {.role = Role::normal});
    ASSERT_TRUE(larger);
    EXPECT_FALSE(larger->has_alpha);
    for (std::uint32_t i = 0; i < 64 * 32; ++i) {
        const Color color = pixel(*larger, i % 64, i / 64);
        double square = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) square += std::pow(color[axis] / 127.5 - 1, 2);
        EXPECT_NEAR(std::sqrt(square), 1, 0.01);
    }
    const auto thin = resized(leaves(), 100, 100, {.alpha_cutoff = 0.5F});
    ASSERT_TRUE(thin);
    EXPECT_NEAR(coverage(*thin, 0.5F), coverage(leaves(), 0.5F), 0.01);
    EXPECT_TRUE(thin->has_alpha);
    // The same size is the same picture.
    for (const Picture& picture : {figure(33, 20), gradient(33, 20)})
        EXPECT_EQ(resized(picture, 33, 20).value().rgba, picture.rgba);
}

TEST(Resized, SizesThatGamesTake) {
    const std::array<std::array<std::uint32_t, 2>, 9> sizes{
        {{0, 1}, {1, 1}, {3, 4}, {5, 4}, {6, 8}, {90, 64}, {91, 128}, {1000, 1024}, {1025, 1024}}};
    for (const auto& [size, power] : sizes) EXPECT_EQ(nearest_power_of_two(size), power) << size;
    EXPECT_EQ(nearest_power_of_two(0xFFFFFFFFU), 1U << 31U);

    Picture picture = figure(33, 64);
    EXPECT_EQ(resize_to_powers_of_two(picture).value(), true);
    EXPECT_EQ(picture.width, 32u);
    EXPECT_EQ(picture.height, 64u);
    const Bytes pixels = picture.rgba;
    EXPECT_EQ(resize_to_powers_of_two(picture).value(), false);
    EXPECT_EQ(picture.rgba, pixels);
    Picture nothing;
    EXPECT_FALSE(resize_to_powers_of_two(nothing));
}

}  // namespace
}  // namespace effigy::image::test
