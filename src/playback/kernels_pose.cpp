/// Mixing of rotations, local and model matrices in vector instructions (Highway).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "playback/kernels_pose.cpp"
#include "hwy/foreach_target.h"
// All else comes after it.
#include <cstring>

#include "core/vector_choice.hpp"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include "playback/kernels.hpp"
#include "scene/by_angle.hpp"

HWY_BEFORE_NAMESPACE();
namespace effigy::playback::kernels::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

using reference::chain_matrices;
using reference::find_outdated;
using reference::find_parts;
using reference::local_matrices;
using reference::mix_rotations;
using reference::mix_vectors;
using reference::multiply_matrices;

#else

namespace hn = hwy::HWY_NAMESPACE;

/// Four numbers: a column, a quaternion.
using Four = hn::FixedTag<float, 4>;
using Four4 = hn::Vec<Four>;

// ---- Keys ----

std::size_t find_outdated(std::span<const float> begins, const float* ends, float time, std::uint32_t* out) {
    const hn::ScalableTag<float> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    const std::size_t lanes = hn::Lanes(d);
    const auto now = hn::Set(d, time);
    std::size_t count = 0;
    std::size_t i = 0;
    for (; i + lanes <= begins.size(); i += lanes) {
        const auto is_held = hn::And(hn::Le(hn::LoadU(d, begins.data() + i), now), hn::Lt(now, hn::LoadU(d, ends + i)));
        if (hn::AllTrue(d, is_held)) continue;
        const auto numbers = hn::Iota(du, static_cast<std::uint32_t>(i));
        const auto is_outdated = hn::Not(is_held);
        // Channels with the same times are all outdated at once.
        if (hn::AllTrue(d, is_outdated)) {
            hn::StoreU(numbers, du, out + count);
            count += lanes;
            continue;
        }
        // Writes whole vectors, which end before number i + lanes of `out`.
        hn::StoreU(hn::Compress(numbers, hn::RebindMask(du, is_outdated)), du, out + count);
        count += hn::CountTrue(d, is_outdated);
    }
    for (; i < begins.size(); ++i) {
        if (!(begins[i] <= time && time < ends[i])) out[count++] = static_cast<std::uint32_t>(i);
    }
    return count;
}

template <class D>
HWY_INLINE void find_some_parts(D d, const float* begins, const float* ends, float time, float rest, float* out) {
    const auto begin = hn::LoadU(d, begins);
    // The time may lie before a key that it was rounded to, and is taken for the key's own then.
    const auto way = hn::Max(hn::Add(hn::Sub(hn::Set(d, time), begin), hn::Set(d, rest)), hn::Zero(d));
    hn::StoreU(hn::Min(hn::Div(way, hn::Sub(hn::LoadU(d, ends), begin)), hn::Set(d, 1.0f)), d, out);
}

void find_parts(std::span<const float> begins, const float* ends, float time, float rest, float* out) {
    const hn::ScalableTag<float> d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= begins.size(); i += lanes) find_some_parts(d, begins.data() + i, ends + i, time, rest, out + i);
    for (; i < begins.size(); ++i)
        find_some_parts(hn::CappedTag<float, 1>(), begins.data() + i, ends + i, time, rest, out + i);
}

// ---- Vectors ----

void mix_vectors(std::span<const Vec3> from, const Vec3* to, const float* parts, Vec3* out) {
    const hn::ScalableTag<float> d;
    using V = hn::Vec<decltype(d)>;
    const std::size_t lanes = hn::Lanes(d);
    // Rounded twice, as the reference is.
    const auto between = [](V a, V b, V part) HWY_ATTR { return hn::Add(a, hn::Mul(part, hn::Sub(b, a))); };
    std::size_t i = 0;
    for (; i + lanes <= from.size(); i += lanes) {
        V ax, ay, az, bx, by, bz;
        hn::LoadInterleaved3(d, &from[i].x, ax, ay, az);
        hn::LoadInterleaved3(d, &to[i].x, bx, by, bz);
        const V part = hn::LoadU(d, parts + i);
        hn::StoreInterleaved3(between(ax, bx, part), between(ay, by, part), between(az, bz, part), d, &out[i].x);
    }
    reference::mix_vectors(from.subspan(i), to + i, parts + i, out + i);
}

// ---- Rotations ----

/// Numbers that a vector of the largest size holds of each component.
constexpr std::size_t max_lanes = HWY_MAX_BYTES / sizeof(float);

