/// Hidden nodes, levels of detail and poses at rest as members of extras.effigy; joints that are added to skins so that
/// programs make bones of nodes between and below joints.

#include "gltf/write/node_hints.hpp"

#include <algorithm>
#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "effigy/scene_access.hpp"

#include "gltf/file/json.hpp"
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

namespace {

using Hints = std::vector<nlohmann::json>;

/// How hints name nodes: where several have a name, by what they hang on, too, as programs number nodes anew.
class References {
public:
    explicit References(const Scene& scene) : nodes_(scene.nodes), roots_(nodes_.size()) {
        for (const Index index : parents_first(scene)) {
            const Index parent = nodes_[index].parent;
            roots_[index] = parent == no_index ? index : roots_[parent];
        }
        for (const Node& node : nodes_) ++counts_[node.name];
    }

    [[nodiscard]] nlohmann::json to(Index index) const {
        const Node& node = nodes_[index];
        nlohmann::json json{{"name", node.name}, {"node", index}};
        if (counts_.at(node.name) == 1) return json;
        json["root"] = nodes_[roots_[index]].name;
        if (node.parent != no_index) json["parent"] = nodes_[node.parent].name;
        return json;
    }

private:
    const std::vector<Node>& nodes_;
    std::vector<Index> roots_;  ///< above each node, or itself
    std::unordered_map<std::string_view, std::size_t> counts_;
};

void add_hidden(const Scene& scene, const References& references, Hints& hints) {
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (!node.hidden) continue;
        hints[i]["hidden"] = true;
        if (node.follows != no_index) hints[i]["follows"] = references.to(node.follows);
        if (node.collision && !is_collision(nlohmann::json::parse(node.extras.json, nullptr, false))) {
            hints[i]["collision"] = true;
        }
    }
}

void add_levels(const Scene& scene, const References& references, Hints& hints) {
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const std::vector<Index>& levels = scene.nodes[i].lods;
        for (std::size_t k = 0; k < levels.size(); ++k) {
            nlohmann::json& hint = hints[levels[k]];
            if (!scene.nodes[levels[k]].hidden || hint.contains("level_of")) continue;
            hint["level_of"] = references.to(static_cast<Index>(i));
            hint["level_of"]["level"] = k + 1;
        }
    }
}

struct Kinds {
    std::vector<bool> is_joint, is_moved, is_morphed;
};

Kinds kinds_of(const Scene& scene, const std::map<Index, MoreJoints>& more) {
    const std::vector<bool> none(scene.nodes.size());
    Kinds kinds{none, none, none};
    for (const Skin& skin : scene.skins) {
        for (const Index joint : skin.joints) kinds.is_joint[joint] = true;
    }
    for (const auto& [skin, joints] : more) {
        for (const Index joint : joints.nodes) kinds.is_joint[joint] = true;
    }
    for (const Clip& clip : scene.clips) {
        for (const Track& track : clip.tracks) {
            if (track.times.empty()) continue;
            (track.path == TrackPath::weights ? kinds.is_morphed : kinds.is_moved)[track.node] = true;
        }
    }
    return kinds;
}

// Blender has no rest beside an object's animation, no scale in a bone's rest, and turns bones as it likes.
void add_rests(const Scene& scene, const Kinds& kinds, Hints& hints) {
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        const bool is_lost = kinds.is_joint[i] || kinds.is_moved[i];
        if (!is_lost || node.matrix || node.extras.json.empty()) continue;
        hints[i]["rest"] = rest_json(node.local);
    }
}

/// Where joints stood when their skins were bound: for each the last skin that has it counts, as in Blender.
std::map<Index, glm::dmat4> binds_of(const Scene& scene, const std::map<Index, MoreJoints>& more) {
    std::map<Index, glm::dmat4> binds;
    const auto add = [&](const std::vector<Index>& joints, const std::vector<Mat4>& matrices) {
        for (std::size_t i = 0; i < joints.size(); ++i) binds[joints[i]] = wide(matrices[i]);
    };
    for (Index skin = 0; skin < scene.skins.size(); ++skin) {
        add(scene.skins[skin].joints, scene.skins[skin].inverse_bind_matrices);
        if (const auto added = more.find(skin); added != more.end())
            add(added->second.nodes, added->second.inverse_bind_matrices);
    }
    return binds;
}

/// Without a scale, which bones do not have at rest.
std::optional<Transform> placed(const glm::dmat4& matrix) {
    glm::dmat3 axes(matrix);
    for (int i = 0; i < 3; ++i) {
        const double length = glm::length(axes[i]);
        if (!(length > 1e-12)) return std::nullopt;
        axes[i] /= length;
    }
    if (glm::determinant(axes) < 0) return std::nullopt;
    return Transform{narrow(glm::dvec3(matrix[3])), narrow(glm::normalize(glm::quat_cast(axes))), {1, 1, 1}};
}

bool is_same_place(const Transform& a, const Transform& b) {
    const double scale = std::max(1.0, glm::length(wide(a.translation)));
    return glm::length(wide(a.translation) - wide(b.translation)) < 1e-4 * scale &&
           angle_between(glm::normalize(wide(a.rotation)), wide(b.rotation)) < 1e-3;
}

// Blender as it comes makes the pose of binding that of rest.
void add_binds(const Scene& scene, const std::map<Index, MoreJoints>& more, Hints& hints) {
    const std::map<Index, glm::dmat4> binds = binds_of(scene, more);
    for (const auto& [joint, bind] : binds) {
        const Node& node = scene.nodes[joint];
        const auto above = binds.find(node.parent);
        if (!hints[joint].contains("rest") || (above == binds.end() && node.parent != no_index)) continue;
        const auto inverse = inverse_affine(bind, 1e-12);
        if (!inverse) continue;
        const auto local = placed(above == binds.end() ? *inverse : above->second * *inverse);
        if (local && !is_same_place(node.local, *local)) hints[joint]["bind"] = rest_json(*local);
    }
}

// Blender takes a mesh off its node if that is a bone, or moves and has a skin; the mesh gets a node without extras.
void add_meshes(const Scene& scene, const Kinds& kinds, Hints& hints) {
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (node.mesh == no_index || node.extras.json.empty()) continue;
        const bool is_taken =
            kinds.is_joint[i] || (node.skin != no_index && (kinds.is_moved[i] || kinds.is_morphed[i]));
        if (is_taken) hints[i]["mesh"] = scene.meshes[node.mesh].name;
    }
}

}  // namespace

Hints node_hints(const Scene& scene, const std::map<Index, MoreJoints>& more) {
    Hints hints(scene.nodes.size(), nlohmann::json::object());
    const References references(scene);
    add_hidden(scene, references, hints);
    add_levels(scene, references, hints);
    const Kinds kinds = kinds_of(scene, more);
    add_rests(scene, kinds, hints);
    add_binds(scene, more, hints);
    add_meshes(scene, kinds, hints);
    return hints;
}

}  // namespace effigy::gltf
