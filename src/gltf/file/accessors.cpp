/// Accessors of glTF: ranges, strides, sparse values, normalised integers as floats.

#include "gltf/file/accessors.hpp"

#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "effigy/gltf_codes.hpp"
#include "effigy/scene_access.hpp"

#include "core/text.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json.hpp"

namespace effigy::gltf {
namespace {

std::optional<ComponentType> component_type(const nlohmann::json& json) {
    const auto number = whole_member(json, "componentType");
    for (const ComponentType type : {ComponentType::i8, ComponentType::u8, ComponentType::i16, ComponentType::u16,
                                     ComponentType::u32, ComponentType::f32}) {
        if (number == static_cast<std::uint64_t>(type)) return type;
    }
    return std::nullopt;
}

std::optional<ElementType> element_type(std::string_view name) noexcept {
    constexpr std::array<std::pair<std::string_view, ElementType>, 5> names{{{"SCALAR", ElementType::scalar},
                                                                             {"VEC2", ElementType::vec2},
                                                                             {"VEC3", ElementType::vec3},
                                                                             {"VEC4", ElementType::vec4},
                                                                             {"MAT4", ElementType::mat4}}};
    for (const auto& [known, type] : names) {
        if (known == name) return type;
    }
    return std::nullopt;
}

bool is_unsigned(ComponentType type) noexcept {
    return type == ComponentType::u8 || type == ComponentType::u16 || type == ComponentType::u32;
}

/// What an accessor says of itself, without its data.
Result<AccessorShape> head_of(const nlohmann::json& json, const std::string& path) {
    const auto component = component_type(json);
    if (!component)
        return refuse(path, codes::gltf_accessor, "an accessor has a component type that glTF does not know",
                      std::to_string(whole_member(json, "componentType").value_or(0)), "5120 to 5123, 5125 or 5126");
    const std::string_view type = text_member(json, "type");
    const auto element = element_type(type);
    if (!element)
        return refuse(path, codes::gltf_accessor, "an accessor has elements of a kind that no part of a model has",
                      shortened(type), "SCALAR, VEC2, VEC3, VEC4 or MAT4");
    const auto count = whole_member(json, "count");
    if (!count || *count > UINT32_MAX)
        return refuse(path, codes::gltf_accessor, "an accessor does not say how many elements it has");
    AccessorShape shape;
    shape.component = *component;
    shape.element = *element;
    shape.count = static_cast<std::size_t>(*count);
    const nlohmann::json* const normalized = member(json, "normalized");
    shape.normalized = normalized != nullptr && normalized->is_boolean() && normalized->get<bool>() &&
                       *component != ComponentType::f32;
    return shape;
}

void copy_elements(const ElementRange& from, std::byte* to) noexcept {
    if (from.count == 0) return;
    if (from.stride == from.size) {
        std::memcpy(to, from.bytes.data(), from.count * from.size);
        return;
    }
    for (std::size_t i = 0; i < from.count; ++i) std::memcpy(to + i * from.size, from[i], from.size);
}

}  // namespace

Result<ElementRange> Accessors::range(std::uint64_t view, std::uint64_t offset, std::uint64_t count,
                                      std::size_t element_size, bool is_strided, const std::string& path) {
    auto bytes = buffers_.view(view);
    if (!bytes) return fail(std::move(bytes.error()));
    const std::uint64_t stride = is_strided && bytes->stride != 0 ? bytes->stride : element_size;
    if (stride < element_size)
        return refuse(path, codes::gltf_accessor, "elements are larger than the stride of their buffer view",
                      std::to_string(stride), "at least " + std::to_string(element_size));
    const std::uint64_t size = bytes->bytes.size();
    const std::uint64_t left = offset > size ? 0 : size - offset;
    // The last element needs no padding behind it.
    if (offset > size || (count != 0 && (left < element_size || (count - 1) > (left - element_size) / stride)))
        return refuse(path, codes::gltf_accessor, "an array ends beyond its buffer view",
                      std::to_string(count) + " elements from byte " + std::to_string(offset) + " on",
                      "within " + std::to_string(size) + " bytes");
    ElementRange range;
    range.count = static_cast<std::size_t>(count);
    range.size = element_size;
    range.stride = static_cast<std::size_t>(stride);
    const std::size_t length = count == 0 ? 0 : (range.count - 1) * range.stride + element_size;
    range.bytes = bytes->bytes.subspan(static_cast<std::size_t>(offset), length);
    return range;
}

Result<Bulk<std::uint32_t>> Accessors::sparse_positions(const nlohmann::json& json, std::uint64_t count,
                                                        std::size_t limit, const std::string& path) {
    const auto component = component_type(json);
    const auto view = whole_member(json, "bufferView");
    const auto offset = whole_member_or(json, "byteOffset", 0);
    if (!component || !is_unsigned(*component) || !view || !offset)
        return refuse(path, codes::gltf_sparse, "the positions of replaced elements are not said as glTF wants it");
    const auto stored = range(*view, *offset, count, component_size(*component), false, path);
    if (!stored) return fail(stored.error());
    if (!budget_.take(count, sizeof(std::uint32_t))) return out_of_budget(path, budget_);
    Bulk<std::uint32_t> positions(stored->count);
    widen_indices(*component, *stored, positions.data());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (positions[i] < limit && (i == 0 || positions[i] > positions[i - 1])) continue;
        return refuse(element_path(path, i), codes::gltf_sparse,
                      "the positions of replaced elements do not increase, or go too far", std::to_string(positions[i]),
                      (i == 0 ? "" : "more than " + std::to_string(positions[i - 1]) + " and ") + "below " +
                          std::to_string(limit));
    }
    return positions;
}

