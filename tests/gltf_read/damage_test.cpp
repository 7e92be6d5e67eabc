/// Files that have been changed at random are refused, or read as scenes that can be written.

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "effigy/gltf.hpp"

#include "gltf/rich_scene.hpp"
#include "gltf_read/models.hpp"
#include "gltf_read/reading.hpp"
#include "gltf_read/shapes.hpp"

namespace effigy::gltf_test {
namespace {

using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t limit) { return random() % limit; }

/// All values of a document.
void collect(json& value, std::vector<json*>& all) {
    all.push_back(&value);
    if (!value.is_structured()) return;
    for (json& part : value) collect(part, all);
}

json strange_value(Random& random) {
    const json values[] = {0,
                           1,
                           2,
                           3,
                           7,
                           -1,
                           65535,
                           4294967295u,
                           1e300,
                           0.5,
                           nullptr,
                           true,
                           "x",
                           "",
                           "VEC3",
                           "MAT4",
                           "MASK",
                           json::array(),
                           json::object(),
                           5121,
                           5123,
                           5125,
                           5126,
                           -0.0,
                           json::array({0, 0}),
                           json::array({1e39, 0, 0})};
    return values[below(random, std::size(values))];
}

void damage(json& root, Random& random) {
    std::vector<json*> all;
    collect(root, all);
    json& victim = *all[1 + below(random, all.size() - 1)];  // not the root
    if (victim.is_array() && !victim.empty() && below(random, 3) == 0) {
        victim.push_back(victim[below(random, victim.size())]);
    } else if (victim.is_structured() && !victim.empty() && below(random, 3) == 0) {
        victim.erase(std::next(victim.begin(), static_cast<std::ptrdiff_t>(below(random, victim.size()))));
    } else if (below(random, 3) == 0) {
        victim = *all[below(random, all.size())];
    } else {
        victim = strange_value(random);
    }
}

AssetBuilder taken_apart(const std::string& glb) {
    AssetBuilder builder;
    const std::string text = json_of(glb);
    builder.root = json::parse(text);
    if (glb.size() > 20 + text.size() + 8) builder.buffer = glb.substr(20 + text.size() + 8);
    return builder;
}

struct Tally {
    std::size_t read = 0, refused = 0;
};

void try_damaged(const AssetBuilder& builder, Tally& tally) {
    gltf::SceneOptions options;
    options.limits.memory = 64u << 20;
    const std::string glb = builder.glb();
    const auto loaded = try_to_read(glb, options);
    if (!loaded) {
        ++tally.refused;
        EXPECT_FALSE(loaded.error().code.empty());
        EXPECT_FALSE(loaded.error().code == "scene-invalid" || loaded.error().code == "scene-not-finite")
            << to_string(loaded.error()) << "\nthe reader has let pass what the writer does not take: " << json_of(glb);
        return;
    }
    ++tally.read;
    const auto again = gltf::write_glb(loaded->value);
    ASSERT_TRUE(again) << to_string(again.error()) << "\n" << json_of(glb);
    const std::string text(reinterpret_cast<const char*>(again->data()), again->size());
    EXPECT_TRUE(try_to_read(text)) << "what was written cannot be read: " << json_of(glb);
}

TEST(GltfDamage, InTheJsonIsRefusedOrWritten) {
    std::vector<NamedModel> models = gltf_models();
    models.push_back({"rich", written(test::rich_scene())});
    models.push_back({"topologies", written(test::scene_of_all_topologies())});
    Tally tally;
    Random random(20);
    for (const NamedModel& model : models) {
        SCOPED_TRACE(model.name);
        const AssetBuilder whole = taken_apart(model.glb);
        for (int i = 0; i < 150; ++i) {
            AssetBuilder builder = whole;
            for (std::size_t count = 1 + below(random, 3); count != 0; --count) damage(builder.root, random);
            try_damaged(builder, tally);
        }
    }
    EXPECT_GT(tally.read, 300u);
    EXPECT_GT(tally.refused, 300u);
}

TEST(GltfDamage, InTheBufferIsRefusedOrWritten) {
    Tally tally;
    Random random(21);
    for (const NamedModel& model : gltf_models()) {
        SCOPED_TRACE(model.name);
        const AssetBuilder whole = taken_apart(model.glb);
        for (int i = 0; i < 40; ++i) {
            AssetBuilder builder = whole;
            for (int byte = 0; byte < 200; ++byte) {
                builder.buffer[below(random, builder.buffer.size())] =
                    static_cast<char>(below(random, 4) == 0 ? 255 : random());
            }
            try_damaged(builder, tally);
        }
    }
    EXPECT_GT(tally.read, 100u);
}

}  // namespace
}  // namespace effigy::gltf_test
