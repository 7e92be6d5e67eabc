/// Where vertices stand at rest.

#include <algorithm>
#include <cstring>
#include <glm/matrix.hpp>

#include "egosoft/from_scene.hpp"
#include "scene/wide_math.hpp"

namespace effigy::egosoft::bridge {
namespace {

glm::dmat4 wide_matrix(const Mat4& matrix) noexcept {
    glm::dmat4 result(1);
    for (int k = 0; k < 16; ++k) result[k / 4][k % 4] = static_cast<double>(matrix.m[static_cast<std::size_t>(k)]);
    return result;
}

}  // namespace

float number_at(const Accessor& data, std::size_t index) noexcept {
    const std::byte* place = data.bytes.data() + index * component_size(data.component);
    const auto load = [&](auto number, float largest) {
        std::memcpy(&number, place, sizeof number);
        const auto value = static_cast<float>(number);
        return data.normalized ? std::max(value / largest, -1.0f) : value;
    };
    switch (data.component) {
        case ComponentType::f32: {
            float value = 0;
            std::memcpy(&value, place, sizeof value);
            return value;
        }
        case ComponentType::i8:
            return load(std::int8_t{}, 127);
        case ComponentType::u8:
            return load(std::uint8_t{}, 255);
        case ComponentType::i16:
            return load(std::int16_t{}, 32767);
        case ComponentType::u16:
            return load(std::uint16_t{}, 65535);
        case ComponentType::u32:
            return load(std::uint32_t{}, 4294967295.0f);
    }
    return 0;
}

std::array<float, 4> values_at(const Accessor& data, std::size_t vertex, std::array<float, 4> otherwise) noexcept {
    const std::size_t width = component_count(data.element);
    for (std::size_t k = 0; k < std::min<std::size_t>(width, 4); ++k)
        otherwise[k] = number_at(data, width * vertex + k);
    return otherwise;
}

const Attribute* find_attribute(const Mesh& mesh, Semantic semantic, std::uint32_t set) {
    for (const Attribute& one : mesh.attributes) {
        const bool whole = one.data.stride() != 0 && one.data.count() >= mesh.vertex_count;
        if (one.semantic == semantic && one.set == set && whole) return &one;
    }
    return nullptr;
}

RestPlace::RestPlace(const Scene& scene, const Piece& piece, const std::vector<glm::dmat4>& worlds)
    : place_(piece.place) {
    const Node& node = scene.nodes[piece.node];
    if (node.skin >= scene.skins.size()) return;
    const Mesh& mesh = scene.meshes[piece.mesh];
    for (std::uint32_t set = 0;; ++set) {
        const Attribute* const joints = find_attribute(mesh, Semantic::joints, set);
        const Attribute* const weights = find_attribute(mesh, Semantic::weights, set);
        if (joints == nullptr || weights == nullptr) break;
        influences_.push_back({joints, weights});
    }
    // A skinned mesh's own node counts for nothing.
    const auto root = effigy::inverse_affine(worlds[piece.node], 1e-30);
    if (influences_.empty() || !root) return;
    const Skin& skin = scene.skins[node.skin];
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
        const bool is_bound = i < skin.inverse_bind_matrices.size();
        const glm::dmat4 bind = is_bound ? wide_matrix(skin.inverse_bind_matrices[i]) : glm::dmat4(1);
        const glm::dmat4 world = skin.joints[i] < worlds.size() ? worlds[skin.joints[i]] : glm::dmat4(1);
        poses_.push_back(place_ * *root * world * bind);
    }
}

bool RestPlace::mirrors() const noexcept {
    return glm::determinant(glm::dmat3(is_skinned() ? poses_.front() : place_)) < 0;
}

glm::dmat4 RestPlace::at(std::size_t vertex) const noexcept {
    if (!is_skinned()) return place_;
    glm::dmat4 sum(0);
    double total = 0;
    for (const Influences& set : influences_) {
        const auto joints = values_at(set.joints->data, vertex, {});
        const auto weights = values_at(set.weights->data, vertex, {});
        for (std::size_t k = 0; k < 4; ++k) {
            const auto weight = static_cast<double>(weights[k]);
            if (!(weight > 0) || !(joints[k] >= 0) || joints[k] >= static_cast<float>(poses_.size())) continue;
            sum += weight * poses_[static_cast<std::size_t>(joints[k])];
            total += weight;
        }
    }
    return total > 0 ? sum / total : place_;
}

}  // namespace effigy::egosoft::bridge
