/// Records in extras, which anybody may have edited: whatever does not fit is not there.

#include "arp/from_scene/from_scene.hpp"

namespace effigy::arp::native {

std::optional<std::uint32_t> whole_in(const Json& json, const char* name) {
    const Json* found = member(json, name);
    if (found == nullptr || !found->is_number_unsigned()) return std::nullopt;
    const auto value = found->get<std::uint64_t>();
    return value <= UINT32_MAX ? std::optional(static_cast<std::uint32_t>(value)) : std::nullopt;
}

namespace {

template <std::size_t count>
std::optional<std::array<float, count>> floats_in(const Json& json, const char* name) {
    const Json* found = member(json, name);
    if (found == nullptr || !found->is_array() || found->size() != count) return std::nullopt;
    std::array<float, count> values{};
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = float_from_json((*found)[i]);
        if (!value) return std::nullopt;
        values[i] = *value;
    }
    return values;
}

}  // namespace

std::optional<Vec3> vector_in(const Json& json, const char* name) {
    const auto values = floats_in<3>(json, name);
    if (!values) return std::nullopt;
    return Vec3{(*values)[0], (*values)[1], (*values)[2]};
}

std::optional<Quat> rotation_in(const Json& json, const char* name) {
    const auto values = floats_in<4>(json, name);
    if (!values) return std::nullopt;
    return Quat{(*values)[0], (*values)[1], (*values)[2], (*values)[3]};
}

}  // namespace effigy::arp::native
