/// Lights from KHR_lights_punctual.

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "effigy/gltf_codes.hpp"

#include "gltf/file/json_values.hpp"
#include "gltf/read/context.hpp"
#include "gltf/read/extras.hpp"
#include "gltf/write/document.hpp"

namespace effigy::gltf {
namespace {

void read_kind(Reading& reading, Light& light, const Value& json, const std::string& path) {
    const std::string_view kind = text_member(json, "type");
    if (kind == "directional") light.kind = LightKind::directional;
    if (kind == "spot") light.kind = LightKind::spot;
    if (kind == "point" || light.kind != LightKind::point) return;
    reading.note(codes::gltf_value, path + " / type", "there is no such kind of light; it shines to all sides",
                 std::string(kind.substr(0, 80)), "directional, point or spot");
}

void read_cone(Reading& reading, Light& light, const Value& json, const std::string& path) {
    constexpr float right_angle = 1.5707964f;
    static const Value nothing = Value::object();
    const Value* const found = member(json, "spot");
    const Value& spot = found != nullptr ? *found : nothing;
    const Light usual;
    light.inner_cone = reading.number(spot, "innerConeAngle", usual.inner_cone, path + " / spot");
    light.outer_cone = reading.number(spot, "outerConeAngle", usual.outer_cone, path + " / spot");
    if (light.inner_cone >= 0 && light.inner_cone < light.outer_cone && light.outer_cone <= right_angle) return;
    reading.note(codes::gltf_range, path + " / spot",
                 "the inner cone is not within the outer one, or that is wider than a right angle; the usual ones are "
                 "used");
    light.inner_cone = usual.inner_cone;
    light.outer_cone = usual.outer_cone;
}

Light read_light(Reading& reading, const Value& json, std::size_t number) {
    const std::string path =
        std::string("extensions / ") + lights_extension + " / lights[" + std::to_string(number) + "]";
    Light light;
    light.name = name_of(json);
    read_kind(reading, light, json, path);
    const auto color = reading.numbers<3>(json, "color", {1, 1, 1}, path);
    const auto part = [&](std::size_t i) { return std::clamp(color[i], 0.0f, 1.0f); };
    light.color = {part(0), part(1), part(2)};
    light.intensity = std::max(0.0f, reading.number(json, "intensity", 1, path));
    light.range = std::max(0.0f, reading.number(json, "range", 0, path));
    if (light.kind == LightKind::spot) read_cone(reading, light, json, path);
    light.extras = read_extras(reading, json, path).extras;
    return light;
}

}  // namespace

Result<void> read_lights(Reading& reading) {
    const Value* const extension = extension_of(reading.asset.json(), lights_extension);
    if (extension == nullptr) return {};
    const Value& lights = list_member(*extension, "lights");
    if (auto taken = reading.take(lights.size(), sizeof(Light), "lights"); !taken) return taken;
    for (std::size_t i = 0; i < lights.size(); ++i) {
        reading.scene.lights.push_back(read_light(reading, lights[i], i));
    }
    return {};
}

}  // namespace effigy::gltf
