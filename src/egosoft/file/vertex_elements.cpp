/// Types and usages of an XMF's vertex elements: widths, packed directions, names for custom attributes.

#include "egosoft/file/vertex_elements.hpp"

#include <array>

namespace effigy::egosoft {

std::size_t width_of(xmf::ElementType type) noexcept {
    using Type = xmf::ElementType;
    switch (type) {
        case Type::float1:
            return 1;
        case Type::float2:
        case Type::short2:
        case Type::short2n:
        case Type::ushort2n:
        case Type::half2:
            return 2;
        case Type::float3:
        case Type::udec3:
        case Type::dec3n:
            return 3;
        default:
            return 4;
    }
}

bool is_unsigned_unit(xmf::ElementType type) noexcept {
    using Type = xmf::ElementType;
    return type == Type::color || type == Type::ubyte4n || type == Type::ushort4n || type == Type::ushort2n;
}

bool is_direction(xmf::Usage usage) noexcept {
    return usage == xmf::Usage::normal || usage == xmf::Usage::tangent || usage == xmf::Usage::binormal;
}

std::string custom_attribute_name(const xmf::Element& element) {
    constexpr std::array names{"POSITION", "BLENDWEIGHT", "BLENDINDICES", "NORMAL", "PSIZE", "TEXCOORD", "TANGENT",
                               "BINORMAL", "TESSFACTOR",  "POSITIONT",    "COLOR",  "FOG",   "DEPTH",    "SAMPLE"};
    const auto usage = static_cast<std::size_t>(element.usage);
    const std::string name = usage < names.size() ? names[usage] : "USAGE" + std::to_string(usage);
    return "_" + name + "_" + std::to_string(element.usage_index);
}

}  // namespace effigy::egosoft
