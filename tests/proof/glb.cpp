/// Reads .glb in double precision.

#include "proof/glb.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <stdexcept>

namespace glb {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& why) { throw std::runtime_error("glb: " + why); }

template <class T>
T load(std::span<const std::byte> bytes, std::size_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) refuse("out of the buffer");
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

double component(std::span<const std::byte> bytes, std::size_t offset, int type, bool normalized) {
    const auto scaled = [&](double value, double largest) {
        return normalized ? std::max(value / largest, -1.0) : value;
    };
    switch (type) {
        case 5120:
            return scaled(load<std::int8_t>(bytes, offset), 127);
        case 5121:
            return scaled(load<std::uint8_t>(bytes, offset), 255);
        case 5122:
            return scaled(load<std::int16_t>(bytes, offset), 32767);
        case 5123:
            return scaled(load<std::uint16_t>(bytes, offset), 65535);
        case 5125:
            return load<std::uint32_t>(bytes, offset);
        case 5126:
            return static_cast<double>(load<float>(bytes, offset));
        default:
            refuse("component type");
    }
}

std::size_t component_size(int type) { return type <= 5121 ? 1 : type <= 5123 ? 2 : 4; }

std::size_t width_of(const std::string& type) {
    if (type == "SCALAR") return 1;
    if (type == "MAT4") return 16;
    if (type.starts_with("VEC")) return static_cast<std::size_t>(type.at(3) - '0');
    refuse("element type " + type);
}

/// Accessors as plain numbers.
class Accessors {
public:
    Accessors(const Json& json, std::span<const std::byte> binary) : json_(json), binary_(binary) {}

    [[nodiscard]] std::vector<double> numbers(std::size_t index) const {
        const Json& accessor = json_.at("accessors").at(index);
        const std::size_t width = width_of(accessor.at("type")), count = accessor.at("count");
        const int type = accessor.at("componentType");
        const bool normalized = accessor.value("normalized", false);
        std::vector<double> result(count * width);
        if (accessor.contains("bufferView"))
            result = block(accessor.at("bufferView"), accessor.value("byteOffset", std::size_t{0}), type, normalized,
                           width, count);
        if (accessor.contains("sparse")) {
            const Json& sparse = accessor.at("sparse");
            const Json& at = sparse.at("indices");
            const Json& what = sparse.at("values");
            const std::size_t some = sparse.at("count");
            const auto places = block(at.at("bufferView"), at.value("byteOffset", std::size_t{0}),
                                      at.at("componentType"), false, 1, some);
            const auto values =
                block(what.at("bufferView"), what.value("byteOffset", std::size_t{0}), type, normalized, width, some);
            for (std::size_t i = 0; i < some; ++i)
                for (std::size_t c = 0; c < width; ++c)
                    result.at(static_cast<std::size_t>(places[i]) * width + c) = values[i * width + c];
        }
        return result;
    }

    /// As a list of glm vectors (or numbers).
    template <class T>
    [[nodiscard]] std::vector<T> list(std::size_t index) const {
        const std::vector<double> raw = numbers(index);
        std::vector<T> result(raw.size() * sizeof(double) / sizeof(T));
        if (result.size() * sizeof(T) != raw.size() * sizeof(double)) refuse("accessor of another element type");
        if (!raw.empty()) std::memcpy(static_cast<void*>(result.data()), raw.data(), raw.size() * sizeof(double));
        return result;
    }

    [[nodiscard]] std::size_t width(std::size_t index) const {
        return width_of(json_.at("accessors").at(index).at("type"));
    }

private:
    [[nodiscard]] std::vector<double> block(std::size_t view_index, std::size_t offset, int type, bool normalized,
                                            std::size_t width, std::size_t count) const {
        const Json& view = json_.at("bufferViews").at(view_index);
        const std::size_t start = view.value("byteOffset", std::size_t{0}), length = view.at("byteLength");
        if (start > binary_.size() || binary_.size() - start < length) refuse("buffer view beyond the buffer");
        const std::span<const std::byte> bytes = binary_.subspan(start, length);
        const std::size_t stride = view.value("byteStride", width * component_size(type));
        std::vector<double> result(count * width);
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t c = 0; c < width; ++c)
                result[i * width + c] =
                    component(bytes, offset + i * stride + c * component_size(type), type, normalized);
        return result;
    }

    const Json& json_;
    std::span<const std::byte> binary_;
};

