/// Scenes that say nothing of a file before: what is written means the same, and check finds nothing in it.

#include <cstdio>
#include <gtest/gtest.h>

#include "corpus/corpus.hpp"
#include "emfx/fixtures.hpp"
#include "emfx_scene/actor_back.hpp"
#include "emfx_scene/corners.hpp"

namespace {

using namespace effigy;
using namespace actor_back;

emfx::SceneOptions first_level() {
    emfx::SceneOptions options;
    options.lod = 0;
    return options;
}

/// Scene, file, scene: the largest distance at rest and in two poses.
double there_and_back(const Scene& scene, const emfx::FromSceneOptions& options = {}) {
    const Loaded<emfx::NativeFiles> files = files_of(scene, options);
    EXPECT_EQ(findings(files.value.actor), "");
    const Scene again = scene_of(files.value.actor);
    double worst = 0;
    for (const unsigned seed : {0u, 1u, 2u}) {
        const auto before = corners::drawn(scene, corners::worlds(scene, seed));
        const auto after = corners::drawn(again, corners::worlds(again, seed));
        worst = std::max(worst, corners::compare(before, after));
    }
    return worst;
}

TEST(EmfxActorDerived, Corpus) {
    EFFIGY_NEEDS_CORPUS();
    double worst = 0;
    std::size_t count = 0;
    for (const corpus::File* file : corpus::files_of("XAC ")) {
        SCOPED_TRACE(file->path.string());
        auto read = xac::read(file->bytes);
        ASSERT_TRUE(read);
        Scene scene = scene_of(std::move(read->value), first_level());
        strip(scene);
        const double distance = there_and_back(scene);
        EXPECT_LT(distance, 2e-6);
        worst = std::max(worst, distance);
        ++count;
    }
    std::printf("corpus: %zu actors derived anew, largest distance %.2g of the model\n", count, worst);
}

TEST(EmfxActorDerived, WholeActor) {
    auto file = xac::read(test::whole_actor(false));
    ASSERT_TRUE(file);
    Scene scene = scene_of(std::move(file->value), first_level());
    strip(scene);
    EXPECT_LT(there_and_back(scene), 1e-6);
}

}  // namespace
