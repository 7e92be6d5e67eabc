/// Connections that things of a class have beside their parts: what ties them to the game, and ships' places for crew
/// and equipment.

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "egosoft/from_scene/component.hpp"

namespace effigy::egosoft::bridge {
namespace {

// Shares of the half size, from the centre: right, up, forward.
constexpr Vec3 hull_centre{0, 0, 0}, hull_bow{0, 0, 1}, hull_stern{0, 0, -1}, hull_top{0, 1, 0}, hull_bottom{0, -1, 0},
    pilot_seat{0, 0.5f, 0.5f};

struct ShipPlace {
    std::string_view classes;  ///< ends of "ship_s" ..., with blanks around
    std::string_view name, tags, role;
    Vec3 at;
};

/// What ships of a class have in all or nearly all files.
constexpr std::array all_ship_places{
    ShipPlace{" s m l xl ", "con_cockpit", "cockpit cockpit_visible", "cockpit", pilot_seat},
    ShipPlace{" s m l xl ", "con_playercontrol", "playercontrol", "playercontrol", pilot_seat},
    ShipPlace{" s m l xl ", "con_storage01", "storage", "storage", hull_centre},
    ShipPlace{" s m l xl ", "con_dock_xs", "dock_xs", "dock_xs", hull_top},
    ShipPlace{" s m ", "con_dockpos", "dockpos", "dockpos", hull_bottom},
    ShipPlace{" s m l xl ", "con_countermeasures_01", "countermeasures", "countermeasures", hull_stern},
    ShipPlace{" s ", "con_engine_01", "engine small standard platformcollision", "engine", hull_stern},
    ShipPlace{" m ", "con_engine_01", "engine medium standard platformcollision", "engine", hull_stern},
    ShipPlace{" l ", "con_engine_01", "engine large standard platformcollision", "engine", hull_stern},
    ShipPlace{" xl ", "con_engine_01", "engine extralarge standard platformcollision", "engine", hull_stern},
    ShipPlace{" s ", "con_shield_01", "shield small standard unhittable", "shield", hull_top},
    ShipPlace{" m ", "con_shield_01", "shield medium standard unhittable", "shield", hull_top},
    ShipPlace{" l ", "con_shieldgen_l_01", "shield large standard unhittable", "shield", hull_top},
    ShipPlace{" xl ", "con_shieldgen_xl_01", "shield extralarge standard unhittable", "shield", hull_top},
    ShipPlace{" s ", "con_primaryweapon_01", "weapon small standard combat platformcollision", "weapon", hull_bow},
    ShipPlace{" m l xl ", "con_turret_m_01", "turret medium standard combat hittable", "turret", hull_top},
    ShipPlace{" s m ", "con_tochair", "tochair", "tochair", pilot_seat},
    ShipPlace{" s m ", "con_uianchor", "uianchor", "uianchor", pilot_seat},
    ShipPlace{" s m ", "con_control01", "npc pilot sit_pilot", "pilot", pilot_seat},
    ShipPlace{" s m ", "con_npc_teleport01", "npctransport npc_waypoint stand", "npctransport", pilot_seat},
};

std::vector<ExpectedConnection> ship_places(std::string_view size) {
    std::vector<ExpectedConnection> found;
    const std::string word = " " + std::string(size) + " ";
    for (const ShipPlace& place : all_ship_places) {
        if (place.classes.find(word) != std::string_view::npos)
            found.push_back({place.name, std::string(place.tags), {}, place.role, place.at});
    }
    return found;
}

/// What equipment fits with: its connection with the tag `component` hangs on a slot with the same tags.
struct Fitting {
    std::string_view class_name, name, tags;
};
constexpr std::array fittings{
    Fitting{"engine", "con_engine_01", "engine medium standard component"},
    Fitting{"weapon", "WeaponCon_01", "weapon medium standard combat component"},
    Fitting{"missilelauncher", "WeaponCon_01", "weapon medium missile combat component"},
    Fitting{"turret", "con_turret_01", "turret medium standard combat component"},
    Fitting{"missileturret", "con_turret_01", "turret medium missile combat component"},
    Fitting{"shieldgenerator", "con_shield_01", "shield medium standard component"},
};

ExpectedConnection tie_of(std::string_view class_name) {
    const auto found = std::find_if(fittings.begin(), fittings.end(),
                                    [&](const Fitting& one) { return one.class_name == class_name; });
    if (found != fittings.end()) return {found->name, std::string(found->tags), {}, "component", {}};
    const bool is_ship = class_name.starts_with("ship_");
    return {"space", (is_ship ? "ship " : "") + std::string(class_name), {}, is_ship ? "ship" : class_name, {}};
}

}  // namespace

std::vector<ExpectedConnection> expected_connections(std::string_view class_name, bool with_places) {
    std::vector<ExpectedConnection> list{{"container", "contents", "0", "contents", {}},
                                         {"position", "position", "1", "position", {}},
                                         tie_of(class_name)};
    constexpr std::string_view ship = "ship_";
    if (with_places && class_name.starts_with(ship)) {
        for (ExpectedConnection& place : ship_places(class_name.substr(ship.size()))) list.push_back(std::move(place));
    }
    return list;
}

bool has_tag(std::string_view tags, std::string_view tag) noexcept {
    for (std::size_t start = 0; start < tags.size();) {
        const std::size_t end = std::min(tags.find_first_of(" \t\r\n", start), tags.size());
        if (tags.substr(start, end - start) == tag) return true;
        start = end + 1;
    }
    return false;
}

}  // namespace effigy::egosoft::bridge
