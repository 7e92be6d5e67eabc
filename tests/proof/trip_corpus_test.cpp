/// Real files to a .glb and back: the same in meaning, and mostly the same to the byte.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

#include "effigy/diff.hpp"

#include "corpus/corpus.hpp"
#include "proof/trip.hpp"

namespace {

using namespace effigy;
namespace fs = std::filesystem;

std::vector<fs::path> files_of(const std::string& format) {
    std::vector<fs::path> found;
    for (const fs::path& path : corpus::paths()) {
        const FormatInfo* const info = recognize(corpus::head_of(path), path.filename().string()).format;
        if (info != nullptr && info->id == format) found.push_back(path);
    }
    return found;
}

Result<Loaded<Scene>> scene_of_document(Document document, const fs::path& path) {
    std::vector<SceneSource> sources;
    sources.push_back({std::move(document), path, fs::file_size(path)});
    return to_scene(std::move(sources));
}

Result<Loaded<Scene>> scene_of_file(const fs::path& path) {
    auto loaded = open_file(path);
    if (!loaded) return fail(std::move(loaded.error()));
    return scene_of_document(std::move(loaded->value), path);
}

struct Tally {
    std::size_t files = 0, exact = 0, silent = 0, nothing = 0;
};

/// The bytes take the place of the original: what lies beside it in its folder lies beside them.
void expect_same_meaning(const Scene& scene, const Bytes& bytes, const fs::path& path, Tally& tally) {
    auto loaded = open_bytes(bytes, path.filename().string());
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    const auto again = scene_of_document(std::move(loaded->value), path);
    ASSERT_TRUE(again) << to_string(again.error());
    const auto difference = diff_scenes(scene, again->value);
    ASSERT_TRUE(difference) << to_string(difference.error());
    for (const Diagnostic& line : difference->diagnostics()) {
        if (line.severity != Severity::info) ADD_FAILURE() << to_string(line);
    }
    if (difference->count(Severity::warning) + difference->count(Severity::error) == 0) ++tally.silent;
}

void travel(const fs::path& path, Tally& tally) {
    ++tally.files;
    const auto scene = scene_of_file(path);
    if (!scene) {
        // Motions of morph targets, and animations without names of parts, need their model.
        EXPECT_EQ(scene.error().code, "nothing-to-show") << to_string(scene.error());
        ++tally.nothing;
        return;
    }
    const auto made = make_files(trip::scene_of(trip::glb_of(scene->value)), path.filename());
    ASSERT_TRUE(made) << to_string(made.error());
    const Bytes& bytes = made->value.front().bytes;
    if (std::ranges::equal(bytes, corpus::bytes_of(path))) ++tally.exact;
    expect_same_meaning(scene->value, bytes, path, tally);
}

class Corpus : public testing::TestWithParam<const char*> {};

TEST_P(Corpus, ComesBackFromGlb) {
    const std::vector<fs::path> paths = files_of(GetParam());
    if (paths.empty()) GTEST_SKIP() << corpus::has_no(GetParam());
    Tally tally;
    for (const fs::path& path : paths) {
        SCOPED_TRACE(path.string());
        travel(path, tally);
    }
    EXPECT_EQ(tally.silent + tally.nothing, tally.files);
    const std::string_view format = GetParam();
    if (format == "xac" || format == "xsm") {
        EXPECT_EQ(tally.exact + tally.nothing, tally.files);
    }
    std::printf(
        "corpus: %s to glb and back: %zu files, %zu byte-exact, %zu without a difference, %zu show nothing alone\n",
        GetParam(), tally.files, tally.exact, tally.silent, tally.nothing);
}

INSTANTIATE_TEST_SUITE_P(Formats, Corpus, testing::Values("xac", "xsm", "xmf", "ani", "x42", "jarp", "jar"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
