// Animations are decoded again by the libraries' own decoders and compared with what went in.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gif_lib.h>
#include <gtest/gtest.h>
#include <numeric>
#include <webp/demux.h>

#include "samples.hpp"

namespace effigy::image::test {
namespace {

struct Played {
    std::vector<Picture> frames;
    std::vector<int> times;  // how long each stays, in milliseconds
    int loops = -1;          // 0: for ever
    std::vector<int> colors_used;
};

Picture blank(std::uint32_t width, std::uint32_t height) {
    Picture picture;
    picture.width = width;
    picture.height = height;
    picture.rgba.assign(std::size_t{width} * height * 4, std::byte{0});
    return picture;
}

void set(Picture& picture, std::uint32_t x, std::uint32_t y, Color color) {
    std::memcpy(picture.rgba.data() + (std::size_t{y} * picture.width + x) * 4, color.data(), 4);
}

Bytes encode(AnimationKind kind, const std::vector<Picture>& frames, double frame_time) {
    auto encoder = AnimationEncoder::make(kind, frames.front().width, frames.front().height, frame_time);
    if (!encoder) {
        ADD_FAILURE() << to_string(encoder.error());
        return {};
    }
    for (const Picture& frame : frames) {
        const auto added = encoder->add(frame);
        EXPECT_TRUE(added) << to_string(added.error());
    }
    auto bytes = encoder->finish();
    EXPECT_TRUE(bytes) << to_string(bytes.error());
    return bytes ? std::move(*bytes) : Bytes();
}

Played play_webp(const Bytes& bytes) {
    Played played;
    const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
    WebPAnimDecoderOptions options;
    EXPECT_NE(WebPAnimDecoderOptionsInit(&options), 0);
    options.color_mode = MODE_RGBA;
    WebPAnimDecoder* decoder = WebPAnimDecoderNew(&data, &options);
    if (decoder == nullptr) {
        ADD_FAILURE() << "not a WebP file";
        return played;
    }
    WebPAnimInfo info;
    EXPECT_NE(WebPAnimDecoderGetInfo(decoder, &info), 0);
    played.loops = static_cast<int>(info.loop_count);
    int before = 0;
    while (WebPAnimDecoderHasMoreFrames(decoder) != 0) {
        std::uint8_t* pixels = nullptr;
        int end = 0;
        if (WebPAnimDecoderGetNext(decoder, &pixels, &end) == 0) break;
        Picture frame = blank(info.canvas_width, info.canvas_height);
        std::memcpy(frame.rgba.data(), pixels, frame.rgba.size());
        played.frames.push_back(std::move(frame));
        played.times.push_back(end - before);
        before = end;
    }
    WebPAnimDecoderDelete(decoder);
    return played;
}

struct Source {
    std::span<const std::byte> bytes;
};

int read_source(GifFileType* gif, GifByteType* target, int size) {
    auto* source = static_cast<Source*>(gif->UserData);
    const std::size_t count = std::min(static_cast<std::size_t>(size), source->bytes.size());
    std::memcpy(target, source->bytes.data(), count);
    source->bytes = source->bytes.subspan(count);
    return static_cast<int>(count);
}

void find_loops(const SavedImage& image, Played& played) {
    for (int i = 0; i + 1 < image.ExtensionBlockCount; ++i) {
        const ExtensionBlock& name = image.ExtensionBlocks[i];
        const ExtensionBlock& value = image.ExtensionBlocks[i + 1];
        if (name.Function != APPLICATION_EXT_FUNC_CODE || name.ByteCount != 11 || value.ByteCount != 3) continue;
        EXPECT_EQ(std::memcmp(name.Bytes, "NETSCAPE2.0", 11), 0);
        played.loops = value.Bytes[1] | value.Bytes[2] << 8;
    }
}

// What a browser shows: each picture over what its predecessor's disposal has left.
void draw(const GifFileType& gif, int number, Picture& canvas, Played& played) {
    const SavedImage& image = gif.SavedImages[number];
    GraphicsControlBlock control{};
    EXPECT_EQ(DGifSavedExtensionToGCB(const_cast<GifFileType*>(&gif), number, &control), GIF_OK);
    for (int y = 0; y < image.ImageDesc.Height; ++y) {
        for (int x = 0; x < image.ImageDesc.Width; ++x) {
            const int index = image.RasterBits[y * image.ImageDesc.Width + x];
            if (index == control.TransparentColor) continue;
            const GifColorType color = gif.SColorMap->Colors[index];
            set(canvas, static_cast<std::uint32_t>(image.ImageDesc.Left + x),
                static_cast<std::uint32_t>(image.ImageDesc.Top + y), {color.Red, color.Green, color.Blue, 255});
        }
    }
    played.frames.push_back(canvas);
    played.times.push_back(control.DelayTime * 10);
    EXPECT_EQ(control.DisposalMode, DISPOSE_BACKGROUND);
    std::fill(canvas.rgba.begin(), canvas.rgba.end(), std::byte{0});
}

Played play_gif(const Bytes& bytes) {
    Played played;
    Source source{bytes};
    GifFileType* gif = DGifOpen(&source, read_source, nullptr);
    if (gif == nullptr || DGifSlurp(gif) != GIF_OK) {
        ADD_FAILURE() << "not a GIF file";
        if (gif != nullptr) DGifCloseFile(gif, nullptr);
        return played;
    }
    Picture canvas = blank(static_cast<std::uint32_t>(gif->SWidth), static_cast<std::uint32_t>(gif->SHeight));
    for (int i = 0; i < gif->ImageCount; ++i) {
        EXPECT_EQ(gif->SavedImages[i].ImageDesc.ColorMap, nullptr);  // one palette for all
        find_loops(gif->SavedImages[i], played);
        draw(*gif, i, canvas, played);
    }
    DGifCloseFile(gif, nullptr);
    return played;
}

// A shaded ball, with a soft rim, that moves over nothing.
Picture ball(std::uint32_t size, float phase) {
    Picture picture = blank(size, size);
    const float radius = 0.3F * static_cast<float>(size);
    const float middle = static_cast<float>(size) * (0.35F + 0.3F * phase);
    for (std::uint32_t y = 0; y < size; ++y) {
        for (std::uint32_t x = 0; x < size; ++x) {
            const float dx = static_cast<float>(x) - middle, dy = static_cast<float>(y) - middle;
            const float rim = radius - std::sqrt(dx * dx + dy * dy);
            if (rim <= 0) continue;
            const float light = std::clamp(0.6F - (dx + dy) / (3 * radius), 0.0F, 1.0F);
            const auto part = [&](float most) { return static_cast<std::uint8_t>(most * light); };
            const float red = 90 + 160 * std::abs(dx) / radius;
            set(picture, x, y, {part(red), part(170), part(90), static_cast<std::uint8_t>(std::min(rim, 1.0F) * 255)});
        }
    }
    picture.has_alpha = true;
    return picture;
}

std::vector<Picture> rolling_ball(std::size_t count, std::uint32_t size = 64) {
    std::vector<Picture> frames;
    for (std::size_t i = 0; i < count; ++i)
        frames.push_back(ball(size, static_cast<float>(i) / static_cast<float>(count)));
    return frames;
}

class Animations : public ::testing::TestWithParam<AnimationKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Animations, ::testing::Values(AnimationKind::webp, AnimationKind::gif),
                         [](const auto& tested) { return tested.param == AnimationKind::gif ? "Gif" : "Webp"; });

Played play(AnimationKind kind, const Bytes& bytes) {
    return kind == AnimationKind::gif ? play_gif(bytes) : play_webp(bytes);
}

TEST_P(Animations, LastForTheirTimeAndStartAgain) {
    const Played played = play(GetParam(), encode(GetParam(), rolling_ball(7), 40));
    EXPECT_EQ(played.times, std::vector<int>(7, 40));
    EXPECT_EQ(played.loops, 0);
}

TEST_P(Animations, LastAsLongAsTheirPicturesTogether) {
    const Played played = play(GetParam(), encode(GetParam(), rolling_ball(60, 8), 1000.0 / 30));
    EXPECT_EQ(std::accumulate(played.times.begin(), played.times.end(), 0), 2000);
}

TEST_P(Animations, AreTheSameEachTime) {
    const std::vector<Picture> frames = rolling_ball(5);
    EXPECT_EQ(encode(GetParam(), frames, 40), encode(GetParam(), frames, 40));
}

TEST_P(Animations, MayHaveOnePictureOrOnePixel) {
    EXPECT_EQ(play(GetParam(), encode(GetParam(), rolling_ball(1), 40)).frames.size(), 1U);
    Picture pixel = blank(1, 1);
    set(pixel, 0, 0, {10, 20, 30, 255});
    const Played played = play(GetParam(), encode(GetParam(), {pixel}, 40));
    ASSERT_EQ(played.frames.size(), 1U);
    EXPECT_EQ(test::pixel(played.frames[0], 0, 0), (Color{10, 20, 30, 255}));
    EXPECT_EQ(play(GetParam(), encode(GetParam(), {blank(3, 2)}, 40)).frames.at(0).rgba, blank(3, 2).rgba);
}

TEST_P(Animations, SayWhatIsWrong) {
    const auto code = [](const auto& result) { return result ? std::string("none") : result.error().code; };
    EXPECT_EQ(code(AnimationEncoder::make(GetParam(), 0, 8, 40)), "image-encode");
    EXPECT_EQ(code(AnimationEncoder::make(GetParam(), 8, 0, 40)), "image-encode");
    EXPECT_EQ(code(AnimationEncoder::make(GetParam(), 8, 70000, 40)), "image-encode");
    EXPECT_EQ(code(AnimationEncoder::make(GetParam(), 8, 8, 0)), "image-encode");
    EXPECT_EQ(code(AnimationEncoder::make(GetParam(), 8, 8, -40)), "image-encode");
    EXPECT_EQ(code(AnimationEncoder::make(GetParam(), 8, 8, 1 << 30)), "image-encode");
    EXPECT_EQ(code(AnimationEncoder::make(GetParam(), 8, 8, std::nan(""))), "image-encode");
    auto encoder = AnimationEncoder::make(GetParam(), 8, 8, 40);
    ASSERT_TRUE(encoder);
    EXPECT_EQ(code(encoder->finish()), "image-encode");  // without a picture
    EXPECT_EQ(code(encoder->add(blank(8, 9))), "image-encode");
    Picture wrong = blank(8, 8);
    wrong.rgba.resize(wrong.rgba.size() - 1);
    EXPECT_EQ(code(encoder->add(wrong)), "image-encode");
    EXPECT_TRUE(encoder->add(blank(8, 8)));
    EXPECT_TRUE(encoder->finish());
    EXPECT_EQ(code(encoder->finish()), "image-encode");
    EXPECT_EQ(code(encoder->add(blank(8, 8))), "image-encode");
}

TEST(Webp, KeepsEveryByte) {
    std::vector<Picture> frames = rolling_ball(6);
    for (std::uint32_t i = 0; i < 3; ++i) {
        frames.push_back(pattern(64, 64, true));
        set(frames.back(), i, 5, {1, 2, 3, 0});  // a colour that nobody sees
    }
    const Played played = play_webp(encode(AnimationKind::webp, frames, 40));
    ASSERT_EQ(played.frames.size(), frames.size());
    for (std::size_t i = 0; i < frames.size(); ++i) EXPECT_EQ(played.frames[i].rgba, frames[i].rgba) << i;
}

TEST(Webp, KeepsTheTimeOfPicturesThatRepeat) {
    std::vector<Picture> frames = rolling_ball(3);
    frames.insert(frames.begin() + 1, frames[0]);
    const Played played = play_webp(encode(AnimationKind::webp, frames, 33));
    EXPECT_EQ(played.times, (std::vector<int>{66, 33, 33}));
}

TEST(Gif, KeepsFewColorsExactly) {
    std::vector<Picture> frames;
    for (std::uint32_t number = 0; number < 3; ++number) {
        frames.push_back(blank(32, 32));
        for (std::uint32_t i = 0; i < 85; ++i) {
            const std::uint32_t value = number * 85 + i;
            set(frames.back(), i % 32, i / 32,
                {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(255 - value), 7, 255});
        }
    }
    const Played played = play_gif(encode(AnimationKind::gif, frames, 40));
    ASSERT_EQ(played.frames.size(), frames.size());
    for (std::size_t i = 0; i < frames.size(); ++i) EXPECT_EQ(played.frames[i].rgba, frames[i].rgba) << i;
}

TEST(Gif, IsNearManyColors) {
    const std::vector<Picture> frames = rolling_ball(4, 96);  // 6000 colours
    const Played played = play_gif(encode(AnimationKind::gif, frames, 40));
    ASSERT_EQ(played.frames.size(), frames.size());
    double sum = 0;
    int largest = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        for (std::size_t at = 0; at < frames[i].rgba.size(); ++at) {
            const auto wanted = std::to_integer<int>(frames[i].rgba[at]);
            const bool opaque = std::to_integer<int>(frames[i].rgba[at | 3U]) >= 128;
            const auto shown = std::to_integer<int>(played.frames[i].rgba[at]);
            if (at % 4 == 3) {
                ASSERT_EQ(shown, opaque ? 255 : 0);  // and nothing of the frame before
            } else if (opaque) {
                sum += std::abs(shown - wanted);
                largest = std::max(largest, std::abs(shown - wanted));
                ++count;
            }
        }
    }
    const double mean = sum / static_cast<double>(count);
    std::printf("GIF: mean error %.2f, largest %d\n", mean, largest);
    EXPECT_LT(mean, 3);
    EXPECT_LT(largest, 24);
}

TEST(Gif, DitheringKeepsTheMean) {
    Picture picture = blank(128, 128);  // far more colours than a palette has
    double wanted = 0;
    for (std::uint32_t y = 0; y < 128; ++y) {
        for (std::uint32_t x = 0; x < 128; ++x) {
            set(picture, x, y, {static_cast<std::uint8_t>(2 * x), static_cast<std::uint8_t>(2 * y), 128, 255});
            wanted += 2 * (x + y);
        }
    }
    const Played played = play_gif(encode(AnimationKind::gif, {picture}, 40));
    double shown = 0;
    for (std::size_t at = 0; at < picture.rgba.size(); at += 4) {
        shown += std::to_integer<int>(played.frames.at(0).rgba[at]);
        shown += std::to_integer<int>(played.frames.at(0).rgba[at + 1]);
    }
    EXPECT_NEAR(shown / wanted, 1, 0.005);
}

TEST(Gif, RoundsTimesSoThatTheWholeIsRight) {
    const Played played = play_gif(encode(AnimationKind::gif, rolling_ball(6), 33));
    EXPECT_EQ(played.times, (std::vector<int>{30, 40, 30, 30, 40, 30}));  // 198 ms, to the nearest 10
}

}  // namespace
}  // namespace effigy::image::test
