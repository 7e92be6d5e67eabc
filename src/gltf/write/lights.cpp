/// Lights as KHR_lights_punctual.

#include <array>

#include "gltf/write/document.hpp"

namespace effigy::gltf {
namespace {

const char* type_name(LightKind kind) {
    switch (kind) {
        case LightKind::directional:
            return "directional";
        case LightKind::point:
            return "point";
        case LightKind::spot:
            return "spot";
    }
    return "";
}

Result<Json> light_json(Document& document, const Light& light, std::size_t number) {
    Json json = Json::object();
    if (!light.name.empty()) json["name"] = light.name;
    if (light.color != Vec3{1, 1, 1}) json["color"] = numbers(std::array{light.color.x, light.color.y, light.color.z});
    if (light.intensity != 1) json["intensity"] = gltf::number(light.intensity);
    json["type"] = type_name(light.kind);
    if (light.range != 0 && light.kind != LightKind::directional) json["range"] = gltf::number(light.range);
    if (light.kind == LightKind::spot) {
        json["spot"]["innerConeAngle"] = gltf::number(light.inner_cone);
        json["spot"]["outerConeAngle"] = gltf::number(light.outer_cone);
    }
    if (auto added = add_extras(document, json, light.extras, hash_to_write(light, !light.extras.json.empty()),
                                {{"lights", number}});
        !added) {
        return fail(std::move(added.error()));
    }
    return json;
}

}  // namespace

Result<void> add_lights(Document& document, const Scene& scene) {
    for (std::size_t i = 0; i < scene.lights.size(); ++i) {
        auto json = light_json(document, scene.lights[i], i);
        if (!json) return fail(std::move(json.error()));
        document.lights.push_back(std::move(*json));
    }
    if (!document.lights.empty()) document.extensions.insert(lights_extension);
    return {};
}

}  // namespace effigy::gltf