template <RotationRule rule, class D, class V>
HWY_INLINE void find_factors(D d, V cosine, V part, V& from_factor, V& to_factor) {
    const V one = hn::Set(d, 1.0f);
    from_factor = hn::Sub(one, part);
    to_factor = part;
    if constexpr (rule == RotationRule::slerp) {
        // Where the angle is too small to divide sines, and where there is no angle, the way is straight.
        const auto apart = hn::Lt(cosine, hn::Set(d, 0.9999f));
        const V angle = hn::Acos(d, hn::IfThenElse(apart, cosine, hn::Zero(d)));
        const V from_sine = hn::Sin(d, hn::Mul(from_factor, angle));
        const V to_sine = hn::Sin(d, hn::Mul(to_factor, angle));
        from_factor = hn::IfThenElse(apart, from_sine, from_factor);
        to_factor = hn::IfThenElse(apart, to_sine, to_factor);
    }
    if constexpr (rule == RotationRule::by_angle) {
        const auto is_arc = hn::Lt(cosine, hn::Set(d, shortened_cosine));
        // Keys that lie so far apart are rare.
        if (hn::AllFalse(d, is_arc)) return;
        const V limited = hn::IfThenElse(is_arc, cosine, hn::Zero(d));
        const V angle = hn::Acos(d, limited);
        const V sine = hn::Sqrt(hn::NegMulAdd(limited, limited, one));
        const V from_sine = hn::Div(hn::Sin(d, hn::Mul(from_factor, angle)), sine);
        const V to_sine = hn::Div(hn::Sin(d, hn::Mul(to_factor, angle)), sine);
        from_factor = hn::IfThenElse(is_arc, from_sine, from_factor);
        to_factor = hn::IfThenElse(is_arc, to_sine, to_factor);
    }
}

template <RotationRule rule, class D>
HWY_INLINE void mix_lanes(D d, const float* from, const float* to, const float* parts, float* out) {
    using V = hn::Vec<D>;
    V ax, ay, az, aw, bx, by, bz, bw;
    hn::LoadInterleaved4(d, from, ax, ay, az, aw);
    hn::LoadInterleaved4(d, to, bx, by, bz, bw);
    const V cosine = hn::MulAdd(ax, bx, hn::MulAdd(ay, by, hn::MulAdd(az, bz, hn::Mul(aw, bw))));
    V from_factor, to_factor;
    find_factors<rule>(d, hn::Abs(cosine), hn::LoadU(d, parts), from_factor, to_factor);
    to_factor = hn::IfThenElse(hn::Lt(cosine, hn::Zero(d)), hn::Neg(to_factor), to_factor);
    const V one = hn::Set(d, 1.0f);
    // By angle, only what lies between the two cosines is brought to unit length, and what does not change stays.
    const V size = hn::Abs(cosine);
    const auto is_same = hn::And(hn::And(hn::Eq(ax, bx), hn::Eq(ay, by)), hn::And(hn::Eq(az, bz), hn::Eq(aw, bw)));
    const auto is_shortened =
        hn::And(hn::Ge(size, hn::Set(d, shortened_cosine)), hn::Lt(size, hn::Set(d, straight_cosine)));
    const auto gets_unit_length = hn::AndNot(is_same, is_shortened);
    if constexpr (rule == RotationRule::by_angle) {
        from_factor = hn::IfThenElse(is_same, one, from_factor);
        to_factor = hn::IfThenZeroElse(is_same, to_factor);
    }
    ax = hn::MulAdd(ax, from_factor, hn::Mul(bx, to_factor));
    ay = hn::MulAdd(ay, from_factor, hn::Mul(by, to_factor));
    az = hn::MulAdd(az, from_factor, hn::Mul(bz, to_factor));
    aw = hn::MulAdd(aw, from_factor, hn::Mul(bw, to_factor));
    const V square = hn::MulAdd(ax, ax, hn::MulAdd(ay, ay, hn::MulAdd(az, az, hn::Mul(aw, aw))));
    auto has_no_length = hn::Eq(square, hn::Zero(d));
    V factor = hn::Div(one, hn::Sqrt(square));
    if constexpr (rule == RotationRule::by_angle) {
        has_no_length = hn::And(gets_unit_length, has_no_length);
        factor = hn::IfThenElse(gets_unit_length, factor, one);
    }
    hn::StoreInterleaved4(hn::IfThenZeroElse(has_no_length, hn::Mul(ax, factor)),
                          hn::IfThenZeroElse(has_no_length, hn::Mul(ay, factor)),
                          hn::IfThenZeroElse(has_no_length, hn::Mul(az, factor)),
                          hn::IfThenElse(has_no_length, one, hn::Mul(aw, factor)), d, out);
}

