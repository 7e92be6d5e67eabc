/// Skinning and transforming of vertices in vector instructions (Highway), compiled for each kind.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "playback/kernels_mesh.cpp"
#include "hwy/foreach_target.h"
// All else comes after it.
#include <cstring>

#include "core/vector_choice.hpp"
#include "hwy/highway.h"
#include "playback/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace effigy::playback::kernels::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

using reference::skin;
using reference::transform;

#else

namespace hn = hwy::HWY_NAMESPACE;

/// A column of a matrix, or a vertex.
using Four = hn::FixedTag<float, 4>;
using Four4 = hn::Vec<Four>;

// ---- Blending ----

/// As much of a matrix as one vector holds. (Vectors of unknown length hold at least a column.)
#if HWY_HAVE_SCALABLE || HWY_MAX_BYTES < 32
constexpr std::size_t wide_lanes = 4;
#elif HWY_MAX_BYTES < 64
constexpr std::size_t wide_lanes = 8;
#else
constexpr std::size_t wide_lanes = 16;
#endif
using Wide = hn::FixedTag<float, wide_lanes>;
using WideV = hn::Vec<Wide>;

/// The influences of one vertex.
struct Links {
    const float* matrices;
    const std::uint16_t* joints;
    const float* weights;
    std::size_t count;
};

// No lambdas from here on where it has to be fast: compilers do not always inline them.

HWY_INLINE WideV add_weighted(const Links& links, std::size_t i, std::size_t part, WideV sum) {
    const Wide d;
    const float* matrix = links.matrices + 16 * std::size_t{links.joints[i]};
    return hn::MulAdd(hn::LoadU(d, matrix + part), hn::Set(d, links.weights[i]), sum);
}

/// The weighted sum of the vectors at `part` of each matrix. `fixed` influences, or as many as there are if that is 0.
template <std::size_t fixed>
HWY_INLINE WideV blend_part(const Links& links, std::size_t part) {
    const Wide d;
    const float* matrix = links.matrices + 16 * std::size_t{links.joints[0]};
    WideV sum = hn::Mul(hn::LoadU(d, matrix + part), hn::Set(d, links.weights[0]));
    // Written out, because compilers keep the loop even where it is this short.
    if constexpr (fixed > 1) sum = add_weighted(links, 1, part, sum);
    if constexpr (fixed > 2) sum = add_weighted(links, 2, part, sum);
    if constexpr (fixed > 3) sum = add_weighted(links, 3, part, sum);
    for (std::size_t i = 1; fixed == 0 && i < links.count; ++i) sum = add_weighted(links, i, part, sum);
    return sum;
}

template <std::size_t fixed>
HWY_INLINE void blend(const Links& links, Four4& x, Four4& y, Four4& z, Four4& w) {
#if HWY_HAVE_SCALABLE || HWY_MAX_BYTES < 32
    x = blend_part<fixed>(links, 0);
    y = blend_part<fixed>(links, 4);
    z = blend_part<fixed>(links, 8);
    w = blend_part<fixed>(links, 12);
#else
    const Four four;
#if HWY_MAX_BYTES < 64
    const WideV xy = blend_part<fixed>(links, 0);
    const WideV zw = blend_part<fixed>(links, 8);
#else
    const hn::Half<Wide> half;
    const WideV all = blend_part<fixed>(links, 0);
    const auto xy = hn::LowerHalf(half, all);
    const auto zw = hn::UpperHalf(half, all);
#endif
    x = hn::LowerHalf(four, xy);
    y = hn::UpperHalf(four, xy);
    z = hn::LowerHalf(four, zw);
    w = hn::UpperHalf(four, zw);
#endif
}

// ---- Blocks of vertices ----

/// So many vertices are done at once: few enough for the first cache.
constexpr std::size_t block_size = 64;

/// Three numbers at a time, without touching the fourth.
HWY_INLINE void store_three(Four4 v, float* out) {
    HWY_ALIGN float numbers[4];
    hn::Store(v, Four(), numbers);
    std::memcpy(out, numbers, 3 * sizeof(float));
}

