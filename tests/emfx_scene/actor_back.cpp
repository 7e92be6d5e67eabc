/// Sends actors through a scene and back.

#include "emfx_scene/actor_back.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "effigy/hashes.hpp"

#include "reports.hpp"

namespace actor_back {

void set_untouched(Scene& scene, bool untouched) {
    set_hashes(scene);
    if (untouched) return;
    const auto forget = [](auto& objects) {
        for (auto& one : objects) one.extras.hash = 0;
    };
    forget(scene.nodes);
    forget(scene.meshes);
    forget(scene.materials);
    forget(scene.clips);
}

void strip(Scene& scene) {
    scene.asset_extras = {};
    for (Node& node : scene.nodes) node.extras = {};
    for (Mesh& mesh : scene.meshes) mesh.extras = {};
    for (Material& material : scene.materials) material.extras = {};
    for (Clip& clip : scene.clips) clip.extras = {};
}

Scene scene_of(xac::File file, const emfx::SceneOptions& options) {
    emfx::SceneInput input;
    input.actors.push_back({{"actor", 0, {}}, std::move(file)});
    auto scene = emfx::to_scene(std::move(input), options);
    if (!scene) {
        ADD_FAILURE() << to_string(scene.error());
        return {};
    }
    return std::move(scene->value);
}

namespace {

/// A scene that is used up becomes the same files.
void expect_same_of_spent(Scene scene, const emfx::FromSceneOptions& options, const emfx::NativeFiles& expected) {
    const auto files = emfx::from_scene(std::move(scene), options);
    ASSERT_TRUE(files);
    const auto actor = xac::write(files->value.actor), expected_actor = xac::write(expected.actor);
    ASSERT_EQ(actor.has_value(), expected_actor.has_value());
    if (actor) EXPECT_EQ(difference(*actor, *expected_actor), "");
    const auto expect_same = [](const auto& made, const auto& wanted, auto write) {
        ASSERT_EQ(made.size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const auto bytes = write(made[i].file), wanted_bytes = write(wanted[i].file);
            ASSERT_EQ(bytes.has_value(), wanted_bytes.has_value());
            if (bytes) EXPECT_EQ(difference(*bytes, *wanted_bytes), "");
        }
    };
    expect_same(files->value.motions, expected.motions, [](const xsm::File& file) { return xsm::write(file); });
    expect_same(files->value.morph_motions, expected.morph_motions,
                [](const xpm::File& file) { return xpm::write(file); });
}

}  // namespace

Loaded<emfx::NativeFiles> files_of(const Scene& scene, const emfx::FromSceneOptions& options) {
    auto files = emfx::from_scene(scene, options);
    if (files) {
        expect_same_of_spent(scene, options, files->value);
        return std::move(*files);
    }
    ADD_FAILURE() << to_string(files.error());
    return {};
}

xac::File round_trip(const xac::File& file) {
    Scene scene = scene_of(file);
    set_untouched(scene);
    return std::move(files_of(scene).value.actor);
}

std::string difference(const Bytes& a, const Bytes& b) {
    const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (at == a.end() && other == b.end()) return {};
    return "byte " + std::to_string(at - a.begin()) + ", sizes " + std::to_string(a.size()) + " and " +
           std::to_string(b.size());
}

std::string findings(const xac::File& file) { return test::findings(xac::check(file)); }

const xac::File* level_of(const xac::File& file) {
    for (const xac::Chunk& chunk : file.chunks) {
        const auto* const level = std::get_if<xac::MeshLod>(&chunk.record);
        if (level != nullptr && !level->actor.empty()) return &level->actor.front();
    }
    return nullptr;
}

}  // namespace actor_back
