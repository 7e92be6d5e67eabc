/// Lights of parts and layers.

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>

#include "effigy/egosoft_codes.hpp"

#include "core/srgb.hpp"
#include "core/xml.hpp"
#include "egosoft/from_scene/xml.hpp"
#include "scene/level_names.hpp"

namespace effigy::egosoft::bridge {
namespace {

constexpr double degrees = 180 / 3.14159265358979323846;

bool alike(float a, float b, float tolerance) { return std::fabs(a - b) <= tolerance * std::max(1.0f, std::fabs(a)); }

/// Lights of glTF shine the other way along z.
glm::dmat4 as_in_file(const glm::dmat4& place, bool has_direction) {
    if (!has_direction) return place;
    return place * glm::mat4_cast(glm::dquat(0, 0, 1, 0));
}

class LightWriter {
public:
    LightWriter(XmlEdit& edit, Context& context, pugi::xml_node parent)
        : edit_(edit), context_(context), parent_(parent) {}

    void run(const std::vector<PlannedLight>& lights) {
        for (const PlannedLight& light : lights) light.old != nullptr ? update(light) : add(light);
        note();
    }

private:
    [[nodiscard]] const std::string& name_of(const PlannedLight& planned) const {
        return planned.name.empty() ? context_.scene.nodes[planned.node].name : planned.name;
    }

    void update(const PlannedLight& planned) {
        const OldLight& old = *planned.old;
        const pugi::xml_node above = old.node.parent().parent();
        constexpr std::string_view layer = "layer";
        const bool is_home = above == parent_ || (above.name() == layer && parent_.name() == layer);
        if (!is_home) edit_.move(old.node, edit_.child(parent_, "lights"));
        rename(planned, old, old.is_copy || (old.part != nullptr && old.part->is_copy));
        change(planned, old);
    }

    /// Several may have one name, where programs number nodes: only copies get such a number.
    void rename(const PlannedLight& planned, const OldElement<Light>& old, bool is_copy) {
        const std::string& name = name_of(planned);
        const std::string old_name = shown_name(*old.thing);
        const bool is_numbered =
            !copy_number_of(name).empty() && without_copy_number(name) == without_copy_number(old_name);
        if (name.empty() || name == old_name || (is_numbered && !is_copy)) return;
        edit_.set(old.node, "name", name_of_copy(name));
    }

    [[nodiscard]] const effigy::Light* light_of(const PlannedLight& planned) const {
        const Index light = context_.scene.nodes[planned.node].light;
        return light < context_.scene.lights.size() ? &context_.scene.lights[light] : nullptr;
    }

    void change(const PlannedLight& planned, const OldElement<Light>& old) {
        const auto was = scene_light(*old.thing);
        const bool has_direction = was && was->kind != LightKind::point;
        edit_.set_offset(old.node, &old.thing->offset, as_in_file(planned.place, has_direction));
        const effigy::Light* const light = light_of(planned);
        if (light == nullptr || !was || light->kind != was->kind) return;
        write_changes(old.node, *light, *was);
    }

    void write_changes(pugi::xml_node node, const effigy::Light& light, const effigy::Light& was) {
        constexpr float fine = 1e-5f, color_step = 2e-3f;
        if (!alike(light.color.x, was.color.x, color_step) || !alike(light.color.y, was.color.y, color_step) ||
            !alike(light.color.z, was.color.z, color_step)) {
            write_color(node, light.color);
        }
        if (!alike(light.intensity, was.intensity, fine)) edit_.set(node, "intensity", light.intensity);
        // Programs without ranges leave them out.
        if (light.range > 0 && !alike(light.range, was.range, fine)) edit_.set(node, "range", range_of(light));
        if (light.kind != LightKind::spot) return;
        const bool is_changed =
            !alike(light.outer_cone, was.outer_cone, fine) || !alike(light.inner_cone, was.inner_cone, fine);
        if (take_other_form(node) || is_changed) write_cone(node, light);
    }

    void write_color(pugi::xml_node node, const Vec3& color) {
        const auto level = [](float value) {
            return std::round(255.0 * static_cast<double>(linear_to_srgb(std::clamp(value, 0.0f, 1.0f))));
        };
        edit_.set(node, "r", level(color.x));
        edit_.set(node, "g", level(color.y));
        edit_.set(node, "b", level(color.z));
    }

