/// Transforms from the files' frame to the scene's (x negated), and names of meshes taken apart.

#include <cctype>
#include <charconv>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

#include "core/text.hpp"
#include "egosoft/to_scene/to_scene.hpp"
#include "scene/wide_math.hpp"

namespace effigy::egosoft::bridge {
namespace {

float finite(float value, std::uint64_t& not_finite) noexcept {
    if (std::isfinite(value)) return value;
    ++not_finite;
    return 0;
}

Quat narrow_unit(const glm::dquat& q) noexcept {
    const double length = glm::length(q);
    if (!(length > 1e-12) || !std::isfinite(length)) return {};
    return {static_cast<float>(q.x / length), static_cast<float>(q.y / length), static_cast<float>(q.z / length),
            static_cast<float>(q.w / length)};
}

/// The number behind `mark` at the end of a name, which may have none.
bool ends_with_mark(std::string_view lower_name, std::string_view mark, bool needs_number, MeshName& name) {
    const std::size_t place = lower_name.rfind(mark);
    if (place == std::string_view::npos || place == 0) return false;
    const std::string_view digits = lower_name.substr(place + mark.size());
    if (digits.empty() && needs_number) return false;
    if (!digits.empty()) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), name.number);
        if (error != std::errc() || end != digits.data() + digits.size()) return false;
    }
    name.part.resize(place);
    return true;
}

}  // namespace

std::string text(std::string_view raw) { return to_utf8(raw, "CP1252"); }

Transform to_scene(const Offset& offset, std::uint64_t& not_finite) noexcept {
    const auto& [x, y, z] = offset.position;
    Transform transform;
    transform.translation = {0.0f - finite(x, not_finite), finite(y, not_finite), finite(z, not_finite)};
    const Quat& q = offset.rotation;
    transform.rotation = narrow_unit(
        {static_cast<double>(finite(q.w, not_finite)), static_cast<double>(finite(q.x, not_finite)),
         0.0 - static_cast<double>(finite(q.y, not_finite)), 0.0 - static_cast<double>(finite(q.z, not_finite))});
    return transform;
}

Transform combined(const Transform& parent, const Transform& child) noexcept {
    const glm::dquat rotation = wide(parent.rotation);
    Transform result;
    result.translation = narrow(rotation * wide(child.translation) + wide(parent.translation));
    result.rotation = narrow_unit(rotation * wide(child.rotation));
    return result;
}

MeshName parse_mesh_name(std::string_view stem) {
    MeshName name;
    name.part = stem;
    const std::string lower_name = lower(stem);
    if (ends_with_mark(lower_name, "-lod", true, name)) {
        name.kind = MeshName::Kind::level;
    } else if (ends_with_mark(lower_name, "-collision", false, name)) {
        name.kind = MeshName::Kind::collision;
    }
    return name;
}

}  // namespace effigy::egosoft::bridge