template <class T>
std::vector<T> member(const Json& object, const char* name) {
    return object.contains(name) ? object.at(name).get<std::vector<T>>() : std::vector<T>{};
}

const Json& array_of(const Json& object, const char* name) {
    static const Json nothing = Json::array();
    return object.contains(name) ? object.at(name) : nothing;
}

Node read_node(const Json& json) {
    Node node;
    node.name = json.value("name", "");
    node.children = member<int>(json, "children");
    node.mesh = json.value("mesh", none);
    node.skin = json.value("skin", none);
    node.weights = member<double>(json, "weights");
    if (const auto m = member<double>(json, "matrix"); m.size() == 16) {
        node.matrix.emplace();
        for (int i = 0; i < 16; ++i) (*node.matrix)[i / 4][i % 4] = m[static_cast<std::size_t>(i)];
    }
    if (const auto t = member<double>(json, "translation"); t.size() == 3) node.translation = {t[0], t[1], t[2]};
    if (const auto r = member<double>(json, "rotation"); r.size() == 4) node.rotation = Quat(r[3], r[0], r[1], r[2]);
    if (const auto s = member<double>(json, "scale"); s.size() == 3) node.scale = {s[0], s[1], s[2]};
    if (const Json& extensions = array_of(json, "extensions"); extensions.contains("MSFT_lod"))
        node.lods = extensions.at("MSFT_lod").at("ids").get<std::vector<int>>();
    return node;
}

void read_influences(const Json& attributes, const Accessors& accessors, Primitive& primitive) {
    primitive.influences.resize(primitive.positions.size());
    for (int set = 0; attributes.contains("JOINTS_" + std::to_string(set)); ++set) {
        const auto joints = accessors.list<Vec4>(attributes.at("JOINTS_" + std::to_string(set)));
        const auto weights = accessors.list<Vec4>(attributes.at("WEIGHTS_" + std::to_string(set)));
        for (std::size_t v = 0; v < joints.size(); ++v)
            for (int c = 0; c < 4; ++c)
                if (weights.at(v)[c] != 0)
                    primitive.influences.at(v).push_back({static_cast<int>(joints[v][c]), weights[v][c]});
    }
}

/// Three numbers or four.
std::vector<std::vector<Vec4>> read_colors(const Json& attributes, const Accessors& accessors) {
    std::vector<std::vector<Vec4>> sets;
    for (std::string name = "COLOR_0"; attributes.contains(name); name = "COLOR_" + std::to_string(sets.size())) {
        const std::vector<double> numbers = accessors.numbers(attributes.at(name));
        const std::size_t width = accessors.width(attributes.at(name));
        std::vector<Vec4>& colors = sets.emplace_back();
        for (std::size_t i = 0; i < numbers.size(); i += width)
            colors.emplace_back(numbers[i], numbers.at(i + 1), numbers.at(i + 2), width == 4 ? numbers.at(i + 3) : 1.0);
    }
    return sets;
}

