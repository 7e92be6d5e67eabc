/// Which joints are drawn as bones, and where.

#include "bones.hpp"

#include <algorithm>
#include <cstdint>

#include "vectors.hpp"

namespace effigy::render {
namespace {

std::vector<bool> named_joints(const Scene& scene, const playback::Skeleton& skeleton) {
    std::vector<bool> named(skeleton.nodes.size());
    for (const Skin& skin : scene.skins) {
        for (const Index node : skin.joints) {
            if (node < skeleton.joints.size()) named[skeleton.joints[node]] = true;
        }
    }
    return named;
}

/// A joint is drawn if a skin names it, or if it stands above ones that are and below one that is, or where branches
/// that lead to them part. What only carries the whole skeleton is not drawn. Parents have smaller numbers.
std::vector<bool> connected(const playback::Skeleton& skeleton, const std::vector<bool>& named) {
    const std::size_t count = named.size();
    std::vector<bool> leads(named);
    std::vector<std::uint32_t> branches(count);
    for (std::size_t i = count; i-- > 0;) {
        const Index parent = skeleton.parents[i];
        if (!leads[i] || parent == no_index) continue;
        leads[parent] = true;
        ++branches[parent];
    }
    std::vector<bool> drawn(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Index parent = skeleton.parents[i];
        const bool is_below = parent != no_index && drawn[parent];
        drawn[i] = named[i] || (leads[i] && (is_below || branches[i] > 1));
    }
    return drawn;
}

std::vector<bool> shown_nodes(const Scene& scene, const playback::Skeleton& skeleton) {
    std::vector<bool> drawn(skeleton.nodes.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const Node& node = scene.nodes[skeleton.nodes[i]];
        drawn[i] = !node.hidden && !node.collision;
    }
    return drawn;
}

glm::vec3 place_of(const Mat4& model) noexcept { return {model.m[12], model.m[13], model.m[14]}; }

}  // namespace

Bones make_bones(const playback::Poser& poser) {
    const playback::Skeleton& skeleton = poser.skeleton();
    const std::vector<bool> named = named_joints(poser.scene(), skeleton);
    const bool has_skins = std::find(named.begin(), named.end(), true) != named.end();
    const std::vector<bool> drawn = has_skins ? connected(skeleton, named) : shown_nodes(poser.scene(), skeleton);

    Bones bones;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        if (!drawn[i]) continue;
        const glm::vec3 place = place_of(poser.models()[i]);
        bones.joints.push_back(place);
        const Index parent = skeleton.parents[i];
        if (parent != no_index && drawn[parent]) bones.bones.push_back({place_of(poser.models()[parent]), place});
    }
    return bones;
}

}  // namespace effigy::render
