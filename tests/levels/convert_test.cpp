/// Levels and collision meshes on their way into files: every output that can hold them.

#include "effigy/convert.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "effigy/levels.hpp"
#include "effigy/xmf.hpp"

#include "gltf/glb.hpp"
#include "levels/measure.hpp"
#include "levels/shapes.hpp"

namespace effigy::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Written {
    Report report;
    std::map<std::string, Bytes> files;
    Result<Conversion> conversion;
};

Written write(Scene scene, const std::string& path, OptionValues values) {
    ConvertOptions options;
    options.values = std::move(values);
    Written written;
    OutputFiles output(path);
    output.take = [&](std::vector<NewFile> files) -> Result<void> {
        for (NewFile& file : files) written.files[file.name] = std::move(file.bytes);
        return {};
    };
    written.conversion = save_scene(std::move(scene), output, options);
    if (written.conversion) written.report = written.conversion->report;
    return written;
}

Scene read(const Written& written, const std::string& name) {
    EXPECT_TRUE(written.conversion) << to_string(written.conversion.error());
    ConvertOptions options;
    options.files = {
        [&](const std::string& wanted) -> Result<Bytes> {
            const auto found = written.files.find(wanted);
            if (found != written.files.end()) return found->second;
            return tl::unexpected(Diagnostic{"file-missing", Severity::error, no_offset, 0, {}, {}, {}, {}, {}});
        },
        [&] {
            std::vector<std::string> names;
            for (const auto& [one, bytes] : written.files) names.push_back(one);
            return names;
        }};
    auto scene = load_scene({InputFile(name)}, options);
    EXPECT_TRUE(scene) << to_string(scene.error());
    return scene ? std::move(scene->value) : Scene();
}

/// Triangles of the first node with levels, and of these.
std::vector<std::size_t> counts(const Scene& scene) {
    for (const Node& node : scene.nodes) {
        if (node.lods.empty()) continue;
        std::vector<std::size_t> counts{triangles_of(scene.meshes[node.mesh])};
        for (const Index level : node.lods) counts.push_back(triangles_of(scene.meshes[scene.nodes[level].mesh]));
        return counts;
    }
    return {};
}

std::size_t collisions(const Scene& scene) {
    return static_cast<std::size_t>(
        std::count_if(scene.nodes.begin(), scene.nodes.end(), [](const Node& node) { return node.collision; }));
}

TEST(ConvertLevels, ReachEveryFormatThatHoldsThem) {
    for (const char* const name : {"hull.glb", "hull.xac", "hull.x42"}) {
        SCOPED_TRACE(name);
        const Written written = write(scene_of(sphere(12)), name, {{"lods", "4"}});
        EXPECT_EQ(counts(read(written, name)).size(), 4u);
        EXPECT_EQ(written.report.count("levels-made"), 1u);
    }
    EXPECT_EQ(counts(read(write(scene_of(sphere(16)), "hull.xac", {{"lods", "4"}}), "hull.xac")),
              (std::vector<std::size_t>{960, 480, 240, 96}));
    EXPECT_EQ(counts(read(write(skinned_tube(16), "tube.xac", {{"lods", "3"}}), "tube.xac")),
              (std::vector<std::size_t>{512, 256, 127}));
}

