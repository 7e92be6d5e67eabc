#pragma once
/// On-disk element types: what a fixed-size value consists of, so that one description serves byte order, dumps and
/// builds. In memory an element has the very bytes that it has in a little-endian file.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "effigy/math.hpp"

namespace effigy::layout {

enum class Kind : std::uint8_t { unsigned_integer, signed_integer, real, character, padding };

/// One part of an element: `count` equal values of `width` bytes. Real numbers have 2, 4 or 8, integers 1, 2 or 4.
struct Part {
    const char* name;  ///< empty for the only part
    Kind kind;
    std::uint8_t width;
    std::uint8_t count;
};

struct ElementType {
    const char* name;    ///< as shown in dumps: "u32", "vec3", "influence"
    std::uint32_t size;  ///< bytes
    std::span<const Part> parts;
};

template <class T>
struct ElementTraits;  // specialised for each element: `name`, `parts`

template <class T>
inline constexpr ElementType element_type{ElementTraits<T>::name, sizeof(T), ElementTraits<T>::parts};

namespace detail {
template <class T>
constexpr Kind kind_of() {
    if constexpr (std::is_floating_point_v<T>) {
        return Kind::real;
    } else if constexpr (std::is_same_v<T, char>) {
        return Kind::character;
    } else if constexpr (std::is_signed_v<T>) {
        return Kind::signed_integer;
    } else {
        return Kind::unsigned_integer;
    }
}
template <class T, std::uint8_t count>
struct Uniform {
    static constexpr std::array<Part, 1> parts{{{"", kind_of<T>(), sizeof(T), count}}};
};
}  // namespace detail

#define EFFIGY_ELEMENT(type, label, scalar, count)                \
    template <>                                                   \
    struct ElementTraits<type> : detail::Uniform<scalar, count> { \
        static constexpr const char* name = label;                \
    }
EFFIGY_ELEMENT(char, "char", char, 1);
EFFIGY_ELEMENT(std::uint8_t, "u8", std::uint8_t, 1);
EFFIGY_ELEMENT(std::int8_t, "i8", std::int8_t, 1);
EFFIGY_ELEMENT(std::uint16_t, "u16", std::uint16_t, 1);
EFFIGY_ELEMENT(std::int16_t, "i16", std::int16_t, 1);
EFFIGY_ELEMENT(std::uint32_t, "u32", std::uint32_t, 1);
EFFIGY_ELEMENT(std::int32_t, "i32", std::int32_t, 1);
EFFIGY_ELEMENT(float, "f32", float, 1);
EFFIGY_ELEMENT(double, "f64", double, 1);
EFFIGY_ELEMENT(Vec2, "vec2", float, 2);
EFFIGY_ELEMENT(Vec3, "vec3", float, 3);
EFFIGY_ELEMENT(Vec4, "vec4", float, 4);
EFFIGY_ELEMENT(Quat, "quat", float, 4);
EFFIGY_ELEMENT(Color, "color", float, 4);
#undef EFFIGY_ELEMENT

/// Several equal numbers or letters have the name of one.
template <class T, std::size_t size>
requires std::is_arithmetic_v<T>
struct ElementTraits<std::array<T, size>> : detail::Uniform<T, size> {
    static constexpr const char* name = ElementTraits<T>::name;
};
template <>
struct ElementTraits<std::byte> {
    static constexpr const char* name = "bytes";
    static constexpr std::array<Part, 1> parts{{{"", Kind::unsigned_integer, 1, 1}}};
};

/// Reverses the byte order of `count` elements in place.
void swap_bytes(const ElementType& type, std::byte* data, std::uint64_t count) noexcept;

/// Reverses each group of `width` bytes (1, 2, 4 or 8); a rest is left alone.
void swap_words(std::byte* data, std::uint64_t size, unsigned width) noexcept;

}  // namespace effigy::layout
