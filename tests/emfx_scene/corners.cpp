/// Lists what is drawn of a scene, corner by corner.

#include "emfx_scene/corners.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "effigy/scene_access.hpp"

#include "core/text.hpp"
#include "emfx/from_scene/build.hpp"
#include "scene/triangles.hpp"

namespace corners {
namespace {

using effigy::find_attribute;

template <class Stored>
float component_as(const Accessor& data, std::size_t number) {
    const Stored value = data.as<Stored>()[number];
    if (!data.normalized) return static_cast<float>(value);
    const double max = static_cast<double>(std::numeric_limits<Stored>::max());
    return static_cast<float>(std::max(-1.0, static_cast<double>(value) / max));
}

float component_at(const Accessor& data, std::size_t number) {
    switch (data.component) {
        case ComponentType::i8:
            return component_as<std::int8_t>(data, number);
        case ComponentType::u8:
            return component_as<std::uint8_t>(data, number);
        case ComponentType::i16:
            return component_as<std::int16_t>(data, number);
        case ComponentType::u16:
            return component_as<std::uint16_t>(data, number);
        case ComponentType::u32:
            return component_as<std::uint32_t>(data, number);
        case ComponentType::f32:
            break;
    }
    return data.as<float>()[number];
}

glm::dmat4 matrix_of(const Mat4& m) {
    glm::dmat4 result(1);
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row)
            result[column][row] = static_cast<double>(m.m[static_cast<std::size_t>(4 * column + row)]);
    }
    return result;
}

glm::dmat4 local_of(const Node& node) {
    if (node.matrix) return matrix_of(*node.matrix);
    const auto wide = [](const Vec3& v) { return glm::dvec3(v.x, v.y, v.z); };
    const Quat& q = node.local.rotation;
    const glm::dquat rotation(static_cast<double>(q.w), static_cast<double>(q.x), static_cast<double>(q.y),
                              static_cast<double>(q.z));
    return glm::scale(glm::translate(glm::dmat4(1), wide(node.local.translation)) * glm::mat4_cast(rotation),
                      wide(node.local.scale));
}

/// A turn and a shift that the name decides.
glm::dmat4 shaken(const std::string& name, unsigned seed) {
    std::mt19937 random(static_cast<unsigned>(std::hash<std::string>()(name)) ^ seed);
    std::uniform_real_distribution<double> number(-0.4, 0.4);
    const glm::dquat turn = glm::normalize(glm::dquat(1, number(random), number(random), number(random)));
    glm::dmat4 result = glm::mat4_cast(turn);
    result[3] = glm::dvec4(number(random), number(random), number(random), 1);
    return result;
}

std::string plain(const std::string& name) {
    const std::size_t at = name.rfind(".mesh");
    return at == std::string::npos ? name : name.substr(0, at);
}

std::string texture_of(const Scene& scene, const Material& material) {
    if (!material.base_color_texture.used()) return {};
    const std::string name = lower(scene.images[material.base_color_texture.image].name);
    return name.substr(0, name.rfind('.'));
}

glm::dvec3 vector_at(const Attribute& attribute, std::uint32_t vertex) {
    glm::dvec3 v;
    for (int k = 0; k < 3; ++k) {
        v[k] = static_cast<double>(component_at(
            attribute.data, component_count(attribute.data.element) * vertex + static_cast<std::size_t>(k)));
    }
    return v;
}

class Reader {
public:
    Reader(const Scene& scene, const std::vector<glm::dmat4>& worlds, const Node& node, std::size_t index)
        : scene_(scene), worlds_(worlds), mesh_(scene.meshes[node.mesh]), world_(worlds[index]) {
        if (node.skin != no_index) skin_ = &scene.skins[node.skin];
    }

    Corner corner(std::uint32_t vertex) const {
        Corner result;
        read_weights(vertex, result);
        const glm::dvec4 p(vector_at(*find_attribute(mesh_, Semantic::position, 0), vertex), 1);
        result.position = glm::dvec3(place(vertex) * p);
        if (const Attribute* normals = find_attribute(mesh_, Semantic::normal, 0))
            result.normal = vector_at(*normals, vertex);
        for (std::uint32_t set = 0; const Attribute* uv = find_attribute(mesh_, Semantic::texcoord, set); ++set) {
            result.uvs.push_back(
                {component_at(uv->data, 2 * std::size_t{vertex}), component_at(uv->data, 2 * std::size_t{vertex} + 1)});
        }
        for (std::uint32_t set = 0; const Attribute* color = find_attribute(mesh_, Semantic::color, set); ++set) {
            const std::size_t width = component_count(color->data.element);
            glm::dvec4 value(1);
            for (std::size_t k = 0; k < width; ++k)
                value[static_cast<int>(k)] = static_cast<double>(component_at(color->data, width * vertex + k));
            result.colors.push_back(value);
        }
        return result;
    }

private:
    template <class Visit>
    void each_weight(std::uint32_t vertex, Visit&& visit) const {
        if (skin_ == nullptr) return;
        for (std::uint32_t set = 0;; ++set) {
            const Attribute* joints = find_attribute(mesh_, Semantic::joints, set);
            const Attribute* weights = find_attribute(mesh_, Semantic::weights, set);
            if (joints == nullptr || weights == nullptr) return;
            for (std::size_t k = 4 * std::size_t{vertex}; k < 4 * std::size_t{vertex} + 4; ++k) {
                const double weight = static_cast<double>(component_at(weights->data, k));
                const std::size_t joint = joints->data.component == ComponentType::u8
                                              ? joints->data.as<std::uint8_t>()[k]
                                              : joints->data.as<std::uint16_t>()[k];
                if (weight > 0) visit(joint, weight);
            }
        }
    }

