/// Makes small actors and motions, and looks at their scenes.

#include "builders.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

namespace builders {

ActorFile& ActorFile::nodes(std::vector<xac::Node> list) {
    xac::Nodes record;
    record.nodes = std::move(list);
    return add(11, 1, std::move(record));
}

xac::Node node(std::string name, std::uint32_t parent, Vec3 position) {
    xac::Node result;
    result.name = std::move(name);
    result.parent = parent;
    result.position = position;
    return result;
}

Quat turn(Vec3 axis, double degrees) {
    const glm::dquat q = glm::angleAxis(glm::radians(degrees), glm::normalize(glm::dvec3(axis.x, axis.y, axis.z)));
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

xac::Mesh triangle(std::uint32_t node) {
    xac::Mesh mesh;
    mesh.node = node;
    mesh.vertex_count = mesh.original_vertex_count = mesh.index_count = 3;
    mesh.layers.push_back(layer<std::uint32_t>(xac::LayerType::original_vertex, {0, 1, 2}));
    mesh.layers.push_back(layer<Vec3>(xac::LayerType::position, {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}));
    mesh.layers.push_back(layer<Vec3>(xac::LayerType::normal, {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}));
    xac::Submesh submesh;
    submesh.vertex_count = 3;
    submesh.indices = {0, 1, 2};
    mesh.submeshes.push_back(std::move(submesh));
    return mesh;
}

xac::Skinning skinning(std::uint32_t node, const std::vector<std::vector<xac::Influence>>& vertices) {
    xac::Skinning result;
    result.node = node;
    for (const auto& vertex : vertices) {
        result.ranges.push_back(
            {static_cast<std::uint32_t>(result.influences.size()), static_cast<std::uint32_t>(vertex.size())});
        result.influences.insert(result.influences.end(), vertex.begin(), vertex.end());
    }
    return result;
}

xac::Influence influence(float weight, std::uint16_t node) { return {weight, node, {}}; }

xsm::Submotion submotion(std::string node) {
    xsm::Submotion result;
    result.node_name = std::move(node);
    return result;
}

xsm::File motion(std::vector<xsm::Submotion> submotions, std::uint8_t multiplication_order) {
    xsm::File file;
    file.header.multiplication_order = multiplication_order;
    xsm::Submotions record;
    record.submotions = std::move(submotions);
    file.chunks.push_back({202, 1, std::nullopt, std::move(record), {}});
    return file;
}

xpm::File morph_motion(std::vector<xpm::Submotion> submotions) {
    xpm::File file;
    xpm::Submotions record;
    record.submotions = std::move(submotions);
    file.chunks.push_back({102, 1, std::nullopt, std::move(record), {}});
    return file;
}

Loaded<Scene> convert(emfx::SceneInput input, const emfx::SceneOptions& options) {
    auto result = emfx::to_scene(std::move(input), options);
    EXPECT_TRUE(result) << to_string(result.error());
    if (!result) return {};
    return std::move(*result);
}

emfx::SceneInput input(ActorFile actor) {
    emfx::SceneInput files;
    files.actors.push_back({{"actor", 0, {}}, std::move(actor.file)});
    return files;
}

Loaded<Scene> convert(ActorFile actor, const emfx::SceneOptions& options) {
    return convert(input(std::move(actor)), options);
}

Loaded<Scene> convert(ActorFile actor, xsm::File motion, const emfx::SceneOptions& options) {
    emfx::SceneInput files = input(std::move(actor));
    files.motions.push_back({{"motion", 0, {}}, std::move(motion), {}});
    return convert(std::move(files), options);
}

Index find(const Scene& scene, const std::string& name) {
    const auto found =
        std::find_if(scene.nodes.begin(), scene.nodes.end(), [&](const Node& node) { return node.name == name; });
    EXPECT_NE(found, scene.nodes.end()) << name;
    return found == scene.nodes.end() ? 0 : static_cast<Index>(found - scene.nodes.begin());
}

const Attribute* find(const Mesh& mesh, Semantic semantic, std::uint32_t set) {
    const auto found = std::find_if(mesh.attributes.begin(), mesh.attributes.end(), [&](const Attribute& attribute) {
        return attribute.semantic == semantic && attribute.set == set;
    });
    return found == mesh.attributes.end() ? nullptr : &*found;
}

const Attribute* find_custom(const Mesh& mesh, const std::string& name) {
    const auto found = std::find_if(mesh.attributes.begin(), mesh.attributes.end(),
                                    [&](const Attribute& attribute) { return attribute.custom_name == name; });
    return found == mesh.attributes.end() ? nullptr : &*found;
}

const Track* find(const Clip& clip, Index node, TrackPath path) {
    const auto found = std::find_if(clip.tracks.begin(), clip.tracks.end(),
                                    [&](const Track& track) { return track.node == node && track.path == path; });
    return found == clip.tracks.end() ? nullptr : &*found;
}

namespace {

struct Local {
    glm::dvec3 translation;
    glm::dquat rotation;
    glm::dvec3 scale;

    explicit Local(const Transform& transform)
        : translation(transform.translation.x, transform.translation.y, transform.translation.z),
          rotation(transform.rotation.w, transform.rotation.x, transform.rotation.y, transform.rotation.z),
          scale(transform.scale.x, transform.scale.y, transform.scale.z) {}

    [[nodiscard]] glm::dmat4 matrix() const {
        return glm::translate(glm::dmat4(1), translation) * glm::mat4_cast(rotation) * glm::scale(glm::dmat4(1), scale);
    }
};

glm::dvec4 at(const Track& track, float time) {
    const std::size_t width = track.path == TrackPath::rotation ? 4 : 3;
    const auto key = [&](std::size_t i) {
        glm::dvec4 value(0);
        for (std::size_t k = 0; k < width; ++k) value[static_cast<int>(k)] = track.values[i * width + k];
        return value;
    };
    std::size_t next = 0;
    while (next < track.times.size() && track.times[next] <= time) ++next;
    if (next == 0) return key(0);
    if (next == track.times.size() || track.interpolation == Interpolation::step) return key(next - 1);
    const double part = (static_cast<double>(time) - track.times[next - 1]) /
                        (static_cast<double>(track.times[next]) - track.times[next - 1]);
    const glm::dvec4 a = key(next - 1);
    const glm::dvec4 b = key(next);
    if (track.path != TrackPath::rotation) return glm::mix(a, b, part);
    const glm::dquat q = glm::slerp(glm::dquat(a.w, a.x, a.y, a.z), glm::dquat(b.w, b.x, b.y, b.z), part);
    return {q.x, q.y, q.z, q.w};
}

}  // namespace

glm::dmat4 world(const Scene& scene, Index node) {
    const glm::dmat4 local = Local(scene.nodes[node].local).matrix();
    const Index parent = scene.nodes[node].parent;
    return parent == no_index ? local : world(scene, parent) * local;
}

glm::dmat4 world(const Scene& scene, const Clip& clip, Index node, float time) {
    Local local(scene.nodes[node].local);
    if (const Track* track = find(clip, node, TrackPath::translation)) local.translation = at(*track, time);
    if (const Track* track = find(clip, node, TrackPath::scale)) local.scale = at(*track, time);
    if (const Track* track = find(clip, node, TrackPath::rotation)) {
        const glm::dvec4 q = at(*track, time);
        local.rotation = glm::dquat(q.w, q.x, q.y, q.z);
    }
    const Index parent = scene.nodes[node].parent;
    return parent == no_index ? local.matrix() : world(scene, clip, parent, time) * local.matrix();
}

double difference(const glm::dmat4& a, const glm::dmat4& b) {
    double largest = 0;
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) largest = std::max(largest, std::abs(a[column][row] - b[column][row]));
    }
    return largest;
}

