/// Records as JSON objects for extras.effigy.

#include "fields_json.hpp"

#include <algorithm>

namespace effigy::layout {

std::string plural_name(std::string name) {
    name += name.ends_with("sh") ? "es" : "s";
    return name;
}

void FieldsJson::leaf(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count,
                      Shape shape) {
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
