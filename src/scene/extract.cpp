/// Scenes of some of another one's nodes: what they need is numbered anew.

#include "scene/extract.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <optional>
#include <utility>

#include "effigy/scene_access.hpp"

#include "scene/material_slots.hpp"
#include "scene/worlds.hpp"

namespace effigy {
namespace {

/// The nearest transform without shear.
Transform nearest(const glm::dmat4& matrix) {
    glm::dmat3 axes(matrix);
    glm::dvec3 scale;
    for (int i = 0; i < 3; ++i) {
        scale[i] = glm::length(axes[i]);
        if (scale[i] > 0) axes[i] /= scale[i];
    }
    if (glm::determinant(axes) < 0) {
        scale.x = -scale.x;
        axes[0] = -axes[0];
    }
    return {narrow(glm::dvec3(matrix[3])), narrow(glm::normalize(glm::quat_cast(axes))), narrow(scale)};
}

class Extract : Extraction {
public:
    Extract(const Scene& from, Extraction what) : Extraction(std::move(what)), from_(from) {}

    Scene run() {
        scene_ = from_;
        drop_meshes();
        number(nodes, node_map_);
        keep_nodes();
        keep_skins();
        keep_materials();
        keep(scene_.lights, lights_, light_map_);
        keep_clips();
        return std::move(scene_);
    }

private:
    using Map = std::vector<Index>;

    static void number(const std::vector<bool>& kept, Map& map) {
        Index next = 0;
        map.assign(kept.size(), no_index);
        for (std::size_t i = 0; i < kept.size(); ++i) {
            if (kept[i]) map[i] = next++;
        }
    }

    static Index mapped(Index index, const Map& map) { return index < map.size() ? map[index] : no_index; }

    static void renumber(std::vector<Index>& indices, const Map& map) {
        for (Index& index : indices) index = mapped(index, map);
        std::erase(indices, no_index);
    }

    template <class Object>
    static void keep(std::vector<Object>& objects, const std::vector<bool>& kept, Map& map) {
        number(kept, map);
        std::size_t at = 0;
        std::erase_if(objects, [&](const Object&) { return !kept[at++]; });
    }

    /// What the kept nodes use.
    void drop_meshes() {
        meshes_.assign(scene_.meshes.size(), false);
        skins_.assign(scene_.skins.size(), false);
        lights_.assign(scene_.lights.size(), false);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            Node& node = scene_.nodes[i];
            if (i < bare.size() && bare[i]) node.mesh = node.skin = no_index;
            if (!nodes[i]) continue;
            if (node.mesh < meshes_.size()) meshes_[node.mesh] = true;
            if (node.skin < skins_.size()) skins_[node.skin] = true;
            if (node.light < lights_.size()) lights_[node.light] = true;
        }
        for (std::size_t i = 0; i < skins_.size(); ++i) {
            for (const Index joint : skins_[i] ? scene_.skins[i].joints : std::vector<Index>()) {
                if (joint < nodes.size()) nodes[joint] = true;
            }
        }
        keep(scene_.meshes, meshes_, mesh_map_);
        keep(scene_.skins, skins_, skin_map_);
        number(lights_, light_map_);
    }

    /// The nearest node above that is kept.
    [[nodiscard]] Index parent_of(Index node) const {
        Index parent = from_.nodes[node].parent;
        while (parent != no_index && !nodes[parent]) parent = from_.nodes[parent].parent;
        return parent;
    }

    /// A node whose parent is gone stays where it is.
    void move(Index index, Index parent) {
        if (worlds_.empty()) worlds_ = rest_worlds(from_);
        const auto back = parent == no_index ? std::optional(glm::dmat4(1)) : inverse_affine(worlds_[parent], 1e-30);
        Node& node = scene_.nodes[index];
        if (back) node.local = nearest(*back * worlds_[index]);
        node.matrix.reset();
    }

    void keep_nodes() {
        std::vector<std::pair<Index, Index>> moved;  ///< and their new parents
        for (Index i = 0; i < nodes.size(); ++i) {
            if (!nodes[i]) continue;
            const Index parent = parent_of(i);
            if (parent == from_.nodes[i].parent) continue;
            if (move_roots || parent != no_index) move(i, parent);
            moved.emplace_back(i, parent);
        }
        for (Node& node : scene_.nodes) {
            node.parent = mapped(node.parent, node_map_);
            node.follows = mapped(node.follows, node_map_);
            renumber(node.children, node_map_);
            renumber(node.lods, node_map_);
            node.mesh = mapped(node.mesh, mesh_map_);
            node.skin = mapped(node.skin, skin_map_);
            node.light = mapped(node.light, light_map_);
        }
        std::size_t at = 0;
        std::erase_if(scene_.nodes, [&](const Node&) { return !nodes[at++]; });
        for (const auto& [node, parent] : moved) {
            if (parent != no_index) add_child(scene_, node_map_[parent], node_map_[node]);
        }
    }

    void keep_skins() {
        for (Skin& skin : scene_.skins) {
            renumber(skin.joints, node_map_);
            skin.skeleton = mapped(skin.skeleton, node_map_);
        }
    }

    void keep_materials() {
        std::vector<bool> images = find_unused_images(scene_);  // those of nobody's go with the model that has all
        if (materials.empty()) images.assign(images.size(), false);
        materials.resize(scene_.materials.size(), false);
        for (const Mesh& mesh : scene_.meshes) {
            for (const Primitive& primitive : mesh.primitives) {
                if (primitive.material < materials.size()) materials[primitive.material] = true;
            }
        }
        Map material_map, image_map;
        keep(scene_.materials, materials, material_map);
        for (Mesh& mesh : scene_.meshes) {
            for (Primitive& primitive : mesh.primitives) primitive.material = mapped(primitive.material, material_map);
        }
        for (Material& material : scene_.materials) {
            for (const auto& named : slots_of(material)) {
                if (named.slot->image < images.size()) images[named.slot->image] = true;
            }
        }
        images.flip();
        remove_images(scene_, images);
    }

    void keep_clips() {
        std::size_t at = 0;
        std::erase_if(scene_.clips, [&](Clip& clip) {
            const bool is_kept = at < clips.size() && clips[at++];
            for (Track& track : clip.tracks) track.node = mapped(track.node, node_map_);
            std::erase_if(clip.tracks, [](const Track& track) { return track.node == no_index; });
            return !is_kept || clip.tracks.empty();
        });
    }

    const Scene& from_;
    Scene scene_;
    std::vector<bool> meshes_, skins_, lights_;
    Map node_map_, mesh_map_, skin_map_, light_map_;
    std::vector<glm::dmat4> worlds_;
};

}  // namespace

Scene extract(const Scene& from, Extraction what) { return Extract(from, std::move(what)).run(); }

}  // namespace effigy
