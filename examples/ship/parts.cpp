/// Hull, wings, landing gear, radar and turret of the ship, and how they move.

#include "parts.hpp"

#include <cmath>
#include <glm/gtc/constants.hpp>

namespace ship {

namespace {

constexpr float half_turn = glm::pi<float>(), full_turn = glm::two_pi<float>();

/// Half width and half height of the hull, from the stern (0) to the bow (1).
vec2 hull_radius(float v) {
    const float swell = std::pow(std::max(std::sin(half_turn * std::pow(v, 0.8f)), 0.0f), 0.7f);
    return {1.3f * swell, 0.85f * swell * (1 - 0.3f * v)};
}

/// Boxier than an ellipse.
vec2 rounded_square(float turn) {
    const auto flatten = [](float value) { return std::copysign(std::pow(std::abs(value), 0.75f), value); };
    return {flatten(std::cos(turn)), flatten(std::sin(turn))};
}

Surface hull() {
    return [](float u, float v) {
        const vec2 across = hull_radius(v) * rounded_square(u * full_turn);
        return vec3(across, -4.5f + 10 * v);
    };
}

/// From the hull to the tip, to port; swept back.
Surface wing() {
    return [](float u, float v) {
        const float turn = u * full_turn, chord = glm::mix(1.9f, 0.5f, v) * std::sqrt(1 - 0.98f * v * v * v * v);
        const float thickness = 0.16f * (1 - 0.7f * v);
        return vec3(0.8f + 3.4f * v, -0.15f - 0.35f * v - thickness * std::sin(turn),
                    -1.2f - 1.8f * v + chord * std::cos(turn));
    };
}

int scaled(int count, int level) { return std::max(6, count >> level); }

void add_both(Shape& shape, const Surface& surface, int around, int along, Chart chart) {
    add(shape, surface, around, along, chart);
    add(shape, surface, around, along, chart, true);
}

Shape hull_level(int level) {
    Shape shape;
    add(shape, hull(), scaled(48, level), scaled(56, level), {{0, 0}, {1, 0.5f}});
    add_both(shape, wing(), scaled(24, level), scaled(20, level), {{0, 0.5f}, {0.5f, 0.5f}});
    const Surface nacelle = tube({1.5f, -0.1f, -5.2f}, {1.5f, -0.1f, -1.8f}, {0.5f, 0.5f}, {0.42f, 0.4f});
    add_both(shape, nacelle, scaled(24, level), scaled(8, level), {{0.5f, 0.5f}, {0.5f, 0.25f}});
    const Surface nose = ellipsoid({1.5f, -0.1f, -1.8f}, {0.42f, 0.4f, 0.6f});
    add_both(shape, nose, scaled(24, level), scaled(12, level), {{0.5f, 0.75f}, {0.5f, 0.25f}});
    end_range(shape, "courier.hull");
    add_both(shape, disc({1.5f, -0.1f, -5.0f}, 0.46f), scaled(24, level), 2, {{0, 0}, {1, 1}});
    end_range(shape, "courier.glow");
    return shape;
}

Shape one_surface(const Surface& surface, int around, int along, const std::string& material) {
    Shape shape;
    add(shape, surface, around, along, {});
    end_range(shape, material);
    return shape;
}

/// A leg that hangs from its hinge at the origin.
Shape gear_shape() {
    Shape shape;
    const Surface leg = [](float u, float v) {
        const float turn = u * full_turn;
        return vec3(0.07f * std::cos(turn), -1.1f * v, 0.07f * std::sin(turn));
    };
    add(shape, leg, 12, 4, {{0.5f, 0.5f}, {0.25f, 0.25f}});
    add(shape, ellipsoid({0, -1.1f, 0}, {0.2f, 0.07f, 0.32f}), 16, 8, {{0.75f, 0.5f}, {0.25f, 0.25f}});
    end_range(shape, "courier.hull");
    return shape;
}

Track track(Track::Of of, bool bezier, std::vector<float> times, std::vector<vec3> values) {
    return {of, bezier, std::move(times), std::move(values)};
}

std::vector<State> gear_states(float direction) {
    const vec3 in{direction * half_turn * 0.55f, 0, 0}, out{0, 0, 0};
    const auto rotation = Track::Of::rotation;
    return {{"landinggears_inactive", 1, 2, {track(rotation, false, {0}, {in})}},
            {"landinggears_activating", 3, 63, {track(rotation, true, {0, 2}, {in, out})}},
            {"landinggears_active", 64, 65, {track(rotation, false, {0}, {out})}},
            {"landinggears_deactivating", 66, 126, {track(rotation, true, {0, 2}, {out, in})}}};
}

Part gear(const std::string& name, vec3 hinge, float direction) {
    return {name, "part_hull",           "part animation landinggear nocollision", hinge, {gear_shape()}, {},
            "",   gear_states(direction)};
}

Part radar() {
    const std::vector<State> loop{
        {"loop", 1, 121, {track(Track::Of::rotation, false, {0, 4}, {{0, 0, 0}, {0, full_turn, 0}})}}};
    return {"anim_radar",
            "part_hull",
            "part animation nocollision",
            {0, 0.86f, -2.2f},
            {one_surface(ellipsoid({0, 0.1f, 0}, {0.55f, 0.06f, 0.14f}), 20, 8, "courier.hull")},
            {},
            "",
            loop};
}

Part turret() {
    const auto rotation = Track::Of::rotation;
    const std::vector<State> states{
        {"turret_active", 1, 181, {track(rotation, true, {0, 3, 6}, {{0, 0, 0}, {0, 1.2f, 0}, {0, 0, 0}})}}};
    return {"anim_turret",
            "part_hull",
            "part animation",
            {0, -0.86f, 0.6f},
            {one_surface(ellipsoid({0, 0, 0}, {0.4f, 0.25f, 0.4f}), 20, 10, "courier.hull")},
            one_surface(ellipsoid({0, 0, 0}, {0.4f, 0.25f, 0.4f}), 8, 4, "courier.hull"),
            "",
            states};
}

Part barrel() {
    const auto position = Track::Of::position;
    const std::vector<vec3> recoil{{0, 0, 0}, {0, 0, -0.25f}, {0, 0, 0}};
    const std::vector<State> states{{"gun_firing", 1, 16, {track(position, true, {0, 0.1f, 0.5f}, recoil)}}};
    return {"anim_barrel",
            "anim_turret",
            "part animation nocollision",
            {0, -0.08f, 0.3f},
            {one_surface(tube({0, 0, 0}, {0, 0, 0.9f}, {0.07f, 0.07f}, {0.06f, 0.06f}), 12, 3, "courier.hull")},
            {},
            "",
            states};
}

}  // namespace

std::vector<Part> make_parts() {
    Shape collision;
    add(collision, hull(), 10, 10, {});
    add_both(collision, wing(), 6, 4, {});
    Part body{"part_hull",       "", "part", {0, 0, 0}, {hull_level(0), hull_level(1), hull_level(2)}, collision,
              "part_hull_wreck", {}};
    Part canopy{"fx_canopy",
                "part_hull",
                "part nocollision noshadowcaster",
                {0, 0.45f, 2.0f},
                {one_surface(ellipsoid({0, 0, 0}, {0.5f, 0.42f, 1.1f}), 24, 16, "courier.glass")},
                {},
                "",
                {}};
    return {std::move(body),
            std::move(canopy),
            radar(),
            turret(),
            barrel(),
            gear("gear_bow", {0, -0.55f, 3.1f}, -1),
            gear("gear_port", {1.5f, -0.4f, -2.6f}, 1),
            gear("gear_starboard", {-1.5f, -0.4f, -2.6f}, 1)};
}

Shape make_wreck() {
    Shape shape;
    const Surface whole = hull();
    const Surface bent = [whole](float u, float v) {
        const vec3 point = whole(u, v);
        return point + 0.25f * vec3(std::sin(2.1f * point.z), std::cos(1.7f * point.z), 0) * hull_radius(v).x;
    };
    add(shape, bent, 24, 28, {{0, 0}, {1, 0.5f}});
    end_range(shape, "courier.hull");
    return shape;
}

}  // namespace ship
