/// Attributes of meshes as numbers of one type, whatever component type they are stored as.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "effigy/scene_access.hpp"

#include "scene/finite.hpp"

namespace effigy {
namespace {

template <class Is>
const Attribute* find_whole(const Mesh& mesh, Is is) noexcept {
    const auto found = std::find_if(mesh.attributes.begin(), mesh.attributes.end(), is);
    if (found == mesh.attributes.end()) return nullptr;
    const std::size_t stride = found->data.stride();
    const bool is_whole = stride != 0 && found->data.bytes.size() == std::uint64_t{mesh.vertex_count} * stride;
    return is_whole ? &*found : nullptr;
}

template <class Number, class Stored>
Number converted(Stored value, bool normalized) noexcept {
    if constexpr (std::is_floating_point_v<Number>) {
        const auto number = static_cast<Number>(value);
        if (std::is_floating_point_v<Stored> || !normalized) return number;
        const auto fraction = number / static_cast<Number>(std::numeric_limits<Stored>::max());
        return std::is_signed_v<Stored> ? std::max(fraction, Number{-1}) : fraction;
    } else if constexpr (std::is_unsigned_v<Stored>) {
        return value;
    } else if constexpr (std::is_integral_v<Stored>) {
        return value < 0 ? no_index : static_cast<Number>(value);
    } else {
        return value >= 0 && value < 4294967040.0f && value == std::floor(value) ? static_cast<Number>(value)
                                                                                 : no_index;
    }
}

template <class Stored, class Number>
void convert(const Accessor& data, std::span<Number> out, std::size_t width) noexcept {
    const std::span<const Stored> values = data.as<Stored>();
    const std::size_t have = component_count(data.element);
    const std::size_t count = std::min(values.size() / have, out.size() / width);
    const auto copy = [&](bool normalized) {
        if (width == have) {
            for (std::size_t i = 0; i < count * width; ++i) out[i] = converted<Number>(values[i], normalized);
            return;
        }
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t k = 0; k < std::min(width, have); ++k)
                out[width * i + k] = converted<Number>(values[have * i + k], normalized);
        }
    };
    // Known inside of the loops.
    data.normalized ? copy(true) : copy(false);
}

template <class Number>
constexpr ComponentType own_type =
    std::is_same_v<Number, float> ? ComponentType::f32 : ComponentType::u32;  // of doubles: none

// Nearly always there is none. Only a loop that always runs through, so many times, is vectorised.
template <class T, class Bad>
std::optional<std::size_t> find_where(std::span<const T> values, Bad&& is_bad) {
    constexpr std::size_t block = 64;
    std::size_t first = 0;
    for (std::uint32_t bad = 0; first + block <= values.size(); first += block) {
        for (std::size_t k = 0; k < block; ++k) bad |= is_bad(values[first + k]) ? 1u : 0u;
        if (bad != 0) break;
    }
    const auto found = std::find_if(values.begin() + static_cast<std::ptrdiff_t>(first), values.end(), is_bad);
    if (found == values.end()) return std::nullopt;
    return static_cast<std::size_t>(found - values.begin());
}

}  // namespace

const Attribute* find_attribute(const Mesh& mesh, Semantic semantic, std::uint32_t set) noexcept {
    return find_whole(mesh, [&](const Attribute& one) { return one.semantic == semantic && one.set == set; });
}

const Attribute* find_attribute(const Mesh& mesh, std::string_view custom_name) noexcept {
    return find_whole(
        mesh, [&](const Attribute& one) { return one.semantic == Semantic::custom && one.custom_name == custom_name; });
}

std::optional<std::size_t> find_not_finite(std::span<const float> values) {
    constexpr std::uint32_t exponent = 0x7f800000u;
    return find_where(values, [](float value) { return (std::bit_cast<std::uint32_t>(value) & exponent) == exponent; });
}

template <class Number>
std::optional<std::size_t> find_not_below(std::span<const Number> values, std::uint32_t limit) {
    return find_where(values, [=](Number value) { return value >= limit; });
}

template <class Number>
void read_numbers(const Accessor& data, std::span<Number> out, std::size_t width) noexcept {
    if (width == 0) width = component_count(data.element);
    if (width == 0) return;
    switch (data.component) {
        case ComponentType::i8:
            return convert<std::int8_t>(data, out, width);
        case ComponentType::u8:
            return convert<std::uint8_t>(data, out, width);
        case ComponentType::i16:
            return convert<std::int16_t>(data, out, width);
        case ComponentType::u16:
            return convert<std::uint16_t>(data, out, width);
        case ComponentType::u32:
            return convert<std::uint32_t>(data, out, width);
        case ComponentType::f32:
            return convert<float>(data, out, width);
    }
}

template <class Number>
NumberView<Number>::NumberView(const Attribute* attribute) {
    if (attribute == nullptr) return;
    const Accessor& data = attribute->data;
    width_ = component_count(data.element);
    if (data.component == own_type<Number> && !std::is_same_v<Number, double>) {
        values_ = data.as<Number>();
        return;
    }
    own_.resize(data.count() * width_);
    read_numbers<Number>(data, own_);
    values_ = own_;
}

template std::optional<std::size_t> find_not_below(std::span<const std::uint8_t>, std::uint32_t);
template std::optional<std::size_t> find_not_below(std::span<const std::uint16_t>, std::uint32_t);
template std::optional<std::size_t> find_not_below(std::span<const std::uint32_t>, std::uint32_t);
template void read_numbers(const Accessor&, std::span<float>, std::size_t) noexcept;
template void read_numbers(const Accessor&, std::span<double>, std::size_t) noexcept;
template void read_numbers(const Accessor&, std::span<std::uint32_t>, std::size_t) noexcept;
template class NumberView<float>;
template class NumberView<double>;
template class NumberView<std::uint32_t>;

}  // namespace effigy
