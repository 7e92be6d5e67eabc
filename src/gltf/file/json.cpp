/// JSON for extras and hashes: parsed within bounds, numbers, texts and rests in one form.

#include "gltf/file/json.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

#include "effigy/hashes.hpp"

#include "core/json.hpp"
#include "core/problem.hpp"

namespace effigy::gltf {
namespace {

// Writing JSON recurses, so nesting needs a bound. No real extras come near.
constexpr std::size_t max_nesting = 256;

using RestNumbers = std::array<float, 10>;  // translation, rotation, scale

}  // namespace

bool nested_too_deep(std::string_view text) {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > max_nesting) return true;
        } else if ((c == '}' || c == ']') && depth > 0) {
            --depth;
        }
    }
    return false;
}

Json number(float value) {
    if (value == 0 && std::signbit(value)) return -0.0;
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    // As the JSON parser has it: numbers without a fraction are whole.
    const bool is_whole = std::all_of(text.data(), end, [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
    std::int64_t whole = 0;
    double number = 0;
    if (is_whole && std::from_chars(text.data(), end, whole).ec == std::errc())
        return whole < 0 ? Json(whole) : Json(static_cast<std::uint64_t>(whole));
    if (!is_whole && std::from_chars(text.data(), end, number).ec == std::errc()) return number;
    // The JSON parser reads numbers alike in every locale, which strtod does not.
    return Json::parse(text.data(), end, nullptr, false);
}

Json numbers(std::span<const float> values) {
    Json array = Json::array();
    for (const float value : values) array.push_back(number(value));
    return array;
}

std::string to_text(const nlohmann::json& json) {
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<nlohmann::json> parse_object(const std::string& text) {
    if (nested_too_deep(text)) return std::nullopt;
    auto parsed = nlohmann::json::parse(text, nullptr, false);
    return parsed.is_object() ? std::optional(std::move(parsed)) : std::nullopt;
}

bool is_collision(const nlohmann::json& effigy) {
    const auto says = [&](const char* name, const nlohmann::json& value) {
        const auto member = effigy.is_object() ? effigy.find(name) : effigy.end();
        return member != effigy.end() && *member == value;
    };
    return says("collision", true) || says("collision", 1) ||
           (says("kind", "collision") && !says("wreck", true) && !says("wreck", 1));
}

nlohmann::json rest_json(const Transform& rest) {
    auto values = std::bit_cast<RestNumbers>(rest);
    for (float& value : values) value += 0.0f;  // -0 is 0, as in the node itself
    std::string bits = to_base64(std::as_bytes(std::span(values)));
    nlohmann::json list = numbers(values);
    return list.dump().size() <= bits.size() + 2 ? list : nlohmann::json(std::move(bits));
}

std::optional<Transform> rest_in(const nlohmann::json& effigy, const char* name) {
    const nlohmann::json* const json = member(effigy, name);
    if (json == nullptr) return std::nullopt;
    RestNumbers values{};
    if (json->is_string()) {
        const auto bits = from_base64(json->get_ref<const std::string&>());
        if (!bits || bits->size() != sizeof values) return std::nullopt;
        std::memcpy(values.data(), bits->data(), sizeof values);
    } else if (!json->is_array() || json->size() != values.size()) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (json->is_array() && !(*json)[i].is_number()) return std::nullopt;
        if (json->is_array()) values[i] = static_cast<float>((*json)[i].get<double>());
        if (!std::isfinite(values[i]) || std::abs(values[i]) > 1e30f) return std::nullopt;
    }
    return std::bit_cast<Transform>(values);
}

std::uint64_t hash_at(const Transform& rest) {
    Node node;
    node.local = rest;
    return hash_of(node);
}

}  // namespace effigy::gltf
