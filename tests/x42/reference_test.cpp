/// The reference files against the numbers that the original loader printed for them: tests/x42/reference/README.md.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "effigy/gltf.hpp"
#include "effigy/poser.hpp"
#include "effigy/x42_scene.hpp"

#include "proof/glb.hpp"

namespace effigy::test {
namespace {

using x42::File;

constexpr double frame_rate = 30;
/// The original's slerp and square root are approximations: README.md of the samples.
constexpr double tolerance = 5e-3;
/// With the writer's own error, for rotations by angle that it fits to glTF's, at the distance of the farthest
/// vertices.
constexpr double written_tolerance = 2 * tolerance;

struct SkinnedVertex {
    std::size_t group = 0, vertex = 0;
    glm::dvec3 position{0}, normal{0};
};

/// All that was printed for one time, in the game's space.
struct Moment {
    double frame = 0;
    std::map<std::size_t, glm::dmat4> bones, tags;
    std::vector<SkinnedVertex> vertices;
};

glm::dmat4 read_matrix(std::istream& line) {
    glm::dmat4 matrix(1);
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) line >> matrix[column][row];
    }
    return matrix;
}

std::vector<Moment> read_moments(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::vector<Moment> moments;
    for (std::string text; std::getline(file, text);) {
        std::istringstream line(text);
        std::string kind;
        double frame = 0;
        line >> kind;
        if (kind != "pose" && kind != "tag" && kind != "sk") continue;
        line >> frame;
        if (moments.empty() || moments.back().frame != frame) moments.emplace_back().frame = frame;
        std::size_t number = 0;
        line >> number;
        if (kind == "pose") {
            moments.back().bones[number] = read_matrix(line);
        } else if (kind == "tag") {
            moments.back().tags[number] = read_matrix(line);
        } else {
            SkinnedVertex& vertex = moments.back().vertices.emplace_back();
            vertex.group = number;
            line >> vertex.vertex;
            for (int i = 0; i < 3; ++i) line >> vertex.position[i];
            for (int i = 0; i < 3; ++i) line >> vertex.normal[i];
        }
    }
    return moments;
}

/// From the game's space to the file's, or back.
glm::dvec3 turned(const glm::dvec3& v) { return {-v.x, v.z, v.y}; }

glm::dmat4 turned(const glm::dmat4& matrix) {
    glm::dmat4 result(1);
    for (int column = 0; column < 4; ++column) result[column] = {turned(glm::dvec3(matrix[column])), column == 3};
    return result;
}

double difference(const glm::dvec3& a, const glm::dvec3& b) {
    const glm::dvec3 d = glm::abs(a - b);
    return std::max({d.x, d.y, d.z});
}

double difference(const glm::dmat4& a, const glm::dmat4& b) {
    double most = 0;
    for (int column = 0; column < 4; ++column) {
        most = std::max(most, difference(glm::dvec3(a[column]), glm::dvec3(b[column])));
    }
    return most;
}

glm::dmat4 wide(const Mat4& matrix) {
    glm::dmat4 result;
    for (int i = 0; i < 16; ++i) result[i / 4][i % 4] = static_cast<double>(matrix.m[static_cast<std::size_t>(i)]);
    return result;
}
glm::dvec3 wide(const Vec3& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// The largest differences of a kind, and how many vertices were compared.
struct Errors {
    double bones = 0, tags = 0, positions = 0, normals = 0;
    std::size_t vertices = 0;

    static void count(double& most, double error) { most = error > most || std::isnan(error) ? error : most; }
};

class X42Reference : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        const auto folder = std::filesystem::path(EFFIGY_SOURCE_DIR) / "tests" / "x42" / "reference";
        auto read = x42::read_file(folder / (GetParam() + ".x42"));
        ASSERT_TRUE(read) << to_string(read.error());
        file_ = read->value;
        moments_ = read_moments(folder / (GetParam() + ".expected.txt"));
        ASSERT_EQ(moments_.size(), 7u);
        // All frames become one clip.
        File all_frames = file_;
        all_frames.animations.clear();
        x42::SceneInput input;
        input.models.push_back({{GetParam(), 0, {}}, std::move(all_frames)});
        x42::SceneOptions options;
        options.frames_per_second = frame_rate;
        auto converted = x42::to_scene(std::move(input), options);
        ASSERT_TRUE(converted) << to_string(converted.error());
        EXPECT_FALSE(converted->report.has_errors());
        scene_ = std::move(converted->value);
        ASSERT_EQ(scene_.clips.size(), 1u);
    }

    [[nodiscard]] std::string bone(std::size_t number) const {
        return std::string(x42::name_of(file_, file_.bones.at(number).name));
    }
    [[nodiscard]] std::string tag(std::size_t number) const {
        return std::string(x42::name_of(file_, file_.tags.at(number).name));
    }

    /// The level of detail that has a group, and the group's place in it.
    [[nodiscard]] std::pair<std::size_t, std::size_t> place_of(std::size_t group) const {
        for (std::size_t level = 0; level < file_.lods.size(); ++level) {
            const x42::Lod& lod = file_.lods[level];
            if (group >= lod.first_group && group - lod.first_group < lod.group_count) {
                return {level, group - lod.first_group};
            }
        }
        ADD_FAILURE() << "group " << group;
        return {0, 0};
    }

    /// `world` gives the matrix of the node of that name.
    template <class World>
    void compare_nodes(Errors& errors, const Moment& moment, World&& world) const {
        ASSERT_EQ(moment.bones.size(), file_.bones.size());
        for (const auto& [number, expected] : moment.bones) {
            Errors::count(errors.bones, difference(world(bone(number)), turned(expected)));
        }
        ASSERT_EQ(moment.tags.size(), file_.tags.size());
        for (const auto& [number, expected] : moment.tags) {
            Errors::count(errors.tags, difference(world(tag(number)), turned(expected)));
        }
    }

    void compare_vertex(Errors& errors, const SkinnedVertex& expected, const glm::dvec3& position,
                        const glm::dvec3& normal) const {
        Errors::count(errors.positions, difference(position, turned(expected.position)));
        ++errors.vertices;
        if (file_.normals.empty()) return;
        // Those of static groups are printed as they are stored: not of unit length.
        Errors::count(errors.normals, difference(normal, glm::normalize(turned(expected.normal))));
    }

    void expect_below(const Errors& errors, double limit) const {
        EXPECT_LT(errors.bones, limit);
        EXPECT_LT(errors.tags, limit);
        EXPECT_LT(errors.positions, limit);
        EXPECT_LT(errors.normals, limit);
        EXPECT_EQ(errors.vertices, moments_.size() * file_.vertices.size());
        RecordProperty("bones", std::to_string(errors.bones));
        RecordProperty("tags", std::to_string(errors.tags));
        RecordProperty("positions", std::to_string(errors.positions));
        RecordProperty("normals", std::to_string(errors.normals));
    }

    File file_;
    std::vector<Moment> moments_;
    Scene scene_;
};

