/// What the Khronos validator says of written files.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "effigy/gltf.hpp"
#include "effigy/poser.hpp"

#include "gltf/glb.hpp"
#include "gltf/rich_scene.hpp"

namespace effigy::test {
namespace {

namespace fs = std::filesystem;

const fs::path tools = fs::path(EFFIGY_SOURCE_DIR) / "tests" / "tools";

int run(const std::string& command, const fs::path& output) {
    return std::system((command + " > '" + output.string() + "' 2>&1").c_str());
}

// The Khronos validator; GLTF_VALIDATOR names a folder in whose node_modules it is installed.
class Validator : public ::testing::Test {
protected:
    void SetUp() override {
        if (run("node --version", log()) != 0) GTEST_SKIP() << "node is not installed";
        const char* const folder = std::getenv("GLTF_VALIDATOR");
        if (!fs::exists((folder != nullptr ? fs::path(folder) : tools) / "node_modules" / "gltf-validator")) {
            GTEST_SKIP() << "gltf-validator is not installed: run npm ci in tests/tools";
        }
    }

    [[nodiscard]] fs::path log() const { return folder_.path() / "log.txt"; }

    void expect_valid(const Scene& scene, const char* name, const gltf::WriteOptions& options = {}) {
        const fs::path path = folder_.path() / name;
        const auto written = gltf::write_file(scene, path, options);
        ASSERT_TRUE(written) << to_string(written.error());
        const std::string command = "node '" + (tools / "validate.mjs").string() + "' '" + path.string() + "'";
        EXPECT_EQ(run(command, log()), 0) << read_text(log());
    }

    TemporaryFolder folder_;
};

TEST_F(Validator, AcceptsTheRichScene) { expect_valid(rich_scene(), "rich.glb"); }
TEST_F(Validator, AcceptsTheRichSceneInSeveralFiles) { expect_valid(rich_scene(), "rich \xc3\xa9 1.gltf"); }
TEST_F(Validator, AcceptsEmbeddedImages) { expect_valid(rich_scene(), "embedded.gltf", {.embed_images = true}); }
TEST_F(Validator, AcceptsCompactFiles) {
    gltf::WriteOptions compact;
    compact.compact = true;
    expect_valid(rich_scene(), "compact.glb", compact);
    expect_valid(rich_scene(), "compact.gltf", compact);
    Scene large;
    large.nodes.resize(1);
    large.nodes[0].mesh = 0;
    Mesh& mesh = large.meshes.emplace_back();
    mesh.vertex_count = 5000;
    mesh.attributes = {grid_positions(5000)};
    mesh.primitives = {{0, 5000, strip(5000), no_index}};
    expect_valid(large, "large_compact.glb", compact);
}
TEST_F(Validator, AcceptsAnEmptyScene) { expect_valid({}, "empty.glb"); }

TEST_F(Validator, AcceptsABakedPose) {
    const Scene scene = rich_scene();
    auto poser = playback::Poser::make(scene, {.collision = true});
    ASSERT_TRUE(poser) << to_string(poser.error());
    ASSERT_TRUE(poser->pose(0, 0.4));
    expect_valid(playback::bake(*poser).value(), "baked.glb");
}

// Keys of 16 bits that no reader would turn between as the clip's game does.
TEST_F(Validator, AcceptsFittedRotations) {
    Scene scene;
    scene.nodes.resize(1);
    Clip& clip = scene.clips.emplace_back();
    clip.rules.rotation = RotationRule::by_angle;
    clip.duration = 2;
    Track& track = clip.tracks.emplace_back();
    track.node = 0;
    track.path = TrackPath::rotation;
    track.times = {0, 1, 2};
    track.values = {0, 0, 0, 32766.0f / 32767, 30000.0f / 32767, 0, 0, 13176.0f / 32767, 0, -1, 0, 0};
    expect_valid(scene, "fitted.glb");
}

TEST_F(Validator, AcceptsLargeMeshes) {
    Scene scene;
    Mesh mesh;
    mesh.vertex_count = 70000;
    mesh.attributes = {grid_positions(mesh.vertex_count)};
    mesh.primitives = {
        {0, 70000, strip(70000), no_index}, {100, 7, strip(7), no_index}, {0, 65536, strip(9), no_index}};
    mesh.targets = {MorphTarget{"far", bulk<std::uint32_t>(std::vector<std::uint32_t>{1, 69999}), {}, {}, {}}};
    mesh.targets[0].positions.assign(2, Vec3{-1, 0, 2});
    scene.meshes = {mesh};
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    expect_valid(scene, "large.glb");
}

TEST_F(Validator, AcceptsEveryTopology) { expect_valid(scene_of_all_topologies(), "topologies.glb"); }

// The judge itself must be able to say no.
TEST_F(Validator, RejectsWhatIsWrong) {
    Scene scene = rich_scene();
    std::vector<Track>& tracks = scene.clips[0].tracks;
    const auto turn = std::find_if(tracks.begin(), tracks.end(),
                                   [](const Track& track) { return track.path == TrackPath::rotation; });
    ASSERT_NE(turn, tracks.end());
    turn->values[0] = 9;
    const fs::path path = folder_.path() / "wrong.glb";
    ASSERT_TRUE(gltf::write_file(scene, path));
    EXPECT_NE(run("node '" + (tools / "validate.mjs").string() + "' '" + path.string() + "'", log()), 0);
    EXPECT_NE(read_text(log()).find("NON_NORMALIZED_QUATERNION"), std::string::npos) << read_text(log());
}

}  // namespace
}  // namespace effigy::test
