/// Largest index, ascending times and bounds in vector instructions (Highway).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "playback/kernels_scan.cpp"
#include "hwy/foreach_target.h"
// All else comes after it.
#include "core/vector_choice.hpp"
#include "hwy/highway.h"
#include "playback/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace effigy::playback::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const char* name_target() { return hwy::TargetName(HWY_TARGET); }

template <class T>
T find_largest(const T* HWY_RESTRICT values, std::size_t count) {
    const hn::ScalableTag<T> d;
    const std::size_t lanes = hn::Lanes(d);
    auto largest = hn::Zero(d);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) largest = hn::Max(largest, hn::LoadU(d, values + i));
    T result = hn::GetLane(hn::MaxOfLanes(d, largest));
    for (; i < count; ++i) result = HWY_MAX(result, values[i]);
    return result;
}

std::uint16_t find_largest_16(const std::uint16_t* values, std::size_t count) { return find_largest(values, count); }
std::uint32_t find_largest_32(const std::uint32_t* values, std::size_t count) { return find_largest(values, count); }

bool find_ascending(const std::uint32_t* HWY_RESTRICT values, std::size_t count) {
    const hn::ScalableTag<std::uint32_t> d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 1;
    for (; i + lanes <= count; i += lanes) {
        if (!hn::AllTrue(d, hn::Lt(hn::LoadU(d, values + i - 1), hn::LoadU(d, values + i)))) return false;
    }
    for (; i < count; ++i) {
        if (values[i - 1] >= values[i]) return false;
    }
    return true;
}

void find_bounds(const float* HWY_RESTRICT points, std::size_t count, float* HWY_RESTRICT low,
                 float* HWY_RESTRICT high) {
    const hn::ScalableTag<float> d;
    using V = hn::Vec<decltype(d)>;
    const std::size_t lanes = hn::Lanes(d);
    V low_x = hn::Set(d, low[0]);
    V low_y = hn::Set(d, low[1]);
    V low_z = hn::Set(d, low[2]);
    V high_x = hn::Set(d, high[0]);
    V high_y = hn::Set(d, high[1]);
    V high_z = hn::Set(d, high[2]);
    const auto add = [&](V x, V y, V z) HWY_ATTR {
        const auto finite = hn::And(hn::IsFinite(x), hn::And(hn::IsFinite(y), hn::IsFinite(z)));
        low_x = hn::IfThenElse(finite, hn::Min(low_x, x), low_x);
        low_y = hn::IfThenElse(finite, hn::Min(low_y, y), low_y);
        low_z = hn::IfThenElse(finite, hn::Min(low_z, z), low_z);
        high_x = hn::IfThenElse(finite, hn::Max(high_x, x), high_x);
        high_y = hn::IfThenElse(finite, hn::Max(high_y, y), high_y);
        high_z = hn::IfThenElse(finite, hn::Max(high_z, z), high_z);
    };
    std::size_t i = 0;
    V x, y, z;
    for (; i + lanes <= count; i += lanes) {
        hn::LoadInterleaved3(d, points + 3 * i, x, y, z);
        add(x, y, z);
    }
    for (; i < count; ++i) add(hn::Set(d, points[3 * i]), hn::Set(d, points[3 * i + 1]), hn::Set(d, points[3 * i + 2]));
    low[0] = hn::GetLane(hn::MinOfLanes(d, low_x));
    low[1] = hn::GetLane(hn::MinOfLanes(d, low_y));
    low[2] = hn::GetLane(hn::MinOfLanes(d, low_z));
    high[0] = hn::GetLane(hn::MaxOfLanes(d, high_x));
    high[1] = hn::GetLane(hn::MaxOfLanes(d, high_y));
    high[2] = hn::GetLane(hn::MaxOfLanes(d, high_z));
}

}  // namespace
}  // namespace effigy::playback::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace effigy::playback {
namespace kernels {

std::string_view target() { return EFFIGY_CHOOSE(name_target)(); }

std::uint16_t largest(std::span<const std::uint16_t> values) {
    return EFFIGY_CHOOSE(find_largest_16)(values.data(), values.size());
}

std::uint32_t largest(std::span<const std::uint32_t> values) {
    return EFFIGY_CHOOSE(find_largest_32)(values.data(), values.size());
}

bool is_ascending(std::span<const std::uint32_t> values) {
    return EFFIGY_CHOOSE(find_ascending)(values.data(), values.size());
}

void grow_bounds(std::span<const Vec3> points, Vec3& low, Vec3& high) {
    if (!points.empty()) EFFIGY_CHOOSE(find_bounds)(&points.data()->x, points.size(), &low.x, &high.x);
}

}  // namespace kernels

std::string_view vector_target() noexcept { return kernels::target(); }

}  // namespace effigy::playback
#endif  // HWY_ONCE
