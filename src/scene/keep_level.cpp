/// Of several levels of detail, one: it takes its mesh to the node of the finest.

#include "scene/keep_level.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "effigy/scene_access.hpp"
#include "effigy/scene_codes.hpp"

#include "core/problem.hpp"
#include "scene/extract.hpp"
#include "scene/wide_math.hpp"
#include "scene/worlds.hpp"

namespace effigy {
namespace {

/// Shows levels in place of the finest ones.
class Exchange {
public:
    explicit Exchange(Scene& scene) : scene_(scene), drops_(hidden_nodes(scene)), is_moved_(scene.nodes.size(), false) {
        for (const Clip& clip : scene.clips) {
            for (const Track& track : clip.tracks) is_moved_[track.node] = true;
        }
        std::vector<bool> is_level(scene.nodes.size(), false);
        for (const Node& node : scene.nodes) {
            for (const Index level : node.lods) is_level[level] = true;
        }
        for (const Index index : parents_first(scene)) {
            const Index parent = scene.nodes[index].parent;
            is_level[index] = is_level[index] || (parent != no_index && is_level[parent]);
        }
        for (std::size_t i = 0; i < drops_.size(); ++i) drops_[i] = drops_[i] && is_level[i];
    }

    void show(Index base, Index level) {
        if (holds(level, base)) return;
        Node& node = scene_.nodes[base];
        // Of a node without a mesh, what hangs on it is the level; else that is something beside it.
        for (const Index child : node.mesh == no_index ? node.children : std::vector<Index>()) mark(child, true);
        const Node& other = scene_.nodes[level];
        const bool is_in_place = other.skin != no_index || local_matrix(node) == local_matrix(other);
        if (is_in_place && other.children.empty()) {
            node.mesh = other.mesh;
            node.skin = other.skin;
        } else if (drops_[level]) {
            node.mesh = node.skin = no_index;
            hang(base, level);
        }
    }

    Scene run() {
        drops_.flip();
        Extraction kept;
        kept.nodes = std::move(drops_);
        kept.materials.assign(scene_.materials.size(), true);
        kept.clips.assign(scene_.clips.size(), true);
        return extract(scene_, std::move(kept));
    }

private:
    /// Whether `other` is above a node, which then cannot stand below it.
    [[nodiscard]] bool holds(Index other, Index node) const {
        while (node != no_index && node != other) node = scene_.nodes[node].parent;
        return node == other;
    }

    /// Below the finest, where it would stand instead of that: a level with another place, or with nodes of its own.
    void hang(Index base, Index level) {
        const auto back = inverse_affine(local_matrix(scene_.nodes[base]), 1e-30);
        if (back && is_moved_[level]) {
            base = hold(base, *back);
        } else if (back) {
            scene_.nodes[level].matrix = narrow(*back * local_matrix(scene_.nodes[level]));
        }
        scene_.nodes[level].hidden = false;
        scene_.nodes[level].follows = no_index;
        add_child(scene_, base, level);
        mark(level, false);
    }

    /// A node below another one, for what clips move: that has no matrix of its own.
    Index hold(Index parent, const glm::dmat4& matrix) {
        const auto index = static_cast<Index>(scene_.nodes.size());
        scene_.nodes.emplace_back().matrix = narrow(matrix);
        add_child(scene_, parent, index);
        drops_.push_back(false);
        return index;
    }

    void mark(Index top, bool drops) {
        std::vector<Index> open{top};
        while (!open.empty()) {
            const Index index = open.back();
            open.pop_back();
            drops_[index] = drops;
            const std::vector<Index>& children = scene_.nodes[index].children;
            open.insert(open.end(), children.begin(), children.end());
        }
    }

    Scene& scene_;
    std::vector<bool> drops_;
    std::vector<bool> is_moved_;  ///< by a clip, as far as nodes were there before
};

}  // namespace

Report keep_level(Scene& scene, std::size_t level) {
    Exchange exchange(scene);
    std::size_t lacking = 0;
    for (Index i = 0, count = static_cast<Index>(scene.nodes.size()); i < count; ++i) {
        const std::vector<Index> levels = std::exchange(scene.nodes[i].lods, {});
        if (levels.empty()) continue;
        if (level > 0) exchange.show(i, levels[std::min(level, levels.size()) - 1]);
        if (level > levels.size()) ++lacking;
    }
    scene = exchange.run();
    Report report;
    if (lacking != 0) {
        report.add(problem_at("nodes", codes::lod_other,
                              "Meshes lack the level of detail that was asked for; the next finer one that they have "
                              "is shown.",
                              std::to_string(lacking) + (lacking == 1 ? " mesh" : " meshes"),
                              "level " + std::to_string(level)));
    }
    return report;
}

}  // namespace effigy
