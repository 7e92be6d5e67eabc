#include "gltf/json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

namespace effigy::gltf {
namespace {

// Writing JSON recurses, so nesting needs a bound. No real extras come near.
constexpr std::size_t most_nesting = 256;

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
            if (++depth > most_nesting) return true;
        } else if ((c == '}' || c == ']') && depth > 0) {
            --depth;
        }
    }
    return false;
}

std::string hash_text(std::uint64_t hash) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "xxh3:%016llx", static_cast<unsigned long long>(hash));
    return text.data();
}

}  // namespace

Json number(float value) {
    if (value == 0 && std::signbit(value)) return -0.0;
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    // The JSON parser reads numbers alike in every locale, which strtod does not.
    return Json::parse(text.data(), end, nullptr, false);
}

Json numbers(std::span<const float> values) {
    Json array = Json::array();
    for (const float value : values) array.push_back(number(value));
    return array;
}

std::string to_text(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Result<void> add_extras(Json& object, const Extras& extras, std::optional<std::uint64_t> hash, Steps steps) {
    if (extras.json.empty()) return {};
    Json parsed = nested_too_deep(extras.json) ? Json() : Json::parse(extras.json, nullptr, false);
    if (!parsed.is_object()) {
        Diagnostic diagnostic;
        diagnostic.code = "gltf-extras";
        diagnostic.path = to_path(steps);
        diagnostic.message = "the extras are not the text of one JSON object";
        return fail(std::move(diagnostic));
    }
    if (hash) parsed["hash"] = hash_text(*hash);
    object["extras"]["effigy"] = std::move(parsed);
    return {};
}

}  // namespace effigy::gltf
