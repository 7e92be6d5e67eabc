/// Texture files of a scene: found, converted, flipped, shared.

#include "effigy/textures.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <initializer_list>
#include <jpeglib.h>
#include <map>
#include <string>
#include <vector>
#include <zlib.h>

#include "scene/texture_names.hpp"
#include "temporary_folder.hpp"

namespace effigy {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

struct Pixel {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;
    friend bool operator==(const Pixel&, const Pixel&) = default;
};

constexpr Pixel red{200, 30, 10, 255};
constexpr Pixel glassy_blue{10, 40, 250, 100};

void append(Bytes& bytes, std::initializer_list<unsigned> values) {
    for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
}

void append_u32(Bytes& bytes, std::initializer_list<std::uint32_t> values) {
    for (const std::uint32_t v : values) append(bytes, {v & 255, v >> 8 & 255, v >> 16 & 255, v >> 24});
}

/// 2 x 2 pixels of one colour.
Bytes make_png(Pixel pixel) {
    image::Picture picture;
    picture.width = picture.height = 2;
    picture.has_alpha = pixel.a != 255;
    for (int i = 0; i < 4; ++i) append(picture.rgba, {pixel.r, pixel.g, pixel.b, pixel.a});
    return image::encode_png(picture).value();
}

Bytes make_tga(Pixel pixel) {
    Bytes tga;
    append(tga, {0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 32, 8});
    for (int i = 0; i < 4; ++i) append(tga, {pixel.b, pixel.g, pixel.r, pixel.a});
    return tga;
}

/// Uncompressed 32-bit A8R8G8B8.
Bytes make_dds(Pixel pixel) {
    Bytes dds;
    append_u32(dds, {0x20534444, 124, 0x100f, 2, 2, 8, 0, 0});
    for (int i = 0; i < 11; ++i) append_u32(dds, {0});
    append_u32(dds, {32, 0x41, 0, 32, 0x00ff0000, 0x0000ff00, 0x000000ff, 0xff000000});
    append_u32(dds, {0x1000, 0, 0, 0, 0});
    for (int i = 0; i < 4; ++i) append(dds, {pixel.b, pixel.g, pixel.r, pixel.a});
    return dds;
}

Bytes make_jpeg() {
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char* block = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &block, &size);
    jpeg.image_width = jpeg.image_height = 8;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    std::array<unsigned char, 24> row{};
    row.fill(90);
    for (int y = 0; y < 8; ++y) {
        unsigned char* rows[] = {row.data()};
        jpeg_write_scanlines(&jpeg, rows, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    const auto* first = reinterpret_cast<const std::byte*>(block);
    const Bytes bytes(first, first + size);
    std::free(block);
    return bytes;
}

class Textures : public testing::Test {
protected:
    Textures() { options_.folders = {folder_.path()}; }

    void put(const std::string& name, const Bytes& bytes) const {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream stream(folder_ / name, std::ios::binary);
        stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        ASSERT_TRUE(stream.good());
    }

    Index add_image(const std::string& name) {
        scene_.images.push_back({name, {}, {}, {}});
        return static_cast<Index>(scene_.images.size() - 1);
    }

    Material& add_material(const std::string& name) {
        scene_.materials.emplace_back().name = name;
        return scene_.materials.back();
    }

    Report load() { return load_textures(scene_, options_); }

    Pixel pixel_of(Index image) const {
        const Result<image::Picture> picture = image::decode(scene_.images.at(image).bytes);
        if (!picture) {
            ADD_FAILURE() << to_string(picture.error());
            return {};
        }
        const auto channel = [&](std::size_t i) { return std::to_integer<std::uint8_t>(picture->rgba.at(i)); };
        return {channel(0), channel(1), channel(2), channel(3)};
    }

    test::TemporaryFolder folder_;
    TextureOptions options_;
    Scene scene_;
};

Pixel with_green_flipped(Pixel pixel) {
    pixel.g = static_cast<std::uint8_t>(255 - pixel.g);
    return pixel;
}

TEST_F(Textures, PngAndJpegStayAsTheyAre) {
    put("skin.png", make_png(red));
    put("sub/cloth.jpg", make_jpeg());
    add_material("a").base_color_texture.image = add_image("SKIN");
    add_material("b").emissive_texture.image = add_image("gfx\\cloth.dds");
    EXPECT_TRUE(load().empty());
    ASSERT_EQ(scene_.images.size(), 2u);
    EXPECT_EQ(scene_.images[0].bytes, make_png(red));
    EXPECT_EQ(scene_.images[0].mime_type, "image/png");
    EXPECT_EQ(scene_.images[0].name, "SKIN");
    EXPECT_EQ(scene_.images[1].bytes, make_jpeg());
    EXPECT_EQ(scene_.images[1].mime_type, "image/jpeg");
}

TEST_F(Textures, ContentDecidesWhatAFileIs) {
    put("skin.dds", make_png(red));
    add_material("a").base_color_texture.image = add_image("skin");
    EXPECT_TRUE(load().empty());
    EXPECT_EQ(scene_.images.at(0).bytes, make_png(red));
}

TEST_F(Textures, OtherFormatsBecomePng) {
    put("one.dds", make_dds(red));
    put("two.tga", make_tga(red));
    add_material("a").base_color_texture.image = add_image("one");
    add_material("b").occlusion_texture.image = add_image("two.tga");
    EXPECT_TRUE(load().empty());
    ASSERT_EQ(scene_.images.size(), 2u);
    for (const Index image : {0u, 1u}) {
        EXPECT_EQ(image::probe(scene_.images[image].bytes), image::Kind::png);
        EXPECT_EQ(scene_.images[image].mime_type, "image/png");
        EXPECT_EQ(pixel_of(image), red);
    }
}

TEST_F(Textures, NormalMapsAreFlipped) {
    put("bump.dds", make_dds(red));
    put("bump2.png", make_png(red));
    add_material("a").normal_texture.image = add_image("bump");
    add_material("b").normal_texture.image = add_image("bump2");
    EXPECT_TRUE(load().empty());
    ASSERT_EQ(scene_.images.size(), 2u);
    EXPECT_EQ(scene_.images[0].name, "bump");
    EXPECT_EQ(pixel_of(0), with_green_flipped(red));
    EXPECT_EQ(pixel_of(1), with_green_flipped(red));
}

TEST_F(Textures, NormalMapsAreLeftAloneWhenAsked) {
    put("bump.png", make_png(red));
    options_.normal_map_green = GreenChannel::keep;
    Material& material = add_material("a");
    material.normal_texture.image = material.base_color_texture.image = add_image("bump");
    EXPECT_TRUE(load().empty());
    ASSERT_EQ(scene_.images.size(), 1u);
    EXPECT_EQ(scene_.images[0].bytes, make_png(red));
    EXPECT_EQ(scene_.materials[0].normal_texture.image, 0u);
}

TEST_F(Textures, AnImageUsedAsColorAndAsNormalMapIsStoredTwice) {
    put("both.png", make_png(red));
    const Index both = add_image("both");
    add_material("a").base_color_texture.image = both;
    Material& bumpy = add_material("b");
    bumpy.normal_texture.image = both;
    bumpy.normal_texture.texcoord = 1;
    EXPECT_TRUE(load().empty());
    ASSERT_EQ(scene_.images.size(), 2u);
    EXPECT_EQ(scene_.images[0].bytes, make_png(red));
    EXPECT_EQ(scene_.images[1].name, "both.normal");
    EXPECT_EQ(pixel_of(1), with_green_flipped(red));
    EXPECT_EQ(scene_.materials[0].base_color_texture.image, 0u);
    EXPECT_EQ(scene_.materials[1].normal_texture.image, 1u);
    EXPECT_EQ(scene_.materials[1].normal_texture.texcoord, 1u);
}

TEST_F(Textures, NamesOfOneFileShareOneImage) {
    put("skin.tga", make_tga(red));
    add_material("a").base_color_texture.image = add_image("skin");
    add_material("b").base_color_texture.image = add_image("gfx/SKIN.tga");
    add_material("c").normal_texture.image = add_image("skin.tga");
    EXPECT_TRUE(load().empty());
    ASSERT_EQ(scene_.images.size(), 2u);
    EXPECT_EQ(scene_.materials[0].base_color_texture.image, 0u);
    EXPECT_EQ(scene_.materials[1].base_color_texture.image, 0u);
    EXPECT_EQ(scene_.materials[2].normal_texture.image, 1u);
    EXPECT_EQ(scene_.images[1].name, "skin.normal");
}

TEST_F(Textures, WhatIsMissingIsTakenOutAndReported) {
    put("skin.png", make_png(red));
    const Index lost = add_image("lost");
    const Index skin = add_image("skin");
    Material& material = add_material("face");
    material.normal_texture.image = lost;
    material.base_color_texture.image = skin;
    add_material("hands").base_color_texture.image = lost;
    const Report report = load();
    ASSERT_EQ(report.diagnostics().size(), 1u);
    const Diagnostic& diagnostic = report.diagnostics()[0];
    EXPECT_EQ(diagnostic.code, "texture-missing");
    EXPECT_EQ(diagnostic.severity, Severity::warning);
    for (const std::string& part : {std::string("'lost'"), std::string("'face', 'hands'"), folder_.path().string(),
                                    std::string("--textures DIR")}) {
        EXPECT_THAT(diagnostic.message, HasSubstr(part));
    }
    ASSERT_EQ(scene_.images.size(), 1u);
    EXPECT_EQ(scene_.images[0].name, "skin");
    EXPECT_EQ(scene_.materials[0].base_color_texture.image, 0u);
    EXPECT_FALSE(scene_.materials[0].normal_texture.used());
    EXPECT_FALSE(scene_.materials[1].base_color_texture.used());
}

TEST_F(Textures, WithoutFoldersEveryNamedImageIsMissing) {
    options_.folders.clear();
    add_material("a").base_color_texture.image = add_image("one");
    add_material("b").base_color_texture.image = add_image("two");
    const Report report = load();
    EXPECT_EQ(report.count("texture-missing"), 2u);
    EXPECT_THAT(report.diagnostics().at(0).message, HasSubstr("--textures DIR"));
    EXPECT_TRUE(scene_.images.empty());
    EXPECT_FALSE(scene_.materials[0].base_color_texture.used());
}

TEST_F(Textures, LongListsInMessagesAreCut) {
    const Index lost = add_image("lost");
    for (int i = 0; i < 7; ++i) add_material("m" + std::to_string(i)).base_color_texture.image = lost;
    const Report report = load();
    EXPECT_THAT(report.diagnostics().at(0).message, HasSubstr("'m4' and 2 more"));
    EXPECT_THAT(report.diagnostics().at(0).message, Not(HasSubstr("'m5'")));
}

TEST_F(Textures, WhatIsDamagedIsTakenOutAndReported) {
    Bytes half_png = make_png(red);
    half_png.resize(half_png.size() / 2);
    put("half.png", half_png);
    Bytes half_dds = make_dds(red);
    half_dds.resize(half_dds.size() - 4);
    put("half2.dds", half_dds);
    put("empty.png", {});
    add_material("a").base_color_texture.image = add_image("half");
    add_material("b").normal_texture.image = add_image("half2");
    add_material("c").emissive_texture.image = add_image("empty");
    const Report report = load();
    EXPECT_EQ(report.count("texture-damaged"), 3u);
    EXPECT_EQ(report.count(Severity::warning), 3u);
    EXPECT_FALSE(report.has_errors());
    EXPECT_EQ(report.diagnostics().at(0).file, (folder_ / "half.png").string());
    EXPECT_THAT(report.diagnostics()[0].message, HasSubstr("--textures DIR"));
    EXPECT_TRUE(scene_.images.empty());
    for (Material& material : scene_.materials) {
        EXPECT_FALSE(material.base_color_texture.used());
        EXPECT_FALSE(material.normal_texture.used());
        EXPECT_FALSE(material.emissive_texture.used());
    }
}

TEST_F(Textures, WhatDecodingNoticesIsReportedWithItsFile) {
    Bytes jpeg = make_jpeg();
    jpeg.resize(jpeg.size() - 4);
    put("cut.jpg", jpeg);
    add_material("a").base_color_texture.image = add_image("cut");
    const Report report = load();
    ASSERT_EQ(report.diagnostics().size(), 1u);
    EXPECT_EQ(report.diagnostics()[0].severity, Severity::warning);
    EXPECT_EQ(report.diagnostics()[0].file, (folder_ / "cut.jpg").string());
    EXPECT_EQ(report.diagnostics()[0].path, "images[0]");
    EXPECT_EQ(scene_.images.at(0).bytes, jpeg);
}

TEST_F(Textures, AFileBeyondTheLimitIsNotRead) {
    const Bytes png = make_png(red);
    put("skin.png", png);
    options_.limits.memory = png.size() - 1;
    add_material("a").base_color_texture.image = add_image("skin");
    const Report report = load();
    ASSERT_EQ(report.diagnostics().size(), 1u);
    EXPECT_EQ(report.diagnostics()[0].code, "limit-memory");
    EXPECT_EQ(report.diagnostics()[0].severity, Severity::warning);
    EXPECT_TRUE(scene_.images.empty());
}

TEST_F(Textures, AlphaThatAnOpaqueMaterialDoesNotUseIsReportedOnceForEach) {
    put("glass.tga", make_tga(glassy_blue));
    const Index glass = add_image("glass");
    Material& both = add_material("a");
    both.base_color_texture.image = both.emissive_texture.image = glass;
    add_material("b").base_color_texture.image = glass;
    Material& blended = add_material("c");
    blended.base_color_texture.image = glass;
    blended.alpha_mode = AlphaMode::blend;
    add_material("d").normal_texture.image = glass;
    const Report report = load();
    EXPECT_EQ(report.diagnostics().size(), 2u);
    EXPECT_EQ(report.count("texture-alpha-unused"), 2u);
    EXPECT_EQ(report.diagnostics().at(0).severity, Severity::info);
    EXPECT_EQ(report.diagnostics().at(1).path, "materials[1] / base_color_texture");
    EXPECT_EQ(pixel_of(0), glassy_blue);
    EXPECT_EQ(scene_.materials[0].alpha_mode, AlphaMode::opaque);
}

TEST(PictureStem, CutsFoldersAndWhatPicturesEndIn) {
    for (const char* const name :
         {"skin.v2", "skin.v2.tga", "gfx/skin.v2.PSD", "c:\\gfx\\skin.v2.tif", "skin.v2.dds.gz"})
        EXPECT_EQ(picture_stem(name), "skin.v2") << name;
    EXPECT_EQ(picture_stem(".png"), ".png");
}

/// Others would be written for nothing.
TEST(NewImages, AreThoseThatTheFormatNames) {
    Scene scene;
    for (int i = 0; i < 3; ++i) scene.images.push_back({"a" + std::to_string(i), "image/png", make_png(red), {}});
    scene.materials.resize(2);
    scene.materials[0].base_color_texture.image = 2;
    scene.materials[0].occlusion_texture.image = 0;
    scene.materials[1].normal_texture.image = 1;
    EXPECT_EQ(new_images(scene, "shader"), (std::vector<Index>{0, 1, 2}));
    const std::array colors{&Material::base_color_texture};
    EXPECT_EQ(new_images(scene, "shader", colors), std::vector<Index>{2});
}

TEST_F(Textures, ImagesWithContentOrAddressStay) {
    put("inside.png", make_png(red));
    put("elsewhere.png", make_png(red));
    const Index inside = add_image("inside");
    scene_.images[inside].bytes = make_png(glassy_blue);
    scene_.images[inside].mime_type = "image/png";
    const Index elsewhere = add_image("elsewhere");
    scene_.images[elsewhere].uri = "elsewhere.png";
    add_material("a").normal_texture.image = inside;
    add_material("b").base_color_texture.image = elsewhere;
    EXPECT_TRUE(load().empty());
    ASSERT_EQ(scene_.images.size(), 2u);
    EXPECT_EQ(scene_.images[0].bytes, make_png(glassy_blue));
    EXPECT_TRUE(scene_.images[1].bytes.empty());
}

TEST_F(Textures, UnusedImagesAreRemoved) {
    put("unused.png", make_png(red));
    put("used.png", make_png(red));
    add_image("unused");
    scene_.images[add_image("content")].bytes = make_png(red);
    add_material("a").base_color_texture.image = add_image("used");
    const Report report = load();
    ASSERT_EQ(scene_.images.size(), 1u);
    EXPECT_EQ(scene_.images[0].name, "used");
    EXPECT_EQ(scene_.materials[0].base_color_texture.image, 0u);
    EXPECT_EQ(report.diagnostics().size(), 1u);
    EXPECT_EQ(report.count("texture-unused"), 1u);
}

TEST_F(Textures, SlotsThatNameNoImageAreCleared) {
    Material& material = add_material("a");
    material.base_color_texture.image = 7;
    material.normal_texture.image = add_image("");
    const Report report = load();
    EXPECT_EQ(report.count("texture-missing"), 2u);
    EXPECT_FALSE(scene_.materials[0].base_color_texture.used());
    EXPECT_FALSE(scene_.materials[0].normal_texture.used());
    EXPECT_TRUE(scene_.images.empty());
}

TEST_F(Textures, AnEmptySceneIsFine) { EXPECT_TRUE(load().empty()); }

TEST_F(Textures, LoadingAgainChangesNothing) {
    put("both.tga", make_tga(red));
    const Index both = add_image("both");
    Material& material = add_material("a");
    material.base_color_texture.image = material.normal_texture.image = both;
    EXPECT_TRUE(load().empty());
    const Scene before = scene_;
    EXPECT_TRUE(load().empty());
    ASSERT_EQ(scene_.images.size(), before.images.size());
    for (std::size_t i = 0; i < before.images.size(); ++i) EXPECT_EQ(scene_.images[i].bytes, before.images[i].bytes);
}

Bytes gzip(const Bytes& content) {
    z_stream stream{};
    constexpr int gzip_format = 16 + MAX_WBITS;
    deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_format, 9, Z_DEFAULT_STRATEGY);
    Bytes packed(deflateBound(&stream, content.size()) + 64);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

TEST_F(Textures, GzippedFilesAreInflated) {
    put("hull_diff.gz", gzip(make_dds(red)));
    put("hull_glow.gz", gzip(make_png(red)));
    Material& material = add_material("hull");
    material.base_color_texture.image = add_image("assets\\textures\\hull_diff");
    material.emissive_texture.image = add_image("assets\\textures\\hull_glow");
    EXPECT_TRUE(load().empty());
    EXPECT_EQ(pixel_of(0), red);
    EXPECT_EQ(scene_.images[1].mime_type, "image/png");
    // Stored as the plain file that it is.
    EXPECT_EQ(scene_.images[1].bytes, make_png(red));
}

class Sourced : public Textures {
protected:
    Sourced() {
        options_.source = [this](std::string_view name) -> Result<FoundTexture> {
            asked_.emplace_back(name);
            const auto found = known_.find(name);
            if (found != known_.end()) return FoundTexture{found->second, "01.cat/" + std::string(name)};
            Diagnostic missing;
            missing.code = name == "unreadable" ? "catalog-md5" : "file-missing";
            missing.message = "no such file";
            return fail(std::move(missing));
        };
    }

    std::map<std::string, Bytes, std::less<>> known_;
    std::vector<std::string> asked_;
};

TEST_F(Sourced, AreAskedForFirstAndOnce) {
    known_["a\\x"] = make_dds(red);
    put("x.png", make_png(glassy_blue));
    put("y.png", make_png(glassy_blue));
    Material& material = add_material("m");
    material.base_color_texture.image = add_image("a\\x");
    material.emissive_texture.image = add_image("A/X");
    material.occlusion_texture.image = add_image("a\\y");
    const Report report = load();
    EXPECT_TRUE(report.empty()) << to_string(report.diagnostics().front());
    EXPECT_THAT(asked_, testing::ElementsAre("a\\x", "a\\y"));
    EXPECT_EQ(scene_.images.size(), 2u);
    EXPECT_EQ(pixel_of(scene_.materials[0].base_color_texture.image), red);
    EXPECT_EQ(scene_.materials[0].emissive_texture.image, scene_.materials[0].base_color_texture.image);
    EXPECT_EQ(pixel_of(scene_.materials[0].occlusion_texture.image), glassy_blue);
}

TEST_F(Sourced, FailuresAreReportedByWhereTheyWereFound) {
    known_["broken"] = make_dds(red);
    known_["broken"].resize(130);
    Material& material = add_material("m");
    material.base_color_texture.image = add_image("broken");
    material.occlusion_texture.image = add_image("unreadable");
    material.emissive_texture.image = add_image("gone");
    material.emissive = {1, 1, 1};
    const Report report = load();
    ASSERT_EQ(report.count("texture-damaged"), 2u);
    EXPECT_EQ(report.diagnostics()[0].file, "01.cat/broken");
    ASSERT_EQ(report.count("texture-missing"), 1u);
    EXPECT_THAT(report.diagnostics()[2].message, HasSubstr("neither among the game's files nor in"));
    EXPECT_TRUE(scene_.images.empty());
    EXPECT_EQ(scene_.materials[0].emissive, (Vec3{0, 0, 0})) << "without a texture, nothing says where it glows";
}

TEST_F(Sourced, AdviseToNameAGameOnlyWhereOneWasAsked) {
    options_.folders.clear();
    add_material("m").base_color_texture.image = add_image("gone");
    const Scene before = scene_;
    EXPECT_THAT(load().diagnostics().at(0).message, HasSubstr("--game DIR"));
    scene_ = before;
    options_.source_is_game = false;
    EXPECT_THAT(load().diagnostics().at(0).message, AllOf(HasSubstr("--textures DIR"), Not(HasSubstr("--game"))));
}

/// The channels of an image that holds metal and smoothness.
std::vector<ChannelSource> metal_and_smoothness(const std::string& metal, const std::string& smooth) {
    return {{"", 1, false}, {smooth, 0.5f, true}, {metal, 1, false}};
}

TEST_F(Textures, ChannelsArePutTogether) {
    put("metal.tga", make_tga({100, 1, 2, 255}));
    put("smooth.tga", make_tga({200, 3, 4, 255}));
    Material& material = add_material("hull");
    material.metallic_roughness_texture.image = add_image("hull.metallic_roughness");
    scene_.images[0].channels = metal_and_smoothness("a\\metal", "a\\smooth");
    material.metallic = material.roughness = 1;
    EXPECT_TRUE(load().empty());
    ASSERT_EQ(scene_.images.size(), 1u);
    EXPECT_EQ(scene_.images[0].mime_type, "image/png");
    EXPECT_EQ(scene_.images[0].name, "hull.metallic_roughness");
    EXPECT_EQ(pixel_of(0), (Pixel{255, 155, 100, 255}));
    EXPECT_TRUE(load().empty()) << "loading again changes nothing";
}

TEST_F(Sourced, ChannelsAreDecodedOnceForAllImages) {
    known_["metal"] = make_dds({100, 1, 2, 255});
    known_["smooth"] = make_dds({200, 3, 4, 255});
    for (int i = 0; i < 3; ++i) {
        const Index image = add_image("mr" + std::to_string(i));
        scene_.images[image].channels = metal_and_smoothness("metal", i == 2 ? "Metal" : "smooth");
        Material& material = add_material("m" + std::to_string(i));
        material.metallic_roughness_texture.image = image;
    }
    scene_.materials[0].base_color_texture.image = add_image("smooth");
    EXPECT_TRUE(load().empty());
    EXPECT_THAT(asked_, testing::UnorderedElementsAre("smooth", "metal"));
    EXPECT_EQ(pixel_of(1), (Pixel{255, 155, 100, 255}));
    EXPECT_EQ(pixel_of(2), (Pixel{255, 205, 100, 255}));
}

TEST_F(Textures, AMissingChannelIsBlack) {
    put("metal.tga", make_tga({100, 1, 2, 255}));
    put("smooth.tga", make_tga({200, 3, 4, 255}));
    for (int i = 0; i < 2; ++i) {
        const Index image = add_image("mr");
        scene_.images[image].channels = metal_and_smoothness(i == 0 ? "gone" : "metal", i == 0 ? "smooth" : "gone");
        add_material("m").metallic_roughness_texture.image = image;
    }
    const Report report = load();
    ASSERT_EQ(report.count("texture-missing"), 1u) << "once for each texture";
    EXPECT_THAT(report.diagnostics()[0].message, HasSubstr("'gone'"));
    EXPECT_EQ(pixel_of(0), (Pixel{255, 155, 0, 255}));
    EXPECT_EQ(pixel_of(1), (Pixel{255, 255, 100, 255}));
}

TEST_F(Textures, WithoutAnyChannelFactorsSayWhatIsLeft) {
    put("metal.tga", Bytes(30));
    Material& material = add_material("m");
    material.metallic_roughness_texture.image = add_image("mr");
    material.metallic = material.roughness = 1;
    scene_.images[0].channels = metal_and_smoothness("metal", "gone");
    const Report report = load();
    EXPECT_EQ(report.count("texture-missing"), 1u);
    EXPECT_EQ(report.count("texture-damaged"), 1u);
    EXPECT_FALSE(scene_.materials[0].metallic_roughness_texture.used());
    EXPECT_EQ(scene_.materials[0].metallic, 0);
    EXPECT_EQ(scene_.materials[0].roughness, 1);
    EXPECT_TRUE(scene_.images.empty());
}

/// 2 x 2: x in alpha, y in green, all red alike.
Bytes make_alpha_green(std::uint8_t red_of_all, std::uint8_t alpha_of_last) {
    image::Picture picture;
    picture.width = picture.height = 2;
    picture.has_alpha = true;
    for (int i = 0; i < 4; ++i) append(picture.rgba, {red_of_all, 26, 0, i == 3 ? alpha_of_last : 204u});
    return image::encode_png(picture).value();
}

TEST_F(Textures, NormalMapsInAlphaAndGreenAreUnpacked) {
    options_.normal_map_green = GreenChannel::keep;
    for (const std::uint8_t red_of_all : {std::uint8_t{0}, std::uint8_t{255}}) {
        scene_ = {};
        put("n.png", make_alpha_green(red_of_all, 128));
        Material& material = add_material("m");
        material.normal_texture.image = add_image("n");
        EXPECT_TRUE(load().empty());
        // x = 0.6, y = -0.8: z is 0.
        const Pixel pixel = pixel_of(0);
        EXPECT_EQ(pixel.r, 204);
        EXPECT_EQ(pixel.g, 26);
        EXPECT_NEAR(pixel.b, 128, 10);
        EXPECT_EQ(pixel.a, 255);
    }
}

TEST_F(Textures, TheLayoutOfNormalMapsCanBeNamed) {
    options_.normal_map_green = GreenChannel::keep;
    options_.normal_map_layout = NormalLayout::rgb;
    put("n.png", make_alpha_green(255, 128));
    put("plain.png", make_png({10, 26, 40, 204}));
    add_material("a").normal_texture.image = add_image("n");
    add_material("b").normal_texture.image = add_image("plain");
    const Scene before = scene_;
    EXPECT_TRUE(load().empty());
    EXPECT_EQ(pixel_of(0), (Pixel{255, 26, 0, 204}));

    scene_ = before;
    options_.normal_map_layout = NormalLayout::alpha_green;
    EXPECT_TRUE(load().empty());
    EXPECT_EQ(pixel_of(1).r, 204);
    EXPECT_EQ(pixel_of(1).a, 255);

    // One alpha everywhere is no x.
    scene_ = before;
    options_.normal_map_layout = NormalLayout::automatic;
    put("n.png", make_alpha_green(255, 204));
    EXPECT_TRUE(load().empty());
    EXPECT_EQ(pixel_of(0), (Pixel{255, 26, 0, 204}));
    EXPECT_EQ(pixel_of(1), (Pixel{10, 26, 40, 204}));
}

TEST_F(Textures, AnUnpackedNormalMapLeavesTheColorAlone) {
    put("both.png", make_alpha_green(255, 128));
    Material& material = add_material("m");
    material.normal_texture.image = material.base_color_texture.image = add_image("both");
    (void)load();
    EXPECT_EQ(pixel_of(scene_.materials[0].base_color_texture.image), (Pixel{255, 26, 0, 204}));
    EXPECT_EQ(pixel_of(scene_.materials[0].normal_texture.image).r, 204);
    EXPECT_EQ(pixel_of(scene_.materials[0].normal_texture.image).g, 255 - 26);
}

}  // namespace
}  // namespace effigy
