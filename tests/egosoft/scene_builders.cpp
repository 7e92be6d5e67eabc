/// Makes small meshes, animations and components, and looks at their scenes.

#include "egosoft/scene_builders.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <stdexcept>
#include <stdlib.h>

#include "effigy/hashes.hpp"

namespace builders {

xmf::Element element(xmf::ElementType type, xmf::Usage usage, int index) {
    xmf::Element result;
    result.type = type;
    result.usage = usage;
    result.usage_index = static_cast<std::uint8_t>(index);
    return result;
}

xmf::Buffer vertices(const std::vector<xmf::Element>& elements, const VertexBytes& content) {
    xmf::Buffer buffer;
    buffer.format = 32;
    buffer.element_count = static_cast<std::uint32_t>(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
        buffer.elements[i] = elements[i];
        buffer.item_size += xmf::size_of(elements[i].type);
    }
    buffer.content = content.bytes();
    buffer.item_count = static_cast<std::uint32_t>(buffer.content.size() / buffer.item_size);
    return buffer;
}

xmf::Buffer stream(std::uint32_t kind, xmf::ElementType type, const VertexBytes& content, std::uint32_t usage_index) {
    xmf::Buffer buffer;
    buffer.kind = kind;
    buffer.usage_index = usage_index;
    buffer.format = static_cast<std::uint32_t>(type);
    buffer.item_size = xmf::size_of(type);
    buffer.content = content.bytes();
    buffer.item_count = static_cast<std::uint32_t>(buffer.content.size() / buffer.item_size);
    return buffer;
}

xmf::Buffer indices(const std::vector<std::uint32_t>& values, std::uint32_t width) {
    VertexBytes content;
    for (const std::uint32_t value : values) {
        if (width == 2) {
            content.add(static_cast<std::uint16_t>(value));
        } else {
            content.add(value);
        }
    }
    xmf::Buffer buffer;
    buffer.kind = xmf::index_buffer_kind;
    buffer.format = width == 2 ? xmf::index_format_16 : xmf::index_format_32;
    buffer.item_size = width;
    buffer.item_count = static_cast<std::uint32_t>(values.size());
    buffer.content = content.bytes();
    return buffer;
}

xmf::Material material(const std::string& name, std::uint32_t first, std::uint32_t count) {
    xmf::Material result;
    result.first_index = first;
    result.index_count = count;
    std::copy(name.begin(), name.end(), result.name.begin());
    return result;
}

xmf::File file(std::vector<xmf::Buffer> buffers, std::vector<xmf::Material> materials) {
    xmf::File result;
    result.buffers = std::move(buffers);
    result.materials = std::move(materials);
    return result;
}

xmf::File quad() {
    VertexBytes positions;
    positions.add(0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 2.f, 0.f, 1.f, 2.f, 3.f);
    return file({stream(0, xmf::ElementType::float3, positions), indices({0, 1, 2, 2, 1, 3}, 4)});
}

ani::Key key(float time, Vec3 value, ani::Interpolation interpolation) {
    ani::Key result;
    result.time = time;
    result.value = value;
    result.interpolation = {interpolation, interpolation, interpolation};
    return result;
}

ani::Key bezier_key(float time, Vec3 value, Vec3 out, Vec3 in, float before, float after) {
    ani::Key result = key(time, value, ani::Interpolation::bezier);
    const std::array outs{out.x, out.y, out.z}, ins{in.x, in.y, in.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        result.handles[axis][0] = {time + after / 3, outs[axis]};
        result.handles[axis][1] = {time - before / 3, ins[axis]};
    }
    return result;
}

ani::Animation animation(const std::string& part, const std::string& state, float duration) {
    ani::Animation result;
    std::copy(part.begin(), part.end(), result.part.begin());
    std::copy(state.begin(), state.end(), result.state.begin());
    result.duration = duration;
    return result;
}

ani::File animations(std::vector<ani::Animation> list) {
    ani::File result;
    result.animations = std::move(list);
    return result;
}

egosoft::Part part(const std::string& name) {
    egosoft::Part result;
    result.name = name;
    return result;
}

egosoft::Connection connection(const std::string& name, Vec3 position, std::vector<egosoft::Part> parts,
                               const std::string& parent) {
    egosoft::Connection result;
    result.name = name;
    result.parent = parent;
    result.offset.position = position;
    result.parts = std::move(parts);
    return result;
}

egosoft::ComponentInput component(std::vector<egosoft::Connection> connections) {
    egosoft::ComponentInput result;
    result.source.stem = "ship_x";
    egosoft::Component& one = result.file.components.emplace_back();
    one.name = "ship_x";
    one.class_name = "ship_s";
    one.geometry = "assets\\units\\ship_x_data";
    one.connections = std::move(connections);
    return result;
}

egosoft::MeshInput mesh(const std::string& stem, xmf::File file) { return {{stem, 0, {}}, std::move(file)}; }

egosoft::AnimationInput motion(ani::File file) { return {{"ship_x_data", 0, {}}, std::move(file)}; }

Loaded<Scene> convert(egosoft::SceneInput input, const egosoft::SceneOptions& options) {
    auto loaded = egosoft::to_scene(std::move(input), options);
    if (!loaded) throw std::runtime_error(to_string(loaded.error()));
    return std::move(*loaded);
}

Loaded<Scene> convert(xmf::File file, const egosoft::SceneOptions& options) {
    egosoft::SceneInput input;
    input.meshes.push_back(mesh("part_main-lod0", std::move(file)));
    return convert(std::move(input), options);
}

Loaded<Scene> convert(ani::File file, const egosoft::SceneOptions& options) {
    egosoft::SceneInput input;
    input.animations.push_back(motion(std::move(file)));
    return convert(std::move(input), options);
}

bool has(const Scene& scene, const std::string& name) {
    return std::any_of(scene.nodes.begin(), scene.nodes.end(), [&](const Node& node) { return node.name == name; });
}

namespace {

template <class Use>
void for_each_extras(Scene& scene, Use use) {
    const auto each = [&](auto& list) {
        for (auto& one : list) use(one.extras);
    };
    each(scene.nodes);
    each(scene.meshes);
    each(scene.skins);
    each(scene.materials);
    each(scene.lights);
    each(scene.clips);
    use(scene.asset_extras);
}

}  // namespace

void leave_untouched(Scene& scene) { set_hashes(scene); }
void forget_extras(Scene& scene) {
    for_each_extras(scene, [](Extras& extras) { extras = {}; });
}

Index find(const Scene& scene, const std::string& name) {
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].name == name) return static_cast<Index>(i);
    }
    throw std::runtime_error("no node " + name);
}

