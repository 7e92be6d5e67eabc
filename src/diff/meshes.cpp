/// Differences of the meshes at nodes that belong together.

#include <algorithm>
#include <numeric>
#include <set>

#include "effigy/diff_codes.hpp"

#include "core/lists.hpp"
#include "core/text.hpp"
#include "diff/compare.hpp"
#include "diff/elements.hpp"
#include "diff/vertices.hpp"

namespace effigy::diff {

namespace {

/// Materials of the second scene by the numbers of the first one; those without a counterpart get numbers of their own.
std::vector<Index> shared_numbers(const Match& match) {
    std::vector<Index> numbers(match.to_a.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = match.to_a[i] != no_index ? match.to_a[i] : static_cast<Index>(match.to_b.size() + i);
    }
    return numbers;
}

class MeshComparison {
public:
    MeshComparison(Comparison& all, const MeshPair& pair)
        : all_(all),
          pair_(pair),
          a_(all.a.meshes[pair.mesh_a]),
          b_(all.b.meshes[pair.mesh_b]),
          path_(object_path("meshes", pair.mesh_a, a_.name)) {}

    Result<void> run() {
        if (is_same_mesh()) {
            compare_binds();
            return {};
        }
        const std::uint64_t indices = count_indices(a_) + count_indices(b_);
        if (auto done = all_.take(indices, sizeof(Element)); !done) return done;
        auto vertices = Vertices::make(all_, pair_, path_);
        if (!vertices) return fail(std::move(vertices.error()));
        std::vector<Index> own(all_.a.materials.size());
        std::iota(own.begin(), own.end(), Index{0});
        const Bulk<Element> in_a = elements_of(a_, own), in_b = elements_of(b_, shared_numbers(all_.materials));
        if (auto done = compare(*vertices, in_a, in_b); !done) return done;
        compare_binds();
        return {};
    }

private:
    /// Whether both are the same in everything that is compared, in the same order. Of two files that hold the same
    /// this decides at the speed of memory.
    [[nodiscard]] bool is_same_mesh() const {
        const auto attributes = [](const Attribute& x, const Attribute& y) {
            return x.semantic == y.semantic && x.set == y.set && x.custom_name == y.custom_name &&
                   x.data.element == y.data.element && x.data.component == y.data.component &&
                   x.data.normalized == y.data.normalized && same_bytes(x.data.bytes, y.data.bytes);
        };
        const auto primitives = [&](const Primitive& x, const Primitive& y) {
            return x.first_vertex == y.first_vertex && x.vertex_count == y.vertex_count && x.topology == y.topology &&
                   is_same_material(x.material, y.material) && same_bytes(x.indices, y.indices);
        };
        const auto targets = [](const MorphTarget& x, const MorphTarget& y) {
            return x.name == y.name && same_bytes(x.indices, y.indices) && same_bytes(x.positions, y.positions) &&
                   same_bytes(x.normals, y.normals) && same_bytes(x.tangents, y.tangents);
        };
        return a_.vertex_count == b_.vertex_count && has_same_joints() && same_bytes(a_.weights, b_.weights) &&
               std::equal(a_.primitives.begin(), a_.primitives.end(), b_.primitives.begin(), b_.primitives.end(),
                          primitives) &&
               std::equal(a_.targets.begin(), a_.targets.end(), b_.targets.begin(), b_.targets.end(), targets) &&
               std::equal(a_.attributes.begin(), a_.attributes.end(), b_.attributes.begin(), b_.attributes.end(),
                          attributes);
    }

    [[nodiscard]] bool is_same_material(Index a, Index b) const {
        return b < all_.materials.to_a.size() ? all_.materials.to_a[b] == a && a != no_index : a == b;
    }

    [[nodiscard]] bool has_same_joints() const {
        const bool in_a = pair_.skin_a < all_.a.skins.size(), in_b = pair_.skin_b < all_.b.skins.size();
        if (!in_a || !in_b) return in_a == in_b;
        const auto &joints_a = all_.a.skins[pair_.skin_a].joints, &joints_b = all_.b.skins[pair_.skin_b].joints;
        return std::equal(joints_a.begin(), joints_a.end(), joints_b.begin(), joints_b.end(),
                          [&](Index x, Index y) { return x < all_.nodes.to_b.size() && all_.nodes.to_b[x] == y; });
    }

    [[nodiscard]] static std::uint64_t count_indices(const Mesh& mesh) {
        std::uint64_t count = 0;
        for (const Primitive& primitive : mesh.primitives) count += primitive.indices.size();
        return count;
    }

