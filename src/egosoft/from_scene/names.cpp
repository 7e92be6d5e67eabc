/// Names of materials, components and folders as the games have them, and what nodes' extras say of a component.

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "egosoft/from_scene/component.hpp"
#include "egosoft/from_scene/from_scene.hpp"
#include "egosoft/game/layers.hpp"
#include "egosoft/mod/old_material.hpp"
#include "scene/level_names.hpp"

namespace effigy::egosoft::bridge {
namespace {

bool is_collection_name(std::string_view name) {
    return std::count(name.begin(), name.end(), '.') == 1 && name.front() != '.' && name.back() != '.';
}

/// Whether a material of another collection than the mod's is another one than that has, where the mod cannot change
/// it.
bool differs_from_library(const Context& context, const std::string& name, const Material& material) {
    const std::string own = lower(plain_name(context.options.collection, "")) + ".";
    if (!context.options.for_mod || lower(name).starts_with(own)) return false;
    if (!mod::differs_from_entry({context.scene, context.untouched, context.pictures}, material)) return false;
    // The entry of a copy is not that of what it was copied from.
    const bool is_here =
        context.is_in_library && lower(material.name) == lower(name) && context.is_in_library(lower(name));
    return !is_here;
}

/// Whether it begins with the mod's folder, "my-mod", whose collection is "my_mod".
bool is_spelled_as_folder(const Context& context, std::string_view name) {
    const std::string own = lower(plain_name(context.options.collection, ""));
    std::string collection = lower(name.substr(0, name.find('.')));
    if (!context.options.for_mod || collection == own) return false;
    std::replace(collection.begin(), collection.end(), '-', '_');
    return collection == own && !(context.is_in_library && context.is_in_library(lower(name)));
}

/// "collection.material" of a name that is none yet.
std::string new_material_name(Context& context, const std::string& plain, Index material) {
    std::string own = plain, collection = plain_name(context.options.collection, "");
    if (collection.empty()) collection = plain_name(context.scene.name, "effigy");
    std::replace(own.begin(), own.end(), '.', '_');
    std::replace(collection.begin(), collection.end(), '.', '_');
    std::string wish = collection.substr(0, 50) + "." + own.substr(0, 60);
    if (context.options.for_mod) wish = lower(wish);
    std::string result = wish;
    const auto& materials = context.scene.materials;
    const std::string own_name = material < materials.size() ? lower(materials[material].name) : std::string();
    const auto is_taken = [&] {
        const std::string name = lower(result);
        const auto known = context.name_counts.find(name);
        const std::size_t own_count = name == own_name ? 1 : 0;
        return (known != context.name_counts.end() && known->second > own_count) ||
               !context.new_names.insert(result).second;
    };
    // What has no material comes after all that are there.
    material = std::min(material, static_cast<Index>(materials.size()));
    while (is_taken()) result = wish + "_" + std::to_string(material++);
    context.named_materials.add(result);
    return result;
}

}  // namespace

std::string plain_name(std::string_view name, std::string_view fallback) {
    const std::string plain = plain_text(name, "_-.");
    return plain.empty() ? std::string(fallback) : plain;
}

std::string name_of_copy(std::string name) {
    const std::size_t number = copy_number_of(name).size();
    if (number != 0) name[name.size() - number] = '_';
    return name;
}

std::string material_name(Context& context, Index material) {
    const auto [place, is_new] = context.material_names.try_emplace(material);
    if (!is_new) return place->second;
    const bool known = material < context.scene.materials.size();
    std::string_view name = known ? std::string_view(context.scene.materials[material].name) : std::string_view();
    constexpr std::size_t max_size = 127;
    if (is_collection_name(without_copy_number(name))) name = without_copy_number(name);
    std::string plain = plain_name(name, "default");
    bool has_collection = is_collection_name(plain) && copy_number_of(plain).empty();
    if (known && has_collection && differs_from_library(context, plain, context.scene.materials[material])) {
        context.taken_materials.add(plain);
        plain.erase(0, plain.find('.') + 1);
        has_collection = false;
    }
    if (has_collection && is_spelled_as_folder(context, plain)) {
        plain.erase(0, plain.find('.') + 1);
        has_collection = false;
    }
    const bool fine =
        plain == "standardmaterial" || plain == "colormaterial" || (has_collection && plain.size() <= max_size);
    return place->second = fine ? plain : new_material_name(context, plain, material);
}

namespace {

std::string with_backslashes(std::string path) {
    std::replace(path.begin(), path.end(), '/', '\\');
    return path;
}
/// Lower case, without the extension that it is in.
std::string place_in_game(const std::string& path) {
    std::string place = lower(path);
    constexpr std::string_view extensions = "extensions/";
    if (!place.starts_with(extensions)) return place;
    const std::size_t slash = place.find('/', extensions.size());
    return slash == std::string::npos ? std::string() : place.substr(slash + 1);
}
std::string path_of(const std::string& folder, const std::string& name) {
    return folder.empty() ? name : folder + "/" + name;
}
/// A path of the game that leads nowhere else; empty if it is none.
std::string game_path(const std::string& path) {
    const bool is_path = !path.empty() && normal_path(path).has_value();
    return is_path ? path_with_slashes(path) : std::string();
}

}  // namespace

ComponentPlaces places_of(const Context& context, const Plan& plan, const std::string& wish, const std::string& above) {
    ComponentPlaces names;
    const std::string folder = game_path(above);
    const std::string old_geometry = game_path(text_at(plan.record, "geometry").value_or(""));
    const bool is_component = text_at(plan.record, "kind") == "component";
    const std::string old_name = is_component ? context.scene.nodes[plan.root].name : std::string();
    const Json* const file = member(plan.record, "file");
    const std::string stem = file == nullptr ? old_name : text_at(*file, "name").value_or(old_name);
    // A mod's index has the name that the XML has; else the XML may have one that no file can have.
    const std::string own = context.options.for_mod ? old_name : plain_name(old_name, "component");
    // Of several in a file only one that is called as the file is gets another name with it.
    const bool keeps_name =
        is_component && plan.text != nullptr && plan.text->numbers.size() > 1 && lower(old_name) != lower(stem);
    const std::string wished = plain_name(wish, "component");
    // A copy is in a file of its own.
    const bool is_copy = !copy_number_of(own).empty() && lower(name_of_copy(own)) == lower(wished);
    const std::string name = keeps_name && !is_copy ? own : wished;
    const bool same = is_component && (lower(own) == lower(name) || lower(stem) == lower(name));
    names.xml.name = same ? old_name : name;
    names.data = same && !old_geometry.empty() ? old_geometry.substr(old_geometry.rfind('/') + 1) : name + "_data";
    // A mod has its own meshes; elsewhere it is not known what the folder is called in the game.
    const auto in_game = [&](const std::string& path) {
        return context.options.for_mod ? lower(path) : place_in_game(path);
    };
    const std::string old_folder(folder_of(old_geometry));
    const bool moved = !folder.empty() && in_game(folder) != in_game(old_folder);
    const std::string place = folder.empty() || (!moved && !old_geometry.empty()) ? old_folder : folder;
    names.folder = path_of(place, names.data);
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

std::optional<std::string> property_of(const Node& node, std::string_view name) {
    if (node.extras.other.empty()) return std::nullopt;
    const auto json = parse_json(node.extras.other);
    return json ? text_at(*json, name) : std::nullopt;
}

std::optional<std::string> property_or_number_of(const Node& node, std::string_view name) {
    if (node.extras.other.empty()) return std::nullopt;
    const auto json = parse_json(node.extras.other);
    const Json* const number = json ? member(*json, name) : nullptr;
    if (number == nullptr || !number->is_number()) return json ? text_at(*json, name) : std::nullopt;
    return number->is_number_integer() ? to_text(*number) : number_text(number->get<double>());
}

std::optional<Offset> offset_at(const Json& json, std::string_view name) {
    const Json* const record = member(json, name);
    if (record == nullptr) return std::nullopt;
    std::array<float, 7> values{0, 0, 0, 0, 0, 0, 1};
    const auto read = [&](std::string_view part, std::size_t first, std::size_t count) {
        const Json* const list = member(*record, part);
        if (list == nullptr || !list->is_array() || list->size() != count) return;
        for (std::size_t i = 0; i < count; ++i)
            values[first + i] = float_from_json((*list)[i]).value_or(values[first + i]);
    };
    read("position", 0, 3);
    read("rotation", 3, 4);
    Offset offset;
    offset.position = {values[0], values[1], values[2]};
    offset.rotation = {values[3], values[4], values[5], values[6]};
    return offset;
}

std::optional<Transform> known_rest(const Scene& scene, Index node, const Json& record, const MovingClips& moving) {
    auto rest = old_rest(scene, node, record);
    const Node& one = scene.nodes[node];
    if (!rest || one.matrix) return rest;
    if (moving.translation == 0) rest->translation = one.local.translation;
    if (moving.rotation == 0) rest->rotation = one.local.rotation;
    return rest;
}

std::optional<Transform> old_rest(const Scene& scene, Index node, const Json& record) {
    if (text_at(record, "kind") != "part") return std::nullopt;
    const Index above = scene.nodes[node].parent;
    const bool has_helper = above != no_index && flag_at(record_of(scene.nodes[above].extras), "helper");
    const auto offset = has_helper ? std::nullopt : offset_at(record, "offset");
    std::uint64_t not_finite = 0;
    return offset ? to_scene(*offset, not_finite) : Transform();
}

}  // namespace effigy::egosoft::bridge
