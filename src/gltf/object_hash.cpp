#include "gltf/object_hash.hpp"

#include <array>
#include <span>

#include "gltf/content.hpp"

namespace effigy::gltf {
namespace {

// -0 equals 0, is not written where 0 is the default, and must not hash otherwise.
template <class T>
T or_default(const T& value, const T& usual) {
    return value == usual ? usual : value;
}

}  // namespace

std::uint64_t hash_of(const Node& node) {
    if (node.matrix && *node.matrix != Mat4{}) return hash_of(std::as_bytes(std::span(node.matrix->m)));
    const Transform usual;
    const Transform& local = node.matrix ? usual : node.local;
    const Vec3 translation = or_default(local.translation, usual.translation);
    const Quat rotation = or_default(local.rotation, usual.rotation);
    const Vec3 scale = or_default(local.scale, usual.scale);
    const std::array floats{translation.x, translation.y, translation.z, rotation.x, rotation.y,
                            rotation.z,    rotation.w,    scale.x,       scale.y,    scale.z};
    return hash_of(std::as_bytes(std::span(floats)));
}

std::uint64_t hash_of(const Light& light) {
    const Light usual;
    const bool is_spot = light.kind == LightKind::spot;
    const Vec3 color = or_default(light.color, usual.color);
    const float range = light.kind == LightKind::directional ? usual.range : or_default(light.range, usual.range);
    const std::array floats{color.x,
                            color.y,
                            color.z,
                            light.intensity,
                            range,
                            is_spot ? light.inner_cone : usual.inner_cone,
                            is_spot ? light.outer_cone : usual.outer_cone};
    return hash_of(std::as_bytes(std::span(floats)));
}

}  // namespace effigy::gltf