    Result<void> compare(Vertices& vertices, const Bulk<Element>& in_a, const Bulk<Element>& in_b) {
        const bool same_corners = std::equal(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(),
                                             [](const Element& x, const Element& y) { return x.corners == y.corners; });
        const bool same_materials =
            same_corners && std::equal(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(),
                                       [](const Element& x, const Element& y) { return x.material == y.material; });
        const auto tally = [&] {
            vertices.clear_tallies();
            tally_in_order(vertices, in_a);
            return std::any_of(vertices.measures().begin(), vertices.measures().end(),
                               [](const Measure& each) { return each.count != 0; });
        };
        if (same_corners && same_materials && !tally()) return {};
        vertices.clear_tallies();
        auto match = match_elements(all_, vertices, in_a, in_b, a_.vertex_count, b_.vertex_count);
        if (!match) return fail(std::move(match.error()));
        const bool in_order = same_corners && (match->only_a != 0 || match->differs);
        if (in_order) static_cast<void>(tally());
        report(vertices, in_order ? "vertex" : "corner", in_order ? "vertices" : "corners");
        if (!in_order) report_elements(*match, in_a, in_b);
        report_materials(*match, in_order, in_a, in_b);
        return {};
    }

    static void tally_in_order(Vertices& vertices, const Bulk<Element>& elements) {
        std::uint32_t most = 0;
        for (const Element& element : elements) {
            for (std::uint32_t i = 0; i < element.corner_count; ++i) most = std::max(most, element.corners[i]);
        }
        std::vector<bool> seen(std::size_t{most} + 1);
        for (const Element& element : elements) {
            for (std::uint32_t i = 0; i < element.corner_count; ++i) {
                const std::uint32_t vertex = element.corners[i];
                if (seen[vertex]) continue;
                seen[vertex] = true;
                vertices.tally(vertex, vertex);
            }
        }
    }

    void report(const Vertices& vertices, std::string_view one, std::string_view many) {
        const std::vector<Measure>& measures = vertices.measures();
        for (std::size_t i = 0; i < measures.size(); ++i) {
            const Measure& measure = measures[i];
            if (measure.count == 0) continue;
            all_.findings.add(*measure.code, path_ + " / " + measure.name,
                              counted(measure.count, one, many) + (measure.count == 1 ? " differs" : " differ") +
                                  " by up to " + shown(measure.largest) + ", at vertex " +
                                  std::to_string(measure.vertex_a),
                              vertices.text(false, i, measure.vertex_a), vertices.text(true, i, measure.vertex_b));
        }
    }

    void report_elements(const ElementMatch& match, const Bulk<Element>& in_a, const Bulk<Element>& in_b) {
        if (match.only_a == 0 && match.only_b == 0) return;
        all_.findings.add(codes::diff_triangles, path_,
                          counted(match.only_a, "triangle", "triangles") + " of the first and " +
                              std::to_string(match.only_b) + " of the second have no counterpart in the same place",
                          counted(in_a.size(), "triangle", "triangles"), counted(in_b.size(), "triangle", "triangles"));
    }

    void report_materials(const ElementMatch& match, bool in_order, const Bulk<Element>& in_a,
                          const Bulk<Element>& in_b) {
        std::uint64_t count = match.other_material;
        std::pair<Index, Index> materials = match.materials;
        for (std::size_t i = 0; in_order && i < in_a.size(); ++i) {
            if (i == 0) count = 0;
            if (in_a[i].material != in_b[i].material && count++ == 0) materials = {in_a[i].material, in_b[i].material};
        }
        if (count == 0) return;
        const std::string message = counted(count, "triangle has", "triangles have") + " another material",
                          first = material_name(materials.first), second = material_name(materials.second);
        const bool had_none =
            std::all_of(in_a.begin(), in_a.end(), [](const Element& element) { return element.material == no_index; });
        had_none ? all_.findings.add_gain(codes::diff_assignment, path_, message, second, first)
                 : all_.findings.add(codes::diff_assignment, path_, message, first, second);
    }

    [[nodiscard]] std::string material_name(Index material) const {
        const std::size_t count = all_.a.materials.size();
        if (material == no_index) return "none";
        return material < count ? object_path("materials", material, all_.a.materials[material].name)
                                : all_.b.materials[material - count].name;
    }