glm::dmat4 expected_local(const xac::Node& node, int multiplication_order) {
    const auto rows = [](Quat q) {  // what turns a row vector is the transpose of what turns a column vector
        return glm::transpose(glm::mat3_cast(glm::normalize(glm::dquat(q.w, q.x, q.y, q.z))));
    };
    const glm::dmat3 rotation = rows(node.rotation);
    const glm::dmat3 frame = rows(node.scale_rotation);
    const glm::dmat3 scale(node.scale.x, 0, 0, 0, node.scale.y, 0, 0, 0, node.scale.z);
    // Row vectors go through the factors from left to right; in memory, glm multiplies columns: a * b for rows is
    // written b * a with the transposed matrices. So all is done with transposes, and turned back at the end.
    const auto then = [](const glm::dmat3& first, const glm::dmat3& second) {
        return glm::transpose(glm::transpose(second) * glm::transpose(first));
    };
    const glm::dmat3 stretch = then(then(glm::transpose(frame), scale), frame);
    const glm::dmat3 row_matrix = multiplication_order == 0 ? then(stretch, rotation) : then(rotation, stretch);
    glm::dmat4 local(glm::transpose(row_matrix));
    local[3] = glm::dvec4(node.position.x, node.position.y, node.position.z, 1);
    const glm::dmat4 mirror = glm::scale(glm::dmat4(1), glm::dvec3(1, 1, -1));
    return mirror * local * mirror;
}

std::vector<float> values(const Bulk<float>& list) { return {list.begin(), list.end()}; }

}  // namespace builders
