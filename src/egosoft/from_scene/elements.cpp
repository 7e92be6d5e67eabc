/// The way back from numbers to what vertices store: the inverse of xmf::decode().

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/half.hpp"
#include "egosoft/from_scene/from_scene.hpp"

namespace effigy::egosoft::bridge {
namespace {

using Parts = std::array<float, 4>;

/// Whole numbers of `T`, each `unit` times the value.
template <class T>
bool put_whole(const Parts& parts, std::size_t count, float unit, std::byte* bytes) noexcept {
    constexpr double low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    bool fits = true;
    for (std::size_t i = 0; i < count; ++i) {
        const double wanted = std::round(static_cast<double>(parts[i]) * static_cast<double>(unit));
        const double held = std::clamp(std::isfinite(wanted) ? wanted : 0.0, low, high);
        fits = fits && held == wanted;
        const auto stored = static_cast<T>(held);
        std::memcpy(bytes + i * sizeof(T), &stored, sizeof stored);
    }
    return fits;
}

bool put_floats(const Parts& parts, std::size_t count, std::byte* bytes) noexcept {
    std::memcpy(bytes, parts.data(), count * sizeof(float));
    return true;
}

bool put_halves(const Parts& parts, std::size_t count, std::byte* bytes) noexcept {
    constexpr float largest = 65504;
    bool fits = true;
    for (std::size_t i = 0; i < count; ++i) {
        const float held = std::clamp(parts[i], -largest, largest);
        fits = fits && held == parts[i];
        const std::uint16_t half = half_from_float(held);
        std::memcpy(bytes + 2 * i, &half, sizeof half);
    }
    return fits;
}

/// Three numbers of ten bits.
bool put_tens(const Parts& parts, double unit, double low, double high, std::byte* bytes) noexcept {
    std::uint32_t word = 0;
    bool fits = true;
    for (std::size_t i = 0; i < 3; ++i) {
        const double wanted = std::round(static_cast<double>(parts[i]) * unit);
        const double held = std::clamp(std::isfinite(wanted) ? wanted : 0.0, low, high);
        fits = fits && held == wanted;
        word |= (static_cast<std::uint32_t>(static_cast<std::int32_t>(held)) & 0x3ffu) << (10 * i);
    }
    std::memcpy(bytes, &word, sizeof word);
    return fits;
}

}  // namespace

bool encode(xmf::ElementType type, const Vec4& value, std::byte* bytes) noexcept {
    using Type = xmf::ElementType;
    const Parts v{value.x, value.y, value.z, value.w};
    switch (type) {
        case Type::float1:
            return put_floats(v, 1, bytes);
        case Type::float2:
            return put_floats(v, 2, bytes);
        case Type::float3:
            return put_floats(v, 3, bytes);
        case Type::float4:
            return put_floats(v, 4, bytes);
        case Type::color:
            return put_whole<std::uint8_t>({v[2], v[1], v[0], v[3]}, 4, 255, bytes);
        case Type::ubyte4:
            return put_whole<std::uint8_t>(v, 4, 1, bytes);
        case Type::short2:
            return put_whole<std::int16_t>(v, 2, 1, bytes);
        case Type::short4:
            return put_whole<std::int16_t>(v, 4, 1, bytes);
        case Type::ubyte4n:
            return put_whole<std::uint8_t>(v, 4, 255, bytes);
        case Type::short2n:
            return put_whole<std::int16_t>(v, 2, 32767, bytes);
        case Type::short4n:
            return put_whole<std::int16_t>(v, 4, 32767, bytes);
        case Type::ushort2n:
            return put_whole<std::uint16_t>(v, 2, 65535, bytes);
        case Type::ushort4n:
            return put_whole<std::uint16_t>(v, 4, 65535, bytes);
        case Type::udec3:
            return put_tens(v, 1, 0, 1023, bytes);
        case Type::dec3n:
            return put_tens(v, 511, -512, 511, bytes);
        case Type::half2:
            return put_halves(v, 2, bytes);
        case Type::half4:
            return put_halves(v, 4, bytes);
        case Type::unused:
            break;
    }
    return true;
}

}  // namespace effigy::egosoft::bridge