Primitive read_primitive(const Json& json, const Accessors& accessors) {
    Primitive primitive;
    if (json.value("mode", 4) != 4) refuse("a primitive that is not triangles");
    const Json& attributes = json.at("attributes");
    const auto numbered = [&](const std::string& name, auto& sets) {
        for (std::size_t set = sets.size(); attributes.contains(name + std::to_string(set)); ++set)
            sets.push_back(accessors.list<typename std::decay_t<decltype(sets)>::value_type::value_type>(
                attributes.at(name + std::to_string(set))));
    };
    primitive.positions = accessors.list<Vec3>(attributes.at("POSITION"));
    if (attributes.contains("NORMAL")) primitive.normals = accessors.list<Vec3>(attributes.at("NORMAL"));
    if (attributes.contains("TANGENT")) primitive.tangents.push_back(accessors.list<Vec4>(attributes.at("TANGENT")));
    if (!primitive.tangents.empty()) numbered("_TANGENT_", primitive.tangents);
    numbered("TEXCOORD_", primitive.uvs);
    primitive.colors = read_colors(attributes, accessors);
    primitive.material = json.value("material", none);
    read_influences(attributes, accessors, primitive);
    if (json.contains("indices")) {
        for (const double index : accessors.numbers(json.at("indices")))
            primitive.indices.push_back(static_cast<std::uint32_t>(index));
    } else {
        for (std::size_t i = 0; i < primitive.positions.size(); ++i)
            primitive.indices.push_back(static_cast<std::uint32_t>(i));
    }
    for (const Json& offsets : array_of(json, "targets")) {
        Target& target = primitive.targets.emplace_back();
        if (offsets.contains("POSITION")) target.positions = accessors.list<Vec3>(offsets.at("POSITION"));
        if (offsets.contains("NORMAL")) target.normals = accessors.list<Vec3>(offsets.at("NORMAL"));
        if (offsets.contains("TANGENT")) target.tangents = accessors.list<Vec3>(offsets.at("TANGENT"));
    }
    return primitive;
}

Animation read_animation(const Json& json, const Accessors& accessors) {
    Animation animation;
    animation.name = json.value("name", "");
    for (const Json& one : json.at("channels")) {
        const Json& sampler = json.at("samplers").at(one.at("sampler").get<std::size_t>());
        const std::string interpolation = sampler.value("interpolation", "LINEAR");
        if (interpolation != "LINEAR" && interpolation != "STEP" && interpolation != "CUBICSPLINE")
            refuse("interpolation " + interpolation);
        const std::string path = one.at("target").at("path");
        Channel& channel = animation.channels.emplace_back();
        channel.node = one.at("target").at("node");
        channel.path = path == "translation" ? Path::translation
                       : path == "rotation"  ? Path::rotation
                       : path == "scale"     ? Path::scale
                                             : Path::weights;
        channel.step = interpolation == "STEP";
        channel.cubic = interpolation == "CUBICSPLINE";
        channel.times = accessors.numbers(sampler.at("input"));
        channel.values = accessors.numbers(sampler.at("output"));
        if (channel.times.empty()) refuse("a channel without times");
        const std::size_t keys = channel.times.size() * (channel.cubic ? 3 : 1);
        channel.width = channel.values.size() / keys;
        if (channel.width * keys != channel.values.size()) refuse("a channel of uneven values");
    }
    return animation;
}

std::vector<std::vector<std::byte>> read_images(const Json& json, std::span<const std::byte> binary) {
    std::vector<std::vector<std::byte>> images;
    for (const Json& image : array_of(json, "images")) {
        std::vector<std::byte>& bytes = images.emplace_back();
        if (!image.contains("bufferView")) continue;
        const Json& view = json.at("bufferViews").at(image.at("bufferView").get<std::size_t>());
        const std::size_t start = view.value("byteOffset", std::size_t{0}), length = view.at("byteLength");
        if (start > binary.size() || binary.size() - start < length) refuse("an image beyond the buffer");
        const auto part = binary.subspan(start, length);
        bytes.assign(part.begin(), part.end());
    }
    return images;
}

void link_nodes(Document& document) {
    std::vector<Node>& nodes = document.nodes;
    const auto at = [&](int index) -> Node& { return nodes.at(static_cast<std::size_t>(index)); };
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (const int child : nodes[i].children) at(child).parent = static_cast<int>(i);
    if (document.json.contains("scenes")) {
        const std::size_t scene = document.json.value("scene", std::size_t{0});
        std::vector<int> open = member<int>(document.json.at("scenes").at(scene), "nodes");
        while (!open.empty()) {
            Node& node = at(open.back());
            open.pop_back();
            node.in_scene = true;
            open.insert(open.end(), node.children.begin(), node.children.end());
        }
    }
    // A level of detail is drawn in the place of the node that it replaces.
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (const int lod : nodes[i].lods) {
            if (at(lod).parent != none || nodes[i].parent == none) continue;
            at(lod).parent = nodes[i].parent;
            at(nodes[i].parent).children.push_back(lod);
        }
}

