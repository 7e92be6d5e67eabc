#include "gltf/read_extras.hpp"

#include <utility>

#include "gltf/json.hpp"
#include "gltf/json_values.hpp"
#include "gltf/python_text.hpp"

namespace effigy::gltf {
namespace {

std::string text_of(const Value& value) { return value.dump(-1, ' ', false, Value::error_handler_t::replace); }

// What the writer could not write again is left out here.
std::string safe_text(Reading& reading, const Value& value, const std::string& path) {
    std::string text = text_of(value);
    if (!nested_too_deep(text)) return text;
    reading.note("gltf-extras-lost", path, "these custom properties are nested too deeply and are left out");
    return {};
}

// An object that a program has turned into text; null for any other text.
Value object_in(Reading& reading, const std::string& text) {
    constexpr std::uint64_t most_for_each = 48;  // bytes of a tree for each character
    if (text.empty() || text.front() != '{' || !reading.asset.take(most_for_each * text.size())) return {};
    const std::string json = json_of_python(text);
    if (nested_too_deep(json)) return {};
    Value value = Value::parse(json, nullptr, false);
    return value.is_object() ? std::move(value) : Value();
}

}  // namespace

Value effigy_of(Reading& reading, const Value& object) {
    const Value* const extras = member(object, "extras");
    const Value* const effigy = extras == nullptr ? nullptr : member(*extras, "effigy");
    if (effigy == nullptr) return {};
    if (effigy->is_string()) return object_in(reading, effigy->get_ref<const std::string&>());
    return effigy->is_object() ? *effigy : Value();
}

void ReadExtras::compare(std::uint64_t found) { extras.untouched = !hash.empty() && hash == hash_text(found); }

ReadExtras read_extras(Reading& reading, const Value& object, const std::string& path,
                       std::initializer_list<const char*> known, std::initializer_list<const char*> known_of_effigy) {
    ReadExtras result;
    result.known = Value::object();
    const Value* const all = member(object, "extras");
    if (all == nullptr || all->is_null()) return result;
    const std::string here = path + " / extras";
    if (!all->is_object()) {
        reading.note("gltf-extras-lost", here, "custom properties that are no object have no place and are left out",
                     shown(*all), "an object", Severity::info);
        return result;
    }
    Value other = *all;
    for (const char* const name : known) other.erase(name);
    if (Value effigy = effigy_of(reading, object); effigy.is_object()) {
        other.erase("effigy");
        result.effigy = std::move(effigy);
        result.hash = text_member(result.effigy, "hash");
        result.effigy.erase("hash");
        for (const char* const name : known_of_effigy) {
            const auto found = result.effigy.find(name);
            if (found == result.effigy.end()) continue;
            result.known[name] = std::move(*found);
            result.effigy.erase(found);
        }
        if (result.known.empty() || !result.effigy.empty())
            result.extras.json = safe_text(reading, result.effigy, here);
    }
    if (!other.empty()) result.extras.other = safe_text(reading, other, here);
    return result;
}

}  // namespace effigy::gltf
