/// Everything that the format allows, sound and damaged, becomes glTF that Khronos' validator accepts.

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

#include "effigy/diff.hpp"
#include "effigy/gltf.hpp"
#include "effigy/poser.hpp"

#include "gltf/glb.hpp"
#include "x42/file/x42_format.hpp"
#include "x42/raw_x42.hpp"
#include "x42/scene_files.hpp"

namespace effigy::test::x42 {
namespace {

namespace fs = std::filesystem;

std::string stem_of(const std::string& name) { return name.empty() ? "file" : name; }

Result<Loaded<Scene>> scene_of(const Bytes& bytes) {
    effigy::ReadOptions reading;
    reading.limits.memory = std::uint64_t{8} << 20;
    auto read = effigy::x42::read(bytes, reading);
    if (!read) return fail(std::move(read.error()));
    effigy::x42::SceneInput input;
    input.models.push_back(model("file", std::move(read->value)));
    effigy::x42::SceneOptions options;
    options.limits.memory = std::uint64_t{32} << 20;
    return effigy::x42::to_scene(std::move(input), options);
}

TEST(X42Fixtures, ConvertWithoutErrorsWhereTheyAreSound) {
    for (const unsigned flags : {0u, 1u, 2u, 3u, 4u, 5u, 8u, all_flags, all_flags | 0x100u}) {
        for (const bool big : {false, true}) {
            const auto scene = scene_of(make(figure(flags, big)));
            ASSERT_TRUE(scene) << to_string(scene.error());
            for (const Diagnostic& one : scene->report.diagnostics()) {
                EXPECT_EQ(one.severity, Severity::info) << to_string(one);
            }
            EXPECT_EQ(scene->report.count("x42-winding-kept"), 0u);
            EXPECT_EQ(scene->value.meshes.size(), 2u);
            EXPECT_TRUE(playback::Poser::make(scene->value));
        }
    }
}

TEST(X42Fixtures, AreTheSameInBothByteOrders) {
    const auto little = scene_of(make(figure(all_flags, false)));
    const auto big = scene_of(make(figure(all_flags, true)));
    ASSERT_TRUE(little && big);
    Scene one = little->value, other = big->value;
    effigy::x42::File one_file = kept_file(one), other_file = kept_file(other);
    EXPECT_TRUE(!one_file.big_endian && other_file.big_endian);
    other_file.big_endian = false;
    const auto one_frame = effigy::x42::write_frame(one_file), other_frame = effigy::x42::write_frame(other_file);
    ASSERT_TRUE(one_frame && other_frame);
    EXPECT_EQ(*one_frame, *other_frame);
    one.asset_extras = other.asset_extras = {};  // which say the order
    const auto one_glb = gltf::write_glb(one), other_glb = gltf::write_glb(other);
    ASSERT_TRUE(one_glb && other_glb);
    EXPECT_EQ(*one_glb, *other_glb);
}

TEST(X42Fixtures, ByteOrderPaddingAndTrailingBytesAreNoDifference) {
    Description odd = figure(all_flags, true);
    odd.filling = 7;
    odd.trailing = Bytes(3, std::byte{5});
    const auto plain = scene_of(make(figure(all_flags, false))), other = scene_of(make(odd));
    ASSERT_TRUE(plain && other);
    const auto differences = diff_scenes(plain->value, other->value);
    ASSERT_TRUE(differences);
    EXPECT_TRUE(differences->empty()) << to_string(differences->diagnostics()[0]);
    const effigy::x42::File kept = kept_file(other->value), read = effigy::x42::read(make(odd)).value().value;
    EXPECT_TRUE(kept.big_endian);
    EXPECT_EQ(kept.trailing, read.trailing);
    EXPECT_EQ(kept.padding, read.padding);
    EXPECT_EQ(kept.header.padding, read.header.padding);
    EXPECT_EQ(kept.bones.at(1).padding, read.bones.at(1).padding);
    EXPECT_EQ(kept.groups.back().padding, read.groups.back().padding);
    EXPECT_NE(kept.groups.back().padding, 0);
}

/// Whatever the bytes: nothing, or a scene that can be played and written.
void expect_harmless(const Bytes& bytes) {
    const auto scene = scene_of(bytes);
    if (!scene) {
        EXPECT_NE(scene.error().message, "");
        return;
    }
    const auto glb = gltf::write_glb(scene->value);
    EXPECT_TRUE(glb) << to_string(glb.error());
    auto poser = playback::Poser::make(scene->value);
    ASSERT_TRUE(poser) << to_string(poser.error());
    for (Index clip = 0; clip < scene->value.clips.size(); ++clip) EXPECT_TRUE(poser->pose(clip, 0.1));
}

TEST(X42Fixtures, DoNoHarmWhenDamaged) {
    for (const Description& description : {figure(all_flags), morphing_figure(MorphForm::small_12, 0x10b)}) {
        const Bytes whole = make(description);
        for (std::size_t i = 0; i < whole.size(); i += 7) {
            Bytes bytes = whole;
            bytes[i] = bytes[i] == std::byte{0xff} ? std::byte{0x7f} : std::byte{0xff};
            SCOPED_TRACE("byte " + std::to_string(i));
            expect_harmless(bytes);
            bytes.resize(i);
            expect_harmless(bytes);
        }
    }
}

// The Khronos validator; GLTF_VALIDATOR names a folder in whose node_modules it is installed.
TEST(X42Fixtures, PassTheValidator) {
    const fs::path source = EFFIGY_SOURCE_DIR, tools = source / "tests" / "tools";
    const TemporaryFolder folder;
    const fs::path log = folder.path() / "log.txt";
    const auto run = [&](const std::string& command) {
        return std::system((command + " > '" + log.string() + "' 2>&1").c_str());
    };
    if (run("node --version") != 0) GTEST_SKIP() << "node is not installed";
    const char* const installed = std::getenv("GLTF_VALIDATOR");
    if (!fs::exists((installed != nullptr ? fs::path(installed) : tools) / "node_modules" / "gltf-validator")) {
        GTEST_SKIP() << "gltf-validator is not installed: run npm ci in tests/tools";
    }
    std::size_t count = 0;
    const auto add = [&](const std::string& name, const Bytes& bytes) {
        const auto scene = scene_of(bytes);
        if (!scene) {
            EXPECT_EQ(scene.error().code, "nothing-to-show") << name << ": " << to_string(scene.error());
            return;
        }
        const auto written = gltf::write_file(scene->value, folder.path() / (stem_of(name) + ".glb"));
        EXPECT_TRUE(written) << name << ": " << to_string(written.error());
        ++count;
    };
    for (const Fixture& fixture : all_fixtures()) add(fixture.name, make(fixture.description));
    for (const unsigned flags : {0u, 1u, 2u, 4u, 6u, all_flags, all_flags | 0x100u}) {
        add("figure" + std::to_string(flags), make(figure(flags)));
    }
    for (const fs::directory_entry& file : fs::directory_iterator(source / "tests" / "x42" / "reference")) {
        if (file.path().extension() != ".x42") continue;
        const auto bytes = read_bytes(file.path());
        add(file.path().stem().string(), Bytes(bytes.begin(), bytes.end()));
    }
    EXPECT_GT(count, 20u);
    const std::string command =
        "node '" + (tools / "validate.mjs").string() + "' '" + folder.path().string() + "'/*.glb";
    EXPECT_EQ(run(command), 0) << read_text(log);
}

}  // namespace
}  // namespace effigy::test::x42
