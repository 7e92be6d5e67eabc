/// Members of a JSON object by name and type; what has another type is not there.

#include "core/json_members.hpp"

#include <utility>

namespace effigy {

Json object_of(std::string_view text) {
    if (text.empty()) return Json::object();
    std::optional<Json> json = parse_json(text);
    return json && json->is_object() ? std::move(*json) : Json::object();
}

const Json* member(const Json& json, std::string_view name) noexcept {
    if (!json.is_object()) return nullptr;
    const auto found = json.find(name);
    return found == json.end() ? nullptr : &*found;
}

std::optional<std::int64_t> integer_at(const Json& json, std::string_view name) {
    const Json* const number = member(json, name);
    if (number == nullptr || !number->is_number_integer()) return std::nullopt;
    const bool too_large = number->is_number_unsigned() && number->get<std::uint64_t>() > INT64_MAX;
    return too_large ? std::nullopt : std::optional(number->get<std::int64_t>());
}

std::optional<double> number_at(const Json& json, std::string_view name) {
    const Json* const number = member(json, name);
    return number == nullptr ? std::nullopt : double_from_json(*number);
}

std::optional<std::string> text_at(const Json& json, std::string_view name) {
    const Json* const text = member(json, name);
    return text == nullptr ? std::nullopt : text_from_json(*text);
}

const Json& list_at(const Json& json, std::string_view name) noexcept {
    static const Json none = Json::array();
    const Json* const list = member(json, name);
    return list != nullptr && list->is_array() ? *list : none;
}

std::optional<Bytes> bytes_at(const Json& json, std::string_view name) {
    const Json* const bytes = member(json, name);
    return bytes == nullptr ? std::nullopt : bytes_from_json(*bytes);
}

bool flag_at(const Json& json, std::string_view name) noexcept {
    const Json* const flag = member(json, name);
    return flag != nullptr && is_true(*flag);
}

bool is_true(const Json& json) noexcept {
    if (json.is_boolean()) return json.get<bool>();
    return json.is_number_unsigned() && json.get<std::uint64_t>() == 1;
}

}  // namespace effigy
