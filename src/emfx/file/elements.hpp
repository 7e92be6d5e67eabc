#pragma once
/// Element types of the EMotion FX formats.

#include <array>

#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "core/element.hpp"

namespace effigy::layout {

template <>
struct ElementTraits<xac::Influence> {
    static constexpr const char* name = "influence";
    static constexpr std::array<Part, 3> parts{
        {{"weight", Kind::real, 4, 1}, {"node", Kind::unsigned_integer, 2, 1}, {"padding", Kind::padding, 1, 2}}};
};
template <>
struct ElementTraits<xac::InfluenceRange> {
    static constexpr const char* name = "range";
    static constexpr std::array<Part, 2> parts{
        {{"first", Kind::unsigned_integer, 4, 1}, {"count", Kind::unsigned_integer, 4, 1}}};
};
template <>
struct ElementTraits<xac::PackedPosition> : detail::Uniform<std::uint16_t, 3> {
    static constexpr const char* name = "packed_position";
};
template <>
struct ElementTraits<xac::PackedDirection> : detail::Uniform<std::uint8_t, 3> {
    static constexpr const char* name = "packed_direction";
};
template <>
struct ElementTraits<xsm::PackedQuat> : detail::Uniform<std::int16_t, 4> {
    static constexpr const char* name = "packed_quat";
};
template <>
struct ElementTraits<xsm::VectorKey> {
    static constexpr const char* name = "vector_key";
    static constexpr std::array<Part, 2> parts{{{"value", Kind::real, 4, 3}, {"time", Kind::real, 4, 1}}};
};
template <>
struct ElementTraits<xsm::RotationKey<Quat>> {
    static constexpr const char* name = "rotation_key";
    static constexpr std::array<Part, 2> parts{{{"value", Kind::real, 4, 4}, {"time", Kind::real, 4, 1}}};
};
template <>
struct ElementTraits<xsm::RotationKey<xsm::PackedQuat>> {
    static constexpr const char* name = "packed_rotation_key";
    static constexpr std::array<Part, 2> parts{{{"value", Kind::signed_integer, 2, 4}, {"time", Kind::real, 4, 1}}};
};
template <>
struct ElementTraits<xsm::WaveletMapping> : detail::Uniform<std::uint16_t, 4> {
    static constexpr const char* name = "mapping";
};
template <>
struct ElementTraits<xpm::WeightKey> {
    static constexpr const char* name = "weight_key";
    static constexpr std::array<Part, 3> parts{
        {{"time", Kind::real, 4, 1}, {"value", Kind::unsigned_integer, 2, 1}, {"padding", Kind::padding, 1, 2}}};
};

static_assert(sizeof(xac::Influence) == 8 && sizeof(xac::InfluenceRange) == 8);
static_assert(sizeof(xac::PackedPosition) == 6 && sizeof(xac::PackedDirection) == 3);
static_assert(sizeof(xsm::VectorKey) == 16 && sizeof(xsm::RotationKey<Quat>) == 20);
static_assert(sizeof(xsm::RotationKey<xsm::PackedQuat>) == 12 && sizeof(xsm::WaveletMapping) == 8);
static_assert(sizeof(xpm::WeightKey) == 8);

}  // namespace effigy::layout
