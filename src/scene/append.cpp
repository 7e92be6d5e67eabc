/// One scene behind another: references move up by what is there already.

#include <algorithm>
#include <iterator>
#include <utility>

#include "effigy/parts.hpp"

#include "scene/material_slots.hpp"
#include "scene/worlds.hpp"

namespace effigy {
namespace {

void raise(Index& index, std::size_t by) noexcept {
    if (index != no_index) index += static_cast<Index>(by);
}

void raise(std::vector<Index>& indices, std::size_t by) noexcept {
    for (Index& index : indices) raise(index, by);
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// All references of a scene that goes behind another one.
void raise_all(Scene& part, const Scene& scene) {
    const std::size_t nodes = scene.nodes.size();
    for (Node& node : part.nodes) {
        raise(node.parent, nodes);
        raise(node.follows, nodes);
        raise(node.children, nodes);
        raise(node.lods, nodes);
        raise(node.mesh, scene.meshes.size());
        raise(node.skin, scene.skins.size());
        raise(node.light, scene.lights.size());
    }
    for (Mesh& mesh : part.meshes) {
        for (Primitive& primitive : mesh.primitives) raise(primitive.material, scene.materials.size());
    }
    for (Skin& skin : part.skins) {
        raise(skin.joints, nodes);
        raise(skin.skeleton, nodes);
    }
    for (Material& material : part.materials) {
        for (const auto& named : slots_of(material)) raise(named.slot->image, scene.images.size());
    }
    for (Clip& clip : part.clips) {
        for (Track& track : clip.tracks) raise(track.node, nodes);
    }
}

}  // namespace

void append_scene(Scene& scene, Scene part, Index parent) {
    const std::size_t first = scene.nodes.size();
    raise_all(part, scene);
    append(scene.nodes, part.nodes);
    append(scene.meshes, part.meshes);
    append(scene.skins, part.skins);
    append(scene.materials, part.materials);
    append(scene.images, part.images);
    append(scene.lights, part.lights);
    append(scene.clips, part.clips);
    if (parent == no_index) return;
    const glm::dmat4 place = rest_worlds(scene)[parent];
    for (std::size_t i = first; i < scene.nodes.size(); ++i) {
        Node& node = scene.nodes[i];
        if (node.parent != no_index) continue;
        if (!node.hidden) {
            add_child(scene, parent, static_cast<Index>(i));
        } else {
            // What stands in the world at rest stands where the part is now.
            node.matrix = narrow(place * local_matrix(node));
            if (node.follows == no_index) node.follows = parent;
        }
    }
}

}  // namespace effigy