template <RotationRule rule>
HWY_INLINE void mix_all(std::span<const Quat> from, const Quat* to, const float* parts, Quat* out) {
    const hn::ScalableTag<float> d;
    const std::size_t lanes = hn::Lanes(d);
    const std::size_t count = from.size();
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) mix_lanes<rule>(d, &from[i].x, &to[i].x, parts + i, &out[i].x);
    if (i == count) return;
    HWY_ALIGN float last_from[4 * max_lanes] = {};
    HWY_ALIGN float last_to[4 * max_lanes] = {};
    HWY_ALIGN float last_parts[max_lanes] = {};
    std::memcpy(last_from, from.data() + i, (count - i) * sizeof(Quat));
    std::memcpy(last_to, to + i, (count - i) * sizeof(Quat));
    std::memcpy(last_parts, parts + i, (count - i) * sizeof(float));
    mix_lanes<rule>(d, last_from, last_to, last_parts, last_from);
    std::memcpy(static_cast<void*>(out + i), last_from, (count - i) * sizeof(Quat));
}

void mix_rotations(RotationRule rule, std::span<const Quat> from, const Quat* to, const float* parts, Quat* out) {
    switch (rule) {
        case RotationRule::slerp:
            return mix_all<RotationRule::slerp>(from, to, parts, out);
        case RotationRule::nlerp:
            return mix_all<RotationRule::nlerp>(from, to, parts, out);
        case RotationRule::by_angle:
            return mix_all<RotationRule::by_angle>(from, to, parts, out);
    }
}

// ---- Matrices ----

/// One column of four matrices, given by rows.
HWY_INLINE void store_columns(Four4 x, Four4 y, Four4 z, Four4 w, float* out) {
    const Four d;
    const hn::Repartition<double, Four> dd;
    const auto wide = [&](Four4 v) HWY_ATTR { return hn::BitCast(dd, v); };
    const auto narrow = [&](hn::Vec<decltype(dd)> v) HWY_ATTR { return hn::BitCast(d, v); };
    const Four4 xy_low = hn::InterleaveLower(d, x, y);
    const Four4 zw_low = hn::InterleaveLower(d, z, w);
    const Four4 xy_high = hn::InterleaveUpper(d, x, y);
    const Four4 zw_high = hn::InterleaveUpper(d, z, w);
    hn::StoreU(narrow(hn::InterleaveLower(dd, wide(xy_low), wide(zw_low))), d, out);
    hn::StoreU(narrow(hn::InterleaveUpper(dd, wide(xy_low), wide(zw_low))), d, out + 16);
    hn::StoreU(narrow(hn::InterleaveLower(dd, wide(xy_high), wide(zw_high))), d, out + 32);
    hn::StoreU(narrow(hn::InterleaveUpper(dd, wide(xy_high), wide(zw_high))), d, out + 48);
}

HWY_INLINE void compose_four(const float* translations, const float* rotations, const float* scales, float* out) {
    const Four d;
    Four4 x, y, z, w;
    hn::LoadInterleaved4(d, rotations, x, y, z, w);
    Four4 sx, sy, sz;
    hn::LoadInterleaved3(d, scales, sx, sy, sz);
    const Four4 zero = hn::Zero(d);
    const Four4 one = hn::Set(d, 1.0f);
    const Four4 x2 = hn::Add(x, x);
    const Four4 y2 = hn::Add(y, y);
    const Four4 z2 = hn::Add(z, z);
    const Four4 xx = hn::Mul(x, x2);
    const Four4 yy = hn::Mul(y, y2);
    const Four4 zz = hn::Mul(z, z2);
    const Four4 wx = hn::Mul(w, x2);
    const Four4 wy = hn::Mul(w, y2);
    const Four4 wz = hn::Mul(w, z2);
    store_columns(hn::Mul(hn::Sub(one, hn::Add(yy, zz)), sx), hn::Mul(hn::MulAdd(x, y2, wz), sx),
                  hn::Mul(hn::MulSub(x, z2, wy), sx), zero, out);
    store_columns(hn::Mul(hn::MulSub(x, y2, wz), sy), hn::Mul(hn::Sub(one, hn::Add(xx, zz)), sy),
                  hn::Mul(hn::MulAdd(y, z2, wx), sy), zero, out + 4);
    store_columns(hn::Mul(hn::MulAdd(x, z2, wy), sz), hn::Mul(hn::MulSub(y, z2, wx), sz),
                  hn::Mul(hn::Sub(one, hn::Add(xx, yy)), sz), zero, out + 8);
    Four4 tx, ty, tz;
    hn::LoadInterleaved3(d, translations, tx, ty, tz);
    store_columns(tx, ty, tz, one, out + 12);
}