/// 1 / length, or 1 if there is no length.
template <class D, class V>
HWY_INLINE V unit_factor(D d, V x, V y, V z) {
    const V square = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z)));
    const V one = hn::Set(d, 1.0f);
    return hn::IfThenElse(hn::Eq(square, hn::Zero(d)), one, hn::Div(one, hn::Sqrt(square)));
}

/// As many vectors of `width` numbers as there are lanes.
template <std::size_t width, class D>
HWY_INLINE void normalize_lanes(D d, float* vectors) {
    hn::Vec<D> x, y, z, w;
    if constexpr (width == 4) {
        hn::LoadInterleaved4(d, vectors, x, y, z, w);
    } else {
        hn::LoadInterleaved3(d, vectors, x, y, z);
    }
    const auto factor = unit_factor(d, x, y, z);
    x = hn::Mul(x, factor);
    y = hn::Mul(y, factor);
    z = hn::Mul(z, factor);
    if constexpr (width == 4) {
        hn::StoreInterleaved4(x, y, z, w, d, vectors);
    } else {
        hn::StoreInterleaved3(x, y, z, d, vectors);
    }
}

constexpr std::size_t max_lanes = HWY_MAX_BYTES / sizeof(float);

template <std::size_t width>
HWY_INLINE void normalize(float* vectors, std::size_t count) {
    const hn::ScalableTag<float> d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) normalize_lanes<width>(d, vectors + width * i);
    if (i == count) return;
    HWY_ALIGN float last[width * max_lanes] = {};
    const std::size_t size = (count - i) * width * sizeof(float);
    std::memcpy(last, vectors + width * i, size);
    normalize_lanes<width>(d, last);
    std::memcpy(vectors + width * i, last, size);
}

// ---- Skinning ----

struct Source {
    const float* positions;
    const float* normals;
    const float* tangents;
};

struct Target {
    float* positions;
    float* normals;
    float* tangents;
};

struct Block {
    const float* matrices;
    const std::uint32_t* vertices;
    const std::uint16_t* joints;
    const float* weights;
    std::size_t influences;
    std::size_t count;
    bool normalize;
};

HWY_INLINE Four4 turn(Four4 x, Four4 y, Four4 z, const float* v) {
    const Four d;
    return hn::MulAdd(x, hn::Set(d, v[0]), hn::MulAdd(y, hn::Set(d, v[1]), hn::Mul(z, hn::Set(d, v[2]))));
}

HWY_INLINE Four4 move(Four4 x, Four4 y, Four4 z, Four4 w, const float* v) {
    const Four d;
    return hn::MulAdd(x, hn::Set(d, v[0]), hn::MulAdd(y, hn::Set(d, v[1]), hn::MulAdd(z, hn::Set(d, v[2]), w)));
}

/// Three numbers; a fourth one behind them is spoilt unless they are the last.
template <bool is_last>
HWY_INLINE void store(Four4 v, float* out) {
    if constexpr (is_last) {
        store_three(v, out);
    } else {
        hn::StoreU(v, Four(), out);
    }
}

/// The `i`th vertex of a block.
template <std::size_t fixed, bool has_normals, bool has_tangents, bool is_last>
HWY_INLINE void skin_vertex(const Block& block, std::size_t i, const Source& in, const Target& out) {
    const std::size_t influences = fixed == 0 ? block.influences : fixed;
    const std::size_t v = block.vertices[i];
    Four4 x, y, z, w;
    const Links links{block.matrices, block.joints + i * influences, block.weights + i * influences, influences};
    blend<fixed>(links, x, y, z, w);
    store<is_last>(move(x, y, z, w, in.positions + 3 * v), out.positions + 3 * i);
    if constexpr (has_normals) store<is_last>(turn(x, y, z, in.normals + 3 * v), out.normals + 3 * i);
    if constexpr (has_tangents) {
        const float* tangent = in.tangents + 4 * v;
        hn::StoreU(turn(x, y, z, tangent), Four(), out.tangents + 4 * i);
        out.tangents[4 * i + 3] = tangent[3];
    }
}