    // Inverse bind matrices of the joints that both skins have.
    void compare_binds() {
        if (pair_.skin_a >= all_.a.skins.size() || pair_.skin_b >= all_.b.skins.size()) return;
        const Skin &a = all_.a.skins[pair_.skin_a], &b = all_.b.skins[pair_.skin_b];
        std::vector<std::size_t> place(all_.b.nodes.size(), SIZE_MAX);
        for (std::size_t i = b.joints.size(); i-- > 0;) {
            if (b.joints[i] < place.size()) place[b.joints[i]] = i;
        }
        for (std::size_t i = 0; i < a.joints.size(); ++i) {
            const Index other = a.joints[i] < all_.nodes.to_b.size() ? all_.nodes.to_b[a.joints[i]] : no_index;
            if (other == no_index || place[other] == SIZE_MAX) continue;
            const std::size_t j = place[other];
            if (i >= a.inverse_bind_matrices.size() || j >= b.inverse_bind_matrices.size()) continue;
            compare_bind(a.joints[i], a.inverse_bind_matrices[i], b.inverse_bind_matrices[j]);
        }
    }

    void compare_bind(Index joint, const Mat4& a, const Mat4& b) {
        double turned = 0, moved = 0, largest = 0;
        for (std::size_t i = 0; i < 12; ++i) {
            turned = std::max(turned, distance(a.m[i], b.m[i]));
            largest = std::max(largest, std::fabs(double{a.m[i]}));
        }
        for (std::size_t i = 12; i < 16; ++i) moved = std::max(moved, distance(a.m[i], b.m[i]));
        if (turned == 0 && moved == 0) return;
        const DiffTolerances& tolerances = all_.findings.tolerances();
        const double factor = std::max(largest, 1e-30);
        if (turned <= std::max(tolerances.rotation, tolerances.scale) * factor &&
            moved <= all_.position_tolerance() * std::max(factor, 1.0))
            return;
        all_.findings.add(codes::diff_bind, skin_path() + " / " + all_.node_path(joint),
                          "the joint is bound elsewhere: its inverse bind matrix differs by " + shown(moved) +
                              " in its place and by " + shown(turned) + " in its turn and scale",
                          place_text(a), place_text(b));
    }
    [[nodiscard]] std::string skin_path() const {
        return object_path("skins", pair_.skin_a, all_.a.skins[pair_.skin_a].name);
    }
    [[nodiscard]] static std::string place_text(const Mat4& m) {
        return "(" + shown(m.m[12]) + ", " + shown(m.m[13]) + ", " + shown(m.m[14]) + ")";
    }

    Comparison& all_;
    const MeshPair pair_;
    const Mesh &a_, &b_;
    std::string path_;
};

std::string mesh_text(const Scene& scene, Index mesh) {
    return mesh < scene.meshes.size() ? object_path("meshes", mesh, scene.meshes[mesh].name) : "none";
}

}  // namespace

std::vector<MeshPair> mesh_pairs(const Comparison& all) {
    std::set<MeshPair> pairs;
    for (const Index node : all.tree_a.order) {
        if (all.nodes.to_b[node] == no_index) continue;
        const Node &a = all.a.nodes[node], &b = all.b.nodes[all.nodes.to_b[node]];
        if (a.mesh < all.a.meshes.size() && b.mesh < all.b.meshes.size())
            pairs.insert({a.mesh, b.mesh, a.skin, b.skin});
    }
    return {pairs.begin(), pairs.end()};
}

Result<void> compare_meshes(Comparison& all) {
    for (const Index node : all.tree_a.order) {
        if (all.nodes.to_b[node] == no_index) continue;
        const Node &a = all.a.nodes[node], &b = all.b.nodes[all.nodes.to_b[node]];
        const bool in_a = a.mesh < all.a.meshes.size(), in_b = b.mesh < all.b.meshes.size();
        if (in_a != in_b) {
            all.findings.add(codes::diff_mesh, all.node_path(node),
                             std::string("the node has a mesh in the ") + (in_a ? "first" : "second") + " only",
                             mesh_text(all.a, a.mesh), mesh_text(all.b, b.mesh));
        } else if (in_a && (a.skin < all.a.skins.size()) != (b.skin < all.b.skins.size())) {
            all.findings.add(codes::diff_mesh, all.node_path(node), "the mesh has a skin in one of them only",
                             a.skin < all.a.skins.size() ? "a skin" : "none",
                             b.skin < all.b.skins.size() ? "a skin" : "none");
        }
    }
    for (const MeshPair& pair : mesh_pairs(all)) {
        const std::uint64_t used = all.budget.used();
        if (auto done = MeshComparison(all, pair).run(); !done) return done;
        all.budget.give_back(all.budget.used() - used);
    }
    return {};
}

}  // namespace effigy::diff