void local_matrices(const PoseView& pose, Mat4* out) {
    const Vec3* translations = pose.translations.data();
    const Quat* rotations = pose.rotations.data();
    const Vec3* scales = pose.scales.data();
    const std::size_t count = pose.translations.size();
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        compose_four(&translations[i].x, &rotations[i].x, &scales[i].x, out[i].m.data());
    }
    if (i == count) return;
    HWY_ALIGN float last_translations[12] = {};
    HWY_ALIGN float last_rotations[16] = {};
    HWY_ALIGN float last_scales[12] = {};
    HWY_ALIGN float last_out[64];
    std::memcpy(last_translations, translations + i, (count - i) * sizeof(Vec3));
    std::memcpy(last_rotations, rotations + i, (count - i) * sizeof(Quat));
    std::memcpy(last_scales, scales + i, (count - i) * sizeof(Vec3));
    compose_four(last_translations, last_rotations, last_scales, last_out);
    std::memcpy(static_cast<void*>(out + i), last_out, (count - i) * sizeof(Mat4));
}

/// As many whole columns of a matrix as a vector holds. All columns of the product come from the same four columns on
/// the left, so that these are repeated over the vector.
HWY_INLINE void multiply_matrix(const float* left, const float* right, float* out) {
#if HWY_HAVE_SCALABLE
    const Four d;
#else
    const hn::CappedTag<float, 16> d;
#endif
    const auto x = hn::LoadDup128(d, left);
    const auto y = hn::LoadDup128(d, left + 4);
    const auto z = hn::LoadDup128(d, left + 8);
    const auto w = hn::LoadDup128(d, left + 12);
    for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {
        const auto columns = hn::LoadU(d, right + i);
        auto sum = hn::Mul(x, hn::Broadcast<0>(columns));
        sum = hn::MulAdd(y, hn::Broadcast<1>(columns), sum);
        sum = hn::MulAdd(z, hn::Broadcast<2>(columns), sum);
        sum = hn::MulAdd(w, hn::Broadcast<3>(columns), sum);
        hn::StoreU(sum, d, out + i);
    }
}

void chain_matrices(std::span<const Index> parents, Mat4* models) {
    const Index* parent = parents.data();
    const std::size_t count = parents.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (parent[i] == no_index) continue;
        float* model = &models[i].m[0];
        multiply_matrix(&models[parent[i]].m[0], model, model);
    }
}

void multiply_matrices(const Mat4* models, std::span<const Index> joints, const Mat4* right, Mat4* out) {
    const Index* joint = joints.data();
    const std::size_t count = joints.size();
    for (std::size_t i = 0; i < count; ++i) multiply_matrix(&models[joint[i]].m[0], &right[i].m[0], &out[i].m[0]);
}

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace
}  // namespace effigy::playback::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace effigy::playback::kernels {

std::size_t find_outdated(std::span<const float> begins, const float* ends, float time, std::uint32_t* out) {
    return EFFIGY_CHOOSE(find_outdated)(begins, ends, time, out);
}

void find_parts(std::span<const float> begins, const float* ends, float time, float rest, float* out) {
    EFFIGY_CHOOSE(find_parts)(begins, ends, time, rest, out);
}

void mix_vectors(std::span<const Vec3> from, const Vec3* to, const float* parts, Vec3* out) {
    EFFIGY_CHOOSE(mix_vectors)(from, to, parts, out);
}

void mix_rotations(RotationRule rule, std::span<const Quat> from, const Quat* to, const float* parts, Quat* out) {
    EFFIGY_CHOOSE(mix_rotations)(rule, from, to, parts, out);
}

void local_matrices(const PoseView& pose, Mat4* out) { EFFIGY_CHOOSE(local_matrices)(pose, out); }

void chain_matrices(std::span<const Index> parents, Mat4* models) { EFFIGY_CHOOSE(chain_matrices)(parents, models); }

void multiply_matrices(const Mat4* models, std::span<const Index> joints, const Mat4* right, Mat4* out) {
    EFFIGY_CHOOSE(multiply_matrices)(models, joints, right, out);
}

}  // namespace effigy::playback::kernels
#endif  // HWY_ONCE