/// Each vertex is followed by the next one, which writes over what its fourth number has spoilt: only the last one has
/// to keep to its place.
template <std::size_t fixed, bool has_normals, bool has_tangents>
HWY_INLINE void skin_vertices(const Block& block, const Source& in, const Target& out) {
    const std::size_t last = block.count - 1;
    for (std::size_t i = 0; i < last; ++i) skin_vertex<fixed, has_normals, has_tangents, false>(block, i, in, out);
    skin_vertex<fixed, has_normals, has_tangents, true>(block, last, in, out);
    if (!block.normalize) return;
    if constexpr (has_normals) normalize<3>(out.normals, block.count);
    if constexpr (has_tangents) normalize<4>(out.tangents, block.count);
}

template <bool has_normals, bool has_tangents>
HWY_INLINE void scatter(const Block& block, const Target& from, const Target& out) {
    for (std::size_t i = 0; i < block.count; ++i) {
        const std::size_t v = block.vertices[i];
        std::memcpy(out.positions + 3 * v, from.positions + 3 * i, sizeof(Vec3));
        if constexpr (has_normals) std::memcpy(out.normals + 3 * v, from.normals + 3 * i, sizeof(Vec3));
        if constexpr (has_tangents) std::memcpy(out.tangents + 4 * v, from.tangents + 4 * i, sizeof(Vec4));
    }
}

template <std::size_t fixed, bool has_normals, bool has_tangents>
void skin_batch(const Block batch, const Source in, const Target out) {
    // Vertices of a block that do not lie next to each other wait here.
    HWY_ALIGN float positions[3 * block_size];
    HWY_ALIGN float normals[3 * block_size];
    HWY_ALIGN float tangents[4 * block_size];
    const Target waiting{positions, normals, tangents};
    for (std::size_t begin = 0; begin < batch.count; begin += block_size) {
        Block block = batch;
        block.count = HWY_MIN(batch.count - begin, block_size);
        block.vertices += begin;
        block.joints += begin * batch.influences;
        block.weights += begin * batch.influences;
        const std::size_t first = block.vertices[0];
        const bool is_row = block.vertices[block.count - 1] - first == block.count - 1;
        const Target row{out.positions + 3 * first, has_normals ? out.normals + 3 * first : nullptr,
                         has_tangents ? out.tangents + 4 * first : nullptr};
        skin_vertices<fixed, has_normals, has_tangents>(block, in, is_row ? row : waiting);
        if (!is_row) scatter<has_normals, has_tangents>(block, waiting, out);
    }
}

template <bool has_normals, bool has_tangents>
void skin_any(const Block& batch, const Source& in, const Target& out) {
    switch (batch.influences) {
        case 1:
            return skin_batch<1, has_normals, has_tangents>(batch, in, out);
        case 2:
            return skin_batch<2, has_normals, has_tangents>(batch, in, out);
        case 3:
            return skin_batch<3, has_normals, has_tangents>(batch, in, out);
        case 4:
            return skin_batch<4, has_normals, has_tangents>(batch, in, out);
        default:
            return skin_batch<0, has_normals, has_tangents>(batch, in, out);
    }
}

template <class T>
HWY_INLINE auto numbers(std::span<T> vectors) -> decltype(&vectors.data()->x) {
    return vectors.empty() ? nullptr : &vectors.data()->x;
}

void skin_one(const float* matrices, const InfluenceBatch& batch, const Source& source, const Target& target,
              bool normalize) {
    const Block block{matrices,
                      batch.vertices.data(),
                      batch.joints.data(),
                      batch.weights.data(),
                      batch.influences,
                      batch.vertices.size(),
                      normalize};
    if (source.normals == nullptr) {
        return source.tangents == nullptr ? skin_any<false, false>(block, source, target)
                                          : skin_any<false, true>(block, source, target);
    }
    return source.tangents == nullptr ? skin_any<true, false>(block, source, target)
                                      : skin_any<true, true>(block, source, target);
}

void skin_all(const float* matrices, std::span<const InfluenceBatch> batches, const VertexView& in,
              const VertexSpan& out, bool normalize) {
    const Source source{numbers(in.positions), numbers(in.normals), numbers(in.tangents)};
    const Target target{numbers(out.positions), numbers(out.normals), numbers(out.tangents)};
    for (const InfluenceBatch& batch : batches) {
        if (!batch.vertices.empty()) skin_one(matrices, batch, source, target, normalize);
    }
}

/// So many matrices are copied if that makes reading them cheaper.
constexpr std::size_t max_copied = 256;