template <class Nodes>
std::size_t find(const Nodes& nodes, const std::string& name) {
    const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const auto& node) { return node.name == name; });
    EXPECT_NE(found, nodes.end()) << name;
    return static_cast<std::size_t>(found - nodes.begin());
}

TEST_P(X42Reference, PlaysAsTheOriginal) {
    Errors errors;
    for (int level = 0; level < 2; ++level) {
        auto poser = playback::Poser::make(scene_, {.level = level});
        ASSERT_TRUE(poser) << to_string(poser.error());
        for (const Moment& moment : moments_) {
            ASSERT_TRUE(poser->pose(0, moment.frame / frame_rate, false));
            compare_nodes(errors, moment, [&](const std::string& name) {
                return wide(poser->models()[poser->skeleton().joints[find(scene_.nodes, name)]]);
            });
            ASSERT_EQ(poser->meshes().size(), 1u);
            const playback::PosedMesh& posed = poser->meshes().front();
            for (const SkinnedVertex& expected : moment.vertices) {
                const auto [its_level, place] = place_of(expected.group);
                if (its_level != static_cast<std::size_t>(level)) continue;
                const std::size_t vertex =
                    scene_.meshes[posed.mesh].primitives.at(place).first_vertex + expected.vertex;
                const auto& normals = posed.vertices.normals;
                compare_vertex(errors, expected, wide(posed.vertices.positions[vertex]),
                               normals.empty() ? glm::dvec3(0) : wide(normals[vertex]));
            }
        }
    }
    expect_below(errors, tolerance);
}

TEST_P(X42Reference, PlaysAsTheOriginalOnceWritten) {
    const auto bytes = gltf::write_glb(scene_);
    ASSERT_TRUE(bytes) << to_string(bytes.error());
    const glb::Document document = glb::read(*bytes);
    ASSERT_EQ(document.animations.size(), 1u);
    std::vector<std::size_t> levels;
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
        if (document.nodes[i].mesh != glb::none) levels.push_back(i);
    }
    ASSERT_EQ(levels.size(), 2u);
    Errors errors;
    for (const Moment& moment : moments_) {
        const glb::Pose pose = glb::sample(document, document.animations[0], moment.frame / frame_rate);
        compare_nodes(errors, moment, [&](const std::string& name) { return pose.world[find(document.nodes, name)]; });
        for (const SkinnedVertex& expected : moment.vertices) {
            const auto [level, place] = place_of(expected.group);
            const std::size_t node = levels[level];
            const glb::Primitive& primitive =
                document.meshes[static_cast<std::size_t>(document.nodes[node].mesh)].primitives.at(place);
            glm::dvec3 normal(0);
            if (!primitive.normals.empty()) {
                const glm::dmat3 turn(glb::vertex_matrix(document, pose, node, primitive, expected.vertex));
                normal = glm::normalize(turn * primitive.normals[expected.vertex]);
            }
            compare_vertex(errors, expected, glb::position(document, pose, node, primitive, expected.vertex), normal);
        }
    }
    expect_below(errors, written_tolerance);
}

INSTANTIATE_TEST_SUITE_P(Files, X42Reference,
                         ::testing::Values("le_full", "be_full", "le_uniform", "le_nonorm", "le_notc"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace effigy::test
