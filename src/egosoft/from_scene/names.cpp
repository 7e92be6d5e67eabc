/// Names of materials, as libraries of the games have them.

#include <algorithm>

#include "egosoft/from_scene/from_scene.hpp"

namespace effigy::egosoft::bridge {
namespace {

bool is_collection_name(std::string_view name) {
    return std::count(name.begin(), name.end(), '.') == 1 && name.front() != '.' && name.back() != '.';
}

/// Whether the name ends as Blender's copies do: ".001".
bool is_numbered(std::string_view name) {
    if (name.size() < 5 || name[name.size() - 4] != '.') return false;
    const std::string_view digits = name.substr(name.size() - 3);
    return std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "collection.material" of a name that is none yet.
std::string new_material_name(Making& making, const std::string& plain, Index material) {
    std::string own = plain, collection = plain_name(making.options.collection, "");
    if (collection.empty()) collection = plain_name(making.scene.name, "effigy");
    std::replace(own.begin(), own.end(), '.', '_');
    std::replace(collection.begin(), collection.end(), '.', '_');
    const std::string wish = collection.substr(0, 50) + "." + own.substr(0, 60);
    std::string result = wish;
    while (!making.new_names.insert(result).second) result = wish + "_" + std::to_string(material++);
    making.named_materials.add(result);
    return result;
}

}  // namespace

std::string plain_name(std::string_view name, std::string_view fallback) {
    std::string plain;
    for (const char c : name) {
        const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                          c == '-' || c == '.';
        plain += fine ? c : '_';
    }
    return plain.empty() ? std::string(fallback) : plain;
}

std::string material_name(Making& making, Index material) {
    const auto [place, is_new] = making.material_names.try_emplace(material);
    if (!is_new) return place->second;
    const bool known = material < making.scene.materials.size();
    std::string_view name = known ? std::string_view(making.scene.materials[material].name) : std::string_view();
    constexpr std::size_t most = 127;
    if (is_numbered(name) && is_collection_name(name.substr(0, name.size() - 4))) name.remove_suffix(4);
    const std::string plain = plain_name(name, "default");
    const bool fine = plain == "standardmaterial" || plain == "colormaterial" ||
                      (is_collection_name(plain) && !is_numbered(plain) && plain.size() <= most);
    return place->second = fine ? plain : new_material_name(making, plain, material);
}

}  // namespace effigy::egosoft::bridge
