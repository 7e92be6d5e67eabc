/// Joints that are added to skins so that programs make bones of nodes between and below joints.

#include "gltf/write/more_joints.hpp"

#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <optional>

#include "scene/worlds.hpp"

namespace effigy::gltf {
namespace {

constexpr std::size_t max_joints = 65535;

class Finder {
public:
    explicit Finder(const Scene& scene) : scene_(scene), skins_(scene.nodes.size(), no_index) {}

    std::map<Index, MoreJoints> run() {
        std::vector<Index> open;
        for (Index skin = 0; skin < scene_.skins.size(); ++skin) {
            const Skin& one = scene_.skins[skin];
            for (std::size_t i = 0; i < one.joints.size(); ++i) {
                if (skins_[one.joints[i]] != no_index) continue;
                skins_[one.joints[i]] = skin;
                binds_.emplace(one.joints[i], wide(one.inverse_bind_matrices[i]));
                open.push_back(one.joints[i]);
            }
        }
        while (!open.empty()) {
            const Index parent = open.back();
            open.pop_back();
            for (const Index child : scene_.nodes[parent].children) {
                if (add(parent, child)) open.push_back(child);
            }
        }
        return std::move(more_);
    }

private:
    bool add(Index parent, Index child) {
        const Node& node = scene_.nodes[child];
        if (skins_[child] != no_index || node.mesh != no_index || node.light != no_index || node.matrix) return false;
        const auto up = inverse_affine(matrix_of(node.local), 1e-9);
        const Index skin = skins_[parent];
        MoreJoints& more = more_[skin];
        if (!up || scene_.skins[skin].joints.size() + more.nodes.size() >= max_joints) return false;
        skins_[child] = skin;
        const glm::dmat4 bind = *up * binds_.at(parent);
        binds_.emplace(child, bind);
        more.nodes.push_back(child);
        more.inverse_bind_matrices.push_back(narrow(bind));
        return true;
    }

    const Scene& scene_;
    std::vector<Index> skins_;  // the first one that has the node as a joint
    std::map<Index, glm::dmat4> binds_;
    std::map<Index, MoreJoints> more_;
};

}  // namespace

std::map<Index, MoreJoints> more_joints(const Scene& scene) { return Finder(scene).run(); }

}  // namespace effigy::gltf
