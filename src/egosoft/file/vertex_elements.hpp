#pragma once
/// What types and usages of an XMF's vertex elements mean, for both ways between files and scenes.

#include <cstddef>
#include <string>

#include "effigy/xmf.hpp"

namespace effigy::egosoft {

/// Numbers that an element of this type stores.
[[nodiscard]] std::size_t width_of(xmf::ElementType type) noexcept;
/// Types whose 0..1 stands for -1..1 in directions.
[[nodiscard]] bool is_unsigned_unit(xmf::ElementType type) noexcept;
[[nodiscard]] bool is_direction(xmf::Usage usage) noexcept;
/// "_BLENDWEIGHT_0": a custom attribute's name for what glTF has none for.
[[nodiscard]] std::string custom_attribute_name(const xmf::Element& element);

}  // namespace effigy::egosoft
