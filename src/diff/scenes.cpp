/// Differences of two scenes: the order of the comparisons.

#include <algorithm>
#include <cmath>

#include "effigy/core_codes.hpp"

#include "core/guard.hpp"
#include "core/problem.hpp"
#include "diff/compare.hpp"
#include "scene/records.hpp"

namespace effigy {

namespace diff {

namespace {

std::uint64_t bytes_in(const Scene& scene) {
    std::uint64_t bytes = 0;
    for (const Mesh& mesh : scene.meshes) {
        bytes += size_of(mesh.extras);
        for (const Attribute& attribute : mesh.attributes) bytes += attribute.data.bytes.size();
        for (const Primitive& primitive : mesh.primitives) bytes += primitive.indices.size() * sizeof(std::uint32_t);
        for (const MorphTarget& target : mesh.targets) {
            bytes += target.indices.size() * sizeof(std::uint32_t);
            bytes += (target.positions.size() + target.normals.size() + target.tangents.size()) * sizeof(Vec3);
        }
    }
    for (const Node& node : scene.nodes) bytes += sizeof(Node) + size_of(node.extras);
    for (const Clip& clip : scene.clips) {
        for (const Track& track : clip.tracks) bytes += (track.times.size() + track.values.size()) * sizeof(float);
        bytes += size_of(clip.extras);
    }
    return bytes + size_of(scene.asset_extras);
}

/// Tolerances that are no such numbers count as 0.
DiffOptions sane(DiffOptions options) {
    DiffTolerances& all = options.tolerances;
    for (double* each : {&all.position, &all.normal, &all.texcoord, &all.color, &all.weight, &all.rotation, &all.scale,
                         &all.time, &all.number}) {
        *each = std::isfinite(*each) ? std::clamp(*each, 0.0, 1e6) : 0;
    }
    return options;
}

Result<Report> compare(const Scene& a, const Scene& b, const DiffOptions& options) {
    Comparison comparison(a, b, options);
    compare_nodes(comparison);
    if (auto done = compare_meshes(comparison); !done) return fail(std::move(done.error()));
    compare_materials(comparison);
    compare_lights(comparison);
    if (auto done = compare_clips(comparison); !done) return fail(std::move(done.error()));
    if (auto done = compare_extras(comparison); !done) return fail(std::move(done.error()));
    return comparison.findings.take();
}

}  // namespace

Comparison::Comparison(const Scene& first, const Scene& second, const DiffOptions& options)
    : a(first),
      b(second),
      tree_a(first),
      tree_b(second),
      nodes(match_nodes(first, tree_a, second, tree_b)),
      materials(match_names(names_of(first.materials), names_of(second.materials))),
      clips(match_names(names_of(first.clips), names_of(second.clips))),
      findings(options),
      budget(options.limits, bytes_in(first) + bytes_in(second)) {}

double Comparison::size() const {
    if (!size_) size_ = std::max(size_of(a, tree_a), size_of(b, tree_b));
    return *size_;
}

Result<void> Comparison::take(std::uint64_t count, std::uint64_t bytes_each) {
    if (budget.take(count, bytes_each)) return {};
    return fail(problem_at({}, codes::limit_memory,
                           "comparing the files would need more memory than the limit of " +
                               std::to_string(budget.limit()) + " bytes; --limit-memory sets another"));
}

std::string Comparison::node_path(Index node) const { return object_path("nodes", node, a.nodes[node].name); }

}  // namespace diff

Result<Report> diff_scenes(const Scene& a, const Scene& b, const DiffOptions& options) {
    return without_exceptions([&]() -> Result<Report> {
        const DiffOptions checked = diff::sane(options);
        return diff::compare(a, b, checked);
    });
}

}  // namespace effigy