/// A matrix is as large as a cache line, and each that lies across two of them costs twice as much to read.
bool is_worth_copying(std::span<const Mat4> matrices, std::span<const InfluenceBatch> batches) {
    if (reinterpret_cast<std::uintptr_t>(matrices.data()) % sizeof(Mat4) == 0) return false;
    std::size_t influences = 0;
    for (const InfluenceBatch& batch : batches) influences += batch.joints.size();
    return matrices.size() <= max_copied && influences >= 8 * matrices.size();
}

void skin(std::span<const Mat4> matrices, std::span<const InfluenceBatch> batches, const VertexView& in,
          const VertexSpan& out, bool normalize) {
    if (matrices.empty()) return;
    if (!is_worth_copying(matrices, batches)) return skin_all(matrices.data()->m.data(), batches, in, out, normalize);
    alignas(sizeof(Mat4)) float copy[16 * max_copied];
    std::memcpy(copy, matrices.data(), matrices.size_bytes());
    skin_all(copy, batches, in, out, normalize);
}

// ---- One matrix for all ----

/// One number of each product; `m` points to its row in the first column.
template <bool is_point, class D, class V>
HWY_INLINE V row(D d, const float* m, V x, V y, V z) {
    const V offset = hn::Set(d, is_point ? m[12] : 0.0f);
    return hn::MulAdd(x, hn::Set(d, m[0]), hn::MulAdd(y, hn::Set(d, m[4]), hn::MulAdd(z, hn::Set(d, m[8]), offset)));
}

template <bool is_point, bool to_unit, std::size_t width, class D>
HWY_INLINE void transform_lanes(D d, const float* m, const float* in, float* out) {
    using V = hn::Vec<D>;
    V x, y, z, w;
    if constexpr (width == 4) {
        hn::LoadInterleaved4(d, in, x, y, z, w);
    } else {
        hn::LoadInterleaved3(d, in, x, y, z);
    }
    V a = row<is_point>(d, m, x, y, z);
    V b = row<is_point>(d, m + 1, x, y, z);
    V c = row<is_point>(d, m + 2, x, y, z);
    if constexpr (to_unit) {
        const V factor = unit_factor(d, a, b, c);
        a = hn::Mul(a, factor);
        b = hn::Mul(b, factor);
        c = hn::Mul(c, factor);
    }
    if constexpr (width == 4) {
        hn::StoreInterleaved4(a, b, c, w, d, out);
    } else {
        hn::StoreInterleaved3(a, b, c, d, out);
    }
}

template <bool is_point, bool to_unit, std::size_t width>
HWY_INLINE void transform_all(const float* m, const float* in, float* out, std::size_t count) {
    const hn::ScalableTag<float> d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        transform_lanes<is_point, to_unit, width>(d, m, in + width * i, out + width * i);
    }
    if (i == count) return;
    HWY_ALIGN float last[width * max_lanes] = {};
    const std::size_t size = (count - i) * width * sizeof(float);
    std::memcpy(last, in + width * i, size);
    transform_lanes<is_point, to_unit, width>(d, m, last, last);
    std::memcpy(out + width * i, last, size);
}

void transform(const Mat4& matrix, const Mat4& normal_matrix, const VertexView& in, const VertexSpan& out) {
    const float* m = matrix.m.data();
    transform_all<true, false, 3>(m, numbers(in.positions), numbers(out.positions), in.positions.size());
    transform_all<false, true, 3>(normal_matrix.m.data(), numbers(in.normals), numbers(out.normals), in.normals.size());
    transform_all<false, true, 4>(m, numbers(in.tangents), numbers(out.tangents), in.tangents.size());
}

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace
}  // namespace effigy::playback::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace effigy::playback::kernels {

void skin(std::span<const Mat4> matrices, std::span<const InfluenceBatch> batches, const VertexView& in,
          const VertexSpan& out, bool normalize) {
    EFFIGY_CHOOSE(skin)(matrices, batches, in, out, normalize);
}

void transform(const Mat4& matrix, const Mat4& normal_matrix, const VertexView& in, const VertexSpan& out) {
    EFFIGY_CHOOSE(transform)(matrix, normal_matrix, in, out);
}

}  // namespace effigy::playback::kernels
#endif  // HWY_ONCE
