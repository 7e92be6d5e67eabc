// Files are known by what is in them.

#include "effigy/registry.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "effigy/convert.hpp"
#include "effigy/emfx_scene.hpp"
#include "effigy/xac.hpp"

#include "core/byte_source.hpp"
#include "fixtures.hpp"
#include "support.hpp"
#include "temporary_folder.hpp"

namespace effigy::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string recognized(const Bytes& bytes, std::string_view name) {
    const Recognition recognition = recognize(bytes, name);
    return recognition.format == nullptr ? "" : std::string(recognition.format->id);
}

Bytes letters(std::string_view text) { return Raw(false).letters(text).bytes(); }

Bytes risen(const Bytes& file) {
    Raw raw(false);
    for (int byte = 0; byte < 136; ++byte) raw.u8(7);
    return raw.u32(static_cast<std::uint32_t>(file.size())).raw(file).bytes();
}

TEST(Recognize, ByContentWhateverTheName) {
    for (const char* name : {"a.xac", "a.xsm", "a.xpm", "a.GLB", "a", "", "a.xsmtime", "a.xmf", "/no/where.actor"}) {
        for (const bool big : {false, true}) {
            EXPECT_EQ(recognized(whole_actor(big), name), "xac");
            EXPECT_EQ(recognized(whole_motion(big), name), "xsm");
            EXPECT_EQ(recognized(whole_weights(big), name), "xpm");
            EXPECT_EQ(recognized(risen(whole_actor(big)), name), "xac");
            EXPECT_EQ(recognized(risen(whole_motion(big)), name), "xsm");
        }
    }
}

TEST(Recognize, TheHeadIsEnough) {
    EXPECT_EQ(recognized(letters("XAC "), "a"), "xac");
    EXPECT_EQ(recognized(letters("XAC"), "a.xac"), "");
    EXPECT_EQ(recognized(letters("xac "), "a.xac"), "");
    EXPECT_EQ(recognized({}, "a.xac"), "");
}

TEST(Info, FindsLayersThatStandBeforeTheirMaterial) {
    xac::MaterialLayer layer;
    layer.texture = "skin";
    xac::File file;
    file.chunks.push_back({4, 1, std::nullopt, layer, {}});
    file.chunks.push_back({3, 1, std::nullopt, xac::StandardMaterial{}, {}});
    const auto opened = open_bytes(xac::write(file).value(), "a.xac");
    ASSERT_TRUE(opened);
    EXPECT_THAT(opened->value.info().value(), HasSubstr("\"texture\":\"skin\""));
}

Bytes ticks(std::uint32_t count) {
    Raw raw(false);
    raw.u32s({0xffffffff, count});
    for (std::uint32_t tick = 0; tick < count; ++tick) raw.f32(static_cast<float>(tick)).u16(tick + 1);
    return raw.bytes();
}

/// Korean names go to a Korean game in its own code page, and old bytes stay, whatever page they were read in.
TEST(Targets, TreeOfSaviorGetsItsCodePage) {
    Scene scene;
    scene.nodes.emplace_back().name = "\xeb\xb3\xb8";
    scene.nodes.emplace_back().name = "\xc2\xbf\xc2\xa9";  // Korean, too, as CP1252 shows it
    scene.nodes.back().extras.json = R"({"name_bytes":"v6k="})";
    const auto names = [&](const char* encoding) {
        ConvertOptions options;
        options.values.set("target", "tos");
        if (*encoding != '\0') options.values.set("encoding", encoding);
        std::string all;
        OutputFiles output("a.xac");
        output.take = [&](const std::vector<NewFile>& files) -> Result<void> {
            const auto actor = xac::read(files.front().bytes);
            EXPECT_TRUE(actor);
            for (const xac::Node* node : xac::nodes(actor->value)) all += node->name + "|";
            return {};
        };
        EXPECT_TRUE(save_scene(scene, output, options));
        return all;
    };
    EXPECT_EQ(names(""), "\xba\xbb|\xbf\xa9|");
    EXPECT_EQ(names("CP1252"), "\xeb\xb3\xb8|\xbf\xa9|");
}

TEST(Documents, ThatWereMovedFromHoldNoFile) {
    auto loaded = open_bytes(whole_actor(false), "a.xac");
    ASSERT_TRUE(loaded);
    Document& left = loaded->value;
    const Document taken = std::move(left);
    EXPECT_TRUE(taken.write());
    EXPECT_EQ(left.write().error().code, "unknown-format");  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(left.write_file("a.xac").error().code, "unknown-format");
    EXPECT_EQ(left.info().error().code, "unknown-format");
    EXPECT_EQ(left.dump().error().code, "unknown-format");
    EXPECT_EQ(left.hex_map().error().code, "unknown-format");
    EXPECT_TRUE(left.check().diagnostics().empty());
    EXPECT_EQ(left.get_if<xac::File>(), nullptr);
}