/// As people and modelling programs write them, which know no other way to tell.
TEST(ConvertLevels, MayBeNamedOnly) {
    Scene scene = scene_of(sphere(12));
    for (const char* const name : {"hull-lod1", "hull_lod2", "hull-collision"}) {
        Scene other = scene_of(sphere(scene.nodes.size() == 1 ? 8 : 6), name);
        scene.meshes.push_back(std::move(other.meshes.front()));
        add_node(scene, name, static_cast<Index>(scene.meshes.size() - 1));
    }
    const Written model = write(scene, "model.glb", {});
    const std::vector<std::size_t> wanted{triangles_of(scene.meshes[0]), triangles_of(scene.meshes[1]),
                                          triangles_of(scene.meshes[2])};
    for (const std::string name : {"hull.glb", "hull.xac", "hull.x42", "hull.jar"}) {
        SCOPED_TRACE(name);
        const Scene again = read(write(read(model, "model.glb"), name, {}), name);
        EXPECT_EQ(counts(again), wanted);
        EXPECT_EQ(collisions(again), name == "hull.glb" || name == "hull.xac" ? 1u : 0u);
        EXPECT_EQ(std::ranges::count_if(again.nodes, [](const Node& n) { return n.mesh != no_index && !n.hidden; }), 1);
    }
    const Written component = write(read(model, "model.glb"), "crate.xml", {});
    for (const char* const file : {"hull-lod0", "hull-lod1", "hull-lod2", "hull-collision"})
        EXPECT_TRUE(component.files.contains("crate_data/" + std::string(file) + ".xmf")) << file;
    EXPECT_EQ(write(read(model, "model.glb"), "hull.xac", {{"lods", "3"}}).report.count("level-kept"), 1u);
}

TEST(ConvertLevels, MoveWithTheFinestMesh) {
    Scene scene = scene_of(sphere(12));
    Track track;
    track.node = 0;
    track.path = TrackPath::translation;
    track.times = {0, 1};
    track.values = {0, 0, 0, 0, 3, 0};
    scene.clips.push_back({});
    scene.clips.back().name = "rise";
    scene.clips.back().duration = 1;
    scene.clips.back().tracks.push_back(std::move(track));
    const Scene again = read(write(std::move(scene), "hull.x42", {{"lods", "2"}}), "hull.x42");
    ASSERT_EQ(counts(again).size(), 2u);
    for (const Node& node : again.nodes) EXPECT_EQ(node.mesh != no_index, node.skin != no_index) << node.name;
}

TEST(ConvertLevels, MakeComponentsAsModsHaveThem) {
    const OptionValues values{{"lods", "4"}, {"collision", "hull"}};
    const Written written = write(scene_of(sphere(16)), "assets/props/crate.xml", values);
    for (const char* const file : {"hull-lod0", "hull-lod1", "hull-lod2", "hull-lod3", "hull-collision"})
        EXPECT_TRUE(written.files.contains("crate_data/" + std::string(file) + ".xmf")) << file;
    EXPECT_EQ(written.files.size(), 6u);
    EXPECT_EQ(written.report.count("component-collision-made"), 0u) << "that is made where there is no other";
    const auto triangles = [&](const char* name) {
        const auto read = xmf::read(written.files.at("crate_data/" + std::string(name) + ".xmf"));
        EXPECT_TRUE(read);
        std::size_t count = 0;
        for (const xmf::Buffer& buffer : read->value.buffers)
            count += xmf::is_index_buffer(buffer) ? xmf::item_count(buffer) / 3 : 0;
        return count;
    };
    EXPECT_EQ(triangles("hull-lod0"), 960u);
    EXPECT_EQ(triangles("hull-lod3"), 96u);
    EXPECT_EQ(triangles("hull-collision"), 960u);
}

TEST(ConvertLevels, PartsCollideAsTheirFinestLevelDoes) {
    const auto collision = [](OptionValues values) {
        const Written written = write(scene_of(sphere(16)), "crate.xml", std::move(values));
        const auto found = written.files.find("crate_data/hull-collision.xmf");
        if (found == written.files.end()) return std::size_t{0};
        const auto read = xmf::read(found->second);
        return read ? xmf::item_count(read->value.buffers.back()) / 3 : 0;
    };
    EXPECT_EQ(collision({{"lods", "4"}}), 960u);
    EXPECT_EQ(collision({{"collision", "mesh"}}), 960u);
    EXPECT_EQ(collision({{"collision", "none"}}), 0u);
    EXPECT_EQ(collision({}), 960u);
}