Result<SparseRange> Accessors::sparse_range(const nlohmann::json& json, const AccessorShape& shape,
                                            const std::string& path) {
    const auto count = whole_member(json, "count");
    const nlohmann::json* const indices = member(json, "indices");
    const nlohmann::json* const values = member(json, "values");
    if (!count || *count > shape.count || indices == nullptr || values == nullptr)
        return refuse(path, codes::gltf_sparse, "an accessor does not say which of its elements are replaced by what");
    auto positions = sparse_positions(*indices, *count, shape.count, path + " / indices");
    if (!positions) return fail(std::move(positions.error()));
    const auto view = whole_member(*values, "bufferView");
    const auto offset = whole_member_or(*values, "byteOffset", 0);
    if (!view || !offset)
        return refuse(path + " / values", codes::gltf_sparse, "the values of replaced elements have no place");
    auto elements = range(*view, *offset, *count, shape.element_size(), false, path + " / values");
    if (!elements) return fail(std::move(elements.error()));
    return SparseRange{std::move(*positions), *elements};
}

Result<AccessorShape> Accessors::head(std::uint64_t number) const {
    const std::string path = element_path("accessors", number);
    const auto json = element_of(root_, "accessors", number, path);
    return json ? head_of(**json, path) : Result<AccessorShape>(fail(json.error()));
}

Result<AccessorShape> Accessors::shape(std::uint64_t number) {
    const std::string path = element_path("accessors", number);
    const auto json = element_of(root_, "accessors", number, path);
    if (!json) return fail(json.error());
    auto shape = head_of(**json, path);
    if (!shape) return shape;
    if (member(**json, "bufferView") != nullptr) {
        const auto view = whole_member(**json, "bufferView");
        const auto offset = whole_member_or(**json, "byteOffset", 0);
        if (!view || !offset)
            return refuse(path, codes::gltf_accessor, "an accessor does not say where its elements are");
        auto base = range(*view, *offset, shape->count, shape->element_size(), true, path);
        if (!base) return fail(std::move(base.error()));
        shape->base = *base;
    }
    if (const nlohmann::json* const json_of_sparse = member(**json, "sparse")) {
        auto replaced = sparse_range(*json_of_sparse, *shape, path + " / sparse");
        if (!replaced) return fail(std::move(replaced.error()));
        shape->sparse = std::move(*replaced);
    }
    return shape;
}

