#include "gltf/element_values.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

namespace effigy::gltf {
namespace {

template <class Stored>
Stored load(const std::byte* bytes) noexcept {
    Stored value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

/// The lowest number of a signed type stands for -1, as the one above it does.
template <class Stored>
void convert(const Accessor& accessor, float* destination) noexcept {
    const std::size_t count = accessor.bytes.size() / sizeof(Stored);
    constexpr auto most = static_cast<float>(std::numeric_limits<Stored>::max());
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<float>(load<Stored>(accessor.bytes.data() + i * sizeof(Stored)));
        destination[i] = accessor.normalized ? std::max(value / most, -1.0f) : value;
    }
}

template <class Stored>
void widen(const ElementRange& elements, std::uint32_t* destination) noexcept {
    for (std::size_t i = 0; i < elements.count; ++i) destination[i] = load<Stored>(elements[i]);
}

}  // namespace

Accessor to_floats(const Accessor& accessor) {
    if (accessor.component == ComponentType::f32) return accessor;
    Accessor floats{{}, accessor.element, ComponentType::f32, false};
    floats.bytes.resize(accessor.bytes.size() / component_size(accessor.component) * sizeof(float));
    float* const destination = floats.as<float>().data();
    switch (accessor.component) {
        case ComponentType::i8:
            convert<std::int8_t>(accessor, destination);
            break;
        case ComponentType::u8:
            convert<std::uint8_t>(accessor, destination);
            break;
        case ComponentType::i16:
            convert<std::int16_t>(accessor, destination);
            break;
        case ComponentType::u16:
            convert<std::uint16_t>(accessor, destination);
            break;
        default:
            convert<std::uint32_t>(accessor, destination);
    }
    return floats;
}

void widen_indices(ComponentType component, const ElementRange& elements, std::uint32_t* destination) noexcept {
    if (component == ComponentType::u8) return widen<std::uint8_t>(elements, destination);
    if (component == ComponentType::u16) return widen<std::uint16_t>(elements, destination);
    widen<std::uint32_t>(elements, destination);
}

}  // namespace effigy::gltf
