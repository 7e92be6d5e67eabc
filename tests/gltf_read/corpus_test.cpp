/// Real files: made a scene, written as glTF, read and written again.

#include "corpus/corpus.hpp"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "effigy/game_files.hpp"
#include "effigy/gltf.hpp"
#include "effigy/hashes.hpp"
#include "effigy/registry.hpp"

#include "gltf_read/reading.hpp"

namespace effigy::gltf_test {
namespace {

struct Tally {
    std::size_t files = 0, same = 0, objects = 0, untouched = 0;
};

template <class Objects>
void count_untouched(const Untouched& untouched, const Objects& objects, Tally& tally) {
    for (const auto& object : objects) {
        if (object.extras.json.empty()) continue;
        ++tally.objects;
        tally.untouched += untouched(object) ? 1 : 0;
    }
}

// What other viewers are not told.
void expect_same_roles(const Scene& scene, const Scene& again) {
    ASSERT_EQ(again.nodes.size(), scene.nodes.size());
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        EXPECT_EQ(again.nodes[i].hidden, scene.nodes[i].hidden) << i;
        EXPECT_EQ(again.nodes[i].collision, scene.nodes[i].collision) << i;
        EXPECT_EQ(again.nodes[i].follows, scene.nodes[i].follows) << i;
        EXPECT_EQ(again.nodes[i].lods, scene.nodes[i].lods) << i;
        if (scene.nodes[i].mesh == no_index || again.nodes[i].mesh == no_index) continue;
        const Mesh &before = scene.meshes[scene.nodes[i].mesh], &after = again.meshes[again.nodes[i].mesh];
        EXPECT_EQ(after.vertex_count, before.vertex_count) << i;
        EXPECT_EQ(after.attributes.size(), before.attributes.size()) << i;
        EXPECT_EQ(after.targets.size(), before.targets.size()) << i;
    }
}

void go_there_and_back(const Scene& scene, Tally& tally) {
    const auto once = gltf::write_glb(scene);
    if (!once) return;  // that is for others to test
    ++tally.files;
    const std::string text(reinterpret_cast<const char*>(once->data()), once->size());
    const Scene again = read_text(text);
    expect_same_roles(scene, again);
    const bool is_same = written(again) == text;
    EXPECT_TRUE(is_same);
    tally.same += is_same ? 1 : 0;
    const Untouched untouched(again);
    count_untouched(untouched, again.nodes, tally);
    count_untouched(untouched, again.meshes, tally);
    count_untouched(untouched, again.skins, tally);
    count_untouched(untouched, again.materials, tally);
    count_untouched(untouched, again.lights, tally);
    count_untouched(untouched, again.clips, tally);
}

TEST(GltfCorpus, ComesBackAsItWasWritten) {
    EFFIGY_NEEDS_CORPUS();
    std::map<std::string, Tally> tallies;
    for (const std::filesystem::path& path : corpus::paths()) {
        SCOPED_TRACE(path.string());
        auto document = open_file(path);
        if (!document || document->report.has_errors()) continue;
        const std::string format(document->value.format().id);
        std::vector<SceneSource> sources;
        sources.push_back({std::move(document->value), path, std::filesystem::file_size(path)});
        const auto scene = to_scene(std::move(sources));
        if (scene) go_there_and_back(scene->value, tallies[format]);
    }
    for (const auto& [format, tally] : tallies) {
        std::cout << "corpus: " << format << ": " << tally.same << " of " << tally.files
                  << " scenes are written again byte for byte; " << tally.untouched << " of " << tally.objects
                  << " objects with extras are untouched\n";
        EXPECT_EQ(tally.untouched, tally.objects) << format;
    }
}

}  // namespace
}  // namespace effigy::gltf_test
