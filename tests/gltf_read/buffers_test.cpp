/// Buffers in files: which may be read, and which not.

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "asset_builder.hpp"

namespace effigy::gltf_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int f32 = 5126;

/// A folder of a model, with a file beside that folder.
class Buffers : public testing::Test {
protected:
    void SetUp() override {
        root_ = fs::path(testing::TempDir()) /
                ("effigy_buffers_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(root_);
        fs::create_directories(folder() / "data");
        const std::string numbers = packed(std::vector<float>{1, 2, 3});
        for (const char* name : {"model/a.bin", "model/with space.bin", "model/100%25.bin", "model/data/b.bin",
                                 "secret.bin", "model/ä.bin"})
            save(name, numbers);
        fs::create_symlink("../secret.bin", folder() / "link.bin");
        fs::create_directory_symlink("data", folder() / "inner");
        fs::create_directory(folder() / "folder.bin");
    }
    void TearDown() override { fs::remove_all(root_); }

    fs::path folder() const { return root_ / "model"; }
    void save(const std::string& name, const std::string& bytes) const {
        std::ofstream(root_ / name, std::ios::binary) << bytes;
    }
    gltf::SceneOptions options() const {
        gltf::SceneOptions options;
        options.folder = folder();
        return options;
    }

    static AssetBuilder naming(const std::string& uri) {
        AssetBuilder builder;
        builder.root["buffers"] = {{{"byteLength", 12}, {"uri", uri}}};
        builder.root["bufferViews"] = {{{"buffer", 0}, {"byteLength", 12}}};
        builder.accessor({{"bufferView", 0}, {"componentType", f32}, {"type", "VEC3"}, {"count", 1}});
        return builder;
    }
    /// "" where the numbers were read.
    static std::string outcome(const std::string& uri, const gltf::SceneOptions& options) {
        const auto opened = open(naming(uri), options);
        if (!opened->asset) return "cannot be opened";
        const auto accessor = opened->asset->accessor(0);
        if (!accessor) return accessor.error().code;
        return values_of<float>(*accessor) == std::vector<float>{1, 2, 3} ? "" : "other numbers";
    }

    fs::path root_;
};

TEST_F(Buffers, FilesBelowTheFolderAreRead) {
    for (const char* uri :
         {"a.bin", "./a.bin", "data/b.bin", "data/../a.bin", "with%20space.bin", "with space.bin", "100%2525.bin",
          "100%25.bin", "data\\b.bin", "%C3%A4.bin", "\xc3\xa4.bin", "inner/b.bin", "../model/a.bin"})
        EXPECT_EQ(outcome(uri, options()), "") << uri;
}

TEST_F(Buffers, OthersAreNot) {
    for (const char* uri : {"../secret.bin", "data/../../secret.bin", "%2e%2e/secret.bin", "..\\secret.bin", "link.bin",
                            "../missing.bin", "..", "data/../.."})
        EXPECT_EQ(outcome(uri, options()), "gltf-uri-outside") << uri;
    const std::string absolute = (folder() / "a.bin").string();
    const std::string unusual = "%2F" + absolute.substr(1);
    for (const std::string& uri :
         {absolute, unusual, "file://" + absolute, std::string("http://example.org/a.bin"), std::string("C:/a.bin"),
          std::string("c%3A/a.bin"), std::string(), std::string("\\\\host\\a.bin")})
        EXPECT_EQ(outcome(uri, options()), "gltf-uri") << uri;
    for (const char* uri : {"missing.bin", "folder.bin", "data/missing.bin", "a.bin%00", ".", "missing/../../model/x"})
        EXPECT_THAT(outcome(uri, options()), testing::AnyOf("gltf-file-missing", "gltf-uri-outside")) << uri;
    EXPECT_EQ(outcome("missing.bin", options()), "gltf-file-missing");
}

TEST_F(Buffers, OutsideIfAllowed) {
    gltf::SceneOptions trusting = options();
    trusting.allow_outside = true;
    for (const char* uri : {"../secret.bin", "link.bin", "a.bin"}) EXPECT_EQ(outcome(uri, trusting), "") << uri;
    EXPECT_EQ(outcome("file:///etc/passwd", trusting), "gltf-uri");
    EXPECT_EQ(outcome("../missing.bin", trusting), "gltf-file-missing");
}

TEST_F(Buffers, AMissingFileIsNamed) {
    const auto opened = open(naming("my%20textures/missing.bin"), options());
    const auto accessor = opened->asset->accessor(0);
    ASSERT_FALSE(accessor);
    EXPECT_THAT(accessor.error().found, HasSubstr("missing.bin"));
    EXPECT_EQ(accessor.error().path, "buffers[0]");
}

TEST_F(Buffers, TooShortAFileIsRefused) {
    save("model/short.bin", "abc");
    EXPECT_EQ(outcome("short.bin", options()), "gltf-buffer");
}

TEST_F(Buffers, OneFileIsReadOnceByAllItsNames) {
    AssetBuilder builder;
    save("model/large.bin", std::string(1 << 20, 'x'));
    for (int i = 0; i < 500; ++i) {
        builder.root["buffers"].push_back(
            {{"byteLength", 12}, {"uri", i % 2 == 0 ? "large.bin" : "data/../large.bin"}});
        builder.root["bufferViews"].push_back({{"buffer", i}, {"byteLength", 12}});
        builder.accessor({{"bufferView", i}, {"componentType", f32}, {"type", "VEC3"}, {"count", 1}});
    }
    gltf::SceneOptions small = options();
    small.limits.memory = 4 << 20;
    const auto opened = open(builder, small);
    for (std::size_t i = 0; i < 500; ++i) ASSERT_TRUE(opened->asset->accessor(i)) << i;
}

TEST_F(Buffers, AFileThatIsTooLargeMeetsTheLimit) {
    save("model/large.bin", std::string(1 << 20, 'x'));
    gltf::SceneOptions small = options();
    small.limits.memory = 1 << 19;
    EXPECT_EQ(outcome("large.bin", small), "limit-memory");
}

TEST_F(Buffers, DataUris) {
    const std::string numbers = packed(std::vector<float>{1, 2, 3});
    std::string escaped;
    for (const char letter : numbers) {
        constexpr std::string_view digits = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(letter);
        escaped += {'%', digits[byte >> 4], digits[byte & 15]};
    }
    EXPECT_EQ(outcome("data:application/octet-stream;base64," + base64(numbers), {}), "");
    EXPECT_EQ(outcome("data:;base64," + base64(numbers), {}), "");
    EXPECT_EQ(outcome("DATA:x/y;charset=utf-8;BASE64," + base64(numbers), {}), "");
    EXPECT_EQ(outcome("data:application/octet-stream," + escaped, {}), "");
    EXPECT_EQ(outcome("data:application/octet-stream;base64,A*==", {}), "gltf-uri");
    EXPECT_EQ(outcome("data:application/octet-stream;base64", {}), "gltf-uri");
    EXPECT_EQ(outcome("data:;base64,AAAA", {}), "gltf-buffer");
}

TEST_F(Buffers, Base64MayLackItsEqualsSigns) {
    AssetBuilder builder;
    std::string coded = base64("\1\2\3\4\5");
    ASSERT_TRUE(coded.ends_with('='));
    coded.resize(coded.find('='));
    builder.root["images"] = {{{"uri", "data:image/png;base64," + coded}}};
    const auto opened = open(builder);
    const auto image = opened->asset->image(0);
    ASSERT_TRUE(image) << to_string(image.error());
    EXPECT_EQ(image->bytes.size(), 5u);
}

TEST_F(Buffers, TheSameModelAsTextAndAsChunks) {
    AssetBuilder builder;
    builder.accessor(packed(std::vector<float>{1, 2, 3}), f32, "VEC3", 1);
    for (const std::string& bytes : {builder.glb(), builder.gltf(), "\xef\xbb\xbf" + builder.gltf()}) {
        const auto opened = open(bytes);
        ASSERT_TRUE(opened->asset) << to_string(opened->asset.error());
        EXPECT_THAT(values_of<float>(*opened->asset->accessor(0)), ElementsAre(1, 2, 3));
    }
}

TEST_F(Buffers, ContradictionsAreRefused) {
    const auto code = [](const json& change) {
        AssetBuilder builder;
        builder.accessor(packed(std::vector<float>{1, 2, 3}), f32, "VEC3", 1);
        builder.root["buffers"] = {{{"byteLength", 12}}};
        builder.root = builder.root.patch(change);
        const auto opened = open(builder);
        return opened->asset ? code_of(opened->asset->accessor(0)) : opened->asset.error().code;
    };
    const auto put = [](const char* path, json value) {
        return json::array({{{"op", "add"}, {"path", path}, {"value", std::move(value)}}});
    };
    EXPECT_EQ(code(json::array()), "");
    EXPECT_EQ(code(put("/buffers/0/byteLength", 13)), "gltf-buffer");
    EXPECT_EQ(code(put("/buffers/0/byteLength", -1)), "gltf-buffer");
    EXPECT_EQ(code(put("/buffers/0/uri", 7)), "gltf-buffer");
    EXPECT_EQ(code(put("/bufferViews/0/buffer", 1)), "gltf-reference");
    EXPECT_EQ(code(put("/bufferViews/0/byteLength", 13)), "gltf-view");
    EXPECT_EQ(code(put("/bufferViews/0/byteOffset", 18446744073709551615u)), "gltf-view");
    EXPECT_EQ(code(put("/bufferViews/0/byteStride", "12")), "gltf-view");
    EXPECT_EQ(code(put("/bufferViews/0/byteStride", 0)), "");
    EXPECT_EQ(code(put("/bufferViews", 5)), "gltf-reference");
    EXPECT_EQ(code(put("/accessors/0/byteOffset", 0.0)), "");
    EXPECT_EQ(code(put("/buffers", json::array({{{"byteLength", 12}}, {{"byteLength", 12}}}))), "");
}

TEST_F(Buffers, TheSecondBufferIsNotTheChunk) {
    AssetBuilder builder;
    builder.accessor(packed(std::vector<float>{1, 2, 3}), f32, "VEC3", 1);
    builder.root["buffers"] = {{{"byteLength", 12}, {"uri", "a.bin"}}, {{"byteLength", 12}}};
    builder.root["bufferViews"][0]["buffer"] = 1;
    EXPECT_EQ(code_of(open(builder, options())->asset->accessor(0)), "gltf-buffer");
}

TEST_F(Buffers, Images) {
    const std::string png = "\x89PNG\r\n\x1a\n....", jpeg = "\xff\xd8\xff\xe0....";
    save("model/data/wood oak.jpg", jpeg);
    AssetBuilder builder;
    const auto view = builder.view(png);
    builder.root["images"] = {{{"bufferView", view}, {"mimeType", "image/jpeg"}},
                              {{"uri", "data/wood%20oak.jpg"}},
                              {{"uri", "data:image/webp;base64," + base64("other")}},
                              {{"uri", "missing%20one.png"}},
                              {{"uri", "../secret.bin"}},
                              {{"name", "nothing"}},
                              {{"bufferView", 9}}};
    const auto opened = open(builder, options());
    gltf::Asset& asset = *opened->asset;
    EXPECT_EQ(asset.image(0)->mime_type, "image/png");
    EXPECT_EQ(asset.image(0)->bytes.size(), png.size());
    EXPECT_EQ(asset.image(1)->mime_type, "image/jpeg");
    EXPECT_EQ(asset.image(1)->uri, "data/wood oak.jpg");
    EXPECT_EQ(asset.image(2)->mime_type, "image/webp");
    EXPECT_EQ(asset.image(2)->bytes.size(), 5u);
    ASSERT_TRUE(asset.image(3));
    EXPECT_TRUE(asset.image(3)->bytes.empty());
    EXPECT_EQ(asset.image(3)->uri, "missing one.png");
    EXPECT_EQ(code_of(asset.image(4)), "gltf-uri-outside");
    EXPECT_EQ(code_of(asset.image(5)), "gltf-image");
    EXPECT_EQ(code_of(asset.image(6)), "gltf-reference");
    EXPECT_EQ(code_of(asset.image(7)), "gltf-reference");
}

}  // namespace
}  // namespace effigy::gltf_test