const Attribute* find(const Mesh& mesh, Semantic semantic, std::uint32_t set) {
    for (const Attribute& attribute : mesh.attributes) {
        if (attribute.semantic == semantic && attribute.set == set) return &attribute;
    }
    return nullptr;
}

const Attribute* find_custom(const Mesh& mesh, const std::string& name) {
    for (const Attribute& attribute : mesh.attributes) {
        if (attribute.semantic == Semantic::custom && attribute.custom_name == name) return &attribute;
    }
    return nullptr;
}

const Clip* find_clip(const Scene& scene, const std::string& name) {
    for (const Clip& clip : scene.clips) {
        if (clip.name == name) return &clip;
    }
    return nullptr;
}

const Track* find(const Clip& clip, Index node, TrackPath path) {
    for (const Track& track : clip.tracks) {
        if (track.node == node && track.path == path) return &track;
    }
    return nullptr;
}

std::vector<Vec3> points(const Attribute& attribute) {
    const auto values = attribute.data.as<Vec3>();
    return {values.begin(), values.end()};
}

glm::dmat4 world(const Scene& scene, Index node) {
    glm::dmat4 result(1);
    for (; node != no_index; node = scene.nodes[node].parent) {
        const Transform& local = scene.nodes[node].local;
        glm::dmat4 here(1);
        here[3] = glm::dvec4(local.translation.x, local.translation.y, local.translation.z, 1);
        here *= glm::dmat4(
            glm::mat4_cast(glm::dquat(local.rotation.w, local.rotation.x, local.rotation.y, local.rotation.z)));
        here *= glm::dmat4(glm::dvec4(local.scale.x, 0, 0, 0), glm::dvec4(0, local.scale.y, 0, 0),
                           glm::dvec4(0, 0, local.scale.z, 0), glm::dvec4(0, 0, 0, 1));
        result = here * result;
    }
    return result;
}

std::vector<double> sample(const Track& track, double time) {
    const bool cubic = track.interpolation == Interpolation::cubic_spline;
    const std::size_t width = track.values.size() / track.times.size() / (cubic ? 3 : 1);
    const auto at = [&](std::size_t k, std::size_t group) {
        std::vector<double> values;
        for (std::size_t i = 0; i < width; ++i) {
            values.push_back(static_cast<double>(track.values[(k * (cubic ? 3 : 1) + group) * width + i]));
        }
        return values;
    };
    std::size_t next = 0;
    while (next < track.times.size() && static_cast<double>(track.times[next]) <= time) ++next;
    const std::size_t middle = cubic ? 1 : 0;
    if (next == 0) return at(0, middle);
    if (next == track.times.size() || track.interpolation == Interpolation::step) return at(next - 1, middle);
    const double t0 = static_cast<double>(track.times[next - 1]), t1 = static_cast<double>(track.times[next]);
    const double length = t1 - t0, u = (time - t0) / length;
    std::vector<double> a = at(next - 1, middle), b = at(next, middle);
    if (cubic) {
        const std::vector<double> out = at(next - 1, 2), in = at(next, 0);
        for (std::size_t i = 0; i < width; ++i) {
            a[i] = (2 * u * u * u - 3 * u * u + 1) * a[i] + length * (u * u * u - 2 * u * u + u) * out[i] +
                   (-2 * u * u * u + 3 * u * u) * b[i] + length * (u * u * u - u * u) * in[i];
        }
        return a;
    }
    if (track.path == TrackPath::rotation) {
        const glm::dquat q = glm::slerp(glm::dquat(a[3], a[0], a[1], a[2]), glm::dquat(b[3], b[0], b[1], b[2]), u);
        return {q.x, q.y, q.z, q.w};
    }
    for (std::size_t i = 0; i < width; ++i) a[i] += (b[i] - a[i]) * u;
    return a;
}

void Folder::write(const std::string& path, const xmf::File& file) const {
    std::filesystem::create_directories((*this / path).parent_path());
    WriteOptions options;
    options.normalize = true;
    const auto written = xmf::write_file(file, *this / path, options);
    if (!written) throw std::runtime_error(to_string(written.error()));
}

}  // namespace builders
