/// What is supported, as JSON: every format with its directions and switches.

#include <array>
#include <nlohmann/json.hpp>

#include "effigy/convert.hpp"

namespace effigy {
namespace {

using Json = nlohmann::ordered_json;

const char* role_name(Role role) {
    constexpr std::array<const char*, 6> names{"model", "motion", "companion", "library", "archive", "scene"};
    return names[static_cast<std::size_t>(role)];
}

const char* type_name(OptionType type) {
    constexpr std::array<const char*, 6> names{"flag", "integer", "number", "choice", "text", "path"};
    return names[static_cast<std::size_t>(type)];
}

Json option_json(const OptionDeclaration& option) {
    Json json{{"name", option.name}, {"type", type_name(option.type)}, {"help", option.help}};
    if (!option.default_value.empty()) json["default"] = option.default_value;
    if (option.type == OptionType::integer || option.type == OptionType::number) {
        json["min"] = option.min;
        json["max"] = option.max;
    }
    for (const std::string_view choice : option.choices) json["choices"].push_back(choice);
    json["repeats"] = option.repeats;
    return json;
}

/// The switches that say something about files of a format, by direction.
Json switches_json(const FormatInfo& format, const Registry& registry) {
    Json read = Json::array(), write = Json::array();
    for (const DeclaredOption& option : registry.options()) {
        if (!applies(option, format)) continue;
        if (option.declaration.reads && format.to_scene) read.push_back(option_json(option.declaration));
        if (option.declaration.writes && format.from_scene) write.push_back(option_json(option.declaration));
    }
    return {{"read", std::move(read)}, {"write", std::move(write)}};
}

Json format_json(const FormatInfo& format, const Registry& registry) {
    Json extensions = Json::array();
    for (const std::string_view extension : format.extensions) extensions.push_back(extension);
    return {{"id", format.id},
            {"name", format.name},
            {"family", format.family},
            {"role", role_name(format.role)},
            {"extensions", std::move(extensions)},
            {"versions", format.versions},
            {"read", format.reads},
            {"write", format.writes},
            {"to_scene", format.to_scene},
            {"from_scene", format.from_scene},
            {"options", switches_json(format, registry)}};
}

}  // namespace

std::string formats_json(const Registry& registry) {
    Json list = Json::array();
    for (const FormatInfo& format : registry.formats()) list.push_back(format_json(format, registry));
    return list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace effigy
