/// Numbers of accessors of any component type as floats or indices.

#include "gltf/file/element_values.hpp"

#include <cstring>

#include "effigy/scene_access.hpp"

namespace effigy::gltf {
namespace {

template <class Stored>
Stored load(const std::byte* bytes) noexcept {
    Stored value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
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
    read_numbers<float>(accessor, floats.as<float>());
    return floats;
}

void widen_indices(ComponentType component, const ElementRange& elements, std::uint32_t* destination) noexcept {
    if (component == ComponentType::u8) return widen<std::uint8_t>(elements, destination);
    if (component == ComponentType::u16) return widen<std::uint16_t>(elements, destination);
    widen<std::uint32_t>(elements, destination);
}

}  // namespace effigy::gltf
