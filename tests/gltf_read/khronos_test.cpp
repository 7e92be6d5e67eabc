/// An independent reader's opinion: Debian's assimp, where it is installed.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "effigy/gltf.hpp"

#include "gltf/glb.hpp"
#include "gltf_read/models.hpp"
#include "gltf_read/reading.hpp"
#include "scene/triangles.hpp"

namespace effigy::gltf_test {
namespace {

using Point = std::array<double, 3>;
using Matrix = std::array<double, 16>;

Matrix matrix_of(const Node& node) {
    Matrix result{};
    if (node.matrix) {
        std::copy(node.matrix->m.begin(), node.matrix->m.end(), result.begin());
        return result;
    }
    const auto& [t, q, s] = node.local;
    const double x = q.x, y = q.y, z = q.z, w = q.w;
    const double rotation[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z),     2 * (x * z - w * y),
                                2 * (x * y - w * z),     1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
                                2 * (x * z + w * y),     2 * (y * z - w * x),     1 - 2 * (x * x + y * y)};
    const double scale[3] = {s.x, s.y, s.z}, place[3] = {t.x, t.y, t.z};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t row = 0; row < 3; ++row) result[4 * i + row] = rotation[3 * i + row] * scale[i];
        result[12 + i] = place[i];
    }
    result[15] = 1;
    return result;
}

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix result{};
    for (std::size_t column = 0; column < 4; ++column) {
        for (std::size_t row = 0; row < 4; ++row) {
            for (std::size_t i = 0; i < 4; ++i) result[4 * column + row] += a[4 * i + row] * b[4 * column + i];
        }
    }
    return result;
}

struct Totals {
    std::vector<Point> corners;  // of all triangles as they stand in the world
    std::map<std::string, std::size_t> counts;
};

void add(const Scene& scene, Index number, const Matrix& above, Totals& totals) {
    const Node& node = scene.nodes[number];
    const Matrix world = product(above, matrix_of(node));
    if (node.mesh != no_index) {
        const Mesh& mesh = scene.meshes[node.mesh];
        const auto found = std::find_if(mesh.attributes.begin(), mesh.attributes.end(),
                                        [](const Attribute& one) { return one.semantic == Semantic::position; });
        if (found == mesh.attributes.end()) return;
        const auto positions = found->data.as<Vec3>();
        for (const Primitive& primitive : mesh.primitives) {
            for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                for (const std::uint32_t corner : {a, b, c}) {
                    const Vec3 p = positions[primitive.first_vertex + corner];
                    Point& point = totals.corners.emplace_back();
                    for (std::size_t i = 0; i < 3; ++i) {
                        point[i] = world[i] * p.x + world[4 + i] * p.y + world[8 + i] * p.z + world[12 + i];
                    }
                }
            });
        }
        if (node.skin != no_index) totals.counts["Bones"] += scene.skins[node.skin].joints.size();
    }
    for (const Index child : node.children) add(scene, child, world, totals);
}

Totals totals_of(const Scene& scene) {
    Totals totals;
    totals.counts["Bones"] = 0;
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (node.parent == no_index && !node.hidden)
            add(scene, i, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, totals);
    }
    totals.counts["Animations"] = scene.clips.size();
    for (const Mesh& mesh : scene.meshes) {
        totals.counts["Meshes"] += mesh.primitives.size();
        for (const Primitive& primitive : mesh.primitives) {
            totals.counts["Faces"] += triangle_count(primitive);
            totals.counts["Vertices"] += primitive.vertex_count;
        }
    }
    return totals;
}

bool run(const std::string& command) { return std::system((command + " > /dev/null 2>&1").c_str()) == 0; }

std::map<std::string, std::size_t> counts_in(const std::string& text) {
    std::map<std::string, std::size_t> counts;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const auto colon = line.find(':');
        if (colon == std::string::npos || line.starts_with(' ')) continue;
        counts.try_emplace(line.substr(0, colon), std::strtoull(line.c_str() + colon + 1, nullptr, 10));
    }
    return counts;
}

std::vector<Point> corners_in(const std::string& obj) {
    std::vector<Point> points, corners;
    std::istringstream lines(obj);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "v") {
            Point& point = points.emplace_back();
            words >> point[0] >> point[1] >> point[2];
        }
        if (word == "f") {
            while (words >> word) corners.push_back(points.at(std::strtoull(word.c_str(), nullptr, 10) - 1));
        }
    }
    return corners;
}

double distance(const Point& a, const Point& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

TEST(GltfModels, AreReadAsAssimpReadsThem) {
    if (!run("assimp version")) GTEST_SKIP() << "the program assimp is not installed";
    const test::TemporaryFolder folder;
    for (const NamedModel& model : gltf_models()) {
        if (model.name == "quantized") continue;  // assimp 5.2 takes 16-bit fractions for whole numbers
        SCOPED_TRACE(model.name);
        const std::string stem = (folder.path() / model.name).string();
        std::ofstream(stem + ".glb", std::ios::binary) << model.glb;
        static_cast<void>(std::system(("assimp info '" + stem + ".glb' --raw > '" + stem + ".txt' 2>&1").c_str()));
        const Totals totals = totals_of(load(model.glb).value);
        const auto theirs = counts_in(test::read_text(stem + ".txt"));
        for (const auto& [name, count] : totals.counts) {
            ASSERT_TRUE(theirs.contains(name)) << name << ": " << test::read_text(stem + ".txt");
            EXPECT_EQ(count, theirs.at(name)) << name;
        }
        ASSERT_TRUE(run("assimp export '" + stem + ".glb' '" + stem + ".obj'"));
        const auto corners = corners_in(test::read_text(stem + ".obj"));
        ASSERT_EQ(totals.corners.size(), corners.size());
        double size = 1;
        for (const Point& corner : corners) size = std::max(size, distance(corner, {}));
        for (std::size_t i = 0; i < corners.size(); ++i) {
            ASSERT_LT(distance(totals.corners[i], corners[i]), 1e-5 * size) << "corner " << i;
        }
    }
}

}  // namespace
}  // namespace effigy::gltf_test