TEST(ConvertLevels, MakeSingleCollisionMeshes) {
    for (const char* const shape : {"mesh", "hull", "simplify"}) {
        const Written written = write(scene_of(sphere(8, 0.2)), "part.xmf", {{"collision", shape}});
        ASSERT_TRUE(written.conversion);
        const auto file = xmf::read(written.files.at("part.xmf"));
        ASSERT_TRUE(file);
        EXPECT_TRUE(xmf::is_collision_mesh(file->value));
        const std::size_t triangles = xmf::item_count(file->value.buffers.back()) / 3;
        EXPECT_TRUE(std::string(shape) == "hull" ? triangles < 224 : triangles == 224) << shape << " " << triangles;
    }
}

TEST(ConvertLevels, HoldCollisionMeshesElsewhere) {
    for (const char* const name : {"hull.glb", "hull.xac"}) {
        const Written written = write(scene_of(sphere(12)), name, {{"collision", "hull"}});
        EXPECT_EQ(collisions(read(written, name)), 1u) << name;
    }
}

TEST(ConvertLevels, FollowTheirSwitches) {
    const auto made = [](OptionValues values) {
        return counts(read(write(scene_of(sphere(16)), "hull.glb", std::move(values)), "hull.glb"));
    };
    EXPECT_EQ(made({{"lods", "2"}}), (std::vector<std::size_t>{960, 480}));
    EXPECT_EQ(made({{"lod-ratios", "75,30"}}), (std::vector<std::size_t>{960, 720, 288}));
    EXPECT_EQ(made({{"lods", "2"}, {"lod-ratios", "75,30"}}), (std::vector<std::size_t>{960, 720}));
    EXPECT_EQ(made({{"lods", "4"}, {"lod-ratios", "60,50"}}), (std::vector<std::size_t>{960, 576, 480, 240}));
    EXPECT_EQ(made({{"lod-error", "0.2"}}).size(), 4u);
    EXPECT_TRUE(made({{"lods", "2"}, {"lod-error", "0"}}).empty());
    EXPECT_TRUE(made({}).empty());
    for (const auto& [name, value] : std::map<std::string, std::vector<std::string>>{
             {"lods", {"1", "17", "x", "2.5"}},
             {"lod-ratios", {"", "50,60", "100", "0", "-1", "50,,25", "50,25,", "50;25", "nan", "1e999"}},
             {"lod-error", {"-1", "2", "much"}},
             {"collision", {"true", "box"}}}) {
        for (const std::string& wrong : value) {
            const Written written = write(scene_of(sphere(4)), "hull.glb", {{name, wrong}});
            ASSERT_FALSE(written.conversion) << name << " " << wrong;
            EXPECT_EQ(written.conversion.error().code, "usage-option");
        }
    }
}

TEST(ConvertLevels, AreRefusedWhereTheySayNothing) {
    const Written glb = write(scene_of(sphere(8)), "hull.glb", {});
    for (const char* const output : {"hull.obj", "hull.xmf", "hull.xsm"}) {
        ConvertOptions options;
        options.values = {{"lods", "4"}};
        const auto made = convert({InputFile("hull.glb", glb.files.at("hull.glb"))}, OutputFiles(output), options);
        ASSERT_FALSE(made) << output;
        EXPECT_EQ(made.error().code, "usage-option");
    }
}

TEST(ConvertLevels, SayWhereTheyStand) {
    std::vector<std::string> steps;
    ConvertOptions options;
    options.values = {{"lods", "2"}};
    options.progress = [&](const Step& step) {
        steps.push_back(std::string(step.what) + " " + std::string(step.name));
        return steps.back() != "making levels hull.glb";
    };
    const auto made = save_scene(scene_of(sphere(8)), OutputFiles("hull.glb"), options);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, "limit-cancelled");
    EXPECT_THAT(steps, testing::ElementsAre("making levels hull.glb"));
}

