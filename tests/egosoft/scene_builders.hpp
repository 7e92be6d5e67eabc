#pragma once
/// Small meshes, animations and components made in memory, and ways of looking at the scenes that they become.

#include <cstring>
#include <filesystem>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <string>
#include <vector>

#include "effigy/egosoft_scene.hpp"

#include "temporary_folder.hpp"

namespace builders {

using namespace effigy;

/// Bytes of vertices, one value after the other.
class VertexBytes {
public:
    template <class... T>
    VertexBytes& add(T... values) {
        (append(values), ...);
        return *this;
    }
    [[nodiscard]] const Bytes& bytes() const { return bytes_; }

private:
    template <class T>
    void append(T value) {
        const auto* from = reinterpret_cast<const std::byte*>(&value);
        bytes_.insert(bytes_.end(), from, from + sizeof value);
    }
    Bytes bytes_;
};

/// Red, green, blue and alpha as D3DCOLOR stores them.
struct Bgra {
    std::uint8_t b, g, r, a;
};
[[nodiscard]] inline Bgra color(int r, int g, int b, int a) {
    const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
    return {byte(b), byte(g), byte(r), byte(a)};
}

[[nodiscard]] xmf::Element element(xmf::ElementType type, xmf::Usage usage, int index = 0);
/// A buffer of vertices with explicit elements; as many vertices as there are bytes for.
[[nodiscard]] xmf::Buffer vertices(const std::vector<xmf::Element>& elements, const VertexBytes& content);
/// A stream of one implicit element.
[[nodiscard]] xmf::Buffer stream(std::uint32_t kind, xmf::ElementType type, const VertexBytes& content,
                                 std::uint32_t usage_index = 0);
[[nodiscard]] xmf::Buffer indices(const std::vector<std::uint32_t>& values, std::uint32_t width = 2);
[[nodiscard]] xmf::Material material(const std::string& name, std::uint32_t first, std::uint32_t count);
/// A quad of two triangles with one position stream: (0,0,0) (1,0,0) (0,2,0) (1,2,3).
[[nodiscard]] xmf::File quad();
[[nodiscard]] xmf::File file(std::vector<xmf::Buffer> buffers, std::vector<xmf::Material> materials = {});

[[nodiscard]] ani::Key key(float time, Vec3 value, ani::Interpolation interpolation = ani::Interpolation::linear);
/// Handles of all axes at thirds of the intervals beside the key.
[[nodiscard]] ani::Key bezier_key(float time, Vec3 value, Vec3 out, Vec3 in, float before, float after);
[[nodiscard]] ani::Animation animation(const std::string& part, const std::string& state, float duration = 1);
[[nodiscard]] ani::File animations(std::vector<ani::Animation> list);

[[nodiscard]] egosoft::Part part(const std::string& name);
[[nodiscard]] egosoft::Connection connection(const std::string& name, Vec3 position,
                                             std::vector<egosoft::Part> parts = {}, const std::string& parent = {});
[[nodiscard]] egosoft::ComponentInput component(std::vector<egosoft::Connection> connections);
[[nodiscard]] egosoft::MeshInput mesh(const std::string& stem, xmf::File file = quad());
[[nodiscard]] egosoft::AnimationInput motion(ani::File file);

/// Converts, and fails the test if that fails.
[[nodiscard]] Loaded<Scene> convert(egosoft::SceneInput input, const egosoft::SceneOptions& options = {});
[[nodiscard]] Loaded<Scene> convert(xmf::File file, const egosoft::SceneOptions& options = {});
/// The animations alone.
[[nodiscard]] Loaded<Scene> convert(ani::File file, const egosoft::SceneOptions& options = {});

/// As the glTF reader does where every hash still fits.
void leave_untouched(Scene& scene);
/// As other tools leave a scene.
void forget_extras(Scene& scene);

/// The node of that name; fails the test if there is none.
[[nodiscard]] Index find(const Scene& scene, const std::string& name);
[[nodiscard]] bool has(const Scene& scene, const std::string& name);
[[nodiscard]] const Attribute* find(const Mesh& mesh, Semantic semantic, std::uint32_t set = 0);
[[nodiscard]] const Attribute* find_custom(const Mesh& mesh, const std::string& name);
[[nodiscard]] const Clip* find_clip(const Scene& scene, const std::string& name);
[[nodiscard]] const Track* find(const Clip& clip, Index node, TrackPath path);
[[nodiscard]] std::vector<Vec3> points(const Attribute& attribute);
[[nodiscard]] glm::dmat4 world(const Scene& scene, Index node);
/// The values of a track at a time, as glTF 2.0 defines them.
[[nodiscard]] std::vector<double> sample(const Track& track, double time);

class Folder : public effigy::test::TemporaryFolder {
public:
    using TemporaryFolder::write;
    void write(const std::string& path, const xmf::File& file) const;
};

}  // namespace builders
