/// Differences of nodes: names, parents, transforms, visibility, levels of detail.

#include <algorithm>
#include <glm/geometric.hpp>

#include "effigy/diff_codes.hpp"

#include "diff/compare.hpp"
#include "scene/rest_bounds.hpp"
#include "scene/worlds.hpp"

namespace effigy::diff {

namespace {

std::string text(const Quat& q) {
    return "(" + shown(q.x) + ", " + shown(q.y) + ", " + shown(q.z) + ", " + shown(q.w) + ")";
}

class NodeComparison {
public:
    explicit NodeComparison(Comparison& all)
        : all_(all),
          findings_(all.findings),
          worlds_a_(world_matrices(all.a, all.tree_a)),
          worlds_b_(world_matrices(all.b, all.tree_b)) {}

    void run() {
        for (const Index node : all_.tree_a.order) {
            if (all_.nodes.to_b[node] != no_index) compare(node, all_.nodes.to_b[node]);
        }
        list_unmatched(all_.a, all_.tree_a, all_.nodes.to_b, true);
        list_unmatched(all_.b, all_.tree_b, all_.nodes.to_a, false);
    }

private:
    void compare(Index node_a, Index node_b) {
        const Node &a = all_.a.nodes[node_a], &b = all_.b.nodes[node_b];
        const std::string path = all_.node_path(node_a);
        findings_.text(codes::diff_name, path, "the name", a.name, b.name);
        const bool moved = compare_parents(node_a, node_b, path);
        const bool same = compare_transforms(a, b, path);
        if (moved && same)
            static_cast<void>(
                compare_matrices(worlds_a_[node_a], worlds_b_[node_b], path, "the transform in the scene's space"));
        findings_.flag(codes::diff_flags, path, "whether it is hidden", a.hidden, b.hidden);
        findings_.flag(codes::diff_flags, path, "whether it is for collisions", a.collision, b.collision);
        if (!is_pair(a.follows, b.follows)) {
            findings_.add(codes::diff_flags, path, "the node that it follows differs", name(all_.a, a.follows),
                          name(all_.b, b.follows));
        }
        compare_levels(a, b, path);
    }

    [[nodiscard]] static std::string name(const Scene& scene, Index node) {
        return node < scene.nodes.size() ? scene.nodes[node].name : "none";
    }
    [[nodiscard]] bool is_pair(Index a, Index b) const {
        if (a >= all_.a.nodes.size() || b >= all_.b.nodes.size())
            return a >= all_.a.nodes.size() && b >= all_.b.nodes.size();
        return all_.nodes.to_b[a] == b;
    }

    bool compare_parents(Index node_a, Index node_b, const std::string& path) {
        const Index a = all_.tree_a.parents[node_a], b = all_.tree_b.parents[node_b];
        if (is_pair(a, b)) return false;
        findings_.add(codes::diff_parent, path, "it hangs on another node", name(all_.a, a), name(all_.b, b));
        return true;
    }

    bool compare_transforms(const Node& a, const Node& b, const std::string& path) {
        if (a.matrix || b.matrix)
            return compare_matrices(local_matrix(a), local_matrix(b), path, "the local transform");
        const glm::dvec3 apart = wide(a.local.translation) - wide(b.local.translation);
        bool same = true;
        const auto report = [&](const char* what, double by, const char* unit, const std::string& in_a,
                                const std::string& in_b) {
            same = false;
            findings_.add(codes::diff_transform, path,
                          std::string("the local ") + what + " differs by " + shown(by) + unit, in_a, in_b);
        };
        if (const double far = glm::length(apart);
            !(a.local.translation == b.local.translation) && !(far <= all_.position_tolerance()))
            report("translation", far, "", shown(a.local.translation), shown(b.local.translation));
        const double angle =
            a.local.rotation == b.local.rotation
                ? 0
                : angle_between(glm::normalize(wide(a.local.rotation)), glm::normalize(wide(b.local.rotation)));
        if (!(angle <= findings_.tolerances().rotation))
            report("rotation", angle, " radians", text(a.local.rotation), text(b.local.rotation));
        const double factor = largest(wide(a.local.scale) - wide(b.local.scale));
        const double scale = std::max(largest(wide(a.local.scale)), largest(wide(b.local.scale)));
        if (!(factor <= findings_.tolerances().scale * scale))
            report("scale", factor, "", shown(a.local.scale), shown(b.local.scale));
        return same;
    }

