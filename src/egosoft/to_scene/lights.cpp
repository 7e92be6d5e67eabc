/// Lights of components as glTF's: kinds, colours, ranges, cones.

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/srgb.hpp"
#include "core/text.hpp"
#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft::bridge {
namespace {

constexpr float degree = 3.14159265f / 180;

std::optional<LightKind> kind_of(const std::string& element) {
    const std::string name = lower(element);
    if (name == "omni" || name == "point") return LightKind::point;
    if (name.find("spot") != std::string::npos) return LightKind::spot;
    if (name.find("direct") != std::string::npos || name == "sun") return LightKind::directional;
    return std::nullopt;
}

std::optional<float> number(const Light& light, std::string_view name) {
    for (const auto& [key, value] : light.attributes) {
        if (lower(key) != name) continue;
        if (const auto result = number_from<float>(value); result && std::isfinite(*result)) return result;
    }
    return std::nullopt;
}

float positive(float value) { return std::isfinite(value) && value > 0 ? value : 0.0f; }

float linear(float value) { return srgb_to_linear(std::clamp(std::isfinite(value) ? value : 0.0f, 0.0f, 1.0f)); }

/// Full angles in degrees, where the file gives any.
void set_cone(effigy::Light& light, const Light& source) {
    constexpr float widest = 1.5707963f;
    const auto half = [&](float angle) { return std::clamp(angle * degree / 2, 0.01f, widest); };
    const auto outer = number(source, "angle") ? number(source, "angle") : number(source, "falloff");
    if (outer) light.outer_cone = half(*outer);
    if (const auto inner = number(source, "hotspot")) light.inner_cone = half(*inner);
    light.inner_cone = std::min(light.inner_cone, light.outer_cone * 0.999f);
}

}  // namespace

std::optional<effigy::Light> scene_light(const Light& source) {
    const auto kind = kind_of(source.kind);
    if (!kind) return std::nullopt;
    effigy::Light light;
    light.name = shown_name(source);
    light.kind = *kind;
    light.color = {linear(source.color.x), linear(source.color.y), linear(source.color.z)};
    light.intensity = positive(source.intensity);
    light.range = positive(source.range);
    if (light.kind == LightKind::spot) set_cone(light, source);
    return light;
}

/// Lights of glTF shine along -z; those of the files along z. Half a turn about y.
Quat flipped(const Quat& q) { return {-q.z, q.w, q.x, -q.y}; }

std::string shown_name(const Light& light) { return text(light.name.empty() ? light.kind : light.name); }

void add_lights(Build& build, const std::vector<Light>& lights, Index parent, NameCounts& counts) {
    for (const Light& source : lights) {
        const std::string name = shown_name(source);
        const Index node = build.add_node(name, parent);
        std::uint64_t not_finite = 0;
        Node& place = build.scene.nodes[node];
        place.local = to_scene(source.offset, not_finite);
        Json record = light_record(source);
        record_name(record, name, counts);
        set_record(place.extras, std::move(record));
        auto light = scene_light(source);
        if (!light) {
            build.area_lights.add(place.name);
            continue;
        }
        if (light->kind != LightKind::point) {
            place.local.rotation = flipped(place.local.rotation);
            build.spot_lights.add(place.name);
        }
        place.light = static_cast<Index>(build.scene.lights.size());
        build.scene.lights.push_back(std::move(*light));
    }
}

}  // namespace effigy::egosoft::bridge
