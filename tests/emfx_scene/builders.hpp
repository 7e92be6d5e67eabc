#pragma once
/// Small actors and motions made in memory, and ways of looking at the scenes that they become.

#include <cstring>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <string>
#include <vector>

#include "effigy/emfx_scene.hpp"

namespace builders {

using namespace effigy;

template <class T>
Bytes raw(const std::vector<T>& values) {
    Bytes bytes(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

template <class T>
xac::VertexLayer layer(xac::LayerType type, const std::vector<T>& values) {
    xac::VertexLayer result;
    result.type = type;
    result.element_size = sizeof(T);
    result.data = raw(values);
    return result;
}

/// A file in the making: chunks are added in order.
struct ActorFile {
    xac::File file;

    explicit ActorFile(std::uint8_t multiplication_order = 0) {
        file.header.multiplication_order = multiplication_order;
    }
    template <class Record>
    ActorFile& add(std::uint32_t id, std::uint32_t version, Record record) {
        file.chunks.push_back({id, version, std::nullopt, std::move(record), {}});
        return *this;
    }
    ActorFile& nodes(std::vector<xac::Node> list);
    ActorFile& mesh(xac::Mesh mesh) { return add(1, 1, std::move(mesh)); }
    ActorFile& skinning(xac::Skinning skinning) { return add(2, 3, std::move(skinning)); }
};

[[nodiscard]] xac::Node node(std::string name, std::uint32_t parent = xac::no_node, Vec3 position = {});
/// A quarter turn about an axis, or a part of it.
[[nodiscard]] Quat turn(Vec3 axis, double degrees);

/// One triangle (0,0,1) (1,0,1) (0,1,1), counter-clockwise by its numbers, on `node`.
[[nodiscard]] xac::Mesh triangle(std::uint32_t node);
/// Influences of three original vertices.
[[nodiscard]] xac::Skinning skinning(std::uint32_t node, const std::vector<std::vector<xac::Influence>>& vertices);
[[nodiscard]] xac::Influence influence(float weight, std::uint16_t node);

[[nodiscard]] xsm::Submotion submotion(std::string node);
[[nodiscard]] xsm::File motion(std::vector<xsm::Submotion> submotions, std::uint8_t multiplication_order = 0);
[[nodiscard]] xpm::File morph_motion(std::vector<xpm::Submotion> submotions);

/// Converts, and fails the test if that fails.
[[nodiscard]] Loaded<Scene> convert(emfx::SceneInput input, const emfx::SceneOptions& options = {});
[[nodiscard]] Loaded<Scene> convert(ActorFile actor, const emfx::SceneOptions& options = {});
[[nodiscard]] Loaded<Scene> convert(ActorFile actor, xsm::File motion, const emfx::SceneOptions& options = {});
[[nodiscard]] emfx::SceneInput input(ActorFile actor);

/// The node of that name; fails the test if there is none.
[[nodiscard]] Index find(const Scene& scene, const std::string& name);
[[nodiscard]] const Attribute* find(const Mesh& mesh, Semantic semantic, std::uint32_t set = 0);
[[nodiscard]] const Attribute* find_custom(const Mesh& mesh, const std::string& name);
[[nodiscard]] const Track* find(const Clip& clip, Index node, TrackPath path);
/// Rest transform in the scene.
[[nodiscard]] glm::dmat4 world(const Scene& scene, Index node);
/// Transform at a time of a clip; linear between keys, rotations by slerp.
[[nodiscard]] glm::dmat4 world(const Scene& scene, const Clip& clip, Index node, float time);
[[nodiscard]] double difference(const glm::dmat4& a, const glm::dmat4& b);
/// Row-vector transform of a file's node, as the format's description has it, mirrored into the scene's frame.
[[nodiscard]] glm::dmat4 expected_local(const xac::Node& node, int multiplication_order);
[[nodiscard]] std::vector<float> values(const Bulk<float>& list);

}  // namespace builders
