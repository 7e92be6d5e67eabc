/// What a component and its folder are called.

#include <algorithm>

#include "core/text.hpp"
#include "egosoft/from_scene/component.hpp"

namespace effigy::egosoft::bridge {
namespace {

std::string with_backslashes(std::string path) {
    std::replace(path.begin(), path.end(), '/', '\\');
    return path;
}
std::string with_slashes(std::string path) {
    std::replace(path.begin(), path.end(), '\\', '/');
    while (path.ends_with('/')) path.pop_back();
    return path;
}
std::string parent_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}
/// Lower case, without the extension that it is in.
std::string place_in_game(const std::string& path) {
    std::string place = lower(path);
    constexpr std::string_view extensions = "extensions/";
    if (!place.starts_with(extensions)) return place;
    const std::size_t slash = place.find('/', extensions.size());
    return slash == std::string::npos ? std::string() : place.substr(slash + 1);
}
std::string joined(const std::string& folder, const std::string& name) {
    return folder.empty() ? name : folder + "/" + name;
}
/// A path of the game that leads nowhere else; empty if it is none.
std::string game_path(const std::string& path) {
    const bool is_path = !path.empty() && normal_path(path).has_value();
    return is_path ? with_slashes(path) : std::string();
}

}  // namespace

ComponentPlaces places_of(const Making& making, const Plan& plan, const std::string& wish, const std::string& above) {
    ComponentPlaces names;
    const std::string name = plain_name(wish, "component"), folder = game_path(above);
    const std::string old_geometry = game_path(text_at(plan.record, "geometry").value_or(""));
    const bool is_component = text_at(plan.record, "kind") == "component";
    const std::string old_name = is_component ? making.scene.nodes[plan.root].name : std::string();
    const Json* const file = member(plan.record, "file");
    const std::string stem = file == nullptr ? old_name : text_at(*file, "name").value_or(old_name);
    const bool same = is_component && (lower(old_name) == lower(name) || lower(stem) == lower(name));
    names.xml.name = same ? old_name : name;
    names.data = same && !old_geometry.empty() ? old_geometry.substr(old_geometry.rfind('/') + 1) : name + "_data";
    const bool moved = !folder.empty() && place_in_game(folder) != place_in_game(parent_of(old_geometry));
    const std::string place = folder.empty() || (!moved && !old_geometry.empty()) ? parent_of(old_geometry) : folder;
    names.folder = joined(place, names.data);
    names.xml.geometry = with_backslashes(names.folder);
    if (same && !moved && !old_geometry.empty()) names.xml.geometry = text_at(plan.record, "geometry").value_or("");
    return names;
}

std::string class_by_folder(const std::string& folder) {
    for (const char* size : {"xs", "s", "m", "l", "xl"}) {
        if (lower(folder).find("units/size_" + std::string(size) + "/") != std::string::npos)
            return "ship_" + std::string(size);
    }
    return "object";
}

}  // namespace effigy::egosoft::bridge
