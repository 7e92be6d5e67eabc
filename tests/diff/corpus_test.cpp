/// Real files: none differs from itself, and what is changed in its vertices is found.

#include "corpus/corpus.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <iostream>
#include <set>

#include "effigy/diff.hpp"
#include "effigy/registry.hpp"

namespace effigy::test {
namespace {

namespace fs = std::filesystem;

/// The smallest files of the corpus by format, as those are quick.
std::vector<fs::path> some_files(std::size_t max_of_a_format) {
    std::set<std::pair<std::uintmax_t, fs::path>> by_size;
    for (const fs::path& path : corpus::paths()) by_size.emplace(fs::file_size(path), path);
    std::map<std::string_view, std::size_t> counts;
    std::vector<fs::path> files;
    for (const auto& [size, path] : by_size) {
        const FormatInfo* const format = find_format(path.extension().string());
        if (format == nullptr || !format->to_scene || format->role == Role::companion) continue;
        if (counts[format->id]++ < max_of_a_format) files.push_back(path);
    }
    return files;
}

Result<Loaded<Scene>> scene_of(const fs::path& path) {
    auto loaded = open_file(path);
    if (!loaded) return fail(loaded.error());
    std::vector<SceneSource> sources;
    sources.push_back({std::move(loaded->value), path, 0, ""});
    return to_scene(std::move(sources));
}

TEST(DiffCorpus, FilesAreWhatTheyAre) {
    const std::vector<fs::path> files = some_files(12);
    if (files.empty()) GTEST_SKIP() << corpus::has_no("file that makes a scene");
    DiffOptions exact;
    exact.tolerances = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    std::size_t compared = 0, changed = 0;
    for (const fs::path& path : files) {
        SCOPED_TRACE(path);
        const auto a = scene_of(path);
        auto b = scene_of(path);
        if (!a || !b) continue;
        ++compared;
        const auto same = diff_scenes(a->value, b->value, exact);
        ASSERT_TRUE(same) << to_string(same.error());
        EXPECT_TRUE(same->empty()) << to_string(same->diagnostics().front());
        // A bit of a float of a vertex that a triangle has.
        for (Mesh& mesh : b->value.meshes) {
            if (mesh.primitives.empty() || mesh.primitives[0].indices.size() < 3) continue;
            const Primitive& primitive = mesh.primitives[0];
            const std::size_t vertex = primitive.first_vertex + primitive.indices[0];
            for (Attribute& attribute : mesh.attributes) {
                if (attribute.semantic == Semantic::position)
                    attribute.data.bytes[vertex * attribute.data.stride() + 2] ^= std::byte{1};
            }
            const auto other = diff_scenes(a->value, b->value, exact);
            ASSERT_TRUE(other) << to_string(other.error());
            EXPECT_NE(other->count(Severity::warning), 0U) << mesh.name;
            ++changed;
            break;
        }
    }
    std::cout << "corpus: " << compared << " files do not differ from themselves, of " << changed
              << " a changed bit was found\n";
}

}  // namespace
}  // namespace effigy::test
