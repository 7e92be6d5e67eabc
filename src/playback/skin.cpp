/// SkinJob: vertices moved by their influences.

#include <cstddef>
#include <string>

#include "effigy/playback.hpp"

#include "playback/checks.hpp"
#include "playback/kernels.hpp"

namespace effigy::playback {
namespace {

Result<void> check_batch(const InfluenceBatch& batch, std::size_t matrices, std::size_t vertices) {
    if (batch.influences == 0 && !batch.vertices.empty()) return wrong_value("batches.influences", "0", "at least 1");
    const std::uint64_t count = std::uint64_t{batch.vertices.size()} * batch.influences;
    if (auto fits = check_sizes(
            {{"batches.joints", batch.joints.size(), count}, {"batches.weights", batch.weights.size(), count}});
        !fits) {
        return fits;
    }
    if (auto fits = check_indices("batches.joints", batch.joints, matrices); !fits) return fits;
    return check_ascending("batches.vertices", batch.vertices, vertices);
}

/// `in`, without what `out` has no room for.
VertexView wanted(const VertexView& in, const VertexSpan& out) {
    VertexView view = in;
    if (out.normals.empty()) view.normals = {};
    if (out.tangents.empty()) view.tangents = {};
    return view;
}

}  // namespace

Result<void> SkinJob::run() const {
    const VertexView source = wanted(in, out);
    if (auto fits = check_vertices(source, out); !fits) return fits;
    for (const InfluenceBatch& batch : batches) {
        if (auto fits = check_batch(batch, matrices.size(), in.positions.size()); !fits) return fits;
    }
    (kernel == Kernel::vector ? kernels::skin : reference::skin)(matrices, batches, source, out);
    return {};
}

}  // namespace effigy::playback