TEST(ConvertLevels, PassTheValidator) {
    const fs::path tools = fs::path(EFFIGY_SOURCE_DIR) / "tests" / "tools";
    const TemporaryFolder folder;
    const fs::path log = folder.path() / "log.txt";
    const auto run = [&](const std::string& command) {
        return std::system((command + " > '" + log.string() + "' 2>&1").c_str());
    };
    if (run("node --version") != 0) GTEST_SKIP() << "node is not installed";
    const char* const installed = std::getenv("GLTF_VALIDATOR");
    if (!fs::exists((installed != nullptr ? fs::path(installed) : tools) / "node_modules" / "gltf-validator"))
        GTEST_SKIP() << "gltf-validator is not installed: run npm ci in tests/tools";
    std::string files;
    const auto add = [&](Scene scene, const std::string& name) {
        const Written written = write(std::move(scene), name, {{"lods", "4"}, {"collision", "hull"}});
        ASSERT_TRUE(written.conversion);
        const fs::path path = folder.path() / name;
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(written.files.at(name).data()),
                   static_cast<std::streamsize>(written.files.at(name).size()));
        files += " '" + path.string() + "'";
    };
    add(scene_of(sphere(16, 0.1)), "sphere.glb");
    add(scene_of(in_two_materials(grid(16, 0.1))), "two.glb");
    add(skinned_tube(16), "tube.glb");
    const int status = run("node '" + (tools / "validate.mjs").string() + "'" + files);
    EXPECT_EQ(status, 0) << read_text(log);
}

#ifdef EFFIGY_MAKE_FIGURE

/// The table of docs/gltf.md, "Levels that are made": each row with what was measured, and what it may be.
TEST(ConvertLevels, OfTheExamplesAreAsFarOffAsThePageSays) {
    const TemporaryFolder folder;
    const std::string figure = (folder.path() / "figure").string(), ship = (folder.path() / "ship").string();
    ASSERT_EQ(std::system(("'" EFFIGY_MAKE_FIGURE "' '" + figure + "' > /dev/null").c_str()), 0);
    ASSERT_EQ(std::system(("'" EFFIGY_MAKE_SHIP "' '" + ship + "' > /dev/null").c_str()), 0);
    const auto finest = [](const std::string& path) {
        ConvertOptions options;
        options.values = {{"lod", "0"}, {"no-textures", "true"}};
        auto scene = load_scene({InputFile(path)}, options);
        EXPECT_TRUE(scene) << to_string(scene.error());
        for (Mesh& mesh : scene->value.meshes) {
            mesh.targets.clear();
            mesh.weights.clear();
        }
        scene->value.clips.clear();
        return std::move(scene->value);
    };
    std::string rows;
    const auto measure = [&](Scene scene, const std::vector<std::string>& names) {
        for (Node& node : scene.nodes) node.lods.clear();
        LevelOptions options;
        options.ratios = usual_level_ratios(4);
        const auto report = make_levels(scene, options);
        ASSERT_TRUE(report) << to_string(report.error());
        for (const Node& node : scene.nodes) {
            if (node.lods.empty()) continue;
            const Mesh& mesh = scene.meshes[node.mesh];
            if (std::find(names.begin(), names.end(), mesh.name) == names.end()) continue;
            const auto positions = mesh.attributes.front().data.as<Vec3>();
            Vec3 low = positions[0], high = positions[0];
            for (const Vec3& p : positions) {
                low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
                high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
            }
            const double size = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
            rows += "| " + mesh.name + " | " + std::to_string(triangles_of(mesh)) + " |";
            for (const Index level : node.lods) {
                const Mesh& one = scene.meshes[scene.nodes[level].mesh];
                const double off = surface_distance(mesh, one, 30'000) / size;
                EXPECT_EQ(turned_over(one), 0u) << one.name;
                EXPECT_LT(off, 0.1) << one.name;
                std::array<char, 32> text{};
                std::snprintf(text.data(), text.size(), " %zu: %.2f %% |", triangles_of(one), 100 * off);
                rows += text.data();
            }
            rows += "\n";
        }
    };
    measure(finest(figure + "/figure.xac"), {"body", "hat"});
    measure(finest(ship + "/assets/units/size_s/ship_courier.xml"), {"part_hull-lod0", "anim_radar-lod0"});
    const std::string text = read_text(EFFIGY_SOURCE_DIR "/docs/gltf.md");
    EXPECT_TRUE(text.find(rows) != std::string::npos) << "the table of docs/gltf.md is stale; it should have\n" << rows;
}

#endif

}  // namespace
}  // namespace effigy::test
