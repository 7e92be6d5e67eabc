/// Morph targets: from the head's frame to the mesh's, for points and their duplicates.

#include <algorithm>
#include <cmath>
#include <string>

#include "effigy/arp_codes.hpp"

#include "arp/file/names.hpp"
#include "arp/to_scene/meshes.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::bridge {
namespace {

/// What a set does to one vertex.
struct Delta {
    std::uint32_t vertex = 0;
    Vec3 position, normal;
};

class MorphBuilder {
public:
    MorphBuilder(Build& build, const Avatar& avatar, const Mesh& mesh, const Copies& copies, const glm::dmat3& head,
                 effigy::Mesh& made, PlacedMesh& placed)
        : build_(build), avatar_(avatar), mesh_(mesh), copies_(copies), head_(head), made_(made), placed_(placed) {}

    Result<void> add() {
        if (made_.vertex_count == 0) return {};
        for (const Attribute& attribute : made_.attributes) {
            if (attribute.semantic == Semantic::normal) normals_ = attribute.data.as<Vec3>();
        }
        for (const MorphTarget& target : mesh_.morph_targets) {
            if (auto added = add_target(target); !added) return added;
        }
        report();
        return {};
    }

private:
    Result<void> add_target(const MorphTarget& target) {
        auto taken = build_.take(1, sizeof(effigy::MorphTarget) + 400 + 8 * target.name.size(), "morph targets");
        if (!taken) return taken;
        const auto number = static_cast<std::uint32_t>(made_.targets.size());
        const std::string_view raw = up_to_nul(target.name);
        effigy::MorphTarget& added = made_.targets.emplace_back();
        added.name = raw.empty() ? "target" + std::to_string(number) : build_.text(raw);
        made_.weights.push_back(0);
        if (!placed_.targets.try_emplace(raw, number).second) doubled_.add(added.name);
        auto deltas = deltas_of(target);
        if (!deltas) return fail(std::move(deltas.error()));
        // New avatars have targets that move nothing, because players ask for them.
        const bool is_common = std::find(common_morphs.begin(), common_morphs.end(), added.name) != common_morphs.end();
        if (deltas->empty() && !is_common) empty_.add(added.name);
        fill(added, *deltas);
        return {};
    }

    /// By vertex, each once.
    Result<std::vector<Delta>> deltas_of(const MorphTarget& target) {
        std::vector<Delta> deltas;
        for (const MorphSet& set : target.sets) {
            if (set.point >= mesh_.points.size()) {
                ++astray_;
                continue;
            }
            const std::uint32_t first = copies_.first_vertices[set.point], end = copies_.first_vertices[set.point + 1];
            auto taken = build_.take(end - first, 2 * sizeof(Delta) + 4 + 2 * sizeof(Vec3), "morph targets");
            if (!taken) return fail(std::move(taken.error()));
            for (std::uint32_t i = first; i < end; ++i) deltas.push_back(delta_of(set, copies_.vertices[i]));
        }
        std::stable_sort(deltas.begin(), deltas.end(),
                         [](const Delta& a, const Delta& b) { return a.vertex < b.vertex; });
        const auto end = std::unique(deltas.begin(), deltas.end(),
                                     [](const Delta& a, const Delta& b) { return a.vertex == b.vertex; });
        repeated_ += static_cast<std::uint64_t>(deltas.end() - end);
        deltas.erase(end, deltas.end());
        return deltas;
    }

    Delta delta_of(const MorphSet& set, std::uint32_t vertex) {
        glm::dvec3 offset = head_ * wide(set.offset) * double{avatar_.file->scale} * avatar_.metres;
        if (!is_finite(offset)) {
            ++not_finite_;
            offset = glm::dvec3(0);
        }
        Delta delta{vertex, narrow(offset), {}};
        if (!avatar_.file->layout.morph_normals) return delta;
        const glm::dvec3 normal = head_ * wide(set.normal);
        const double length = glm::length(normal);
        // Normals are what a vertex ends with, and none stands for no change.
        if (std::isfinite(length) && length > 1e-6) delta.normal = narrow(normal - wide(normals_[vertex]));
        return delta;
    }

    void fill(effigy::MorphTarget& target, const std::vector<Delta>& deltas) const {
        const bool with_normals = avatar_.file->layout.morph_normals && !normals_.empty();
        for (const Delta& delta : deltas) {
            target.indices.push_back(delta.vertex);
            target.positions.push_back(delta.position);
            if (with_normals) target.normals.push_back(delta.normal);
        }
    }

    void report() {
        build_.note_any(empty_, codes::morph_empty, "morph_targets", "These morph targets move no vertex.");
        build_.note_any(doubled_, codes::arp_morph_name_repeated, "morph_targets",
                        "Several morph targets have these names: motions reach the first one only.");
        build_.note_any(astray_, codes::morph_vertex.as(Severity::warning), "morph_targets",
                        "Offsets of points that do not exist are left out.");
        build_.note_any(repeated_, codes::arp_morph_repeated, "morph_targets",
                        "Targets move a point twice; the first of these offsets counts.");
        build_.note_any(not_finite_, codes::not_finite_replaced, "morph_targets",
                        "Offsets that are not finite become 0.");
    }

    Build& build_;
    const Avatar& avatar_;
    const Mesh& mesh_;
    const Copies& copies_;
    const glm::dmat3& head_;
    effigy::Mesh& made_;
    PlacedMesh& placed_;
    std::span<const Vec3> normals_;
    NameList empty_, doubled_;
    std::uint64_t astray_ = 0, repeated_ = 0, not_finite_ = 0;
};

}  // namespace

Result<void> add_morphs(Build& build, const Avatar& avatar, const Mesh& mesh, const Copies& copies,
                        const glm::dmat3& head, effigy::Mesh& made, PlacedMesh& placed) {
    return MorphBuilder(build, avatar, mesh, copies, head, made, placed).add();
}

}  // namespace effigy::arp::bridge