TEST(Recognize, Ticks) {
    for (const std::uint32_t count : {0u, 1u, 3u}) EXPECT_EQ(recognized(ticks(count), "a"), "xsmtime");
    Bytes many = ticks(2000);
    many.resize(4096);
    EXPECT_EQ(recognized(many, "a"), "xsmtime");
    Bytes wrong = ticks(3);
    wrong.resize(wrong.size() + 1);
    EXPECT_EQ(recognized(wrong, "a"), "");
    EXPECT_EQ(recognized(letters("\xff\xff\xff\xff"), "a"), "");

    const auto read = emfx::read_ticks(ticks(3));
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), 3u);
    EXPECT_EQ((*read)[2].time, 2);
    EXPECT_EQ((*read)[2].value, 3);
    EXPECT_FALSE(emfx::read_ticks(wrong));
    EXPECT_FALSE(emfx::read_ticks({}));
    EXPECT_EQ(emfx::read_ticks(ticks(0)).value().size(), 0u);

    const auto opened = open_bytes(ticks(3), "walk.xsmtime");
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().message, HasSubstr("beside a motion"));
}

TEST(Check, LooksAtTheTimesBesideAMotion) {
    const TemporaryFolder folder;
    const auto motion = open_bytes(whole_motion(false), "walk.xsm");
    ASSERT_TRUE(motion) << to_string(motion.error());
    CheckContext context;
    context.path = folder / "walk.xsm";
    const auto count = [&] { return motion->value.check(context).count("ticks-format"); };
    EXPECT_EQ(count(), 0u);
    folder.write("walk.xsmtime", "junk");
    EXPECT_EQ(count(), 1u);
}

TEST(Recognize, RelativesAreNamed) {
    struct Case {
        Bytes bytes;
        std::string name, answer;
    };
    const Case cases[]{
        {letters("ACTR\1\0\0\0"), "a.actor", "O3DE actor"},
        {letters("MOT \1\0\0\0"), "a.motion", "O3DE motion"},
        {letters("MOTW"), "a.motion", "wavelet motion"},
        {letters("FXA \1\0"), "a.fxa", "Gothic 3"},
        {letters("GENOMFLE\1\0"), "a.xact", "Gothic 3"},
        {letters("XMF_1.00"), "a.xmf", "music"},
        {letters("<?xml version=\"1.0\"?><xfl/>"), "a.XMF", "Adobe"},
        {letters("<?xml version=\"1.0\"?><ship/>"), "a.xml", "no component"},
        {letters("\x1f\x8b\x08"), "a.gz", "gzip"},
        {letters("Kaydara FBX Binary  "), "a.fbx", "FBX"},
        {letters("DDS |"), "a.dds", "texture"},
        {letters("\x89PNG\r\n"), "a.png", "PNG"},
        {letters("BLENDER-v304"), "a.bin",
         "Blender file (.blend): open it in Blender and export it as glTF 2.0 (.glb)"},
        {letters("\x28\xb5\x2f\xfd"), "a.Blend", "Blender file"},
        {letters("\x1f\x8b\x08"), "a.blend", "Blender file"},
        {letters("<?xml version=\"1.0\"?><COLLADA xmlns=\"\">"), "a.xml", "COLLADA"},
        {letters("  <x/>"), "a.dae", "COLLADA"},
        {letters("# Blender v3.4.1 OBJ File\nv 0 0 0\n"), "a.obj", "OBJ file, which effigy writes and does not read"},
        {letters("ply\nformat ascii 1.0\n"), "a.ply", "PLY file, which effigy writes and does not read"},
        {letters("\xabKTX 20\xbb\r\n\x1a\n"), "a.png", "KTX texture"},
        {letters("PK\x03\x04\x14"), "mod.zip", "ZIP archive"},
        {letters("PK\x03\x04\x14"), "mod", "ZIP archive"},
    };
    for (const Case& tested : cases) {
        SCOPED_TRACE(tested.name);
        const Recognition recognition = recognize(tested.bytes, tested.name);
        EXPECT_EQ(recognition.format, nullptr);
        EXPECT_THAT(recognition.foreign, HasSubstr(tested.answer));
        const auto opened = open_bytes(tested.bytes, tested.name);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, "foreign-format");
        EXPECT_EQ(opened.error().file, tested.name);
        EXPECT_THAT(opened.error().message, HasSubstr(tested.answer));
    }
    EXPECT_EQ(recognize(letters("<?xml version=\"1.0\"?>"), "a.txt").foreign, "");
}

TEST(Formats, AreFoundByIdAndExtension) {
    for (const char* name : {"xac", "XAC", ".xac", "_xmac", "._XMAC"}) {
        ASSERT_NE(find_format(name), nullptr) << name;
        EXPECT_EQ(find_format(name)->id, "xac");
    }
    EXPECT_EQ(find_format(".xsm")->role, Role::motion);
    EXPECT_EQ(find_format("xsmtime")->role, Role::companion);
    EXPECT_TRUE(find_format("glb")->from_scene);
    EXPECT_EQ(find_format(""), nullptr);
    EXPECT_EQ(find_format("."), nullptr);
    EXPECT_EQ(find_format("xa"), nullptr);
    for (const FormatInfo& format : formats()) {
        EXPECT_EQ(find_format(format.id), &format);
        EXPECT_FALSE(format.name.empty() || format.versions.empty() || format.extensions.empty()) << format.id;
    }
}

