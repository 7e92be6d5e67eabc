/// Ranges of vertices, and the share of a morph target that falls into one.

#include "scene/morph_slices.hpp"

#include <algorithm>
#include <set>

namespace effigy {
namespace {

std::size_t position_in(const Bulk<std::uint32_t>& sorted, std::uint64_t value) {
    return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

std::uint64_t count_moved(const MorphSlice& slice) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < slice.indices.size(); ++i) {
        const bool moved = std::any_of(slice.offsets.begin(), slice.offsets.end(),
                                       [&](const auto& part) { return !part.empty() && is_moved(part[i]); });
        count += moved ? 1 : 0;
    }
    return count;
}

}  // namespace

std::vector<VertexRun> vertex_runs(const Mesh& mesh) {
    std::vector<VertexRun> spans;
    std::set<VertexRun> known;
    for (const Primitive& primitive : mesh.primitives) {
        const VertexRun span{primitive.first_vertex, primitive.vertex_count};
        if (is_drawn(primitive) && known.insert(span).second) spans.push_back(span);
    }
    return spans;
}

MorphSlice slice_of(const MorphTarget& target, const VertexRun& range) {
    MorphSlice slice;
    slice.range = range;
    if (target.positions.empty() && target.normals.empty() && target.tangents.empty()) return slice;
    const std::size_t begin = position_in(target.indices, range.first);
    const std::size_t count = position_in(target.indices, std::uint64_t{range.first} + range.count) - begin;
    slice.indices = std::span(target.indices).subspan(begin, count);
    const std::array parts{&target.positions, &target.normals, &target.tangents};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i]->empty()) slice.offsets[i] = std::span(*parts[i]).subspan(begin, count);
    }
    // A sparse accessor that would take more room than a full one has no point.
    const auto fits = [&](std::uint64_t entries) {
        return entries * (sizeof(Vec3) + slice.index_width()) <= std::uint64_t{range.count} * sizeof(Vec3);
    };
    slice.is_sparse = !slice.indices.empty() && (fits(slice.indices.size()) || fits(count_moved(slice)));
    return slice;
}

}  // namespace effigy
