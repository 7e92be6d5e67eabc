/// File to scene and back: nothing was edited, so that every byte comes back.

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <iostream>
#include <string>

#include "effigy/gltf.hpp"
#include "effigy/x42_scene.hpp"

#include "corpus/corpus.hpp"
#include "gltf/glb.hpp"
#include "x42/from_scene_files.hpp"
#include "x42/raw_x42.hpp"
#include "x42/scene_files.hpp"

namespace effigy::test::x42 {
namespace {

namespace fs = std::filesystem;

Bytes bytes_of_file(const fs::path& path) {
    const auto bytes = read_bytes(path);
    return {bytes.begin(), bytes.end()};
}

/// The bytes after the way there and back, or none.
Bytes there_and_back(const Bytes& bytes) {
    auto read = effigy::x42::read(bytes);
    if (!read) return {};
    effigy::x42::SceneInput input;
    input.models.push_back(model("file", std::move(read->value)));
    auto scene = effigy::x42::to_scene(std::move(input));
    if (!scene) return {};
    set_untouched(scene->value);
    const auto made = effigy::x42::from_scene(scene->value);
    EXPECT_TRUE(made) << to_string(made.error());
    if (!made) return {};
    const auto written = effigy::x42::write(made->value.model);
    EXPECT_TRUE(written) << to_string(written.error());
    return written ? *written : Bytes();
}

TEST(X42FromSceneSame, ReferenceFilesComeBack) {
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(EFFIGY_SOURCE_DIR) / "tests" / "x42" / "reference")) {
        if (entry.path().extension() != ".x42") continue;
        const Bytes bytes = bytes_of_file(entry.path());
        EXPECT_EQ(there_and_back(bytes), bytes) << entry.path();
    }
}

TEST(X42FromSceneSame, FiguresComeBack) {
    for (const unsigned flags : {0u, 1u, 2u, 3u, 4u, 5u, 8u, all_flags, all_flags | 0x100u}) {
        for (const bool big : {false, true}) {
            const Bytes bytes = make(figure(flags, big));
            EXPECT_EQ(there_and_back(bytes), bytes) << flags << (big ? " big" : "");
        }
    }
}

TEST(X42FromSceneSame, MorphingFiguresComeBack) {
    for (const MorphForm form : {MorphForm::small_6, MorphForm::small_12, MorphForm::wide_6, MorphForm::wide_12}) {
        const Bytes bytes = make(morphing_figure(form));
        EXPECT_EQ(there_and_back(bytes), bytes);
    }
}

/// The same through a .glb: the reader compares hashes.
TEST(X42FromSceneSame, ReferenceFilesComeBackFromGlb) {
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(EFFIGY_SOURCE_DIR) / "tests" / "x42" / "reference")) {
        if (entry.path().extension() != ".x42") continue;
        SCOPED_TRACE(entry.path().string());
        const Bytes bytes = bytes_of_file(entry.path());
        auto read = effigy::x42::read(bytes);
        ASSERT_TRUE(read);
        const Scene scene = convert(std::move(read->value)).value;
        const auto glb = gltf::write_glb(scene);
        ASSERT_TRUE(glb);
        const auto file = gltf::read(*glb);
        ASSERT_TRUE(file);
        const auto again = gltf::to_scene(file->value);
        ASSERT_TRUE(again) << to_string(again.error());
        const auto made = effigy::x42::from_scene(again->value);
        ASSERT_TRUE(made) << to_string(made.error());
        const auto written = effigy::x42::write(made->value.model);
        ASSERT_TRUE(written);
        EXPECT_EQ(*written, bytes);
    }
}

/// Odd files, and what of them the way back makes anew.
TEST(X42FromSceneSame, FixturesComeBackOrAreMadeSound) {
    std::size_t same = 0, sound = 0, none = 0;
    for (const Fixture& fixture : all_fixtures()) {
        SCOPED_TRACE(fixture.name);
        const Bytes bytes = make(fixture.description), back = there_and_back(bytes);
        if (back.empty()) {
            ++none;
            continue;
        }
        if (back == bytes) {
            ++same;
            continue;
        }
        ++sound;
        std::cout << "made anew: " << fixture.name << "\n";
        const auto read = effigy::x42::read(back);
        ASSERT_TRUE(read);
        EXPECT_FALSE(read->report.has_errors());
        EXPECT_FALSE(effigy::x42::check(read->value).has_errors());
    }
    std::cout << "fixtures: " << same << " byte-exact, " << sound << " made anew, " << none << " without a scene\n";
    EXPECT_GT(same, sound);
}

TEST(X42FromSceneSame, CorpusComesBack) {
    std::size_t files = 0, same = 0;
    for (const fs::path& path : corpus::paths()) {
        if (path.extension() != ".x42") continue;
        const Bytes bytes = corpus::bytes_of(path);
        ++files;
        if (there_and_back(bytes) == bytes) ++same;
    }
    if (files == 0) GTEST_SKIP() << corpus::has_no("X42");
    std::cout << "corpus: x42 there and back: " << same << " of " << files << " byte-exact\n";
    EXPECT_EQ(same, files);
}

}  // namespace
}  // namespace effigy::test::x42