    /// Takes out the cone in the form of the game that the component is not made for; false if that is not there alone.
    bool take_other_form(pugi::xml_node node) {
        if (!context_.options.target) return false;
        const bool has_angle = node.attribute("angle");
        const bool has_two = node.attribute("falloff") || node.attribute("hotspot");
        const bool wants_two = context_.options.target == Target::x_rebirth;
        if (has_angle == has_two || has_two == wants_two) return false;
        for (const char* name : {"angle", "falloff", "hotspot"}) {
            if (node.attribute(name)) edit_.remove_attribute(node, name);
        }
        return true;
    }

    /// X4 has one angle; X Rebirth's light falls off between two. What the element has already counts.
    void write_cone(pugi::xml_node node, const effigy::Light& light) {
        bool has_angle = node.attribute("angle");
        const bool has_two = node.attribute("falloff") || node.attribute("hotspot");
        if (!has_two) has_angle = has_angle || context_.options.target != Target::x_rebirth;
        const double outer = 2 * degrees * static_cast<double>(light.outer_cone);
        if (has_angle) edit_.set(node, "angle", outer);
        if (has_angle && !has_two) return;
        edit_.set(node, "hotspot", 2 * degrees * static_cast<double>(light.inner_cone));
        edit_.set(node, "falloff", outer);
    }

    /// glTF's lights may be endless; those of the games end where little is left of them.
    static double range_of(const effigy::Light& light) {
        if (light.range > 0) return static_cast<double>(light.range);
        return std::clamp(10 * std::sqrt(std::max(0.0, static_cast<double>(light.intensity))), 1.0, 1000.0);
    }

    void add(const PlannedLight& planned) {
        if (add_recorded(planned)) return;
        const effigy::Light* const light = light_of(planned);
        const std::string& name = name_of(planned);
        if (light == nullptr || light->kind == LightKind::directional) return left_.add(name);
        const bool is_spot = light->kind == LightKind::spot;
        const pugi::xml_node node = edit_.add(edit_.child(parent_, "lights"), is_spot ? "spot" : "omni");
        edit_.set(node, "name", plain_name(name_of_copy(name), "light"));
        write_color(node, light->color);
        edit_.set(node, "range", range_of(*light));
        edit_.set(node, "intensity", std::max(0.0f, light->intensity));
        if (is_spot) write_cone(node, *light);
        edit_.set_offset(node, nullptr, as_in_file(planned.place, is_spot));
        added_.add(name);
    }

    /// One from a component whose XML is not there.
    bool add_recorded(const PlannedLight& planned) {
        const std::string element = text_at(planned.record, "element").value_or("");
        const Json* const attributes = member(planned.record, "attributes");
        const bool is_name = !element.empty() && plain_name(element, "") == element && element.front() > '9';
        if (!is_name || attributes == nullptr || !attributes->is_array()) return false;
        const pugi::xml_node node = edit_.add(edit_.child(parent_, "lights"), element.c_str());
        Light light;
        light.kind = element;
        constexpr std::size_t max_count = 256;
        for (const Json& attribute : *attributes) {
            if (!attribute.is_array() || attribute.size() != 2 || light.attributes.size() == max_count) continue;
            const auto name = text_from_json(attribute[0]), value = text_from_json(attribute[1]);
            const bool is_good = name && value && !name->empty() && plain_name(*name, "") == *name && (*name)[0] > '9';
            if (!is_good || node.attribute(name->c_str())) continue;
            edit_.set(node, name->c_str(), *value);
            light.attributes.emplace_back(*name, *value);
        }
        const auto number = [&](const char* name, float usual) {
            return parse_number(node.attribute(name).value()).value_or(usual);
        };
        light.color = {number("r", 255) / 255, number("g", 255) / 255, number("b", 255) / 255};
        light.intensity = number("intensity", 1);
        light.range = number("range", 0);
        light.name = node.attribute("name").value();
        change(planned, {&light, node});
        const bool is_image = !planned.name.empty();
        rename(planned, {&light, node}, is_image);
        return true;
    }

    void note() {
        context_.note_any(added_, codes::component_light_units, "lights",
                          "Intensities are written as they stand, though glTF's are candela and nothing says what the "
                          "games' are; a light without a range gets ten times the root of its intensity, in metres.");
        context_.note_any(left_, codes::component_light_left, "lights",
                          "Components have no lights of this kind; they are left out. Use points and spots.");
    }

    XmlEdit& edit_;
    Context& context_;
    pugi::xml_node parent_;
    NameList added_, left_;
};

}  // namespace

void write_lights(XmlEdit& edit, Context& context, const std::vector<PlannedLight>& lights, pugi::xml_node parent) {
    LightWriter(edit, context, parent).run(lights);
}

}  // namespace effigy::egosoft::bridge