Result<Accessor> Accessors::gather(const AccessorShape& shape, const std::string& path) {
    const std::size_t size = shape.element_size();
    if (!budget_.take(shape.count, size)) return out_of_budget(path, budget_);
    Accessor accessor{{}, shape.element, shape.component, shape.normalized};
    accessor.bytes.resize(shape.count * size);
    if (shape.base) {
        copy_elements(*shape.base, accessor.bytes.data());
    } else if (!accessor.bytes.empty()) {
        std::memset(accessor.bytes.data(), 0, accessor.bytes.size());
    }
    if (!shape.sparse) return accessor;
    for (std::size_t i = 0; i < shape.sparse->positions.size(); ++i) {
        std::memcpy(accessor.bytes.data() + shape.sparse->positions[i] * size, shape.sparse->values[i], size);
    }
    return accessor;
}

Result<Accessor> Accessors::read(std::uint64_t number) {
    const auto found = shape(number);
    return found ? gather(*found, element_path("accessors", number)) : Result<Accessor>(fail(found.error()));
}

Result<Accessor> Accessors::floats(std::uint64_t number) {
    auto elements = read(number);
    if (!elements || elements->component == ComponentType::f32) return elements;
    const std::uint64_t numbers = elements->bytes.size() / component_size(elements->component);
    if (!budget_.take(numbers, sizeof(float))) return out_of_budget(element_path("accessors", number), budget_);
    return to_floats(*elements);
}

Result<Accessor> Accessors::whole_view(std::uint64_t number) {
    const std::string path = element_path("accessors", number);
    auto found = shape(number);
    if (!found) return fail(std::move(found.error()));
    const auto json = element_of(root_, "accessors", number, path);
    const auto view = json ? whole_member(**json, "bufferView") : std::nullopt;
    if (!view) return refuse(path, codes::gltf_accessor, "an accessor does not say where its elements are");
    const auto all = buffers_.view(*view);
    if (!all) return fail(all.error());
    const std::size_t size = found->element_size();
    found->count = all->bytes.size() < size ? 0 : (all->bytes.size() - size) / found->base->stride + 1;
    auto base = range(*view, 0, found->count, size, true, path);
    if (!base) return fail(std::move(base.error()));
    found->base = *base;
    found->sparse.reset();
    return gather(*found, path);
}

Result<Bulk<std::uint32_t>> Accessors::indices(std::uint64_t number) {
    const std::string path = element_path("accessors", number);
    const auto found = shape(number);
    if (!found) return fail(found.error());
    if (found->element != ElementType::scalar || !is_unsigned(found->component))
        return refuse(path, codes::gltf_accessor, "indices are not scalars of an unsigned type");
    if (!budget_.take(found->count, sizeof(std::uint32_t))) return out_of_budget(path, budget_);
    Bulk<std::uint32_t> wide(found->count);
    if (found->base && !found->sparse) {
        widen_indices(found->component, *found->base, wide.data());
        return wide;
    }
    const auto elements = gather(*found, path);
    if (!elements) return fail(elements.error());
    const std::size_t size = elements->stride();
    widen_indices(elements->component, {bytes_of(elements->bytes), wide.size(), size, size}, wide.data());
    return wide;
}

Result<std::optional<SparseElements>> Accessors::sparse(std::uint64_t number) {
    auto found = shape(number);
    if (!found) return fail(std::move(found.error()));
    if (found->base) return std::nullopt;
    SparseElements elements{found->count, {}, {{}, found->element, found->component, found->normalized}};
    if (!found->sparse) return elements;
    const ElementRange& values = found->sparse->values;
    if (!budget_.take(values.count, values.size)) return out_of_budget(element_path("accessors", number), budget_);
    elements.values.bytes.resize(values.count * values.size);
    copy_elements(values, elements.values.bytes.data());
    elements.positions = std::move(found->sparse->positions);
    return elements;
}

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