class Files : public testing::Test {
protected:
    fs::path put(const std::string& name, const Bytes& bytes) {
        std::ofstream(folder_ / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return folder_ / name;
    }
    static std::string code_of(const fs::path& path) {
        const auto loaded = open_file(path);
        if (loaded) return "";
        EXPECT_EQ(loaded.error().file, path.string());
        EXPECT_NE(loaded.error().message, "");
        return loaded.error().code;
    }

    TemporaryFolder folder_;
};

TEST_F(Files, ThatCannotBeRead) {
    EXPECT_EQ(code_of(folder_ / "missing.xac"), "input-open");
    EXPECT_EQ(code_of(folder_.path()), "input-open");
    EXPECT_EQ(code_of("/dev/zero"), "input-open");
    for (const char* const name : {"empty.xac", "empty.obj", "empty.glb"}) {
        EXPECT_EQ(code_of(put(name, {})), "unknown-format");
        EXPECT_THAT(open_file(folder_ / name).error().message, HasSubstr("the file is empty"));
    }
    EXPECT_EQ(code_of(put("short.xac", letters("XAC"))), "unknown-format");
    EXPECT_EQ(code_of(put("magic.xac", letters("XAC "))), "truncated");
    EXPECT_EQ(code_of(put("text.xac", letters("hello, world"))), "unknown-format");
    EXPECT_EQ(code_of(put("a.actor", letters("ACTR1234"))), "foreign-format");

    const auto missing = xac::read_file(folder_ / "missing.xac");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, "input-open");
    EXPECT_EQ(missing.error().file, (folder_ / "missing.xac").string());
}

TEST_F(Files, FindingsNameTheFile) {
    Bytes bytes = whole_actor(false);
    bytes.resize(bytes.size() + 1);
    const fs::path path = put("trailing.xac", bytes);
    const auto loaded = open_file(path);
    ASSERT_TRUE(loaded);
    ASSERT_EQ(codes(loaded->report), "trailing-bytes");
    EXPECT_EQ(loaded->report.diagnostics()[0].file, path.string());
}

/// A file of several windows, with blocks that begin in one and end in another.
Bytes large_actor(bool big) {
    constexpr std::uint32_t vertices = 9001;
    Raw raw(big);
    raw.header("XAC ");
    for (int mesh = 0; mesh < 3; ++mesh) {
        raw.chunk(11, 1, [&](Raw& nodes) {
            nodes.u32s({40, 1});
            for (int node = 0; node < 40; ++node)
                put_node(nodes, 4, static_cast<float>(node), xac::no_node, "some name");
        });
        raw.chunk(1, 1, [&](Raw& content) {
            content.u32s({1, vertices, vertices, 3, 1, 2}).raw({0, 1, 2, 3});
            content.u32s({5, 4}).raw({0, 0, 1, 2});
            for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) content.u32(vertex * 2654435761u);
            content.u32s({0, 12}).raw({1, 0, 1, 2});
            for (std::uint32_t vertex = 0; vertex < vertices; ++vertex)
                content.f32s({static_cast<float>(vertex), 1, 2});
            content.u32s({3, vertices, 0, 0}).u32s({0, 1, 2});
        });
    }
    return raw.bytes();
}

TEST_F(Files, GiveTheSameAsMemory) {
    std::vector<Bytes> all{large_actor(false), large_actor(true)};
    for (const Fixture& fixture : all_fixtures()) all.push_back(fixture.bytes(false));
    for (std::size_t cut = 1; cut < 200'000; cut = cut * 3 + 7) {
        Bytes bytes = large_actor(false);
        bytes.resize(bytes.size() - cut);
        all.push_back(bytes);
    }
    for (const Bytes& bytes : all) {
        const auto memory = open_bytes(bytes, "x");
        const fs::path path = put("x.bin", bytes);
        const auto file = open_file(path);
        ASSERT_TRUE(memory && file);
        EXPECT_EQ(memory->value.write().value(), bytes);
        EXPECT_EQ(file->value.write().value(), bytes);
        EXPECT_EQ(codes(memory->report), codes(file->report));
        ASSERT_EQ(memory->report.diagnostics().size(), file->report.diagnostics().size());
        for (std::size_t index = 0; index < memory->report.diagnostics().size(); ++index) {
            EXPECT_EQ(memory->report.diagnostics()[index].offset, file->report.diagnostics()[index].offset);
        }
        ASSERT_TRUE(file->value.write_file(folder_ / "y.bin"));
        EXPECT_EQ(content_hash(folder_ / "y.bin").value(), content_hash(bytes));
    }
}

}  // namespace
}  // namespace effigy::test