    void read_weights(std::uint32_t vertex, Corner& corner) const {
        each_weight(vertex, [&](std::size_t joint, double weight) {
            corner.weights[scene_.nodes[skin_->joints[joint]].name] += weight;
        });
    }

    glm::dmat4 place(std::uint32_t vertex) const {
        if (skin_ == nullptr) return world_;
        glm::dmat4 sum(0);
        double total = 0;
        each_weight(vertex, [&](std::size_t joint, double weight) {
            sum += weight * worlds_[skin_->joints[joint]] * matrix_of(skin_->inverse_bind_matrices[joint]);
            total += weight;
        });
        return sum / total;
    }

    const Scene& scene_;
    const std::vector<glm::dmat4>& worlds_;
    const Mesh& mesh_;
    const Skin* skin_ = nullptr;
    glm::dmat4 world_;
};

double size_of(const std::vector<Drawn>& list) {
    double size = 0;
    for (const Drawn& drawn : list) {
        for (const Corner& corner : drawn.corners) size = std::max(size, glm::length(corner.position));
    }
    return size;
}

void compare_corners(const Corner& a, const Corner& b, bool with_normals, std::string& problem) {
    if (a.uvs != b.uvs) problem = "texture coordinates";
    const double length = glm::length(a.normal) * glm::length(b.normal);
    if (with_normals && length > 0 && glm::length(glm::cross(a.normal, b.normal)) > 1e-6 * length) problem = "normals";
    if (a.colors.size() != b.colors.size()) problem = "colours";
    for (std::size_t i = 0; i < std::min(a.colors.size(), b.colors.size()); ++i) {
        if (glm::length(a.colors[i] - b.colors[i]) > 1e-6) problem = "colours";
    }
    if (a.weights.size() != b.weights.size()) problem = "number of weights";
    for (const auto& [name, weight] : a.weights) {
        const auto found = b.weights.find(name);
        if (found == b.weights.end() || std::abs(found->second - weight) > 1e-6) problem = "weight of " + name;
    }
}

}  // namespace

std::vector<glm::dmat4> worlds(const Scene& scene, unsigned seed) {
    std::vector<glm::dmat4> result(scene.nodes.size(), glm::dmat4(1));
    std::vector<Index> open;
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].parent == no_index) open.push_back(i);
    }
    while (!open.empty()) {
        const Index index = open.back();
        open.pop_back();
        const Node& node = scene.nodes[index];
        result[index] = (node.parent == no_index ? glm::dmat4(1) : result[node.parent]) * local_of(node);
        const bool moves = seed != 0 && !node.name.ends_with(".scale") && plain(node.name) == node.name;
        if (moves) result[index] = result[index] * shaken(node.name, seed);
        open.insert(open.end(), node.children.begin(), node.children.end());
    }
    return result;
}

std::vector<Drawn> drawn(const Scene& scene, const std::vector<glm::dmat4>& places) {
    std::vector<Drawn> list;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (node.mesh == no_index || node.hidden) continue;
        const Reader reader(scene, places, node, i);
        for (const Primitive& primitive : scene.meshes[node.mesh].primitives) {
            Drawn part;
            part.mesh = plain(node.name);
            if (primitive.material != no_index) part.material = scene.materials[primitive.material].name;
            if (primitive.material != no_index) part.texture = texture_of(scene, scene.materials[primitive.material]);
            if (part.material == "EMFX Default") part.material.clear();  // what is written where there is none
            for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                for (const std::uint32_t corner : {a, b, c})
                    part.corners.push_back(reader.corner(primitive.first_vertex + corner));
            });
            if (!part.corners.empty()) list.push_back(std::move(part));
        }
    }
    std::stable_sort(list.begin(), list.end(), [](const Drawn& a, const Drawn& b) { return a.mesh < b.mesh; });
    return list;
}

double compare(const std::vector<Drawn>& a, const std::vector<Drawn>& b, bool with_normals) {
    const double size = std::max({size_of(a), size_of(b), 1e-9});
    double worst = 0;
    EXPECT_EQ(a.size(), b.size()) << "primitives";
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        EXPECT_EQ(a[i].mesh, b[i].mesh);
        EXPECT_EQ(a[i].material, b[i].material) << a[i].mesh;
        EXPECT_EQ(a[i].texture, b[i].texture) << a[i].mesh;
        EXPECT_EQ(a[i].corners.size(), b[i].corners.size()) << a[i].mesh;
        if (a[i].corners.size() != b[i].corners.size()) return 1;
        std::string problem;
        for (std::size_t k = 0; k < a[i].corners.size(); ++k) {
            worst = std::max(worst, glm::length(a[i].corners[k].position - b[i].corners[k].position) / size);
            compare_corners(a[i].corners[k], b[i].corners[k], with_normals, problem);
        }
        EXPECT_EQ(problem, "") << a[i].mesh;
    }
    return worst;
}

}  // namespace corners