/// Between keys `i` and `i + 1` of a cubic spline.
std::vector<double> spline_at(const Channel& channel, std::size_t i, double part) {
    const double length = channel.times[i + 1] - channel.times[i];
    const double s = part * part, c = s * part;
    std::vector<double> value(channel.width);
    const auto number = [&](std::size_t key, std::size_t which, std::size_t n) {
        return channel.values.at((key * 3 + which) * channel.width + n);
    };
    for (std::size_t n = 0; n < value.size(); ++n)
        value[n] = (2 * c - 3 * s + 1) * number(i, 1, n) + length * (c - 2 * s + part) * number(i, 2, n) +
                   (3 * s - 2 * c) * number(i + 1, 1, n) + length * (c - s) * number(i + 1, 0, n);
    if (channel.path != Path::rotation) return value;
    const double norm = glm::length(Vec4(value[0], value[1], value[2], value[3]));
    for (double& n : value) n /= norm;
    return value;
}

/// The numbers of a channel at a time, clamped to its ends.
std::vector<double> value_at(const Channel& channel, double time) {
    const auto key = [&](std::size_t i) {
        const std::size_t place = channel.cubic ? i * 3 + 1 : i;
        const auto first = channel.values.begin() + static_cast<std::ptrdiff_t>(place * channel.width);
        return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(channel.width));
    };
    const auto after = std::ranges::upper_bound(channel.times, time);
    if (after == channel.times.begin()) return key(0);
    const auto next = static_cast<std::size_t>(std::distance(channel.times.begin(), after));
    if (after == channel.times.end() || channel.step) return key(next - 1);
    const double part = (time - channel.times[next - 1]) / (channel.times[next] - channel.times[next - 1]);
    if (channel.cubic) return spline_at(channel, next - 1, part);
    std::vector<double> a = key(next - 1);
    const std::vector<double> b = key(next);
    if (channel.path == Path::rotation) {
        const Quat q = glm::slerp(Quat(a[3], a[0], a[1], a[2]), Quat(b[3], b[0], b[1], b[2]), part);
        return {q.x, q.y, q.z, q.w};
    }
    for (std::size_t c = 0; c < a.size(); ++c) a[c] += (b[c] - a[c]) * part;
    return a;
}

Mat4 local_matrix(const Node& node) {
    if (node.matrix) return *node.matrix;
    Mat4 result(glm::mat3_cast(node.rotation) * glm::dmat3(node.scale.x, 0, 0, 0, node.scale.y, 0, 0, 0, node.scale.z));
    result[3] = Vec4(node.translation, 1);
    return result;
}

std::vector<Mat4> world_matrices(const std::vector<Node>& nodes) {
    std::vector<Mat4> world(nodes.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].parent == none) open.push_back(i);
    while (!open.empty()) {
        const std::size_t i = open.back();
        open.pop_back();
        const Mat4 own = local_matrix(nodes[i]);
        world[i] = nodes[i].parent == none ? own : world[static_cast<std::size_t>(nodes[i].parent)] * own;
        for (const int child : nodes[i].children) open.push_back(static_cast<std::size_t>(child));
    }
    return world;
}

}  // namespace

double Animation::duration() const {
    double end = 0;
    for (const Channel& channel : channels) end = std::max(end, channel.times.back());
    return end;
}

