/// 16-bit rotations to floats; lists of them in vector instructions (Highway).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emfx/file/packed_keys.cpp"
#include "hwy/foreach_target.h"
// All else comes after it.
#include <cmath>

#include "effigy/xsm.hpp"

#include "core/vector_choice.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace effigy::xsm::HWY_NAMESPACE {
namespace {

void decode_one(const RotationKey<PackedQuat>& key, RotationKey<Quat>& out) {
    const auto x = static_cast<float>(key.value.x), y = static_cast<float>(key.value.y);
    const auto z = static_cast<float>(key.value.z), w = static_cast<float>(key.value.w);
    const float square = x * x + y * y + z * z + w * w;
    const float unit = 1.0f / std::sqrt(square > 0 ? square : 1.0f);
    out = {{x * unit, y * unit, z * unit, w * unit}, key.time};
}

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
namespace hn = hwy::HWY_NAMESPACE;

/// Four keys at a time, with the same operations in the same order for each.
std::size_t decode_fours(const RotationKey<PackedQuat>* HWY_RESTRICT keys, std::size_t count,
                         RotationKey<Quat>* HWY_RESTRICT out) {
    const hn::FixedTag<float, 4> d;
    const hn::FixedTag<std::int32_t, 4> wide;
    const hn::FixedTag<std::int16_t, 4> narrow;
    const auto one = hn::Set(d, 1.0f);
    const auto load = [&](std::size_t i) HWY_ATTR {
        return hn::ConvertTo(d, hn::PromoteTo(wide, hn::LoadU(narrow, &keys[i].value.x)));
    };
    const auto store = [&](auto value, std::size_t i) HWY_ATTR {
        hn::StoreU(value, d, &out[i].value.x);
        out[i].time = keys[i].time;
    };
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const auto key0 = load(i), key1 = load(i + 1), key2 = load(i + 2), key3 = load(i + 3);
        const auto square0 = hn::Mul(key0, key0), square1 = hn::Mul(key1, key1);
        const auto square2 = hn::Mul(key2, key2), square3 = hn::Mul(key3, key3);
        const auto xy01 = hn::InterleaveLower(d, square0, square1), zw01 = hn::InterleaveUpper(d, square0, square1);
        const auto xy23 = hn::InterleaveLower(d, square2, square3), zw23 = hn::InterleaveUpper(d, square2, square3);
        const auto xy = hn::Add(hn::ConcatLowerLower(d, xy23, xy01), hn::ConcatUpperUpper(d, xy23, xy01));
        const auto xyz = hn::Add(xy, hn::ConcatLowerLower(d, zw23, zw01));
        const auto square = hn::Add(xyz, hn::ConcatUpperUpper(d, zw23, zw01));
        const auto unit = hn::Div(one, hn::Sqrt(hn::IfThenElse(hn::Gt(square, hn::Zero(d)), square, one)));
        store(hn::Mul(key0, hn::Broadcast<0>(unit)), i);
        store(hn::Mul(key1, hn::Broadcast<1>(unit)), i + 1);
        store(hn::Mul(key2, hn::Broadcast<2>(unit)), i + 2);
        store(hn::Mul(key3, hn::Broadcast<3>(unit)), i + 3);
    }
    return i;
}
#else
std::size_t decode_fours(const RotationKey<PackedQuat>*, std::size_t, RotationKey<Quat>*) { return 0; }
#endif

void decode_keys(const RotationKey<PackedQuat>* HWY_RESTRICT keys, std::size_t count,
                 RotationKey<Quat>* HWY_RESTRICT out) {
    for (std::size_t i = decode_fours(keys, count, out); i < count; ++i) decode_one(keys[i], out[i]);
}

}  // namespace
}  // namespace effigy::xsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace effigy::xsm {

Quat decode(PackedQuat packed) noexcept {
    constexpr float unit = 1.0f / 32767.0f;
    return {static_cast<float>(packed.x) * unit, static_cast<float>(packed.y) * unit,
            static_cast<float>(packed.z) * unit, static_cast<float>(packed.w) * unit};
}

Bulk<RotationKey<Quat>> decode(std::span<const RotationKey<PackedQuat>> keys) {
    Bulk<RotationKey<Quat>> result(keys.size());
    EFFIGY_CHOOSE(decode_keys)(keys.data(), keys.size(), result.data());
    return result;
}

}  // namespace effigy::xsm
#endif  // HWY_ONCE