    bool compare_matrices(const glm::dmat4& a, const glm::dmat4& b, const std::string& path, std::string_view what) {
        if (a == b) return true;
        const double max_a = largest(glm::dmat3(a));
        const double turned = largest(glm::dmat3(a) - glm::dmat3(b)) / std::max(max_a, 1e-30);
        const double moved = glm::length(glm::dvec3(a[3]) - glm::dvec3(b[3]));
        const DiffTolerances& tolerances = findings_.tolerances();
        if (turned <= std::max(tolerances.rotation, tolerances.scale) && moved <= all_.position_tolerance())
            return true;
        findings_.add(
            codes::diff_transform, path,
            std::string(what) + " differs: it is " + shown(moved) + " away, and turned or scaled by " + shown(turned),
            shown(narrow(glm::dvec3(a[3]))), shown(narrow(glm::dvec3(b[3]))));
        return false;
    }

    void compare_levels(const Node& a, const Node& b, const std::string& path) {
        if (a.lods.size() != b.lods.size()) {
            findings_.add(codes::diff_levels, path, "the number of levels of detail differs",
                          std::to_string(a.lods.size()), std::to_string(b.lods.size()));
            return;
        }
        for (std::size_t level = 0; level < a.lods.size(); ++level) {
            if (is_pair(a.lods[level], b.lods[level])) continue;
            findings_.add(codes::diff_levels, path, "level " + std::to_string(level + 1) + " is another node",
                          name(all_.a, a.lods[level]), name(all_.b, b.lods[level]));
        }
    }

    /// Of nodes under one another without counterparts only the uppermost is listed.
    void list_unmatched(const Scene& scene, const Tree& tree, const std::vector<Index>& match, bool is_a) {
        std::vector<std::size_t> below(scene.nodes.size());
        for (auto node = tree.order.rbegin(); node != tree.order.rend(); ++node) {
            const Index parent = tree.parents[*node];
            if (match[*node] == no_index && parent != no_index) below[parent] += below[*node] + 1;
        }
        for (const Index node : tree.order) {
            const Index parent = tree.parents[node];
            if (match[node] != no_index || (parent != no_index && match[parent] == no_index)) continue;
            std::string message = is_a ? "the second has no such node" : "the first has no such node";
            if (below[node] != 0) message += "; " + counted(below[node], "node", "nodes") + " below it likewise";
            std::string path = object_path("nodes", node, scene.nodes[node].name);
            is_a ? findings_.add(codes::diff_node, std::move(path), std::move(message), "a node", "nothing")
                 : findings_.add_gain(codes::diff_node, std::move(path), std::move(message), "a node");
        }
    }

    Comparison& all_;
    Findings& findings_;
    std::vector<glm::dmat4> worlds_a_, worlds_b_;
};

RestBounds box_of(const Mesh& mesh) {
    RestBounds box;
    for (const Attribute& attribute : mesh.attributes) {
        const Accessor& data = attribute.data;
        if (attribute.semantic != Semantic::position || data.component != ComponentType::f32 ||
            data.element != ElementType::vec3)
            continue;
        for (const Vec3& point : data.as<Vec3>()) box.add(wide(point));
        break;
    }
    return box;
}

}  // namespace

std::vector<glm::dmat4> world_matrices(const Scene& scene, const Tree& tree) {
    std::vector<glm::dmat4> worlds(scene.nodes.size());
    for (const Index node : tree.order) {
        const Index parent = tree.parents[node];
        const glm::dmat4 local = local_matrix(scene.nodes[node]);
        worlds[node] = parent == no_index ? local : worlds[parent] * local;
    }
    return worlds;
}

double size_of(const Mesh& mesh) { return box_of(mesh).diagonal(); }

double size_of(const Scene& scene, const Tree& tree) {
    std::vector<RestBounds> boxes;
    boxes.reserve(scene.meshes.size());
    for (const Mesh& mesh : scene.meshes) boxes.push_back(box_of(mesh));
    const std::vector<glm::dmat4> worlds = world_matrices(scene, tree);
    RestBounds box;
    for (std::size_t node = 0; node < scene.nodes.size(); ++node) {
        box.add(glm::dvec3(worlds[node][3]));
        const Index mesh = scene.nodes[node].mesh;
        if (mesh >= boxes.size() || boxes[mesh].is_empty()) continue;
        const RestBounds& own = boxes[mesh];
        for (int corner = 0; corner < 8; ++corner) {
            const glm::dvec4 point((corner & 1) != 0 ? own.high.x : own.low.x,
                                   (corner & 2) != 0 ? own.high.y : own.low.y,
                                   (corner & 4) != 0 ? own.high.z : own.low.z, 1.0);
            box.add(glm::dvec3(worlds[node] * point));
        }
    }
    return box.diagonal();
}

void compare_nodes(Comparison& comparison) { NodeComparison(comparison).run(); }

}  // namespace effigy::diff