Document read(std::span<const std::byte> bytes) {
    if (load<std::uint32_t>(bytes, 0) != 0x46546c67 || load<std::uint32_t>(bytes, 4) != 2) refuse("no glTF 2.0 binary");
    const std::size_t json_size = load<std::uint32_t>(bytes, 12);
    if (load<std::uint32_t>(bytes, 8) != bytes.size() || json_size > bytes.size() - 20) refuse("wrong lengths");
    Document document;
    const auto* text = reinterpret_cast<const char*>(bytes.data()) + 20;
    document.json = Json::parse(text, text + json_size);
    std::span<const std::byte> binary;
    if (const std::size_t next = 20 + json_size; next < bytes.size())
        binary = bytes.subspan(next + 8, load<std::uint32_t>(bytes, next));

    const Accessors accessors(document.json, binary);
    for (const Json& node : array_of(document.json, "nodes")) document.nodes.push_back(read_node(node));
    for (const Json& one : array_of(document.json, "meshes")) {
        Mesh& mesh = document.meshes.emplace_back();
        mesh.weights = member<double>(one, "weights");
        if (const Json& extras = array_of(one, "extras"); extras.contains("targetNames"))
            mesh.target_names = extras.at("targetNames").get<std::vector<std::string>>();
        for (const Json& primitive : one.at("primitives"))
            mesh.primitives.push_back(read_primitive(primitive, accessors));
    }
    for (const Json& one : array_of(document.json, "skins")) {
        Skin& skin = document.skins.emplace_back();
        skin.joints = one.at("joints").get<std::vector<int>>();
        skin.inverse_bind.assign(skin.joints.size(), Mat4(1.0));
        if (one.contains("inverseBindMatrices"))
            skin.inverse_bind = accessors.list<Mat4>(one.at("inverseBindMatrices"));
    }
    for (const Json& one : array_of(document.json, "animations"))
        document.animations.push_back(read_animation(one, accessors));
    document.images = read_images(document.json, binary);
    link_nodes(document);
    for (Node& node : document.nodes)
        if (node.weights.empty() && node.mesh != none)
            node.weights = document.meshes.at(static_cast<std::size_t>(node.mesh)).weights;
    return document;
}

Pose rest(const Document& document) { return {document.nodes, world_matrices(document.nodes)}; }

Pose sample(const Document& document, const Animation& animation, double time) {
    std::vector<Node> nodes = document.nodes;
    for (const Channel& channel : animation.channels) {
        Node& node = nodes.at(static_cast<std::size_t>(channel.node));
        const std::vector<double> value = value_at(channel, time);
        if (node.matrix) refuse("an animated node with a matrix");
        switch (channel.path) {
            case Path::translation:
                node.translation = {value.at(0), value.at(1), value.at(2)};
                break;
            case Path::rotation:
                node.rotation = Quat(value.at(3), value.at(0), value.at(1), value.at(2));
                break;
            case Path::scale:
                node.scale = {value.at(0), value.at(1), value.at(2)};
                break;
            case Path::weights:
                node.weights = value;
                break;
        }
    }
    std::vector<Mat4> world = world_matrices(nodes);
    return {std::move(nodes), std::move(world)};
}

Mat4 vertex_matrix(const Document& document, const Pose& pose, std::size_t node, const Primitive& primitive,
                   std::size_t vertex) {
    if (pose.nodes.at(node).skin == none) return pose.world.at(node);
    const Skin& skin = document.skins.at(static_cast<std::size_t>(pose.nodes[node].skin));
    Mat4 sum(0.0);
    for (const Influence& influence : primitive.influences.at(vertex)) {
        const auto joint = static_cast<std::size_t>(influence.joint);
        const auto joint_node = static_cast<std::size_t>(skin.joints.at(joint));
        sum += influence.weight * (pose.world.at(joint_node) * skin.inverse_bind.at(joint));
    }
    return sum;
}

Vec3 position(const Document& document, const Pose& pose, std::size_t node, const Primitive& primitive,
              std::size_t vertex) {
    Vec3 point = primitive.positions.at(vertex);
    const std::vector<double>& weights = pose.nodes.at(node).weights;
    for (std::size_t t = 0; t < primitive.targets.size() && t < weights.size(); ++t)
        if (weights[t] != 0 && !primitive.targets[t].positions.empty())
            point += weights[t] * primitive.targets[t].positions.at(vertex);
    return Vec3(vertex_matrix(document, pose, node, primitive, vertex) * Vec4(point, 1));
}

}  // namespace glb
