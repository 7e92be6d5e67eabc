/// Skins: what vertices hang on, and where joints were when they were bound.

#include <glm/mat4x4.hpp>
#include <limits>

#include "effigy/arp_codes.hpp"

#include "arp/to_scene/extras.hpp"
#include "arp/to_scene/meshes.hpp"
#include "scene/attributes.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::bridge {
namespace {

/// Joints and weights of one set of all vertices.
template <class Number>
void add_set(const Copies& copies, const BoundPoints& bound, std::uint32_t set, ComponentType component,
             effigy::Mesh& made) {
    const auto joints = add_attribute<Number>(made, Semantic::joints, ElementType::vec4, component, set);
    const auto weights = add_attribute<float>(made, Semantic::weights, ElementType::vec4, ComponentType::f32, set);
    for (std::size_t vertex = 0; vertex < made.vertex_count; ++vertex) {
        const std::uint32_t point = copies.points[vertex];
        const std::size_t first = bound.first_shares[point] + set * shares_in_set, end = bound.first_shares[point + 1];
        for (std::size_t k = 0; k < shares_in_set; ++k) {
            const JointWeight share = first + k < end ? bound.shares[first + k] : JointWeight{};
            const float weight = narrow(share.weight);
            weights[shares_in_set * vertex + k] = weight;
            joints[shares_in_set * vertex + k] = static_cast<Number>(weight > 0 ? share.joint : 0);
        }
    }
}

Mat4 inverse_bind(const BoundBone& bone, double metres) {
    const glm::dmat3 back = glm::transpose(bone.rotation);
    glm::dmat4 matrix(back);
    matrix[3] = glm::dvec4(-(back * bone.translation) * metres, 1);
    return narrow(matrix);
}

}  // namespace

Result<bool> add_weights(Build& build, const Avatar& avatar, const Copies& copies, const BoundPoints& bound,
                         const std::string& path, effigy::Mesh& made) {
    const std::size_t joints = avatar.file->bones.size() + avatar.twists.size() * twist_steps;
    const bool small = joints <= std::size_t{std::numeric_limits<std::uint8_t>::max()} + 1;
    if (joints == 0) return false;
    if (joints > std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1) {
        build.note(codes::arp_bone_count, "bones", "glTF has no numbers for so many joints: the mesh stands still.",
                   std::to_string(joints), "at most 65536");
        return false;
    }
    const std::size_t sets = (bound.max_shares + shares_in_set - 1) / shares_in_set;
    const std::uint64_t each = shares_in_set * (sizeof(float) + (small ? 1 : 2));
    auto taken = build.take(sets, made.vertex_count * each + sizeof(Attribute), "weights");
    if (!taken) return fail(std::move(taken.error()));
    if (sets > 1) {
        build.note(codes::arp_many_links, path,
                   "Points hang on more than four bones: viewers that read only JOINTS_0 show them wrongly.",
                   std::to_string(bound.max_shares));
    }
    for (std::uint32_t set = 0; set < sets; ++set) {
        if (small) {
            add_set<std::uint8_t>(copies, bound, set, ComponentType::u8, made);
        } else {
            add_set<std::uint16_t>(copies, bound, set, ComponentType::u16, made);
        }
    }
    return true;
}

Index add_skin(Build& build, const Avatar& avatar, std::span<const BoundBone> bones, const Bind& bind,
               std::string name) {
    Skin skin;
    skin.name = std::move(name);
    skin.skeleton = avatar.root;
    for (std::size_t bone = 0; bone < bones.size(); ++bone) {
        skin.joints.push_back(avatar.bone_nodes[bone]);
        skin.inverse_bind_matrices.push_back(inverse_bind(bones[bone], avatar.metres));
    }
    for (const TwistedBone& twist : avatar.twists) {
        for (const Index helper : twist.helpers) {
            skin.joints.push_back(helper);
            skin.inverse_bind_matrices.push_back(skin.inverse_bind_matrices[twist.bone]);
        }
    }
    skin.extras.json = skin_extras(bind);
    build.scene.skins.push_back(std::move(skin));
    return static_cast<Index>(build.scene.skins.size() - 1);
}

}  // namespace effigy::arp::bridge
