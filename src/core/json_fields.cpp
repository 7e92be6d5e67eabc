/// Records as the JSON objects in extras.effigy: written, and read again, when nothing in them is trusted.

#include "core/json_fields.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/fields_json.hpp"
#include "core/json_members.hpp"

namespace effigy::layout {
namespace {

std::uint64_t array_size(const Json* json) { return json != nullptr && json->is_array() ? json->size() : 0; }

}  // namespace

const Json* JsonFields::find(std::string_view name) const { return member(*open_.back(), name); }

bool JsonFields::elements(const char* name, const ElementType& type, void* destination, std::uint64_t count) {
    if (count == 0) return true;
    auto* bytes = static_cast<std::byte*>(destination);
    std::memset(bytes, 0, static_cast<std::size_t>(count * type.size));
    const Json* json = find(name);
    for (std::size_t i = 0; i < std::min(count, array_size(json)); ++i) {
        std::byte* place = bytes + i * type.size;
        if (!element_from_json(type, (*json)[i], place)) std::memset(place, 0, type.size);
    }
    return true;
}

bool JsonFields::number(const char*, const ElementType&, const char* of, std::size_t, std::uint64_t& value) {
    const Json* block = find(of);
    value = block != nullptr ? array_size(block) : array_size(find(plural_name(of)));
    return true;
}

bool JsonFields::text(const char* name, std::string& text, std::uint32_t most) {
    const Json* json = find(name);
    if (json == nullptr) return true;
    if (std::optional<std::string> read = text_from_json(*json); read && read->size() <= most) text = std::move(*read);
    return true;
}

void JsonFields::note(const char* name, bool& value) {
    const Json* json = find(name);
    if (json != nullptr && (json->is_boolean() || json->is_number())) value = is_true(*json);
}

std::optional<std::uint64_t> JsonFields::stated_length(const char* name, std::uint64_t) const {
    return array_size(find(name));
}

std::optional<std::uint64_t> JsonFields::stated_records(const char* name) const {
    return array_size(find(plural_name(name)));
}

bool JsonFields::enter(const Path& path) {
    static const Json nothing;
    const std::string last = path.last();
    const std::size_t bracket = last.find('[');
    const Json* found = nullptr;
    if (bracket == std::string::npos) {
        found = find(last);
    } else {
        std::size_t index = 0;
        std::from_chars(last.data() + bracket + 1, last.data() + last.size(), index);
        const Json* list = find(plural_name(last.substr(0, bracket)));
        if (index < array_size(list)) found = &(*list)[index];
    }
    open_.push_back(found == nullptr ? &nothing : found);
    return true;
}

bool JsonFields::leave() {
    open_.pop_back();
    return true;
}

std::string plural_name(std::string name) {
    name += name.ends_with("sh") ? "es" : "s";
    return name;
}

void FieldBytes::add(const char* name, std::span<const std::byte> bytes) {
    if (depth_ != 0) return;
    fields_.push_back({name, bytes_.size(), bytes.size()});
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

bool FieldBytes::has(std::string_view name, std::span<const std::byte> bytes) const noexcept {
    return std::any_of(fields_.begin(), fields_.end(), [&](const Field& field) {
        const auto own = std::span(bytes_).subspan(field.begin, field.size);
        return field.name == name && std::equal(own.begin(), own.end(), bytes.begin(), bytes.end());
    });
}

void FieldsJson::leaf(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count,
                      Shape shape) {
    if (is_usual(name, {data, static_cast<std::size_t>(count * type.size)})) return;
    if (shape == Shape::single) {
        open_.back()[name] = json_element(type, data);
        return;
    }
    if (std::find(left_out_.begin(), left_out_.end(), name) != left_out_.end()) return;
    Json& values = open_.back()[name] = Json::array();
    for (std::uint64_t index = 0; index < count; ++index)
        values.push_back(json_element(type, data + index * type.size));
}

void FieldsJson::leave(const Path& path) {
    Json record = std::move(open_.back());
    open_.pop_back();
    const std::string last = path.last();
    const std::size_t bracket = last.find('[');
    if (bracket == std::string::npos) {
        open_.back()[last] = std::move(record);
    } else {
        open_.back()[plural_name(last.substr(0, bracket))].push_back(std::move(record));
    }
}

}  // namespace effigy::layout
