/// Morph targets of version 6.

#include <algorithm>
#include <cmath>

#include "effigy/x42_codes.hpp"

#include "scene/morph_slices.hpp"
#include "x42/to_scene/geometry.hpp"

namespace effigy::x42::bridge {
namespace {

/// One offset of one target.
struct Delta {
    std::uint32_t vertex = 0;  ///< of the file
    std::uint32_t place = 0;   ///< in the arrays of offsets
};

class MorphBuilder {
public:
    MorphBuilder(Build& build, const Model& model, std::span<LevelMesh> meshes)
        : build_(build), file_(*model.file), morphs_(model.file->morphs), meshes_(meshes) {}

    Result<void> add() {
        for (std::size_t i = 0; i < morphs_.targets.size(); ++i) {
            if (auto added = add_target(i); !added) return added;
        }
        report();
        return {};
    }

private:
    Result<void> add_target(std::size_t number) {
        const MorphTarget& target = morphs_.targets[number];
        const std::string_view raw = name_of(file_, target.name);
        // A file of targets that share all offsets, and of levels that share all groups, could ask for anything.
        auto taken = build_.take(target.delta_count, sizeof(Delta), "morph targets").and_then([&] {
            return build_.take(raw.size() + sizeof(effigy::MorphTarget) + 400, meshes_.size(), "morph targets");
        });
        if (!taken) return taken;
        std::string name = build_.text(raw);
        if (name.empty()) name = "target" + std::to_string(number);
        const std::vector<Delta> deltas = deltas_of(target, name);
        for (LevelMesh& one : meshes_) {
            effigy::MorphTarget& added = one.mesh.targets.emplace_back();
            added.name = name;
            one.mesh.weights.push_back(0);
            if (auto filled = fill(added, deltas, one); !filled) return filled;
        }
        if (deltas.empty()) empty_.add(name);
        return {};
    }

    /// By vertex, each once.
    std::vector<Delta> deltas_of(const MorphTarget& target, const std::string& name) {
        const std::uint64_t all = std::min(morphs_.indices.size(), morphs_.positions.size());
        const std::uint64_t first = std::min<std::uint64_t>(target.first_delta, all);
        const std::uint64_t count = std::min<std::uint64_t>(target.delta_count, all - first);
        if (count != target.delta_count) short_.add(name);
        std::vector<Delta> deltas;
        for (std::uint64_t i = first; i < first + count; ++i) {
            const std::uint32_t vertex = morphs_.indices[static_cast<std::size_t>(i)];
            if (vertex >= file_.vertices.size()) {
                ++astray_;
            } else {
                deltas.push_back({vertex, static_cast<std::uint32_t>(i)});
            }
        }
        std::sort(deltas.begin(), deltas.end(), [](const Delta& a, const Delta& b) {
            return a.vertex != b.vertex ? a.vertex < b.vertex : a.place < b.place;
        });
        const auto end = std::unique(deltas.begin(), deltas.end(),
                                     [](const Delta& a, const Delta& b) { return a.vertex == b.vertex; });
        repeated_ += static_cast<std::uint64_t>(deltas.end() - end);
        deltas.erase(end, deltas.end());
        return deltas;
    }

    Result<void> fill(effigy::MorphTarget& target, const std::vector<Delta>& deltas, LevelMesh& one) {
        if (deltas.empty()) return {};
        if (auto taken = build_.take(one.level->pieces.size(), 16, "morph targets"); !taken) return taken;
        const std::size_t all = morphs_.positions.size();
        const bool normals = morphs_.normals.size() == all && !elements<Vec3>(one.mesh, Semantic::normal).empty();
        const bool tangents = morphs_.tangents.size() == all && !elements<Vec4>(one.mesh, Semantic::tangent).empty();
        for (const Piece& piece : one.level->pieces) {
            const std::uint32_t first = piece.group->first_vertex;
            const auto from = std::lower_bound(deltas.begin(), deltas.end(), first, before);
            const auto end =
                std::lower_bound(from, deltas.end(), std::uint64_t{first} + piece.group->vertex_count, before);
            auto taken = build_.take(static_cast<std::uint64_t>(end - from), 4 + 3 * sizeof(Vec3), "morph targets");
            if (!taken) return taken;
            for (auto delta = from; delta != end; ++delta) {
                target.indices.push_back(piece.first_vertex + (delta->vertex - first));
                target.positions.push_back(finite(unpack(morphs_.positions[delta->place], file_.pack.morph_positions)));
                if (normals) target.normals.push_back(unpack(morphs_.normals[delta->place]));
                if (tangents) target.tangents.push_back(tangent_of(*piece.group, *delta));
            }
        }
        // As glTF gives them back: points alone say nothing of tangents.
        if (has_points(*one.level) && std::none_of(target.tangents.begin(), target.tangents.end(), is_moved))
            target.tangents.clear();
        return {};
    }

    /// None for points, as they have no tangents in glTF: others would not come back.
    [[nodiscard]] Vec3 tangent_of(const DrawnGroup& group, const Delta& delta) const noexcept {
        if (group.topology == Topology::points) return {};
        const PackedTangent& packed = morphs_.tangents[delta.place];
        return unpack(PackedNormal{packed[0], packed[1], packed[2]});
    }

    static bool has_points(const Level& level) noexcept {
        return std::any_of(level.pieces.begin(), level.pieces.end(),
                           [](const Piece& piece) { return piece.group->topology == Topology::points; });
    }

    static bool before(const Delta& delta, std::uint64_t vertex) noexcept { return delta.vertex < vertex; }

    Vec3 finite(const Vec3& v) noexcept {
        if (std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z)) return v;
        ++not_finite_;
        return {};
    }

    void report() {
        constexpr const char* path = "morph_targets";
        build_.note_any(short_, codes::x42_morph_range.as(Severity::warning), path,
                        "These morph targets have offsets that do not exist; they have those that do.");
        build_.note_any(empty_, codes::morph_empty, path, "These morph targets move no vertex.");
        build_.note_any(astray_, codes::x42_morph_index.as(Severity::warning), path,
                        "Offsets of vertices that do not exist are left out.");
        build_.note_any(repeated_, codes::x42_morph_repeated, path,
                        "Targets move a vertex twice; the first of these offsets counts.");
        build_.note_any(not_finite_, codes::not_finite_replaced, path, "Offsets that are not finite become 0.");
    }

    Build& build_;
    const File& file_;
    const Morphs& morphs_;
    std::span<LevelMesh> meshes_;
    NameList short_, empty_;
    std::uint64_t astray_ = 0, repeated_ = 0, not_finite_ = 0;
};

}  // namespace

Result<void> add_morphs(Build& build, const Model& model, std::span<LevelMesh> meshes) {
    return MorphBuilder(build, model, meshes).add();
}

}  // namespace effigy::x42::bridge
