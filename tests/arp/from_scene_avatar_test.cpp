// The way back of avatars: what became a scene and was not touched becomes the same avatar.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <iostream>

#include "effigy/arp_bind.hpp"
#include "effigy/arp_scene.hpp"

#include "arp/file/arp_format.hpp"
#include "arp/file/layout_elements.hpp"
#include "avatars.hpp"
#include "puppet.hpp"
#include "raw_arp.hpp"

namespace effigy::test::arp {
namespace {

using effigy::arp::File;
using effigy::arp::NativeFiles;

Scene scene_of(const File& file, std::vector<std::pair<std::string, Bytes>> companions = {}) {
    effigy::arp::SceneInput input;
    input.avatars.push_back({{"anna", 0, {}}, file, std::move(companions)});
    auto scene = effigy::arp::to_scene(std::move(input));
    EXPECT_TRUE(scene) << to_string(scene.error());
    if (!scene) return {};
    return std::move(scene->value);
}

Loaded<NativeFiles> back(const Scene& scene) {
    auto files = effigy::arp::from_scene(scene);
    EXPECT_TRUE(files) << to_string(files.error());
    return files ? std::move(*files) : Loaded<NativeFiles>{};
}

/// The first place where two files differ, or nothing.
std::string difference(const Bytes& a, const Bytes& b) {
    if (a == b) return {};
    const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return "at byte " + std::to_string(left - a.begin()) + " of " + std::to_string(a.size()) + " and " +
           std::to_string(b.size());
}

/// How far apart two files' numbers are.
struct Apart {
    double offsets = 0, normals = 0, weights = 0, texcoords = 0, morphs = 0, morph_normals = 0, ambient = 0;
    bool same_structure = true;
};

double apart(const Vec3& a, const Vec3& b) {
    return std::max({std::abs(double{a.x} - b.x), std::abs(double{a.y} - b.y), std::abs(double{a.z} - b.z)});
}

Apart compare(const File& a, const File& b) {
    Apart result;
    if (a.meshes.size() != b.meshes.size() || a.bones.size() != b.bones.size()) return {.same_structure = false};
    for (std::size_t m = 0; m < a.meshes.size(); ++m) {
        const auto &x = a.meshes[m].points, &y = b.meshes[m].points;
        result.same_structure = result.same_structure && x.link_counts == y.link_counts &&
                                a.meshes[m].duplicates == b.meshes[m].duplicates &&
                                a.meshes[m].strip == b.meshes[m].strip;
        for (std::size_t i = 0; i < std::min(x.offsets.size(), y.offsets.size()) && x.link_counts == y.link_counts;
             ++i) {
            const std::string &left = a.link_names[x.bones[i]], &right = b.link_names[y.bones[i]];
            if (left != right) {
                result.same_structure = false;
                continue;
            }
            result.offsets = std::max(result.offsets, apart(x.offsets[i], y.offsets[i]));
            result.normals = std::max(result.normals, apart(x.normals[i], y.normals[i]));
            result.weights = std::max(result.weights, std::abs(double{x.weights[i]} - y.weights[i]));
        }
    }
    return result;
}

TEST(ArpFromScene, FixturesComeBack) {
    std::size_t exact = 0, all = 0;
    for (const Fixture& fixture : all_fixtures()) {
        SCOPED_TRACE(fixture.name);
        const Bytes bytes = make(fixture.description);
        auto loaded = effigy::arp::read(bytes);
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        const Loaded<NativeFiles> files = back(scene_of(loaded->value));
        const auto written = effigy::arp::write(files.value.container.avatar);
        ASSERT_TRUE(written) << to_string(written.error());
        const bool was_embedded = effigy::arp::has_image(loaded->value);
        const auto& entries = files.value.container.entries;
        const bool is_beside =
            std::any_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.name.ends_with(".png"); });
        EXPECT_EQ(files.report.count("arp-texture-embedded"), was_embedded && is_beside ? 1u : 0u);
        if (was_embedded && !is_beside) EXPECT_EQ(files.report.count("arp-texture-left-out"), 1u);
        ++all;
        const std::string differs = difference(bytes, *written);
        exact += differs.empty() ? 1 : 0;
        if (!differs.empty()) std::cout << fixture.name << ": differs " << differs << "\n";
    }
    std::cout << "fixtures: " << exact << " of " << all << " byte-exact\n";
    // All but those with the image embedded, which lies beside the avatar afterwards.
    EXPECT_EQ(all - exact, 9u);
}

TEST(ArpFromScene, CorpusComesBack) {
    EFFIGY_NEEDS_AVATARS();
    std::size_t exact = 0;
    for (const auto& [name, bytes, file, report] : avatars::all()) {
        SCOPED_TRACE(name);
        const Scene scene = scene_of(file);
        const std::size_t kept = scene.meshes.front().extras.json.size() + scene.clips.back().extras.json.size();
        const Loaded<NativeFiles> files = back(scene);
        const File& made = files.value.container.avatar;
        const auto written = effigy::arp::write(made);
        ASSERT_TRUE(written) << to_string(written.error());
        const std::string differs = difference(bytes, *written);
        exact += differs.empty() ? 1 : 0;
        const Apart far = compare(file, made);
        EXPECT_EQ(differs, "");
        std::cout << "corpus: " << name << ": " << (differs.empty() ? "byte-exact" : differs) << "; structure "
                  << far.same_structure << " offsets " << far.offsets << " normals " << far.normals << " weights "
                  << far.weights << ", kept in extras: " << kept << " bytes\n";
    }
    std::cout << "corpus: " << exact << " of " << avatars::all().size() << " avatars byte-exact\n";
}

}  // namespace
}  // namespace effigy::test::arp
