#include "gltf/read_extras.hpp"

#include <utility>

#include "gltf/json.hpp"
#include "gltf/json_values.hpp"

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

}  // namespace

void ReadExtras::compare(std::uint64_t found) { extras.untouched = !hash.empty() && hash == hash_text(found); }

ReadExtras read_extras(Reading& reading, const Value& object, const std::string& path,
                       std::initializer_list<const char*> known, std::initializer_list<const char*> known_of_effigy) {
    ReadExtras result;
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
    if (const Value* const effigy = member(*all, "effigy"); effigy != nullptr && effigy->is_object()) {
        other.erase("effigy");
        result.effigy = *effigy;
        result.hash = text_member(result.effigy, "hash");
        result.effigy.erase("hash");
        bool is_known = false;
        for (const char* const name : known_of_effigy) is_known = result.effigy.erase(name) != 0 || is_known;
        if (!is_known || !result.effigy.empty()) result.extras.json = safe_text(reading, result.effigy, here);
    }
    if (!other.empty()) result.extras.other = safe_text(reading, other, here);
    return result;
}

}  // namespace effigy::gltf
